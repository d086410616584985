// SPDX-License-Identifier: MIT
// Vectors, rotations and draws for the ships: square roots only, so that every machine flies the same course.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace ships {

struct Vector {
    double x = 0, y = 0, z = 0;
};

inline Vector operator+(const Vector& a, const Vector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector operator-(const Vector& a, const Vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vector operator*(double s, const Vector& a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline double dot(const Vector& a, const Vector& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vector& a) {
    return std::sqrt(dot(a, a));
}

/// A unit quaternion.
struct Rotation {
    double w = 1;
    Vector v;
};

inline Rotation operator*(const Rotation& a, const Rotation& b) {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
inline Rotation inverse(const Rotation& q) {
    return {q.w, -1 * q.v};
}
inline Vector rotate(const Rotation& q, const Vector& p) {
    const Vector t = 2 * cross(q.v, p);
    return p + q.w * t + cross(q.v, t);
}
/// Turns by an angular velocity for a short time.
inline Rotation turned(const Rotation& q, const Vector& velocity, double dt) {
    const Rotation half = Rotation{1, 0.5 * dt * velocity} * q;
    const double size = std::sqrt(half.w * half.w + dot(half.v, half.v));
    return {half.w / size, 1 / size * half.v};
}

/// Draws that are the same with every library: written by hand on mt19937_64.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double between(double lo, double hi) { return lo + (hi - lo) * unit(); }
    std::uint64_t below(std::uint64_t count) { return engine_() % count; }
    Vector in_cube() {
        const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
        return {x, y, z};
    }
    Vector in_ball() {
        for (;;) {
            const Vector p = in_cube();
            if (dot(p, p) <= 1) return p;
        }
    }
    Rotation rotation() {
        for (;;) {
            const double w = between(-1, 1);
            const Vector v = in_cube();
            const double squared = w * w + dot(v, v);
            if (squared > 1e-4 && squared <= 1) return {w / std::sqrt(squared), 1 / std::sqrt(squared) * v};
        }
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace ships

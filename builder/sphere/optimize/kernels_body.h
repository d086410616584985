// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels.cpp and kernels_avx2.cpp compile, each for its own processor. It calls nothing from any other
// header, see vector_floats.h. Neither has fused multiply-add, so both round alike.

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "builder/base/vector_floats.h"
#include "builder/sphere/optimize/kernels.h"
#include "builder/sphere/optimize/tuning.h"

// Each of its two readers is to have all of it. NOLINTBEGIN(misc-definitions-in-headers)
namespace espalier::kernels {
namespace {

#define ESPALIER_SQUARED(points, i, from)                                                              \
    ((ESPALIER_FLOATS((points).x + (i)) - (from).x) * (ESPALIER_FLOATS((points).x + (i)) - (from).x) + \
     (ESPALIER_FLOATS((points).y + (i)) - (from).y) * (ESPALIER_FLOATS((points).y + (i)) - (from).y) + \
     (ESPALIER_FLOATS((points).z + (i)) - (from).z) * (ESPALIER_FLOATS((points).z + (i)) - (from).z))

/// The bits of a float32 that make its absolute value.
constexpr std::int32_t kWithoutSign = 0x7fffffff;

/// One bit for each lane.
#ifdef __AVX2__
#define ESPALIER_BITS(lanes) static_cast<unsigned>(_mm256_movemask_ps((__m256)(lanes)))
#else
#define ESPALIER_BITS(lanes) bits_of(&(lanes))
inline unsigned bits_of(const Ints* lanes) {
    unsigned bits = 0;
    for (unsigned l = 0; l < kLanes; ++l) bits |= (static_cast<unsigned>((*lanes)[l]) & 1u) << l;
    return bits;
}
#endif

#ifdef __AVX2__
/// The lanes of each set of bits, in order.
struct Packing {
    alignas(32) std::int32_t lane[256][kLanes];

    constexpr Packing() : lane() {
        for (unsigned bits = 0; bits < 256; ++bits) {
            unsigned next = 0;
            for (unsigned l = 0; l < kLanes; ++l)
                if ((bits >> l & 1u) != 0) lane[bits][next++] = static_cast<std::int32_t>(l);
        }
    }
};
constexpr Packing kPacking;
#endif

/// Writes those of kLanes values that have a bit, one after the other.
template <class Value>
inline void pack(const Value* values, unsigned bits, Value* to) {
    static_assert(sizeof(Value) == 4);
#ifdef __AVX2__
    const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i*>(kPacking.lane[bits]));
    const __m256i packed =
        _mm256_permutevar8x32_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values)), order);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), packed);
#else
    for (std::size_t l = 0; l < kLanes; ++l) {
        *to = values[l];
        to += bits >> l & 1u;
    }
#endif
}

inline std::size_t number_of(unsigned bits) {
    return static_cast<std::size_t>(__builtin_popcount(bits));
}

float sum_of(const Floats* lanes) {
    float sum = 0.0F;
    for (std::size_t l = 0; l < kLanes; ++l) sum += (*lanes)[l];
    return sum;
}

/// Into `in`, for kLanes points or surfels, -1 if they are in the range; see squared_radius_to_cover for
/// surfels. Their root is spared: both sides are squared.
inline void look(const Groups& groups, std::size_t i, const Range& range, Ints* in) {
    const Floats squared = ESPALIER_SQUARED(groups.at, i, range);
    if (groups.normal.x == nullptr) {
        *in = squared <= range.squared;
    } else {
        const Floats radius = ESPALIER_FLOATS(groups.value + i);
        const Floats height =
            ESPALIER_FLOATS(groups.normal.x + i) * (ESPALIER_FLOATS(groups.at.x + i) - range.x) +
            ESPALIER_FLOATS(groups.normal.y + i) * (ESPALIER_FLOATS(groups.at.y + i) - range.y) +
            ESPALIER_FLOATS(groups.normal.z + i) * (ESPALIER_FLOATS(groups.at.z + i) - range.z);
        const Floats across = squared - height * height;
        const Floats left = range.squared - squared - radius * radius;
        *in = (left >= 0.0F) & (4.0F * radius * radius * across <= left * left);
    }
    if (groups.allowed != nullptr) {
        Ints allowed;
        for (std::size_t l = 0; l < kLanes; ++l) allowed[l] = groups.allowed[i + l];
        *in &= -allowed;
    }
}

float farthest(std::size_t count, const PointArrays& points, const float* more, const Range& from) {
    Floats most = {};
    for (std::size_t i = 0; i < count; i += kLanes) {
        const Floats squared = ESPALIER_SQUARED(points, i, from) + ESPALIER_FLOATS(more + i);
        most = most > squared ? most : squared;
    }
    float result = 0.0F;
    for (std::size_t l = 0; l < kLanes; ++l) result = most[l] > result ? most[l] : result;
    return result;
}

float weigh(std::size_t count, const PointArrays& points, const float* weight, const Range& from,
            float middle, float slope, float limit) {
    // After as many points, the sum is compared with its limit.
    constexpr std::size_t kStretch = 16 * kLanes;
    const Floats zero = {};
    const Floats one = zero + 1.0F;
    Floats sums = {};
    float sum = 0.0F;
    for (std::size_t first = 0; first < count && sum <= limit; first += kStretch) {
        const std::size_t last = first + kStretch < count ? first + kStretch : count;
        for (std::size_t i = first; i < last; i += kLanes) {
            Floats part = middle - slope * ESPALIER_SQUARED(points, i, from);
            part = part < one ? part : one;
            part = part > zero ? part : zero;
            sums += part * ESPALIER_FLOATS(weight + i);
        }
        sum = sum_of(&sums);
    }
    return sum;
}

std::size_t meet(std::size_t count, const PointArrays& groups, const float* radius, const Range& from,
                 float sphere_radius, std::uint32_t* met) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += kLanes) {
        const Floats needed = ESPALIER_FLOATS(radius + i) + sphere_radius;
        const Ints meets = ESPALIER_SQUARED(groups, i, from) <= needed * needed;
        unsigned bits = ESPALIER_BITS(meets);
        for (; bits != 0; bits &= bits - 1)
            met[found++] = static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(__builtin_ctz(bits));
    }
    return found;
}

double replace(const List& list, const Groups& groups, const Range& leaving, const Range& coming,
               std::int32_t* counts) {
    Floats won = {};
    Floats lost = {};
    for (std::size_t k = 0; k < list.count; ++k) {
        const std::size_t first = list.index[k] * kGroup;
        for (std::size_t i = first; i < first + kGroup; i += kLanes) {
            Ints leave;
            Ints come;
            look(groups, i, leaving, &leave);
            look(groups, i, coming, &come);
            // True is -1.
            const Ints before = ESPALIER_INTS(counts + i);
            const Ints after = before + leave - come;
            const Ints value = (Ints)ESPALIER_FLOATS(groups.value + i);
            const Ints weight = value & kWithoutSign;
            const Ints each = value < 0;
            won += (Floats)(weight & (after > before) & (each | (before == 0)));
            lost += (Floats)(weight & (after < before) & (each | (after == 0)));
            reinterpret_cast<IntsAt*>(counts + i)->v = after;
        }
    }
    return static_cast<double>(sum_of(&won)) - static_cast<double>(sum_of(&lost));
}

std::size_t find(const List& list, const Groups& groups, const Range& range, std::int32_t count,
                 const std::int32_t* counts, std::uint32_t* found) {
    std::size_t next = 0;
    for (std::size_t k = 0; k < list.count; ++k) {
        const std::size_t first = list.index[k] * kGroup;
        for (std::size_t i = first; i < first + kGroup; i += kLanes) {
            Ints in;
            look(groups, i, range, &in);
            in &= ESPALIER_INTS(counts + i) == count;
            unsigned bits = ESPALIER_BITS(in);
            for (; bits != 0; bits &= bits - 1) {
                found[next++] =
                    static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(__builtin_ctz(bits));
            }
        }
    }
    return next;
}

std::size_t gather(const List& list, const Groups& groups, const Range& range, const Range& own,
                   const std::int32_t* counts, const Gathered& gathered) {
    std::size_t next = 0;
    for (std::size_t k = 0; k < list.count; ++k) {
        const std::size_t first = list.index[k] * kGroup;
        for (std::size_t i = first; i < first + kGroup; i += kLanes) {
            // True is -1: what `own` covers counts one less.
            const Ints others =
                ESPALIER_INTS(counts + i) + (ESPALIER_SQUARED(groups.at, i, own) <= own.squared);
            const Ints value = (Ints)ESPALIER_FLOATS(groups.value + i);
            const Ints in =
                (ESPALIER_SQUARED(groups.at, i, range) <= range.squared) & ((others == 0) | (value < 0));
            const unsigned bits = ESPALIER_BITS(in);
            if (bits != 0) {
                pack(groups.at.x + i, bits, gathered.x + next);
                pack(groups.at.y + i, bits, gathered.y + next);
                pack(groups.at.z + i, bits, gathered.z + next);
                float weight[kLanes];
                reinterpret_cast<FloatsAt*>(weight)->v = (Floats)(value & kWithoutSign);
                pack(weight, bits, gathered.value + next);
                next += number_of(bits);
            }
        }
    }
    return next;
}

/// Roots in place.
inline void take_roots(Floats* values) {
#ifdef __AVX2__
    *values = (Floats)_mm256_sqrt_ps((__m256)*values);
#else
    for (std::size_t l = 0; l < kLanes; ++l) (*values)[l] = __builtin_sqrtf((*values)[l]);
#endif
}

/// What is kept of a sphere while it is near kLanes points: two numbers of its own, and gradients.
struct NearSphere {
    FloatsAt value, length, x, y, z, radius;
};
static_assert(sizeof(NearSphere) == sizeof(float) * kScratch);

void clear_gradients(NearSphere* kept, std::size_t count) {
    const Floats zero = {};
    for (std::size_t k = 0; k < count; ++k) kept[k].x.v = kept[k].y.v = kept[k].z.v = kept[k].radius.v = zero;
}

void add_gradients(const NearSphere* kept, const List& list, Gradient* gradients) {
    for (std::size_t k = 0; k < list.count; ++k) {
        const Floats sums[4] = {kept[k].x.v, kept[k].y.v, kept[k].z.v, kept[k].radius.v};
        Gradient& gradient = gradients[list.index[k]];
        gradient.x += sum_of(&sums[0]);
        gradient.y += sum_of(&sums[1]);
        gradient.z += sum_of(&sums[2]);
        gradient.radius += sum_of(&sums[3]);
    }
}

/// How well a sphere covers kLanes surfels; see KernelTable::coverage_gradient.
inline void cover_quality(const Groups& surfels, std::size_t i, const MovingSphere& sphere, float per_margin,
                          NearSphere* kept) {
    const Floats zero = {};
    const Floats x = ESPALIER_FLOATS(surfels.at.x + i) - sphere.x;
    const Floats y = ESPALIER_FLOATS(surfels.at.y + i) - sphere.y;
    const Floats z = ESPALIER_FLOATS(surfels.at.z + i) - sphere.z;
    const Floats squared = x * x + y * y + z * z;
    const Floats radius = ESPALIER_FLOATS(surfels.value + i);
    const Floats height = ESPALIER_FLOATS(surfels.normal.x + i) * x +
                          ESPALIER_FLOATS(surfels.normal.y + i) * y +
                          ESPALIER_FLOATS(surfels.normal.z + i) * z;
    Floats across = squared - height * height;
    across = across > zero ? across : zero;
    take_roots(&across);
    Floats needed = squared + radius * (radius + 2.0F * across);
    take_roots(&needed);
    Floats value = (1.0F - 1.0F / tuning::kMarginRange) + (sphere.radius - needed) * per_margin;
    value = value > zero ? value : zero;
    if (sphere.allowed != nullptr) {
        Ints allowed;
        for (std::size_t l = 0; l < kLanes; ++l) allowed[l] = sphere.allowed[i + l];
        value = (Floats)((Ints)value & -allowed);
    }
    kept->value.v = value;
    kept->length.v = needed;
}

void coverage_gradient(const Groups& surfels, std::size_t first, const List& list, const MovingSphere* moving,
                       float margin, float penalty_weight, float* scratch, Gradient* gradients) {
    NearSphere* const kept = reinterpret_cast<NearSphere*>(scratch);
    const Floats zero = {};
    const float per_margin = 1.0F / (tuning::kMarginRange * margin);
    bool any = false;
    for (std::size_t i = first; i < first + kGroup; i += kLanes) {
        Floats total = {};
        Ints well = {};
        std::size_t k = 0;
        for (; k < list.count && ESPALIER_BITS(well) != 255u; ++k) {
            cover_quality(surfels, i, moving[list.index[k]], per_margin, kept + k);
            const Floats value = kept[k].value.v;
            const Floats square = value * value;
            const Floats fourth = square * square;
            total += fourth * fourth;
            well |= value >= 1.0F;
        }
        if (ESPALIER_BITS(well) == 255u) continue;
        Floats norm = total;
        take_roots(&norm);
        take_roots(&norm);
        take_roots(&norm);
        // Points that only fill the group are far from all.
        const Ints missing = (norm < 1.0F) & (norm > 0.05F);
        if (ESPALIER_BITS(missing) == 0) continue;
        if (!any) {
            clear_gradients(kept, list.count);
            any = true;
        }
        // Small surfels are many where large ones are few: together they count alike.
        const Floats size =
            (tuning::kFullSurfel * tuning::kMarginRange) * per_margin * ESPALIER_FLOATS(surfels.value + i);
        const Floats area = size * size;
        const Floats share = area < 1.0F ? area : zero + 1.0F;
        const Floats force = (Floats)((Ints)(penalty_weight * share * (tuning::kMarginRange * (1.0F - norm)) *
                                             norm / (total + 1e-30F)) &
                                      missing);
        for (k = 0; k < list.count; ++k) {
            const MovingSphere& sphere = moving[list.index[k]];
            const Floats value = kept[k].value.v;
            const Ints near = value > zero;
            if (ESPALIER_BITS(near) == 0) continue;
            const Floats square = value * value;
            const Floats part = force * (square * square * square * value);
            const Floats per_length = part / (kept[k].length.v + 1e-20F);
            kept[k].x.v -= per_length * (ESPALIER_FLOATS(surfels.at.x + i) - sphere.x);
            kept[k].y.v -= per_length * (ESPALIER_FLOATS(surfels.at.y + i) - sphere.y);
            kept[k].z.v -= per_length * (ESPALIER_FLOATS(surfels.at.z + i) - sphere.z);
            kept[k].radius.v -= part;
        }
    }
    if (any) add_gradients(kept, list, gradients);
}

void volume_gradient(const Groups& points, std::size_t first, const List& list, const MovingSphere* moving,
                     const float* per_blur_width, float* scratch, Gradient* gradients) {
    NearSphere* const kept = reinterpret_cast<NearSphere*>(scratch);
    const Floats zero = {};
    const Floats one = zero + 1.0F;
    bool any = false;
    for (std::size_t i = first; i < first + kGroup; i += kLanes) {
        const Floats sharpness = ESPALIER_FLOATS(per_blur_width + i);
        const Ints value = (Ints)ESPALIER_FLOATS(points.value + i);
        const Floats weight = (Floats)(value & kWithoutSign);
        const Ints each = value < 0;
        Floats free = one;
        Ints open = zero < weight;
        std::size_t k = 0;
        for (; k < list.count && ESPALIER_BITS(open) != 0; ++k) {
            const MovingSphere& sphere = moving[list.index[k]];
            Floats length = ESPALIER_SQUARED(points.at, i, sphere);
            take_roots(&length);
            Floats part = (sphere.radius - length) * sharpness + 0.5F;
            part = part > zero ? part : zero;
            part = part < one ? part : one;
            kept[k].value.v = part;
            kept[k].length.v = length;
            free *= one - part;
            open &= (free > 0.0F) | each;
        }
        if (ESPALIER_BITS(open) == 0) continue;
        if (!any) {
            clear_gradients(kept, list.count);
            any = true;
        }
        const Floats slope = weight * sharpness;
        for (k = 0; k < list.count; ++k) {
            const MovingSphere& sphere = moving[list.index[k]];
            const Floats part = kept[k].value.v;
            const Ints layer = (part > 0.0F) & (part < 1.0F);
            if (ESPALIER_BITS(layer) == 0) continue;
            const Floats share = each ? one : free / (one - part);
            const Floats by = (Floats)((Ints)(slope * share) & layer);
            const Floats per_length = by / (kept[k].length.v + 1e-20F);
            kept[k].x.v += per_length * (ESPALIER_FLOATS(points.at.x + i) - sphere.x);
            kept[k].y.v += per_length * (ESPALIER_FLOATS(points.at.y + i) - sphere.y);
            kept[k].z.v += per_length * (ESPALIER_FLOATS(points.at.z + i) - sphere.z);
            kept[k].radius.v += by;
        }
    }
    if (any) add_gradients(kept, list, gradients);
}

constexpr KernelTable kTable = {farthest,          weigh,          meet, replace, find, gather,
                                coverage_gradient, volume_gradient};

#undef ESPALIER_SQUARED
#undef ESPALIER_BITS

}  // namespace
}  // namespace espalier::kernels
// NOLINTEND(misc-definitions-in-headers)

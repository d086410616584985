// SPDX-License-Identifier: GPL-3.0-or-later
// Mesh files as bytes, independent of locale and byte order.
#include "corpus/write_mesh.h"

#include <bit>
#include <charconv>
#include <fstream>

namespace espalier::corpus {
namespace {

void add_text(std::string& out, float value) {
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    (void)error;  // 32 characters hold every float
    out.append(digits, end);
}

void add_text(std::string& out, const Eigen::Vector3f& p) {
    for (int i = 0; i < 3; ++i) {
        if (i > 0) out += ' ';
        add_text(out, p[i]);
    }
}

void add_little_endian(std::string& out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
}

void add_little_endian(std::string& out, const Eigen::Vector3f& p) {
    for (int i = 0; i < 3; ++i) add_little_endian(out, std::bit_cast<std::uint32_t>(p[i]));
}

}  // namespace

std::string to_off(const TriangleMesh& mesh) {
    std::string out = "OFF\n" + std::to_string(mesh.positions.size()) + " " +
                      std::to_string(mesh.triangles.size()) + " 0\n";
    for (const Eigen::Vector3f& p : mesh.positions) {
        add_text(out, p);
        out += '\n';
    }
    for (const auto& [a, b, c] : mesh.triangles)
        out += "3 " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + "\n";
    return out;
}

std::string to_obj(const TriangleMesh& mesh) {
    std::string out;
    for (const Eigen::Vector3f& p : mesh.positions) {
        out += "v ";
        add_text(out, p);
        out += '\n';
    }
    for (const auto& [a, b, c] : mesh.triangles)
        out +=
            "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
    return out;
}

std::string to_stl(const TriangleMesh& mesh) {
    std::string out = "binary STL of the espalier corpus";
    out.resize(80, '\0');
    add_little_endian(out, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const Triangle& t : mesh.triangles) {
        add_little_endian(out, Eigen::Vector3f::Zero());
        for (const std::uint32_t corner : t) add_little_endian(out, mesh.positions[corner]);
        out.append(2, '\0');
    }
    return out;
}

std::string to_ply(const TriangleMesh& mesh) {
    std::string out =
        "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(mesh.positions.size()) +
        "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
        std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
    for (const Eigen::Vector3f& p : mesh.positions) add_little_endian(out, p);
    for (const Triangle& t : mesh.triangles) {
        out += '\3';
        for (const std::uint32_t corner : t) add_little_endian(out, corner);
    }
    return out;
}

Result<std::string> to_format(const TriangleMesh& mesh, std::string_view extension) {
    std::string lower(extension);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (lower == ".off") return to_off(mesh);
    if (lower == ".obj") return to_obj(mesh);
    if (lower == ".stl") return to_stl(mesh);
    if (lower == ".ply") return to_ply(mesh);
    return Error{ErrorKind::kUnsupported, "unknown format '" + lower + "': use .off, .obj, .stl or .ply"};
}

Result<Success> write_bytes(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) return Error{ErrorKind::kInputOutput, path.string() + ": cannot be written"};
    return Success{};
}

}  // namespace espalier::corpus

// SPDX-License-Identifier: GPL-3.0-or-later
// Ugly files that are cut short, lie about themselves, or are not what their name says; and odd ones that are
// fine.
#include <random>
#include <utility>

#include "corpus/icosphere.h"
#include "corpus/ugly_files.h"
#include "corpus/write_mesh.h"

namespace espalier::corpus {
namespace {

std::string ten_megabytes(char letter) {
    std::string text;
    text.resize(10'000'000, letter);
    return text;
}

constexpr const char* kTriangleObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
constexpr const char* kNoFaces = "no (face|triangle|polygon)|nothing|empty";
constexpr const char* kCut = "truncat|ends|end of|incomplete|short|promise|missing|expect";
constexpr const char* kIndex = "index|vertex|refers";
constexpr const char* kNotThisFormat = "binary|text|line|not an?|header|keyword|truncat|ends|magic|signature";

TriangleMesh ball() {
    return make_icosphere({1.0, 2});
}

std::string text(const char* bytes) {
    return bytes;
}

std::string cut(std::string bytes, std::size_t length) {
    bytes.resize(length);
    return bytes;
}

// Bytes of every value; the same on every platform.
std::string junk(std::size_t size, std::uint64_t seed) {
    std::mt19937_64 draws(seed);
    std::string out;
    while (out.size() < size) out += static_cast<char>(draws() >> 56);
    return out;
}

std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
    return bytes.replace(bytes.find(from), from.size(), to);
}

std::string little_endian(std::uint32_t value) {
    std::string out;
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
    return out;
}

std::string ascii_stl(const std::string& rest) {
    return "solid one\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n" + rest;
}

std::vector<UglyFile> without_content() {
    std::vector<UglyFile> files;
    for (const char* extension : {"obj", "off", "stl", "ply", "glb", "gltf", "dae", "fbx", "3ds"})
        files.push_back(
            {std::string("empty.") + extension, "a file of 0 bytes", 3, "empty", 0, [] { return text(""); }});
    const std::vector<UglyFile> more = {
        {"white-space.obj", "nothing but blank lines", 3, kNoFaces, 0, [] { return text(" \n\n\t\n"); }},
        {"comments.obj", "nothing but comments", 3, kNoFaces, 0, [] { return text("# a\n# b\n"); }},
        {"no-faces.obj", "vertices and no face", 3, kNoFaces, 0,
         [] { return text("v 0 0 0\nv 1 0 0\nv 0 1 0\n"); }},
        {"no-faces.off", "vertices and no face", 3, kNoFaces, 0,
         [] { return text("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n"); }},
        {"no-faces.stl", "a binary header that promises 0 triangles", 3, kNoFaces, 0,
         [] { return to_stl({}); }},
        {"no-faces.ply", "vertices and no face", 3, kNoFaces, 0,
         [] {
             return to_ply({{{0, 0, 0}, {1, 0, 0}}, {}});
         }},
        {"nothing.off", "0 vertices and 0 faces", 3, kNoFaces, 0, [] { return text("OFF\n0 0 0\n"); }},
        {"lines-only.obj", "line elements and no face", 3, kNoFaces, 0,
         [] { return text("v 0 0 0\nv 1 0 0\nl 1 2\n"); }},
        {"directory.obj", "a folder with the name of a mesh", 2, "directory|folder|regular file", 0, nullptr,
         UglyFile::Kind::kDirectory},
        {"absent.off", "there is no such file", 2, "no such|not exist|not found|cannot", 0, nullptr,
         UglyFile::Kind::kAbsent},
        {"unknown-extension.step", "a mesh under an extension that no reader claims", 5,
         "extension|format|support", 0, [] { return text(kTriangleObj); }},
        {"no-extension", "a mesh without an extension", 5, "extension|format|support", 0,
         [] { return text(kTriangleObj); }},
    };
    files.insert(files.end(), more.begin(), more.end());
    return files;
}

std::vector<UglyFile> cut_short() {
    return {
        {"truncated-vertices.obj", "ends within the vertices", 3, kNoFaces, 0,
         [] { return to_obj(ball()).substr(0, 1000); }},
        {"truncated-coordinate.obj", "ends after two of three coordinates", 3, "line|coordinate|truncat|ends",
         0, [] { return text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nv 1 0."); }},
        {"truncated-face.obj", "ends after two corners of a face", 3, "corner|truncat", 0,
         [] { return text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 2 3"); }},
        {"truncated-vertices.off", "ends within the vertices", 3, kCut, 0,
         [] { return to_off(ball()).substr(0, 1000); }},
        {"truncated-faces.off", "ends within the faces", 3, kCut, 0,
         [] {
             const std::string whole = to_off(ball());
             return cut(whole, whole.size() - 200);
         }},
        {"truncated-header.off", "ends after the magic word", 3, kCut, 0, [] { return text("OFF\n"); }},
        {"truncated.stl", "a binary file that ends within a triangle", 3, kCut, 0,
         [] { return cut(to_stl(ball()), 84 + 50 * 100 + 17); }},
        {"truncated-header.stl", "ends within the binary header", 3, kNotThisFormat, 0,
         [] { return cut(to_stl(ball()), 60); }},
        {"truncated-ascii.stl", "a text file that ends within a triangle", 3, kCut, 0,
         [] { return ascii_stl("   vertex 0 1 0\n"); }},
        {"truncated-vertices.ply", "a binary file that ends within the vertices", 3, kCut, 0,
         [] { return cut(to_ply(ball()), 600); }},
        {"truncated-faces.ply", "a binary file that ends within the faces", 3, kCut, 0,
         [] {
             const std::string whole = to_ply(ball());
             return cut(whole, whole.size() - 100);
         }},
        {"truncated-header.ply", "ends within the header", 3, kCut, 0,
         [] { return cut(to_ply(ball()), 60); }},
        {"truncated.glb", "a header that promises more bytes than there are", 3, kNotThisFormat, 0,
         [] { return "glTF" + little_endian(2) + little_endian(4000) + little_endian(1000) + "JSON{"; }},
        {"too-many-vertices.off", "the header promises four thousand million vertices", 3, kCut, 0,
         [] { return text("OFF\n4000000000 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"); }},
        {"too-many-triangles.stl", "the header promises four thousand million triangles", 3, kCut, 0,
         [] { return cut(to_stl(ball()), 80) + little_endian(4'000'000'000u) + std::string(500, '\0'); }},
        {"too-many-faces.ply", "the header promises four thousand million faces", 3, kCut, 0,
         [] { return replaced(to_ply(ball()), "face 320", "face 4000000000"); }},
    };
}

std::vector<UglyFile> wrong_index() {
    const auto with_face = [](const char* face) {
        return [face] { return std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf ") + face + "\n"; };
    };
    const auto off_face = [](const char* face) {
        return [face] { return std::string("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 ") + face + "\n"; };
    };
    const auto ply_face = [](std::uint32_t corner) {
        return [corner] { return to_ply({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1, corner}}}); };
    };
    return {
        {"index-beyond.obj", "a face names vertex 4 of 3", 3, kIndex, 0, with_face("1 2 4")},
        {"index-zero.obj", "a face names vertex 0, and OBJ counts from 1", 3, kIndex, 0, with_face("0 1 2")},
        {"index-negative-beyond.obj", "a face names the 4th vertex from the end of 3", 3, kIndex, 0,
         with_face("-1 -2 -4")},
        {"index-huge.obj", "a face names a vertex that no integer holds", 3, kIndex, 0,
         with_face("1 2 99999999999999999999")},
        {"index-wraps.obj", "a face names vertex 2^32 + 1, which is 1 in 32 bits", 3, kIndex, 0,
         with_face("2 3 4294967297")},
        {"index-fraction.obj", "a face names vertex 1.5", 3, kIndex, 0, with_face("1.5 2 3")},
        {"index-beyond.off", "a face names vertex 3, and OFF counts from 0", 3, kIndex, 0, off_face("0 1 3")},
        {"index-negative.off", "a face names vertex -1", 3, kIndex, 0, off_face("0 1 -1")},
        {"index-beyond.ply", "a face names vertex 3 of 0 to 2", 3, kIndex, 0, ply_face(3)},
        {"index-negative.ply", "a face names vertex -1", 3, kIndex, 0, ply_face(0xffffffffu)},
        {"index-relative.obj", "negative indices that are right: counted from the end", 0, "", 1,
         [] { return text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n"); }},
    };
}

std::vector<UglyFile> not_this_format() {
    std::vector<UglyFile> files;
    for (const char* extension : {"obj", "off", "stl", "ply", "glb", "gltf", "dae", "fbx", "3ds"})
        files.push_back({std::string("junk.") + extension, "5,000 random bytes", 3, kNotThisFormat, 0,
                         [] { return junk(5000, 1); }});
    const std::vector<UglyFile> more = {
        {"junk-after-magic.off", "random bytes after the magic word", 3, kNotThisFormat, 0,
         [] { return "OFF\n" + junk(5000, 2); }},
        {"unknown-version.glb", "a version that does not exist, then random bytes", 5, "version", 0,
         [] { return "glTF" + little_endian(77) + junk(5000, 3); }},
        {"off-named.ply", "an OFF file under the wrong name", 3, kNotThisFormat, 0,
         [] { return to_off(ball()); }},
        {"utf-16.obj", "a triangle in UTF-16", 3, "utf.?16|binary|text", 0,
         [] {
             std::string out = "\xff\xfe";
             for (const char c : text(kTriangleObj)) (out += c) += '\0';
             return out;
         }},
        {"word-for-number.obj", "a coordinate is a word", 3, "line 2|number|coordinate", 0,
         [] { return text("v 0 0 0\nv 1 two 0\nv 0 1 0\nf 1 2 3\n"); }},
        {"comma-decimals.obj", "coordinates with commas", 3, "line 2|number|coordinate", 0,
         [] { return text("v 0 0 0\nv 1,5 0 0\nv 0 1 0\nf 1 2 3\n"); }},
        {"missing-coordinate.obj", "a vertex with two coordinates", 3, "line 2|coordinate", 0,
         [] { return text("v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n"); }},
        {"long-line.obj", "a line of 10 MB that is no statement", 3, "line 1|not an?|no face|keyword|unknown",
         0, [] { return ten_megabytes('a') + "\n"; }},
        {"long-number.obj", "a coordinate of 10 MB of digits", 3, "line 2|vertex|large|number|float|scale", 0,
         [] { return "v 0 0 0\nv 1" + ten_megabytes('0') + " 0 0\nv 0 1 0\nf 1 2 3\n"; }},
    };
    files.insert(files.end(), more.begin(), more.end());
    return files;
}

std::vector<UglyFile> odd_but_fine() {
    return {
        {"long-comment.obj", "a comment of 10 MB before a triangle", 0, "", 1,
         [] { return "# " + ten_megabytes('a') + "\n" + kTriangleObj; }},
        {"no-final-newline.obj", "the last line has no end", 0, "", 1,
         [] { return text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3"); }},
        {"windows-lines.obj", "lines end in CR LF", 0, "", 1,
         [] { return text("v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n"); }},
        {"byte-order-mark.obj", "starts with a UTF-8 byte-order mark", 0, "", 1,
         [] { return std::string("\xef\xbb\xbf") + kTriangleObj; }},
        {"materials.obj", "names a material library that is not there", 0, "", 1,
         [] {
             return text(
                 "mtllib absent.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 "
                 "3//1\n");
         }},
        {"comments.off", "comments between header and data", 0, "", 1,
         [] { return text("OFF # head\n# more\n3 1 0\n0 0 0 # a\n1 0 0\n0 1 0\n3 0 1 2\n"); }},
        {"solid-binary.stl", "a binary file whose header starts with 'solid'", 0, "", 320,
         [] { return to_stl(ball()).replace(0, 6, "solid "); }},
        {"trailing-bytes.stl", "7 bytes after the last triangle", 0, "trailing|follow|after|extra", 320,
         [] { return to_stl(ball()) + "1234567"; }},
        {"UPPER.OBJ", "an extension in capitals", 0, "", 1, [] { return text(kTriangleObj); }},
        {"name with spaces.obj", "a name with spaces", 0, "", 1, [] { return text(kTriangleObj); }},
        {"two.dots.obj", "a name with two dots", 0, "", 1, [] { return text(kTriangleObj); }},
    };
}

}  // namespace

std::vector<UglyFile> ugly_bytes() {
    std::vector<UglyFile> files;
    for (std::vector<UglyFile> more :
         {without_content(), cut_short(), wrong_index(), not_this_format(), odd_but_fine()})
        for (UglyFile& file : more) files.push_back(std::move(file));
    return files;
}

}  // namespace espalier::corpus

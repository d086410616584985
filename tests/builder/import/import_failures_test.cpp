// SPDX-License-Identifier: GPL-3.0-or-later
// Every way in which a file can be wrong has its kind of error and a message that says what and where.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "builder/import/import.h"
#include "tests/builder/import/sample_files.h"
#include "tests/support/temporary_folder.h"

namespace espalier {
namespace {

constexpr auto kInvalid = ErrorKind::kInvalidInput;
constexpr auto kUnsupported = ErrorKind::kUnsupported;
constexpr auto kInputOutput = ErrorKind::kInputOutput;

void expect_error(const std::filesystem::path& path, ErrorKind kind, const std::string& pattern) {
    const auto soup = import_mesh(path);
    ASSERT_FALSE(soup.ok()) << path << " was accepted";
    EXPECT_EQ(static_cast<int>(soup.error().kind), static_cast<int>(kind)) << soup.error().message;
    EXPECT_TRUE(std::regex_search(soup.error().message, std::regex(pattern)))
        << '"' << soup.error().message << "\" does not match " << pattern;
}

struct BadFile {
    std::string name;  // of the case
    std::string extension;
    std::string bytes;
    ErrorKind kind;
    std::string message;  // regular expression
};

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
const std::string kPlyHead =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
const std::string kPlyFaces = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
const std::string kPlyPoints = "0 0 0\n1 0 0\n0 1 0\n";
const std::string kBinaryPly =
    "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty "
    "float z\n"
    "element face 1\nproperty list uint int vertex_indices\nend_header\n" +
    std::string(12, '\0');
const std::string kFacet =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

const std::vector<BadFile> kBadFiles{
    // OBJ
    {"Empty", ".obj", "", kInvalid, "^the file is empty$"},
    {"OnlyComments", ".obj", "# nothing\n\n", kInvalid, "no faces \\(0 vertices\\)"},
    {"PointsOnly", ".obj", kTriangle, kInvalid, "no faces \\(3 vertices\\)"},
    {"IndexTooLarge", ".obj", kTriangle + "f 1 2 3\nf 1 2 4\n", kInvalid,
     "^line 5: face 2 refers to vertex 4, but the file has 3 vertices$"},
    {"IndexTooNegative", ".obj", kTriangle + "f -1 -2 -4\n", kInvalid,
     "^line 4: face 1 refers to vertex -4, but only 3"},
    {"IndexZero", ".obj", kTriangle + "f 0 1 2\n", kInvalid,
     "^line 4: face 1 refers to vertex 0; OBJ counts from 1"},
    {"IndexHuge", ".obj", kTriangle + "f 1 2 99999999999999999999\n", kInvalid,
     "^line 4: face 1 has the corner \"9999"},
    {"IndexBeyondInt", ".obj", kTriangle + "f 1 2 4294967297\n", kInvalid,
     "^line 4: face 1 refers to vertex 4294967297"},
    {"CornerNotANumber", ".obj", kTriangle + "f 1 2 x\n", kInvalid, "^line 4: face 1 has the corner \"x\""},
    {"FaceCutOff", ".obj", kTriangle + "f 1 2", kInvalid, "^line 4: face 1 has 2 corners .* truncated"},
    {"CoordinateMissing", ".obj", "v 0 0 0\nv 1 0\n", kInvalid,
     "^line 2: vertex 2: the z coordinate is missing"},
    {"CoordinateNotANumber", ".obj", "v 0 zero 0\n", kInvalid,
     "^line 1: vertex 1: the y coordinate is \"zero\", not a number"},
    {"DecimalComma", ".obj", "v 0,5 0 0\n", kInvalid, "^line 1: vertex 1: the x coordinate is \"0,5\""},
    {"TwoDots", ".obj", "v 1.2.3 0 0\n", kInvalid, "not a number"},
    {"Prose", ".obj", "hello world\n", kInvalid,
     "^line 1: \"hello\" is not an OBJ statement; is this an OBJ file"},
    {"Junk", ".obj", std::string("\x7f\x45LF\x02\x01\0\0\xff\xfe\x80", 11), kInvalid,
     "not an OBJ file: .*binary data \\(byte 0\\)"},
    {"Utf16", ".obj", std::string("\xff\xfev\0 \0", 6), kInvalid, "UTF-16"},
    {"JunkLine", ".obj", std::string(10'000'000, 'x'), kInvalid,
     "^line 1: \"x{24}...\" is not an OBJ statement"},
    {"HugePolygon", ".obj",
     kTriangle + "f" +
         [] {
             std::string s;
             for (int i = 0; i < 1'700'000; ++i) s += " 1 2 3";
             return s;
         }(),
     kUnsupported, "^line 4: face 1 has more than 1000000 corners"},
    {"Includes", ".obj", "call other.obj\n", kUnsupported, "line 1: the statement \"call\""},
    // OFF
    {"Empty", ".off", "", kInvalid, "^the file is empty$"},
    {"Blank", ".off", "\n\n# x\n", kInvalid, "no OFF header"},
    {"WrongHeader", ".off", "FOO\n3 1 0\n", kInvalid, "^line 1: the header is \"FOO\" instead of OFF"},
    {"SuffixedHeader", ".off", "OFFX\n3 1 0\n", kInvalid, "^line 1: the header is \"OFFX\""},
    {"Homogeneous", ".off", "4OFF\n3 1 0\n", kUnsupported, "only 3D coordinates"},
    {"AnyDimension", ".off", "nOFF\n3\n3 1 0\n", kUnsupported, "only 3D coordinates"},
    {"Binary", ".off", std::string("OFF BINARY\n\0\0\0\3", 15), kUnsupported, "binary OFF"},
    {"NoCounts", ".off", "OFF\n", kInvalid, "^line 1: the file ends before the number of vertices"},
    {"NoFaceCount", ".off", "OFF\n1\n", kInvalid, "the file ends before the number of faces"},
    {"NegativeCount", ".off", "OFF\n-3 1 0\n", kInvalid, "^line 2: the number of vertices is \"-3\""},
    {"CountNotANumber", ".off", "OFF\nmany 1 0\n", kInvalid, "^line 2: the number of vertices is \"many\""},
    {"HugeVertexCount", ".off", "OFF\n2000000000 1 0\n0 0 0\n", kInvalid,
     "promises 2000000000 vertices, more than a file of"},
    {"HugeFaceCount", ".off", "OFF\n3 2000000000 0\n0 0 0\n", kInvalid,
     "promises 2000000000 faces, more than a file of"},
    {"HugeCornerCount", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n1000000000 0 1 2\n", kUnsupported,
     "^line 6: face 0 of 1"},
    {"CornerCountNegative", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", kInvalid,
     "^line 6: face 0 of 1: the number of corners is \"-3\""},
    {"TruncatedInVertices", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n", kInvalid,
     "ends before vertex 2 of 3: it is truncated"},
    {"TruncatedInFaces", ".off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", kInvalid,
     "ends before face 1 of 2: it is truncated"},
    {"FaceCutOff", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1", kInvalid,
     "^line 6: face 0 of 1: only 2 of 3 corners"},
    {"WrongIndex", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", kInvalid,
     "^line 6: face 0 of 1: it refers to vertex 3, but the file has 3"},
    {"NegativeIndex", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", kInvalid,
     "it refers to vertex -1"},
    {"FractionalIndex", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", kInvalid,
     "the corner \"1.5\" is not a vertex index"},
    {"ShortVertex", ".off", "OFF\n3 1 0\n0 0\n1 0 0\n0 1 0\n3 0 1 2\n", kInvalid,
     "^line 3: vertex 0 of 3: the z coordinate is missing"},
    {"VertexNotANumber", ".off", "OFF\n3 1 0\n0 0 a\n1 0 0\n0 1 0\n3 0 1 2\n", kInvalid,
     "^line 3: vertex 0 of 3: the z coordinate is \"a\""},
    {"NoFaces", ".off", "OFF\n1 0 0\n0 0 0\n", kInvalid, "no faces \\(1 vertices\\)"},
    {"Junk", ".off", std::string("\0\1\2\3junk", 8), kInvalid, "not an OFF file: .*binary data"},
    // STL
    {"Empty", ".stl", "", kInvalid, "^the file is empty$"},
    {"Short", ".stl", "abc", kInvalid, "neither starts with \"solid\" nor has the 84 bytes"},
    {"BinaryNoTriangles", ".stl", std::string(84, '\0'), kInvalid, "no faces"},
    {"BinaryTruncated", ".stl", std::string(80, ' ') + std::string("\2\0\0\0", 4) + std::string(99, '\0'),
     kInvalid, "promises 2 triangles \\(184 bytes\\), but the file has 183 bytes"},
    {"BinaryHugeCount", ".stl",
     std::string(80, ' ') + std::string("\xff\xff\xff\xff", 4) + std::string(99, '\0'), kInvalid,
     "promises 4294967295 triangles \\(214748364834 bytes\\)"},
    {"Prose", ".stl", "solid\nhello\n", kInvalid, "^line 2: \"hello\" is not an STL keyword"},
    {"AsciiNoTriangles", ".stl", "solid x\nendsolid x\n", kInvalid, "no faces"},
    {"AsciiCutInSolid", ".stl", "solid x\n" + kFacet, kInvalid, "ends without \"endsolid\" and is truncated"},
    {"AsciiCutInFacet", ".stl", "solid x\n" + kFacet + kFacet.substr(0, 56), kInvalid,
     "ends inside of facet 1 and is truncated"},
    {"AsciiCutInNumber", ".stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0", kInvalid,
     "^line 4: facet 0 vertex 0: the z coordinate is missing"},
    {"AsciiNotANumber", ".stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 y 0", kInvalid,
     "^line 4: facet 0 vertex 0: the y coordinate is \"y\""},
    {"AsciiQuadrangle", ".stl",
     "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendfacet\nendsolid\n", kInvalid,
     "^line 6: facet 0 has more than 3 vertices"},
    {"AsciiTwoCorners", ".stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\nendsolid\n", kInvalid,
     "^line 5: facet 0 has 2 vertices instead of 3"},
    {"AsciiNestedSolid", ".stl", "solid\nsolid\nendsolid\n", kInvalid,
     "^line 2: \"solid\" where it does not belong"},
    {"AsciiVertexOutside", ".stl", "solid\nvertex 0 0 0\nendsolid\n", kInvalid,
     "^line 2: a vertex outside of any facet"},
    {"AsciiAfterEnd", ".stl", "solid\n" + kFacet + "endsolid\n" + kFacet, kInvalid,
     "\"facet\" outside of \"solid\""},
    // PLY
    {"Empty", ".ply", "", kInvalid, "^the file is empty$"},
    {"Prose", ".ply", "hello world", kInvalid, "not a PLY file: it starts with \"hello\""},
    {"Junk", ".ply", std::string("\0\1\2\3junk", 8), kInvalid, "not a PLY file: it starts with \"\\\\x00"},
    {"HeaderCut", ".ply", "ply\nformat ascii 1.0\nelement vertex 3\n", kInvalid,
     "no \"end_header\"; the file is truncated"},
    {"SignatureOnly", ".ply", "ply", kInvalid, "no \"end_header\""},
    {"NoFormat", ".ply", "ply\nelement vertex 0\nend_header\n", kInvalid, "has no \"format\""},
    {"UnknownFormat", ".ply", "ply\nformat martian 1.0\nend_header\n", kInvalid,
     "^line 2: unknown PLY format \"martian\""},
    {"UnknownKeyword", ".ply", "ply\nformat ascii 1.0\nfoo bar\n", kInvalid,
     "^line 3: \"foo\" is not a PLY header keyword"},
    {"PropertyFirst", ".ply", "ply\nformat ascii 1.0\nproperty float x\nend_header\n", kInvalid,
     "^line 3: a property before any element"},
    {"UnknownType", ".ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty int64 x\nend_header\n0\n",
     kInvalid, "^line 4: the property type \"int64\" is not a PLY type"},
    {"ListOfUnknownLength", ".ply",
     "ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_indices\nend_header\n0\n",
     kInvalid, "^line 4: the list length has the type \"float\""},
    {"NegativeCount", ".ply", "ply\nformat ascii 1.0\nelement vertex -1\n", kInvalid,
     "^line 3: the number of elements \"vertex\" is \"-1\""},
    {"NoProperties", ".ply",
     "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement "
     "thing 99999999999\nend_header\n",
     kInvalid, "element \"thing\" has no properties"},
    {"NoVertices", ".ply",
     "ply\nformat ascii 1.0\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n", kInvalid,
     "no element \"vertex\""},
    {"NoZ", ".ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
     kInvalid, "no property \"z\""},
    {"IntegerCoordinates", ".ply",
     "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int "
     "z\nend_header\n0123456789ab",
     kUnsupported, "coordinate x is neither float nor double"},
    {"ShortIndices", ".ply",
     "ply\nformat binary_big_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty "
     "float "
     "z\nelement face 1\nproperty list uchar ushort vertex_indices\nend_header\n",
     kUnsupported, "vertex indices have the type ushort"},
    {"NoIndices", ".ply", kPlyHead + "element face 1\nproperty uchar red\nend_header\n" + kPlyPoints + "3\n",
     kInvalid, "no list \"vertex_indices\""},
    {"Strips", ".ply",
     kPlyHead + "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" + kPlyPoints +
         "3 0 1 2\n",
     kUnsupported, "triangle strips"},
    {"PointCloud", ".ply", kPlyHead + "end_header\n" + kPlyPoints, kInvalid, "no faces \\(3 vertices\\)"},
    {"TruncatedInVertices", ".ply", kPlyHead + kPlyFaces + "0 0 0\n1 0", kInvalid,
     "the file ends at vertex 1 of 3, z: it is truncated"},
    {"TruncatedInFaces", ".ply", kPlyHead + kPlyFaces + kPlyPoints + "3 0 1", kInvalid,
     "the file ends at face 0 of 1, vertex_indices: it is truncated"},
    {"WrongIndex", ".ply", kPlyHead + kPlyFaces + kPlyPoints + "3 0 1 3\n", kInvalid,
     "^face 0 of 1 refers to vertex 3, but the file has 3"},
    {"NegativeIndex", ".ply", kPlyHead + kPlyFaces + kPlyPoints + "3 0 1 -1\n", kInvalid,
     "^face 0 of 1 refers to vertex -1"},
    {"NotANumber", ".ply", kPlyHead + kPlyFaces + "0 0 0\n1 b 0\n0 1 0\n3 0 1 2\n", kInvalid,
     "^vertex 1 of 3, y: \"b\" is not a number"},
    {"NotAnInteger", ".ply", kPlyHead + kPlyFaces + kPlyPoints + "3 0 1 2.0\n", kInvalid,
     "^face 0 of 1, vertex_indices: \"2.0\" is not of type int"},
    {"CountBeyondItsType", ".ply", kPlyHead + kPlyFaces + kPlyPoints + "259 0 1 2\n", kInvalid,
     "\"259\" is not of type uchar"},
    {"HugeElementCount", ".ply",
     "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float "
     "z\nend_header\n0 0 0\n",
     kInvalid, "the file ends at vertex 1 of 4000000000, x"},
    {"BinaryTruncatedInVertices", ".ply", kBinaryPly.substr(0, kBinaryPly.size() - 1), kInvalid,
     "ends at vertex 0 of 1: it is truncated"},
    {"BinaryTruncatedInFaces", ".ply", kBinaryPly + "\3", kInvalid, "ends at face 0 of 1: it is truncated"},
    {"BinaryHugeList", ".ply", kBinaryPly + "\xff\xff\xff\xff", kInvalid,
     "ends at face 0 of 1: it is truncated"},
    {"BinaryWrongIndex", ".ply", kBinaryPly + std::string("\3\0\0\0\0\0\0\0\0\0\0\0\7\0\0\0", 16), kInvalid,
     "face 0 of 1 refers to vertex 7"},
    // glTF
    {"Empty", ".gltf", "", kInvalid, "^the file is empty$"},
    {"Prose", ".gltf", "hello", kInvalid, "not a glTF file: .*parse error"},
    {"Array", ".gltf", "[]", kInvalid, "the JSON is not an object"},
    {"NoAsset", ".gltf", "{}", kInvalid, "the file has no \"asset\""},
    {"VersionOne", ".gltf", R"({"asset":{"version":"1.0"}})", kUnsupported,
     "glTF version \"1.0\" is not supported"},
    {"NoMeshes", ".gltf", R"({"asset":{"version":"2.0"}})", kInvalid, "no triangles"},
    {"DeepJson", ".gltf", std::string(1'000'000, '['), kInvalid, "nested too deeply"},
    {"Junk", ".glb", std::string("\0\1\2\3junk", 8), kInvalid, "not a glTF file"},
    {"GlbHeaderCut", ".glb", "glTF\2", kInvalid, "header is truncated"},
    {"GlbVersionOne", ".glb", std::string("glTF\1\0\0\0\x14\0\0\0\0\0\0\0JSON", 20), kUnsupported,
     "GLB version 1"},
    {"GlbChunkTooLong", ".glb", std::string("glTF\2\0\0\0\x14\0\0\0\1\0\0\0JSON", 20), kInvalid,
     "GLB chunk 0 at byte 12 has 1 bytes, more than are left"},
    // DAE, FBX, 3DS
    {"Prose", ".dae", "hello", kInvalid, "no <COLLADA> element"},
    {"Junk", ".dae", std::string("\0\1\2\3junk", 8), kInvalid, "not a COLLADA file: .*binary data"},
    {"Unclosed", ".dae", "<COLLADA><a>", kInvalid, "ends with 2 open tags: it is truncated"},
    {"InTag", ".dae", "<COLLADA><a", kInvalid, "ends inside of the tag at byte 9"},
    {"Hollow", ".dae", "<COLLADA></COLLADA>", kInvalid, "."},
    {"Deep", ".dae",
     "<COLLADA>" +
         [] {
             std::string s;
             for (int i = 0; i < 100'000; ++i) s += "<a>";
             return s;
         }(),
     kInvalid, "nested too deeply"},
    {"Prose", ".fbx", "hello", kInvalid, "neither the binary signature nor a FBXHeaderExtension"},
    {"AsciiCut", ".fbx", "FBXHeaderExtension: {\n", kInvalid, "1 open \"\\{\": it is truncated"},
    {"HeaderCut", ".fbx", std::string("Kaydara FBX Binary  \0\x1a", 22), kInvalid, "FBX header is truncated"},
    {"Junk", ".3ds", std::string("\0\1\2\3junk", 8), kInvalid, "does not start with the chunk 0x4D4D"},
    {"Cut", ".3ds", std::string("MM\xff\0\0\0", 6), kInvalid, "main chunk has 255 bytes, but the file has 6"},
};

class BadFiles : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadFiles, AreRefusedWithTheirReason) {
    const testing::TemporaryFolder folder;
    expect_error(folder.write("bad" + GetParam().extension, GetParam().bytes), GetParam().kind,
                 GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(All, BadFiles, ::testing::ValuesIn(kBadFiles), [](const auto& info) {
    return info.param.extension.substr(1) + "_" + info.param.name;
});

TEST(BadPaths, AreInputErrors) {
    const testing::TemporaryFolder folder;
    expect_error(folder.path() / "missing.obj", kInputOutput, "^no such file$");
    expect_error(folder.path() / "missing" / "missing.obj", kInputOutput, "no such file");
    expect_error(folder.path() / "missing.xyz", kInputOutput, "^no such file$");
    expect_error(folder.path(), kInputOutput, "directory");
    std::filesystem::create_directory(folder.path() / "folder.obj");
    expect_error(folder.path() / "folder.obj", kInputOutput, "directory");
    ASSERT_EQ(mkfifo((folder.path() / "pipe.obj").c_str(), 0600), 0);
    expect_error(folder.path() / "pipe.obj", kInputOutput, "not a regular file");
}

TEST(BadPaths, UnknownExtensionsListTheKnownOnes) {
    const testing::TemporaryFolder folder;
    for (const char* name : {"mesh.xyz", "mesh", "mesh.", "mesh.objx", ".obj"}) {
        SCOPED_TRACE(name);
        expect_error(folder.write(name, "x"), kUnsupported,
                     "not that of a supported format \\(\\.3ds \\.dae \\.fbx \\.glb \\.gltf \\.obj \\.off "
                     "\\.ply \\.stl\\)");
    }
}

TEST(BadPaths, UnreadableFileIsAnInputError) {
    const testing::TemporaryFolder folder;
    const auto path = folder.write("secret.obj", kTriangle);
    std::filesystem::permissions(path, std::filesystem::perms::none);
    // The superuser may read everything; then there is nothing to see here but the missing faces.
    const bool superuser = geteuid() == 0;
    expect_error(path, superuser ? kInvalid : kInputOutput, superuser ? "no faces" : "cannot be opened");
}

// --- glTF: one field wrong at a time ---

struct BadGltf {
    std::string name;
    std::string pointer;  // JSON pointer
    nlohmann::json value;
    ErrorKind kind;
    std::string message;
};

const std::vector<BadGltf> kBadGltf{
    {"IndexAccessorMissing", "/meshes/0/primitives/0/indices", 99, kInvalid,
     "mesh 0, primitive 0 refers to accessors 99, but there are"},
    {"PositionNegative", "/meshes/0/primitives/0/attributes/POSITION", -1, kInvalid,
     "\"POSITION\" is not a non-negative integer"},
    {"PositionIsText", "/meshes/0/primitives/0/attributes/POSITION", "x", kInvalid,
     "\"POSITION\" is not a non-negative integer"},
    {"ModeUnknown", "/meshes/0/primitives/0/mode", 7, kInvalid, "has the mode 7"},
    {"PrimitivesNotAnArray", "/meshes/0/primitives", 5, kInvalid, "mesh 0: \"primitives\" is not an array"},
    {"AccessorTooLong", "/accessors/0/count", 1000000, kInvalid,
     "accessor 0 reaches beyond the end of bufferView"},
    {"AccessorLongAsANumberCanBe", "/accessors/0/count", 0xFFFF'FFFF'FFFF'FFFFu, kInvalid,
     "accessor 0 reaches beyond the end"},
    {"AccessorEmpty", "/accessors/0/count", 0, kInvalid, "accessor 0 has no elements"},
    {"AccessorOffset", "/accessors/0/byteOffset", 0xFFFF'FFFF'FFFF'FFFFu, kInvalid,
     "accessor 0 reaches beyond the end"},
    {"AccessorSparse", "/accessors/0/sparse", nlohmann::json::object(), kInvalid,
     "accessor 0, sparse has no \"count\""},
    {"ComponentTypeUnknown", "/accessors/0/componentType", 1, kUnsupported, "component type 1"},
    {"ViewMissing", "/accessors/0/bufferView", 77, kInvalid, "accessor 0 refers to bufferViews 77"},
    {"ViewTooLong", "/bufferViews/0/byteLength", 1000000, kInvalid,
     "bufferView 0 reaches beyond the end of buffer 0"},
    {"ViewOffset", "/bufferViews/0/byteOffset", 0xFFFF'FFFF'FFFF'FFF0u, kInvalid,
     "bufferView 0 reaches beyond the end of buffer 0"},
    {"ViewStride", "/bufferViews/0/byteStride", 1, kInvalid, "bufferView 0 has the byteStride 1"},
    {"BufferMissing", "/bufferViews/0/buffer", 3, kInvalid, "bufferView 0 refers to buffers 3"},
    {"BufferTruncated", "/buffers/0/byteLength", 1000000, kInvalid,
     "buffer 0 has [0-9]+ of 1000000 bytes: it is truncated"},
    {"BufferNotBase64", "/buffers/0/uri", "data:;base64,****", kInvalid, "buffer 0: broken base64"},
    {"BufferNotEncoded", "/buffers/0/uri", "data:text/plain,abc", kUnsupported, "not base64"},
    {"BufferRemote", "/buffers/0/uri", "https://example.org/a.bin", kUnsupported, "only files beside"},
    {"BufferFileMissing", "/buffers/0/uri", "nowhere.bin", kInputOutput,
     "buffer 0 \\(\"nowhere.bin\"\\): no such file"},
    {"BufferIsAFolder", "/buffers/0/uri", ".", kInputOutput, "directory"},
    {"NodeMeshMissing", "/nodes/0/mesh", 12, kInvalid, "node 0 refers to meshes 12"},
    {"NodeIsItsOwnChild", "/nodes/0/children", {0}, kInvalid, "node 0|is not a root"},
    {"NodeChildTwice", "/nodes/0/children", {1, 1}, kInvalid, "node 1 has two parents"},
    {"NodeChildMissing", "/nodes/0/children", {44}, kInvalid, "node 0 refers to nodes 44"},
    {"NodeMatrixShort",
     "/nodes/0/matrix",
     {1, 2},
     kInvalid,
     "node 0: \"matrix\" is not an array of 16 numbers"},
    {"NodeMatrixText", "/nodes/0/translation", {"a", 0, 0}, kInvalid, "\"translation\" holds \"a\""},
    {"NodeScaleHuge", "/nodes/0/scale", {1e300, 1, 1}, kInvalid, "\"scale\" holds 1e\\+300"},
    {"NodesNotAnArray", "/nodes", 1, kInvalid, "\"nodes\" is not an array"},
    {"SceneMissing", "/scene", 5, kInvalid, "the file refers to scenes 5"},
    {"ExtensionRequired",
     "/extensionsRequired",
     {"ACME_geometry"},
     kUnsupported,
     "the glTF extension ACME_geometry is not supported"},
};

class BadGltfFields : public ::testing::TestWithParam<BadGltf> {};

TEST_P(BadGltfFields, AreRefusedWithTheirReason) {
    const testing::TemporaryFolder folder;
    auto json = nlohmann::json::parse(sample_file("embedded.gltf"));
    json[nlohmann::json::json_pointer(GetParam().pointer)] = GetParam().value;
    expect_error(folder.write("bad.gltf", json.dump()), GetParam().kind, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(All, BadGltfFields, ::testing::ValuesIn(kBadGltf),
                         [](const auto& info) { return info.param.name; });

// --- COLLADA, FBX, 3DS: one piece replaced by another ---

struct BadScene {
    std::string name;
    std::string sample;
    std::string from, to;
    ErrorKind kind;
    std::string message;
};

const std::vector<BadScene> kBadScenes{
    // assimp would never return from these two,
    {"LetterInIndices", "plain.dae", "<p>0 ", "<p>zero ", kInvalid,
     "<p>: value 0 is \"zero\", which is not an index"},
    {"LetterInCounts", "plain.dae", "<vcount>4 ", "<vcount>x ", kInvalid, "<vcount>: value 0 is \"x\""},
    // take this for 0,
    {"NegativeIndex", "plain.dae", "<p>0 ", "<p>-1 ", kInvalid, "<p>: value 0 is \"-1\""},
    // leave out holes,
    {"Holes", "plain.dae", "<p>0 ", "<ph><p>0 1 2</p><h>0 1 2</h></ph><p>0 ", kUnsupported,
     "polygons with holes"},
    // and recurse until the stack is full.
    {"NodeInItself", "plain.dae", "<instance_geometry", "<instance_node url=\"#cube\"/><instance_geometry",
     kInvalid, "the node \"cube\" contains itself"},
    {"TooManyPolygons", "plain.dae", "<polylist count=\"6\"", "<polylist count=\"7\"", kInvalid,
     "<polylist> has 6 polygon lengths, but its count of 7 asks for 7"},
    {"TooFewFloats", "plain.dae", "count=\"24\"> 0 ", "count=\"24\"> ", kInvalid,
     "<float_array> .*holds 23 values, but its count is 24"},
    {"FloatIsText", "plain.dae", "count=\"24\"> 0 ", "count=\"24\"> o ", kInvalid,
     "value 0 is \"o\", not a number"},
    {"AccessorTooLong", "plain.dae", "accessor count=\"8\"", "accessor count=\"9\"", kInvalid,
     "<accessor> .*needs 9 x 3 values, but there are 24"},
    {"IndexTooLarge", "plain.dae", "<p>0 ", "<p>8 ", kInvalid, "."},
    {"MismatchedTags", "plain.dae", "</mesh>", "</mush>", kInvalid, "XML"},
    {"ModelInItself", "ascii.fbx", "Connections:  {", "Connections:  {\n\tC: \"OO\", 1000003, 1000003",
     kInvalid, "the node \"1000003\" contains itself"},
    {"ArrayLargerThanItsData", "binary.fbx", std::string("Verticesd\x18", 10),
     std::string("Verticesd\x19", 10), kInvalid, "the FBX record at byte [0-9]+ is inconsistent"},
    {"ArraySmallerThanItsData", "binary.fbx", std::string("Verticesd\x18", 10),
     std::string("Verticesd\x17", 10), kInvalid, "the FBX record at byte [0-9]+ is inconsistent"},
    {"IndexOutOfRange", "binary.fbx", std::string("\x03\0\0\0\xfe\xff\xff\xff", 8),
     std::string("\x33\0\0\0\xfe\xff\xff\xff", 8), kInvalid, "vertex index out of range"},
};

class BadScenes : public ::testing::TestWithParam<BadScene> {};

TEST_P(BadScenes, AreRefusedWithTheirReason) {
    const testing::TemporaryFolder folder;
    std::string bytes = sample_file(GetParam().sample);
    const std::size_t at = bytes.find(GetParam().from);
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, GetParam().from.size(), GetParam().to);
    expect_error(folder.write(GetParam().sample, bytes), GetParam().kind, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(All, BadScenes, ::testing::ValuesIn(kBadScenes), [](const auto& info) {
    return info.param.sample.substr(info.param.sample.find('.') + 1) + "_" + info.param.name;
});

TEST(BadSceneData, WrongIndexIn3dsIsNamed) {
    const testing::TemporaryFolder folder;
    std::string bytes = sample_file("plain.3ds");
    // Chunk 0x4120: head of 6 bytes, number of faces, then three indices and flags a face.
    const std::size_t faces = bytes.find(std::string("\x20\x41", 2));
    ASSERT_NE(faces, std::string::npos);
    bytes[faces + 8 + 8 * 5] = '\x77';
    expect_error(folder.write("a.3ds", bytes), kInvalid,
                 "3DS chunk at byte [0-9]+: face 5 refers to vertex 119");
}

TEST(BadGltfData, WrongIndexIsNamed) {
    const testing::TemporaryFolder folder;
    auto json = nlohmann::json::parse(sample_file("embedded.gltf"));
    // Fewer positions than the indices need.
    const auto position = json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].get<std::size_t>();
    json["accessors"][position]["count"] = 7;
    expect_error(folder.write("bad.gltf", json.dump()), kInvalid,
                 "mesh 0, primitive 0: index [0-9]+ refers to vertex 7, but there are 7");
}

}  // namespace
}  // namespace espalier

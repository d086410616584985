// SPDX-License-Identifier: GPL-3.0-or-later
// One small solid written in every format that the import reads.
#include "tests/builder/import/sample_files.h"

#include <CGAL/IO/OBJ.h>
#include <CGAL/IO/OFF.h>
#include <CGAL/IO/PLY.h>
#include <CGAL/IO/STL.h>
#include <CGAL/Simple_cartesian.h>
#include <assimp/scene.h>
#include <openssl/evp.h>

#include <array>
#include <assimp/Exporter.hpp>
#include <bit>
#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace espalier {
namespace {

using Point = CGAL::Simple_cartesian<double>::Point_3;
using Polygons = std::vector<std::vector<std::size_t>>;

std::vector<Point> cube_points() {
    std::vector<Point> points;
    for (int i = 0; i < 8; ++i) points.emplace_back(i & 1, i >> 1 & 1, i >> 2 & 1);
    return points;
}

const Polygons kQuads{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

Polygons cube_triangles() {
    Polygons triangles;
    for (const auto& quad : kQuads) {
        triangles.push_back({quad[0], quad[1], quad[2]});
        triangles.push_back({quad[0], quad[2], quad[3]});
    }
    return triangles;
}

template <class Write>
std::string cgal_bytes(Write write, CGAL::IO::Mode mode) {
    std::ostringstream stream;
    CGAL::IO::set_mode(stream, mode);
    if (!write(stream)) throw std::runtime_error("CGAL cannot write the sample");
    return stream.str();
}

// The cube as a scene of one mesh under one node.
std::unique_ptr<aiScene> cube_scene(bool triangles) {
    const auto points = cube_points();
    const Polygons polygons = triangles ? cube_triangles() : kQuads;
    auto mesh = std::make_unique<aiMesh>();
    mesh->mPrimitiveTypes = triangles ? aiPrimitiveType_TRIANGLE : aiPrimitiveType_POLYGON;
    mesh->mNumVertices = static_cast<unsigned int>(points.size());
    mesh->mVertices = new aiVector3D[points.size()];
    for (std::size_t i = 0; i < points.size(); ++i)
        mesh->mVertices[i] = aiVector3D(static_cast<float>(points[i].x()), static_cast<float>(points[i].y()),
                                        static_cast<float>(points[i].z()));
    mesh->mNumFaces = static_cast<unsigned int>(polygons.size());
    mesh->mFaces = new aiFace[polygons.size()];
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        aiFace& face = mesh->mFaces[i];
        face.mNumIndices = static_cast<unsigned int>(polygons[i].size());
        face.mIndices = new unsigned int[polygons[i].size()];
        for (std::size_t j = 0; j < polygons[i].size(); ++j)
            face.mIndices[j] = static_cast<unsigned int>(polygons[i][j]);
    }
    auto scene = std::make_unique<aiScene>();
    scene->mNumMeshes = 1;
    scene->mMeshes = new aiMesh* [1] { mesh.release() };
    scene->mNumMaterials = 1;
    scene->mMaterials = new aiMaterial* [1] { new aiMaterial };
    scene->mRootNode = new aiNode("root");
    auto* child = new aiNode("cube");
    child->mNumMeshes = 1;
    child->mMeshes = new unsigned int[1]{0};
    scene->mRootNode->addChildren(1, &child);
    scene->mMetaData = new aiMetadata;
    return scene;
}

// Parts of the export: the file itself, then what it refers to.
std::vector<std::string> assimp_blobs(const char* format, bool triangles) {
    const auto scene = cube_scene(triangles);
    Assimp::Exporter exporter;
    const aiExportDataBlob* blob = exporter.ExportToBlob(scene.get(), format);
    if (blob == nullptr) throw std::runtime_error(std::string("assimp: ") + exporter.GetErrorString());
    std::vector<std::string> blobs;
    for (; blob != nullptr; blob = blob->next)
        blobs.emplace_back(static_cast<const char*>(blob->data), blob->size);
    return blobs;
}

// assimp's glTF with its external buffer moved into a data URI.
std::string embedded_gltf() {
    auto blobs = assimp_blobs("gltf2", true);
    if (blobs.size() < 2) throw std::runtime_error("assimp wrote no separate buffer");
    std::string base64(4 * ((blobs[1].size() + 2) / 3) + 1, '\0');
    const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(base64.data()),
                                     reinterpret_cast<const unsigned char*>(blobs[1].data()),
                                     static_cast<int>(blobs[1].size()));
    base64.resize(static_cast<std::size_t>(size));
    const std::size_t key = blobs[0].find("\"uri\"");
    const std::size_t begin = blobs[0].find('"', key + 5) + 1;
    const std::size_t end = blobs[0].find('"', begin);
    return blobs[0].substr(0, begin) + "data:application/octet-stream;base64," + base64 +
           blobs[0].substr(end);
}

// Binary FBX 7.4 by hand: assimp 5.2 writes binary files that it cannot read (assimp issue 4686).
class FbxWriter {
  public:
    using Children = std::vector<std::string>;

    // A property: type letter and payload.
    static std::string text(const std::string& value) { return 'S' + u32(value.size()) + value; }
    static std::string integer(std::int64_t value) { return 'L' + raw(value); }
    template <class T>
    static std::string array(char type, const std::vector<T>& values) {
        std::string bytes = type + u32(values.size()) + u32(0) + u32(values.size() * sizeof(T));
        for (const T value : values) bytes += raw(value);
        return bytes;
    }

    // Writes a record; `nested` writes the records inside.
    template <class Nested>
    void record(const std::string& name, const std::vector<std::string>& properties, Nested nested) {
        std::string payload;
        for (const auto& property : properties) payload += property;
        const std::size_t start = bytes_.size();
        bytes_ += u32(0) + u32(properties.size()) + u32(payload.size()) + static_cast<char>(name.size()) +
                  name + payload;
        const std::size_t before = bytes_.size();
        nested();
        if (bytes_.size() > before) bytes_ += std::string(13, '\0');
        const std::string end = u32(bytes_.size());
        std::copy(end.begin(), end.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(start));
    }
    void record(const std::string& name, const std::vector<std::string>& properties) {
        record(name, properties, [] {});
    }
    std::string finish() { return bytes_ + std::string(13, '\0') + std::string(160, '\0'); }

  private:
    template <class T>
    static std::string raw(T value) {
        const auto array = std::bit_cast<std::array<char, sizeof(T)>>(value);
        return {array.begin(), array.end()};
    }
    static std::string u32(std::size_t value) { return raw(static_cast<std::uint32_t>(value)); }

    std::string bytes_ = std::string("Kaydara FBX Binary  \0\x1a\0", 23) + u32(7400);
};

std::string binary_fbx() {
    std::vector<double> coordinates;
    for (const Point& point : cube_points())
        coordinates.insert(coordinates.end(), {point.x(), point.y(), point.z()});
    std::vector<std::int32_t> corners;  // the last one of a polygon is stored as its complement
    for (const auto& quad : kQuads) {
        for (const std::size_t corner : quad) corners.push_back(static_cast<std::int32_t>(corner));
        corners.back() = ~corners.back();
    }
    using W = FbxWriter;
    W fbx;
    fbx.record("FBXHeaderExtension", {},
               [&] { fbx.record("FBXVersion", {'I' + std::string("\xe8\x1c\0\0", 4)}); });
    fbx.record("Objects", {}, [&] {
        const std::string separator("\0\x01", 2);
        fbx.record("Geometry", {W::integer(10), W::text("cube" + separator + "Geometry"), W::text("Mesh")},
                   [&] {
                       fbx.record("Vertices", {W::array('d', coordinates)});
                       fbx.record("PolygonVertexIndex", {W::array('i', corners)});
                   });
        fbx.record("Model", {W::integer(20), W::text("cube" + separator + "Model"), W::text("Mesh")},
                   [&] { fbx.record("Version", {'I' + std::string("\xe8\0\0\0", 4)}); });
    });
    fbx.record("Connections", {}, [&] {
        fbx.record("C", {W::text("OO"), W::integer(10), W::integer(20)});
        fbx.record("C", {W::text("OO"), W::integer(20), W::integer(0)});
    });
    return fbx.finish();
}

std::vector<SampleFile> make_files() {
    const auto points = cube_points();
    const Polygons triangles = cube_triangles();
    const auto ascii = CGAL::IO::ASCII, binary = CGAL::IO::BINARY;
    const auto off = [&](std::ostream& stream) { return CGAL::IO::write_OFF(stream, points, kQuads); };
    const auto obj = [&](std::ostream& stream) { return CGAL::IO::write_OBJ(stream, points, kQuads); };
    const auto stl = [&](std::ostream& stream) { return CGAL::IO::write_STL(stream, points, triangles); };
    const auto ply = [&](std::ostream& stream) { return CGAL::IO::write_PLY(stream, points, kQuads); };
    return {
        {"plain.off", cgal_bytes(off, ascii)},
        {"plain.obj", cgal_bytes(obj, ascii)},
        {"ascii.stl", cgal_bytes(stl, ascii)},
        {"binary.stl", cgal_bytes(stl, binary)},
        {"ascii.ply", cgal_bytes(ply, ascii)},
        {"binary.ply", cgal_bytes(ply, binary)},
        {"binary.glb", assimp_blobs("glb2", true)[0]},
        {"embedded.gltf", embedded_gltf()},
        {"plain.dae", assimp_blobs("collada", false)[0]},
        {"ascii.fbx", assimp_blobs("fbxa", false)[0]},
        {"binary.fbx", binary_fbx()},
        {"plain.3ds", assimp_blobs("3ds", true)[0]},
    };
}

}  // namespace

PolygonSoup sample_cube() {
    PolygonSoup soup;
    for (const Point& point : cube_points()) soup.points.emplace_back(point.x(), point.y(), point.z());
    for (const auto& quad : kQuads) soup.add_polygon(quad);
    return soup;
}

const std::vector<SampleFile>& sample_files() {
    static const std::vector<SampleFile> files = make_files();
    return files;
}

const std::string& sample_file(const std::string& name) {
    for (const SampleFile& file : sample_files())
        if (file.name == name) return file.bytes;
    throw std::runtime_error("no sample file " + name);
}

}  // namespace espalier

// SPDX-License-Identifier: GPL-3.0-or-later
// COLLADA, FBX and 3DS by assimp: all instances of all meshes, with the transforms of their nodes applied.
#include <assimp/config.h>
#include <assimp/scene.h>

#include <Eigen/LU>
#include <assimp/DefaultLogger.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <new>
#include <utility>

#include "builder/import/import_formats.h"

namespace espalier::import_formats {
namespace {

Eigen::Matrix4d to_double(const aiMatrix4x4& m) {
    Eigen::Matrix4d result;
    result << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, m.d1, m.d2, m.d3, m.d4;
    return result;
}

class SceneReader {
  public:
    explicit SceneReader(const aiScene& scene) : scene_(scene) {}

    Result<PolygonSoup> run(const Eigen::Matrix4d& root);

  private:
    std::optional<Error> append(const aiMesh& mesh, const Eigen::Matrix4d& transform);
    void add_findings();

    const aiScene& scene_;
    PolygonSoup soup_;
    std::size_t ignored_ = 0;
};

std::optional<Error> SceneReader::append(const aiMesh& mesh, const Eigen::Matrix4d& transform) {
    const std::string name = "mesh \"" + std::string(mesh.mName.C_Str()) + "\": ";
    const std::size_t first = soup_.points.size();
    if (first + mesh.mNumVertices > kMaxVertices)
        return Error{ErrorKind::kUnsupported, name + "too many vertices"};
    for (unsigned int i = 0; i < mesh.mNumVertices; ++i) {
        const aiVector3D& p = mesh.mVertices[i];
        soup_.points.push_back((transform * Eigen::Vector4d(p.x, p.y, p.z, 1)).head<3>());
    }
    // A mirroring transform turns the surface inside out; walking the corners backwards turns it back.
    const bool mirrored = transform.topLeftCorner<3, 3>().determinant() < 0;
    for (unsigned int i = 0; i < mesh.mNumFaces; ++i) {
        const aiFace& face = mesh.mFaces[i];
        if (face.mNumIndices < 3) {
            ++ignored_;
            continue;
        }
        if (face.mNumIndices > kMaxPolygonCorners || soup_.corners.size() > 3 * kMostTriangles)
            return Error{ErrorKind::kUnsupported, name + "face " + std::to_string(i) + ": too many corners"};
        for (unsigned int j = 0; j < face.mNumIndices; ++j) {
            const unsigned int corner = face.mIndices[mirrored ? face.mNumIndices - 1 - j : j];
            if (corner >= mesh.mNumVertices)
                return Error{ErrorKind::kInvalidInput, name + "face " + std::to_string(i) +
                                                           " refers to vertex " + std::to_string(corner) +
                                                           " of " + std::to_string(mesh.mNumVertices) +
                                                           " (counted from 0)"};
            soup_.corners.push_back(static_cast<std::uint32_t>(first + corner));
        }
        soup_.first_corner.push_back(soup_.corners.size());
    }
    return std::nullopt;
}

void SceneReader::add_findings() {
    if (ignored_ > 0)
        soup_.findings.push_back({"M03", Severity::kInfo, "points and lines ignored", ignored_,
                                  "point and line elements have no surface and were left out"});
    std::size_t moving = scene_.mNumAnimations;
    for (unsigned int i = 0; i < scene_.mNumMeshes; ++i) moving += scene_.mMeshes[i]->HasBones();
    if (moving > 0)
        soup_.findings.push_back({"M06", Severity::kInfo, "animation ignored", moving,
                                  "animations and skins were ignored: the mesh is baked in its rest pose"});
}

Result<PolygonSoup> SceneReader::run(const Eigen::Matrix4d& root) {
    std::vector<std::pair<const aiNode*, Eigen::Matrix4d>> open;
    if (scene_.mRootNode != nullptr) open.emplace_back(scene_.mRootNode, root);
    while (!open.empty()) {
        const auto [node, parent] = open.back();
        open.pop_back();
        const Eigen::Matrix4d transform = parent * to_double(node->mTransformation);
        for (unsigned int i = 0; i < node->mNumMeshes; ++i)
            if (auto error = append(*scene_.mMeshes[node->mMeshes[i]], transform)) return *std::move(error);
        for (unsigned int i = node->mNumChildren; i-- > 0;) open.emplace_back(node->mChildren[i], transform);
    }
    add_findings();
    return std::move(soup_);
}

// Listens to what assimp says while it lives. assimp's logger is global and knows no threads: one import at a
// time.
class Listener {
  public:
    Listener() : lock_(one_at_a_time()) {
        if (Assimp::DefaultLogger::isNullLogger()) {
            Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
            created_ = true;
        }
        Assimp::DefaultLogger::get()->attachStream(&stream_, kSeverities);
    }
    ~Listener() {
        Assimp::DefaultLogger::get()->detachStream(&stream_, kSeverities);
        if (created_) Assimp::DefaultLogger::kill();
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /// The first error, if the FBX importer has left out something that belongs to a model: it goes on
    /// without a mesh that it cannot read.
    std::optional<std::string> lost_part() const {
        if (!stream_.lost) return std::nullopt;
        return stream_.error.empty() ? "a part of a model cannot be read" : stream_.error;
    }

  private:
    static constexpr unsigned int kSeverities = Assimp::Logger::Err | Assimp::Logger::Warn;

    struct Stream : Assimp::LogStream {
        void write(const char* message) override {
            const std::string_view text = message;
            if (text.find("incoming Model link") != std::string_view::npos) lost = true;
            const std::size_t at = text.find("FBX-DOM (");
            if (text.starts_with("Error") && at != std::string_view::npos && error.empty())
                error = text.substr(at, text.find_last_not_of("\r\n") + 1 - at);
        }
        bool lost = false;
        std::string error;
    };

    static std::mutex& one_at_a_time() {
        static std::mutex mutex;
        return mutex;
    }

    std::lock_guard<std::mutex> lock_;
    Stream stream_;
    bool created_ = false;
};

// No file but the bytes in memory. assimp's default handler opens whatever an importer asks for. None that is
// used here (5.2) is known to ask; this makes sure of it.
class NoFiles : public Assimp::IOSystem {
  public:
    bool Exists(const char*) const override { return false; }
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char*, const char*) override { return nullptr; }
    void Close(Assimp::IOStream*) override {}
    bool CreateDirectory(const std::string&) override { return false; }
    bool DeleteFile(const std::string&) override { return false; }
};

// Parses and hands the scene to `use`, which returns a Result<PolygonSoup>.
template <class Use>
Result<PolygonSoup> with_scene(std::string_view bytes, const char* extension, Use use) {
    try {
        const Listener listener;
        Assimp::Importer importer;
        importer.SetIOHandler(new NoFiles);  // the importer deletes it
        // Coordinates are kept as they are in the file.
        importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
        const aiScene* scene = importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, extension);
        if (scene == nullptr) return Error{ErrorKind::kInvalidInput, importer.GetErrorString()};
        if (const auto lost = listener.lost_part()) return Error{ErrorKind::kInvalidInput, *lost};
        return use(*scene);
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::kUnsupported, "not enough memory to read the file"};
    } catch (const std::exception& exception) {
        return Error{ErrorKind::kInvalidInput, std::string("the reader failed: ") + exception.what()};
    }
}

// The unit of an FBX file in centimetres, by name.
std::string fbx_unit(double centimetres) {
    constexpr std::pair<double, const char*> kUnits[] = {
        {0.1, "millimetre"}, {1, "centimetre"}, {100, "metre"},       {2.54, "inch"},
        {30.48, "foot"},     {91.44, "yard"},   {100000, "kilometre"}};
    for (const auto& [size, name] : kUnits)
        if (std::abs(centimetres - size) <= 1e-6 * size) return name;
    return {};
}

double fbx_centimetres(const aiScene& scene) {
    double centimetres = 1;
    float single = 0;
    if (scene.mMetaData != nullptr && !scene.mMetaData->Get("UnitScaleFactor", centimetres) &&
        scene.mMetaData->Get("UnitScaleFactor", single))
        centimetres = single;
    return std::isfinite(centimetres) && centimetres > 0 ? centimetres : 1;
}

}  // namespace

Result<PolygonSoup> read_dae(std::string_view bytes) {
    const Result<CheckedDae> checked = check_dae(bytes);
    if (!checked) return checked.error();
    return with_scene(checked.value().document, "dae", [&](const aiScene& scene) {
        auto soup = SceneReader(scene).run(Eigen::Matrix4d::Identity());
        if (!soup) return soup;
        // assimp applies the file's <unit>.
        soup.value().unit = "metre";
        if (const std::size_t trailing = checked.value().trailing; trailing > 0)
            soup.value().findings.insert(
                soup.value().findings.begin(),
                {"M01", Severity::kWarning, "trailing data", trailing,
                 std::to_string(trailing) + " bytes follow the COLLADA element; ignored"});
        return soup;
    });
}

Result<PolygonSoup> read_fbx(std::string_view bytes) {
    if (auto wrong = check_fbx(bytes)) return *std::move(wrong);
    return with_scene(bytes, "fbx", [](const aiScene& scene) {
        auto soup = SceneReader(scene).run(Eigen::Matrix4d::Identity());
        if (!soup) return soup;
        const double centimetres = fbx_centimetres(scene);
        soup.value().unit = fbx_unit(centimetres);
        char scale[32];
        std::snprintf(scale, sizeof scale, "%.6g", centimetres / 100);
        if (centimetres != 100)
            soup.value().findings.push_back({"M04", Severity::kInfo, "unit not applied", 1,
                                             std::string("one unit of the file is ") + scale +
                                                 " m; coordinates are kept as they are: use --scale " +
                                                 scale + " for metres"});
        return soup;
    });
}

Result<PolygonSoup> read_3ds(std::string_view bytes) {
    if (auto wrong = check_3ds(bytes)) return *std::move(wrong);
    return with_scene(bytes, "3ds", [](const aiScene& scene) {
        // assimp turns z up to y up in the root node; turn it back.
        Eigen::Matrix4d turn_back;
        turn_back << 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1;
        return SceneReader(scene).run(turn_back);
    });
}

}  // namespace espalier::import_formats

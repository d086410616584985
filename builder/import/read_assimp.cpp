// SPDX-License-Identifier: GPL-3.0-or-later
// COLLADA, FBX and 3DS by assimp: each mesh once, and the nodes that place it.
#include <assimp/config.h>
#include <assimp/scene.h>

#include <Eigen/LU>
#include <assimp/DefaultLogger.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "builder/import/import_formats.h"

namespace espalier::import_formats {
namespace {

// What assimp adds to the name of a node that it makes of one step of an FBX node's transform.
constexpr std::string_view kStepMark = "_$AssimpFbx$_";

Eigen::Affine3d to_affine(const aiMatrix4x4& m) {
    Eigen::Affine3d result;
    result.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, 0, 0, 0, 1;
    return result;
}

class SceneReader {
  public:
    explicit SceneReader(const aiScene& scene) : scene_(scene) {}

    /// `root`: from the frame of assimp's root node to that of the file.
    Result<Scene> run(const Eigen::Affine3d& root);

  private:
    /// A node that is still to be read: its parent in `result_`, and what lies between the two.
    struct Open {
        const aiNode* node = nullptr;
        std::uint32_t parent = kNone;
        Eigen::Affine3d to_parent = Eigen::Affine3d::Identity();
    };

    std::optional<Error> add_node(const Open& open, std::vector<Open>& stack);
    std::optional<Error> append(const aiMesh& mesh, PolygonSoup& soup);
    /// The mesh of a node, which assimp has cut by materials, in result_.meshes.
    Result<std::uint32_t> mesh_of(const aiNode& node);
    void add_findings();

    const aiScene& scene_;
    Scene result_;
    std::map<std::vector<unsigned int>, std::uint32_t> meshes_;  // by assimp's numbers
    std::size_t ignored_ = 0;
};

std::optional<Error> SceneReader::append(const aiMesh& mesh, PolygonSoup& soup) {
    const std::string name = "mesh \"" + std::string(mesh.mName.C_Str()) + "\": ";
    const std::size_t first = soup.points.size();
    if (first + mesh.mNumVertices > kMaxVertices)
        return Error{ErrorKind::kUnsupported, name + "too many vertices"};
    for (unsigned int i = 0; i < mesh.mNumVertices; ++i) {
        const aiVector3D& p = mesh.mVertices[i];
        soup.points.emplace_back(p.x, p.y, p.z);
    }
    for (unsigned int i = 0; i < mesh.mNumFaces; ++i) {
        const aiFace& face = mesh.mFaces[i];
        if (face.mNumIndices < 3) {
            ++ignored_;
            continue;
        }
        if (face.mNumIndices > kMaxPolygonCorners)
            return Error{ErrorKind::kUnsupported, name + "face " + std::to_string(i) + ": too many corners"};
        for (unsigned int j = 0; j < face.mNumIndices; ++j) {
            const unsigned int corner = face.mIndices[j];
            if (corner >= mesh.mNumVertices)
                return Error{ErrorKind::kInvalidInput, name + "face " + std::to_string(i) +
                                                           " refers to vertex " + std::to_string(corner) +
                                                           " of " + std::to_string(mesh.mNumVertices) +
                                                           " (counted from 0)"};
            soup.corners.push_back(static_cast<std::uint32_t>(first + corner));
        }
        soup.first_corner.push_back(soup.corners.size());
    }
    return std::nullopt;
}

Result<std::uint32_t> SceneReader::mesh_of(const aiNode& node) {
    const std::vector<unsigned int> numbers(node.mMeshes, node.mMeshes + node.mNumMeshes);
    const auto [entry, is_new] = meshes_.emplace(numbers, static_cast<std::uint32_t>(result_.meshes.size()));
    if (!is_new) return entry->second;
    SceneMesh mesh;
    mesh.name = scene_.mMeshes[numbers[0]]->mName.C_Str();
    for (const unsigned int number : numbers)
        if (auto error = append(*scene_.mMeshes[number], mesh.soup)) return *std::move(error);
    result_.meshes.push_back(std::move(mesh));
    return entry->second;
}

void SceneReader::add_findings() {
    if (ignored_ > 0)
        result_.findings.push_back({"M03", Severity::kInfo, "points and lines ignored", ignored_,
                                    "point and line elements have no surface and were left out"});
    std::size_t moving = scene_.mNumAnimations;
    for (unsigned int i = 0; i < scene_.mNumMeshes; ++i) moving += scene_.mMeshes[i]->HasBones();
    if (moving > 0)
        result_.findings.push_back({"M06", Severity::kInfo, "animation ignored", moving,
                                    "animations and skins were ignored: the mesh is baked in its rest pose"});
}

std::optional<Error> SceneReader::add_node(const Open& open, std::vector<Open>& stack) {
    const aiNode& node = *open.node;
    const std::string name = node.mName.C_Str();
    Open below{nullptr, open.parent, open.to_parent * to_affine(node.mTransformation)};
    // The root is the file's, not the artist's; steps of a transform belong to the node below them.
    const bool is_node =
        node.mNumMeshes > 0 || (&node != scene_.mRootNode && name.find(kStepMark) == std::string::npos);
    if (is_node) {
        SceneNode placed;
        placed.name = name.substr(0, name.find(kStepMark));
        placed.parent = open.parent;
        placed.to_parent = below.to_parent;
        if (node.mNumMeshes > 0) {
            const Result<std::uint32_t> mesh = mesh_of(node);
            if (!mesh) return mesh.error();
            placed.mesh = mesh.value();
        }
        below = {nullptr, static_cast<std::uint32_t>(result_.nodes.size()), Eigen::Affine3d::Identity()};
        result_.nodes.push_back(std::move(placed));
    }
    for (unsigned int i = node.mNumChildren; i-- > 0;) {
        below.node = node.mChildren[i];
        stack.push_back(below);
    }
    return std::nullopt;
}

Result<Scene> SceneReader::run(const Eigen::Affine3d& root) {
    std::vector<Open> stack;
    if (scene_.mRootNode != nullptr) stack.push_back({scene_.mRootNode, kNone, root});
    while (!stack.empty()) {
        const Open open = stack.back();
        stack.pop_back();
        if (auto error = add_node(open, stack)) return *std::move(error);
    }
    add_findings();
    return std::move(result_);
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

// Parses and hands the scene to `use`, which returns a Result<Scene>.
template <class Use>
Result<Scene> with_scene(std::string_view bytes, const char* extension, Use use) {
    try {
        const Listener listener;
        Assimp::Importer importer;
        importer.SetIOHandler(new NoFiles);  // the importer deletes it
        // Coordinates are kept as they are in the file.
        importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
        // The artist's names, where the default is identifiers.
        importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
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

// assimp 5.2 refuses a number with spaces between it and its element's tag, as in "<color>  1 0 0 1</color>".
std::string without_space_before_numbers(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        text += bytes[i];
        if (bytes[i] != '>') continue;
        const std::size_t next = bytes.find_first_not_of(" \t\r\n", i + 1);
        if (next != std::string_view::npos && bytes.find_first_of("+-.0123456789", next) == next)
            i = next - 1;
    }
    return text;
}

}  // namespace

Result<Scene> read_dae(std::string_view bytes) {
    const Result<CheckedDae> checked = check_dae(bytes);
    if (!checked) return checked.error();
    const std::string document = without_space_before_numbers(checked.value().document);
    return with_scene(document, "dae", [&](const aiScene& scene) {
        auto result = SceneReader(scene).run(Eigen::Affine3d::Identity());
        if (!result) return result;
        // assimp applies the file's <unit>.
        result.value().unit = "metre";
        if (const std::size_t trailing = checked.value().trailing; trailing > 0)
            result.value().findings.insert(
                result.value().findings.begin(),
                {"M01", Severity::kWarning, "trailing data", trailing,
                 std::to_string(trailing) + " bytes follow the COLLADA element; ignored"});
        return result;
    });
}

Result<Scene> read_fbx(std::string_view bytes) {
    if (auto wrong = check_fbx(bytes)) return *std::move(wrong);
    return with_scene(bytes, "fbx", [](const aiScene& scene) {
        auto result = SceneReader(scene).run(Eigen::Affine3d::Identity());
        if (!result) return result;
        const double centimetres = fbx_centimetres(scene);
        result.value().unit = fbx_unit(centimetres);
        char scale[32];
        std::snprintf(scale, sizeof scale, "%.6g", centimetres / 100);
        if (centimetres != 100)
            result.value().findings.push_back({"M04", Severity::kInfo, "unit not applied", 1,
                                               std::string("one unit of the file is ") + scale +
                                                   " m; coordinates are kept as they are: use --scale " +
                                                   scale + " for metres"});
        return result;
    });
}

Result<Scene> read_3ds(std::string_view bytes) {
    if (auto wrong = check_3ds(bytes)) return *std::move(wrong);
    return with_scene(bytes, "3ds", [](const aiScene& scene) {
        // assimp turns z up to y up in the root node; turn it back.
        Eigen::Affine3d turn_back;
        turn_back.matrix() << 1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1;
        return SceneReader(scene).run(turn_back);
    });
}

}  // namespace espalier::import_formats

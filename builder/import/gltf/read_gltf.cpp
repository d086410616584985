// SPDX-License-Identifier: GPL-3.0-or-later
// glTF 2.0, text and GLB (Khronos glTF 2.0 specification, sections 3 and 4): the nodes of the scene that is
// read, and each mesh that they place once, at rest.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "builder/import/gltf/accessors.h"
#include "builder/import/gltf/buffers.h"
#include "builder/import/gltf/document.h"
#include "builder/import/gltf/extensions.h"
#include "builder/import/gltf/instances.h"
#include "builder/import/gltf/morph.h"
#include "builder/import/gltf/nodes.h"
#include "builder/import/gltf/primitives.h"
#include "builder/import/gltf/skins.h"
#include "builder/import/gltf/views.h"
#include "builder/import/import_formats.h"

namespace espalier::import_formats {
namespace {

using namespace gltf;

std::string where_of(std::uint64_t node) {
    return "node " + std::to_string(node);
}

/// What makes the surface of a node: nodes that agree share it.
struct Placed {
    std::uint64_t mesh = 0;
    std::uint64_t skin = kNoNode;  ///< none: the mesh stays in the node's frame
    std::vector<double> weights;   ///< of morph targets

    bool operator<(const Placed& other) const {
        return std::tie(mesh, skin, weights) < std::tie(other.mesh, other.skin, other.weights);
    }
};

/// The version stands before all else: another one has other things in the same places.
Json parse_document(std::string_view text) {
    Json root = parse_json(text);
    const Json& version = required(required(root, "asset", "the file"), "version", "\"asset\"");
    if (!version.is_string() || !version.get_ref<const std::string&>().starts_with("2."))
        fail("glTF version " + version.dump() + " is not supported; only 2.x is", ErrorKind::kUnsupported);
    return root;
}

class GltfReader {
  public:
    /// Looks at the document alone.
    GltfReader(const Container& container, const std::string& wanted_scene)
        : container_(container),
          root_(parse_document(container_.json)),
          buffers_(root_),
          views_(root_, buffers_),
          accessors_(root_, views_),
          source_{root_, views_, accessors_, position_kind(root_)} {
        check_extensions(root_);
        nodes_ = read_nodes(root_);
        chosen_ = choose_scene(root_, nodes_, wanted_scene);
        find_placed();
        check_promises();
    }

    Scene run(ReferencedFiles& files) {
        buffers_.load(container_.binary, files);
        for (const std::uint64_t root : chosen_.roots) add_tree(root);
        add_findings();
        scene_.scene_names = scene_names(root_);
        scene_.unit = "metre";
        return std::move(scene_);
    }

  private:
    // By the document alone.
    void find_placed();
    void check_promises();
    Placed placed_by(const Node& node) const;

    // Surfaces and nodes.
    void add_tree(std::uint64_t root);
    std::uint32_t add_node(std::uint64_t index, std::uint32_t parent);
    void add_instances(std::uint64_t index, std::uint32_t node);
    std::uint32_t mesh_of(const Placed& placed);
    void append_primitive(const Primitive& primitive, const Placed& placed, const JointMatrices& joints,
                          PolygonSoup& soup);
    void add_findings();

    Container container_;
    Json root_;
    Buffers buffers_;
    Views views_;
    Accessors accessors_;
    Source source_;
    std::vector<Node> nodes_;
    ChosenScene chosen_;
    std::vector<std::uint64_t> placing_;                          // nodes with a mesh, of the scene
    std::map<std::uint64_t, std::vector<Primitive>> primitives_;  // of the meshes that they place
    std::map<Placed, std::uint32_t> meshes_;                      // of scene_, kNone: not read yet
    std::uint64_t ignored_ = 0;
    Scene scene_;
};

Placed GltfReader::placed_by(const Node& node) const {
    const std::string where = "mesh " + std::to_string(*node.mesh);
    return {*node.mesh, node.skin.value_or(kNoNode),
            morph_weights(node.weights, element(root_, "meshes", *node.mesh, "the file"), where)};
}

// The nodes of the scene that place a surface, and what each places.
void GltfReader::find_placed() {
    std::vector<std::uint64_t> open(chosen_.roots.rbegin(), chosen_.roots.rend());
    while (!open.empty()) {
        const std::uint64_t index = open.back();
        open.pop_back();
        const Node& node = nodes_[index];
        open.insert(open.end(), node.children.rbegin(), node.children.rend());
        if (!node.mesh) continue;
        if (!primitives_.contains(*node.mesh))
            primitives_[*node.mesh] = surface_primitives(source_, *node.mesh, ignored_);
        if (primitives_[*node.mesh].empty()) continue;
        if (node.singular && !node.skin)
            fail(where_of(index) +
                 " places a mesh, but its transform or that of a node above is singular: a scale of 0");
        placing_.push_back(index);
        meshes_.emplace(placed_by(node), kNone);
    }
    if (placing_.empty()) fail(chosen_.where + " has no triangles");
}

// Refuses what would take too much memory, before any of it is taken.
void GltfReader::check_promises() {
    std::uint64_t points = 0, triangles = 0, nodes = nodes_.size();
    for (const auto& [placed, unused] : meshes_) {
        for (const Primitive& primitive : primitives_[placed.mesh]) {
            // Each is less than 2^64 / 2^20, and there are fewer.
            points += std::min(primitive.points, kMaxVertices + 1);
            triangles += std::min(primitive.triangles, kMostTriangles + 1);
            if (triangles > kMostTriangles || points > 3 * kMostTriangles)
                fail(chosen_.where + " has more than " + std::to_string(kMostTriangles) +
                         " triangles or three times as many points; divide it",
                     ErrorKind::kUnsupported);
        }
    }
    for (const std::uint64_t index : placing_) {
        const Node& node = nodes_[index];
        if (node.instances == nullptr) continue;
        if (node.skin)
            fail(where_of(index) + " places instances of a skinned mesh, which is not supported",
                 ErrorKind::kUnsupported);
        nodes += std::min(instance_count(*node.instances, accessors_, where_of(index)), kMostNodes + 1);
        if (nodes > kMostNodes)
            fail(chosen_.where + " has more than " + std::to_string(kMostNodes) +
                     " nodes with all instances; divide it",
                 ErrorKind::kUnsupported);
    }
}

void GltfReader::append_primitive(const Primitive& primitive, const Placed& placed,
                                  const JointMatrices& joints, PolygonSoup& soup) {
    const PrimitiveReader reader(source_, primitive);
    Numbers points = reader.positions(placed.weights);
    std::vector<std::uint32_t> corners = reader.triangles();
    // Joints that mirror turn the surface inside out; walking the corners backwards turns it back.
    if (!joints.empty() && apply_skin(joints, reader, primitive.where, points))
        for (std::size_t i = 0; i + 2 < corners.size(); i += 3) std::swap(corners[i], corners[i + 2]);
    const auto first = static_cast<std::uint32_t>(soup.points.size());
    for (std::uint64_t i = 0; i < points.count; ++i)
        soup.points.emplace_back(points.at(i)[0], points.at(i)[1], points.at(i)[2]);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        soup.corners.push_back(first + corners[i]);
        if (i % 3 == 2) soup.first_corner.push_back(soup.corners.size());
    }
}

std::uint32_t GltfReader::mesh_of(const Placed& placed) {
    std::uint32_t& known = meshes_[placed];
    if (known != kNone) return known;
    known = static_cast<std::uint32_t>(scene_.meshes.size());
    JointMatrices joints;
    if (placed.skin != kNoNode) joints = joint_matrices(root_, placed.skin, nodes_, accessors_);
    SceneMesh& mesh = scene_.meshes.emplace_back();
    mesh.name = name_of(element(root_, "meshes", placed.mesh, "the file"));
    for (const Primitive& primitive : primitives_[placed.mesh])
        append_primitive(primitive, placed, joints, mesh.soup);
    return known;
}

void GltfReader::add_instances(std::uint64_t index, std::uint32_t node) {
    const std::uint32_t mesh = std::exchange(scene_.nodes[node].mesh, kNone);
    for (const Eigen::Affine3d& transform :
         instance_transforms(*nodes_[index].instances, accessors_, where_of(index)))
        scene_.nodes.push_back({nodes_[index].name, node, transform, mesh});
}

// What the node becomes: the answer is the parent of its children.
std::uint32_t GltfReader::add_node(std::uint64_t index, std::uint32_t parent) {
    const Node& node = nodes_[index];
    const auto frame = static_cast<std::uint32_t>(scene_.nodes.size());
    const bool placing = node.mesh && !primitives_[*node.mesh].empty();
    if (!node.skin || !placing) {
        scene_.nodes.push_back({node.name, parent, node.to_parent, kNone});
        if (placing) scene_.nodes.back().mesh = mesh_of(placed_by(node));
        if (placing && node.instances != nullptr) add_instances(index, frame);
        return frame;
    }
    // Of a skin, the joints say where it is, not the node; its children follow the node all the same.
    if (!node.children.empty()) scene_.nodes.push_back({node.name, parent, node.to_parent, kNone});
    scene_.nodes.push_back({node.name, kNone, Eigen::Affine3d::Identity(), mesh_of(placed_by(node))});
    return frame;
}

// Nodes in the order of the file, each before its children.
void GltfReader::add_tree(std::uint64_t root) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> open{{root, kNone}};
    while (!open.empty()) {
        const auto [index, parent] = open.back();
        open.pop_back();
        const std::uint32_t node = add_node(index, parent);
        const auto& children = nodes_[index].children;
        for (std::size_t i = children.size(); i-- > 0;) open.emplace_back(children[i], node);
    }
}

void GltfReader::add_findings() {
    if (container_.trailing > 0)
        scene_.findings.push_back(
            {"M01", Severity::kWarning, "trailing data", container_.trailing,
             std::to_string(container_.trailing) + " bytes follow the last chunk; ignored"});
    if (ignored_ > 0)
        scene_.findings.push_back({"M03", Severity::kInfo, "points and lines ignored", ignored_,
                                   "point and line primitives have no surface and were left out"});
    if (const std::size_t count = array(root_, "animations", "the file").size(); count > 0)
        scene_.findings.push_back({"M06", Severity::kInfo, "animation ignored", count,
                                   "animations were ignored: the scene is baked at rest"});
}

}  // namespace

Result<Scene> read_gltf(std::string_view bytes, ReferencedFiles& files, const ImportOptions& options) {
    try {
        return GltfReader(open_container(bytes), options.scene).run(files);
    } catch (const Failure& failure) {
        return failure.error;
    }
}

std::optional<Error> check_glb_head(std::istream& file, std::uint64_t size, const ImportOptions& options) {
    try {
        std::string bytes;
        const Container head = open_head(file, size, bytes);
        if (!head.json.empty()) GltfReader(head, options.scene);
    } catch (const Failure& failure) {
        if (failure.error.kind == ErrorKind::kUnsupported) return failure.error;
    }
    return std::nullopt;
}

}  // namespace espalier::import_formats

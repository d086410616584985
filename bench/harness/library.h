// SPDX-License-Identifier: GPL-3.0-or-later
// What a library must offer to take part. Plain types only, so that an adapter may be compiled against any
// library, and against a second copy of our own runtime (the scalar one) under another namespace.
// To add a library: one file in bench/peers that derives from Library and ends in a Registration.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace espalier_bench {

/// Where the second copy is in the first one's frame.
struct Placement {
    double rotation[4] = {1, 0, 0, 0};  ///< unit quaternion w x y z
    double translation[3] = {0, 0, 0};
};

/// A model as every library gets it: the clean float32 mesh, and its baked asset.
struct ModelData {
    std::string name;
    std::string source;                    ///< where it comes from, for the report
    std::vector<float> positions;          ///< x y z
    std::vector<std::uint32_t> triangles;  ///< three corners each
    std::string asset_path;                ///< baked with the default options
    std::string paper_asset_path;  ///< baked as in van den Bergen 1998: median split, one triangle a leaf
    std::string box_asset_path;    ///< baked with the box tree alone
    double centre[3] = {0, 0, 0};
    double extent = 0;    ///< longest side of the box
    double diagonal = 0;  ///< of the box

    std::uint32_t triangle_count() const { return static_cast<std::uint32_t>(triangles.size() / 3); }
};

/// What a library can do, and where it is worth asking.
struct LibraryInfo {
    std::string name = {};       ///< "FCL OBB"
    std::string family = {};     ///< "FCL": the report names the best member of a family
    bool first = false;          ///< yes-or-no query that ends at the first contact
    bool misses = false;         ///< takes part where there is no contact (contact generators do)
    bool all = false;            ///< counts all pairs of triangles that meet
    bool distance = false;       ///< exact distance
    bool refit = false;          ///< new vertex positions, same tree
    bool tumbling_only = false;  ///< relies on coherence: takes part in the tumbling turn alone
    bool quick = true;           ///< takes part in the quick run
    std::uint32_t most_triangles = ~std::uint32_t{0};
    std::string limits = {};  ///< what it cannot do, for the report
    int rank = 0;             ///< order in tables
};

/// One library holding one model; queries are between two copies of it.
class Library {
  public:
    virtual ~Library() = default;
    /// Builds or opens the hierarchy; called once. The model outlives the library. False: not possible.
    virtual bool load(const ModelData& model) = 0;
    /// Bytes of the hierarchy without the mesh; 0: not known.
    virtual std::uint64_t hierarchy_bytes() const { return 0; }
    /// Do the copies touch? A contact generator may only be trusted to say no.
    virtual bool collide(const Placement& placement) = 0;
    /// Number of pairs of triangles that touch.
    virtual std::uint64_t contacts(const Placement& /*placement*/) { return 0; }
    virtual double distance(const Placement& /*placement*/) { return 0; }
    /// Prepares the positions of a deformed frame; not timed.
    virtual void deform(double /*phase*/) {}
    /// Brings the hierarchy up to date with them; timed.
    virtual void refit() {}
};

struct LibraryEntry {
    LibraryInfo info;
    std::function<std::unique_ptr<Library>()> make;
};

/// All libraries that were linked in, by rank.
std::vector<LibraryEntry> all_libraries();

/// Adds a library; one static object for each in its adapter's file.
struct Registration {
    Registration(LibraryInfo info, std::function<std::unique_ptr<Library>()> make);
};

/// The deformation of protocol G: a wave that runs through the model (van den Bergen 1998, section 4: the
/// mesh is bent, not torn). Depends on the position alone, so every library may apply it in its own order.
void deform_position(const ModelData& model, double phase, const float in[3], float out[3]);

}  // namespace espalier_bench

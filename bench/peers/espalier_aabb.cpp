// SPDX-License-Identifier: GPL-3.0-or-later
// Our aabb tree. Compiled twice: as it is, and with ESPALIER_NO_SIMD against a scalar copy of the runtime
// whose namespace is renamed by the build.
#include <cstring>
#include <memory>
#include <new>

#include "bench/harness/library.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/map_file.h"
#include "espalier/refit.h"

namespace espalier_bench {
namespace {

/// What a variant changes.
struct Variant {
    bool cue = false;
    bool paper_asset = false;
};

class EspalierAabb final : public Library {
  public:
    explicit EspalierAabb(Variant variant) : variant_(variant) {}

    bool load(const ModelData& model) override {
        model_ = &model;
        const std::string& path = variant_.paper_asset ? model.paper_asset_path : model.asset_path;
        if (file_.map(path.c_str()) != espalier::Status::kOk) return false;
        espalier::Asset asset;
        if (espalier::open(file_.data(), file_.size(), espalier::Verify::kFull, &asset) !=
            espalier::Status::kOk)
            return false;
        if (asset.part(0, &part_) != espalier::Status::kOk) return false;
        current_ = part_;
        return true;
    }

    std::uint64_t hierarchy_bytes() const override {
        std::uint64_t bytes = std::uint64_t{part_.aabb.node_count} * sizeof(espalier::AabbNode);
        if (part_.aabb.triangle_order) bytes += std::uint64_t{4} * part_.mesh.triangle_count;
        return bytes;
    }

    bool collide(const Placement& placement) override {
        collide_.begin(current_, current_, pose(placement), variant_.cue ? &cue_ : nullptr);
        return collide_.step() == espalier::Verdict::kColliding;
    }

    std::uint64_t contacts(const Placement& placement) override {
        if (buffer_.empty()) buffer_.resize(1 << 16);
        contacts_.begin(current_, current_, pose(placement), buffer_.data(), buffer_.size());
        contacts_.step();
        return contacts_.count();
    }

    double distance(const Placement& placement) override {
        distance_.begin(current_, current_, pose(placement));
        distance_.step();
        return distance_.upper();
    }

    void deform(double phase) override {
        const std::size_t count = part_.mesh.vertex_count;
        positions_.resize(3 * count);
        for (std::size_t i = 0; i < count; ++i)
            deform_position(*model_, phase, part_.mesh.positions + 3 * i, positions_.data() + 3 * i);
        if (nodes_) return;
        nodes_.reset(static_cast<espalier::AabbNode*>(
            ::operator new (part_.aabb.node_count * sizeof(espalier::AabbNode), std::align_val_t{64})));
        scratch_size_ = espalier::refit_scratch_size(part_);
        scratch_.reset(static_cast<unsigned char*>(::operator new (scratch_size_, std::align_val_t{64})));
    }

    void refit() override {
        espalier::refit(part_, positions_.data(), nodes_.get(), scratch_.get(), scratch_size_, &current_);
    }

  private:
    struct Free {
        void operator()(void* p) const { ::operator delete (p, std::align_val_t{64}); }
    };

    static espalier::Pose pose(const Placement& placement) {
        espalier::Pose pose;
        std::memcpy(pose.rotation, placement.rotation, sizeof pose.rotation);
        std::memcpy(pose.translation, placement.translation, sizeof pose.translation);
        return pose;
    }

    Variant variant_;
    const ModelData* model_ = nullptr;
    espalier::MappedFile file_;
    espalier::ShapeView part_, current_;
    espalier::Cue cue_;
    espalier::Collide<espalier::AabbTreeView> collide_;
    espalier::Contacts<espalier::AabbTreeView> contacts_;
    espalier::Distance<espalier::AabbTreeView> distance_;
    std::vector<espalier::Contact> buffer_;
    std::vector<float> positions_;
    std::unique_ptr<espalier::AabbNode, Free> nodes_;
    std::unique_ptr<unsigned char, Free> scratch_;
    std::size_t scratch_size_ = 0;
};

#ifdef ESPALIER_NO_SIMD
const Registration kScalar({.name = "Espalier aabb, no SIMD",
                            .family = "Espalier no SIMD",
                            .first = true,
                            .misses = true,
                            .all = true,
                            .distance = true,
                            .refit = true,
                            .rank = 1},
                           [] { return std::make_unique<EspalierAabb>(Variant{}); });
#else
const Registration kSimd({.name = "Espalier aabb",
                          .family = "Espalier",
                          .first = true,
                          .misses = true,
                          .all = true,
                          .distance = true,
                          .refit = true,
                          .rank = 0},
                         [] { return std::make_unique<EspalierAabb>(Variant{}); });
const Registration kCue({.name = "Espalier aabb, cue",
                         .family = "Espalier cue",
                         .first = true,
                         .tumbling_only = true,
                         .limits = "remembers the last contact of the pair, so only where motion is coherent",
                         .rank = 2},
                        [] { return std::make_unique<EspalierAabb>(Variant{.cue = true}); });
#endif

}  // namespace
}  // namespace espalier_bench

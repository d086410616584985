// SPDX-License-Identifier: GPL-3.0-or-later
// Our box tree (Zachmann 2002), from an asset that holds no other tree.
#include <cstring>
#include <memory>

#include "bench/harness/library.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/map_file.h"

namespace espalier_bench {
namespace {

class EspalierBox final : public Library {
  public:
    bool load(const ModelData& model) override {
        if (file_.map(model.box_asset_path.c_str()) != espalier::Status::kOk) return false;
        espalier::Asset asset;
        if (espalier::open(file_.data(), file_.size(), espalier::Verify::kFull, &asset) !=
            espalier::Status::kOk)
            return false;
        return asset.part(0, &part_) == espalier::Status::kOk && part_.box.leaf_count > 0;
    }

    std::uint64_t hierarchy_bytes() const override {
        std::uint64_t bytes = std::uint64_t{part_.box.leaf_count - 1} * sizeof(espalier::BoxNode);
        if (part_.box.triangle_order) bytes += std::uint64_t{4} * part_.mesh.triangle_count;
        return bytes;
    }

    bool collide(const Placement& placement) override {
        collide_.begin(part_, part_, pose(placement));
        return collide_.step() == espalier::Verdict::kColliding;
    }

    std::uint64_t contacts(const Placement& placement) override {
        if (buffer_.empty()) buffer_.resize(1 << 16);
        contacts_.begin(part_, part_, pose(placement), buffer_.data(), buffer_.size());
        contacts_.step();
        return contacts_.count();
    }

    double distance(const Placement& placement) override {
        distance_.begin(part_, part_, pose(placement));
        distance_.step();
        return distance_.upper();
    }

  private:
    static espalier::Pose pose(const Placement& placement) {
        espalier::Pose pose;
        std::memcpy(pose.rotation, placement.rotation, sizeof pose.rotation);
        std::memcpy(pose.translation, placement.translation, sizeof pose.translation);
        return pose;
    }

    espalier::MappedFile file_;
    espalier::ShapeView part_;
    espalier::Collide<espalier::BoxTreeView> collide_;
    espalier::Contacts<espalier::BoxTreeView> contacts_;
    espalier::Distance<espalier::BoxTreeView> distance_;
    std::vector<espalier::Contact> buffer_;
};

const Registration kBox({.name = "Espalier box",
                         .family = "Espalier box",
                         .first = true,
                         .misses = true,
                         .all = true,
                         .distance = true,
                         .limits = "no refit: the smallest hierarchy, for rigid models",
                         .rank = 3},
                        [] { return std::make_unique<EspalierBox>(); });

}  // namespace
}  // namespace espalier_bench

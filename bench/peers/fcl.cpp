// SPDX-License-Identifier: GPL-3.0-or-later
// FCL as Debian builds it (double precision), with each of its bounding volumes.
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "bench/harness/library.h"

namespace espalier_bench {
namespace {

template <class Volume>
class Fcl final : public Library {
  public:
    bool load(const ModelData& model) override {
        model_ = &model;
        std::vector<fcl::Vector3d> points(model.positions.size() / 3);
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] =
                fcl::Vector3d(model.positions[3 * i], model.positions[3 * i + 1], model.positions[3 * i + 2]);
        std::vector<fcl::Triangle> triangles;
        triangles.reserve(model.triangle_count());
        for (std::size_t i = 0; i < model.triangles.size(); i += 3)
            triangles.emplace_back(model.triangles[i], model.triangles[i + 1], model.triangles[i + 2]);
        tree_ = std::make_shared<fcl::BVHModel<Volume>>();
        tree_->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
        tree_->addSubModel(points, triangles);
        return tree_->endModel() == fcl::BVH_OK;
    }

    std::uint64_t hierarchy_bytes() const override {
        return std::uint64_t(tree_->getNumBVs()) * sizeof(fcl::BVNode<Volume>) +
               std::uint64_t{4} * model_->triangle_count();  // and its list of primitives
    }

    bool collide(const Placement& placement) override {
        fcl::CollisionResultd result;
        const fcl::CollisionRequestd request(1, false);
        return fcl::collide(tree_.get(), fcl::Transform3d::Identity(), tree_.get(), transform(placement),
                            request, result) > 0;
    }

    std::uint64_t contacts(const Placement& placement) override {
        fcl::CollisionResultd result;
        const fcl::CollisionRequestd request(std::size_t{1} << 30, false);
        return fcl::collide(tree_.get(), fcl::Transform3d::Identity(), tree_.get(), transform(placement),
                            request, result);
    }

    double distance(const Placement& placement) override {
        fcl::DistanceResultd result;
        const fcl::DistanceRequestd request(false);
        return fcl::distance(tree_.get(), fcl::Transform3d::Identity(), tree_.get(), transform(placement),
                             request, result);
    }

    void deform(double phase) override {
        moved_.resize(model_->positions.size() / 3);
        float out[3];
        for (std::size_t i = 0; i < moved_.size(); ++i) {
            deform_position(*model_, phase, model_->positions.data() + 3 * i, out);
            moved_[i] = fcl::Vector3d(out[0], out[1], out[2]);
        }
    }

    void refit() override {
        tree_->beginReplaceModel();  // "update" would also enclose the old positions, for continuous queries
        tree_->replaceSubModel(moved_);
        tree_->endReplaceModel(true, true);
    }

  private:
    static fcl::Transform3d transform(const Placement& p) {
        fcl::Transform3d transform = fcl::Transform3d::Identity();
        transform.linear() =
            fcl::Quaterniond(p.rotation[0], p.rotation[1], p.rotation[2], p.rotation[3]).toRotationMatrix();
        transform.translation() = fcl::Vector3d(p.translation[0], p.translation[1], p.translation[2]);
        return transform;
    }

    const ModelData* model_ = nullptr;
    std::shared_ptr<fcl::BVHModel<Volume>> tree_;
    std::vector<fcl::Vector3d> moved_;
};

const char kCopies[] = "copies and refits a whole model in every query, so only asked on small models";

LibraryInfo oriented(const char* name, bool distance, bool quick, int rank) {
    return {.name = std::string("FCL ") + name,
            .family = "FCL",
            .first = true,
            .misses = true,
            .all = true,
            .distance = distance,
            .refit = true,
            .quick = quick,
            .limits = distance ? "" : "no distance with this volume",
            .rank = rank};
}

LibraryInfo aligned(const char* name, int rank) {
    LibraryInfo info = oriented(name, false, false, rank);
    info.most_triangles = 3000;
    info.limits = kCopies;
    return info;
}

const Registration kObb(oriented("OBB", false, true, 10), [] { return std::make_unique<Fcl<fcl::OBBd>>(); });
const Registration kObbrss(oriented("OBBRSS", true, true, 11),
                           [] { return std::make_unique<Fcl<fcl::OBBRSSd>>(); });
const Registration kKios(oriented("kIOS", true, true, 12),
                         [] { return std::make_unique<Fcl<fcl::kIOSd>>(); });
const Registration kRss(oriented("RSS", true, false, 13), [] { return std::make_unique<Fcl<fcl::RSSd>>(); });
const Registration kAabb(aligned("AABB", 14), [] { return std::make_unique<Fcl<fcl::AABBd>>(); });
const Registration kKdop16(aligned("KDOP16", 15),
                           [] { return std::make_unique<Fcl<fcl::KDOP<double, 16>>>(); });
const Registration kKdop18(aligned("KDOP18", 16),
                           [] { return std::make_unique<Fcl<fcl::KDOP<double, 18>>>(); });
const Registration kKdop24(aligned("KDOP24", 17),
                           [] { return std::make_unique<Fcl<fcl::KDOP<double, 24>>>(); });

}  // namespace
}  // namespace espalier_bench

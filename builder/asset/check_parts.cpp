// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/check_parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "builder/base/number_text.h"
#include "builder/body/utf8.h"
#include "espalier/body.h"
#include "espalier_generated.h"

namespace espalier {
namespace {

/// Of a squared length from 1 (FORMAT.md).
constexpr double kUnitTolerance = 1e-9;

using Parts = flatbuffers::Vector<const schema::Part*>;

class PartChecks {
  public:
    explicit PartChecks(const schema::Asset& asset) : asset_(asset), parts_(*asset.parts()) {}

    std::vector<CheckItem> run() {
        each("parents come before their children", &PartChecks::parent_fault);
        each("shapes of parts are there", &PartChecks::shape_fault);
        each("rotations and axes are of unit length", &PartChecks::unit_fault);
        each("limits of joints are in order", &PartChecks::limit_fault);
        each("chains of joints that follow each other end", &PartChecks::mimic_fault);
        each("names are text, and no two parts or joints share one", &PartChecks::name_fault);
        if (std::ranges::all_of(items_, &CheckItem::ok)) check_places();
        check_pairs();
        return std::move(items_);
    }

  private:
    using Fault = std::string (PartChecks::*)(std::uint32_t part);

    /// One item: the first part at which `fault` finds something.
    void each(const char* name, Fault fault) {
        CheckItem item{name, true, parts_.size(), ""};
        for (std::uint32_t i = 0; i < parts_.size() && item.ok; ++i)
            if (const std::string found = (this->*fault)(i); !found.empty()) fail(item, part_text(i) + found);
        items_.push_back(std::move(item));
    }

    static void fail(CheckItem& item, std::string message) {
        item.ok = false;
        item.message = std::move(message);
    }

    const schema::Part& part(std::uint32_t i) const { return *parts_.Get(i); }

    std::uint32_t name_count() const { return asset_.names() ? asset_.names()->size() : 0; }
    std::string name(std::uint32_t i) const { return i < name_count() ? asset_.names()->Get(i)->str() : ""; }

    /// "part 3 (wheel): "
    std::string part_text(std::uint32_t i) const {
        const std::string named = name(part(i).name());
        return "part " + std::to_string(i) + (named.empty() ? "" : " (" + as_utf8_name(named) + ")") + ": ";
    }

    bool moves_along_axis(std::uint32_t i) const {
        return part(i).joint() < 5 && joint_value_count(Joint(part(i).joint())) == 1;
    }

    std::string parent_fault(std::uint32_t i) {
        const std::uint32_t parent = part(i).parent();
        if (parent == kNoIndex || parent < i) return "";
        return "its parent, part " + std::to_string(parent) + ", does not come before it";
    }

    std::string shape_fault(std::uint32_t i) {
        const std::uint32_t shape = part(i).shape();
        const std::uint32_t count = asset_.shapes() ? asset_.shapes()->size() : 0;
        if (shape == kNoIndex || shape < count) return "";
        return "there is no shape " + std::to_string(shape);
    }

    std::string unit_fault(std::uint32_t i) {
        const flatbuffers::Array<double, 4>& q = *part(i).rotation();
        const Eigen::Vector4d rotation(q.Get(0), q.Get(1), q.Get(2), q.Get(3));
        if (!(std::abs(rotation.squaredNorm() - 1) <= kUnitTolerance))
            return "its rotation has the length " + number_text(rotation.norm()) + ", not 1";
        const double length = vector(part(i).axis()).norm();
        if (part(i).joint() > 4) return "its joint is of no known type";
        if (!moves_along_axis(i))
            return length == 0 ? "" : "its joint has an axis, which fixed and free joints have not";
        if (std::abs(length * length - 1) <= kUnitTolerance) return "";
        return "the axis of its joint has the length " + number_text(length) + ", not 1";
    }

    std::string limit_fault(std::uint32_t i) {
        const double lower = part(i).lower(), upper = part(i).upper();
        if (lower <= upper && lower < INFINITY && upper > -INFINITY) return "";
        return "the limits of its joint, " + number_text(lower) + " to " + number_text(upper) +
               ", are not in order";
    }

    std::string mimic_fault(std::uint32_t i) {
        if (!std::isfinite(part(i).multiplier()) || !std::isfinite(part(i).offset()))
            return "multiplier or offset of its joint is not finite";
        std::uint32_t at = i;
        for (std::uint32_t links = 0; part(at).mimic() != kNoIndex; ++links) {
            if (links + 1 == kMaxMimicChain)
                return "the chain of joints that it follows has no end, or is too long";
            if (!moves_along_axis(at)) return "a joint that is fixed or free follows another";
            at = part(at).mimic();
            if (at >= parts_.size())
                return "there is no part " + std::to_string(at) + " whose joint it could follow";
        }
        if (at != i && !moves_along_axis(at)) return "it follows a joint that is fixed or free";
        const bool plain = part(i).multiplier() == 1 && part(i).offset() == 0;
        return at != i || plain ? "" : "its joint follows none, but has a multiplier or offset";
    }

    std::string name_fault(std::uint32_t i) {
        const std::string part_name = name(part(i).name());
        if (part_name.empty()) return "it has no name";
        if (!is_utf8_name(part_name)) return "its name is no UTF-8 or holds control characters";
        if (!part_names_.insert(part_name).second) return "an earlier part has the same name";
        const std::uint32_t joint = part(i).joint_name();
        if (joint == kNoIndex) return "";
        if (joint >= name_count()) return "the name of its joint is not there";
        if (!is_utf8_name(name(joint)))
            return "the name of its joint is no UTF-8 or holds control characters";
        return joint_names_.insert(name(joint)).second
                   ? ""
                   : "an earlier joint is called '" + name(joint) + "' too";
    }

    static Eigen::Vector3d vector(const schema::Vec3d& v) { return {v.x(), v.y(), v.z()}; }

    /// Needs parents, shapes and rotations that are right.
    void check_places() {
        CheckItem item{"parts are within reach at rest", true, parts_.size(), ""};
        std::vector<Eigen::Isometry3d> places(parts_.size(), Eigen::Isometry3d::Identity());
        for (std::uint32_t i = 0; i < parts_.size(); ++i) {
            const schema::Part& at = part(i);
            const flatbuffers::Array<double, 4>& q = *at.rotation();
            if (at.parent() != kNoIndex) places[i] = places[at.parent()];
            places[i].translate(vector(at.translation()));
            places[i].rotate(Eigen::Quaterniond(q.Get(0), q.Get(1), q.Get(2), q.Get(3)));
            if (places[i].translation().cwiseAbs().maxCoeff() <= kLargestPlace) continue;
            fail(item, part_text(i) + "it is farther than " + number_text(kLargestPlace) +
                           " from the body's origin");
            break;
        }
        items_.push_back(std::move(item));
    }

    void check_pairs() {
        CheckItem item{"pairs name two parts, each once and in order", true,
                       asset_.pairs() ? asset_.pairs()->size() : 0, ""};
        std::pair<std::uint32_t, std::uint32_t> before{0, 0};
        for (std::uint32_t i = 0; i < item.count && item.ok; ++i) {
            const schema::PartPair& pair = *asset_.pairs()->Get(i);
            const std::pair key(pair.a(), pair.b());
            const std::string what = "pair " + std::to_string(i) + ", of parts " + std::to_string(pair.a()) +
                                     " and " + std::to_string(pair.b()) + ", ";
            if (pair.a() >= pair.b() || pair.b() >= parts_.size())
                fail(item, what + "names a part that is not there, or its parts are not in order");
            else if (!(pair.share() >= 0 && pair.share() <= 1) || pair.reason() > 4)
                fail(item, what + "has no known reason, or a share that is not from 0 to 1");
            else if (i > 0 && key <= before)
                fail(item, what + "does not come after the pair before it");
            before = key;
        }
        items_.push_back(std::move(item));
    }

    const schema::Asset& asset_;
    const Parts& parts_;
    std::set<std::string> part_names_, joint_names_;
    std::vector<CheckItem> items_;
};

}  // namespace

std::vector<CheckItem> check_parts(std::span<const std::uint8_t> bytes) {
    flatbuffers::Verifier verifier(bytes.data(), bytes.size());
    if (!schema::VerifyAssetBuffer(verifier)) return {};
    const schema::Asset& asset = *schema::GetAsset(bytes.data());
    if (!asset.parts() || asset.parts()->size() == 0) return {};
    return PartChecks(asset).run();
}

}  // namespace espalier

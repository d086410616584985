// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/body/stored_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "builder/base/number_text.h"
#include "builder/body/utf8.h"

namespace espalier {
namespace {

/// Of a squared length from 1: what a reader accepts (FORMAT.md). A larger number lets bodies be baked that
/// no runtime opens.
constexpr double kUnitTolerance = 1e-9;

Error invalid(const std::string& message) {
    return {ErrorKind::kInvalidInput, message};
}

bool is_unit(double squared_length) {
    return std::abs(squared_length - 1) <= kUnitTolerance;
}

bool turns_or_slides(Joint kind) {
    return kind == Joint::kRevolute || kind == Joint::kContinuous || kind == Joint::kPrismatic;
}

class Conversion {
  public:
    explicit Conversion(const BodyDescription& body) : body_(body) {}

    Result<StoredParts> run() {
        if (auto error = check_counts()) return *std::move(error);
        for (std::uint32_t i = 0; i < body_.parts.size(); ++i)
            if (auto error = add_part(i)) return *std::move(error);
        if (auto error = check_mimic_chains()) return *std::move(error);
        if (auto error = add_pairs()) return *std::move(error);
        if (is_plain()) return StoredParts{};
        return std::move(stored_);
    }

  private:
    /// "part 3 (wheel): "
    std::string where(std::uint32_t i) const {
        const std::string& name = body_.parts[i].name;
        return "part " + std::to_string(i) + (name.empty() ? "" : " (" + as_utf8_name(name) + ")") + ": ";
    }

    std::optional<Error> check_counts() const {
        if (body_.shapes.empty()) return invalid("the body has no shape");
        if (body_.parts.empty()) return invalid("the body has no part");
        if (body_.parts.size() > kMostParts)
            return Error{ErrorKind::kUnsupported, std::to_string(body_.parts.size()) +
                                                      " parts are more than " + std::to_string(kMostParts) +
                                                      "; merge them or divide the file"};
        for (std::size_t i = 0; i < body_.shapes.size(); ++i)
            if (!is_utf8_name(body_.shapes[i].name))
                return invalid("shape " + std::to_string(i) +
                               ": its name is no UTF-8 or holds control characters");
        return std::nullopt;
    }

    std::uint32_t number_of(const std::string& name) {
        const auto [entry, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(stored_.names.size()));
        if (is_new) stored_.names.push_back(name);
        return entry->second;
    }

    std::optional<Error> check_name(const std::string& name, const std::string& what,
                                    std::set<std::string>& taken) {
        if (!is_utf8_name(name)) return invalid(what + " is no UTF-8 or holds control characters");
        if (!taken.insert(name).second) return invalid(what + " '" + name + "' is there twice");
        return std::nullopt;
    }

    std::optional<Error> add_names(std::uint32_t i, PartNode& node) {
        const BodyPart& part = body_.parts[i];
        if (part.name.empty()) return invalid(where(i) + "it has no name");
        if (auto error = check_name(part.name, where(i) + "the name", part_names_)) return error;
        node.name = number_of(part.name);
        if (part.joint.name.empty()) return std::nullopt;
        if (auto error = check_name(part.joint.name, where(i) + "the joint's name", joint_names_))
            return error;
        node.joint_name = number_of(part.joint.name);
        return std::nullopt;
    }

    std::optional<Error> add_rest(std::uint32_t i, PartNode& node) const {
        const BodyPart& part = body_.parts[i];
        if (part.parent != kNoIndex && part.parent >= i)
            return invalid(where(i) + "its parent, part " + std::to_string(part.parent) +
                           ", does not come before it");
        if (part.shape != kNoIndex && part.shape >= body_.shapes.size())
            return invalid(where(i) + "there is no shape " + std::to_string(part.shape));
        if (!is_unit(part.rotation.squaredNorm()))
            return invalid(where(i) + "its rotation has the length " + number_text(part.rotation.norm()) +
                           ", not 1");
        if (!part.translation.allFinite()) return invalid(where(i) + "its translation is not finite");
        const Eigen::Quaterniond unit = part.rotation.normalized();
        const double rotation[4] = {unit.w(), unit.x(), unit.y(), unit.z()};
        std::copy_n(rotation, 4, node.rotation);
        std::copy_n(part.translation.data(), 3, node.translation);
        node.parent = part.parent;
        node.shape = part.shape;
        return std::nullopt;
    }

    std::optional<Error> add_joint(std::uint32_t i, PartNode& node) const {
        const BodyJoint& joint = body_.parts[i].joint;
        node.joint = joint.kind;
        if (joint.kind > Joint::kFree) return invalid(where(i) + "its joint is of no known kind");
        const double length = joint.axis.norm();
        if (turns_or_slides(joint.kind) ? !is_unit(length * length) : length != 0)
            return invalid(where(i) + "the axis of its joint has the length " + number_text(length) +
                           (turns_or_slides(joint.kind) ? ", not 1" : "; fixed and free joints have none"));
        if (length != 0) Eigen::Map<Eigen::Vector3d>(node.axis) = joint.axis / length;
        if (std::isnan(joint.lower) || std::isnan(joint.upper) || joint.lower > joint.upper ||
            joint.lower == INFINITY || joint.upper == -INFINITY)
            return invalid(where(i) + "the limits of its joint, " + number_text(joint.lower) + " to " +
                           number_text(joint.upper) + ", are not in order");
        node.lower = joint.lower;
        node.upper = joint.upper;
        return joint.mimic ? add_mimic(i, *joint.mimic, node) : std::nullopt;
    }

    std::optional<Error> add_mimic(std::uint32_t i, const BodyMimic& mimic, PartNode& node) const {
        if (mimic.part >= body_.parts.size())
            return invalid(where(i) + "there is no part " + std::to_string(mimic.part) +
                           " whose joint it could follow");
        for (const std::uint32_t follower : {i, mimic.part})
            if (!turns_or_slides(body_.parts[follower].joint.kind))
                return invalid(where(i) + "only revolute, continuous and prismatic joints follow each other");
        if (!std::isfinite(mimic.multiplier) || !std::isfinite(mimic.offset))
            return invalid(where(i) + "multiplier or offset of its joint is not finite");
        node.mimic = mimic.part;
        node.multiplier = mimic.multiplier;
        node.offset = mimic.offset;
        return std::nullopt;
    }

    std::optional<Error> add_part(std::uint32_t i) {
        PartNode& node = stored_.parts.emplace_back();
        if (auto error = add_names(i, node)) return error;
        if (auto error = add_rest(i, node)) return error;
        return add_joint(i, node);
    }

    std::optional<Error> check_mimic_chains() const {
        for (std::uint32_t i = 0; i < stored_.parts.size(); ++i) {
            std::uint32_t links = 0;
            for (std::uint32_t at = i; stored_.parts[at].mimic != kNoIndex; at = stored_.parts[at].mimic)
                if (++links == kMaxMimicChain)
                    return invalid(where(i) +
                                   "the chain of joints that it follows has no end, or more than " +
                                   std::to_string(kMaxMimicChain) + " of them");
        }
        return std::nullopt;
    }

    std::optional<Error> add_pairs() {
        for (PartPair pair : body_.pairs) {
            if (pair.a > pair.b) std::swap(pair.a, pair.b);
            const std::string what =
                "the pair of parts " + std::to_string(pair.a) + " and " + std::to_string(pair.b);
            if (pair.b >= body_.parts.size()) return invalid(what + " names a part that is not there");
            if (pair.a == pair.b) return invalid(what + " is one part");
            if (!(pair.share >= 0 && pair.share <= 1))
                return invalid(what + " has a share that is not from 0 to 1");
            if (pair.reason > PairReason::kUser) return invalid(what + " has no known reason");
            pair.proved = pair.proved != 0 ? 1 : 0;
            pair.reserved = 0;
            stored_.pairs.push_back(pair);
        }
        const auto key = [](const PartPair& pair) { return std::pair(pair.a, pair.b); };
        std::ranges::sort(stored_.pairs, {}, key);
        const auto twice = std::ranges::adjacent_find(stored_.pairs, {}, key);
        if (twice == stored_.pairs.end()) return std::nullopt;
        return invalid("the pair of parts " + std::to_string(twice->a) + " and " + std::to_string(twice->b) +
                       " is there twice");
    }

    /// A body of one part whose frame is the body's: its shape says all.
    bool is_plain() const {
        if (stored_.parts.size() != 1 || body_.shapes.size() != 1) return false;
        const PartNode& part = stored_.parts.front();
        const Eigen::Map<const Eigen::Vector3d> translation(part.translation);
        return part.shape == 0 && part.joint == Joint::kFixed && part.joint_name == kNoIndex &&
               part.rotation[0] == 1 && translation.isZero(0) && body_.parts[0].name == body_.shapes[0].name;
    }

    const BodyDescription& body_;
    StoredParts stored_;
    std::map<std::string, std::uint32_t> numbers_;  // of names
    std::set<std::string> part_names_, joint_names_;
};

}  // namespace

Result<StoredParts> stored_parts(const BodyDescription& body) {
    return Conversion(body).run();
}

}  // namespace espalier

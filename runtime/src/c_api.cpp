// SPDX-License-Identifier: MIT
// The C header over the C++ runtime.
#include <cstring>
#include <new>

#include "espalier/aabb_query.h"
#include "espalier/asset.h"
#include "espalier/espalier.h"

namespace {

using espalier::AabbCollide;
using espalier::AabbContacts;
using espalier::Asset;
using espalier::Budget;
using espalier::Contact;
using espalier::Overlap;
using espalier::PartView;
using espalier::Pose;
using espalier::Status;

static_assert(sizeof(Asset) <= sizeof(espalier_asset), "enlarge espalier_asset");
static_assert(sizeof(PartView) <= sizeof(espalier_part), "enlarge espalier_part");
static_assert(sizeof(AabbCollide) + 8 <= sizeof(espalier_collide), "enlarge espalier_collide");
static_assert(sizeof(AabbContacts) + 8 <= sizeof(espalier_collide), "enlarge espalier_collide");
static_assert(sizeof(Contact) == sizeof(espalier_contact) &&
                  offsetof(Contact, normal) == offsetof(espalier_contact, normal),
              "the C contact mirrors the C++ one");
static_assert(sizeof(Pose) == sizeof(espalier_pose), "the C pose mirrors the C++ one");

espalier_status code(Status status) {
    return static_cast<espalier_status>(status);
}

/// C structs are copied in and out as bytes: no aliasing, no alignment to care for.
template <class Cpp, class C>
Cpp from_c(const C* c) {
    Cpp value;
    std::memcpy(static_cast<void*>(&value), c, sizeof(Cpp));
    return value;
}
template <class Cpp, class C>
void to_c(const Cpp& value, C* c) {
    std::memcpy(c, static_cast<const void*>(&value), sizeof(Cpp));
}

/// The query object inside the caller's bytes, at the next 16-byte boundary.
unsigned char* aligned(espalier_collide* query) {
    auto* bytes = reinterpret_cast<unsigned char*>(query->opaque);
    const std::size_t misalignment = reinterpret_cast<std::uintptr_t>(bytes) % alignof(AabbCollide);
    return misalignment == 0 ? bytes : bytes + (alignof(AabbCollide) - misalignment);
}

struct ClockAdapter {
    const espalier_budget* budget;
    static bool expired(void* user) {
        const espalier_budget* b = static_cast<ClockAdapter*>(user)->budget;
        return b->expired(b->user) != 0;
    }
};

}  // namespace

extern "C" {

const char* espalier_status_text(espalier_status status) {
    return espalier::status_text(static_cast<Status>(status));
}

espalier_status espalier_open(const void* data, size_t size, uint32_t verify, espalier_asset* asset) {
    if (!asset || verify > ESPALIER_VERIFY_FULL) return code(Status::kInvalidArgument);
    Asset view;
    const Status status = espalier::open(data, size, static_cast<espalier::Verify>(verify), &view);
    if (status == Status::kOk) to_c(view, asset);
    return code(status);
}

uint32_t espalier_part_count(const espalier_asset* asset) {
    return from_c<Asset>(asset).part_count();
}

espalier_status espalier_get_part(const espalier_asset* asset, uint32_t index, espalier_part* part) {
    if (!asset || !part) return code(Status::kInvalidArgument);
    PartView view;
    const Status status = from_c<Asset>(asset).part(index, &view);
    if (status == Status::kOk) to_c(view, part);
    return code(status);
}

uint32_t espalier_triangle_count(const espalier_part* part) {
    return from_c<PartView>(part).mesh.triangle_count;
}

espalier_pose espalier_identity(void) {
    espalier_pose pose;
    to_c(Pose(), &pose);
    return pose;
}

espalier_status espalier_collide_begin(espalier_collide* query, const espalier_part* a,
                                       const espalier_part* b, const espalier_pose* pose, uint32_t overlap) {
    if (!query || !a || !b || !pose || overlap > ESPALIER_OVERLAP_SAT) return code(Status::kInvalidArgument);
    auto* collide = new (aligned(query)) AabbCollide;
    return code(collide->begin(from_c<PartView>(a), from_c<PartView>(b), from_c<Pose>(pose),
                               static_cast<Overlap>(overlap)));
}

uint32_t espalier_collide_step(espalier_collide* query, const espalier_budget* budget) {
    auto* collide = reinterpret_cast<AabbCollide*>(aligned(query));
    ClockAdapter clock{budget};
    Budget limits;
    if (budget && budget->node_tests > 0) limits.node_tests = budget->node_tests;
    if (budget && budget->expired) {
        limits.expired = &ClockAdapter::expired;
        limits.user = &clock;
    }
    return static_cast<uint32_t>(collide->step(limits));
}

espalier_contact espalier_collide_contact(const espalier_collide* query) {
    auto* collide = reinterpret_cast<AabbCollide*>(aligned(const_cast<espalier_collide*>(query)));
    espalier_contact contact;
    to_c(collide->contact(), &contact);
    return contact;
}

espalier_status espalier_contacts(espalier_collide* query, const espalier_part* a, const espalier_part* b,
                                  const espalier_pose* pose, espalier_contact* buffer, size_t capacity,
                                  uint64_t* count) {
    if (!query || !a || !b || !pose || !count) return code(Status::kInvalidArgument);
    auto* contacts = new (aligned(query)) AabbContacts;
    const Status status = contacts->begin(from_c<PartView>(a), from_c<PartView>(b), from_c<Pose>(pose),
                                          reinterpret_cast<Contact*>(buffer), capacity);
    if (status != Status::kOk) return code(status);
    contacts->step();
    *count = contacts->count();
    return code(contacts->status());
}

}  // extern "C"

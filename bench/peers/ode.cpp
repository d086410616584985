// SPDX-License-Identifier: GPL-3.0-or-later
// ODE as Debian builds it. Its mesh-mesh function generates contacts and has no yes-or-no form, so it takes
// part only where there are no contacts to generate.
#include <ode/ode.h>

#include <vector>

#include "bench/harness/library.h"

namespace espalier_bench {
namespace {

class Ode final : public Library {
  public:
    bool load(const ModelData& model) override {
        dInitODE2(0);
        dAllocateODEDataForThread(dAllocateMaskAll);
        indices_.assign(model.triangles.begin(), model.triangles.end());
        data_ = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildSingle(data_, model.positions.data(), 3 * sizeof(float),
                                    static_cast<int>(model.positions.size() / 3), indices_.data(),
                                    static_cast<int>(indices_.size()), 3 * sizeof(dTriIndex));
        a_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
        b_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
        dGeomTriMeshEnableTC(a_, dTriMeshClass,
                             0);  // a cache of coherence would not see the random placements
        dGeomTriMeshEnableTC(b_, dTriMeshClass, 0);
        return true;
    }

    bool collide(const Placement& placement) override {
        const dQuaternion q = {
            static_cast<dReal>(placement.rotation[0]), static_cast<dReal>(placement.rotation[1]),
            static_cast<dReal>(placement.rotation[2]), static_cast<dReal>(placement.rotation[3])};
        dGeomSetQuaternion(b_, q);
        dGeomSetPosition(b_, static_cast<dReal>(placement.translation[0]),
                         static_cast<dReal>(placement.translation[1]),
                         static_cast<dReal>(placement.translation[2]));
        dContactGeom contact;
        return dCollide(a_, b_, CONTACTS_UNIMPORTANT | 1, &contact, sizeof contact) > 0;
    }

  private:
    std::vector<dTriIndex> indices_;
    dTriMeshDataID data_ = nullptr;
    dGeomID a_ = nullptr;
    dGeomID b_ = nullptr;
};

const Registration kOde({.name = "ODE",
                         .family = "ODE",
                         .misses = true,
                         .limits = "generates contacts, has no yes-or-no query: compared on misses only; no "
                                   "distance, no count of triangle pairs, no refit",
                         .rank = 20},
                        [] { return std::make_unique<Ode>(); });

}  // namespace
}  // namespace espalier_bench

// SPDX-License-Identifier: MIT
#include "examples/ships/fleet.h"

#include <cstdio>

namespace ships {

bool load_fleet(const std::vector<std::string>& paths, Fleet* fleet) {
    for (const std::string& path : paths) {
        auto file = std::make_unique<espalier::MappedFile>();
        espalier::Asset asset;
        espalier::ShapeView part;
        espalier::Status status = file->map(path.c_str());
        if (status == espalier::Status::kOk)
            status = espalier::open(file->data(), file->size(), espalier::Verify::kFull, &asset);
        if (status == espalier::Status::kOk) status = asset.part(0, &part);
        if (status != espalier::Status::kOk) {
            std::fprintf(stderr, "ships: %s: %s\n", path.c_str(), espalier::status_text(status));
            return false;
        }
        fleet->hulls.push_back(make_hull(part));
        fleet->files.push_back(std::move(file));
    }
    return !fleet->hulls.empty();
}

bool fits_mode(const Fleet& fleet, const std::string& mode) {
    constexpr std::uint8_t kOctree = 2;  // SphereTreeView::method
    for (const Hull& hull : fleet.hulls) {
        const espalier::SphereTreeView& sphere = hull.part.sphere;
        bool fits = hull.part.aabb.nodes != nullptr;  // the exact answer, or the ruler
        if (mode != "exact")
            fits = fits && sphere.spheres && (sphere.method == kOctree) == (mode == "octree");
        if (!fits) {
            std::fprintf(stderr, "ships: %s: baked without what mode %s needs: --trees aabb,sphere%s\n",
                         hull.part.name, mode.c_str(), mode == "octree" ? " --sphere-method octree" : "");
            return false;
        }
    }
    return true;
}

}  // namespace ships

// SPDX-License-Identifier: GPL-3.0-or-later
// Bullet's GImpact meshes as Debian builds them. Like ODE it generates contacts: misses only.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <vector>

#include "bench/harness/library.h"

namespace espalier_bench {
namespace {

/// Notes whether any contact is an overlap; Bullet also reports points within its margin.
struct AnyContact final : btManifoldResult {
    using btManifoldResult::btManifoldResult;
    bool found = false;
    void addContactPoint(const btVector3&, const btVector3&, btScalar depth) override {
        if (depth <= 0) found = true;
    }
};

class Bullet final : public Library {
  public:
    bool load(const ModelData& model) override {
        indices_.assign(model.triangles.begin(), model.triangles.end());
        positions_ = model.positions;
        mesh_ = std::make_unique<btTriangleIndexVertexArray>();
        btIndexedMesh part;
        part.m_numTriangles = static_cast<int>(model.triangle_count());
        part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(indices_.data());
        part.m_triangleIndexStride = 3 * sizeof(int);
        part.m_numVertices = static_cast<int>(positions_.size() / 3);
        part.m_vertexBase = reinterpret_cast<const unsigned char*>(positions_.data());
        part.m_vertexStride = 3 * sizeof(float);
        part.m_vertexType = PHY_FLOAT;
        mesh_->addIndexedMesh(part, PHY_INTEGER);
        shape_ = std::make_unique<btGImpactMeshShape>(mesh_.get());
        shape_->setMargin(0);
        shape_->updateBound();
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
        a_.setCollisionShape(shape_.get());
        b_.setCollisionShape(shape_.get());
        return true;
    }

    bool collide(const Placement& p) override {
        btTransform transform(
            btQuaternion(btScalar(p.rotation[1]), btScalar(p.rotation[2]), btScalar(p.rotation[3]),
                         btScalar(p.rotation[0])),
            btVector3(btScalar(p.translation[0]), btScalar(p.translation[1]), btScalar(p.translation[2])));
        b_.setWorldTransform(transform);
        // Asked directly: the world's pair test looks for a closest-point algorithm, and GImpact has none.
        const btCollisionObjectWrapper a(nullptr, shape_.get(), &a_, a_.getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper b(nullptr, shape_.get(), &b_, b_.getWorldTransform(), -1, -1);
        btCollisionAlgorithm* algorithm =
            dispatcher_.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        AnyContact any(&a, &b);
        algorithm->processCollision(&a, &b, info_, &any);
        algorithm->~btCollisionAlgorithm();
        dispatcher_.freeCollisionAlgorithm(algorithm);
        return any.found;
    }

  private:
    std::vector<int> indices_;
    std::vector<float> positions_;
    std::unique_ptr<btTriangleIndexVertexArray> mesh_;
    std::unique_ptr<btGImpactMeshShape> shape_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDispatcherInfo info_;
    btCollisionObject a_, b_;
};

const Registration kBullet(
    {.name = "Bullet GImpact",
     .family = "Bullet",
     .misses = true,
     .limits = "generates contacts, has no yes-or-no query: compared on misses only; no "
               "distance, no count of triangle pairs",
     .rank = 30},
    [] { return std::make_unique<Bullet>(); });

}  // namespace
}  // namespace espalier_bench

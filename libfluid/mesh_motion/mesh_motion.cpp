#include "libfluid/mesh_motion/mesh_motion.hpp"

#include <algorithm>
#include <stdexcept>

#include "libadjoint/solve/scientific.hpp"
#include "libfem/design/geometry/boundary_intersection.hpp"
#include "libfem/mesh/cell_quality.hpp"
#include "libfem/mesh/mark_interface.hpp"
#include "libfluid/mesh_motion/elastic_motion.hpp"
#include "libfluid/mesh_motion/inverse_distance_motion.hpp"

namespace invar {

MeshMotion::MeshMotion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options)
    : mesh_(std::move(mesh)), comm_(comm), options_(std::move(options)) {
  const auto require = [&](const std::string& name) {
    const Region* r = mesh_->find_region(name);
    if (!r || r->dim != mesh_->dim - 1)
      throw std::invalid_argument("the mesh has no facet region '" + name + "' to move");
  };
  for (const std::string& name : options_.moving) require(name);
  for (const MeshMotionOptions::Sliding& s : options_.sliding) require(s.region);
  undeformed_quality_ = quality_ = worst_scaled_jacobian(*mesh_);
}

bool MeshMotion::moves(const std::string& region) const {
  return std::ranges::find(options_.moving, region) != options_.moving.end();
}

bool MeshMotion::slides(const std::string& region) const {
  return std::ranges::find(options_.sliding, region, &MeshMotionOptions::Sliding::region) != options_.sliding.end();
}

std::vector<std::string> MeshMotion::regions_that_move() const {
  std::vector<std::string> names = options_.moving;
  for (const MeshMotionOptions::Sliding& s : options_.sliding) names.push_back(s.region);
  return names;
}

Evaluation MeshMotion::inspect(const std::vector<double>& coordinates) {
  Mesh moved = *mesh_;
  moved.coordinates = coordinates;
  quality_ = worst_scaled_jacobian(moved);
  const double least = std::min(options_.least_quality, options_.least_ratio * undeformed_quality_);
  if (!(quality_ >= least))
    return Evaluation::failure("the mesh is too distorted: worst scaled Jacobian " + short_number(quality_) +
                               ", at least " + short_number(least) + " is required");
  std::vector<std::string> walls;
  for (const Region& r : mesh_->regions)
    if (r.dim == mesh_->dim - 1 && !is_interface(r)) walls.push_back(r.name);
  if (const auto crossing = find_boundary_intersection(*mesh_, walls, coordinates))
    return Evaluation::failure("in the undeformed state " + crossing->message);
  return Evaluation::success(0);
}

Evaluation MeshMotion::move(const std::vector<double>& boundary, std::vector<double>& coordinates) {
  if (const Evaluation e = displace(boundary, coordinates); !e.ok) return e;
  for (std::size_t i = 0; i < coordinates.size(); ++i) coordinates[i] += mesh_->coordinates[i];
  return inspect(coordinates);
}

std::shared_ptr<MeshMotion> make_mesh_motion(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, MeshMotionOptions options) {
  if (options.method == MeshMotionOptions::Method::elastic) return std::make_shared<ElasticMotion>(std::move(mesh), comm, std::move(options));
  if (mesh->dim == 2) return std::make_shared<InverseDistanceMotion<2>>(std::move(mesh), comm, std::move(options));
  return std::make_shared<InverseDistanceMotion<3>>(std::move(mesh), comm, std::move(options));
}

}  // namespace invar

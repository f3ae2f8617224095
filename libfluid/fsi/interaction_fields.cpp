#include "libfluid/fsi/interaction_fields.hpp"

#include "libadjoint/solve/diagonal_schur.hpp"
#include "libfem/mesh/region_flags.hpp"

namespace invar {
namespace {

IsHandle index_set(const std::vector<PetscInt>& rows, MPI_Comm comm, int block_size) {
  IsHandle is;
  check(ISCreateGeneral(comm, static_cast<PetscInt>(rows.size()), rows.data(), PETSC_COPY_VALUES, is.out()));
  check(ISSetBlockSize(is, block_size));
  return is;
}

}  // namespace

std::shared_ptr<CoupledFields> interaction_fields(const DofMap& dofs, const std::vector<int>& v, int p, const std::vector<int>& d,
                                                  const std::vector<std::string>& bodies) {
  const std::vector<char> in_body = nodes_in(dofs.mesh(), bodies);
  std::vector<PetscInt> velocity, pressure, integral, integrand, follower;
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node) {
    const auto row = [&](int c) { return static_cast<PetscInt>(dofs.global_dof(node) + dofs.dof(node, c) - dofs.first_dof(node)); };
    for (std::size_t i = 0; i < v.size(); ++i) {
      velocity.push_back(row(v[i]));
      (in_body[node] ? integral : follower).push_back(row(d[i]));
      if (in_body[node]) integrand.push_back(row(v[i]));
    }
    if (dofs.dof(node, p) >= 0) pressure.push_back(row(p));
  }
  const MPI_Comm comm = dofs.comm();
  const int dim = static_cast<int>(v.size());
  auto fields = std::make_shared<CoupledFields>();
  fields->saddle = std::make_shared<DiagonalSchur>(index_set(velocity, comm, dim), index_set(pressure, comm, 1));
  fields->integral = index_set(integral, comm, dim);
  fields->integrand = index_set(integrand, comm, dim);
  fields->follower = index_set(follower, comm, dim);
  fields->favours_iteration = dim == 3;
  return fields;
}

}  // namespace invar

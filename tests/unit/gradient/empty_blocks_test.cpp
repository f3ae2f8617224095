// Matrices of coupled fields store no block that no form writes, and lack no entry that one does.
#include <map>

#include "libfem/mesh/region_flags.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/sub_domain_problem.hpp"
#include "tests/unit/gradient/transient_table.hpp"

namespace invar::gradient_test {
namespace {

/// A matrix at a state where no entry vanishes by chance.
class MatrixOfFields {
 public:
  /// `place`: a number for each node; unknowns of one component at nodes of one number are alike.
  MatrixOfFields(const TransientProblem& p, const std::vector<char>& place) : p_(p), kind_(p.dofs->n_global(), 0), u_(some(1)), rate_(some(2)) {
    const DofMap& dofs = *p.dofs;
    for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
      for (int k = 0; k < dofs.dof_count(node); ++k) {
        int& kind = kind_[dofs.global_dof(node) + k];
        kind = 1 + 8 * place[node] + dofs.component_at(node, k);
        if (r().held_unknowns()[dofs.first_dof(node) + k]) kind = 0;
      }
    MPI_Allreduce(MPI_IN_PLACE, kind_.data(), static_cast<int>(kind_.size()), MPI_INT, MPI_SUM, dofs.comm());
    weights_[Level::value] = 1, weights_[Level::rate] = 4.5;
    if (ChangingPattern* pattern = r().capabilities().pattern) pattern->update_pattern(at());
    r().jacobian(at(), weights_);
  }

  /// Stored entries between unknowns that are not prescribed, off the diagonal; and the kinds of two unknowns between which all of them are zero.
  long long stored = 0;
  std::vector<std::pair<int, int>> empty_blocks() {
    constexpr int most = 64;
    std::vector<int> largest(most * most, 0);  // 1: stored, 2: one is not zero
    PetscInt first = 0, end = 0;
    check(MatGetOwnershipRange(r().matrix(), &first, &end));
    for (PetscInt i = first; i < end; ++i) {
      PetscInt n = 0;
      const PetscInt* columns = nullptr;
      const PetscScalar* values = nullptr;
      check(MatGetRow(r().matrix(), i, &n, &columns, &values));
      for (int k = 0; k < n; ++k) {
        const int row = kind_[i], column = kind_[columns[k]];
        if (!row || !column || columns[k] == i) continue;
        ++stored;
        int& found = largest[row * most + column];
        found = std::max(found, values[k] != 0 ? 2 : 1);
      }
      check(MatRestoreRow(r().matrix(), i, &n, &columns, &values));
    }
    MPI_Allreduce(MPI_IN_PLACE, largest.data(), most * most, MPI_INT, MPI_MAX, p_.dofs->comm());
    MPI_Allreduce(MPI_IN_PLACE, &stored, 1, MPI_LONG_LONG, MPI_SUM, p_.dofs->comm());
    std::vector<std::pair<int, int>> empty;
    for (int i = 0; i < most * most; ++i)
      if (largest[i] == 1) empty.emplace_back(i / most, i % most);
    return empty;
  }

  /// Largest difference of K's columns from the equation's derivatives, which need no matrix, relative to their largest entry.
  double distance_from_tangent() {
    const VecHandle e = r().create_vector(), scaled = r().create_vector(), Ke = r().create_vector(), jvp = r().create_vector();
    double size = 0, off = 0;
    for (PetscInt j = 0; j < static_cast<PetscInt>(kind_.size()); ++j) {
      if (!kind_[j]) continue;  // left out
      for (const auto& [v, entry] : {std::pair{Vec(e), 1.0}, {Vec(scaled), weights_[Level::rate]}}) {
        check(VecSet(v, 0));
        if (j >= p_.dofs->global_offset() && j < p_.dofs->global_offset() + p_.dofs->n_owned()) check(VecSetValue(v, j, entry, INSERT_VALUES));
        check(VecAssemblyBegin(v)), check(VecAssemblyEnd(v));
      }
      check(MatMult(r().matrix(), e, Ke));
      State along{e};
      along.levels[Level::rate] = scaled;
      r().jvp(at(), along, nullptr, jvp);
      double norm = 0;
      check(VecNorm(jvp, NORM_INFINITY, &norm));
      size = std::max(size, norm);
      check(VecAXPY(Ke, -1, jvp));
      check(VecNorm(Ke, NORM_INFINITY, &norm));
      off = std::max(off, norm);
    }
    return off / size;
  }

 private:
  FormResidual& r() { return *p_.residual; }
  EvaluationPoint at() {
    EvaluationPoint point{u_, r().given()};
    point.levels[Level::rate] = rate_;
    point.given.time = point.given.constraint_time = 0.3;
    return point;
  }
  /// Small, as displacements must be.
  VecHandle some(int seed) {
    VecHandle v = r().create_vector();
    double* x = nullptr;
    check(VecGetArray(v, &x));
    for (int i = 0; i < p_.dofs->n_owned(); ++i) x[i] = 0.02 * std::sin(1.0 + seed + 1.7 * (static_cast<double>(p_.dofs->global_offset()) + i));
    check(VecRestoreArray(v, &x));
    return v;
  }

  const TransientProblem& p_;
  std::vector<int> kind_;  // of every unknown, 0: prescribed
  VecHandle u_, rate_;
  PerLevel<double> weights_{};
};

/// All unknowns of nodes that share a cell, without prescribed ones and the diagonal.
long long entries_of_whole_blocks(const TransientProblem& p) {
  const AssembledMatrix whole(p.dofs);
  const std::vector<char>& held = p.residual->held_unknowns();
  const auto free_dofs = [&](int node) { return std::count(&held[p.dofs->first_dof(node)], &held[p.dofs->first_dof(node)] + p.dofs->dof_count(node), 0); };
  long long entries = 0;
  for (int a = 0; a < p.mesh->n_owned_nodes; ++a)
    for (const int b : whole.pattern()->neighbours(a)) entries += free_dofs(a) * (free_dofs(b) - (a == b));
  MPI_Allreduce(MPI_IN_PLACE, &entries, 1, MPI_LONG_LONG, MPI_SUM, p.dofs->comm());
  return entries;
}

/// Which of the regions nodes are in, bit by bit. least_saved: part of the entries of whole blocks that is not stored.
void expect_no_empty_blocks(const TransientProblem& p, const std::vector<std::string>& regions, double least_saved) {
  std::vector<char> place(p.mesh->node_total(), 0);
  for (std::size_t k = 0; k < regions.size(); ++k) {
    const std::vector<char> inside = nodes_in(*p.mesh, {regions[k]});
    for (std::size_t n = 0; n < place.size(); ++n) place[n] = static_cast<char>(place[n] | (inside[n] ? 1 << k : 0));
  }
  MatrixOfFields matrix(p, place);
  for (const auto& [row, column] : matrix.empty_blocks())
    ADD_FAILURE() << p.name << ": rows of component " << (row - 1) % 8 << " at nodes of place " << (row - 1) / 8 << ", columns of component " << (column - 1) % 8
                  << " of place " << (column - 1) / 8;
  EXPECT_LT(static_cast<double>(matrix.stored), (1 - least_saved) * static_cast<double>(entries_of_whole_blocks(p))) << p.name;
  EXPECT_LT(matrix.distance_from_tangent(), 1e-13) << p.name;
}

// a and c, which do not see each other, but for c's rows of what b does in half of the mesh.
TEST(EmptyBlocks, OfTwoFieldsAreNotStored) {
  for (const bool attached : {false, true})
    expect_no_empty_blocks(TwoFields::make({Shape::triangle, attached, TimeScheme(TimeScheme::Kind::bdf2, 1)}, PETSC_COMM_WORLD), {"half"}, 0.3);
}

// Rows of the mesh do not see velocity and pressure, rows of a body's displacement not its other components.
TEST(EmptyBlocks, OfInteractionAreNotStored) {
  for (const TransientInteractionSpec& s : all_transient_interactions()) expect_no_empty_blocks(make_transient(s, PETSC_COMM_WORLD), {"flap", "water"}, 0.2);
}

}  // namespace
}  // namespace invar::gradient_test

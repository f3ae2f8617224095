#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/distant_coupling.hpp"
#include "libfem/form/forwarded_form.hpp"
#include "libfluid/fsi/moved_walls.hpp"

namespace invar {

/// A form without a density on a moving mesh, two of whose coefficients are functions of the moved positions: the distance to walls, and the mean of its
/// reciprocal over a cell. They are no coefficients of this form, which adds their derivatives to those by unknown and coordinates; all are
/// exact. Its matrix couples the nodes of a cell with the wall nodes nearest to them.
///
/// Columns of the matrix by the distances come from directional derivatives of the form, one for all first nodes of cells that share no node,
/// and so on: as many as there are nodes in a cell, of all cells together.
/// History variables, such as numbers of branches, are updated, not differentiated.
class WithWallDistance final : public ForwardedForm, public DistantCoupling {
 public:
  using Make = std::function<std::unique_ptr<WeakForm>(CellBatches)>;
  /// Numbers of two coefficients of the form.
  struct Places {
    int distance, proximity;
  };
  /// make: creates the form on these cells, or on some of them.
  WithWallDistance(Make make, CellBatches cells, Places places, std::shared_ptr<MovedWalls> walls);
  ~WithWallDistance() override;

  std::vector<Coefficient>& coefficients() override { return coefficients_; }
  /// None: reactions of equations that read the distance are not available.
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart&) const override { return nullptr; }
  void add_couplings(const FormState& at, std::vector<NodePair>& pairs) const override;
  DistantComponents distant_components() const override;

  void update_memory(const FormState& at, double* next) const override;
  bool residual(const FormState& at, double* r) const override;
  void jvp(const FormState& at, const FormTangent& direction, double* r_dot) const override;
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override;
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override;
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const override;

 private:
  struct Apart;
  struct Direction;
  struct Bars;

  /// Evaluates the distances, and sets the coefficients of the form.
  void prepare(const FormState& at) const;
  void set_coefficients(WeakForm& form) const;
  /// Position of the form's k-th coefficient in `coefficients_`; −1: it is a function of the positions.
  int given(int k) const;
  const std::vector<Apart>& parts() const;
  const std::vector<std::vector<int>>& neighbours() const;

  Make make_;
  CellBatches cells_;
  Places places_;
  std::shared_ptr<MovedWalls> walls_;
  std::vector<Coefficient> coefficients_;   // the others
  // created on first use
  mutable std::vector<Apart> parts_;
  mutable std::vector<std::vector<int>> neighbours_;
};

}  // namespace invar

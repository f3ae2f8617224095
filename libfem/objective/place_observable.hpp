#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "libfem/form/form_residual.hpp"
#include "libfem/objective/linear_observable.hpp"
#include "libfem/objective/quantity_entry.hpp"

namespace invar {

/// y = B (u + X − X₀): the displacement from places X₀ of the mesh as given, where B is that of a linear observable of displacements and the
/// nodes' places X are designed. As if all nodes of the displacement began at X₀ and design and load moved them on.
class PlaceObservable final : public Observable {
 public:
  /// The first components are the displacement.
  PlaceObservable(std::shared_ptr<FormResidual> residual, std::unique_ptr<LinearObservable> of_displacement);

  int size() const override { return linear_->size(); }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// u, perhaps null, plus the nodes' displacement x[place] − from[place]; from: may be null.
  VecHandle moved(Vec u, const double* x, const double* from) const;

  std::shared_ptr<FormResidual> residual_;
  std::unique_ptr<LinearObservable> linear_;
  std::vector<std::pair<int, std::size_t>> nodes_;  // own dof, and its coordinate's place in the control
};

/// The displacement in a region against formulas, from the designed body or from the mesh as given.
DataEntry<QuantityCase> displacement_field_data();

}  // namespace invar

#pragma once
#include <array>
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Distance [m] of two nodes of a mesh with designed coordinates: thickness of a part, width of a gap. Independent of the unknown.
class NodeDistance final : public Observable {
 public:
  /// The nodes nearest to two points of the undeformed mesh. `offsets`: their distances from the points, m. Collective.
  NodeDistance(std::shared_ptr<FormResidual> residual, const std::array<std::vector<double>, 2>& points,
               std::array<double, 2>& offsets);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  using Span = std::array<double, 3>;
  /// Second node minus first of a nodal field [node × dim], on every rank; zero without one.
  Span span(const double* nodal) const;
  /// Subtracts s from the first node's entry of d_bar[coordinates] and adds it to the second's, on their owners, if wanted.
  void add(const Span& s, Controls* d_bar) const;
  const double* direction(const Controls* d_dot) const;

  std::shared_ptr<FormResidual> residual_;
  std::array<int, 2> node_{-1, -1};  // owned local number, −1 on the other ranks
};

}  // namespace invar

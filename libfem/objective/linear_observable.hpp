#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// y = B u with a constant sparse matrix B: displacements at markers, nodal fields of a region. A row is stored on a rank that has
/// all its dofs; values are summed over ranks.
class LinearObservable final : public Observable {
 public:
  struct Entry {
    int row;        // of y
    int dof;        // local, may be a ghost
    double factor;
  };
  /// level: of the state.
  LinearObservable(std::shared_ptr<const DofMap> dofs, int size, std::vector<Entry> entries, Level level = Level::value);

  int size() const override { return size_; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  void apply(Vec u, double* y) const;
  void apply_transpose(const double* y_bar, Vec u_bar) const;

  std::shared_ptr<const DofMap> dofs_;
  int size_;
  std::vector<Entry> entries_;
  Level level_;
};

}  // namespace invar

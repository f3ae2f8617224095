#pragma once
#include <memory>
#include <vector>

#include "libadjoint/maps/variable_transform.hpp"
#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/static_case.hpp"

namespace invar {

/// One unknown of the optimisation and the controls that it sets, by position, in each case.
struct DesignEntry {
  std::string name;
  VariableTransform transform;            // optimiser coordinate θ ↔ physical value
  double start = 0, lower = 0, upper = 0; // physical
  struct Target {
    int case_index, control;
  };
  std::vector<Target> targets;
};

/// J(θ) = Σ over cases: states solved, data compared, all by the discrete equations. The parameters
/// θ are shared by the cases.
class CaseFunctional final : public LeastSquaresFunctional {
 public:
  CaseFunctional(std::vector<std::shared_ptr<StaticCase>> cases, std::vector<DesignEntry> entries, MPI_Comm comm);

  MPI_Comm comm() const override { return comm_; }
  DesignVector start() const override;
  DesignVector lower() const override;
  DesignVector upper() const override;
  std::vector<std::string> names() const override;
  int residual_count() const override;

  Evaluation value(const DesignVector& theta) override;
  Evaluation gradient(const DesignVector& theta, DesignVector& g) override;
  Evaluation directional(const DesignVector& theta, const DesignVector& direction, double& derivative) override;
  Evaluation hessian_action(const DesignVector& theta, const DesignVector& direction, DesignVector& out) override;
  Evaluation residuals(const DesignVector& theta, Eigen::VectorXd& rho) override;
  Evaluation jacobian(const DesignVector& theta, Eigen::VectorXd& rho, Eigen::MatrixXd& drho) override;

  const std::vector<DesignEntry>& entries() const { return entries_; }
  const std::vector<std::shared_ptr<StaticCase>>& cases() const { return cases_; }
  /// Physical values of θ.
  std::vector<double> physical(const DesignVector& theta) const;
  /// Solves all cases at θ, unless that was the last thing done. With d_bars (per case, wanted entries
  /// zero) the adjoints are solved on the way; a solution that is at hand is solved again for it.
  Evaluation solve(const DesignVector& theta, std::vector<Controls>* d_bars = nullptr);

 private:
  Controls controls_of(int case_index, const DesignVector& theta) const;
  /// A direction or a set of wanted derivatives of one case's controls: entry k with the given value.
  Controls direction_of(int case_index, const std::vector<double>& physical_dot) const;

  std::vector<std::shared_ptr<StaticCase>> cases_;
  std::vector<DesignEntry> entries_;
  MPI_Comm comm_;
  std::vector<Controls> base_;        // controls of each case as given in the spec
  DesignVector solved_at_;
  Evaluation last_;
  bool has_solved_ = false;
};

}  // namespace invar

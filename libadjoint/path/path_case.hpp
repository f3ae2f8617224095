#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/case.hpp"
#include "libadjoint/path/load_factor.hpp"
#include "libadjoint/path/path_system.hpp"
#include "libadjoint/solve/newton.hpp"

namespace invar {

/// Definition of the points of an equilibrium path.
struct PathControl {
  /// A scalar observable c of the state.
  std::shared_ptr<Observable> quantity;
  /// false: the point at t is that with c = t. true: c(v) = ‖v‖² is a squared norm, and the distance ‖u_k − u_{k−1}‖ of
  /// successive points is t_k − t_{k−1}; t is then the arc length measured along chords.
  bool chords = false;
  /// Positions of the controls that the load factor multiplies.
  std::vector<int> scaled;
};

struct PathOptions {
  NewtonOptions newton;
  int max_cuts = 8;  // largest number of times that a step to the next point is halved
};

/// An experiment without time with unknown load: equilibria r(u; D(d, λ)) = 0 at given values of a quantity, with the
/// load factor λ as an unknown of each (`PathSystem`). With displacement control the path is followed past limit
/// points, where λ turns, and past turning points of all displacements except the controlled one. With chords
/// (arc-length control, E. Riks 1979, M. A. Crisfield 1981, displacement norm only) it is followed past both.
/// Every point has its own equations. If a step is halved, the intermediate points are only initial guesses. With a
/// controlled quantity a point depends on the controls only; with chords also on the previous point, so derivatives are
/// propagated from point to point. They are exact for the computed points.
class PathCase final : public Case {
 public:
  /// `start`: t of the unloaded state; with a controlled quantity only formulas in t depend on it.
  PathCase(std::string name, std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver, PathControl control,
           std::vector<double> times, double start, PathOptions options);

  using Case::run;
  ProcessReport run(const Controls& d, std::span<const Seed> seeds = {}) override;
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) override { solver_->set_monitor(std::move(monitor)); }
  std::vector<int> states_at_hand() const override { return first_steps(states_.size()); }
  void restate(std::shared_ptr<const Controls> d) override {
    Case::restate(d);
    factor_.set_controls(std::move(d));
    linearised_step_ = -1;
  }
  bool compare_values(bool on) override {
    options_.newton.to_floor = on;
    return false;
  }
  Setting setting(int step) const override;
  void visit_states(const std::function<void(int step, const EvaluationPoint& u)>& visit) override;
  void with_state(int step, const std::function<void(const EvaluationPoint& u)>& use) override;
  SolveReport quantity_tangents(std::span<const ProcessTerm* const> terms, const Controls& direction,
                                std::vector<double>& derivatives) override;
  SolveReport gradients(std::span<const Seed> seeds) override;
  SolveReport tangent(const std::vector<Controls>& directions, Eigen::MatrixXd& rho_dot,
                      Eigen::VectorXd& value_dot) override;
  SolveReport hessian_action(const Controls& direction, Controls& d_bar_dot) override;
  std::string why_no_second_derivatives() const override;

  /// λ at each of the times.
  const std::vector<double>& load_factors() const { return factors_; }

 private:
  /// Derivative of a point along a direction of the controls.
  struct Rate {
    VecHandle u;
    double lambda = 0;
  };
  /// State of one seed's reverse sweep along the path.
  struct Adjoint {
    Sensitivities reads;
    Controls* d_bar;
    VecHandle carried;  // ∂/∂u of the previous point, with chords
  };
  struct Target;

  bool advance(const Target& target, double from, double to, Vec u, double& lambda, int depth, ProcessReport& report,
               NewtonReport& newton);
  bool predict(const Target& target, double from, double to, Vec u, double& lambda, ProcessReport& report);
  bool follow(Vec u, Vec du, double& lambda, double d_lambda, ProcessReport& report);
  std::string point_name(std::size_t step) const;

  Vec before(int step) const { return step > 0 ? states_[step - 1].get() : rest_.get(); }
  /// The kept state of a step.
  EvaluationPoint point(int step) const { return {states_[step], setting(step)}; }
  /// Sets λ and t of the system to those of a step.
  void at_step(int step);
  /// Sets λ and t of the system to those of the unloaded start; returns the point there.
  EvaluationPoint at_rest();
  /// Assembles the linear systems at a point; cached until another point is asked for.
  void linearise(int step);
  /// The argument of c at a step.
  EvaluationPoint argument(int step);
  void observe(int step, Observable& observable, double* y) override;
  VecHandle rest_rate(const Controls& direction);
  SolveReport rate_at(int step, const Controls& direction, Vec before_dot, Rate& rate);
  /// Calls use(step, rate, direction of the effective controls) at the wanted steps.
  template <class Use>
  SolveReport sweep_forward(const Controls& direction, const std::vector<char>& wanted, Use&& use);
  SolveReport reverse(int step, Adjoint& adjoint);
  void pull_back_rest(Adjoint& adjoint);

  std::shared_ptr<LinearSolver> solver_;
  PathControl control_;
  double start_;
  PathOptions options_;
  LoadFactor factor_;
  PathSystem system_;
  VecHandle rest_;                  // start of the path
  double force_scale_ = 0;          // largest load of this run
  std::vector<VecHandle> states_;
  std::vector<double> factors_;     // λ
  VecHandle chord_;
  int linearised_step_ = -1;
};

}  // namespace invar

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

/// What fixes the points of an equilibrium path.
struct PathControl {
  /// One number of the state, c.
  std::shared_ptr<Observable> quantity;
  /// false: the point at t is that with c = t. true: c(v) = ‖v‖² is the square of a norm, and the distance ‖u_k −
  /// u_{k−1}‖ of a point from the one before is t_k − t_{k−1}: t is the length of the path, measured along its chords.
  bool chords = false;
  /// Positions of the controls that the load factor multiplies.
  std::vector<int> scaled;
};

struct PathOptions {
  NewtonOptions newton;
  int max_cuts = 8;  // how often the way from one point to the next may be halved before the process has failed
};

/// An experiment without time whose load is not given: equilibria r(u; D(d, λ)) = 0 at given values of a quantity, with
/// the load factor λ an unknown of each (`PathSystem`). So the path is followed past limit points, where λ turns, and
/// past turning points of any displacement that is not the quantity. By chords (E. Riks 1979, M. A. Crisfield 1981,
/// with the norm of the displacement alone) past both.
///
/// Every point has its own equations; where a way has to be halved the points between serve as a start and define
/// nothing. By a quantity a point depends on the controls alone, by chords also on the point before: derivatives go
/// through the points one after the other, and are exact for the points that were found.
class PathCase final : public Case {
 public:
  /// `start`: the value of t that belongs to rest; by a quantity only formulas in t see it.
  /// Throws std::invalid_argument for equations whose matrix changes its pattern.
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

  /// Words for an unknown, by its global number; collective. Empty: its number.
  std::function<std::string(PetscInt row)> name_unknown;

  /// λ at each of the times.
  const std::vector<double>& load_factors() const { return factors_; }

 private:
  /// How a point moves along a direction of the controls.
  struct Rate {
    VecHandle u;
    double lambda = 0;
  };
  /// The way of one seed back along the path.
  struct Adjoint {
    Sensitivities reads;
    Controls* d_bar;
    VecHandle carried;  // ∂/∂u of the point before, by chords
  };
  struct Target;

  bool advance(const Target& target, double from, double to, Vec u, double& lambda, int depth, ProcessReport& report,
               NewtonReport& newton);
  bool predict(const Target& target, double from, double to, Vec u, double& lambda, ProcessReport& report);
  std::string point_name(std::size_t step) const;

  Vec before(int step) const { return step > 0 ? states_[step - 1].get() : rest_.get(); }
  /// The kept state of a step.
  EvaluationPoint point(int step) const { return {states_[step], setting(step)}; }
  /// λ and t of the system become those of a step.
  void at_step(int step);
  /// λ and t of the system become those of the start of the path, without load; the point there.
  EvaluationPoint at_rest();
  /// The linear systems at a point; assembled once and used until another is asked for.
  void linearise(int step);
  /// What c is evaluated at.
  EvaluationPoint argument(int step);
  void observe(int step, Observable& observable, double* y) override;
  VecHandle rest_rate(const Controls& direction);
  SolveReport rate_at(int step, const Controls& direction, Vec before_dot, Rate& rate);
  /// Calls use(step, rate, direction that the equations see) at the wanted steps.
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
  VecHandle rest_;                  // where the path begins
  double force_scale_ = 0;          // largest load met in this process
  std::vector<VecHandle> states_;
  std::vector<double> factors_;     // λ
  VecHandle chord_;
  int linearised_step_ = -1;
};

}  // namespace invar

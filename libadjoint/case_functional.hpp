#pragma once
#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "libadjoint/adaptive_parameters.hpp"
#include "libadjoint/case.hpp"
#include "libadjoint/parameterization.hpp"
#include "libadjoint/reduced_functional.hpp"

namespace invar {

/// A constraint: a quantity of one case that must stay within limits.
struct CaseConstraint {
  ConstraintInfo info;
  int case_index = 0;
  ProcessTerm quantity;  // c
};

/// A quantity of one case.
struct CaseQuantity {
  int case_index = 0;
  const ProcessTerm* term = nullptr;
};

/// J(θ): the sum of the objectives of all cases, evaluated and differentiated through the discrete equations. The cases share
/// the parameters θ, which are blocks of design variables. If some constraints compete (`ConstraintInfo::competes`), J
/// includes the largest of them. Derivatives are those of the one that was largest at the last point; while values are
/// compared the choice is not changed.
class CaseFunctional final : public LeastSquaresFunctional {
 public:
  CaseFunctional(std::vector<std::shared_ptr<Case>> cases,
                 std::vector<std::shared_ptr<Parameterization>> design, MPI_Comm comm,
                 std::vector<CaseConstraint> constraints = {});
  /// The same for cases of one kind.
  template <std::derived_from<Case> C>
  CaseFunctional(const std::vector<std::shared_ptr<C>>& cases, std::vector<std::shared_ptr<Parameterization>> design,
                 MPI_Comm comm, std::vector<CaseConstraint> constraints = {})
      : CaseFunctional(std::vector<std::shared_ptr<Case>>(cases.begin(), cases.end()), std::move(design), comm,
                       std::move(constraints)) {}

  MPI_Comm comm() const override { return comm_; }
  bool has_kinks() const override;
  std::vector<char> branches() override;
  /// Start of the blocks, or the one set by `set_start`.
  DesignVector start() const override;
  void set_start(DesignVector start) { start_ = std::move(start); }
  DesignVector lower() const override;
  DesignVector upper() const override;
  std::vector<std::string> names() const override;
  int residual_count() const override;
  std::vector<double> largest_steps() const override;
  std::vector<ConstraintInfo> constraints() const override;

  Evaluation value(const DesignVector& theta) override;
  Evaluation gradient(const DesignVector& theta, DesignVector& g) override;
  Evaluation directional(const DesignVector& theta, const DesignVector& direction, double& derivative) override;
  Evaluation directionals(const DesignVector& theta, std::span<const DesignVector> directions,
                          std::vector<double>& derivatives) override;
  std::vector<double> magnitudes() const override { return magnitudes_; }
  std::vector<double> term_sizes() const override { return term_sizes_; }
  Evaluation hessian_action(const DesignVector& theta, const DesignVector& direction, DesignVector& out) override;
  bool compare_values(bool on) override;
  Evaluation residuals(const DesignVector& theta, Eigen::VectorXd& rho) override;
  Evaluation jacobian(const DesignVector& theta, Eigen::VectorXd& rho, Eigen::MatrixXd& drho) override;
  DesignVector prior_precision() const override;
  Evaluation residual_jvp(const DesignVector& theta, const DesignVector& direction, Eigen::VectorXd& rho_dot) override;
  Evaluation residual_vjp(const DesignVector& theta, const Eigen::VectorXd& rho_bar, DesignVector& g) override;
  Evaluation constraint_values(const DesignVector& theta, std::vector<double>& c) override;
  Evaluation constraint_gradients(const DesignVector& theta, std::vector<double>& c,
                                  std::vector<DesignVector>& gradients) override;
  Evaluation constraint_directional(const DesignVector& theta, const DesignVector& direction,
                                    std::vector<double>& derivatives) override;

  /// J, c and all their gradients. Each case is solved once and has one reverse sweep for all its functionals.
  Evaluation gradients(const DesignVector& theta, DesignVector& g, std::vector<double>& c,
                       std::vector<DesignVector>& constraint_gradients) override;

  /// d(quantity)/dθ of each quantity, by adjoints, with one reverse sweep per case. Values: `Case::quantity` after `solve`.
  Evaluation quantity_gradients(const DesignVector& theta, std::span<const CaseQuantity> quantities,
                                std::vector<DesignVector>& gradients);
  /// Discards cached results: the next evaluation solves again. Call when something other than θ has changed.
  void forget() { has_solved_ = has_gradient_ = false; }
  /// Updates the `AdaptiveParameters` of terms and constraints from the states at θ, if there are any; this makes J another
  /// function. Fails if the states cannot be computed, and then changes nothing.
  Evaluation update_adaptive_parameters(const DesignVector& theta);
  /// Resets the adaptive parameters to their start values.
  void reset_adaptive_parameters();
  bool has_adaptive_parameters() const { return !adaptive_.empty(); }
  /// `memory` returns this rank's part of the data, other than θ, on which the next evaluation depends; `recall` restores it,
  /// to continue an optimisation in another process. `recall` throws std::invalid_argument if the data belong to another
  /// problem.
  std::vector<double> memory() const;
  void recall(const std::vector<double>& memory);
  /// Whether there are design variables.
  bool has_design() const { return !design_.empty(); }
  const std::vector<std::shared_ptr<Parameterization>>& design() const { return design_; }
  /// The entries of x that belong to one block.
  DesignVector part_of(const DesignVector& x, std::size_t block) const;
  /// The shared entries of θ.
  std::vector<DesignVariable> variables() const;
  /// The monitor observes all solves of cases and maps from now on. When it asks to stop, evaluations fail at once.
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) {
    monitor_ = monitor;
    for (const auto& c : cases_) c->set_monitor(monitor);
    for (const auto& block : design_) block->set_monitor(monitor);
  }
  const std::vector<std::shared_ptr<Case>>& cases() const { return cases_; }
  /// Physical values of the shared entries of θ.
  std::vector<double> physical(const DesignVector& theta) const;
  /// Solves all cases at θ, unless they were solved at θ last.
  Evaluation solve(const DesignVector& theta);

 private:
  std::vector<Controls> empty_controls() const;
  /// Offset of a block in the design vector.
  struct Place {
    std::size_t shared = 0, local = 0;
  };
  void add_part(DesignVector& x, std::size_t block, const DesignVector& part) const;
  enum class Order { forward, reverse };
  /// Calls visit(block number) for each block; stops at the first failure.
  template <class Visit>
  Evaluation for_blocks(Order order, Visit&& visit) const {
    const std::size_t n = design_.size();
    for (std::size_t k = 0; k < n; ++k)
      if (const Evaluation e = visit(order == Order::forward ? k : n - 1 - k); !e.ok) return e;
    return Evaluation::success(0);
  }
  Evaluation controls_at(const DesignVector& theta, std::vector<Controls>& d);
  Evaluation direction_of(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot);
  /// [case][direction]
  Evaluation directions_of(const DesignVector& theta, std::span<const DesignVector> directions,
                           std::vector<std::vector<Controls>>& of_cases);
  Evaluation pull_back(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& g);
  void sum_shares(DesignVector& g) const;
  /// ½ θᵀΛθ, collective; and g += Λ x.
  double prior_energy(const DesignVector& theta) const;
  void add_prior(const DesignVector& x, DesignVector& g) const;
  /// Whether the states of all ranks are those of theta (field entries may differ on one rank only). Collective.
  bool at_hand(const DesignVector& theta) const;
  /// Whether the monitor of any rank asks to stop. Collective.
  bool stop_asked() const;
  /// The seeds of each case.
  using CaseSeeds = std::vector<std::vector<Seed>>;
  Evaluation run_cases(const DesignVector& theta, const CaseSeeds& seeds);
  void choose_largest();
  Evaluation sweep_cases(const CaseSeeds& seeds);
  Evaluation differentiate(const DesignVector& theta, bool objective, std::span<const CaseQuantity> quantities,
                           std::vector<DesignVector>& gradients);
  std::vector<CaseQuantity> constrained_quantities() const;
  Evaluation add_directionals(const DesignVector& theta, std::span<const DesignVector> directions,
                              std::vector<double>& derivatives);
  Evaluation find_constraint_rates(const DesignVector& theta, const DesignVector& direction, std::vector<double>& derivatives);
  Evaluation second_order(const DesignVector& theta, const DesignVector& direction, DesignVector& out);
  /// Returns e with the largest estimated error of the linear solves in `derive`.
  template <class Derive>
  Evaluation with_error(Derive&& derive);

  std::vector<std::shared_ptr<Case>> cases_;
  std::vector<std::shared_ptr<Parameterization>> design_;
  MPI_Comm comm_;
  std::vector<CaseConstraint> constraints_;
  /// A competing constraint and its position among the terms of its case.
  struct Competitor {
    std::size_t constraint = 0, term = 0;
  };
  std::vector<Competitor> competitors_;
  bool holds_largest_ = false;        // do not choose the largest anew
  bool knows_largest_ = false;
  std::vector<DesignVector> layout_;  // per block, zeros
  std::vector<Place> place_;          // per block
  DesignVector precision_;            // Λ
  std::vector<Controls> base_;        // controls of each case as given in the spec, with the present adaptive parameters
  /// A term or constraint with adaptive parameters.
  struct Adaptive {
    std::size_t case_index = 0;
    int step = 0;
    AdaptiveParameters* parameters = nullptr;
  };
  std::vector<Adaptive> adaptive_;
  std::optional<DesignVector> start_;
  std::shared_ptr<SolveMonitor> monitor_;
  DesignVector solved_at_;
  Evaluation last_;
  bool has_solved_ = false;
  std::vector<double> magnitudes_; // of the last `directionals`
  std::vector<double> term_sizes_; // of the last `directionals` or `constraint_directional`
  double gradient_error_ = 0;
  DesignVector gradient_;          // at solved_at_, if has_gradient_
  std::vector<Controls> d_bars_;   // derivatives by the controls, from which gradient_ was computed
  bool has_gradient_ = false;
};

}  // namespace invar

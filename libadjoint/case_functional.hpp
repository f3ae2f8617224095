#pragma once
#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "libadjoint/case.hpp"
#include "libadjoint/parameterization.hpp"
#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/renewed_numbers.hpp"

namespace invar {

/// A quantity of one case that must stay within limits.
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

/// J(θ) = Σ over cases: states solved, data compared, all by the discrete equations. The parameters
/// θ are shared by the cases; blocks of them stand side by side. Where constraints compete, the largest of them is added:
/// derivatives are those of the one that was largest at the last point, and stay with it while values are compared.
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
  /// As the blocks have it, or as it was set.
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

  /// J, c and all their gradients. Every case is solved and swept back once for all that read it.
  Evaluation gradients(const DesignVector& theta, DesignVector& g, std::vector<double>& c,
                       std::vector<DesignVector>& constraint_gradients) override;

  /// d(quantity)/dθ of each, by adjoints, with one reverse sweep per case. Values are `Case::quantity` after `solve`.
  Evaluation quantity_gradients(const DesignVector& theta, std::span<const CaseQuantity> quantities,
                                std::vector<DesignVector>& gradients);
  /// The next evaluation solves again: something that θ does not say has changed.
  void forget() { has_solved_ = has_gradient_ = false; }
  /// Brings `RenewedNumbers` of terms and constraints up to date by the states at θ, where there are any: J becomes another
  /// function. Fails where the states cannot be found, and nothing changes then.
  Evaluation renew(const DesignVector& theta);
  /// As they were at the start.
  void renew_from_start();
  bool has_renewed_numbers() const { return !renewed_.empty(); }
  /// What evaluations leave behind and the next one begins with, this rank's part; and puts it back after
  /// an evaluation, for an optimisation that goes on in another process. Throws std::invalid_argument when
  /// it belongs to another problem.
  std::vector<double> memory() const;
  void recall(const std::vector<double>& memory);
  /// Whether there is anything to design.
  bool has_design() const { return !design_.empty(); }
  const std::vector<std::shared_ptr<Parameterization>>& design() const { return design_; }
  /// The entries of x that belong to one of these blocks.
  DesignVector part_of(const DesignVector& x, std::size_t block) const;
  /// The shared entries of θ.
  std::vector<DesignVariable> variables() const;
  /// Hears of all solves of cases and maps from now on. Where it asks to stop, evaluations fail at once.
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) {
    monitor_ = monitor;
    for (const auto& c : cases_) c->set_monitor(monitor);
    for (const auto& block : design_) block->set_monitor(monitor);
  }
  const std::vector<std::shared_ptr<Case>>& cases() const { return cases_; }
  /// Physical values of the shared entries of θ.
  std::vector<double> physical(const DesignVector& theta) const;
  /// Solves all cases at θ, unless that was the last thing done.
  Evaluation solve(const DesignVector& theta);

 private:
  std::vector<Controls> empty_controls() const;
  /// Where a block stands in the design vector.
  struct Place {
    std::size_t shared = 0, local = 0;
  };
  void add_part(DesignVector& x, std::size_t block, const DesignVector& part) const;
  enum class Order { forward, reverse };
  /// visit(number of the block) for each; stops at the first failure.
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
  /// Whether all ranks have solved at theta last: a field may have moved on one of them alone. Collective.
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
  /// e with the largest estimated error of the solves that `derive` makes.
  template <class Derive>
  Evaluation with_error(Derive&& derive);

  std::vector<std::shared_ptr<Case>> cases_;
  std::vector<std::shared_ptr<Parameterization>> design_;
  MPI_Comm comm_;
  std::vector<CaseConstraint> constraints_;
  /// A constraint that competes, and where it stands among the terms of its case.
  struct Competitor {
    std::size_t constraint = 0, term = 0;
  };
  std::vector<Competitor> competitors_;
  bool holds_largest_ = false;        // it stays what it was
  bool knows_largest_ = false;
  std::vector<DesignVector> layout_;  // per block, zeros
  std::vector<Place> place_;          // per block
  DesignVector precision_;            // Λ
  std::vector<Controls> base_;        // controls of each case as given in the spec, renewed ones as they are now
  /// A term or constraint with numbers that are renewed.
  struct Renewed {
    std::size_t case_index = 0;
    int step = 0;
    RenewedNumbers* numbers = nullptr;
  };
  std::vector<Renewed> renewed_;
  std::optional<DesignVector> start_;
  std::shared_ptr<SolveMonitor> monitor_;
  DesignVector solved_at_;
  Evaluation last_;
  bool has_solved_ = false;
  std::vector<double> magnitudes_; // of the last directionals
  std::vector<double> term_sizes_; // of the last directionals or constraint_directional
  double gradient_error_ = 0;
  DesignVector gradient_;          // at solved_at_, when has_gradient_
  std::vector<Controls> d_bars_;   // adjoints of the controls that it was pulled back from
  bool has_gradient_ = false;
};

}  // namespace invar

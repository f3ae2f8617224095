#pragma once
#include <array>
#include <optional>
#include <vector>

#include "libadjoint/residual.hpp"
#include "libadjoint/solve/diagonal_matrix.hpp"
#include "libadjoint/time/step_table.hpp"

namespace invar {

/// Initial data of a step: the history vectors of the scheme, followed by the history variables of the equation, if any.
using History = std::vector<VecHandle>;

/// One time step as a static problem for x: r(y₀(x, h), y₁(x, h), …; d, t) = 0 with the history h. Newton's method and the linear systems
/// are therefore those of static problems. Forward maps use the scheme's table by rows, their transposes by columns.
/// Unknowns without a rate (pressures) and potentials have separate rows in the table. For a constrained potential φ the equation
/// prescribes a pressure, whose change in the step a φ is. History variables are advanced by the equation's
/// own map.
class StepResidual final : public Residual, public StepLimit, public ChangingPattern {
 public:
  /// history_size: of the scheme. held_apart: the tables have separate rows for constrained unknowns.
  StepResidual(Residual& inner, int history_size, bool held_apart = false);

  /// Sets the step to solve, from `history`, which must outlive its use. The functions below replace time and step length of their
  /// setting by those of the step.
  void set_step(StepTable table, const History& history);

  /// One row of the table per kind of unknown.
  struct KindRows {
    StepRow evolving, algebraic, potential, held;

    bool vanishes() const;
    /// Those of a kind; no kind is left as a multiplier.
    const StepRow& of(UnknownKind kind) const {
      using enum UnknownKind;
      return kind == held ? this->held : kind == algebraic || kind == multiplier ? this->algebraic : kind == potential ? this->potential : this->evolving;
    }
    KindRows of_unknown() const { return {{evolving.unknown, {}}, {algebraic.unknown, {}}, {potential.unknown, {}}, {held.unknown, {}}}; }
    KindRows of_history() const { return {{0, evolving.history}, {0, algebraic.history}, {0, potential.history}, {0, held.history}}; }
  };
  KindRows equation_rows(Level l) const {
    return {table_.equation[l], table_.algebraic.equation[l], table_.potential.equation[l], held_rows().equation[l]};
  }

  /// out = rows applied to x and the history.
  void combine(const KindRows& rows, Vec x, const History& history, Vec out) const;
  /// The same with `row` for unknowns with a rate; for the others only its coefficient of x.
  void combine(const StepRow& row, Vec x, const History& history, Vec out) const {
    combine({row, {row.unknown, {}}, {row.unknown, {}}, {row.unknown, {}}}, x, history, out);
  }
  /// Adds the transpose applied to out_bar to x_bar and history_bar.
  void combine_transposed(const KindRows& rows, Vec out_bar, Vec x_bar, History& history_bar) const;

  /// The point y_k(x, h) at which the inner equation is evaluated; its vectors are valid until the next call.
  EvaluationPoint levels_at(const EvaluationPoint& x);

  /// Matrix, pattern and products are those at this state of the equation and this time [s], with the coefficients of the step, while an object
  /// exists; the step must not be set anew meanwhile. The state's vectors must outlive it.
  class LinearisedAt {
   public:
    LinearisedAt(StepResidual& step, State state, double time) : step_(step) { step.linearised_at_ = {{std::move(state), time}}; }
    ~LinearisedAt() { step_.linearised_at_.reset(); }
    LinearisedAt(const LinearisedAt&) = delete;
    LinearisedAt& operator=(const LinearisedAt&) = delete;

   private:
    StepResidual& step_;
  };

  /// Whether the equation has history variables.
  bool has_memory() const { return memory_ != nullptr; }
  /// A zero history.
  History create_history() const;
  /// Sets potentials to zero, with which every march begins.
  void clear_potentials(Vec u) const { of_kind_[static_cast<std::size_t>(UnknownKind::potential)].clear(u); }

  /// The history of the next step; its derivative at x; the transpose of the derivative.
  void advance(const EvaluationPoint& x, const History& history, History& next);
  void advance_jvp(const EvaluationPoint& x, Vec x_dot, const History& history_dot, const Controls* d_dot, History& next_dot);
  void advance_vjp(const EvaluationPoint& x, const History& next_bar, Vec x_bar, History& history_bar, Controls& d_bar);
  /// The point at which observables are evaluated at the end of the step; x may be null at the initial time. Its vectors are valid until
  /// the next call.
  EvaluationPoint observed(const EvaluationPoint& x, const History& history);
  /// Derivative of `observed` along a direction; the vectors are valid until the next call.
  State observed_direction(Vec x_dot, const History& history_dot);
  void observed_transposed(const State& bar, Vec x_bar, History& history_bar) const;

  /// r_dot = ∂r/∂h · h_dot + ∂r/∂d · d_dot at x.
  void history_jvp(const EvaluationPoint& x, const History& history_dot, const Controls* d_dot, Vec r_dot);
  /// x_bar += (∂r/∂x)ᵀ λ (nullptr: not wanted), h_bar += (∂r/∂h)ᵀ λ, d_bar += (∂r/∂d)ᵀ λ at x, by one product with the inner equation.
  /// For the initial acceleration, x_bar does not get the part of λ's constrained rows, whose derivative is the identity.
  void full_vjp(const EvaluationPoint& x, Vec lambda, Vec x_bar, History& history_bar, Controls& d_bar);
  /// Derivative of the result of `full_vjp` when x, the history, λ and the controls vary: each target += …. nullptr: λ does not vary, or a
  /// target that is not wanted. The equation must not have history variables.
  void full_vjp_tangent(const EvaluationPoint& x, Vec lambda, Vec x_dot, const History& history_dot, Vec lambda_dot, const Controls& d_dot,
                        Vec x_bar_dot, History* history_bar_dot, Controls* d_bar_dot);

  MPI_Comm comm() const override { return inner_.comm(); }
  VecHandle create_vector() const override { return inner_.create_vector(); }
  const std::vector<ControlInfo>& controls() const override { return inner_.controls(); }
  const Controls& control_values() const override { return inner_.control_values(); }
  const RowSet& constrained_rows() const override { return inner_.constrained_rows(); }
  void impose_constraints(const Setting& given, Vec x) override;
  bool residual(const EvaluationPoint& x, Vec r) override;
  using Residual::jacobian;
  /// Where the equation has a lumped mass and the step reads its unknown through rates only, the matrix is a DiagonalMatrix if two
  /// products show that it is diagonal; else the equation's matrix.
  void jacobian(const EvaluationPoint& x, const PerLevel<double>&) override;
  Mat matrix() const override { return is_diagonal_ ? diagonal_->mat() : inner_.matrix(); }
  bool symmetric() const override { return inner_.symmetric(); }
  MatrixHints matrix_hints() const override { return inner_.matrix_hints(); }
  Capabilities capabilities() override;
  bool admits(const EvaluationPoint& x) override { return inner_.capabilities().step_limit->admits(levels_at(x)); }
  double longest_step(const EvaluationPoint& x, Vec step) override;
  bool update_pattern(const EvaluationPoint& x) override;
  void jvp(const EvaluationPoint& x, const State& x_dot, const Controls* d_dot, Vec r_dot) override;
  void vjp(const EvaluationPoint& x, Vec lambda, const State& x_bar, Controls* d_bar) override;
  /// Not offered, since a step also depends on its history: throws std::logic_error. See `full_vjp_tangent`.
  void vjp_tangent(const EvaluationPoint&, Vec, const State&, Vec, const Controls*, const State&, Controls*) override;

 private:
  /// Setting of the inner equation for this step.
  Setting inner_setting(const Setting& given) const;
  /// Rates ẏ_k along x_dot and h_dot (either may be missing).
  State direction_of(Vec x_dot, const History* history_dot);
  /// Zero vectors for transposed products at the wanted levels; valid until the next call.
  template <class Wanted>
  State cotangent(Wanted wanted);
  State observe(Vec x, const History& history, PerLevel<VecHandle>& storage) const;
  Vec memory_of(const History& history) const;
  void advance_rows(Vec x, const History& history, History& next) const;
  KindRows history_rows(int i) const;
  KindRows observed_rows(Level l) const {
    return {table_.observed[l], table_.algebraic.observed[l], table_.potential.observed[l], held_rows().observed[l]};
  }
  const StepRows& held_rows() const { return table_.held ? *table_.held : table_; }
  void fill(State& state, Level l, PerLevel<VecHandle>& storage, const KindRows& rows, Vec x, const History& history) const;
  Setting beginning(const Setting& given) const;
  bool reads_value() const;
  bool find_diagonal(const EvaluationPoint& x);

  /// Initial values of the equation at a setting, which the step prescribes for its own rows times a factor, as part of a sum.
  struct Prescribed {
    Level level;
    Setting at;
    double factor;
  };
  std::vector<Prescribed> prescription(const Setting& given) const;
  /// Constrained rows that the step states in place of the equation: all for the initial acceleration, else those of potentials.
  const RowSet& own_rows() const { return table_.starts ? constrained_rows() : held_potentials_; }
  bool has_own_rows() const { return table_.starts || holds_potentials_; }
  Vec prescribed(const Setting& given);
  void write_own_rates(const Setting& given, Vec x_dot, const Controls* d_dot, Vec target);
  VecHandle pull_back_own_rows(const Setting& given, Vec lambda, Controls* d_bar);
  void add_own_rows_curvature(const Setting& given, Vec lambda, const Controls& d_dot, Vec lambda_dot, Controls& d_bar_dot);
  VecHandle without_own_rows(Vec lambda) const;

  Residual& inner_;
  int history_size_;
  HistoryVariables* memory_;  // of the equation; null: none
  std::array<RowSet, unknown_kinds> of_kind_;  // rows by UnknownKind
  bool has_kinds_ = false;  // false: all have a rate, and the sets are empty
  RowSet held_potentials_;
  bool holds_potentials_ = false;  // on any rank
  VecHandle prescribed_;           // in the own rows,
  Setting prescribed_for_;         // of this step for this setting; empty: none
  History no_history_;
  std::optional<DiagonalMatrix> diagonal_;  // of equations with a lumped mass
  bool is_diagonal_ = false;                // the matrix of this step, as far as is known
  VecHandle ones_, probe_;                  // vectors that show it
  StepTable table_;
  const History* history_ = nullptr;
  struct Place {
    State state;
    double time;
  };
  std::optional<Place> linearised_at_;
  PerLevel<VecHandle> y_, y_dot_, y_bar_, seen_, seen_dot_;
};

}  // namespace invar

#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/maps/time_basis.hpp"
#include "libadjoint/residual.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/carried_component.hpp"
#include "libfem/form/lattice_levels.hpp"
#include "libfem/form/distant_coupling.hpp"
#include "libfem/form/point_branches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/mesh/coordinate_field.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

class LocalState;

/// A datum of the problem: (value of a control) × f(x, t). Empty f means 1. f sees where the point was
/// in the mesh as given: it travels with the material when coordinates are designed. In coefficients a
/// control that is a field takes no f.
struct ControlledValue {
  int control = -1;
  std::function<double(const double* x, double t)> shape;  // x: [dim], m
  bool varies_in_space = false;                            // shape depends on x
  bool varies_in_time = false;
  int field = -1;  // of `add_field`: a coefficient that is this, without control and f
};

/// u_c = value on all nodes of a region, or on all others. Of a nodal field the entry `part` of each node
/// is taken.
struct DirichletCondition {
  std::string region;
  int component = 0;
  ControlledValue value;
  int part = 0;
  bool outside = false;  // on the nodes that are not in the region
  bool adds = false;     // to what earlier conditions say of a node, which it otherwise replaces
  std::vector<int> nodes = {};  // in place of a region: those that are held among all that this rank knows
};

/// How an equation uses a form.
struct FormUse {
  std::string name = {};  // for reports: "the load 'wind'"
  // the form is linear in the state: its matrix is assembled once for coefficients that do not change
  bool linear = false;
  std::vector<int> loads = {};  // those of its coefficients that its matrix does not depend on
  std::string between = {};     // what it keeps apart, for reports: "'top' and 'bottom' (contact 'faces')"
};

/// One component of the state that time begins with, on the nodes of a region (empty: everywhere).
struct InitialValue {
  Level level = Level::value;
  std::string region;
  int component = 0;
  ControlledValue value;
  int part = 0;  // of a nodal field with several components
};

/// Sum of weak forms over one space, with Dirichlet conditions: the residual of a physics. Besides
/// these it holds functionals, forms that only objectives read.
class FormResidual : public Residual, public Evolution, public HistoryVariables, public Potential, public StepLimit,
                     public ChangingPattern, public PseudoTime, public Branches {
 public:
  explicit FormResidual(std::shared_ptr<const DofMap> dofs) : dofs_(std::move(dofs)) {}

  // Building, before the first use.
  int add_control(ControlInfo info, std::vector<double> values);
  /// Takes a form; its k-th coefficient is given by values[k], of which a field is one entry per cell or
  /// per node (one component; std::invalid_argument else). Returns its number.
  int add_form(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values, FormUse use = {});
  /// The same for a form that is no part of the equation.
  int add_functional(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values);
  /// The equation's tractions on a part of the boundary: what its flux and the loads there do to test functions, as a
  /// residual of its own that the functions below take by the number that is returned; −1: nothing. What the equation
  /// keeps as history variables is kept there, too, so that this comes before the first `create_memory`. Collective.
  int add_tractions(const BoundaryPart& part);
  /// Makes the nodes' coordinates a control, "coordinates" [node × dim, m]; returns its number.
  int add_coordinates();
  /// Takes a field that follows from the coordinates, for coefficients; returns its number.
  int add_field(std::shared_ptr<CoordinateField> field);
  /// Makes a number a signal with these functions of time, constant at its present value: 1 must be among
  /// what they span with equal coefficients (of a Fourier basis: the first).
  void make_signal(int control, TimeBasis basis);
  /// Later values win. What is constrained begins as the constraints say.
  void add_initial(InitialValue value) { initial_.push_back(std::move(value)); }
  /// Components without a rate, such as a pressure.
  void set_algebraic(std::vector<int> components) { algebraic_ = std::move(components); }
  /// The component that is the potential of a pressure correction.
  void set_potential(int component) { potential_ = component; }
  /// Controls whose values `Setting::continuation` multiplies, wherever forms read them (flow: viscosities).
  void set_continuation_controls(std::vector<int> controls) { continuation_controls_ = std::move(controls); }
  /// Takes a form that is no part of the equation but the mass M of PseudoTime: linear in the change of the state,
  /// which it reads as Level::value, with a weight that depends on the state, which it reads as Level::predicted.
  void add_pseudo_time(std::unique_ptr<WeakForm> mass, std::vector<ControlledValue> values);
  void set_carried(const CarriedComponent& carried) { carried_ = carried; }
  /// Takes a form of these cells that is no part of the equation but says which of its formulas hold, see
  /// PointBranches.
  void add_branches(std::unique_ptr<WeakForm> form, const CellBatches& cells, std::vector<ControlledValue> values);
  /// Later conditions on the same dof win, or add to those before.
  void add_dirichlet(DirichletCondition condition);
  void finish();
  /// Puts other forms that do the same in place of those that are there, at any time. exchange: of the form of this number returns one
  /// that has taken it, or null: it stays.
  using FormExchange = std::function<std::unique_ptr<WeakForm>(int number, std::unique_ptr<WeakForm>& form)>;
  void exchange_forms(const FormExchange& exchange);

  /// Turns a shared control that only cell forms read into a field with that value in every cell, and
  /// back (the first cell's value): to see where an objective is sensitive to it.
  void spread_control(int control);
  void gather_control(int control);

  const DofMap& dofs() const { return *dofs_; }
  std::shared_ptr<const DofMap> dof_map() const { return dofs_; }
  /// Places of the nodes [node × dim, m].
  const std::vector<double>& coordinates(const Setting& given) const {
    return coordinates_ < 0 ? dofs_->mesh().coordinates : (*given.controls)[coordinates_];
  }
  /// Number of the control "coordinates", −1 when they are fixed.
  int coordinates_control() const { return coordinates_; }
  /// Their part of a direction, and where their derivatives go; nullptr when there is none.
  const double* coordinate_direction(const Controls* d_dot) const;
  double* coordinate_target(Controls* d_bar) const;

  /// A number's value: of a signal, at the time; the same sum of other entries, and its transpose.
  double number(int control, const Setting& given) { return number(control, (*given.controls)[control], given); }
  double number(int control, const std::vector<double>& entries, const Setting& given);
  void add_to_number(int control, double bar, std::vector<double>& target, const Setting& given);
  /// The same at any time, without regard to a setting.
  double number_at(int control, const std::vector<double>& entries, double t) const;
  void add_to_number_at(int control, double bar, std::vector<double>& target, double t) const;

  MPI_Comm comm() const override { return dofs_->comm(); }
  VecHandle create_vector() const override { return dofs_->create_vector(); }
  const std::vector<ControlInfo>& controls() const override { return controls_; }
  const Controls& control_values() const override { return values_; }
  const std::vector<int>& constrained_rows() const override { return constrained_rows_; }
  const std::vector<DirichletCondition>& dirichlet_conditions() const { return dirichlet_; }
  /// Flags of the unknowns that are held, [local dof].
  const std::vector<char>& held_unknowns() const { return constrained_; }
  /// Forms of the equation integrate around the axis x = 0.
  bool around_axis() const;
  void impose_constraints(const Setting& given, Vec u) override;
  bool residual(const EvaluationPoint& u, Vec r) override;
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) override;
  Mat matrix() const override { return by_cells_ ? cells_->mat() : assembled().mat(); }
  /// Takes a CellMatrix with LatticeLevels in place of an assembled matrix, after `finish`: for a grid of congruent
  /// cells of first order and a symmetric equation whose element matrices turn out to differ by factors alone. Where
  /// they do not, at any state, the matrix is assembled from then on. Returns false where that can be said beforehand.
  /// Collective.
  bool use_cell_matrix();
  /// Every form of the equation is.
  bool symmetric() const override;
  /// At rest the solution minimises the sum of the forms' values: there is a potential for line searches.
  bool minimises() const;
  void set_near_null_space(NullSpaceHandle modes) { near_null_space_ = std::move(modes); }
  MatrixHints matrix_hints() const override {
    return {.near_null_space = near_null_space_, .prolongation = prolongation_, .saddle_point = saddle_point_,
            .node_blocks = node_blocks_, .levels = levels_};
  }
  void set_prolongation(MatHandle prolongation) { prolongation_ = std::move(prolongation); }
  /// The part of `matrix()` that forms with a constant matrix add for these weights, valid until it is asked for
  /// others; null: there are none. The numbers of the other forms of the equation.
  Mat linear_part(const EvaluationPoint& u, const PerLevel<double>& weights);
  std::vector<int> nonlinear_forms() const;
  /// Told of every state that `jacobian` is assembled at.
  void set_saddle_point(std::shared_ptr<SaddlePoint> blocks) { saddle_point_ = std::move(blocks); }
  /// See MatrixHints.
  void set_node_blocks(bool given) { node_blocks_ = given; }
  Capabilities capabilities() override;
  double potential(const EvaluationPoint& u) override;
  // Of forms that couple nodes without a common cell.
  double longest_step(const EvaluationPoint& u, Vec step) override;
  bool update_pattern(const EvaluationPoint& u) override;
  /// Where they keep things apart that are nearest to each other, of those that press. Collective.
  Approach nearest(const EvaluationPoint& u);
  /// How often the pattern has changed.
  int pattern_changes() const { return pattern_changes_; }
  void damped_jacobian(const EvaluationPoint& u, double cfl) override;
  void add_damping(const EvaluationPoint& u, Vec du, double cfl, Vec r) override;
  double first_factor() const override { return carried_.first_factor; }
  void begin_from_easier(Vec u) override;
  void mark_carried(Vec marks) override;
  void limit_change(Vec u, Vec trial) override;
  std::vector<char> branches(const EvaluationPoint& u) override;
  std::vector<char> algebraic_unknowns() const override;
  SolveReport initial(Level level, const Setting& given, Vec u) override;
  SolveReport initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec u_dot) override;
  SolveReport initial_vjp(Level level, const Setting& given, Vec u_bar, Controls& d_bar) override;
  VecHandle create_memory() const override;
  void update_memory(const EvaluationPoint& u, Vec next) override;
  void update_memory_jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec next_dot) override;
  void update_memory_vjp(const EvaluationPoint& u, Vec next_bar, const State& u_bar, Controls* d_bar) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec r_dot) override;
  void vjp(const EvaluationPoint& u, Vec lambda, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, Vec lambda, const State& u_dot, Vec lambda_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

  // The same without constraints: every row is the sum of the forms. Reactions are made of these. part: of
  // `add_tractions`, or the equation.
  static constexpr int equation = 0;
  void raw_residual(const EvaluationPoint& u, Vec r, int part = equation);
  void raw_jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec r_dot, int part = equation);
  void raw_vjp(const EvaluationPoint& u, Vec weights, const State& u_bar, Controls* d_bar, int part = equation);
  void raw_vjp_tangent(const EvaluationPoint& u, Vec weights, const State& u_dot, Vec weights_dot, const Controls* d_dot,
                       const State& u_bar_dot, Controls* d_bar_dot, int part = equation);

  // ∫ W of one form, summed over ranks, and its derivatives; see WeakForm.
  double form_value(int form, const EvaluationPoint& u);
  double form_value_jvp(int form, const EvaluationPoint& u, const State& u_dot, const Controls* d_dot);
  void form_value_vjp(int form, const EvaluationPoint& u, double seed, const State& u_bar, Controls* d_bar);
  void form_value_vjp_tangent(int form, const EvaluationPoint& u, double seed, const State& u_dot, const Controls* d_dot,
                              const State& u_bar_dot, Controls* d_bar_dot);
  /// Values of a form's coefficients; valid until another setting is asked for.
  const std::vector<Coefficient>& form_coefficients(int form, const Setting& given) {
    prepare(given);
    return forms_[form].form->coefficients();
  }
  /// Where a form's history variables begin in `create_memory`'s array.
  std::size_t first_memory(int form) const { return forms_[form].first_memory; }
  int form_count() const { return static_cast<int>(forms_.size()); }
  /// Of the equation, not a functional or a part of the boundary.
  bool is_of_equation(int form) const { return forms_[form].part == equation; }
  FormTraits form_traits(int form) const { return forms_[form].form->traits(); }
  const std::string& form_name(int form) const { return forms_[form].name; }
  /// Whether a coefficient of the form depends on time.
  bool form_varies(int form) const;
  bool varies(const ControlledValue& v) const { return v.varies_in_time || is_signal(v); }
  /// r of one form alone.
  void form_residual(int form, const EvaluationPoint& u, Vec r);

 private:
  /// Owned dofs of the carried component.
  std::vector<int> carried_rows() const;
  struct BoundForm {
    std::unique_ptr<WeakForm> form;
    std::vector<ControlledValue> values;  // per coefficient
    int part = equation;           // or a part of the boundary, or −1: a functional
    std::size_t first_memory = 0;  // of the residual's memory, in numbers
    std::string name = {};
    bool linear = false;
    std::vector<int> loads = {};
    std::string between = {};
    const DistantCoupling* distant = nullptr;  // the form's, where it is of the equation and has one
  };
  struct Constraint {
    int dof, node;                // local
    std::vector<int> conditions;  // positions in dirichlet_: the sum of their values is held
  };
  struct Directions;

  /// A number at a node: Σ values_[control][entry + i] × factors[i].
  struct NodeValue {
    int control;
    std::size_t entry;
    double factor;
    const std::vector<double>* basis;  // factors = factor × basis; null: one entry

    double of(const Controls& d) const;
    void add(double bar, Controls& d_bar) const;
  };

  void assemble(const EvaluationPoint& u, const PerLevel<double>& weights, double cfl);
  bool assemble_by_cells(const LocalState& u, const PerLevel<double>& weights);
  bool assemble_linear_forms(const LocalState& u, const PerLevel<double>& weights);
  bool has_constant_matrix(int form) const;
  AssembledMatrix& assembled() const;
  bool couples_distant_nodes() const;
  FormState state_of(const BoundForm& f, const LocalState& u) const;
  int add(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values, int part, std::string name = {});
  double shape_at(const ControlledValue& v, int node, double t) const;
  double shape_at(const ControlledValue& v, int node) const { return shape_at(v, node, present_.time); }
  /// visit(value) for each of the values whose sum is held.
  template <class Visit>
  void visit_held(const Constraint& c, Visit&& visit) const;
  /// The sum itself, or its derivative along a direction; and the transpose of that.
  double held(const Constraint& c, const Controls& d) const;
  void add_to_held(const Constraint& c, double bar, Controls* d_bar) const;
  NodeValue node_value(const ControlledValue& v, int part, int node, double t,
                       const std::vector<std::vector<double>>& basis) const;
  template <class Visit>
  void visit_initial(Level level, Visit&& visit) const;
  /// Makes what follows from a setting be that of this one: coefficients, and signals at both times.
  void prepare(const Setting& given);
  void update_coefficient(const ControlledValue& v, Coefficient& c) const;
  /// Forgets that; for changes of the equation itself.
  void restart();
  double number_of(int control, const std::vector<double>& entries) const;
  void add_number(int control, double bar, std::vector<double>& target) const;
  void pull_back(const BoundForm& f, const std::vector<std::vector<double>>& coefficient_bar, Controls& d_bar) const;
  std::vector<std::vector<double>> wanted(const BoundForm& f, const Controls* d_bar) const;
  bool is_signal(const ControlledValue& v) const { return v.field < 0 && signals_[v.control]; }
  bool on_any_rank(bool here) const;
  /// What second derivatives of coordinate fields add along a direction; reverse(out): the form's first derivatives.
  template <class Reverse>
  void add_field_curvature(const BoundForm& f, const Controls* d_dot, Controls* d_bar_dot, Reverse reverse) const;

  std::shared_ptr<const DofMap> dofs_;
  std::vector<ControlInfo> controls_;
  Controls values_;          // as given
  Setting present_;          // that the coefficients are of; empty: of none
  std::size_t memory_size_ = 0;
  bool has_memory_ = false;  // on any rank
  std::vector<std::optional<TimeBasis>> signals_;                  // per control
  // per control: its functions at the times of `present_`
  std::vector<std::vector<double>> basis_, constraint_basis_;
  std::vector<InitialValue> initial_;
  std::vector<int> algebraic_;
  int potential_ = -1;
  std::vector<int> continuation_controls_;
  std::vector<int> pseudo_time_forms_;
  std::vector<std::pair<int, PointBranches>> branches_;  // with the form that says them
  CarriedComponent carried_;
  int coordinates_ = -1;
  std::vector<std::shared_ptr<CoordinateField>> fields_;
  std::vector<BoundForm> forms_;
  int n_parts_ = 0;  // of the boundary
  std::vector<DirichletCondition> dirichlet_;
  std::vector<Constraint> constraints_;   // of owned and ghost dofs
  std::vector<int> constrained_rows_;
  std::vector<char> constrained_;                     // [n_local]
  bool finished_ = false;
  mutable std::unique_ptr<AssembledMatrix> matrix_;   // made when first asked for
  std::shared_ptr<CellMatrix> cells_;                 // in its place while `by_cells_`
  std::shared_ptr<LatticeLevels> levels_;
  bool by_cells_ = false;
  std::vector<NodePair> distant_pairs_;               // that it couples besides nodes of cells, ascending
  int pattern_changes_ = 0;
  // what linear forms add to it, for this setting and these weights:
  MatHandle linear_part_;
  Setting linear_given_;
  PerLevel<double> linear_weights_;
  NullSpaceHandle near_null_space_;
  MatHandle prolongation_;
  std::shared_ptr<SaddlePoint> saddle_point_;
  bool node_blocks_ = false;
};

template <class Visit>
void FormResidual::visit_held(const Constraint& c, Visit&& visit) const {
  for (int k : c.conditions)
    visit(node_value(dirichlet_[k].value, dirichlet_[k].part, c.node, present_.constraint_time, constraint_basis_));
}

}  // namespace invar

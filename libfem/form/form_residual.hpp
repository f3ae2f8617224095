#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/maps/time_basis.hpp"
#include "libadjoint/residual.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/transported_component.hpp"
#include "libfem/form/distant_coupling.hpp"
#include "libfem/form/form_operator.hpp"
#include "libfem/form/point_branches.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/mesh/coordinate_field.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

class LocalState;

/// A datum of the problem: (value of a control) × f(x, t); empty f: 1. f is evaluated at the position in the undeformed mesh: it moves
/// with the material when coordinates are designed. A control over cells has no f that varies in space.
struct ControlledValue {
  int control = -1;
  std::function<double(const double* x, double t)> shape;  // x: [dim], m
  bool varies_in_space = false;                            // shape depends on x
  bool varies_in_time = false;
  int field = -1;  // of `add_field`: the coefficient is this field, without control and f
};

/// A Dirichlet condition u_c = value on all nodes of a region, or on all others. For nodal fields the entry `part` of each node is
/// used.
struct DirichletCondition {
  std::string region;
  int component = 0;
  ControlledValue value;
  int part = 0;
  bool outside = false;  // on the nodes outside the region
  bool adds = false;     // adds to earlier conditions at a node instead of replacing them
  std::vector<int> nodes = {};  // in place of a region: constrained nodes among all local ones
};

/// Use of a form in an equation.
struct FormUse {
  std::string name = {};  // for reports: "the load 'wind'"
  // the form is linear in the state: its matrix is assembled once for unchanged coefficients
  bool linear = false;
  std::vector<int> loads = {};  // coefficients that do not enter its matrix
  std::string between = {};     // the things that the form keeps apart, for reports: "'top' and 'bottom' (contact 'faces')"
};

/// Initial value of one component on the nodes of a region (empty: everywhere).
struct InitialValue {
  Level level = Level::value;
  std::string region;
  int component = 0;
  ControlledValue value;
  int part = 0;  // of a nodal field with several components
};

/// A sum of weak forms over one space with Dirichlet conditions: the residual of a physics. It also holds functionals, forms that only
/// objectives read.
class FormResidual : public Residual, public Evolution, public HistoryVariables, public Potential, public StepLimit,
                     public ChangingPattern, public PseudoTime, public Branches {
 public:
  explicit FormResidual(std::shared_ptr<const DofMap> dofs) : dofs_(std::move(dofs)) {}

  // Construction, before the first use.
  int add_control(ControlInfo info, std::vector<double> values);
  /// Adds a form to the equation; its k-th coefficient is values[k]; fields have one entry per cell or node (one component; else
  /// std::invalid_argument). Returns the form's number.
  int add_form(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values, FormUse use = {});
  /// Adds a form that is not part of the equation.
  int add_functional(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values);
  /// Adds the equation's tractions on a part of the boundary, its fluxes and loads there tested with the shape functions, as a
  /// separate residual. Returns its number `part` for the functions below; −1: there is none. History variables are kept there too, so
  /// call this before the first `create_memory`. Collective.
  int add_tractions(const BoundaryPart& part);
  /// Makes the nodal coordinates a control, "coordinates" [node × dim, m]; returns its number.
  int add_coordinates();
  /// Adds a field that is a function of the coordinates, for coefficients; returns its number.
  int add_field(std::shared_ptr<CoordinateField> field);
  /// Turns a number into a signal with this basis, constant at its present value: the sum of the basis functions (Fourier: the first
  /// one) must be 1.
  void make_signal(int control, TimeBasis basis);
  /// Later values win. Constrained unknowns start with their constraint values.
  void add_initial(InitialValue value) { initial_.push_back(std::move(value)); }
  /// Components without a rate, such as a pressure.
  void set_algebraic(std::vector<int> components) { algebraic_ = std::move(components); }
  /// The component that is the potential of a pressure correction.
  void set_potential(int component) { potential_ = component; }
  /// Controls that are multiplied by `Setting::continuation` in all forms (flow: viscosities).
  void set_continuation_controls(std::vector<int> controls) { continuation_controls_ = std::move(controls); }
  /// Adds the mass form M of PseudoTime, which is not part of the equation: linear in the change of the state, read as Level::value,
  /// with a weight that depends on the state, read as Level::predicted.
  void add_pseudo_time(std::unique_ptr<WeakForm> mass, std::vector<ControlledValue> values);
  void set_transported(const TransportedComponent& component) { transported_ = component; }
  /// Adds a form on these cells that is not part of the equation but returns the active branch at each point, see PointBranches.
  void add_branches(std::unique_ptr<WeakForm> form, const CellBatches& cells, std::vector<ControlledValue> values);
  /// Later conditions on the same dof replace earlier ones, or add to them.
  void add_dirichlet(DirichletCondition condition);
  void finish();
  /// Replaces forms by equivalent ones, at any time. exchange: returns a replacement that has taken over the given form, or null to
  /// keep it.
  using FormExchange = std::function<std::unique_ptr<WeakForm>(int number, std::unique_ptr<WeakForm>& form)>;
  void exchange_forms(const FormExchange& exchange);

  /// Expands a number to a field with equal values, and back (to the first one): sensitivity fields, copies of a mesh. It is over nodes
  /// if prescribed values, forms on facets (on the host) or formulas in space read the number, else over cells. Collective.
  void spread_control(int control);
  void gather_control(int control);

  const DofMap& dofs() const { return *dofs_; }
  std::shared_ptr<const DofMap> dof_map() const { return dofs_; }
  /// Nodal coordinates [node × dim, m].
  const std::vector<double>& coordinates(const Setting& given) const {
    return coordinates_ < 0 ? dofs_->mesh().coordinates : (*given.controls)[coordinates_];
  }
  /// Number of the control "coordinates"; −1: the coordinates are fixed.
  int coordinates_control() const { return coordinates_; }
  /// The coordinates' part of a direction, and the destination of derivatives; nullptr: none.
  const double* coordinate_direction(const Controls* d_dot) const;
  double* coordinate_target(Controls* d_bar) const;

  /// Value of a number; for a signal at the time of the setting. The same sum for other entries, and its transpose.
  double number(int control, const Setting& given) { return number(control, (*given.controls)[control], given); }
  double number(int control, const std::vector<double>& entries, const Setting& given);
  void add_to_number(int control, double bar, std::vector<double>& target, const Setting& given);
  /// The same at any time, without a setting.
  double number_at(int control, const std::vector<double>& entries, double t) const;
  void add_to_number_at(int control, double bar, std::vector<double>& target, double t) const;

  MPI_Comm comm() const override { return dofs_->comm(); }
  VecHandle create_vector() const override { return like_ ? zeros_like(like_) : dofs_->create_vector(); }
  /// Stores all vectors that are created from now on like this one, for example on a device.
  void store_like(VecHandle vector) {
    like_ = std::move(vector);
    prescribed_.reset(), prescribed_is_present_ = false;
  }
  const std::vector<ControlInfo>& controls() const override { return controls_; }
  const Controls& control_values() const override { return values_; }
  const RowSet& constrained_rows() const override { return constrained_rows_; }
  const std::vector<DirichletCondition>& dirichlet_conditions() const { return dirichlet_; }
  /// Flags of constrained unknowns, [local dof].
  const std::vector<char>& held_unknowns() const { return constrained_; }
  /// Whether forms of the equation integrate around the axis x = 0.
  bool around_axis() const;
  void impose_constraints(const Setting& given, Vec u) override;
  bool residual(const EvaluationPoint& u, Vec r) override;
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) override;
  Mat matrix() const override { return by_operator_ ? operator_->mat() : assembled().mat(); }
  /// Keeps the values of assembled matrices where `make` says. Before the first use of the matrix; on one process.
  using MatrixStoreMaker = std::function<std::unique_ptr<MatrixStore>(AssembledMatrix& matrix)>;
  void use_matrix_store(MatrixStoreMaker make) { make_store_ = std::move(make); }
  /// Frees the assembled matrix, which the next `jacobian` creates again.
  void release_matrix();
  /// Uses a CellMatrix with LatticeLevels in place of an assembled matrix; call after `finish`. For grids of congruent first-order
  /// cells and symmetric equations whose element matrices differ by factors only. If they do not, at some state, the matrix is
  /// assembled from then on. Returns false if this is known beforehand. Collective.
  bool use_cell_matrix();
  /// Uses this operator in place of an assembled matrix, as far as it can represent the equation; call after `finish`.
  void use_operator(std::shared_ptr<FormOperator> by);
  /// True if every form of the equation is symmetric.
  bool symmetric() const override;
  /// Whether at rest the solution minimises the sum of the forms' values, a potential for line searches.
  bool minimises() const;
  void set_near_null_space(NullSpaceHandle modes) { near_null_space_ = std::move(modes); }
  MatrixHints matrix_hints() const override {
    return {.near_null_space = near_null_space_, .prolongation = prolongation_, .saddle_point = saddle_point_,
            .node_blocks = node_blocks_, .levels = operator_ ? operator_->levels() : nullptr, .coupled_fields = coupled_fields_,
            .lumped_mass = lumped_mass_};
  }
  void set_prolongation(MatHandle prolongation) { prolongation_ = std::move(prolongation); }
  /// The part of `matrix()` from forms with a constant matrix, for these weights; valid until the next call with others; null: none.
  /// And the numbers of the other forms of the equation.
  Mat linear_part(const EvaluationPoint& u, const PerLevel<double>& weights);
  std::vector<int> nonlinear_forms() const;
  /// `blocks` is notified of every linearisation by `jacobian`.
  void set_saddle_point(std::shared_ptr<SaddlePoint> blocks) { saddle_point_ = std::move(blocks); }
  /// See MatrixHints.
  void set_node_blocks(bool given) { node_blocks_ = given; }
  void set_coupled_fields(std::shared_ptr<CoupledFields> fields) { coupled_fields_ = std::move(fields); }
  /// See MatrixHints: all forms that read the acceleration are integrated at nodes (`at_nodes`).
  void set_lumped_mass() { lumped_mass_ = true; }
  Capabilities capabilities() override;
  double potential(const EvaluationPoint& u) override;
  // For forms that keep things apart, and forms that couple nodes without a common cell.
  bool admits(const EvaluationPoint& u) override { return nearest(u).gap > 0; }
  double longest_step(const EvaluationPoint& u, Vec step) override;
  bool update_pattern(const EvaluationPoint& u) override;
  /// The closest approach among the forms that keep things apart, if one exerts a force. Collective.
  ClosestApproach nearest(const EvaluationPoint& u);
  /// That of one such form; nothing of another form. Collective.
  ClosestApproach nearest(int form, const EvaluationPoint& u);
  /// Number of changes of the sparsity pattern.
  int pattern_changes() const { return pattern_changes_; }
  void damped_jacobian(const EvaluationPoint& u, double cfl) override;
  void add_damping(const EvaluationPoint& u, Vec du, double cfl, Vec r) override;
  double first_factor() const override { return transported_.first_factor; }
  void begin_from_easier(Vec u) override;
  void mark_transported(Vec marks) override;
  int limit_change(Vec u, Vec trial) override;
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

  // The same without constraints: every row is the sum of the forms. Used for reactions. part: of `add_tractions`, or the equation.
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
  /// Values of a form's coefficients; valid until the next call with another setting.
  const std::vector<Coefficient>& form_coefficients(int form, const Setting& given) {
    prepare(given);
    return forms_[form].form->coefficients();
  }
  /// Offset of a form's history variables in the array of `create_memory`.
  std::size_t first_memory(int form) const { return forms_[form].first_memory; }
  int form_count() const { return static_cast<int>(forms_.size()); }
  /// True for forms of the equation; false for functionals and boundary parts.
  bool is_of_equation(int form) const { return forms_[form].part == equation; }
  FormTraits form_traits(int form) const { return forms_[form].form->traits(); }
  const std::string& form_name(int form) const { return forms_[form].name; }
  /// Whether a coefficient of the form depends on time.
  bool form_varies(int form) const;
  bool varies(const ControlledValue& v) const { return v.varies_in_time || is_signal(v); }
  /// Residual of one form only.
  void form_residual(int form, const EvaluationPoint& u, Vec r);

 private:
  /// Owned dofs of the transported component.
  std::vector<int> transported_rows() const;
  struct BoundForm {
    std::unique_ptr<WeakForm> form;
    std::vector<ControlledValue> values;  // per coefficient
    int part = equation;           // number of a boundary part, or −1: a functional
    std::size_t first_memory = 0;  // of the residual's memory, in numbers
    std::string name = {};
    bool linear = false;
    std::vector<int> loads = {};
    std::string between = {};
    // the form's, if it is part of the equation and has them
    const DistantCoupling* distant = nullptr;
    const Separation* separation = nullptr;
    bool in_place = false;  // it is InPlace

    void find_interfaces();
  };
  struct Constraint {
    int dof, node;                // local
    std::vector<int> conditions;  // positions in dirichlet_; the sum of their values is prescribed
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
  bool linearise_operator(const LocalState& u, const PerLevel<double>& weights);
  bool assemble_linear_forms(const LocalState& u, const PerLevel<double>& weights);
  bool has_constant_matrix(int form) const;
  AssembledMatrix& assembled() const;
  std::shared_ptr<const SparsityPattern> make_pattern() const;
  bool couples_distant_nodes() const;
  bool keeps_apart() const;
  FormState state_of(const BoundForm& f, const LocalState& u) const;
  int add(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values, int part, std::string name = {});
  double shape_at(const ControlledValue& v, int node, double t) const;
  double shape_at(const ControlledValue& v, int node) const { return shape_at(v, node, present_.time); }
  /// Calls visit(value) for each of the values whose sum is prescribed.
  template <class Visit>
  void visit_held(const Constraint& c, Visit&& visit) const;
  /// The prescribed sum, or its derivative along a direction; and the transpose.
  double held(const Constraint& c, const Controls& d) const;
  void add_to_held(const Constraint& c, double bar, Controls* d_bar) const;
  /// The prescribed sums at the present setting in their rows, zeros elsewhere.
  Vec prescribed();
  /// d_bar += factor · (∂g/∂d)ᵀ λ_c
  void add_to_prescribed(double factor, Vec lambda, Controls* d_bar) const;
  /// Whether a prescribed value depends on a control with entries.
  bool moves_prescribed(const Controls* d) const;
  NodeValue node_value(const ControlledValue& v, int part, int node, double t,
                       const std::vector<std::vector<double>>& basis) const;
  template <class Visit>
  void visit_initial(Level level, Visit&& visit) const;
  template <class Of>
  void write_initial(Level level, Vec u, Of&& of) const;
  /// Updates coefficients, and signals at both times, to this setting.
  void prepare(const Setting& given);
  void update_coefficient(const ControlledValue& v, Coefficient& c) const;
  /// Invalidates them, after changes of the equation itself.
  void restart();
  double number_of(int control, const std::vector<double>& entries) const;
  void add_number(int control, double bar, std::vector<double>& target) const;
  void pull_back(const BoundForm& f, const std::vector<std::vector<double>>& coefficient_bar, Controls& d_bar) const;
  std::vector<std::vector<double>> wanted(const BoundForm& f, const Controls* d_bar) const;
  bool is_signal(const ControlledValue& v) const { return v.field < 0 && signals_[v.control]; }
  bool on_any_rank(bool here) const;
  /// Contribution of the second derivatives of coordinate fields along a direction; reverse(out): the form's first derivatives.
  template <class Reverse>
  void add_field_curvature(const BoundForm& f, const Controls* d_dot, Controls* d_bar_dot, Reverse reverse) const;

  std::shared_ptr<const DofMap> dofs_;
  std::vector<ControlInfo> controls_;
  Controls values_;          // as given at construction
  Setting present_;          // setting of the present coefficients; empty: none
  std::uint64_t setting_ = 0;  // its number: see FormState
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
  std::vector<std::pair<int, PointBranches>> branches_;  // with the number of their form
  TransportedComponent transported_;
  int coordinates_ = -1;
  std::vector<std::shared_ptr<CoordinateField>> fields_;
  std::vector<BoundForm> forms_;
  int n_parts_ = 0;  // of the boundary
  std::vector<DirichletCondition> dirichlet_;
  std::vector<Constraint> constraints_;   // of owned dofs, as in `constrained_rows_`, then of ghost dofs
  RowSet constrained_rows_;
  std::vector<char> constrained_;                     // [n_local]
  VecHandle like_;                                    // of `store_like`
  VecHandle prescribed_;                              // created on first use
  bool prescribed_is_present_ = false;
  bool finished_ = false;
  mutable std::unique_ptr<AssembledMatrix> matrix_;   // created on first use
  MatrixStoreMaker make_store_;
  std::shared_ptr<FormOperator> operator_;            // in place of the matrix while `by_operator_`
  bool by_operator_ = false;
  std::vector<DistantPairs> distant_pairs_;           // coupled in addition to nodes of common cells
  int pattern_changes_ = 0;
  // contribution of linear forms, for this setting and these weights:
  MatHandle linear_part_;
  Setting linear_given_;
  PerLevel<double> linear_weights_;
  NullSpaceHandle near_null_space_;
  MatHandle prolongation_;
  std::shared_ptr<SaddlePoint> saddle_point_;
  std::shared_ptr<CoupledFields> coupled_fields_;
  bool node_blocks_ = false, lumped_mass_ = false;
};

template <class Visit>
void FormResidual::visit_held(const Constraint& c, Visit&& visit) const {
  for (int k : c.conditions)
    visit(node_value(dirichlet_[k].value, dirichlet_[k].part, c.node, present_.constraint_time, constraint_basis_));
}

}  // namespace invar

#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/residual.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/weak_form.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// A datum of the problem: (value of a control) × f(x, t). Empty f means 1. f sees where the point was
/// in the mesh as given: it travels with the material when coordinates are designed. In coefficients a
/// control that is a field takes no f.
struct ControlledValue {
  int control = -1;
  std::function<double(const double* x, double t)> shape;  // x: [dim], m
  bool varies_in_space = false;                            // shape depends on x
  bool varies_in_time = false;
};

/// u_c = value on all nodes of a region, or on all others. Of a nodal field the entry `part` of each node
/// is taken.
struct DirichletCondition {
  std::string region;
  int component = 0;
  ControlledValue value;
  int part = 0;
  bool outside = false;  // on the nodes that are not in the region
};

/// Sum of weak forms over one space, with Dirichlet conditions: the residual of a physics. Besides
/// these it holds functionals, forms that only objectives read.
class FormResidual final : public Residual {
 public:
  /// symmetric: every form is. minimum: the solution minimises the sum of the forms' values (it is a
  /// saddle point of mixed formulations); only then is there a potential for line searches.
  FormResidual(std::shared_ptr<const DofMap> dofs, bool symmetric, bool minimum);

  // Building, before the first use.
  int add_control(ControlInfo info, std::vector<double> values);
  /// Takes a form; its k-th coefficient is given by values[k], of which a field is one entry per cell or
  /// per node (one component; std::invalid_argument else). Returns its number.
  int add_form(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values);
  /// The same for a form that is no part of the equation.
  int add_functional(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values);
  /// Makes the nodes' coordinates a control, "coordinates" [node × dim, m]; returns its number.
  int add_coordinates();
  /// The control whose values `set_ease` multiplies, wherever forms read it.
  void set_ease_controls(std::vector<int> controls) { ease_controls_ = std::move(controls); }
  /// Later conditions on the same dof win.
  void add_dirichlet(DirichletCondition condition);
  void finish();

  /// Turns a shared control that only cell forms read into a field with that value in every cell, and
  /// back (the first cell's value): to see where an objective is sensitive to it.
  void spread_control(int control);
  void gather_control(int control);

  const DofMap& dofs() const { return *dofs_; }
  std::shared_ptr<const DofMap> dof_map() const { return dofs_; }
  double time() const { return time_; }
  /// Present places of the nodes.
  const std::vector<double>& coordinates() const {
    return coordinates_ < 0 ? dofs_->mesh().coordinates : values_[coordinates_];
  }
  /// Number of the control "coordinates", −1 when they are fixed.
  int coordinates_control() const { return coordinates_; }

  MPI_Comm comm() const override { return dofs_->comm(); }
  VecHandle create_vector() const override { return dofs_->create_vector(); }
  const std::vector<ControlInfo>& controls() const override { return controls_; }
  const Controls& control_values() const override { return values_; }
  void set_controls(const Controls& d) override;
  void set_time(double t) override;
  bool set_ease(double ease) override;
  const std::vector<int>& constrained_rows() const override { return constrained_rows_; }
  void impose_constraints(Vec u) const override;
  bool residual(Vec u, Vec r) override;
  void jacobian(Vec u) override;
  Mat matrix() const override { return matrix_->mat(); }
  bool symmetric() const override { return symmetric_; }
  MatNullSpace near_null_space() const override { return near_null_space_; }
  void set_near_null_space(NullSpaceHandle modes) { near_null_space_ = std::move(modes); }
  std::shared_ptr<SaddlePoint> saddle_point() const override { return saddle_point_; }
  /// Told of every state that `jacobian` is assembled at.
  void set_saddle_point(std::shared_ptr<SaddlePoint> blocks) { saddle_point_ = std::move(blocks); }
  std::optional<double> potential(Vec u) override;
  void jvp(Vec u, Vec u_dot, const Controls* d_dot, Vec r_dot) override;
  void vjp(Vec u, Vec lambda, Vec u_bar, Controls* d_bar) override;
  void vjp_tangent(Vec u, Vec lambda, Vec u_dot, Vec lambda_dot, const Controls* d_dot, Vec u_bar_dot,
                   Controls* d_bar_dot) override;

  // The same without constraints: every row is the sum of the forms. Reactions are made of these.
  void raw_residual(Vec u, Vec r);
  void raw_jvp(Vec u, Vec u_dot, const Controls* d_dot, Vec r_dot);
  void raw_vjp(Vec u, Vec weights, Vec u_bar, Controls* d_bar);
  void raw_vjp_tangent(Vec u, Vec weights, Vec u_dot, Vec weights_dot, const Controls* d_dot, Vec u_bar_dot,
                       Controls* d_bar_dot);

  // ∫ W of one form, summed over ranks, and its derivatives; see WeakForm.
  double form_value(int form, Vec u);
  double form_value_jvp(int form, Vec u, Vec u_dot, const Controls* d_dot);
  void form_value_vjp(int form, Vec u, double seed, Vec u_bar, Controls* d_bar);
  void form_value_vjp_tangent(int form, Vec u, double seed, Vec u_dot, const Controls* d_dot, Vec u_bar_dot,
                              Controls* d_bar_dot);
  /// Present values of a form's coefficients.
  const std::vector<Coefficient>& form_coefficients(int form) const { return forms_[form].form->coefficients(); }
  int form_count() const { return static_cast<int>(forms_.size()); }

 private:
  struct BoundForm {
    std::unique_ptr<WeakForm> form;
    std::vector<ControlledValue> values;  // per coefficient
    bool in_residual = true;
  };
  struct Constraint {
    int dof, node;   // local
    int condition;   // position in dirichlet_
  };
  struct Directions;

  /// A constraint's value: values_[control][entry] × factor.
  struct ConstraintValue {
    int control;
    std::size_t entry;
    double factor;
  };

  int add(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values, bool in_residual);
  double shape_at(const ControlledValue& v, int node) const;
  ConstraintValue value_of(const Constraint& c) const;
  double prescribed(const Constraint& c) const {
    const ConstraintValue v = value_of(c);
    return values_[v.control][v.entry] * v.factor;
  }
  const double* coordinate_direction(const Controls* d_dot) const;
  double* coordinate_target(Controls* d_bar) const;
  void update_coefficients();
  void pull_back(const BoundForm& f, const std::vector<std::vector<double>>& coefficient_bar, Controls& d_bar) const;
  std::vector<std::vector<double>> wanted(const BoundForm& f, const Controls* d_bar) const;

  std::shared_ptr<const DofMap> dofs_;
  bool symmetric_, minimum_;
  std::vector<ControlInfo> controls_;
  Controls values_;
  double time_ = 0;
  double ease_ = 1;
  std::vector<int> ease_controls_;
  int coordinates_ = -1;
  std::vector<BoundForm> forms_;
  std::vector<DirichletCondition> dirichlet_;
  std::vector<Constraint> constraints_;   // of owned and ghost dofs
  std::vector<int> constrained_rows_;
  std::unique_ptr<AssembledMatrix> matrix_;
  NullSpaceHandle near_null_space_;
  std::shared_ptr<SaddlePoint> saddle_point_;
};

}  // namespace invar

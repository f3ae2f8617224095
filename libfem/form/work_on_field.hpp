#pragma once
#include <memory>
#include <vector>

#include "libfem/form/weak_form.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// A test function w that may depend on the state: given values at local dofs, plus multiples of unknowns and coordinates at
/// the same node.
struct TestFunction {
  struct Part {
    int row, source;  // local dofs; for coordinates node · dim + axis
    double factor;
  };
  std::vector<double> given;                      // [n_local], ghosts included
  std::vector<Part> of_unknown = {}, of_coordinates = {};
};

/// The work r(w) of a form on a test function, a functional. If w = 1 in the rows of a component at the nodes of a boundary,
/// it is the force of this form there (Gresho, Lee, Sani, Maslanik, Eaton, Int. J. Numer. Methods Fluids 7, 1987), independent
/// of other forms; for a rotation it is the moment, for the velocity the power.
class WorkOnField final : public WeakForm {
 public:
  /// The form must have no history variables (else std::invalid_argument).
  WorkOnField(std::unique_ptr<WeakForm> form, const DofMap& dofs, TestFunction w);

  FormTraits traits() const override;
  std::vector<Coefficient>& coefficients() override { return form_->coefficients(); }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart&) const override { return nullptr; }
  bool around_axis() const override { return form_->around_axis(); }

  /// NaN if the form is inadmissible.
  double value(const FormState& at) const override;
  double value_jvp(const FormState& at, const FormTangent& direction) const override;
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override;
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction, FormCotangent& out) const override;

  // There is no residual: throws std::logic_error.
  bool residual(const FormState& at, double* r) const override;
  void jvp(const FormState& at, const FormTangent& direction, double* r_dot) const override;
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override;
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override;
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const override;

 private:
  double product(const std::vector<double>& w, const std::vector<double>& r) const;
  std::vector<double> test_function(const FormState& at, double factor) const;
  std::vector<double> test_direction(const FormTangent& direction, double factor) const;
  void spread(const std::vector<double>& w_bar, double factor, FormCotangent& out) const;

  std::unique_ptr<WeakForm> form_;
  TestFunction w_;
  int n_owned_;
};

}  // namespace invar

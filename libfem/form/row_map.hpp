#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libfem/form/weak_form.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Destination rows of a form in the equation: [n_local] by local dof, −1: the row is dropped. Rows stay at their node.
using RowMap = std::vector<int>;

/// Maps rows of components `from` to those of components `to`, at every node with both; other rows are dropped. An entry −1 in `to` drops a
/// component.
RowMap map_rows(const DofMap& dofs, const std::vector<int>& from, const std::vector<int>& to);

/// Rows of some components, at the nodes of some regions or at all others.
struct RowSelection {
  std::vector<std::string> regions = {};  // empty: everywhere
  bool outside = false;                   // at the nodes that are in none of the regions
  std::vector<int> components = {};       // of the space; empty: all
};

/// These rows unchanged, all others dropped. Throws std::invalid_argument if the mesh has no such region.
RowMap select_rows(const DofMap& dofs, const RowSelection& rows);

/// A form with its residual in other rows; for example the momentum equation of a solid's displacement may be tested with its velocity. It
/// is evaluated in full, and dropped rows are omitted in residual, matrix and adjoints. Its value, if it has one, does not change, but the
/// residual is no longer its derivative, and the matrix is not symmetric.
class RowMapped final : public WeakForm {
 public:
  RowMapped(std::unique_ptr<WeakForm> form, std::shared_ptr<const DofMap> dofs, RowMap rows);

  const WeakForm& inner() const { return *form_; }
  FormTraits traits() const override;
  std::vector<Coefficient>& coefficients() override { return form_->coefficients(); }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override;
  bool around_axis() const override { return form_->around_axis(); }
  std::optional<FormCoupling> coupling() const override;

  std::size_t memory_size() const override { return form_->memory_size(); }
  void update_memory(const FormState& at, double* next) const override { form_->update_memory(at, next); }
  void update_memory_jvp(const FormState& at, const FormTangent& d, double* next_dot) const override { form_->update_memory_jvp(at, d, next_dot); }
  void update_memory_vjp(const FormState& at, const double* next_bar, FormCotangent& out) const override { form_->update_memory_vjp(at, next_bar, out); }

  double value(const FormState& at) const override { return form_->value(at); }
  double value_jvp(const FormState& at, const FormTangent& d) const override { return form_->value_jvp(at, d); }
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override { form_->value_vjp(at, seed, out); }
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& d, FormCotangent& out) const override {
    form_->value_vjp_tangent(at, seed, d, out);
  }

  bool residual(const FormState& at, double* r) const override;
  void jvp(const FormState& at, const FormTangent& direction, double* r_dot) const override;
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override;
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override;
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const override;

 private:
  void add(const std::vector<double>& r, double* to) const;
  std::vector<double> multiplier(const double* lambda) const;

  std::unique_ptr<WeakForm> form_;
  std::shared_ptr<const DofMap> dofs_;
  RowMap rows_;
};

}  // namespace invar

#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libfem/form/weak_form.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// In which rows of the equation those of a form are to stand: [n_local] by local dof, −1: nowhere. Rows stay at their node.
using RowMap = std::vector<int>;

/// Rows of some components in those of others, at every node where both live; the rest stays nowhere. to: as many, −1 leaves a
/// component out.
RowMap map_rows(const DofMap& dofs, const std::vector<int>& from, const std::vector<int>& to);

/// Rows of some components, at the nodes of some regions or at all others.
struct RowSelection {
  std::vector<std::string> regions = {};  // empty: everywhere
  bool outside = false;                   // at the nodes that are in none of the regions
  std::vector<int> components = {};       // of the space; empty: all
};

/// Those rows in their own place, the rest nowhere. Throws std::invalid_argument where the mesh has no such region.
RowMap select_rows(const DofMap& dofs, const RowSelection& rows);

/// A form whose equations stand in other rows: what a solid says of its displacement may be tested with its velocity. It is evaluated in
/// full, and what stands nowhere is left out of its residual, its matrix and its adjoints. Its value, where it has one, is as before, but
/// its residual is not the value's derivative any more, and its matrix not symmetric.
class RowMapped final : public WeakForm {
 public:
  RowMapped(std::unique_ptr<WeakForm> form, std::shared_ptr<const DofMap> dofs, RowMap rows);

  FormTraits traits() const override;
  std::vector<Coefficient>& coefficients() override { return form_->coefficients(); }
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override;
  bool around_axis() const override { return form_->around_axis(); }

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

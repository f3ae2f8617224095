#pragma once
#include <memory>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// The unknown of some facets relative to its mean over other nodes, the carrier: w = u − ū, component by component, and the transpose.
/// Of a mesh in parts, a rank that owns a node of the facets or of the carrier has all of both (`distribute`).
class RelativeUnknown {
 public:
  /// carrier: a region of nodes or facets (std::invalid_argument where the mesh has no such region, or none of its nodes has a component).
  RelativeUnknown(const CellBatches& facets, const std::string& carrier);

  /// u [n_local] with w in place of u at the facets' nodes; nullptr stays an empty vector.
  std::vector<double> of(const double* u) const;
  /// out += what w_bar [n_local], zero but at the facets' nodes, is worth for u.
  void add_transposed(const std::vector<double>& w_bar, double* out) const;
  std::size_t n_local() const { return n_local_; }

 private:
  struct OfComponent {
    std::vector<int> facets, carrier;  // local dofs, ascending
  };
  std::vector<OfComponent> components_;
  std::size_t n_local_ = 0;
};

/// A form of facets that reads the unknown relative to a carrier, at all levels, and whose residual acts on the carrier with the opposite sign.
/// The carrier's unknowns must be held: its rows and columns of the matrix are left out, as those of all held unknowns are.
class RelativeForm final : public WeakForm {
 public:
  RelativeForm(std::unique_ptr<WeakForm> form, std::shared_ptr<const RelativeUnknown> relative) : form_(std::move(form)), relative_(std::move(relative)) {}

  FormTraits traits() const override { return form_->traits(); }
  std::vector<Coefficient>& coefficients() override { return form_->coefficients(); }
  /// Acts on the boundary's part alone, not on the carrier.
  std::unique_ptr<WeakForm> on_boundary(const BoundaryPart& part) const override;
  bool around_axis() const override { return form_->around_axis(); }

  double value(const FormState& at) const override;
  double value_jvp(const FormState& at, const FormTangent& direction) const override;
  void value_vjp(const FormState& at, double seed, FormCotangent& out) const override;
  void value_vjp_tangent(const FormState& at, double seed, const FormTangent& direction, FormCotangent& out) const override;
  bool residual(const FormState& at, double* r) const override;
  void jvp(const FormState& at, const FormTangent& direction, double* r_dot) const override;
  using WeakForm::jacobian;
  void jacobian(const FormState& at, const PerLevel<double>& weights, AssembledMatrix& K) const override;
  void vjp(const FormState& at, const double* lambda, FormCotangent& out) const override;
  void vjp_tangent(const FormState& at, const double* lambda, const FormTangent& direction, FormCotangent& out) const override;

 private:
  struct State;
  struct Tangent;
  struct Cotangent;
  void add_row(const std::vector<double>& r, double* to) const;
  std::vector<double> multiplier(const double* lambda) const;

  std::unique_ptr<WeakForm> form_;
  std::shared_ptr<const RelativeUnknown> relative_;
  bool reacts_ = true;
};

}  // namespace invar

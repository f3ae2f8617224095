#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "libfem/solid/law_point.hpp"
#include "libfem/solid/material.hpp"
#include "libfem/solid/material_forms.hpp"

namespace invar {

/// A law behind the Material interface.
template <class Form, template <class> class Measure>
class MaterialModel final : public Material {
 public:
  explicit MaterialModel(int terms) : terms_(terms) {}
  std::string_view name() const override { return Form::name; }
  std::span<const ParamSpec> parameters() const override { return Form::parameters_of(terms_); }
  bool finite_strain() const override { return Measure<double>::finite_strain; }
  void evaluate(const Matrix<Pack, 3, 3>& H, std::span<const Pack> p, MaterialRequest request,
                MaterialResponse<Pack>& out) const override {
    evaluate_as<Pack>(H, p, request, out);
  }
  void evaluate(const Matrix<Dual<Pack, 1>, 3, 3>& H, std::span<const Dual<Pack, 1>> p,
                MaterialRequest request, MaterialResponse<Dual<Pack, 1>>& out) const override {
    evaluate_as<Dual<Pack, 1>>(H, p, request, out);
  }

 private:
  using Point = LawPoint<Form, Measure>;
  static constexpr int size = Point::size;
  static_assert(Form::parameters.size() <= max_material_parameters);

  template <class B>
  void evaluate_as(const Matrix<B, 3, 3>& H, std::span<const B> p, MaterialRequest request,
                   MaterialResponse<B>& out) const {
    const Measure<B> z = Measure<B>::of(H);
    if (request.tangent)
      out.energy = Point::tangent(H, z, p, request.stress ? &out.stress : nullptr, out.tangent);
    else if (request.stress)
      out.energy = Point::stress(H, z, p, out.stress);
    else if (request.energy)
      out.energy = Form::energy(z, p);
    if (request.by_parameter) with_parameters(H, z, p, out);
  }

  /// Derivatives by parameters term by term: the energy is a sum of terms with separate parameters.
  template <class B>
  void with_parameters(const Matrix<B, 3, 3>& H, const Measure<B>& z, std::span<const B> p,
                       MaterialResponse<B>& out) const {
    constexpr int count = Form::per_term + Form::shared;
    using Q = Dual<B, count>;
    Measure<Q> fixed;
    for (int a = 0; a < size; ++a) fixed[a] = Q(z[a]);
    for (int term = 0; term < terms_; ++term) {
      const auto place = [&](int k) { return (k < Form::per_term ? term : terms_ - 1) * Form::per_term + k; };
      Q q[count];
      for (int k = 0; k < count; ++k) q[k] = Q::variable(p[place(k)], k);
      const auto W = Form::energy(Point::template variables<Dual<Q, size>>(fixed), std::span<const Q>(q));
      for (int k = 0; k < count; ++k) {
        B w[size];
        for (int a = 0; a < size; ++a) w[a] = W.grad[a].grad[k];
        out.energy_by_parameter[place(k)] = W.value.grad[k];
        Measure<B>::stress(H, w, out.stress_by_parameter[place(k)]);
      }
    }
  }

  int terms_;
};

template <class Law>
std::unique_ptr<Material> make_material_model(Formulation formulation, int terms) {
  if (formulation == Formulation::isochoric)
    return std::make_unique<MaterialModel<IsochoricForm<Law>, Law::template Measure>>(terms);
  return std::make_unique<MaterialModel<CompressibleForm<Law>, Law::template Measure>>(terms);
}

}  // namespace invar

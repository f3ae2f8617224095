#pragma once
#include "libfem/math/tensor.hpp"
#include "libfem/solid/law_point.hpp"
#include "libfem/solid/material_forms.hpp"

namespace invar {

/// Energy and stress of a law at a point.
template <class T>
struct LawResponse {
  T energy;
  T stress[9];
};

/// A law as the member `material` of a q-function, as a template parameter: all calls are resolved at compile time, as
/// devices require. `SharedMaterial` is the alternative for any law, chosen at run time.
template <class Law, template <class> class Form>
struct LawMaterial {
  using Point = LawPoint<Form<Law>, Law::template Measure>;
  static constexpr int most_parameters = static_cast<int>(Form<Law>::parameters.size());

  int terms = max_terms<Law>;

  INVAR_HD int parameter_count() const { return terms * Form<Law>::per_term + Form<Law>::shared; }
  INVAR_HD constexpr bool finite_strain() const { return Law::template Measure<double>::finite_strain; }
  INVAR_HD constexpr bool keeps_orientation() const { return finite_strain(); }

  /// Order 0: energy; 1: energy and stress. p has type T or one over which T carries derivatives.
  template <int Order, class T, class Tp>
  INVAR_HD LawResponse<T> at(const Matrix<T, 3, 3>& H, const Tp* p) const {
    const std::span<const Tp> parameters(p, parameter_count());
    LawResponse<T> out;
    const auto z = Law::template Measure<T>::of(H);
    if constexpr (Order == 0) out.energy = Form<Law>::energy(z, parameters);
    else out.energy = Point::stress(H, z, parameters, out.stress);
    return out;
  }
  /// A = ∂²W/∂H∂H.
  template <class B>
  INVAR_HD void tangent(const Matrix<B, 3, 3>& H, const B* p, B (&A)[9][9]) const {
    Point::template tangent<B, B>(H, Law::template Measure<B>::of(H), {p, std::size_t(parameter_count())}, nullptr, A);
  }
};

}  // namespace invar

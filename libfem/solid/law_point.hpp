#pragma once
#include <span>

#include "libfem/math/dual.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

/// A form of a law (IsochoricForm or CompressibleForm) at one point, without a virtual call. The energy is
/// differentiated by dual numbers in the few variables of the measure z = Measure::of(H) of the displacement gradient
/// H = ∂u/∂X; the chain rule from z to H is the measure's.
template <class Form, template <class> class Measure>
struct LawPoint {
  static constexpr int size = Measure<double>::size;

  /// z with its own components as the variables of D, a dual over B.
  template <class D, class B>
  INVAR_HD static Measure<D> variables(const Measure<B>& z) {
    Measure<D> v;
    for (int a = 0; a < size; ++a) v[a] = D::variable(z[a], a);
    return v;
  }

  /// Returns W [J/m³]; P = ∂W/∂H [Pa].
  template <class B, class S>
  INVAR_HD static B stress(const Matrix<B, 3, 3>& H, const Measure<B>& z, std::span<const S> p, B (&P)[9]) {
    const auto W = Form::energy(variables<Dual<B, size>>(z), p);
    B w[size];
    for (int a = 0; a < size; ++a) w[a] = W.grad[a];
    Measure<B>::stress(H, w, P);
    return W.value;
  }

  /// The same with A = ∂²W/∂H∂H [Pa]; P may be null.
  template <class B, class S>
  INVAR_HD static B tangent(const Matrix<B, 3, 3>& H, const Measure<B>& z, std::span<const S> p, B (*P)[9], B (&A)[9][9]) {
    using D = Dual<B, size>;
    const auto W = Form::energy(variables<Dual<D, size>>(variables<D>(z)), p);
    B w[size], ww[size][size];
    for (int a = 0; a < size; ++a) {
      w[a] = W.grad[a].value;
      for (int b = 0; b < size; ++b) ww[a][b] = W.grad[a].grad[b];
    }
    if (P) Measure<B>::stress(H, w, *P);
    Measure<B>::tangent(H, w, ww, A);
    return W.value.value;
  }
};

}  // namespace invar

#pragma once
#include <array>
#include <span>
#include <type_traits>

#include "libfem/solid/material.hpp"

namespace invar {

/// Scalar types that a Material evaluates natively.
template <class T>
inline constexpr bool is_lane_type = std::is_same_v<T, Pack> || std::is_same_v<T, Dual<Pack, 1>>;

/// Number of directions of a Dual.
template <class T>
inline constexpr int dual_size = 0;
template <class T, int N>
inline constexpr int dual_size<Dual<T, N>> = N;

/// Energy and stress of a Material at a displacement gradient whose entries are duals, nested to any
/// depth over a lane type. A virtual call cannot be a template, so the chain rule is applied once per
/// level of nesting from the derivatives that the material delivers at the lane type:
///   W(v + ε ḣ) = W(v) + ε P(v):ḣ,   P(v + ε ḣ) = P(v) + ε C(v):ḣ   (+ parameter parts).
template <class T>
struct MaterialPoint {
  T energy;
  std::array<T, 9> stress;      // filled when Order ≥ 1
  T tangent[9][9];              // filled when Order = 2, lane types only
};

/// Order 0: energy; 1: and stress; 2: and tangent. p has type T (then it carries derivatives of its
/// own) or the lane type under T.
template <int Order, class T, class Tp>
MaterialPoint<T> material_point(const Material& material, const Matrix<T, 3, 3>& H, const Tp* p) {
  const std::size_t np = material.parameters().size();
  MaterialPoint<T> out;
  if constexpr (is_lane_type<T>) {
    static_assert(std::is_same_v<T, Tp> || std::is_same_v<T, Dual<Tp, 1>>);
    std::array<T, max_material_parameters> lifted;
    for (std::size_t k = 0; k < np; ++k) lifted[k] = T(p[k]);
    MaterialResponse<T> r;
    material.evaluate(H, std::span<const T>(lifted.data(), np), {true, Order >= 1, Order >= 2, false}, r);
    out.energy = r.energy;
    if constexpr (Order >= 1)
      for (int k = 0; k < 9; ++k) out.stress[k] = r.stress[k];
    if constexpr (Order >= 2)
      for (int k = 0; k < 9; ++k)
        for (int l = 0; l < 9; ++l) out.tangent[k][l] = r.tangent[k][l];
  } else {
    static_assert(Order <= 1, "third derivatives exist along one direction only (lane type Dual<Pack, 1>)");
    using U = std::remove_cvref_t<decltype(T{}.value)>;
    constexpr int n = dual_size<T>;
    constexpr bool p_moves = std::is_same_v<T, Tp>;
    static_assert(!p_moves || is_lane_type<U>);
    Matrix<U, 3, 3> Hv;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) Hv(i, j) = H(i, j).value;
    // The values and the derivatives of one order more, at the level below.
    MaterialPoint<U> v;
    MaterialResponse<U> by_parameter;
    if constexpr (p_moves) {
      std::array<U, max_material_parameters> pv;
      for (std::size_t k = 0; k < np; ++k) pv[k] = p[k].value;
      v = material_point<Order + 1, U, U>(material, Hv, pv.data());
      material.evaluate(Hv, std::span<const U>(pv.data(), np), {false, false, false, true}, by_parameter);
    } else {
      v = material_point<Order + 1, U, Tp>(material, Hv, p);
    }
    out.energy.value = v.energy;
    for (int i = 0; i < n; ++i) {
      U d(0.0);
      for (int k = 0; k < 9; ++k) d += v.stress[k] * H(k / 3, k % 3).grad[i];
      if constexpr (p_moves)
        for (std::size_t k = 0; k < np; ++k) d += by_parameter.energy_by_parameter[k] * p[k].grad[i];
      out.energy.grad[i] = d;
    }
    if constexpr (Order >= 1)
      for (int k = 0; k < 9; ++k) {
        out.stress[k].value = v.stress[k];
        for (int i = 0; i < n; ++i) {
          U d(0.0);
          for (int l = 0; l < 9; ++l) d += v.tangent[k][l] * H(l / 3, l % 3).grad[i];
          if constexpr (p_moves)
            for (std::size_t l = 0; l < np; ++l) d += by_parameter.stress_by_parameter[l][k] * p[l].grad[i];
          out.stress[k].grad[i] = d;
        }
      }
  }
  return out;
}

}  // namespace invar

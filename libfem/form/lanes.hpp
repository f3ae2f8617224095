#pragma once
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/coefficient.hpp"
#include "libfem/math/dual.hpp"
#include "libfem/math/simd.hpp"

namespace invar {

/// Lane types: Pack, or Dual<Pack, 1> to carry one direction of differentiation along.
template <class B>
inline constexpr bool carries_tangent = !std::is_same_v<B, Pack>;

/// What a kernel adds to its output: the value, or its derivative where a direction is carried.
inline const Pack& emitted(const Pack& v) { return v; }
inline const Pack& emitted(const Dual<Pack, 1>& v) { return v.grad[0]; }

/// values[stride · index[lane] + shift] in every lane.
inline Pack gather(const double* values, const int* index, int stride, int shift) {
  Pack p;
  for (int l = 0; l < simd_width; ++l) p.set(l, values[stride * index[l] + shift]);
  return p;
}

/// The same with its direction; nullptr: not there.
template <class B>
B gather(const double* values, const double* direction, const int* index, int stride, int shift) {
  const Pack v = values ? gather(values, index, stride, shift) : Pack(0.0);
  if constexpr (carries_tangent<B>) {
    B b;
    b.value = v;
    b.grad[0] = direction ? gather(direction, index, stride, shift) : Pack(0.0);
    return b;
  } else {
    return v;
  }
}

/// target[stride · index[lane] + shift] += v in the first `lanes` lanes, one after the other: lanes
/// may share a node.
inline void scatter_add(double* target, const int* index, int stride, int shift, const Pack& v, int lanes) {
  for (int l = 0; l < lanes; ++l) target[stride * index[l] + shift] += v[l];
}

/// Σ of the first `lanes` lanes.
inline double sum_lanes(const Pack& v, int lanes) {
  double s = 0;
  for (int l = 0; l < lanes; ++l) s += v[l];
  return s;
}

/// A coefficient's values for one batch; interpolated to the quadrature points where nodal.
template <class B>
class BatchCoefficients {
 public:
  BatchCoefficients(const std::vector<Coefficient>& coefficients, const std::vector<const double*>& directions)
      : coefficients_(coefficients), directions_(directions), value_(coefficients.size()) {}

  /// Values at point q of batch b; `at(q)` of constants and cell values does not depend on q.
  const B* at(const BatchGroup& g, int b, int q) {
    for (std::size_t k = 0; k < coefficients_.size(); ++k) {
      const Coefficient& c = coefficients_[k];
      const double* dot = k < directions_.size() ? directions_[k] : nullptr;
      if (c.layout == Coefficient::Layout::constant) {
        static constexpr int zeros[simd_width] = {};
        if (q == 0) value_[k] = gather<B>(c.values.data(), dot, zeros, 0, 0);
      } else if (c.layout == Coefficient::Layout::per_cell) {
        if (q == 0) value_[k] = gather<B>(c.values.data(), dot, &g.cell[b * simd_width], 1, 0);
      } else {
        B sum(0.0);
        for (int a = 0; a < g.n_nodes; ++a)
          sum += g.geometry.N[q * g.n_nodes + a] *
                 gather<B>(c.values.data(), dot, &g.node[(std::size_t(b) * g.n_nodes + a) * simd_width], 1, 0);
        value_[k] = sum;
      }
    }
    return value_.data();
  }

 private:
  const std::vector<Coefficient>& coefficients_;
  const std::vector<const double*>& directions_;
  std::vector<B> value_;
};

}  // namespace invar

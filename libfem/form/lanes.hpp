#pragma once
#include <utility>
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

/// What a form remembers, [point of a batch][number][lane], with its direction; nullptr: zero.
struct PointMemory {
  int per_point = 0;
  const double* values = nullptr;
  const double* direction = nullptr;
  double step_length = 0;

  /// Where the numbers of point q of batch b begin.
  std::size_t place(const BatchGroup& g, int b, int q) const {
    return (g.first_point + std::size_t(b) * g.n_points() + q) * per_point * simd_width;
  }
};

/// The coefficients' values for one batch, interpolated to the quadrature points where nodal; then what the form
/// remembers there and the length of the step, of forms that remember.
template <class B>
class BatchCoefficients {
 public:
  BatchCoefficients(const std::vector<Coefficient>& coefficients, std::vector<const double*> directions,
                    PointMemory memory = {})
      : coefficients_(coefficients), directions_(std::move(directions)), memory_(memory),
        value_(coefficients.size() + (memory.per_point > 0 ? memory.per_point + 1 : 0)) {}

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
    if (memory_.per_point > 0) recall(g, b, q);
    return value_.data();
  }

 private:
  void recall(const BatchGroup& g, int b, int q) {
    const std::size_t place = memory_.place(g, b, q);
    B* value = value_.data() + coefficients_.size();
    for (int k = 0; k < memory_.per_point; ++k) {
      const std::size_t at = place + std::size_t(k) * simd_width;
      const Pack v = memory_.values ? Pack::load(memory_.values + at) : Pack(0.0);
      if constexpr (carries_tangent<B>) {
        value[k].value = v;
        value[k].grad[0] = memory_.direction ? Pack::load(memory_.direction + at) : Pack(0.0);
      } else {
        value[k] = v;
      }
    }
    value[memory_.per_point] = B(memory_.step_length);
  }

  const std::vector<Coefficient>& coefficients_;
  std::vector<const double*> directions_;
  PointMemory memory_;
  std::vector<B> value_;
};

}  // namespace invar

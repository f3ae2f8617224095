#pragma once
#if defined(__AVX512F__)
#include <immintrin.h>
#endif
#include <utility>
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/coefficient.hpp"
#include "libfem/form/q_function.hpp"
#include "libfem/math/simd.hpp"

namespace invar {

/// The output of a kernel: the value, or its derivative if a direction is carried.
inline const Pack& emitted(const Pack& v) { return v; }
inline const Pack& emitted(const Dual<Pack, 1>& v) { return v.grad[0]; }

/// values[stride · index[lane] + shift] in every lane.
inline Pack gather(const double* values, const int* index, int stride, int shift) {
#if defined(__AVX512F__)
  if constexpr (simd_width == 8) {
    const __m256i at = _mm256_mullo_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(index)),
                                          _mm256_set1_epi32(stride));
    return Pack(Pack::Register(_mm512_i32gather_pd(at, values + shift, 8)));
  }
#endif
  Pack p;
  for (int l = 0; l < simd_width; ++l) p.set(l, values[stride * index[l] + shift]);
  return p;
}

/// The same with a direction; nullptr: none.
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

/// target[stride · index[lane] + shift] += v for the first `lanes` lanes, one after the other, because lanes may share
/// a node.
inline void scatter_add(double* target, const int* index, int stride, int shift, const Pack& v, int lanes) {
  for (int l = 0; l < lanes; ++l) target[stride * index[l] + shift] += v[l];
}

/// out[a · width] = `gather` of node a, whose indices are index[a · simd_width + lane].
template <class B>
void gather_nodes(const double* values, const double* direction, const int* index, int n_nodes, int stride, int shift,
                  B* out, int width);
/// The transpose: `scatter_add` of the output v[a · width].
template <class B>
void scatter_nodes(const B* v, int width, const int* index, int n_nodes, int stride, int shift, int lanes,
                   double* target);

/// Whether the numbers v[a · width] of all nodes are zero, with their directions.
template <class B>
bool vanish(const B* v, int width, int n_nodes);

/// Σ of the first `lanes` lanes.
inline double sum_lanes(const Pack& v, int lanes) {
  double s = 0;
  for (int l = 0; l < lanes; ++l) s += v[l];
  return s;
}

/// History variables of a form, [point of a batch][number][lane], with their direction; nullptr: zero.
struct PointMemory {
  int per_point = 0;
  const double* values = nullptr;
  const double* direction = nullptr;
  double step_length = 0;

  /// Offset of the numbers of point q of batch b.
  std::size_t place(const BatchGroup& g, int b, int q) const {
    return (g.first_point + std::size_t(b) * g.n_points() + q) * per_point * simd_width;
  }
};

/// Values of the coefficients for one batch, interpolated to the quadrature points if nodal; followed by history
/// variables and the step length for forms with history variables.
template <class B>
class BatchCoefficients {
 public:
  BatchCoefficients(const std::vector<Coefficient>& coefficients, std::vector<const double*> directions,
                    PointMemory memory = {});
  ~BatchCoefficients();

  /// Values at point q of batch b; for constants and cell values independent of q.
  const B* at(const BatchGroup& g, int b, int q);

 private:
  void recall(const BatchGroup& g, int b, int q);

  const std::vector<Coefficient>& coefficients_;
  std::vector<const double*> directions_;
  PointMemory memory_;
  std::vector<B> value_;
};

/// The transpose of `BatchCoefficients` for one coefficient: adds v, a derivative at point q, to target.
void add_to_coefficient(const Coefficient& c, const BatchGroup& g, int b, int q, const Pack& v, double* target);

extern template class BatchCoefficients<Pack>;
extern template class BatchCoefficients<Dual<Pack, 1>>;
extern template bool vanish(const Pack*, int, int);
extern template bool vanish(const Dual<Pack, 1>*, int, int);
extern template void gather_nodes(const double*, const double*, const int*, int, int, int, Pack*, int);
extern template void gather_nodes(const double*, const double*, const int*, int, int, int, Dual<Pack, 1>*, int);
extern template void scatter_nodes(const Pack*, int, const int*, int, int, int, int, double*);
extern template void scatter_nodes(const Dual<Pack, 1>*, int, const int*, int, int, int, int, double*);

}  // namespace invar

#include "libfem/form/lanes.hpp"

namespace invar {

template <class B>
void gather_nodes(const double* values, const double* direction, const int* index, int n_nodes, int stride, int shift,
                  B* out, int width) {
  for (int a = 0; a < n_nodes; ++a)
    out[a * width] = gather<B>(values, direction, index + a * simd_width, stride, shift);
}

template <class B>
void scatter_nodes(const B* v, int width, const int* index, int n_nodes, int stride, int shift, int lanes,
                   double* target) {
  for (int a = 0; a < n_nodes; ++a)
    scatter_add(target, index + a * simd_width, stride, shift, emitted(v[a * width]), lanes);
}

template <class B>
bool vanish(const B* v, int width, int n_nodes) {
  const auto is_zero = [](const Pack& p) {
    for (int l = 0; l < simd_width; ++l)
      if (p[l] != 0) return false;
    return true;
  };
  for (int a = 0; a < n_nodes; ++a) {
    const B& b = v[a * width];
    if constexpr (carries_tangent<B>) {
      if (!is_zero(b.value)) return false;
    }
    if (!is_zero(emitted(b))) return false;
  }
  return true;
}

template <class B>
BatchCoefficients<B>::BatchCoefficients(const std::vector<Coefficient>& coefficients,
                                        std::vector<const double*> directions, PointMemory memory)
    : coefficients_(coefficients), directions_(std::move(directions)), memory_(memory),
      value_(coefficients.size() + (memory.per_point > 0 ? memory.per_point + 1 : 0)) {}

template <class B>
BatchCoefficients<B>::~BatchCoefficients() = default;

template <class B>
const B* BatchCoefficients<B>::at(const BatchGroup& g, int b, int q) {
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

template <class B>
void BatchCoefficients<B>::recall(const BatchGroup& g, int b, int q) {
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

void add_to_coefficient(const Coefficient& c, const BatchGroup& g, int b, int q, const Pack& v, double* target) {
  switch (c.layout) {
    case Coefficient::Layout::constant: target[0] += sum_lanes(v, g.owned[b]); break;
    case Coefficient::Layout::per_cell: scatter_add(target, &g.cell[b * simd_width], 1, 0, v, g.owned[b]); break;
    case Coefficient::Layout::per_node:
      for (int a = 0; a < g.n_nodes; ++a)
        scatter_add(target, &g.node[(std::size_t(b) * g.n_nodes + a) * simd_width], 1, 0,
                    g.geometry.N[q * g.n_nodes + a] * v, g.active[b]);
  }
}

template class BatchCoefficients<Pack>;
template class BatchCoefficients<Dual<Pack, 1>>;
template bool vanish(const Pack*, int, int);
template bool vanish(const Dual<Pack, 1>*, int, int);
template void gather_nodes(const double*, const double*, const int*, int, int, int, Pack*, int);
template void gather_nodes(const double*, const double*, const int*, int, int, int, Dual<Pack, 1>*, int);
template void scatter_nodes(const Pack*, int, const int*, int, int, int, int, double*);
template void scatter_nodes(const Dual<Pack, 1>*, int, const int*, int, int, int, int, double*);

}  // namespace invar

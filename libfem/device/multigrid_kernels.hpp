#pragma once
#include <cmath>

#include "libfem/device/phases.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

/// A kernel with one thread per entry or node and nothing shared.
struct OneByOne {
  static constexpr int phase_count = 1;
  int n = 0;

  INVAR_HD int threads() const { return 128; }
  INVAR_HD int teams() const { return (n + 127) / 128; }
  INVAR_HD int shared_size() const { return 0; }
};

/// y_i = a x_i where unknowns are held. Elsewhere y_i = x_i, or y_i is kept.
struct HeldEntries : OneByOne {
  const char* held = nullptr;
  double a = 0;
  bool keeps_others = false;
  const double* x = nullptr;
  double* y = nullptr;

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int i = team * 128 + thread;
    if (i >= n) return;
    if (held[i]) y[i] = a * x[i];
    else if (!keeps_others) y[i] = x[i];
  }
};

/// blocks[target[t]] += Σ_k rows[from[k]] for start[t] ≤ k < start[t + 1], each of `size` numbers, in the order of the list. One thread per
/// number: n of them.
struct BlockSum : OneByOne {
  int size = 1;
  const int *target = nullptr, *start = nullptr, *from = nullptr;
  const double* rows = nullptr;
  double* blocks = nullptr;

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int i = team * 128 + thread, t = i / size, c = i % size;
    if (i >= n) return;
    double sum = 0;
    for (int k = start[t]; k < start[t + 1]; ++k) sum += rows[std::size_t(from[k]) * size + c];
    blocks[std::size_t(target[t]) * size + c] += sum;
  }
};

/// y = A x with a sparse matrix in compressed rows.
struct SparseProduct : OneByOne {
  const int *start = nullptr, *column = nullptr;
  const double *value = nullptr, *x = nullptr;
  double* y = nullptr;

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int i = team * 128 + thread;
    if (i >= n) return;
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
};

/// The largest magnitude in each row of the N × N blocks of n nodes; 0 where the unknown is held.
template <int N>
struct BlockRowMax : OneByOne {
  const char* held = nullptr;
  const double* blocks = nullptr;
  double* largest = nullptr;

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int node = team * 128 + thread;
    if (node >= n) return;
    for (int i = 0; i < N; ++i) {
      double most = 0;
      for (int j = 0; j < N; ++j) {
        const double v = std::abs(blocks[(std::size_t(node) * N + i) * N + j]);
        if (!(v <= most)) most = v;  // NaN is kept
      }
      largest[node * N + i] = held[node * N + i] ? 0.0 : most;
    }
  }
};

/// Inverts the N × N blocks of n nodes. Held unknowns are decoupled and have the diagonal `on_held`.
template <int N>
struct InvertBlocks : OneByOne {
  const char* held = nullptr;
  double on_held = 1;
  double* blocks = nullptr;

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int node = team * 128 + thread;
    if (node >= n) return;
    double* block = blocks + std::size_t(node) * N * N;
    Matrix<double, N, N> B;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        const bool free = !held[node * N + i] && !held[node * N + j];
        B(i, j) = free ? block[i * N + j] : i == j ? on_held : 0.0;
      }
    B = inverse(B);
    for (int k = 0; k < N * N; ++k) block[k] = B.entries[k];
  }
};

/// A step of Chebyshev's iteration for A x = b with the blocks B of n nodes: r = from − Ad, d = of_d d + of_r B⁻¹ r, x += d. Begins with r =
/// from and x = d if Ad is null, of_d being 0.
template <int N>
struct ChebyshevStep : OneByOne {
  const double *inverse = nullptr, *from = nullptr, *Ad = nullptr;
  double of_d = 0, of_r = 1;
  double *r = nullptr, *d = nullptr, *x = nullptr;

  template <int P, class Memory>
  INVAR_HD void phase(int team, int thread, const Memory&) const {
    const int node = team * 128 + thread;
    if (node >= n) return;
    double left[N];
    for (int j = 0; j < N; ++j) {
      left[j] = from[node * N + j];
      if (Ad) r[node * N + j] = left[j] -= Ad[node * N + j];
    }
    for (int i = 0; i < N; ++i) {
      double z = 0;
      for (int j = 0; j < N; ++j) z += inverse[(std::size_t(node) * N + i) * N + j] * left[j];
      const int at = node * N + i;
      const double step = Ad ? of_d * d[at] + of_r * z : of_r * z;
      d[at] = step;
      x[at] = Ad ? x[at] + step : step;
    }
  }
};

}  // namespace invar

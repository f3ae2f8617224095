#pragma once
#include <cmath>
#include <cstdint>

#include "libfem/device/one_by_one.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

// Entries of OneByOne: unknowns, numbers of blocks, or nodes.

/// y_i = a x_i where unknowns are held. Elsewhere y_i = x_i, or y_i is kept.
struct HeldEntries {
  const char* held = nullptr;
  double a = 0;
  bool keeps_others = false;
  const double* x = nullptr;
  double* y = nullptr;

  INVAR_HD void at(int i) const {
    if (held[i]) y[i] = a * x[i];
    else if (!keeps_others) y[i] = x[i];
  }
};

/// blocks[target[t]] += Σ_k rows[from[k]] for start[t] ≤ k < start[t + 1], each of `size` numbers, in the order of the list.
/// Entry t · size + c is number c of block target[t].
struct BlockSum {
  int size = 1;
  const int *target = nullptr, *start = nullptr, *from = nullptr;
  const double* rows = nullptr;
  double* blocks = nullptr;

  INVAR_HD void at(int i) const {
    const int t = i / size, c = i % size;
    double sum = 0;
    for (int k = start[t]; k < start[t + 1]; ++k) sum += rows[std::size_t(from[k]) * size + c];
    blocks[std::size_t(target[t]) * size + c] += sum;
  }
};

/// v_i without structure, between −1 and 1: the mixed bits of i (G. Steele et al., Fast splittable pseudorandom number generators, OOPSLA 2014).
struct Noise {
  double* v = nullptr;

  INVAR_HD void at(int i) const {
    std::uint64_t bits = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    v[i] = static_cast<double>((bits ^ bits >> 31) >> 11) * 0x1p-52 - 1;  // of 53 bits
  }
};

/// The largest magnitude in each row of the N × N block of a node; 0 where the unknown is held.
template <int N>
struct BlockRowMax {
  const char* held = nullptr;
  const double* blocks = nullptr;
  double* largest = nullptr;

  INVAR_HD void at(int node) const {
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

/// Inverts the N × N block of a node. Held unknowns are decoupled and have the diagonal `on_held`.
template <int N>
struct InvertBlocks {
  const char* held = nullptr;
  double on_held = 1;
  double* blocks = nullptr;

  INVAR_HD void at(int node) const {
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

/// A step of Chebyshev's iteration for A x = b with the blocks B of the nodes: r = from − Ad, d = of_d d + of_r B⁻¹ r, x += d. Begins with r =
/// from and x = d if Ad is null, of_d being 0.
template <int N>
struct ChebyshevStep {
  const double *inverse = nullptr, *from = nullptr, *Ad = nullptr;
  double of_d = 0, of_r = 1;
  double *r = nullptr, *d = nullptr, *x = nullptr;

  INVAR_HD void at(int node) const {
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

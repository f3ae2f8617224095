#pragma once
#include <cmath>
#include <cstddef>

#include "libfem/device/phases.hpp"
#include "libfem/form/corner_weight.hpp"
#include "libfem/math/static_for.hpp"

// Kernels of operators and multigrid on congruent cells. D: dimensions, and components of the unknown at every node; a cell has 2^D corners,
// and bit k of the number of a corner is set at the upper end of axis k. Corner unknowns: [corner][component]. Arrays are on the device.
namespace invar {

template <int D>
inline constexpr int corner_count = 1 << D;
template <int D>
inline constexpr int block_size = D * D;
template <int D>
inline constexpr int cell_numbers = corner_count<D> * corner_count<D> * block_size<D>;  // of an element matrix

/// Shares of cells in an operator Σ_s f_s Gₛᵀ K_k(s) Gₛ.
template <int D>
struct CellShares {
  const int* node = nullptr;       // [share][corner]; ~node where an unknown of the node is held
  const double* factor = nullptr;  // [share]
  const int* kind = nullptr;       // [share]
  const double* matrix = nullptr;  // [kind] K: [column][row]
  const char* held = nullptr;      // [unknown]

  INVAR_HD static int node_of(int code) { return code >= 0 ? code : ~code; }
  INVAR_HD bool free(int code, int component) const { return code >= 0 || !held[~code * D + component]; }
};

/// y = K x by a sum over the shares of each node in the order of its list, the diagonal of K, or Σ_j |k_ij|. Held rows: on_held · x, or on_held. For
/// OneByOne, the entries being nodes.
template <int D>
struct CellProduct {
  enum class Of { product, diagonal, magnitudes };
  Of of = Of::product;
  CellShares<D> shares = {};
  const int *start = nullptr, *from = nullptr;  // [node] its list; share · corners + corner
  double on_held = 1;
  const double* x = nullptr;
  double* y = nullptr;

  INVAR_HD void at(int node) const {
    constexpr int C = corner_count<D>, n = C * D;
    double sum[D] = {};
    for (int k = start[node]; k < start[node + 1]; ++k) {
      const int share = from[k] / C, a = from[k] % C;
      const double f = shares.factor[share];
      const double* K = shares.matrix + std::size_t(shares.kind[share]) * n * n + a * D;
      double part[D] = {};
      if (of == Of::diagonal) {
        for (int i = 0; i < D; ++i) part[i] = K[(a * D + i) * n + i];
      } else {
        INVAR_UNROLL_BY(2)
        for (int c = 0; c < C; ++c) {
          const int code = shares.node[share * C + c], other = shares.node_of(code);
          static_for<D>([&](auto j) {
            const double v = !shares.free(code, j) ? 0.0 : of == Of::product ? x[other * D + j] : 1.0;
            static_for<D>([&](auto i) {
              const double k_ij = K[(c * D + j) * n + i];
              part[i] += (of == Of::product ? k_ij : std::abs(k_ij)) * v;
            });
          });
        }
      }
      for (int i = 0; i < D; ++i) sum[i] += (of == Of::magnitudes ? std::abs(f) : f) * part[i];
    }
    for (int i = 0; i < D; ++i) {
      const int d = node * D + i;
      y[d] = !shares.held[d] ? sum[i] : of == Of::product ? on_held * x[d] : on_held;
    }
  }
};

/// Compares the element matrices of cells with a kind K, all of trace 1 after division by theirs: a cell without a kind yet gets it if no
/// number differs by more than `same`. Leaves the traces in `factor`. A team is a cell.
template <int D>
struct MatchKind {
  static constexpr int phase_count = 3;
  int n = 0;                        // cells
  double same = 0;
  int number = 0;                   // of the kind
  const double* blocks = nullptr;   // [cell][a][b][component][component], a and b nodes of the cell
  const signed char* corner = nullptr;  // [cell][node] its corner
  const double* matrix = nullptr;   // K by corners
  double* factor = nullptr;         // [cell]
  int* kind = nullptr;              // [cell]; 0: none yet

  INVAR_HD int threads() const { return 64; }
  INVAR_HD int teams() const { return n; }
  INVAR_HD int shared_size() const { return threads() + 1; }

  template <int P, class Memory>
  INVAR_HD void phase(int cell, int thread, const Memory& memory) const {
    constexpr int C = corner_count<D>, B = block_size<D>, rows = C * D;
    const double* own = blocks + std::size_t(cell) * cell_numbers<D>;
    if constexpr (P == 0) {
      if (thread != 0) return;
      double trace = 0;
      for (int a = 0; a < C; ++a)
        for (int i = 0; i < D; ++i) trace += own[(a * C + a) * B + i * D + i];
      memory.write(threads(), trace);
    } else if constexpr (P == 1) {
      const double trace = memory.read(threads()), allowed = same * std::abs(trace);
      double differs = 0;
      for (int k = thread; k < cell_numbers<D>; k += threads()) {
        const int a = k / (C * B), b = k / B % C, i = k % B / D, j = k % D;
        const double d = own[k] - trace * matrix[(corner[cell * C + b] * D + j) * rows + corner[cell * C + a] * D + i];
        if (!(d <= allowed && -d <= allowed)) differs = 1;
      }
      memory.write(thread, differs);
    } else if (thread == 0) {
      double differs = 0;
      for (int t = 0; t < threads(); ++t) differs += memory.read(t);
      factor[cell] = memory.read(threads());
      if (kind[cell] == 0 && differs == 0) kind[cell] = number;
    }
  }
};

/// Element matrices of coarse cells, the Galerkin products Wᵀ K W of the cells inside, W the coarse shape functions at their corners: of shares
/// on the first level, else of the element matrices of the level before. Rows and columns of held unknowns are zero. For OneByOne, an entry
/// being the block of two corners of a cell.
template <int D>
struct CoarseCells {
  bool halved[D] = {};              // axes along which cells are divided
  const int *start = nullptr, *from = nullptr;  // [cell] what is inside: shares, or cells of the level before; null: numbers as they are
  const unsigned char* child = nullptr;  // of each share or cell: its position in the coarse cell, as in LatticeHierarchy
  CellShares<D> shares = {};
  const double* finer = nullptr;    // [cell][a][b][component][component]; null: of shares
  const int* node = nullptr;        // [cell][corner]
  const char* held = nullptr;       // [unknown of the level]
  double* blocks = nullptr;         // [cell][A][B][component][component]

  INVAR_HD void at(int entry) const {
    constexpr int C = corner_count<D>, n = C * D, BS = block_size<D>;
    const int cell = entry / (C * C), A = entry / C % C, B = entry % C;
    double sum[BS] = {};
    for (int k = start[cell]; k < start[cell + 1]; ++k) {
      const int inside = from ? from[k] : k, part = child[inside];
      const double* K = finer ? finer + std::size_t(inside) * cell_numbers<D> : shares.matrix + std::size_t(shares.kind[inside]) * n * n;
      const double f = finer ? 1.0 : shares.factor[inside];
      for (int a = 0; a < C; ++a) {
        const double w = f * corner_weight(D, halved, part, a, A);
        if (w == 0) continue;
        for (int b = 0; b < C; ++b) {
          const double both = w * corner_weight(D, halved, part, b, B);
          if (both == 0) continue;
          static_for<D>([&](auto i) {
            static_for<D>([&](auto j) {
              if (finer) sum[i * D + j] += both * K[(a * C + b) * BS + i * D + j];
              else if (shares.free(shares.node[inside * C + a], i) && shares.free(shares.node[inside * C + b], j))
                sum[i * D + j] += both * K[(b * D + j) * n + a * D + i];
            });
          });
        }
      }
    }
    const int row = node[cell * C + A] * D, column = node[cell * C + B] * D;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) blocks[std::size_t(entry) * BS + i * D + j] = held[row + i] || held[column + j] ? 0.0 : sum[i * D + j];
  }
};

/// Numbers of a matrix in block rows. y = A x; or the diagonal; or y_i = 1 where it is zero, else 0; or `fill` is added where it is zero. For OneByOne,
/// the entries being unknowns.
template <int D>
struct BlockRows {
  enum class Of { product, diagonal, empty, fill };
  Of of = Of::product;
  const int *start = nullptr, *column = nullptr, *diagonal = nullptr;  // by nodes; diagonal: places of the diagonal blocks
  double* blocks = nullptr;                                            // [place][component][component]
  double fill = 0;
  const double* x = nullptr;
  double* y = nullptr;

  INVAR_HD void at(int row) const {
    const int node = row / D, i = row % D;
    if (of == Of::product) {
      double sum = 0;
      INVAR_UNROLL_BY(4)
      for (int k = start[node]; k < start[node + 1]; ++k) {
        const double *b = blocks + std::size_t(k) * block_size<D> + i * D, *v = x + column[k] * D;
        static_for<D>([&](auto j) { sum += b[j] * v[j]; });
      }
      y[row] = sum;
      return;
    }
    double& d = blocks[std::size_t(diagonal[node]) * block_size<D> + i * D + i];
    if (of == Of::diagonal) y[row] = d;
    else if (of == Of::empty) y[row] = d == 0 ? 1 : 0;
    else if (d == 0) d = fill;
  }
};

/// Interpolation between lattices: y = P x, the mean of a node's parents, zero where the unknown is held; or y = Pᵀ x, the sum over the nodes
/// whose parent it is. For OneByOne, the entries being unknowns of the result.
template <int D>
struct LatticeTransfer {
  bool transposed = false;
  const int *start = nullptr, *from = nullptr;  // of the result's nodes: those that they depend on
  const int* parents = nullptr;                 // start of the parents' list, by fine nodes
  const char *held = nullptr, *other_held = nullptr;  // unknowns of the result and of x
  const double* x = nullptr;
  double* y = nullptr;

  INVAR_HD void at(int row) const {
    const int node = row / D, i = row % D;
    double sum = 0;
    if (!held[row])
      for (int k = start[node]; k < start[node + 1]; ++k) {
        const int other = from[k] * D + i;
        if (other_held[other]) continue;
        sum += transposed ? x[other] / (parents[from[k] + 1] - parents[from[k]]) : x[other];
      }
    y[row] = held[row] ? 0.0 : transposed ? sum : sum / (start[node + 1] - start[node]);
  }
};

}  // namespace invar

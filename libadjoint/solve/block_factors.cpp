#include "libadjoint/solve/block_factors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace invar {
namespace {

template <int N>
class Factors final : public BlockFactors {
 public:
  void analyse(const CompressedRows& A, int levels) override;
  bool factor(const CompressedRows& A) override;
  void solve(const double* b, double* x) const override;
  void solve_transpose(const double* b, double* x) const override;

 private:
  using Block = std::array<float, N * N>;   // by columns
  using Exact = std::array<double, N * N>;  // the same while a row is worked on

  int rows() const { return static_cast<int>(diagonal_.size()); }
  void load_row(const CompressedRows& A, int i, const std::vector<int>& place, std::vector<Exact>& row) const;
  static bool invert(Exact& a);

  /// c −= a b
  template <class B>
  static void subtract_product(Exact& c, const Exact& a, const B& b) {
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k)
        for (int i = 0; i < N; ++i) c[j * N + i] -= a[k * N + i] * double(b[j * N + k]);
  }
  /// y −= a x
  static void subtract(double* __restrict y, const Block& a, const double* __restrict x) {
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; ++i) y[i] -= double(a[j * N + i]) * x[j];
  }
  /// y −= aᵀ x
  static void subtract_transposed(double* __restrict y, const Block& a, const double* __restrict x) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) y[j] -= double(a[j * N + i]) * x[i];
  }

  // By block rows: L without its unit diagonal, then D⁻¹, then U without D.
  std::vector<int> start_, diagonal_, column_;  // [rows + 1], [rows], [blocks]; places of D⁻¹
  std::vector<Block> value_;                    // [blocks]
};

/// Symbolic factorisation row by row: the level of a fill-in block is 1 + the sum of the levels of the two blocks in the product; it
/// is kept if within `levels`.
template <int N>
void Factors<N>::analyse(const CompressedRows& A, int levels) {
  const int n = A.n / N;
  start_.assign(1, 0);
  diagonal_.clear();
  column_.clear();
  std::vector<int> level_of_block;                                     // of every block kept
  // the present row: a list in ascending order
  std::vector<int> next(n + 1), level(n, std::numeric_limits<int>::max());
  const int end = n;                                                   // of the list; next[n] is its head
  for (int i = 0; i < n; ++i) {
    next[end] = end;
    const auto insert = [&](int after, int j, int depth) {  // `after`: the head, or a member of the list before j
      if (level[j] != std::numeric_limits<int>::max()) {
        level[j] = std::min(level[j], depth);
        return j;
      }
      while (next[after] < j) after = next[after];
      next[j] = next[after];
      next[after] = j;
      level[j] = depth;
      return j;
    };
    for (int r = i * N; r < (i + 1) * N; ++r) {
      int at = end;
      for (int e = A.start[r]; e < A.start[r + 1]; ++e)
        if (const int j = A.column[e] / N; j != at) at = insert(at, j, 0);
    }
    insert(end, i, 0);
    for (int k = next[end]; k < i; k = next[k]) {
      if (level[k] >= levels) continue;
      int at = k;
      for (int e = diagonal_[k] + 1; e < start_[k + 1]; ++e)
        if (const int depth = level[k] + level_of_block[e] + 1; depth <= levels) at = insert(at, column_[e], depth);
    }
    for (int j = next[end]; j < end; j = next[j]) {
      if (j == i) diagonal_.push_back(static_cast<int>(column_.size()));
      column_.push_back(j);
      level_of_block.push_back(level[j]);
      level[j] = std::numeric_limits<int>::max();
    }
    start_.push_back(static_cast<int>(column_.size()));
  }
  column_.shrink_to_fit();
  value_.assign(column_.size(), Block());
}

template <int N>
void Factors<N>::load_row(const CompressedRows& A, int i, const std::vector<int>& place, std::vector<Exact>& row) const {
  row.assign(start_[i + 1] - start_[i], Exact{});
  for (int r = 0; r < N; ++r)
    for (int e = A.start[i * N + r]; e < A.start[i * N + r + 1]; ++e)
      row[place[A.column[e] / N] - start_[i]][A.column[e] % N * N + r] = A.value[e];
}

template <int N>
bool Factors<N>::factor(const CompressedRows& A) {
  std::vector<int> place(rows(), -1);
  std::vector<Exact> row;
  for (int i = 0; i < rows(); ++i) {
    const int begin = start_[i], at = diagonal_[i], end = start_[i + 1];
    for (int e = begin; e < end; ++e) place[column_[e]] = e;
    load_row(A, i, place, row);
    for (int e = begin; e < at; ++e) {
      const int k = column_[e];
      Exact l{};
      subtract_product(l, row[e - begin], value_[diagonal_[k]]);  // −A_ik D_k⁻¹
      for (double& v : l) v = -v;
      row[e - begin] = l;
      for (int f = diagonal_[k] + 1; f < start_[k + 1]; ++f)
        if (const int p = place[column_[f]]; p >= 0) subtract_product(row[p - begin], l, value_[f]);
    }
    const bool regular = invert(row[at - begin]);
    for (int e = begin; e < end; ++e) {
      std::copy(row[e - begin].begin(), row[e - begin].end(), value_[e].begin());
      place[column_[e]] = -1;
    }
    if (!regular) return false;
  }
  return true;
}

/// a ← a⁻¹ by Gauss–Jordan elimination with pivoting in each column. False: singular.
template <int N>
bool Factors<N>::invert(Exact& a) {
  Exact b{};
  for (int i = 0; i < N; ++i) b[i * N + i] = 1;
  for (int c = 0; c < N; ++c) {
    int pivot = c;
    for (int r = c + 1; r < N; ++r)
      if (std::abs(a[c * N + r]) > std::abs(a[c * N + pivot])) pivot = r;
    const double p = 1 / a[c * N + pivot];
    if (!std::isfinite(p)) return false;
    for (int j = 0; j < N; ++j) {
      std::swap(a[j * N + c], a[j * N + pivot]);
      std::swap(b[j * N + c], b[j * N + pivot]);
      a[j * N + c] *= p;
      b[j * N + c] *= p;
    }
    for (int r = 0; r < N; ++r) {
      const double m = a[c * N + r];
      if (r == c || m == 0) continue;
      for (int j = 0; j < N; ++j) {
        a[j * N + r] -= m * a[j * N + c];
        b[j * N + r] -= m * b[j * N + c];
      }
    }
  }
  a = b;
  return std::ranges::all_of(a, [](double v) { return std::isfinite(v); });
}

template <int N>
void Factors<N>::solve(const double* b, double* x) const {
  for (int i = 0; i < rows(); ++i) {
    std::array<double, N> s;
    std::copy_n(b + std::size_t(i) * N, N, s.begin());
    for (int e = start_[i]; e < diagonal_[i]; ++e) subtract(s.data(), value_[e], x + std::size_t(column_[e]) * N);
    std::copy_n(s.begin(), N, x + std::size_t(i) * N);
  }
  for (int i = rows() - 1; i >= 0; --i) {
    std::array<double, N> s, zero{};
    std::copy_n(x + std::size_t(i) * N, N, s.begin());
    for (int e = diagonal_[i] + 1; e < start_[i + 1]; ++e) subtract(s.data(), value_[e], x + std::size_t(column_[e]) * N);
    subtract(zero.data(), value_[diagonal_[i]], s.data());
    for (int r = 0; r < N; ++r) x[std::size_t(i) * N + r] = -zero[r];
  }
}

/// Uᵀ first, then Lᵀ; the contributions of a row to others are subtracted as soon as it is known.
template <int N>
void Factors<N>::solve_transpose(const double* b, double* x) const {
  if (b != x) std::copy_n(b, std::size_t(rows()) * N, x);
  for (int i = 0; i < rows(); ++i) {
    std::array<double, N> s{};
    subtract_transposed(s.data(), value_[diagonal_[i]], x + std::size_t(i) * N);
    for (int r = 0; r < N; ++r) x[std::size_t(i) * N + r] = s[r] = -s[r];
    for (int e = diagonal_[i] + 1; e < start_[i + 1]; ++e) subtract_transposed(x + std::size_t(column_[e]) * N, value_[e], s.data());
  }
  for (int i = rows() - 1; i >= 0; --i) {
    std::array<double, N> s;
    std::copy_n(x + std::size_t(i) * N, N, s.begin());
    for (int e = start_[i]; e < diagonal_[i]; ++e) subtract_transposed(x + std::size_t(column_[e]) * N, value_[e], s.data());
  }
}

template <int N = 1>
std::unique_ptr<BlockFactors> of_size(int n) {
  if (n == N) return std::make_unique<Factors<N>>();
  if constexpr (N < 8) return of_size<N + 1>(n);
  else throw std::invalid_argument("incomplete factors of blocks have 1 to 8 rows a block, not " + std::to_string(n));
}

}  // namespace

std::unique_ptr<BlockFactors> make_block_factors(int block_size) { return of_size<>(block_size); }

}  // namespace invar

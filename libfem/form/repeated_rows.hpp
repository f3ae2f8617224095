#pragma once
#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

namespace invar {

/// A sparse matrix whose rows resemble each other, as those of a filter do on cells of one size: rows with the same entries at
/// the same distances from the diagonal are one kind, kept once, and where such rows follow each other a product reads nothing but
/// the vectors. Of other matrices it keeps and multiplies every row by itself.
class RepeatedRows {
 public:
  /// The next row: local columns in any order, and their entries. Entries that differ by 1e-13 of the largest one of their row are
  /// the same.
  void add(std::span<const int> columns, std::span<const double> entries);

  int count() const { return rows_; }
  /// Rows that are kept.
  int kinds() const { return static_cast<int>(kinds_.size()); }
  /// Σ over a row of the magnitudes, the largest of all rows; 0 of none.
  double largest_sum() const;

  /// y = A x. x: [columns].
  void multiply(const double* x, double* y) const;
  /// y = p x + q (g − A x) + s y, of [rows]; y is not x.
  void step(const double* x, const double* g, double p, double q, double s, double* y) const;

 private:
  struct Kind {
    std::size_t begin = 0;  // in distance_ and entry_
    int count = 0;
  };
  struct Run {
    int first = 0, count = 0, kind = 0;
  };

  bool is(const Kind& kind, int row, std::span<const int> columns, std::span<const double> entries) const;
  template <int P, class Take>
  void add_packs(const Kind& kind, const double* x, int row, int last, const Take& take) const;
  template <class Take>
  void each_sum(const double* x, const Take& take) const;

  int rows_ = 0;
  std::vector<Kind> kinds_;
  std::vector<int> distance_;  // columns from the row's own number
  std::vector<double> entry_;
  std::vector<Run> runs_;
  std::unordered_map<std::size_t, std::vector<int>> known_;  // kinds by hash of their distances
};

}  // namespace invar

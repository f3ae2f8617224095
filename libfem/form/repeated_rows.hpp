#pragma once
#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

namespace invar {

/// A sparse matrix with repeated rows, such as a filter on cells of equal size. Rows with the same entries at the same distances
/// from the diagonal are stored once; while such rows follow each other, a product reads only the vectors. In other matrices every
/// row is stored and multiplied separately.
class RepeatedRows {
 public:
  /// Appends a row: local columns in any order, and their entries. Rows whose entries differ by less than 1e-13 of the largest one
  /// are equal.
  void add(std::span<const int> columns, std::span<const double> entries);

  int count() const { return rows_; }
  /// Number of stored rows.
  int kinds() const { return static_cast<int>(kinds_.size()); }
  /// Largest row sum of magnitudes; 0 without rows.
  double largest_sum() const;

  /// y = A x. x: [columns].
  void multiply(const double* x, double* y) const;
  /// y = p x + q (g − A x) + s y, [rows]; y and x must differ.
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
  std::vector<int> distance_;  // column minus row number
  std::vector<double> entry_;
  std::vector<Run> runs_;
  std::unordered_map<std::size_t, std::vector<int>> known_;  // kinds by hash of their distances
};

}  // namespace invar

#pragma once
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Rows of vectors, as ascending local numbers of this process's own entries, and operations on these rows alone: on vectors of the host
/// and on those of other types, which supply VectorMethods. No operation is collective. The rows given are sorted, and each kept once.
class RowSet {
 public:
  RowSet() = default;
  explicit RowSet(std::vector<int> rows);

  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  const int* data() const { return rows_.data(); }
  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  int operator[](std::size_t k) const { return rows_[k]; }

  /// y_c = a x_c + b y_c on the rows c. A factor that is zero leaves its vector unread; x may then be null.
  void combine(double a, Vec x, double b, Vec y) const;
  void clear(Vec v) const { combine(0, nullptr, 0, v); }
  void copy(Vec x, Vec y) const { combine(1, x, 0, y); }
  void add(double a, Vec x, Vec y) const { combine(a, x, 1, y); }
  /// values[k] = v at the k-th row in ascending order; and the reverse.
  void read(Vec v, double* values) const;
  void write(const double* values, Vec v) const;
  /// Σ v_c² over the rows; over all other rows of this process.
  double squares(Vec v) const;
  double squares_of_others(Vec v) const;

  /// A copy of the numbers in another memory, kept here by the vector type that made it.
  std::shared_ptr<void>& elsewhere() const { return elsewhere_; }

 private:
  std::vector<int> rows_;
  mutable std::shared_ptr<void> elsewhere_;
};

/// The rows with each of the marks 0, 1, … below Count.
template <std::size_t Count>
std::array<RowSet, Count> rows_by_mark(const std::vector<char>& marks) {
  std::array<std::vector<int>, Count> rows;
  for (std::size_t i = 0; i < marks.size(); ++i) rows[static_cast<std::size_t>(marks[i])].push_back(static_cast<int>(i));
  std::array<RowSet, Count> sets;
  for (std::size_t k = 0; k < Count; ++k) sets[k] = RowSet(std::move(rows[k]));
  return sets;
}

}  // namespace invar

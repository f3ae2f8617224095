#include "libadjoint/row_set.hpp"

#include <algorithm>

#include "libadjoint/vector_methods.hpp"

namespace invar {
namespace {

double square_of(Vec v) {
  PetscScalar sum = 0;
  check(VecDot(v, v, &sum));
  return sum;
}

}  // namespace

RowSet::RowSet(std::vector<int> rows) : rows_(std::move(rows)) {
  std::ranges::sort(rows_);
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
}

void RowSet::combine(double a, Vec x, double b, Vec y) const {
  if (const VectorMethods* methods = VectorMethods::of(y)) return methods->combine(*this, a, x, b, y);
  double* t = nullptr;
  const double* s = nullptr;
  check(VecGetArray(y, &t));
  if (a != 0) check(VecGetArrayRead(x, &s));
  if (a == 0) {
    for (const int row : rows_) t[row] = b != 0 ? b * t[row] : 0.0;
  } else if (b == 0) {
    for (const int row : rows_) t[row] = a * s[row];
  } else if (b == 1) {
    for (const int row : rows_) t[row] += a * s[row];
  } else {
    for (const int row : rows_) t[row] = b * t[row] + a * s[row];
  }
  if (a != 0) check(VecRestoreArrayRead(x, &s));
  check(VecRestoreArray(y, &t));
}

void RowSet::read(Vec v, double* values) const {
  if (const VectorMethods* methods = VectorMethods::of(v)) return methods->read(*this, v, values);
  const double* s = nullptr;
  check(VecGetArrayRead(v, &s));
  for (const int row : rows_) *values++ = s[row];
  check(VecRestoreArrayRead(v, &s));
}

void RowSet::write(const double* values, Vec v) const {
  if (const VectorMethods* methods = VectorMethods::of(v)) return methods->write(*this, values, v);
  double* t = nullptr;
  check(VecGetArray(v, &t));
  for (const int row : rows_) t[row] = *values++;
  check(VecRestoreArray(v, &t));
}

double RowSet::squares(Vec v) const {
  if (!is_on_host(v)) {
    VecHandle these = zeros_like(v);
    copy(v, these);
    return square_of(these);
  }
  const double* s = nullptr;
  check(VecGetArrayRead(v, &s));
  double sum = 0;
  for (const int row : rows_) sum += s[row] * s[row];
  check(VecRestoreArrayRead(v, &s));
  return sum;
}

double RowSet::squares_of_others(Vec v) const {
  if (!is_on_host(v)) {
    VecHandle others = zeros_like(v);
    check(VecCopy(v, others));
    clear(others);
    return square_of(others);
  }
  PetscInt n = 0;
  const double* s = nullptr;
  check(VecGetLocalSize(v, &n));
  check(VecGetArrayRead(v, &s));
  double sum = 0;
  PetscInt i = 0;
  for (const int row : rows_) {
    for (; i < row; ++i) sum += s[i] * s[i];
    ++i;
  }
  for (; i < n; ++i) sum += s[i] * s[i];
  check(VecRestoreArrayRead(v, &s));
  return sum;
}

}  // namespace invar

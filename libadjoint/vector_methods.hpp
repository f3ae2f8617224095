#pragma once
#include "libadjoint/petsc.hpp"

namespace invar {

class RowSet;

/// Operations that PETSc's interface of vectors lacks. A vector type whose entries are not on the host supplies them by a function
/// composed with its vectors; on the host they are loops over the entries.
struct VectorMethods {
  static constexpr const char* name = "invar_vector_methods";  // of the composed function, a `Getter`
  using Getter = const VectorMethods* (*)();

  /// y_c = a x_c + b y_c on the rows c. A factor that is zero leaves its vector unread; x may then be null.
  void (*combine)(const RowSet& rows, double a, Vec x, double b, Vec y);
  /// values[k] = v at the k-th row; and the reverse.
  void (*read)(const RowSet& rows, Vec v, double* values);
  void (*write)(const RowSet& rows, const double* values, Vec v);
  /// Whether all entries are equal.
  bool (*equal)(Vec a, Vec b);

  /// Those of this vector's type; null: its entries are on the host.
  static const VectorMethods* of(Vec v) {
    void (*found)() = nullptr;
    check(PetscObjectQueryFunction(PetscObject(v), name, &found));
    return found ? reinterpret_cast<Getter>(found)() : nullptr;
  }
};

inline bool is_on_host(Vec v) { return !VectorMethods::of(v); }

/// Whether all entries of two vectors of one type are equal. Collective.
inline bool equal(Vec a, Vec b) {
  if (const VectorMethods* methods = VectorMethods::of(a)) return methods->equal(a, b);
  PetscBool same = PETSC_FALSE;
  check(VecEqual(a, b, &same));
  return same;
}

/// to = from for vectors of equal local size and any types.
inline void copy_entries(Vec from, Vec to) {
  PetscInt n = 0;
  const double* a = nullptr;
  double* b = nullptr;
  check(VecGetLocalSize(from, &n));
  check(VecGetArrayRead(from, &a));
  check(VecGetArrayWrite(to, &b));
  check(PetscArraycpy(b, a, n));
  check(VecRestoreArrayWrite(to, &b));
  check(VecRestoreArrayRead(from, &a));
}

}  // namespace invar

#pragma once
#include "tests/unit/adjoint/time_objective.hpp"

namespace invar::toy {

// What tests of marches observe, and how much they may store.

struct First {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>&, double) const { return {y[0][0]}; }
};
struct Mixed {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double) const { return {y[0][0] * y[0][1] + y[1][2] + d[0] * y[0][2]}; }
};

/// Room for so many states, and no more, on the rank with the most unknowns.
inline Trajectory::Options room(const ToyBase& toy, const TimeScheme& scheme, int slots) {
  int local = toy.last() - toy.first(), most = 0;
  MPI_Allreduce(&local, &most, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  const int fields = scheme.history_size() + (scheme.stages() > 1);
  Trajectory::Options o;
  o.ram_bytes = std::size_t(slots) * (fields * most + 1) * sizeof(double);
  return o;
}

}  // namespace invar::toy

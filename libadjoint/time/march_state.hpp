#pragma once
#include <cassert>
#include <cstddef>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// Everything that a step depends on: repeating the step from a copy gives a bitwise equal result.
struct MarchState {
  std::vector<VecHandle> fields;
  std::vector<double> numbers;  // the same on all ranks: time, step length, …
};

/// The fields of both must have equal layouts; the number of `numbers` may differ.
inline void copy(const MarchState& from, MarchState& to) {
  assert(from.fields.size() == to.fields.size());
  for (std::size_t i = 0; i < from.fields.size(); ++i) check(VecCopy(from.fields[i], to.fields[i]));
  to.numbers = from.numbers;
}

inline MarchState copy(const MarchState& from) {
  MarchState to;
  for (const VecHandle& x : from.fields) check(VecDuplicate(x, to.fields.emplace_back().out()));
  copy(from, to);
  return to;
}

}  // namespace invar

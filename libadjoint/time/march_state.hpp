#pragma once
#include <cassert>
#include <cstddef>
#include <vector>

#include "libadjoint/petsc.hpp"

namespace invar {

/// All that one step forward needs of the past, so that taking it again from a copy gives the same
/// bits.
struct MarchState {
  std::vector<VecHandle> fields;
  std::vector<double> numbers;  // the same on all ranks: time, step length, …
};

/// Both have fields of equal layouts; the numbers may differ in count.
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

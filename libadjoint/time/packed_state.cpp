#include "libadjoint/time/packed_state.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace invar {
namespace {

std::size_t local_size(Vec x) {
  PetscInt n;
  check(VecGetLocalSize(x, &n));
  return static_cast<std::size_t>(n);
}

template <class T>
void pack(std::byte*& to, const T* values, std::size_t count) {
  if (count > 0) std::memcpy(to, values, count * sizeof(T));
  to += count * sizeof(T);
}
template <class T>
void unpack(const std::byte*& from, T* values, std::size_t count) {
  if (count > 0) std::memcpy(values, from, count * sizeof(T));
  from += count * sizeof(T);
}

/// The power of two above all entries; 1 if all are zero or one is not finite.
double scale_of(const double* x, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(x[i]));
  if (largest == 0 || !std::isfinite(largest)) return 1;
  int exponent;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, std::clamp(exponent, -1022, 1023));
}

void append_rounded(std::byte*& to, const double* x, std::size_t n, std::span<double, 2> errors) {
  const double scale = scale_of(x, n);
  pack(to, &scale, 1);
  for (std::size_t i = 0; i < n; ++i) {
    const float kept = static_cast<float>(x[i] / scale);
    pack(to, &kept, 1);
    const double change = static_cast<double>(kept) * scale - x[i];
    errors[0] += change * change;
    errors[1] += x[i] * x[i];
  }
}

}  // namespace

std::size_t packed_bytes(const MarchState& state, bool single_precision) {
  std::size_t bytes = state.numbers.size() * sizeof(double);
  for (const VecHandle& x : state.fields)
    bytes += single_precision ? sizeof(double) + local_size(x) * sizeof(float)
                              : local_size(x) * sizeof(double);
  return bytes;
}

std::vector<std::byte> pack(const MarchState& state, bool single_precision, std::span<double> errors) {
  assert(errors.size() == 2 * state.fields.size());
  std::vector<std::byte> packed(packed_bytes(state, single_precision));
  std::byte* to = packed.data();
  for (std::size_t i = 0; i < state.fields.size(); ++i) {
    const Vec field = state.fields[i];
    const std::size_t n = local_size(field);
    const PetscScalar* x;
    check(VecGetArrayRead(field, &x));
    if (single_precision)
      append_rounded(to, x, n, std::span<double, 2>(errors.data() + 2 * i, 2));
    else
      pack(to, x, n);
    check(VecRestoreArrayRead(field, &x));
  }
  pack(to, state.numbers.data(), state.numbers.size());
  return packed;
}

void unpack(std::span<const std::byte> packed, bool single_precision, MarchState& state) {
  const std::byte* from = packed.data();
  for (const VecHandle& field : state.fields) {
    const std::size_t n = local_size(field);
    double scale = 1;
    if (single_precision) unpack(from, &scale, 1);
    PetscScalar* x;
    check(VecGetArrayWrite(field, &x));
    if (single_precision)
      for (std::size_t i = 0; i < n; ++i) {
        float kept;
        unpack(from, &kept, 1);
        x[i] = static_cast<double>(kept) * scale;
      }
    else
      unpack(from, x, n);
    check(VecRestoreArrayWrite(field, &x));
  }
  const auto left = static_cast<std::size_t>(packed.data() + packed.size() - from);
  assert(left % sizeof(double) == 0);
  state.numbers.resize(left / sizeof(double));
  unpack(from, state.numbers.data(), state.numbers.size());
}

}  // namespace invar

#pragma once
#include <cstring>

#include "libfem/math/mask.hpp"
#include "libfem/math/vector_math.hpp"

namespace invar {

/// W lanes of T in one register: the same operation on W elements at once. W == 1 is T itself.
template <class T, int W>
struct Simd {
  using Register = typename detail::Lanes<T, W>::type;
  Register lanes;

  Simd() = default;
  INVAR_INLINE Simd(Register r) : lanes(r) {}
  /// The same value in every lane.
  template <Real S>
  INVAR_INLINE Simd(S s) : lanes(static_cast<T>(s) - Register{}) {}

  /// Loads W consecutive values; no alignment required.
  static INVAR_INLINE Simd load(const T* p) {
    Simd r;
    std::memcpy(&r.lanes, p, sizeof(Register));
    return r;
  }
  INVAR_INLINE void store(T* p) const { std::memcpy(p, &lanes, sizeof(Register)); }

  INVAR_INLINE T operator[](int lane) const {
    if constexpr (W == 1)
      return lanes;
    else
      return lanes[lane];
  }
  INVAR_INLINE void set(int lane, T v) {
    if constexpr (W == 1)
      lanes = v;
    else
      lanes[lane] = v;
  }

  INVAR_INLINE Simd& operator+=(const Simd& b) { return lanes += b.lanes, *this; }
  INVAR_INLINE Simd& operator-=(const Simd& b) { return lanes -= b.lanes, *this; }
  INVAR_INLINE Simd& operator*=(const Simd& b) { return lanes *= b.lanes, *this; }
  INVAR_INLINE Simd& operator/=(const Simd& b) { return lanes /= b.lanes, *this; }

  friend INVAR_INLINE Simd operator+(const Simd& a) { return a; }
  friend INVAR_INLINE Simd operator-(const Simd& a) { return Register(-a.lanes); }
  friend INVAR_INLINE Simd operator+(const Simd& a, const Simd& b) {
    return Register(a.lanes + b.lanes);
  }
  friend INVAR_INLINE Simd operator-(const Simd& a, const Simd& b) {
    return Register(a.lanes - b.lanes);
  }
  friend INVAR_INLINE Simd operator*(const Simd& a, const Simd& b) {
    return Register(a.lanes * b.lanes);
  }
  friend INVAR_INLINE Simd operator/(const Simd& a, const Simd& b) {
    return Register(a.lanes / b.lanes);
  }

  friend INVAR_INLINE Mask<T, W> operator<(const Simd& a, const Simd& b) {
    return a.lanes < b.lanes;
  }
  friend INVAR_INLINE Mask<T, W> operator>(const Simd& a, const Simd& b) {
    return a.lanes > b.lanes;
  }
  friend INVAR_INLINE Mask<T, W> operator<=(const Simd& a, const Simd& b) {
    return a.lanes <= b.lanes;
  }
  friend INVAR_INLINE Mask<T, W> operator>=(const Simd& a, const Simd& b) {
    return a.lanes >= b.lanes;
  }
  friend INVAR_INLINE Mask<T, W> operator==(const Simd& a, const Simd& b) {
    return a.lanes == b.lanes;
  }
  friend INVAR_INLINE Mask<T, W> operator!=(const Simd& a, const Simd& b) {
    return a.lanes != b.lanes;
  }

  friend INVAR_INLINE Simd select(const Mask<T, W>& m, const Simd& a, const Simd& b) {
    return Register(m.lanes ? a.lanes : b.lanes);
  }
  friend INVAR_INLINE Simd min(const Simd& a, const Simd& b) { return select(b < a, b, a); }
  friend INVAR_INLINE Simd max(const Simd& a, const Simd& b) { return select(a < b, b, a); }
  friend INVAR_INLINE Simd abs(const Simd& a) {
    return Simd(detail::abs_lanes<T, W>(a.lanes));
  }
  /// a·b + c, with a single rounding if the instruction set supports it.
  friend INVAR_INLINE Simd fma(const Simd& a, const Simd& b, const Simd& c) { return a * b + c; }
  /// Sum over the lanes.
  friend INVAR_INLINE T reduce_sum(const Simd& a) {
    if constexpr (W == 1) {
      return a.lanes;
    } else {
      Simd<T, W / 2> low, high;
      std::memcpy(&low, &a, sizeof(low));
      std::memcpy(&high, reinterpret_cast<const char*>(&a) + sizeof(low), sizeof(high));
      return reduce_sum(low + high);
    }
  }

  friend INVAR_INLINE Simd value_of(const Simd& a) { return a; }
  friend INVAR_INLINE Simd key_of(const Simd& a) { return a; }

  friend INVAR_INLINE Simd sqrt(const Simd& a) { return detail::sqrt_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd floor(const Simd& a) { return detail::floor_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd cbrt(const Simd& a) { return detail::cbrt_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd exp(const Simd& a) { return detail::exp_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd expm1(const Simd& a) { return detail::expm1_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd log(const Simd& a) { return detail::log_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd log1p(const Simd& a) { return detail::log1p_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd sin(const Simd& a) { return detail::sin_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd cos(const Simd& a) { return detail::cos_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd tan(const Simd& a) { return detail::tan_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd asin(const Simd& a) { return detail::asin_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd acos(const Simd& a) { return detail::acos_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd atan(const Simd& a) { return detail::atan_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd sinh(const Simd& a) { return detail::sinh_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd cosh(const Simd& a) { return detail::cosh_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd tanh(const Simd& a) { return detail::tanh_lanes<T, W>(a.lanes); }
  friend INVAR_INLINE Simd pow(const Simd& a, const Simd& b) {
    return detail::pow_lanes<T, W>(a.lanes, b.lanes);
  }
  friend INVAR_INLINE Simd atan2(const Simd& y, const Simd& x) {
    return detail::atan2_lanes<T, W>(y.lanes, x.lanes);
  }
  friend INVAR_INLINE Simd hypot(const Simd& a, const Simd& b) {
    return detail::hypot_lanes<T, W>(a.lanes, b.lanes);
  }
};

template <class T, int W>
struct real_of<Simd<T, W>> {
  using type = T;
};
template <class T, int W>
struct mask_of<Simd<T, W>> {
  using type = Mask<T, W>;
};

/// Number of lanes of a pack: the register width of the instruction set; 1 under nvcc.
#if !INVAR_VECTOR_EXTENSIONS
inline constexpr int simd_width = 1;
#elif defined(__AVX512F__)
inline constexpr int simd_width = 8;
#elif defined(__AVX2__)
inline constexpr int simd_width = 4;
#elif defined(__SSE2__)
inline constexpr int simd_width = 2;
#else
inline constexpr int simd_width = 1;
#endif

using Pack = Simd<double, simd_width>;

/// The lane type of one device thread, on the device and in its emulation on the host.
using Lane = Simd<double, 1>;

}  // namespace invar

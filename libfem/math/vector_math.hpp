#pragma once
#include "libfem/math/mask.hpp"

#if INVAR_VECTOR_EXTENSIONS && defined(__x86_64__) && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 35)
#define INVAR_LIBMVEC 1
#endif
#endif

/// Elementary functions of registers. On x86-64 with glibc 2.35 or later from libmvec (at most 4 ulp; linked with
/// libm); elsewhere lane by lane with <cmath>.
namespace invar::detail {

#if defined(INVAR_LIBMVEC)

using Double2 = Lanes<double, 2>::type;
#define INVAR_UNARY_2(f)                                                   \
  extern "C" Double2 _ZGVbN2v_##f(Double2) __attribute__((const, nothrow)); \
  INVAR_INLINE Double2 libmvec_##f(Double2 x) { return _ZGVbN2v_##f(x); }
#define INVAR_BINARY_2(f)                                                            \
  extern "C" Double2 _ZGVbN2vv_##f(Double2, Double2) __attribute__((const, nothrow)); \
  INVAR_INLINE Double2 libmvec_##f(Double2 x, Double2 y) { return _ZGVbN2vv_##f(x, y); }
#if defined(__AVX2__)
using Double4 = Lanes<double, 4>::type;
#define INVAR_UNARY_4(f)                                                   \
  extern "C" Double4 _ZGVdN4v_##f(Double4) __attribute__((const, nothrow)); \
  INVAR_INLINE Double4 libmvec_##f(Double4 x) { return _ZGVdN4v_##f(x); }
#define INVAR_BINARY_4(f)                                                            \
  extern "C" Double4 _ZGVdN4vv_##f(Double4, Double4) __attribute__((const, nothrow)); \
  INVAR_INLINE Double4 libmvec_##f(Double4 x, Double4 y) { return _ZGVdN4vv_##f(x, y); }
#else
#define INVAR_UNARY_4(f)
#define INVAR_BINARY_4(f)
#endif
#if defined(__AVX512F__)
using Double8 = Lanes<double, 8>::type;
#define INVAR_UNARY_8(f)                                                   \
  extern "C" Double8 _ZGVeN8v_##f(Double8) __attribute__((const, nothrow)); \
  INVAR_INLINE Double8 libmvec_##f(Double8 x) { return _ZGVeN8v_##f(x); }
#define INVAR_BINARY_8(f)                                                            \
  extern "C" Double8 _ZGVeN8vv_##f(Double8, Double8) __attribute__((const, nothrow)); \
  INVAR_INLINE Double8 libmvec_##f(Double8 x, Double8 y) { return _ZGVeN8vv_##f(x, y); }
#else
#define INVAR_UNARY_8(f)
#define INVAR_BINARY_8(f)
#endif
#define INVAR_LIBMVEC_UNARY(f) INVAR_UNARY_2(f) INVAR_UNARY_4(f) INVAR_UNARY_8(f)
#define INVAR_LIBMVEC_BINARY(f) INVAR_BINARY_2(f) INVAR_BINARY_4(f) INVAR_BINARY_8(f)
#else
#define INVAR_LIBMVEC_UNARY(f) void libmvec_##f();
#define INVAR_LIBMVEC_BINARY(f) void libmvec_##f();
#endif

#define INVAR_UNARY(f)                                                        \
  INVAR_LIBMVEC_UNARY(f)                                                      \
  template <class T, int W>                                                   \
  INVAR_INLINE typename Lanes<T, W>::type f##_lanes(typename Lanes<T, W>::type x) { \
    if constexpr (W == 1) {                                                   \
      return std::f(x);                                                       \
    } else if constexpr (requires { libmvec_##f(x) + x; }) {                  \
      return libmvec_##f(x);                                                  \
    } else {                                                                  \
      for (int i = 0; i < W; ++i) x[i] = std::f(x[i]);                        \
      return x;                                                               \
    }                                                                         \
  }
#define INVAR_BINARY(f)                                                       \
  INVAR_LIBMVEC_BINARY(f)                                                     \
  template <class T, int W>                                                   \
  INVAR_INLINE typename Lanes<T, W>::type f##_lanes(typename Lanes<T, W>::type x, \
                                              typename Lanes<T, W>::type y) { \
    if constexpr (W == 1) {                                                   \
      return std::f(x, y);                                                    \
    } else if constexpr (requires { libmvec_##f(x, y) + x; }) {               \
      return libmvec_##f(x, y);                                               \
    } else {                                                                  \
      for (int i = 0; i < W; ++i) x[i] = std::f(x[i], y[i]);                  \
      return x;                                                               \
    }                                                                         \
  }

INVAR_UNARY(cbrt)
INVAR_UNARY(exp)
INVAR_UNARY(expm1)
INVAR_UNARY(log)
INVAR_UNARY(log1p)
INVAR_UNARY(sin)
INVAR_UNARY(cos)
INVAR_UNARY(tan)
INVAR_UNARY(asin)
INVAR_UNARY(acos)
INVAR_UNARY(atan)
INVAR_UNARY(sinh)
INVAR_UNARY(cosh)
INVAR_UNARY(tanh)
INVAR_BINARY(pow)
INVAR_BINARY(atan2)
INVAR_BINARY(hypot)

#undef INVAR_UNARY
#undef INVAR_BINARY
#undef INVAR_LIBMVEC_UNARY
#undef INVAR_LIBMVEC_BINARY
#undef INVAR_UNARY_2
#undef INVAR_UNARY_4
#undef INVAR_UNARY_8
#undef INVAR_BINARY_2
#undef INVAR_BINARY_4
#undef INVAR_BINARY_8

/// √x by the instruction, if there is one.
template <class T, int W>
INVAR_INLINE typename Lanes<T, W>::type sqrt_lanes(typename Lanes<T, W>::type x) {
  if constexpr (W == 1) {
    return std::sqrt(x);
  } else {
#if defined(__x86_64__)
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 8 && W == 8) return _mm512_mask_sqrt_pd(x, -1, x);
#endif
#if defined(__AVX__)
    if constexpr (sizeof(T) == 8 && W == 4) return _mm256_sqrt_pd(x);
#endif
    if constexpr (sizeof(T) == 8 && W == 2) return _mm_sqrt_pd(x);
#endif
    for (int i = 0; i < W; ++i) x[i] = std::sqrt(x[i]);
    return x;
  }
}

template <class T, int W>
INVAR_INLINE typename Lanes<T, W>::type floor_lanes(typename Lanes<T, W>::type x) {
  if constexpr (W == 1) {
    return std::floor(x);
  } else {
    INVAR_UNROLL
    for (int i = 0; i < W; ++i) x[i] = std::floor(x[i]);
    return x;
  }
}

/// |x|, also of −0.
template <class T, int W>
INVAR_INLINE typename Lanes<T, W>::type abs_lanes(typename Lanes<T, W>::type x) {
  if constexpr (W == 1)
    return std::abs(x);
  else
    return reinterpret_cast<typename Lanes<T, W>::type>(
        reinterpret_cast<typename Lanes<T, W>::mask>(x) &
        ~reinterpret_cast<typename Lanes<T, W>::mask>(T(-0.0) - typename Lanes<T, W>::type{}));
}

}  // namespace invar::detail

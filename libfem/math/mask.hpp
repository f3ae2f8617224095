#pragma once
#include "libfem/math/scalar.hpp"

#if !defined(__CUDACC__) && defined(__GNUC__)
#define INVAR_VECTOR_EXTENSIONS 1
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#else
#define INVAR_VECTOR_EXTENSIONS 0
#endif

namespace invar {

namespace detail {

/// Registers of W lanes: T itself and bool for W == 1.
template <class T, int W>
struct Lanes {
#if INVAR_VECTOR_EXTENSIONS
  typedef T type __attribute__((vector_size(W * sizeof(T))));
  using mask = decltype(type{} < type{});
#else
  static_assert(W == 1, "packs of more than one lane need the vector extensions of GCC or Clang");
#endif
};
template <class T>
struct Lanes<T, 1> {
  using type = T;
  using mask = bool;
};

}  // namespace detail

/// One truth value per lane of Simd<T, W>.
template <class T, int W>
struct Mask {
  using Register = typename detail::Lanes<T, W>::mask;
  Register lanes;

  Mask() = default;
  INVAR_INLINE Mask(Register m) : lanes(m) {}
  INVAR_INLINE Mask(bool b) requires(W > 1) : lanes(b ? ~Register{} : Register{}) {}

  INVAR_INLINE bool operator[](int lane) const {
    if constexpr (W == 1)
      return lanes;
    else
      return lanes[lane] != 0;
  }

  friend INVAR_INLINE Mask operator!(const Mask& a) {
    if constexpr (W == 1)
      return !a.lanes;
    else
      return ~a.lanes;
  }
  friend INVAR_INLINE Mask operator&&(const Mask& a, const Mask& b) {
    return Register(a.lanes & b.lanes);
  }
  friend INVAR_INLINE Mask operator||(const Mask& a, const Mask& b) {
    return Register(a.lanes | b.lanes);
  }
  friend INVAR_INLINE bool any(const Mask& m) { return m.bits() != 0; }
  friend INVAR_INLINE bool all(const Mask& m) { return m.bits() == (1 << W) - 1; }

 private:
  /// Bit i is lane i.
  INVAR_INLINE int bits() const {
#if INVAR_VECTOR_EXTENSIONS && defined(__x86_64__)
    if constexpr (sizeof(T) == 8) {
#if defined(__AVX512F__)
      if constexpr (W == 8) return _mm512_test_epi64_mask((__m512i)lanes, (__m512i)lanes);
#endif
#if defined(__AVX__)
      if constexpr (W == 4) return _mm256_movemask_pd((__m256d)lanes);
#endif
      if constexpr (W == 2) return _mm_movemask_pd((__m128d)lanes);
    }
#endif
    int r = 0;
    for (int i = 0; i < W; ++i) r |= int((*this)[i]) << i;
    return r;
  }
};

}  // namespace invar

#pragma once

/// INVAR_HD: callable from host and device. INVAR_INLINE: also always inlined. INVAR_OUTLINE: never inlined, but its
/// callees are inlined into it. INVAR_SHARED: the same on the host only, for code shared by many kernels, to compile it
/// once. INVAR_UNROLL: before a loop with a fixed count of at most 16; INVAR_UNROLL_BY(n): before one of any count, n turns at once on a
/// device.
#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define INVAR_HD __host__ __device__
#define INVAR_INLINE __host__ __device__ __forceinline__
#define INVAR_OUTLINE __host__ __device__ __noinline__
#define INVAR_SHARED __host__ __device__
#if defined(__CUDA_ARCH__)
#define INVAR_UNROLL _Pragma("unroll")
#define INVAR_PRAGMA(text) _Pragma(#text)
#define INVAR_UNROLL_BY(n) INVAR_PRAGMA(unroll n)
#else
#define INVAR_UNROLL
#define INVAR_UNROLL_BY(n)
#endif
#else
#define INVAR_UNROLL_BY(n)
#define INVAR_HD
#define INVAR_INLINE inline __attribute__((always_inline))
#define INVAR_OUTLINE __attribute__((noinline, flatten))
#define INVAR_SHARED INVAR_OUTLINE
#if defined(__clang__)
#define INVAR_UNROLL _Pragma("unroll")
#else
#define INVAR_UNROLL _Pragma("GCC unroll 16")
#endif
#endif

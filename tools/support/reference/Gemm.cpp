//===- Gemm.cpp - A plain matmul for references ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Gemm.h"

#include "common/parallel.h"

#include <algorithm>
#include <vector>

using namespace sparseflow;

// A separate multiplication and addition give the same bits everywhere.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

namespace {

// Columns of `out` side by side in vectors, a few rows at a time: the
// accumulators of one tile fill half the registers of AVX-512.
template <typename Scalar>
struct Tile {
  typedef Scalar Vector __attribute__((vector_size(64)));
  static constexpr int64_t lanes = 64 / sizeof(Scalar);
  static constexpr int64_t columns = 2 * lanes;
  static constexpr int64_t rows = 6;
  static constexpr int64_t depth = 512;
  static constexpr int64_t panels = 4;
};

// out tile += x tile * panel; panel is [depth][columns].
template <typename Scalar, int64_t Rows>
inline __attribute__((always_inline)) void
tileBody(const Scalar *x, int64_t xPitch, const Scalar *panel, Scalar *out,
         int64_t outPitch, int64_t columns, int64_t depth) {
  using T = Tile<Scalar>;
  using Vector = typename T::Vector;
  Scalar staging[Rows][T::columns] __attribute__((aligned(64)));
  for (int64_t r = 0; r < Rows; ++r)
    for (int64_t c = 0; c < T::columns; ++c)
      staging[r][c] = c < columns ? out[r * outPitch + c] : Scalar(0);
  Vector sums[Rows][2];
  for (int64_t r = 0; r < Rows; ++r)
    for (int v = 0; v < 2; ++v)
      sums[r][v] = *reinterpret_cast<Vector *>(&staging[r][v * T::lanes]);
  for (int64_t d = 0; d < depth; ++d) {
    const auto *row = reinterpret_cast<const Vector *>(panel + d * T::columns);
    Vector low = row[0], high = row[1];
    for (int64_t r = 0; r < Rows; ++r) {
      Scalar value = x[r * xPitch + d];
      sums[r][0] += value * low;
      sums[r][1] += value * high;
    }
  }
  for (int64_t r = 0; r < Rows; ++r)
    for (int v = 0; v < 2; ++v)
      *reinterpret_cast<Vector *>(&staging[r][v * T::lanes]) = sums[r][v];
  for (int64_t r = 0; r < Rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      out[r * outPitch + c] = staging[r][c];
}

template <typename Scalar>
inline __attribute__((always_inline)) void
allRowsBody(const Scalar *x, int64_t xPitch, const Scalar *panels, Scalar *out,
            int64_t outPitch, int64_t rows, int64_t columns, int64_t depth) {
  using T = Tile<Scalar>;
  for (int64_t r = 0; r < rows;) {
    int64_t count = rows - r >= T::rows ? T::rows : 1;
    for (int64_t c = 0; c < columns; c += T::columns) {
      int64_t width = std::min(T::columns, columns - c);
      const Scalar *panel = panels + c * depth;
      if (count == T::rows)
        tileBody<Scalar, T::rows>(x + r * xPitch, xPitch, panel,
                                  out + r * outPitch + c, outPitch, width,
                                  depth);
      else
        tileBody<Scalar, 1>(x + r * xPitch, xPitch, panel,
                            out + r * outPitch + c, outPitch, width, depth);
    }
    r += count;
  }
}

template <typename Scalar>
using AllRows = void (*)(const Scalar *, int64_t, const Scalar *, Scalar *,
                         int64_t, int64_t, int64_t, int64_t);

template <typename Scalar>
void allRowsPortable(const Scalar *x, int64_t xPitch, const Scalar *panels,
                     Scalar *out, int64_t outPitch, int64_t rows,
                     int64_t columns, int64_t depth) {
  allRowsBody(x, xPitch, panels, out, outPitch, rows, columns, depth);
}

#if defined(__x86_64__)
template <typename Scalar>
__attribute__((target("avx2"))) void
allRowsAvx2(const Scalar *x, int64_t xPitch, const Scalar *panels, Scalar *out,
            int64_t outPitch, int64_t rows, int64_t columns, int64_t depth) {
  allRowsBody(x, xPitch, panels, out, outPitch, rows, columns, depth);
}

template <typename Scalar>
__attribute__((target("avx512f"))) void
allRowsAvx512(const Scalar *x, int64_t xPitch, const Scalar *panels,
              Scalar *out, int64_t outPitch, int64_t rows, int64_t columns,
              int64_t depth) {
  allRowsBody(x, xPitch, panels, out, outPitch, rows, columns, depth);
}
#endif

template <typename Scalar>
AllRows<Scalar> chooseKernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return allRowsAvx512<Scalar>;
  if (__builtin_cpu_supports("avx2"))
    return allRowsAvx2<Scalar>;
#endif
  return allRowsPortable<Scalar>;
}

template <typename Scalar>
void multiplyImpl(const Scalar *x, const Scalar *w, Scalar *out, int64_t rows,
                  int64_t n, int64_t k, int threads) {
  using T = Tile<Scalar>;
  constexpr int64_t chunk = T::columns * T::panels;
  static const AllRows<Scalar> kernel = chooseKernel<Scalar>();
  if (rows == 0)
    return; // x may be null
  std::fill(out, out + rows * n, Scalar(0));
  rt::parallelFor((n + chunk - 1) / chunk, threads, [&](int64_t index) {
    int64_t first = index * chunk;
    int64_t columns = std::min(chunk, n - first);
    std::vector<Scalar> storage(chunk * T::depth + 64 / sizeof(Scalar));
    auto address = reinterpret_cast<uintptr_t>(storage.data());
    auto *panels = reinterpret_cast<Scalar *>((address + 63) / 64 * 64);
    for (int64_t d = 0; d < k; d += T::depth) {
      int64_t depth = std::min(T::depth, k - d);
      for (int64_t c = 0; c < columns; c += T::columns) {
        Scalar *panel = panels + c * depth;
        for (int64_t j = 0; j < T::columns; ++j) {
          bool exists = c + j < columns;
          const Scalar *row = exists ? w + (first + c + j) * k + d : nullptr;
          for (int64_t i = 0; i < depth; ++i)
            panel[i * T::columns + j] = exists ? row[i] : Scalar(0);
        }
      }
      kernel(x + d, k, panels, out + first, n, rows, columns, depth);
    }
  });
}

} // namespace

void sparseflow::tools::multiply(const double *x, const double *w, double *out,
                                 int64_t rows, int64_t n, int64_t k,
                                 int threads) {
  multiplyImpl(x, w, out, rows, n, k, threads);
}

void sparseflow::tools::multiply(const float *x, const float *w, float *out,
                                 int64_t rows, int64_t n, int64_t k,
                                 int threads) {
  multiplyImpl(x, w, out, rows, n, k, threads);
}

//===- float_kernels.h - Inner loops of conversions -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops are compiled twice where the processor family allows: for the
// baseline, and for AVX2 + F16C, chosen once at run time. Both give the same
// bits; a test compares them.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_FLOAT_KERNELS_H
#define SPARSEFLOW_RT_WEIGHTS_FLOAT_KERNELS_H

#include <cstdint>

namespace sparseflow::rt {

/// 16-bit buffers are `void *`: they may be unaligned. The functions that
/// return bool say whether any result is NaN or infinite.
struct FloatKernels {
  const char *name;
  void (*halfToFloat)(const void *half, float *result, int64_t count);
  void (*bfloatToFloat)(const void *bfloat, float *result, int64_t count);
  bool (*floatToHalf)(const float *source, void *half, int64_t count);
  bool (*floatToBfloat)(const float *source, void *bfloat, int64_t count);
  bool (*copyFloat)(const float *source, void *result, int64_t count);
  /// Sixteen partial sums in double, added pairwise.
  double (*sumOfSquares)(const float *source, int64_t count);
};

/// The loops for any processor.
const FloatKernels &portableFloatKernels();
/// The fastest loops that this processor can run.
const FloatKernels &floatKernels();

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_FLOAT_KERNELS_H

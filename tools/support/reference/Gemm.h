//===- Gemm.h - A plain matmul for references -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_GEMM_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_GEMM_H

#include <cstdint>

namespace sparseflow::tools {

/// out[rows][n] = x[rows][k] * w[n][k]^T, all row-major, k = 0 giving zeros.
/// Every element is the sum over k in increasing order, each product and each
/// sum rounded once: the result does not depend on threads or processor.
void multiply(const double *x, const double *w, double *out, int64_t rows,
              int64_t n, int64_t k, int threads);
void multiply(const float *x, const float *w, float *out, int64_t rows,
              int64_t n, int64_t k, int threads);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_GEMM_H

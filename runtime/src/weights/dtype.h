//===- dtype.h - Element types of stored tensors ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_DTYPE_H
#define SPARSEFLOW_RT_WEIGHTS_DTYPE_H

#include "sparseflow/weights.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt {

/// Bits of one element (4, 6, 8, 16, 32 or 64), or 0 if `dtype` is no known
/// value.
int dtypeBits(sf_dtype dtype);

/// The safetensors spelling ("F16", "F8_E4M3"), or "unknown".
const char *dtypeName(sf_dtype dtype);

/// The dtype with that safetensors spelling; SF_DTYPE_INVALID if there is none.
sf_dtype dtypeFromName(const std::string &name);

/// True for the two types that the packed 2:4 layout holds.
inline bool isPackable(sf_dtype dtype) {
  return dtype == SF_DTYPE_F16 || dtype == SF_DTYPE_BF16;
}

/// Bits of the smallest magnitude that is not finite: |bits| >= this is NaN or
/// infinity. Only for f16 and bf16.
inline constexpr uint16_t nonFiniteMagnitude(sf_dtype dtype) {
  return dtype == SF_DTYPE_F16 ? 0x7c00 : 0x7f80;
}

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_DTYPE_H

//===- gguf_types.h - Tensor types of GGUF files ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_IO_GGUF_TYPES_H
#define SPARSEFLOW_RT_IO_GGUF_TYPES_H

#include "io/gguf.h"

namespace sparseflow::rt {

struct GgufTypeInfo {
  uint32_t type;
  const char *name;
  uint32_t blockElements, blockBytes;
};

/// The types whose sizes are known; null for any other number. Q2_0 has blocks
/// of 64 here.
const GgufTypeInfo *ggufTypeInfo(uint32_t type);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_IO_GGUF_TYPES_H

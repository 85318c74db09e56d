//===- BlockCache.h - Memory of temporary buffers ---------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function allocates the same large buffers in every call. The C library
// gives them back to the system in between, which then clears every page again:
// a quarter of the time of a prompt. So freed blocks of 64 KiB and more are
// kept for the next call, at most 64 MiB of them in a process.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_DEVICE_BLOCKCACHE_H
#define SPARSEFLOW_LIB_TARGET_CPU_DEVICE_BLOCKCACHE_H

#include <cstddef>

namespace mlir::sparseflow::cpu {

/// At least `bytes` bytes, aligned to 16; null where there is no memory.
/// Thread-safe, as is releaseBlock.
void *allocateBlock(size_t bytes);

/// Frees what allocateBlock gave; null is ignored.
void releaseBlock(void *block);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_DEVICE_BLOCKCACHE_H

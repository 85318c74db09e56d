//===- parallel.h - Loops over all cores ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMMON_PARALLEL_H
#define SPARSEFLOW_RT_COMMON_PARALLEL_H

#include <cstdint>
#include <functional>

namespace sparseflow::rt {

/// Calls body(0) .. body(count - 1), each once, on up to `threads` threads (0:
/// one a core), the calling one included. Indices are handed out in increasing
/// order; the call returns when all are done. An exception from `body` stops
/// the hand-out and leaves this function after all threads have stopped. Where
/// the system refuses another thread, the loop runs on those it has.
void parallelFor(int64_t count, int threads,
                 const std::function<void(int64_t)> &body);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_COMMON_PARALLEL_H

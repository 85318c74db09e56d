//===- buffer.h - Buffers of callers ----------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMMON_BUFFER_H
#define SPARSEFLOW_RT_COMMON_BUFFER_H

#include "common/status.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt {

/// Fails unless a caller's buffer has the bytes that are needed. A buffer of
/// none may be null.
inline Status checkBuffer(const char *name, const void *buffer,
                          uint64_t expected, uint64_t found) {
  if (found != expected)
    return invalidArgument(std::string(name) + ": expected " +
                           std::to_string(expected) + " bytes, found " +
                           std::to_string(found));
  if (!buffer && expected != 0)
    return invalidArgument(std::string(name) + " is null");
  return Status::success();
}

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_COMMON_BUFFER_H

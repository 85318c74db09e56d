//===- crc32c.h - CRC-32C checksums -----------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_WEIGHTS_CRC32C_H
#define SPARSEFLOW_RT_WEIGHTS_CRC32C_H

#include <cstddef>
#include <cstdint>

namespace sparseflow::rt {

/// CRC-32C (Castagnoli: reflected polynomial 0x82f63b78, initial value and
/// final xor 0xffffffff). Finds every single flipped bit and every error burst
/// of up to 32 bits. `crc` is the result for the bytes before these, to
/// continue. crc32c("123456789", 9) == 0xe3069283.
uint32_t crc32c(const void *data, size_t bytes, uint32_t crc = 0);

/// The same without special instructions; a test compares both.
uint32_t portableCrc32c(const void *data, size_t bytes, uint32_t crc = 0);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_WEIGHTS_CRC32C_H

//===- DotProduct.h - Byte dot products in 32 bits --------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_MATMUL_DOTPRODUCT_H
#define SPARSEFLOW_LIB_TARGET_CPU_MATMUL_DOTPRODUCT_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir::sparseflow::cpu {

/// How byte dot products are computed.
enum class DotKind {
  /// Shifts and multiplications of the vector dialect, on any host.
  Portable,
  /// vpmaddubsw and vpmaddwd on 32 bytes.
  Avx2,
  /// vpdpbusd on 64 bytes.
  Avx512Vnni,
};

/// "portable", "avx2" or "avx512vnni"; and back.
std::optional<DotKind> parseDotKind(StringRef name);

/// sum + the byte products 4 i .. 4 i + 3 of `codes` and `values` in lane
/// i: vector<16xi32> + vector<64xi8> (unsigned, at most 16) * vector<64xi8>
/// (signed). Exact as long as the sums fit.
Value createDot(OpBuilder &b, Location loc, DotKind kind, Value sum,
                Value codes, Value values);

/// True where createLookup has an instruction.
bool hasLookup(DotKind kind);

/// table[index] for each word: vector<32xi16> by vector<32xi16>, indices below
/// 32 (vpermw). Only where hasLookup() is true.
Value createLookup(OpBuilder &b, Location loc, Value table, Value index);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_MATMUL_DOTPRODUCT_H

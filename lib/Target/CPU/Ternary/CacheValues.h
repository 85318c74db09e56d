//===- CacheValues.h - Marks on generics that read caches -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sparseflow-cpu-lower-ternary writes the values of a quantized cache as a
// linalg.generic whose body reads the pages element by element, and marks it:
// sparseflow-cpu-cache-values rewrites marked ops on buffers to vector loops.
// Without that pass they are slow and mean the same.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_TERNARY_CACHEVALUES_H
#define SPARSEFLOW_LIB_TARGET_CPU_TERNARY_CACHEVALUES_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::sparseflow::cpu {

/// On the values of a cache, f32: its type.
inline constexpr llvm::StringLiteral kCacheValues = "sparseflow.cache_values";

/// True where the values of a cache of type `type` have a vector form: numbers
/// of 4 or 8 bits, and a multiple of 16 features.
bool hasVectorValues(RankedTensorType type);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_TERNARY_CACHEVALUES_H

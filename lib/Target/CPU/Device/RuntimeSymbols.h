//===- RuntimeSymbols.h - Names that generated code calls -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_DEVICE_RUNTIMESYMBOLS_H
#define SPARSEFLOW_LIB_TARGET_CPU_DEVICE_RUNTIMESYMBOLS_H

namespace mlir::sparseflow::cpu {

/// void (ptr pool, ptr body, ptr context, i64 count): calls
/// body(context, begin, end) for ranges that cover 0 .. count - 1 once.
inline constexpr char kParallelFor[] = "sparseflow_cpu_parallel_for";
/// The thread pool of the device: a variable whose address is the pool.
inline constexpr char kPool[] = "sparseflow_cpu_pool";
/// Prefix of entry points: void (ptr slots).
inline constexpr char kEntryPrefix[] = "sparseflow_cpu_entry_";

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_DEVICE_RUNTIMESYMBOLS_H

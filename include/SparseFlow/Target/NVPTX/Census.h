//===- Census.h - Counts of instructions in PTX -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel really executes, read from its PTX. Opcodes are grouped by
// the prefix that says what they do ("mma.sp::ordered_metadata", "cp.async",
// "ex2.approx"); the rest of the opcode (shape, types) is dropped.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_CENSUS_H
#define SPARSEFLOW_TARGET_NVPTX_CENSUS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>

namespace mlir::sparseflow {

/// Static counts of one kernel: group -> number of instructions. Only groups
/// that occur are present. "instructions" is the number of all of them.
using KernelCensus = std::map<std::string, int64_t>;

/// One census per `.entry` of a PTX module, keyed by the kernel's name.
std::map<std::string, KernelCensus> takeCensus(llvm::StringRef ptx);

/// The sum of a kernel's groups that run on tensor cores.
int64_t tensorCoreInstructions(const KernelCensus &census);

/// Tensor core instructions in a piece of PTX text (an inline assembly blob).
int64_t countTensorCoreOpcodes(llvm::StringRef text);

/// "16 mma.sp::ordered_metadata, 8 ldmatrix, ...": the groups that matter to a
/// reader, in a fixed order.
std::string summarize(const KernelCensus &census);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_CENSUS_H

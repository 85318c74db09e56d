//===- TensorCode.h - Does machine code hold every MMA? ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MMAs of a kernel's PTX and of the machine code that ptxas made of it, counted
// where they stand. ptxas makes one tensor core instruction of each MMA, and
// may copy whole loops (unrolling, a remainder). So the machine code holds
//
//   PTX + n1 loop1 + n2 loop2 + ...,  n >= 0,
//
// MMAs, where a loop's number is that of its PTX. Fewer, or a number that no
// such sum gives, means that MMAs are missing.
//
// Machine code is read from the cubin, an ELF file of 64 bits, by opcode: no
// disassembler is asked. docs/Rationale/ptxas.md has the words and how they
// were checked.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_TENSORCODE_H
#define SPARSEFLOW_TARGET_NVPTX_TENSORCODE_H

#include "SparseFlow/Target/NVPTX/PtxText.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mlir::sparseflow {

/// MMAs that stand in a kernel's PTX.
struct PtxTensorCount {
  int64_t all = 0;
  /// Those of each loop, inner ones included; loops without any are left out.
  std::vector<int64_t> loops;
  /// An opcode of which ptxas makes several instructions, or none of the tensor
  /// cores (4-bit, 1-bit and some 8-bit floating-point types); "" if there is
  /// none. Such kernels are not compared.
  std::string uncounted;
};

PtxTensorCount countTensorPtx(const PtxKernel &kernel);

/// The tensor core instructions of each kernel of a cubin for sm_80 to sm_120,
/// by the kernel's name. Those without a result are not counted: in place of
/// wgmma that it drops ptxas leaves one. Bounded by the size of `cubin`; the
/// error says what is wrong with the file, which may hold anything.
llvm::Expected<std::map<std::string, int64_t>>
countTensorCode(llvm::StringRef cubin);

/// True if ptxas may have made `found` instructions of `ptx`.
bool holdsEveryMma(const PtxTensorCount &ptx, int64_t found);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_TENSORCODE_H

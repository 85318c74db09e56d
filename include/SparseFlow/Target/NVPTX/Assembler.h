//===- Assembler.h - PTX to cubin and fatbin through the tools --*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_ASSEMBLER_H
#define SPARSEFLOW_TARGET_NVPTX_ASSEMBLER_H

#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace mlir::sparseflow {

/// What ptxas said about one kernel.
struct KernelResources {
  std::string name;
  int64_t registers = 0;
  /// Bytes per thread.
  int64_t stackBytes = 0;
  int64_t spillStoreBytes = 0;
  int64_t spillLoadBytes = 0;
  /// Static shared memory per block; dynamic memory is not known to ptxas.
  int64_t sharedBytes = 0;
  int64_t barriers = 0;
  /// Tensor core instructions in the machine code, one for each MMA of the PTX
  /// and more where ptxas copied loops; absent for kernels without any, and for
  /// those with MMAs of types that are not counted (TensorCode.h).
  std::optional<int64_t> tensorInstructions;
  /// True if ptxas was told not to unroll its loops, because the MMAs of their
  /// copies could not be told from missing ones.
  bool keepsLoops = false;
  /// Blocks on a processor that it was assembled for because it spilled with
  /// those that its PTX states; 0: for the latter.
  int64_t blocks = 0;
  /// What ptxas -v said about the kernel, line by line.
  std::vector<std::string> lines;
};

struct PtxasReport {
  std::vector<KernelResources> kernels;
  /// Warnings and advisories, one per element, as ptxas wrote them (wgmma
  /// serialisation C75xx, "Advisory: ...", performance notes).
  std::vector<std::string> complaints;
  /// The path of ptxas and its version ("13.0").
  std::string tool;
  std::string version;
};

/// Reads what `ptxas -v` printed. Public for tests.
PtxasReport parsePtxasLog(llvm::StringRef log);

/// Everything in a report that PtxasPolicy::Strict calls a defect: spills, a
/// stack frame or local memory, advisories, warnings. Empty when there is none.
std::vector<std::string> findDefects(const PtxasReport &report);

/// The same as one message: what ptxas found, and what to do about it. Empty
/// when there is nothing.
std::string describeDefects(const PtxasReport &report,
                            const TargetInfo &target);

/// Where the CUDA toolkit has its programs unless told.
constexpr llvm::StringLiteral kToolkitPrograms = "/usr/local/cuda/bin";

struct AssembleOptions {
  /// The ptxas to run; empty means: search.
  std::string ptxasPath;
  /// The last place of the search.
  std::string toolkit = kToolkitPrograms.str();
  std::chrono::seconds timeout{120};
  /// Keep the .loc lines of the PTX in the machine code.
  bool lineInfo = false;
  /// Asked now and then while a tool runs.
  llvm::function_ref<bool()> cancelled = nullptr;
  /// Asked of a kernel that spills: whether fewer blocks than it states may
  /// share a processor. Null: of none.
  llvm::function_ref<bool(llvm::StringRef)> mayHaveFewerBlocks = nullptr;
};

struct AssembledModule {
  /// The ELF image that the driver loads.
  std::string cubin;
  PtxasReport report;
};

/// The ptxas that assemble() would run: `requested` if not empty, else the one
/// named by SPARSEFLOW_PTXAS, else CUDA_HOME/bin, PATH, `toolkit`. The
/// error lists the places searched and what to do.
llvm::Expected<std::string>
findPtxas(llvm::StringRef requested,
          llvm::StringRef toolkit = kToolkitPrograms);

/// The release of a ptxas ("13.0").
llvm::Expected<std::string> ptxasVersion(llvm::StringRef path);

/// Assembles PTX for `target`. On failure the error holds what ptxas wrote and
/// where the PTX was kept. It is a failure, too, if the machine code lacks MMAs
/// of the PTX, whatever else is allowed: the results would be wrong. Kernels
/// that spill and leave the number of blocks on a processor to ptxas are
/// assembled again for one block, those that spill and may have fewer blocks
/// than they state for one less at a time, and those whose copies of loops hold
/// other MMAs than the loops with their loops as they stand. Thread-safe.
llvm::Expected<AssembledModule> assemble(llvm::StringRef ptx,
                                         const TargetInfo &target,
                                         const AssembleOptions &options = {});

/// One image of a fat binary: a cubin and, when not empty, the PTX it came
/// from, which a newer driver can compile for a newer chip.
struct FatbinImage {
  const TargetInfo *target;
  llvm::StringRef cubin;
  llvm::StringRef ptx;
};

/// Joins images with NVIDIA's `fatbinary`, looked for beside ptxas and in the
/// places of findPtxas. An error says so when there is none.
llvm::Expected<std::string> linkFatbin(llvm::ArrayRef<FatbinImage> images,
                                       const AssembleOptions &options = {});

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_ASSEMBLER_H

//===- TargetInfo.h - The GPU targets that kernels are built for *- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row a target: what the code generator may use, which PTX version states
// it, and which limits a kernel must respect. Nothing else in the compiler
// knows a number of a chip.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_NVPTX_TARGETINFO_H
#define SPARSEFLOW_TARGET_NVPTX_TARGETINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace mlir::sparseflow {

/// A GPU target. All rows live in a static table: pointers stay valid for the
/// life of the process and may be read from any thread.
struct TargetInfo {
  /// As LLVM and ptxas spell it: "sm_90a".
  llvm::StringRef name;
  /// Major * 10 + minor of the compute capability: 90.
  unsigned sm;
  /// True for "a" targets, whose code runs on exactly that chip (wgmma).
  bool archSpecific;
  /// "ampere", "ada", "hopper", "blackwell": the key of schedule tables.
  llvm::StringRef family;
  /// PTX ISA version times ten: 85 is PTX 8.5. Ordered sparse metadata needs
  /// 8.5; LLVM's default for a chip is the oldest version and too old.
  unsigned ptxVersion;
  /// The first CUDA driver release that reads this PTX version.
  llvm::StringRef driverRelease;
  /// Bytes of shared memory that one block may ask for (static + dynamic).
  int64_t maxSharedBytes;
  /// 32-bit registers of a block and of a thread.
  int64_t registersPerBlock;
  int64_t registersPerThread;
  int64_t maxThreadsPerBlock;

  /// The feature string LLVM wants: "+ptx85".
  std::string features() const { return "+ptx" + std::to_string(ptxVersion); }
  /// True when code for `other` also runs here: same chip, or an older one of
  /// the same major version that is not architecture specific.
  bool runs(const TargetInfo &other) const;
};

/// Every target, oldest first.
llvm::ArrayRef<TargetInfo> knownTargets();

/// The row called `name`; the error lists every known name.
llvm::Expected<const TargetInfo *> parseTarget(llvm::StringRef name);

/// Comma-separated names, in the order given, without repetitions.
llvm::Expected<llvm::SmallVector<const TargetInfo *>>
parseTargets(llvm::StringRef names);

/// The best target for a device of compute capability major.minor ("sm_90a"
/// for 9.0); the error says which capabilities are served.
llvm::Expected<const TargetInfo *> targetForDevice(int major, int minor);

/// Static shared memory that needs no opt-in at launch.
constexpr int64_t kStaticSharedBytes = 48 * 1024;

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_NVPTX_TARGETINFO_H

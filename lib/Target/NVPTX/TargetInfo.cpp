//===- TargetInfo.cpp - The GPU targets that kernels are built for --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::sparseflow;

// Columns: name, capability, "a" code, family, PTX, driver, shared bytes a
// block, registers a block, registers a thread, threads a block.
// sm_120 exists in LLVM from PTX 8.7 on, sm_100 from 8.6; one version serves
// both so that a file with the two families has one requirement.
static constexpr TargetInfo kTargets[] = {
    {"sm_80", 80, false, "ampere", 85, "12.5", 163 << 10, 65536, 255, 1024},
    {"sm_86", 86, false, "ampere", 85, "12.5", 99 << 10, 65536, 255, 1024},
    {"sm_89", 89, false, "ada", 85, "12.5", 99 << 10, 65536, 255, 1024},
    {"sm_90", 90, false, "hopper", 85, "12.5", 227 << 10, 65536, 255, 1024},
    {"sm_90a", 90, true, "hopper", 85, "12.5", 227 << 10, 65536, 255, 1024},
    {"sm_100", 100, false, "blackwell", 87, "12.8", 227 << 10, 65536, 255,
     1024},
    {"sm_120", 120, false, "blackwell", 87, "12.8", 99 << 10, 65536, 255, 1024},
};

llvm::ArrayRef<TargetInfo> mlir::sparseflow::knownTargets() { return kTargets; }

bool TargetInfo::runs(const TargetInfo &other) const {
  if (other.archSpecific)
    return archSpecific && sm == other.sm;
  return sm / 10 == other.sm / 10 && sm >= other.sm;
}

llvm::Expected<const TargetInfo *>
mlir::sparseflow::parseTarget(llvm::StringRef name) {
  for (const TargetInfo &target : kTargets)
    if (target.name == name)
      return &target;
  std::string known = llvm::join(
      llvm::map_range(kTargets,
                      [](const TargetInfo &t) { return t.name.str(); }),
      ", ");
  return llvm::createStringError(
      llvm::formatv("unknown target '{0}': expected one of {1}", name, known)
          .str());
}

llvm::Expected<llvm::SmallVector<const TargetInfo *>>
mlir::sparseflow::parseTargets(llvm::StringRef names) {
  llvm::SmallVector<const TargetInfo *> targets;
  llvm::SmallVector<llvm::StringRef> parts;
  names.split(parts, ',');
  for (llvm::StringRef part : parts) {
    llvm::Expected<const TargetInfo *> target = parseTarget(part.trim());
    if (!target)
      return target.takeError();
    if (!llvm::is_contained(targets, *target))
      targets.push_back(*target);
  }
  return targets;
}

llvm::Expected<const TargetInfo *>
mlir::sparseflow::targetForDevice(int major, int minor) {
  unsigned sm = major * 10 + minor;
  // The newest row of the same major version; the "a" row wins on its chip.
  const TargetInfo *best = nullptr;
  for (const TargetInfo &target : kTargets) {
    if (target.sm / 10 != sm / 10 || target.sm > sm)
      continue;
    if (target.archSpecific && target.sm != sm)
      continue;
    best = &target;
  }
  if (best)
    return best;
  return llvm::createStringError(
      llvm::formatv("no target serves compute capability {0}.{1}: expected "
                    "8.x, 9.x, 10.x or 12.x; run on the CPU instead "
                    "(--device cpu)",
                    major, minor)
          .str());
}

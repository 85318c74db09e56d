//===- HostTarget.h - What the CPU can do -----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_DEVICE_HOSTTARGET_H
#define SPARSEFLOW_LIB_TARGET_CPU_DEVICE_HOSTTARGET_H

#include "SparseFlow/Target/CPU/CpuPipeline.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::sparseflow::cpu {

/// How to build target machines for `cpu`, an LLVM name, or for the host with
/// all its features where that is empty.
llvm::Expected<llvm::orc::JITTargetMachineBuilder>
describeTarget(llvm::StringRef cpu);

/// The row of the schedule table for a target.
CpuSchedule selectSchedule(const llvm::TargetMachine &machine);

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_DEVICE_HOSTTARGET_H

//===- Retarget.h - GPU code as host code -----------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_SIMULATOR_RETARGET_H
#define SPARSEFLOW_LIB_SIMULATOR_RETARGET_H

#include "Simulator/Machine/Machine.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::sparseflow::sim {

struct RetargetOptions {
  /// Put a check before each load and store.
  bool checkAccesses = true;
};

/// Turns `module`, which holds one kernel and what it calls, into code for
/// `machine`: every llvm.nvvm intrinsic and inline assembly becomes a call to
/// its handler, shared variables become places in the window of the OS thread,
/// bf16 conversions become integer arithmetic. Adds the function `entry` of
/// type void (const void *const *arguments), and describes the kernel in
/// `kernel`.
///
/// The error of a kernel with an unknown instruction names it.
llvm::Error retarget(llvm::Module &module, llvm::StringRef kernelName,
                     llvm::StringRef entry, llvm::TargetMachine &machine,
                     const RetargetOptions &options, Kernel &kernel);

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_LIB_SIMULATOR_RETARGET_H

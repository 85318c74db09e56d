//===- Jit.h - LLVM's JIT for one module ------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_TARGET_CPU_DEVICE_JIT_H
#define SPARSEFLOW_LIB_TARGET_CPU_DEVICE_JIT_H

#include "Target/CPU/Device/ThreadPool.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace mlir::sparseflow::cpu {

/// Machine code of one module, and its text before code generation.
struct Jit {
  std::unique_ptr<llvm::orc::LLJIT> engine;
  std::string ir;
  /// What the engine reported besides the errors it returned.
  std::shared_ptr<std::string> reports;

  /// The address of a function of the module. Generates the code at the first
  /// call, so errors of code generation come from here.
  llvm::Expected<llvm::orc::ExecutorAddr> lookup(const std::string &name);

  /// Translates `module` (LLVM dialect), optimises it at O3 for `target` and
  /// generates its code. Generated code may call only a fixed list of
  /// functions: the loop runtime on `pool`, allocation, memcpy and its like,
  /// and C's mathematics; never a conversion helper of a compiler's own
  /// library. Anything else is an error that names the symbol. `pool` must
  /// outlive the result. `ir` is the text of the optimised module, if it is
  /// kept.
  static llvm::Expected<Jit> compile(ModuleOp module,
                                     llvm::orc::JITTargetMachineBuilder target,
                                     ThreadPool &pool, bool keepLLVMIR);
};

} // namespace mlir::sparseflow::cpu

#endif // SPARSEFLOW_LIB_TARGET_CPU_DEVICE_JIT_H

//===- Kernels.cpp - From a gpu.module to LLVM IR -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/Kernels.h"

#include "DeadMmas.h"
#include "SparseFlow/Support/InternalError.h"
#include "SparseFlow/Support/OptimizeModule.h"
#include "SparseFlow/Target/NVPTX/Census.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <array>
#include <mutex>

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr StringRef kTriple = "nvptx64-nvidia-cuda";

void mlir::sparseflow::registerKernelTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::sparseflow::createTargetMachine(const TargetInfo &target) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(llvm::Triple(kTriple), error);
  if (!backend)
    return internalError("LLVM has lost its NVPTX back end: " + error);
  // Fusion of a multiply and an add stays with the IR's `contract` flags: a
  // kernel's arithmetic is what its author wrote.
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      llvm::Triple(kTriple), target.name, target.features(), options,
      /*RM=*/std::nullopt, /*CM=*/std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return internalError("LLVM makes no code for " + target.name);
  return machine;
}

static bool isWarpCollective(const llvm::CallInst &call) {
  if (call.isInlineAsm())
    return true;
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  StringRef name = callee->getName();
  return name.consume_front("llvm.nvvm.") &&
         llvm::any_of(
             std::array<StringRef, 6>{"mma.", "wmma.", "wgmma.", "ldmatrix.",
                                      "stmatrix.", "shfl."},
             [&](StringRef prefix) { return name.starts_with(prefix); });
}

/// Gives branches the notes of their loops. scf.for hands them down as a
/// discardable attribute, which the translation to LLVM IR drops.
static void keepLoopAnnotations(gpu::GPUModuleOp kernels) {
  static constexpr StringLiteral name = "llvm.loop_annotation";
  kernels.walk([](Operation *op) {
    auto annotation = op->getAttrOfType<LLVM::LoopAnnotationAttr>(name);
    if (!annotation)
      return;
    if (auto branch = dyn_cast<LLVM::BrOp>(op))
      branch.setLoopAnnotationAttr(annotation);
    else if (auto branch = dyn_cast<LLVM::CondBrOp>(op))
      branch.setLoopAnnotationAttr(annotation);
    op->removeDiscardableAttr(name);
  });
}

FailureOr<std::unique_ptr<llvm::Module>>
mlir::sparseflow::translateKernels(gpu::GPUModuleOp kernels,
                                   llvm::LLVMContext &context) {
  keepLoopAnnotations(kernels);
  // The gpu.module itself is translated: a translation of the parent module
  // would skip it.
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(kernels, context, kernels.getName(),
                              /*disableVerification=*/true);
  if (!module) {
    kernels.emitError("expected kernels that translate to LLVM IR, found the "
                      "op that the error before this one names");
    return failure();
  }
  // Verified here, because the translation would print to the standard error.
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream)) {
    kernels.emitError("translates to invalid LLVM IR: ") << broken;
    return failure();
  }
  // Passes that see no triple assume a CPU and may duplicate or sink warp
  // collectives. The data layout does not depend on the chip.
  module->setTargetTriple(llvm::Triple(kTriple));
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(knownTargets().front());
  if (!machine) {
    kernels.emitError(llvm::toString(machine.takeError()));
    return failure();
  }
  module->setDataLayout((*machine)->createDataLayout());
  // All lanes of a warp execute a collective together. llvm.inline_asm cannot
  // say so, and LLVM's mma intrinsics do not: without `convergent` an MMA
  // whose result is stored under a condition may be sunk under it.
  for (llvm::Function &function : *module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::CallInst>(&instruction))
        if (isWarpCollective(*call))
          call->setConvergent();
  return module;
}

void mlir::sparseflow::optimizeKernels(llvm::Module &module,
                                       llvm::TargetMachine &machine) {
  optimizeModule(module, machine,
                 [&](llvm::FunctionAnalysisManager &functions) {
                   removeDeadMmas(module, functions);
                 });
}

llvm::StringMap<int64_t>
mlir::sparseflow::countTensorCoreCalls(const llvm::Module &module) {
  llvm::StringMap<int64_t> counts;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    int64_t count = 0;
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = dyn_cast<llvm::CallInst>(&instruction);
      if (!call)
        continue;
      if (call->isInlineAsm()) {
        auto *text = cast<llvm::InlineAsm>(call->getCalledOperand());
        count += countTensorCoreOpcodes(text->getAsmString());
        continue;
      }
      const llvm::Function *callee = call->getCalledFunction();
      if (!callee)
        continue;
      StringRef name = callee->getName();
      if (name.starts_with("llvm.nvvm.mma.") ||
          name.starts_with("llvm.nvvm.wgmma.mma"))
        ++count;
    }
    if (count)
      counts[function.getName()] = count;
  }
  return counts;
}

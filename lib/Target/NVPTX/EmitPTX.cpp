//===- EmitPTX.cpp - PTX of a gpu.module ----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/EmitPTX.h"

#include "SparseFlow/Support/InternalError.h"
#include "SparseFlow/Target/NVPTX/WgmmaRules.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Turns LLVM's diagnostics into errors at the module. Without a handler LLVM
/// prints an error and ends the process.
struct ToMLIRDiagnostics : llvm::DiagnosticHandler {
  ToMLIRDiagnostics(Operation *op, bool &failed) : op(op), failed(failed) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Remark ||
        info.getSeverity() == llvm::DS_Note)
      return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    if (info.getSeverity() == llvm::DS_Error) {
      failed = true;
      op->emitError("LLVM: ") << text;
    } else {
      op->emitWarning("LLVM: ") << text;
    }
    return true;
  }

  Operation *op;
  bool &failed;
};

} // namespace

static std::string print(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

/// Refuses kernels that break PTX's rules for the registers of wgmma: ptxas
/// would not.
static LogicalResult checkWgmma(gpu::GPUModuleOp kernels, StringRef ptx) {
  for (const PtxKernel &kernel : readPtx(ptx)) {
    std::vector<std::string> hazards = findWgmmaHazards(kernel);
    if (hazards.empty())
      continue;
    Operation *function = kernels.lookupSymbol(kernel.name);
    InFlightDiagnostic error = (function ? function : kernels)->emitError()
                               << "kernel '" << kernel.name
                               << "' breaks a rule of wgmma, in "
                               << hazards.front()
                               << " (lines of the PTX); write inline assembly "
                                  "so that it keeps the rules of "
                                  "docs/Rationale/ptxas.md, and report kernels "
                                  "that the compiler wrote";
    for (const std::string &hazard : llvm::drop_begin(hazards))
      error.attachNote() << "also in " << hazard;
    return error;
  }
  return success();
}

FailureOr<PTXModule> mlir::sparseflow::emitPTX(gpu::GPUModuleOp kernels,
                                               const TargetInfo &target,
                                               const EmitPTXOptions &options) {
  if (failed(verifyKernels(kernels, target)))
    return failure();

  llvm::LLVMContext context;
  bool reportedError = false;
  context.setDiagnosticHandler(
      std::make_unique<ToMLIRDiagnostics>(kernels, reportedError));
  FailureOr<std::unique_ptr<llvm::Module>> module =
      translateKernels(kernels, context);
  if (failed(module))
    return failure();
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(target);
  if (!machine)
    return kernels.emitError(llvm::toString(machine.takeError()));

  PTXModule result;
  if (options.keepLLVMIR)
    result.llvmIR = print(**module);
  optimizeKernels(**module, **machine);
  if (options.keepLLVMIR)
    result.optimizedLLVMIR = print(**module);
  std::string broken;
  llvm::raw_string_ostream brokenStream(broken);
  if (llvm::verifyModule(**module, &brokenStream))
    return emitInternalError(kernels.getLoc(),
                             "LLVM's optimiser made invalid code: " + broken);
  llvm::StringMap<int64_t> expected = countTensorCoreCalls(**module);

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return emitInternalError(kernels.getLoc(), "LLVM prints no PTX");
  passes.run(**module);
  if (reportedError)
    return failure();
  result.ptx = text.str().str();
  result.census = takeCensus(result.ptx);
  if (failed(checkWgmma(kernels, result.ptx)))
    return failure();

  for (const auto &[name, census] : result.census) {
    int64_t wanted = expected.lookup(name);
    int64_t found = tensorCoreInstructions(census);
    // Fewer are right: MMAs of keys that a static mask excludes are found
    // to be dead as late as in the back end. More would be a collective that
    // some branch of a warp executes alone.
    if (found > wanted)
      return kernels.emitError()
             << "kernel '" << name << "' holds " << found
             << " tensor core instructions in PTX and " << wanted
             << " in LLVM IR, expected no more: the back end duplicated a warp "
                "collective; choose another schedule, or write inline assembly "
                "whose instructions are spelled out";
  }
  return result;
}

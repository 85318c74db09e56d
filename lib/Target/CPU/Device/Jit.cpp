//===- Jit.cpp - LLVM's JIT for one module --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Device/Jit.h"
#include "SparseFlow/Support/InternalError.h"
#include "SparseFlow/Support/OptimizeModule.h"
#include "Target/CPU/Device/BlockCache.h"
#include "Target/CPU/Device/RuntimeSymbols.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::sparseflow::cpu;

static void runParallelFor(void *pool, ThreadPool::Body body, void *context,
                           int64_t count) {
  static_cast<ThreadPool *>(pool)->run(body, context, count);
}

static void *allocate(size_t bytes) {
  void *memory = allocateBlock(bytes);
  if (!memory)
    llvm::report_bad_alloc_error(
        "the CPU device found no memory for a temporary buffer");
  return memory;
}

/// All that generated code may refer to.
static llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::LLJIT &engine,
                                              ThreadPool &pool) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](const char *name, llvm::orc::ExecutorAddr address,
                 llvm::JITSymbolFlags flags) {
    symbols[engine.mangleAndIntern(name)] = {address, flags};
  };
  auto addFunction = [&](const char *name, auto *function) {
    add(name, llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  };
  addFunction(kParallelFor, &runParallelFor);
  add(kPool, llvm::orc::ExecutorAddr::fromPtr(&pool),
      llvm::JITSymbolFlags::Exported);
  addFunction("_mlir_memref_to_llvm_alloc", &allocate);
  addFunction("_mlir_memref_to_llvm_free", &releaseBlock);
  addFunction("memcpy", &std::memcpy);
  addFunction("memmove", &std::memmove);
  addFunction("memset", &std::memset);

  // C's mathematics, for f64 and f32 under the names of the C library.
  // clang-format off
#define MATH(name)                                                             \
  addFunction(#name, static_cast<double (*)(double)>(&::name));                \
  addFunction(#name "f", static_cast<float (*)(float)>(&::name##f));
#define MATH2(name)                                                            \
  addFunction(#name, static_cast<double (*)(double, double)>(&::name));        \
  addFunction(#name "f", static_cast<float (*)(float, float)>(&::name##f));
  MATH(acos) MATH(acosh) MATH(asin) MATH(asinh) MATH(atan) MATH(atanh)
  MATH(cbrt) MATH(ceil) MATH(cos) MATH(cosh) MATH(erf) MATH(erfc) MATH(exp)
  MATH(exp2) MATH(expm1) MATH(floor) MATH(log) MATH(log10) MATH(log1p)
  MATH(log2) MATH(nearbyint) MATH(rint) MATH(round) MATH(roundeven) MATH(sin)
  MATH(sinh) MATH(sqrt) MATH(tan) MATH(tanh) MATH(trunc)
  MATH2(atan2) MATH2(fmax) MATH2(fmin) MATH2(fmod) MATH2(pow)
  // clang-format on
#undef MATH
#undef MATH2
              addFunction(
                  "fma",
                  static_cast<double (*)(double, double, double)>(&::fma));
  addFunction("fmaf", static_cast<float (*)(float, float, float)>(&::fmaf));
  return symbols;
}

/// What hands loops to threads is one long block of stores to descriptors. The
/// models of some CPUs (Zen) have a scheduler behind register allocation, whose
/// time grows with the square of such a block: a quarter of all code generation
/// of a model. A model without it does for these functions; bodies of loops
/// keep the CPU's own.
static void tuneCallersOfLoops(llvm::Module &module) {
  llvm::Function *loops = module.getFunction(kParallelFor);
  if (!loops || !module.getTargetTriple().isX86())
    return;
  for (llvm::User *user : loops->users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
      call->getFunction()->addFnAttr("tune-cpu", "x86-64");
}

llvm::Expected<Jit> Jit::compile(ModuleOp module,
                                 llvm::orc::JITTargetMachineBuilder target,
                                 ThreadPool &pool, bool keepLLVMIR) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, *context);
  if (!llvmModule)
    return internalError("LLVM IR of a module is not made, without a reason");
  auto machine = target.createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());
  mlir::sparseflow::optimizeModule(*llvmModule, **machine);

  Jit jit;
  if (keepLLVMIR)
    llvm::raw_string_ostream(jit.ir) << *llvmModule;
  tuneCallersOfLoops(*llvmModule);
  // Symbols come from the list above only, not from whatever this process
  // happens to have loaded.
  auto engine = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(target))
                    .setLinkProcessSymbolsByDefault(false)
                    .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                    .create();
  if (!engine)
    return engine.takeError();
  jit.engine = std::move(*engine);
  jit.reports = std::make_shared<std::string>();
  jit.engine->getExecutionSession().setErrorReporter(
      [reports = jit.reports](llvm::Error error) {
        *reports += llvm::toString(std::move(error)) + "; ";
      });
  if (llvm::Error error = jit.engine->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(getRuntimeSymbols(*jit.engine, pool))))
    return error;
  if (llvm::Error error = jit.engine->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(llvmModule), std::move(context))))
    return error;
  return jit;
}

llvm::Expected<llvm::orc::ExecutorAddr> Jit::lookup(const std::string &name) {
  auto address = engine->lookup(name);
  if (address)
    return address;
  return llvm::createStringError(
      "the CPU device cannot link its code, which may call the C library's "
      "mathematics and nothing else; divide integers of at most 64 bits: " +
      *reports + llvm::toString(address.takeError()));
}

//===- CpuObject.cpp - Tensor functions as a host object ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module that the JIT compiles, with the few functions of the device that
// it calls, and a C function in front of each entry point, which builds the
// descriptors of its memory:
//
//   void f(const void *x, void *result, int64_t T) {
//     int64_t x_[] = {x, x, 0, T, 64, 64, 1}, result_[] = {...};
//     void *slots[] = {x_, result_};
//     sparseflow_cpu_entry_f(slots);
//   }
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/CpuObject.h"
#include "SparseFlow/Support/InternalError.h"
#include "SparseFlow/Support/OptimizeModule.h"
#include "Target/CPU/Device/HostTarget.h"
#include "Target/CPU/Device/RuntimeSymbols.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
class CpuObjectBuilder {
public:
  explicit CpuObjectBuilder(llvm::Module &module)
      : module(module), builder(module.getContext()), i64(builder.getInt64Ty()),
        pointer(builder.getPtrTy()) {}

  void defineRuntime();
  llvm::Error addFunction(const HostFunction &function, FunctionType type);

private:
  /// The body of a function that the module calls; null where it calls none.
  llvm::Function *begin(StringRef name);
  llvm::FunctionCallee library(StringRef name, llvm::Type *result,
                               ArrayRef<llvm::Type *> parameters);
  /// An array of words on the stack.
  llvm::Value *spill(ArrayRef<llvm::Value *> words);
  /// The words of a memref descriptor: the pointer twice, the offset, sizes and
  /// strides. `sizes` has the C function's, by name.
  llvm::Expected<llvm::Value *>
  describe(const HostTensor &tensor, RankedTensorType type, llvm::Value *data,
           const llvm::StringMap<llvm::Value *> &sizes, StringRef function);

  llvm::Module &module;
  llvm::IRBuilder<> builder;
  llvm::Type *i64;
  llvm::PointerType *pointer;
};
} // namespace

llvm::Function *CpuObjectBuilder::begin(StringRef name) {
  llvm::Function *function = module.getFunction(name);
  if (function)
    builder.SetInsertPoint(
        llvm::BasicBlock::Create(module.getContext(), "", function));
  return function;
}

llvm::FunctionCallee
CpuObjectBuilder::library(StringRef name, llvm::Type *result,
                          ArrayRef<llvm::Type *> parameters) {
  return module.getOrInsertFunction(
      name, llvm::FunctionType::get(result, parameters, /*isVarArg=*/false));
}

/// What the JIT takes from its process: loops run on the calling thread here.
void CpuObjectBuilder::defineRuntime() {
  llvm::Type *nothing = builder.getVoidTy();
  if (auto *pool = module.getGlobalVariable(cpu::kPool))
    pool->setInitializer(builder.getInt8(0));
  if (llvm::Function *loop = begin(cpu::kParallelFor)) {
    builder.CreateCall(
        llvm::FunctionType::get(nothing, {pointer, i64, i64}, false),
        loop->getArg(1),
        {loop->getArg(2), builder.getInt64(0), loop->getArg(3)});
    builder.CreateRetVoid();
  }
  if (llvm::Function *allocate = begin("_mlir_memref_to_llvm_alloc")) {
    llvm::Value *bytes = builder.CreateBinaryIntrinsic(
        llvm::Intrinsic::umax, allocate->getArg(0), builder.getInt64(1));
    llvm::Value *memory =
        builder.CreateCall(library("malloc", pointer, {i64}), {bytes});
    auto *none = llvm::BasicBlock::Create(module.getContext(), "", allocate);
    auto *some = llvm::BasicBlock::Create(module.getContext(), "", allocate);
    builder.CreateCondBr(builder.CreateIsNull(memory), none, some);
    builder.SetInsertPoint(none);
    builder.CreateCall(library("abort", nothing, {}));
    builder.CreateUnreachable();
    builder.SetInsertPoint(some);
    builder.CreateRet(memory);
  }
  if (llvm::Function *release = begin("_mlir_memref_to_llvm_free")) {
    builder.CreateCall(library("free", nothing, {pointer}),
                       {release->getArg(0)});
    builder.CreateRetVoid();
  }
  // Objects may be linked side by side, and with anything.
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration()) {
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
      value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    }
}

llvm::Value *CpuObjectBuilder::spill(ArrayRef<llvm::Value *> words) {
  auto *type = llvm::ArrayType::get(i64, words.size());
  llvm::Value *array = builder.CreateAlloca(type);
  for (auto [i, word] : llvm::enumerate(words)) {
    llvm::Value *stored = word->getType()->isPointerTy()
                              ? builder.CreatePtrToInt(word, i64)
                              : word;
    builder.CreateStore(stored,
                        builder.CreateConstInBoundsGEP2_64(type, array, 0, i));
  }
  return array;
}

llvm::Expected<llvm::Value *> CpuObjectBuilder::describe(
    const HostTensor &tensor, RankedTensorType type, llvm::Value *data,
    const llvm::StringMap<llvm::Value *> &sizes, StringRef function) {
  SmallVector<llvm::Value *> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(builder.getInt64(size));
      continue;
    }
    llvm::Value *given =
        tensor.packed ? nullptr : sizes.lookup(tensor.shape[dim]);
    if (!given)
      return llvm::createStringError(
          "'" + tensor.name + "' of '" + function +
          "': expected packed bytes of a static size, found a size that "
          "depends on the call; give the tensor a static shape");
    shape.push_back(given);
  }
  SmallVector<llvm::Value *> words{data, data, builder.getInt64(0)};
  llvm::append_range(words, shape);
  size_t rank = shape.size();
  words.resize(3 + 2 * rank, builder.getInt64(1));
  for (size_t i = rank; i-- > 1;)
    words[3 + rank + i - 1] = builder.CreateMul(words[3 + rank + i], shape[i]);
  return spill(words);
}

llvm::Error CpuObjectBuilder::addFunction(const HostFunction &function,
                                          FunctionType type) {
  // The compiled one has another signature under the same name.
  if (llvm::Function *inner = module.getFunction(function.name))
    inner->setName("sparseflow_cpu_" + function.name);
  llvm::Function *entry = module.getFunction(
      (cpu::kEntryPrefix + llvm::Twine(function.name)).str());
  if (!entry || type.getNumInputs() != function.arguments.size() ||
      type.getNumResults() != function.results.size())
    return internalError("'" + function.name +
                         "' is described otherwise than it was compiled");
  SmallVector<llvm::Type *> parameters(
      type.getNumInputs() + type.getNumResults(), pointer);
  parameters.append(function.sizes.size(), i64);
  auto *made = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), parameters, false),
      llvm::GlobalValue::ExternalLinkage, function.name, module);
  made->setUWTableKind(llvm::UWTableKind::Async);
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", made));
  size_t tensors = parameters.size() - function.sizes.size();
  llvm::StringMap<llvm::Value *> sizes;
  for (auto [i, size] : llvm::enumerate(function.sizes))
    sizes[size] = made->getArg(tensors + i);
  SmallVector<llvm::Value *> slots;
  auto add = [&](const std::vector<HostTensor> &list,
                 TypeRange types) -> llvm::Error {
    for (auto [tensor, one] : llvm::zip_equal(list, types)) {
      auto described =
          describe(tensor, cast<RankedTensorType>(one),
                   made->getArg(slots.size()), sizes, function.name);
      if (!described)
        return described.takeError();
      slots.push_back(*described);
    }
    return llvm::Error::success();
  };
  if (llvm::Error error = add(function.arguments, type.getInputs()))
    return error;
  if (llvm::Error error = add(function.results, type.getResults()))
    return error;
  builder.CreateCall(entry, {spill(slots)});
  builder.CreateRetVoid();
  return llvm::Error::success();
}

llvm::Expected<std::string>
mlir::sparseflow::emitCpuObject(const CpuDevice &device,
                                const HostInterface &interface) {
  // By name a processor has all that its kind has, the host what it shows.
  bool isHost = device.getCpu() == llvm::sys::getHostCPUName();
  auto target = cpu::describeTarget(isHost ? "" : device.getCpu());
  if (!target)
    return target.takeError();
  target->setRelocationModel(llvm::Reloc::PIC_);
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(device.getLLVMIR(), diagnostic, context);
  if (!module)
    return internalError("the device's code is not read: " +
                         diagnostic.getMessage());
  module->setSourceFileName(interface.name);
  module->setModuleIdentifier(interface.name);
  module->setPICLevel(llvm::PICLevel::BigPIC);
  CpuObjectBuilder builder(*module);
  builder.defineRuntime();
  for (const HostFunction &function : interface.functions)
    if (llvm::Error error = builder.addFunction(
            function, device.getFunctionType(function.name)))
      return error;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(*module, &stream))
    return internalError("the object's code is invalid: " + text);
  optimizeModule(*module, **machine);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream object(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, object, nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return internalError("LLVM writes no objects for " +
                         module->getTargetTriple().str());
  passes.run(*module);
  return std::string(bytes.data(), bytes.size());
}

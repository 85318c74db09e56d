//===- HostObject.cpp - A bundle as an object file ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Object/HostObject.h"

#include "SparseFlow/Support/InternalError.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir::sparseflow;
using llvm::StringRef;

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostMachine() {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  // No CPU is named: the object runs on every processor of the architecture.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_));
  static_assert(sizeof(void *) == 8, "the layouts that the code of host "
                                     "objects reads are those of 64 bits");
  if (!machine || machine->getPointerSizeInBits(0) != 64)
    return internalError("LLVM makes no code of 64 bits for " + triple.str());
  return machine;
}

namespace {

/// Fills an LLVM module with the data and the functions of an interface.
class ObjectBuilder {
public:
  ObjectBuilder(const HostInterface &interface, llvm::Module &module)
      : interface(interface), module(module), context(module.getContext()),
        builder(context), pointer(builder.getPtrTy()),
        i32(builder.getInt32Ty()), i64(builder.getInt64Ty()) {}

  void build(llvm::ArrayRef<HostImage> images);

private:
  llvm::GlobalVariable *addConstant(StringRef name, llvm::Constant *value);
  /// Bytes in the object's read-only section, with a NUL behind them.
  llvm::Constant *addBytes(StringRef name, StringRef bytes, unsigned align);
  void addDescriptor(llvm::ArrayRef<HostImage> images);
  llvm::FunctionCallee runtime(StringRef name, llvm::Type *result,
                               llvm::ArrayRef<llvm::Type *> parameters);
  llvm::Function *begin(const std::string &name, llvm::Type *result,
                        llvm::ArrayRef<llvm::Type *> parameters);
  /// An array on the stack with `values` as 64-bit numbers, or null for none.
  llvm::Value *spill(llvm::ArrayRef<llvm::Value *> values);
  void addInit();
  void addRelease();
  void addCall(const HostFunction &function, uint64_t index);
  void addWorkspaceSize(const HostFunction &function, uint64_t index);

  const HostInterface &interface;
  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> builder;
  llvm::Type *pointer, *i32, *i64;
  llvm::Constant *descriptor = nullptr;
};

} // namespace

llvm::GlobalVariable *ObjectBuilder::addConstant(StringRef name,
                                                 llvm::Constant *value) {
  return new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage, value,
                                  name);
}

llvm::Constant *ObjectBuilder::addBytes(StringRef name, StringRef bytes,
                                        unsigned align) {
  llvm::GlobalVariable *data =
      addConstant(name, llvm::ConstantDataArray::getString(context, bytes,
                                                           /*AddNull=*/true));
  data->setSection(".rodata.sparseflow");
  data->setAlignment(llvm::Align(align));
  return data;
}

// The structures of sparseflow/embedded.h.
void ObjectBuilder::addDescriptor(llvm::ArrayRef<HostImage> images) {
  auto number = [&](llvm::Type *type, uint64_t value) {
    return llvm::ConstantInt::get(type, value);
  };
  auto *imageType = llvm::StructType::get(context, {pointer, pointer, i64});
  llvm::SmallVector<llvm::Constant *> table;
  for (const HostImage &image : images)
    table.push_back(llvm::ConstantStruct::get(
        imageType,
        {addBytes("image_name", image.name, 1),
         addBytes("image", image.data, 64), number(i64, image.data.size())}));
  llvm::Constant *list = addConstant(
      "images", llvm::ConstantArray::get(
                    llvm::ArrayType::get(imageType, table.size()), table));
  descriptor = addConstant(
      "bundle", llvm::ConstantStruct::getAnon(
                    context, {number(i32, 1), number(i32, images.size()),
                              addBytes("name", interface.name, 1),
                              addBytes("manifest", interface.manifest, 1),
                              number(i64, interface.manifest.size()), list}));
}

llvm::FunctionCallee
ObjectBuilder::runtime(StringRef name, llvm::Type *result,
                       llvm::ArrayRef<llvm::Type *> parameters) {
  return module.getOrInsertFunction(
      name, llvm::FunctionType::get(result, parameters, /*isVarArg=*/false));
}

llvm::Function *ObjectBuilder::begin(const std::string &name,
                                     llvm::Type *result,
                                     llvm::ArrayRef<llvm::Type *> parameters) {
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(result, parameters, /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, name, module);
  function->setUWTableKind(llvm::UWTableKind::Async);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
  return function;
}

llvm::Value *ObjectBuilder::spill(llvm::ArrayRef<llvm::Value *> values) {
  if (values.empty())
    return llvm::ConstantPointerNull::get(builder.getPtrTy());
  auto *type = llvm::ArrayType::get(i64, values.size());
  llvm::Value *array = builder.CreateAlloca(type);
  for (size_t i = 0; i < values.size(); ++i) {
    llvm::Value *value = values[i];
    if (value->getType()->isPointerTy())
      value = builder.CreatePtrToInt(value, i64);
    builder.CreateStore(value,
                        builder.CreateConstInBoundsGEP2_64(type, array, 0, i));
  }
  return array;
}

void ObjectBuilder::addInit() {
  llvm::Function *init =
      begin(interface.name + "_init", i32, {pointer, pointer});
  builder.CreateRet(builder.CreateCall(
      runtime("sf_embedded_load", i32, {pointer, pointer, pointer}),
      {init->getArg(0), descriptor, init->getArg(1)}));
}

void ObjectBuilder::addRelease() {
  llvm::Function *release =
      begin(interface.name + "_release", builder.getVoidTy(), {pointer});
  builder.CreateCall(
      runtime("sf_bundle_destroy", builder.getVoidTy(), {pointer}),
      {release->getArg(0)});
  builder.CreateRetVoid();
}

void ObjectBuilder::addCall(const HostFunction &function, uint64_t index) {
  size_t tensors = function.arguments.size() + function.results.size();
  // program, tensors, sizes, workspace, its bytes, stream
  llvm::SmallVector<llvm::Type *> types(1 + tensors, pointer);
  types.append(function.sizes.size(), i64);
  types.append({pointer, i64, pointer});
  llvm::Function *entry = begin(function.name, i32, types);
  llvm::SmallVector<llvm::Value *> given;
  for (llvm::Argument &argument : entry->args())
    given.push_back(&argument);
  llvm::ArrayRef<llvm::Value *> all(given);
  llvm::ArrayRef<llvm::Value *> sizes =
      all.slice(1 + tensors, function.sizes.size());
  all = all.take_back(3);
  llvm::Value *addresses =
      spill(llvm::ArrayRef<llvm::Value *>(given).slice(1, tensors));
  llvm::Value *spilled = spill(sizes);
  builder.CreateRet(builder.CreateCall(
      runtime("sf_embedded_call", i32,
              {pointer, pointer, i64, pointer, i64, pointer, i64, i64, i64,
               pointer}),
      {given[0], descriptor, builder.getInt64(index), addresses,
       builder.getInt64(tensors), spilled, builder.getInt64(sizes.size()),
       builder.CreatePtrToInt(all[0], i64), all[1], all[2]}));
}

void ObjectBuilder::addWorkspaceSize(const HostFunction &function,
                                     uint64_t index) {
  llvm::SmallVector<llvm::Type *> types{pointer};
  types.append(function.sizes.size(), i64);
  types.push_back(pointer);
  llvm::Function *entry = begin(function.name + "_workspace_size", i32, types);
  llvm::SmallVector<llvm::Value *> sizes;
  for (size_t i = 0; i < function.sizes.size(); ++i)
    sizes.push_back(entry->getArg(1 + i));
  llvm::Value *spilled = spill(sizes);
  builder.CreateRet(builder.CreateCall(
      runtime("sf_embedded_workspace_size", i32,
              {pointer, pointer, i64, pointer, i64, pointer}),
      {entry->getArg(0), descriptor, builder.getInt64(index), spilled,
       builder.getInt64(sizes.size()), entry->getArg(types.size() - 1)}));
}

void ObjectBuilder::build(llvm::ArrayRef<HostImage> images) {
  addDescriptor(images);
  addInit();
  addRelease();
  for (size_t i = 0; i < interface.functions.size(); ++i) {
    addCall(interface.functions[i], i);
    addWorkspaceSize(interface.functions[i], i);
  }
}

llvm::Expected<std::string>
mlir::sparseflow::emitHostObject(const HostInterface &interface,
                                 llvm::ArrayRef<HostImage> images) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = hostMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  llvm::Module module(interface.name, context);
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  ObjectBuilder(interface, module).build(images);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream))
    return internalError("the object's code is invalid: " + text);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream object(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, object, nullptr,
                                      llvm::CodeGenFileType::ObjectFile))
    return internalError("LLVM writes no objects for " +
                         module.getTargetTriple().str());
  passes.run(module);
  return std::string(bytes.data(), bytes.size());
}

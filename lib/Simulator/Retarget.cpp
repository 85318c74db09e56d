//===- Retarget.cpp - GPU code as host code -------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Retarget.h"

#include "Simulator/Instructions/Handlers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"

#include <map>

using namespace mlir::sparseflow::sim;
using namespace llvm;

namespace {

constexpr unsigned sharedSpace = 3;

class Retargeter {
public:
  Retargeter(Module &module, const RetargetOptions &options, Kernel &kernel)
      : module(module), context(module.getContext()), options(options),
        kernel(kernel), i32(Type::getInt32Ty(context)),
        i64(Type::getInt64Ty(context)), pointer(PointerType::get(context, 0)) {}

  Error run(StringRef entry, TargetMachine &machine);

private:
  void nameSites(Function &function);
  Error checkGlobals();
  void placeShared();
  Error rewrite(Function &function);
  Error rewriteCall(CallInst &call);
  /// Calls `target` with `subject`, the thread, and places for result and
  /// operands, which are structs in memory.
  void replaceCall(CallInst &call, const void *target, const void *subject);
  Error replaceAssembly(CallInst &call);
  bool replaceRegister(CallInst &call, StringRef name);
  void checkAccess(Instruction &access);
  void convertBFloat(CastInst &cast);
  void readLaunchLimits(const Function &target);
  void readArguments(const Function &target);
  /// Puts shared variables into the block's memory, and rewrites all functions.
  Error rewriteBodies(ArrayRef<Function *> bodies);
  void eraseWhatGpusRead(ArrayRef<Function *> bodies);
  void addEntry(StringRef name);
  Value *constantAddress(const void *address) {
    return ConstantExpr::getIntToPtr(
        ConstantInt::get(i64, reinterpret_cast<uint64_t>(address)), pointer);
  }
  uint32_t siteOf(const Instruction &instruction) const {
    return sites.lookup(&instruction);
  }

  Module &module;
  LLVMContext &context;
  const RetargetOptions &options;
  Kernel &kernel;
  Type *i32, *i64;
  PointerType *pointer;
  Function *function = nullptr;
  DenseMap<const Instruction *, uint32_t> sites;
  DenseMap<GlobalVariable *, uint64_t> sharedOffsets;
  std::map<std::string, unsigned> used;
  /// Of the function at hand: the running thread, and room for operands and
  /// result of a call, shared by all calls.
  Value *self = nullptr;
  AllocaInst *operandRoom = nullptr, *resultRoom = nullptr;
  uint64_t operandBytes = 8, resultBytes = 8;
};

} // namespace

/// An intrinsic's name without "llvm.nvvm.", or "asm" for inline assembly;
/// empty for other calls.
static std::string instructionName(const CallInst &call) {
  if (call.isInlineAsm())
    return "asm";
  StringRef name;
  if (const Function *callee = call.getCalledFunction())
    name = callee->getName();
  return name.consume_front("llvm.nvvm.") ? name.str() : std::string();
}

void Retargeter::nameSites(Function &function) {
  ModuleSlotTracker slots(&module);
  slots.incorporateFunction(function);
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (call ? instructionName(*call).empty()
             : !isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(
                   instruction))
      continue;
    Site site;
    raw_string_ostream stream(site.text);
    instruction.print(stream, slots);
    site.text = StringRef(site.text).trim().str();
    if (const DILocation *place = instruction.getDebugLoc())
      site.text += " at " + place->getFilename().str() + ":" +
                   std::to_string(place->getLine()) + ":" +
                   std::to_string(place->getColumn());
    sites[&instruction] = static_cast<uint32_t>(kernel.sites.size());
    kernel.sites.push_back(std::move(site));
  }
}

Error Retargeter::checkGlobals() {
  for (GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() == sharedSpace)
      continue;
    if (!global.isConstant() || !global.hasInitializer())
      return createStringError(
          "the simulator has no memory for the variable '" + global.getName() +
          "': expected constants and shared variables");
  }
  return Error::success();
}

static bool isUsed(GlobalVariable &global) {
  global.removeDeadConstantUsers();
  return !global.use_empty();
}

/// Gives each shared variable of the kernel exactly the alignment it declares:
/// its offset is no multiple of twice that. Those of other kernels, which are
/// not in this module, take no memory.
void Retargeter::placeShared() {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<GlobalVariable *> fixed, dynamic;
  for (GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == sharedSpace && isUsed(global))
      (layout.getTypeAllocSize(global.getValueType()).isZero() ? dynamic
                                                               : fixed)
          .push_back(&global);
  uint64_t end = 0;
  auto align = [&](uint64_t alignment) {
    end = (end + alignment - 1) / alignment * alignment;
    if (end % (2 * alignment) == 0)
      end += alignment;
  };
  auto alignmentOf = [&](GlobalVariable *global) {
    return global->getAlign()
        .value_or(layout.getABITypeAlign(global->getValueType()))
        .value();
  };
  for (GlobalVariable *global : fixed) {
    align(alignmentOf(global));
    uint64_t bytes = layout.getTypeAllocSize(global->getValueType());
    sharedOffsets[global] = end;
    kernel.shared.variables.push_back({global->getName().str(), end, bytes});
    kernel.shared.staticBytes += bytes;
    end += bytes + 16;
  }
  // All dynamic variables are one and the same memory.
  uint64_t alignment = 16;
  for (GlobalVariable *global : dynamic)
    alignment = std::max(alignment, alignmentOf(global));
  align(alignment);
  for (GlobalVariable *global : dynamic)
    sharedOffsets[global] = end;
  kernel.shared.dynamicOffset = end;
}

/// The alignment of a load or store, at most what hardware asks for.
static uint64_t requiredAlignment(uint64_t alignment, uint64_t bytes) {
  uint64_t natural = 1;
  while (natural < bytes && natural < 16)
    natural *= 2;
  return std::min(alignment, natural);
}

void Retargeter::checkAccess(Instruction &access) {
  const DataLayout &layout = module.getDataLayout();
  Value *address = nullptr;
  Type *type = nullptr;
  uint64_t alignment = 1;
  AccessKind kind = AccessKind::Read;
  if (auto *load = dyn_cast<LoadInst>(&access)) {
    address = load->getPointerOperand();
    type = load->getType();
    alignment = load->getAlign().value();
    kind = load->isAtomic() ? AccessKind::Atomic : AccessKind::Read;
  } else if (auto *store = dyn_cast<StoreInst>(&access)) {
    address = store->getPointerOperand();
    type = store->getValueOperand()->getType();
    alignment = store->getAlign().value();
    kind = store->isAtomic() ? AccessKind::Atomic : AccessKind::Write;
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&access)) {
    address = update->getPointerOperand();
    type = update->getType();
    alignment = update->getAlign().value();
    kind = AccessKind::Atomic;
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access)) {
    address = exchange->getPointerOperand();
    type = exchange->getNewValOperand()->getType();
    alignment = exchange->getAlign().value();
    kind = AccessKind::Atomic;
  }
  // A thread's own variables and the module's constants are no concern.
  const Value *object = getUnderlyingObject(address);
  if (isa<AllocaInst>(object) || isa<GlobalVariable>(object))
    return;
  uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
  uint64_t what = bytes | requiredAlignment(alignment, bytes) << 32 |
                  static_cast<uint64_t>(kind) << 56;
  IRBuilder<> builder(&access);
  auto *type64 = FunctionType::get(Type::getVoidTy(context),
                                   {pointer, i64, i64, i32}, false);
  builder.CreateCall(
      type64,
      constantAddress(
          reinterpret_cast<void *>(&mlir::sparseflow::sim::checkAccess)),
      {self, builder.CreatePtrToInt(address, i64), ConstantInt::get(i64, what),
       ConstantInt::get(i32, siteOf(access))});
}

bool Retargeter::replaceRegister(CallInst &call, StringRef name) {
  if (!name.consume_front("read.ptx.sreg."))
    return false;
  unsigned index = findSpecialRegister(name.str());
  if (index == NumSpecialRegisters)
    return false;
  IRBuilder<> builder(&call);
  Value *address = builder.CreateConstGEP1_32(i32, self, index);
  call.replaceAllUsesWith(builder.CreateLoad(i32, address));
  call.eraseFromParent();
  return true;
}

void Retargeter::replaceCall(CallInst &call, const void *target,
                             const void *subject) {
  const DataLayout &layout = module.getDataLayout();
  IRBuilder<> builder(&call);
  SmallVector<Type *> types;
  for (Value *operand : call.args())
    types.push_back(operand->getType());
  auto *operands = StructType::get(context, types);
  for (unsigned i = 0; i < types.size(); ++i)
    builder.CreateStore(call.getArgOperand(i),
                        builder.CreateStructGEP(operands, operandRoom, i));
  operandBytes =
      std::max(operandBytes, layout.getTypeAllocSize(operands).getFixedValue());
  auto *type =
      FunctionType::get(Type::getVoidTy(context),
                        {pointer, pointer, pointer, pointer, i32}, false);
  builder.CreateCall(type, constantAddress(target),
                     {constantAddress(subject), self, resultRoom, operandRoom,
                      ConstantInt::get(i32, siteOf(call))});
  if (!call.getType()->isVoidTy()) {
    resultBytes = std::max(
        resultBytes, layout.getTypeAllocSize(call.getType()).getFixedValue());
    call.replaceAllUsesWith(builder.CreateLoad(call.getType(), resultRoom));
  }
  call.eraseFromParent();
}

Error Retargeter::replaceAssembly(CallInst &call) {
  const DataLayout &layout = module.getDataLayout();
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  auto refuse = [&](const Twine &why) {
    return createStringError("inline assembly in kernel '" + kernel.name +
                             "': " + why + "; in '" + assembly->getAsmString() +
                             "'");
  };
  using Operand = AssemblyProgram::Operand;
  auto offsetIn = [&](StructType *type, unsigned i) {
    return static_cast<uint32_t>(
        layout.getStructLayout(type)->getElementOffset(i));
  };
  auto bytesOf = [&](Type *type) {
    return static_cast<uint32_t>(layout.getTypeStoreSize(type).getFixedValue());
  };
  std::vector<Operand> outputs, inputs;
  std::vector<int> ties;
  SmallVector<Type *> types;
  for (Value *operand : call.args())
    types.push_back(operand->getType());
  auto *operands = StructType::get(context, types);
  for (const InlineAsm::ConstraintInfo &constraint :
       assembly->ParseConstraints()) {
    if (constraint.Type == InlineAsm::isClobber)
      continue;
    if (constraint.isIndirect || constraint.Type == InlineAsm::isLabel)
      return refuse("operands in memory and labels are not supported");
    if (constraint.Type == InlineAsm::isOutput) {
      outputs.emplace_back();
      continue;
    }
    // An output that is also an input has that input's number of it.
    ties.push_back(-1);
    if (!constraint.Codes.empty() && isDigit(constraint.Codes[0][0]))
      ties.back() = std::stoi(constraint.Codes[0]);
    unsigned i = static_cast<unsigned>(inputs.size());
    if (i >= types.size() || bytesOf(types[i]) > 8)
      return refuse("operands of more than 8 bytes are not supported");
    inputs.push_back({offsetIn(operands, i), bytesOf(types[i])});
  }
  auto *results = dyn_cast<StructType>(call.getType());
  for (unsigned i = 0; i < outputs.size(); ++i)
    outputs[i] = results ? Operand{offsetIn(results, i),
                                   bytesOf(results->getElementType(i))}
                         : Operand{0, bytesOf(call.getType())};
  for (const Operand &output : outputs)
    if (output.bytes > 8)
      return refuse("results of more than 8 bytes are not supported");
  std::string error;
  std::shared_ptr<const AssemblyProgram> program =
      AssemblyProgram::parse(assembly->getAsmString().str(), std::move(outputs),
                             std::move(inputs), ties, error);
  if (!program)
    return refuse(error);
  for (const std::string &opcode : program->opcodes())
    ++used["asm:" + opcode];
  kernel.assembly.push_back(program);
  replaceCall(call, reinterpret_cast<const void *>(&invokeAssembly),
              program.get());
  return Error::success();
}

Error Retargeter::rewriteCall(CallInst &call) {
  std::string name = instructionName(call);
  if (name.empty()) {
    const Function *callee = call.getCalledFunction();
    if (callee && !isa<MemIntrinsic>(call) &&
        (callee->isIntrinsic() || !callee->isDeclaration()))
      return Error::success();
    return createStringError(
        "kernel '" + kernel.name + "' calls " +
        (callee ? "'" + callee->getName().str() + "', which has no body"
                : std::string("through a pointer")) +
        "; the simulator runs kernels without such calls");
  }
  if (call.isInlineAsm())
    return replaceAssembly(call);
  if (const Handler *handler = Registry::get().find(name)) {
    ++used[name];
    replaceCall(call, reinterpret_cast<const void *>(&invokeHandler), handler);
  } else if (!replaceRegister(call, name)) {
    return createStringError("the simulator does not know 'llvm.nvvm." + name +
                             "' in kernel '" + kernel.name +
                             "': it needs a handler in lib/Simulator");
  }
  return Error::success();
}

/// Host CPUs convert to bf16 in calls or, with AVX-512, without subnormals.
void Retargeter::convertBFloat(CastInst &cast) {
  Type *from = cast.getSrcTy(), *to = cast.getDestTy();
  IRBuilder<> builder(&cast);
  auto like = [&](Type *shape, Type *element) -> Type * {
    if (auto *vector = dyn_cast<VectorType>(shape))
      return VectorType::get(element, vector->getElementCount());
    return element;
  };
  Type *words = like(from, i32), *halves = like(from, builder.getInt16Ty());
  if (isa<FPExtInst>(cast)) {
    if (!from->getScalarType()->isBFloatTy())
      return;
    Value *bits = builder.CreateZExt(
        builder.CreateBitCast(cast.getOperand(0), halves), words);
    Value *wide = builder.CreateBitCast(builder.CreateShl(bits, 16),
                                        like(from, builder.getFloatTy()));
    cast.replaceAllUsesWith(builder.CreateFPCast(wide, to));
    cast.eraseFromParent();
    return;
  }
  if (!to->getScalarType()->isBFloatTy() || !from->getScalarType()->isFloatTy())
    return;
  // To nearest, ties to even; a NaN stays one.
  Value *value = cast.getOperand(0);
  Value *bits = builder.CreateBitCast(value, words);
  Value *odd = builder.CreateAnd(builder.CreateLShr(bits, 16),
                                 ConstantInt::get(words, 1));
  Value *rounded = builder.CreateLShr(
      builder.CreateAdd(
          bits, builder.CreateAdd(odd, ConstantInt::get(words, 0x7fff))),
      16);
  Value *result =
      builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                           ConstantInt::get(words, 0x7fff), rounded);
  cast.replaceAllUsesWith(
      builder.CreateBitCast(builder.CreateTrunc(result, halves), to));
  cast.eraseFromParent();
}

Error Retargeter::rewrite(Function &body) {
  function = &body;
  // GPU attributes and promises about memory no longer hold.
  body.setAttributes(AttributeList());
  body.setCallingConv(CallingConv::C);
  body.addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(&*body.getEntryBlock().getFirstInsertionPt());
  // Sizes follow when all calls are known.
  operandBytes = resultBytes = 8;
  operandRoom = builder.CreateAlloca(builder.getInt8Ty(), builder.getInt64(1));
  resultRoom = builder.CreateAlloca(builder.getInt8Ty(), builder.getInt64(1));
  operandRoom->setAlignment(Align(16));
  resultRoom->setAlignment(Align(16));
  self = builder.CreateCall(
      FunctionType::get(pointer, false),
      constantAddress(reinterpret_cast<void *>(&currentThread)));
  Value *shared = nullptr;
  if (!sharedOffsets.empty())
    shared = builder.CreateLoad(
        i64, builder.CreateConstGEP1_32(builder.getInt8Ty(), self,
                                        offsetof(ThreadHead, sharedBase)));
  DenseMap<GlobalVariable *, Value *> places;
  for (auto &[global, offset] : sharedOffsets)
    places[global] = builder.CreateIntToPtr(
        builder.CreateAdd(shared, ConstantInt::get(i64, offset)),
        global->getType());

  SmallVector<Instruction *> all;
  for (Instruction &instruction : instructions(body))
    all.push_back(&instruction);
  for (Instruction *instruction : all) {
    for (Use &use : instruction->operands())
      if (auto *global = dyn_cast<GlobalVariable>(use.get()))
        if (Value *place = places.lookup(global))
          use.set(place);
    instruction->dropUnknownNonDebugMetadata();
  }
  for (Instruction *instruction : all) {
    if (auto *call = dyn_cast<CallInst>(instruction)) {
      call->setTailCallKind(CallInst::TCK_None);
      if (call == self)
        continue;
      if (Error error = rewriteCall(*call))
        return error;
    } else if (isa<FPExtInst, FPTruncInst>(instruction)) {
      convertBFloat(cast<CastInst>(*instruction));
    } else if (options.checkAccesses &&
               isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(
                   instruction) &&
               sites.count(instruction)) {
      checkAccess(*instruction);
    }
  }
  operandRoom->setOperand(0, ConstantInt::get(i64, operandBytes));
  resultRoom->setOperand(0, ConstantInt::get(i64, resultBytes));
  return Error::success();
}

void Retargeter::addEntry(StringRef name) {
  Function *target = module.getFunction(kernel.name);
  auto *entry = Function::Create(
      FunctionType::get(Type::getVoidTy(context), {pointer}, false),
      GlobalValue::ExternalLinkage, name, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  SmallVector<Value *> arguments;
  for (Argument &argument : target->args()) {
    Value *place = builder.CreateLoad(
        pointer, builder.CreateConstGEP1_32(pointer, entry->getArg(0),
                                            argument.getArgNo()));
    // What is passed by value is passed by its address.
    bool byValue = kernel.arguments[argument.getArgNo()].byValueBytes != 0;
    arguments.push_back(
        byValue ? builder.CreateAddrSpaceCast(place, argument.getType())
                : builder.CreateLoad(argument.getType(), place));
  }
  builder.CreateCall(target, arguments);
  builder.CreateRetVoid();
  target->setLinkage(GlobalValue::InternalLinkage);
}

/// The numbers of a function's attribute such as "128,1,1": 1 where it has
/// none.
static Dim3 sizesOf(const Function &function, StringRef name) {
  Dim3 made;
  SmallVector<StringRef> sizes;
  function.getFnAttribute(name).getValueAsString().split(sizes, ',');
  uint32_t *parts[] = {&made.x, &made.y, &made.z};
  for (size_t i = 0; i < sizes.size() && i < 3; ++i) {
    uint32_t value = 1;
    if (!sizes[i].trim().getAsInteger(10, value) && value)
      *parts[i] = value;
  }
  return made;
}

void Retargeter::readLaunchLimits(const Function &target) {
  Attribute limit = target.getFnAttribute("nvvm.reqntid");
  if (!limit.isValid())
    limit = target.getFnAttribute("nvvm.maxntid");
  if (limit.isValid()) {
    SmallVector<StringRef> sizes;
    limit.getValueAsString().split(sizes, ',');
    kernel.maxThreads = 1;
    for (StringRef size : sizes) {
      uint32_t value = 1;
      if (!size.trim().getAsInteger(10, value))
        kernel.maxThreads *= value;
    }
  }
  kernel.cluster = sizesOf(target, "nvvm.cluster_dim");
  if (target.hasFnAttribute("nvvm.maxnreg"))
    kernel.maxRegisters = sizesOf(target, "nvvm.maxnreg").x;
  kernel.residentCtas = sizesOf(target, "nvvm.minctasm").x;
}

void Retargeter::readArguments(const Function &target) {
  for (const Argument &argument : target.args()) {
    Kernel::Argument made;
    if (Type *type = argument.getParamByValType()) {
      made.byValueBytes =
          module.getDataLayout().getTypeAllocSize(type).getFixedValue();
      made.alignment = argument.getParamAlign().valueOrOne().value();
    }
    kernel.arguments.push_back(made);
  }
}

Error Retargeter::rewriteBodies(ArrayRef<Function *> bodies) {
  placeShared();
  SmallVector<Constant *> variables;
  for (auto &[global, offset] : sharedOffsets)
    variables.push_back(global);
  convertUsersOfConstantsToInstructions(variables);
  for (Function *body : bodies)
    if (Error error = rewrite(*body))
      return error;
  for (auto &[global, offset] : sharedOffsets) {
    global->removeDeadConstantUsers();
    if (!global->use_empty())
      return createStringError("the address of the shared variable '" +
                               global->getName() +
                               "' is stored in a constant, which the simulator "
                               "cannot follow; compute it in the kernel");
    global->eraseFromParent();
  }
  return Error::success();
}

void Retargeter::eraseWhatGpusRead(ArrayRef<Function *> bodies) {
  for (Function &declared : make_early_inc_range(module))
    if (declared.isDeclaration() && declared.use_empty())
      declared.eraseFromParent();
  for (Function *body : bodies)
    body->setLinkage(GlobalValue::InternalLinkage);
  // Tools for other devices read these.
  for (NamedMDNode &node : make_early_inc_range(module.named_metadata()))
    if (node.getName().starts_with("nvvm"))
      node.eraseFromParent();
}

Error Retargeter::run(StringRef entry, TargetMachine &machine) {
  const Function &target = *module.getFunction(kernel.name);
  readLaunchLimits(target);
  readArguments(target);
  kernel.sites.assign(1, Site());
  if (Error error = checkGlobals())
    return error;
  SmallVector<Function *> bodies;
  for (Function &body : module)
    if (!body.isDeclaration())
      bodies.push_back(&body);
  // As the kernel's author reads it: before anything changes.
  for (Function *body : bodies)
    nameSites(*body);
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  if (Error error = rewriteBodies(bodies))
    return error;
  eraseWhatGpusRead(bodies);
  addEntry(entry);
  kernel.instructions.assign(used.begin(), used.end());
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream))
    return createStringError("the simulator made invalid code of kernel '" +
                             kernel.name + "': " + problem);
  return Error::success();
}

Error mlir::sparseflow::sim::retarget(Module &module, StringRef kernelName,
                                      StringRef entry, TargetMachine &machine,
                                      const RetargetOptions &options,
                                      Kernel &kernel) {
  kernel.name = kernelName.str();
  return Retargeter(module, options, kernel).run(entry, machine);
}

//===- VerifyKernels.cpp - What LLVM's back end would abort on ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instruction selection answers an instruction that the chip lacks with
// report_fatal_error: the process ends. So every op is looked up here first.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/NVPTX/Kernels.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// What one family of instructions asks of a target. `prefix` matches the
/// name of an nvvm op (without "nvvm."), of an intrinsic (without
/// "llvm.nvvm.") and the opcode of inline assembly: all three share their
/// leading words.
struct Requirement {
  StringRef prefix;
  unsigned sm;
  bool archSpecific;
  unsigned ptxVersion;
};

} // namespace

// The longest matching prefix decides, so a narrow row may stand beside a
// general one. A new instruction is one new row.
static constexpr Requirement kRequirements[] = {
    // Special registers and warp collectives.
    {"read.ptx.sreg", 70, false, 60},
    {"read.ptx.sreg.cluster", 90, false, 78},
    {"read.ptx.sreg.clusterid", 90, false, 78},
    {"read.ptx.sreg.nclusterid", 90, false, 78},
    {"shfl", 70, false, 60},
    {"vote", 70, false, 60},
    {"bar.warp.sync", 70, false, 60},
    {"match", 70, false, 60},
    {"activemask", 70, false, 62},
    {"redux", 80, false, 70},
    {"elect", 90, false, 80},
    // Barriers and fences.
    {"barrier", 70, false, 60},
    {"bar", 70, false, 60},
    {"barrier.cluster", 90, false, 78},
    {"cluster", 90, false, 78},
    {"membar", 70, false, 60},
    {"memory.barrier", 70, false, 60},
    {"fence", 70, false, 60},
    {"fence.sc.cluster", 90, false, 78},
    {"fence.acq_rel.cluster", 90, false, 78},
    {"fence.proxy", 90, false, 80},
    {"fence.mbarrier_init", 90, false, 80},
    {"fence.mbarrier.init", 90, false, 80},
    {"mbarrier", 80, false, 70},
    {"mbarrier.try_wait", 90, false, 80},
    {"mbarrier.expect_tx", 90, false, 80},
    {"mbarrier.complete_tx", 90, false, 80},
    {"mbarrier.arrive.expect_tx", 90, false, 80},
    {"nanosleep", 70, false, 63},
    {"griddepcontrol", 90, false, 78},
    {"setmaxnreg", 90, true, 80},
    {"setmaxregister", 90, true, 80},
    {"mapa", 90, false, 78},
    // Copies.
    {"cp.async", 80, false, 70},
    {"cp.async.bulk", 90, false, 80},
    {"ldmatrix", 75, false, 65},
    {"movmatrix", 75, false, 78},
    {"stmatrix", 90, false, 78},
    {"prefetch", 70, false, 60},
    {"prefetch.tensormap", 90, false, 80},
    {"cvta", 70, false, 60},
    {"ld", 70, false, 60},
    {"st", 70, false, 60},
    {"atom", 70, false, 60},
    {"red", 70, false, 60},
    {"createpolicy", 80, false, 74},
    {"mov", 70, false, 60},
    {"prmt", 70, false, 60},
    {"lop3", 70, false, 60},
    // Tensor cores.
    {"mma", 80, false, 70},
    {"mma.sp", 80, false, 85},
    {"wgmma", 90, true, 80},
    // Arithmetic and conversions.
    {"ex2.approx", 75, false, 70},
    {"lg2.approx", 70, false, 60},
    {"rcp", 70, false, 60},
    {"rsqrt", 70, false, 60},
    {"sqrt", 70, false, 60},
    {"sin.approx", 70, false, 60},
    {"cos.approx", 70, false, 60},
    {"tanh.approx", 75, false, 70},
    {"div", 70, false, 60},
    {"fma", 80, false, 70},
    {"add", 70, false, 60},
    {"sub", 70, false, 60},
    {"mul", 70, false, 60},
    {"min", 70, false, 60},
    {"max", 70, false, 60},
    {"fmin", 80, false, 70},
    {"fmax", 80, false, 70},
    {"fabs", 70, false, 60},
    {"cvt", 80, false, 70},
    {"f2bf16", 80, false, 70},
    {"ff2bf16x2", 80, false, 70},
    {"ff2f16x2", 80, false, 70},
    {"convert.f32x2.to.f16x2", 80, false, 70},
    {"convert.f32x2.to.bf16x2", 80, false, 70},
    {"convert.float.to.tf32", 80, false, 70},
    {"dot.accumulate", 70, false, 60},
    {"dp4a", 70, false, 60},
};

static const Requirement *findRequirement(StringRef name) {
  const Requirement *best = nullptr;
  for (const Requirement &row : kRequirements) {
    StringRef rest = name;
    if (!rest.consume_front(row.prefix))
      continue;
    // A prefix ends at a separator: "ld" must not claim "ldmatrix". NVVM
    // joins a digit directly ("barrier0") and PTX a ':' ("mma.sp::").
    if (!rest.empty() && !StringRef(".:0").contains(rest.front()))
      continue;
    if (!best || row.prefix.size() > best->prefix.size())
      best = &row;
  }
  return best;
}

/// Reports an instruction that `target` cannot run.
static LogicalResult checkInstruction(Operation *op, StringRef name,
                                      const TargetInfo &target) {
  const Requirement *row = findRequirement(name);
  if (!row)
    return op->emitOpError()
           << "instruction '" << name
           << "' is not known to the PTX back end: expected one of the "
              "instructions listed in VerifyKernels.cpp";
  bool chip = row->archSpecific ? target.archSpecific && target.sm == row->sm
                                : target.sm >= row->sm;
  if (!chip)
    return op->emitOpError()
           << "needs sm_" << row->sm << (row->archSpecific ? "a" : "")
           << (row->archSpecific ? "" : " or newer") << ", but the target is "
           << target.name << ": compile for another target or choose a "
           << "schedule without '" << row->prefix << "'";
  assert(target.ptxVersion >= row->ptxVersion &&
         "every target's PTX has the instructions of its chip");
  return success();
}

/// The opcodes of a blob of inline assembly, without labels, predicates,
/// braces, directives and register declarations.
static SmallVector<StringRef> opcodesOf(StringRef text) {
  SmallVector<StringRef> statements, opcodes;
  text.split(statements, ';');
  for (StringRef statement : statements) {
    statement = statement.trim(" \t\r\n{}");
    if (statement.starts_with("@"))
      statement = statement.drop_until([](char c) { return c == ' '; }).trim();
    size_t colon = statement.find(':');
    if (colon != StringRef::npos && statement.substr(colon, 2) != "::" &&
        !statement.take_front(colon).contains('.') &&
        !statement.take_front(colon).contains(' '))
      statement = statement.drop_front(colon + 1).trim();
    if (statement.empty() || statement.starts_with(".") ||
        statement.starts_with("//"))
      continue;
    opcodes.push_back(statement.take_until(
        [](char c) { return c == ' ' || c == '\t' || c == '\n'; }));
  }
  return opcodes;
}

/// Plain control and logic of inline assembly that every chip has.
static bool isBasicOpcode(StringRef opcode) {
  return llvm::StringSwitch<bool>(
             opcode.take_until([](char c) { return c == '.'; }))
      .Cases({"setp", "selp", "bra", "and", "or", "xor", "not", "shl", "shr",
              "mad", "neg", "abs", "bfe", "bfi", "ret", "trap", "exit"},
             true)
      .Default(false);
}

static LogicalResult checkMath(Operation *op, StringRef name) {
  auto typed = op->getNumResults() ? op->getResult(0).getType() : Type();
  Type element = typed ? getElementTypeOrSelf(typed) : Type();
  if (name == "sin" || name == "cos" || name == "tanh") {
    auto flags = dyn_cast<LLVM::FastmathFlagsInterface>(op);
    auto attr = flags ? flags.getFastmathAttr() : LLVM::FastmathFlagsAttr();
    bool approximate =
        attr && bitEnumContainsAll(attr.getValue(), LLVM::FastmathFlags::afn);
    if (approximate && element && !element.isF64())
      return success();
    return op->emitOpError("has no exact lowering for GPUs: expand it to "
                           "polynomials first or allow the approximation "
                           "(fastmath<afn>, not f64)");
  }
  if (name == "exp2" && element && element.isF64())
    return op->emitOpError("has no f64 lowering for GPUs: use f32");
  static constexpr StringRef kNoLowering[] = {
      "exp",   "exp10", "log",    "log2",   "log10",   "pow",   "powi",
      "tan",   "asin",  "acos",   "atan",   "atan2",   "sinh",  "cosh",
      "ldexp", "frexp", "sincos", "lround", "llround", "lrint", "llrint"};
  if (llvm::is_contained(kNoLowering, name))
    return op->emitOpError("has no lowering for GPUs (no libdevice is used): "
                           "expand it to ex2.approx and polynomials first");
  for (StringRef prefix :
       {"coro.", "eh.", "matrix.", "masked.", "vp.", "vastart", "vacopy",
        "vaend", "threadlocal", "stackrestore", "vector.deinterleave"})
    if (name.starts_with(prefix))
      return op->emitOpError("cannot be compiled for a GPU");
  return success();
}

static LogicalResult checkLLVMOp(Operation *op, const TargetInfo &target) {
  StringRef name = op->getName().stripDialect();
  if (isa<LLVM::InvokeOp, LLVM::LandingpadOp, LLVM::ResumeOp, LLVM::VaArgOp,
          LLVM::IndirectBrOp, LLVM::BlockAddressOp>(op))
    return op->emitOpError("cannot be compiled for a GPU");
  if (isa<LLVM::SDivOp, LLVM::UDivOp, LLVM::SRemOp, LLVM::URemOp>(op)) {
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    if (type.getIntOrFloatBitWidth() > 64)
      return op->emitOpError("divides integers wider than 64 bits, which "
                             "needs a library that GPUs do not have");
  }
  for (Type type : op->getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
      return op->emitOpError("has a scalable vector result; GPUs have fixed "
                             "vectors only");
  if (name.consume_front("intr."))
    return checkMath(op, name);
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    StringRef intrinsic = call.getIntrin();
    if (intrinsic.consume_front("llvm.nvvm."))
      return checkInstruction(op, intrinsic, target);
    // So begins every name, and the overload suffix (".f32") ends it.
    intrinsic.consume_front("llvm.");
    StringRef base = intrinsic.take_until([](char c) { return c == '.'; });
    return checkMath(op, base);
  }
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op)) {
    for (StringRef opcode : opcodesOf(assembly.getAsmString()))
      if (!isBasicOpcode(opcode) &&
          failed(checkInstruction(op, opcode, target)))
        return failure();
    return success();
  }
  if (auto call = dyn_cast<LLVM::CallOp>(op)) {
    std::optional<StringRef> callee = call.getCallee();
    if (!callee)
      return op->emitOpError("calls through a pointer: inline the callee");
    auto module = op->getParentOfType<gpu::GPUModuleOp>();
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(*callee);
    if (!function || function.isExternal())
      return op->emitOpError()
             << "calls '" << *callee
             << "', which has no body in the module: kernels link nothing, "
                "so define it or use an instruction";
  }
  return success();
}

static LogicalResult checkNVVMOp(Operation *op, const TargetInfo &target) {
  if (auto inlinePtx = dyn_cast<NVVM::InlinePtxOp>(op)) {
    for (StringRef opcode : opcodesOf(inlinePtx.getPtxCode()))
      if (!isBasicOpcode(opcode) &&
          failed(checkInstruction(op, opcode, target)))
        return failure();
    return success();
  }
  if (failed(checkInstruction(op, op->getName().stripDialect(), target)))
    return failure();
  // LLVM states a few requirements itself; what it knows counts too.
  if (auto required = dyn_cast<NVVM::RequiresSMInterface>(op)) {
    NVVM::NVVMCheckSMVersion have(target.archSpecific,
                                  static_cast<int>(target.sm));
    if (!required.getRequiredMinSMVersion().isCompatibleWith(have))
      return op->emitOpError()
             << "is not available on " << target.name
             << ": compile for another target or choose another schedule";
  }
  if (auto sparse = dyn_cast<NVVM::MmaSpOp>(op)) {
    if (!sparse.getSparsitySelector().getDefiningOp<LLVM::ConstantOp>())
      return op->emitOpError("expected the sparsity selector to be an "
                             "llvm.mlir.constant: it is part of the "
                             "instruction, not a register");
    if (!sparse.getOrderedMetadata())
      return op->emitOpError("expected the 'orderedMetadata' attribute: plain "
                             "mma.sp is slow on newer chips");
  }
  for (NamedAttribute attr : op->getAttrs()) {
    auto type = dyn_cast<NVVM::MMATypesAttr>(attr.getValue());
    if (!type || (type.getValue() != NVVM::MMATypes::e4m3 &&
                  type.getValue() != NVVM::MMATypes::e5m2))
      continue;
    if (target.sm < 89)
      return op->emitOpError()
             << "multiplies " << NVVM::stringifyMMATypes(type.getValue())
             << ", which needs sm_89 or newer, but the target is "
             << target.name;
    if (isa<NVVM::MmaSpOp>(op))
      return op->emitOpError("on 8-bit floats cannot be translated by LLVM 22 "
                             "(its verifier and its intrinsic disagree on the "
                             "operands): use inline assembly");
  }
  return success();
}

/// The product of an integer array attribute, or 0 when it is absent.
static int64_t productOf(Attribute attr) {
  int64_t product = 1;
  if (auto dense = dyn_cast_or_null<DenseI32ArrayAttr>(attr)) {
    for (int32_t value : dense.asArrayRef())
      product *= value;
    return product;
  }
  if (auto array = dyn_cast_or_null<ArrayAttr>(attr)) {
    for (Attribute value : array)
      if (auto integer = dyn_cast<IntegerAttr>(value))
        product *= integer.getInt();
    return product;
  }
  return 0;
}

/// LLVM aborts on a symbol that is no identifier of PTX. Dots it replaces where
/// nobody looks the name up.
static LogicalResult checkName(Operation *op, bool isKernel) {
  StringRef name = SymbolTable::getSymbolName(op).getValue();
  StringRef others = isKernel ? "_$" : "_$.";
  bool startsWell = !name.empty() && !llvm::isDigit(name.front());
  if (startsWell && llvm::all_of(name, [&](char c) {
        return llvm::isAlnum(c) || others.contains(c);
      }))
    return success();
  return op->emitOpError("is called \"")
         << name
         << "\": expected a name of letters, digits, '_' and '$' that does not "
            "start with a digit, as PTX takes it; rename it";
}

static LogicalResult checkKernel(LLVM::LLVMFuncOp function,
                                 const TargetInfo &target,
                                 int64_t staticBytes) {
  int64_t threads =
      productOf(function->getAttr(NVVM::NVVMDialect::getReqntidAttrName()));
  if (threads > target.maxThreadsPerBlock)
    return function.emitOpError()
           << "asks for " << threads << " threads a block; " << target.name
           << " has at most " << target.maxThreadsPerBlock;
  int64_t dynamicBytes = 0;
  if (auto bytes = function->getAttrOfType<IntegerAttr>("sftile.shared_bytes"))
    dynamicBytes = bytes.getInt();
  if (dynamicBytes < 0 || staticBytes + dynamicBytes > target.maxSharedBytes)
    return function.emitOpError()
           << "asks for " << staticBytes + dynamicBytes
           << " bytes of shared memory; a block on " << target.name
           << " has at most " << target.maxSharedBytes
           << ": choose a schedule with smaller tiles or fewer stages";
  if (auto registers = function->getAttrOfType<IntegerAttr>("nvvm.maxnreg"))
    if (registers.getInt() * threads > target.registersPerBlock)
      return function.emitOpError()
             << "asks for " << registers.getInt() << " registers for each of "
             << threads << " threads; a block has " << target.registersPerBlock;
  for (Type type : function.getArgumentTypes())
    if (!isa<LLVM::LLVMPointerType, IntegerType, FloatType>(type))
      return function.emitOpError()
             << "takes " << type
             << ": kernels take pointers, integers and floats";
  return success();
}

/// Bytes of the variables in shared memory that `op` names, or what it calls:
/// a block has those of its kernel, not those of every kernel of the module.
static int64_t countStaticBytes(Operation *op,
                                const llvm::StringMap<int64_t> &shared) {
  llvm::StringSet<> seen;
  int64_t bytes = 0;
  SmallVector<Operation *> left{op};
  while (!left.empty())
    left.pop_back_val()->walk([&](Operation *user) {
      if (auto address = dyn_cast<LLVM::AddressOfOp>(user)) {
        auto variable = shared.find(address.getGlobalName());
        if (variable != shared.end() &&
            seen.insert(address.getGlobalName()).second)
          bytes += variable->second;
      } else if (auto call = dyn_cast<LLVM::CallOp>(user)) {
        auto callee = call.getCallee();
        if (callee && seen.insert(*callee).second)
          if (Operation *function = SymbolTable::lookupNearestSymbolFrom(
                  user, call.getCalleeAttr()))
            left.push_back(function);
      }
    });
  return bytes;
}

LogicalResult mlir::sparseflow::verifyKernels(gpu::GPUModuleOp kernels,
                                              const TargetInfo &target) {
  DataLayout layout(kernels);
  llvm::StringMap<int64_t> shared;
  for (Operation &op : *kernels.getBody()) {
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    if (!global)
      continue;
    if (global.getThreadLocal_())
      return global.emitOpError("is thread local, which GPUs do not have");
    if (global.getLinkage() == LLVM::Linkage::Common ||
        global.getLinkage() == LLVM::Linkage::Appending ||
        global.getLinkage() == LLVM::Linkage::ExternWeak)
      return global.emitOpError("has a linkage that PTX cannot state: use "
                                "internal or external");
    if (global.getAddrSpace() == 3)
      shared[global.getSymName()] =
          layout.getTypeSize(global.getType()).getFixedValue();
  }

  for (Operation &op : *kernels.getBody()) {
    bool isKernel = isLaunchable(&op);
    if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op) &&
        failed(checkName(&op, isKernel)))
      return failure();
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      if (!isKernel)
        continue;
      int64_t bytes = countStaticBytes(function, shared);
      if (bytes > kStaticSharedBytes)
        return function.emitOpError()
               << "declares " << bytes << " bytes of static shared memory; "
               << kStaticSharedBytes << " is the limit, more must be dynamic";
      if (failed(checkKernel(function, target, bytes)))
        return failure();
      continue;
    }
    if (!isa<LLVM::GlobalOp>(op))
      return op.emitOpError("is not expected in a gpu.module at this level: "
                            "only llvm.func and llvm.mlir.global");
  }
  WalkResult result = kernels.walk([&](Operation *op) {
    if (op == kernels.getOperation())
      return WalkResult::advance();
    LogicalResult checked = success();
    if (isa<LLVM::LLVMDialect>(op->getDialect()))
      checked = checkLLVMOp(op, target);
    else if (isa<NVVM::NVVMDialect>(op->getDialect()))
      checked = checkNVVMOp(op, target);
    else
      return WalkResult(op->emitOpError(
          "is not expected in a kernel at this level: only ops of the llvm "
          "and nvvm dialects are translated; run sparseflow-codegen first"));
    return failed(checked) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===- HostProgram.cpp - The launch list of a lowered function ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Manifest/HostProgram.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

namespace {

class ProgramWriter {
public:
  ProgramWriter(const HostSignature &signature, const LaunchLimits &limits)
      : signature(signature), limits(limits) {}

  FailureOr<HostProgram> write();

private:
  /// One alternative of a step while it is collected.
  struct Variant {
    Array guards;
    Array launches;
    /// The first launch.
    Operation *launch = nullptr;
  };
  using Expr = FailureOr<llvm::json::Value>;

  LogicalResult writeStep(Operation *op, Array &steps);
  /// Appends the alternatives of a chain; `prefix` holds guards that enclose
  /// it. `total` becomes true when one of them always applies.
  LogicalResult writeChain(scf::IfOp ifOp, const Array &prefix,
                           SmallVectorImpl<Variant> &variants, bool &total);
  LogicalResult writeBranch(Block &block, const Array &prefix,
                            SmallVectorImpl<Variant> &variants, bool &total);
  LogicalResult writeGuards(Value condition, Array &guards, bool &never);
  LogicalResult writeAlignment(Value bits, int64_t bytes, Array &guards);
  LogicalResult writeLaunch(gpu::LaunchFuncOp launch, Array &launches);
  LogicalResult writeCluster(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp kernel,
                             Object &object);
  /// A pointer, a tensor map or a number.
  FailureOr<Object> writeArgument(gpu::LaunchFuncOp launch,
                                  LLVM::LLVMFuncOp kernel, unsigned number);
  FailureOr<Object> writePointer(Value pointer);

  const HostSignature &signature;
  const LaunchLimits &limits;
  bool usesDenseForms = false;
};

} // namespace

/// "file.mlir:7" of the innermost file location, or "".
static std::string locationText(Location location) {
  std::string text;
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    // The folder is the compiling machine's business.
    text = (llvm::sys::path::filename(file.getFilename().getValue()) + ":" +
            Twine(file.getLine()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

/// A pointer to the sum of a block argument and constant or computed offsets.
FailureOr<Object> ProgramWriter::writePointer(Value pointer) {
  llvm::json::Value offset = 0;
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>()) {
    if (gep.getIndices().size() != 1)
      return gep.emitOpError("cannot be expressed in a manifest: expected one "
                             "index, the number of elements to skip");
    int64_t scale =
        DataLayout::closest(gep).getTypeSize(gep.getElemType()).getFixedValue();
    llvm::json::Value index = 0;
    if (gep.getDynamicIndices().empty()) {
      index = static_cast<int64_t>(gep.getRawConstantIndices()[0]);
    } else {
      Expr written = exportExpression(gep.getDynamicIndices()[0], signature);
      if (failed(written))
        return failure();
      index = std::move(*written);
    }
    if (std::optional<int64_t> constant = index.getAsInteger()) {
      int64_t bytes;
      if (__builtin_mul_overflow(*constant, scale, &bytes))
        return gep.emitOpError("skips more bytes than 64 bits can count");
      index = bytes;
    } else if (scale != 1) {
      index = Array{"mul", std::move(index), scale};
    }
    if (index.getAsInteger() == 0) {
    } else if (offset.getAsInteger() == 0) {
      offset = std::move(index);
    } else {
      offset = Array{"add", std::move(index), std::move(offset)};
    }
    pointer = gep.getBase();
  }
  bool isDense = isDenseForm(pointer.getDefiningOp());
  if (isDense)
    pointer = pointer.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (!argument || argument.getOwner() != signature.entry())
    return emitError(pointer.getLoc())
           << "expected a pointer argument of the function plus an offset "
              "(llvm.getelementptr); a manifest knows no other memory";
  unsigned number = argument.getArgNumber();
  if (number >= signature.firstSymbol())
    return emitError(pointer.getLoc()) << "expected a pointer argument";
  Object object;
  if (isDense) {
    TensorType type = number < signature.firstResult()
                          ? signature.argumentTypes[number]
                          : TensorType();
    if (!type || (!getTernaryEncoding(type) && !getNmEncoding(type)))
      return emitError(pointer.getLoc())
             << "expected the dense form of an argument that is a packed "
                "weight";
    usesDenseForms = true;
    object["dense"] = number;
    if (offset.getAsInteger() != 0)
      object["offset"] = std::move(offset);
    return object;
  }
  if (number == signature.workspace()) {
    object["workspace"] = std::move(offset);
    return object;
  }
  if (number < signature.firstResult())
    object["arg"] = number;
  else
    object["result"] = number - signature.firstResult();
  if (offset.getAsInteger() != 0)
    object["offset"] = std::move(offset);
  return object;
}

/// `bits` is a multiple of `bytes`, where `bits` is a pointer, a size, or the
/// bitwise or of several.
LogicalResult ProgramWriter::writeAlignment(Value bits, int64_t bytes,
                                            Array &guards) {
  if (auto either = bits.getDefiningOp<arith::OrIOp>())
    return failure(failed(writeAlignment(either.getLhs(), bytes, guards)) ||
                   failed(writeAlignment(either.getRhs(), bytes, guards)));
  Object what;
  if (auto cast = bits.getDefiningOp<LLVM::PtrToIntOp>()) {
    FailureOr<Object> pointer = writePointer(cast.getArg());
    if (failed(pointer))
      return failure();
    what = std::move(*pointer);
  } else {
    Expr size = exportExpression(bits, signature);
    if (failed(size))
      return failure();
    what["i64"] = std::move(*size);
  }
  guards.push_back(Object{{"aligned", Array{std::move(what), bytes}}});
  return success();
}

/// Matches `bits mod 2^n == 0` written with a remainder or a mask.
static bool matchAlignment(arith::CmpIOp compare, Value &bits, int64_t &bytes) {
  if (compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(compare.getRhs(), m_Zero()))
    return false;
  Operation *op = compare.getLhs().getDefiningOp();
  if (!isa_and_nonnull<arith::RemUIOp, arith::AndIOp>(op))
    return false;
  APInt constant;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return false;
  APInt size = isa<arith::AndIOp>(op) ? constant + 1 : constant;
  if (!size.isPowerOf2() || size.getActiveBits() > 32)
    return false;
  bits = op->getOperand(0);
  bytes = size.getSExtValue();
  return true;
}

/// Appends the conjunction `condition`. `never` becomes true when it is the
/// constant false.
LogicalResult ProgramWriter::writeGuards(Value condition, Array &guards,
                                         bool &never) {
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant))) {
    never |= constant.isZero();
    return success();
  }
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return failure(failed(writeGuards(both.getLhs(), guards, never)) ||
                   failed(writeGuards(both.getRhs(), guards, never)));
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare) {
    InFlightDiagnostic error =
        emitError(condition.getLoc())
        << "condition cannot be expressed in a manifest: expected "
           "comparisons (arith.cmpi) joined by arith.andi";
    return error;
  }
  Value bits;
  int64_t bytes;
  if (matchAlignment(compare, bits, bytes))
    return writeAlignment(bits, bytes, guards);

  Expr left = exportExpression(compare.getLhs(), signature);
  Expr right = failed(left) ? Expr(failure())
                            : exportExpression(compare.getRhs(), signature);
  if (failed(right))
    return failure();
  auto plusOne = [](llvm::json::Value value) -> llvm::json::Value {
    if (std::optional<int64_t> constant = value.getAsInteger())
      if (*constant < std::numeric_limits<int64_t>::max())
        return *constant + 1;
    return Array{"add", std::move(value), 1};
  };
  using Predicate = arith::CmpIPredicate;
  StringRef name;
  switch (compare.getPredicate()) {
  case Predicate::eq:
    name = "eq";
    break;
  case Predicate::sle:
  case Predicate::ule:
    name = "le";
    break;
  case Predicate::sge:
  case Predicate::uge:
    name = "ge";
    break;
  case Predicate::slt:
  case Predicate::ult:
    name = "le";
    left = plusOne(std::move(*left));
    break;
  case Predicate::sgt:
  case Predicate::ugt:
    name = "ge";
    right = plusOne(std::move(*right));
    break;
  case Predicate::ne:
    return compare.emitOpError("cannot be expressed in a manifest: expected "
                               "eq, an order or an alignment test, not 'ne'");
  }
  guards.push_back(Object{{name, Array{std::move(*left), std::move(*right)}}});
  return success();
}

/// A launch size that must be one.
static LogicalResult expectOne(gpu::LaunchFuncOp launch, Value value,
                               StringRef what) {
  if (matchPattern(value, m_One()))
    return success();
  return launch.emitOpError() << "expected " << what
                              << " to be the constant 1: grids and blocks "
                                 "have one dimension";
}

LogicalResult ProgramWriter::writeCluster(gpu::LaunchFuncOp launch,
                                          LLVM::LLVMFuncOp kernel,
                                          Object &object) {
  DenseI32ArrayAttr cluster = getClusterShape(kernel);
  if (!cluster || cluster.empty())
    return success();
  int64_t blocks = 1;
  for (int32_t size : cluster.asArrayRef())
    blocks *= size;
  if (blocks != cluster[0] || blocks < 1 || blocks > 8)
    return kernel.emitOpError("expected a cluster of 1 to 8 blocks in the x "
                              "dimension, found ")
           << cluster;
  if (blocks == 1)
    return success();
  std::optional<int64_t> grid = object.getInteger("grid");
  if (grid && *grid % blocks != 0)
    return launch.emitOpError()
           << "runs " << *grid << " blocks, expected a multiple of the cluster "
           << "of " << blocks << " that kernel '" << kernel.getName()
           << "' was compiled for";
  object["cluster"] = blocks;
  return success();
}

FailureOr<Object> ProgramWriter::writeArgument(gpu::LaunchFuncOp launch,
                                               LLVM::LLVMFuncOp kernel,
                                               unsigned number) {
  Value operand = launch.getKernelOperand(number);
  Operation *map = operand.getDefiningOp();
  if (!isTensorMap(map))
    map = nullptr;
  if (isa<LLVM::LLVMPointerType>(operand.getType())) {
    if (failed(verifyParameter(launch, kernel, number, map)))
      return failure();
    FailureOr<Object> pointer =
        writePointer(map ? map->getOperand(0) : operand);
    if (failed(pointer) || !map)
      return pointer;
    return exportTensorMap(map, std::move(*pointer), signature);
  }
  if (!operand.getType().isInteger(64))
    return launch.emitOpError()
           << "passes " << operand.getType() << " as argument " << number
           << ", expected !llvm.ptr or i64: every argument has 8 bytes";
  Expr value = exportExpression(operand, signature);
  if (failed(value))
    return failure();
  return Object{{"i64", std::move(*value)}};
}

LogicalResult ProgramWriter::writeLaunch(gpu::LaunchFuncOp launch,
                                         Array &launches) {
  if (failed(expectOne(launch, launch.getGridSizeY(), "grid size y")) ||
      failed(expectOne(launch, launch.getGridSizeZ(), "grid size z")) ||
      failed(expectOne(launch, launch.getBlockSizeY(), "block size y")) ||
      failed(expectOne(launch, launch.getBlockSizeZ(), "block size z")))
    return failure();
  if (launch.hasClusterSize())
    return launch.emitOpError("launches a cluster through operands, which a "
                              "manifest cannot express: state the cluster as "
                              "an attribute of the kernel");
  if (!launch.getAsyncDependencies().empty() || launch.getAsyncToken())
    return launch.emitOpError("is asynchronous: launches follow the order of "
                              "the stream");
  auto kernel = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      launch, launch.getKernel());
  if (!kernel)
    return launch.emitOpError() << "names the kernel " << launch.getKernel()
                                << ", expected an llvm.func of a gpu.module in "
                                   "this module: lower its "
                                   "kernels first";
  if (kernel.getNumArguments() != launch.getNumKernelOperands())
    return launch.emitOpError()
           << "passes " << launch.getNumKernelOperands()
           << " arguments to a kernel with " << kernel.getNumArguments();

  Object object;
  object["kernel"] = kernel.getName().str();
  Expr grid = exportExpression(launch.getGridSizeX(), signature);
  if (failed(grid))
    return failure();
  object["grid"] = std::move(*grid);

  APInt threads;
  if (!matchPattern(launch.getBlockSizeX(), m_ConstantInt(&threads)))
    return launch.emitOpError("expected a constant block size x");
  int64_t threadCount = threads.getSExtValue();
  if (threadCount < 1 || threadCount > limits.maxThreads)
    return launch.emitOpError()
           << "asks for " << threadCount << " threads a block, expected 1 to "
           << limits.maxThreads;
  if (DenseI32ArrayAttr required = getRequiredBlock(kernel))
    if (!required.empty() && required[0] != threadCount)
      return launch.emitOpError()
             << "asks for " << threadCount << " threads a block, but kernel '"
             << kernel.getName() << "' was compiled for " << required[0];
  object["threads"] = threadCount;

  int64_t sharedBytes = 0;
  if (Value shared = launch.getDynamicSharedMemorySize()) {
    APInt constant;
    if (!matchPattern(shared, m_ConstantInt(&constant)))
      return launch.emitOpError("expected a constant amount of shared memory");
    sharedBytes = constant.getSExtValue();
  }
  if (auto declared = kernel->getAttrOfType<IntegerAttr>("sftile.shared_bytes"))
    if (declared.getInt() > sharedBytes)
      return launch.emitOpError()
             << "gives " << sharedBytes << " bytes of shared memory, but "
             << "kernel '" << kernel.getName() << "' uses "
             << declared.getInt();
  if (sharedBytes < 0 || sharedBytes > limits.maxSharedBytes)
    return launch.emitOpError() << "asks for " << sharedBytes
                                << " bytes of shared memory, expected at most "
                                << limits.maxSharedBytes;
  object["shared_bytes"] = sharedBytes;

  if (failed(writeCluster(launch, kernel, object)))
    return failure();
  if (launch->hasAttr("sparseflow.programmatic"))
    object["programmatic"] = true;

  Array arguments;
  for (unsigned i = 0, n = launch.getNumKernelOperands(); i < n; ++i) {
    FailureOr<Object> argument = writeArgument(launch, kernel, i);
    if (failed(argument))
      return failure();
    arguments.push_back(std::move(*argument));
  }
  object["args"] = std::move(arguments);
  launches.push_back(std::move(object));
  return success();
}

LogicalResult ProgramWriter::writeBranch(Block &block, const Array &prefix,
                                         SmallVectorImpl<Variant> &variants,
                                         bool &total) {
  SmallVector<Operation *> effects;
  for (Operation &op : block.without_terminator()) {
    if (isa<scf::IfOp, gpu::LaunchFuncOp>(op))
      effects.push_back(&op);
    else if (!isMemoryEffectFree(&op) && !isTensorMap(&op))
      return op.emitOpError("cannot be expressed in a manifest: expected "
                            "arithmetic, scf.if and gpu.launch_func");
  }
  if (effects.empty()) {
    // Sizes for which a step has nothing to do say so.
    auto ifOp = dyn_cast<scf::IfOp>(block.getParentOp());
    total = ifOp && ifOp.thenBlock() == &block &&
            ifOp->hasAttr("sparseflow.nothing");
    if (total)
      variants.push_back(Variant{prefix, {}});
    return success();
  }
  if (auto nested = dyn_cast<scf::IfOp>(effects.front())) {
    if (effects.size() > 1)
      return effects[1]->emitOpError(
          "follows an scf.if inside a branch, which a manifest cannot "
          "express: make it a step of its own");
    return writeChain(nested, prefix, variants, total);
  }
  Variant variant{prefix, {}, effects.front()};
  for (Operation *op : effects) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launch)
      return op->emitOpError("follows a launch inside a branch, which a "
                             "manifest cannot express: make it a step of its "
                             "own");
    if (failed(writeLaunch(launch, variant.launches)))
      return failure();
  }
  variants.push_back(std::move(variant));
  total = true;
  return success();
}

LogicalResult ProgramWriter::writeChain(scf::IfOp ifOp, const Array &prefix,
                                        SmallVectorImpl<Variant> &variants,
                                        bool &total) {
  if (ifOp.getNumResults() != 0)
    return ifOp.emitOpError("cannot be expressed in a manifest: expected no "
                            "results, only launches");
  Array guards = prefix;
  bool never = false;
  if (failed(writeGuards(ifOp.getCondition(), guards, never)))
    return failure();
  bool always = !never && guards.size() == prefix.size();
  bool thenTotal = false;
  size_t before = variants.size();
  if (!never &&
      failed(writeBranch(*ifOp.thenBlock(), guards, variants, thenTotal)))
    return failure();
  if (always) {
    total = thenTotal;
    return success();
  }
  // A manifest goes on with the next variant when guards fail, so a branch
  // that may launch nothing would fall through into the else branch.
  bool hasElse =
      ifOp.elseBlock() && !ifOp.elseBlock()->without_terminator().empty();
  if (!never && !thenTotal && hasElse)
    return ifOp.emitOpError()
           << (variants.size() == before
                   ? "launches nothing in its first branch"
                   : "has a first branch that may launch nothing")
           << " but has a second one, which a manifest cannot express: give "
              "the first branch a last alternative";
  total = false;
  if (!hasElse)
    return success();
  return writeBranch(*ifOp.elseBlock(), prefix, variants, total);
}

/// The predicted times of a variant, which are at the same numbers of tokens as
/// those of the others of its step.
static void writePredicted(Operation *launch, DenseI64ArrayAttr &at,
                           Object &variant) {
  auto times = launch->getAttrOfType<DenseI64ArrayAttr>("sparseflow.predicted");
  auto places =
      launch->getAttrOfType<DenseI64ArrayAttr>("sparseflow.predicted_at");
  if (!times || !places || times.size() != places.size() ||
      (at && at != places))
    return;
  at = places;
  Array list;
  for (int64_t time : times.asArrayRef())
    list.push_back(time > 0 ? llvm::json::Value(time)
                            : llvm::json::Value(nullptr));
  variant["predicted"] = std::move(list);
}

LogicalResult ProgramWriter::writeStep(Operation *op, Array &steps) {
  SmallVector<Variant> variants;
  bool total = false;
  LogicalResult written = success();
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    written = writeChain(ifOp, {}, variants, total);
  } else {
    variants.emplace_back();
    variants.back().launch = op;
    written = writeLaunch(cast<gpu::LaunchFuncOp>(op), variants[0].launches);
  }
  if (failed(written))
    return failure();
  if (variants.empty())
    return success();
  auto name = op->getAttrOfType<StringAttr>("sparseflow.op");
  auto traffic = op->getAttrOfType<AffineMapAttr>("sparseflow.traffic");
  Array list;
  DenseI64ArrayAttr at;
  for (Variant &variant : variants) {
    Object object{{"guards", std::move(variant.guards)},
                  {"launches", std::move(variant.launches)}};
    if (traffic && variant.launch)
      writePredicted(variant.launch, at, object);
    if (auto own = variant.launch
                       ? variant.launch->getAttrOfType<AffineMapAttr>(
                             "sparseflow.variant_traffic")
                       : AffineMapAttr()) {
      FailureOr<Object> moved = exportTraffic(op, own, signature);
      if (failed(moved))
        return failure();
      object["traffic"] = std::move(*moved);
    }
    list.push_back(std::move(object));
  }
  Object step{{"op", name ? name.getValue().str() : "kernel"},
              {"loc", locationText(op->getLoc())},
              {"variants", std::move(list)}};
  if (op->hasAttr("sparseflow.independent") && variants.size() > 1)
    step["independent"] = true;
  if (traffic) {
    FailureOr<Object> moved = exportTraffic(op, traffic, signature);
    if (failed(moved))
      return failure();
    if (at)
      step["predicted"] = Object{{"tokens", *moved->get("tokens")},
                                 {"at", Array(at.asArrayRef())}};
    step["traffic"] = std::move(*moved);
  }
  steps.push_back(std::move(step));
  return success();
}

FailureOr<HostProgram> ProgramWriter::write() {
  HostProgram program;
  Block &body = *signature.entry();
  for (Operation &op : body) {
    if (isa<scf::IfOp, gpu::LaunchFuncOp>(op)) {
      if (failed(writeStep(&op, program.steps)))
        return failure();
      continue;
    }
    if (auto result = dyn_cast<func::ReturnOp>(op)) {
      Expr workspace = exportExpression(result.getOperand(0), signature);
      if (failed(workspace))
        return failure();
      program.workspace = std::move(*workspace);
      continue;
    }
    if (!isMemoryEffectFree(&op) && !isTensorMap(&op))
      return op.emitOpError("cannot be expressed in a manifest: expected "
                            "arithmetic, scf.if and gpu.launch_func");
  }
  program.usesDenseForms = usesDenseForms;
  return program;
}

FailureOr<HostProgram>
mlir::sparseflow::exportHostProgram(const HostSignature &signature,
                                    const LaunchLimits &limits) {
  return ProgramWriter(signature, limits).write();
}

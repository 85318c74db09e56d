//===- HostProgramBuilder.cpp - The launch list of a function -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/HostProgramBuilder.h"
#include "Kernels/Tensor/ElementEmitter.h"
#include "Launch/ArgmaxGroup.h"
#include "Launch/LaunchGroup.h"
#include "Launch/QuantizeGroup.h"
#include "Launch/Rows/RowsOfMatmuls.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SFTile/Transforms/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Every buffer in the workspace starts at a multiple of this, so that the
// widest access is aligned wherever the workspace itself is.
static constexpr int64_t kBufferAlignment = 256;
// What a symbol is where sizes of tensors are compared before a call.
static constexpr int64_t kTypicalSize = 1024;

void Variant::require(Value pointer, int64_t bytes) {
  if (!pointer.getDefiningOp<LLVM::GEPOp>())
    alignments.push_back({pointer, bytes});
}

static bool isTrue(Value condition) {
  return getConstantIntValue(condition).value_or(0) != 0;
}

bool Variant::takesAligned() const {
  return !maxRows && llvm::all_of(conditions, isTrue);
}

/// Whether `first` says that a size is on the same side of a limit as `second`
/// does, and no nearer to it.
static bool follows(Value first, Value second) {
  auto weak = first.getDefiningOp<arith::CmpIOp>();
  auto strict = second.getDefiningOp<arith::CmpIOp>();
  if (!weak || !strict || weak.getPredicate() != strict.getPredicate() ||
      weak.getLhs() != strict.getLhs())
    return first == second;
  std::optional<int64_t> limit = getConstantIntValue(weak.getRhs());
  std::optional<int64_t> its = getConstantIntValue(strict.getRhs());
  if (!limit || !its || *limit < 0 || *its < 0)
    return first == second;
  if (weak.getPredicate() == arith::CmpIPredicate::ule)
    return *its <= *limit;
  if (weak.getPredicate() == arith::CmpIPredicate::uge)
    return *its >= *limit;
  return first == second;
}

/// Whether a condition says no more than that there is something.
static bool isNotEmpty(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getPredicate() == arith::CmpIPredicate::uge &&
         getConstantIntValue(compare.getRhs()) == 1;
}

bool Variant::takesAllOf(const Variant &other) const {
  auto isAsked = [&](const Alignment &own) {
    return llvm::any_of(other.alignments, [&](const Alignment &its) {
      return its.pointer == own.pointer && its.bytes % own.bytes == 0;
    });
  };
  auto holds = [&](Value condition) {
    return isTrue(condition) || isNotEmpty(condition) ||
           llvm::any_of(other.conditions,
                        [&](Value its) { return follows(condition, its); });
  };
  return !maxRows && llvm::all_of(alignments, isAsked) &&
         llvm::all_of(conditions, holds);
}

SmallVector<Variant>
mlir::sparseflow::withFallback(function_ref<Variant(bool isWide)> variantOf) {
  SmallVector<Variant> variants = {variantOf(true)};
  if (variants.front().isGuarded())
    variants.push_back(variantOf(false));
  return variants;
}

HostProgramBuilder::HostProgramBuilder(func::FuncOp function,
                                       const FunctionSignature &signature)
    : builder(function.getContext()), original(function), signature(signature) {
  MLIRContext *context = function.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context, 1);
  int64_t pointers = function.getNumArguments() + function.getNumResults() + 1;
  SmallVector<Type> parameters(pointers, pointer);
  parameters.append(signature.symbols.size(), builder.getI64Type());
  builder.setInsertionPointAfter(function);
  host = func::FuncOp::create(
      builder, function.getLoc(), function.getName(),
      builder.getFunctionType(parameters, builder.getI64Type()));
  for (NamedAttribute attribute : function->getDiscardableAttrs())
    host->setAttr(attribute.getName(), attribute.getValue());
  builder.setInsertionPointToStart(host.addEntryBlock());
  workspace = host.getArgument(pointers - 1);
}

Value HostProgramBuilder::constant(int64_t value) {
  return arith::ConstantOp::create(builder, host.getLoc(),
                                   builder.getI64IntegerAttr(value));
}

Value HostProgramBuilder::sizeOf(const SymbolicDim &dim) {
  if (dim.symbol.empty())
    return constant(dim.size);
  size_t index =
      llvm::find(signature.symbols, dim.symbol) - signature.symbols.begin();
  return host.getArgument(host.getNumArguments() - signature.symbols.size() +
                          index);
}

Value HostProgramBuilder::rowsOf(Value tensor) {
  Value rows = constant(1);
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    rows = builder.createOrFold<arith::MulIOp>(host.getLoc(), rows,
                                               dimOf(tensor, dim));
  return rows;
}

Value HostProgramBuilder::bytesOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t maxima = bytesOfMaxima(tensor);
  Value bytes = constant(maxima ? maxima : elementBytes(type.getElementType()));
  for (int64_t dim = 0; dim < type.getRank() - (maxima > 0); ++dim)
    bytes = builder.createOrFold<arith::MulIOp>(host.getLoc(),
                                                dimOf(tensor, dim), bytes);
  return bytes;
}

FailureOr<Value> HostProgramBuilder::placeOf(Operation *op, Value tensor,
                                             const std::string &name) const {
  if (Value pointer = bufferOf(tensor))
    return pointer;
  return op->emitOpError("expected ")
         << name << " to be an argument or a computed tensor, found the "
         << "result of " << tensor.getDefiningOp()->getName()
         << "; pass it as an argument";
}

bool HostProgramBuilder::isConstant(Value tensor) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function && function.getArgAttr(argument.getArgNumber(),
                                         SparseFlowDialect::kConstantAttr);
}

Value HostProgramBuilder::denseFormOf(Value weight) {
  Value packed = bufferOf(weight);
  return sftile::DenseFormOp::create(builder, host.getLoc(), packed.getType(),
                                     packed);
}

Value HostProgramBuilder::advance(Value pointer, int64_t bytes) {
  return bytes ? advance(pointer, constant(bytes)) : pointer;
}

Value HostProgramBuilder::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, host.getLoc(), pointer.getType(),
                             builder.getI8Type(), pointer, bytes);
}

/// `value` rounded up to the alignment of buffers.
static Value alignUp(OpBuilder &builder, Location loc, Value value) {
  Value alignment = arith::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(kBufferAlignment));
  Value units = builder.createOrFold<arith::CeilDivUIOp>(loc, value, alignment);
  return builder.createOrFold<arith::MulIOp>(loc, units, alignment);
}

/// The last op that reads `tensor`, by any of its shapes, or `last`.
static Operation *findLastUse(Value tensor, Operation *last) {
  for (Operation *user : tensor.getUsers()) {
    user = last->getBlock()->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(user))
      last = user;
    // Whoever reads an inlined op, or another shape, reads this tensor. So does
    // a matmul of few tokens that quantizes what it reads, or computes it.
    bool isShape = user->getNumResults() == 1 &&
                   skipReshapes(user->getResult(0)) == skipReshapes(tensor);
    // And an offset is an element of a tensor until it is used.
    bool isScalar =
        user->getNumResults() == 1 && isFromData(user->getResult(0));
    if (isShape || isScalar || isInlined(user) || isa<QuantizeOp>(user) ||
        isQuantizedWith(user) || !matmulsThatCompute(user).empty())
      for (Value result : user->getResults())
        last = findLastUse(result, last);
  }
  return last;
}

/// `bytes` where every symbol is kTypicalSize: what places are compared by.
static int64_t typicalBytes(Value bytes) {
  APInt known;
  if (matchPattern(bytes, m_ConstantInt(&known)))
    return known.getSExtValue();
  Operation *op = bytes.getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return kTypicalSize;
  int64_t a = typicalBytes(op->getOperand(0));
  int64_t b = typicalBytes(op->getOperand(1));
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::AddIOp>([&](auto) { return a + b; })
      .Case<arith::SubIOp>([&](auto) { return a - b; })
      .Case<arith::MulIOp>([&](auto) { return a * b; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto) { return b ? llvm::divideCeil(a, b) : 0; })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return b ? a / b : 0; })
      .Default([&](Operation *) { return std::max(a, b); });
}

namespace {
/// Bytes of a tensor: `factor` times dimensions that are known at run time.
struct PlaceSize {
  SmallVector<Value> dims; // i64, in one order for all
  int64_t factor;
  Value bytes;
};
} // namespace

static PlaceSize placeSizeOf(HostProgramBuilder &program, Value tensor,
                             Value bytes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t maxima = bytesOfMaxima(tensor);
  PlaceSize size{
      {}, maxima ? maxima : elementBytes(type.getElementType()), bytes};
  for (int64_t dim = 0; dim < type.getRank() - (maxima > 0); ++dim)
    if (type.isDynamicDim(dim))
      size.dims.push_back(program.dimOf(tensor, dim));
    else
      size.factor *= type.getDimSize(dim);
  llvm::sort(size.dims, [](Value a, Value b) {
    return a.getAsOpaquePointer() < b.getAsOpaquePointer();
  });
  return size;
}

/// Of sizes that differ in a factor the largest says it: of programs with many
/// tensors, expressions stay short.
static void addSize(SmallVectorImpl<PlaceSize> &sizes, PlaceSize size) {
  for (PlaceSize &known : sizes)
    if (known.dims == size.dims) {
      if (size.factor > known.factor)
        known = std::move(size);
      return;
    }
  sizes.push_back(std::move(size));
}

/// Where the launch of `op` may stand: at the first matmul of its group, or at
/// the rotation before it.
static Operation *firstLaunchOf(Operation *op) {
  if (auto rotation = dyn_cast<HadamardOp>(op))
    if (HadamardOp before = rotationBefore(rotation))
      return before;
  auto matmul = dyn_cast<MatmulOp>(op);
  std::optional<LaunchGroup> group =
      matmul ? launchGroupOf(matmul) : std::nullopt;
  return group ? group->first() : op;
}

/// Tensors whose lives do not overlap share a place, which is as large as the
/// largest of them. A tensor takes the smallest free place that is large
/// enough, else the largest free one, which grows, else a new one.
void HostProgramBuilder::placeTensors(ArrayRef<Value> tensors) {
  struct Place {
    SmallVector<Value> tensors;
    SmallVector<PlaceSize> sizes;
    int64_t typical;
    Operation *lastUse;
  };
  std::vector<Place> places;
  int64_t sum = 0;
  bool isStatic = true;
  for (Value tensor : tensors) {
    Operation *op = firstLaunchOf(tensor.getDefiningOp());
    PlaceSize size = placeSizeOf(*this, tensor, bytesOf(tensor));
    int64_t typical = typicalBytes(size.bytes);
    isStatic &= cast<RankedTensorType>(tensor.getType()).hasStaticShape();
    sum += typical;
    Place *best = nullptr;
    auto isBetter = [&](const Place &place) {
      bool fits = place.typical >= typical;
      if (!best || fits != (best->typical >= typical))
        return !best || fits;
      return fits ? place.typical < best->typical
                  : place.typical > best->typical;
    };
    for (Place &place : places)
      if (place.lastUse->isBeforeInBlock(op) && isBetter(place))
        best = &place;
    if (!best) {
      places.push_back({{}, {}, 0, nullptr});
      best = &places.back();
    }
    best->tensors.push_back(tensor);
    addSize(best->sizes, std::move(size));
    best->typical = std::max(best->typical, typical);
    best->lastUse = findLastUse(tensor, op);
  }

  Location loc = host.getLoc();
  workspaceEnd = constant(0);
  int64_t peak = 0;
  for (const Place &place : places) {
    Value pointer = advance(workspace, workspaceEnd);
    Value bytes = place.sizes.front().bytes;
    for (const PlaceSize &other : ArrayRef(place.sizes).drop_front())
      bytes = builder.createOrFold<arith::MaxUIOp>(loc, bytes, other.bytes);
    workspaceEnd = builder.createOrFold<arith::AddIOp>(
        loc, workspaceEnd, alignUp(builder, loc, bytes));
    peak += place.typical;
    for (Value tensor : place.tensors)
      buffers[tensor] = pointer;
  }
  if (tensors.size() > places.size())
    explain(original, "workspace")
        << tensors.size() << " tensors share " << places.size()
        << " buffers: " << peak << " bytes in place of " << sum
        << (isStatic ? "" : ", where every symbol is ")
        << (isStatic ? "" : std::to_string(kTypicalSize));
}

void HostProgramBuilder::bindBuffers() {
  int64_t arguments = original.getNumArguments();
  for (int64_t index = 0; index < arguments; ++index)
    buffers[original.getArgument(index)] = host.getArgument(index);
  // A cache grows where it lies.
  for (auto append : original.front().getOps<CacheAppendOp>())
    buffers[append.getResult()] = buffers.lookup(append.getCache());
  // So are elements of what was donated.
  for (Operation &op : original.front())
    if (auto number = op.getAttrOfType<IntegerAttr>(kInPlaceAttr))
      buffers[op.getResult(0)] = host.getArgument(number.getInt());
  auto terminator = original.front().getTerminator();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
    buffers.try_emplace(skipReshapes(value),
                        host.getArgument(arguments + index));

  SmallVector<Value> tensors;
  for (Operation &op : original.front().without_terminator())
    if (op.hasAttr("sftile.schedules") || kernelFormOf(&op) ||
        isa<HadamardOp, SampleOp>(op))
      for (Value result : op.getResults())
        if (!buffers.contains(result))
          tensors.push_back(result);
  placeTensors(tensors);
  scratchBytes = constant(0);
}

Value HostProgramBuilder::reserve(Value rows, int64_t bytesPerRow) {
  Location loc = host.getLoc();
  Value pointer = advance(workspace, workspaceEnd);
  Value bytes =
      builder.createOrFold<arith::MulIOp>(loc, rows, constant(bytesPerRow));
  workspaceEnd = builder.createOrFold<arith::AddIOp>(
      loc, workspaceEnd, alignUp(builder, loc, bytes));
  return pointer;
}

Value HostProgramBuilder::scratch(Value bytes) {
  Location loc = host.getLoc();
  scratchBytes = builder.createOrFold<arith::MaxUIOp>(
      loc, scratchBytes, alignUp(builder, loc, bytes));
  return advance(workspace, workspaceEnd);
}

/// Says on a kernel that it serves `least` to `most` tokens, too.
static void addFurtherTokens(gpu::GPUFuncOp kernel, int64_t least,
                             int64_t most) {
  SmallVector<int64_t> intervals;
  if (auto known =
          kernel->getAttrOfType<DenseI64ArrayAttr>(sftile::kFurtherTokensAttr))
    llvm::append_range(intervals, known.asArrayRef());
  intervals.append({least, most});
  kernel->setAttr(sftile::kFurtherTokensAttr,
                  DenseI64ArrayAttr::get(kernel.getContext(), intervals));
}

void HostProgramBuilder::emitLaunches(Location loc, StringRef opName,
                                      Value rows, const Variant &variant,
                                      int64_t leastRows) {
  bool isFirst = true;
  for (const Launch &launch : variant.launches(builder)) {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value grid = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), launch.grid);
    gpu::GPUFuncOp kernel = launch.kernel;
    // Guards of attention are not of the number of rows.
    bool isLimited = leastRows > 1 || variant.maxRows;
    if (!launched.insert(kernel).second && isLimited)
      addFurtherTokens(kernel, leastRows, variant.maxRows);
    int64_t threads = (*kernel.getKnownBlockSize())[0];
    SmallVector<Value> arguments = launch.pointers;
    if (launch.sizes.empty())
      arguments.push_back(rows);
    llvm::append_range(arguments, launch.sizes);
    // At least; set when shared memory is laid out.
    Value shared = arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(launch.leastSharedBytes));
    auto op = gpu::LaunchFuncOp::create(
        builder, loc, kernel, gpu::KernelDim3{grid, index(1), index(1)},
        gpu::KernelDim3{index(threads), index(1), index(1)}, shared, arguments);
    op->setAttr("sparseflow.op", builder.getStringAttr(opName));
    if (launch.programmatic)
      op->setAttr("sparseflow.programmatic", builder.getUnitAttr());
    if (AffineMapAttr traffic = isFirst && !variant.computes.empty()
                                    ? trafficOf(variant.computes)
                                    : AffineMapAttr())
      op->setAttr("sparseflow.variant_traffic", traffic);
    if (isFirst && variant.predicted && variant.predictedAt &&
        variant.predicted.size() == variant.predictedAt.size()) {
      op->setAttr("sparseflow.predicted", variant.predicted);
      op->setAttr("sparseflow.predicted_at", variant.predictedAt);
    }
    isFirst = false;
  }
}

void HostProgramBuilder::addStep(Location loc, StringRef opName, Value rows,
                                 ArrayRef<Variant> variants) {
  addVariants(loc, opName, rows, variants, /*leastRows=*/1);
}

void HostProgramBuilder::addVariants(Location loc, StringRef opName, Value rows,
                                     ArrayRef<Variant> variants,
                                     int64_t leastRows) {
  const Variant &variant = variants.front();
  Value guard;
  auto require = [&](Value condition) {
    guard = guard ? arith::AndIOp::create(builder, loc, guard, condition)
                  : condition;
  };
  if (variant.maxRows)
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, rows,
                                  constant(variant.maxRows)));
  for (const Alignment &alignment : variant.alignments) {
    Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                             alignment.pointer);
    Value low = arith::AndIOp::create(builder, loc, address,
                                      constant(alignment.bytes - 1));
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, low,
                                  constant(0)));
  }
  for (Value condition : variant.conditions)
    require(condition);
  if (!guard) {
    emitLaunches(loc, opName, rows, variant, leastRows);
    return;
  }
  bool last = variants.size() == 1;
  auto branch = scf::IfOp::create(builder, loc, guard, /*withElse=*/!last);
  branch->setAttr("sparseflow.op", builder.getStringAttr(opName));
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (variant.nothing)
    branch->setAttr("sparseflow.nothing", builder.getUnitAttr());
  else
    emitLaunches(loc, opName, rows, variant, leastRows);
  if (!last) {
    builder.setInsertionPointToStart(branch.elseBlock());
    addVariants(loc, opName, rows, variants.drop_front(), variant.maxRows + 1);
  }
}

func::FuncOp HostProgramBuilder::finish() {
  Location loc = host.getLoc();
  Value total =
      builder.createOrFold<arith::AddIOp>(loc, workspaceEnd, scratchBytes);
  func::ReturnOp::create(builder, loc, total);
  original.erase();
  return host;
}

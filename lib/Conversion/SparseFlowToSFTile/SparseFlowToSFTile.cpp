//===- SparseFlowToSFTile.cpp - Functions become kernels and launches -===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionStep.h"
#include "HostProgram.h"
#include "Kernels.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/KernelNames.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Support/Remarks.h"
#include "TernaryScales.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_CONVERTSPARSEFLOWTOSFTILE
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Converts one function.
class FunctionConverter {
public:
  /// The names of the kernels begin with `prefix`.
  FunctionConverter(func::FuncOp function, std::string prefix,
                    gpu::GPUModuleOp kernels,
                    const FunctionSignature &signature,
                    unsigned computeCapability)
      : function(function), prefix(std::move(prefix)), kernels(kernels),
        program(function, signature),
        kernelBuilder(OpBuilder::atBlockEnd(kernels.getBody())),
        computeCapability(computeCapability) {}

  LogicalResult run() {
    program.bindBuffers();
    for (Operation &op : function.front().without_terminator()) {
      LogicalResult converted = refuseEmpty(op);
      if (failed(converted))
        return failure();
      if (auto matmul = dyn_cast<MatmulOp>(op))
        converted = convert(matmul);
      else if (auto attention = dyn_cast<AttentionOp>(op))
        converted =
            convertAttention(attention, program, kernelBuilder, nextIndexed());
      else if (auto generic = dyn_cast<linalg::GenericOp>(op))
        converted = convert(generic);
      else if (auto quantize = dyn_cast<QuantizeOp>(op))
        converted = convert(quantize);
      else if (auto append = dyn_cast<CacheAppendOp>(op))
        converted = convertAppend(append, program, kernelBuilder, nextIndexed(),
                                  computeCapability);
      else if (!isa<tensor::EmptyOp, tensor::DimOp, tensor::CollapseShapeOp,
                    tensor::ExpandShapeOp, tensor::CastOp, arith::ConstantOp>(
                   op) &&
               (op.getNumResults() == 0 ||
                !llvm::all_of(op.getResultTypes(),
                              [](Type type) { return type.isIntOrIndex(); })))
        return op.emitOpError(
            "expected sparseflow.matmul, sparseflow.attention or elementwise "
            "linalg.generic, the operations that have kernels; compute this "
            "outside, or on the cpu device");
      if (failed(converted))
        return failure();
    }
    if (failed(copyAliases()))
      return failure();
    program.finish();
    return success();
  }

private:
  std::string nextName(StringRef suffix) {
    return (prefix + "_" + Twine(operation) + "_" + suffix).str();
  }

  std::string nextIndexed() {
    return (prefix + "_" + Twine(operation++)).str();
  }

  static SmallVector<sftile::ScheduleAttr> schedulesOf(Operation *op) {
    SmallVector<sftile::ScheduleAttr> schedules;
    if (auto list = op->getAttrOfType<ArrayAttr>(kSchedulesAttr))
      for (Attribute attribute : list)
        if (auto schedule = dyn_cast<sftile::ScheduleAttr>(attribute))
          schedules.push_back(schedule);
    return schedules;
  }

  /// A size that is 0 at run time launches nothing; features that are none for
  /// good would be a kernel without instructions.
  static LogicalResult refuseEmpty(Operation &op) {
    for (Type type : op.getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (isa<MatmulOp, linalg::GenericOp>(op) && tensor && tensor.getRank() &&
          tensor.getShape().back() == 0)
        return op.emitOpError("expected a result with features, found ")
               << type << "; there is nothing to compute, remove it";
    }
    return success();
  }

  LogicalResult convert(MatmulOp op);
  LogicalResult convert(linalg::GenericOp op);
  LogicalResult convert(QuantizeOp op);
  LogicalResult copyAliases();

  func::FuncOp function;
  std::string prefix;
  gpu::GPUModuleOp kernels;
  HostProgram program;
  OpBuilder kernelBuilder;
  unsigned computeCapability;
  int64_t operation = 0;
  /// Of quantised activations: the sum of every token's values.
  DenseMap<Value, Value> sums;
};

} // namespace

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

LogicalResult FunctionConverter::convert(MatmulOp op) {
  MLIRContext *context = op.getContext();
  SmallVector<sftile::ScheduleAttr> schedules = schedulesOf(op);
  if (schedules.empty())
    return op.emitOpError("expected sftile.schedules; run "
                          "sparseflow-select-schedule first");
  TernaryAttr ternary = op.getTernary();
  if ((op.isSparse() || ternary) && !op.getStorage())
    return op.emitOpError("expected a packed weight; run "
                          "sparseflow-materialize-storage first");
  Value x = program.bufferOf(op.getX()), w = program.bufferOf(op.getW());
  Value y = program.bufferOf(op.getResult());
  ElementBody body = {&op.getEpilogue().front(), op.getYieldedValue()};
  SmallVector<std::pair<Type, Broadcast>> operandTypes;
  for (auto [operand, broadcast] :
       llvm::zip(op.getEpilogueOperands(), op.getBroadcastList()))
    operandTypes.push_back(
        {getElementTypeOrSelf(operand.getType()), broadcast});
  SmallVector<Value> operandPointers;
  for (auto [index, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    Value pointer = program.bufferOf(operand);
    if (!pointer)
      return op.emitOpError("expected epilogue operand #")
             << index << " to be an argument or a computed tensor, found the "
             << "result of " << operand.getDefiningOp()->getName()
             << "; pass it as an argument";
    operandPointers.push_back(pointer);
  }
  if (!x || !w)
    return op.emitOpError("expected x and w to be arguments or computed "
                          "tensors; pass constants as arguments");

  auto reduceSchedule =
      op->getAttrOfType<sftile::ScheduleAttr>(kReduceScheduleAttr);
  for (sftile::ScheduleAttr schedule : schedules)
    if (schedule.getSplitK() > 1 && !schedule.getProducerWarps() &&
        !schedule.isStreamed() && !reduceSchedule)
      return op.emitOpError("expected ")
             << kReduceScheduleAttr << " beside a schedule that splits the "
             << "depth; run sparseflow-select-schedule, or pin one";

  int64_t n = op.getN(), k = op.getK();
  bool integer = op.getXType().getElementType().isInteger(8);
  Type elementType = op.getXType().getElementType();
  Type resultType = op.getResultType().getElementType();
  bool packed = op.isSparse() || ternary;
  WeightKind weights = ternary         ? WeightKind::Ternary
                       : op.isSparse() ? WeightKind::TwoFour
                                       : WeightKind::Dense;
  Value metadata;
  if (weights == WeightKind::TwoFour)
    metadata = program.advance(w, op.getStorage()->getMetadataOffset());
  ScaledEpilogue scaled;
  std::optional<LoopScales> inLoop;
  Value loopScalesPointer;
  if (ternary) {
    if (failed(verifyKernelExists(op)))
      return failure();
    Value scales = program.advance(w, ternary.getScaleOffset(n, k));
    inLoop = loopScales(op);
    if (inLoop) {
      loopScalesPointer = scales;
    } else {
      scaled = scaleFirst(op, ternary);
      body = scaled.body();
      operandTypes.insert(operandTypes.begin(),
                          {ternary.getScaleType(), scaled.broadcast});
      operandPointers.insert(operandPointers.begin(), scales);
    }
    if (integer && keptCodes(ternary) == KeptCodes::All) {
      operandTypes.insert(operandTypes.begin(),
                          {IntegerType::get(context, 32), Broadcast::PerToken});
      operandPointers.insert(operandPointers.begin(), sums.lookup(op.getX()));
    }
  }

  for (sftile::ScheduleAttr schedule : schedules)
    if (failed(verifyDepth(op, schedule)))
      return failure();

  // What a kernel computes itself that quantises activations.
  Value given, givenScales;
  Type givenType;
  if (auto quantize = op.getX().getDefiningOp<QuantizeOp>()) {
    given = program.bufferOf(quantize.getX());
    givenScales = program.bufferOf(quantize->getResult(1));
    givenType = getElementTypeOrSelf(quantize.getX().getType());
  }
  auto makeKernel = [&](sftile::ScheduleAttr schedule, StringRef suffix,
                        bool aligned) {
    // What a kernel has quantised has whole units, wherever it lies.
    int64_t copyWidth = integer ? 16 : aligned ? widthFor(k, elementType) : 2;
    auto copy =
        copyWidth >= 4
            ? sftile::CopyAtomInterface(
                  sftile::CpAsyncAttr::get(context, copyWidth))
            : sftile::CopyAtomInterface(sftile::LdStAttr::get(context, 2));
    auto widthOf = [&](Type type, int64_t cols) {
      return aligned ? widthFor(cols, type) : type.getIntOrFloatBitWidth() / 8;
    };
    MatmulKernel kernel{nextName(suffix),
                        op.getLoc(),
                        n,
                        k,
                        elementType,
                        resultType,
                        weights,
                        inLoop,
                        schedule,
                        copy,
                        widthOf(resultType, n),
                        {},
                        body,
                        computeCapability};
    if (ternary)
      kernel.keeps = keptCodes(ternary);
    if (schedule.getHeld() && integer) {
      kernel.heldType = givenType;
      for (auto [index, pointer] : llvm::enumerate(operandPointers))
        if (pointer == givenScales)
          kernel.tokenScales.push_back(index);
    }
    for (auto [type, broadcast] : operandTypes) {
      bool vectors =
          broadcast == Broadcast::Full || broadcast == Broadcast::PerFeature;
      kernel.operands.push_back(
          {type, broadcast, widthOf(type, vectors ? n : 1)});
    }
    return kernel.withRoomForOperands();
  };

  Value rows = program.rowsOf(op.getResult());
  auto makeVariant = [&](sftile::ScheduleAttr schedule, StringRef suffix,
                         bool aligned, bool bounded) {
    MatmulKernel kernel = makeKernel(schedule, suffix, aligned);
    gpu::GPUFuncOp main = kernel.generate(kernelBuilder);
    Variant variant;
    bool streamed = schedule.isStreamed();
    variant.maxRows = bounded || streamed ? schedule.getMaxTokens() : 0;
    Value read = schedule.getHeld() && integer ? given : x;
    auto require = [&](Value pointer, int64_t bytes, Type type) {
      if (bytes > type.getIntOrFloatBitWidth() / 8 &&
          !pointer.getDefiningOp<LLVM::GEPOp>())
        variant.alignments.push_back({pointer, bytes});
    };
    // Packed weights are read 16 bytes at a time in every variant.
    if (packed)
      variant.alignments.push_back({w, 16});
    if (streamed) {
      // Results and operands are accessed one by one.
      require(read, 16, elementType);
    } else if (aligned) {
      require(x, kernel.copy.getBytes(), elementType);
      if (!packed)
        require(w, kernel.copy.getBytes(), elementType);
      require(y, kernel.storeWidth, resultType);
      for (auto [operand, pointer] :
           llvm::zip(kernel.operands, operandPointers))
        require(pointer, operand.width, operand.elementType);
    }
    SmallVector<Value> inputs = {read, w};
    if (metadata)
      inputs.push_back(metadata);
    if (loopScalesPointer)
      inputs.push_back(loopScalesPointer);
    if (!kernel.partial()) {
      llvm::append_range(inputs, operandPointers);
      inputs.push_back(y);
      variant.launches = [=](OpBuilder &builder) {
        Value grid = kernel.gridSize(builder, kernel.loc, rows);
        return SmallVector<Launch>{{main, grid,
                                    kernel.withMaps(builder, inputs, rows),
                                    /*sizes=*/{}, kernel.programmatic()}};
      };
      return variant;
    }
    // A split depth takes a second kernel, which adds the parts in order and
    // applies the epilogue.
    ElementwiseKernel reduce{nextName((suffix + "_reduce").str()),
                             op.getLoc(),
                             n,
                             resultType,
                             reduceSchedule,
                             kernel.storeWidth,
                             schedule.getSplitK(),
                             kernel.operands,
                             kernel.body,
                             kernel.accumulatorType(),
                             kernel.programmatic()};
    gpu::GPUFuncOp second = reduce.generate(kernelBuilder);
    Value counted = rows;
    if (variant.maxRows)
      counted = program.builder.createOrFold<arith::MinUIOp>(
          op.getLoc(), rows, program.constant(variant.maxRows));
    Value bytes = program.builder.createOrFold<arith::MulIOp>(
        op.getLoc(), counted, program.constant(n * 4 * schedule.getSplitK()));
    Value partials = program.scratch(bytes);
    SmallVector<Value> outputs = {partials};
    llvm::append_range(outputs, operandPointers);
    outputs.push_back(y);
    inputs.push_back(partials);
    variant.launches = [=](OpBuilder &builder) {
      Value grid = kernel.gridSize(builder, kernel.loc, rows);
      Value reduceGrid = reduce.gridSize(builder, kernel.loc, rows);
      return SmallVector<Launch>{
          {main, grid, inputs, /*sizes=*/{}, kernel.programmatic()},
          {second, reduceGrid, outputs, /*sizes=*/{}, reduce.programmatic}};
    };
    return variant;
  };

  SmallVector<Variant> variants;
  for (auto [index, schedule] : llvm::enumerate(schedules)) {
    bool last = index + 1 == schedules.size();
    std::string suffix(1, char('a' + index));
    variants.push_back(makeVariant(schedule, suffix, /*aligned=*/true, !last));
  }
  // Behind them, for pointers of any alignment.
  auto unaligned =
      op->getAttrOfType<sftile::ScheduleAttr>(kUnalignedScheduleAttr);
  sftile::ScheduleAttr fallback = unaligned ? unaligned : schedules.back();
  if (fallback.getProducerWarps())
    return op.emitOpError("expected ")
           << kUnalignedScheduleAttr << " without producer_warps beside "
           << schedules.back().getName() << ", whose bulk copies need rows and "
           << "pointers that are multiples of 16 bytes; pin one";
  variants.push_back(makeVariant(fallback, "any",
                                 /*aligned=*/false, /*bounded=*/false));
  explain(op, "copy") << "rows of " << k << " elements allow copies of "
                      << widthFor(k, elementType) << " bytes and rows of " << n
                      << " stores of " << widthFor(n, resultType)
                      << " where pointers are aligned so; otherwise a kernel "
                         "with single-element copies runs";
  program.addStep(op.getLoc(), "matmul", rows, variants);
  ++operation;
  return success();
}

//===----------------------------------------------------------------------===//
// quantize
//===----------------------------------------------------------------------===//

LogicalResult FunctionConverter::convert(QuantizeOp op) {
  auto type = cast<RankedTensorType>(op.getX().getType());
  Value x = program.bufferOf(op.getX());
  if (!x)
    return op.emitOpError("expected x to be an argument or a computed tensor");
  Value values = op->getResult(0), scales = op->getResult(1);
  if (program.bufferOf(values) || program.bufferOf(scales))
    return op.emitOpError("expected no result that the function returns: their "
                          "order on a GPU is private; return products of them");
  for (Operation *user : values.getUsers())
    if (!isa<MatmulOp>(user))
      return user->emitOpError("expected a product to read quantised "
                               "activations, whose order on a GPU is private");
  FailureOr<bool> natural = naturalOrder(op);
  if (failed(natural))
    return failure();
  Value rows = program.rowsOf(values);
  int64_t k = type.getShape().back();
  Value q = program.reserve(rows, quantizedPitch(k, *natural));
  Value s = program.reserve(rows, 4), sum = program.reserve(rows, 4);
  program.bind(values, q);
  program.bind(scales, s);
  sums[values] = sum;

  SmallVector<Variant> variants;
  // Up to so many tokens the products quantise their activations themselves.
  int64_t held = INT64_MAX;
  for (Operation *user : values.getUsers())
    held = std::min(held, heldTokens(schedulesOf(user)));
  if (held && !values.use_empty()) {
    Variant variant;
    variant.maxRows = held;
    if (!x.getDefiningOp<LLVM::GEPOp>())
      variant.alignments.push_back({x, 16});
    variant.nothing = true;
    variants.push_back(std::move(variant));
  }
  for (bool aligned : {true, false}) {
    if (aligned && widthFor(k, type.getElementType()) < 16)
      continue;
    QuantizeKernel kernel{nextName(aligned ? "quantize" : "quantize_any"),
                          op.getLoc(),
                          k,
                          type.getElementType(),
                          aligned,
                          /*programmatic=*/computeCapability >= 90,
                          *natural};
    gpu::GPUFuncOp function = kernel.generate(kernelBuilder);
    Variant variant;
    if (aligned && !x.getDefiningOp<LLVM::GEPOp>())
      variant.alignments.push_back({x, 16});
    SmallVector<Value> pointers = {x, q, s, sum};
    variant.launches = [=](OpBuilder &) -> SmallVector<Launch> {
      return {{function, rows, pointers, /*sizes=*/{}, kernel.programmatic}};
    };
    bool guarded = !variant.alignments.empty();
    variants.push_back(std::move(variant));
    if (aligned && !guarded)
      break;
  }
  program.addStep(op.getLoc(), "quantize", rows, variants);
  ++operation;
  return success();
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

LogicalResult FunctionConverter::convert(linalg::GenericOp op) {
  SmallVector<sftile::ScheduleAttr> schedules = schedulesOf(op);
  if (schedules.empty())
    return op.emitOpError("expected sftile.schedules; run "
                          "sparseflow-select-schedule first");
  auto resultType = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  int64_t rank = op.getNumLoops();
  bool identity =
      op.getNumResults() == 1 && resultType && rank >= 1 &&
      op.getNumParallelLoops() == unsigned(rank) &&
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
  if (!identity || resultType.isDynamicDim(rank - 1))
    return op.emitOpError("expected an elementwise operation: one result of "
                          "static last dimension, all loops parallel, the "
                          "result written in order; it has no kernel, compute "
                          "it outside or on the cpu device");
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return op.emitOpError("expected a body that does not read its output");

  int64_t cols = resultType.getShape().back();
  Type elementType = resultType.getElementType();
  SmallVector<Value> pointers;
  SmallVector<ElementOperand> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    std::optional<Broadcast> broadcast =
        isTransposed(map) ? Broadcast::Full : broadcastOf(map, rank);
    if (!broadcast)
      return op.emitOpError("expected input #")
             << input->getOperandNumber()
             << " to be indexed by all dimensions, the last, all but the last, "
                "or none, found "
             << AffineMapAttr::get(map);
    Value pointer = program.bufferOf(input->get());
    if (!pointer)
      return op.emitOpError("expected input #")
             << input->getOperandNumber()
             << " to be an argument or a computed tensor; pass constants as "
                "arguments";
    Type type = getElementTypeOrSelf(input->get().getType());
    inputs.push_back({type, *broadcast, type.getIntOrFloatBitWidth() / 8,
                      isTransposed(map)});
    pointers.push_back(pointer);
  }
  pointers.push_back(program.bufferOf(op.getResult(0)));

  Value rows = program.rowsOf(op.getResult(0));
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  SmallVector<Variant> variants;
  for (bool aligned : {true, false}) {
    Variant variant;
    auto widthOf = [&](Type type, Broadcast broadcast, Value pointer) {
      bool vectors =
          broadcast == Broadcast::Full || broadcast == Broadcast::PerFeature;
      int64_t bytes = type.getIntOrFloatBitWidth() / 8;
      if (!aligned || !vectors)
        return bytes;
      int64_t width = widthFor(cols, type);
      if (width > bytes && !pointer.getDefiningOp<LLVM::GEPOp>())
        variant.alignments.push_back({pointer, width});
      return width;
    };
    SmallVector<ElementOperand> operands;
    for (auto [input, pointer] : llvm::zip(inputs, pointers)) {
      operands.push_back(input);
      // What is read across its rows is read one by one.
      if (!input.isTransposed)
        operands.back().width =
            widthOf(input.elementType, input.broadcast, pointer);
    }
    ElementwiseKernel kernel{
        nextName(aligned ? "map" : "map_any"),
        op.getLoc(),
        cols,
        elementType,
        schedules.front(),
        widthOf(elementType, Broadcast::Full, pointers.back()),
        /*partials=*/0,
        operands,
        {op.getBody(), yield.getOperand(0)}};
    gpu::GPUFuncOp function = kernel.generate(kernelBuilder);
    variant.launches = [=](OpBuilder &builder) {
      return SmallVector<Launch>{
          {function, kernel.gridSize(builder, kernel.loc, rows), pointers}};
    };
    bool guarded = !variant.alignments.empty();
    variants.push_back(std::move(variant));
    if (!guarded)
      break;
  }
  program.addStep(op.getLoc(), "map", rows, variants);
  ++operation;
  return success();
}

//===----------------------------------------------------------------------===//
// Results that have no computation of their own
//===----------------------------------------------------------------------===//

LogicalResult FunctionConverter::copyAliases() {
  Operation *terminator = function.front().getTerminator();
  DenseSet<Value> seen;
  for (auto [index, value] : llvm::enumerate(terminator->getOperands())) {
    Operation *source = skipReshapes(value).getDefiningOp();
    bool computed = source && (source->hasAttr(kSchedulesAttr) ||
                               isa<CacheAppendOp>(source));
    if (!computed || !seen.insert(skipReshapes(value)).second)
      return terminator->emitOpError("expected result #")
             << index << " to be computed by an operation of its own, found "
             << (computed ? "a value that is returned already"
                          : "a value that no kernel writes")
             << "; return each computed tensor once";
  }
  return success();
}

namespace {
struct ConvertSparseFlowToSFTile
    : public sparseflow::impl::ConvertSparseFlowToSFTileBase<
          ConvertSparseFlowToSFTile> {
  using ConvertSparseFlowToSFTileBase::ConvertSparseFlowToSFTileBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() &&
          function->hasAttr(SparseFlowDialect::kArgumentTypesAttr))
        functions.push_back(function);
    if (functions.empty())
      return;
    auto kernels =
        gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    builder.getUnitAttr());
    llvm::StringSet<> prefixes;
    for (func::FuncOp function : functions) {
      FailureOr<FunctionSignature> signature = inferSignature(function);
      if (failed(signature) ||
          failed(FunctionConverter(function,
                                   kernelPrefix(function.getName(), prefixes),
                                   kernels, *signature, computeCapability)
                     .run()))
        return signalPassFailure();
    }
  }
};
} // namespace

//===- KernelForm.cpp - Which tensor ops have kernels ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr StringLiteral kFormNames[] = {"map", "rows", "columns",
                                               "product"};

StringRef mlir::sparseflow::stringifyKernelForm(KernelForm form) {
  return kFormNames[static_cast<unsigned>(form)];
}

std::optional<KernelForm> mlir::sparseflow::kernelFormOf(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(kKernelAttr);
  for (auto [number, form] : llvm::enumerate(kFormNames))
    if (name && name.getValue() == form)
      return static_cast<KernelForm>(number);
  return std::nullopt;
}

bool mlir::sparseflow::isInlined(Operation *op) {
  return op->hasAttr(kInlinedAttr);
}

Value mlir::sparseflow::skipReshapes(Value tensor) {
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::CastOp, tensor::ReshapeOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

tensor::InsertSliceOp mlir::sparseflow::getUpdateOfSlice(Operation *op) {
  auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op);
  return insert && insert->hasAttr(kInPlaceAttr) ? insert
                                                 : tensor::InsertSliceOp();
}

SmallVector<bool>
mlir::sparseflow::isInsideAlways(tensor::InsertSliceOp slice) {
  SmallVector<bool> inside;
  for (auto [offset, size, all] :
       llvm::zip(slice.getStaticOffsets(), slice.getStaticSizes(),
                 slice.getDestType().getShape()))
    inside.push_back(!ShapedType::isDynamic(offset) &&
                     !ShapedType::isDynamic(size) &&
                     !ShapedType::isDynamic(all) && offset + size <= all);
  return inside;
}

bool mlir::sparseflow::isFromData(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tensor::ExtractOp>(op))
    return true;
  return op && isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperands(), isFromData);
}

bool mlir::sparseflow::readsWhatGrows(Operation *op) {
  bool found = false;
  auto visit = [&](Value tensor) {
    Value source = skipReshapes(tensor);
    // An argument, or what has the memory of one.
    bool isInArgument = isa<BlockArgument>(source) ||
                        source.getDefiningOp()->hasAttr(kInPlaceAttr);
    found |= isInArgument && op->getBlock() == source.getParentBlock() &&
             llvm::any_of(source.getUsers(), [&](Operation *user) {
               return isa<CacheAppendOp>(user) ||
                      (user != op && user->hasAttr(kInPlaceAttr));
             });
  };
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        visit(operand);
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Ops that fold in any order and grouping.
static bool isAssociative(Operation *op) {
  return isa<arith::AddFOp, arith::MulFOp, arith::AddIOp, arith::MulIOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op);
}

static bool isSelection(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::CmpFOp, arith::CmpIOp, arith::SelectOp>(
             op) ||
         // Of comparisons.
         (isa<arith::AndIOp, arith::OrIOp>(op) &&
          op->getResult(0).getType().isInteger(1));
}

std::optional<ReductionBody>
mlir::sparseflow::matchReductionBody(linalg::LinalgOp op) {
  Block *block = op.getBlock();
  unsigned count = op.getNumDpsInits();
  ArrayRef<BlockArgument> accumulators = op.getRegionOutputArgs();
  ReductionBody body;
  DenseSet<Value> folded(accumulators.begin(), accumulators.end());
  for (Operation &inner : block->without_terminator())
    if (llvm::any_of(inner.getOperands(),
                     [&](Value value) { return folded.contains(value); })) {
      body.folds.push_back(&inner);
      folded.insert(inner.result_begin(), inner.result_end());
    }
  ValueRange yielded = block->getTerminator()->getOperands();
  if (!llvm::all_of(yielded,
                    [&](Value value) { return folded.contains(value); }))
    return std::nullopt;

  // One op for each result.
  auto matchesOne = [&](unsigned number) -> Value {
    Operation *fold = yielded[number].getDefiningOp();
    if (!fold || !isAssociative(fold))
      return Value();
    for (unsigned side : {0u, 1u})
      if (fold->getOperand(side) == accumulators[number] &&
          !folded.contains(fold->getOperand(1 - side)))
        return fold->getOperand(1 - side);
    return Value();
  };
  if (body.folds.size() == count) {
    // In the order of results.
    SmallVector<Operation *> folds;
    for (unsigned number = 0; number < count; ++number) {
      Value element = matchesOne(number);
      if (!element)
        break;
      folds.push_back(yielded[number].getDefiningOp());
      body.elements.push_back(element);
    }
    DenseSet<Value> distinct(body.elements.begin(), body.elements.end());
    if (folds.size() == count && distinct.size() == count) {
      body.folds = folds;
      return body;
    }
    body.elements.clear();
  }

  // A value that is the largest or smallest, and where it is.
  if (count > 2 || !llvm::all_of(body.folds, isSelection))
    return std::nullopt;
  body.elements.assign(count, Value());
  for (Operation *fold : body.folds)
    for (Value operand : fold->getOperands()) {
      if (folded.contains(operand))
        continue;
      // It meets the accumulator that it stands beside.
      std::optional<unsigned> met;
      for (auto [number, accumulator] : llvm::enumerate(accumulators))
        if (llvm::is_contained(fold->getOperands(), accumulator) &&
            accumulator.getType() == operand.getType())
          met = number;
      if (!met || (body.elements[*met] && body.elements[*met] != operand))
        return std::nullopt;
      body.elements[*met] = operand;
    }
  if (llvm::is_contained(body.elements, Value()) ||
      (count == 2 && body.elements[0] == body.elements[1]))
    return std::nullopt;
  for (auto [number, element] : llvm::enumerate(body.elements)) {
    Value source = element;
    while (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp,
                           arith::TruncIOp>(source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    if (source.getDefiningOp<linalg::IndexOp>())
      body.position = number;
  }
  if (count == 2 && !body.position)
    return std::nullopt;
  return body;
}

//===----------------------------------------------------------------------===//
// What has a kernel
//===----------------------------------------------------------------------===//

static bool isElement(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, IndexType>(type) ||
         type.isInteger(1) || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(32) || type.isInteger(64);
}

static std::string explainTypes(Operation *op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto check = [&](Type type, StringRef what) {
    if (!text.empty())
      return;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (isa<ShapedType>(type) && !tensor)
      out << "expected ranked tensors, found " << type << " as " << what;
    else if (tensor && !isElement(tensor.getElementType()))
      out << "expected elements of f16, bf16, f32, index or an integer of 1, "
             "8, 16, 32 or 64 bits, found "
          << type << " as " << what;
  };
  for (Type type : op->getOperandTypes())
    check(type, "an operand");
  for (Type type : op->getResultTypes())
    check(type, "a result");
  return text;
}

static std::string explainConstants(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    DenseElementsAttr elements;
    if (isa<RankedTensorType>(operand.get().getType()) &&
        isa_and_nonnull<arith::ConstantOp>(operand.get().getDefiningOp()) &&
        !(matchPattern(operand.get(), m_Constant(&elements)) &&
          elements.isSplat()))
      return "reads a constant tensor as input " +
             std::to_string(operand.getOperandNumber()) +
             "; pass it as an argument of the function";
  }
  return "";
}

/// Loops or constants 0, each loop once.
static bool isPlacement(AffineMap map) {
  llvm::SmallDenseSet<unsigned> seen;
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue() == 0;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && seen.insert(dim.getPosition()).second;
  });
}

static std::string explainBody(linalg::LinalgOp op) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<cf::AssertOp>(inner))
      continue;
    if (inner.getNumRegions() || !isMemoryEffectFree(&inner))
      return "has '" + inner.getName().getStringRef().str() +
             "' in its body: expected scalar arithmetic";
  }
  return "";
}

static std::string explainLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return "works on buffers: expected tensors";
  SmallVector<bool> isSized(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.getNumSymbols())
      return "has an indexing map with symbols";
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        isSized[dim.getPosition()] = true;
  }
  if (llvm::is_contained(isSized, false))
    return "has a loop whose size no operand says";
  AffineMap first = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (!isPlacement(map))
      return "writes its result by more than one loop for a dimension";
    if (map != first)
      return "writes results in different orders";
  }
  if (op.getNumReductionLoops() && !matchReductionBody(op))
    return "reduces in a way that is no sum, product, maximum, minimum, "
           "bitwise operation or position of one";
  if (op.getNumReductionLoops() + op.getNumParallelLoops() != op.getNumLoops())
    return "has a loop that is neither parallel nor a reduction";
  return explainBody(op);
}

std::string mlir::sparseflow::explainNoKernel(Operation *op) {
  std::string why = explainTypes(op);
  if (why.empty())
    why = explainConstants(op);
  if (!why.empty())
    return why;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return explainLinalg(linalgOp);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return reshape.getShape().getDefiningOp<tensor::FromElementsOp>()
               ? ""
               : "has a shape that is no list of sizes "
                 "(tensor.from_elements)";
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return llvm::hasSingleElement(pad.getRegion()) ? "" : "has several blocks";
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      insert && llvm::any_of(insert.getStaticStrides(), [](int64_t stride) {
        return ShapedType::isDynamic(stride) || stride < 1;
      }))
    return "inserts a slice with strides that are no numbers from 1 on";
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
          tensor::EmptyOp>(op))
    return "";
  return "is no linalg op, slice, concatenation, pad or reshape";
}

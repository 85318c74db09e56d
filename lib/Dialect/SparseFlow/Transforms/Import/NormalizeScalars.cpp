//===- NormalizeScalars.cpp - One form for scalars ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWNORMALIZESCALARS
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

/// `number` in `type`, to nearest even.
static FloatAttr convert(const APFloat &number, FloatType type) {
  APFloat rounded = number;
  bool losesInfo;
  rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return FloatAttr::get(type, rounded);
}

/// A constant that is rounded is a constant of the narrow type, with one
/// rounding of the number that the program names.
static void foldRounding(OpBuilder &b, arith::TruncFOp op) {
  APFloat number(0.0);
  auto type = dyn_cast<FloatType>(op.getType());
  if (!type || !matchPattern(op.getIn(), m_ConstantFloat(&number)))
    return;
  b.setInsertionPoint(op);
  Value constant =
      arith::ConstantOp::create(b, op.getLoc(), convert(number, type));
  op.replaceAllUsesWith(constant);
  op.erase();
}

/// `type` with f32 in the place of f64.
static Type narrowType(Type type) {
  if (type.isF64())
    return Float32Type::get(type.getContext());
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isF64())
    return type;
  return tensor.clone(Float32Type::get(type.getContext()));
}

/// A constant of f64, a number or a tensor, as f32; null for others.
static TypedAttr narrowConstant(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return convert(number.getValue(), Float32Type::get(value.getContext()));
  auto dense = dyn_cast<DenseFPElementsAttr>(value);
  if (!dense)
    return nullptr;
  Type f32 = Float32Type::get(value.getContext());
  return cast<TypedAttr>(dense.mapValues(f32, [](const APFloat &number) {
    APFloat rounded = number;
    bool losesInfo;
    rounded.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    return rounded.bitcastToAPInt();
  }));
}

static bool usesDoubles(Operation *op) {
  auto isDouble = [](Type type) { return narrowType(type) != type; };
  return llvm::any_of(op->getOperandTypes(), isDouble) ||
         llvm::any_of(op->getResultTypes(), isDouble);
}

/// Computes in f32 what the function computes in f64, unless its callers see
/// f64. Returns how many ops there are.
static unsigned narrow(func::FuncOp function) {
  auto isDouble = [](Type type) { return narrowType(type) != type; };
  FunctionType type = function.getFunctionType();
  bool isSeen = llvm::any_of(type.getInputs(), isDouble) ||
                llvm::any_of(type.getResults(), isDouble);
  unsigned count = 0;
  WalkResult walk = function.walk([&](Operation *op) -> WalkResult {
    if (!usesDoubles(op))
      return WalkResult::advance();
    auto constant = dyn_cast<arith::ConstantOp>(op);
    if (constant && !narrowConstant(constant.getValue()))
      return WalkResult::interrupt();
    if (!constant && !isa<linalg::YieldOp>(op))
      ++count;
    // Bits are no numbers.
    return isa<arith::BitcastOp>(op) ? WalkResult::interrupt()
                                     : WalkResult::advance();
  });
  if (isSeen || walk.wasInterrupted() || count == 0)
    return 0;
  SmallVector<Operation *> conversions;
  function.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op);
        constant && usesDoubles(op))
      constant.setValueAttr(narrowConstant(constant.getValue()));
    for (Value result : op->getResults())
      result.setType(narrowType(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(narrowType(argument.getType()));
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      conversions.push_back(op);
  });
  // Conversions between what is one type now.
  for (Operation *op : conversions)
    if (op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  return count;
}

//===----------------------------------------------------------------------===//
// Tensors of one number
//===----------------------------------------------------------------------===//

/// The number that every element of `value` is, whatever its shape.
static TypedAttr getUniform(Value value) {
  while (
      isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                      tensor::CastOp, linalg::BroadcastOp, linalg::TransposeOp>(
          value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumLoops() != op.getNumParallelLoops() ||
      op->getNumResults() != 1)
    return nullptr;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (argument && argument.getOwner() == op.getBlock()) {
    OpOperand &operand = op->getOpOperand(argument.getArgNumber());
    if (op.isDpsInit(&operand))
      return nullptr;
    if (isa<RankedTensorType>(operand.get().getType()))
      return getUniform(operand.get());
    yielded = operand.get();
  }
  TypedAttr number;
  return matchPattern(yielded, m_Constant(&number)) ? number : nullptr;
}

/// Inputs of `op` of which all elements are one number are that number.
static void inlineUniforms(OpBuilder &b, linalg::GenericOp op) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    TypedAttr number = getUniform(input->get());
    if (!number || number.getType() != argument.getType())
      continue;
    b.setInsertionPoint(op);
    argument.replaceAllUsesWith(
        arith::ConstantOp::create(b, op.getLoc(), number));
  }
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// math.fpowi %x, 3  ->  x * x * x, and other exponents by math.powf, in f32.
///
/// Kernels, the CPU device and the reference of checks know these.
static void rewritePower(OpBuilder &b, math::FPowIOp op) {
  auto type = dyn_cast<FloatType>(op.getType());
  if (!type || type.getWidth() > 32)
    return;
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  Type f32 = b.getF32Type();
  Value base = op.getLhs();
  if (type != f32)
    base = arith::ExtFOp::create(b, loc, f32, base);
  APInt exponent;
  bool isKnown = matchPattern(op.getRhs(), m_ConstantInt(&exponent));
  Value power;
  if (isKnown && (exponent == 2 || exponent == 3)) {
    power = arith::MulFOp::create(b, loc, base, base, op.getFastmath());
    if (exponent == 3)
      power = arith::MulFOp::create(b, loc, power, base, op.getFastmath());
  } else {
    Value number =
        isKnown
            ? arith::ConstantOp::create(b, loc,
                                        b.getF32FloatAttr(static_cast<float>(
                                            exponent.getSExtValue())))
                  .getResult()
            : arith::SIToFPOp::create(b, loc, f32, op.getRhs()).getResult();
    power = math::PowFOp::create(b, loc, base, number, op.getFastmath());
  }
  if (type != f32)
    power = arith::TruncFOp::create(b, loc, type, power);
  op.replaceAllUsesWith(power);
  op.erase();
}

namespace {
struct NormalizeScalars
    : sparseflow::impl::SparseFlowNormalizeScalarsBase<NormalizeScalars> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    OpBuilder b(&getContext());
    function.walk([&](linalg::GenericOp op) { inlineUniforms(b, op); });
    function.walk([&](math::FPowIOp op) { rewritePower(b, op); });
    function.walk([&](arith::TruncFOp op) { foldRounding(b, op); });
    // Inputs that are constants of the body now.
    RewritePatternSet unused(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(unused);
    if (failed(applyPatternsGreedily(function, std::move(unused))))
      return signalPassFailure();
    if (unsigned count = narrow(function))
      explain(function, "import")
          << "computes " << count << " operations of f64 in f32";
  }
};
} // namespace

//===- OrientWeights.cpp - Sparse arguments as [N, K] ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/SparseFlow/Transforms/Views.h"

#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWORIENTWEIGHTS
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

/// An op that reads `value`, or what is only rearranged from it, in a wider
/// type than `element`; null where all that is read is rounded to it first.
static Operation *findWideUse(Value value, Type element) {
  for (Operation *user : value.getUsers()) {
    bool rearranges = isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                          tensor::CastOp, UnpackOp, arith::TruncFOp>(user);
    if (auto op = dyn_cast<linalg::LinalgOp>(user))
      rearranges = op.getNumDpsInputs() == 1 &&
                   op.getNumParallelLoops() == op.getNumLoops() &&
                   op->getNumResults() == 1;
    if (!rearranges)
      return user;
    Value result = user->getResult(0);
    if (getElementTypeOrSelf(result.getType()) == element)
      continue;
    if (Operation *wide = findWideUse(result, element))
      return wide;
  }
  return nullptr;
}

/// The tensor of type `original` that has the elements of `weight` [N, K]: the
/// inverse of what lies between the argument and its matmuls.
static Value restore(OpBuilder &b, Value weight, RankedTensorType original,
                     bool isTransposed) {
  Location loc = weight.getLoc();
  auto type = cast<RankedTensorType>(dropEncoding(weight.getType()));
  Value value = UnpackOp::create(b, loc, type, weight, StorageAttr());
  Type element = original.getElementType();
  if (isTransposed || element != type.getElementType()) {
    SmallVector<int64_t> shape(type.getShape());
    AffineMap identity = b.getMultiDimIdentityMap(2), from = identity;
    if (isTransposed) {
      std::swap(shape[0], shape[1]);
      from = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                          b.getContext());
    }
    Value empty = tensor::EmptyOp::create(b, loc, shape, element);
    SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
    value = linalg::GenericOp::create(
                b, loc, empty.getType(), value, empty,
                ArrayRef<AffineMap>{from, identity}, loops,
                [&](OpBuilder &b, Location loc, ValueRange arguments) {
                  Value in = arguments[0];
                  if (in.getType() != element)
                    in = arith::ExtFOp::create(b, loc, element, in);
                  linalg::YieldOp::create(b, loc, in);
                })
                .getResult(0);
  }
  if (original.getRank() == 2)
    return value;
  // Units before the second matrix dimension go with the first.
  SmallVector<ReassociationIndices> groups(2);
  unsigned group = 0;
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  int64_t product = 1;
  for (int64_t i = 0, rank = original.getRank(); i < rank; ++i) {
    int64_t size = original.getDimSize(i);
    if (group == 0 && product == shape[0] && size != 1 && !groups[0].empty())
      group = 1;
    groups[group].push_back(i);
    product *= size;
  }
  return tensor::ExpandShapeOp::create(b, loc, original, value, groups);
}

/// Gives `argument` the type in which its matmuls multiply with it.
static LogicalResult orient(func::FuncOp function, BlockArgument argument,
                            ArrayRef<WeightUse> uses) {
  auto type = cast<RankedTensorType>(argument.getType());
  NmAttr encoding = getNmEncoding(type);
  if (!encoding || uses.empty())
    return success();
  unsigned index = argument.getArgNumber();
  const WeightUse &first = uses.front();
  int64_t axis =
      encoding.isAlongLastAxis() ? type.getRank() - 1 : encoding.getAxis();
  auto refuse = [&](const Twine &text) {
    explain(function, "import")
        << "argument " << index << " stays " << type << ": " << text.str();
    return success();
  };
  for (const WeightUse &use : uses)
    if (use.n != first.n || use.k != first.k || use.element != first.element)
      return refuse("its matmuls read it in different ways; pass it twice");
  if (axis != static_cast<int64_t>(first.k))
    return refuse("its encoding does not group the dimension that its "
                  "matmuls sum over");
  bool isTransposed = first.k < first.n;
  if (type.getRank() == 2 && !isTransposed &&
      type.getElementType() == first.element)
    return success();
  if (!first.element.isF16() && !first.element.isBF16())
    return refuse("its matmuls multiply in " +
                  Twine(first.element.isF32() ? "f32" : "no 16-bit float") +
                  "; convert the program to f16 or bf16");
  if (type.getRank() > 2 &&
      (type.getDimSize(first.n) == 1 || type.getDimSize(first.k) == 1))
    return refuse("one of its two dimensions is a unit among units");
  auto dense = cast<RankedTensorType>(dropEncoding(type));
  if (type.getElementType() != first.element)
    if (Operation *wide = findWideUse(argument, first.element)) {
      InFlightDiagnostic error = function.emitError("argument ")
                                 << index << " is " << encoding
                                 << ", which stores it as " << first.element
                                 << " for its matmul, but '" << wide->getName()
                                 << "' reads it as " << type.getElementType()
                                 << "; pass it twice, or do not mark it";
      error.attachNote(first.op->getLoc()) << "the matmul";
      error.attachNote(wide->getLoc()) << "the other use";
      return error;
    }

  // The same groups along the same dimension, so that both are valid again.
  auto along = NmAttr::get(function.getContext(), encoding.getN(),
                           encoding.getM(), int64_t{-1});
  auto oriented = RankedTensorType::get(
      {type.getDimSize(first.n), type.getDimSize(first.k)}, first.element,
      along);
  argument.setType(oriented);
  SmallVector<Type> types(function.getArgumentTypes());
  types[index] = oriented;
  function.setType(FunctionType::get(function.getContext(), types,
                                     function.getResultTypes()));
  OpBuilder b(function.getContext());
  b.setInsertionPointToStart(&function.front());
  SmallVector<OpOperand *> operands = llvm::map_to_vector(
      argument.getUses(), [](OpOperand &use) { return &use; });
  Value restored = restore(b, argument, dense, isTransposed);
  for (OpOperand *use : operands) {
    // What forgot the old encoding is the restored value.
    if (auto unpack = dyn_cast<UnpackOp>(use->getOwner())) {
      unpack.getResult().replaceAllUsesWith(restored);
      unpack.erase();
    } else {
      use->set(restored);
    }
  }
  Remark note = explain(function, "import");
  note << "argument " << index << " is stored as its matmuls read it, "
       << oriented << " instead of " << dense << ": ";
  note << (isTransposed ? "pack its transpose" : "pack it so");
  return success();
}

namespace {
struct OrientWeights
    : sparseflow::impl::SparseFlowOrientWeightsBase<OrientWeights> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    for (auto &[argument, uses] : findWeights(function))
      if (isa<RankedTensorType>(argument.getType()) &&
          failed(orient(function, argument, uses)))
        return signalPassFailure();
  }
};
} // namespace

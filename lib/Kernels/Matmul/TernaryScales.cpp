//===- TernaryScales.cpp - Scales of ternary weights ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/TernaryScales.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Columns of the deepest unit of packed weights.
static constexpr int64_t kWholeUnits = 256;

sftile::CodecInterface mlir::sparseflow::codecOf(TernaryAttr encoding) {
  return sftile::findCodec(encoding.getContext(), encoding.getLayout());
}

std::optional<LoopScales> mlir::sparseflow::loopScales(MatmulOp op) {
  TernaryAttr ternary = op.getTernary();
  int64_t k = std::max<int64_t>(op.getK(), 1);
  if (ternary.getGroups(k) <= 1 && ternary.getPlanes() == 1)
    return std::nullopt;
  // One group is all of what is padded too.
  int64_t groups = ternary.getGroups(k), columns = ternary.getGroupColumns(k);
  if (groups == 1)
    columns = llvm::alignTo(k, kWholeUnits);
  return LoopScales{ternary.getScaleType(),
                    columns,
                    groups,
                    ternary.getPlanes(),
                    ternary.getGroup() != TernaryAttr::kTensorScale,
                    ternary.isTernary()};
}

bool mlir::sparseflow::readsTokenSums(MatmulOp op) {
  TernaryAttr ternary = op.getTernary();
  Type activations = op.getXType().getElementType();
  return ternary && activations.isInteger(8) && !loopScales(op) &&
         codecOf(ternary).getBias(activations);
}

ScaledEpilogue mlir::sparseflow::scaleFirst(MatmulOp op, TernaryAttr ternary) {
  Location loc = op.getLoc();
  Block &original = op.getEpilogue().front();
  ScaledEpilogue result;
  result.block = std::make_unique<Block>();
  if (ternary.getGroup() != TernaryAttr::kTensorScale)
    result.broadcast = Broadcast::PerFeature;
  Type scaleType = ternary.getScaleType();
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToEnd(result.block.get());
  Value sum, scale;
  if (op.getXType().getElementType().isInteger(8)) {
    // Codes that exceed the weights by one: the activations themselves are
    // taken away again. What is left is exact.
    Type i32 = builder.getI32Type();
    Value exact = result.block->addArgument(i32, loc);
    if (codecOf(ternary).getBias(builder.getI8Type())) {
      Value activations = result.block->addArgument(i32, loc);
      exact = arith::SubIOp::create(builder, loc, exact, activations);
    }
    scale = result.block->addArgument(scaleType, loc);
    sum = arith::SIToFPOp::create(builder, loc, builder.getF32Type(), exact);
  } else {
    sum = result.block->addArgument(builder.getF32Type(), loc);
    scale = result.block->addArgument(scaleType, loc);
  }
  if (!scaleType.isF32())
    scale = arith::ExtFOp::create(builder, loc, builder.getF32Type(), scale);
  IRMapping mapping;
  mapping.map(original.getArgument(0),
              arith::MulFOp::create(builder, loc, sum, scale).getResult());
  for (BlockArgument argument : original.getArguments().drop_front())
    mapping.map(argument, result.block->addArgument(argument.getType(), loc));
  for (Operation &op : original.without_terminator())
    builder.clone(op, mapping);
  result.yielded = mapping.lookupOrDefault(op.getYieldedValue());
  return result;
}

FailureOr<bool> mlir::sparseflow::naturalOrder(QuantizeOp op) {
  std::optional<bool> natural;
  for (Operation *user : op->getResult(0).getUsers()) {
    TernaryAttr weight = cast<MatmulOp>(user).getTernary();
    bool wanted = weight && weight.isTwoFour();
    if (natural.value_or(wanted) != wanted)
      return user->emitOpError(
          "expected matmuls that share quantized activations to have weights "
          "of one order: all of them keep two of four columns, or none does; "
          "give this one activations of its own");
    natural = wanted;
  }
  return natural.value_or(false);
}

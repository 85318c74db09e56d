//===- QuantizeGroup.cpp - What is computed with a quantization -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/QuantizeGroup.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "Launch/LaunchGroup.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Pieces of a row in the registers of a thread whose block computes the row
// beside its first weights.
static constexpr int64_t kHeldPieces = 2;
// Elements of a row in the registers of a thread beside as many of each other
// tensor that is read along the row, a norm's weight.
static constexpr int64_t kElementsBesideOthers = 32;

int64_t mlir::sparseflow::lastDim(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getRank() ? type.getShape().back() : 0;
}

/// What computes the rows of `tensor`, under reshapes that keep them.
static Operation *producerOf(Value tensor) {
  Value source = skipReshapes(tensor);
  return lastDim(source) == lastDim(tensor) ? source.getDefiningOp() : nullptr;
}

TokenShape mlir::sparseflow::tokenOf(const QuantizeProducers &producers,
                                     QuantizeOp quantize, bool natural) {
  TokenShape token{lastDim(quantize.getX()),
                   /*block=*/0,
                   /*scale=*/1,
                   getElementTypeOrSelf(quantize.getX().getType()),
                   natural,
                   /*isPower=*/!!producers.rows};
  if (HadamardOp rotation = producers.rotation) {
    token.block = static_cast<int64_t>(rotation.getBlock());
    token.scale = rotation.getScale();
  }
  return token;
}

/// Ops that give a tensor another shape or type and move nothing.
static bool isReshape(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ReshapeOp>(op);
}

/// Whether nothing but `reader` reads `tensor`, by any of its shapes.
static bool isReadBy(Value tensor, Operation *reader) {
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    if (user == reader)
      return true;
    bool isShape = user->getNumResults() == 1 &&
                   isa<RankedTensorType>(user->getResult(0).getType()) &&
                   skipReshapes(user->getResult(0)) == skipReshapes(tensor);
    return isa<tensor::DimOp>(user) ||
           (isShape && isReadBy(user->getResult(0), reader));
  });
}

/// How many tensors the root of a kernel of rows reads along them.
static int64_t readsRows(Operation *op) {
  auto root = cast<linalg::LinalgOp>(op);
  return llvm::count_if(root.getDpsInputOperands(), [&](OpOperand *input) {
    return llvm::any_of(rowLoops(op), [&](unsigned loop) {
      return root.getMatchingIndexingMap(input).isFunctionOfDim(loop);
    });
  });
}

/// Why `op`, which computes what `reader` reads, is not computed by the kernel
/// of `quantize`, or an empty string. `rotation` is between them, or null.
static std::string whyApart(Operation *op, Operation *reader,
                            HadamardOp rotation, QuantizeOp quantize) {
  StringRef what = isa<HadamardOp>(op) ? "rotated activations" : "rows";
  if (op->getNumResults() != 1 || !isReadBy(op->getResult(0), reader))
    return ("something else reads the " + what + ", too").str();
  // What is launched in between might write where inputs lie.
  for (Operation *next = op->getNextNode(); next != quantize;
       next = next->getNextNode())
    if (!next ||
        !(next == reader || isInlined(next) || isReshape(next) ||
          isa<arith::ConstantOp, tensor::DimOp, tensor::EmptyOp>(next)))
      return "something else is computed in between";
  QuantizeProducers producers{isa<HadamardOp>(op) ? nullptr : op, rotation};
  if (producers.rows) {
    auto root = cast<linalg::LinalgOp>(op);
    if (root.getNumReductionLoops() || rowLoops(op).size() != 1)
      return "a row is more than the last dimension";
    if (lastDim(quantize.getX()) % TokenShape::kVector)
      return "rows of " + std::to_string(lastDim(quantize.getX())) +
             " elements are no multiple of " +
             std::to_string(TokenShape::kVector);
  }
  TokenShape token = tokenOf(producers, quantize, /*natural=*/true);
  std::string rowsOf = "rows of " + std::to_string(token.k) + " elements";
  if (!token.rounds())
    return rowsOf + " do not fit in the registers of a block of threads";
  if (producers.rows && readsRows(op) > 1 &&
      token.rounds() * token.shape().elements > kElementsBesideOthers)
    return rowsOf + " and what is read beside them do not fit in the registers "
                    "of a block of threads";
  return "";
}

static bool isEmpty(Value tensor) {
  return llvm::is_contained(cast<RankedTensorType>(tensor.getType()).getShape(),
                            0);
}

/// The schedule that serves `tokens` (0: more than any schedule's limit), null
/// if that is the one for unaligned operands.
static sftile::ScheduleAttr scheduleFor(Operation *matmul, int64_t tokens) {
  for (sftile::ScheduleAttr schedule : schedulesOf(matmul))
    if (!schedule.getMaxTokens() ||
        (tokens && tokens <= schedule.getMaxTokens()))
      return schedule;
  return {};
}

SmallVector<TokenInterval> mlir::sparseflow::intervalsOf(QuantizeOp op) {
  SmallVector<int64_t> ends;
  for (Operation *user : op->getResult(0).getUsers())
    for (sftile::ScheduleAttr schedule : schedulesOf(user))
      if (int64_t most = schedule.getMaxTokens())
        ends.push_back(most);
  llvm::sort(ends);
  ends.erase(llvm::unique(ends), ends.end());
  ends.push_back(0);
  SmallVector<TokenInterval> intervals;
  for (int64_t most : ends) {
    bool held = !op->getResult(0).use_empty() &&
                llvm::all_of(op->getResult(0).getUsers(), [&](Operation *user) {
                  sftile::ScheduleAttr schedule = scheduleFor(user, most);
                  return schedule && schedule.getHeld();
                });
    if (!intervals.empty() && intervals.back().held == held)
      intervals.back().most = most;
    else
      intervals.push_back({most, held});
  }
  return intervals;
}

/// A schedule by which a matmul quantizes what it reads although the kernel of
/// `op` runs, because another matmul does not; or null. It needs activations
/// that are in memory.
static sftile::ScheduleAttr heldBeside(QuantizeOp op) {
  SmallVector<TokenInterval> intervals = intervalsOf(op);
  for (Operation *user : op->getResult(0).getUsers()) {
    int64_t from = 1;
    for (sftile::ScheduleAttr schedule : schedulesOf(user)) {
      int64_t most =
          schedule.getMaxTokens() ? schedule.getMaxTokens() : INT64_MAX;
      int64_t first = 1;
      for (TokenInterval interval : intervals) {
        int64_t last = interval.most ? interval.most : INT64_MAX;
        if (schedule.getHeld() && !interval.held && first <= most &&
            from <= last)
          return schedule;
        first = last == INT64_MAX ? last : last + 1;
      }
      from = most == INT64_MAX ? most : std::max(from, most + 1);
    }
  }
  return {};
}

/// Whether the kernel of `op` may quantize what it computes.
static bool mayQuantize(Operation *op) {
  return isa<HadamardOp>(op) || kernelFormOf(op) == KernelForm::Rows;
}

QuantizeProducers mlir::sparseflow::producersOf(
    QuantizeOp op,
    function_ref<void(Operation *, const std::string &)> onApart) {
  QuantizeProducers producers;
  if (isEmpty(op.getX()))
    return producers;
  Operation *reader = op, *producer = producerOf(op.getX());
  if (sftile::ScheduleAttr beside = heldBeside(op)) {
    if (producer && mayQuantize(producer))
      onApart(producer, ("a matmul quantizes them by schedule " +
                         beside.getName() + ", where another does not")
                            .str());
    return producers;
  }
  if (auto rotation = dyn_cast_or_null<HadamardOp>(producer)) {
    std::string reason = whyApart(rotation, op, rotation, op);
    if (!reason.empty()) {
      onApart(rotation, reason);
      return producers;
    }
    producers.rotation = rotation;
    reader = rotation;
    producer = producerOf(rotation.getX());
  }
  if (!producer || kernelFormOf(producer) != KernelForm::Rows)
    return producers;
  std::string reason = whyApart(producer, reader, producers.rotation, op);
  if (reason.empty())
    producers.rows = producer;
  else
    onApart(producer, reason);
  return producers;
}

bool mlir::sparseflow::isHoldable(MatmulOp op) {
  auto quantize = op.getX().getDefiningOp<QuantizeOp>();
  if (!quantize || !op.getX().hasOneUse())
    return false;
  Operation *producer = producerOf(quantize.getX());
  return !producer || !mayQuantize(producer);
}

/// The quantization that may compute `op`, which has one reader.
static QuantizeOp nextQuantization(Operation *op) {
  if (op->getNumResults() != 1)
    return {};
  for (Operation *user : op->getResult(0).getUsers()) {
    if (auto quantize = dyn_cast<QuantizeOp>(user))
      return quantize;
    if (isReshape(user) || isa<HadamardOp>(user))
      if (QuantizeOp quantize = nextQuantization(user))
        return quantize;
  }
  return {};
}

bool mlir::sparseflow::isQuantizedWith(Operation *op) {
  if (!mayQuantize(op))
    return false;
  QuantizeOp quantize = nextQuantization(op);
  if (!quantize)
    return false;
  QuantizeProducers producers = producersOf(quantize);
  return op == producers.rows || op == producers.rotation;
}

std::string
mlir::sparseflow::whyNotByMatmuls(QuantizeOp op,
                                  const QuantizeProducers &producers) {
  if (!producers.rows || producers.rotation)
    return "rotated activations are stored";
  for (TokenInterval interval : intervalsOf(op))
    if (interval.held && interval.most != 1)
      return "a block would compute those of more than one token";
  for (Operation *user : op->getResult(0).getUsers())
    for (sftile::ScheduleAttr schedule : schedulesOf(user)) {
      if (!schedule.getHeld())
        continue;
      int64_t threads = schedule.getNumWarps() * 32;
      if (!llvm::isPowerOf2_64(threads))
        return "reductions take a power of two of warps";
      if (lastDim(op.getX()) > kHeldPieces * TokenShape::kVector * threads)
        return "rows of " + std::to_string(lastDim(op.getX())) +
               " elements take too many registers of " +
               std::to_string(threads) + " threads";
    }
  return "";
}

Operation *mlir::sparseflow::rowsOfMatmuls(QuantizeOp op) {
  if (llvm::none_of(intervalsOf(op), [](TokenInterval i) { return i.held; }))
    return nullptr;
  QuantizeProducers producers = producersOf(op);
  return whyNotByMatmuls(op, producers).empty() ? producers.rows : nullptr;
}

//===- LaunchGroup.cpp - Operations that share a launch -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/LaunchGroup.h"
#include "Kernels/Matmul/TernaryScales.h"
#include "Launch/QuantizeGroup.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/KernelForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::sparseflow;

int64_t LaunchGroup::rows() const {
  int64_t rows = 0;
  for (MatmulOp member : members)
    rows += MatmulOp(member).getN();
  return rows;
}

/// Whether both weights are of one form, and both matmuls need the same steps
/// before their epilogues.
static bool sameForm(MatmulOp a, MatmulOp b) {
  TernaryAttr ternary = a.getTernary();
  if (ternary != b.getTernary() || a.getX() != b.getX() ||
      a.getK() != b.getK() || a->getBlock() != b->getBlock())
    return false;
  return ternary ? !loopScales(a) : a.getStorage() == b.getStorage();
}

/// Whether `op` reads nothing, but for `except`, that is computed at `first` or
/// behind it.
static bool readyAt(MatmulOp op, Operation *first, Value except = {}) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    return operand == except || !source ||
           source->getBlock() != first->getBlock() ||
           source->isBeforeInBlock(first);
  });
}

/// Whether the epilogues are the same arithmetic on operands of the same kind.
static bool sameEpilogue(MatmulOp a, MatmulOp b) {
  return a.getResultType().getElementType() ==
             b.getResultType().getElementType() &&
         a.getBroadcasts() == b.getBroadcasts() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getEpilogue(), &b.getEpilogue(),
             OperationEquivalence::IgnoreLocations);
}

/// The matmul that `op`'s result gates, or nothing.
static std::optional<LaunchGroup> gatedBy(MatmulOp op) {
  if (!op.getResult().hasOneUse())
    return std::nullopt;
  OpOperand &use = *op.getResult().use_begin();
  auto other = dyn_cast<MatmulOp>(use.getOwner());
  if (!other || !sameForm(op, other) || op.getN() != other.getN() ||
      !readyAt(other, op, op.getResult()))
    return std::nullopt;
  for (auto [index, operand, broadcast] :
       llvm::enumerate(other.getEpilogueOperands(), other.getBroadcastList()))
    if (operand == op.getResult() && broadcast == Broadcast::Full)
      return LaunchGroup{{op, other}, int64_t(index)};
  return std::nullopt;
}

std::optional<LaunchGroup> mlir::sparseflow::launchGroupOf(MatmulOp op) {
  if (op.getTernary() && loopScales(op))
    return std::nullopt;
  if (std::optional<LaunchGroup> pair = gatedBy(op))
    return pair;
  for (Value operand : op.getEpilogueOperands())
    if (auto source = operand.getDefiningOp<MatmulOp>())
      if (std::optional<LaunchGroup> pair = gatedBy(source);
          pair && pair->members.back() == op)
        return pair;
  // Blocks of streamed kernels alone find their weight by their number.
  if (!op.getTernary())
    return std::nullopt;
  SmallVector<MatmulOp> users;
  for (Operation *user : op.getX().getUsers())
    if (auto other = dyn_cast<MatmulOp>(user))
      if (sameForm(op, other) && sameEpilogue(op, other) && !gatedBy(other) &&
          !llvm::is_contained(users, other))
        users.push_back(other);
  llvm::sort(users,
             [](MatmulOp a, MatmulOp b) { return a->isBeforeInBlock(b); });
  LaunchGroup group;
  for (MatmulOp user : users)
    if (readyAt(user, users.front()))
      group.members.push_back(user);
  if (group.members.size() < 2 || !llvm::is_contained(group.members, op))
    return std::nullopt;
  return group;
}

Attribute mlir::sparseflow::sharedKernelOf(sftile::ScheduleAttr schedule) {
  if (!schedule.getProducerWarps() && !schedule.getMultistage())
    return {};
  sftile::MatmulTileFields tile = schedule.getTile();
  tile.maxTokens = 0;
  return sftile::ScheduleAttr::get(schedule.getContext(), schedule.getName(),
                                   tile, schedule.getPipeline());
}

int64_t mlir::sparseflow::mostRowsOf(ArrayRef<sftile::ScheduleAttr> schedules,
                                     sftile::ScheduleAttr schedule) {
  Attribute shared = sharedKernelOf(schedule);
  int64_t most = schedule.getMaxTokens();
  for (sftile::ScheduleAttr other : schedules)
    if (shared && sharedKernelOf(other) == shared)
      most = std::max(most, other.getMaxTokens());
  bool servesLast = schedules.back() == schedule ||
                    (shared && sharedKernelOf(schedules.back()) == shared);
  return servesLast ? 0 : most;
}

bool mlir::sparseflow::isLaunchless(Operation *op) {
  return isInlined(op) ||
         isa<tensor::EmptyOp, tensor::DimOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::CastOp, arith::ConstantOp>(op);
}

Operation *mlir::sparseflow::nextLaunched(Operation *op) {
  do
    op = op->getNextNode();
  while (isLaunchless(op));
  return op;
}

HadamardOp mlir::sparseflow::rotationBefore(HadamardOp op) {
  Operation *previous = op->getPrevNode();
  while (previous && isLaunchless(previous))
    previous = previous->getPrevNode();
  auto first = dyn_cast_or_null<HadamardOp>(previous);
  bool areAlike = first && !first.getSigns() && !op.getSigns() &&
                  first.getBlock() == op.getBlock() &&
                  getElementTypeOrSelf(first.getType()) ==
                      getElementTypeOrSelf(op.getType()) &&
                  skipReshapes(op.getX()) != first.getResult() &&
                  !isQuantizedWith(first) && !isQuantizedWith(op);
  return areAlike ? first : HadamardOp();
}

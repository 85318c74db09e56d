//===- RowsOfMatmuls.cpp - Rows that matmuls compute ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/Rows/RowsOfMatmuls.h"
#include "Kernels/Tensor/TensorKernel.h"
#include "Launch/LaunchGroup.h"
#include "Launch/QuantizeGroup.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Elements of a row in the registers of a thread whose block computes the row
// beside its first weights.
static constexpr int64_t kElementsOfThread = 32;

/// The root of a kernel of rows that computes what `op` reads, or null.
static Operation *rowsReadBy(MatmulOp op) {
  Value source = skipReshapes(op.getX());
  Operation *root = source.getDefiningOp();
  return root && kernelFormOf(root) == KernelForm::Rows &&
                 lastDim(source) == lastDim(op.getX())
             ? root
             : nullptr;
}

/// Adds the matmuls that read `tensor`, by any of its shapes, to `readers`;
/// false if something else does.
static bool addReaders(Value tensor, SmallVectorImpl<MatmulOp> &readers) {
  bool others = false;
  for (OpOperand &use : tensor.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user))
      continue;
    bool isShape = user->getNumResults() == 1 &&
                   isa<RankedTensorType>(user->getResult(0).getType()) &&
                   skipReshapes(user->getResult(0)) == skipReshapes(tensor);
    auto matmul = dyn_cast<MatmulOp>(user);
    if (isShape)
      others |= !addReaders(user->getResult(0), readers);
    else if (matmul && !matmul.getTernary() && &use == &matmul.getXMutable())
      readers.push_back(matmul);
    else
      others = true;
  }
  return !others;
}

/// Whether nothing is launched between `root` and the last of `readers` but
/// these: it might write where inputs of the rows lie.
static bool areNext(Operation *root, ArrayRef<MatmulOp> readers) {
  size_t left = readers.size();
  for (Operation *next = root->getNextNode(); left; next = next->getNextNode())
    if (!next)
      return false;
    else if (llvm::is_contained(readers, next))
      --left;
    else if (!isInlined(next) &&
             !isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                  tensor::CastOp, tensor::ReshapeOp, tensor::DimOp,
                  tensor::EmptyOp, arith::ConstantOp>(next))
      return false;
  return true;
}

/// Why `readers` of `root` do not compute its rows whatever their schedules, or
/// an empty string; finds them.
static std::string whyStored(Operation *root,
                             SmallVectorImpl<MatmulOp> &readers) {
  auto linalg = cast<linalg::LinalgOp>(root);
  if (linalg.getNumReductionLoops() || rowLoops(root).size() != 1 ||
      root->getNumResults() != 1)
    return "a row is more than the last dimension";
  if (!addReaders(root->getResult(0), readers) || readers.empty())
    return "something else than matmuls of dense and 2:4 weights reads them";
  if (!areNext(root, readers))
    return "something else is computed in between";
  return "";
}

bool mlir::sparseflow::readsComputableRows(MatmulOp op) {
  SmallVector<MatmulOp> readers;
  Operation *root = rowsReadBy(op);
  return root && whyStored(root, readers).empty();
}

bool mlir::sparseflow::computesRows(sftile::ScheduleAttr schedule) {
  return schedule.getHeld() && schedule.getMultistage();
}

SmallVector<MatmulOp> mlir::sparseflow::matmulsThatCompute(
    Operation *root, function_ref<void(const std::string &)> onStored) {
  SmallVector<MatmulOp> readers;
  if (kernelFormOf(root) != KernelForm::Rows)
    return {};
  std::string reason = whyStored(root, readers);
  auto firstOf = [](MatmulOp reader) -> sftile::ScheduleAttr {
    SmallVector<sftile::ScheduleAttr> schedules = schedulesOf(reader);
    return schedules.empty() ? sftile::ScheduleAttr() : schedules.front();
  };
  auto computes = [&](MatmulOp reader) {
    sftile::ScheduleAttr schedule = firstOf(reader);
    return schedule && computesRows(schedule);
  };
  if (readers.empty())
    return {};
  for (MatmulOp reader : readers) {
    if (!reason.empty())
      break;
    sftile::ScheduleAttr schedule = firstOf(reader);
    int64_t columns = lastDim(reader.getX());
    if (!computes(reader))
      reason = "a matmul of them has no schedule by which blocks compute them";
    else if (reader->hasAttr(kDenseSchedulesAttr))
      reason = "the dense form of a weight is chosen matmul by matmul";
    else if (columns > kElementsOfThread * schedule.getNumWarps() * 32)
      reason = "rows of " + std::to_string(columns) +
               " elements take too many registers of " +
               std::to_string(schedule.getNumWarps() * 32) + " threads";
  }
  if (reason.empty())
    return readers;
  onStored(reason);
  return {};
}

Operation *mlir::sparseflow::rowsComputedBy(MatmulOp op) {
  Operation *root = rowsReadBy(op);
  return root && !matmulsThatCompute(root).empty() ? root : nullptr;
}

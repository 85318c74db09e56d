//===- TensorKernel.cpp - Kernels of tensor ops ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/TensorKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/ThreadCode.h"
#include "Kernels/Tensor/ElementEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32;
static constexpr int64_t kAccessBytes = 16, kLineBytes = 128;
// Blocks that keep every SM of the largest targets busy.
static constexpr int64_t kManyBlocks = 256;
// The most lanes: of elements of one byte, more would only take registers.
static constexpr int64_t kMaxVector = 8;
// Rows that a warp holds have at most so many elements; a block of such warps.
static constexpr int64_t kWarpRow = 1024, kWarpsPerBlock = 4;
// Elements that a thread of a longer row should have.
static constexpr int64_t kRowElements = 16;
// More threads would have fewer than 128 registers, of which so many may hold
// elements: of each tensor that is read, and what is computed of them.
static constexpr int64_t kMaxThreads = 512, kMaxHeld = 96;
// Blocks that bring vectors to the L2 cache, where each needs all of them.
static constexpr int64_t kPrefetchingBlocks = 4;

/// What a kernel of rows that reduces reads, or null.
static OpOperand *reducedInput(const TensorGroup &group) {
  auto op = cast<linalg::LinalgOp>(group.root);
  return op.getNumReductionLoops() && op.getNumDpsInputs()
             ? op.getDpsInputOperand(0)
             : nullptr;
}

/// The tensor that lanes run over: the result, or what a reduction reads.
static Value tensorOfLanes(const TensorGroup &group, KernelForm form) {
  OpOperand *input = form == KernelForm::Rows ? reducedInput(group) : nullptr;
  return input ? input->get() : group.getComputed().front();
}

/// Whether the dimension `dim` of `tensorOfLanes` is one of a row.
static bool isOfRow(const TensorGroup &group, int64_t dim) {
  auto op = cast<linalg::LinalgOp>(group.root);
  OpOperand *input = reducedInput(group);
  AffineMap map =
      op.getMatchingIndexingMap(input ? input : op.getDpsInitOperand(0));
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(unsigned(dim)));
  return loop && llvm::is_contained(rowLoops(group.root), loop.getPosition());
}

int64_t
mlir::sparseflow::vectorOf(const TensorGroup &group, KernelForm form,
                           std::optional<std::pair<Value, int64_t>> &dynamic) {
  dynamic.reset();
  Value tensor = tensorOfLanes(group, form);
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() == 0)
    return 1;
  int64_t vector =
      std::min(kMaxVector, kAccessBytes / elementBytes(type.getElementType()));
  if (form == KernelForm::Columns) {
    // The states of all warps' columns meet in shared memory.
    vector = std::clamp<int64_t>(kMaxVector / int64_t(group.outputs.size()), 1,
                                 vector);
    // Blocks for every SM, as long as the accesses of a warp are whole lines.
    auto op = cast<linalg::LinalgOp>(group.root);
    Type element = type.getElementType();
    if (op.getNumDpsInputs())
      element = getElementTypeOrSelf(op.getDpsInputOperand(0)->get().getType());
    int64_t least = kLineBytes / kWarp / elementBytes(element);
    while (type.hasStaticShape() && vector > std::max<int64_t>(least, 1) &&
           type.getNumElements() < vector * kWarp * kManyBlocks)
      vector /= 2;
  }
  // The innermost dimension that is more than a unit.
  int64_t dim = type.getRank() - 1;
  // Tokens lie apart in a cache, and so may elements of a slice.
  if (group.getAppend() && type.getDimSize(dim) == 1)
    return 1;
  if (tensor::InsertSliceOp slice = group.getSlice())
    if (type.getDimSize(dim) == 1 || !isInsideAlways(slice).back() ||
        slice.getDroppedDims().test(slice.getDestType().getRank() - 1))
      return 1;
  while (dim > 0 && type.getDimSize(dim) == 1)
    --dim;
  // A row may have unit dimensions alone; or others than the innermost ones.
  if (form == KernelForm::Rows && !isOfRow(group, dim))
    return 1;
  if (type.isDynamicDim(dim)) {
    dynamic = {tensor, dim};
    return vector;
  }
  int64_t size = std::max<int64_t>(type.getDimSize(dim), 1);
  return std::min(vector, size & -size);
}

void mlir::sparseflow::prefetchVectors(
    ThreadCode &code, const TensorGroup &group,
    function_ref<Value(int64_t input)> pointerOf, int64_t threads) {
  Value isFirst = code.less(code.blockId(), code.integer(kPrefetchingBlocks));
  code.ifTrue(isFirst, [&] {
    for (auto [number, input] : llvm::enumerate(group.inputs)) {
      auto type = cast<RankedTensorType>(input.getType());
      if (type.getRank() != 1 || !type.hasStaticShape())
        continue;
      int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
      code.prefetch(pointerOf(int64_t(number)), code.integer(bytes), bytes,
                    threads);
    }
  });
}

SmallVector<unsigned> mlir::sparseflow::rowLoops(Operation *root) {
  SmallVector<unsigned> loops;
  auto op = cast<linalg::LinalgOp>(root);
  op.getReductionDims(loops);
  if (!loops.empty())
    return loops;
  auto count = root->getAttrOfType<IntegerAttr>(kRowDimsAttr);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (AffineExpr expr : map.getResults().take_back(count.getInt()))
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  return loops;
}

/// Elements of a row; dynamic where one of its sizes is.
static int64_t staticRowLength(Operation *root) {
  SmallVector<int64_t, 4> ranges =
      cast<linalg::LinalgOp>(root).getStaticLoopRanges();
  int64_t length = 1;
  for (unsigned loop : rowLoops(root)) {
    if (ShapedType::isDynamic(ranges[loop]))
      return ShapedType::kDynamic;
    length *= ranges[loop];
  }
  return length;
}

RowShape mlir::sparseflow::rowShapeOf(const TensorGroup &group,
                                      int64_t vector) {
  int64_t length = staticRowLength(group.root);
  if (ShapedType::isDynamic(length))
    return {kMaxThreads / 2, 1, 0};
  if (length <= kWarpRow)
    return {kWarp, kWarpsPerBlock,
            std::max<int64_t>(1, llvm::divideCeil(length, kWarp * vector))};
  int64_t threads = std::clamp<int64_t>(
      llvm::PowerOf2Ceil(length / kRowElements), kWarp, kMaxThreads);
  int64_t slots = llvm::divideCeil(length, threads * vector);
  int64_t tensors = llvm::count_if(group.inputs, [](Value input) {
    return cast<RankedTensorType>(input.getType()).getRank() > 0;
  });
  if (slots * vector * (tensors + 1) > kMaxHeld)
    return {kMaxThreads, 1, 0};
  return {threads, 1, slots};
}

gpu::GPUFuncOp TensorKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  switch (form) {
  case KernelForm::Map:
    return generateMaps(builder, name, *this);
  case KernelForm::Rows:
    return generateRows(builder, *this);
  case KernelForm::Columns:
    return generateColumns(builder, *this);
  case KernelForm::Product:
    break;
  }
  llvm_unreachable("a product is no group of tensor ops");
}

Value TensorKernel::gridSize(
    OpBuilder &builder,
    function_ref<Value(Value tensor, int64_t dim)> sizeOf) const {
  Value output = group.getComputed().front();
  int64_t rank = cast<RankedTensorType>(output.getType()).getRank();
  int64_t tile = form == KernelForm::Map       ? mapTile(group, access.vector)
                 : form == KernelForm::Columns ? columnTile(access.vector)
                                               : 1;
  if (form == KernelForm::Rows) {
    tile = rowShapeOf(group, access.vector).rowsPerBlock;
    // Of a reduction every element of the result is a row.
    if (!cast<linalg::LinalgOp>(group.root).getNumReductionLoops())
      rank -= int64_t(rowLoops(group.root).size());
  }
  HostIntegers host{builder, loc};
  Value count = host.constant(1);
  for (int64_t dim = 0; dim < rank; ++dim)
    count = host.mul(count, sizeOf(output, dim));
  return host.ceilDiv(count, tile);
}

//===- StageLayout.cpp - Memory of kernels with copying warps -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What WarpSpecializedMatmul.cpp's kernels hold in shared memory, and which of
// their arguments TMA reads or writes.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/MatmulKernel.h"
#include "Kernels/Quantize/QuantizeKernel.h"
#include "SparseFlow/Target/NVPTX/Resources.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Rows of a swizzled tile in bytes, and features of a box of results.
static constexpr int64_t kSwizzle = 128, kBoxFeatures = 64;
// Packed weights come in units of 64 x 64.
static constexpr int64_t kUnit = 64;
static constexpr int64_t kGroupWarps = 4, kAlignment = 1024;
// Shared memory that is left for barriers.
static constexpr int64_t kBarriersBytes = 512;
// More stages than this are ahead of what TMA delivers meanwhile.
static constexpr int64_t kMostStages = 4, kLeastSteps = 8;

/// The map of packed units, `rows` x `cols` of them, and a box that fills
/// `tile`: a unit is rows of at most 256 elements, which is what a box may have
/// along a dimension. 32-bit words are called floats, because maps of integers
/// of that size are not part of a manifest; copies do not look at them.
static MatmulKernel::Map mapOfUnits(TileType tile, int64_t rows, int64_t cols) {
  TileType::Unit unit = tile.getUnit();
  Type type = tile.getElementType();
  int64_t elements = unit.bytes * 8 / type.getIntOrFloatBitWidth();
  int64_t inner = std::min<int64_t>(elements, 256), outer = elements / inner;
  if (type.isInteger(32))
    type = Float32Type::get(type.getContext());
  return {type,
          {inner, outer, cols, rows},
          {inner, outer, tile.getShape()[1] / unit.cols,
           tile.getShape()[0] / unit.rows},
          /*swizzle=*/0};
}

bool MatmulKernel::boxesWeights() const {
  // With fewer copies the first stages of a block are full sooner. Persistent
  // blocks, which fill them while the tile before is multiplied, gain nothing.
  if (!isWarpSpecialized() || !isTwoFour() || schedule.getGrid())
    return false;
  // Beyond the last unit a box would hold zeros, which are no valid metadata.
  int64_t rows = schedule.getBlock()[0] * schedule.getCluster() / kUnit;
  return rows > 1 && llvm::divideCeil(n, kUnit) % rows == 0;
}

SmallVector<std::optional<MatmulKernel::Map>> MatmulKernel::mapsOf() const {
  int64_t pointers = (isTwoFour() ? 3 : 2) + (scales ? 1 : 0) +
                     (partial() ? 0 : operands.size()) + 1;
  SmallVector<std::optional<Map>> maps(pointers);
  if (!isWarpSpecialized())
    return maps;
  int64_t blockF = schedule.getBlock()[0], blockT = schedule.getBlock()[1];
  int64_t boxCols = kSwizzle * 8 / operandType.getIntOrFloatBitWidth();
  constexpr int64_t tokens = ShapedType::kDynamic;
  maps[0] = Map{operandType,
                {pitch(), tokens},
                {boxCols, blockT / schedule.getCluster()}};
  if (isDense())
    maps[1] = Map{operandType, {k, n}, {schedule.getK(), blockF}};
  if (boxesWeights())
    for (auto [map, tile] :
         llvm::zip(MutableArrayRef(maps).slice(1, 2), stageTiles()))
      map = mapOfUnits(tile, llvm::divideCeil(n, kUnit),
                       llvm::divideCeil(k, kUnit));
  SmallVector<int64_t> box = {kBoxFeatures, schedule.getStoreTokens()};
  if (sendsResults())
    maps.back() = Map{resultType, {n, tokens}, box};
  for (auto [index, operand] : llvm::enumerate(operands))
    if (isFetched(operand))
      maps[maps.size() - 1 - operands.size() + index] =
          Map{operand.elementType, {n, tokens}, box};
  return maps;
}

SmallVector<TileType> MatmulKernel::stageTiles() const {
  MLIRContext *context = operandType.getContext();
  auto tile = [&](int64_t rows, int64_t cols, Type type, Order order) {
    return TileType::get(context, {rows, cols}, type, order);
  };
  int64_t blockF = schedule.getBlock()[0], depth = schedule.getK();
  auto words = IntegerType::get(context, 32);
  SmallVector<TileType> tiles;
  if (isTwoFour())
    tiles = {tile(blockF, depth / 2, operandType, Order::Values24),
             tile(blockF / 16, depth / 2, words, Order::Metadata24)};
  else if (isTernary())
    tiles = {
        tile(blockF / 16,
             keeps == KeptCodes::All ? depth * planes() : ternaryPieces() * 32,
             words, ternaryOrder())};
  else
    tiles = {tile(blockF, depth, operandType, Order::Swizzled)};
  if (int64_t groups = stageGroups())
    tiles.append(planes(), tile(groups, blockF, scales->type, Order::RowMajor));
  int64_t boxCols = kSwizzle * 8 / operandType.getIntOrFloatBitWidth();
  for (int64_t k = 0; k < depth; k += boxCols)
    tiles.push_back(
        tile(schedule.getBlock()[1], boxCols, operandType, Order::Swizzled));
  return tiles;
}

bool MatmulKernel::isFetched(const ElementOperand &operand) const {
  return sendsResults() && operand.broadcast == Broadcast::Full &&
         !operand.isTransposed && operand.width == 16 &&
         operand.elementType.getIntOrFloatBitWidth() == 16 &&
         operandStages() > 0;
}

int64_t MatmulKernel::operandStages() const {
  int64_t full = 0, fetched = 0;
  for (const ElementOperand &operand : operands) {
    if (operand.broadcast != Broadcast::Full)
      continue;
    ++full;
    fetched += !operand.isTransposed && operand.width == 16 &&
               operand.elementType.getIntOrFloatBitWidth() == 16;
  }
  // Others would need memory to change their layout, and a short depth gives no
  // time in which operands could arrive.
  int64_t steps = llvm::divideCeil(k, schedule.getK()) / schedule.getSplitK();
  if (!sendsResults() || !fetched || full != fetched || steps < kLeastSteps)
    return 0;
  auto ring = RingType::get(operandType.getContext(), schedule.getStages(),
                            stageTiles());
  int64_t box = llvm::alignTo(schedule.getStoreTokens() * 128, kAlignment);
  int64_t groups = schedule.getNumConsumerWarps() / kGroupWarps;
  int64_t left = SMLimits::ofLargest().sharedBytesPerBlock - kBarriersBytes -
                 ring.getStages() * ring.getStageBytes() -
                 groups * schedule.getStoreBuffers() * box;
  int64_t stages = std::min(left / (fetched * groups * box), kMostStages);
  return stages < 2 ? 0 : stages;
}

MatmulKernel MatmulKernel::withRoomForOperands() const {
  if (!isWarpSpecialized() || operandStages() || schedule.getStages() < 4)
    return *this;
  MatmulKernel smaller = *this;
  smaller.schedule = schedule.withStages(schedule.getStages() - 1);
  return smaller.operandStages() ? smaller : *this;
}

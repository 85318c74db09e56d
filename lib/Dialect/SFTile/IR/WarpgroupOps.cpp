//===- WarpgroupOps.cpp - Verifiers of asynchronous MMAs ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseOperands.h"
#include "Staging.h"

using namespace mlir;
using namespace mlir::sftile;

// Columns of a tile of a transposed B: 128 bytes.
static constexpr int64_t kTileCols = 64;

//===----------------------------------------------------------------------===//
// Asynchronous MMAs
//===----------------------------------------------------------------------===//

/// The accumulator of one warp of the warpgroup.
static LogicalResult verifyAccumulator(MmaAsyncOp op) {
  AsyncMmaAtomInterface atom = op.getAtom();
  FragType acc = op.getResult().getType().getFrag();
  Type given = op.getAcc().getType();
  auto pending = dyn_cast<PendingType>(given);
  if (op.getCleared() && pending)
    return op.emitOpError("expected registers of finished sums to be cleared, "
                          "found ")
           << given;
  if ((pending ? pending.getFrag() : given) != acc)
    return op.emitOpError("expected an accumulator of the result's type ")
           << acc << ", found " << given;
  int64_t rows = atom.getM() / 4, columns = acc.getShape()[1];
  bool isByte = atom.getOperandType().isInteger(8);
  LayoutAttr layout = LayoutAttr::get(op.getContext(), atom.getLayoutC());
  if (acc.getElementType() == atom.getAccumulatorType() &&
      acc.getLayout() == layout && acc.getShape()[0] == rows &&
      columns <= atom.getMaxN() &&
      (!isByte || columns == 8 || columns == 24 || columns % 16 == 0))
    return success();
  return op.emitOpError("expected an accumulator of ")
         << rows << " x n elements of " << atom.getAccumulatorType()
         << ", n at most " << atom.getMaxN()
         << (isByte ? " and 8, 24 or a multiple of 16" : "")
         << ", in the layout " << layout << ", found " << acc;
}

static LogicalResult verifySwizzledRows(MmaAsyncOp op, StringRef name,
                                        TileType tile) {
  if (tile.getOrder() == Order::Swizzled && tile.getPitch() == 128)
    return success();
  return op.emitOpError("expected ")
         << name << " in a swizzled tile with rows of 128 bytes, found "
         << tile;
}

/// A in shared memory, or the warp's rows of it in registers.
static LogicalResult verifyA(MmaAsyncOp op) {
  AsyncMmaAtomInterface atom = op.getAtom();
  Type element = atom.getOperandType();
  auto tile = dyn_cast<TileType>(op.getA().getType());
  if (bool(tile) != bool(op.getARow()))
    return op.emitOpError(tile ? "expected the corner of the MMA in a, a "
                                 "tile"
                               : "expected no corner in a, whose registers are "
                                 "one step of K");
  if (tile) {
    std::optional<Order> order = atom.getOrderA();
    if (!order)
      return op.emitOpError("expected a in registers for ")
             << op.getAtomAttr() << ", found " << tile;
    if (tile.getElementType() != element)
      return op.emitOpError("expected a of ")
             << element << " for " << op.getAtomAttr() << ", found "
             << tile.getElementType();
    if (tile.getOrder() != *order)
      return op.emitOpError("expected a in ")
             << stringifyOrder(*order) << " order for " << op.getAtomAttr()
             << ", found " << stringifyOrder(tile.getOrder());
    return *order == Order::Swizzled ? verifySwizzledRows(op, "a", tile)
                                     : success();
  }
  auto a = cast<FragType>(op.getA().getType());
  LayoutAttr layout = LayoutAttr::get(op.getContext(), atom.getLayoutA());
  int64_t rows = atom.getM() / 4, k = atom.getK() / (atom.isSparse() ? 2 : 1);
  if (a.getElementType() == element && a.getLayout() == layout &&
      a.getShape() == ArrayRef<int64_t>{rows, k})
    return success();
  return op.emitOpError("expected a of ")
         << rows << " x " << k << " elements of " << element
         << " in the layout " << layout << ", found " << a;
}

/// B with K along its rows: every 64 columns of the accumulator have a tile.
static LogicalResult verifyTransposedB(MmaAsyncOp op) {
  TileType b = op.getB().getType();
  int64_t k = op.getAtom().getK();
  if (b.getElementType().isInteger(8))
    return op.emitOpError("expected b of 16-bit elements to be transposed, "
                          "found ")
           << b;
  if (b.getShape()[1] != kTileCols || b.getShape()[0] < k ||
      b.getShape()[0] % 8)
    return op.emitOpError("expected a transposed b of 64 columns and a "
                          "multiple of 8 rows, at least ")
           << k << ", found " << b;
  int64_t columns = op.getResult().getType().getFrag().getShape()[1];
  size_t tiles = llvm::divideCeil(columns, kTileCols), found = 1;
  if (auto wait = op.getB().getDefiningOp<WaitOp>()) {
    size_t first = cast<OpResult>(op.getB()).getResultNumber();
    ResultRange stage = wait.getTiles();
    while (first + found < stage.size() && stage[first + found].getType() == b)
      ++found;
  }
  if (found < tiles)
    return op.emitOpError("expected a tile for every ")
           << kTileCols << " of the " << columns
           << " columns of the accumulator, one behind the other in a stage, "
              "found "
           << found;
  return success();
}

static LogicalResult verifyB(MmaAsyncOp op) {
  TileType b = op.getB().getType();
  // Bytes of B have a sign, whatever those of A have.
  Type element = op.getAtom().getOperandType();
  if (element.isInteger(8))
    element = IntegerType::get(op.getContext(), 8);
  if (b.getElementType() != element)
    return op.emitOpError("expected b of ")
           << element << " for " << op.getAtomAttr() << ", found "
           << b.getElementType();
  if (failed(verifySwizzledRows(op, "b", b)))
    return failure();
  if (op.getTransposed())
    return verifyTransposedB(op);
  int64_t columns = op.getResult().getType().getFrag().getShape()[1];
  if (columns > b.getShape()[0])
    return op.emitOpError("expected b with a row for each of the ")
           << columns << " columns of the accumulator, found " << b;
  return success();
}

LogicalResult MmaAsyncOp::verify() {
  if (failed(verifyAccumulator(*this)) || failed(verifyA(*this)) ||
      failed(verifyB(*this)) || failed(verifyHasMetadata(*this)))
    return failure();
  if (!getAtom().isSparse())
    return success();
  FragType metadata = getMetadata().getType();
  auto isWords = [&](ArrayRef<int64_t> shape, const LinearLayout &layout) {
    return metadata.getShape() == shape &&
           metadata.getLayout() == LayoutAttr::get(getContext(), layout);
  };
  if (!metadata.getElementType().isInteger(32) ||
      (!isWords({1, 32}, getMetadataLayout()) &&
       !isWords({4, 32}, getNonzeroWordsLayout(4))))
    return emitOpError("expected metadata of 1 x 32 words, one for each lane, "
                       "or of 4 x 32, four neighbouring ones for each, found ")
           << metadata;
  return verifySelector(*this, metadata.getElementsPerLane());
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// MMAs have accumulators; copies have none, and groups only if a thread's own:
/// those of tensor maps are waited for with their tile.
static LogicalResult verifyGroup(Operation *op, Attribute atom,
                                 OperandRange accumulators) {
  auto copies = dyn_cast<CopyAtomInterface>(atom);
  if (copies && (copies.usesTensorMap() || !copies.isAsynchronous()))
    return op->emitOpError(
               "expected an atom of asynchronous copies of a thread "
               "for a group of copies, found ")
           << atom;
  if (bool(copies) != accumulators.empty())
    return op->emitOpError("expected ")
           << (copies ? "no accumulators for a group of copies by "
                      : "the accumulators of a group of MMAs by ")
           << atom;
  return success();
}

LogicalResult CommitGroupOp::verify() {
  return verifyGroup(*this, getAtom(), getAccumulators());
}

LogicalResult WaitGroupOp::verify() {
  if (Value tile = getTile()) {
    if (!getAccumulators().empty() || !getHeld().empty())
      return emitOpError(
          "expected no accumulators and no fragments to hold for "
          "copies from a tile");
    return verifyStaging(*this, tile, getAtom());
  }
  if (failed(verifyGroup(*this, getAtom(), getAccumulators())))
    return failure();
  if (getAccumulators().size() != getResults().size())
    return emitOpError("expected a result for each accumulator, found ")
           << getAccumulators().size() << " accumulators and "
           << getResults().size() << " results";
  if (getAccumulators().empty() && !getHeld().empty())
    return emitOpError("expected no fragments to hold for a group of copies, "
                       "which read no registers");
  int64_t left = getPending();
  if (left > 7 && !getAccumulators().empty())
    return emitOpError("expected 0 to 7 groups to be pending, found ") << left;
  for (auto [accumulator, result] :
       llvm::zip(getAccumulators(), getResults())) {
    if (accumulator.getDefiningOp<MmaAsyncOp>())
      return emitOpError("expected accumulators of groups of MMAs; use "
                         "sftile.commit_group behind the last MMA");
    auto type = cast<PendingType>(accumulator.getType());
    bool mayBePending = left > 0 && result.getType() == type;
    if (!mayBePending && result.getType() != type.getFrag())
      return emitOpError("expected a result of ")
             << type.getFrag() << (left ? ", finished or pending" : "")
             << ", found " << result.getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The order of instructions
//===----------------------------------------------------------------------===//

LogicalResult SchedBarrierOp::verify() {
  if (getInSass() && !getSource().getType().getElementType().isF32())
    return emitOpError("expected elements of f32, found ")
           << getSource().getType();
  return success();
}

LogicalResult OrderedBarrierOp::verify() {
  auto role = (*this)->getParentOfType<RoleOp>();
  if (!role || role.getLeader() || role.getWarps() % 4)
    return emitOpError("expected a role of whole warpgroups, four warps each, "
                       "that all take part");
  return success();
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

LogicalResult RoleOp::verify() {
  if (cast<YieldOp>(getBody().front().getTerminator()).getValue())
    return emitOpError("expected a region that yields nothing");
  if (getWarps() < 1 || getWarps() > 32)
    return emitOpError("expected 1 to 32 warps, found ") << getWarps();
  if (!getBeside().empty() && (!getLeader() || getWarps() < 2))
    return emitOpError("expected a leader, and a second warp, for what stands "
                       "beside its body");
  WalkResult rings = getBeside().walk([](Operation *op) {
    return WalkResult(failure(llvm::any_of(
        op->getOperandTypes(), [](Type type) { return isa<RingType>(type); })));
  });
  if (rings.wasInterrupted())
    return emitOpError("expected no ring beside its body: one warp fills "
                       "stages, or all of a role read them");
  if (!getRegisters())
    return success();
  int64_t registers = *getRegisters();
  if (getWarps() % 4)
    return emitOpError("expected a multiple of 4 warps, which take and give "
                       "registers together, found ")
           << getWarps();
  if (registers < 24 || registers > 256 || registers % 8)
    return emitOpError("expected registers as a multiple of 8 from 24 to 256, "
                       "found ")
           << registers;
  return success();
}

//===----------------------------------------------------------------------===//
// Meeting others
//===----------------------------------------------------------------------===//

LogicalResult BarrierOp::verify() {
  bool isNamed = getScope() == BarrierScope::Threads;
  if (isNamed != bool(getNumber()) || isNamed != getThreads().has_value())
    return emitOpError(
        "expected the number of a barrier and of its threads, "
        "'threads(%number of 64)', for the scope threads and for "
        "no other");
  if (isNamed && (*getThreads() == 0 || *getThreads() % 32))
    return emitOpError("expected whole warps, a multiple of 32 threads; found ")
           << *getThreads();
  return success();
}

LogicalResult AddressOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(
      LLVM::LLVMPointerType::get(context, adaptor.getRank() ? 7 : 3));
  return success();
}

LogicalResult AddressOp::verify() {
  if (!isa<TileType, SlotType>(getMemory().getType()) && !getRank())
    return emitOpError("expected a tile, or the rank of the block whose memory "
                       "is meant, 'of %rank'");
  return success();
}

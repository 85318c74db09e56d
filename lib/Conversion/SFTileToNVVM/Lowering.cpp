//===- Lowering.cpp - Shared pieces of the sftile lowering ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Value Integers::cast(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex())
    return builder.createOrFold<arith::IndexCastOp>(loc, type, value);
  if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return builder.createOrFold<arith::ExtSIOp>(loc, type, value);
  return builder.createOrFold<arith::TruncIOp>(loc, type, value);
}

Value Integers::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer, bytes);
}

Value Integers::advance(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(bytes)});
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// True if an element is a register, and not a half or a quarter of one.
static bool hasOwnRegisters(FragType type) {
  return type.getElementsPerLane() == type.getRegistersPerLane();
}

SFTileTypeConverter::SFTileTypeConverter(MLIRContext *context) {
  addConversion([](Type type) { return type; });
  addConversion([](ViewType type, SmallVectorImpl<Type> &results) {
    if (type.getOrder() == Order::TensorMap) {
      results.push_back(LLVM::LLVMPointerType::get(type.getContext()));
      return success();
    }
    Type i64 = IntegerType::get(type.getContext(), 64);
    results.push_back(
        LLVM::LLVMPointerType::get(type.getContext(), kGlobalSpace));
    // Rows have a pitch, and groups of so many of them another.
    results.append(type.getOrder() == Order::GroupedRows ? 5
                   : type.getOrder() == Order::RowMajor  ? 3
                                                         : 2,
                   i64);
    return success();
  });
  addConversion([](FragType type, SmallVectorImpl<Type> &results) {
    MLIRContext *context = type.getContext();
    Type reg = type.getElementType();
    if (!hasOwnRegisters(type))
      reg = IntegerType::get(context, 32);
    results.append(type.getRegistersPerLane(), reg);
    return success();
  });
  addConversion([this](PendingType type, SmallVectorImpl<Type> &results) {
    return convertType(type.getFrag(), results);
  });
  auto shared = [](Type type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace);
  };
  addConversion([=](RingType type) { return shared(type); });
  addConversion([=](TileType type) { return shared(type); });
  addConversion([=](SlotType type) { return shared(type); });
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

// Barriers of a block are numbered 0 to 15; number 0 is for all threads.
static constexpr int64_t kMaxRoles = 15;

FailureOr<KernelInfo> KernelInfo::analyze(Operation *root) {
  KernelInfo info;
  WalkResult result = root->walk([&](gpu::GPUFuncOp kernel) {
    return failed(info.analyzeKernel(kernel)) ||
                   failed(info.analyzeRings(kernel))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return info;
}

LogicalResult KernelInfo::analyzeKernel(gpu::GPUFuncOp kernel) {
  SmallVector<RoleOp> inOrder;
  kernel.walk([&](RoleOp role) { inOrder.push_back(role); });
  if (inOrder.size() > kMaxRoles)
    return inOrder[kMaxRoles].emitOpError("expected at most ")
           << kMaxRoles << " roles in a kernel: a block has 16 barriers, one "
           << "of all its threads and one for each role";
  int64_t firstWarp = 0;
  for (auto [number, role] : llvm::enumerate(inOrder)) {
    RoleInfo roleInfo{firstWarp, static_cast<int64_t>(role.getWarps()),
                      static_cast<int64_t>(number),
                      static_cast<int64_t>(inOrder.size()) + 1};
    firstWarp += roleInfo.warps;
    role.walk([&](Operation *op) { roles[op] = roleInfo; });
  }
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  if (firstWarp > 0 && (!size || (*size)[0] != firstWarp * kLanesPerWarp))
    return kernel.emitOpError("expected known_block_size = ")
           << firstWarp * kLanesPerWarp
           << ", 1, 1: the threads of all its roles";
  return success();
}

namespace {

/// Which roles fill and read the rings of a kernel.
struct RingRoles {
  DenseMap<Value, RoleOp> fillers;
  DenseMap<Value, SmallVector<RoleOp>> readers;

  LogicalResult addFiller(AcquireOp acquire) {
    auto role = acquire->getParentOfType<RoleOp>();
    auto [it, inserted] = fillers.try_emplace(acquire.getRing(), role);
    if (inserted || it->second == role)
      return success();
    InFlightDiagnostic diagnostic =
        acquire.emitOpError("expected a ring that one role fills");
    diagnostic.attachNote(it->second->getLoc()) << "the other role is here";
    return failure();
  }

  void addReader(WaitOp wait) {
    SmallVector<RoleOp> &all = readers[wait.getRing()];
    auto role = wait->getParentOfType<RoleOp>();
    if (!llvm::is_contained(all, role))
      all.push_back(role);
  }
};

} // namespace

/// What `op` says of the ring whose stages it fills or reads.
LogicalResult KernelInfo::addRingUse(Operation *op) {
  auto share = [&](Value ring, std::optional<uint64_t> sharedBy) {
    RingInfo &info = rings[ring];
    info.sharedBy = std::max<int64_t>(info.sharedBy, sharedBy.value_or(1));
  };
  if (auto copy = dyn_cast<CopyOp>(op)) {
    auto acquire = copy.getSlot().getDefiningOp<AcquireOp>();
    if (!acquire)
      return copy.emitOpError("expected a slot that an acquire gave");
    RingInfo &ring = rings[acquire.getRing()];
    auto atom = cast<CopyAtomInterface>(copy.getAtom());
    if (!atom.isBulk() && (!ring.atom || atom.isAsynchronous()))
      ring.atom = atom;
    share(acquire.getRing(), copy.getSharedBy());
  } else if (auto commit = dyn_cast<CommitOp>(op)) {
    share(commit.getRing(), commit.getSharedBy());
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    if (auto acquire = store.getDestination().getDefiningOp<AcquireOp>())
      rings[acquire.getRing()].fillerWarps =
          op->getParentOfType<RoleOp>().getWarps();
  } else if (auto mma = dyn_cast<MmaAsyncOp>(op)) {
    for (Value operand : {Value(mma.getA()), Value(mma.getB())})
      if (auto wait = operand.getDefiningOp<WaitOp>())
        rings[wait.getRing()].asyncReaders = true;
  }
  return success();
}

/// Checks which roles share a ring, and says whether they are one.
LogicalResult KernelInfo::pairRoles(Value ring, RoleOp filler,
                                    ArrayRef<RoleOp> readers) {
  RoleOp reader = readers.empty() ? RoleOp() : readers.front();
  RingInfo &info = rings[ring];
  info.betweenRoles = reader && !llvm::is_contained(readers, filler);
  if (readers.size() > 1 && !info.betweenRoles) {
    RoleOp other = reader == filler ? readers[1] : reader;
    InFlightDiagnostic diagnostic = other.emitOpError(
        "expected no other role to read a ring that one fills and reads");
    diagnostic.attachNote(filler.getLoc()) << "the other role is here";
    return failure();
  }
  if (info.betweenRoles != !info.atom) {
    InFlightDiagnostic diagnostic = filler.emitOpError(
        info.atom ? "expected bulk copies into a ring that another role "
                    "reads, which signal a barrier in memory"
                  : "expected another role to read a ring that bulk copies "
                    "or stores fill");
    if (reader)
      diagnostic.attachNote(reader.getLoc()) << "the reading role is here";
    return failure();
  }
  // One stage is filled while another is read.
  if (!info.betweenRoles && cast<RingType>(ring.getType()).getStages() < 2)
    return ring.getDefiningOp()->emitOpError(
        "expected at least 2 stages where one role fills and reads");
  return success();
}

/// Checks the tiles of a ring between roles, and counts who releases its
/// stages.
LogicalResult KernelInfo::countReleasers(Value ring, ArrayRef<RoleOp> readers) {
  RingInfo &info = rings[ring];
  // What a warp sends to other blocks is one piece of each tile.
  bool isSent = info.fillerWarps && info.sharedBy > 1;
  int64_t parts = info.sharedBy * info.fillerWarps;
  for (TileType tile : cast<RingType>(ring.getType()).getTiles())
    if (isSent && (tile.getOrder() != Order::Swizzled ||
                   tile.getShape()[0] % (8 * parts)))
      return ring.getDefiningOp()->emitOpError(
                 "expected swizzled tiles of which each warp that fills a "
                 "stage, ")
             << parts << " in all blocks that share it, has a multiple of 8 "
             << "rows, found " << tile;
  // An MMA that is done was started by its four warps, which had read by
  // then what they read themselves.
  info.releasers = kLanesPerWarp * (info.asyncReaders ? 4 : 1);
  for (RoleOp role : readers)
    info.releaserGroups += role.getWarps() * kLanesPerWarp / info.releasers;
  return success();
}

LogicalResult KernelInfo::analyzeRings(gpu::GPUFuncOp kernel) {
  RingRoles roles;
  WalkResult walked = kernel.walk([&](Operation *op) -> WalkResult {
    if (auto acquire = dyn_cast<AcquireOp>(op))
      return roles.addFiller(acquire);
    if (auto wait = dyn_cast<WaitOp>(op))
      roles.addReader(wait);
    return addRingUse(op);
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto [ring, filler] : roles.fillers) {
    SmallVector<RoleOp> readers = roles.readers.lookup(ring);
    if (failed(pairRoles(ring, filler, readers)))
      return failure();
    if (rings[ring].betweenRoles && failed(countReleasers(ring, readers)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value mlir::sftile::emitLaneId(OpBuilder &builder, Location loc) {
  return NVVM::LaneIdOp::create(builder, loc, builder.getI32Type());
}

Value mlir::sftile::emitRoleThread(OpBuilder &builder, Location loc,
                                   RoleInfo role) {
  Integers ints(builder, loc);
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  return ints.add(thread, -role.firstWarp * kLanesPerWarp);
}

Value mlir::sftile::emitRoleWarp(OpBuilder &builder, Location loc,
                                 RoleInfo role) {
  Integers ints(builder, loc);
  Value warp = ints.div(emitRoleThread(builder, loc, role), kLanesPerWarp);
  // A shuffle from lane 0 tells ptxas that the warp agrees, so that
  // what depends on it may live in uniform registers.
  return NVVM::ShflOp::create(builder, loc, builder.getI32Type(), ints.i32(-1),
                              warp, ints.i32(0), ints.i32(31),
                              NVVM::ShflKind::idx, UnitAttr());
}

std::pair<Value, Value>
mlir::sftile::emitLanePosition(OpBuilder &builder, Location loc,
                               const LinearLayout &layout, Value lane) {
  Integers ints(builder, loc);
  Value row = ints.i32(0), col = ints.i32(0);
  ArrayRef<Coord> bits = layout.laneBits();
  Coord all;
  bool share = false;
  for (Coord basis : bits) {
    share |= (all.row & basis.row) || (all.col & basis.col);
    all = {all.row | basis.row, all.col | basis.col};
  }
  // Bits that change the same bit of a coordinate cancel there.
  if (share) {
    for (auto [bit, basis] : llvm::enumerate(bits)) {
      Value set = ints.rem(ints.div(lane, int64_t(1) << bit), 2);
      row = ints.bitXor(row, ints.mul(set, basis.row));
      col = ints.bitXor(col, ints.mul(set, basis.col));
    }
    return {row, col};
  }
  // Runs of bits that double a coordinate are one field of the lane number.
  for (size_t first = 0; first < bits.size();) {
    size_t last = first + 1;
    auto doubles = [&](size_t i) {
      return bits[i].row == 2 * bits[i - 1].row &&
             bits[i].col == 2 * bits[i - 1].col;
    };
    while (last < bits.size() && doubles(last))
      ++last;
    Value field = ints.rem(ints.div(lane, int64_t(1) << first),
                           int64_t(1) << (last - first));
    if (bits[first].row)
      row = ints.add(row, ints.mul(field, bits[first].row));
    if (bits[first].col)
      col = ints.add(col, ints.mul(field, bits[first].col));
    first = last;
  }
  return {row, col};
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

Value mlir::sftile::emitTileOffset(OpBuilder &builder, Location loc,
                                   TileType tile, Value row, Value col) {
  Integers ints(builder, loc);
  int64_t bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t unitsPerRow =
      tile.getShape()[1] / (tile.getOrder() == Order::Ternary ? 128 : 32);
  switch (tile.getOrder()) {
  case Order::RowMajor:
    return ints.add(ints.mul(row, tile.getPitch()), ints.mul(col, bytes));
  case Order::Swizzled: {
    int64_t chunkElements = 16 / bytes;
    int64_t period = std::min<int64_t>(8, tile.getPitch() / 16);
    Value phase = ints.rem(ints.div(row, 8 / period), period);
    Value chunk = ints.bitXor(ints.div(col, chunkElements), phase);
    Value inside = ints.mul(ints.rem(col, chunkElements), bytes);
    return ints.add(
        ints.add(ints.mul(row, tile.getPitch()), ints.mul(chunk, 16)), inside);
  }
  case Order::Values24: {
    Value unit =
        ints.add(ints.mul(ints.div(row, 64), unitsPerRow), ints.div(col, 32));
    Value half = ints.div(ints.rem(col, 32), 16);
    Value matrix = ints.add(ints.mul(ints.div(ints.rem(row, 64), 8), 2),
                            ints.div(ints.rem(col, 16), 8));
    Value inside =
        ints.add(ints.mul(ints.rem(row, 8), 16), ints.mul(ints.rem(col, 8), 2));
    return ints.add(ints.add(ints.mul(unit, 4096), ints.mul(half, 2048)),
                    ints.add(ints.mul(matrix, 128), inside));
  }
  case Order::TensorMap:
  case Order::GroupedRows:
    break;
  case Order::Metadata24:
  case Order::Ternary: {
    // Words, row after row inside a unit.
    TileType::Unit unit = tile.getUnit();
    Value number = ints.add(ints.mul(ints.div(row, unit.rows), unitsPerRow),
                            ints.div(col, unit.cols));
    Value word = ints.add(ints.mul(ints.rem(row, unit.rows), unit.cols),
                          ints.rem(col, unit.cols));
    return ints.add(ints.mul(number, unit.bytes), ints.mul(word, bytes));
  }
  }
  llvm_unreachable("unknown order");
}

Value mlir::sftile::emitTileAddress(OpBuilder &builder, Location loc,
                                    TileType tile, Value pointer, Coord from,
                                    Value row, Value col) {
  Integers ints(builder, loc);
  // The swizzle repeats after eight rows.
  int64_t apart = 0;
  if (tile.getOrder() == Order::Swizzled && from.row % 8 == 0) {
    apart = from.row * tile.getPitch();
    from.row = 0;
  }
  Value offset = emitTileOffset(builder, loc, tile, ints.add(row, from.row),
                                ints.add(col, from.col));
  return ints.advance(ints.advance(pointer, offset), apart);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

SmallVector<Value> mlir::sftile::unpackRegisters(OpBuilder &builder,
                                                 Location loc, FragType type,
                                                 ValueRange registers) {
  Type element = type.getElementType();
  if (hasOwnRegisters(type))
    return llvm::to_vector(registers);
  SmallVector<Value> elements;
  auto pair = VectorType::get({2}, element);
  for (Value value : registers) {
    Value both = LLVM::BitcastOp::create(builder, loc, pair, value);
    for (int64_t half = 0; half < 2; ++half)
      elements.push_back(vector::ExtractOp::create(builder, loc, both, half));
  }
  return elements;
}

SmallVector<Value> mlir::sftile::packRegisters(OpBuilder &builder, Location loc,
                                               FragType type,
                                               ArrayRef<Value> elements) {
  Type element = type.getElementType();
  if (hasOwnRegisters(type))
    return llvm::to_vector(elements);
  SmallVector<Value> registers;
  auto pair = VectorType::get({2}, element);
  for (size_t index = 0; index < elements.size(); index += 2) {
    Value both = vector::FromElementsOp::create(
        builder, loc, pair, ValueRange{elements[index], elements[index + 1]});
    registers.push_back(
        LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), both));
  }
  return registers;
}

SmallVector<Value> mlir::sftile::flatten(ArrayRef<ValueRange> fragments) {
  SmallVector<Value> registers;
  for (ValueRange fragment : fragments)
    llvm::append_range(registers, fragment);
  return registers;
}

Value mlir::sftile::joinVector(OpBuilder &builder, Location loc,
                               ArrayRef<Value> values) {
  if (values.size() == 1)
    return values[0];
  auto type = VectorType::get({static_cast<int64_t>(values.size())},
                              values[0].getType());
  return vector::FromElementsOp::create(builder, loc, type, values);
}

SmallVector<Value> mlir::sftile::splitVector(OpBuilder &builder, Location loc,
                                             Value vector) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return {vector};
  SmallVector<Value> values;
  for (int64_t index = 0; index < type.getNumElements(); ++index)
    values.push_back(vector::ExtractOp::create(builder, loc, vector, index));
  return values;
}

//===- Lowering.h - Shared pieces of the sftile lowering ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pattern files of this folder have in common: how types become
// registers and pointers, how integers are computed, and what is known about
// the roles and rings of a kernel before any of its operations is rewritten.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SFTILETONVVM_LOWERING_H
#define SPARSEFLOW_LIB_CONVERSION_SFTILETONVVM_LOWERING_H

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::sftile {

constexpr int64_t kLanesPerWarp = 32;
constexpr unsigned kGlobalSpace = 1;
constexpr unsigned kSharedSpace = 3;

/// Computes with integers of 32 bits (`i32`) or 64 bits (`i64`), folding what
/// is constant.
class Integers {
public:
  Integers(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value i32(int64_t value) { return constant(builder.getI32Type(), value); }
  Value i64(int64_t value) { return constant(builder.getI64Type(), value); }
  Value toI32(Value value) { return cast(value, builder.getI32Type()); }
  Value toI64(Value value) { return cast(value, builder.getI64Type()); }

  Value add(Value a, Value b) { return op<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return op<arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) { return op<arith::MulIOp>(a, b); }
  Value bitXor(Value a, Value b) { return op<arith::XOrIOp>(a, b); }
  Value bitAnd(Value a, Value b) { return op<arith::AndIOp>(a, b); }
  Value min(Value a, Value b) { return op<arith::MinSIOp>(a, b); }
  Value max(Value a, Value b) { return op<arith::MaxSIOp>(a, b); }

  Value add(Value a, int64_t b) { return b ? add(a, like(a, b)) : a; }
  Value mul(Value a, int64_t b) { return b == 1 ? a : mul(a, like(a, b)); }
  Value bitXor(Value a, int64_t b) { return b ? bitXor(a, like(a, b)) : a; }
  /// Quotient and remainder of a non-negative number.
  Value div(Value a, int64_t b) {
    return b == 1 ? a : op<arith::DivUIOp>(a, like(a, b));
  }
  Value rem(Value a, int64_t b) {
    return b == 1 ? like(a, 0) : op<arith::RemUIOp>(a, like(a, b));
  }

  Value less(Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                               a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
  }
  Value both(Value a, Value b) { return op<arith::AndIOp>(a, b); }

  /// `pointer` + `bytes`, where bytes is an integer value.
  Value advance(Value pointer, Value bytes);
  /// `pointer` + a constant number of bytes.
  Value advance(Value pointer, int64_t bytes);

private:
  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value like(Value a, int64_t value) { return constant(a.getType(), value); }
  Value cast(Value value, Type type);
  template <typename OpT>
  Value op(Value a, Value b) {
    return builder.createOrFold<OpT>(loc, a, b);
  }

  OpBuilder &builder;
  Location loc;
};

/// The warps of a role.
struct RoleInfo {
  int64_t firstWarp = 0;
  int64_t warps = 0;
  /// Roles that stand before it in the kernel.
  int64_t number = 0;
  /// The first of the block's barriers that no role uses.
  int64_t freeBarrier = 0;
  int64_t threads() const { return warps * kLanesPerWarp; }
};

/// How a ring is filled and read.
struct RingInfo {
  /// The atom that fills the ring and knows how to wait for it; null if copies
  /// signal a barrier.
  CopyAtomInterface atom;
  /// MMAs read the memory by themselves, through the asynchronous proxy,
  /// which does not see ordinary writes without a fence.
  bool asyncReaders = false;
  /// One role fills it and others read it: every stage has two barriers in
  /// memory, one that it is full and one that it is empty.
  bool betweenRoles = false;
  /// Threads of a reading role that release a stage together, and how many such
  /// groups all of these roles have.
  int64_t releasers = 32, releaserGroups = 0;
  /// Blocks of a cluster that share copies, and so must all have released.
  int64_t sharedBy = 1;
  /// Warps that fill a stage with what their threads have computed and say so
  /// one by one; 0 where TMA fills it.
  int64_t fillerWarps = 0;
};

/// What patterns need to know of the kernel as it was written.
class KernelInfo {
public:
  /// Collects the roles and rings of all kernels below `root`; reports what the
  /// lowering does not serve.
  static FailureOr<KernelInfo> analyze(Operation *root);

  /// The role around `op`.
  RoleInfo roleOf(Operation *op) const { return roles.lookup(op); }
  RingInfo ringOf(Value ring) const { return rings.lookup(ring); }

private:
  DenseMap<Operation *, RoleInfo> roles;
  DenseMap<Value, RingInfo> rings;

  LogicalResult analyzeKernel(gpu::GPUFuncOp kernel);
  LogicalResult analyzeRings(gpu::GPUFuncOp kernel);
  LogicalResult addRingUse(Operation *op);
  LogicalResult pairRoles(Value ring, RoleOp filler, ArrayRef<RoleOp> readers);
  LogicalResult countReleasers(Value ring, ArrayRef<RoleOp> readers);
};

/// Views become pointer and bounds, tiles pointers, fragments one value for
/// each 32-bit register.
class SFTileTypeConverter : public TypeConverter {
public:
  explicit SFTileTypeConverter(MLIRContext *context);
};

/// A view after conversion. One that a tensor map describes has a pointer to
/// the map and nothing else.
struct ViewParts {
  explicit ViewParts(ValueRange parts)
      : pointer(parts[0]), rows(parts.size() > 1 ? parts[1] : Value()),
        cols(parts.size() > 1 ? parts[2] : Value()),
        pitch(parts.size() > 3 ? parts[3] : Value()),
        group(parts.size() > 4 ? parts[4] : Value()),
        groupPitch(parts.size() > 4 ? parts[5] : Value()) {}
  Value pointer, rows, cols, pitch, group, groupPitch;
};

/// A pattern that needs to know the kernel as it was written.
template <typename OpT>
struct KernelPattern : public OpConversionPattern<OpT> {
  KernelPattern(const TypeConverter &converter, const KernelInfo &info,
                MLIRContext *context)
      : OpConversionPattern<OpT>(converter, context), info(info) {}
  using OpAdaptor = typename OpConversionPattern<OpT>::OpAdaptor;
  using OneToNOpAdaptor = typename OpConversionPattern<OpT>::OneToNOpAdaptor;
  const KernelInfo &info;
};

/// The lane's number in its warp, i32.
Value emitLaneId(OpBuilder &builder, Location loc);
/// The thread's number in its role, i32.
Value emitRoleThread(OpBuilder &builder, Location loc, RoleInfo role);
/// The warp's number in its role, i32, known to be the same for all lanes.
Value emitRoleWarp(OpBuilder &builder, Location loc, RoleInfo role);

/// The part of a fragment position that depends on the lane: row and column of
/// register 0 in the first instruction tile, i32.
std::pair<Value, Value> emitLanePosition(OpBuilder &builder, Location loc,
                                         const LinearLayout &layout,
                                         Value lane);

/// A pointer to byte `offset` of the shared memory of the block of `op`.
Value emitShared(OpBuilder &builder, Location loc, Operation *op,
                 int64_t offset);
/// The same for the offset that `op` was assigned; an error if it has none.
FailureOr<Value> emitPlace(OpBuilder &builder, Operation *op,
                           std::optional<uint64_t> offset);
/// The tiles of the stage of `ring` (at `base`) that `position` falls on.
SmallVector<Value> emitStage(OpBuilder &builder, Location loc, RingType ring,
                             Value base, Value position);
/// The indices, i32, at which the matrix `view` stands in the tensor of its
/// map.
SmallVector<Value> emitMatrixIndices(OpBuilder &builder, Location loc,
                                     Value view);
/// Makes what was written to shared memory visible to the asynchronous proxy.
void emitProxyFence(OpBuilder &builder, Location loc);
/// A barrier `number` (i32) of `threads` threads of the block.
void emitNamedBarrier(OpBuilder &builder, Location loc, Value number,
                      int64_t threads);
/// A barrier of the threads of the role that `op` is in. Warps of other roles
/// do not take part, so beside them each role has a barrier of its own; number
/// 0 is the block's.
void emitRoleBarrier(OpBuilder &builder, Location loc, Operation *op,
                     RoleInfo role);
/// Executes what `body` builds on the threads for which `condition` holds.
void emitIf(OpBuilder &builder, Location loc, Value condition,
            function_ref<void(OpBuilder &)> body);

/// The byte offset of element (row, col) in a tile, both i32.
Value emitTileOffset(OpBuilder &builder, Location loc, TileType tile, Value row,
                     Value col);

/// The address of element (row, col) in the tile at `pointer`, where the corner
/// `from` is a constant and `row` and `col`, i32, are what a lane adds to it.
/// Lanes' parts of different corners are then few, and the rest is an immediate
/// of the access.
Value emitTileAddress(OpBuilder &builder, Location loc, TileType tile,
                      Value pointer, Coord from, Value row, Value col);

/// Scalars of 16 bits share registers in pairs: the elements that `registers`
/// of a fragment of `type` hold, in order, and the reverse.
SmallVector<Value> unpackRegisters(OpBuilder &builder, Location loc,
                                   FragType type, ValueRange registers);
SmallVector<Value> packRegisters(OpBuilder &builder, Location loc,
                                 FragType type, ArrayRef<Value> elements);

/// The registers of several fragments, one after the other.
SmallVector<Value> flatten(ArrayRef<ValueRange> fragments);

/// Joins `values` (32-bit registers) to one value that a single load or store
/// moves, and splits one.
Value joinVector(OpBuilder &builder, Location loc, ArrayRef<Value> values);
SmallVector<Value> splitVector(OpBuilder &builder, Location loc, Value vector);

/// Writes a fragment into a tile in which its columns are rows: its element
/// (0, 0) goes to (row, col), both i32. `atom`, if there is one and the layout
/// allows it, moves whole matrices.
void emitTransposedStore(OpBuilder &builder, Location loc, TileType tile,
                         Value address, Value row, Value col, FragType frag,
                         ValueRange registers, Attribute atom);
/// The reverse: the registers of a fragment of type `frag`.
SmallVector<Value> emitTransposedLoad(OpBuilder &builder, Location loc,
                                      TileType tile, Value address, Value row,
                                      Value col, FragType frag, Attribute atom);

/// The registers of a fragment from (row, col), both i64, of a view, and the
/// reverse.
SmallVector<Value> emitGlobalLoad(OpBuilder &builder, LoadOp op,
                                  const ViewParts &view, Value row, Value col);
void emitGlobalStore(OpBuilder &builder, StoreOp op, const ViewParts &view,
                     Value row, Value col, ValueRange registers);

void populateBarrierRingPatterns(const SFTileTypeConverter &converter,
                                 const KernelInfo &info,
                                 RewritePatternSet &patterns);
void populateBlockPatterns(const SFTileTypeConverter &converter,
                           const KernelInfo &info, RewritePatternSet &patterns);
void populateStagingPatterns(const SFTileTypeConverter &converter,
                             const KernelInfo &info,
                             RewritePatternSet &patterns);
void populateAsyncMmaPatterns(const SFTileTypeConverter &converter,
                              RewritePatternSet &patterns);
void populateRingPatterns(const SFTileTypeConverter &converter,
                          const KernelInfo &info, RewritePatternSet &patterns);
void populateFragmentPatterns(const SFTileTypeConverter &converter,
                              RewritePatternSet &patterns);
void populateDecodePatterns(const SFTileTypeConverter &converter,
                            RewritePatternSet &patterns);
void populatePlanePatterns(const SFTileTypeConverter &converter,
                           RewritePatternSet &patterns);
void populateLoadStorePatterns(const SFTileTypeConverter &converter,
                               RewritePatternSet &patterns);
void populateRowPatterns(const SFTileTypeConverter &converter,
                         RewritePatternSet &patterns);
void populateWarpgroupPatterns(const SFTileTypeConverter &converter,
                               const KernelInfo &info,
                               RewritePatternSet &patterns);
void populateConvertLayoutPatterns(const SFTileTypeConverter &converter,
                                   RewritePatternSet &patterns);

} // namespace mlir::sftile

#endif // SPARSEFLOW_LIB_CONVERSION_SFTILETONVVM_LOWERING_H

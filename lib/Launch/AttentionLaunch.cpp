//===- AttentionLaunch.cpp - How kernels of attention are launched --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/AttentionLaunch.h"
#include "Kernels/Attention/AttentionLimits.h"
#include "Kernels/Attention/AttentionParameters.h"
#include "Kernels/Attention/Plan/TilePlan.h"
#include "Kernels/Attention/SplitKv/StreamKv.h"
#include "Kernels/Cache/CacheDequantizeKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "SparseFlow/Dialect/SparseFlow/IR/AttentionOperands.h"
#include "SparseFlow/Dialect/SparseFlow/IR/PagePool.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <numeric>

using namespace mlir;
using namespace mlir::sparseflow;

gpu::GPUFuncOp
AttentionKernels::generateOnce(const SplitKvCombineKernel &kernel) {
  for (const auto &[made, function] : combining)
    if (made.isSameCode(kernel))
      return function;
  combining.emplace_back(kernel, kernel.generate(builder));
  return combining.back().second;
}

AttentionLaunch::AttentionLaunch(AttentionOp op, HostProgramBuilder &program)
    : shape(attentionShape(op)), op(op), program(program), loc(op.getLoc()) {}

/// Says which stages a tile does not visit because of the score region.
static void explainSeen(AttentionOp op, const PairRanges &seen) {
  Remark remark = explain(op, "mask");
  remark << "the score region is -inf for query i and key j but where ";
  for (auto [index, range] : llvm::enumerate(seen)) {
    StringRef separator = index ? ", or " : "";
    auto add = [&](StringRef text, int64_t bound) {
      if (!PairRange::isBound(bound))
        return;
      remark << separator << text << bound;
      separator = " and ";
    };
    if (range.firstKey > 0)
      add("j >= ", range.firstKey);
    add("j <= ", range.lastKey);
    add("j - i >= ", range.leastOffset);
    add("j - i <= ", range.mostOffset);
  }
  remark << ": a tile does not visit stages without such a key";
}

/// Keys and values that are parts of a pool's entries begin inside it.
FailureOr<Value> AttentionLaunch::placeOf(Value tensor,
                                          const std::string &name) {
  std::string reason;
  std::optional<PagePool> pool = getPagePool(tensor, reason);
  if (!pool || !isInlined(tensor.getDefiningOp())) {
    if (shape.page && (pool || !reason.empty()))
      explain(op, "pages") << name << " is copied out of its pool: "
                           << (pool ? "expected a pool that is an argument, "
                                      "which nothing updates in place, and "
                                      "slices that attentions alone read"
                                    : reason);
    return program.placeOf(op, tensor, name);
  }
  FailureOr<Value> start = program.placeOf(op, pool->pool, name);
  if (failed(start))
    return failure();
  if (tensor == op.getK())
    shape.keyPitch = pool->pitch;
  if (tensor == op.getV())
    shape.valuePitch = pool->pitch;
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t dim = 1; dim < type.getRank(); ++dim)
    bytes *= type.getDimSize(dim);
  explain(op, "pages") << name << " is read in its pool: a page of each entry "
                       << "of " << pool->pitch << ", number " << pool->first;
  return program.advance(*start, pool->first * bytes);
}

LogicalResult AttentionLaunch::bind() {
  if (!shape.seen.empty())
    explainSeen(op, shape.seen);
  SmallVector<std::pair<std::string, Value>> tensors;
  for (auto [name, tensor] : getNamedOperands(op))
    tensors.emplace_back(name, tensor);
  for (auto [index, operand] : llvm::enumerate(op.getScoreOperands()))
    tensors.emplace_back("score operand #" + std::to_string(index), operand);
  for (auto &[name, tensor] : tensors) {
    FailureOr<Value> pointer = placeOf(tensor, name);
    if (failed(pointer))
      return failure();
    inputs.push_back(*pointer);
  }
  result = program.bufferOf(op.getResult());
  if (op.getLse())
    lse = program.bufferOf(op.getLse());
  batchCount = entries = program.dimOf(op.getQ(), 0);
  if (op.isVarlen()) {
    OpBuilder &host = program.builder;
    Value offsets = host.createOrFold<arith::MaxUIOp>(
        loc, program.dimOf(op.getCuSeqlensQ(), 0), program.constant(1));
    batchCount =
        host.createOrFold<arith::SubIOp>(loc, offsets, program.constant(1));
    entries = program.constant(1);
    // Nothing says that there are lengths for all.
    if (op.hasOwnCaches())
      batchCount = HostIntegers{host, loc}.min(
          batchCount, program.dimOf(op.getLengths(), 0));
  }
  queryCount = program.dimOf(op.getQ(), op.getSequenceDim());
  if (op.getPages())
    pageCount = program.dimOf(op.getK(), 0);
  keyCount = op.getPages()
                 ? HostIntegers{program.builder, loc}.mul(
                       program.dimOf(op.getPages(), 1), op.getPageSize())
                 : program.dimOf(op.getK(), op.getSequenceDim());
  return success();
}

SmallVector<Value> AttentionLaunch::withMaps(OpBuilder &builder,
                                             const AttentionKernel &kernel,
                                             ArrayRef<Value> pointers) const {
  SmallVector<Value> arguments(pointers);
  int64_t bytes = shape.operandType.getIntOrFloatBitWidth() / 8;
  HostIntegers host{builder, loc};
  std::array<int64_t, 3> heads = {shape.heads, shape.keyHeads, shape.keyHeads};
  std::array<int64_t, 3> widths = {shape.d, shape.d, shape.dv};
  std::array<int64_t, 3> pitches = {shape.d, shape.d, shape.valueWidth};
  std::array<Value, 3> lengths = {queryCount, keyCount, keyCount};
  for (int64_t i : kernel.mapped()) {
    // Bytes from a position, a head and a batch entry to the next.
    int64_t row = pitches[i] * bytes;
    bool paged = i > 0 && shape.page;
    Value byLength =
        paged ? host.constant(row * shape.page) : host.mul(lengths[i], row);
    Value position = host.constant(shape.bhsd ? row : row * heads[i]);
    Value head = shape.bhsd ? byLength : host.constant(row);
    Value entry = host.mul(byLength, heads[i]);
    if (paged)
      entry = host.mul(entry, i == 1 ? shape.keyPitch : shape.valuePitch);
    Value positions = paged ? host.constant(shape.page) : lengths[i];
    Value headCount = host.constant(heads[i]);
    int64_t together = i == 0 ? kernel.headsOfTile() : 1;
    if (i == 0 && kernel.packsQueries()) {
      std::swap(positions, headCount);
      std::swap(position, head);
      together = kernel.queriesOfTile();
    } else if (i == 0 && kernel.schedule.getPacked()) {
      // Packed heads of the one query follow one another in both layouts.
      std::swap(positions, headCount);
      position = host.constant(row);
      head = entry;
    }
    auto map = sftile::TensorMapOp::create(
        builder, loc, arguments[i],
        ValueRange{host.constant(widths[i]), positions, headCount,
                   paged                           ? pageCount
                   : i > 0 && shape.hasOwnCaches() ? batchCount
                                                   : entries},
        ValueRange{position, head, entry}, /*extents=*/ValueRange(),
        {64, kernel.boxRows()[i], together, 1},
        /*swizzle=*/128, shape.operandType);
    // Rows of a box are 128 bytes. Reading their neighbours too, for a box that
    // follows later, cost 7 % of the rate from memory.
    map->setDiscardableAttr("sftile.promotion", builder.getI64IntegerAttr(128));
    arguments[i] = map;
  }
  if (kernel.storesByTma()) {
    int64_t boxRows = std::min(kStoreRows, kernel.queriesOfTile());
    int64_t row = shape.dv * (shape.resultType.getIntOrFloatBitWidth() / 8);
    Value byLength = host.mul(queryCount, row);
    int64_t place = kernel.firstOutput();
    arguments[place] = sftile::TensorMapOp::create(
        builder, loc, arguments[place],
        ValueRange{host.constant(shape.dv), queryCount,
                   host.constant(shape.heads), entries},
        ValueRange{host.constant(shape.bhsd ? row : row * shape.heads),
                   shape.bhsd ? byLength : host.constant(row),
                   host.mul(byLength, shape.heads)},
        /*extents=*/ValueRange(), {64, boxRows, kStoreRows / boxRows, 1},
        /*swizzle=*/128, shape.resultType);
  }
  return arguments;
}

Variant AttentionLaunch::guardsOf(const AttentionKernel &kernel,
                                  bool bounded) const {
  sftile::AttentionScheduleAttr schedule = kernel.schedule;
  Variant variant;
  auto compare = [&](arith::CmpIPredicate predicate, Value size, int64_t than) {
    variant.conditions.push_back(program.builder.createOrFold<arith::CmpIOp>(
        loc, predicate, size, program.constant(than)));
  };
  HostIntegers host{program.builder, loc};
  // Queries of a sequence; where several follow one another their mean.
  auto compareQueries = [&](arith::CmpIPredicate predicate, int64_t than) {
    Value bound = program.constant(than);
    if (shape.varlen)
      bound = host.mul(batchCount, bound);
    variant.conditions.push_back(program.builder.createOrFold<arith::CmpIOp>(
        loc, predicate, queryCount, bound));
  };
  if (kernel.oneEntry)
    compare(arith::CmpIPredicate::ule, batchCount, 1);
  if (bounded && schedule.getMaxQueries())
    compareQueries(arith::CmpIPredicate::ule, schedule.getMaxQueries());
  if (bounded && schedule.getMinTiles())
    compare(arith::CmpIPredicate::uge, queryCount,
            schedule.getTile().fewestQueries(shape.heads / shape.keyHeads));
  if (bounded && schedule.getMaxTiles())
    compare(arith::CmpIPredicate::ule, queryCount,
            schedule.getTile().mostQueries(shape.heads / shape.keyHeads));
  if (bounded && schedule.getMinKeys())
    compare(arith::CmpIPredicate::uge, keyCount, schedule.getMinKeys());
  if (bounded && schedule.getMaxKeys())
    compare(arith::CmpIPredicate::ule, keyCount, schedule.getMaxKeys());
  if (bounded && schedule.getMinBlocks())
    compare(arith::CmpIPredicate::uge,
            kernel.tileCount(program.builder, loc, entries, queryCount),
            schedule.getMinBlocks());
  if (bounded && schedule.getMaxBlocks())
    compare(arith::CmpIPredicate::ule,
            kernel.tileCount(program.builder, loc, entries, queryCount),
            schedule.getMaxBlocks());
  // Of sequences in pages what their table has room for counts.
  if (bounded && schedule.getMinKeyRatio())
    variant.conditions.push_back(program.builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::uge,
        shape.hasOwnCaches() ? host.mul(keyCount, batchCount) : keyCount,
        host.mul(queryCount, host.constant(schedule.getMinKeyRatio()))));
  // Shorter sequences have as many tiles of 64 queries as higher ones.
  if (bounded && schedule.getMinSmallTiles() && shape.varlen &&
      kernel.headsOfTile() == 1)
    compareQueries(arith::CmpIPredicate::uge, kStoreRows);
  if (bounded && schedule.getMinSmallTiles())
    compare(
        arith::CmpIPredicate::uge,
        host.mul(host.ceilDiv(queryCount, kStoreRows),
                 host.mul(entries, kernel.tileHeads() * kernel.headsOfTile() *
                                       kernel.headsOfCluster())),
        schedule.getMinSmallTiles());
  auto require = [&](Value pointer, int64_t bytes, Type type) {
    if (bytes > type.getIntOrFloatBitWidth() / 8)
      variant.require(pointer, bytes);
  };
  if (kernel.isWarpSpecialized()) {
    // There is no tensor map of a tensor without elements.
    for (Value size : {keyCount, pageCount})
      if (size && !getConstantIntValue(size))
        compare(arith::CmpIPredicate::uge, size, 1);
    for (int64_t i : kernel.mapped())
      require(inputs[i], 16, shape.operandType);
  } else {
    require(inputs[0], kernel.queryWidth, shape.operandType);
    // Pages are aligned in every call.
    if (!shape.keyPlanes)
      require(inputs[1], kernel.copyKeys.getBytes(), shape.operandType);
    if (!shape.valuePlanes)
      require(inputs[2], kernel.copyValues.getBytes(), shape.operandType);
  }
  for (auto [index, operand] : llvm::enumerate(shape.operands))
    if (auto &[type, letters] = operand; isIndexedByKey(letters))
      require(inputs[kernel.firstOperand() + index],
              kernel.operandKeys * type.getIntOrFloatBitWidth() / 8, type);
  require(result, kernel.storesByTma() ? 16 : kernel.storeWidth,
          shape.resultType);
  return variant;
}

Launch AttentionLaunch::launchOf(OpBuilder &builder,
                                 const AttentionKernel &kernel,
                                 gpu::GPUFuncOp function, Value grid,
                                 ArrayRef<Value> pointers, Value splits) const {
  SmallVector<Value> sizes = {batchCount, queryCount, keyCount, splits};
  if (shape.page)
    sizes.push_back(pageCount);
  return {function, grid,
          kernel.isWarpSpecialized() ? withMaps(builder, kernel, pointers)
                                     : SmallVector<Value>(pointers),
          sizes, kernel.programmatic};
}

Launches AttentionLaunch::launchesOf(const AttentionKernel &kernel,
                                     AttentionKernels &kernels) const {
  Launches own = kernel.partial() ? launchSplits(kernel, kernels)
                                  : launchWhole(kernel, kernels);
  if (!front)
    return own;
  return [own, front = front](OpBuilder &builder) {
    SmallVector<Launch> launches = front(builder);
    llvm::append_range(launches, own(builder));
    return launches;
  };
}

Value AttentionLaunch::scratch(Value bytes) const {
  if (!front)
    return program.scratch(bytes);
  HostIntegers host{program.builder, loc};
  return program.advance(program.scratch(host.add(frontBytes, bytes)),
                         frontBytes);
}

Launches AttentionLaunch::launchWhole(const AttentionKernel &kernel,
                                      AttentionKernels &kernels) const {
  gpu::GPUFuncOp main = kernel.generate(kernels.builder);
  SmallVector<Value> pointers = inputs, planned;
  TilePlanKernel planner{kernel.name + "_plan",
                         loc,
                         shape,
                         kernel.queriesOfTile(),
                         kernel.schedule.getKeys(),
                         kernel.programmatic};
  gpu::GPUFuncOp first;
  Value tiles;
  if (kernel.planned()) {
    first = planner.generate(kernels.builder);
    tiles = planner.mostTiles(program.builder, batchCount, queryCount);
    Value list = scratch(planner.bytes(program.builder, tiles));
    if (shape.varlen)
      planned.push_back(inputs[kernel.offsetsPointer()]);
    planned.push_back(
        inputs[shape.hasLengths ? 3 : kernel.offsetsPointer() + 1]);
    planned.push_back(list);
    pointers.push_back(list);
  }
  pointers.push_back(result);
  if (lse)
    pointers.push_back(lse);
  if (kernel.storesBoth())
    pointers.push_back(result);
  Value one = program.constant(1);
  return [=](OpBuilder &builder) {
    SmallVector<Launch> launches;
    Value all;
    if (kernel.planned()) {
      launches.push_back({first,
                          planner.gridSize(builder, tiles),
                          planned,
                          {batchCount, queryCount, keyCount, tiles},
                          kernel.programmatic});
      all = HostIntegers{builder, loc}.mul(tiles, kernel.tileHeads());
    } else {
      all = kernel.tileCount(builder, loc, batchCount, queryCount);
    }
    launches.push_back(launchOf(builder, kernel, main,
                                kernel.gridSize(builder, loc, all), pointers,
                                one));
    return launches;
  };
}

/// Split-KV takes a second kernel, which combines the partials.
Launches AttentionLaunch::launchSplits(const AttentionKernel &kernel,
                                       AttentionKernels &kernels) const {
  gpu::GPUFuncOp main = kernel.generate(kernels.builder);
  HostIntegers host{program.builder, loc};
  SplitKvCombineKernel merge{kernel.streamsKeys(),
                             kernel.interleavesPartials(),
                             kernel.name + "_merge",
                             loc,
                             shape,
                             kernel.schedule,
                             kernel.storeWidth,
                             kernel.programmatic};
  gpu::GPUFuncOp second = kernels.generateOnce(merge);
  Value counted = queryCount;
  if (int64_t most = kernel.schedule.getMaxQueries())
    counted = host.min(queryCount, most);
  Value splits =
      kernel.splitCount(host.builder, loc, batchCount, counted, keyCount);
  // Blocks that stream keys may each leave partials of two tiles.
  Value room = kernel.splitRoom(host.builder, loc, batchCount, counted,
                                keyCount, splits);
  Value rows = kernel.streamsKeys()
                   ? host.constant(2 * kernel.rowsOfTile())
                   : host.mul(host.mul(batchCount, shape.heads), counted);
  rows = host.mul(rows, room);
  Value sums = host.mul(rows, 4 * shape.dv);
  Value bytes = host.mul(rows, 4 * shape.dv + 4);
  if (kernel.needsSeveralSplits())
    bytes = host.mul(bytes, host.min(host.div(room, host.constant(2)), 1));
  Value plan = kernel.streamsKeys() ? host.mul(splits, StreamKv::kPartialsBytes)
                                    : host.constant(0);
  Value partial = scratch(host.add(bytes, plan));
  Value behind = program.advance(partial, sums);
  SmallVector<Value> whole = {result};
  if (lse)
    whole.push_back(lse);
  SmallVector<Value> pointers = inputs, merged = {partial, behind};
  llvm::append_range(merged, whole);
  if (kernel.streamsKeys()) {
    llvm::append_range(pointers, whole);
    merged.push_back(program.advance(partial, bytes));
  }
  Value partials = merged.back();
  if (shape.hasSinks)
    merged.push_back(inputs[kernel.sinkPointer()]);
  pointers.append({partial, behind});
  if (kernel.streamsKeys())
    pointers.push_back(partials);
  return [=](OpBuilder &builder) {
    Value grid = splits;
    if (!kernel.streamsKeys()) {
      grid = arith::MulIOp::create(
          builder, loc, kernel.tileCount(builder, loc, batchCount, queryCount),
          splits);
      if (kernel.isWarpSpecialized())
        grid = kernel.gridSize(builder, loc, grid);
    }
    return SmallVector<Launch>{
        launchOf(builder, kernel, main, grid, pointers, splits),
        {second,
         merge.gridSize(builder, loc, batchCount, queryCount, splits),
         merged,
         {batchCount, queryCount, keyCount, splits},
         kernel.programmatic}};
  };
}

void AttentionLaunch::addEarly(SmallVectorImpl<Variant> &variants,
                               const AttentionKernel &kernel,
                               Variant variant) const {
  constexpr int64_t kBlocksOfSM = 3;
  int64_t most = kBlocksOfSM * kernel.schedule.getSplit() /
                 kernel.schedule.getBlocksPerSM();
  OpBuilder &host = program.builder;
  Value blocks = host.createOrFold<arith::MulIOp>(
      loc, kernel.tileCount(host, loc, batchCount, queryCount),
      kernel.splitCount(host, loc, batchCount, queryCount, keyCount));
  std::optional<int64_t> known = getConstantIntValue(blocks);
  if (!known || *known <= most) {
    Variant early = variant;
    Remark remark = explain(op, "launch");
    remark << kernel.schedule.getName() << " starts early (PDL)";
    if (!known) {
      remark << " where there are up to " << most << " blocks";
      early.conditions.push_back(host.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::ule, blocks, program.constant(most)));
    }
    variants.push_back(early);
  }
  if (known && *known <= most)
    return;
  variant.launches = [early = variant.launches](OpBuilder &builder) {
    SmallVector<Launch> launches = early(builder);
    for (Launch &launch : launches)
      launch.programmatic = false;
    return launches;
  };
  variants.push_back(variant);
}

void AttentionLaunch::explainCopies(
    ArrayRef<sftile::AttentionScheduleAttr> schedules) const {
  if (shape.isQuantized()) {
    explain(op, "copy") << "words of " << shape.keyPlanes.getCacheBits()
                        << "-bit keys and " << shape.valuePlanes.getCacheBits()
                        << "-bit values are loaded into registers, 16 bytes a "
                           "lane, and become "
                        << shape.operandType << " there";
    return;
  }
  explain(op, "copy") << "keys of " << shape.d << " features allow copies of "
                      << widthFor(shape.d, shape.operandType)
                      << " bytes and values of " << shape.dv << " of "
                      << widthFor(shape.dv, shape.operandType)
                      << " where pointers are aligned so; otherwise a kernel "
                         "with single-element copies runs";
  if (shape.page)
    for (sftile::AttentionScheduleAttr schedule : schedules)
      explain(op, "pages") << schedule.getName() << " copies a stage of "
                           << schedule.getKeys() << " keys in pieces of "
                           << std::gcd(shape.page, schedule.getKeys())
                           << ", each from one page of " << shape.page;
}

bool AttentionLaunch::isBehindFront(sftile::AttentionScheduleAttr schedule) {
  return schedule.getProducerWarps() && !schedule.getDequantizes();
}

int64_t AttentionLaunch::fewestInFront(
    ArrayRef<sftile::AttentionScheduleAttr> schedules) const {
  // Queries that no schedule before one with producer warps takes.
  int64_t taken = 0;
  std::optional<int64_t> fewest;
  for (sftile::AttentionScheduleAttr schedule : schedules) {
    if (!isBehindFront(schedule)) {
      if (!schedule.getProducerWarps())
        taken = std::max(taken, schedule.getMaxQueries());
      continue;
    }
    int64_t own =
        schedule.getTile().fewestQueries(shape.heads / shape.keyHeads);
    own = std::max(own, taken + 1);
    fewest = std::min(fewest.value_or(own), own);
    Remark remark = explain(op, "copy");
    remark << schedule.getName() << " has a kernel in front that writes keys"
           << (shape.valuePlanes ? " and values" : "")
           << ", times their scales, into the workspace as "
           << shape.operandType << ", " << 16 / shape.keyPlanes.getCacheBits();
    if (shape.valuePlanes)
      remark << " and " << 16 / shape.valuePlanes.getCacheBits();
    remark << " times the bytes of the cache";
  }
  return fewest.value_or(1);
}

AttentionLaunch AttentionLaunch::dequantized(std::string name, int64_t fewest,
                                             bool programmatic,
                                             AttentionKernels &kernels) const {
  HostIntegers host{program.builder, loc};
  CacheDequantizeKernel dequantize{name,
                                   loc,
                                   {shape.keyPlanes, shape.d},
                                   {shape.valuePlanes, shape.valueWidth},
                                   shape.operandType,
                                   shape.keyHeads,
                                   shape.page,
                                   shape.hasLengths,
                                   shape.window,
                                   programmatic};
  Value isMore = host.min(host.div(queryCount, host.constant(fewest)), 1);
  auto bytesOf = [&](const CacheDequantizeKernel::Part &part) {
    if (!part.encoding)
      return host.constant(0);
    return host.mul(dequantize.bytes(host.builder, part, batchCount, keyCount),
                    isMore);
  };
  AttentionLaunch full = *this;
  // Trits come as -1, 0 and 1.
  if (shape.keyPlanes.isTernary())
    full.shape.scale *= 2.0f;
  full.shape.keyPlanes = full.shape.valuePlanes = {};
  full.shape.page = 0;
  full.pageCount = {};
  Value keyBytes = bytesOf(dequantize.keys);
  full.frontBytes = host.add(keyBytes, bytesOf(dequantize.values));
  Value keys = program.scratch(full.frontBytes);
  Value values =
      shape.valuePlanes ? program.advance(keys, keyBytes) : inputs[2];
  full.inputs = {inputs[0], keys, values};
  // Behind keys and values are lengths and the page table, then what queries
  // have.
  size_t given = 3 + shape.hasLengths + (shape.page > 0);
  if (shape.hasLengths)
    full.inputs.push_back(inputs[3]);
  llvm::append_range(full.inputs, ArrayRef(inputs).drop_front(given));
  gpu::GPUFuncOp function = dequantize.generate(kernels.builder);
  SmallVector<Value> pointers = {inputs[1], inputs[2], keys, values};
  llvm::append_range(pointers, ArrayRef(inputs).slice(3, given - 3));
  SmallVector<Value> sizes = {keyCount, queryCount,
                              shape.page ? pageCount : host.constant(0)};
  full.front = [=](OpBuilder &builder) {
    return SmallVector<Launch>{
        {function, dequantize.gridSize(builder, batchCount, keyCount), pointers,
         sizes, programmatic}};
  };
  return full;
}

//===- AttentionStep.cpp - Attention in a launch list ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/SparseFlowToSFTile/Steps.h"
#include "Kernels/Attention/AttentionLimits.h"
#include "Kernels/Attention/Plan/TilePlan.h"
#include "Kernels/Support/HostIntegers.h"
#include "Launch/LaunchGroup.h"
#include "SparseFlow/Conversion/SparseFlowToSFTile/Passes.h"
#include "SparseFlow/Support/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

class Step {
public:
  Step(AttentionOp op, const StepContext &context)
      : op(op), context(context), program(context.program), loc(op.getLoc()) {}

  LogicalResult run();

private:
  LogicalResult bind();
  /// What kernels of `schedule` are; names begin with the step's, and `suffix`.
  AttentionKernel kernelOf(sftile::AttentionScheduleAttr schedule,
                           StringRef suffix, bool aligned,
                           bool oneEntry = false);
  Variant makeVariant(const AttentionKernel &kernel, bool bounded);
  /// A variant that asks for what `kernel` needs, `bounded` by its schedule.
  Variant guardsOf(const AttentionKernel &kernel, bool bounded);
  /// Behind that of a plan, if it has one.
  Launches launchWhole(const AttentionKernel &kernel, gpu::GPUFuncOp main);
  Launches launchParts(const AttentionKernel &kernel, gpu::GPUFuncOp main);
  Launch launchOf(OpBuilder &builder, const AttentionKernel &kernel,
                  gpu::GPUFuncOp function, Value grid, ArrayRef<Value> pointers,
                  Value parts) const;
  /// A variant for whole tiles before one that divides keys among blocks, which
  /// is for more than one part. Where it is known which, only that.
  void addVariants(SmallVectorImpl<Variant> &variants,
                   const AttentionKernel &kernel, bool bounded);
  sftile::CopyAtomInterface copyOf(int64_t features, bool aligned);
  /// The kernel's pointers, with queries, keys and values as tensor maps.
  SmallVector<Value> withMaps(OpBuilder &builder, const AttentionKernel &kernel,
                              ArrayRef<Value> pointers) const;

  AttentionOp op;
  const StepContext &context;
  HostProgramBuilder &program;
  Location loc;
  AttentionShape shape;
  SmallVector<Value> inputs; // As the kernel takes them.
  // `batch` counts sequences where these follow one another in `entries`, one
  // entry of the tensors; otherwise both are the batch entries.
  Value result, lse, batch, entries, queries, keys;
  Value pageCount; // Null without pages.
};

} // namespace

/// The operands' places, in the kernel's order; each must have one.
LogicalResult Step::bind() {
  SmallVector<std::pair<std::string, Value>> tensors = {
      {"q", op.getQ()}, {"k", op.getK()}, {"v", op.getV()}};
  if (op.getLengths())
    tensors.emplace_back("lengths", op.getLengths());
  if (op.getPages())
    tensors.emplace_back("pages", op.getPages());
  if (op.isVarlen()) {
    tensors.emplace_back("cu_seqlens of queries", op.getCuSeqlensQ());
    tensors.emplace_back("cu_seqlens of keys", op.getCuSeqlensK());
  }
  for (auto [index, operand] : llvm::enumerate(op.getScoreOperands()))
    tensors.emplace_back("score operand #" + std::to_string(index), operand);
  for (auto &[name, tensor] : tensors) {
    FailureOr<Value> pointer = program.placeOf(op, tensor, name);
    if (failed(pointer))
      return failure();
    inputs.push_back(*pointer);
  }
  result = program.bufferOf(op.getResult());
  if (op.getLse())
    lse = program.bufferOf(op.getLse());
  batch = entries = program.dimOf(op.getQ(), 0);
  if (op.isVarlen()) {
    OpBuilder &host = program.builder;
    Value offsets = host.createOrFold<arith::MaxUIOp>(
        loc, program.dimOf(op.getCuSeqlensQ(), 0), program.constant(1));
    batch = host.createOrFold<arith::SubIOp>(loc, offsets, program.constant(1));
    entries = program.constant(1);
  }
  queries = program.dimOf(op.getQ(), op.getSequenceDim());
  if (op.getPages())
    pageCount = program.dimOf(op.getK(), 0);
  keys = op.getPages() ? HostIntegers{program.builder, loc}.mul(
                             program.dimOf(op.getPages(), 1), op.getPageSize())
                       : program.dimOf(op.getK(), op.getSequenceDim());

  shape.bhsd = op.getLayout() == AttentionLayout::Bhsd;
  shape.causal = op.getCausal();
  shape.hasLengths = bool(op.getLengths());
  shape.varlen = op.isVarlen();
  shape.hasLse = bool(op.getLse());
  shape.window = op.getWindow().value_or(0);
  shape.scale = op.getScaleValue();
  shape.heads = op.getQueryHeads();
  shape.keyHeads = op.getKeyHeads();
  shape.d = op.getD();
  shape.dv = op.getDv();
  shape.valueWidth = op.getVType().getDimSize(3);
  shape.sharesKeys = op.sharesKeys() && !getTernaryEncoding(op.getKType());
  shape.sizes[kBatch] =
      shape.varlen ? ShapedType::kDynamic : op.getQType().getDimSize(0);
  shape.sizes[kQueries] = op.getQType().getDimSize(op.getSequenceDim());
  shape.sizes[kKeys] = op.getKeyCount();
  shape.page = op.getPageSize();
  shape.operandType = op.getQType().getElementType();
  shape.resultType = op.getResultType().getElementType();
  for (auto [index, operand] : llvm::enumerate(op.getScoreOperands()))
    shape.operands.emplace_back(getElementTypeOrSelf(operand.getType()),
                                op.getScoreDims(index).str());
  shape.score = op.hasScore() ? &op.getScore().front() : nullptr;
  if (shape.score)
    shape.yielded = op.getYieldedScore();
  shape.keyPlanes = getTernaryEncoding(op.getKType());
  shape.valuePlanes = getTernaryEncoding(op.getVType());
  if (shape.keyPlanes && !shape.isQuantized())
    shape.scale *= 0.5f;
  return verifyFeatures(op);
}

sftile::CopyAtomInterface Step::copyOf(int64_t features, bool aligned) {
  MLIRContext *context = op.getContext();
  int64_t width = aligned ? widthFor(features, shape.operandType) : 2;
  if (width >= 4)
    return sftile::CpAsyncAttr::get(context, width);
  return sftile::LdStAttr::get(context, 2);
}

SmallVector<Value> Step::withMaps(OpBuilder &builder,
                                  const AttentionKernel &kernel,
                                  ArrayRef<Value> pointers) const {
  SmallVector<Value> arguments(pointers);
  int64_t bytes = shape.operandType.getIntOrFloatBitWidth() / 8;
  HostIntegers host{builder, loc};
  std::array<int64_t, 3> heads = {shape.heads, shape.keyHeads, shape.keyHeads};
  std::array<int64_t, 3> widths = {shape.d, shape.d, shape.dv};
  std::array<int64_t, 3> pitches = {shape.d, shape.d, shape.valueWidth};
  std::array<Value, 3> lengths = {queries, keys, keys};
  for (int64_t i : kernel.mapped()) {
    // Bytes from a position, a head and a batch entry to the next.
    int64_t row = pitches[i] * bytes;
    bool paged = i > 0 && shape.page;
    Value byLength =
        paged ? host.constant(row * shape.page) : host.mul(lengths[i], row);
    Value position = host.constant(shape.bhsd ? row : row * heads[i]);
    Value head = shape.bhsd ? byLength : host.constant(row);
    Value entry = host.mul(byLength, heads[i]);
    Value positions = paged ? host.constant(shape.page) : lengths[i];
    Value headCount = host.constant(heads[i]);
    // Packed heads of the one query follow one another in both layouts.
    if (i == 0 && kernel.schedule.getPacked()) {
      std::swap(positions, headCount);
      position = host.constant(row);
      head = entry;
    }
    auto map = sftile::TensorMapOp::create(
        builder, loc, arguments[i],
        ValueRange{host.constant(widths[i]), positions, headCount,
                   paged ? pageCount : entries},
        ValueRange{position, head, entry}, /*extents=*/ValueRange(),
        {64, kernel.boxRows()[i], 1, 1},
        /*swizzle=*/128, shape.operandType);
    // Rows of a box are 128 bytes. Reading their neighbours too, for a box that
    // follows later, cost 7 % of the rate from memory.
    map->setDiscardableAttr("sftile.promotion", builder.getI64IntegerAttr(128));
    arguments[i] = map;
  }
  if (kernel.storesByTma()) {
    int64_t row = shape.dv * (shape.resultType.getIntOrFloatBitWidth() / 8);
    Value byLength = host.mul(queries, row);
    int64_t place = kernel.firstOutput();
    arguments[place] = sftile::TensorMapOp::create(
        builder, loc, arguments[place],
        ValueRange{host.constant(shape.dv), queries, host.constant(shape.heads),
                   entries},
        ValueRange{host.constant(shape.bhsd ? row : row * shape.heads),
                   shape.bhsd ? byLength : host.constant(row),
                   host.mul(byLength, shape.heads)},
        /*extents=*/ValueRange(), {64, kStoreRows, 1, 1}, /*swizzle=*/128,
        shape.resultType);
  }
  return arguments;
}

AttentionKernel Step::kernelOf(sftile::AttentionScheduleAttr schedule,
                               StringRef suffix, bool aligned, bool oneEntry) {
  auto widthOf = [&](int64_t features, Type type) {
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    // Two neighbours are what a lane holds of a row.
    return aligned ? std::min(widthFor(features, type), 2 * bytes) : bytes;
  };
  AttentionKernel kernel{context.prefix + "_" + suffix.str(),
                         loc,
                         shape,
                         schedule,
                         copyOf(shape.d, aligned),
                         copyOf(std::gcd(shape.dv, shape.valueWidth), aligned),
                         widthOf(shape.d, shape.operandType),
                         widthOf(shape.dv, shape.resultType)};
  kernel.programmatic = kernel.isWarpSpecialized() ||
                        (context.programmatic() && !shape.keyPlanes &&
                         (kernel.partial() || kernel.planned()));
  kernel.oneEntry = oneEntry;
  return kernel;
}

void Step::addVariants(SmallVectorImpl<Variant> &variants,
                       const AttentionKernel &kernel, bool bounded) {
  sftile::AttentionScheduleAttr schedule = kernel.schedule;
  if (!kernel.partial() || !kernel.isWarpSpecialized() ||
      kernel.streamsKeys()) {
    variants.push_back(makeVariant(kernel, bounded));
    return;
  }
  Value parts = kernel.splitCount(program.builder, loc, batch, queries, keys);
  std::optional<int64_t> known = getConstantIntValue(parts);
  if (!known || *known == 1) {
    sftile::AttentionTileFields tile = schedule.getTile();
    tile.splitBlocks = tile.splitMinKeys = 0;
    AttentionKernel whole = kernel;
    whole.name += "_whole";
    whole.schedule = sftile::AttentionScheduleAttr::get(
        op.getContext(), schedule.getName(), tile, schedule.getPipeline());
    Variant variant = makeVariant(whole, bounded);
    if (!known)
      variant.conditions.push_back(program.builder.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::ule, parts, program.constant(1)));
    variants.push_back(variant);
  }
  if (!known || *known > 1)
    variants.push_back(makeVariant(kernel, bounded));
}

Variant Step::makeVariant(const AttentionKernel &kernel, bool bounded) {
  gpu::GPUFuncOp main = kernel.generate(context.kernels);
  Variant variant = guardsOf(kernel, bounded);
  variant.launches =
      kernel.partial() ? launchParts(kernel, main) : launchWhole(kernel, main);
  return variant;
}

Variant Step::guardsOf(const AttentionKernel &kernel, bool bounded) {
  sftile::AttentionScheduleAttr schedule = kernel.schedule;
  Variant variant;
  auto compare = [&](arith::CmpIPredicate predicate, Value size, int64_t than) {
    variant.conditions.push_back(program.builder.createOrFold<arith::CmpIOp>(
        loc, predicate, size, program.constant(than)));
  };
  if (kernel.oneEntry)
    compare(arith::CmpIPredicate::ule, batch, 1);
  if (bounded && schedule.getMaxQueries())
    compare(arith::CmpIPredicate::ule, queries, schedule.getMaxQueries());
  if (bounded && schedule.getMinBlocks())
    compare(arith::CmpIPredicate::uge,
            kernel.tileCount(program.builder, loc, entries, queries),
            schedule.getMinBlocks());
  auto require = [&](Value pointer, int64_t bytes, Type type) {
    if (bytes > type.getIntOrFloatBitWidth() / 8)
      variant.require(pointer, bytes);
  };
  if (kernel.isWarpSpecialized()) {
    // There is no tensor map of a tensor without elements.
    for (Value size : {keys, pageCount})
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
  require(result, kernel.storesByTma() ? 16 : kernel.storeWidth,
          shape.resultType);
  return variant;
}

Launch Step::launchOf(OpBuilder &builder, const AttentionKernel &kernel,
                      gpu::GPUFuncOp function, Value grid,
                      ArrayRef<Value> pointers, Value parts) const {
  SmallVector<Value> sizes = {batch, queries, keys, parts};
  if (shape.page)
    sizes.push_back(pageCount);
  return {function, grid,
          kernel.isWarpSpecialized() ? withMaps(builder, kernel, pointers)
                                     : SmallVector<Value>(pointers),
          sizes, kernel.programmatic};
}

Launches Step::launchWhole(const AttentionKernel &kernel, gpu::GPUFuncOp main) {
  SmallVector<Value> pointers = inputs, planned;
  TilePlanKernel planner{kernel.name + "_plan", loc, shape, kernel.schedule,
                         kernel.programmatic};
  gpu::GPUFuncOp first;
  Value tiles;
  if (kernel.planned()) {
    first = planner.generate(context.kernels);
    tiles = planner.mostTiles(program.builder, batch, queries);
    Value list = program.scratch(planner.bytes(program.builder, tiles));
    planned.assign(inputs.begin() + 3, inputs.begin() + (shape.varlen ? 5 : 4));
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
                          {batch, queries, keys, tiles},
                          kernel.programmatic});
      all = HostIntegers{builder, loc}.mul(tiles, shape.heads);
    } else {
      all = kernel.tileCount(builder, loc, batch, queries);
    }
    launches.push_back(launchOf(builder, kernel, main,
                                kernel.gridSize(builder, loc, all), pointers,
                                one));
    return launches;
  };
}

/// Parts of the keys take a second kernel, which merges them.
Launches Step::launchParts(const AttentionKernel &kernel, gpu::GPUFuncOp main) {
  HostIntegers host{program.builder, loc};
  SplitKvCombineKernel merge{
      kernel.streamsKeys(), kernel.name + "_merge", loc, shape, kernel.schedule,
      kernel.storeWidth,    kernel.programmatic};
  gpu::GPUFuncOp second = merge.generate(context.kernels);
  Value counted = queries;
  if (int64_t most = kernel.schedule.getMaxQueries())
    counted = host.min(queries, most);
  Value parts = kernel.splitCount(host.builder, loc, batch, counted, keys);
  // Blocks that stream keys may each leave parts of two tiles.
  Value rows = kernel.streamsKeys()
                   ? host.constant(2 * kernel.rowsOfTile())
                   : host.mul(host.mul(batch, shape.heads), counted);
  rows = host.mul(rows, parts);
  Value sums = host.mul(rows, 4 * shape.dv), statistics = host.mul(rows, 4);
  Value partial = program.scratch(host.add(sums, statistics));
  Value behind = LLVM::GEPOp::create(host.builder, loc, partial.getType(),
                                     host.builder.getI8Type(), partial, sums);
  SmallVector<Value> whole = {result};
  if (lse)
    whole.push_back(lse);
  SmallVector<Value> pointers = inputs, merged = {partial, behind};
  llvm::append_range(merged, whole);
  if (kernel.streamsKeys()) {
    llvm::append_range(pointers, whole);
    merged.push_back(inputs[3]);
  }
  pointers.append({partial, behind});
  return [=](OpBuilder &builder) {
    Value grid = parts;
    if (!kernel.streamsKeys()) {
      grid = arith::MulIOp::create(
          builder, loc, kernel.tileCount(builder, loc, batch, queries), parts);
      if (kernel.isWarpSpecialized())
        grid = kernel.gridSize(builder, loc, grid);
    }
    return SmallVector<Launch>{
        launchOf(builder, kernel, main, grid, pointers, parts),
        {second,
         merge.gridSize(builder, loc, batch, queries, parts),
         merged,
         {batch, queries, keys, parts},
         kernel.programmatic}};
  };
}

LogicalResult Step::run() {
  auto schedules = schedulesOf<sftile::AttentionScheduleAttr>(op);
  if (schedules.empty())
    return op.emitOpError("expected sftile.schedules of "
                          "#sftile.attention_schedule; run "
                          "sparseflow-select-schedule first");
  if (failed(bind()))
    return failure();
  bool isOne = getConstantIntValue(queries) == 1;
  if (schedules.back().getPacked() && !isOne)
    return op.emitOpError("expected a last schedule for any number of queries, "
                          "found ")
           << schedules.back() << ", which packs the heads of one query";
  SmallVector<sftile::AttentionScheduleAttr> all(schedules);
  if (auto unaligned = op->getAttrOfType<sftile::AttentionScheduleAttr>(
          kUnalignedScheduleAttr))
    all.push_back(unaligned);
  if (failed(verifySchedules(op, shape, all)))
    return failure();
  SmallVector<Variant> variants;
  for (auto [index, schedule] : llvm::enumerate(schedules)) {
    bool last = index + 1 == schedules.size();
    std::string suffix(1, char('a' + index));
    // The tiles of one entry are equally long: nothing has to be found out
    // about lengths before keys are copied.
    AttentionKernel kernel = kernelOf(schedule, suffix, /*aligned=*/true);
    if (kernel.streamsKeys() && !schedule.getMinBlocks() &&
        (ShapedType::isDynamic(shape.sizes[kBatch]) ||
         shape.sizes[kBatch] == 1))
      variants.push_back(
          makeVariant(kernelOf(schedule, suffix + "_one", /*aligned=*/true,
                               /*oneEntry=*/true),
                      /*bounded=*/!last));
    addVariants(variants, kernel, /*bounded=*/!last);
  }
  // Behind them, for pointers of any alignment.
  auto unaligned =
      op->getAttrOfType<sftile::AttentionScheduleAttr>(kUnalignedScheduleAttr);
  sftile::AttentionScheduleAttr fallback =
      unaligned ? unaligned : schedules.back();
  if (fallback.getProducerWarps())
    return op.emitOpError("expected ")
           << kUnalignedScheduleAttr << " without producer warps beside "
           << schedules.back().getName() << ", whose tensor maps need pointers "
           << "that are multiples of 16 bytes; pin one";
  variants.push_back(makeVariant(kernelOf(fallback, "any", /*aligned=*/false),
                                 /*bounded=*/false));
  if (shape.isQuantized()) {
    explain(op, "copy") << "words of " << shape.keyPlanes.getCacheBits()
                        << "-bit keys and " << shape.valuePlanes.getCacheBits()
                        << "-bit values are loaded into registers, 16 bytes a "
                           "lane, and become "
                        << shape.operandType << " there";
    program.addStep(loc, "attention", queries, variants);
    return success();
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
  program.addStep(loc, "attention", queries, variants);
  return success();
}

LogicalResult mlir::sparseflow::convertAttention(AttentionOp op,
                                                 const StepContext &context) {
  return Step(op, context).run();
}

//===- StreamedMatmul.cpp - Ternary matmuls of few tokens -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With few tokens a matmul takes as long as its weights take to arrive. So this
// kernel starts as many copies as it can before it waits for anything, and has
// no barrier of the block in its mainloop: each warp streams its own weights
// through a pipeline of its own, 16 bytes a lane, and every lane multiplies
// what it has copied itself. The warps of a block that have the same features
// share K, unit by unit, alternating, and so do the blocks of a cluster
// (split-K); their partial sums meet in shared memory (DSMEM) at the end,
// always in one order.
//
// Activations come one of two ways. Held: a block has those of all of K in
// shared memory, eight tokens a block, and quantizes them itself for int8 MMAs
// while its first weights arrive. Otherwise a stage has those of its unit
// beside the weights, copied once for the warps that read them.
//
// 2:4 sparse weights (tern24.v1, tern24z.v1) take sparse MMAs; their metadata
// lies as the instruction reads it. A schedule without max_tokens has blocks
// for tiles of tokens.
//
// Matmuls of the same activations may share a launch. A block belongs to one
// of them; or, where one is an operand of the other's epilogue, half of a
// warp's rows are of each weight. The kernel is written in sftile's operations
// on registers (SFTileThreadOps.td).
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedMatmul.h"
#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "Kernels/Matmul/Streamed/WarpPipeline.h"
#include "Kernels/Quantize/TokenPieces.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kUnitRows = 64, kWarp = 32, kChunk = 16;
static constexpr int64_t kPiece = TokenPieces::kColumns;
// Bytes behind a held row, so that rows begin in different banks.
static constexpr int64_t kRowPadding = 16;

namespace {

class StreamedGenerator : ThreadCode {
public:
  StreamedGenerator(const MatmulProblem &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec), schedule(spec.schedule),
        b(builder, spec.loc, spec.name, StreamedMembers::pointerCount(spec),
          (spec.computedRows ? spec.computedRows->group.numbers : 0) + 1,
          spec.schedule.getNumWarps(), spec.schedule),
        members(spec, b) {
    integers = spec.isInteger();
    sparse = spec.hasSparseCodes();
    unitCols = sparse ? 256 : 128;
    metaBytes = sparse ? 512 : 0;
    codeBytes = spec.codec.getWordsPerLane() * 128;
    tileBytes = metaBytes + codeBytes;
    held = schedule.getHeld();
    blockF = schedule.getBlock()[0];
    tiles = schedule.getWarp()[0] / 16;
    gated = spec.gatedOperand.has_value();
    blockResult = streamedFeatures(spec);
    perWeight = gated ? tiles / 2 : tiles;
    planes = spec.scales ? spec.scales->planes : 1;
    if (spec.scales)
      scales.emplace(builder, loc, *spec.scales, unitCols, tiles, spec.n);
    across = blockF / schedule.getWarp()[0];
    along = schedule.getKWarps();
    splits = schedule.getSplitK();
    tokenTiles = schedule.getBlock()[1] / 8;
    elementBytes = integers ? 1 : 2;
    tiled = schedule.getMaxTokens() == 0 ||
            schedule.getMaxTokens() > schedule.getBlock()[1];
    units = llvm::divideCeil(spec.k, unitCols);
    threads = across * along * kWarp;
    if (splits > 1)
      setClusterBlocks(b.kernel, splits);
    rowBytes = units * unitCols * elementBytes + kRowPadding;
    warpBytes = scalesInStage() + (scales ? scales->bytes() : 0);
    weightBytes = across * warpBytes;
    stages = schedule.getStages();
    form = {stages,
            weightBytes + (held ? 0 : tokenTiles * 8 * unitCols * elementBytes),
            readers(), across * kWarp};
    int64_t sums = StreamedResults::bytes(resultsForm());
    heldAt = WarpPipeline::bytes(form, along);
    int64_t heldTokens =
        held ? std::min<int64_t>(schedule.getMaxTokens(), 8) : 0;
    if (held && integers)
      sharing.emplace(heldTokens, units * unitCols, threads, spec.heldType);
    wordsAt = std::max(heldAt + heldTokens * rowBytes, sums);
    // Few rows and 16 tokens are bound by activations, and have no registers
    // to spare.
    raw = !scales && (tiles > 2 || tokenTiles == 1) &&
          StreamedMainloop::isRaw(spec.codec, spec.operandType);
    sharedBytes = wordsAt + (raw ? across * along * tokenTiles * 8 * 4
                                 : HeldActivations::wordsBytes(sharing));
    // What a thread holds: sftile-assign-resources finds blocks for them.
    int64_t registers = (sparse ? 96 + tiles * 10 : 64) +
                        tiles * tokenTiles * 4 +
                        (sparse ? 0 : std::max<int64_t>(tokenTiles - 2, 0) * 8);
    // Large tiles of bf16 hold dequantized weights as long.
    if (raw || (!integers && !scales && tiles * tokenTiles >= 8))
      registers += (tiles + 1) * tokenTiles * 4;
    if (scales)
      registers +=
          (tiles * tokenTiles * 4 + tiles * 2 * scales->parts()) * planes;
    if (sharing) {
      // Computed elements are f32, beside those that they are computed of.
      int64_t perPiece = spec.computedRows
                             ? 2 * kPiece
                             : TokenPieces::registers(spec.heldType);
      // Fewer are taken beside them where tokens are quantized together.
      registers = std::max(registers, (sharing->together > 1 ? 64 : 72) +
                                          sharing->pieces * perPiece);
    }
    b.kernel->setAttr("sftile.thread_registers",
                      builder.getI64IntegerAttr(registers));
  }

  gpu::GPUFuncOp run() {
    assignWork();
    // Weights arrive while the kernels before this one run (PDL): none writes
    // them.
    for (int64_t stage = 0; stage < stages; ++stage) {
      copyWeights(integer(stage), pipeline->acquire(stage));
      if (held)
        pipeline->commit();
    }
    // Where two blocks share an SM and others come after the wait, one is of
    // this kernel and one of the next, whose weights arrive meanwhile; early,
    // both would be of one kernel and others have none. Beside a kernel that
    // quantizes no two blocks find room.
    if (spec.computeCapability >= 90) {
      members.prefetch(firstFeature, blockResult, threads);
      if (spec.computedRows)
        prefetchVectors(
            *this, spec.computedRows->group,
            [&](int64_t input) { return b.pointer(input); }, threads);
      griddepWait(/*launchFirst=*/integers && !held);
    }
    if (held)
      holdActivations();
    else
      for (int64_t stage = 0; stage < stages; ++stage) {
        copyActivations(integer(stage), pipeline->acquire(stage));
        pipeline->commit();
      }
    SmallVector<Value> sums = runMainloop(raw);
    if (raw)
      sums = fromRaw(sums);
    storeResults(sums);
    // A block's shared memory must outlive those who read it.
    if (splits > 1) {
      barrierOf(BarrierScope::Cluster);
    }
    builder.setInsertionPointToEnd(&b.kernel.getBody().front());
    gpu::ReturnOp::create(builder, loc);
    builder.setInsertionPointAfter(b.kernel);
    return b.kernel;
  }

private:
  void holdActivations() {
    if (!spec.computedRows) {
      activations().hold(tokens);
      return;
    }
    TensorKernel rows{spec.name,
                      loc,
                      spec.computedRows->group,
                      KernelForm::Rows,
                      spec.computedRows->access,
                      /*programmatic=*/false};
    activations().hold(tokens,
                       computedPieces(b, rows, threads, sharing->pieces).get());
  }

  HeldActivations activations() {
    Type type = integers ? spec.heldType : spec.operandType;
    Value x = b.pointer(0);
    HeldActivations::Form form = {type,     sharing,          sparse,
                                  spec.k,   units * unitCols, threads,
                                  rowBytes, heldAt,           wordsAt};
    return HeldActivations(builder, loc, form,
                           tiled ? advance(x, firstToken, spec.k, type) : x,
                           shared);
  }

  void assignWork() {
    shared = SharedOp::create(builder, loc, sharedBytes);
    thread = threadId();
    lane = rem(thread, kWarp);
    // A shuffle tells ptxas that the value is the same for the warp.
    Value warp = shuffle(div(thread, kWarp), integer(0));
    Value block = blockId();
    tokens = arith::TruncIOp::create(builder, loc, i32, b.count());
    Value tile = div(block, splits);
    if (tiled) {
      // Tiles of tokens that need the same weights run at the same time.
      int64_t blockT = schedule.getBlock()[1];
      Value count = div(add(tokens, blockT - 1), blockT);
      firstToken =
          mul(arith::RemUIOp::create(builder, loc, tile, count), blockT);
      tile = arith::DivUIOp::create(builder, loc, tile, count);
      tokens = arith::MinUIOp::create(builder, loc, sub(tokens, firstToken),
                                      integer(blockT));
    }
    warpAcross = rem(warp, across);
    warpAlong = div(warp, across);
    rank = rem(block, splits);
    Value ofMember = members.pick(tile);
    firstFeature = mul(ofMember, blockResult);
    Value row = add(firstFeature, mul(warpAcross, perWeight * 16));
    firstUnit = add(mul(rank, along), warpAlong);
    // The warp has every `step`-th unit.
    int64_t step = splits * along;
    Value left = sub(integer(units + step - 1), firstUnit);
    count = builder.createOrFold<arith::DivSIOp>(loc, left, integer(step));
    // Warps past the last feature only share in the copies of activations.
    weightCount = count;
    if (!members.fillBlocks(kUnitRows)) {
      Value padded =
          mul(div(add(members.features, kUnitRows - 1), kUnitRows), kUnitRows);
      Value inside = less(row, padded);
      // Memory that holds no weights may hold illegal metadata.
      if (sparse)
        row = select(inside, row, integer(0));
      else
        weightCount = select(inside, count, integer(0));
    }
    Value unit = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, wide(div(row, kUnitRows)),
                              integer64(units)),
        wide(firstUnit));
    Value tileInUnit = div(rem(row, kUnitRows), 16);
    for (Value weight : members.weights)
      unitStarts.push_back(
          advance(weight, unit, planes * unitBytes(), builder.getI8Type()));
    if (scales)
      scales->pointer = members.scales;
    firstRow = row;
    codesInUnit = add(add(mul(tileInUnit, codeBytes), mul(lane, laneBytes())),
                      4 * metaBytes);
    metaInUnit = add(mul(tileInUnit, metaBytes), mul(lane, kChunk));
    pipeline.emplace(builder, loc, form, shared, warpAlong);
    ownWeights = at(pipeline->start, mul(warpAcross, warpBytes));
  }

  int64_t unitBytes() const { return kUnitRows / 16 * tileBytes; }
  /// Where the scales of a warp's weights are in its part of a stage.
  int64_t scalesInStage() const { return planes * tiles * tileBytes; }
  /// Bytes of codes that a lane has of 16 rows of a unit.
  int64_t laneBytes() const { return codeBytes / kWarp; }

  void copy(Value destination, Value source, Value valid = {},
            int64_t bytes = kChunk) {
    ThreadCopyOp::create(builder, loc, source, destination, valid,
                         CpAsyncAttr::get(builder.getContext(), bytes));
  }

  void barrierOf(BarrierScope scope) {
    sftile::BarrierOp::create(builder, loc, scope);
  }

  /// Starts the copies of this warp's unit `number` into the stage at `slot`,
  /// a number of bytes.
  void copyWeights(Value number, Value slot) {
    ifTrue(less(number, weightCount), [&] {
      Value codesTo = at(at(ownWeights, slot), mul(lane, laneBytes()));
      Value metaTo = at(at(ownWeights, slot), mul(lane, kChunk));
      Value codes, meta;
      // Planes of a unit follow one another; two weights of a launch have one.
      int64_t step = splits * along * planes * unitBytes();
      for (int64_t tile = 0; tile < planes * tiles; ++tile) {
        int64_t inWeight = tile % perWeight;
        if (inWeight == 0) {
          int64_t which = tile / perWeight;
          Value source = advance(unitStarts[planes > 1 ? 0 : which], number,
                                 step, builder.getI8Type());
          source = at(source, planes > 1 ? which * unitBytes() : 0);
          codes = at(source, codesInUnit);
          meta = at(source, metaInUnit);
        }
        copy(at(codesTo, tile * tileBytes), at(codes, inWeight * codeBytes), {},
             laneBytes());
        if (sparse)
          copy(at(metaTo, tile * tileBytes + codeBytes),
               at(meta, inWeight * metaBytes));
      }
      if (scales)
        scales->copy(add(firstUnit, mul(number, splits * along)), firstRow,
                     lane, at(at(ownWeights, slot), scalesInStage()));
    });
  }

  /// The activations of the unit, 16 bytes at a time, shared out to the warps
  /// that have it in common. Rows are swizzled, so that eight of them can be
  /// read at once. Tokens that there are none of stay what they are: sums of
  /// one token do not depend on another.
  void copyActivations(Value number, Value slot) {
    int64_t perRow = unitCols * elementBytes / kChunk;
    int64_t chunks = tokenTiles * 8 * perRow, sharers = across * kWarp;
    Value inGroup = add(mul(warpAcross, kWarp), lane);
    Value unit = add(firstUnit, mul(number, splits * along));
    for (int64_t first = 0; first < chunks; first += sharers) {
      Value chunk = add(inGroup, first);
      Value token = div(chunk, perRow), inRow = rem(chunk, perRow);
      Value wanted = arith::AndIOp::create(builder, loc, less(number, count),
                                           less(token, tokens));
      ifTrue(wanted, [&] {
        Value swizzled = bitXor(inRow, rem(token, 8));
        Value to = at(
            at(pipeline->start, slot),
            add(add(mul(token, unitCols * elementBytes), mul(swizzled, kChunk)),
                weightBytes));
        Value column =
            add(mul(unit, unitCols), mul(inRow, kChunk / elementBytes));
        Value valid;
        if (spec.pitch() % unitCols) {
          Value inside =
              less(column, integer(integers ? spec.pitch() : spec.k));
          valid = select(inside, integer(kChunk), integer(0));
          column = select(inside, column, integer(0));
        }
        Type type = integers ? Type(builder.getI8Type()) : spec.operandType;
        Value row = advance(b.pointer(0), inAll(token), spec.pitch(), type);
        if (spec.copy.getBytes() < kChunk)
          return ElementCopies(builder, loc, spec.k)
              .copy(to, row, add(mul(unit, unitCols), mul(inRow, kChunk / 2)));
        copy(to, advance(row, column, 1, type), valid);
      });
    }
  }

  /// A token of this block among all of them.
  Value inAll(Value token) { return tiled ? add(token, firstToken) : token; }

  //===--------------------------------------------------------------------===//
  // Mainloop
  //===--------------------------------------------------------------------===//

  /// Who reads what a lane has copied: with held activations it does itself,
  /// but for scales.
  WarpPipeline::Readers readers() const {
    if (held && !scales)
      return WarpPipeline::Readers::Lane;
    if (across == 1 || held)
      return WarpPipeline::Readers::Warp;
    return WarpPipeline::Readers::Warps;
  }

  void copyUnit(Value number, Value slot) {
    copyWeights(number, slot);
    if (!held)
      copyActivations(number, slot);
    pipeline->commit();
  }

  /// The accumulators from those of raw codes. An infinity among the
  /// activations is in the sums of all codes but 0 and so lost in them: warps
  /// that have one multiply their units again, by the weights.
  SmallVector<Value> fromRaw(ArrayRef<Value> sums) {
    tokenSums->storePartialSums(sums.take_back(tokenTiles * 4));
    barrier();
    SmallVector<Value> ofTokens = tokenSums->loadSums();
    auto branch = scf::IfOp::create(
        builder, loc, SmallVector<Type>(tiles * tokenTiles * 4, f32),
        tokenSums->anyNotFinite(ofTokens, tokens), /*withElse=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    for (int64_t stage = 0; stage < stages; ++stage)
      copyUnit(integer(stage), pipeline->acquire(stage));
    scf::YieldOp::create(builder, loc, runMainloop(/*raw=*/false));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc,
                         unitMainloop(raw).fromRaw(sums, ofTokens));
    return llvm::to_vector(ValueRange(branch.getResults()));
  }

  SmallVector<Value> runMainloop(bool raw) {
    int64_t perRow = unitCols * elementBytes;
    MatrixLoads loads(builder, loc,
                      {held, tokenTiles, held ? rowBytes : perRow,
                       held ? heldAt : weightBytes},
                      lane, tokens);
    MatrixLoads::Offsets offsets =
        loads.offsets(integer(0), perRow / MatrixLoads::kBytes);
    MatrixLoads::Offsets ofTokens;
    if (raw) {
      tokenSums.emplace(builder, loc, tokenTiles, across, warpAcross,
                        mul(warpAlong, across), lane, at(shared, wordsAt));
      ofTokens = loads.offsets(tokenSums->firstLoad(), tokenSums->loads());
    }
    Type sumType = spec.accumulatorType();
    Value zero = arith::ConstantOp::create(builder, loc, sumType,
                                           builder.getZeroAttr(sumType));
    SmallVector<Value> carried((raw ? 2 * tiles + 1 : tiles) * tokenTiles * 4,
                               zero);
    carried.push_back(integer(0));
    SmallVector<Value> results =
        forLoop(integer(0), count, integer(1), carried,
                [&](Value number, ValueRange values) {
                  SmallVector<Value> sums = llvm::to_vector(values.drop_back());
                  Value slot = values.back();
                  pipeline->wait();
                  multiply(number, slot, loads, offsets,
                           raw ? &ofTokens : nullptr, sums);
                  pipeline->release();
                  copyUnit(add(number, stages), slot);
                  sums.push_back(pipeline->next(slot));
                  return sums;
                });
    results.pop_back();
    return results;
  }

  StreamedMainloop unitMainloop(bool raw) {
    return StreamedMainloop(builder, loc,
                            {spec.codec, spec.operandType, tiles, tokenTiles,
                             scales ? &*scales : nullptr, raw});
  }

  void multiply(Value number, Value slot, MatrixLoads &loads,
                const MatrixLoads::Offsets &offsets,
                const MatrixLoads::Offsets *ofTokens,
                MutableArrayRef<Value> sums) {
    auto words = VectorType::get({4}, i32);
    Type codesType = VectorType::get({laneBytes() / 4}, i32);
    SmallVector<Value> codes, meta;
    Value own = at(ownWeights, slot);
    for (int64_t tile = 0; tile < planes * tiles; ++tile) {
      Value place = at(own, tile * tileBytes);
      codes.push_back(
          load(codesType, at(place, mul(lane, laneBytes())), laneBytes()));
      if (sparse)
        meta.push_back(
            load(words, at(at(place, codeBytes), mul(lane, kChunk)), kChunk));
    }
    Value start = at(pipeline->start, slot);
    if (held) {
      Value unit = add(firstUnit, mul(number, splits * along));
      start = at(shared, mul(unit, unitCols * elementBytes));
    }
    StreamedMainloop mainloop = unitMainloop(ofTokens);
    auto load64 = [&](int64_t chunk) {
      return loads.load(start, offsets, chunk);
    };
    MutableArrayRef<Value> ofWeights = sums;
    if (ofTokens)
      ofWeights = sums.drop_back(tokenTiles * 4);
    mainloop.multiply(codes, meta, scales ? at(own, scalesInStage()) : Value(),
                      lane, load64, ofWeights);
    for (int64_t i = 0; ofTokens && i < tokenSums->loads(); ++i)
      mainloop.addUpTokens(loads.load(start, *ofTokens, i), tokenSums->one(),
                           sums.take_back(tokenTiles * 4));
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  StreamedResults::Form resultsForm() const {
    int64_t most = schedule.getBlock()[1];
    if (int64_t tokens = schedule.getMaxTokens())
      most = std::min(most, tokens);
    return {blockF,
            most,
            tiles,
            tokenTiles,
            along,
            splits,
            threads,
            gated ? perWeight * 16 : 0,
            spec.accumulatorType(),
            integers && !sparse && !scales};
  }

  void storeResults(ArrayRef<Value> sums) {
    StreamedResults results(builder, loc, resultsForm(), shared);
    pipeline->drain();
    barrier();
    results.putSums(sums, lane, warpAcross, warpAlong, tokens);
    if (splits == 1)
      barrier();
    else
      barrierOf(BarrierScope::Cluster);
    auto known = [&](Value token) {
      StreamedMembers::Known known;
      if (held && integers) {
        if (!sparse && !scales)
          known.sum = activations().sumOf(token);
        known.scale = activations().scaleOf(token);
      }
      return known;
    };
    results.store(members, known,
                  {add(mul(rank, threads), thread), tokens, firstFeature,
                   tiled ? firstToken : Value()});
  }

  const MatmulProblem &spec;
  ScheduleAttr schedule;
  KernelBuilder b;
  StreamedMembers members;
  std::optional<StreamedScales> scales;
  std::optional<TokenSums> tokenSums;
  WarpPipeline::Form form;
  std::optional<WarpPipeline> pipeline;
  bool integers, held;
  std::optional<HeldSharing> sharing; // of activations that are quantized
  /// Whether weights are 2:4 sparse, and whether tokens come in tiles.
  bool sparse, tiled;
  bool gated; // rows of two weights alternate
  bool raw;   // StreamedMainloop::isRaw
  /// Features of a block's result, and a warp's 16-row tiles of each weight.
  int64_t blockResult, perWeight;
  /// Planes of a weight, which are tiles of their own in a stage.
  int64_t planes;
  /// Columns of a unit; bytes of 16 rows' metadata, their codes, and both.
  int64_t unitCols, metaBytes, codeBytes, tileBytes;
  /// A block's features; MMA tiles of a warp, of 16 features; warps along
  /// features and along K; blocks along K; stages; MMA tiles of 8 tokens.
  int64_t blockF, tiles, across, along, splits, stages, tokenTiles,
      elementBytes;
  int64_t units, threads;
  int64_t rowBytes, warpBytes, weightBytes, heldAt, wordsAt, sharedBytes;
  Value shared, ownWeights, codesInUnit, metaInUnit;
  /// Where this warp's units begin, of each of its weights.
  SmallVector<Value> unitStarts;
  Value thread, lane, tokens, warpAcross, warpAlong, rank;
  Value firstFeature, firstToken, firstUnit, count, weightCount, firstRow;
};

} // namespace

gpu::GPUFuncOp StreamedMatmul::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return StreamedGenerator(problem, builder).run();
}

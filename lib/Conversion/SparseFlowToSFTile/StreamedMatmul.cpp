//===- StreamedMatmul.cpp - Ternary products of few tokens --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few tokens take as long as their weights take to arrive, so that this kernel
// asks for as many of them at once as it can, before it waits for anything, and
// does without barriers of the block in its loop. A warp copies its own
// weights, 16 bytes a lane, and every lane multiplies what it has copied
// itself. Warps share the depth of a tile, unit by unit in turns, and so do the
// blocks of a cluster; their sums meet in shared memory at the end, always in
// one order.
//
// Activations come one of two ways. Held: a block puts those of the whole depth
// into shared memory, where it quantises them itself if they are to have 8
// bits, while its first weights are on their way. Else they arrive with the
// weights of their unit, once for the warps that have it in common.
//
// Weights that keep two of four columns (tern24.v1, tern24z.v1) take sparse
// products of 64 columns, whose metadata lies in the order of the instruction;
// there are no other kernels for them, so that a schedule without max_tokens
// takes tokens tile by tile.
//
// There are no tiles in this kernel, so it is written in the base dialects.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

static constexpr int64_t kUnitRows = 64;
static constexpr int64_t kWarp = 32, kChunk = 16, kSharedSpace = 3,
                         kClusterSpace = 7;
// Columns that a thread quantises together: within them the order changes.
static constexpr int64_t kPiece = 16;
// Bytes behind a held row, so that rows begin in different banks.
static constexpr int64_t kRowPadding = 16;
// Shared memory of a multiprocessor of the targets with the most of it.
static constexpr int64_t kSharedOfMachine = 228 * 1024;

namespace {

class StreamedGenerator : ThreadCode {
public:
  StreamedGenerator(const MatmulKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec), schedule(spec.schedule),
        b(builder, spec.loc, spec.name,
          SmallVector<bool>(3 + spec.operands.size(), false), spec.schedule) {
    MLIRContext *context = builder.getContext();
    integers = spec.isInteger();
    mma =
        integers
            ? MmaAtomInterface(
                  MmaInt8SyncAttr::get(context, 32, spec.operandType))
            : MmaAtomInterface(MmaSyncAttr::get(context, 16, spec.operandType));
    pairs = spec.keeps != KeptCodes::All;
    unitCols = pairs ? 256 : 128;
    metaBytes = pairs ? 512 : 0;
    codeBytes = spec.keeps == KeptCodes::PairsNonZero ? 256 : 512;
    tileBytes = metaBytes + codeBytes;
    held = schedule.getHeld();
    blockF = schedule.getBlock()[0];
    tiles = schedule.getWarp()[0] / 16;
    across = blockF / schedule.getWarp()[0];
    along = schedule.getDepthWarps();
    splits = schedule.getSplitK();
    stages = schedule.getStages();
    pieces = schedule.getBlock()[1] / 8;
    elementBytes = integers ? 1 : 2;
    tiled = schedule.getMaxTokens() == 0;
    units = llvm::divideCeil(spec.k, unitCols);
    threads = across * along * kWarp;
    if (splits > 1)
      b.kernel->setAttr(
          "nvvm.cluster_dim",
          builder.getDenseI32ArrayAttr({static_cast<int32_t>(splits), 1, 1}));
    rowBytes = units * unitCols * elementBytes + kRowPadding;
    weightBytes = across * tiles * tileBytes;
    stageBytes =
        weightBytes + (held ? 0 : pieces * 8 * unitCols * elementBytes);
    int64_t ring = along * stages * stageBytes;
    int64_t sums = along * blockF * pieces * 8 * 4;
    heldAt = ring;
    int64_t heldBytes = held ? schedule.getMaxTokens() * rowBytes : 0;
    wordsAt = std::max(ring + heldBytes, sums);
    sharedBytes = wordsAt + kWordsBytes;
    // Registers for as many blocks as the memory has room for, but enough.
    int64_t registers = (pairs ? 96 + tiles * 10 : 64) + tiles * pieces * 4;
    if (held && integers) {
      int64_t perPiece = kPiece * spec.heldType.getIntOrFloatBitWidth() / 32;
      registers = std::max<int64_t>(
          registers,
          72 + llvm::divideCeil(units * unitCols / kPiece, threads) * perPiece);
    }
    int64_t blocks = std::min(kSharedOfMachine / (sharedBytes + 1024),
                              65536 / threads / registers);
    b.kernel->setAttr("nvvm.minctasm",
                      builder.getI32IntegerAttr(
                          static_cast<int32_t>(std::max<int64_t>(blocks, 1))));
  }

  gpu::GPUFuncOp run() {
    place();
    // The kernels behind may start to copy their weights, as this one does
    // while those before it run: no kernel writes weights.
    if (spec.programmatic())
      NVVM::GriddepcontrolOp::create(
          builder, loc, NVVM::GridDepActionKind::launch_dependents);
    for (int64_t stage = 0; stage < stages; ++stage) {
      copyWeights(integer(stage), integer(stage * stageBytes));
      if (held)
        NVVM::CpAsyncCommitGroupOp::create(builder, loc);
    }
    if (spec.programmatic())
      NVVM::GriddepcontrolOp::create(builder, loc,
                                     NVVM::GridDepActionKind::wait);
    if (held)
      hold();
    else
      for (int64_t stage = 0; stage < stages; ++stage) {
        copyActivations(integer(stage), integer(stage * stageBytes));
        NVVM::CpAsyncCommitGroupOp::create(builder, loc);
      }
    SmallVector<Value> sums = mainLoop();
    putSums(sums);
    storeResults();
    builder.setInsertionPointToEnd(&b.kernel.getBody().front());
    gpu::ReturnOp::create(builder, loc);
    builder.setInsertionPointAfter(b.kernel);
    return b.kernel;
  }

private:
  /// Two times a word for each warp, of up to 8 tokens their scale, and the
  /// sums of their values warp by warp.
  static constexpr int64_t kScalesAt = 256, kSumsAt = 288;
  static constexpr int64_t kWordsBytes = kSumsAt + 8 * kWarp * 4;

  void place() {
    pointerType =
        LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace);
    shared =
        SharedOp::create(builder, loc, pointerType,
                         builder.getI64IntegerAttr(sharedBytes), IntegerAttr());
    thread = NVVM::ThreadIdXOp::create(builder, loc, i32);
    lane = rem(thread, kWarp);
    // A shuffle tells the assembler that the warp agrees.
    Value warp = NVVM::ShflOp::create(
        builder, loc, i32, integer(-1), div(thread, kWarp), integer(0),
        integer(31), NVVM::ShflKind::idx, UnitAttr());
    Value block = NVVM::BlockIdXOp::create(builder, loc, i32);
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
    firstFeature = mul(tile, blockF);
    Value row = add(firstFeature, mul(warpAcross, tiles * 16));
    firstUnit = add(mul(rank, along), warpAlong);
    // Units of this warp: every `step`-th one.
    int64_t step = splits * along;
    Value left = sub(integer(units + step - 1), firstUnit);
    count = builder.createOrFold<arith::DivSIOp>(loc, left, integer(step));
    // Warps past the last feature have no weights, but share in the copies of
    // activations.
    weightCount = count;
    if (llvm::alignTo(spec.n, kUnitRows) % blockF)
      weightCount = select(less(row, integer(llvm::alignTo(spec.n, kUnitRows))),
                           count, integer(0));
    Value unit = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(
            builder, loc, wide(div(row, kUnitRows)),
            arith::ConstantOp::create(builder, loc,
                                      builder.getI64IntegerAttr(units))),
        wide(firstUnit));
    Value tileInUnit = div(rem(row, kUnitRows), 16);
    unitStart = advance(b.pointer(1), unit, unitBytes(), builder.getI8Type());
    codesInUnit = add(add(mul(tileInUnit, codeBytes), mul(lane, laneBytes())),
                      4 * metaBytes);
    metaInUnit = add(mul(tileInUnit, metaBytes), mul(lane, kChunk));
    ring = at(shared, mul(warpAlong, stages * stageBytes));
    ownWeights = at(ring, mul(warpAcross, tiles * tileBytes));
  }

  int64_t unitBytes() const { return kUnitRows / 16 * tileBytes; }
  /// Bytes of codes that a lane has of 16 rows of a unit.
  int64_t laneBytes() const { return codeBytes / kWarp; }

  void copy(Value destination, Value source, Value valid = {},
            int64_t bytes = kChunk) {
    CpAsyncAttr::get(builder.getContext(), bytes)
        .emit(builder, loc, destination, source, valid);
  }

  /// Starts the copies of this warp's unit `number` into the stage at `slot`,
  /// a number of bytes.
  void copyWeights(Value number, Value slot) {
    ifTrue(less(number, weightCount), [&] {
      Value source = advance(unitStart, number, splits * along * unitBytes(),
                             builder.getI8Type());
      Value codes = at(source, codesInUnit), meta = at(source, metaInUnit);
      Value codesTo = at(at(ownWeights, slot), mul(lane, laneBytes()));
      Value metaTo = at(at(ownWeights, slot), mul(lane, kChunk));
      for (int64_t tile = 0; tile < tiles; ++tile) {
        copy(at(codesTo, tile * tileBytes), at(codes, tile * codeBytes), {},
             laneBytes());
        if (pairs)
          copy(at(metaTo, tile * tileBytes + codeBytes),
               at(meta, tile * metaBytes));
      }
    });
  }

  /// The activations of the unit, 16 bytes at a time, shared out to the warps
  /// that have it in common. Rows are swizzled, so that eight of them can be
  /// read at once. Tokens that there are none of stay what they are: sums of
  /// one token do not depend on another.
  void copyActivations(Value number, Value slot) {
    int64_t perRow = unitCols * elementBytes / kChunk;
    int64_t chunks = pieces * 8 * perRow, sharers = across * kWarp;
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
            at(ring, slot),
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
        copy(to, advance(row, column, 1, type), valid);
      });
    }
  }

  /// A token of this block among all of them.
  Value inAll(Value token) { return tiled ? add(token, firstToken) : token; }

  //===--------------------------------------------------------------------===//
  // Activations that a block holds
  //===--------------------------------------------------------------------===//

  /// 16 bytes of token `token` (i32) from `column` on, zeros from K on.
  Value loadChunk(Value token, Value column, Type type) {
    Value inside = less(column, integer(spec.k));
    Value read = select(inside, column, integer(0));
    Value row = advance(b.pointer(0), token, spec.k, type);
    auto words = VectorType::get({4}, i32);
    Value loaded = load(words, advance(row, read, 1, type), kChunk);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(words));
    return select(inside, loaded, zero);
  }

  void hold() {
    forLoop(integer(0), tokens, integer(1), {}, [&](Value token, ValueRange) {
      if (integers)
        holdQuantized(token);
      else
        holdAsTheyAre(token);
      return SmallVector<Value>();
    });
    barrier();
  }

  Value heldRow(Value token) {
    return at(at(shared, heldAt), mul(token, rowBytes));
  }

  void holdAsTheyAre(Value token) {
    int64_t perChunk = kChunk / elementBytes;
    int64_t chunks = units * unitCols / perChunk;
    SmallVector<Value> loaded, numbers;
    for (int64_t first = 0; first < chunks; first += threads) {
      numbers.push_back(add(thread, first));
      loaded.push_back(
          loadChunk(token, mul(numbers.back(), perChunk), spec.operandType));
    }
    for (auto [number, words] : llvm::zip(numbers, loaded))
      ifTrue(less(number, integer(chunks)), [&, words = words] {
        store(words, at(heldRow(token), mul(number, kChunk)), kChunk);
      });
  }

  /// As QuantizeKernel.cpp does, with the elements of a thread in registers as
  /// they came.
  void holdQuantized(Value token) {
    Type type = spec.heldType;
    int64_t perChunk = kChunk * 8 / type.getIntOrFloatBitWidth();
    int64_t count = units * unitCols / kPiece;
    SmallVector<SmallVector<Value>> raw;
    SmallVector<Value> numbers;
    Value magnitude = integer(0);
    auto larger = [&](Value a, Value c) -> Value {
      return arith::MaxUIOp::create(builder, loc, a, c);
    };
    for (int64_t first = 0; first < count; first += threads) {
      numbers.push_back(add(thread, first));
      raw.emplace_back();
      for (int64_t at = 0; at < kPiece; at += perChunk)
        raw.back().push_back(
            loadChunk(token, add(mul(numbers.back(), kPiece), at), type));
    }
    // Magnitudes of pairs compare like the bits of both halves.
    bool halfWords = !type.isF32();
    auto halves = VectorType::get({2}, builder.getI16Type());
    Value both;
    for (ArrayRef<Value> chunks : raw)
      for (Value words : chunks)
        for (int64_t i = 0; i < 4; ++i) {
          Value word = vector::ExtractOp::create(builder, loc, words, i);
          if (!halfWords) {
            magnitude = larger(magnitude, bitAnd(word, 0x7FFFFFFF));
            continue;
          }
          Value pair = LLVM::BitcastOp::create(builder, loc, halves,
                                               bitAnd(word, 0x7FFF7FFF));
          both = both ? larger(both, pair) : pair;
        }
    if (halfWords)
      for (int64_t half = 0; half < 2; ++half) {
        Value bits = vector::ExtractOp::create(builder, loc, both, half);
        Value number = arith::BitcastOp::create(builder, loc, type, bits);
        magnitude =
            larger(magnitude,
                   bitsOf(arith::ExtFOp::create(builder, loc, f32, number)));
      }
    Value words = at(shared, wordsAt);
    QuantizeSteps steps(*this);
    // One token's words may still be read when the next one's are written.
    Value own = at(words, mul(rem(token, 2), kWarp * 4));
    steps.setMagnitude(overBlock(magnitude, own, threads));
    Value sum = integer(0);
    for (auto [number, chunks] : llvm::zip(numbers, raw)) {
      SmallVector<Value> elements;
      auto vector = VectorType::get({perChunk}, type);
      for (Value words : chunks) {
        Value typed = LLVM::BitcastOp::create(builder, loc, vector, words);
        for (int64_t i = 0; i < perChunk; ++i) {
          Value element = vector::ExtractOp::create(builder, loc, typed, i);
          if (!type.isF32())
            element = arith::ExtFOp::create(builder, loc, f32, element);
          elements.push_back(element);
        }
      }
      SmallVector<Value> bytes = steps.round(elements, sum, pairs);
      Value joined = vector::FromElementsOp::create(
          builder, loc, VectorType::get({4}, i32), bytes);
      ifTrue(less(number, integer(count)), [&, number = number] {
        store(joined, at(heldRow(token), mul(number, kPiece)), kChunk);
      });
    }
    // Whoever needs the sum adds those of the warps: nobody waits for it here.
    sum = overWarp(sum, NVVM::ReduxKind::ADD);
    Value sums = at(at(words, kSumsAt), mul(token, kWarp * 4));
    ifTrue(equal(lane, 0),
           [&] { store(sum, at(sums, mul(div(thread, kWarp), 4)), 4); });
    ifTrue(equal(thread, 0), [&] {
      store(steps.shownScale(), at(at(words, kScalesAt), mul(token, 4)), 4);
    });
  }

  //===--------------------------------------------------------------------===//
  // Products
  //===--------------------------------------------------------------------===//

  /// The warps that read what the others of them have copied meet.
  void meet() {
    if (across == 1) {
      NVVM::SyncWarpOp::create(builder, loc, integer(-1));
      return;
    }
    // Barrier 0 is the block's.
    NVVM::BarrierOp::create(builder, loc, TypeRange(), add(warpAlong, 1),
                            integer(across * kWarp),
                            NVVM::BarrierReductionAttr(), Value());
  }

  /// Where this lane's rows of a load of four matrices begin, chunk by chunk of
  /// 64 bytes of the unit, from the stage or from the held row on.
  SmallVector<Value> matrixOffsets(int64_t piece) {
    int64_t perRow = unitCols * elementBytes;
    Value token = add(rem(lane, 8), piece * 8), matrix = div(lane, 8);
    SmallVector<Value> offsets;
    for (int64_t chunk = 0; chunk < perRow / 64; ++chunk) {
      if (held) {
        // Lanes without a token read another's row.
        Value last = sub(tokens, integer(1));
        Value row = arith::MinUIOp::create(builder, loc, token, last);
        offsets.push_back(add(add(mul(row, rowBytes), mul(matrix, kChunk)),
                              heldAt + chunk * 64));
        continue;
      }
      Value swizzled = bitXor(add(matrix, chunk * 4), rem(lane, 8));
      offsets.push_back(
          add(add(mul(token, perRow), mul(swizzled, kChunk)), weightBytes));
    }
    return offsets;
  }

  SmallVector<Value> mainLoop() {
    SmallVector<SmallVector<Value>> offsets;
    for (int64_t piece = 0; piece < pieces; ++piece)
      offsets.push_back(matrixOffsets(piece));
    Type sumType = spec.accumulatorType();
    Value zero = arith::ConstantOp::create(builder, loc, sumType,
                                           builder.getZeroAttr(sumType));
    SmallVector<Value> carried(tiles * pieces * 4, zero);
    carried.push_back(integer(0));
    SmallVector<Value> results =
        forLoop(integer(0), count, integer(1), carried,
                [&](Value number, ValueRange values) {
                  SmallVector<Value> sums = llvm::to_vector(values.drop_back());
                  Value slot = values.back();
                  NVVM::CpAsyncWaitGroupOp::create(
                      builder, loc, builder.getI32IntegerAttr(stages - 1));
                  if (!held)
                    meet();
                  multiply(number, slot, offsets, sums);
                  if (!held)
                    meet();
                  Value ahead = add(number, stages);
                  copyWeights(ahead, slot);
                  if (!held)
                    copyActivations(ahead, slot);
                  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
                  Value next = add(slot, stageBytes);
                  sums.push_back(select(equal(next, stages * stageBytes),
                                        integer(0), next));
                  return sums;
                });
    results.pop_back();
    return results;
  }

  void multiply(Value number, Value slot, ArrayRef<SmallVector<Value>> offsets,
                MutableArrayRef<Value> sums) {
    auto words = VectorType::get({4}, i32);
    Type codesType = VectorType::get({laneBytes() / 4}, i32);
    SmallVector<Value> codes, meta;
    Value own = at(ownWeights, slot);
    for (int64_t tile = 0; tile < tiles; ++tile) {
      Value place = at(own, tile * tileBytes);
      codes.push_back(
          load(codesType, at(place, mul(lane, laneBytes())), laneBytes()));
      if (pairs)
        meta.push_back(
            load(words, at(at(place, codeBytes), mul(lane, kChunk)), kChunk));
    }
    Value start = at(ring, slot);
    if (held) {
      Value unit = add(firstUnit, mul(number, splits * along));
      start = at(shared, mul(unit, unitCols * elementBytes));
    }
    if (pairs) {
      for (int64_t step = 0; step < 4; ++step) {
        auto x = loadMatrices(start, offsets, step);
        for (int64_t tile = 0; tile < tiles; ++tile)
          sparseProduct(
              decodeKept(codes[tile], step),
              vector::ExtractOp::create(builder, loc, meta[tile], step), x,
              sums.slice(tile * pieces * 4, pieces * 4));
      }
      return;
    }
    // A load of four matrices has the columns of two words of 8-bit
    // activations or of one of 16 bits.
    int64_t wordsPerLoad = 2 / elementBytes;
    for (int64_t first = 0; first < 4; first += wordsPerLoad) {
      auto x = loadMatrices(start, offsets, first / wordsPerLoad);
      for (int64_t tile = 0; tile < tiles; ++tile)
        for (int64_t inLoad = 0; inLoad < wordsPerLoad; ++inLoad) {
          Value word = vector::ExtractOp::create(builder, loc, codes[tile],
                                                 first + inLoad);
          MutableArrayRef<Value> acc =
              sums.slice(tile * pieces * 4, pieces * 4);
          if (integers) {
            product(decodeBytes(word), x, 2 * inLoad, acc);
            continue;
          }
          for (int64_t half = 0; half < 2; ++half)
            product(decodeFloats(word, half), x, 2 * half, acc);
        }
    }
  }

  /// The activations of 64 bytes of the unit, of every eight tokens.
  SmallVector<SmallVector<Value>>
  loadMatrices(Value start, ArrayRef<SmallVector<Value>> offsets,
               int64_t chunk) {
    auto ldmatrix = LdMatrixAttr::get(builder.getContext());
    SmallVector<SmallVector<Value>> x;
    for (ArrayRef<Value> ofPiece : offsets)
      x.push_back(ldmatrix.emit(builder, loc, at(start, ofPiece[chunk]), 4,
                                /*transposed=*/false));
    return x;
  }

  void sparseProduct(ArrayRef<Value> a, Value metadata,
                     ArrayRef<SmallVector<Value>> x,
                     MutableArrayRef<Value> sums) {
    Type result = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                   SmallVector<Type>(4, i32));
    for (auto [piece, registers] : llvm::enumerate(x)) {
      MutableArrayRef<Value> acc = sums.slice(piece * 4, 4);
      // The selector is an immediate of the instruction.
      Value selector = LLVM::ConstantOp::create(builder, loc, i32,
                                                builder.getI32IntegerAttr(0));
      auto op = NVVM::MmaSpOp::create(
          builder, loc, result, a, registers, acc, metadata, selector,
          ArrayRef<int64_t>{16, 8, 64}, NVVM::MMAIntOverflow::wrapped,
          std::array<NVVM::MMATypes, 2>{NVVM::MMATypes::s8,
                                        NVVM::MMATypes::s8});
      op.setOrderedMetadata(true);
      for (int64_t i = 0; i < 4; ++i)
        acc[i] = LLVM::ExtractValueOp::create(builder, loc, op.getRes(), i);
    }
  }

  /// The kept weights of 64 columns, bytes with a sign. tern24.v1 has their
  /// signs, one bit each, which repeated over the byte and or-ed with 1 are -1
  /// or 1. tern24z.v1 has two bits, of which the upper one is the sign's.
  SmallVector<Value> decodeKept(Value codes, int64_t step) {
    SmallVector<Value> registers;
    if (spec.keeps == KeptCodes::PairsNonZero) {
      Value word = vector::ExtractOp::create(builder, loc, codes, step / 2);
      for (int64_t f = 0; f < 4; ++f) {
        Value top = left(word, 4 * (step % 2) + f);
        registers.push_back(
            bitOr(permute(top, top, 0xBA98), integer(0x01010101)));
      }
      return registers;
    }
    Value word = vector::ExtractOp::create(builder, loc, codes, step);
    for (int64_t f = 0; f < 4; ++f) {
      Value bits = bitAnd(right(word, 2 * f), 0x03030303);
      Value sign = bitAnd(bits, 0x02020202);
      registers.push_back(bitOr(bits, mul(sign, 0x7E)));
    }
    return registers;
  }

  void product(ArrayRef<Value> a, ArrayRef<SmallVector<Value>> x, int64_t first,
               MutableArrayRef<Value> sums) {
    for (auto [piece, registers] : llvm::enumerate(x)) {
      MutableArrayRef<Value> acc = sums.slice(piece * 4, 4);
      SmallVector<Value> next =
          mma.emit(builder, loc, a, ValueRange(registers).slice(first, 2), acc,
                   Value(), 0);
      llvm::copy(next, acc.begin());
    }
  }

  /// Codes of the lower eight rows as they are, those of the upper eight times
  /// four, which putSums() takes away: a shift for four registers.
  SmallVector<Value> decodeBytes(Value word) {
    Value later = right(word, 4);
    return {bitAnd(word, 0x03030303), bitAnd(word, 0x0C0C0C0C),
            bitAnd(later, 0x03030303), bitAnd(later, 0x0C0C0C0C)};
  }

  /// As DecodePatterns.cpp: the bits of a code in the mantissa of a power of
  /// two, which one multiplication and an addition, fused, take away. f16 has
  /// room for five fields of two bits and bf16 for three.
  SmallVector<Value> decodeFloats(Value word, int64_t half) {
    bool bf16 = spec.operandType.isBF16();
    double power = bf16 ? 128 : 1024;
    auto pair = VectorType::get({2}, spec.operandType);
    auto both = [&](double value) -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(
              pair, builder.getFloatAttr(spec.operandType, value)));
    };
    SmallVector<Value> registers;
    for (int64_t h = 0; h < 2; ++h)
      for (int64_t r = 0; r < 2; ++r) {
        int64_t field = 4 * h + r + 2 * half;
        int64_t shift = bf16 ? field / 3 * 3 : field > 4 ? 4 : 0;
        field -= shift;
        Value bits =
            maskAnd(right(word, 2 * shift), int64_t(0x00030003) << (2 * field),
                    bf16 ? 0x43004300 : 0x64006400);
        Value number = LLVM::BitcastOp::create(builder, loc, pair, bits);
        double scale = 1.0 / double(int64_t(1) << (2 * field));
        auto fuse = LLVM::FastmathFlags::contract;
        Value scaled =
            LLVM::FMulOp::create(builder, loc, number, both(scale), fuse);
        Value trits = LLVM::FAddOp::create(builder, loc, scaled,
                                           both(-(power * scale + 1.0)), fuse);
        registers.push_back(LLVM::BitcastOp::create(builder, loc, i32, trits));
      }
    return registers;
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Sums of the block's warps along the depth: [warp][token][feature] words.
  void putSums(ArrayRef<Value> sums) {
    NVVM::CpAsyncWaitGroupOp::create(builder, loc,
                                     builder.getI32IntegerAttr(0));
    barrier();
    Value row = add(mul(warpAcross, tiles * 16), div(lane, 4));
    Value start =
        at(shared, add(mul(warpAlong, pieces * 8 * blockF * 4), mul(row, 4)));
    for (int64_t piece = 0; piece < pieces; ++piece)
      for (int64_t column = 0; column < 2; ++column) {
        Value token = add(mul(rem(lane, 4), 2), piece * 8 + column);
        ifTrue(less(token, tokens), [&] {
          Value ofToken = at(start, mul(token, blockF * 4));
          for (int64_t tile = 0; tile < tiles; ++tile)
            for (int64_t upper = 0; upper < 2; ++upper) {
              Value sum =
                  sums[(tile * pieces + piece) * 4 + upper * 2 + column];
              if (integers && !pairs && upper)
                sum = arith::ShRSIOp::create(builder, loc, sum, integer(2));
              store(sum, at(ofToken, (tile * 16 + upper * 8) * 4), 4);
            }
        });
      }
    if (splits == 1) {
      barrier();
      return;
    }
    NVVM::ClusterArriveOp::create(builder, loc, UnitAttr());
    NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
  }

  /// Every thread of the cluster adds the parts of some elements, applies the
  /// body and stores.
  void storeResults() {
    SmallVector<Value> parts;
    auto cluster =
        LLVM::LLVMPointerType::get(builder.getContext(), kClusterSpace);
    for (int64_t block = 0; block < splits; ++block)
      parts.push_back(splits == 1 ? shared
                                  : NVVM::MapaOp::create(builder, loc, cluster,
                                                         shared, integer(block))
                                        .getResult());
    Value first = add(mul(rank, threads), thread);
    forLoop(first, mul(tokens, blockF), integer(splits * threads), {},
            [&](Value element, ValueRange) {
              Value feature = add(firstFeature, rem(element, blockF));
              auto body = [&] {
                storeElement(parts, element, feature, div(element, blockF));
              };
              if (spec.n % blockF)
                ifTrue(less(feature, integer(spec.n)), body);
              else
                body();
              return SmallVector<Value>();
            });
  }

  void storeElement(ArrayRef<Value> parts, Value element, Value feature,
                    Value token) {
    Type sumType = spec.accumulatorType();
    Value sum;
    for (Value part : parts)
      for (int64_t warp = 0; warp < along; ++warp) {
        Value place =
            at(at(part, mul(element, 4)), warp * pieces * 8 * blockF * 4);
        Value one = load(sumType, place, 4);
        if (!sum)
          sum = one;
        else if (integers)
          sum = add(sum, one);
        else
          sum = arith::AddFOp::create(builder, loc, sum, one);
      }
    IRMapping mapping;
    mapping.map(spec.body.block->getArgument(0), sum);
    for (auto [index, operand] : llvm::enumerate(spec.operands))
      mapping.map(spec.body.block->getArgument(index + 1),
                  loadOperand(index, operand, feature, token));
    for (Operation &scalar : spec.body.block->without_terminator())
      builder.clone(scalar, mapping);
    Value result = mapping.lookupOrDefault(spec.body.yielded);
    Value row = advance(b.pointer(2 + spec.operands.size()), inAll(token),
                        spec.n, spec.resultType);
    store(result, advance(row, feature, 1, spec.resultType),
          spec.resultType.getIntOrFloatBitWidth() / 8);
  }

  Value loadOperand(int64_t index, const ElementOperand &operand, Value feature,
                    Value token) {
    Type type = operand.elementType;
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    // What the block has quantised it knows itself.
    if (held && integers) {
      Value words = at(shared, wordsAt);
      if (index == 0 && !pairs) {
        Value sums = at(at(words, kSumsAt), mul(token, kWarp * 4));
        Value sum = load(type, sums, 4);
        for (int64_t warp = 1; warp < threads / kWarp; ++warp)
          sum = add(sum, load(type, at(sums, warp * 4), 4));
        return sum;
      }
      if (llvm::is_contained(spec.tokenScales, index))
        return load(type, at(at(words, kScalesAt), mul(token, 4)), 4);
    }
    token = inAll(token);
    Value pointer = b.pointer(2 + index);
    switch (operand.broadcast) {
    case Broadcast::PerFeature:
      pointer = advance(pointer, feature, 1, type);
      break;
    case Broadcast::PerToken:
      pointer = advance(pointer, token, 1, type);
      break;
    case Broadcast::Full:
      pointer =
          advance(advance(pointer, token, spec.n, type), feature, 1, type);
      break;
    case Broadcast::Scalar:
      break;
    }
    return load(type, pointer, bytes);
  }

  const MatmulKernel &spec;
  ScheduleAttr schedule;
  KernelBuilder b;
  MmaAtomInterface mma;
  bool integers, held;
  /// Whether two of four columns are kept, and whether tokens come in tiles.
  bool pairs, tiled;
  /// Columns of a unit, and of its metadata, its codes and both the bytes of 16
  /// rows.
  int64_t unitCols, metaBytes, codeBytes, tileBytes;
  /// 16-row tiles of a warp, warps of a block along features and along the
  /// depth, blocks along the depth, stages, groups of 8 tokens.
  int64_t blockF, tiles, across, along, splits, stages, pieces, elementBytes;
  /// Units of the depth.
  int64_t units, threads;
  int64_t rowBytes, weightBytes, stageBytes, heldAt, wordsAt, sharedBytes;
  Type pointerType;
  Value shared, ring, ownWeights, unitStart, codesInUnit, metaInUnit;
  Value thread, lane, tokens, warpAcross, warpAlong, rank;
  Value firstFeature, firstToken, firstUnit, count, weightCount;
};

} // namespace

gpu::GPUFuncOp MatmulKernel::generateStreamed(OpBuilder &builder) const {
  return StreamedGenerator(*this, builder).run();
}

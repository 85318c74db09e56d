//===- SampleKernel.cpp - Tokens drawn from logits ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a cluster share a row; each warp has adjacent logits of it. A
// row is read several times, after the first one from the first-level cache
// where it fits: for the largest logit; for the keys that top_k and top_p keep,
// by searches that compare with three keys at once, look at those keys alone
// that are undecided, and end as soon as one token is left; for the sum of what
// is kept; and by one warp, which the sums in front of it name, for the token.
// Sums are of integers: which thread adds what makes no difference.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Sample/SampleKernel.h"
#include "Kernels/Support/ThreadCode.h"
#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/SampleArithmetic.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kLeastThreads = 128;
// Loads that a thread has under way; in the first pass, which finds logits
// where other kernels left them, at most so many if the block is no large one.
static constexpr int64_t kUnrolled = 4, kMostUnrolled = 16;
// Threads of a block, and how many blocks a launch has at most that are so
// large (0: any number). The first have an SM each, and clusters find room for
// not quite as many as there are SMs; of the others two and four share one, so
// that fewer wait for a second wave.
static constexpr std::pair<int64_t, int64_t> kSizes[] = {
    {1024, 120}, {512, 240}, {256, 0}};
// Blocks of a row have as many logits at least, where there are several.
static constexpr int64_t kBlockLogits = 2048, kMostBlocks = 8;
// Keys that a pass of a search compares with.
static constexpr int64_t kPivots = 3;
// What a search expects logits to be within: 2^-64 of the likeliest token's
// probability is none. It finds others, in more passes.
static constexpr float kFarHalvings = 64;
// Of a number of tokens, which is one more than there are at most.
static constexpr int64_t kCountBits = 21;
// Numbers that threads combine at once: counts, and a weight for each pivot.
static constexpr int64_t kMostNumbers = 1 + kPivots;
// A block's slots. A search takes turns with two sets of them, so that blocks
// that still read one are not overtaken; all others are written once.
static constexpr int64_t kLargestSlot = 0, kSumSlot = 1, kKeptSlot = 2,
                         kCountSlots = 3, kWeightSlots = kCountSlots + 2,
                         kBlockSlots = kWeightSlots + 2 * kMostNumbers;
static constexpr int64_t kNoToken = 0x7FFFFFFF;
// Of a number of 64 bits, so that a word holds the sum of 32 of them.
static constexpr int64_t kPartBits = 27;
static_assert(SampleOp::kLargestVocabulary < int64_t(1) << kCountBits &&
              kPivots * kCountBits <= 64);

std::vector<SampleKernel> SampleKernel::forRows() const {
  SampleKernel kernel = *this;
  while (programmatic && kernel.blocks < kMostBlocks &&
         vocabulary >= 2 * kernel.blocks * kBlockLogits)
    kernel.blocks *= 2;
  int64_t wanted =
      std::max<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(
                            vocabulary, kernel.blocks * kUnrolled)),
                        kLeastThreads);
  std::vector<SampleKernel> kernels;
  for (auto [threads, blocksOfLaunch] : kSizes) {
    // Rows that are so short have smaller blocks.
    if (blocksOfLaunch && wanted <= threads / 2)
      continue;
    kernel.threads = std::min(wanted, threads);
    kernel.maxRows = kernel.blocks == 1 ? 0 : blocksOfLaunch / kernel.blocks;
    if (!kernels.empty())
      kernel.name = name + std::to_string(threads);
    kernels.push_back(kernel);
    if (!kernel.maxRows)
      break;
  }
  return kernels;
}

std::string SampleKernel::describe() const {
  std::string text =
      std::to_string(blocks) + (blocks == 1 ? " block of " : " blocks of ") +
      std::to_string(threads) + " threads " + (blocks == 1 ? "has" : "share") +
      " a row of " + std::to_string(vocabulary) + " logits";
  if (maxRows)
    text += ", up to " + std::to_string(maxRows) + " rows";
  return programmatic ? text : text + "; this target has no clusters";
}

int64_t SampleKernel::firstUnrolled() const {
  if (threads == kSizes[0].first)
    return kUnrolled;
  int64_t needed = llvm::divideCeil(vocabulary, blocks * threads);
  return std::clamp<int64_t>(llvm::PowerOf2Ceil(needed), kUnrolled,
                             kMostUnrolled);
}

int64_t SampleKernel::segment() const {
  return llvm::alignTo(llvm::divideCeil(vocabulary, blocks * threads / kWarp),
                       kWarp * firstUnrolled());
}

namespace {

class SampleGenerator : ThreadCode {
public:
  SampleGenerator(const SampleKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec), math(builder, spec.loc),
        warps(spec.threads / kWarp) {}

  gpu::GPUFuncOp run() {
    gpu::GPUFuncOp kernel = openKernel(spec.name, /*pointers=*/7, /*numbers=*/1,
                                       spec.threads, spec.programmatic);
    if (spec.blocks > 1)
      setClusterBlocks(kernel, spec.blocks);
    place(kernel);
    findLargest();
    Value temperature = parameter(kernel, 1, f32);
    Value isFinite = math.isFinite(largestKey);
    Value isDrawn = both(isFinite, math.isRandom(temperature));
    ifTrue(negated(isDrawn), [&] {
      Value isOne = equal(add(thread, mul(rank, spec.threads)), 0);
      ifTrue(isOne,
             [&] { storeToken(select(isFinite, largestAt, integer(-1))); });
    });
    ifTrue(isDrawn, [&] {
      scale = math.scaleOf(
          LLVM::FDivOp::create(builder, loc, math.dividend(), temperature));
      draw(kernel);
    });
    // Others may read this block's shared memory until they end.
    if (spec.blocks > 1)
      meet();
    closeKernel(kernel);
    return kernel;
  }

private:
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value join(Value low, Value high) {
    return arith::OrIOp::create(
        builder, loc, wide(low),
        arith::ShLIOp::create(builder, loc, wide(high), integer64(32)));
  }
  Value upper(Value value) {
    return narrow(arith::ShRUIOp::create(builder, loc, value, integer64(32)));
  }
  Value smaller(Value a, Value b) {
    return arith::MinUIOp::create(builder, loc, a, b);
  }

  void place(gpu::GPUFuncOp kernel) {
    thread = threadId();
    lane = rem(thread, kWarp);
    warp = div(thread, kWarp);
    Value block = blockId();
    rank = rem(block, spec.blocks);
    row = div(block, spec.blocks);
    logits =
        advance(kernel.getArgument(0), row, spec.vocabulary, spec.elementType);
    ids = advance(kernel.getArgument(6), row, 1, i32);
    first = mul(add(mul(rank, warps), warp), spec.segment());
    // A slot of 8 bytes for each warp and number, and those of the block.
    ofWarps = sftile::SharedOp::create(builder, loc, kMostNumbers * warps * 8);
    ofBlock = sftile::SharedOp::create(builder, loc, kBlockSlots * 8);
  }

  Value parameter(gpu::GPUFuncOp kernel, unsigned number, Type type) {
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    return load(type, advance(kernel.getArgument(number), row, 1, type), bytes);
  }

  void storeToken(Value token) { store(token, ids, /*alignment=*/4); }

  /// All blocks of the row.
  void meet() {
    if (spec.blocks == 1)
      return barrier();
    sftile::BarrierOp::create(builder, loc, sftile::BarrierScope::Cluster);
  }

  /// Carries `values` through the warp's logits, 32 of them a step: `body` gets
  /// the lane's index and logit, in f32, and whether it is one. All lanes
  /// execute it. `unrolled` loads are under way at once.
  SmallVector<Value> forLogits(
      ValueRange values,
      function_ref<SmallVector<Value>(Value, Value, Value, ValueRange)> body,
      int64_t unrolled = kUnrolled) {
    int64_t bytes = spec.elementType.getIntOrFloatBitWidth() / 8;
    Value last = integer(spec.vocabulary - 1);
    Value end = smaller(add(first, spec.segment()), integer(spec.vocabulary));
    return forLoop(first, end, integer(kWarp * unrolled), values,
                   [&](Value start, ValueRange carried) {
                     SmallVector<Value> indices, loaded, next(carried);
                     for (int64_t step = 0; step < unrolled; ++step) {
                       indices.push_back(add(add(start, step * kWarp), lane));
                       Value from =
                           advance(logits, smaller(indices.back(), last), 1,
                                   spec.elementType);
                       loaded.push_back(load(spec.elementType, from, bytes));
                     }
                     for (auto [index, logit] : llvm::zip(indices, loaded)) {
                       // Equal numbers of steps for all warps leave some behind
                       // the row.
                       Value isThere = below(index, integer(spec.vocabulary));
                       next = body(index, math.widen(logit), isThere, next);
                     }
                     return next;
                   });
  }

  Value shuffleWide(Value value, function_ref<Value(Value)> shuffle) {
    return join(shuffle(narrow(value)), shuffle(upper(value)));
  }

  /// The sum of `value` (i64) of all lanes, of which every lane gets it: of
  /// parts whose sums are words.
  Value sumOfLanes(Value value) {
    Value sum;
    for (int64_t bit = 0; bit < 64; bit += kPartBits) {
      Value part = value;
      if (bit)
        part = arith::ShRUIOp::create(builder, loc, value, integer64(bit));
      Value own = bitAnd(narrow(part), (int64_t(1) << kPartBits) - 1);
      Value all = wide(warpSum(own));
      if (bit)
        all = arith::ShLIOp::create(builder, loc, all, integer64(bit));
      sum = sum ? add(sum, all) : all;
    }
    return sum;
  }

  /// The largest `value` (i64, without a sign) of all lanes.
  Value largestOfLanes(Value value) {
    for (int64_t distance = kWarp / 2; distance; distance /= 2) {
      Value other = shuffleWide(
          value, [&](Value word) { return shuffleXor(word, distance); });
      value = arith::MaxUIOp::create(builder, loc, value, other);
    }
    return value;
  }

  Value slotAt(Value slots, Value number) { return at(slots, mul(number, 8)); }

  /// `values` (i64) of all threads of the row, combined by `ofLanes`, to which
  /// 0 adds nothing, in each warp, block and in the row; every thread gets
  /// them. `set` are slots of the block for them, which may be read until the
  /// threads of the row meet again. What warps had stays in `ofWarps`.
  void acrossRow(MutableArrayRef<Value> values, Value set,
                 function_ref<Value(Value)> ofLanes) {
    for (auto [number, value] : llvm::enumerate(values)) {
      Value combined = ofLanes(value);
      Value place =
          slotAt(ofWarps, add(warp, static_cast<int64_t>(number) * warps));
      ifTrue(equal(lane, 0), [&] { store(combined, place, 8); });
    }
    barrier();
    ifTrue(equal(warp, 0), [&] {
      Value isWarp = less(lane, integer(warps));
      Value own = select(isWarp, lane, integer(0));
      for (size_t number = 0; number < values.size(); ++number) {
        auto slot = static_cast<int64_t>(number);
        Value held = load(i64, slotAt(ofWarps, add(own, slot * warps)), 8);
        Value combined = ofLanes(select(isWarp, held, integer64(0)));
        ifTrue(equal(lane, 0), [&] { store(combined, at(set, slot * 8), 8); });
      }
    });
    meet();
    for (auto [number, value] : llvm::enumerate(values)) {
      Value slot = at(set, static_cast<int64_t>(number) * 8);
      value = spec.blocks == 1 ? load(i64, slot, 8) : ofLanes(ofOther(slot));
    }
  }

  /// The slot of the block whose rank is the lane's, 0 where there is none.
  Value ofOther(Value slot) {
    Value isBlock = less(lane, integer(spec.blocks));
    Value place = sftile::AddressOp::create(builder, loc, slot,
                                            select(isBlock, lane, integer(0)));
    return select(isBlock, load(i64, place, 8), integer64(0));
  }

  void sumAcrossRow(MutableArrayRef<Value> values, Value set) {
    acrossRow(values, set, [&](Value value) { return sumOfLanes(value); });
  }
  Value sumOverRow(Value value, int64_t slot) {
    sumAcrossRow(value, at(ofBlock, slot * 8));
    return value;
  }

  /// 0 for what is no logit, which is less than any key.
  Value keyOf(Value logit, Value isThere) {
    return select(isThere, math.keyOf(logit), integer(0));
  }

  void findLargest() {
    SmallVector<Value> best = forLogits(
        {integer(0), integer(0)},
        [&](Value index, Value logit, Value isThere, ValueRange carried) {
          Value key = keyOf(logit, isThere);
          Value isMore = below(carried[0], key);
          return SmallVector<Value>{select(isMore, key, carried[0]),
                                    select(isMore, index, carried[1])};
        },
        spec.firstUnrolled());
    // Of equal keys the first one has the largest complement.
    Value packed = join(bitXor(best[1], integer(-1)), best[0]);
    acrossRow(packed, at(ofBlock, kLargestSlot * 8),
              [&](Value value) { return largestOfLanes(value); });
    largestKey = upper(packed);
    largestAt = bitXor(narrow(packed), integer(-1));
    largest = math.logitOf(largestKey);
  }

  Value isAtLeast(Value logit, Value least) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE, logit,
                                 least);
  }

  /// The sum of weights of logits from `least` on.
  Value sumOfWeights(Value least) {
    return forLogits(integer64(0),
                     [&](Value, Value logit, Value isThere, ValueRange sum) {
                       return SmallVector<Value>{
                           add(sum[0], weightFrom(least, logit, isThere))};
                     })
        .front();
  }
  Value weightFrom(Value least, Value logit, Value isThere) {
    Value isKept = both(isThere, isAtLeast(logit, least));
    return select(isKept, math.weightOf(logit, largest, scale), integer64(0));
  }

  /// Sums of a pass over keys from `low` to `high`: for each pivot how many of
  /// them reach it, kCountBits each in one number, and what these weigh, if
  /// `weighted`.
  SmallVector<Value> addFrom(ArrayRef<Value> pivots, Value low, Value high,
                             bool weighted) {
    SmallVector<Value> zeros(kPivots, integer(0));
    if (weighted)
      zeros.append(kPivots, integer64(0));
    // Logits compare like their keys.
    SmallVector<Value> limits;
    for (Value pivot : pivots)
      limits.push_back(math.logitOf(pivot));
    Value from = math.logitOf(low), to = math.logitOf(high);
    SmallVector<Value> sums = forLogits(
        zeros, [&](Value, Value logit, Value isThere, ValueRange carried) {
          // Fewer with each pass: most threads have none to look at.
          Value isBelow = arith::CmpFOp::create(
              builder, loc, arith::CmpFPredicate::OLT, logit, to);
          Value isBetween =
              both(isThere, both(isAtLeast(logit, from), isBelow));
          auto branch = scf::IfOp::create(
              builder, loc, isBetween,
              [&](OpBuilder &, Location) {
                Value weight;
                if (weighted)
                  weight = math.weightOf(logit, largest, scale);
                SmallVector<Value> next(carried);
                for (int64_t pivot = 0; pivot < kPivots; ++pivot) {
                  Value reaches = isAtLeast(logit, limits[pivot]);
                  next[pivot] =
                      add(next[pivot], select(reaches, integer(1), integer(0)));
                  if (weighted)
                    next[kPivots + pivot] =
                        add(next[kPivots + pivot],
                            select(reaches, weight, integer64(0)));
                }
                scf::YieldOp::create(builder, loc, next);
              },
              [&](OpBuilder &, Location) {
                scf::YieldOp::create(builder, loc, carried);
              });
          return llvm::to_vector(ValueRange(branch.getResults()));
        });
    Value counts = wide(sums[0]);
    for (int64_t pivot = 1; pivot < kPivots; ++pivot)
      counts = arith::OrIOp::create(
          builder, loc, counts,
          arith::ShLIOp::create(builder, loc, wide(sums[pivot]),
                                integer64(pivot * kCountBits)));
    SmallVector<Value> numbers = {counts};
    numbers.append(sums.begin() + kPivots, sums.end());
    return numbers;
  }

  /// Keys between `low` and `high`, which are two apart at least: the middle
  /// one, which halves them whatever logits are, and those of logits in equal
  /// parts of what is left, which leave a quarter of usual ones. Logits that
  /// are much less than the largest one count as kFarHalvings less.
  SmallVector<Value> pivotsOf(Value low, Value high) {
    Value middle = add(low, right(sub(high, low), 1));
    Value reach =
        arith::DivFOp::create(builder, loc, floating(kFarHalvings), scale);
    Value least = arith::SubFOp::create(builder, loc, largest, reach);
    Value from =
        arith::MaxNumFOp::create(builder, loc, math.logitOf(low), least);
    Value width = arith::SubFOp::create(builder, loc, math.logitOf(high), from);
    SmallVector<Value> pivots = {middle};
    for (float part : {0.5f, 0.75f}) {
      Value logit = arith::AddFOp::create(
          builder, loc, from,
          arith::MulFOp::create(builder, loc, width, floating(part)));
      Value key =
          arith::MaxUIOp::create(builder, loc, math.keyOf(logit), add(low, 1));
      pivots.push_back(smaller(key, high));
    }
    return pivots;
  }

  /// The largest key from `least` on whose count, or weight, with those above
  /// it reaches `target` (i64); that of `least` does. Or one that as many
  /// tokens reach.
  Value search(Value least, Value target, bool weighted) {
    int64_t numbers = weighted ? 1 + kPivots : 1;
    int64_t slot = weighted ? kWeightSlots : kCountSlots;
    // Keys that do and do not reach it, how many tokens reach these, what those
    // of the second weigh, and which set of slots is next.
    SmallVector<Value> start = {
        least,        add(largestKey, 1), integer64(spec.vocabulary),
        integer64(0), integer64(0),       integer(0)};
    auto loop = scf::WhileOp::create(
        builder, loc, ValueRange(start).getTypes(), start,
        [&](OpBuilder &, Location, ValueRange state) {
          Value isWide = below(integer(1), sub(state[1], state[0]));
          Value isMany = below(integer64(1), sub(state[2], state[3]));
          scf::ConditionOp::create(builder, loc, both(isWide, isMany), state);
        },
        [&](OpBuilder &, Location, ValueRange state) {
          Value low = state[0], high = state[1];
          SmallVector<Value> pivots = pivotsOf(low, high);
          SmallVector<Value> sums = addFrom(pivots, low, high, weighted);
          Value set = at(at(ofBlock, slot * 8), mul(state[5], numbers * 8));
          sumAcrossRow(sums, set);
          SmallVector<Value> next(state);
          for (int64_t pivot = 0; pivot < kPivots; ++pivot) {
            Value shifted = arith::ShRUIOp::create(
                builder, loc, sums[0], integer64(pivot * kCountBits));
            Value count =
                add(state[3], arith::AndIOp::create(
                                  builder, loc, shifted,
                                  integer64((int64_t(1) << kCountBits) - 1)));
            Value sum = weighted ? add(state[4], sums[1 + pivot]) : count;
            Value key = pivots[pivot];
            Value reaches = compare(arith::CmpIPredicate::uge, sum, target);
            // Pivots are in no order.
            Value isLow = both(reaches, below(next[0], key));
            Value isHigh = both(negated(reaches), below(key, next[1]));
            next[0] = select(isLow, key, next[0]);
            next[2] = select(isLow, count, next[2]);
            next[1] = select(isHigh, key, next[1]);
            next[3] = select(isHigh, count, next[3]);
            next[4] = select(isHigh, sum, next[4]);
          }
          next[5] = bitXor(state[5], integer(1));
          scf::YieldOp::create(builder, loc, next);
        });
    return loop.getResult(0);
  }

  /// `otherwise`, or what `body` finds where `condition` holds.
  Value findIf(Value condition, Value otherwise, function_ref<Value()> body) {
    auto branch = scf::IfOp::create(
        builder, loc, condition,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(builder, loc, body());
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(builder, loc, otherwise);
        });
    return branch.getResult(0);
  }

  void draw(gpu::GPUFuncOp kernel) {
    Value topK = parameter(kernel, 2, i32), topP = parameter(kernel, 3, f32);
    Value least = math.leastKey();
    least = findIf(math.limitsCount(topK, spec.vocabulary), least, [&] {
      return search(math.leastKey(), wide(topK), /*weighted=*/false);
    });
    least = findIf(math.limitsSum(topP), least, [&] {
      Value sum = sumOverRow(sumOfWeights(math.logitOf(least)), kSumSlot);
      return search(least, math.limitOf(sum, topP), /*weighted=*/true);
    });
    least = math.logitOf(least);
    Value sum = sumOverRow(sumOfWeights(least), kKeptSlot);
    Value random =
        math.randomOf(parameter(kernel, 4, i64), parameter(kernel, 5, i32));
    Value target = math.placeOf(random, sum);

    // What is in front of this warp, in the blocks before this one and in it.
    Value isBefore = less(lane, warp);
    Value place = slotAt(ofWarps, select(isBefore, lane, integer(0)));
    Value inFront = select(isBefore, load(i64, place, 8), integer64(0));
    if (spec.blocks > 1) {
      Value other = ofOther(at(ofBlock, kKeptSlot * 8));
      inFront = add(inFront, select(less(lane, rank), other, integer64(0)));
    }
    Value before = sumOfLanes(inFront);
    Value own = load(i64, slotAt(ofWarps, warp), 8);
    // Behind it a difference is negative, and without a sign large.
    ifTrue(below(sub(target, before), own),
           [&] { findToken(least, target, before); });
  }

  /// The warp that has it: the first token whose sum is above `target`.
  void findToken(Value least, Value target, Value before) {
    SmallVector<Value> found = forLogits(
        {before, integer(kNoToken)},
        [&](Value index, Value logit, Value isThere, ValueRange carried) {
          Value sum = weightFrom(least, logit, isThere);
          for (int64_t distance = 1; distance < kWarp; distance *= 2) {
            Value from = arith::MaxSIOp::create(
                builder, loc, sub(lane, integer(distance)), integer(0));
            Value other = shuffleWide(
                sum, [&](Value word) { return shuffle(word, from); });
            sum = select(less(lane, integer(distance)), sum, add(sum, other));
          }
          sum = add(sum, carried[0]);
          Value isAbove = below(target, sum);
          Value at = select(isAbove, index, integer(kNoToken));
          Value all = shuffleWide(sum, [&](Value word) {
            return shuffle(word, integer(kWarp - 1));
          });
          return SmallVector<Value>{all, smaller(carried[1], at)};
        });
    // The least one, by the largest complement.
    Value token = bitXor(warpMax(bitXor(found[1], integer(-1))), integer(-1));
    ifTrue(equal(lane, 0), [&] { storeToken(token); });
  }

  const SampleKernel &spec;
  SampleArithmetic math;
  int64_t warps;
  Value thread, lane, warp, rank, row, logits, ids, first, ofWarps, ofBlock;
  Value largestKey, largestAt, largest, scale;
};

} // namespace

gpu::GPUFuncOp SampleKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return SampleGenerator(*this, builder).run();
}

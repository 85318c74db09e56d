//===- StreamedTogether.cpp - Warpgroups on weights that keep pairs -----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With more tokens than a few the activations are what a block moves: they come
// to shared memory once for all its warps, a ring of units, and warpgroups
// multiply them from there by wgmma.sp. Weights are 1.5 bits: a lane loads its
// 24 bytes of a unit from global memory two units ahead and decodes them in
// registers.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/WarpgroupPairs.h"
#include "StreamedParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

// Bytes of a row of shared memory, swizzled, and of one copy; columns of a unit
// and of a product.
static constexpr int64_t kRow = 128, kChunk = 16, kUnit = 256, kStep = 64;
static constexpr int64_t kChunks = kUnit / kChunk, kInRow = kRow / kChunk;

void TogetherProducts::copy(Value number, Value slot) {
  // Rows that a thread copies lie a multiple of eight apart: one swizzle.
  int64_t rowsAtOnce = form.threads / kChunks;
  Value token = div(form.thread, kChunks), chunk = rem(form.thread, kChunks);
  Value half = div(chunk, kInRow);
  Value swizzled = bitXor(rem(chunk, kInRow), rem(token, 8));
  Value to = at(at(form.ring, slot),
                add(add(mul(half, form.tokens * kRow), mul(token, kRow)),
                    mul(swizzled, kChunk)));
  Value unit = add(form.firstUnit, mul(number, form.step));
  Value column = add(mul(unit, kUnit), mul(chunk, kChunk));
  Type bytes = builder.getI8Type();
  Value from =
      advance(advance(form.x, add(token, form.firstToken), form.pitch, bytes),
              column, 1, bytes);
  auto atom = CpAsyncAttr::get(builder.getContext(), kChunk);
  ifTrue(less(number, form.count), [&] {
    for (int64_t row = 0; row < form.tokens; row += rowsAtOnce) {
      // Of tokens that there are none of nothing is read.
      Value valid = select(less(add(token, row), form.tokenCount),
                           integer(kChunk), integer(0));
      atom.emit(builder, loc, at(to, row * kRow), at(from, row * form.pitch),
                valid);
    }
  });
}

TogetherProducts::Weights TogetherProducts::loadWeights(Value number) {
  Value last = sub(form.count, integer(1));
  Value held = arith::MinUIOp::create(builder, loc, number, last);
  Value source = advance(form.unitStart, held, form.step * form.unitBytes,
                         builder.getI8Type());
  Type codes = VectorType::get({form.laneBytes / 4}, i32);
  return {load(codes, at(source, form.codesInUnit), form.laneBytes),
          load(VectorType::get({4}, i32), at(source, form.metaInUnit), kChunk)};
}

SmallVector<Value> TogetherProducts::multiply(Value slot,
                                              const Weights &weights,
                                              SmallVector<Value> sums) {
  SmallVector<Value> held;
  SmallVector<SmallVector<Value>> a;
  for (int64_t step = 0; step < kUnit / kStep; ++step) {
    a.push_back(decoder.decodeKept(weights.codes, step, form.keeps));
    a.back().push_back(
        vector::ExtractOp::create(builder, loc, weights.meta, step));
    llvm::append_range(held, a.back());
  }
  emitWarpgroupFence(builder, loc);
  for (auto [step, registers] : llvm::enumerate(a)) {
    int64_t place =
        int64_t(step) / 2 * form.tokens * kRow + int64_t(step) % 2 * kStep;
    Value b = at(at(form.ring, slot), place);
    sums = emitPairsProduct(builder, loc, ValueRange(registers).drop_back(),
                            registers.back(), b, sums, form.tokens);
  }
  return emitPairsAwait(builder, loc, sums, held);
}

SmallVector<Value> TogetherProducts::run() {
  auto commit = [&] { NVVM::CpAsyncCommitGroupOp::create(builder, loc); };
  Weights first = loadWeights(integer(0)), second = loadWeights(integer(1));
  for (int64_t stage = 0; stage + 1 < form.stages; ++stage) {
    copy(integer(stage), integer(stage * form.stageBytes));
    commit();
  }
  size_t count = form.tokens / 2;
  SmallVector<Value> carried(count, integer(0));
  llvm::append_range(carried,
                     ArrayRef<Value>{integer(0), first.codes, first.meta,
                                     second.codes, second.meta});
  SmallVector<Value> results = forLoop(
      integer(0), form.count, integer(1), carried,
      [&](Value number, ValueRange values) {
        SmallVector<Value> sums = llvm::to_vector(values.take_front(count));
        ValueRange rest = values.drop_front(count);
        Value slot = rest[0];
        NVVM::CpAsyncWaitGroupOp::create(
            builder, loc,
            builder.getI32IntegerAttr(static_cast<int32_t>(form.stages - 2)));
        emitWarpgroupVisible(builder, loc);
        // Behind it nobody multiplies the unit before any more.
        barrier();
        int64_t ring = form.stages * form.stageBytes;
        Value ahead = add(slot, ring - form.stageBytes);
        ahead = select(less(ahead, integer(ring)), ahead,
                       sub(ahead, integer(ring)));
        copy(add(number, form.stages - 1), ahead);
        commit();
        Weights later = loadWeights(add(number, 2));
        sums = multiply(slot, {rest[1], rest[2]}, sums);
        Value next = add(slot, form.stageBytes);
        next = select(equal(next, ring), integer(0), next);
        llvm::append_range(sums, ArrayRef<Value>{next, rest[3], rest[4],
                                                 later.codes, later.meta});
        return sums;
      });
  results.truncate(count);
  return results;
}

//===- RowCopyKernel.cpp - Rows copied to whole chunks --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread stores a chunk of 16 bytes. Its elements lie in one or two chunks
// of memory, wherever its row begins: it loads both and shifts. That is
// a quarter of the loads that single elements take. Where one of the two would
// not be all inside of the rows, at their two ends, elements are loaded one by
// one.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Elementwise/RowCopyKernel.h"
#include "Kernels/Support/HostIntegers.h"
#include "Kernels/Support/ThreadCode.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Bytes, elements and words of a chunk; threads of a block.
static constexpr int64_t kChunk = 16, kColumns = 8, kWords = 4;
static constexpr int64_t kThreads = 128;

Value RowCopyKernel::gridSize(OpBuilder &builder, Value rows) const {
  HostIntegers host{builder, loc};
  Value blocks = host.ceilDiv(host.mul(rows, pitch / kColumns), kThreads);
  return host.add(blocks,
                  llvm::divideCeil(weightRows * (pitch / kColumns), kThreads));
}

namespace {

class RowCopyGenerator : ThreadCode {
public:
  RowCopyGenerator(const RowCopyKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec) {}

  gpu::GPUFuncOp run() {
    gpu::GPUFuncOp kernel =
        openKernel(spec.name, /*pointers=*/spec.weightRows ? 4 : 2,
                   /*numbers=*/1, kThreads, spec.programmatic);
    x = kernel.getArgument(0);
    Value copies = kernel.getArgument(1), block = blockId();
    Value rows = kernel.getArguments().back();
    if (spec.weightRows) {
      // Blocks behind those of the first matrix.
      int64_t ofRow = spec.pitch / kColumns;
      Value before = narrow(arith::CeilDivUIOp::create(
          builder, loc, mul(rows, integer64(ofRow)), integer64(kThreads)));
      Value isFirst = below(block, before);
      block = select(isFirst, block, sub(block, before));
      rows = select(isFirst, rows, integer64(spec.weightRows));
      x = select(isFirst, x, kernel.getArgument(2));
      copies = select(isFirst, copies, kernel.getArgument(3));
    }
    begin = LLVM::PtrToIntOp::create(builder, loc, i64, x);
    end = add(begin, mul(rows, integer64(spec.cols * kElement)));
    Value all = narrow(mul(rows, integer64(spec.pitch / kColumns)));
    Chunk chunk = load(add(mul(block, kThreads), threadId()), all);
    ifTrue(chunk.exists, [&] {
      ThreadCode::store(
          vector::FromElementsOp::create(
              builder, loc, VectorType::get({kWords}, i32), wordsOf(chunk)),
          advance(copies, chunk.number, kColumns, builder.getI16Type()),
          kChunk);
    });
    closeKernel(kernel);
    return kernel;
  }

private:
  static constexpr int64_t kElement = 2;

  struct Chunk {
    /// Among those of all rows, and among those of its row; whether it is one.
    Value number, inRow, exists;
    /// Where its elements are, bytes from the first row's; how many bytes they
    /// are behind the beginning of a chunk of memory.
    Value offset, shift;
    /// Whether elements are loaded one by one, or this chunk and the next.
    Value singly;
    SmallVector<Value> words;
  };

  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }

  Chunk load(Value number, Value all) {
    Chunk chunk;
    int64_t ofRow = spec.pitch / kColumns;
    chunk.number = number;
    chunk.exists = below(number, all);
    Value row = div(number, ofRow);
    chunk.inRow = rem(number, ofRow);
    chunk.offset = add(mul(wide(row), integer64(spec.cols * kElement)),
                       mul(wide(chunk.inRow), integer64(kChunk)));
    Value address = add(begin, chunk.offset);
    chunk.shift = bitAnd(narrow(address), kChunk - 1);
    Value from = sub(address, wide(chunk.shift));
    auto notLess = [&](Value a, Value b) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, a,
                                   b);
    };
    Value inside = both(notLess(from, begin),
                        notLess(end, add(from, integer64(2 * kChunk))));
    Value filled = both(
        chunk.exists,
        below(chunk.inRow, integer(llvm::divideCeil(spec.cols, kColumns))));
    chunk.singly = both(filled, negated(inside));
    auto type = VectorType::get({kWords}, i32);
    auto branch = scf::IfOp::create(builder, loc, TypeRange{type, type},
                                    both(filled, inside), /*withElse=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value place = at(x, sub(from, begin));
    scf::YieldOp::create(
        builder, loc,
        ValueRange{ThreadCode::load(type, place, kChunk),
                   ThreadCode::load(type, at(place, kChunk), kChunk)});
    builder.setInsertionPointToStart(branch.elseBlock());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    scf::YieldOp::create(builder, loc, ValueRange{zero, zero});
    builder.setInsertionPointAfter(branch);
    for (Value part : branch.getResults())
      for (int64_t word = 0; word < kWords; ++word)
        chunk.words.push_back(
            vector::ExtractOp::create(builder, loc, part, word));
    return chunk;
  }

  /// The chunk's four words.
  SmallVector<Value> wordsOf(const Chunk &chunk) {
    SmallVector<Value> words = chunk.words;
    auto shifts = [&](int64_t bytes) {
      return negated(equal(bitAnd(chunk.shift, bytes), 0));
    };
    for (int64_t bytes = kChunk / 2; bytes >= std::max<int64_t>(spec.width, 4);
         bytes /= 2) {
      Value shift = shifts(bytes);
      for (int64_t i = 0, by = bytes / 4; i + by < int64_t(words.size()); ++i)
        words[i] = select(shift, words[i + by], words[i]);
      words.truncate(words.size() - bytes / 4);
    }
    if (spec.width == kElement) {
      Value selector =
          select(shifts(kElement), integer(0x5432), integer(0x3210));
      for (int64_t i = 0; i < kWords; ++i)
        words[i] = permute(words[i], words[i + 1], selector);
    }
    words.truncate(kWords);
    if (int64_t left = spec.cols % kColumns) {
      Value isLast = equal(chunk.inRow, spec.cols / kColumns);
      for (int64_t i = left / 2; i < kWords; ++i)
        words[i] = select(
            isLast, 2 * i + 1 == left ? bitAnd(words[i], 0xFFFF) : integer(0),
            words[i]);
    }
    auto branch =
        scf::IfOp::create(builder, loc, SmallVector<Type>(kWords, i32),
                          chunk.singly, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, words);
    builder.setInsertionPointToStart(branch.thenBlock());
    for (int64_t i = 0; i < kWords; ++i)
      words[i] =
          bitOr(element(chunk, 2 * i), left(element(chunk, 2 * i + 1), 16));
    scf::YieldOp::create(builder, loc, words);
    return SmallVector<Value>(branch.getResults());
  }

  /// Element `number` of a chunk, 0 behind its row.
  Value element(const Chunk &chunk, int64_t number) {
    Value column = add(mul(chunk.inRow, kColumns), number);
    auto branch = scf::IfOp::create(builder, loc, TypeRange{i32},
                                    below(column, integer(spec.cols)),
                                    /*withElse=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, integer(0));
    builder.setInsertionPointToStart(branch.thenBlock());
    Value bits =
        ThreadCode::load(builder.getI16Type(),
                         at(at(x, chunk.offset), number * kElement), kElement);
    Value word = arith::ExtUIOp::create(builder, loc, i32, bits);
    scf::YieldOp::create(builder, loc, word);
    return branch.getResult(0);
  }

  const RowCopyKernel &spec;
  Value x, begin, end; // the rows, and where they are
};

} // namespace

gpu::GPUFuncOp RowCopyKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return RowCopyGenerator(*this, builder).run();
}

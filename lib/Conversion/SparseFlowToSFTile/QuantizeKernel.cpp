//===- QuantizeKernel.cpp - Activations of 8 bits -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block for each token. Its threads hold the token's elements in registers,
// 16 columns at a time, find the largest magnitude together, and round. Nothing
// is read twice. There are no tiles in this kernel, so it is written in the
// base dialects.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Columns whose order a permutation changes, and bytes that a thread stores.
static constexpr int64_t kPiece = 16;
static constexpr int64_t kUnitColumns = 128, kMaxThreads = 1024;
static constexpr int64_t kWarp = 32, kSharedSpace = 3;
// The bits of 1e-5, the least magnitude, of infinity, of 1.5 * 2^23 and of a
// NaN.
static constexpr int64_t kLeastBits = 0x3727C5AC, kInfinityBits = 0x7F800000,
                         kRounderBits = 0x4B400000, kNanBits = 0x7FC00000;

int64_t mlir::sparseflow::quantizedPitch(int64_t k) {
  return llvm::alignTo(std::max<int64_t>(k, 1), kUnitColumns);
}

/// Pieces of 16 columns that a thread holds.
static int64_t piecesOf(int64_t k) {
  return llvm::divideCeil(quantizedPitch(k) / kPiece, kMaxThreads);
}

int64_t QuantizeKernel::threads() const {
  int64_t pieces = quantizedPitch(k) / kPiece;
  return llvm::alignTo(llvm::divideCeil(pieces, piecesOf(k)), kWarp);
}

namespace {

class QuantizeGenerator {
public:
  QuantizeGenerator(const QuantizeKernel &spec, OpBuilder &builder)
      : spec(spec), builder(builder), loc(spec.loc), i32(builder.getI32Type()),
        i64(builder.getI64Type()), f32(builder.getF32Type()) {}

  gpu::GPUFuncOp run() {
    MLIRContext *context = builder.getContext();
    Type pointer = LLVM::LLVMPointerType::get(context, 1);
    auto kernel = gpu::GPUFuncOp::create(
        builder, loc, spec.name,
        builder.getFunctionType({pointer, pointer, pointer, pointer, i64}, {}));
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
    kernel.setKnownBlockSize(
        SmallVector<int32_t>{static_cast<int32_t>(spec.threads()), 1, 1});
    makeShared(kernel);
    builder.setInsertionPointToStart(&kernel.getBody().front());
    if (spec.programmatic)
      sftile::GridDependencyOp::create(builder, loc);
    token = arith::IndexCastOp::create(
        builder, loc, i64,
        gpu::BlockIdOp::create(builder, loc, builder.getIndexType(),
                               gpu::Dimension::x));
    thread = NVVM::ThreadIdXOp::create(builder, loc, i32);
    x = advance(kernel.getArgument(0), token, spec.k, spec.inputType);

    SmallVector<SmallVector<Value>> pieces;
    Value magnitude = integer(0);
    for (int64_t piece = 0; piece < piecesOf(spec.k); ++piece) {
      pieces.push_back(loadPiece(piece));
      for (Value value : pieces.back())
        magnitude = arith::MaxUIOp::create(
            builder, loc, magnitude,
            arith::AndIOp::create(builder, loc, bitsOf(value),
                                  integer(0x7FFFFFFF)));
    }
    // Magnitudes compare like their bits, infinities above numbers and NaNs
    // above both.
    magnitude =
        reduce(magnitude, integer(kLeastBits), 0, [&](Value a, Value c) {
          return arith::MaxUIOp::create(builder, loc, a, c).getResult();
        });
    Value finite =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              magnitude, integer(kInfinityBits));
    Value m = floatOf(magnitude), full = floating(127.0f);
    // The bits of both quotients are part of the op's meaning: these are
    // divisions that no option makes approximate.
    Value scale = LLVM::FDivOp::create(builder, loc, m, full);
    Value inverse = LLVM::FDivOp::create(builder, loc, full, m);

    Value sum = integer(0);
    for (auto [number, piece] : llvm::enumerate(pieces))
      storePiece(kernel.getArgument(1), number, piece, inverse, finite, sum);
    sum = reduce(sum, integer(0), 1, [&](Value a, Value c) {
      return arith::AddIOp::create(builder, loc, a, c).getResult();
    });
    Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        thread, integer(0));
    ifTrue(first, [&] {
      Value shown = arith::SelectOp::create(builder, loc, finite, scale,
                                            floatOf(integer(kNanBits)));
      LLVM::StoreOp::create(builder, loc, shown,
                            advance(kernel.getArgument(2), token, 1, f32));
      LLVM::StoreOp::create(builder, loc, sum,
                            advance(kernel.getArgument(3), token, 1, i32));
    });
    builder.setInsertionPointToEnd(&kernel.getBody().front());
    gpu::ReturnOp::create(builder, loc);
    builder.setInsertionPointAfter(kernel);
    return kernel;
  }

private:
  /// A word for each warp and each of two reductions.
  void makeShared(gpu::GPUFuncOp kernel) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(kernel);
    shared = LLVM::GlobalOp::create(
        builder, loc, LLVM::LLVMArrayType::get(i32, 2 * kWarp),
        /*isConstant=*/false, LLVM::Linkage::Internal, spec.name + "_words",
        Attribute(), /*alignment=*/16, kSharedSpace);
  }

  Value integer(int64_t value) {
    return arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value floating(float value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  }
  Value bitsOf(Value value) {
    return arith::BitcastOp::create(builder, loc, i32, value);
  }
  Value floatOf(Value bits) {
    return arith::BitcastOp::create(builder, loc, f32, bits);
  }
  Value wide(Value value) {
    return arith::ExtUIOp::create(builder, loc, i64, value);
  }

  /// `pointer` + `index` * `scale` elements.
  Value advance(Value pointer, Value index, int64_t scale, Type element) {
    Value offset = arith::MulIOp::create(
        builder, loc, index,
        arith::ConstantOp::create(builder, loc,
                                  builder.getI64IntegerAttr(scale)));
    return LLVM::GEPOp::create(builder, loc, pointer.getType(), element,
                               pointer, offset);
  }

  void ifTrue(Value condition, function_ref<void()> body) {
    auto branch = scf::IfOp::create(builder, loc, condition);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    body();
  }

  /// The first column of a thread's piece `number`, i32.
  Value columnOf(int64_t number) {
    Value piece = arith::AddIOp::create(builder, loc, thread,
                                        integer(number * spec.threads()));
    return arith::MulIOp::create(builder, loc, piece, integer(kPiece));
  }

  /// 16 elements as f32, 0 from column K on. Reads stay inside the row: one
  /// that would not takes the last elements of it, and its values are not used.
  SmallVector<Value> loadPiece(int64_t number) {
    Value column = columnOf(number);
    int64_t bytes = spec.inputType.getIntOrFloatBitWidth() / 8;
    int64_t length = spec.aligned ? 16 / bytes : 1;
    Type type = length == 1 ? spec.inputType
                            : VectorType::get({length}, spec.inputType);
    SmallVector<Value> values;
    for (int64_t at = 0; at < kPiece; at += length) {
      Value wanted = arith::AddIOp::create(builder, loc, column, integer(at));
      Value inside = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, wanted, integer(spec.k));
      Value read = arith::MinUIOp::create(builder, loc, wanted,
                                          integer(spec.k - length));
      Value loaded = LLVM::LoadOp::create(
          builder, loc, type, advance(x, wide(read), 1, spec.inputType),
          bytes * length);
      for (int64_t index = 0; index < length; ++index) {
        Value value =
            length == 1 ? loaded
                        : vector::ExtractOp::create(builder, loc, loaded, index)
                              .getResult();
        if (!value.getType().isF32())
          value = arith::ExtFOp::create(builder, loc, f32, value);
        values.push_back(
            arith::SelectOp::create(builder, loc, inside, value, floating(0)));
      }
    }
    return values;
  }

  /// `value` of all threads of the block, starting from `neutral`; `slot` is 0
  /// or 1, each for one reduction. Every thread gets the result.
  Value reduce(Value value, Value neutral, int64_t slot,
               function_ref<Value(Value, Value)> combine) {
    auto overWarp = [&](Value own) {
      for (int64_t distance = kWarp / 2; distance; distance /= 2) {
        Value other = NVVM::ShflOp::create(
            builder, loc, i32, integer(-1), own, integer(distance),
            integer(kWarp - 1), NVVM::ShflKind::bfly, UnitAttr());
        own = combine(own, other);
      }
      return own;
    };
    value = overWarp(value);
    Value lane =
        arith::AndIOp::create(builder, loc, thread, integer(kWarp - 1));
    Value warp = arith::DivUIOp::create(builder, loc, thread, integer(kWarp));
    Value base = LLVM::AddressOfOp::create(builder, loc, shared);
    auto word = [&](Value number) -> Value {
      Value index =
          arith::AddIOp::create(builder, loc, number, integer(slot * kWarp));
      return LLVM::GEPOp::create(builder, loc, base.getType(), i32, base,
                                 index);
    };
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, lane, integer(0));
    ifTrue(isFirst,
           [&] { LLVM::StoreOp::create(builder, loc, value, word(warp)); });
    gpu::BarrierOp::create(builder, loc);
    int64_t warps = spec.threads() / kWarp;
    Value present = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, lane, integer(warps));
    Value read = arith::MinUIOp::create(builder, loc, lane, integer(warps - 1));
    Value others = LLVM::LoadOp::create(builder, loc, i32, word(read));
    return combine(overWarp(arith::SelectOp::create(builder, loc, present,
                                                    others, neutral)),
                   neutral);
  }

  /// Rounds 16 values and stores them in the order of products of bytes. Adds
  /// them to `sum`. Adding 1.5 * 2^23 rounds to an integer, half to even, which
  /// the low bits of the result hold; no product is beyond 127.5.
  void storePiece(Value values, int64_t number, ArrayRef<Value> piece,
                  Value inverse, Value finite, Value &sum) {
    Value rounder = floatOf(integer(kRounderBits));
    SmallVector<Value> bytes;
    for (Value value : piece) {
      Value product = arith::MulFOp::create(builder, loc, value, inverse);
      Value rounded =
          bitsOf(arith::AddFOp::create(builder, loc, product, rounder));
      Value number =
          arith::SubIOp::create(builder, loc, rounded, integer(kRounderBits));
      number =
          arith::SelectOp::create(builder, loc, finite, number, integer(0));
      sum = arith::AddIOp::create(builder, loc, sum, number);
      bytes.push_back(
          arith::AndIOp::create(builder, loc, number, integer(0xFF)));
    }
    SmallVector<Value> words;
    for (int64_t w = 0; w < 4; ++w) {
      Value word;
      for (int64_t byte = 0; byte < 4; ++byte) {
        int64_t position = 4 * w + byte;
        int64_t column =
            8 * (position % 2) + 2 * (position / 4) + position / 2 % 2;
        Value part = arith::ShLIOp::create(builder, loc, bytes[column],
                                           integer(8 * byte));
        word = word ? arith::OrIOp::create(builder, loc, word, part).getResult()
                    : part;
      }
      words.push_back(word);
    }
    Value column = columnOf(number);
    Value inside =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, column,
                              integer(quantizedPitch(spec.k)));
    ifTrue(inside, [&] {
      Value row =
          advance(values, token, quantizedPitch(spec.k), builder.getI8Type());
      Value vector = vector::FromElementsOp::create(
          builder, loc, VectorType::get({4}, i32), words);
      LLVM::StoreOp::create(builder, loc, vector,
                            advance(row, wide(column), 1, builder.getI8Type()),
                            16);
    });
  }

  const QuantizeKernel &spec;
  OpBuilder &builder;
  Location loc;
  Type i32, i64, f32;
  LLVM::GlobalOp shared;
  Value token, thread, x;
};

} // namespace

gpu::GPUFuncOp QuantizeKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return QuantizeGenerator(*this, builder).run();
}

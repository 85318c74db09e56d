//===- QuantizeKernel.cpp - Activations quantized to 8 bits ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block for each token. Its threads hold the token's elements in registers,
// 16 columns at a time, find the largest magnitude together, and round. Nothing
// is read twice. For many tokens blocks are small and elements stay in the type
// that they were loaded in, so that several blocks share an SM: while one waits
// for its elements others compute. Of many short tokens each has a warp: a
// block for each would take longer to start than to run.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Quantize/QuantizeKernel.h"
#include "Kernels/Support/ThreadCode.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"
#include "SparseFlow/Target/NVPTX/Model.h"
#include "SparseFlow/Target/NVPTX/Resources.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Columns that a thread quantizes and stores together: their order changes.
static constexpr int64_t kVector = 16;
static constexpr int64_t kUnitColumns = 128;
// The most threads of a block for few and for many tokens. For many tokens:
// threads of an SM, blocks of an SM that every target has room for, and vectors
// of 16 columns that a thread then has registers for.
static constexpr int64_t kMaxThreads = 1024, kManyMaxThreads = 384;
static constexpr int64_t kResidentThreads = 1536, kResidentBlocks = 16;
static constexpr int64_t kResidentVectors = 2;
// Registers for elements that a thread holds until the largest magnitude is
// known: of 64 in a block of 1,024 threads, and of 168 in one of 384.
static constexpr int64_t kHeld = 48, kManyHeld = 128;
static constexpr int64_t kWarp = 32;
// Warps of a block that have a token each, and vectors of a thread of one at
// most.
static constexpr int64_t kTokenWarps = 8, kWarpVectors = 4;

int64_t mlir::sparseflow::quantizedPitch(int64_t k, bool natural) {
  return llvm::alignTo(std::max<int64_t>(k, 1),
                       natural ? 2 * kUnitColumns : kUnitColumns);
}

bool QuantizeKernel::fitsWarp(int64_t k, bool natural) {
  return quantizedPitch(k, natural) <= kWarp * kWarpVectors * kVector;
}

/// Vectors of 16 columns that a thread holds.
static int64_t vectorsOf(const QuantizeKernel &spec) {
  int64_t threads = spec.warpTokens   ? kWarp
                    : spec.manyTokens ? kManyMaxThreads
                                      : kMaxThreads;
  return llvm::divideCeil(quantizedPitch(spec.k, spec.natural) / kVector,
                          threads);
}

int64_t QuantizeKernel::threads() const {
  if (warpTokens)
    return kWarp * kTokenWarps;
  int64_t pitch = quantizedPitch(k, natural);
  return llvm::alignTo(llvm::divideCeil(pitch / kVector, vectorsOf(*this)),
                       kWarp);
}

// As long as all blocks run at once under a limit: SMs that a kernel before
// leaves first would take most of them. A limit that leaves no room is slower
// than the next, but for the last. Measured for compute capability 9.0 alone.
SmallVector<QuantizeKernel::Limit>
QuantizeKernel::limits(unsigned computeCapability, int64_t most) const {
  constexpr int64_t kLeast = 5, kMost = 8;
  // Words of reductions.
  constexpr int64_t kStaticBytes = 1024;
  SmallVector<Limit> result;
  const TargetPeaks *peaks =
      computeCapability == 90 ? findPeaks("sm_90") : nullptr;
  if (!peaks || !manyTokens || warpTokens)
    return {Limit{most, 0}};
  SMLimits sm = SMLimits::ofComputeCapability(computeCapability);
  int64_t sms = peaks->multiprocessors;
  for (int64_t blocks = kLeast; blocks <= kMost; ++blocks)
    result.push_back({blocks * sms - (blocks < kMost ? sms / 2 : 0),
                      sm.sharedBytesOfEach(blocks) - kStaticBytes});
  result.push_back({most, 0});
  return result;
}

Value QuantizeKernel::gridSize(OpBuilder &builder, Value tokens) const {
  if (!warpTokens)
    return tokens;
  Value each = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(tokens.getType(), kTokenWarps));
  return builder.createOrFold<arith::CeilDivUIOp>(loc, tokens, each);
}

namespace {

class QuantizeGenerator : ThreadCode {
public:
  QuantizeGenerator(const QuantizeKernel &spec, OpBuilder &builder)
      : ThreadCode(builder, spec.loc), spec(spec) {}

  gpu::GPUFuncOp run() {
    gpu::GPUFuncOp kernel = openKernel(spec.name, /*pointers=*/4, /*numbers=*/1,
                                       spec.threads(), spec.programmatic);
    if (keepsRaw() && vectorsOf(spec) <= kResidentVectors)
      setMinBlocksPerSM(kernel, std::min(residentThreads() / spec.threads(),
                                         kResidentBlocks));
    token = arith::IndexCastOp::create(
        builder, loc, i64,
        gpu::BlockIdOp::create(builder, loc, builder.getIndexType(),
                               gpu::Dimension::x));
    thread = threadId();
    if (spec.warpTokens) {
      token = add(
          arith::MulIOp::create(builder, loc, token, integer64(kTokenWarps)),
          wide(div(thread, kWarp)));
      thread = rem(thread, kWarp);
      ifTrue(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                   token, kernel.getArgument(4)),
             [&] { quantize(kernel); });
    } else {
      // A word for each warp and each of two reductions.
      shared = sharedArray(kernel, spec.name + "_words", i32, 2 * kWarp);
      quantize(kernel);
    }
    closeKernel(kernel);
    return kernel;
  }

private:
  /// One token, by the threads of a warp or of a block.
  void quantize(gpu::GPUFuncOp kernel) {
    x = advance(kernel.getArgument(0), token, spec.k, spec.inputType);
    int64_t count = vectorsOf(spec);
    // Of a longer token elements are read twice, the second time from L2.
    bool holds = count * (keepsRaw() ? kVector / 2 : kVector) <=
                 (spec.manyTokens ? kManyHeld : kHeld);
    SmallVector<SmallVector<Value>> vectors;
    Value magnitude = integer(0);
    for (int64_t number = 0; number < count; ++number) {
      SmallVector<Value> vector = readVector(number);
      magnitude = larger(magnitude, magnitudeOf(vector));
      if (holds)
        vectors.push_back(std::move(vector));
    }
    QuantizeSteps steps(*this);
    steps.setMagnitude(spec.warpTokens
                           ? warpMax(magnitude)
                           : blockMax(magnitude, words(0), spec.threads()));
    Value sum = integer(0);
    for (int64_t number = 0; number < count; ++number) {
      SmallVector<Value> vector = holds ? vectors[number] : readVector(number);
      storeVector(kernel.getArgument(1), number,
                  steps.round(keepsRaw() ? elementsOf(vector) : vector, sum,
                              spec.natural));
    }
    Value scaleAt = advance(kernel.getArgument(2), token, 1, f32);
    Value sumAt = advance(kernel.getArgument(3), token, 1, i32);
    if (!spec.sums)
      ifTrue(equal(thread, 0),
             [&] { store(steps.shownScale(), scaleAt, /*alignment=*/4); });
    else if (spec.warpTokens)
      steps.storeTokenOfWarp(sum, thread, scaleAt, sumAt);
    else
      steps.storeToken(sum, words(1), spec.threads(), scaleAt, sumAt);
  }

  int64_t pitch() const { return quantizedPitch(spec.k, spec.natural); }

  /// The words of reduction 0 or 1.
  Value words(int64_t slot) {
    return at(LLVM::AddressOfOp::create(builder, loc, shared),
              slot * kWarp * 4);
  }

  /// The first column of a thread's vector `number`, i32; `thread` is its
  /// number among those that share the token.
  Value columnOf(int64_t number) {
    Value vector = add(thread, number * sharers());
    return arith::MulIOp::create(builder, loc, vector, integer(kVector));
  }

  /// Threads that share a token.
  int64_t sharers() const { return spec.warpTokens ? kWarp : spec.threads(); }

  Value larger(Value a, Value c) {
    return arith::MaxUIOp::create(builder, loc, a, c);
  }

  /// Whether elements stay in vectors of pairs until they are rounded.
  bool keepsRaw() const {
    return spec.manyTokens && spec.aligned && !spec.inputType.isF32();
  }

  /// Threads of an SM whose registers hold a token's elements. Two vectors of
  /// bf16 numbers in a warp of eight do not fit in the 40 of six blocks: with
  /// 1,024 columns ptxas would spill.
  int64_t residentThreads() const {
    bool fewer = spec.warpTokens && spec.inputType.isBF16() &&
                 vectorsOf(spec) == kResidentVectors;
    return fewer ? kResidentThreads - spec.threads() : kResidentThreads;
  }

  /// Elements of one access: vectors of 16 bytes, or one.
  int64_t accessLength() const {
    return spec.aligned ? 128 / spec.inputType.getIntOrFloatBitWidth() : 1;
  }

  /// 16 elements as they were loaded, in vectors or one by one, 0 from column K
  /// on.
  /// Reads stay inside the row: one that would not takes the last elements of
  /// it, and its values are not used.
  SmallVector<Value> loadVector(int64_t number) {
    Value column = columnOf(number);
    int64_t bytes = spec.inputType.getIntOrFloatBitWidth() / 8;
    int64_t length = accessLength();
    Type type = length == 1 ? spec.inputType
                            : VectorType::get({length}, spec.inputType);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    // Of a row without elements there is none to read instead.
    if (spec.k == 0)
      return SmallVector<Value>(kVector / length, zero);
    SmallVector<Value> loads;
    for (int64_t at = 0; at < kVector; at += length) {
      Value wanted = arith::AddIOp::create(builder, loc, column, integer(at));
      Value inside = below(wanted, integer(spec.k));
      Value read = arith::MinUIOp::create(builder, loc, wanted,
                                          integer(spec.k - length));
      Value loaded = LLVM::LoadOp::create(
          builder, loc, type, advance(x, wide(read), 1, spec.inputType),
          bytes * length);
      loads.push_back(
          arith::SelectOp::create(builder, loc, inside, loaded, zero));
    }
    return loads;
  }

  /// What is held of the 16 elements of a vector.
  SmallVector<Value> readVector(int64_t number) {
    SmallVector<Value> loaded = loadVector(number);
    return keepsRaw() ? loaded : elementsOf(loaded);
  }

  /// The elements of a vector of 16 columns, f32.
  SmallVector<Value> elementsOf(ArrayRef<Value> vector) {
    SmallVector<Value> values;
    for (Value loaded : vector)
      for (int64_t index = 0; index < accessLength(); ++index) {
        Value value = loaded;
        if (accessLength() > 1)
          value = vector::ExtractOp::create(builder, loc, loaded, index);
        if (!value.getType().isF32())
          value = arith::ExtFOp::create(builder, loc, f32, value);
        values.push_back(value);
      }
    return values;
  }

  /// The bits of the largest magnitude of 16 columns, as f32.
  Value magnitudeOf(ArrayRef<Value> vector) {
    if (!keepsRaw())
      return largestMagnitude(integer(0), vector);
    SmallVector<Value> pairs;
    for (Value loaded : vector) {
      Value four = LLVM::BitcastOp::create(builder, loc,
                                           VectorType::get({4}, i32), loaded);
      for (int64_t index = 0; index < 4; ++index)
        pairs.push_back(vector::ExtractOp::create(builder, loc, four, index));
    }
    return largestOfPairs(pairs, spec.inputType);
  }

  void storeVector(Value values, int64_t number, ArrayRef<Value> words) {
    Value column = columnOf(number);
    Value inside = below(column, integer(pitch()));
    ifTrue(inside, [&] {
      Value row = advance(values, token, pitch(), builder.getI8Type());
      Value vector = vector::FromElementsOp::create(
          builder, loc, VectorType::get({4}, i32), words);
      LLVM::StoreOp::create(builder, loc, vector,
                            advance(row, wide(column), 1, builder.getI8Type()),
                            16);
    });
  }

  const QuantizeKernel &spec;
  LLVM::GlobalOp shared;
  Value token, thread, x;
};

} // namespace

gpu::GPUFuncOp QuantizeKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return QuantizeGenerator(*this, builder).run();
}

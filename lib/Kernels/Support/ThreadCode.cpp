//===- ThreadCode.cpp - What one thread computes ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Support/ThreadCode.h"
#include "SparseFlow/Dialect/SFTile/IR/ThreadOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kWarp = 32, kGlobalSpace = 1, kSharedSpace = 3;
// Bytes that a cache fetches at least.
static constexpr int64_t kSector = 32;
// The bits of 1e-5, the least magnitude, of infinity and of a NaN.
static constexpr int64_t kLeastBits = 0x3727C5AC;
static constexpr int64_t kInfinityBits = 0x7F800000, kNanBits = 0x7FC00000;

gpu::GPUFuncOp ThreadCode::openKernel(StringRef name, int64_t pointers,
                                      int64_t numbers, int64_t threads,
                                      bool programmatic) {
  SmallVector<Type> parameters(
      pointers, LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace));
  parameters.append(numbers, i64);
  auto kernel = gpu::GPUFuncOp::create(builder, loc, name,
                                       builder.getFunctionType(parameters, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSize(
      SmallVector<int32_t>{static_cast<int32_t>(threads), 1, 1});
  builder.setInsertionPointToStart(&kernel.getBody().front());
  if (programmatic)
    griddepWait(/*launchFirst=*/true);
  return kernel;
}

void ThreadCode::closeKernel(gpu::GPUFuncOp kernel) {
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(builder, loc);
  builder.setInsertionPointAfter(kernel);
}

LLVM::GlobalOp ThreadCode::sharedArray(gpu::GPUFuncOp kernel, const Twine &name,
                                       Type element, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(kernel);
  return LLVM::GlobalOp::create(
      builder, loc, LLVM::LLVMArrayType::get(element, count),
      /*isConstant=*/false, LLVM::Linkage::Internal, name.str(), Attribute(),
      /*alignment=*/16, kSharedSpace);
}

Value ThreadCode::integer(int64_t value) {
  return arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value ThreadCode::integer64(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

Value ThreadCode::floating(float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

Value ThreadCode::bitsOf(Value value) {
  return arith::BitcastOp::create(builder, loc, i32, value);
}

Value ThreadCode::largestMagnitude(Value largest, ArrayRef<Value> values) {
  for (Value value : values)
    largest = arith::MaxUIOp::create(builder, loc, largest,
                                     bitAnd(bitsOf(value), 0x7FFFFFFF));
  return largest;
}

Value ThreadCode::largestOfPairs(ArrayRef<Value> words, Type type) {
  // A maximum with a NaN is one. Three magnitudes meet in an instruction where
  // there is one for it.
  auto halves = VectorType::get({2}, type);
  StringAttr absolute = builder.getStringAttr(
      type.isBF16() ? "llvm.fabs.v2bf16" : "llvm.fabs.v2f16");
  Value both;
  for (Value word : words) {
    Value numbers = LLVM::BitcastOp::create(builder, loc, halves, word);
    Value pair =
        LLVM::CallIntrinsicOp::create(builder, loc, halves, absolute, numbers)
            .getResult(0);
    both = both ? LLVM::MaximumOp::create(builder, loc, both, pair) : pair;
  }
  Value largest = integer(0);
  for (int64_t half = 0; half < 2; ++half) {
    Value number = vector::ExtractOp::create(builder, loc, both, half);
    Value wide = arith::ExtFOp::create(builder, loc, f32, number);
    largest = arith::MaxUIOp::create(builder, loc, largest, bitsOf(wide));
  }
  return largest;
}

Value ThreadCode::floatOf(Value bits) {
  return arith::BitcastOp::create(builder, loc, f32, bits);
}

Value ThreadCode::wide(Value value) {
  if (value.getType() == i64)
    return value;
  return builder.createOrFold<arith::ExtUIOp>(loc, i64, value);
}

Value ThreadCode::narrow(Value value) {
  return builder.createOrFold<arith::TruncIOp>(loc, i32, value);
}

Value ThreadCode::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

Value ThreadCode::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}

Value ThreadCode::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}

Value ThreadCode::div(Value a, Value b) {
  return builder.createOrFold<arith::DivUIOp>(loc, a, b);
}

Value ThreadCode::rem(Value a, Value b) {
  return builder.createOrFold<arith::RemUIOp>(loc, a, b);
}

Value ThreadCode::bitAnd(Value a, int64_t mask) {
  return builder.createOrFold<arith::AndIOp>(loc, a, integer(mask));
}

Value ThreadCode::bitOr(Value a, Value b) {
  return builder.createOrFold<arith::OrIOp>(loc, a, b);
}

Value ThreadCode::bitXor(Value a, Value b) {
  return builder.createOrFold<arith::XOrIOp>(loc, a, b);
}

Value ThreadCode::left(Value a, int64_t bits) {
  return bits ? builder.createOrFold<arith::ShLIOp>(loc, a, integer(bits)) : a;
}

Value ThreadCode::right(Value a, int64_t bits) {
  return bits ? builder.createOrFold<arith::ShRUIOp>(loc, a, integer(bits)) : a;
}

Value ThreadCode::less(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, a,
                                             b);
}

Value ThreadCode::below(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, a,
                                             b);
}

Value ThreadCode::equal(Value a, int64_t b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, a,
                                             integer(b));
}

Value ThreadCode::select(Value condition, Value yes, Value no) {
  return builder.createOrFold<arith::SelectOp>(loc, condition, yes, no);
}

Value ThreadCode::negated(Value condition) {
  Value yes =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, loc, condition, yes);
}

Value ThreadCode::advance(Value pointer, Value index, int64_t scale,
                          Type element) {
  Value offset =
      builder.createOrFold<arith::MulIOp>(loc, wide(index), integer64(scale));
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), element, pointer,
                             offset);
}

Value ThreadCode::at(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer, bytes);
}

Value ThreadCode::at(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(bytes)});
}

Value ThreadCode::load(Type type, Value pointer, int64_t alignment) {
  return LLVM::LoadOp::create(builder, loc, type, pointer, alignment);
}

void ThreadCode::store(Value value, Value pointer, int64_t alignment) {
  LLVM::StoreOp::create(builder, loc, value, pointer, alignment);
}

Value ThreadCode::count(Value pointer) {
  return LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add,
                                   pointer, integer(1),
                                   LLVM::AtomicOrdering::monotonic, "block");
}

Value ThreadCode::addUp(Type type, ArrayRef<Value> places, int64_t count,
                        int64_t step) {
  Value sum;
  for (Value place : places)
    for (int64_t i = 0; i < count; ++i) {
      Value word = load(type, at(place, i * step), 4);
      if (!sum)
        sum = word;
      else if (type.isInteger())
        sum = add(sum, word);
      else
        sum = arith::AddFOp::create(builder, loc, sum, word);
    }
  return sum;
}

void ThreadCode::ifTrue(Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

SmallVector<Value>
ThreadCode::forLoop(Value from, Value to, Value step, ValueRange carried,
                    function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, step, carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!next.empty())
    scf::YieldOp::create(builder, loc, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void ThreadCode::barrier() { gpu::BarrierOp::create(builder, loc); }

void ThreadCode::griddepWait(bool launchFirst) {
  using Action = sftile::GriddepAction;
  Action first = launchFirst ? Action::LaunchDependents : Action::Wait;
  Action second = launchFirst ? Action::Wait : Action::LaunchDependents;
  sftile::GriddepOp::create(builder, loc, first);
  sftile::GriddepOp::create(builder, loc, second);
}

void ThreadCode::prefetch(Value pointer, Value bytes, int64_t most,
                          int64_t threads) {
  Value own = mul(threadId(), kSector);
  for (int64_t first = 0; first < most; first += threads * kSector) {
    Value offset = add(own, first);
    ifTrue(less(offset, bytes), [&] {
      LLVM::Prefetch::create(builder, loc, at(pointer, offset), /*rw=*/0,
                             /*hint=*/2, /*cache=*/1);
    });
  }
}

Value ThreadCode::threadId() {
  return arith::IndexCastOp::create(
      builder, loc, i32,
      gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x));
}

Value ThreadCode::blockId() {
  return arith::IndexCastOp::create(
      builder, loc, i32,
      gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x));
}

Value ThreadCode::shuffle(Value value, Value lane) {
  return gpu::ShuffleOp::create(builder, loc, value, lane, integer(kWarp),
                                gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

Value ThreadCode::shuffleXor(Value value, int64_t mask) {
  return gpu::ShuffleOp::create(builder, loc, value, integer(mask),
                                integer(kWarp), gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

Value ThreadCode::warpReduce(Value value, gpu::AllReduceOperation kind) {
  return gpu::SubgroupReduceOp::create(builder, loc, value, kind,
                                       /*uniform=*/true);
}

Value ThreadCode::blockMax(Value value, Value words, int64_t threads) {
  value = warpMax(value);
  Value thread = threadId();
  Value lane = rem(thread, kWarp);
  auto word = [&](Value number) {
    return LLVM::GEPOp::create(builder, loc, words.getType(), i32, words,
                               number);
  };
  ifTrue(equal(lane, 0),
         [&] { store(value, word(div(thread, kWarp)), /*alignment=*/4); });
  barrier();
  Value last = integer(threads / kWarp - 1);
  Value read = arith::MinUIOp::create(builder, loc, lane, last);
  return warpMax(load(i32, word(read), /*alignment=*/4));
}

void QuantizeSteps::setMagnitude(Value magnitude) {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  // Magnitudes compare like their bits, infinities above numbers and NaNs above
  // both.
  magnitude =
      arith::MaxUIOp::create(builder, loc, magnitude, code.integer(kLeastBits));
  finite = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                 magnitude, code.integer(kInfinityBits));
  Value m = code.floatOf(magnitude), full = code.floating(127.0f);
  // The bits of both quotients are part of the op's meaning: these are
  // divisions that no option makes approximate.
  scale = LLVM::FDivOp::create(builder, loc, m, full);
  inverse = LLVM::FDivOp::create(builder, loc, full, m);
}

Value QuantizeSteps::shownScale() {
  return code.select(finite, scale, code.floatOf(code.integer(kNanBits)));
}

QuantizeSteps QuantizeSteps::ofLane(Value lane) const {
  QuantizeSteps steps(code);
  steps.inverse = code.floatOf(code.shuffle(code.bitsOf(inverse), lane));
  return steps;
}

SmallVector<Value> QuantizeSteps::round(ArrayRef<Value> elements, Value &sum,
                                        bool natural) {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  // No product is beyond 127.5. Where the largest magnitude is an infinity or a
  // NaN, products are 0 or NaNs, which are rounded to 0.
  auto product = [&](int64_t column) -> Value {
    return arith::MulFOp::create(builder, loc, elements[column], inverse);
  };
  auto columnAt = [&](int64_t position) {
    return natural ? position
                   : 8 * (position % 2) + 2 * (position / 4) + position / 2 % 2;
  };
  SmallVector<Value> words;
  for (int64_t first = 0; first < 16; first += 4) {
    words.push_back(code.roundToBytes(
        {product(columnAt(first)), product(columnAt(first + 1)),
         product(columnAt(first + 2)), product(columnAt(first + 3))}));
    sum = code.addBytes(words.back(), sum);
  }
  return words;
}

void QuantizeSteps::storeToken(Value sum, Value words, int64_t threads,
                               Value scaleAt, Value sumAt) {
  Value thread = code.threadId();
  Value lane = code.rem(thread, kWarp), warp = code.div(thread, kWarp);
  auto word = [&](Value number) { return code.at(words, code.mul(number, 4)); };
  sum = code.warpSum(sum);
  code.ifTrue(code.equal(lane, 0),
              [&] { code.store(sum, word(warp), /*alignment=*/4); });
  code.barrier();
  // The first warp adds the sums of all.
  code.ifTrue(code.equal(warp, 0), [&] {
    Value present = code.less(lane, code.integer(threads / kWarp));
    Value own =
        code.load(code.i32, word(code.select(present, lane, code.integer(0))),
                  /*alignment=*/4);
    sum = code.warpSum(code.select(present, own, code.integer(0)));
    code.ifTrue(code.equal(thread, 0), [&] {
      code.store(shownScale(), scaleAt, /*alignment=*/4);
      code.store(sum, sumAt, /*alignment=*/4);
    });
  });
}

void QuantizeSteps::storeTokenOfWarp(Value sum, Value lane, Value scaleAt,
                                     Value sumAt) {
  sum = code.warpSum(sum);
  code.ifTrue(code.equal(lane, 0), [&] {
    code.store(shownScale(), scaleAt, /*alignment=*/4);
    code.store(sum, sumAt, /*alignment=*/4);
  });
}

static Value createBytes(ThreadCode &code, sftile::BytesKind kind,
                         ValueRange operands) {
  return sftile::ThreadBytesOp::create(code.builder, code.loc, code.i32, kind,
                                       operands);
}

Value ThreadCode::roundToBytes(ArrayRef<Value> numbers) {
  return createBytes(*this, sftile::BytesKind::Round, numbers);
}

Value ThreadCode::addBytes(Value word, Value sum) {
  return createBytes(*this, sftile::BytesKind::Sum, {word, sum});
}

Value ThreadCode::permute(Value low, Value high, Value selector) {
  return createBytes(*this, sftile::BytesKind::Permute, {low, high, selector});
}

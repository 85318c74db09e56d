//===- BuildersTest.cpp - Ops built from C++ ------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// A function whose body is being built.
class Builders : public testing::Test {
protected:
  Builders()
      : context(MLIRContext::Threading::DISABLED), b(&context),
        loc(b.getUnknownLoc()) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        SparseFlowDialect>();
    module = ModuleOp::create(loc);
  }

  /// The arguments of a new function.
  Block::BlockArgListType function(TypeRange types) {
    b.setInsertionPointToEnd(module->getBody());
    auto op = func::FuncOp::create(b, loc, "f", b.getFunctionType(types, {}));
    Block *block = op.addEntryBlock();
    b.setInsertionPointToStart(block);
    func::ReturnOp::create(b, loc);
    b.setInsertionPointToStart(block);
    return block->getArguments();
  }

  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element,
                          Attribute encoding = {}) {
    return RankedTensorType::get(shape, element, encoding);
  }

  bool verifies() { return succeeded(verify(*module)); }

  MLIRContext context;
  OpBuilder b;
  Location loc;
  OwningOpRef<ModuleOp> module;
};

constexpr int64_t kDynamic = ShapedType::kDynamic;

TEST_F(Builders, MatmulRoundsItsAccumulatorByDefault) {
  Type f16 = b.getF16Type(), f32 = b.getF32Type();
  auto arguments = function({tensor({3, kDynamic, 64}, f16),
                             tensor({40, 64}, f16), tensor({40}, f32)});
  Value x = arguments[0], w = arguments[1];
  auto rounded = MatmulOp::create(b, loc, x, w, f16);
  EXPECT_EQ(rounded.getResultType(), tensor({3, kDynamic, 40}, f16));
  EXPECT_TRUE(rounded.hasIdentityEpilogue());
  auto plain = MatmulOp::create(b, loc, x, w, f32);
  EXPECT_TRUE(plain.hasIdentityEpilogue());
  // With the type of the result given, and with operands that a default
  // epilogue does not read.
  auto typed = MatmulOp::create(b, loc, tensor({3, kDynamic, 40}, f16), x, w,
                                ValueRange(), ArrayRef<Broadcast>());
  EXPECT_TRUE(typed.hasIdentityEpilogue());
  MatmulOp::create(b, loc, x, w, f16, arguments[2], Broadcast::PerFeature);
  auto biased = MatmulOp::create(
      b, loc, x, w, f32, arguments[2], Broadcast::PerFeature,
      [](OpBuilder &b, Location loc, ValueRange values) {
        YieldOp::create(b, loc,
                        arith::AddFOp::create(b, loc, values[0], values[1]));
      });
  EXPECT_FALSE(biased.hasIdentityEpilogue());
  EXPECT_TRUE(verifies());
}

TEST_F(Builders, AttentionInfersItsResults) {
  Type f16 = b.getF16Type(), f32 = b.getF32Type();
  auto arguments = function({tensor({2, kDynamic, 8, 64}, f16),
                             tensor({2, kDynamic, 4, 64}, f16),
                             tensor({2, kDynamic, 4, 32}, f16),
                             tensor({2}, b.getI32Type()), tensor({8}, f32)});
  Value q = arguments[0], k = arguments[1], v = arguments[2];
  auto plain = AttentionOp::create(b, loc, q, k, v, AttentionLayout::Bshd);
  EXPECT_EQ(plain.getResultType(), tensor({2, kDynamic, 8, 32}, f16));
  EXPECT_FALSE(plain.getLse());
  EXPECT_FALSE(plain.hasScore());
  auto whole = AttentionOp::create(
      b, loc, q, k, v, AttentionLayout::Bshd, /*causal=*/true, arguments[3],
      arguments[4], StringRef("h"),
      [](OpBuilder &b, Location loc, ValueRange values) {
        ASSERT_EQ(values.size(), 6u);
        YieldOp::create(b, loc,
                        arith::MulFOp::create(b, loc, values[0], values[5]));
      },
      f32, /*withLse=*/true);
  whole.setWindow(128);
  EXPECT_EQ(whole.getResultType(), tensor({2, kDynamic, 8, 32}, f32));
  EXPECT_EQ(whole.getLse().getType(), tensor({2, 8, kDynamic}, f32));
  EXPECT_TRUE(whole.hasScore());
  EXPECT_TRUE(whole.getCausal());
  EXPECT_TRUE(verifies());
}

TEST_F(Builders, TypesOfWeightsAndPlanesFollow) {
  Type f16 = b.getF16Type();
  auto arguments =
      function({tensor({64, 128}, f16), tensor({kDynamic, 128}, f16)});
  auto nm = NmAttr::get(&context, 2, 4);
  auto pruned = PruneOp::create(b, loc, arguments[0], nm);
  EXPECT_EQ(pruned.getType(), tensor({64, 128}, f16, nm));
  auto storage = StorageAttr::getFor(cast<RankedTensorType>(pruned.getType()),
                                     [&] { return emitError(loc); });
  ASSERT_TRUE(succeeded(storage));
  auto packed = PackOp::create(b, loc, pruned, *storage);
  EXPECT_EQ(packed.getType(), storage->getBlobType());
  auto unpacked = UnpackOp::create(b, loc, pruned);
  EXPECT_EQ(unpacked.getType(), arguments[0].getType());

  auto ternary = TernaryAttr::get(&context, TernaryStorage::Codes,
                                  TernaryAttr::kRowScale, b.getF32Type(), 1);
  auto trits =
      TernarizeOp::create(b, loc, arguments[0], ternary, TernaryMethod::Twn);
  EXPECT_EQ(trits.getType(), tensor({64, 128}, f16, ternary));
  auto split = PlaneSplitOp::create(b, loc, trits, 0);
  EXPECT_EQ(split.getPlus().getType(), tensor({64, 128}, b.getI1Type()));
  auto count = PlanePopcountOp::create(b, loc, split.getPlus());
  EXPECT_EQ(count.getType(), tensor({64}, b.getI32Type()));
  auto quantized = QuantizeOp::create(b, loc, arguments[1]);
  EXPECT_EQ(quantized.getQuantized().getType(),
            tensor({kDynamic, 128}, b.getI8Type()));
  EXPECT_EQ(quantized.getScale().getType(), tensor({kDynamic}, b.getF32Type()));
  EXPECT_TRUE(verifies());
}

} // namespace

//===- expression_test.cpp - Checked arithmetic of manifests --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/manifest/expression.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace sparseflow::rt;
using Op = Expression::Op;

static constexpr int64_t least = std::numeric_limits<int64_t>::min();
static constexpr int64_t most = std::numeric_limits<int64_t>::max();

static Expected<int64_t> binary(Op op, int64_t a, int64_t b) {
  Expression expression;
  expression.clear();
  expression.append(Op::Symbol, 0);
  expression.append(Op::Symbol, 1);
  expression.append(op);
  EXPECT_TRUE(expression.verify(2));
  int64_t symbols[] = {a, b};
  return expression.evaluate(symbols);
}

TEST(Expression, Values) {
  EXPECT_EQ(*binary(Op::Add, 2, 3), 5);
  EXPECT_EQ(*binary(Op::Sub, 2, 3), -1);
  EXPECT_EQ(*binary(Op::Mul, -4, 3), -12);
  EXPECT_EQ(*binary(Op::Min, 2, -3), -3);
  EXPECT_EQ(*binary(Op::Max, 2, -3), 2);
}

TEST(Expression, DivisionRoundsAsNamed) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b : {-4, -3, -1, 1, 3, 4}) {
      double quotient = static_cast<double>(a) / static_cast<double>(b);
      auto low = static_cast<int64_t>(std::floor(quotient));
      EXPECT_EQ(*binary(Op::FloorDiv, a, b), low) << a << " / " << b;
      EXPECT_EQ(*binary(Op::CeilDiv, a, b),
                static_cast<int64_t>(std::ceil(quotient)));
      EXPECT_EQ(*binary(Op::Mod, a, b), a - b * low);
    }
}

TEST(Expression, OverflowIsAnError) {
  struct Case {
    Op op;
    int64_t a, b;
  };
  for (Case c : {Case{Op::Add, most, 1}, Case{Op::Add, least, -1},
                 Case{Op::Sub, least, 1}, Case{Op::Mul, most, 2},
                 Case{Op::Mul, least, -1}, Case{Op::FloorDiv, least, -1},
                 Case{Op::CeilDiv, least, -1}, Case{Op::FloorDiv, 1, 0},
                 Case{Op::CeilDiv, 1, 0}, Case{Op::Mod, 1, 0}}) {
    Expected<int64_t> value = binary(c.op, c.a, c.b);
    EXPECT_FALSE(value) << c.a << " " << c.b;
    EXPECT_EQ(value.status().code(), SF_ERROR_INVALID_ARGUMENT);
  }
  EXPECT_EQ(*binary(Op::Mod, least, -1), 0);
  EXPECT_EQ(*binary(Op::CeilDiv, most, 1), most);
}

TEST(Expression, VerifyRefusesMalformedOnes) {
  Expression expression;
  expression.clear();
  EXPECT_FALSE(expression.verify(0));
  expression.append(Op::Add);
  EXPECT_FALSE(expression.verify(0));
  expression.clear();
  expression.append(Op::Symbol, 1);
  EXPECT_FALSE(expression.verify(1));
  EXPECT_TRUE(expression.verify(2));
  expression.append(Op::Constant, 1);
  EXPECT_FALSE(expression.verify(2));
  expression.clear();
  for (size_t i = 0; i < Expression::maxStack + 1; ++i)
    expression.append(Op::Constant, 1);
  for (size_t i = 0; i < Expression::maxStack; ++i)
    expression.append(Op::Add);
  EXPECT_FALSE(expression.verify(0));
}

TEST(Expression, DefaultIsZero) {
  EXPECT_EQ(*Expression().evaluate(nullptr), 0);
  EXPECT_EQ(*Expression::constant(7).evaluate(nullptr), 7);
}

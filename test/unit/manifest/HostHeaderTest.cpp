//===- HostHeaderTest.cpp - Sizes of ternary weights in C headers ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Target/Manifest/TernaryEncoding.h"
#include "SparseFlow/Target/Object/HostObject.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::sparseflow;

/// What the header says of a weight [n, k] with that encoding.
static std::string describe(TernaryAttr encoding, int64_t n, int64_t k) {
  using llvm::json::Array;
  using llvm::json::Object;
  Object weight{{"name", "w"},
                {"dtype", "f16"},
                {"shape", Array{n, k}},
                {"encoding", describeTernary(encoding)},
                {"layout", encoding.getLayout()}};
  Object function{{"name", "f"},
                  {"symbols", Array{}},
                  {"arguments", Array{std::move(weight)}},
                  {"results", Array{}}};
  std::string manifest;
  llvm::raw_string_ostream(manifest)
      << llvm::json::Value(Object{{"functions", Array{std::move(function)}}});
  return llvm::cantFail(describeHostObject("kernels", manifest))
      .functions[0]
      .arguments[0]
      .description;
}

// The header is made from the manifest, the program from the encoding: both
// have to expect the same blob.
TEST(HostHeader, BytesOfTernaryWeights) {
  MLIRContext context;
  context.loadDialect<SparseFlowDialect>();
  Builder b(&context);
  int checked = 0;
  for (TernaryStorage storage :
       {TernaryStorage::Codes, TernaryStorage::BitPlanes, TernaryStorage::Base3,
        TernaryStorage::TwoFour, TernaryStorage::TwoFourZero})
    for (int64_t group :
         {int64_t(TernaryAttr::kTensorScale), int64_t(TernaryAttr::kRowScale),
          int64_t(32), int64_t(256)})
      for (Type scale : {Type(b.getF16Type()), Type(b.getF32Type())})
        for (int64_t planes : {1, 2}) {
          bool isTwoFour = storage == TernaryStorage::TwoFour ||
                           storage == TernaryStorage::TwoFourZero;
          if (isTwoFour && planes == 2)
            continue;
          auto encoding =
              TernaryAttr::get(&context, storage, group, scale, planes);
          std::string expected =
              "(" + std::to_string(encoding.getSizeInBytes(96, 200)) +
              " bytes, aligned to 256)";
          EXPECT_NE(describe(encoding, 96, 200).find(expected),
                    std::string::npos)
              << describe(encoding, 96, 200) << ", expected " << expected;
          ++checked;
        }
  EXPECT_EQ(checked, 64);
  // By hand: 2 x 2 units of 2048 bytes, then 128 scales of 4.
  EXPECT_EQ(
      describe(TernaryAttr::get(&context, TernaryStorage::Codes,
                                TernaryAttr::kRowScale, b.getF32Type(), 1),
               96, 200),
      "f16 [96][200], ternary, packed as tern.v1 (8704 bytes, aligned to "
      "256)");
}

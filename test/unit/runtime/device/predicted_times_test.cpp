//===- predicted_times_test.cpp - Predictions choose the form -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dense_forms_fixture.h"
#include "quiet_driver.h"

#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::test;
using Json = nlohmann::json;

/// With what is predicted: the packed kernel is the faster one up to 4 tokens.
static std::string withPredictions(const std::string &packed = "[1000, 5000]",
                                   const std::string &dense = "[2000, 3000]",
                                   const std::string &at = "[4, 16]") {
  std::string text = denseManifest(kTwoFour);
  auto insert = [&](const char *before, const std::string &what) {
    text.insert(text.find(before), what);
  };
  insert(R"("variants")",
         R"("predicted": {"tokens": "T", "at": )" + at + "}, ");
  insert(R"("guards": [{"aligned": [{"arg")",
         R"("predicted": )" + packed + ", ");
  insert(R"("guards": [{"aligned": [{"dense")",
         R"("predicted": )" + dense + ", ");
  return text;
}

TEST_F(DenseFormTest, WithoutATimeThePredictionDecides) {
  write("manifest.json", withPredictions());
  ASSERT_EQ(open(), SF_OK) << sf_last_error();
  uint8_t *w = randomTwoFour(20);
  Buffers few = buffersFor(4, w), more = buffersFor(5, w),
          many = buffersFor(100, w);
  EXPECT_EQ(kernel(more), "packed");
  ASSERT_EQ(rebuild(few), SF_OK) << sf_last_error();
  std::vector<std::string> reasons;
  sf_dispatch_set_callback(collect, &reasons);
  EXPECT_EQ(kernel(few), "packed");
  EXPECT_EQ(kernel(more), "dense");
  sf_dispatch_set_callback(nullptr, nullptr);
  EXPECT_EQ(kernel(many), "dense");
  ASSERT_EQ(reasons.size(), 2u);
  Json packed = Json::parse(reasons[0]), dense = Json::parse(reasons[1]);
  EXPECT_EQ(packed["ran"]["predicted_microseconds"], 1);
  EXPECT_EQ(packed["others"][0]["predicted_microseconds"], 2);
  EXPECT_EQ(packed["because"],
            "the first of the compiler's order whose guards hold");
  EXPECT_EQ(dense["ran"]["predicted_microseconds"], 3);
  EXPECT_EQ(dense["because"],
            "predicted to be faster than the packed weight's");
  EXPECT_EQ(dense["others"][0]["why_not"], "predicted to be slower");
  // A failure comes before a prediction, and a form that is gone.
  auto program = reinterpret_cast<rt::LoadedFunction *>(function)->load();
  ASSERT_TRUE(program);
  (*program)->dispatch->quarantine("dense", "it failed");
  EXPECT_EQ(kernel(more), "packed");
  restart();
  addMultiplying(/*packedTime=*/0, /*denseTime=*/20);
  EXPECT_EQ(sf_dispatch_clear(nullptr), SF_OK);
  restart();
  addMultiplying(/*packedTime=*/0, /*denseTime=*/20);
  ASSERT_EQ(rebuild(more), SF_OK) << sf_last_error();
  EXPECT_EQ(kernel(more), "dense");
  // A measured time comes before it, too.
  ASSERT_EQ(sf_function_tune(function, more.arguments, 2, &more.result, 1, 0, 0,
                             nullptr, 2),
            SF_OK)
      << sf_last_error();
  EXPECT_EQ(kernel(more), "packed");
  EXPECT_EQ(kernel(many), "dense");
}

TEST_F(DenseFormTest, WhereNothingIsPredictedTheCompilersOrderHolds) {
  for (auto [packed, dense] : {std::pair("[null, 5000]", "[2000, 3000]"),
                               std::pair("[1000, 5000]", "[null, 3000]")}) {
    write("manifest.json", withPredictions(packed, dense));
    restart();
    addMultiplying();
    uint8_t *w = randomTwoFour(21);
    Buffers few = buffersFor(2, w), more = buffersFor(9, w);
    ASSERT_EQ(rebuild(few), SF_OK) << sf_last_error();
    EXPECT_EQ(kernel(few), "packed");
    EXPECT_EQ(kernel(more), "dense");
  }
}

TEST_F(DenseFormTest, PredictionsAreChecked) {
  auto refused = [&](const std::string &text) {
    write("manifest.json", text);
    sf_bundle_destroy(bundle);
    sf_context_destroy(context);
    bundle = nullptr;
    context = nullptr;
    EXPECT_EQ(open(), SF_ERROR_FORMAT);
  };
  refused(withPredictions("[1000]"));
  expectError(
      {"variants[0].predicted: expected a time for each of the step's 2 "
       "numbers of tokens, found 1"});
  refused(withPredictions("[0, 1]"));
  refused(withPredictions("[1.5, 1]"));
  refused(withPredictions("[1, 1]", "[1, 1]", "[4, 4]"));
  refused(withPredictions("[1, 1]", "[1, 1]", "[0, 4]"));
  refused(withPredictions("[]", "[]", "[]"));
  expectError({"expected at least one number of tokens, found none"});
}

TEST_F(DenseFormTest, APredictedChoiceAllocatesNothing) {
  write("manifest.json", withPredictions());
  ASSERT_EQ(open(), SF_OK);
  uint8_t *w = randomTwoFour(22);
  Buffers call = buffersFor(9, w);
  ASSERT_EQ(rebuild(call), SF_OK);
  // The forms of a model's other layers.
  for (uint64_t i = 1; i <= 200; ++i)
    ASSERT_EQ(sf_function_set_dense_weight(function, 1, i * 4096, 0x100000,
                                           kN * kK * 2),
              SF_OK);
  auto *loaded = reinterpret_cast<rt::LoadedFunction *>(function);
  auto program = loaded->load();
  ASSERT_TRUE(program);
  rt::Call made(loaded->spec(), loaded->context(), call.arguments, &call.result,
                0, 0);
  bool empty = false;
  ASSERT_TRUE(made.bind(empty));
  made.useDenseForms(*(*program)->dense);
  uint8_t chosen = 0;
  double spent = nanosecondsWithoutAllocation(
      [&] { (void)made.choose(**program, 0, chosen); });
  EXPECT_EQ(chosen, 1);
  std::printf("a predicted choice takes %.0f ns\n", spent);
}

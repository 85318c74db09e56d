//===- ternary_reference_test.cpp - Ternary weights in a reference --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Arguments.h"
#include "arguments/Random.h"
#include "reference/Quantize.h"
#include "reference/ReferenceShapes.h"
#include "ternary/pack.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::tools;

static constexpr int64_t kRows = 7, kColumns = 64;

/// y = quantize(x) * w^T, scaled: W2A8 with one product.
static nlohmann::json manifest(const char *storage, const char *layout,
                               int planes) {
  nlohmann::json root = nlohmann::json::parse(R"({
    "format": "sparseflow-bundle", "version": 1, "functions": [{
      "name": "f", "symbols": ["T"],
      "arguments": [
        {"name": "x", "dtype": "bf16", "shape": ["T", 64]},
        {"name": "w", "dtype": "bf16", "shape": [7, 64],
         "encoding": {"kind": "ternary", "scale": 32, "scale_dtype": "f16"}}],
      "results": [{"dtype": "f32", "shape": ["T", 7]}],
      "reference": {"values": 5, "results": [4], "steps": [
        {"op": "quantize", "x": 0, "out": 2, "scale": 3, "shape": ["T", 64]},
        {"op": "matmul", "x": 2, "w": 1, "out": 4, "dtype": "f32",
         "operands": [{"value": 3, "broadcast": "per_token"}],
         "region": {"inputs": 2, "ops": [["mulf", 0, 1]], "yield": 2}}]}}]})");
  nlohmann::json &w = root["functions"][0]["arguments"][1];
  w["encoding"]["storage"] = storage;
  w["encoding"]["planes"] = planes;
  w["layout"] = layout;
  return root;
}

TEST(Quantize, RuleOfTheFormat) {
  // 127 / 4 = 31.75: 1 -> 31.75 -> 32, 0.5 -> 15.875 -> 16.
  float values[] = {-4, 1, 0.5f, 0, 0.047244094f};
  EXPECT_EQ(quantizeToken(values, 5), 4.0f / 127.0f);
  EXPECT_EQ(values[0], -127);
  EXPECT_EQ(values[1], 32);
  EXPECT_EQ(values[2], 16);
  EXPECT_EQ(values[3], 0);
  // 1.5 rounds to even.
  EXPECT_EQ(values[4], 2);
  float ties[] = {127, 0.5f, 1.5f, -2.5f};
  EXPECT_EQ(quantizeToken(ties, 4), 1);
  EXPECT_EQ(ties[1], 0);
  EXPECT_EQ(ties[2], 2);
  EXPECT_EQ(ties[3], -2);
}

TEST(Quantize, SmallAndStrangeTokens) {
  float zeros[] = {0, -0.0f};
  EXPECT_EQ(quantizeToken(zeros, 2), 1e-5f / 127.0f);
  EXPECT_EQ(zeros[0], 0);
  // Below the least magnitude the integers get smaller.
  float tiny[] = {1e-6f, -1e-40f};
  EXPECT_EQ(quantizeToken(tiny, 2), 1e-5f / 127.0f);
  EXPECT_EQ(tiny[0], 13);
  EXPECT_EQ(tiny[1], 0);
  float largest[] = {std::numeric_limits<float>::max(), 1};
  EXPECT_EQ(quantizeToken(largest, 2),
            std::numeric_limits<float>::max() / 127.0f);
  EXPECT_EQ(largest[0], 127);
  for (float strange : {INFINITY, -INFINITY, NAN}) {
    float values[] = {1, strange, -3};
    EXPECT_TRUE(std::isnan(quantizeToken(values, 3)));
    for (float value : values)
      EXPECT_EQ(value, 0);
  }
  EXPECT_EQ(quantizeToken(nullptr, 0), 1e-5f / 127.0f);
}

/// The dense values are those of the blob, and the reference is a sum of
/// integers.
TEST(TernaryReference, AgreesWithTheBlob) {
  const std::tuple<const char *, const char *, int> forms[] = {
      {"codes", "tern.v1", 2},
      {"base3", "tern3.v1", 1},
      {"two_four", "tern24.v1", 1},
      {"two_four_zero", "tern24z.v1", 1}};
  for (auto [storage, layout, planes] : forms) {
    SCOPED_TRACE(layout);
    auto bundle = parseBundleManifest(manifest(storage, layout, planes).dump());
    ASSERT_TRUE(bundle) << bundle.status().text();
    const Function &function = bundle->manifest.functions[0];
    const Reference &reference = *bundle->references[0];
    ArgumentRequest request;
    request.sizes = {{"T", 5}};
    auto set = prepareArguments(function, &reference, request);
    ASSERT_TRUE(set) << set.status().text();
    const Argument &w = set->arguments[1];
    const rt::TernaryFormat &format = function.arguments[1].ternary;
    ASSERT_EQ(w.packed.size(), static_cast<size_t>(format.blobBytes()));
    std::vector<int8_t> trits(format.tritCount());
    std::vector<float> scales(planes * format.scalesPerPlane());
    ASSERT_TRUE(rt::unpackTernary(w.packed.data(), format, "w", 1, trits.data(),
                                  scales.data()));
    EXPECT_EQ(w.dense.dtype, DType::F32);

    auto exact = evaluateExactly(set->referenceCall(reference));
    auto plain = evaluatePlainly(set->referenceCall(reference));
    ASSERT_TRUE(exact && plain);
    std::vector<float> x(5 * kColumns);
    widen(set->arguments[0].dense, x.data());
    for (int64_t t = 0; t < 5; ++t) {
      float scale = quantizeToken(&x[t * kColumns], kColumns);
      for (int64_t n = 0; n < kRows; ++n) {
        double sum = 0;
        for (int64_t k = 0; k < kColumns; ++k) {
          float weight = 0;
          for (int p = 0; p < planes; ++p)
            weight += trits[(p * kRows + n) * kColumns + k] *
                      scales[p * format.scalesPerPlane() + k / 32 * kRows + n];
          sum += double(weight) * x[t * kColumns + k];
        }
        size_t i = t * kRows + n;
        EXPECT_NEAR((*exact)[0].data[i], sum * scale, 1e-12);
        EXPECT_NEAR((*plain)[0].data[i], sum * scale, 1e-5);
      }
    }
    // Rows are those of the whole.
    ReferenceCall call = set->referenceCall(reference);
    call.rows = {1, 4};
    auto rows = evaluateExactly(call);
    ASSERT_TRUE(rows) << rows.status().text();
    for (int64_t n = 0; n < kRows; ++n) {
      EXPECT_EQ((*rows)[0].data[n], (*exact)[0].data[kRows + n]);
      EXPECT_EQ((*rows)[0].data[kRows + n], (*exact)[0].data[4 * kRows + n]);
    }
  }
}

TEST(TernaryReference, SeedsDecide) {
  auto bundle = parseBundleManifest(manifest("codes", "tern.v1", 1).dump());
  ASSERT_TRUE(bundle);
  auto blob = [&](uint64_t seed) {
    ArgumentRequest request;
    request.seed = seed;
    auto set =
        prepareArguments(bundle->manifest.functions[0], nullptr, request);
    EXPECT_TRUE(set);
    const Buffer &bytes = set->arguments[1].packed;
    return std::vector<uint8_t>(bytes.data(), bytes.data() + bytes.size());
  };
  EXPECT_EQ(blob(1), blob(1));
  EXPECT_NE(blob(1), blob(2));
}

TEST(TernaryReference, HostileSteps) {
  nlohmann::json good = manifest("codes", "tern.v1", 1);
  auto parse = [&](const char *pointer, nlohmann::json value) {
    nlohmann::json bad = good;
    bad["functions"][0]["reference"][nlohmann::json::json_pointer(pointer)] =
        std::move(value);
    return parseBundleManifest(bad.dump());
  };
  ASSERT_TRUE(parseBundleManifest(good.dump()));
  EXPECT_FALSE(parse("/steps/0/x", 2));
  EXPECT_FALSE(parse("/steps/0/out", 3));
  EXPECT_FALSE(parse("/steps/0/out", 0));
  EXPECT_FALSE(parse("/steps/0/scale", 1));
  EXPECT_FALSE(parse("/steps/0/scale", 5));
  EXPECT_FALSE(parse("/steps/0/shape", nlohmann::json::array()));
  EXPECT_FALSE(parse("/steps/0/shape", {"U", 64}));
  for (const char *key : {"x", "out", "scale", "shape"}) {
    nlohmann::json bad = good;
    bad["functions"][0]["reference"]["steps"][0].erase(std::string(key));
    EXPECT_FALSE(parseBundleManifest(bad.dump())) << key;
  }
  // Shapes are compared when sizes are known.
  for (nlohmann::json shape : {nlohmann::json{"T", 63}, nlohmann::json{64},
                               nlohmann::json{"T", 64, 1}}) {
    auto parsed = parse("/steps/0/shape", shape);
    ASSERT_TRUE(parsed) << shape;
    auto work = estimateWork(parsed->manifest.functions[0],
                             *parsed->references[0], {5});
    EXPECT_FALSE(work) << shape;
    EXPECT_EQ(work.status().code(), SF_ERROR_FORMAT);
  }
}

//===- ffn_fixture.h - Two matmuls for tests of the tools -------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_TOOLS_FFN_FIXTURE_H
#define SPARSEFLOW_TEST_UNIT_TOOLS_FFN_FIXTURE_H

#include "arguments/Arguments.h"

#include <gtest/gtest.h>

namespace sparseflow::test {

/// x [B, T, 32], packed w1 [24, 32], b1 [24], dense w2 [8, 24], r [B, T, 8],
/// s [B, T], then
///   h = relu(x w1^T + b1)                      (matmul)
///   y = (h w2^T + r) * s                       (matmul, full and per token)
///   z = y - b2                                 (map, b2 [8])
/// with `programs` as given.
inline std::string ffnManifest(const std::string &dtype = "f16",
                               const std::string &programs = "[]") {
  std::string t = "\"dtype\": \"" + dtype + "\"";
  return R"({"format": "sparseflow-bundle", "version": 1, "functions": [
   {"name": "ffn", "symbols": ["B", "T"], "arguments": [
     {"name": "x", )" +
         t + R"(, "shape": ["B", "T", 32]},
     {"name": "w1", )" +
         t + R"(, "shape": [24, 32],
      "encoding": {"kind": "nm", "n": 2, "m": 4}, "layout": "sf24.v1"},
     {"name": "b1", )" +
         t + R"(, "shape": [24]},
     {"name": "w2", )" +
         t + R"(, "shape": [8, 24]},
     {"name": "r", )" +
         t + R"(, "shape": ["B", "T", 8]},
     {"name": "s", )" +
         t + R"(, "shape": ["B", "T"]},
     {"name": "b2", )" +
         t + R"(, "shape": [8]}],
    "results": [{)" +
         t + R"(, "shape": ["B", "T", 8]}],
    "reference": {"values": 10, "steps": [
     {"op": "matmul", "x": 0, "w": 1, "out": 7, )" +
         t + R"(,
      "operands": [{"value": 2, "broadcast": "per_feature"}],
      "region": {"inputs": 2, "ops": [["extf", 1], ["addf", 0, 2],
        ["const", 0], ["maximumf", 3, 4], ["truncf", 5]], "yield": 6}},
     {"op": "matmul", "x": 7, "w": 3, "out": 8, )" +
         t + R"(,
      "operands": [{"value": 4, "broadcast": "full"},
                   {"value": 5, "broadcast": "per_token"}],
      "region": {"inputs": 3, "ops": [["extf", 1], ["extf", 2],
        ["addf", 0, 3], ["mulf", 5, 4], ["truncf", 6]], "yield": 7}},
     {"op": "map", "out": 9, "shape": ["B", "T", 8], )" +
         t + R"(,
      "inputs": [{"value": 8, "dims": [0, 1, 2]}, {"value": 6, "dims": [2]}],
      "region": {"inputs": 2, "ops": [["subf", 0, 1]], "yield": 2}}],
     "results": [9]},
    "programs": )" +
         programs + "}]}";
}

/// The same, written out in the plainest way, in double and unrounded.
inline std::vector<double> naiveFfn(const tools::ArgumentSet &set) {
  std::vector<std::vector<double>> v;
  for (const tools::Argument &argument : set.arguments) {
    v.emplace_back(argument.dense.count());
    tools::widen(argument.dense, v.back().data());
  }
  size_t tokens = v[5].size();
  std::vector<double> out(tokens * 8);
  for (size_t t = 0; t < tokens; ++t) {
    double h[24];
    for (size_t n = 0; n < 24; ++n) {
      h[n] = v[2][n];
      for (size_t k = 0; k < 32; ++k)
        h[n] += v[0][t * 32 + k] * v[1][n * 32 + k];
      h[n] = h[n] > 0 ? h[n] : 0;
    }
    for (size_t n = 0; n < 8; ++n) {
      double sum = v[4][t * 8 + n];
      for (size_t k = 0; k < 24; ++k)
        sum += h[k] * v[3][n * 24 + k];
      out[t * 8 + n] = sum * v[5][t] - v[6][n];
    }
  }
  return out;
}

/// A prepared call of the function.
struct Ffn {
  explicit Ffn(int64_t batch = 3, int64_t tokens = 50,
               const std::string &dtype = "f16") {
    auto parsed = tools::parseBundleManifest(ffnManifest(dtype));
    EXPECT_TRUE(parsed) << parsed.status().text();
    manifest = std::move(*parsed);
    request.sizes = {{"B", batch}, {"T", tokens}};
    request.seed = 5;
    auto prepared = tools::prepareArguments(function(), &reference(), request);
    EXPECT_TRUE(prepared) << prepared.status().text();
    set = std::move(*prepared);
  }
  const tools::Function &function() const {
    return manifest.manifest.functions[0];
  }
  const tools::Reference &reference() const { return *manifest.references[0]; }

  tools::BundleManifest manifest;
  tools::ArgumentRequest request;
  tools::ArgumentSet set;
};

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_UNIT_TOOLS_FFN_FIXTURE_H

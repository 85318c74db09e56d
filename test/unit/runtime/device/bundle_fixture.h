//===- bundle_fixture.h - A small bundle on the fake driver -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_BUNDLE_FIXTURE_H
#define SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_BUNDLE_FIXTURE_H

#include "FakeDriver.h"
#include "sparseflow/runtime.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace sparseflow::test {

/// One function "scale": x [T, 8] f16 and packed w [64, 64] to y [T, 8], with a
/// small, a wide aligned and a general variant, and a workspace of 256 * T.
inline std::string scaleManifest() {
  return R"({"format": "sparseflow-bundle", "version": 1, "functions": [
    {"name": "scale", "symbols": ["T"],
     "arguments": [
       {"name": "x", "dtype": "f16", "shape": ["T", 8]},
       {"name": "w", "dtype": "f16", "shape": [64, 64],
        "encoding": {"kind": "nm", "n": 2, "m": 4}, "layout": "sf24.v1"}],
     "results": [{"dtype": "f16", "shape": ["T", 8]}],
     "programs": [
      {"target": "sm_90", "image": "scale.sm_90.cubin",
       "workspace": ["mul", "T", 256],
       "steps": [{"op": "matmul", "loc": "scale.mlir:3", "variants": [
        {"guards": [{"le": ["T", 16]}],
         "launches": [{"kernel": "small", "grid": 1, "threads": 32,
           "shared_bytes": 0,
           "args": [{"arg": 0}, {"result": 0}, {"i64": "T"}]}]},
        {"guards": [{"le": ["T", 1000]}, {"aligned": [{"arg": 0}, 16]},
                    {"aligned": [{"i64": ["mul", "T", 16]}, 32]}],
         "launches": [
          {"kernel": "wide", "grid": ["ceildiv", "T", 64], "threads": 128,
           "shared_bytes": 98304,
           "args": [{"arg": 0, "offset": 16}, {"workspace": ["mul", "T", 8]}]},
          {"kernel": "finish", "grid": 2, "threads": 64, "shared_bytes": 0,
           "args": [{"workspace": 0}, {"result": 0}]}]},
        {"guards": [{"le": ["T", 1000]}],
         "launches": [{"kernel": "general", "grid": "T", "threads": 256,
           "shared_bytes": 1024, "args": [{"arg": 1}]}]}]}]}]}]})";
}

class BundleTest : public ::testing::Test {
protected:
  void SetUp() override {
    FakeDriver &driver = FakeDriver::get();
    driver.reset();
    driver.addKernel("small", 3);
    driver.addKernel("wide", 2);
    driver.addKernel("finish", 2);
    driver.addKernel("general", 1);
    char pattern[] = "/tmp/sparseflow-bundle-XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    directory = pattern;
    write("manifest.json", scaleManifest());
    write("scale.sm_90.cubin", ".version 8.5\n.target sm_90\n");
  }
  void TearDown() override {
    sf_bundle_destroy(bundle);
    sf_context_destroy(context);
    if (!directory.empty())
      std::filesystem::remove_all(directory);
  }

  void write(const std::string &name, const std::string &text) {
    std::ofstream(directory + "/" + name, std::ios::binary) << text;
  }
  sf_status open() {
    if (sf_status status = sf_context_create(0, &context))
      return status;
    if (sf_status status = sf_bundle_load(context, directory.c_str(), &bundle))
      return status;
    return sf_bundle_function(bundle, "scale", &function);
  }
  /// Launches with addresses that nobody follows.
  sf_status launch(int64_t tokens, uint64_t x = 0x10000,
                   sfcu_stream stream = nullptr) {
    int64_t shape[] = {tokens, 8}, weights[] = {64, 64};
    sf_tensor arguments[] = {
        {x, shape, 2, SF_DTYPE_F16, static_cast<uint64_t>(tokens) * 16},
        {0x20000, weights, 2, SF_DTYPE_F16, 4608}};
    sf_tensor result = {0x30000, shape, 2, SF_DTYPE_F16,
                        static_cast<uint64_t>(tokens) * 16};
    return sf_function_launch(function, arguments, 2, &result, 1, 0x40000,
                              static_cast<uint64_t>(tokens) * 256, stream);
  }

  std::string directory;
  sf_context *context = nullptr;
  sf_bundle *bundle = nullptr;
  sf_function *function = nullptr;
};

/// The last error contains every part.
inline void expectError(std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(std::string(sf_last_error()).find(part), std::string::npos)
        << "'" << part << "' is not in: " << sf_last_error();
}

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_BUNDLE_FIXTURE_H

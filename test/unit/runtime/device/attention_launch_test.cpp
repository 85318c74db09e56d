//===- attention_launch_test.cpp - One launch for all modes ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bundle_fixture.h"
#include "sparseflow/attention.h"

#include <algorithm>

using namespace sparseflow::test;

/// "step" of three modes: q [8] and that mode's keys [16, 8] to y [8].
static std::string modesManifest() {
  std::string functions;
  for (const char *mode : {"full_precision", "int8", "e4m3"})
    functions += (functions.empty() ? "" : ", ") +
                 std::string(R"({"name": "step.)") + mode + R"(", "symbols": [],
     "arguments": [{"name": "q", "dtype": "f16", "shape": [8]},
                   {"name": "k", "dtype": "f16", "shape": [16, 8]}],
     "results": [{"dtype": "f16", "shape": [8]}],
     "programs": [{"target": "sm_90", "image": "step.sm_90.cubin", "workspace": 0,
       "steps": [{"op": "attention", "variants": [{"guards": [], "launches": [
         {"kernel": ")" +
                 mode + R"(", "grid": 1, "threads": 32, "shared_bytes": 0,
          "args": [{"arg": 1}, {"result": 0}]}]}]}]}]})";
  return R"({"format": "sparseflow-bundle", "version": 1, "functions": [)" +
         functions + "]}";
}

class AttentionLaunch : public BundleTest {
protected:
  void SetUp() override {
    BundleTest::SetUp();
    for (const char *kernel : {"full_precision", "int8", "e4m3"})
      FakeDriver::get().addKernel(kernel, 2);
    write("manifest.json", modesManifest());
    write("step.sm_90.cubin", ".version 8.5\n.target sm_90\n");
    ASSERT_EQ(sf_context_create(0, &context), SF_OK) << sf_last_error();
    ASSERT_EQ(sf_bundle_load(context, directory.c_str(), &bundle), SF_OK)
        << sf_last_error();
    call.struct_size = sizeof(call);
    call.layers = call.batch = call.queries = 1;
    call.query_heads = call.key_heads = 1;
    call.features = call.value_features = 64;
    call.capacity = 65536;
    call.taken = 65536;
    for (sf_cache_format *format : {&call.keys, &call.values}) {
      format->struct_size = sizeof(*format);
      format->scale_features = SF_CACHE_TOKEN_SCALE;
      format->scale_type = SF_DTYPE_F32;
    }
    call.max_error = 0.1;
    std::fill_n(call.error, int(SF_ATTENTION_MODES), -1.0);
    call.error[SF_ATTENTION_INT8] = 0.01;
    call.error[SF_ATTENTION_E4M3] = 0.05;
    // Of keys by mode.
    for (int mode = 0; mode < SF_ATTENTION_MODES; ++mode) {
      arguments[mode][0] = {0x10000, vector, 1, SF_DTYPE_F16, 16};
      arguments[mode][1] = {0x20000 + 0x1000 * uint64_t(mode), keys, 2,
                            SF_DTYPE_F16, 256};
      operands[mode] = {arguments[mode], 2, &result, 1};
    }
  }
  sf_status run() {
    return sf_attention_launch(functions, &call, operands, 0, 0, nullptr,
                               &mode);
  }

  int64_t vector[1] = {8}, keys[2] = {16, 8};
  sf_tensor arguments[SF_ATTENTION_MODES][2] = {};
  sf_tensor result = {0x30000, vector, 1, SF_DTYPE_F16, 16};
  sf_attention_operands operands[SF_ATTENTION_MODES] = {};
  sf_function *functions[SF_ATTENTION_MODES] = {};
  sf_attention_case call = {};
  sf_attention_mode mode = SF_ATTENTION_TERNARY_KEYS;
};

TEST_F(AttentionLaunch, LaunchesTheModeThatIsChosen) {
  ASSERT_EQ(sf_attention_functions(bundle, "step", functions, &call.available),
            SF_OK)
      << sf_last_error();
  EXPECT_EQ(call.available, 1u << SF_ATTENTION_FULL_PRECISION |
                                1u << SF_ATTENTION_INT8 |
                                1u << SF_ATTENTION_E4M3);
  EXPECT_EQ(functions[SF_ATTENTION_INT4], nullptr);
  // By memory: bytes that int8 has fit.
  call.memory_budget = 65536 * 2 * 68;
  ASSERT_EQ(run(), SF_OK) << sf_last_error();
  EXPECT_EQ(mode, SF_ATTENTION_INT8);
  // By error.
  call.max_error = 0;
  call.memory_budget = 0;
  ASSERT_EQ(run(), SF_OK) << sf_last_error();
  EXPECT_EQ(mode, SF_ATTENTION_FULL_PRECISION);
  // By what the caller has.
  call.max_error = 0.1;
  call.memory_budget = 65536 * 2 * 68;
  operands[SF_ATTENTION_INT8] = {};
  ASSERT_EQ(run(), SF_OK) << sf_last_error();
  EXPECT_EQ(mode, SF_ATTENTION_E4M3);
  std::vector<std::string> names;
  for (const FakeLaunch &launch : FakeDriver::get().launches())
    names.push_back(launch.kernel);
  EXPECT_EQ(names,
            (std::vector<std::string>{"int8", "full_precision", "e4m3"}));
  EXPECT_EQ(FakeDriver::get().launches()[2].arguments,
            (std::vector<uint64_t>{0x25000, 0x30000}));
}

TEST_F(AttentionLaunch, Refusals) {
  uint32_t available = 7;
  EXPECT_EQ(sf_attention_functions(bundle, "other", functions, &available),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"expected one of the functions other.full_precision",
               "other.e4m3 in the bundle, a mode of attention each, found "
               "step.full_precision, step.int8, step.e4m3"});
  EXPECT_EQ(available, 0u);
  EXPECT_EQ(sf_attention_functions(bundle, nullptr, functions, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_attention_functions: 'name' is null"});
  ASSERT_EQ(sf_attention_functions(bundle, "step", functions, &call.available),
            SF_OK);
  EXPECT_EQ(
      sf_attention_launch(functions, nullptr, operands, 0, 0, nullptr, nullptr),
      SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_attention_launch: 'call' is null"});
  call.memory_budget = 1;
  EXPECT_EQ(run(), SF_ERROR_UNSUPPORTED);
  expectError({"no mode is left", "int8 takes", "give more memory"});
  call.memory_budget = 0;
  call.struct_size = 8;
  EXPECT_EQ(run(), SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_attention_case.struct_size"});
  // What the function does not take is its error.
  call.struct_size = sizeof(call);
  operands[SF_ATTENTION_FULL_PRECISION].argument_count = 1;
  call.max_error = 0;
  EXPECT_EQ(run(), SF_ERROR_INVALID_ARGUMENT);
  expectError({"'step.full_precision'"});
  EXPECT_TRUE(FakeDriver::get().launches().empty());
}

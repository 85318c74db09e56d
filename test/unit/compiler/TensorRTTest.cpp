//===- TensorRTTest.cpp - What becomes a plug-in --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler/TensorRT.h"

#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace mlir::sparseflow;

namespace {

const char *ptx = ".visible .entry k(\n"
                  "\t.param .u64 k_param_0,\n"
                  "\t.param .u64 k_param_1,\n"
                  "\t.param .u64 k_param_2,\n"
                  "\t.param .u64 k_param_3,\n"
                  "\t.param .u64 k_param_4\n"
                  ")\n"
                  ".maxntid 128\n"
                  "{\n"
                  "\tld.param.b64 \t%rd1, [k_param_4];\n"
                  "\tld.param.b32 \t%r1, [k_param_4];\n"
                  "\tld.param.b64 \t%rd2, [k_param_1];\n"
                  "\tld.param.b64 \t%rd3, [k_param_3];\n"
                  "\tld.param.b64 \t%rd4, [k_param_2];\n"
                  "\tret;\n"
                  "\n"
                  "}\n"
                  "\t// k_param_0 stays\n";

/// A manifest with one function of one kernel with these arguments.
std::string manifest(const std::string &args, const std::string &more = "",
                     const std::string &launches = "") {
  std::string launch = R"({"kernel": "k", "grid": ["ceildiv", "T", 16],
      "threads": 128, "shared_bytes": 64, "args": [)" +
                       args + "]" + more + "}";
  return R"({"functions": [{"name": "f", "symbols": ["T"],
      "arguments": [{"name": "x", "dtype": "f16", "shape": ["T", 8]},
                    {"name": "w", "dtype": "f16", "shape": [8, 8]}],
      "results": [{"dtype": "f16", "shape": ["T", 8]}],
      "programs": [{"target": "sm_80", "steps": [{"variants": [{"guards":
          [{"le": ["T", 64]}, {"aligned": [{"arg": 0}, 16]}],
          "launches": [)" +
         launch + launches + "]}]}]}]}]}";
}

std::string errorOf(const std::string &text) {
  auto made = describePlugins(text, ptx);
  return made ? "" : llvm::toString(made.takeError());
}

} // namespace

TEST(TensorRT, WritesTheParametersInItsOrder) {
  auto made = describePlugins(
      manifest(R"({"arg": 0}, {"arg": 1, "offset": 4096}, {"i64": 7},
                  {"result": 0}, {"i64": "T"})"),
      ptx);
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  auto value = llvm::cantFail(llvm::json::parse(*made));
  auto *plugin = (*value.getAsObject()->getArray("plugins"))[0].getAsObject();
  EXPECT_EQ(*plugin->getString("ptx"),
            ".visible .entry k(\n"
            "\t.param .u64 .ptr .global .align 1 k_in_0,\n"
            "\t.param .u64 .ptr .global .align 1 k_in_1,\n"
            "\t.param .u32 k_extra_0,\n"
            "\t.param .u64 .ptr .global .align 1 k_out_0\n"
            ")\n"
            ".maxntid 128\n"
            "{\n"
            "\tld.param.s32 \t%rd1, [k_extra_0];\n"
            "\tld.param.s32 \t%r1, [k_extra_0];\n"
            "\tld.param.b64 \t%rd2, [k_in_1];\n"
            "\tadd.s64 \t%rd2, %rd2, 4096;\n"
            "\tld.param.b64 \t%rd3, [k_out_0];\n"
            "\tmov.b64 %rd4, 7;\n"
            "\tret;\n"
            "\n"
            "}\n"
            "\t// k_param_0 stays\n");
  auto *kernel = (*plugin->getArray("kernels"))[0].getAsObject();
  auto expected = llvm::cantFail(llvm::json::parse(
      R"({"kernel": "k", "guards": [{"le": ["T", 64]}], "threads": 128,
          "grid": ["ceildiv", "T", 16], "shared_bytes": 64,
          "extra_args": ["T"]})"));
  EXPECT_EQ(llvm::json::Value(llvm::json::Object(*kernel)), expected);
}

TEST(TensorRT, SaysWhyAKernelIsNone) {
  const std::pair<std::string, std::string> cases[] = {
      {manifest(R"({"tensor_map": {}})"), "it copies with tensor maps (TMA)"},
      {manifest(R"({"workspace": 0})"),
       "it needs a workspace, or a dense form of a weight"},
      {manifest(R"({"arg": 0, "offset": ["mul", "T", 16]})"),
       "an address depends on sizes"},
      {manifest(R"({"arg": 0})", R"(, "cluster": 2)"),
       "it is launched in clusters"},
      {manifest(R"({"arg": 0})", "", R"(, {"kernel": "l"})"),
       "it takes several launches"}};
  for (const auto &[text, reason] : cases)
    EXPECT_EQ(errorOf(text),
              "function 'f' is no TensorRT plug-in: of each of its kernels "
              "this holds: " +
                  reason +
                  "; compile for sm_80, whose kernels need nothing of that");
  EXPECT_EQ(errorOf(R"({"functions": [{"name": "f"}]})"),
            "function 'f' is no TensorRT plug-in: one launch computes such a "
            "one, found 0 steps; give each its function");
}

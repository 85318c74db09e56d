//===- update_test.cpp - Results that update an argument in place ---------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bundle_fixture.h"
#include "device/manifest/manifest.h"

#include <nlohmann/json.hpp>

using namespace sparseflow::rt;
using namespace sparseflow::test;
using Json = nlohmann::json;

/// "grow": tokens t [B, 2, T, 64] behind those of the keys k, beside a result
/// y.
static Json growManifest() {
  return Json::parse(R"({
    "format": "sparseflow-bundle", "version": 1, "functions": [{
      "name": "grow", "symbols": ["B", "S", "T"],
      "arguments": [
        {"name": "k", "dtype": "f16", "shape": ["B", 2, "S", 64],
         "encoding": {"kind": "ternary", "storage": "key_planes",
                      "scale": "token", "scale_dtype": "f32", "planes": 1},
         "layout": "ternk.v1"},
        {"name": "t", "dtype": "f16", "shape": ["B", 2, "T", 64]},
        {"name": "n", "dtype": "i32", "shape": ["B"]}],
      "results": [
        {"dtype": "f16", "shape": ["B", 2]},
        {"dtype": "f16", "shape": ["B", 2, "S", 64],
         "encoding": {"kind": "ternary", "storage": "key_planes",
                      "scale": "token", "scale_dtype": "f32", "planes": 1},
         "layout": "ternk.v1", "updates": 0}],
      "programs": [{"target": "sm_90", "image": "grow.sm_90.cubin",
        "workspace": 256,
        "steps": [{"op": "cache_append", "variants": [{"guards": [],
          "launches": [{"kernel": "append", "grid": "B", "threads": 256,
            "shared_bytes": 0,
            "args": [{"arg": 0}, {"arg": 1}, {"arg": 2}, {"result": 1},
                     {"i64": "T"}]}]}]}]}]}]})");
}

static std::string refusal(const Json &root) {
  Expected<Manifest> manifest = parseManifest(root.dump());
  return manifest ? "" : manifest.status().text();
}

static Json &grown(Json &root) { return root["functions"][0]["results"][1]; }

TEST(ManifestUpdate, Reads) {
  Expected<Manifest> manifest = parseManifest(growManifest().dump());
  ASSERT_TRUE(manifest) << manifest.status().text();
  const Function &function = manifest->functions[0];
  EXPECT_EQ(function.results[0].updates, -1);
  EXPECT_EQ(function.results[1].updates, 0);
  EXPECT_TRUE(function.results[1].isCache());
}

TEST(ManifestUpdate, PackedResultsAreUpdates) {
  Json root = growManifest();
  grown(root).erase("updates");
  EXPECT_NE(refusal(root).find("unless it 'updates' an argument"),
            std::string::npos)
      << refusal(root);
}

TEST(ManifestUpdate, ArgumentExists) {
  Json root = growManifest();
  for (Json index : {Json(3), Json(-1), Json("k"), Json(0.5), Json(nullptr)}) {
    grown(root)["updates"] = index;
    EXPECT_NE(refusal(root).find("results[1].updates"), std::string::npos)
        << index << ": " << refusal(root);
  }
}

TEST(ManifestUpdate, HasTheTypeOfTheArgument) {
  const char *text = "a result that updates argument 0 has its type, shape and "
                     "layout";
  auto refuses = [&](const char *what, auto change) {
    Json root = growManifest();
    change(grown(root));
    EXPECT_NE(refusal(root).find(text), std::string::npos)
        << what << ": " << refusal(root);
  };
  refuses("type", [](Json &r) { r["dtype"] = "bf16"; });
  refuses("shape", [](Json &r) { r["shape"][2] = "T"; });
  refuses("size", [](Json &r) { r["shape"][1] = 4; });
  refuses("scope", [](Json &r) { r["encoding"]["scale"] = "head"; });
  refuses("scale", [](Json &r) { r["encoding"]["scale_dtype"] = "f16"; });
  refuses("storage", [](Json &r) {
    r["encoding"]["storage"] = "value_planes";
    r["layout"] = "ternv.v1";
  });
  refuses("layout", [](Json &r) {
    r.erase("encoding");
    r.erase("layout");
  });
}

TEST(ManifestUpdate, OneResultAnArgument) {
  Json root = growManifest();
  Json &results = root["functions"][0]["results"];
  results.push_back(results[1]);
  EXPECT_NE(refusal(root).find("a second result updates argument 0"),
            std::string::npos)
      << refusal(root);
}

TEST(ManifestUpdate, DenseArgumentsCanBeUpdated) {
  Json root = growManifest();
  root["functions"][0]["results"].push_back(
      {{"dtype", "f16"}, {"shape", {"B", 2, "T", 64}}, {"updates", 1}});
  EXPECT_EQ(refusal(root), "");
}

namespace {

class UpdateTest : public BundleTest {
protected:
  void SetUp() override {
    BundleTest::SetUp();
    FakeDriver::get().addKernel("append", 5);
    write("manifest.json", growManifest().dump());
    write("grow.sm_90.cubin", ".version 8.5\n.target sm_90\n");
    ASSERT_EQ(sf_context_create(0, &context), SF_OK);
    ASSERT_EQ(sf_bundle_load(context, directory.c_str(), &bundle), SF_OK)
        << sf_last_error();
    ASSERT_EQ(sf_bundle_function(bundle, "grow", &function), SF_OK);
  }

  // One batch entry, 128 positions, 3 tokens.
  static constexpr uint64_t kCache = 0x100000, kBytes = 2 * 2 * (1024 + 256);
  sf_status grow(uint64_t result = kCache, uint64_t tokens = 0x10000,
                 uint64_t other = 0x20000, uint64_t workspace = 0x30000) {
    int64_t cache[] = {1, 2, 128, 64}, fresh[] = {1, 2, 3, 64}, batch[] = {1},
            small[] = {1, 2};
    sf_tensor arguments[] = {{kCache, cache, 4, SF_DTYPE_F16, kBytes},
                             {tokens, fresh, 4, SF_DTYPE_F16, 768},
                             {0x40000, batch, 1, SF_DTYPE_INVALID, 4}};
    sf_tensor results[] = {{other, small, 2, SF_DTYPE_F16, 4},
                           {result, cache, 4, SF_DTYPE_F16, kBytes}};
    return sf_function_launch(function, arguments, 3, results, 2, workspace,
                              256, nullptr);
  }
};

} // namespace

TEST_F(UpdateTest, SaysWhichResultIsAnArgument) {
  EXPECT_EQ(sf_function_result_updates(function, 0), -1);
  EXPECT_EQ(sf_function_result_updates(function, 1), 0);
  EXPECT_EQ(sf_function_result_updates(function, 2), -1);
  EXPECT_EQ(sf_function_result_updates(nullptr, 0), -1);
}

TEST_F(UpdateTest, LaunchesWithTheArgumentsBuffer) {
  ASSERT_EQ(grow(), SF_OK) << sf_last_error();
  ASSERT_EQ(FakeDriver::get().launches().size(), 1u);
  EXPECT_EQ(FakeDriver::get().launches()[0].arguments,
            (std::vector<uint64_t>{kCache, 0x10000, 0x40000, kCache, 3}));
}

TEST_F(UpdateTest, RefusesAnotherBuffer) {
  for (uint64_t place : {kCache + 256, kCache + kBytes, uint64_t(0x200000)}) {
    EXPECT_EQ(grow(place), SF_ERROR_INVALID_ARGUMENT);
    expectError({"'grow' result 1 is 'grow' argument 0 ('k') updated in place",
                 "updated in place: expected the same address, found another; "
                 "pass the argument's buffer as the result"});
  }
  EXPECT_TRUE(FakeDriver::get().launches().empty());
}

TEST_F(UpdateTest, NothingElseMeetsIt) {
  EXPECT_EQ(grow(kCache, kCache + kBytes - 2), SF_ERROR_INVALID_ARGUMENT);
  expectError({"result 1", "overlaps", "argument 1",
               "; give what is updated in place memory of its own"});
  EXPECT_EQ(grow(kCache, 0x10000, kCache + 64), SF_ERROR_INVALID_ARGUMENT);
  expectError({"result 0", "overlaps", "argument 0"});
  EXPECT_EQ(grow(kCache, 0x10000, 0x20000, kCache + 256),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"overlaps the workspace"});
  EXPECT_TRUE(FakeDriver::get().launches().empty());
  // Neighbours are fine.
  EXPECT_EQ(grow(kCache, kCache + kBytes), SF_OK) << sf_last_error();
}

//===- tensor_map_test.cpp - Tensor maps, clusters, early starts ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bundle_fixture.h"
#include "device/tensor_map.h"

#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::test;
using nlohmann::json;

static FakeDriver &driver() { return FakeDriver::get(); }

// A box of x [T, 8], and one of the workspace.
static const char maps[] = R"([
  {"tensor_map": {"of": {"arg": 0}, "dtype": "f16", "sizes": [8, "T"],
                  "strides": [16], "box": [8, 64], "swizzle": 32}},
  {"i64": 7},
  {"tensor_map": {"of": {"workspace": 256}, "dtype": "f32",
                  "sizes": [4, 2, "T"], "strides": [16, ["mul", 2, 16]],
                  "box": [4, 2, 1], "swizzle": 0}}])";

class TensorMapTest : public BundleTest {
protected:
  void SetUp() override {
    BundleTest::SetUp();
    document = json::parse(scaleManifest());
    document["functions"][0]["programs"][0]["steps"] = json::parse(
        R"([{"op": "matmul", "loc": "scale.mlir:3", "variants": [
             {"launches": [{"kernel": "mapped", "grid": ["mul", "T", 2],
               "threads": 384, "shared_bytes": 1024, "cluster": 2,
               "programmatic": true}]}]}])");
    launchOf()["args"] = json::parse(maps);
    driver().addKernel("mapped", 3, {}, 2);
  }
  json &launchOf() {
    return document["functions"][0]["programs"][0]["steps"][0]["variants"][0]
                   ["launches"][0];
  }
  json &map() { return launchOf()["args"][0]["tensor_map"]; }
  sf_status opened() {
    write("manifest.json", document.dump());
    return open();
  }
  /// Refused on reading, for these reasons; the document is as before.
  void refused(json &place, const json &value,
               std::initializer_list<const char *> parts) {
    json saved = place;
    place = value;
    rt::Expected<rt::Manifest> manifest = rt::parseManifest(document.dump());
    place = saved;
    ASSERT_FALSE(manifest) << value;
    for (const char *part : parts)
      EXPECT_NE(manifest.status().text().find(part), std::string::npos)
          << "'" << part << "' is not in: " << manifest.status().text();
  }

  json document;
};

TEST_F(TensorMapTest, IsEncodedForTheSizesOfTheCall) {
  ASSERT_EQ(opened(), SF_OK) << sf_last_error();
  ASSERT_EQ(launch(66), SF_OK) << sf_last_error();
  ASSERT_EQ(driver().launches().size(), 1u);
  FakeLaunch launched = driver().launches()[0];
  EXPECT_TRUE(launched.programmatic);
  EXPECT_EQ(launched.grid, 132u);
  EXPECT_EQ(launched.threads, 384u);
  EXPECT_EQ(launched.sharedBytes, 1024u);
  EXPECT_EQ(launched.arguments,
            (std::vector<uint64_t>{0x10000, 7, 0x40000 + 256}));
  ASSERT_EQ(launched.tensorMaps.size(), 2u);
  const FakeTensorMap &x = launched.tensorMaps[0];
  EXPECT_EQ(x.elementType, SFCU_TENSOR_MAP_FLOAT16);
  EXPECT_EQ(x.swizzle, SFCU_TENSOR_MAP_SWIZZLE_32B);
  EXPECT_EQ(x.address, 0x10000u);
  EXPECT_EQ(x.sizes, (std::vector<uint64_t>{8, 66}));
  EXPECT_EQ(x.strides, (std::vector<uint64_t>{16}));
  EXPECT_EQ(x.box, (std::vector<uint32_t>{8, 64}));
  const FakeTensorMap &scratch = launched.tensorMaps[2];
  EXPECT_EQ(scratch.elementType, SFCU_TENSOR_MAP_FLOAT32);
  EXPECT_EQ(scratch.sizes, (std::vector<uint64_t>{4, 2, 66}));
  EXPECT_EQ(scratch.strides, (std::vector<uint64_t>{16, 32}));
}

TEST_F(TensorMapTest, ExtentsMayBeComputed) {
  map()["box"] = {8, {"mod", "T", 64}};
  ASSERT_EQ(opened(), SF_OK) << sf_last_error();
  ASSERT_EQ(launch(66), SF_OK) << sf_last_error();
  EXPECT_EQ(driver().launches()[0].tensorMaps[0].box,
            (std::vector<uint32_t>{8, 2}));
  // What is no extent for the sizes of a call fails that call alone.
  EXPECT_EQ(launch(64), SF_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sf_last_error()).find("a box of 1 to 256, found 0"),
            std::string::npos)
      << sf_last_error();
  EXPECT_EQ(launch(65), SF_OK) << sf_last_error();
  refused(map()["box"], {"T", 8}, {"an integer"});
  refused(map()["box"], {8, "N"}, {"'N' is not in"});
}

TEST_F(TensorMapTest, OrdinaryLaunchWithoutTheMember) {
  launchOf().erase("programmatic");
  ASSERT_EQ(opened(), SF_OK) << sf_last_error();
  ASSERT_EQ(launch(2), SF_OK) << sf_last_error();
  EXPECT_FALSE(driver().launches()[0].programmatic);
  EXPECT_EQ(driver().calls("launch_kernel_ex"), 0);
  EXPECT_EQ(driver().calls("launch_kernel"), 1);
}

TEST_F(TensorMapTest, EveryElementAndSwizzle) {
  map()["box"] = {16, 1};
  map()["sizes"] = {4, "T"};
  const std::pair<const char *, int> elements[] = {
      {"f16", SFCU_TENSOR_MAP_FLOAT16},
      {"bf16", SFCU_TENSOR_MAP_BFLOAT16},
      {"f32", SFCU_TENSOR_MAP_FLOAT32},
      {"i8", SFCU_TENSOR_MAP_UINT8}};
  const std::pair<int, int> swizzles[] = {{0, SFCU_TENSOR_MAP_SWIZZLE_NONE},
                                          {64, SFCU_TENSOR_MAP_SWIZZLE_64B},
                                          {128, SFCU_TENSOR_MAP_SWIZZLE_128B}};
  for (const auto &[element, code] : elements)
    for (const auto &[bytes, pattern] : swizzles) {
      map()["dtype"] = element;
      map()["swizzle"] = bytes;
      map()["promotion"] = bytes ? bytes : 256;
      ASSERT_EQ(opened(), SF_OK) << sf_last_error();
      ASSERT_EQ(launch(2), SF_OK) << sf_last_error();
      const FakeTensorMap found = driver().launches().back().tensorMaps[0];
      EXPECT_EQ(found.elementType, code);
      EXPECT_EQ(found.swizzle, pattern);
      sf_bundle_destroy(bundle);
      sf_context_destroy(context);
      bundle = nullptr;
      context = nullptr;
    }
}

TEST_F(TensorMapTest, RefusesOnReading) {
  refused(map()["of"], {{"i64", 4}}, {"tensor_map.of", "address"});
  refused(map()["of"], launchOf()["args"][0],
          {"tensor map is an argument of a launch"});
  refused(map()["of"], {{"arg", 9}}, {"0 to 1"});
  refused(map()["dtype"], "f64", {"f16, bf16, f32 or i8", "f64"});
  refused(map()["sizes"], json::array(), {"1 to 5 dimensions"});
  refused(map()["sizes"], {1, 1, 1, 1, 1, 1}, {"limit is 5"});
  refused(map()["sizes"], {8, "N"}, {"'N' is not in"});
  refused(map()["strides"], json::array(), {"(1), found 0"});
  refused(map()["strides"], {16, 16}, {"(1), found 2"});
  refused(map()["box"], {8}, {"(2), found 1"});
  refused(map()["box"], {8, 0}, {"1 to 256"});
  refused(map()["box"], {8, 257}, {"1 to 256", "257"});
  refused(map()["box"], {4, 64}, {"8 bytes", "multiple of 16"});
  refused(map()["box"], {24, 64}, {"48 bytes", "32 of the swizzle"});
  refused(map()["swizzle"], 48, {"0, 32, 64 or 128"});
  refused(map()["swizzle"], 256, {"0 to 128"});
  for (auto [promotion, expected] :
       {std::pair(96, "64, 128 or 256"), std::pair(512, "64 to 256")}) {
    json with = map();
    with["promotion"] = promotion;
    refused(map(), with, {expected});
  }
  for (const char *key :
       {"of", "dtype", "sizes", "strides", "box", "swizzle"}) {
    json without = map();
    without.erase(std::string(key));
    refused(map(), without, {key, "missing"});
  }
  refused(launchOf()["cluster"], 0, {"1 to 8"});
  refused(launchOf()["cluster"], 16, {"1 to 8"});
  refused(launchOf()["programmatic"], 1, {"true or false"});
  json many = json::array();
  for (int i = 0; i < 17; ++i)
    many.push_back(launchOf()["args"][0]);
  refused(launchOf()["args"], many, {"16 tensor maps"});
  // A guard cannot test a map.
  json &variant =
      document["functions"][0]["programs"][0]["steps"][0]["variants"][0];
  refused(variant["guards"],
          json::array({{{"aligned", {launchOf()["args"][0], 16}}}}),
          {"argument of a launch"});
}

TEST_F(TensorMapTest, RefusesWhatTheHardwareDoesNotTake) {
  auto fails = [&](json &place, const json &value, int64_t tokens,
                   std::initializer_list<const char *> parts) {
    json saved = place;
    place = value;
    ASSERT_EQ(opened(), SF_OK) << sf_last_error();
    EXPECT_EQ(launch(tokens), SF_ERROR_INVALID_ARGUMENT) << value;
    expectError(parts);
    place = saved;
    sf_bundle_destroy(bundle);
    sf_context_destroy(context);
    bundle = nullptr;
    context = nullptr;
  };
  fails(map()["of"], {{"arg", 0}, {"offset", 8}}, 4,
        {"'mapped' argument 0", "multiple of 16 bytes", "remainder 8"});
  fails(map()["strides"], {24}, 4, {"multiples of 16 bytes", "24"});
  fails(map()["strides"], {{"sub", 0, 16}}, 4, {"-16"});
  fails(map()["strides"], {int64_t(1) << 40}, 4, {"below 2^40"});
  fails(map()["sizes"], {{"sub", "T", 4}, 1}, 4, {"1 to 2^32", "found 0"});
  fails(map()["sizes"], {8, (int64_t(1) << 32) + 1}, 4, {"dimension 1"});
  fails(map()["sizes"], json::parse(R"([8, ["mul", "T", 2]])"), 4,
        {"128 bytes", "64 left"});
  fails(launchOf()["grid"], {"add", "T", 1}, 4, {"5 blocks", "cluster of 2"});
  EXPECT_TRUE(driver().launches().empty());
  EXPECT_EQ(driver().calls("tensor_map_encode_tiled"), 0);
}

TEST_F(TensorMapTest, AnOldDriverIsNamed) {
  driver().removeOptionalFunctions();
  ASSERT_EQ(opened(), SF_OK) << sf_last_error();
  EXPECT_EQ(launch(4), SF_ERROR_UNSUPPORTED);
  expectError({"'mapped'", "cuTensorMapEncodeTiled, which the driver for CUDA ",
               " lacks; a driver for CUDA 12.0 or newer is needed"});
  launchOf()["args"] = json::parse(R"([{"i64": 1}])");
  sf_bundle_destroy(bundle);
  sf_context_destroy(context);
  ASSERT_EQ(opened(), SF_OK) << sf_last_error();
  EXPECT_EQ(launch(4), SF_ERROR_UNSUPPORTED);
  expectError({"cuLaunchKernelEx", "CUDA 11.8"});
}

TEST_F(TensorMapTest, ARefusalOfTheDriverIsReported) {
  ASSERT_EQ(opened(), SF_OK) << sf_last_error();
  driver().failCall("tensor_map_encode_tiled", 2, SFCU_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(4), SF_ERROR_DRIVER);
  expectError({"'mapped' argument 2", "encoding a tensor map"});
  driver().failCall("launch_kernel_ex", 1, SFCU_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(4), SF_ERROR_DRIVER);
  expectError({"launching kernel 'mapped'"});
  EXPECT_TRUE(driver().launches().empty());
}

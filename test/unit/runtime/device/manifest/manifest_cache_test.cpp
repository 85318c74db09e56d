//===- manifest_cache_test.cpp - Ternary caches in manifests --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/manifest/manifest.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace sparseflow::rt;

static nlohmann::json cacheManifest() {
  return nlohmann::json::parse(R"({
    "format": "sparseflow-bundle", "version": 1, "functions": [{
      "name": "f", "symbols": ["B", "S"],
      "arguments": [
        {"name": "k", "dtype": "f16", "shape": ["B", 8, "S", 128],
         "encoding": {"kind": "ternary", "storage": "key_planes",
                      "scale": "token", "scale_dtype": "f32", "planes": 1},
         "layout": "ternk.v1"}],
      "results": [{"dtype": "f16", "shape": ["B", 8]}]}]})");
}

TEST(ManifestCache, Reads) {
  nlohmann::json root = cacheManifest();
  nlohmann::json &k = root["functions"][0]["arguments"][0];
  auto read = [&] {
    Expected<Manifest> manifest = parseManifest(root.dump());
    EXPECT_TRUE(manifest) << manifest.status().text();
    return manifest->functions[0].arguments[0];
  };
  TensorSpec spec = read();
  ASSERT_TRUE(spec.isCache());
  EXPECT_FALSE(spec.isTernary());
  EXPECT_FALSE(spec.cache->values);
  EXPECT_EQ(storageAlignment(spec), 256u);
  // 3 x 8 heads of two pages: 2048 bytes of planes and 64 scales each.
  int64_t dims[] = {3, 8, 128, 128};
  EXPECT_EQ(*storageBytes(spec, dims), 3u * 8 * 2 * (2048 + 256));
  int64_t cut[] = {3, 8, 100, 128};
  Expected<uint64_t> bytes = storageBytes(spec, cut);
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.status().text().find("multiple of 64 tokens"),
            std::string::npos);
  k["encoding"]["storage"] = "value_planes";
  k["encoding"]["scale"] = "head";
  k["encoding"]["scale_dtype"] = "bf16";
  k["layout"] = "ternv.v1";
  spec = read();
  EXPECT_TRUE(spec.cache->values);
  EXPECT_EQ(*storageBytes(spec, dims), 3u * 8 * 2 * (2048 + 16));
  k["encoding"]["scale"] = 32;
  EXPECT_EQ(read().cache->pageScales(), 4);
  k["encoding"]["kind"] = "quantized";
  k["encoding"]["storage"] = "value_int4";
  k["encoding"]["scale"] = "token x 64";
  k["layout"] = "int4v.v1";
  spec = read();
  EXPECT_EQ(spec.cache->bits, 4);
  EXPECT_EQ(*storageBytes(spec, dims), 3u * 8 * 2 * (4096 + 256));
}

TEST(ManifestCache, RefusesWhatIsNone) {
  auto refused = [](auto change, const char *part) {
    nlohmann::json root = cacheManifest();
    change(root["functions"][0]["arguments"][0]);
    Expected<Manifest> manifest = parseManifest(root.dump());
    ASSERT_FALSE(manifest) << part;
    EXPECT_NE(manifest.status().text().find(part), std::string::npos)
        << manifest.status().text();
  };
  using Json = nlohmann::json;
  refused([](Json &k) { k["encoding"]["scale"] = "row"; },
          "'head', 'token', 32, 64, 128 or 256");
  refused([](Json &k) { k["encoding"]["scale"] = 48; }, "found 48");
  refused(
      [](Json &k) {
        k["encoding"]["storage"] = "key_int8";
        k["encoding"]["scale"] = "row";
      },
      "'token', 'token x 32', 'token x 64' or 'token x 128'");
  refused([](Json &k) { k["encoding"]["scale_dtype"] = "i32"; },
          "f16, bf16 or f32");
  refused([](Json &k) { k["encoding"]["planes"] = 2; }, "1");
  refused([](Json &k) { k["dtype"] = "f32"; }, "tensor [B, G, S, D]");
  refused([](Json &k) { k["shape"] = {"B", "S", 64, 128}; },
          "constant G and D");
  refused([](Json &k) { k["shape"] = {8, 64, 128}; }, "tensor [B, G, S, D]");
  refused([](Json &k) { k["shape"] = {"B", 8, 100, 128}; },
          "multiple of 64 tokens, found 100");
  refused([](Json &k) { k["layout"] = "ternv.v1"; },
          "stored as ternk.v1, found 'ternv.v1'");
  refused([](Json &k) { k.erase("layout"); },
          "expected the member 'layout', 'ternk.v1'");
}

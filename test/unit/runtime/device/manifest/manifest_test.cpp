//===- manifest_test.cpp - Manifests, good and hostile --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../bundle_fixture.h"
#include "device/image.h"
#include "device/manifest/manifest.h"

#include <elf.h>
#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::rt;
using sparseflow::test::scaleManifest;

static std::string textOf(const Status &status) { return status.text(); }

TEST(Manifest, ReadsAFunction) {
  Expected<Manifest> manifest = parseManifest(scaleManifest());
  ASSERT_TRUE(manifest) << textOf(manifest.status());
  ASSERT_EQ(manifest->functions.size(), 1u);
  const Function &scale = manifest->functions[0];
  EXPECT_EQ(scale.name, "scale");
  EXPECT_EQ(scale.symbols, std::vector<std::string>{"T"});
  EXPECT_EQ(scale.arguments[1].layout, Layout::Sf24V1);
  EXPECT_EQ(scale.arguments[0].shapeText(scale.symbols), "[T, 8]");
  const Program &program = scale.programs[0];
  int64_t tokens = 100;
  EXPECT_EQ(*scale.workspaceBytes(program, &tokens), 25600u);
  EXPECT_EQ(program.steps[0].variants.size(), 3u);
  EXPECT_EQ(program.steps[0].variants[1].launches[0].sharedBytes, 98304u);
}

TEST(Manifest, RefusesEveryPrefix) {
  std::string text = scaleManifest();
  for (size_t size = 0; size + 1 < text.size(); ++size)
    ASSERT_FALSE(parseManifest(text.substr(0, size))) << size;
}

// Replaces one value anywhere by one of another type: no crash, and an error
// unless the member is optional or free text.
static void mutate(const nlohmann::json &root, nlohmann::json &node,
                   int &accepted, int &refused) {
  static const nlohmann::json replacements[] = {
      nullptr,
      true,
      -1,
      1e300,
      "x",
      nlohmann::json::array(),
      nlohmann::json::object(),
      18446744073709551615ull,
      nlohmann::json::array({"mul", 9223372036854775807ll, 2})};
  nlohmann::json original = node;
  for (const nlohmann::json &replacement : replacements) {
    if (replacement.type() == original.type())
      continue;
    node = replacement;
    Expected<Manifest> manifest = parseManifest(root.dump());
    ++(manifest ? accepted : refused);
    if (!manifest) {
      EXPECT_FALSE(manifest.status().text().empty());
    }
  }
  node = original;
  if (node.is_structured())
    for (nlohmann::json &child : node)
      mutate(root, child, accepted, refused);
}

TEST(Manifest, RefusesWrongTypesEverywhere) {
  nlohmann::json root = nlohmann::json::parse(scaleManifest());
  int accepted = 0, refused = 0;
  mutate(root, root, accepted, refused);
  EXPECT_GT(refused, 500);
  // Sizes and expressions may be numbers, symbols or operations, and lists may
  // be empty: little else is interchangeable.
  EXPECT_LT(accepted, refused / 5);
}

TEST(Manifest, RefusesEveryMissingMember) {
  nlohmann::json root = nlohmann::json::parse(scaleManifest());
  nlohmann::json &function = root["functions"][0];
  auto refusedWithout = [&](nlohmann::json &object, const char *key) {
    nlohmann::json saved = object;
    object.erase(std::string(key));
    Expected<Manifest> manifest = parseManifest(root.dump());
    object = saved;
    return !manifest && manifest.status().text().find(std::string("'") + key +
                                                      "'") != std::string::npos;
  };
  for (const char *key : {"name", "arguments", "results"})
    EXPECT_TRUE(refusedWithout(function, key)) << key;
  for (const char *key : {"target", "image", "steps"})
    EXPECT_TRUE(refusedWithout(function["programs"][0], key)) << key;
  nlohmann::json &launch =
      function["programs"][0]["steps"][0]["variants"][0]["launches"][0];
  for (const char *key : {"kernel", "grid", "threads", "shared_bytes", "args"})
    EXPECT_TRUE(refusedWithout(launch, key)) << key;
  // Last, since restoring the root moves everything below it.
  for (const char *key : {"format", "version", "functions"})
    EXPECT_TRUE(refusedWithout(root, key)) << key;
}

TEST(Manifest, RefusesPathsAsImages) {
  nlohmann::json root = nlohmann::json::parse(scaleManifest());
  nlohmann::json &image = root["functions"][0]["programs"][0]["image"];
  for (const char *name : {"../x.cubin", "/etc/passwd", "a/b.cubin", "..", ".",
                           ".hidden", "a\\b", "a\nb", "", "a b"}) {
    image = name;
    EXPECT_FALSE(parseManifest(root.dump())) << name;
  }
  image = std::string("a\0b", 3);
  EXPECT_FALSE(parseManifest(root.dump()));
  image = std::string(256, 'a');
  EXPECT_FALSE(parseManifest(root.dump()));
  image = "fine-1.sm_90a.cubin";
  EXPECT_TRUE(parseManifest(root.dump()));
}

TEST(Manifest, RefusesFutureVersionsAndLayoutsByName) {
  nlohmann::json root = nlohmann::json::parse(scaleManifest());
  root["version"] = 2;
  Expected<Manifest> manifest = parseManifest(root.dump());
  ASSERT_FALSE(manifest);
  EXPECT_NE(manifest.status().text().find("version 2"), std::string::npos);
  EXPECT_NE(manifest.status().text().find("version 1"), std::string::npos);
  root["version"] = 1;
  root["functions"][0]["arguments"][1]["layout"] = "sf24.v2";
  manifest = parseManifest(root.dump());
  ASSERT_FALSE(manifest);
  EXPECT_NE(manifest.status().text().find("sf24.v2"), std::string::npos);
}

TEST(Manifest, RefusesDepthDuplicatesAndBadText) {
  EXPECT_FALSE(parseManifest(std::string(1 << 20, '[')));
  std::string deep = "{\"format\":";
  for (int i = 0; i < 1000; ++i)
    deep += "{\"a\":";
  EXPECT_FALSE(parseManifest(deep));
  std::string twice = scaleManifest();
  twice.insert(1, "\"version\": 1, ");
  Expected<Manifest> manifest = parseManifest(twice);
  ASSERT_FALSE(manifest);
  EXPECT_NE(manifest.status().text().find("twice"), std::string::npos);
  std::string invalid = scaleManifest();
  invalid[invalid.find("scale")] = '\xff';
  EXPECT_FALSE(parseManifest(invalid));
  EXPECT_FALSE(parseManifest(scaleManifest() + "x"));
}

TEST(Manifest, UnboundSymbolsAreRefused) {
  nlohmann::json root = nlohmann::json::parse(scaleManifest());
  root["functions"][0]["symbols"].push_back("S");
  EXPECT_FALSE(parseManifest(root.dump()));
  root["functions"][0]["symbols"] = {"T", "T"};
  EXPECT_FALSE(parseManifest(root.dump()));
}

static Function withTargets(std::initializer_list<const char *> targets) {
  Function function;
  function.name = "f";
  for (const char *text : targets) {
    Program program;
    program.target = *parseTarget(text);
    function.programs.push_back(program);
  }
  return function;
}

TEST(Target, Selection) {
  Function f = withTargets({"sm_80", "sm_86", "sm_90", "sm_90a", "sm_100"});
  auto chosen = [&](int major, int minor) {
    Expected<const Program *> program = f.select(major, minor);
    return program ? (*program)->target.text : std::string("none");
  };
  EXPECT_EQ(chosen(8, 0), "sm_80");
  EXPECT_EQ(chosen(8, 6), "sm_86");
  EXPECT_EQ(chosen(8, 9), "sm_86");
  EXPECT_EQ(chosen(9, 0), "sm_90a");
  EXPECT_EQ(chosen(10, 0), "sm_100");
  EXPECT_EQ(chosen(10, 3), "sm_100");
  EXPECT_EQ(chosen(7, 5), "none");
  EXPECT_EQ(chosen(12, 0), "none");
  // Code for exactly 9.0 does not run on another minor version.
  EXPECT_FALSE(withTargets({"sm_90a"}).select(9, 1));
  EXPECT_FALSE(withTargets({"sm_86"}).select(8, 0));
  Status status = f.select(12, 0).status();
  EXPECT_NE(status.text().find("sm_120"), std::string::npos);
  EXPECT_NE(status.text().find("sm_90a"), std::string::npos);
}

TEST(Target, Parsing) {
  EXPECT_EQ(parseTarget("sm_120")->major, 12);
  EXPECT_EQ(parseTarget("sm_89")->minor, 9);
  for (const char *text : {"sm_", "sm_a", "sm_9", "sm_9a", "sm_90b", "sm_90aa",
                           "sm_1000", "compute_90", "sm_-9", "sm_9x"})
    EXPECT_FALSE(parseTarget(text)) << text;
}

TEST(Sizes, OverflowAndPacking) {
  int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_FALSE(elementCount(huge, 2));
  int64_t empty[] = {int64_t(1) << 40, int64_t(1) << 40, 0};
  EXPECT_EQ(*elementCount(empty, 3), 0u);
  int64_t negative[] = {-1};
  EXPECT_FALSE(elementCount(negative, 1));
  TensorSpec packed;
  packed.shape.resize(2);
  packed.layout = Layout::Sf24V1;
  int64_t shape[] = {65, 68};
  EXPECT_EQ(*storageBytes(packed, shape), 4u * 4608);
  int64_t odd[] = {64, 66};
  EXPECT_FALSE(storageBytes(packed, odd));
}

TEST(Image, HeadersMustStayInside) {
  EXPECT_FALSE(checkImage(""));
  EXPECT_FALSE(checkImage("hello"));
  EXPECT_TRUE(checkImage(".version 8.5\n.target sm_80\n"));
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shnum = 1;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shoff = sizeof(header);
  Elf64_Shdr section = {};
  section.sh_type = SHT_PROGBITS;
  section.sh_offset = sizeof(header) + sizeof(section);
  section.sh_size = 10;
  std::string image(reinterpret_cast<char *>(&header), sizeof(header));
  image.append(reinterpret_cast<char *>(&section), sizeof(section));
  image.append(10, 'x');
  EXPECT_TRUE(checkImage(image));
  for (size_t size = 0; size < image.size(); ++size)
    EXPECT_FALSE(checkImage(image.substr(0, size))) << size;
  std::string fatbin("\x50\xed\x55\xba\x01\x00\x10\x00", 8);
  fatbin += std::string("\x04\0\0\0\0\0\0\0", 8) + "data";
  EXPECT_TRUE(checkImage(fatbin));
  for (size_t size = 0; size < fatbin.size(); ++size)
    EXPECT_FALSE(checkImage(fatbin.substr(0, size))) << size;
}

TEST(SmallFile, OnlyRegularFilesWithinTheLimit) {
  EXPECT_FALSE(readSmallFile("/tmp", 100));
  EXPECT_FALSE(readSmallFile("/dev/null", 100));
  EXPECT_FALSE(readSmallFile("/nonexistent", 100));
  std::string path = ::testing::TempDir() + "sparseflow-small-file";
  std::ofstream(path) << "12345";
  EXPECT_EQ(*readSmallFile(path, 5), "12345");
  EXPECT_FALSE(readSmallFile(path, 4));
  std::filesystem::remove(path);
}

static nlohmann::json ternaryManifest() {
  nlohmann::json root = nlohmann::json::parse(R"({
    "format": "sparseflow-bundle", "version": 1, "functions": [{
      "name": "f",
      "arguments": [
        {"name": "x", "dtype": "f16", "shape": [4, 256]},
        {"name": "w", "dtype": "f16", "shape": [65, 256],
         "encoding": {"kind": "ternary", "storage": "codes", "scale": "row",
                      "scale_dtype": "f32", "planes": 1},
         "layout": "tern.v1"}],
      "results": [{"dtype": "f16", "shape": [4, 65]}]}]})");
  return root;
}

TEST(Manifest, TernaryWeights) {
  nlohmann::json root = ternaryManifest();
  nlohmann::json &w = root["functions"][0]["arguments"][1];
  auto read = [&] {
    Expected<Manifest> manifest = parseManifest(root.dump());
    EXPECT_TRUE(manifest) << textOf(manifest.status());
    return manifest->functions[0].arguments[1];
  };
  TensorSpec spec = read();
  EXPECT_TRUE(spec.isTernary());
  EXPECT_FALSE(spec.encoded());
  EXPECT_EQ(spec.ternary.group, kRowScale);
  int64_t dims[] = {65, 256};
  // Two blocks of rows, two units of 2048 bytes each; 128 scales.
  EXPECT_EQ(*storageBytes(spec, dims), 2u * 2 * 2048 + 128 * 4);
  EXPECT_EQ(storageAlignment(spec), 256u);
  const char *storages[][2] = {{"bit_planes", "ternbp.v1"},
                               {"base3", "tern3.v1"},
                               {"two_four", "tern24.v1"},
                               {"two_four_zero", "tern24z.v1"}};
  w["encoding"]["scale"] = 128;
  w["encoding"]["scale_dtype"] = "bf16";
  for (auto [storage, layout] : storages) {
    w["encoding"]["storage"] = storage;
    w["layout"] = layout;
    spec = read();
    EXPECT_STREQ(layoutName(spec.ternary.storage), layout);
    EXPECT_EQ(*storageBytes(spec, dims),
              static_cast<uint64_t>(spec.ternary.blobBytes()));
  }
}

TEST(Manifest, RefusesTernaryWeightsThatAreNone) {
  auto refused = [](auto change, const char *part) {
    nlohmann::json root = ternaryManifest();
    change(root["functions"][0]["arguments"][1], root);
    Expected<Manifest> manifest = parseManifest(root.dump());
    return !manifest &&
           manifest.status().text().find(part) != std::string::npos;
  };
  using Json = nlohmann::json;
  for (const char *key : {"storage", "scale", "scale_dtype", "planes"})
    EXPECT_TRUE(refused(
        [&](Json &w, Json &) { w["encoding"].erase(std::string(key)); }, key))
        << key;
  auto encoding = [&](const char *key, Json value, const char *part) {
    EXPECT_TRUE(
        refused([&](Json &w, Json &) { w["encoding"][key] = value; }, part))
        << key << " " << value;
  };
  encoding("storage", "nibbles", "codes, bit_planes, base3");
  encoding("scale", "column", "'tensor', 'row', 32");
  encoding("scale", 48, "48");
  encoding("scale", 512, "256");
  encoding("scale", 1, "32");
  encoding("scale_dtype", "f64", "f16, bf16 or f32");
  encoding("planes", 3, "2");
  encoding("planes", 0, "1");
  encoding("kind", "binary", "'nm', 'ternary' or 'quantized'");
  EXPECT_TRUE(refused([](Json &w, Json &) { w.erase("layout"); },
                      "expected the member 'layout', 'tern.v1'"));
  EXPECT_TRUE(refused([](Json &w, Json &) { w["layout"] = "tern3.v1"; },
                      "stored as tern.v1, found 'tern3.v1'"));
  EXPECT_TRUE(refused([](Json &w, Json &) { w["dtype"] = "f32"; },
                      "f16 or bf16 matrix [N, K]"));
  EXPECT_TRUE(refused([](Json &w, Json &) { w["shape"] = {256}; },
                      "f16 or bf16 matrix [N, K]"));
  EXPECT_TRUE(refused(
      [](Json &w, Json &root) {
        root["functions"][0]["symbols"] = {"T"};
        w["shape"] = {"T", 256};
      },
      "constant sizes"));
  EXPECT_TRUE(refused(
      [](Json &w, Json &) {
        w["shape"] = {4611686018427387904ll, 4611686018427387904ll};
      },
      "arguments[1]"));
  EXPECT_TRUE(refused(
      [](Json &w, Json &) {
        w["encoding"]["storage"] = "two_four";
        w["layout"] = "tern24.v1";
        w["shape"] = {64, 30};
      },
      "4"));
  EXPECT_TRUE(refused(
      [](Json &w, Json &) {
        w["encoding"]["storage"] = "two_four";
        w["layout"] = "tern24.v1";
        w["encoding"]["planes"] = 2;
      },
      "plane"));
  // A result is never packed.
  EXPECT_TRUE(refused(
      [](Json &w, Json &root) { root["functions"][0]["results"][0] = w; },
      "a result is row-major"));
}

TEST(Manifest, RefusesWrongTypesInTernaryWeights) {
  nlohmann::json root = ternaryManifest();
  int accepted = 0, refused = 0;
  mutate(root, root["functions"][0]["arguments"][1]["encoding"], accepted,
         refused);
  // Only the whole encoding may be null, as absent ones are.
  EXPECT_GT(refused, 35);
  EXPECT_EQ(accepted, 0);
}

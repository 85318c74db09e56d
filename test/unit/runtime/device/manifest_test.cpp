//===- manifest_test.cpp - Manifests, good and hostile --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bundle_fixture.h"
#include "device/image.h"
#include "device/manifest.h"

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

//===- messages_test.cpp - What manifests and images are refused for ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bundle_fixture.h"
#include "device/image.h"
#include "device/manifest/manifest.h"
#include "device/tensor_map.h"

#include <elf.h>
#include <nlohmann/json.hpp>

using namespace sparseflow;
using namespace sparseflow::rt;
using nlohmann::json;
using sparseflow::test::scaleManifest;

template <typename T>
static void expectSays(const Expected<T> &result, const std::string &part) {
  ASSERT_FALSE(result) << part;
  EXPECT_NE(result.status().text().find(part), std::string::npos)
      << result.status().text();
}

static void expectSays(const Status &status, const std::string &part) {
  ASSERT_FALSE(status) << part;
  EXPECT_NE(status.text().find(part), std::string::npos) << status.text();
}

static const std::string function = "/functions/0";
static const std::string program = function + "/programs/0";
static const std::string weight = function + "/arguments/1";
static const std::string variant = program + "/steps/0/variants/0";
static const std::string guarded = variant + "/guards/0";
static const std::string launched = variant + "/launches/0";

/// A weight or a cache of these sizes.
static std::string packed(const std::string &type, const std::string &shape,
                          const std::string &storage, const std::string &scale,
                          const std::string &more = "") {
  return R"({"dtype": ")" + type + R"(", "shape": )" + shape +
         R"(, "encoding": {"kind": "ternary", "storage": ")" + storage +
         R"(", "scale": ")" + scale +
         R"(", "scale_dtype": "f32", "planes": 1})" + more + "}";
}

/// A tensor map of x with one member changed.
static std::string map(const std::string &member, const std::string &value) {
  json fields = json::parse(
      R"({"of": {"arg": 0}, "dtype": "f16", "sizes": [8, "T"],
          "strides": [16], "box": [8, 64], "swizzle": 32})");
  fields[member] = json::parse(value);
  return json{{"tensor_map", fields}}.dump();
}

TEST(Messages, Manifest) {
  struct Case {
    std::string place, value, message;
  };
  for (const Case &test : std::initializer_list<Case>{
           {"/version", "2", "; use a runtime as new as the bundle's producer"},
           {"/functions/1", "", "a second function 'scale'"},
           {function + "/symbols", R"(["T", "U"])",
            "symbol 'U' is not a size of any argument or result"},
           {function + "/programs/1", "", "a second program for sm_90"},
           {program + "/workspace", R"(["mul", "T"])",
            "an operation has the form [op, a, b]"},
           {program + "/workspace", R"(["pow", "T", 2])",
            "unknown operation 'pow'; expected add, sub, mul, ceildiv, "
            "floordiv, mod, min or max"},
           {program + "/image", "\"../x\"",
            "'../x' is not a plain file name; an image lies directly in the "
            "bundle's folder"},
           {program + "/steps/0/variants", "[]",
            "a step needs at least one variant"},
           {weight, packed("f16", "[64, 64]", "key_planes", "token"),
            "a ternary cache is an f16 or bf16 tensor [B, G, S, D] with "
            "constant G and D"},
           {weight, packed("f16", "[1, 2, 60, 64]", "key_planes", "token"),
            "a ternary cache has room for a multiple of 64 tokens, found 60"},
           {weight, packed("f32", "[64, 64]", "codes", "row"),
            "a quantized weight is an f16 or bf16 matrix [N, K] of constant "
            "sizes"},
           {weight,
            packed("f16", "[64, 64]", "codes", "row",
                   R"(, "layout": "sf24.v1")"),
            "the encoding is stored as tern.v1, found 'sf24.v1'"},
           {weight + "/encoding/kind", "\"csr\"",
            "encoding 'csr' is unknown to this version, expected 'nm', "
            "'ternary' or 'quantized'"},
           {weight + "/shape", "[]",
            "an encoded tensor needs at least one dimension"},
           {weight + "/dtype", "\"i32\"",
            "an N:M pattern is one of floats, found i32"},
           {weight + "/layout", "\"sf24.v2\"",
            "layout 'sf24.v2' is unknown to this version for such a tensor, "
            "expected sf24.v1; use a runtime as new as the bundle's producer"},
           {weight + "/encoding/n", "1",
            "sf24.v1 holds an f16 or bf16 matrix that is 2:4 along its rows"},
           {function + "/results/0",
            R"({"dtype": "f16", "shape": ["T", 8], "layout": "sf24.v1",
                "encoding": {"kind": "nm", "n": 2, "m": 4}})",
            "a result is row-major, not packed, unless it 'updates' an "
            "argument"},
           {guarded, "{}",
            "a guard is an object with one member: le, ge, eq or aligned"},
           {guarded, R"({"le": ["T"]})", "expected two operands"},
           {guarded, R"({"ne": ["T", 1]})",
            "unknown guard; expected le, ge, eq or aligned"},
           {guarded, R"({"aligned": [{"arg": 0}, 12]})",
            "an alignment is a power of two"},
           {launched + "/kernel", "\"a\\u0000b\"",
            "a kernel name has a NUL character"},
           {launched + "/args/0", R"({"x": 0})",
            "expected one of the members arg, dense, result, workspace or i64"},
           {launched + "/args/0", map("of", R"({"i64": 1})"),
            "a tensor map needs an address: arg, dense, result or workspace"},
           {launched + "/args/0", map("sizes", "[]"),
            "a tensor map has 1 to 5 dimensions"},
           {launched + "/args/0", map("strides", "[]"),
            "expected one stride for each dimension but the innermost (1), "
            "found 0"},
           {launched + "/args/0", map("box", "[8]"),
            "expected one extent a dimension (2), found 1"},
           {launched + "/args/0", map("box", "[64, 64]"),
            "the innermost extent has 128 bytes, expected at most the 32 of "
            "the swizzle"},
       }) {
    json root = json::parse(scaleManifest());
    json::json_pointer place(test.place);
    // An entry more is the one before it again.
    root[place] = test.value.empty() ? root[place.parent_pointer() / 0]
                                     : json::parse(test.value);
    SCOPED_TRACE(test.place + " " + test.value);
    expectSays(parseManifest(root.dump()), test.message);
  }
  json root = json::parse(scaleManifest());
  json one = json::parse(map("swizzle", "32"));
  root[json::json_pointer(launched + "/args")] =
      std::vector<json>(ManifestLimits::tensorMaps + 1, one);
  expectSays(parseManifest(root.dump()), "tensor maps, the limit of a launch");
}

TEST(Messages, SizesOfACall) {
  json root = json::parse(scaleManifest());
  root[json::json_pointer(program + "/workspace")] =
      json::parse(R"(["sub", 0, "T"])");
  Expected<Manifest> manifest = parseManifest(root.dump());
  ASSERT_TRUE(manifest) << manifest.status().text();
  const Function &scale = manifest->functions[0];
  int64_t tokens = 3;
  expectSays(scale.workspaceBytes(scale.programs[0], &tokens),
             "is negative (-3) for these sizes; the manifest is wrong");
  expectSays(scale.select(7, 0),
             "has code for sm_90, but the device is sm_70; compile the bundle "
             "with --target sm_70");
  TensorSpec spec;
  spec.dtype = DType::F32;
  spec.shape.resize(2);
  auto bytes = [&](int64_t rows, int64_t columns) {
    int64_t dims[] = {rows, columns};
    return storageBytes(spec, dims);
  };
  expectSays(bytes(int64_t(1) << 40, int64_t(1) << 40),
             "the number of elements does not fit 62 bits");
  expectSays(bytes(int64_t(1) << 31, int64_t(1) << 31),
             "the tensor's bytes do not fit 64 bits");
  spec.dtype = DType::F16;
  spec.layout = Layout::Sf24V1;
  expectSays(bytes(64, 6),
             "a packed 2:4 tensor needs a multiple of 4 columns, found 6");
  expectSays(bytes(int64_t(1) << 60, 4),
             "the packed tensor's bytes do not fit 64 bits");
}

TEST(Messages, Expression) {
  using Op = Expression::Op;
  auto of = [](std::initializer_list<Op> ops) {
    Expression expression;
    expression.clear();
    for (Op op : ops)
      expression.append(op, 0);
    return expression;
  };
  expectSays(of({Op::Symbol}).verify(0),
             "an expression names a symbol that does not exist");
  expectSays(of({Op::Constant, Op::Add}).verify(0),
             "an expression has add without two operands");
  expectSays(of({Op::Constant, Op::Constant}).verify(0),
             "an expression does not give one value");
  Expression deep = of({});
  for (int i = 0; i < 200; ++i)
    deep.append(Op::Constant, 0);
  expectSays(deep.verify(0), "an expression nests deeper than");
  Expression wide = of({Op::Constant});
  for (int i = 0; i < 100000; ++i) {
    wide.append(Op::Constant, 0);
    wide.append(Op::Add);
  }
  expectSays(wide.verify(0), "an expression has 200001 nodes, the limit is");
  Expression zero = of({Op::Constant, Op::Constant, Op::Mod});
  expectSays(zero.evaluate(nullptr),
             "mod of 0 and 0 has no 64-bit result; the sizes of this call are "
             "out of range");
}

TEST(Messages, TensorMap) {
  auto evaluated = [](const std::string &member, const std::string &value,
                      int64_t tokens, uint64_t address, uint64_t bytes) {
    json root = json::parse(scaleManifest());
    root[json::json_pointer(launched + "/args/0")] =
        json::parse(map(member, value));
    Expected<Manifest> manifest = parseManifest(root.dump());
    EXPECT_TRUE(manifest) << manifest.status().text();
    return TensorMapValues::evaluate(manifest->functions[0]
                                         .programs[0]
                                         .steps[0]
                                         .variants[0]
                                         .launches[0]
                                         .tensorMaps[0],
                                     &tokens, address, bytes);
  };
  expectSays(evaluated("swizzle", "32", 4, 8, 64),
             "a tensor map needs an address that is a multiple of 16 bytes, "
             "found remainder 8; the variant's guards should ask for it");
  expectSays(evaluated("swizzle", "32", 0, 16, 64),
             "a tensor map needs sizes from 1 to 2^32, found 0 in dimension 1");
  expectSays(evaluated("box", R"([8, "T"])", 300, 16, 4800),
             "a tensor map needs a box of 1 to 256, found 300 in dimension 1; "
             "the manifest is wrong");
  expectSays(evaluated("strides", R"(["T"])", 24, 16, 4800),
             "a tensor map needs strides that are multiples of 16 bytes below "
             "2^40, found 24 of dimension 1");
  expectSays(evaluated("swizzle", "32", 5, 16, 64),
             "a tensor map reaches 80 bytes into a buffer that has 64 left "
             "there; the manifest is wrong");
}

TEST(Messages, Image) {
  expectSays(checkImage(""), "the image is empty");
  expectSays(checkImage("hello"),
             "the image is neither a cubin, a fatbin nor PTX text");
  expectSays(checkImage(ELFMAG),
             "the cubin is cut short inside its ELF header");
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  auto image = [&](size_t more = 0) {
    return std::string(reinterpret_cast<char *>(&header), sizeof(header)) +
           std::string(more, 0);
  };
  expectSays(checkImage(image()), "the cubin is not a 64-bit ELF file");
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shnum = 1;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shoff = sizeof(header);
  expectSays(checkImage(image()),
             "the cubin's header tables reach beyond its 64 bytes");
  Elf64_Shdr section = {};
  section.sh_type = SHT_PROGBITS;
  section.sh_offset = 1000;
  std::string bad = image(sizeof(section));
  std::memcpy(&bad[sizeof(header)], &section, sizeof(section));
  expectSays(checkImage(bad), "section 0 of the cubin reaches beyond its");
  header.e_shnum = 0;
  header.e_phnum = 1;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phoff = sizeof(header);
  Elf64_Phdr segment = {};
  segment.p_offset = 1000;
  bad = image(sizeof(segment));
  std::memcpy(&bad[sizeof(header)], &segment, sizeof(segment));
  expectSays(checkImage(bad), "segment 0 of the cubin reaches beyond its");
  std::string fatbin("\x50\xed\x55\xba\x01\x00\x10\x00", 8);
  expectSays(checkImage(fatbin), "the fatbin is cut short inside its header");
  expectSays(checkImage(fatbin + std::string("\x04\0\0\0\0\0\0\0", 8)),
             "the fatbin says 4 bytes but the file has 16");
}

//===- arguments_test.cpp - Arguments, random tensors and .npy files ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Npy.h"
#include "arguments/Random.h"
#include "ffn_fixture.h"
#include "sparseflow/weights.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace sparseflow::tools;
using namespace sparseflow::test;

TEST(Random, FixedBitsOnEveryMachine) {
  uint64_t stream = streamSeed(1, 0);
  EXPECT_EQ(normalAt(stream, 0), normalAt(stream, 0));
  double sum = 0, squares = 0, cross = 0;
  constexpr int count = 100000;
  uint64_t other = streamSeed(1, 1);
  for (int i = 0; i < count; ++i) {
    double value = normalAt(stream, i);
    sum += value;
    squares += value * value;
    cross += value * normalAt(other, i);
    EXPECT_LT(std::fabs(value), 4.91);
  }
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(cross / count, 0, 0.01);
}

TEST(Random, ThreadsDoNotMatter) {
  HostTensor one = HostTensor::allocate(DType::F16, {300, 333});
  HostTensor two = HostTensor::allocate(DType::F16, {300, 333});
  fillNormal(one, 7, 0.5f, 1);
  fillNormal(two, 7, 0.5f, 4);
  EXPECT_EQ(std::memcmp(one.data.data(), two.data.data(), one.data.size()), 0);
}

TEST(Random, PatternsOfAnyKindAndAxis) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32})
    for (Pattern pattern : {Pattern{2, 4, 1}, Pattern{1, 4, 1},
                            Pattern{3, 8, 0}, Pattern{2, 4, 0}}) {
      HostTensor tensor = HostTensor::allocate(dtype, {16, 24});
      fillNormal(tensor, 3, 1);
      EXPECT_FALSE(checkPattern(tensor, pattern));
      ASSERT_TRUE(pruneToPattern(tensor, pattern));
      EXPECT_TRUE(checkPattern(tensor, pattern));
      std::vector<float> values(tensor.count());
      widen(tensor, values.data());
      size_t kept = 0;
      for (float value : values)
        kept += value != 0;
      EXPECT_EQ(kept, 16u * 24 * pattern.n / pattern.m);
    }
  HostTensor odd = HostTensor::allocate(DType::F16, {2, 6});
  EXPECT_FALSE(pruneToPattern(odd, {2, 4, 1}));
  EXPECT_FALSE(pruneToPattern(odd, {2, 4, 2}));
}

TEST(Arguments, PackedAndDenseAgree) {
  Ffn ffn;
  const Argument &w1 = ffn.set.arguments[1];
  ASSERT_EQ(w1.packed.size(), 4608u);
  std::vector<uint16_t> dense(24 * 32);
  ASSERT_EQ(sf_unpack24(w1.packed.data(), w1.packed.size(), 24, 32, 1,
                        dense.data(), dense.size() * 2),
            SF_OK);
  EXPECT_EQ(std::memcmp(dense.data(), w1.dense.data.data(), dense.size() * 2),
            0);
  EXPECT_EQ(&w1.storage(), &w1.packed);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(w1.packed.data()) % 256, 0u);
}

TEST(Arguments, StreamsDifferAndSeedsRepeat) {
  Ffn one, two;
  for (size_t i = 0; i < one.set.arguments.size(); ++i) {
    const Buffer &a = one.set.arguments[i].storage();
    const Buffer &b = two.set.arguments[i].storage();
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size()), 0);
  }
  EXPECT_NE(std::memcmp(one.set.arguments[4].dense.data.data(),
                        one.set.arguments[0].dense.data.data(), 64),
            0);
}

TEST(Arguments, DefaultsAreNoted) {
  Ffn ffn;
  auto set = prepareArguments(ffn.function(), &ffn.reference(), {});
  ASSERT_TRUE(set);
  EXPECT_EQ(set->symbols, (std::vector<int64_t>{64, 64}));
  EXPECT_EQ(set->notes.size(), 2u);
}

TEST(Arguments, CommandLineForms) {
  ArgumentRequest request;
  EXPECT_TRUE(request.addSize("T=64"));
  EXPECT_TRUE(request.addArgument("0=a/b.npy"));
  EXPECT_TRUE(request.addArgument("w1=m.safetensors:layer.0.weight"));
  EXPECT_TRUE(request.addArgument("w1=m.sfpk:a:b"));
  EXPECT_TRUE(request.addArgument("w1=random:17"));
  EXPECT_EQ(request.sources[1].second.path, "m.safetensors");
  EXPECT_EQ(request.sources[2].second.tensor, "a:b");
  EXPECT_EQ(request.sources[3].second.seed, 17u);
  for (const char *bad :
       {"", "T", "=3", "T=", "T=x", "T=-1", "T=1e3", "T=99999999999999999999"})
    EXPECT_FALSE(request.addSize(bad)) << bad;
  for (const char *bad :
       {"", "x", "=a.npy", "x=", "x=a.txt", "x=m.sfpk",
        "x=m.sfpk:", "x=random:", "x=random:-1", "x=random:x"})
    EXPECT_FALSE(request.addArgument(bad)) << bad;
}

TEST(Arguments, WrongRequestsAreExplained) {
  Ffn ffn;
  auto refused = [&](const ArgumentRequest &request, const char *part) {
    auto set = prepareArguments(ffn.function(), nullptr, request);
    ASSERT_FALSE(set);
    EXPECT_NE(set.status().text().find(part), std::string::npos)
        << set.status().text();
  };
  ArgumentRequest request;
  (void)request.addSize("Q=3");
  refused(request, "B, T");
  request = {};
  (void)request.addArgument("nope=random:1");
  refused(request, "1 w1");
  request = {};
  (void)request.addArgument("7=random:1");
  refused(request, "6 b2");
  // A name that two arguments have is not an answer; an index is.
  ffn.manifest.manifest.functions[0].arguments[5].name = "r";
  request = {};
  (void)request.addArgument("r=random:1");
  refused(request, "arguments 4 and 5 have this name; say which by index");
  request = {};
  (void)request.addArgument("4=random:1");
  EXPECT_TRUE(prepareArguments(ffn.function(), nullptr, request));
  request = {};
  (void)request.addSize("T=4611686018427387904");
  refused(request, "argument 0");
  request = {};
  (void)request.addSize("T=1000000000000");
  refused(request, "argument 0");
  request = {};
  (void)request.addArgument("x=/nonexistent.npy");
  refused(request, "/nonexistent.npy");
}

class Files : public ::testing::Test {
protected:
  void SetUp() override {
    char pattern[] = "/tmp/sparseflow-args-XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    directory = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory); }
  std::string path(const char *name) const { return directory + "/" + name; }
  std::string directory;
};

TEST_F(Files, NpyRoundTrip) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32})
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {5}, {3, 4}, {2, 0, 3}, {2, 3, 4}}) {
      HostTensor tensor = HostTensor::allocate(dtype, shape);
      fillNormal(tensor, 1, 1);
      ASSERT_TRUE(writeNpy(path("a.npy"), tensor));
      auto array = readNpy(path("a.npy"));
      ASSERT_TRUE(array) << array.status().text();
      EXPECT_EQ(array->shape, shape);
      auto alone = readNpyShape(path("a.npy"));
      ASSERT_TRUE(alone) << alone.status().text();
      EXPECT_EQ(*alone, shape);
      EXPECT_EQ(array->type, dtype == DType::F16    ? NpyType::F16
                             : dtype == DType::BF16 ? NpyType::U16
                                                    : NpyType::F32);
      ASSERT_EQ(array->data.size(), tensor.data.size());
      if (tensor.data.size()) {
        EXPECT_EQ(std::memcmp(array->data.data(), tensor.data.data(),
                              tensor.data.size()),
                  0);
      }
    }
}

static std::vector<uint8_t> bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Files, NpyPrefixesAndBitFlips) {
  HostTensor tensor = HostTensor::allocate(DType::F16, {3, 5});
  fillNormal(tensor, 1, 1);
  ASSERT_TRUE(writeNpy(path("a.npy"), tensor));
  std::vector<uint8_t> bytes = bytesOf(path("a.npy"));
  EXPECT_EQ(bytes.size(), 128u + 30);
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_FALSE(parseNpy(bytes.data(), size, "a")) << size;
  std::ofstream(path("short.npy"), std::ios::binary).write("\x93NUMPY", 6);
  EXPECT_FALSE(readNpyShape(path("short.npy")));
  EXPECT_FALSE(readNpyShape(path("missing.npy")));
  // A flipped bit of the header is refused or gives an array that is as large
  // as the file says; never a crash.
  for (size_t bit = 0; bit < 128 * 8; ++bit) {
    bytes[bit / 8] ^= 1 << (bit % 8);
    auto array = parseNpy(bytes.data(), bytes.size(), "a");
    if (array) {
      EXPECT_EQ(array->data.size(), 30u);
    }
    bytes[bit / 8] ^= 1 << (bit % 8);
  }
}

TEST_F(Files, NpyHostileHeaders) {
  auto parse = [](const std::string &header, size_t payload) {
    std::string text = header + "\n";
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(text.size() & 0xff);
    file += static_cast<char>(text.size() >> 8);
    file += text + std::string(payload, 'x');
    return parseNpy(reinterpret_cast<const uint8_t *>(file.data()), file.size(),
                    "a");
  };
  std::string start = "{'descr': '<f2', 'fortran_order': False, 'shape': ";
  EXPECT_TRUE(parse(start + "(2,)}", 4));
  EXPECT_TRUE(parse(start + "(2, 3), }", 12));
  EXPECT_TRUE(parse("{\"shape\": (2,), \"descr\": \"|i1\", "
                    "\"fortran_order\": False}",
                    2));
  for (const char *shape :
       {"(2,)", "(3)}", "(-2,)}", "(99999999999999999999,)}",
        "(4611686018427387904, 4)}", "(4294967296, 4294967296, 0)}",
        "(1,1,1,1,1,1,1,1,1,)}", "[2]}", "2}", "(2,)} x", "(2,,)}", "(2.0,)}",
        "(2,), 'shape': (2,)}", "(2,), 'x': 1}"})
    EXPECT_FALSE(parse(start + shape, 4)) << shape;
  EXPECT_FALSE(
      parse("{'descr': '>f2', 'fortran_order': False, 'shape': (2,)}", 4));
  EXPECT_FALSE(
      parse("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", 4));
  EXPECT_FALSE(parse("{'descr': [('a', '<f2')], 'fortran_order': False, "
                     "'shape': (2,)}",
                     4));
  EXPECT_FALSE(
      parse("{'descr': '<f2', 'fortran_order': True, 'shape': (2,)}", 4));
  EXPECT_FALSE(parse("{'descr': '<f2', 'shape': (2,)}", 4));
  EXPECT_FALSE(parse("", 4));
}

TEST_F(Files, ArgumentsBindSizesAndConvert) {
  Ffn ffn;
  HostTensor x = HostTensor::allocate(DType::F32, {2, 9, 32});
  fillNormal(x, 1, 1);
  ASSERT_TRUE(writeNpy(path("x.npy"), x));
  ArgumentRequest request;
  ASSERT_TRUE(request.addArgument("x=" + path("x.npy")));
  auto set = prepareArguments(ffn.function(), nullptr, request);
  ASSERT_TRUE(set) << set.status().text();
  EXPECT_EQ(set->symbols, (std::vector<int64_t>{2, 9}));
  EXPECT_EQ(set->arguments[0].dense.dtype, DType::F16);
  EXPECT_EQ(set->notes.size(), 1u);
  ASSERT_TRUE(request.addSize("T=10"));
  EXPECT_FALSE(prepareArguments(ffn.function(), nullptr, request));
}

TEST_F(Files, DenseDataForASparseArgumentIsRefused) {
  Ffn ffn;
  HostTensor w = HostTensor::allocate(DType::F16, {24, 32});
  fillNormal(w, 1, 1);
  ASSERT_TRUE(writeNpy(path("w.npy"), w));
  ArgumentRequest request;
  ASSERT_TRUE(request.addArgument("w1=" + path("w.npy")));
  auto set = prepareArguments(ffn.function(), nullptr, request);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.status().code(), SF_ERROR_FORMAT) << set.status().text();
  ASSERT_TRUE(pruneToPattern(w, {2, 4, 1}));
  ASSERT_TRUE(writeNpy(path("w.npy"), w));
  EXPECT_TRUE(prepareArguments(ffn.function(), nullptr, request));
}

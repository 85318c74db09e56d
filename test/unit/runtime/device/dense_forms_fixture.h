//===- dense_forms_fixture.h - A packed and a dense kernel ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fake driver's kernels here multiply: "packed" reads the packed weight,
// "dense" its dense form, so a test sees which numbers a call met.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_DENSE_FORMS_FIXTURE_H
#define SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_DENSE_FORMS_FIXTURE_H

#include "device/call.h"
#include "device/dense_forms.h"
#include "dispatch_fixture.h"
#include "sparseflow/ternary.h"
#include "weights/convert.h"

#include <cstring>
#include <list>
#include <random>

namespace sparseflow::test {

constexpr int64_t kN = 72, kK = 68;

inline const char *const kTwoFour =
    R"("encoding": {"kind": "nm", "n": 2, "m": 4}, "layout": "sf24.v1")";
inline const char *const kTernary =
    R"("encoding": {"kind": "ternary", "storage": "codes", "scale": 32,
        "scale_dtype": "f32", "planes": 1}, "layout": "tern.v1")";

/// y [T, 72] = x [T, 68] w^T, by a packed and by a dense kernel.
inline std::string denseManifest(const std::string &form,
                                 const std::string &dtype = "f16",
                                 const std::string &members = "") {
  std::string type = "\"dtype\": \"" + dtype + "\"";
  return R"({"format": "sparseflow-bundle", "version": 1, "functions": [
    {"name": "scale", "symbols": ["T"], )" +
         members + R"("arguments": [
       {"name": "x", )" +
         type + R"(, "shape": ["T", 68]},
       {"name": "w", )" +
         type + R"(, "shape": [72, 68], )" + form + R"(}],
     "results": [{)" +
         type + R"(, "shape": ["T", 72]}],
     "programs": [
      {"target": "sm_90", "image": "scale.sm_90.cubin",
       "steps": [{"op": "matmul", "loc": "f.mlir:3", "independent": true,
        "variants": [
        {"guards": [{"aligned": [{"arg": 1}, 16]}],
         "launches": [{"kernel": "packed", "grid": 1, "threads": 32,
           "shared_bytes": 0, "args": [{"arg": 0}, {"arg": 1},
             {"result": 0}, {"i64": "T"}]}]},
        {"guards": [{"aligned": [{"dense": 1}, 16]}],
         "launches": [{"kernel": "dense", "grid": 1, "threads": 32,
           "shared_bytes": 0, "args": [{"arg": 0}, {"dense": 1},
             {"result": 0}, {"i64": "T"}]}]}]}]}]}]})";
}

class DenseFormTest : public DispatchTest {
protected:
  void SetUp() override {
    DispatchTest::SetUp();
    write("manifest.json", denseManifest(kTwoFour));
    addMultiplying();
    weight = rt::TensorSpec();
    weight.shape = {{kN, -1}, {kK, -1}};
    weight.layout = rt::Layout::Sf24V1;
  }
  void TearDown() override {
    memory.clear();
    DispatchTest::TearDown();
    EXPECT_EQ(FakeDriver::get().allocatedBytes(), 0u);
  }

  void addMultiplying(double packedTime = 0, double denseTime = 0) {
    auto multiply = [this](const FakeLaunch &launch,
                           const std::vector<uint16_t> &w) {
      auto *x = reinterpret_cast<const uint16_t *>(launch.arguments[0]);
      auto *y = reinterpret_cast<uint16_t *>(launch.arguments[2]);
      bool isHalf = weight.dtype == rt::DType::F16;
      auto number = [&](uint16_t bits) {
        return isHalf ? rt::halfToFloat(bits) : rt::bfloatToFloat(bits);
      };
      for (uint64_t t = 0; t < launch.arguments[3]; ++t)
        for (int64_t n = 0; n < kN; ++n) {
          float sum = 0;
          for (int64_t k = 0; k < kK; ++k)
            sum += number(x[t * kK + k]) * number(w[n * kK + k]);
          y[t * kN + n] =
              isHalf ? rt::floatToHalf(sum) : rt::floatToBfloat(sum);
        }
    };
    FakeDriver::get().addKernel("packed", 4, [=](const FakeLaunch &launch) {
      FakeDriver::get().spend(packedTime);
      auto *bytes = reinterpret_cast<const uint8_t *>(launch.arguments[1]);
      auto values = rt::unpackDense(
          weight, std::vector<uint8_t>(bytes, bytes + blobBytes()));
      if (values)
        multiply(launch, *values);
    });
    FakeDriver::get().addKernel("dense", 4, [=](const FakeLaunch &launch) {
      FakeDriver::get().spend(denseTime);
      auto *w = reinterpret_cast<const uint16_t *>(launch.arguments[1]);
      multiply(launch, std::vector<uint16_t>(w, w + kN * kK));
    });
  }
  size_t blobBytes() const {
    int64_t dims[] = {kN, kK};
    return *rt::storageBytes(weight, dims);
  }

  /// Memory whose address is a multiple of 256.
  uint8_t *allocate(size_t bytes) {
    memory.emplace_back(bytes + 256, 0xff);
    auto address = reinterpret_cast<uintptr_t>(memory.back().data());
    return reinterpret_cast<uint8_t *>((address + 255) / 256 * 256);
  }
  uint8_t *randomTwoFour(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<uint16_t> dense(kN * kK);
    for (int64_t i = 0; i < kN * kK; i += 4) {
      dense[i + random() % 2] = rt::floatToHalf(int(random() % 64) - 31.5f);
      dense[i + 2 + random() % 2] = rt::floatToHalf(int(random() % 64) - 31.5f);
    }
    uint8_t *blob = allocate(blobBytes());
    EXPECT_EQ(sf_pack24(dense.data(), kN, kK, SF_DTYPE_F16, nullptr, blob,
                        blobBytes(), nullptr),
              SF_OK)
        << sf_last_error();
    return blob;
  }
  uint8_t *randomTernary(unsigned seed, float scale, int64_t group = 32) {
    weight.layout = rt::Layout::Ternary;
    weight.ternary.n = kN;
    weight.ternary.k = kK;
    weight.ternary.group = group;
    std::mt19937 random(seed);
    std::vector<int8_t> trits(kN * kK);
    for (int8_t &trit : trits)
      trit = static_cast<int8_t>(random() % 3) - 1;
    trits[5] = 1;
    std::vector<float> scales(group == 32 ? 3 * kN : kN, 1.25f);
    scales[0] = scale;
    sf_ternary_format format = {};
    format.struct_size = sizeof(format);
    format.n = kN;
    format.k = kK;
    format.layout = SF_TERNARY_CODES;
    format.planes = 1;
    format.scale_columns = group;
    format.scale_type = SF_DTYPE_F32;
    uint8_t *blob = allocate(blobBytes());
    EXPECT_EQ(sf_ternary_pack(trits.data(), scales.data(), &format, "w", 1,
                              blob, blobBytes()),
              SF_OK)
        << sf_last_error();
    return blob;
  }

  struct Buffers {
    int64_t tokens;
    int64_t xShape[2], wShape[2] = {kN, kK}, yShape[2];
    sf_tensor arguments[2], result;
  };
  Buffers buffersFor(int64_t tokens, const uint8_t *w) {
    Buffers made{tokens, {tokens, kK}, {kN, kK}, {tokens, kN}, {}, {}};
    auto bytesOf = [&](int64_t columns) {
      return static_cast<uint64_t>(tokens * columns) * 2;
    };
    auto *x = reinterpret_cast<uint16_t *>(allocate(bytesOf(kK)));
    std::mt19937 random(7);
    for (int64_t i = 0; i < tokens * kK; ++i)
      x[i] = weight.dtype == rt::DType::F16
                 ? rt::floatToHalf(float(random() % 8))
                 : rt::floatToBfloat(float(random() % 8));
    made.arguments[0].data = reinterpret_cast<uint64_t>(x);
    made.arguments[0].bytes = bytesOf(kK);
    made.arguments[1].data = reinterpret_cast<uint64_t>(w);
    made.arguments[1].bytes = blobBytes();
    made.result.data = reinterpret_cast<uint64_t>(allocate(bytesOf(kN)));
    made.result.bytes = bytesOf(kN);
    return made;
  }
  /// The shapes of a Buffers stay where it is.
  static void point(Buffers &to) {
    to.arguments[0].dims = to.xShape;
    to.arguments[1].dims = to.wShape;
    to.result.dims = to.yShape;
    to.arguments[0].rank = to.arguments[1].rank = to.result.rank = 2;
  }
  sf_status run(Buffers &with, sfcu_stream stream = nullptr) {
    point(with);
    return sf_function_launch(function, with.arguments, 2, &with.result, 1, 0,
                              0, stream);
  }
  /// The kernel that a launch with these buffers runs, or its error.
  std::string kernel(Buffers &with) {
    if (run(with) != SF_OK)
      return sf_last_error();
    return FakeDriver::get().launches().back().kernel;
  }
  std::vector<uint16_t> results(const Buffers &of) {
    auto *y = reinterpret_cast<const uint16_t *>(of.result.data);
    return std::vector<uint16_t>(y, y + of.tokens * kN);
  }
  sf_status rebuild(Buffers &of) {
    point(of);
    return sf_function_rebuild_dense_weights(function, of.arguments, 2,
                                             nullptr);
  }
  void quarantinePacked() {
    auto program = reinterpret_cast<rt::LoadedFunction *>(function)->load();
    ASSERT_TRUE(program);
    (*program)->dispatch->quarantine("packed", "it failed");
  }
  uint64_t ownedBytes() {
    uint64_t given = 0, owned = 0;
    EXPECT_EQ(sf_function_dense_bytes(function, &given, &owned), SF_OK);
    return owned;
  }

  rt::TensorSpec weight;
  std::list<std::vector<uint8_t>> memory;
};

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_DENSE_FORMS_FIXTURE_H

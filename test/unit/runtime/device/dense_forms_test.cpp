//===- dense_forms_test.cpp - Dense forms of packed weights ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dense_forms_fixture.h"

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

using namespace sparseflow;
using namespace sparseflow::test;
using Json = nlohmann::json;

TEST_F(DenseFormTest, RebuiltFormRunsWhereThePackedKernelIsQuarantined) {
  ASSERT_EQ(open(), SF_OK) << sf_last_error();
  Buffers call = buffersFor(5, randomTwoFour(1));
  EXPECT_EQ(sf_function_dense_source(function, 0), SF_DENSE_NONE);
  EXPECT_EQ(sf_function_dense_source(function, 1), SF_DENSE_WEIGHTS);
  EXPECT_EQ(sf_function_dense_source(function, 2), SF_DENSE_NONE);
  EXPECT_EQ(kernel(call), "packed");
  std::vector<uint16_t> packed = results(call);
  ASSERT_EQ(rebuild(call), SF_OK) << sf_last_error();
  EXPECT_EQ(ownedBytes(), uint64_t(kN * kK * 2));
  EXPECT_EQ(FakeDriver::get().allocatedBytes(), size_t(kN * kK * 2));
  // The compiler's order holds until something is known.
  EXPECT_EQ(kernel(call), "packed");
  quarantinePacked();
  EXPECT_EQ(kernel(call), "dense");
  EXPECT_EQ(results(call), packed);
  // Again into the same memory.
  ASSERT_EQ(rebuild(call), SF_OK);
  EXPECT_EQ(ownedBytes(), uint64_t(kN * kK * 2));
}

TEST_F(DenseFormTest, AFailingLaunchGoesOnWithTheDenseForm) {
  ASSERT_EQ(open(), SF_OK);
  Buffers call = buffersFor(3, randomTwoFour(2));
  EXPECT_EQ(kernel(call), "packed");
  std::vector<uint16_t> packed = results(call);
  ASSERT_EQ(rebuild(call), SF_OK);
  std::memset(reinterpret_cast<void *>(call.result.data), 0xff,
              call.result.bytes);
  FakeDriver::get().failCall("launch_kernel", 1,
                             SFCU_ERROR_LAUNCH_OUT_OF_RESOURCES);
  EXPECT_EQ(kernel(call), "dense");
  EXPECT_EQ(results(call), packed);
}

TEST_F(DenseFormTest, WithoutAFormTheReasonSaysHowToHaveOne) {
  ASSERT_EQ(open(), SF_OK);
  Buffers call = buffersFor(5, randomTwoFour(3));
  quarantinePacked();
  std::vector<std::string> reasons;
  sf_dispatch_set_callback(collect, &reasons);
  EXPECT_EQ(kernel(call), "packed");
  ASSERT_EQ(rebuild(call), SF_OK);
  EXPECT_EQ(kernel(call), "dense");
  ASSERT_EQ(reasons.size(), 2u);
  Json without = Json::parse(reasons[0]), with = Json::parse(reasons[1]);
  EXPECT_EQ(without["others"][0]["why_not"],
            "'scale' argument 1 ('w'): no dense form of the weight at this "
            "address was given or rebuilt (sf_function_set_dense_weight, "
            "sf_function_rebuild_dense_weights)");
  EXPECT_EQ(with["ran"]["form"], "dense");
  EXPECT_EQ(with["ran"]["dense_bytes"], kN * kK * 2);
  EXPECT_EQ(with["others"][0]["form"], "n:m");
}

TEST_F(DenseFormTest, TheMeasuredFasterFormRuns) {
  addMultiplying(/*packedTime=*/30, /*denseTime=*/0);
  ASSERT_EQ(open(), SF_OK);
  Buffers call = buffersFor(6, randomTwoFour(4));
  point(call);
  ASSERT_EQ(rebuild(call), SF_OK);
  ASSERT_EQ(sf_function_tune(function, call.arguments, 2, &call.result, 1, 0, 0,
                             nullptr, 2),
            SF_OK)
      << sf_last_error();
  EXPECT_EQ(kernel(call), "dense");
  // Other weights have no form: theirs is not taken.
  Buffers other = buffersFor(6, randomTwoFour(5));
  EXPECT_EQ(kernel(other), "packed");
  std::vector<uint16_t> packed = results(other);
  ASSERT_EQ(rebuild(other), SF_OK);
  EXPECT_EQ(kernel(other), "dense");
  EXPECT_EQ(results(other), packed);
  EXPECT_NE(results(call), packed);
  EXPECT_EQ(ownedBytes(), uint64_t(2 * kN * kK * 2));
}

TEST_F(DenseFormTest, AGivenFormIsReadWhereItLies) {
  ASSERT_EQ(open(), SF_OK);
  Buffers call = buffersFor(2, randomTwoFour(6));
  quarantinePacked();
  auto *dense = reinterpret_cast<uint16_t *>(allocate(kN * kK * 2));
  for (int64_t i = 0; i < kN * kK; ++i)
    dense[i] = rt::floatToHalf(1);
  uint64_t packed = call.arguments[1].data,
           address = reinterpret_cast<uint64_t>(dense);
  auto set = [&](uint64_t at, uint64_t bytes, size_t index = 1) {
    return sf_function_set_dense_weight(function, index, packed, at, bytes);
  };
  ASSERT_EQ(set(address, kN * kK * 2), SF_OK) << sf_last_error();
  EXPECT_EQ(kernel(call), "dense");
  float sum = 0;
  for (int64_t k = 0; k < kK; ++k)
    sum += rt::halfToFloat(
        reinterpret_cast<uint16_t *>(call.arguments[0].data)[k]);
  EXPECT_EQ(rt::halfToFloat(results(call)[0]), sum);
  uint64_t given = 0;
  ASSERT_EQ(sf_function_dense_bytes(function, &given, nullptr), SF_OK);
  EXPECT_EQ(given, uint64_t(kN * kK * 2));
  // A rebuilt one takes its place, and it that of the rebuilt one.
  ASSERT_EQ(rebuild(call), SF_OK);
  EXPECT_EQ(kernel(call), "dense");
  EXPECT_NE(rt::halfToFloat(results(call)[0]), sum);
  ASSERT_EQ(set(address, kN * kK * 2), SF_OK);
  EXPECT_EQ(FakeDriver::get().allocatedBytes(), 0u);
  EXPECT_EQ(kernel(call), "dense");
  EXPECT_EQ(rt::halfToFloat(results(call)[0]), sum);
  // Results may not be written over it.
  Buffers wrong = call;
  wrong.result.data = address;
  EXPECT_EQ(run(wrong), SF_ERROR_INVALID_ARGUMENT);
  expectError({"overlaps the dense form of 'scale' argument 1 ('w')"});
  ASSERT_EQ(set(0, 0), SF_OK);
  EXPECT_EQ(kernel(call), "packed");
  EXPECT_EQ(run(wrong), SF_OK);

  EXPECT_EQ(set(address, kN * kK * 2 - 1), SF_ERROR_INVALID_ARGUMENT);
  expectError({"argument 1 ('w'): its dense form, f16 [72, 68], needs 9792 "
               "bytes, the buffer has 9791"});
  EXPECT_EQ(set(address + 2, kN * kK * 2), SF_ERROR_INVALID_ARGUMENT);
  expectError({": the address of its dense form must be a multiple of",
               " 16 bytes, found remainder 2"});
  EXPECT_EQ(set(address, kN * kK * 2, 0), SF_ERROR_INVALID_ARGUMENT);
  expectError({"argument 0 ('x'): no kernel reads its dense form; compile with "
               "--dense-fallback weights or rebuild"});
  EXPECT_EQ(set(address, kN * kK * 2, 2), SF_ERROR_INVALID_ARGUMENT);
  expectError({"'scale' has 2 arguments, found number 2"});
  packed = 0;
  EXPECT_EQ(set(address, kN * kK * 2), SF_ERROR_INVALID_ARGUMENT);
  expectError({"the address of the packed weight is null"});
  EXPECT_EQ(sf_function_set_dense_weight(nullptr, 1, 256, 256, 256),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_function_set_dense_weight: 'function' is null"});
}

TEST_F(DenseFormTest, ProductsWithScalesOfGroupsAreExactOrRefused) {
  write("manifest.json",
        denseManifest(kTernary, "f16", R"("dense_fallback": "rebuild", )"));
  ASSERT_EQ(open(), SF_OK) << sf_last_error();
  EXPECT_EQ(sf_function_dense_source(function, 1), SF_DENSE_REBUILD);
  Buffers call = buffersFor(3, randomTernary(8, 0.75f));
  EXPECT_EQ(kernel(call), "packed");
  std::vector<uint16_t> packed = results(call);
  quarantinePacked();
  ASSERT_EQ(rebuild(call), SF_OK) << sf_last_error();
  EXPECT_EQ(kernel(call), "dense");
  EXPECT_EQ(results(call), packed);
  for (float scale : {1e-6f, 1e6f, 0.7f}) {
    Buffers outside = buffersFor(3, randomTernary(8, scale));
    EXPECT_EQ(rebuild(outside), SF_ERROR_UNSUPPORTED);
    expectError({"argument 1 ('w'): row 0, column ",
                 "expected a number that f16 ",
                 "holds exactly for a dense form; use scales of this type and "
                 "one plane, or go without the form"});
    EXPECT_EQ(kernel(outside), "packed");
  }
  // What lies at an address now has no form, whatever lay there before.
  std::memcpy(reinterpret_cast<void *>(call.arguments[1].data),
              randomTernary(8, 1e6f), blobBytes());
  EXPECT_EQ(rebuild(call), SF_ERROR_UNSUPPORTED);
  EXPECT_EQ(kernel(call), "packed");
  EXPECT_EQ(ownedBytes(), 0u);
}

// Kernels apply the scale of a row to sums, whatever it is.
TEST_F(DenseFormTest, AFormHasNoScalesOfRows) {
  for (rt::DType type : {rt::DType::F16, rt::DType::BF16}) {
    weight.dtype = type;
    uint8_t *blob = randomTernary(9, 1e-6f, rt::kRowScale);
    auto values =
        rt::unpackDense(weight, std::vector<uint8_t>(blob, blob + blobBytes()));
    ASSERT_TRUE(values) << values.status().text();
    std::mt19937 random(9);
    for (size_t i = 0; i < values->size(); ++i) {
      int trit = static_cast<int>(random() % 3) - 1;
      uint16_t bits = (*values)[i];
      EXPECT_EQ(type == rt::DType::F16 ? rt::halfToFloat(bits)
                                       : rt::bfloatToFloat(bits),
                i == 5 ? 1 : trit)
          << i;
    }
  }
}

TEST_F(DenseFormTest, ADamagedWeightHasNoForm) {
  ASSERT_EQ(open(), SF_OK);
  uint8_t *blob = randomTwoFour(10);
  // Metadata of a group that names one column twice.
  std::memset(blob + 2 * 2 * 4096, 0, 64);
  Buffers call = buffersFor(1, blob);
  EXPECT_EQ(rebuild(call), SF_ERROR_FORMAT);
  expectError({"'scale' argument 1 ('w')"});
  EXPECT_EQ(ownedBytes(), 0u);
  call.arguments[1].bytes = 100;
  EXPECT_EQ(rebuild(call), SF_ERROR_INVALID_ARGUMENT);
  expectError({"bytes, the buffer has 100"});
  call.arguments[1].data = 0;
  EXPECT_EQ(rebuild(call), SF_ERROR_INVALID_ARGUMENT);
  expectError({"the address is null"});
  EXPECT_EQ(
      sf_function_rebuild_dense_weights(function, call.arguments, 1, nullptr),
      SF_ERROR_INVALID_ARGUMENT);
  expectError({"takes 2 arguments, found 1"});
}

TEST_F(DenseFormTest, EveryFailingCallLeavesThePackedKernel) {
  for (const char *call :
       {"stream_synchronize", "memcpy_dtoh", "mem_alloc", "memcpy_htod"})
    for (bool again : {false, true}) {
      restart();
      addMultiplying();
      Buffers buffers = buffersFor(2, randomTwoFour(11));
      if (again)
        ASSERT_EQ(rebuild(buffers), SF_OK) << sf_last_error();
      quarantinePacked();
      FakeDriver::get().failCall(call, 1, SFCU_ERROR_OUT_OF_MEMORY);
      // The memory of a second time is there.
      bool reached = !again || std::string(call) != "mem_alloc";
      EXPECT_EQ(rebuild(buffers), reached ? SF_ERROR_OUT_OF_MEMORY : SF_OK)
          << call;
      // Before anything is read, what was known still holds.
      bool isKept =
          again && (!reached || std::string(call) == "stream_synchronize");
      EXPECT_EQ(kernel(buffers), isKept ? "dense" : "packed") << call;
      EXPECT_EQ(FakeDriver::get().allocatedBytes(),
                isKept ? size_t(kN * kK * 2) : 0u)
          << call;
      EXPECT_EQ(sf_dispatch_clear(nullptr), SF_OK);
    }
}

TEST_F(DenseFormTest, ACaptureNeitherAllocatesNorCopies) {
  ASSERT_EQ(open(), SF_OK);
  Buffers call = buffersFor(2, randomTwoFour(12));
  quarantinePacked();
  ASSERT_EQ(rebuild(call), SF_OK);
  const sf_driver_table *driver = nullptr;
  ASSERT_EQ(sf_get_driver_table(&driver), SF_OK);
  sfcu_stream stream = nullptr;
  ASSERT_EQ(driver->stream_create(&stream, SFCU_STREAM_NON_BLOCKING), 0);
  ASSERT_EQ(driver->stream_begin_capture(stream,
                                         SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            0);
  size_t before = FakeDriver::get().trace().size();
  ASSERT_EQ(run(call, stream), SF_OK) << sf_last_error();
  std::vector<std::string> trace = FakeDriver::get().trace();
  for (size_t i = before; i < trace.size(); ++i) {
    EXPECT_NE(trace[i].compare(0, 3, "mem"), 0) << trace[i];
    EXPECT_NE(trace[i], "stream_synchronize");
  }
  sfcu_graph graph = nullptr;
  sfcu_graph_exec exec = nullptr;
  ASSERT_EQ(driver->stream_end_capture(stream, &graph), 0);
  ASSERT_EQ(driver->graph_instantiate(&exec, graph, 0), 0);
  ASSERT_EQ(driver->graph_launch(exec, stream), 0);
  ASSERT_EQ(driver->stream_synchronize(stream), 0);
  std::vector<uint16_t> dense = results(call);
  EXPECT_EQ(FakeDriver::get().launches().back().kernel, "dense");
  ASSERT_EQ(
      sf_function_set_dense_weight(function, 1, call.arguments[1].data, 0, 0),
      SF_OK);
  EXPECT_EQ(kernel(call), "packed");
  EXPECT_EQ(results(call), dense);
  driver->graph_exec_destroy(exec);
  driver->graph_destroy(graph);
  driver->stream_destroy(stream);
}

// Given and forgotten by one thread while others launch: each launch reads
// either kernel's numbers, which are the same.
TEST_F(DenseFormTest, ThreadsGiveFormsAndLaunchAtOnce) {
  ASSERT_EQ(open(), SF_OK);
  Buffers first = buffersFor(2, randomTwoFour(13));
  ASSERT_EQ(run(first), SF_OK);
  std::vector<uint16_t> expected = results(first);
  quarantinePacked();
  auto values = rt::unpackDense(
      weight,
      std::vector<uint8_t>(
          reinterpret_cast<uint8_t *>(first.arguments[1].data),
          reinterpret_cast<uint8_t *>(first.arguments[1].data) + blobBytes()));
  ASSERT_TRUE(values);
  uint8_t *dense = allocate(kN * kK * 2);
  std::memcpy(dense, values->data(), kN * kK * 2);
  std::vector<Buffers> calls;
  for (int t = 0; t < 3; ++t)
    calls.push_back(
        buffersFor(2, reinterpret_cast<uint8_t *>(first.arguments[1].data)));
  std::atomic<int> wrong{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (Buffers &call : calls)
    threads.emplace_back([&] {
      for (int i = 0; i < 200 && !done; ++i)
        wrong += run(call) != SF_OK || results(call) != expected;
    });
  for (int i = 0; i < 200; ++i)
    wrong += sf_function_set_dense_weight(
                 function, 1, first.arguments[1].data,
                 i % 2 ? 0 : reinterpret_cast<uint64_t>(dense),
                 kN * kK * 2) != SF_OK;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(DenseFormTest, ManifestsSayWhatADenseFormIs) {
  std::string form = kTwoFour;
  auto opens = [&](const std::string &from, const std::string &to) {
    std::string text = denseManifest(form);
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    write("manifest.json", text.replace(at, from.size(), to));
    sf_bundle_destroy(bundle);
    sf_context_destroy(context);
    bundle = nullptr;
    context = nullptr;
    EXPECT_EQ(open(), SF_ERROR_FORMAT) << from;
  };
  opens(R"({"dense": 1}, 16)", R"({"dense": 0}, 16)");
  expectError({"expected the dense form of a packed weight of constant sizes, "
               "found argument 0, which is none"});
  opens(R"("independent": true)", R"("independent": false)");
  expectError({"variants[1]: reads a dense form, which may be absent: expected "
               "a step that is 'independent'"});
  opens(R"("symbols")", R"("dense_fallback": "never", "symbols")");
  expectError({"dense_fallback", "expected 'weights' or 'rebuild'"});
  opens(R"({"dense": 1}, 16)", R"({"dense": 2}, 16)");
  // Another weight, of which the guard is.
  form = std::string(kTwoFour) + R"(}, {"name": "v", "dtype": "f16",
      "shape": [72, 68], )" +
         kTwoFour;
  opens(R"({"dense": 1}, 16)", R"({"dense": 2}, 16)");
  expectError({"a variant reads the dense form of one argument, found those of",
               " 2 and 1"});
}

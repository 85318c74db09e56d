//===- embedded_test.cpp - Bundles inside object files --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bundle_fixture.h"
#include "quiet_driver.h"
#include "sparseflow/embedded.h"

#include <cstring>
#include <thread>

using namespace sparseflow::test;

static FakeDriver &driver() { return FakeDriver::get(); }

thread_local bool sparseflow::test::countAllocations = false;
thread_local int sparseflow::test::allocations = 0;
void *operator new(size_t bytes) {
  allocations += countAllocations;
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {
/// The bundle of BundleTest as an object would hold it.
class EmbeddedTest : public BundleTest {
protected:
  sf_status load() {
    if (sf_status status = sf_context_create(0, &context))
      return status;
    return sf_embedded_load(context, &embedded, &bundle);
  }
  sf_status call(int64_t tokens, sfcu_stream stream = nullptr) {
    const uint64_t addresses[] = {0x10000, 0x20000, 0x30000};
    return sf_embedded_call(bundle, &embedded, 0, addresses, 3, &tokens, 1,
                            0x40000, static_cast<uint64_t>(tokens) * 256,
                            stream);
  }

  std::string manifest = scaleManifest();
  std::string image = ".version 8.5\n.target sm_90\n";
  sf_embedded_image images[1] = {
      {"scale.sm_90.cubin", image.data(), image.size()}};
  sf_embedded_bundle embedded = {
      1, 1, "scale", manifest.data(), manifest.size(), images};
};
} // namespace

TEST_F(EmbeddedTest, CallsLikeALoadedBundle) {
  ASSERT_EQ(load(), SF_OK) << sf_last_error();
  ASSERT_EQ(call(66), SF_OK) << sf_last_error();
  std::vector<FakeLaunch> launches = driver().launches();
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].kernel, "wide");
  EXPECT_EQ(launches[0].arguments,
            (std::vector<uint64_t>{0x10010, 0x40000 + 528}));
  EXPECT_EQ(launches[1].arguments, (std::vector<uint64_t>{0x40000, 0x30000}));
  uint64_t bytes = 0;
  int64_t tokens = 66;
  ASSERT_EQ(
      sf_embedded_workspace_size(bundle, &embedded, 0, &tokens, 1, &bytes),
      SF_OK);
  EXPECT_EQ(bytes, 66u * 256);
}

// What makes a call safe inside a captured graph.
TEST_F(EmbeddedTest, CallDoesNothingButLaunch) {
  ASSERT_EQ(load(), SF_OK) << sf_last_error();
  sfcu_context native = sf_context_native(context);
  ASSERT_EQ(driver().calls("module_load_data_ex"), 1);
  const sf_driver_table *table = nullptr;
  ASSERT_EQ(sf_get_driver_table(&table), SF_OK);
  ASSERT_EQ(table->ctx_push_current(native), SFCU_SUCCESS);
  sfcu_stream stream = nullptr;
  ASSERT_EQ(table->stream_create(&stream, 0), SFCU_SUCCESS);
  size_t before = driver().trace().size();
  for (int64_t tokens : {1, 66, 67})
    ASSERT_EQ(call(tokens, stream), SF_OK) << sf_last_error();
  std::vector<std::string> trace = driver().trace();
  for (size_t i = before; i < trace.size(); ++i)
    EXPECT_TRUE(trace[i] == "launch_kernel" || trace[i] == "ctx_get_current")
        << trace[i];
  for (const FakeLaunch &launch : driver().launches())
    EXPECT_EQ(launch.stream, stream);
  table->stream_destroy(stream);
  sfcu_context popped = nullptr;
  table->ctx_pop_current(&popped);
}

static sfcu_context quietContext;
static int quietLaunches = 0;
static sfcu_result quietCurrent(sfcu_context *context) {
  *context = quietContext;
  return SFCU_SUCCESS;
}
static sfcu_result quietLaunch(sfcu_function, unsigned, unsigned, unsigned,
                               unsigned, unsigned, unsigned, unsigned,
                               sfcu_stream, void **, void **) {
  ++quietLaunches;
  return SFCU_SUCCESS;
}

QuietDriver::QuietDriver() {
  EXPECT_EQ(sf_get_driver_table(&fake), SF_OK);
  table = *fake;
  table.ctx_get_current = quietCurrent;
  table.launch_kernel = quietLaunch;
  quietLaunches = 0;
  sf_set_driver_table(&table);
}
QuietDriver::~QuietDriver() { sf_set_driver_table(fake); }
void QuietDriver::setCurrent(sfcu_context context) { quietContext = context; }
int QuietDriver::launches() const { return quietLaunches; }

TEST_F(EmbeddedTest, CallAllocatesNothing) {
  QuietDriver quiet;
  ASSERT_EQ(load(), SF_OK) << sf_last_error();
  quiet.setCurrent(sf_context_native(context));
  allocations = 0;
  countAllocations = true;
  sf_status first = call(1), second = call(66), empty = call(0);
  countAllocations = false;
  EXPECT_EQ(first, SF_OK);
  EXPECT_EQ(second, SF_OK);
  EXPECT_EQ(empty, SF_OK);
  EXPECT_EQ(quiet.launches(), 3);
  EXPECT_EQ(allocations, 0);
  // The count counts.
  countAllocations = true;
  EXPECT_EQ(call(-1), SF_ERROR_INVALID_ARGUMENT);
  countAllocations = false;
  EXPECT_GT(allocations, 0);
  sf_bundle_destroy(bundle);
  sf_context_destroy(context);
  bundle = nullptr;
  context = nullptr;
}

TEST_F(EmbeddedTest, CapturesIntoAGraph) {
  int runs = 0;
  driver().addKernel("small", 3, [&](const FakeLaunch &) { ++runs; });
  ASSERT_EQ(load(), SF_OK) << sf_last_error();
  const sf_driver_table *table = nullptr;
  ASSERT_EQ(sf_get_driver_table(&table), SF_OK);
  sfcu_stream stream = nullptr;
  sfcu_graph graph = nullptr;
  sfcu_graph_exec exec = nullptr;
  ASSERT_EQ(table->stream_create(&stream, 0), SFCU_SUCCESS);
  ASSERT_EQ(table->stream_begin_capture(stream,
                                        SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
            SFCU_SUCCESS);
  ASSERT_EQ(call(1, stream), SF_OK) << sf_last_error();
  ASSERT_EQ(table->stream_end_capture(stream, &graph), SFCU_SUCCESS);
  EXPECT_EQ(runs, 0);
  ASSERT_EQ(table->graph_instantiate(&exec, graph, 0), SFCU_SUCCESS);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(table->graph_launch(exec, stream), SFCU_SUCCESS);
  EXPECT_EQ(runs, 3);
  table->graph_exec_destroy(exec);
  table->graph_destroy(graph);
  table->stream_destroy(stream);
}

TEST_F(EmbeddedTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(call(1), SF_ERROR_INVALID_ARGUMENT);
  expectError({"the program is null: call the object's init function first"});
  ASSERT_EQ(load(), SF_OK) << sf_last_error();
  sf_embedded_bundle other = embedded;
  other.name = "other";
  uint64_t bytes = 0;
  int64_t tokens = 1;
  EXPECT_EQ(sf_embedded_workspace_size(bundle, &other, 0, &tokens, 1, &bytes),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"not made by the init function of object 'other'"});
  EXPECT_EQ(
      sf_embedded_workspace_size(bundle, &embedded, 1, &tokens, 1, &bytes),
      SF_ERROR_INVALID_ARGUMENT);
  expectError({"there is no function 1; the bundle has 1"});
  EXPECT_EQ(call(-1), SF_ERROR_INVALID_ARGUMENT);
  expectError({"'scale'", "size 'T' is negative (-1)"});
  EXPECT_EQ(call(1001), SF_ERROR_UNSUPPORTED);
  expectError({"none of its 3 variants", "T = 1001"});
  EXPECT_EQ(call(INT64_MAX / 4), SF_ERROR_INVALID_ARGUMENT);
  const uint64_t addresses[] = {0x10000, 0x20000};
  EXPECT_EQ(sf_embedded_call(bundle, &embedded, 0, addresses, 2, &tokens, 1, 0,
                             0, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"takes 3 addresses and 1 sizes, found 2 and 1"});
  EXPECT_TRUE(driver().launches().empty());
}

TEST_F(EmbeddedTest, RefusesDamagedObjects) {
  ASSERT_EQ(sf_context_create(0, &context), SF_OK);
  auto refused = [&](sf_embedded_bundle bad, sf_status status,
                     std::initializer_list<const char *> parts) {
    EXPECT_EQ(sf_embedded_load(context, &bad, &bundle), status);
    EXPECT_EQ(bundle, nullptr);
    expectError(parts);
  };
  sf_embedded_bundle bad = embedded;
  bad.version = 2;
  refused(bad, SF_ERROR_UNSUPPORTED,
          {"version 2, this library knows version 1; use the library of the "
           "compiler that made the object"});
  bad = embedded;
  bad.manifest = nullptr;
  refused(bad, SF_ERROR_FORMAT, {"object 'scale' has null tables"});
  bad = embedded;
  bad.manifest_bytes = uint64_t(1) << 40;
  refused(bad, SF_ERROR_FORMAT,
          {"object 'scale' has a manifest beyond the limit of"});
  EXPECT_EQ(sf_embedded_load(context, &embedded, nullptr),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"the place for the program is null"});
  bad = embedded;
  bad.manifest_bytes /= 2;
  refused(bad, SF_ERROR_FORMAT, {"object 'scale'"});
  bad = embedded;
  bad.image_count = 0;
  refused(bad, SF_ERROR_FORMAT,
          {"object 'scale' holds no image 'scale.sm_90.cubin'"});
  EXPECT_EQ(sf_embedded_load(nullptr, &embedded, &bundle),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"the context is null; make a context with sf_context_create"});
  // Another chip: said by init, not by the first call.
  sf_context_destroy(context);
  driver().major = 8;
  ASSERT_EQ(sf_context_create(0, &context), SF_OK);
  refused(embedded, SF_ERROR_UNSUPPORTED, {"sm_90", "8"});
}

TEST_F(EmbeddedTest, ThreadsCallAtOnce) {
  ASSERT_EQ(load(), SF_OK) << sf_last_error();
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i)
        failures += call(1 + (t + i) % 16) != SF_OK;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(driver().calls("launch_kernel"), 400);
}

//===- launch_test.cpp - Launching on a driver that fails on command ------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bundle_fixture.h"
#include "sparseflow/runtime.hpp"

#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sparseflow::test;

static FakeDriver &driver() { return FakeDriver::get(); }

TEST_F(BundleTest, GuardsChooseTheVariant) {
  ASSERT_EQ(open(), SF_OK) << sf_last_error();
  ASSERT_EQ(launch(16), SF_OK) << sf_last_error();
  ASSERT_EQ(launch(66), SF_OK) << sf_last_error();
  // Two bytes off 16: only the general variant takes it.
  ASSERT_EQ(launch(66, 0x10002), SF_OK) << sf_last_error();
  // 67 * 16 is no multiple of 32.
  ASSERT_EQ(launch(67), SF_OK) << sf_last_error();
  std::vector<std::string> names;
  for (const FakeLaunch &launch : driver().launches())
    names.push_back(launch.kernel);
  EXPECT_EQ(names, (std::vector<std::string>{"small", "wide", "finish",
                                             "general", "general"}));
  const FakeLaunch small = driver().launches()[0];
  EXPECT_EQ(small.arguments, (std::vector<uint64_t>{0x10000, 0x30000, 16}));
  const FakeLaunch wide = driver().launches()[1];
  EXPECT_EQ(wide.grid, 2u);
  EXPECT_EQ(wide.sharedBytes, 98304u);
  EXPECT_EQ(wide.arguments, (std::vector<uint64_t>{0x10010, 0x40000 + 528}));
}

TEST_F(BundleTest, NoVariantIsAClearErrorAndLaunchesNothing) {
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(1001), SF_ERROR_UNSUPPORTED);
  expectError({"scale", "scale.mlir:3", "T = 1001"});
  EXPECT_TRUE(driver().launches().empty());
}

TEST_F(BundleTest, SizeZeroLaunchesNothing) {
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(0, 0), SF_OK);
  EXPECT_EQ(driver().calls("launch_kernel"), 0);
  EXPECT_EQ(driver().calls("module_load_data_ex"), 0);
  uint64_t bytes = 1;
  int64_t size = 0;
  EXPECT_EQ(sf_function_workspace_size(function, &size, 1, &bytes), SF_OK);
  EXPECT_EQ(bytes, 0u);
}

// An argument without elements, such as the keys of an empty cache, does not
// make its result empty.
TEST_F(BundleTest, SizeZeroOfAnArgumentLaunchesWhatItsResultNeeds) {
  write("manifest.json",
        R"({"format": "sparseflow-bundle", "version": 1, "functions": [
    {"name": "scale", "symbols": ["T"],
     "arguments": [{"name": "x", "dtype": "f16", "shape": ["T", 8]}],
     "results": [{"dtype": "f16", "shape": [4, 8]}],
     "programs": [
      {"target": "sm_90", "image": "scale.sm_90.cubin", "workspace": 256,
       "steps": [{"op": "map", "loc": "scale.mlir:3", "variants": [
        {"guards": [], "launches": [
          {"kernel": "general", "grid": "T", "threads": 256, "shared_bytes": 0,
           "args": [{"arg": 0}]},
          {"kernel": "finish", "grid": 2, "threads": 64, "shared_bytes": 0,
           "args": [{"workspace": 0}, {"result": 0}]}]}]}]}]}]})");
  ASSERT_EQ(open(), SF_OK) << sf_last_error();
  uint64_t bytes = 0;
  int64_t size = 0;
  ASSERT_EQ(sf_function_workspace_size(function, &size, 1, &bytes), SF_OK);
  EXPECT_EQ(bytes, 256u);
  int64_t none[] = {0, 8}, four[] = {4, 8};
  sf_tensor x = {0, none, 2, SF_DTYPE_F16, 0};
  sf_tensor y = {0x30000, four, 2, SF_DTYPE_F16, 64};
  ASSERT_EQ(sf_function_launch(function, &x, 1, &y, 1, 0x40000, 256, nullptr),
            SF_OK)
      << sf_last_error();
  ASSERT_EQ(driver().launches().size(), 1u);
  EXPECT_EQ(driver().launches()[0].kernel, "finish");
}

TEST_F(BundleTest, LaunchNeitherAllocatesNorWaits) {
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(sf_function_prepare(function), SF_OK);
  size_t before = driver().trace().size();
  ASSERT_EQ(launch(66), SF_OK);
  std::vector<std::string> trace = driver().trace();
  trace.erase(trace.begin(), trace.begin() + static_cast<long>(before));
  EXPECT_EQ(trace,
            (std::vector<std::string>{"ctx_get_current", "ctx_push_current",
                                      "launch_kernel", "launch_kernel"}));
}

TEST_F(BundleTest, ImageAndAttributesAreSetOnce) {
  ASSERT_EQ(open(), SF_OK);
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(launch(66), SF_OK);
  EXPECT_EQ(driver().calls("module_load_data_ex"), 1);
  EXPECT_EQ(driver().calls("module_get_function"), 4);
  EXPECT_EQ(driver().calls("func_set_attribute"), 2);
}

TEST_F(BundleTest, RefusesTensorsThatDoNotFit) {
  ASSERT_EQ(open(), SF_OK);
  int64_t shape[] = {32, 8}, weights[] = {64, 64}, other[] = {33, 8};
  const sf_tensor x = {0x10000, shape, 2, SF_DTYPE_F16, 512};
  const sf_tensor w = {0x20000, weights, 2, SF_DTYPE_F16, 4608};
  const sf_tensor y = {0x30000, shape, 2, SF_DTYPE_F16, 512};
  auto attempt = [&](sf_tensor a, sf_tensor b, sf_tensor c,
                     uint64_t workspace = 0x40000, uint64_t bytes = 32 * 256) {
    sf_tensor arguments[] = {a, b};
    return sf_function_launch(function, arguments, 2, &c, 1, workspace, bytes,
                              nullptr);
  };
  ASSERT_EQ(attempt(x, w, y), SF_OK) << sf_last_error();
  size_t good = driver().launches().size();
  auto refused = [&](sf_status status,
                     std::initializer_list<const char *> parts) {
    EXPECT_EQ(status, SF_ERROR_INVALID_ARGUMENT);
    expectError(parts);
  };
  sf_tensor bad = x;
  bad.rank = 1;
  refused(attempt(bad, w, y), {"argument 0", "'x'", "rank 2", "rank 1"});
  bad = x;
  bad.dtype = SF_DTYPE_F32;
  refused(attempt(bad, w, y), {"argument 0", "f16"});
  bad = x;
  bad.bytes = 511;
  refused(attempt(bad, w, y), {"argument 0", "512", "511"});
  bad = x;
  bad.data = 0x10001;
  refused(attempt(bad, w, y), {"argument 0", "multiple of 2"});
  bad = x;
  bad.data = 0;
  refused(attempt(bad, w, y), {"argument 0", "null"});
  bad = x;
  bad.dims = nullptr;
  refused(attempt(bad, w, y), {"argument 0", "null"});
  bad = x;
  bad.data = ~uint64_t(0) - 1;
  refused(attempt(bad, w, y), {"argument 0", "64 bits"});
  bad = w;
  bad.data = 0x20080;
  refused(attempt(x, bad, y), {"argument 1", "'w'", "256"});
  bad = w;
  bad.bytes = 4607;
  refused(attempt(x, bad, y), {"argument 1", "4608"});
  bad = y;
  bad.dims = other;
  refused(attempt(x, w, bad), {"result 0", "32", "33"});
  refused(attempt(x, w, y, 0x40000, 32 * 256 - 1), {"workspace", "8192"});
  refused(attempt(x, w, y, 0x40010),
          {"workspace: the address must be a non-null multiple of 256 bytes"});
  refused(attempt(x, w, y, 0), {"workspace"});
  int64_t negative[] = {-1, 8};
  bad = x;
  bad.dims = negative;
  refused(attempt(bad, w, y), {"negative"});
  refused(sf_function_launch(function, &x, 1, &y, 1, 0, 0, nullptr),
          {"2 arguments", "found 1"});
  refused(sf_function_launch(function, nullptr, 2, &y, 1, 0, 0, nullptr),
          {"'scale': the array of tensors is null"});
  refused(sf_function_launch(nullptr, nullptr, 0, nullptr, 0, 0, 0, nullptr),
          {"function"});
  // Memory that something else of the call is using, in part or as a whole.
  bad = y;
  bad.data = x.data + 510;
  refused(attempt(x, w, bad), {"result 0", "overlaps", "argument 0", "'x'"});
  bad.data = w.data - 510;
  refused(attempt(x, w, bad), {"result 0", "overlaps", "argument 1", "'w'"});
  bad.data = 0x40000 + 256;
  refused(attempt(x, w, bad), {"result 0", "overlaps the workspace"});
  bad = x;
  bad.data = 0x40000 + 32 * 256 - 2;
  refused(attempt(bad, w, y),
          {"argument 0", "overlaps the workspace; give the workspace memory of "
                         "its own"});
  bad = y;
  // Neighbours are fine.
  bad.data = x.data + 512;
  EXPECT_EQ(attempt(x, w, bad), SF_OK) << sf_last_error();
  bad.data = w.data - 512;
  EXPECT_EQ(attempt(x, w, bad), SF_OK) << sf_last_error();
  // An element type of "not said" is taken.
  bad = x;
  bad.dtype = SF_DTYPE_INVALID;
  EXPECT_EQ(attempt(bad, w, y), SF_OK) << sf_last_error();
  EXPECT_EQ(driver().launches().size(), 4 * good);
}

TEST_F(BundleTest, PointerChecksFindHostPointers) {
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(sf_context_check_pointers(context, 1), SF_OK);
  EXPECT_EQ(launch(16), SF_ERROR_INVALID_ARGUMENT);
  expectError({"argument 0", "the address is not device memory known to the "
                             "driver; was a host pointer passed?"});
  ASSERT_EQ(sf_context_check_pointers(context, 0), SF_OK);
  EXPECT_EQ(launch(16), SF_OK);
}

TEST_F(BundleTest, GridAndOffsetsOutOfRangeLaunchNothing) {
  std::string text = scaleManifest();
  text.replace(text.find("\"grid\": 2"), 9,
               "\"grid\": [\"mul\", \"T\", 99999999]");
  write("manifest.json", text);
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(66), SF_ERROR_INVALID_ARGUMENT);
  expectError({"finish", "blocks", "; split the call into smaller ones"});
  // The launch before the bad one did not run either.
  EXPECT_TRUE(driver().launches().empty());
  text = scaleManifest();
  size_t place = text.find("\"offset\": ");
  ASSERT_NE(place, std::string::npos);
  place += 10;
  text.replace(place, text.find_first_of(",}", place) - place,
               "[\"mul\", \"T\", 99999999]");
  write("manifest.json", text);
  sf_bundle_destroy(bundle);
  bundle = nullptr;
  sf_context_destroy(context);
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(66), SF_ERROR_INVALID_ARGUMENT);
  expectError({"bytes lies outside a buffer of", "; the manifest is wrong"});
  EXPECT_TRUE(driver().launches().empty());
}

TEST_F(BundleTest, EveryDriverCallMayFail) {
  // What a good run calls, in order; each call in turn is made to fail.
  ASSERT_EQ(open(), SF_OK);
  ASSERT_EQ(launch(66), SF_OK);
  std::map<std::string, int> calls;
  for (const std::string &name : driver().trace())
    ++calls[name];
  EXPECT_GE(calls.size(), 12u);
  for (sfcu_result error : {SFCU_ERROR_OUT_OF_MEMORY, SFCU_ERROR_NO_DEVICE,
                            SFCU_ERROR_INVALID_IMAGE,
                            SFCU_ERROR_ILLEGAL_ADDRESS, SFCU_ERROR_UNKNOWN})
    for (const auto &[name, count] : calls)
      for (int nth = 1; nth <= count; ++nth) {
        // The second exchange only puts the thread's mode back after the
        // image is loaded: nobody could act on its failure.
        if (name == "thread_exchange_capture_mode" && nth == 2)
          continue;
        TearDown();
        context = nullptr;
        bundle = nullptr;
        function = nullptr;
        SetUp();
        driver().failCall(name, nth, error);
        sf_status status = open();
        if (status == SF_OK)
          status = launch(66);
        EXPECT_NE(status, SF_OK) << name << " " << nth << " " << error;
        expectError({"FAKE_ERROR_"});
        bool sticky = error == SFCU_ERROR_ILLEGAL_ADDRESS;
        EXPECT_EQ(status == SF_ERROR_DEVICE_LOST, sticky)
            << name << ": " << sf_last_error();
        // What failed once and not for good works the next time, on the same
        // objects where they exist.
        if (!sticky) {
          if (!context)
            status = open();
          else if (!function)
            status = sf_bundle_load(context, directory.c_str(), &bundle)
                         ? SF_ERROR_INTERNAL
                         : sf_bundle_function(bundle, "scale", &function);
          EXPECT_EQ(launch(66), SF_OK) << name << ": " << sf_last_error();
        }
        sf_bundle_destroy(bundle);
        sf_context_destroy(context);
        bundle = nullptr;
        context = nullptr;
        if (!sticky) {
          EXPECT_EQ(driver().liveObjects(), 0) << name << " " << nth;
        }
      }
}

TEST_F(BundleTest, StickyErrorsKillTheContextForGood) {
  ASSERT_EQ(open(), SF_OK);
  driver().failCall("launch_kernel", 1, SFCU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(launch(16), SF_ERROR_DEVICE_LOST);
  expectError({"small", "restart the process"});
  size_t calls = driver().trace().size();
  EXPECT_EQ(launch(16), SF_ERROR_DEVICE_LOST);
  expectError({"died earlier", "small", "new process"});
  EXPECT_EQ(sf_function_prepare(function), SF_ERROR_DEVICE_LOST);
  sf_bundle *other = nullptr;
  EXPECT_EQ(sf_bundle_load(context, directory.c_str(), &other),
            SF_ERROR_DEVICE_LOST);
  // None of them asked the driver again.
  EXPECT_EQ(driver().trace().size(), calls);
}

TEST_F(BundleTest, ErrorsSeenByTheCallerCount) {
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(sf_context_report(context, SFCU_SUCCESS, "x"), SF_OK);
  EXPECT_EQ(sf_context_report(context, SFCU_ERROR_OUT_OF_MEMORY, "x"),
            SF_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(launch(16), SF_OK);
  EXPECT_EQ(sf_context_report(context, SFCU_ERROR_ILLEGAL_INSTRUCTION,
                              "waiting for the stream"),
            SF_ERROR_DEVICE_LOST);
  EXPECT_EQ(launch(16), SF_ERROR_DEVICE_LOST);
  expectError({"waiting for the stream"});
}

TEST_F(BundleTest, WrongImagesAreExplained) {
  driver().jitLog = "unsupported version 9.9";
  driver().failCall("module_load_data_ex", 1, SFCU_ERROR_INVALID_IMAGE);
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(16), SF_ERROR_UNSUPPORTED);
  expectError({"scale.sm_90.cubin", "for sm_90", "on sm_90", "13.0",
               "unsupported version 9.9"});
  std::filesystem::remove(directory + "/scale.sm_90.cubin");
  EXPECT_EQ(launch(16), SF_ERROR_IO);
  expectError({"scale.sm_90.cubin"});
  write("scale.sm_90.cubin", "");
  EXPECT_EQ(launch(16), SF_ERROR_FORMAT);
}

TEST_F(BundleTest, OlderDevicesAndSmallSharedMemoryAreNamed) {
  driver().major = 7;
  driver().minor = 5;
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(16), SF_ERROR_UNSUPPORTED);
  expectError({"sm_90", "sm_75"});
  const char *target = "";
  EXPECT_EQ(sf_function_target(function, &target), SF_ERROR_UNSUPPORTED);
}

TEST_F(BundleTest, SharedMemoryBeyondTheDeviceIsNamed) {
  driver().sharedLimit = 65536;
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(16), SF_ERROR_UNSUPPORTED);
  expectError({"wide", "98304", "65536"});
}

TEST_F(BundleTest, MissingKernelIsNamed) {
  std::string text = scaleManifest();
  text.replace(text.find("\"small\""), 7, "\"gone!\"");
  write("manifest.json", text);
  ASSERT_EQ(open(), SF_OK);
  EXPECT_EQ(launch(16), SF_ERROR_DRIVER);
  expectError({"gone!"});
}

TEST_F(BundleTest, LookupAndNames) {
  ASSERT_EQ(open(), SF_OK);
  sf_function *found = nullptr;
  EXPECT_EQ(sf_bundle_function(bundle, nullptr, &found), SF_OK);
  EXPECT_EQ(found, function);
  EXPECT_EQ(sf_bundle_function(bundle, "other", &found),
            SF_ERROR_INVALID_ARGUMENT);
  expectError({"no function 'other'; the bundle has scale"});
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(sf_bundle_function_count(bundle), 1u);
  EXPECT_STREQ(sf_bundle_function_name(bundle, 0), "scale");
  EXPECT_EQ(sf_bundle_function_name(bundle, 1), nullptr);
  EXPECT_EQ(sf_function_symbol_count(function), 1u);
  EXPECT_STREQ(sf_function_symbol_name(function, 0), "T");
  EXPECT_EQ(sf_function_argument_count(function), 2u);
  EXPECT_EQ(sf_function_result_count(function), 1u);
  uint64_t bytes = 0;
  int64_t size = 100;
  EXPECT_EQ(sf_function_workspace_size(function, &size, 1, &bytes), SF_OK);
  EXPECT_EQ(bytes, 25600u);
  size = int64_t(1) << 60;
  EXPECT_EQ(sf_function_workspace_size(function, &size, 1, &bytes),
            SF_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sf_function_workspace_size(function, &size, 0, &bytes),
            SF_ERROR_INVALID_ARGUMENT);
  char name[5];
  EXPECT_EQ(sf_context_device_name(context, name, sizeof(name)), SF_OK);
  EXPECT_STREQ(name, "Fake");
}

TEST_F(BundleTest, DevicesThatDoNotExist) {
  EXPECT_EQ(sf_context_create(1, &context), SF_ERROR_NO_DEVICE);
  expectError({"device 1", "shows 1"});
  EXPECT_EQ(sf_context_create(-1, &context), SF_ERROR_NO_DEVICE);
  driver().deviceCount = 0;
  EXPECT_EQ(sf_context_create(0, &context), SF_ERROR_NO_DEVICE);
  EXPECT_EQ(context, nullptr);
}

TEST_F(BundleTest, AdoptsTheCurrentContext) {
  EXPECT_EQ(sf_context_adopt_current(&context), SF_ERROR_INVALID_ARGUMENT);
  expectError({"no GPU context is current on this thread; make one current or "
               "use sf_context_create"});
  EXPECT_EQ(sf_get_driver_table(nullptr), SF_ERROR_INVALID_ARGUMENT);
  expectError({"sf_get_driver_table: 'table' is null"});
  ASSERT_EQ(open(), SF_OK);
  const sf_driver_table *table = nullptr;
  ASSERT_EQ(sf_get_driver_table(&table), SF_OK);
  ASSERT_EQ(table->ctx_push_current(sf_context_native(context)), 0);
  sf_context *adopted = nullptr;
  ASSERT_EQ(sf_context_adopt_current(&adopted), SF_OK) << sf_last_error();
  EXPECT_EQ(sf_context_native(adopted), sf_context_native(context));
  sf_context_destroy(adopted);
  EXPECT_EQ(driver().calls("primary_ctx_release"), 0);
  // The context is current already: no push.
  int pushes = driver().calls("ctx_push_current");
  EXPECT_EQ(launch(16), SF_OK);
  EXPECT_EQ(driver().calls("ctx_push_current"), pushes);
  sfcu_context popped;
  table->ctx_pop_current(&popped);
}

TEST_F(BundleTest, EightThreadsLaunch) {
  ASSERT_EQ(open(), SF_OK);
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        failures += launch(16) != SF_OK;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(driver().launches().size(), 1600u);
  EXPECT_EQ(driver().calls("module_load_data_ex"), 1);
}

TEST_F(BundleTest, CapturesIntoAGraph) {
  ASSERT_EQ(open(), SF_OK);
  const sf_driver_table *table = nullptr;
  ASSERT_EQ(sf_get_driver_table(&table), SF_OK);
  sfcu_stream stream;
  sfcu_graph graph;
  sfcu_graph_exec exec;
  table->stream_create(&stream, 0);
  table->stream_begin_capture(stream, SFCU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  // The first launch, so the image is loaded during the capture.
  ASSERT_EQ(launch(66, 0x10000, stream), SF_OK) << sf_last_error();
  table->stream_end_capture(stream, &graph);
  EXPECT_TRUE(driver().launches().empty());
  EXPECT_EQ(driver().calls("thread_exchange_capture_mode"), 2);
  table->graph_instantiate(&exec, graph, 0);
  table->graph_launch(exec, stream);
  table->graph_launch(exec, stream);
  EXPECT_EQ(driver().launches().size(), 4u);
  table->graph_exec_destroy(exec);
  table->graph_destroy(graph);
  table->stream_destroy(stream);
}

TEST_F(BundleTest, AForkedChildIsRefused) {
  ASSERT_EQ(open(), SF_OK);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    _exit(launch(16) == SF_ERROR_DEVICE_LOST &&
                  std::string(sf_last_error()).find("forked") !=
                      std::string::npos
              ? 0
              : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(BundleTest, CppOwners) {
  sparseflow::Context owner(0);
  sparseflow::Bundle loaded(owner, directory);
  sparseflow::Function scale = loaded.function();
  EXPECT_EQ(scale.workspaceSize({2}), 512u);
  scale.prepare();
  try {
    loaded.function("other");
    FAIL();
  } catch (const sparseflow::Error &e) {
    EXPECT_EQ(e.code, SF_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(e.what()).find("other"), std::string::npos);
  }
}

TEST(Driver, MissingLibraryIsNoDevice) {
  sf_set_driver_table(nullptr);
  const sf_driver_table *table = nullptr;
  setenv("SPARSEFLOW_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
  EXPECT_EQ(sf_get_driver_table(&table), SF_ERROR_NO_DEVICE);
  expectError({"/nonexistent/libcuda.so.1", "NVIDIA driver"});
  setenv("SPARSEFLOW_LIBCUDA", "relative/libcuda.so", 1);
  EXPECT_EQ(sf_get_driver_table(&table), SF_ERROR_NO_DEVICE);
  expectError({"absolute"});
  // A library that is no driver.
  setenv("SPARSEFLOW_LIBCUDA", "/lib/x86_64-linux-gnu/libc.so.6", 1);
  EXPECT_EQ(sf_get_driver_table(&table), SF_ERROR_NO_DEVICE);
  unsetenv("SPARSEFLOW_LIBCUDA");
  FakeDriver::get().reset();
}

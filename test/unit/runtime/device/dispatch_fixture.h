//===- dispatch_fixture.h - A bundle whose variants compete -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_DISPATCH_FIXTURE_H
#define SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_DISPATCH_FIXTURE_H

#include "bundle_fixture.h"
#include "sparseflow/dispatch.h"

#include <array>

namespace sparseflow::test {

/// scaleManifest() with `what` written before the members of its step, or of
/// its first variant.
inline std::string withInStep(const std::string &what) {
  std::string text = scaleManifest();
  return text.insert(text.find("\"op\": \"matmul\""), what + ", ");
}
inline std::string withInVariant(std::string text, const std::string &what) {
  return text.insert(text.find("\"guards\""), what + ", ");
}

/// Variants 0 (small, up to 16 tokens), 1 (wide and finish) and 2 (general) of
/// "scale", of which any may run, and a store.
class DispatchTest : public BundleTest {
protected:
  void SetUp() override {
    BundleTest::SetUp();
    write("manifest.json", withInStep(R"("independent": true)"));
    store = directory + "/cache/dispatch.sqlite";
    sf_dispatch_set_store(store.c_str());
  }
  void TearDown() override {
    sf_dispatch_set_callback(nullptr, nullptr);
    sf_dispatch_set_store("");
    BundleTest::TearDown();
  }

  /// As another process would begin: the GPU works, nothing is known but what
  /// the store holds.
  void restart() {
    sf_bundle_destroy(bundle);
    sf_context_destroy(context);
    bundle = nullptr;
    context = nullptr;
    FakeDriver &driver = FakeDriver::get();
    driver.reset();
    addKernels();
    sf_dispatch_set_store(store.c_str());
    ASSERT_EQ(open(), SF_OK) << sf_last_error();
  }
  /// Kernels that take these microseconds besides the 10 of every launch.
  void addKernels() {
    FakeDriver &driver = FakeDriver::get();
    for (const auto &[name, spent] : microseconds)
      driver.addKernel(name,
                       name == "small"     ? 3
                       : name == "general" ? 1
                                           : 2,
                       [spent = spent](const FakeLaunch &) {
                         FakeDriver::get().spend(spent);
                       });
  }
  sf_status tune(int64_t tokens, int replays = 2) {
    int64_t shape[] = {tokens, 8}, weights[] = {64, 64};
    auto bytes = static_cast<uint64_t>(tokens) * 16;
    sf_tensor arguments[] = {{0x10000, shape, 2, SF_DTYPE_F16, bytes},
                             {0x20000, weights, 2, SF_DTYPE_F16, 4608}};
    sf_tensor result = {0x30000, shape, 2, SF_DTYPE_F16, bytes};
    return sf_function_tune(function, arguments, 2, &result, 1, 0x40000,
                            bytes * 16, nullptr, replays);
  }
  /// The same with a call for each address of x, which take turns.
  sf_status tuneCalls(const std::vector<uint64_t> &xs,
                      const std::vector<int64_t> &tokens) {
    int64_t dims[] = {64, 64};
    std::vector<std::array<int64_t, 2>> shapes;
    std::vector<std::array<sf_tensor, 2>> arguments;
    std::vector<sf_tensor> results;
    std::vector<sf_call> calls;
    for (int64_t count : tokens)
      shapes.push_back({count, 8});
    for (size_t i = 0; i < xs.size(); ++i) {
      auto bytes = static_cast<uint64_t>(tokens[i]) * 16;
      const int64_t *shape = shapes[i].data();
      arguments.push_back({{{xs[i], shape, 2, SF_DTYPE_F16, bytes},
                            {0x20000, dims, 2, SF_DTYPE_F16, 4608}}});
      results.push_back({0x30000, shape, 2, SF_DTYPE_F16, bytes});
    }
    for (size_t i = 0; i < xs.size(); ++i)
      calls.push_back({arguments[i].data(), &results[i], 0x40000, 1 << 20});
    return sf_function_tune_calls(function, calls.data(), calls.size(), 2, 1,
                                  nullptr, 2);
  }
  /// The kernels of a launch, "wide finish", or its error.
  std::string ran(int64_t tokens, uint64_t x = 0x10000) {
    size_t before = FakeDriver::get().launches().size();
    if (launch(tokens, x) != SF_OK)
      return sf_last_error();
    std::string names;
    std::vector<FakeLaunch> launches = FakeDriver::get().launches();
    for (size_t i = before; i < launches.size(); ++i)
      names += (names.empty() ? "" : " ") + launches[i].kernel;
    return names;
  }

  std::map<std::string, double> microseconds = {
      {"small", 30}, {"wide", 0}, {"finish", 0}, {"general", 0}};
  std::string store;
};

/// What sf_dispatch_quarantined and others give.
inline void collect(const char *json, void *lines) {
  static_cast<std::vector<std::string> *>(lines)->push_back(json);
}
inline std::vector<std::string> quarantined() {
  std::vector<std::string> lines;
  EXPECT_EQ(sf_dispatch_quarantined(collect, &lines), SF_OK);
  return lines;
}

} // namespace sparseflow::test

#endif // SPARSEFLOW_TEST_UNIT_RUNTIME_DEVICE_DISPATCH_FIXTURE_H

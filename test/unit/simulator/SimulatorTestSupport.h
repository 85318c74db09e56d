//===- SimulatorTestSupport.h - Kernels written by hand ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TEST_UNIT_SIMULATOR_SIMULATORTESTSUPPORT_H
#define SPARSEFLOW_TEST_UNIT_SIMULATOR_SIMULATORTESTSUPPORT_H

#include "SparseFlow/Simulator/Simulator.h"
#include "SparseFlow/Simulator/TensorMap.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

#include <cstring>
#include <deque>
#include <map>
#include <set>

namespace mlir::sparseflow::sim {

/// A simulator for the kernel @k of some LLVM IR. `body` is the module without
/// declarations of intrinsics that `declarations` has.
class TestKernel {
public:
  explicit TestKernel(const std::string &text, SimulatorOptions options = {});

  /// Registers memory and returns its place in the list of arguments.
  template <typename T>
  TestKernel &buffer(std::vector<T> &values, bool writable = true,
                     size_t count = ~size_t(0)) {
    size_t bytes = std::min(values.size(), count) * sizeof(T);
    simulator->addBuffer({values.data(), bytes,
                          "buffer " + std::to_string(values64.size()),
                          writable});
    values64.push_back(reinterpret_cast<uint64_t>(values.data()));
    return *this;
  }
  /// Other arguments: a value, or a tensor map, which is passed by value.
  TestKernel &value(uint64_t value) {
    values64.push_back(value);
    return *this;
  }
  TestKernel &tensorMap(const TensorMap &map) {
    maps.push_back(map);
    mapOf[values64.size()] = &maps.back();
    values64.push_back(0);
    return *this;
  }
  /// Fails the test when the launch is refused.
  LaunchReport run(Dim3 grid = {}, Dim3 block = {32, 1, 1},
                   size_t sharedBytes = 0);
  /// The error of a launch that must be refused.
  std::string refusal(Dim3 grid = {}, Dim3 block = {32, 1, 1},
                      size_t sharedBytes = 0);

  std::unique_ptr<Simulator> simulator;

private:
  llvm::Expected<LaunchReport> launch(Dim3 grid, Dim3 block,
                                      size_t sharedBytes);
  std::vector<uint64_t> values64;
  std::deque<TensorMap> maps;
  std::map<size_t, const TensorMap *> mapOf;
};

/// Bits of a float as f16 or bf16; exact values only.
uint16_t toHalf(float value);
uint16_t toBFloat(float value);

/// A small pseudo-random sequence.
struct Random {
  uint32_t state = 12345;
  uint32_t operator()(uint32_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  }
};

} // namespace mlir::sparseflow::sim

#endif // SPARSEFLOW_TEST_UNIT_SIMULATOR_SIMULATORTESTSUPPORT_H

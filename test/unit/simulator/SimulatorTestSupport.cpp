//===- SimulatorTestSupport.cpp - Kernels written by hand -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::sparseflow::sim;

TestKernel::TestKernel(const std::string &text, SimulatorOptions options) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
      "target triple = \"nvptx64-nvidia-cuda\"\n" + text, diagnostic, context);
  if (!module) {
    diagnostic.print("kernel", llvm::errs());
    ADD_FAILURE() << "the kernel does not parse";
    return;
  }
  auto made = Simulator::create(*module, options);
  if (!made) {
    ADD_FAILURE() << llvm::toString(made.takeError());
    return;
  }
  simulator = std::move(*made);
}

llvm::Expected<LaunchReport> TestKernel::launch(Dim3 grid, Dim3 block,
                                                size_t sharedBytes) {
  std::vector<const void *> arguments;
  for (size_t i = 0; i < values64.size(); ++i) {
    auto map = mapOf.find(i);
    arguments.push_back(map == mapOf.end()
                            ? static_cast<const void *>(&values64[i])
                            : map->second);
  }
  return simulator->launch("k", grid, block, sharedBytes, arguments);
}

LaunchReport TestKernel::run(Dim3 grid, Dim3 block, size_t sharedBytes) {
  llvm::Expected<LaunchReport> report = launch(grid, block, sharedBytes);
  if (report)
    return std::move(*report);
  ADD_FAILURE() << llvm::toString(report.takeError());
  return {};
}

std::string TestKernel::refusal(Dim3 grid, Dim3 block, size_t sharedBytes) {
  llvm::Expected<LaunchReport> report = launch(grid, block, sharedBytes);
  if (!report)
    return llvm::toString(report.takeError());
  ADD_FAILURE() << "the launch was not refused";
  return "";
}

uint16_t mlir::sparseflow::sim::toBFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}

uint16_t mlir::sparseflow::sim::toHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffff) == 0)
    return static_cast<uint16_t>(bits >> 16);
  uint32_t exponent = (bits >> 23 & 255) - 127 + 15;
  EXPECT_TRUE(exponent > 0 && exponent < 31) << value;
  EXPECT_EQ(bits & 0x1fff, 0u) << value;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | exponent << 10 |
                               (bits >> 13 & 0x3ff));
}

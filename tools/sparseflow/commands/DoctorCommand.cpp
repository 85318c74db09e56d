//===- DoctorCommand.cpp - sparseflow doctor ------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "SparseFlow/Target/NVPTX/Assembler.h"
#include "SparseFlow/Target/NVPTX/Kernels.h"
#include "device/Devices.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <thread>

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;
using llvm::json::Object;

namespace {

/// One line of the answer.
struct Finding {
  std::string subject;
  bool found = false;
  /// What was found, or why not.
  std::string text;
  /// What a user can do about it; "" when there is nothing to do.
  std::string advice;
};

} // namespace

static Finding lookAtLLVM() {
  Finding finding{"LLVM", true, LLVM_VERSION_STRING ", targets", ""};
  for (const TargetInfo &target : knownTargets()) {
    auto machine = createTargetMachine(target);
    if (machine) {
      finding.text += " " + target.name.str();
      continue;
    }
    finding.found = false;
    finding.advice = llvm::toString(machine.takeError());
  }
  return finding;
}

static Finding lookAtPtxas(const std::string &requested) {
  Finding finding{"ptxas", false, "",
                  "without it: --emit mlir, sftile, nvvm, llvm, ptx and "
                  "manifest, and --device cpu"};
  llvm::Expected<std::string> path = findPtxas(requested);
  if (!path) {
    finding.text = llvm::toString(path.takeError());
    return finding;
  }
  llvm::Expected<std::string> version = ptxasVersion(*path);
  if (!version) {
    finding.text = llvm::toString(version.takeError());
    return finding;
  }
  return {"ptxas", true, "CUDA " + *version + ", " + *path, ""};
}

static Finding lookAtGpu(Finding &target) {
  llvm::Expected<GpuInfo> gpu = findGpu();
  target = {"native target", false, "none", ""};
  if (!gpu)
    return {"GPU", false, llvm::toString(gpu.takeError()),
            "programs run on the CPU here (--device cpu); bundles can be "
            "compiled for any target and run elsewhere"};
  llvm::Expected<const TargetInfo *> served =
      targetForDevice(gpu->major, gpu->minor);
  if (served)
    target = {"native target", true, (*served)->name.str(), ""};
  else
    target.text = llvm::toString(served.takeError());
  return {"GPU", true,
          gpu->name + ", compute capability " + std::to_string(gpu->major) +
              "." + std::to_string(gpu->minor),
          ""};
}

static Finding lookAtCpu() {
  // The features that the CPU device's code uses when they are there.
  llvm::SmallVector<std::string> have;
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (const char *name : {"avx", "f16c", "fma", "avx2", "avx512f",
                           "avx512bf16", "avx512fp16", "amx-bf16"})
    if (features.lookup(name))
      have.push_back(name);
  return {"CPU", true,
          llvm::sys::getHostCPUName().str() + ", " +
              std::to_string(std::thread::hardware_concurrency()) +
              " threads, " +
              (have.empty() ? "no vector extension" : llvm::join(have, " ")),
          ""};
}

static Finding lookAtExec(const std::string &program) {
  llvm::SmallString<128> path(llvm::sys::path::parent_path(program));
  llvm::sys::path::append(path, "sparseflow-exec");
  if (llvm::sys::fs::can_execute(path))
    return {"sparseflow-exec", true, path.str().str(), ""};
  return {"sparseflow-exec", false, "not beside this program",
          "it runs bundles on machines without LLVM; build or install it "
          "where bundles are to run"};
}

int driver::runDoctorCommand(const DoctorCommandOptions &options,
                             const std::string &program) {
  if (options.dispatch)
    return reportDispatch(options);
  Finding target;
  Finding gpu = lookAtGpu(target);
  const Finding findings[] = {lookAtLLVM(), lookAtPtxas(options.ptxasPath),
                              gpu,          target,
                              lookAtCpu(),  lookAtExec(program)};
  llvm::outs() << compilerVersion() << "\n";
  llvm::json::Array list;
  for (const Finding &finding : findings) {
    llvm::outs() << (finding.found ? "  found    " : "  missing  ")
                 << llvm::left_justify(finding.subject, 16) << finding.text
                 << "\n";
    if (!finding.found && !finding.advice.empty())
      llvm::outs() << "                           " << finding.advice << "\n";
    list.push_back(Object{{"subject", finding.subject},
                          {"found", finding.found},
                          {"text", finding.text},
                          {"advice", finding.advice}});
  }
  llvm::outs().flush();
  if (options.json.empty())
    return Success;
  llvm::json::Value report = Object{{"producer", compilerVersion().str()},
                                    {"findings", std::move(list)}};
  return writeOutput(options.json, llvm::formatv("{0:2}\n", report).str());
}

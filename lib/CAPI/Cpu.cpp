//===- Cpu.cpp - The CPU device as a C library ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow-c/Cpu.h"
#include "Session.h"

#include "SparseFlow/Compiler/Compiler.h"
#include "SparseFlow/Target/CPU/CpuDevice.h"
#include "SparseFlow/Target/Manifest/Manifest.h"

using namespace mlir;
using namespace mlir::sparseflow;
using capi::lastError;
using capi::Session;

struct SparseFlowCpuProgram {
  // The device refers to types of the session's context.
  std::unique_ptr<Session> session;
  std::unique_ptr<CpuDevice> device;
  std::string manifest;
};

int sparseflowCpuCompile(const char *module, size_t bytes,
                         const SparseFlowCompileOptions *given,
                         unsigned threads, SparseFlowCpuProgram **program) {
  if (!program || !module) {
    lastError = "sparseflowCpuCompile: the module or the program is null";
    return 1;
  }
  *program = nullptr;
  SparseFlowCompileOptions options;
  if (!capi::readOptions(given, options))
    return 1;
  auto made = std::make_unique<SparseFlowCpuProgram>();
  made->session = std::make_unique<Session>(options);
  Session &session = *made->session;
  if (!session.parse(module, bytes) ||
      failed(importModule(*session.module, capi::sparseMarks(options))))
    return 1;
  FailureOr<std::vector<llvm::json::Object>> functions =
      describeFunctions(*session.module);
  if (failed(functions))
    return 1;
  ManifestBuilder builder(compilerVersion().str());
  for (llvm::json::Object &function : *functions)
    builder.addFunction(std::move(function));
  made->manifest = builder.str();
  if (failed(lowerForCpu(*session.module)))
    return 1;
  CpuOptions cpu;
  cpu.threads = threads;
  auto device = CpuDevice::compile(*session.module, cpu);
  if (!device)
    return session.fail(device.takeError());
  made->device = std::move(*device);
  session.detach();
  *program = made.release();
  return 0;
}

const char *sparseflowCpuManifest(const SparseFlowCpuProgram *program) {
  return program ? program->manifest.c_str() : "";
}

/// The numbers of sf_dtype, which a program may pass without its header.
static std::optional<HostType> hostType(int32_t number) {
  switch (number) {
  case 1:
    return HostType::F16;
  case 2:
    return HostType::BF16;
  case 3:
    return HostType::F32;
  case 4:
    return HostType::F64;
  case 5:
  case 6: // packed bytes are u8 for the runtime, i8 for the compiler
    return HostType::I8;
  case 7:
    return HostType::I16;
  case 9:
    return HostType::I32;
  case 11:
    return HostType::I64;
  case 13:
    return HostType::I1;
  }
  return std::nullopt;
}

/// Views of the caller's arrays; false, with the thread's error, where one is
/// none.
static bool view(StringRef what, const SparseFlowCpuTensor *tensors,
                 size_t count, SmallVectorImpl<HostBuffer> &views) {
  for (size_t i = 0; i < count; ++i) {
    const SparseFlowCpuTensor &tensor = tensors[i];
    std::optional<HostType> type = hostType(tensor.dtype);
    if (!type || tensor.rank < 0 || (tensor.rank > 0 && !tensor.sizes)) {
      lastError = (what + " " + Twine(i) +
                   ": expected an element type of the CPU device and its "
                   "sizes, found type " +
                   Twine(tensor.dtype) + " of rank " + Twine(tensor.rank))
                      .str();
      return false;
    }
    HostBuffer buffer;
    buffer.data = tensor.data;
    buffer.dtype = *type;
    buffer.shape.assign(tensor.sizes, tensor.sizes + tensor.rank);
    views.push_back(std::move(buffer));
  }
  return true;
}

int sparseflowCpuRun(const SparseFlowCpuProgram *program, const char *function,
                     const SparseFlowCpuTensor *arguments, size_t argumentCount,
                     const SparseFlowCpuTensor *results, size_t resultCount) {
  if (!program || !function || (argumentCount && !arguments) ||
      (resultCount && !results)) {
    lastError = "sparseflowCpuRun: the program, the function, the arguments or "
                "the results are null";
    return 1;
  }
  SmallVector<HostBuffer> inputs, outputs;
  if (!view("argument", arguments, argumentCount, inputs) ||
      !view("result", results, resultCount, outputs))
    return 1;
  if (llvm::Error error = program->device->run(function, inputs, outputs)) {
    lastError = llvm::toString(std::move(error));
    return 1;
  }
  return 0;
}

void sparseflowCpuDestroy(SparseFlowCpuProgram *program) { delete program; }

//===- Outputs.cpp - Kinds of output, bundles and reports -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Compiler/Compiler.h"

#include "SparseFlow/System/Files.h"
#include "SparseFlow/Target/Manifest/Manifest.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;
using llvm::json::Array;
using llvm::json::Object;

static constexpr std::pair<OutputKind, StringRef> kKinds[] = {
    {OutputKind::MLIR, "mlir"},         {OutputKind::SFTile, "sftile"},
    {OutputKind::NVVM, "nvvm"},         {OutputKind::LLVM, "llvm"},
    {OutputKind::PTX, "ptx"},           {OutputKind::Cubin, "cubin"},
    {OutputKind::Fatbin, "fatbin"},     {OutputKind::Bundle, "bundle"},
    {OutputKind::Manifest, "manifest"}, {OutputKind::Object, "obj"},
    {OutputKind::Header, "header"}};

StringRef mlir::sparseflow::stringifyOutputKind(OutputKind kind) {
  for (auto [candidate, name] : kKinds)
    if (candidate == kind)
      return name;
  llvm_unreachable("every kind has a name");
}

std::optional<OutputKind> mlir::sparseflow::parseOutputKind(StringRef name) {
  for (auto [kind, candidate] : kKinds)
    if (candidate == name)
      return kind;
  return std::nullopt;
}

std::string mlir::sparseflow::outputKindNames() {
  std::string names;
  for (auto [kind, name] : kKinds)
    names += (names.empty() ? "" : ", ") + name.str();
  return names;
}

InputLevel mlir::sparseflow::classifyInput(ModuleOp module) {
  InputLevel level = InputLevel::Tensor;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    if (level == InputLevel::Tensor)
      level = InputLevel::Host;
    kernels.walk([&](Operation *op) {
      if (op == kernels.getOperation() ||
          isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(
              op->getDialect()))
        return WalkResult::advance();
      level = InputLevel::Tile;
      return WalkResult::interrupt();
    });
  }
  return level;
}

StringRef mlir::sparseflow::compilerVersion() {
  return "sparseflow " SPARSEFLOW_VERSION;
}

llvm::Error mlir::sparseflow::writeBundle(const CompileResult &result,
                                          StringRef directory,
                                          StringRef weights) {
  std::vector<DirectoryFile> files;
  for (const TargetResult &target : result.targets) {
    files.push_back({target.image, target.cubin});
    StringRef stem = target.image;
    stem.consume_back(".cubin");
    files.push_back({(stem + ".ptx").str(), target.ptx});
  }
  if (!weights.empty())
    files.push_back({"weights.sfpk", weights.str()});
  files.push_back({kManifestFile.str(), result.manifest});
  return writeDirectoryAtomically(directory, files, kManifestFile);
}

static Object kernelObject(const KernelReport &kernel) {
  Object census;
  for (const auto &[group, count] : kernel.census)
    census[group] = count;
  Object object{{"name", kernel.name},
                {"schedule", kernel.schedule},
                {"threads", kernel.threads},
                {"dynamic_shared_bytes", kernel.dynamicSharedBytes},
                {"instructions", std::move(census)}};
  if (kernel.resources) {
    object["registers"] = kernel.resources->registers;
    object["static_shared_bytes"] = kernel.resources->sharedBytes;
    object["spill_store_bytes"] = kernel.resources->spillStoreBytes;
    object["spill_load_bytes"] = kernel.resources->spillLoadBytes;
    object["stack_bytes"] = kernel.resources->stackBytes;
    object["barriers"] = kernel.resources->barriers;
  }
  return object;
}

std::string mlir::sparseflow::reportText(const CompileResult &result) {
  Array targets;
  for (const TargetResult &target : result.targets) {
    Array kernels;
    for (const KernelReport &kernel : target.kernels)
      kernels.push_back(kernelObject(kernel));
    unsigned version = target.target->ptxVersion;
    Object object{{"target", target.target->name.str()},
                  {"family", target.target->family.str()},
                  {"ptx_version",
                   (Twine(version / 10) + "." + Twine(version % 10)).str()},
                  {"kernels", std::move(kernels)}};
    if (target.ptxas)
      object["ptxas"] = Object{{"path", target.ptxas->tool},
                               {"version", target.ptxas->version},
                               {"complaints", Array(target.ptxas->complaints)}};
    targets.push_back(std::move(object));
  }
  Array remarks;
  for (const CompileRemark &remark : result.remarks)
    remarks.push_back(
        Object{{"location", remark.location}, {"text", remark.text}});
  llvm::json::Value report =
      Object{{"producer", compilerVersion().str()},
             {"llvm", LLVM_VERSION_STRING},
             {"output", stringifyOutputKind(result.output).str()},
             {"targets", std::move(targets)},
             {"remarks", std::move(remarks)}};
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::formatv("{0:2}", report) << "\n";
  return text;
}

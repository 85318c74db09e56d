//===- Outputs.cpp - Kinds of output, and bundles -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Compiler/Compiler.h"

#include "SparseFlow/System/Files.h"
#include "SparseFlow/Target/Manifest/Manifest.h"
#include "SparseFlow/Target/NVPTX/LaunchAttributes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr std::pair<OutputKind, StringRef> kKinds[] = {
    {OutputKind::MLIR, "mlir"},         {OutputKind::SFTile, "sftile"},
    {OutputKind::NVVM, "nvvm"},         {OutputKind::LLVM, "llvm"},
    {OutputKind::PTX, "ptx"},           {OutputKind::Cubin, "cubin"},
    {OutputKind::Fatbin, "fatbin"},     {OutputKind::Bundle, "bundle"},
    {OutputKind::Manifest, "manifest"}, {OutputKind::Object, "obj"},
    {OutputKind::Header, "header"},     {OutputKind::TensorRT, "tensorrt"}};

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
      if (op == kernels.getOperation() || isTranslated(op))
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

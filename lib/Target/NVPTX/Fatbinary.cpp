//===- Fatbinary.cpp - Several cubins in one image ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/System/Files.h"
#include "SparseFlow/System/Subprocess.h"
#include "SparseFlow/Target/NVPTX/Assembler.h"
#include "ToolSearch.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::sparseflow;

llvm::Expected<std::string>
mlir::sparseflow::linkFatbin(llvm::ArrayRef<FatbinImage> images,
                             const AssembleOptions &options) {
  // The two tools come together, so ptxas's directory is the first guess.
  std::string beside;
  if (llvm::Expected<std::string> ptxas =
          findPtxas(options.ptxasPath, options.toolkit))
    beside = llvm::sys::path::parent_path(*ptxas).str();
  else
    llvm::consumeError(ptxas.takeError());
  std::string searched;
  std::string tool =
      findCudaTool("fatbinary", beside, options.toolkit, searched);
  if (tool.empty())
    return llvm::createStringError(
        llvm::formatv("fatbinary was not found (searched {0}): install the "
                      "CUDA toolkit, or use --emit bundle, which needs none",
                      searched)
            .str());

  llvm::Expected<PrivateTempDir> directory =
      PrivateTempDir::create("sparseflow-fatbin");
  if (!directory)
    return directory.takeError();
  std::string output = directory->file("module.fatbin");
  std::vector<std::string> arguments{"-64", "--create=" + output};
  auto add = [&](llvm::StringRef kind, const TargetInfo &target,
                 llvm::StringRef data) -> llvm::Error {
    std::string name = directory->file(
        (target.name + (kind == "elf" ? ".cubin" : ".ptx")).str());
    if (llvm::Error error = writeFileAtomically(name, data))
      return error;
    arguments.push_back(llvm::formatv("--image3=kind={0},sm={1},file={2}", kind,
                                      target.name.drop_front(3), name)
                            .str());
    return llvm::Error::success();
  };
  for (const FatbinImage &image : images) {
    if (llvm::Error error = add("elf", *image.target, image.cubin))
      return error;
    if (!image.ptx.empty())
      if (llvm::Error error = add("ptx", *image.target, image.ptx))
        return error;
  }
  SubprocessOptions run;
  run.timeout = options.timeout;
  run.cancelled = options.cancelled;
  llvm::Expected<SubprocessResult> result = runSubprocess(tool, arguments, run);
  if (!result)
    return result.takeError();
  if (!result->succeeded())
    return llvm::createStringError(
        llvm::formatv("{0} failed (status {1}): {2}", tool, result->exitCode,
                      llvm::StringRef(result->standardError).trim())
            .str());
  return readRegularFile(output, 1ull << 30);
}

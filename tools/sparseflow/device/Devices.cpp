//===- Devices.cpp - What this machine can run ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/Devices.h"

#include "Options.h"

#include "sparseflow/runtime.h"

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::driver;

llvm::Expected<GpuInfo> driver::findGpu() {
  sf_context *context = nullptr;
  if (sf_context_create(0, &context) != SF_OK)
    return llvm::createStringError(sf_last_error());
  GpuInfo info;
  char name[256] = "";
  bool known =
      sf_context_capability(context, &info.major, &info.minor) == SF_OK &&
      sf_context_device_name(context, name, sizeof(name)) == SF_OK;
  std::string error = known ? "" : sf_last_error();
  sf_context_destroy(context);
  if (!known)
    return llvm::createStringError(error);
  info.name = name;
  return info;
}

int driver::resolveTargets(llvm::StringRef text,
                           llvm::SmallVectorImpl<const TargetInfo *> &targets,
                           std::string *gpu) {
  if (text == "native") {
    llvm::Expected<GpuInfo> found = findGpu();
    if (!found)
      return fail(Environment,
                  "--target native: " + llvm::toString(found.takeError()) +
                      "; name a target instead, such as sm_80");
    if (gpu)
      *gpu = found->name;
    llvm::Expected<const TargetInfo *> target =
        targetForDevice(found->major, found->minor);
    if (!target)
      return fail(Environment,
                  "--target native: " + llvm::toString(target.takeError()));
    targets.push_back(*target);
    return Success;
  }
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, ',');
  for (llvm::StringRef name : names)
    if (names.size() > 1 && (name.trim() == "cpu" || name.trim() == "native"))
      return fail(Usage, "--target: '" + name.trim().str() +
                             "' stands alone, found '" + text.str() +
                             "'; compile once for it and once for the others");
  llvm::Expected<llvm::SmallVector<const TargetInfo *>> parsed =
      parseTargets(text);
  if (!parsed)
    return fail(Usage, "--target: " + llvm::toString(parsed.takeError()) +
                           ", native or cpu");
  targets.append(parsed->begin(), parsed->end());
  return Success;
}

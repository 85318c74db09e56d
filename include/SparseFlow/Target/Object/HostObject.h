//===- HostObject.h - Objects and headers for C programs --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bundle as an object file that a C program links: the manifest and the
// images as read-only data, and one small function for each compiled function,
// which calls libsparseflow_rt (sparseflow/embedded.h). docs/c-abi.md describes
// the interface for users.
//
//   describe  manifest -> the C names and parameters, all of them checked
//   print     -> the text of the header
//   emit      -> the bytes of a relocatable object for this machine
//
// Functions here have no state and may run on several threads at once.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_OBJECT_HOSTOBJECT_H
#define SPARSEFLOW_TARGET_OBJECT_HOSTOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::sparseflow {

/// A tensor as a C parameter.
struct HostTensor {
  /// A C identifier, distinct from the function's other parameters.
  std::string name;
  /// What the memory holds, for the header: "f16 [T][384], row-major".
  std::string description;
  /// Each dimension: a number, or the C name of a size.
  std::vector<std::string> shape;
  /// The memory holds packed bytes, not elements.
  bool packed = false;
};

/// A compiled function as C sees it.
struct HostFunction {
  std::string name;
  std::vector<HostTensor> arguments, results;
  /// C names of the dynamic sizes.
  std::vector<std::string> sizes;
};

/// All that an object offers.
struct HostInterface {
  /// A C identifier: prefix of init and release.
  std::string name;
  /// "sparseflow 0.1.0".
  std::string producer;
  /// "sm_80, sm_90".
  std::string targets;
  std::vector<HostFunction> functions;
  /// The manifest without what only tools read.
  std::string manifest;
};

/// A C identifier that resembles the stem of the file name `path`, for
/// describeHostObject: "out/ffn-v2.o" gives "ffn_v2".
std::string hostObjectName(llvm::StringRef path);

/// Reads the text of a manifest.json. The error names a function or an object
/// that C cannot have by that name, or two that would share one.
llvm::Expected<HostInterface> describeHostObject(llvm::StringRef name,
                                                 llvm::StringRef manifest);

/// The header: C11 and C++, includes sparseflow/runtime.h only.
std::string printHostHeader(const HostInterface &interface);

/// The header of an object for a CPU (emitCpuObject), which `processor` names:
/// C11 and C++, includes stdint.h only.
std::string printCpuHeader(const HostInterface &interface,
                           llvm::StringRef processor);

/// An image under its name in the manifest.
struct HostImage {
  llvm::StringRef name;
  llvm::StringRef data;
};

/// A position-independent object for the machine this runs on, for any of its
/// processors. The same input gives the same bytes.
llvm::Expected<std::string> emitHostObject(const HostInterface &interface,
                                           llvm::ArrayRef<HostImage> images);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_OBJECT_HOSTOBJECT_H

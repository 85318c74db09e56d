//===- Manifest.h - The data that a bundle is read by -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TARGET_MANIFEST_MANIFEST_H
#define SPARSEFLOW_TARGET_MANIFEST_MANIFEST_H

#include "SparseFlow/Target/Manifest/HostProgram.h"
#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::sparseflow {

/// The name of the file that makes a directory a bundle.
constexpr llvm::StringLiteral kManifestFile = "manifest.json";

/// Collects functions and their programs for several targets. The text does
/// not depend on the order of hash tables, the time or the machine.
class ManifestBuilder {
public:
  /// `producer` is the name and version of the tool, "sparseflow 0.1.0".
  explicit ManifestBuilder(std::string producer)
      : producer(std::move(producer)) {}

  /// Adds what is known about a function before it is lowered: an object with
  /// "name", "symbols", "arguments", "results" and "reference", as
  /// exportReference makes it.
  void addFunction(llvm::json::Object description);

  /// Adds the programs of every host function of `module`, compiled for
  /// `target` into the file `image` of the bundle. A function that was not
  /// described before is described from its attributes, without a reference.
  /// Errors are reported at ops.
  LogicalResult addPrograms(ModuleOp module, const TargetInfo &target,
                            StringRef image);

  /// Says where launches have the dense forms of packed weights from:
  /// "weights", from the caller, or "rebuild".
  void setDenseFallback(StringRef from) { denseFallback = from.str(); }

  /// True when no function has been added.
  bool empty() const { return functions.empty(); }

  /// The text of manifest.json.
  std::string str() const;

private:
  llvm::json::Object *find(StringRef name);

  std::string producer, denseFallback = "weights";
  std::vector<llvm::json::Object> functions;
};

/// The members "name", "symbols", "arguments" and "results" of a function,
/// from the attributes of its host form.
FailureOr<llvm::json::Object> describeHost(const HostSignature &signature);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_TARGET_MANIFEST_MANIFEST_H

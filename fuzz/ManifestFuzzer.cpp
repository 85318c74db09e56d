//===- ManifestFuzzer.cpp - Reads manifests of bundles --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tools' reader, which is the runtime's and then that of the reference
// graph, and everything that is computed from a manifest before a device is
// touched.
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"

#include "reference/ReferenceShapes.h"
#include "run/Manifest.h"

#include <vector>

using namespace sparseflow;
using namespace sparseflow::fuzz;

namespace {

template <typename T>
void check(const rt::Expected<T> &value) {
  if (!value)
    checkError(value.status());
}

void evaluate(const rt::KernelArgument &argument, const int64_t *symbols) {
  check(argument.expression.evaluate(symbols));
}

void evaluate(const rt::Program &program, const int64_t *symbols) {
  for (const rt::Step &step : program.steps)
    for (const rt::Variant &variant : step.variants) {
      for (const rt::Guard &guard : variant.guards) {
        if (guard.kind == rt::Guard::Kind::Aligned) {
          evaluate(guard.pointer, symbols);
          continue;
        }
        check(guard.left.evaluate(symbols));
        check(guard.right.evaluate(symbols));
      }
      for (const rt::KernelLaunch &launch : variant.launches) {
        check(launch.grid.evaluate(symbols));
        for (const rt::KernelArgument &argument : launch.arguments)
          evaluate(argument, symbols);
      }
    }
}

void evaluate(const rt::TensorSpec &spec, const std::vector<int64_t> &symbols) {
  std::vector<int64_t> dims;
  for (const rt::Dim &dim : spec.shape)
    dims.push_back(dim.value(symbols.data()));
  check(rt::storageBytes(spec, dims.data()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  rt::Expected<tools::BundleManifest> full = tools::parseBundleManifest(text);
  if (!full) {
    checkError(full.status());
    return 0;
  }
  const std::vector<rt::Function> &functions = full->manifest.functions;
  for (size_t i = 0; i < functions.size(); ++i) {
    const rt::Function &function = functions[i];
    for (int major : {8, 9, 12})
      for (int minor : {0, 6})
        check(function.select(major, minor));
    for (int64_t value :
         {int64_t(0), int64_t(1), int64_t(65), int64_t(1) << 33, INT64_MAX}) {
      std::vector<int64_t> symbols(function.symbols.size(), value);
      for (const rt::Program &program : function.programs) {
        check(function.workspaceBytes(program, symbols.data()));
        evaluate(program, symbols.data());
      }
      for (const rt::TensorSpec &spec : function.arguments)
        evaluate(spec, symbols);
      for (const rt::TensorSpec &spec : function.results)
        evaluate(spec, symbols);
      if (full->references[i]) {
        rt::Expected<tools::GraphShapes> shapes =
            tools::inferShapes(function, *full->references[i], symbols);
        check(shapes);
        if (shapes)
          check(tools::inferDemands(*full->references[i], *shapes));
      }
    }
  }
  return 0;
}

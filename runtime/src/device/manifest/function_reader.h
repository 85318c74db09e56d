//===- function_reader.h - Reads a manifest's function --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_MANIFEST_FUNCTION_READER_H
#define SPARSEFLOW_RT_DEVICE_MANIFEST_FUNCTION_READER_H

#include "device/manifest/json.h"
#include "device/manifest/manifest.h"

#include <limits>

namespace sparseflow::rt {

inline constexpr int64_t maxInteger = std::numeric_limits<int64_t>::max();
inline constexpr int64_t minInteger = std::numeric_limits<int64_t>::min();

/// Reads one function; the symbols it declares resolve names below it.
class FunctionReader {
public:
  FunctionReader(const JsonCursor &json, Function &function)
      : json(json), function(function) {}

  void read();

private:
  int symbol(const JsonCursor &json) const;
  Expression expression(const JsonCursor &json) const;
  void appendExpression(const JsonCursor &json, Expression &result) const;
  TensorSpec tensor(const JsonCursor &json) const;
  TensorSpec result(const JsonCursor &json) const;
  void encoding(const JsonCursor &json, TensorSpec &spec) const;
  void ternary(const JsonCursor &json, TensorSpec &spec) const;
  void ternaryCache(const JsonCursor &json, TensorSpec &spec) const;
  KernelArgument kernelArgument(const JsonCursor &json) const;
  Guard guard(const JsonCursor &json) const;
  TensorMapSpec tensorMap(const JsonCursor &json) const;
  KernelLaunch launch(const JsonCursor &json) const;
  std::optional<Traffic> traffic(const JsonCursor &json) const;
  Variant variant(const JsonCursor &json, const Step &step) const;
  void predictions(const JsonCursor &json, Step &step) const;
  Program program(const JsonCursor &json) const;
  void readDenseSource();

  const JsonCursor &json;
  Function &function;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_MANIFEST_FUNCTION_READER_H

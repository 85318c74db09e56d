//===- runtime.hpp - C++ owners for the runtime's C objects -----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Owners and one exception type over runtime.h, header only:
//
//   sparseflow::Context context(0);
//   sparseflow::Bundle bundle(context, "ffn.bundle");
//   sparseflow::Function ffn = bundle.function("ffn");
//   ffn.launch({x, w1, b1}, {y}, workspace, bytes, stream);
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RUNTIME_HPP
#define SPARSEFLOW_RUNTIME_HPP

#include "sparseflow/runtime.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sparseflow {

/// What a failed call threw: its status, and its text as what().
class Error : public std::runtime_error {
public:
  explicit Error(sf_status code)
      : std::runtime_error(sf_last_error()), code(code) {}
  const sf_status code;
};

inline void check(sf_status status) {
  if (status != SF_OK)
    throw Error(status);
}

class Context {
public:
  explicit Context(int ordinal) {
    sf_context *raw = nullptr;
    check(sf_context_create(ordinal, &raw));
    handle.reset(raw);
  }
  /// The context current on this thread; see sf_context_adopt_current.
  static Context adoptCurrent() {
    sf_context *raw = nullptr;
    check(sf_context_adopt_current(&raw));
    return Context(raw);
  }
  sf_context *get() const { return handle.get(); }

private:
  explicit Context(sf_context *raw) : handle(raw) {}
  struct Destroy {
    void operator()(sf_context *raw) const { sf_context_destroy(raw); }
  };
  std::unique_ptr<sf_context, Destroy> handle;
};

/// Valid while its Bundle lives; copies refer to the same function.
class Function {
public:
  explicit Function(sf_function *raw) : handle(raw) {}
  sf_function *get() const { return handle; }

  void prepare() const { check(sf_function_prepare(handle)); }
  uint64_t workspaceSize(const std::vector<int64_t> &sizes) const {
    uint64_t bytes = 0;
    check(
        sf_function_workspace_size(handle, sizes.data(), sizes.size(), &bytes));
    return bytes;
  }
  void launch(const std::vector<sf_tensor> &arguments,
              const std::vector<sf_tensor> &results, uint64_t workspace,
              uint64_t workspaceBytes, sfcu_stream stream) const {
    check(sf_function_launch(handle, arguments.data(), arguments.size(),
                             results.data(), results.size(), workspace,
                             workspaceBytes, stream));
  }

private:
  sf_function *handle;
};

class Bundle {
public:
  Bundle(const Context &context, const std::string &directory) {
    sf_bundle *raw = nullptr;
    check(sf_bundle_load(context.get(), directory.c_str(), &raw));
    handle.reset(raw);
  }
  sf_bundle *get() const { return handle.get(); }
  /// An empty name means the only function of the bundle.
  Function function(const std::string &name = {}) const {
    sf_function *raw = nullptr;
    check(sf_bundle_function(handle.get(),
                             name.empty() ? nullptr : name.c_str(), &raw));
    return Function(raw);
  }

private:
  struct Destroy {
    void operator()(sf_bundle *raw) const { sf_bundle_destroy(raw); }
  };
  std::unique_ptr<sf_bundle, Destroy> handle;
};

} // namespace sparseflow

#endif // SPARSEFLOW_RUNTIME_HPP

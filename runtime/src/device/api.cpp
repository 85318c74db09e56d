//===- api.cpp - The C ABI of the device part -----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/bundle.h"

#include <cstring>

using namespace sparseflow::rt;

// An sf_function is the internal object itself: it is never owned by callers.
static LoadedFunction *unwrap(sf_function *function) {
  return reinterpret_cast<LoadedFunction *>(function);
}
static const LoadedFunction *unwrap(const sf_function *function) {
  return reinterpret_cast<const LoadedFunction *>(function);
}

extern "C" {

sf_status sf_context_create(int ordinal, sf_context **context) {
  return guard([&]() -> Status {
    if (!context)
      return isNull("sf_context_create", "context");
    *context = nullptr;
    auto made = DeviceContext::create(ordinal);
    if (!made)
      return made.status();
    *context = new sf_context{std::move(*made)};
    return Status::success();
  });
}

sf_status sf_context_adopt_current(sf_context **context) {
  return guard([&]() -> Status {
    if (!context)
      return isNull("sf_context_adopt_current", "context");
    *context = nullptr;
    auto made = DeviceContext::adoptCurrent();
    if (!made)
      return made.status();
    *context = new sf_context{std::move(*made)};
    return Status::success();
  });
}

void sf_context_destroy(sf_context *context) { delete context; }

sf_status sf_context_check_pointers(sf_context *context, int enabled) {
  return guard([&]() -> Status {
    if (!context)
      return isNull("sf_context_check_pointers", "context");
    context->context->checkPointers(enabled != 0);
    return Status::success();
  });
}

sf_status sf_context_capability(const sf_context *context, int *major,
                                int *minor) {
  return guard([&]() -> Status {
    if (!context || !major || !minor)
      return isNull("sf_context_capability", !context ? "context"
                                             : !major ? "major"
                                                      : "minor");
    *major = context->context->major();
    *minor = context->context->minor();
    return Status::success();
  });
}

sf_status sf_context_device_name(const sf_context *context, char *name,
                                 size_t bytes) {
  return guard([&]() -> Status {
    if (!context || !name || bytes == 0)
      return isNull("sf_context_device_name", !context ? "context" : "name");
    const std::string &text = context->context->name();
    size_t length = std::min(text.size(), bytes - 1);
    std::memcpy(name, text.data(), length);
    name[length] = '\0';
    return Status::success();
  });
}

sfcu_context sf_context_native(const sf_context *context) {
  return context ? context->context->native() : nullptr;
}

sf_status sf_context_report(sf_context *context, int result, const char *what) {
  return guard([&]() -> Status {
    if (!context)
      return isNull("sf_context_report", "context");
    return context->context->report(result, what ? what : "a driver call");
  });
}

sf_status sf_bundle_load(sf_context *context, const char *directory,
                         sf_bundle **bundle) {
  return guard([&]() -> Status {
    if (!context || !directory || !bundle)
      return isNull("sf_bundle_load", !context     ? "context"
                                      : !directory ? "directory"
                                                   : "bundle");
    *bundle = nullptr;
    if (Status status = context->context->usable(); !status)
      return status;
    auto opened = Bundle::open(context->context, directory);
    if (!opened)
      return opened.status();
    *bundle = new sf_bundle{std::move(*opened)};
    return Status::success();
  });
}

void sf_bundle_destroy(sf_bundle *bundle) { delete bundle; }

size_t sf_bundle_function_count(const sf_bundle *bundle) {
  return bundle ? bundle->bundle->functionCount() : 0;
}

const char *sf_bundle_function_name(const sf_bundle *bundle, size_t index) {
  if (index >= sf_bundle_function_count(bundle))
    return nullptr;
  return bundle->bundle->contents().functions[index].name.c_str();
}

sf_status sf_bundle_function(sf_bundle *bundle, const char *name,
                             sf_function **function) {
  return guard([&]() -> Status {
    if (!bundle || !function)
      return isNull("sf_bundle_function", !bundle ? "bundle" : "function");
    *function = nullptr;
    auto found = bundle->bundle->find(name ? name : "");
    if (!found)
      return found.status();
    *function = reinterpret_cast<sf_function *>(*found);
    return Status::success();
  });
}

size_t sf_function_symbol_count(const sf_function *function) {
  return function ? unwrap(function)->spec().symbols.size() : 0;
}

const char *sf_function_symbol_name(const sf_function *function, size_t index) {
  if (index >= sf_function_symbol_count(function))
    return nullptr;
  return unwrap(function)->spec().symbols[index].c_str();
}

size_t sf_function_argument_count(const sf_function *function) {
  return function ? unwrap(function)->spec().arguments.size() : 0;
}

size_t sf_function_result_count(const sf_function *function) {
  return function ? unwrap(function)->spec().results.size() : 0;
}

int sf_function_result_updates(const sf_function *function, size_t index) {
  if (index >= sf_function_result_count(function))
    return -1;
  return unwrap(function)->spec().results[index].updates;
}

sf_status sf_function_target(const sf_function *function, const char **target) {
  return guard([&]() -> Status {
    if (!function || !target)
      return isNull("sf_function_target", !function ? "function" : "target");
    DeviceContext &device = unwrap(function)->context();
    auto program =
        unwrap(function)->spec().select(device.major(), device.minor());
    *target = program ? (*program)->target.text.c_str() : nullptr;
    return program.status();
  });
}

sf_status sf_function_prepare(sf_function *function) {
  return guard([&]() -> Status {
    if (!function)
      return isNull("sf_function_prepare", "function");
    if (Status status = unwrap(function)->context().usable(); !status)
      return status;
    return unwrap(function)->load().status();
  });
}

sf_status sf_function_workspace_size(const sf_function *function,
                                     const int64_t *sizes, size_t count,
                                     uint64_t *bytes) {
  return guard([&]() -> Status {
    if (!function || !bytes || (count && !sizes))
      return isNull("sf_function_workspace_size", !function ? "function"
                                                  : !bytes  ? "bytes"
                                                            : "sizes");
    const Function &spec = unwrap(function)->spec();
    if (count != spec.symbols.size())
      return invalidArgument("'" + printable(spec.name) + "' has " +
                             std::to_string(spec.symbols.size()) +
                             " symbols, found " + std::to_string(count) +
                             " sizes");
    for (size_t i = 0; i < count; ++i)
      if (sizes[i] < 0)
        return invalidArgument("size '" + printable(spec.symbols[i]) +
                               "' is negative (" + std::to_string(sizes[i]) +
                               ")");
    DeviceContext &device = unwrap(function)->context();
    auto program = spec.select(device.major(), device.minor());
    if (!program)
      return program.status();
    *bytes = 0;
    if (spec.isEmpty(sizes))
      return Status::success();
    auto needed = spec.workspaceBytes(**program, sizes);
    if (needed)
      *bytes = *needed;
    return needed.status();
  });
}

sf_status sf_function_launch(sf_function *function, const sf_tensor *arguments,
                             size_t argumentCount, const sf_tensor *results,
                             size_t resultCount, uint64_t workspace,
                             uint64_t workspaceBytes, sfcu_stream stream) {
  return guard([&]() -> Status {
    if (!function)
      return isNull("sf_function_launch", "function");
    return unwrap(function)->launch(arguments, argumentCount, results,
                                    resultCount, workspace, workspaceBytes,
                                    stream);
  });
}

} // extern "C"

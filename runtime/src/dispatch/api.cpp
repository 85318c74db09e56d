//===- api.cpp - The C ABI of the choice of kernels -----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/environment.h"
#include "dispatch/reasons.h"

#include <nlohmann/json.hpp>

using namespace sparseflow::rt;
using Json = nlohmann::ordered_json;

static std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

extern "C" {

sf_status sf_function_tune(sf_function *function, const sf_tensor *arguments,
                           size_t argumentCount, const sf_tensor *results,
                           size_t resultCount, uint64_t workspace,
                           uint64_t workspaceBytes, sfcu_stream stream,
                           int replays) {
  return guard([&]() -> Status {
    if (!function)
      return isNull("sf_function_tune", "function");
    sf_call call = {arguments, results, workspace, workspaceBytes};
    return reinterpret_cast<LoadedFunction *>(function)->tune(
        &call, 1, argumentCount, resultCount, stream, replays);
  });
}

sf_status sf_function_tune_calls(sf_function *function, const sf_call *calls,
                                 size_t callCount, size_t argumentCount,
                                 size_t resultCount, sfcu_stream stream,
                                 int replays) {
  return guard([&]() -> Status {
    if (!function || !calls)
      return isNull("sf_function_tune_calls", !function ? "function" : "calls");
    return reinterpret_cast<LoadedFunction *>(function)->tune(
        calls, callCount, argumentCount, resultCount, stream, replays);
  });
}

sf_status sf_function_check(sf_function *function, const sf_tensor *arguments,
                            size_t argumentCount, const sf_tensor *results,
                            size_t resultCount, uint64_t workspace,
                            uint64_t workspaceBytes, sfcu_stream stream,
                            sf_verdict_callback verdict, void *user) {
  return guard([&]() -> Status {
    if (!function || !verdict)
      return isNull("sf_function_check", !function ? "function" : "verdict");
    return reinterpret_cast<LoadedFunction *>(function)->check(
        arguments, argumentCount, results, resultCount, workspace,
        workspaceBytes, stream, [&]() {
          char text[1024] = "";
          verdict(user, text, sizeof(text));
          text[sizeof(text) - 1] = 0;
          return std::string(text);
        });
  });
}

sf_status sf_dispatch_set_callback(sf_dispatch_callback callback, void *user) {
  return guard([&]() -> Status {
    setReasonsCallback(callback, user);
    return Status::success();
  });
}

sf_status sf_dispatch_summary(sf_dispatch_callback callback, void *user) {
  return guard([&]() -> Status {
    if (!callback)
      return isNull("sf_dispatch_summary", "callback");
    callback(reasonsSummary().c_str(), user);
    return Status::success();
  });
}

sf_status sf_dispatch_set_store(const char *path) {
  return guard([&]() -> Status {
    DispatchStore::setPath(path);
    return Status::success();
  });
}

sf_status sf_dispatch_quarantined(sf_dispatch_callback callback, void *user) {
  return guard([&]() -> Status {
    if (!callback)
      return isNull("sf_dispatch_quarantined", "callback");
    DispatchStore store = DispatchStore::current();
    auto kernels = store.quarantined();
    Json about = {{"store", printable(store.file(), 4096)},
                  {"enabled", enabledFamilies()}};
    if (!kernels)
      about["error"] = kernels.status().text();
    callback(dump(about).c_str(), user);
    for (size_t i = 0; kernels && i < kernels->size(); ++i) {
      const QuarantinedKernel &kernel = (*kernels)[i];
      callback(dump({{"gpu", printable(kernel.device.gpu)},
                     {"driver", printable(kernel.device.driver)},
                     {"image", printable(kernel.image)},
                     {"kernel", printable(kernel.kernel, 1024)},
                     {"error", printable(kernel.error, 2048)},
                     {"runtime", printable(kernel.runtime)},
                     {"time", kernel.time}})
                   .c_str(),
               user);
    }
    return Status::success();
  });
}

sf_status sf_dispatch_clear(int64_t *count) {
  return guard([&]() -> Status {
    auto cleared = DispatchStore::current().clear();
    if (cleared && count)
      *count = *cleared;
    return cleared.status();
  });
}

sf_status sf_dispatch_enable(const char *family) {
  return guard([&]() -> Status {
    if (!family || !*family)
      return invalidArgument("sf_dispatch_enable: expected the name of a "
                             "family of kernels, found none");
    enableFamily(family);
    return Status::success();
  });
}

sf_dense_source sf_function_dense_source(const sf_function *function,
                                         size_t index) {
  if (!function)
    return SF_DENSE_NONE;
  const Function &spec =
      reinterpret_cast<const LoadedFunction *>(function)->spec();
  if (index >= spec.readsDense.size() || !spec.readsDense[index])
    return SF_DENSE_NONE;
  return spec.denseSource == DenseSource::Rebuild ? SF_DENSE_REBUILD
                                                  : SF_DENSE_WEIGHTS;
}

sf_status sf_function_set_dense_weight(sf_function *function, size_t index,
                                       uint64_t packed, uint64_t dense,
                                       uint64_t denseBytes) {
  return guard([&]() -> Status {
    if (!function)
      return isNull("sf_function_set_dense_weight", "function");
    return reinterpret_cast<LoadedFunction *>(function)->setDense(
        index, packed, dense, denseBytes);
  });
}

sf_status sf_function_rebuild_dense_weights(sf_function *function,
                                            const sf_tensor *arguments,
                                            size_t argumentCount,
                                            sfcu_stream stream) {
  return guard([&]() -> Status {
    if (!function)
      return isNull("sf_function_rebuild_dense_weights", "function");
    return reinterpret_cast<LoadedFunction *>(function)->rebuildDense(
        arguments, argumentCount, stream);
  });
}

sf_status sf_function_dense_bytes(const sf_function *function, uint64_t *given,
                                  uint64_t *owned) {
  return guard([&]() -> Status {
    if (!function)
      return isNull("sf_function_dense_bytes", "function");
    uint64_t ofCallers = 0, ofBundle = 0;
    reinterpret_cast<const LoadedFunction *>(function)->denseBytes(ofCallers,
                                                                   ofBundle);
    if (given)
      *given = ofCallers;
    if (owned)
      *owned = ofBundle;
    return Status::success();
  });
}

} // extern "C"

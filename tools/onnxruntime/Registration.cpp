//===- Registration.cpp - What ONNX Runtime loads -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libsparseflow_onnxruntime.so: the operator Call of the domain sparseflow, for
// ONNX Runtime's CPU execution provider (docs/onnx.md).
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <list>

using namespace sparseflow;
using namespace sparseflow::ort;

namespace {

/// The operator as one session's options have it.
struct CallOp : CustomOp {
  Config config;
};

Status *makeError(const Api &api, const tools::Status &status) {
  int code =
      status.code() == SF_ERROR_INVALID_ARGUMENT ? InvalidArgument : Fail;
  return api.CreateStatus()(code, ("sparseflow: " + status.text()).c_str());
}

/// Runs `body`, which returns a Status of ours; no exception leaves it.
template <typename Body>
Status *guarded(const Api &api, Body &&body) {
  try {
    tools::Status status = body();
    return status ? nullptr : makeError(api, status);
  } catch (const std::exception &error) {
    return api.CreateStatus()(Fail, error.what());
  }
}

/// A kernel, and the table of the runtime that made it.
struct Kernel {
  const Api &api;
  std::unique_ptr<Call> call;
};

CallOp makeOp(const Config &config) {
  CallOp op{};
  op.config = config;
  op.version = apiVersion;
  op.GetName = [](const CustomOp *) { return "Call"; };
  op.GetExecutionProviderType = [](const CustomOp *) -> const char * {
    return nullptr;
  };
  op.GetInputType = [](const CustomOp *, size_t) -> int { return Undefined; };
  op.GetInputTypeCount = [](const CustomOp *) -> size_t { return 1; };
  op.GetOutputType = [](const CustomOp *, size_t) -> int { return Float16; };
  op.GetOutputTypeCount = [](const CustomOp *) -> size_t { return 1; };
  op.KernelDestroy = [](void *kernel) { delete static_cast<Kernel *>(kernel); };
  op.GetInputCharacteristic = [](const CustomOp *, size_t) -> int {
    return Variadic;
  };
  op.GetOutputCharacteristic = [](const CustomOp *, size_t) -> int {
    return Required;
  };
  op.GetInputMemoryType = [](const CustomOp *, size_t) -> int { return 0; };
  op.GetVariadicInputMinArity = [](const CustomOp *) { return 1; };
  op.GetVariadicInputHomogeneity = [](const CustomOp *) { return 0; };
  op.GetVariadicOutputMinArity = [](const CustomOp *) { return 1; };
  op.GetVariadicOutputHomogeneity = [](const CustomOp *) { return 1; };
  op.CreateKernelV2 = [](const CustomOp *op, const Api *api,
                         const KernelInfo *info, void **kernel) {
    return guarded(*api, [&]() -> tools::Status {
      auto call =
          Call::create(static_cast<const CallOp *>(op)->config, *api, info);
      if (!call)
        return call.status();
      *kernel = new Kernel{*api, std::move(*call)};
      return tools::Status::success();
    });
  };
  op.KernelComputeV2 = [](void *kernel, KernelContext *context) {
    auto *made = static_cast<Kernel *>(kernel);
    return guarded(made->api, [&] { return made->call->compute(context); });
  };
  return op;
}

} // namespace

/// What ONNX Runtime calls when a session's options name this library. The
/// options' entries must be there before.
extern "C" __attribute__((visibility("default"))) Status *
RegisterCustomOps(SessionOptions *options, const ApiBase *base) {
  const Api *api = base->getApi(apiVersion);
  // A runtime before 1.16 has no call that would take an error's text.
  if (!api)
    return nullptr;
  return guarded(*api, [&]() -> tools::Status {
    // Operators are to outlive every session, and there is no call when the
    // last one has gone.
    static auto *ops = new std::list<CallOp>;
    static auto *lock = new std::mutex;
    auto config = readConfig(*api, options);
    if (!config)
      return config.status();
    CustomOpDomain *domain = nullptr;
    Status *status = api->CreateCustomOpDomain()("sparseflow", &domain);
    if (!status) {
      std::lock_guard<std::mutex> guard(*lock);
      ops->push_back(makeOp(*config));
      status = api->CustomOpDomain_Add()(domain, &ops->back());
    }
    if (!status)
      status = api->AddCustomOpDomain()(options, domain);
    if (!status)
      return tools::Status::success();
    std::string text = api->GetErrorMessage()(status);
    api->ReleaseStatus()(status);
    return {SF_ERROR_INTERNAL, std::move(text)};
  });
}

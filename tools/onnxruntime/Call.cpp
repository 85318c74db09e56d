//===- Call.cpp - The operator that calls a bundle's function -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "arguments/TernaryArguments.h"
#include "sparseflow/weights.h"

#include <charconv>
#include <cstring>

using namespace sparseflow;
using namespace sparseflow::ort;
using rt::invalidArgument;
using rt::printable;
using rt::unsupported;
using tools::Argument;
using tools::DType;
using tools::Expected;
using tools::HostTensor;
using tools::TensorSpec;

namespace {

/// An error of ONNX Runtime's as one of ours.
tools::Status taken(const Api &api, Status *status) {
  if (!status)
    return tools::Status::success();
  std::string text = api.GetErrorMessage()(status);
  api.ReleaseStatus()(status);
  return {SF_ERROR_INTERNAL, std::move(text)};
}

/// A text that is asked for twice: for its size, and into memory. `ask` takes
/// (char *, size_t *); the size counts the zero at the end.
template <typename Ask>
Expected<std::string> readText(const Api &api, Ask &&ask) {
  size_t bytes = 0;
  if (tools::Status status = taken(api, ask(nullptr, &bytes)); !status)
    return status;
  std::string text(bytes, '\0');
  if (tools::Status status = taken(api, ask(text.data(), &bytes)); !status)
    return status;
  text.resize(std::strlen(text.c_str()));
  return text;
}

/// An entry of a session's options, or "".
Expected<std::string> readEntry(const Api &api, const SessionOptions *options,
                                const char *key) {
  int has = 0;
  if (tools::Status status =
          taken(api, api.HasSessionConfigEntry()(options, key, &has));
      !status)
    return status;
  if (!has)
    return std::string();
  return readText(api, [&](char *text, size_t *bytes) {
    return api.GetSessionConfigEntry()(options, key, text, bytes);
  });
}

/// A tensor of a node: its type, its sizes and where it begins.
struct Tensor {
  int type = Undefined;
  std::vector<int64_t> shape;
  const uint8_t *data = nullptr;
};

Expected<Tensor> readTensor(const Api &api, const Value *value) {
  Tensor tensor;
  TensorInfo *info = nullptr;
  if (tools::Status status =
          taken(api, api.GetTensorTypeAndShape()(value, &info));
      !status)
    return status;
  size_t rank = 0;
  tools::Status status =
      taken(api, api.GetTensorElementType()(info, &tensor.type));
  if (status)
    status = taken(api, api.GetDimensionsCount()(info, &rank));
  tensor.shape.resize(rank);
  if (status)
    status = taken(api, api.GetDimensions()(info, tensor.shape.data(), rank));
  api.ReleaseTensorTypeAndShapeInfo()(info);
  void *data = nullptr;
  if (status)
    status = taken(
        api, api.GetTensorMutableData()(const_cast<Value *>(value), &data));
  if (!status)
    return status;
  tensor.data = static_cast<const uint8_t *>(data);
  return tensor;
}

int elementType(DType dtype) {
  switch (dtype) {
  case DType::F16:
    return Float16;
  case DType::BF16:
    return BFloat16;
  case DType::F32:
    return Float;
  case DType::I8:
    return Int8;
  case DType::I32:
    return Int32;
  case DType::I64:
    return Int64;
  case DType::I1:
    return Bool;
  }
  return Undefined;
}

bool isPacked(const TensorSpec &spec) {
  return spec.layout == rt::Layout::Sf24V1 || spec.isTernary();
}

/// Whether functions of this kind can be called: one result of f16, no memory
/// that changes.
tools::Status checkKind(const tools::Function &function) {
  bool good = function.results.size() == 1 &&
              function.results[0].dtype == DType::F16 &&
              function.results[0].updates < 0 && !function.arguments.empty();
  for (const TensorSpec &spec : function.arguments)
    good &= !spec.isCache() && (!spec.encoded() || isPacked(spec));
  if (good)
    return tools::Status::success();
  return unsupported("function '" + printable(function.name) +
                     "': expected arguments without caches and one result of "
                     "f16, which is what the operator can call");
}

} // namespace

Expected<Config> ort::readConfig(const Api &api,
                                 const SessionOptions *options) {
  Config config;
  Expected<std::string> bundles = readEntry(api, options, "sparseflow.bundles");
  if (!bundles)
    return bundles.status();
  config.bundles = *bundles;
  Expected<std::string> device = readEntry(api, options, "sparseflow.device");
  if (!device)
    return device.status();
  if (*device == "cpu")
    return config;
  int ordinal = 0;
  bool good = device->empty() || *device == "auto" || *device == "gpu";
  if (device->compare(0, 4, "gpu:") == 0) {
    const char *end = device->data() + device->size();
    auto [last, error] = std::from_chars(device->data() + 4, end, ordinal);
    good = error == std::errc() && last == end && ordinal >= 0;
  }
  if (!good)
    return invalidArgument("sparseflow.device: expected auto, cpu, gpu or "
                           "gpu:NUMBER, found '" +
                           printable(*device) + "'");
  Expected<Gpu *> gpu = Gpu::get(ordinal);
  bool isAuto = device->empty() || *device == "auto";
  if (!gpu && !(isAuto && gpu.status().code() == SF_ERROR_NO_DEVICE))
    return gpu.status();
  config.gpu = gpu ? *gpu : nullptr;
  return config;
}

Expected<std::unique_ptr<Call>>
Call::create(const Config &config, const Api &api, const KernelInfo *info) {
  std::unique_ptr<Call> call(new Call(api));
  Expected<std::string> name = readText(api, [&](char *text, size_t *bytes) {
    return api.KernelInfoGetAttribute_string()(info, "bundle", text, bytes);
  });
  if (!name)
    return name.status();
  if (config.bundles.empty())
    return invalidArgument(
        "the session's options have no entry sparseflow.bundles: before the "
        "library is registered, add the folder that holds the bundle '" +
        printable(*name) + "'");
  std::string directory = config.bundles + "/" + *name;
  Expected<tools::BundleManifest> bundle = tools::loadBundleManifest(directory);
  if (!bundle)
    return bundle.status();
  call->bundle = std::move(*bundle);
  Expected<size_t> index = call->bundle.find("");
  if (!index)
    return index.status();
  call->index = *index;
  if (tools::Status status = checkKind(call->function()); !status)
    return status.withContext(printable(directory, 400));
  if (tools::Status status = call->readWeights(info); !status)
    return status.withContext(printable(directory, 400));
  if (!config.gpu) {
    if (!call->bundle.references[call->index])
      return unsupported(printable(directory, 400) +
                         ": the manifest has no reference graph, which is what "
                         "the CPU evaluates");
    return call;
  }
  auto loaded =
      config.gpu->load(directory, call->function().name, call->weights);
  if (!loaded)
    return loaded.status();
  call->onGpu = std::move(*loaded);
  // They are in the GPU's memory now.
  for (Argument &weight : call->weights)
    weight = Argument();
  return call;
}

/// Reads the packed arguments and checks their bytes.
tools::Status Call::readWeights(const KernelInfo *info) {
  const std::vector<TensorSpec> &arguments = function().arguments;
  size_t count = 0;
  if (tools::Status status =
          taken(api, api.KernelInfo_GetInputCount()(info, &count));
      !status)
    return status;
  if (count != arguments.size())
    return invalidArgument(
        "expected a node with " + std::to_string(arguments.size()) +
        " inputs, the function's arguments, found " + std::to_string(count));
  for (size_t i = 0; i < count; ++i) {
    weights.emplace_back();
    const TensorSpec &spec = arguments[i];
    if (!isPacked(spec))
      continue;
    std::string what =
        "input " + std::to_string(i) + ", '" + printable(spec.name) + "'";
    int constant = 0;
    const Value *value = nullptr;
    if (tools::Status status =
            taken(api, api.KernelInfoGetConstantInput_tensor()(
                           info, i, &constant, &value));
        !status)
      return status;
    if (!constant || !value)
      return invalidArgument(what + ": expected the bytes of a packed weight "
                                    "as an initializer, found a tensor that "
                                    "is computed");
    Expected<Tensor> tensor = readTensor(api, value);
    if (!tensor)
      return tensor.status();
    std::vector<int64_t> shape;
    for (const tools::Dim &dim : spec.shape)
      shape.push_back(dim.constant);
    Expected<uint64_t> bytes = rt::storageBytes(spec, shape.data());
    if (!bytes)
      return bytes.status();
    if (tensor->type != UInt8 ||
        tensor->shape != std::vector<int64_t>{static_cast<int64_t>(*bytes)})
      return invalidArgument(what + ": expected the " + std::to_string(*bytes) +
                             " bytes of a packed weight, uint8, found a tensor "
                             "of type " +
                             std::to_string(tensor->type) + " and sizes " +
                             tools::shapeText(tensor->shape));
    Argument &weight = weights.back();
    weight.packed = tools::Buffer(*bytes);
    if (*bytes)
      std::memcpy(weight.packed.data(), tensor->data, *bytes);
    if (spec.isTernary()) {
      if (tools::Status status = unpackTernary(spec, spec.name, 0, weight);
          !status)
        return status.withContext(what);
      continue;
    }
    weight.dense = HostTensor::allocate(spec.dtype, shape);
    if (sf_status code =
            sf_unpack24(weight.packed.data(), *bytes, shape[0], shape[1], 0,
                        weight.dense.data.data(), weight.dense.data.size()))
      return tools::Status(code, what + ": " + sf_last_error());
  }
  return tools::Status::success();
}

/// Copies an input that is not packed. Leading sizes beyond the argument's rank
/// are one; those of input 0 are kept as `leading`.
tools::Status Call::bind(KernelContext *context, size_t argument,
                         std::vector<int64_t> &symbols,
                         std::vector<int64_t> &leading,
                         HostTensor &input) const {
  const TensorSpec &spec = function().arguments[argument];
  const Value *value = nullptr;
  if (tools::Status status =
          taken(api, api.KernelContext_GetInput()(context, argument, &value));
      !status)
    return status;
  Expected<Tensor> tensor = readTensor(api, value);
  if (!tensor)
    return tensor.status();
  std::vector<int64_t> shape = tensor->shape;
  size_t rank = spec.shape.size();
  if (rank && shape.size() > rank) {
    size_t joined = shape.size() - rank + 1;
    if (argument == 0)
      leading.assign(shape.begin(), shape.begin() + joined);
    // A runtime's tensor has a size that fits.
    int64_t product = 1;
    for (size_t d = 0; d < joined; ++d)
      product *= shape[d];
    shape.erase(shape.begin() + 1, shape.begin() + joined);
    shape[0] = product;
  }
  bool good = tensor->type == elementType(spec.dtype) && shape.size() == rank;
  for (size_t d = 0; good && d < rank; ++d) {
    int symbol = spec.shape[d].symbol;
    if (symbol >= 0 && symbols[symbol] < 0)
      symbols[symbol] = shape[d];
    good = shape[d] == spec.shape[d].value(symbols.data());
  }
  if (!good)
    return invalidArgument("input " + std::to_string(argument) + ", '" +
                           printable(spec.name) + "': expected " +
                           rt::dtypeName(spec.dtype) + " " +
                           spec.shapeText(function().symbols) +
                           ", or more leading sizes, found a tensor of type " +
                           std::to_string(tensor->type) + " and sizes " +
                           tools::shapeText(tensor->shape));
  input = HostTensor::allocate(spec.dtype, std::move(shape));
  if (input.data.size())
    std::memcpy(input.data.data(), tensor->data, input.data.size());
  return tools::Status::success();
}

tools::Status Call::compute(KernelContext *context) {
  const tools::Function &called = function();
  std::vector<int64_t> symbols(called.symbols.size(), -1), leading;
  std::vector<HostTensor> held(called.arguments.size());
  std::vector<const HostTensor *> inputs;
  for (size_t i = 0; i < held.size(); ++i) {
    bool packed = isPacked(called.arguments[i]);
    inputs.push_back(packed ? nullptr : &held[i]);
    if (!packed)
      if (tools::Status status = bind(context, i, symbols, leading, held[i]);
          !status)
        return status;
  }
  const TensorSpec &spec = called.results[0];
  HostTensor result;
  for (const tools::Dim &dim : spec.shape)
    result.shape.push_back(dim.value(symbols.data()));
  std::vector<int64_t> shape = result.shape;
  // Rows of the first argument are rows of the result.
  if (!leading.empty() && !shape.empty() &&
      spec.shape[0].symbol == called.arguments[0].shape[0].symbol) {
    shape.erase(shape.begin());
    shape.insert(shape.begin(), leading.begin(), leading.end());
  }
  Value *output = nullptr;
  if (tools::Status status =
          taken(api, api.KernelContext_GetOutput()(context, 0, shape.data(),
                                                   shape.size(), &output));
      !status)
    return status;
  void *data = nullptr;
  if (tools::Status status =
          taken(api, api.GetTensorMutableData()(output, &data));
      !status)
    return status;
  result = HostTensor::allocate(spec.dtype, result.shape);
  if (onGpu)
    return onGpu->call(called, symbols, inputs, data, result.data.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i])
      inputs[i] = &weights[i].dense;
  auto values = tools::evaluatePlainly(
      {called, *bundle.references[index], symbols, inputs, {}, 0});
  if (!values)
    return values.status();
  tools::narrow((*values)[0].data.data(), result);
  if (result.data.size())
    std::memcpy(data, result.data.data(), result.data.size());
  return tools::Status::success();
}

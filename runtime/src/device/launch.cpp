//===- launch.cpp - Checks a call and puts its kernels on a stream --------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/call.h"
#include "device/tensor_map.h"
#include "dispatch/reasons.h"

using namespace sparseflow::rt;

std::string Call::describe(const TensorSpec &spec, bool isResult,
                           size_t index) const {
  return "'" + printable(function.name) + "' " +
         (isResult ? "result " : "argument ") + std::to_string(index) +
         (spec.name.empty() ? "" : " ('" + printable(spec.name) + "')");
}

Status Call::bindTensor(const TensorSpec &spec, const sf_tensor &tensor,
                        bool isResult, size_t index) {
  auto failed = [&](const std::string &text) {
    return invalidArgument(describe(spec, isResult, index) + ": " + text);
  };
  if (tensor.rank != static_cast<int32_t>(spec.shape.size()))
    return failed("expected rank " + std::to_string(spec.shape.size()) + " " +
                  spec.shapeText(function.symbols) + ", found rank " +
                  std::to_string(tensor.rank));
  if (tensor.rank != 0 && !tensor.dims)
    return failed("'dims' is null");
  if (tensor.dtype != SF_DTYPE_INVALID &&
      static_cast<int>(tensor.dtype) != static_cast<int>(spec.dtype))
    return failed(std::string("expected element type ") +
                  dtypeName(spec.dtype) + ", found type code " +
                  std::to_string(tensor.dtype));
  for (size_t d = 0; d < spec.shape.size(); ++d) {
    int64_t found = tensor.dims[d];
    int symbol = spec.shape[d].symbol;
    if (found < 0)
      return failed("size " + std::to_string(d) + " is negative (" +
                    std::to_string(found) + ")");
    if (symbol >= 0 && !bound[symbol]) {
      symbols[symbol] = found;
      bound[symbol] = true;
    }
    int64_t expected = spec.shape[d].value(symbols);
    if (found != expected)
      return failed("size " + std::to_string(d) + " of " +
                    spec.shapeText(function.symbols) + " is " +
                    std::to_string(expected) +
                    (symbol >= 0 ? " (by an earlier tensor)" : "") +
                    ", found " + std::to_string(found));
  }
  return Status::success();
}

Status Call::bind(bool &empty) {
  for (size_t i = 0; i < function.arguments.size(); ++i)
    if (Status status =
            bindTensor(function.arguments[i], arguments[i], false, i);
        !status)
      return status;
  for (size_t i = 0; i < function.results.size(); ++i)
    if (Status status = bindTensor(function.results[i], results[i], true, i);
        !status)
      return status;
  empty = function.isEmpty(symbols);
  return Status::success();
}

Status Call::pointerIsOnDevice(uint64_t pointer) const {
  if (!context.checksPointers())
    return Status::success();
  int type = 0;
  sfcu_result error = context.driver().pointer_get_attribute(
      &type, SFCU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer);
  if (error == SFCU_SUCCESS &&
      (type == SFCU_MEMORYTYPE_DEVICE || type == SFCU_MEMORYTYPE_UNIFIED))
    return Status::success();
  if (error != SFCU_SUCCESS && error != SFCU_ERROR_INVALID_VALUE)
    return context.report(error, "asking for the kind of a pointer");
  return invalidArgument("the address is not device memory known to the "
                         "driver; was a host pointer passed?");
}

Status Call::checkTensor(const TensorSpec &spec, const sf_tensor &tensor,
                         bool isResult, size_t index) const {
  Expected<uint64_t> needed = storageBytes(spec, tensor.dims);
  if (!needed)
    return needed.status().withContext(describe(spec, isResult, index));
  if (*needed == 0)
    return Status::success();
  auto failed = [&](const std::string &text) {
    return invalidArgument(describe(spec, isResult, index) + ": " + text);
  };
  if (tensor.bytes < *needed)
    return failed("needs " + std::to_string(*needed) +
                  " bytes, the buffer has " + std::to_string(tensor.bytes));
  if (tensor.data == 0)
    return failed("the address is null");
  uint64_t end = 0;
  if (!checkedAdd(tensor.data, tensor.bytes, end))
    return failed("address and size do not fit 64 bits");
  if (uint64_t alignment = storageAlignment(spec); tensor.data % alignment)
    return failed("the address must be a multiple of " +
                  std::to_string(alignment) + " bytes, found remainder " +
                  std::to_string(tensor.data % alignment));
  Status status = pointerIsOnDevice(tensor.data);
  return status ? status : status.withContext(describe(spec, isResult, index));
}

Status Call::checkUpdate(size_t result) const {
  const TensorSpec &spec = function.results[result];
  if (spec.updates < 0)
    return Status::success();
  auto argument = static_cast<size_t>(spec.updates);
  if (results[result].data == arguments[argument].data)
    return Status::success();
  return invalidArgument(
      describe(spec, true, result) + " is " +
      describe(function.arguments[argument], false, argument) +
      " updated in place: expected the same address, found another; pass the "
      "argument's buffer as the result");
}

// What kernels write may not be what others of their blocks still read. An
// update is its argument, and nothing else of the call may meet it.
Status Call::checkOverlaps(uint64_t scratch) const {
  size_t argumentCount = function.arguments.size();
  size_t tensorCount = argumentCount + function.results.size();
  auto spec = [&](size_t i) -> const TensorSpec & {
    return i < argumentCount ? function.arguments[i]
                             : function.results[i - argumentCount];
  };
  auto tensor = [&](size_t i) -> const sf_tensor & {
    return i < argumentCount ? arguments[i] : results[i - argumentCount];
  };
  auto name = [&](size_t i) {
    bool isResult = i >= argumentCount;
    return describe(spec(i), isResult, isResult ? i - argumentCount : i);
  };
  // Whether [data, data + bytes) meets tensor i; checkTensor knows its size.
  auto meets = [&](uint64_t data, uint64_t bytes, size_t i) {
    Expected<uint64_t> size = storageBytes(spec(i), tensor(i).dims);
    return bytes && size && *size && data < tensor(i).data + *size &&
           tensor(i).data < data + bytes;
  };
  for (size_t r = argumentCount; r < tensorCount; ++r) {
    Expected<uint64_t> bytes = storageBytes(spec(r), tensor(r).dims);
    int updates = spec(r).updates;
    for (size_t i = 0; bytes && i < r; ++i)
      if (static_cast<int>(i) != updates && meets(tensor(r).data, *bytes, i))
        return invalidArgument(
            name(r) + " overlaps " + name(i) +
            (updates < 0 ? "; give results memory of their own"
                         : "; give what is updated in place memory of its "
                           "own"));
  }
  for (size_t i = 0; i < argumentCount; ++i) {
    if (!function.readsDense[i])
      continue;
    const DenseForm *form = denseFormOf(i);
    for (size_t r = argumentCount; form && r < tensorCount; ++r)
      if (meets(form->dense, form->bytes, r))
        return invalidArgument(name(r) + " overlaps the dense form of " +
                               name(i) + "; give results memory of their own");
    if (form && scratch && form->dense < workspace + scratch &&
        workspace < form->dense + form->bytes)
      return invalidArgument("the workspace overlaps the dense form of " +
                             name(i) +
                             "; give the workspace memory of its own");
  }
  for (size_t i = 0; i < tensorCount; ++i)
    if (meets(workspace, scratch, i))
      return invalidArgument(name(i) + " overlaps the workspace; give the "
                                       "workspace memory of its own");
  return Status::success();
}

Status Call::checkMemory(const Program &program) const {
  for (size_t i = 0; i < function.arguments.size(); ++i)
    if (Status status =
            checkTensor(function.arguments[i], arguments[i], false, i);
        !status)
      return status;
  for (size_t i = 0; i < function.results.size(); ++i)
    if (Status status = checkTensor(function.results[i], results[i], true, i);
        !status)
      return status;
  for (size_t i = 0; i < function.results.size(); ++i)
    if (Status status = checkUpdate(i); !status)
      return status;
  Expected<uint64_t> needed = function.workspaceBytes(program, symbols);
  if (!needed)
    return needed.status();
  if (*needed == 0)
    return checkOverlaps(0);
  // A lambda, so that a good call builds no text.
  auto what = [&] { return "'" + printable(function.name) + "' workspace"; };
  if (workspaceBytes < *needed)
    return invalidArgument(what() + ": needs " + std::to_string(*needed) +
                           " bytes for these sizes, found " +
                           std::to_string(workspaceBytes) +
                           "; ask sf_function_workspace_size");
  if (workspace == 0 || workspace % 256 != 0)
    return invalidArgument(what() + ": the address must be a non-null "
                                    "multiple of 256 bytes");
  if (Status status = pointerIsOnDevice(workspace); !status)
    return status.withContext(what());
  return checkOverlaps(*needed);
}

Expected<uint64_t> Call::value(const KernelArgument &argument,
                               uint64_t *left) const {
  using Kind = KernelArgument::Kind;
  Expected<int64_t> number = argument.expression.evaluate(symbols);
  if (!number || argument.kind == Kind::Value)
    return number ? Expected<uint64_t>(static_cast<uint64_t>(*number))
                  : Expected<uint64_t>(number.status());
  uint64_t base = workspace, bytes = workspaceBytes;
  if (argument.kind == Kind::Dense) {
    const DenseForm *form = denseFormOf(argument.index);
    if (!form)
      return invalidArgument(noDenseForm(argument.index));
    base = form->dense;
    bytes = form->bytes;
  } else if (argument.kind != Kind::Workspace) {
    const sf_tensor &tensor = argument.kind == Kind::Argument
                                  ? arguments[argument.index]
                                  : results[argument.index];
    base = tensor.data;
    bytes = tensor.bytes;
  }
  if (*number < 0 || static_cast<uint64_t>(*number) > bytes)
    return invalidArgument("an offset of " + std::to_string(*number) +
                           " bytes lies outside a buffer of " +
                           std::to_string(bytes) +
                           " bytes; the manifest is wrong");
  if (left)
    *left = bytes - static_cast<uint64_t>(*number);
  return base + static_cast<uint64_t>(*number);
}

Expected<bool> Call::holds(const Guard &guard) const {
  if (guard.kind == Guard::Kind::Aligned) {
    Expected<uint64_t> address = value(guard.pointer);
    if (!address)
      return address.status();
    return (*address & static_cast<uint64_t>(guard.alignment - 1)) == 0;
  }
  return guard.compare(symbols);
}

Status Call::prepareMap(const TensorMapSpec &spec, bool run,
                        sfcu_tensor_map &map) const {
  uint64_t left = 0;
  Expected<uint64_t> address = value(spec.base, &left);
  if (!address)
    return address.status();
  Expected<TensorMapValues> values =
      TensorMapValues::evaluate(spec, symbols, *address, left);
  if (!values || !run)
    return values.status();
  return context.report(encodeTensorMap(context.driver(), *values, map),
                        "encoding a tensor map");
}

sfcu_result Call::enqueue(const KernelLaunch &launch, sfcu_function kernel,
                          unsigned grid, sfcu_stream stream,
                          void **parameters) const {
  if (!launch.programmatic)
    return context.driver().launch_kernel(kernel, grid, 1, 1, launch.threads, 1,
                                          1, launch.sharedBytes, stream,
                                          parameters, nullptr);
  sfcu_launch_attribute attribute = {};
  attribute.id = SFCU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attribute.value.number = 1;
  sfcu_launch_config config = {};
  config.grid_x = grid;
  config.block_x = launch.threads;
  config.grid_y = config.grid_z = config.block_y = config.block_z = 1;
  config.shared_bytes = launch.sharedBytes;
  config.stream = stream;
  config.attributes = &attribute;
  config.attribute_count = 1;
  return context.driver().launch_kernel_ex(&config, kernel, parameters,
                                           nullptr);
}

Status Call::launch(const KernelLaunch &launch, const LoadedKernel &kernel,
                    bool run, sfcu_stream stream) {
  Expected<int64_t> grid = launch.grid.evaluate(symbols);
  if (!grid)
    return grid.status().withContext("grid of kernel '" +
                                     printable(launch.kernel) + "'");
  // What it would write has no elements; a tensor map of such a tensor is none.
  if (*grid == 0)
    return Status::success();
  if (*grid < 0 || *grid > ManifestLimits::grid)
    return invalidArgument("kernel '" + printable(launch.kernel) +
                           "' would need " + std::to_string(*grid) +
                           " blocks, the device runs at most " +
                           std::to_string(ManifestLimits::grid) +
                           "; split the call into smaller ones");
  if (*grid % launch.cluster != 0)
    return invalidArgument("kernel '" + printable(launch.kernel) +
                           "' would run " + std::to_string(*grid) +
                           " blocks, expected a multiple of its cluster of " +
                           std::to_string(launch.cluster) +
                           "; the manifest is wrong");
  uint64_t values[ManifestLimits::kernelArguments];
  alignas(128) sfcu_tensor_map maps[ManifestLimits::tensorMaps];
  void *parameters[ManifestLimits::kernelArguments];
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const KernelArgument &argument = launch.arguments[i];
    Status status;
    if (argument.kind == KernelArgument::Kind::TensorMap) {
      parameters[i] = &maps[argument.index];
      status = prepareMap(launch.tensorMaps[argument.index], run,
                          maps[argument.index]);
    } else {
      Expected<uint64_t> bits = value(argument);
      status = bits.status();
      values[i] = bits ? *bits : 0;
      parameters[i] = &values[i];
    }
    if (!status)
      return status.withContext("kernel '" + printable(launch.kernel) +
                                "' argument " + std::to_string(i));
  }
  if (!run)
    return Status::success();
  context.noteLaunch(kernel.identity);
  sfcu_result error = enqueue(launch, kernel.handle,
                              static_cast<unsigned>(*grid), stream, parameters);
  if (error == SFCU_SUCCESS)
    return Status::success();
  lastFailure = {error, &launch};
  return context.report(error,
                        "launching kernel '" + printable(launch.kernel) +
                            "' (" + std::to_string(*grid) + " blocks of " +
                            std::to_string(launch.threads) + " threads, " +
                            std::to_string(launch.sharedBytes) +
                            " bytes of shared memory)");
}

std::string Call::noDenseForm(size_t argument) const {
  return describe(function.arguments[argument], false, argument) +
         ": no dense form of the weight at this address was given or rebuilt "
         "(sf_function_set_dense_weight, sf_function_rebuild_dense_weights)";
}

Expected<bool> Call::accepts(const Variant &variant) const {
  if (variant.dense >= 0 && !denseFormOf(variant.dense))
    return false;
  for (const Guard &guard : variant.guards) {
    Expected<bool> held = holds(guard);
    if (!held || !*held)
      return held;
  }
  return true;
}

std::string Call::refusal(const Variant &variant) const {
  if (variant.dense >= 0 && !denseFormOf(variant.dense))
    return noDenseForm(variant.dense);
  for (const Guard &guard : variant.guards) {
    Expected<bool> held = holds(guard);
    if (held && *held)
      continue;
    if (!held)
      return held.status().text();
    if (guard.kind == Guard::Kind::Aligned)
      return "an address or a pitch is no multiple of " +
             std::to_string(guard.alignment);
    return guard.text(symbols) + " does not hold";
  }
  return "";
}

Status Call::noVariant(const LoadedProgram &loaded, size_t s) const {
  const Step &step = loaded.program->steps[s];
  std::string sizes;
  for (size_t i = 0; i < function.symbols.size(); ++i)
    sizes += (i ? ", " : " for ") + printable(function.symbols[i]) + " = " +
             std::to_string(symbols[i]);
  // What was ruled out on this device may be the reason.
  std::string ruledOut;
  for (size_t v = 0; v < step.variants.size(); ++v)
    if (std::string reason = loaded.dispatch->reason(s, v); !reason.empty())
      ruledOut += "; variant " + std::to_string(v) + ": " + reason;
  return unsupported(
      "'" + printable(function.name) + "' step " + std::to_string(s) + " (" +
      printable(step.op) +
      (step.location.empty() ? "" : " at " + printable(step.location)) +
      "): none of its " + std::to_string(step.variants.size()) +
      " variants accepts this call" + sizes +
      " and these addresses (the last: " + refusal(step.variants.back()) +
      "); use sizes the bundle was compiled for" + ruledOut);
}

Status Call::choose(const LoadedProgram &loaded, size_t s, uint8_t &chosen) {
  const Step &step = loaded.program->steps[s];
  const FunctionDispatch &dispatch = *loaded.dispatch;
  const uint8_t *order = nullptr;
  // The variant that comes before the others in the compiler's order, or -1.
  int first = -1;
  if (const MeasuredOrders *measured = dispatch.measured();
      measured && step.independent) {
    if (int64_t row = measured->find(symbols); row >= 0)
      order = measured->order(row, s);
    else if (int64_t row = measured->below(symbols); row >= 0)
      first = measured->fastestOfBoth(row, s);
  }
  bool found = false;
  for (size_t i = 0; i < step.variants.size(); ++i) {
    size_t v = order ? order[i] : i;
    if (first >= 0 && i <= static_cast<size_t>(first))
      v = i == 0 ? first : i - 1;
    FunctionDispatch::State state = dispatch.state(s, v);
    bool ruledOut = dispatch.rulesOut(s, v, symbols);
    // Only the first of what is quarantined counts, where nothing else runs.
    if ((ruledOut && step.independent) ||
        (state == FunctionDispatch::State::Quarantined && found))
      continue;
    Expected<bool> accepted = accepts(step.variants[v]);
    if (!accepted)
      return accepted.status();
    if (!*accepted)
      continue;
    // Where guards decide, nothing may take its place.
    if (ruledOut)
      break;
    chosen = static_cast<uint8_t>(v);
    found = true;
    // Where guards decide, the first is the only one.
    if (!step.independent)
      return Status::success();
    if (state != FunctionDispatch::State::Usable)
      continue;
    if (order || first >= 0)
      return Status::success();
    Expected<size_t> predicted = choosePredicted(loaded, s, v);
    if (predicted)
      chosen = static_cast<uint8_t>(*predicted);
    return predicted.status();
  }
  return found ? Status::success() : noVariant(loaded, s);
}

Status Call::launch(const LoadedProgram &loaded, size_t s, size_t v, bool run,
                    sfcu_stream stream) {
  const Variant &variant = loaded.program->steps[s].variants[v];
  for (size_t l = 0; l < variant.launches.size(); ++l)
    if (Status status =
            launch(variant.launches[l], loaded.kernels[s][v][l], run, stream);
        !status)
      return status;
  return Status::success();
}

Status sparseflow::rt::runStep(Call &call, const LoadedProgram &loaded,
                               size_t s, uint8_t &variant, sfcu_stream stream) {
  for (size_t tries = loaded.program->steps[s].variants.size();; --tries) {
    call.forgetFailure();
    Status status = call.launch(loaded, s, variant, true, stream);
    if (status || tries == 1 || status.code() == SF_ERROR_DEVICE_LOST ||
        !call.failure().launch || !isKernelFault(call.failure().result))
      return status;
    loaded.dispatch->quarantine(call.failure().launch->kernel, status.text());
    uint8_t failed = variant;
    if (!call.choose(loaded, s, variant) || variant == failed)
      return status;
    if (Status checked = call.launch(loaded, s, variant, false, stream);
        !checked)
      return checked;
  }
}

Status LoadedFunction::checkCounts(const sf_tensor *arguments,
                                   size_t argumentCount,
                                   const sf_tensor *results,
                                   size_t resultCount) const {
  auto wrongCount = [&](const char *what, size_t expected, size_t found) {
    return invalidArgument("'" + printable(function.name) + "' takes " +
                           std::to_string(expected) + " " + what + ", found " +
                           std::to_string(found));
  };
  if (argumentCount != function.arguments.size())
    return wrongCount("arguments", function.arguments.size(), argumentCount);
  if (resultCount != function.results.size())
    return wrongCount("results", function.results.size(), resultCount);
  if ((argumentCount && !arguments) || (resultCount && !results))
    return invalidArgument("'" + printable(function.name) +
                           "': the array of tensors is null");
  return Status::success();
}

Expected<const LoadedProgram *>
LoadedFunction::begin(Call &call, const sf_tensor *arguments,
                      size_t argumentCount, const sf_tensor *results,
                      size_t resultCount,
                      std::optional<CurrentContext> &current) {
  DeviceContext &device = context();
  if (Status status = device.usable(); !status)
    return status;
  if (Status status =
          checkCounts(arguments, argumentCount, results, resultCount);
      !status)
    return status;
  bool empty = false;
  if (Status status = call.bind(empty); !status)
    return status;
  if (empty)
    return static_cast<const LoadedProgram *>(nullptr);
  Expected<const LoadedProgram *> loaded = load();
  if (!loaded)
    return loaded.status();
  call.useDenseForms(*(*loaded)->dense);
  current.emplace(device);
  if (!current->status())
    return current->status();
  if (Status status = call.checkMemory(*(*loaded)->program); !status)
    return status;
  return loaded;
}

Status LoadedFunction::launch(const sf_tensor *arguments, size_t argumentCount,
                              const sf_tensor *results, size_t resultCount,
                              uint64_t workspace, uint64_t workspaceBytes,
                              sfcu_stream stream) {
  Call call(function, context(), arguments, results, workspace, workspaceBytes);
  std::optional<CurrentContext> current;
  Expected<const LoadedProgram *> loaded =
      begin(call, arguments, argumentCount, results, resultCount, current);
  if (!loaded || !*loaded)
    return loaded.status();
  // Everything is evaluated before anything reaches the device, so that a bad
  // last launch cannot leave the first ones running.
  uint8_t chosen[ManifestLimits::steps];
  size_t steps = (*loaded)->program->steps.size();
  for (size_t s = 0; s < steps; ++s) {
    if (Status status = call.choose(**loaded, s, chosen[s]); !status)
      return status;
    if (Status status = call.launch(**loaded, s, chosen[s], false, stream);
        !status)
      return status;
  }
  for (size_t s = 0; s < steps; ++s)
    if (Status status = runStep(call, **loaded, s, chosen[s], stream); !status)
      return status;
  if (reasonsWanted())
    giveReasons(function, call, **loaded, chosen);
  return Status::success();
}

//===- SimRunner.cpp - Carries out a bundle's launches --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimRunner.h"

#include "Limits.h"
#include "arguments/CacheArguments.h"
#include "device/dense_forms.h"

using namespace mlir::sparseflow;
using namespace mlir::sparseflow::simulation;
namespace rt = ::sparseflow::rt;
namespace tools = ::sparseflow::tools;
using rt::Status;

SimRunner::SimRunner(sim::Simulator &simulator, const rt::Function &function,
                     const rt::Program &program, const TargetInfo &target,
                     llvm::StringMap<int64_t> registers)
    : simulator(simulator), function(function), program(program),
      target(target), registers(std::move(registers)) {}

rt::Expected<uint64_t>
SimRunner::value(const rt::KernelArgument &argument) const {
  using Kind = rt::KernelArgument::Kind;
  rt::Expected<int64_t> number = argument.expression.evaluate(symbols);
  if (!number)
    return number.status();
  uint64_t base = 0;
  switch (argument.kind) {
  case Kind::Argument:
    base = arguments[argument.index];
    break;
  case Kind::Result:
    base = results[argument.index];
    break;
  case Kind::Dense:
    base = denseForms[argument.index];
    break;
  case Kind::Workspace:
    base = workspace;
    break;
  case Kind::Value:
    break;
  case Kind::TensorMap:
    llvm_unreachable("an address or a number is asked for");
  }
  return base + static_cast<uint64_t>(*number);
}

static unsigned elementBytes(rt::TensorMapSpec::Element element) {
  using Element = rt::TensorMapSpec::Element;
  switch (element) {
  case Element::F16:
  case Element::BF16:
    return 2;
  case Element::F32:
    return 4;
  case Element::I8:
    return 1;
  }
  return 0;
}

rt::Expected<sim::TensorMap>
SimRunner::encode(const rt::TensorMapSpec &spec) const {
  sim::TensorMap map;
  rt::Expected<uint64_t> address = value(spec.base);
  if (!address)
    return address.status();
  map.address = *address;
  map.elementBytes = static_cast<uint16_t>(elementBytes(spec.element));
  map.rank = static_cast<uint16_t>(spec.sizes.size());
  map.swizzle = static_cast<uint16_t>(spec.swizzle);
  for (size_t i = 0; i < spec.sizes.size(); ++i) {
    rt::Expected<int64_t> size = spec.sizes[i].evaluate(symbols);
    if (!size)
      return size.status();
    map.sizes[i] = static_cast<uint64_t>(*size);
    rt::Expected<int64_t> extent = spec.box[i].evaluate(symbols);
    if (!extent)
      return extent.status();
    map.box[i] = static_cast<uint16_t>(*extent);
  }
  for (size_t i = 0; i < spec.strides.size(); ++i) {
    rt::Expected<int64_t> stride = spec.strides[i].evaluate(symbols);
    if (!stride)
      return stride.status();
    map.strides[i] = static_cast<uint64_t>(*stride);
  }
  return map;
}

rt::Expected<bool> SimRunner::holds(const rt::Guard &guard) const {
  using Kind = rt::Guard::Kind;
  if (guard.kind == Kind::Aligned) {
    rt::Expected<uint64_t> address = value(guard.pointer);
    if (!address)
      return address.status();
    return *address % static_cast<uint64_t>(guard.alignment) == 0;
  }
  return guard.compare(symbols);
}

rt::Expected<bool> SimRunner::allHold(const rt::Variant &variant) const {
  if (variant.dense >= 0 && !denseForms[variant.dense])
    return false;
  for (const rt::Guard &guard : variant.guards) {
    rt::Expected<bool> one = holds(guard);
    if (!one || !*one)
      return one;
  }
  return true;
}

std::string SimRunner::whyNotLast(const rt::Step &step) const {
  for (const rt::Guard &guard : step.variants.back().guards) {
    rt::Expected<bool> one = holds(guard);
    if (guard.kind != rt::Guard::Kind::Aligned && one && !*one)
      return " (the last: " + guard.text(symbols) + " does not hold)";
  }
  return "";
}

Status SimRunner::launch(const rt::KernelLaunch &launch) {
  rt::Expected<int64_t> grid = launch.grid.evaluate(symbols);
  if (!grid)
    return grid.status();
  if (*grid == 0)
    return Status::success();
  if (*grid < 0 || *grid > rt::ManifestLimits::grid)
    return rt::invalidArgument("kernel '" + launch.kernel +
                               "': expected a grid of 0 to 2147483647 blocks, "
                               "found " +
                               std::to_string(*grid) +
                               "; use other sizes (--dim)");
  BlockNeeds needs;
  needs.kernel = launch.kernel;
  needs.threads = launch.threads;
  needs.sharedBytes = launch.sharedBytes;
  needs.registers = registers.lookup(launch.kernel);
  if (llvm::Error error = checkLimits(needs, target))
    return rt::invalidArgument(llvm::toString(std::move(error)));
  std::vector<sim::TensorMap> maps;
  for (const rt::TensorMapSpec &spec : launch.tensorMaps) {
    rt::Expected<sim::TensorMap> map = encode(spec);
    if (!map)
      return map.status();
    maps.push_back(*map);
  }
  std::vector<uint64_t> values(launch.arguments.size());
  std::vector<const void *> pointers;
  for (size_t i = 0; i < values.size(); ++i) {
    const rt::KernelArgument &argument = launch.arguments[i];
    if (argument.kind == rt::KernelArgument::Kind::TensorMap) {
      pointers.push_back(&maps[argument.index]);
      continue;
    }
    rt::Expected<uint64_t> one = value(argument);
    if (!one)
      return one.status();
    values[i] = *one;
    pointers.push_back(&values[i]);
  }
  sim::Dim3 blocksOfGrid, threads;
  blocksOfGrid.x = static_cast<uint32_t>(*grid);
  threads.x = launch.threads;
  if (options.launching)
    options.launching(launch.kernel);
  llvm::Expected<sim::LaunchReport> report = simulator.launch(
      launch.kernel, blocksOfGrid, threads, launch.sharedBytes, pointers);
  if (options.launching)
    options.launching("");
  if (!report)
    return rt::invalidArgument(llvm::toString(report.takeError()));
  kernels.insert(launch.kernel);
  blocks += report->blocks;
  if (!report->traffic.empty()) {
    sim::LaunchReport traffic;
    traffic.traffic = std::move(report->traffic);
    traffic.boxBytes = report->boxBytes;
    traffic.paddingBytes = report->paddingBytes;
    counted += "kernel '" + launch.kernel + "': " + traffic.text();
  }
  if (report->ok())
    return Status::success();
  found += report->text();
  return Status(SF_ERROR_INTERNAL,
                "the simulator found errors in kernel '" + launch.kernel + "'");
}

/// Copies a tensor into memory of exactly its size and of the alignment that
/// it is given on a device, or, if asked for, of its element's only. A layout
/// states its own alignment.
uint8_t *SimRunner::place(const rt::TensorSpec &spec, const uint8_t *data,
                          size_t bytes, const std::string &name,
                          bool writable) {
  size_t shift = options.unaligned && spec.layout == rt::Layout::RowMajor
                     ? rt::dtypeBytes(spec.dtype)
                     : 0;
  memories.emplace_back(bytes + shift);
  uint8_t *copy = memories.back().data() + shift;
  if (bytes)
    std::memcpy(copy, data, bytes);
  bool constant = !writable && spec.layout != rt::Layout::RowMajor;
  simulator.addBuffer({copy, bytes, name, writable, constant});
  return copy;
}

Status SimRunner::launchSteps() {
  for (const rt::Step &step : program.steps) {
    const rt::Variant *chosen = nullptr;
    unsigned left = step.independent ? options.variant : 1;
    for (size_t v = 0; v < step.variants.size() && left; ++v) {
      rt::Expected<bool> all = allHold(step.variants[v]);
      if (!all)
        return all.status();
      if (*all) {
        chosen = &step.variants[v];
        --left;
      }
    }
    if (!chosen)
      return rt::invalidArgument(
          "no variant of step '" + step.op + "' at " + step.location +
          " takes these sizes and addresses" + whyNotLast(step) +
          "; use others (--dim), or give the step a variant without "
          "conditions");
    for (const rt::KernelLaunch &one : chosen->launches) {
      if (options.cancelled && options.cancelled())
        return Status(SF_ERROR_INTERNAL, "interrupted");
      if (Status status = launch(one); !status)
        return status;
    }
  }
  return Status::success();
}

Status SimRunner::run(const tools::ArgumentSet &set,
                      std::vector<tools::HostTensor> &outputs,
                      const SimOptions &runOptions) {
  options = runOptions;
  symbols = set.symbols.data();
  arguments.clear();
  denseForms.clear();
  results.clear();
  memories.clear();
  found.clear();
  counted.clear();
  simulator.clearBuffers();
  auto nameOf = [](const char *kind, size_t index, const std::string &name) {
    return std::string(kind) + " " + std::to_string(index) +
           (name.empty() ? "" : " '" + name + "'");
  };
  for (size_t i = 0; i < set.arguments.size(); ++i) {
    const tools::Buffer &storage = set.arguments[i].storage();
    const rt::TensorSpec &spec = function.arguments[i];
    bool isUpdated = llvm::any_of(function.results, [&](const auto &result) {
      return result.updates == static_cast<int>(i);
    });
    arguments.push_back(reinterpret_cast<uint64_t>(
        place(spec, storage.data(), storage.size(),
              nameOf("argument", i, spec.name), isUpdated)));
    denseForms.push_back(0);
    if (!function.readsDense[i])
      continue;
    rt::Expected<std::vector<uint16_t>> values = rt::unpackDense(
        spec,
        std::vector<uint8_t>(storage.data(), storage.data() + storage.size()));
    // Without the form its kernels are not launched.
    if (!values)
      continue;
    rt::TensorSpec form = spec;
    form.layout = rt::Layout::RowMajor;
    denseForms.back() = reinterpret_cast<uint64_t>(
        place(form, reinterpret_cast<const uint8_t *>(values->data()),
              values->size() * sizeof(uint16_t),
              nameOf("the dense form of argument", i, spec.name), false));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const tools::Buffer &data = outputs[i].data;
    const rt::TensorSpec &spec = function.results[i];
    if (spec.updates >= 0) {
      results.push_back(arguments[spec.updates]);
      continue;
    }
    results.push_back(reinterpret_cast<uint64_t>(place(
        spec, data.data(), data.size(), nameOf("result", i, spec.name), true)));
  }
  rt::Expected<uint64_t> bytes = function.workspaceBytes(program, symbols);
  if (!bytes)
    return bytes.status();
  // What a kernel reads without having written it is poison.
  GuardedMemory memory(*bytes);
  if (*bytes) {
    std::memset(memory.data(), sim::poisonOf(options.schedule), *bytes);
    simulator.addBuffer({memory.data(), *bytes, "the workspace", true});
  }
  workspace = reinterpret_cast<uint64_t>(memory.data());

  sim::SimulatorOptions simulation;
  simulation.races = options.races;
  simulation.wavefronts = options.wavefronts;
  simulation.seed = options.schedule;
  simulation.threads = options.threads;
  simulation.sharedLimit = static_cast<size_t>(target.maxSharedBytes);
  simulation.asyncCopies =
      options.earlyCopies ? sim::AsyncCopies::Early : sim::AsyncCopies::Late;
  simulation.cancelled = options.cancelled;
  simulator.setOptions(simulation);
  if (Status status = launchSteps(); !status)
    return status;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const rt::TensorSpec &spec = function.results[i];
    auto *data = reinterpret_cast<const uint8_t *>(results[i]);
    size_t size = outputs[i].data.size();
    if (size && spec.updates >= 0) {
      tools::Buffer stored(set.arguments[spec.updates].storage().size());
      std::memcpy(stored.data(), data, stored.size());
      if (Status status =
              tools::readUpdated(spec, outputs[i].shape, stored, outputs[i]);
          !status)
        return status;
    } else if (size) {
      std::memcpy(outputs[i].data.data(), data, size);
    }
  }
  return Status::success();
}

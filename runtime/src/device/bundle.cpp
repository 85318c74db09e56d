//===- bundle.cpp - Loads a bundle's images into the driver ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/bundle.h"

#include "device/image.h"

#include <algorithm>

using namespace sparseflow::rt;

static constexpr size_t maxImageBytes = size_t(1) << 30;

Expected<std::unique_ptr<Bundle>>
Bundle::open(std::shared_ptr<DeviceContext> context,
             const std::string &directory) {
  std::string path = directory + "/manifest.json";
  Expected<std::string> text = readSmallFile(path, ManifestLimits::fileBytes);
  if (!text)
    return text.status().withContext("loading bundle '" +
                                     printable(directory, 400) + "'");
  Expected<Manifest> manifest = parseManifest(*text);
  if (!manifest)
    return manifest.status().withContext("'" + printable(path, 400) + "'");
  std::unique_ptr<Bundle> bundle(
      new Bundle(std::move(context), std::move(*manifest)));
  bundle->directory = directory;
  return bundle;
}

Bundle::Bundle(std::shared_ptr<DeviceContext> context, Manifest contents)
    : context(std::move(context)), manifest(std::move(contents)) {
  for (const Function &function : manifest.functions)
    functions.push_back(std::make_unique<LoadedFunction>(*this, function));
}

Bundle::~Bundle() {
  // A dead context has taken its modules with it, and unloading would only
  // repeat the error.
  if (modules.empty() || !context->usable())
    return;
  CurrentContext current(*context);
  if (!current.status())
    return;
  for (const auto &[image, module] : modules)
    context->driver().module_unload(module);
}

Expected<LoadedFunction *> Bundle::find(const std::string &name) {
  if (name.empty() && functions.size() == 1)
    return functions[0].get();
  std::string names;
  for (const std::unique_ptr<LoadedFunction> &function : functions) {
    if (!name.empty() && function->spec().name == name)
      return function.get();
    names += (names.empty() ? "" : ", ") + printable(function->spec().name);
  }
  std::string what = name.empty() ? std::string("a function must be named")
                                  : "no function '" + printable(name) + "'";
  return invalidArgument(what + "; the bundle has " +
                         (names.empty() ? "none" : names));
}

Expected<LoadedFunction *> Bundle::at(size_t index) {
  if (index >= functions.size())
    return invalidArgument("there is no function " + std::to_string(index) +
                           "; the bundle has " +
                           std::to_string(functions.size()));
  return functions[index].get();
}

Expected<std::string> Bundle::readImage(const std::string &name) const {
  return embedded ? embeddedImage(name)
                  : readSmallFile(directory + "/" + name, maxImageBytes);
}

namespace {
// Loading a module while some stream of the process is being captured is
// refused by the driver unless the thread says that it is not part of it.
class OutsideCapture {
public:
  explicit OutsideCapture(DeviceContext &context) : context(context) {
    result =
        context.report(context.driver().thread_exchange_capture_mode(&mode),
                       "setting the thread's capture mode");
  }
  ~OutsideCapture() {
    if (result)
      context.driver().thread_exchange_capture_mode(&mode);
  }
  const Status &status() const { return result; }

private:
  DeviceContext &context;
  int mode = SFCU_STREAM_CAPTURE_MODE_RELAXED;
  Status result;
};
} // namespace

Expected<sfcu_module> Bundle::module(const Program &program) {
  std::lock_guard<std::mutex> lock(moduleMutex);
  auto found = modules.find(program.image);
  if (found != modules.end())
    return found->second;
  std::string path = directory + "/" + program.image;
  Expected<std::string> image = readImage(program.image);
  if (!image)
    return image.status();
  std::string where = "image '" + printable(path, 400) + "'";
  if (Status status = checkImage(*image); !status)
    return status.withContext(where);
  OutsideCapture outside(*context);
  if (!outside.status())
    return outside.status();
  char log[2048] = {};
  int options[] = {SFCU_JIT_ERROR_LOG_BUFFER,
                   SFCU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  sfcu_module module = nullptr;
  sfcu_result error = context->driver().module_load_data_ex(
      &module, image->c_str(), 2, options, values);
  if (error != SFCU_SUCCESS) {
    Status status = context->report(
        error, "loading " + where + " for " + program.target.text + " on sm_" +
                   std::to_string(context->major()) +
                   std::to_string(context->minor()) +
                   " with a driver for CUDA " +
                   driverVersionText(context->driverVersion()));
    if (log[0])
      return Status(status.code(),
                    status.text() + "; it says: " + printable(log, 1000));
    return status;
  }
  modules.emplace(program.image, module);
  return module;
}

// A driver that is too old is named before anything is launched.
static Status checkDriver(const DeviceContext &device,
                          const KernelLaunch &launch) {
  auto lacks = [&](const char *symbol, const char *version) {
    return unsupported("kernel '" + printable(launch.kernel) + "' needs " +
                       symbol + ", which the driver for CUDA " +
                       driverVersionText(device.driverVersion()) +
                       " lacks; a driver for CUDA " + version +
                       " or newer is needed");
  };
  if (!launch.tensorMaps.empty() && !device.driver().tensor_map_encode_tiled)
    return lacks("cuTensorMapEncodeTiled", "12.0");
  if (launch.programmatic && !device.driver().launch_kernel_ex)
    return lacks("cuLaunchKernelEx", "11.8");
  return Status::success();
}

DeviceContext &LoadedFunction::context() const { return bundle.device(); }

Expected<const LoadedProgram *> LoadedFunction::load() {
  if (const LoadedProgram *program = ready.load(std::memory_order_acquire))
    return program;
  std::lock_guard<std::mutex> lock(loadMutex);
  if (const LoadedProgram *program = ready.load(std::memory_order_acquire))
    return program;
  DeviceContext &device = context();
  Expected<const Program *> program =
      function.select(device.major(), device.minor());
  if (!program)
    return program.status();
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  Expected<sfcu_module> module = bundle.module(**program);
  if (!module)
    return module.status();

  LoadedProgram result;
  result.program = *program;
  // A kernel may occur with several sizes of shared memory: allow the largest.
  std::map<std::string, std::pair<sfcu_function, uint32_t>> kernels;
  for (const Step &step : (*program)->steps)
    for (const Variant &variant : step.variants)
      for (const KernelLaunch &launch : variant.launches) {
        auto &kernel = kernels[launch.kernel];
        kernel.second = std::max(kernel.second, launch.sharedBytes);
        if (Status status = checkDriver(device, launch); !status)
          return status;
      }
  for (auto &[name, kernel] : kernels) {
    std::string what =
        "kernel '" + printable(name) + "' of image '" + (*program)->image + "'";
    if (kernel.second > static_cast<uint32_t>(device.maxSharedBytes()))
      return unsupported(what + " needs " + std::to_string(kernel.second) +
                         " bytes of shared memory, but device sm_" +
                         std::to_string(device.major()) +
                         std::to_string(device.minor()) + " allows " +
                         std::to_string(device.maxSharedBytes()) +
                         "; compile for this target");
    if (sfcu_result error = device.driver().module_get_function(
            &kernel.first, *module, name.c_str()))
      return device.report(error, "looking up " + what);
    if (kernel.second == 0)
      continue;
    if (sfcu_result error = device.driver().func_set_attribute(
            kernel.first, SFCU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            static_cast<int>(kernel.second)))
      return device.report(error, "allowing " + std::to_string(kernel.second) +
                                      " bytes of shared memory to " + what);
  }
  for (const Step &step : (*program)->steps) {
    auto &variants = result.kernels.emplace_back();
    for (const Variant &variant : step.variants) {
      auto &launches = variants.emplace_back();
      for (const KernelLaunch &launch : variant.launches)
        launches.push_back(kernels[launch.kernel].first);
    }
  }
  loaded = std::move(result);
  ready.store(&loaded, std::memory_order_release);
  return const_cast<const LoadedProgram *>(&loaded);
}

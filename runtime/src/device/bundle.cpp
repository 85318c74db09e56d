//===- bundle.cpp - Loads a bundle's images into the driver ---------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/bundle.h"

#include "device/image.h"
#include "dispatch/environment.h"
#include "dispatch/reasons.h"

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
  if ((images.empty() && dense.empty()) || !context->usable())
    return;
  CurrentContext current(*context);
  if (!current.status())
    return;
  for (const auto &[name, image] : images)
    context->driver().module_unload(image.module);
  dense.release(context->driver());
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

Expected<LoadedImage> Bundle::image(const Program &program) {
  std::lock_guard<std::mutex> lock(imageMutex);
  auto found = images.find(program.image);
  if (found != images.end())
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
  LoadedImage loaded{module, contentIdentity(*image)};
  images.emplace(program.image, loaded);
  return loaded;
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

namespace {
/// Finds the kernels of a program, each once.
class KernelLoader {
public:
  KernelLoader(DeviceContext &device, const Program &program,
               const LoadedImage &image)
      : device(device), program(program), image(image) {
    // A kernel may occur with several sizes of shared memory: allow the
    // largest.
    for (const Step &step : program.steps)
      for (const Variant &variant : step.variants)
        for (const KernelLaunch &launch : variant.launches) {
          Found &found = kernels[launch.kernel];
          found.sharedBytes = std::max(found.sharedBytes, launch.sharedBytes);
        }
  }

  Status load(const KernelLaunch &launch, LoadedKernel &kernel) {
    if (Status status = checkDriver(device, launch); !status)
      return status;
    Found &found = kernels[launch.kernel];
    if (!found.known) {
      found.status = find(launch.kernel, found);
      found.known = true;
    }
    kernel = found.kernel;
    return found.status;
  }
  /// Whether other kernels may still be used after this failure.
  static bool mayGoOn(const Status &status) {
    return status.code() != SF_ERROR_OUT_OF_MEMORY &&
           status.code() != SF_ERROR_NO_DEVICE &&
           status.code() != SF_ERROR_DEVICE_LOST;
  }

private:
  struct Found {
    LoadedKernel kernel;
    uint32_t sharedBytes = 0;
    bool known = false;
    Status status;
  };
  Status find(const std::string &name, Found &found) {
    std::string what =
        "kernel '" + printable(name) + "' of image '" + program.image + "'";
    if (found.sharedBytes > static_cast<uint32_t>(device.maxSharedBytes()))
      return unsupported(what + " needs " + std::to_string(found.sharedBytes) +
                         " bytes of shared memory, but device sm_" +
                         std::to_string(device.major()) +
                         std::to_string(device.minor()) + " allows " +
                         std::to_string(device.maxSharedBytes()) +
                         "; compile for this target");
    found.kernel.identity = device.identify(image.identity, name);
    if (sfcu_result error = device.driver().module_get_function(
            &found.kernel.handle, image.module, name.c_str()))
      return failed(error, name, "looking up " + what);
    if (found.sharedBytes == 0)
      return Status::success();
    if (sfcu_result error = device.driver().func_set_attribute(
            found.kernel.handle,
            SFCU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            static_cast<int>(found.sharedBytes)))
      return failed(error, name,
                    "allowing " + std::to_string(found.sharedBytes) +
                        " bytes of shared memory to " + what);
    return Status::success();
  }
  Status failed(sfcu_result error, const std::string &name,
                const std::string &what) {
    Status status = device.report(error, what);
    if (isKernelFault(error) && !isSticky(error))
      (void)DispatchStore::current().quarantine(QuarantinedKernel::now(
          device.key(), image.identity, name, status.text()));
    return status;
  }

  DeviceContext &device;
  const Program &program;
  const LoadedImage &image;
  std::map<std::string, Found> kernels;
};
} // namespace

static Status checkEnabled(const Variant &variant) {
  if (variant.family.empty() || isEnabled(variant.family))
    return Status::success();
  return unsupported("its kernels are of the family '" +
                     printable(variant.family) +
                     "', which is used only where SPARSEFLOW_ENABLE or "
                     "sf_dispatch_enable names it");
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
  Expected<LoadedImage> image = bundle.image(**program);
  if (!image)
    return image.status();

  LoadedProgram result;
  result.program = *program;
  result.dense = &bundle.denseForms();
  result.dispatch = std::make_unique<FunctionDispatch>(
      **program, function.symbols.size(),
      FunctionKey{device.key(), bundle.contents().identity, image->identity,
                  function.name});
  KernelLoader loader(device, **program, *image);
  for (size_t s = 0; s < (*program)->steps.size(); ++s) {
    const Step &step = (*program)->steps[s];
    auto &variants = result.kernels.emplace_back();
    // The first reason why a variant cannot run here.
    Status missing;
    size_t usable = 0;
    for (size_t v = 0; v < step.variants.size(); ++v) {
      const Variant &variant = step.variants[v];
      auto &launches = variants.emplace_back(variant.launches.size());
      Status status = checkEnabled(variant);
      for (size_t l = 0; status && l < launches.size(); ++l)
        status = loader.load(variant.launches[l], launches[l]);
      usable += status.ok();
      if (status)
        continue;
      if (!step.independent || !KernelLoader::mayGoOn(status))
        return status;
      if (missing)
        missing = status;
      result.dispatch->makeUnavailable(s, v, status.text());
    }
    if (usable == 0)
      return missing;
  }
  if (Status status = result.dispatch->readKnownBad(function.symbols); !status)
    return status;
  // What a store cannot say is not known.
  (void)result.dispatch->readStore();
  openReasonsLog();
  loaded = std::move(result);
  ready.store(&loaded, std::memory_order_release);
  return const_cast<const LoadedProgram *>(&loaded);
}

//===- bundle.h - Loaded functions of a bundle ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_BUNDLE_H
#define SPARSEFLOW_RT_DEVICE_BUNDLE_H

#include "device/context.h"
#include "device/dense_forms.h"
#include "device/manifest/manifest.h"
#include "dispatch/choice.h"
#include "sparseflow/dispatch.h"
#include "sparseflow/embedded.h"

#include <functional>
#include <map>
#include <optional>

namespace sparseflow::rt {

/// A kernel that the driver has loaded, and its identity.
struct LoadedKernel {
  sfcu_function handle = nullptr;
  const KernelIdentity *identity = nullptr;
};

/// An image that the driver has loaded.
struct LoadedImage {
  sfcu_module module = nullptr;
  /// Of its bytes (contentIdentity).
  std::string identity;
};

/// A program whose kernels the driver has loaded. Constant once made.
struct LoadedProgram {
  const Program *program = nullptr;
  /// By step, variant and launch of the program.
  std::vector<std::vector<std::vector<LoadedKernel>>> kernels;
  /// What is known about its variants, which grows while it is used.
  std::unique_ptr<FunctionDispatch> dispatch;
  /// Of the bundle.
  const DenseForms *dense = nullptr;
};

class Bundle;
class Call;

/// A function of a bundle on the bundle's device.
class LoadedFunction {
public:
  LoadedFunction(Bundle &bundle, const Function &spec)
      : bundle(bundle), function(spec) {}

  const Function &spec() const { return function; }
  DeviceContext &context() const;

  /// Loads the image unless that has happened. A failure is not remembered: the
  /// next call tries again (memory may be free by then).
  Expected<const LoadedProgram *> load();
  /// Checks a call and launches it, or only checks it (see planLaunch).
  Status launch(const sf_tensor *arguments, size_t argumentCount,
                const sf_tensor *results, size_t resultCount,
                uint64_t workspace, uint64_t workspaceBytes,
                sfcu_stream stream);
  /// Measures every variant that accepts these calls, and keeps the times; see
  /// sf_function_tune_calls.
  Status tune(const sf_call *calls, size_t count, size_t argumentCount,
              size_t resultCount, sfcu_stream stream, int replays);
  /// Launches a call, waits and asks `verdict`, which answers why its results
  /// are wrong, or ""; see sf_function_check.
  Status check(const sf_tensor *arguments, size_t argumentCount,
               const sf_tensor *results, size_t resultCount, uint64_t workspace,
               uint64_t workspaceBytes, sfcu_stream stream,
               const std::function<std::string()> &verdict);
  /// From now on `dense`, the row-major weight of the argument's type, is the
  /// dense form of what is packed at `packed`; 0: there is none any more.
  Status setDense(size_t argument, uint64_t packed, uint64_t dense,
                  uint64_t bytes);
  /// Unpacks those of these arguments whose dense forms kernels read into
  /// memory of the bundle. Waits for `stream`.
  Status rebuildDense(const sf_tensor *arguments, size_t argumentCount,
                      sfcu_stream stream);
  /// Bytes of the bundle's dense forms: the callers' and its own.
  void denseBytes(uint64_t &given, uint64_t &owned) const;
  /// launch() with buffers that have exactly the bytes of their shapes:
  /// addresses of arguments, then of results, and the symbols' values.
  Status call(const uint64_t *addresses, size_t addressCount,
              const int64_t *sizes, size_t sizeCount, uint64_t workspace,
              uint64_t workspaceBytes, sfcu_stream stream);

private:
  /// What every use of a call begins with: checks the caller's tensors, loads
  /// the function and makes its context current for as long as `current` lives.
  /// Null where there is nothing to do.
  Expected<const LoadedProgram *> begin(Call &call, const sf_tensor *arguments,
                                        size_t argumentCount,
                                        const sf_tensor *results,
                                        size_t resultCount,
                                        std::optional<CurrentContext> &current);
  Status rebuildDense(size_t argument, const sf_tensor &packed);
  Status checkCounts(const sf_tensor *arguments, size_t argumentCount,
                     const sf_tensor *results, size_t resultCount) const;

  Bundle &bundle;
  const Function &function;
  std::atomic<const LoadedProgram *> ready{nullptr};
  std::mutex loadMutex;
  LoadedProgram loaded;
};

/// A manifest on a device and the modules loaded for it.
class Bundle {
public:
  static Expected<std::unique_ptr<Bundle>>
  open(std::shared_ptr<DeviceContext> context, const std::string &directory);
  /// From memory that outlives the bundle, with every image loaded.
  static Expected<std::unique_ptr<Bundle>>
  openEmbedded(std::shared_ptr<DeviceContext> context,
               const sf_embedded_bundle &embedded);
  ~Bundle();
  Bundle(const Bundle &) = delete;

  DeviceContext &device() const { return *context; }
  const Manifest &contents() const { return manifest; }
  size_t functionCount() const { return functions.size(); }
  /// By name; an empty name means the only function.
  Expected<LoadedFunction *> find(const std::string &name);
  /// By position in the manifest.
  Expected<LoadedFunction *> at(size_t index);
  /// What openEmbedded was given, or null.
  const sf_embedded_bundle *embeddedBundle() const { return embedded; }

  /// The image of a program, loaded at the first call. The context must be
  /// current. Thread-safe.
  Expected<LoadedImage> image(const Program &program);
  DenseForms &denseForms() { return dense; }

private:
  Bundle(std::shared_ptr<DeviceContext> context, Manifest contents);
  /// The bytes of an image, from wherever this bundle's come.
  Expected<std::string> readImage(const std::string &name) const;
  Expected<std::string> embeddedImage(const std::string &name) const;

  std::shared_ptr<DeviceContext> context;
  /// Of an embedded bundle: its name, for error texts.
  std::string directory;
  const sf_embedded_bundle *embedded = nullptr;
  Manifest manifest;
  std::vector<std::unique_ptr<LoadedFunction>> functions;
  std::mutex imageMutex;
  std::map<std::string, LoadedImage> images;
  DenseForms dense;
};

} // namespace sparseflow::rt

struct sf_bundle {
  std::unique_ptr<sparseflow::rt::Bundle> bundle;
};

#endif // SPARSEFLOW_RT_DEVICE_BUNDLE_H

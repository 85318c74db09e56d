//===- embedded.cpp - Bundles inside object files -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sparseflow/embedded.h"

#include "device/bundle.h"

using namespace sparseflow::rt;

Expected<std::unique_ptr<Bundle>>
Bundle::openEmbedded(std::shared_ptr<DeviceContext> context,
                     const sf_embedded_bundle &embedded) {
  if (embedded.version != 1)
    return unsupported("the object is of version " +
                       std::to_string(embedded.version) +
                       ", this library knows version 1; use the library of "
                       "the compiler that made the object");
  std::string name = embedded.name ? embedded.name : "";
  if (!embedded.manifest || (embedded.image_count && !embedded.images))
    return formatError("object '" + printable(name) + "' has null tables");
  if (embedded.manifest_bytes > ManifestLimits::fileBytes)
    return formatError("object '" + printable(name) +
                       "' has a manifest beyond the limit of " +
                       std::to_string(ManifestLimits::fileBytes) + " bytes");
  Expected<Manifest> manifest =
      parseManifest({embedded.manifest, embedded.manifest_bytes});
  if (!manifest)
    return manifest.status().withContext("object '" + printable(name) + "'");
  std::unique_ptr<Bundle> bundle(
      new Bundle(std::move(context), std::move(*manifest)));
  bundle->directory = name;
  bundle->embedded = &embedded;
  for (const std::unique_ptr<LoadedFunction> &function : bundle->functions)
    if (Status status = function->load().status(); !status)
      return status.withContext("object '" + printable(name) + "'");
  return bundle;
}

Expected<std::string> Bundle::embeddedImage(const std::string &name) const {
  for (uint32_t i = 0; i < embedded->image_count; ++i) {
    const sf_embedded_image &image = embedded->images[i];
    if (image.name && image.data && name == image.name)
      return std::string(static_cast<const char *>(image.data), image.bytes);
  }
  return formatError("object '" + printable(directory) + "' holds no image '" +
                     printable(name) + "'");
}

Status LoadedFunction::call(const uint64_t *addresses, size_t addressCount,
                            const int64_t *sizes, size_t sizeCount,
                            uint64_t workspace, uint64_t workspaceBytes,
                            sfcu_stream stream) {
  size_t argumentCount = function.arguments.size();
  size_t count = argumentCount + function.results.size();
  if (addressCount != count || sizeCount != function.symbols.size())
    return invalidArgument("'" + printable(function.name) + "' takes " +
                           std::to_string(count) + " addresses and " +
                           std::to_string(function.symbols.size()) +
                           " sizes, found " + std::to_string(addressCount) +
                           " and " + std::to_string(sizeCount));
  // On the stack, within the limits of a manifest: a call allocates nothing.
  constexpr size_t maxTensors = 2 * ManifestLimits::tensors;
  int64_t dims[maxTensors][ManifestLimits::rank];
  sf_tensor tensors[maxTensors];
  for (size_t i = 0; i < count; ++i) {
    const TensorSpec &spec = i < argumentCount
                                 ? function.arguments[i]
                                 : function.results[i - argumentCount];
    for (size_t d = 0; d < spec.shape.size(); ++d) {
      dims[i][d] = spec.shape[d].value(sizes);
      if (dims[i][d] < 0)
        return invalidArgument(
            "'" + printable(function.name) + "': size '" +
            printable(function.symbols[spec.shape[d].symbol]) +
            "' is negative (" + std::to_string(dims[i][d]) + ")");
    }
    Expected<uint64_t> bytes = storageBytes(spec, dims[i]);
    if (!bytes)
      return bytes.status().withContext("'" + printable(function.name) + "'");
    tensors[i] = {addresses[i], dims[i],
                  static_cast<int32_t>(spec.shape.size()), SF_DTYPE_INVALID,
                  *bytes};
  }
  return launch(tensors, argumentCount, tensors + argumentCount,
                count - argumentCount, workspace, workspaceBytes, stream);
}

/// The function that the caller means, if the handle fits it.
static Expected<LoadedFunction *> find(const sf_bundle *bundle,
                                       const sf_embedded_bundle *embedded,
                                       uint64_t function) {
  if (!bundle || !embedded)
    return invalidArgument("the program is null: call the object's init "
                           "function first");
  if (bundle->bundle->embeddedBundle() != embedded)
    return invalidArgument(
        "the program was not made by the init function of object '" +
        printable(embedded->name ? embedded->name : "") + "'");
  return bundle->bundle->at(function);
}

extern "C" {

sf_status sf_embedded_load(sf_context *context,
                           const sf_embedded_bundle *embedded,
                           sf_bundle **bundle) {
  return guard([&]() -> Status {
    if (!bundle)
      return invalidArgument("the place for the program is null");
    *bundle = nullptr;
    if (!context || !embedded)
      return invalidArgument(
          std::string(context ? "the embedded bundle" : "the context") +
          " is null; make a context with sf_context_create");
    if (Status status = context->context->usable(); !status)
      return status;
    auto opened = Bundle::openEmbedded(context->context, *embedded);
    if (!opened)
      return opened.status();
    *bundle = new sf_bundle{std::move(*opened)};
    return Status::success();
  });
}

sf_status sf_embedded_call(sf_bundle *bundle,
                           const sf_embedded_bundle *embedded,
                           uint64_t function, const uint64_t *addresses,
                           uint64_t addressCount, const int64_t *sizes,
                           uint64_t sizeCount, uint64_t workspace,
                           uint64_t workspaceBytes, sfcu_stream stream) {
  return guard([&]() -> Status {
    auto found = find(bundle, embedded, function);
    if (!found)
      return found.status();
    return (*found)->call(addresses, addressCount, sizes, sizeCount, workspace,
                          workspaceBytes, stream);
  });
}

sf_status sf_embedded_workspace_size(const sf_bundle *bundle,
                                     const sf_embedded_bundle *embedded,
                                     uint64_t function, const int64_t *sizes,
                                     uint64_t sizeCount, uint64_t *bytes) {
  auto found = find(bundle, embedded, function);
  if (!found)
    return guard([&]() -> Status { return found.status(); });
  return sf_function_workspace_size(
      reinterpret_cast<const sf_function *>(*found), sizes, sizeCount, bytes);
}

} // extern "C"

//===- dense_forms.cpp - Dense forms of packed weights --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/dense_forms.h"

#include "device/bundle.h"
#include "ternary/pack.h"
#include "weights/convert.h"
#include "weights/pack24.h"

#include <algorithm>

using namespace sparseflow::rt;

// What TMA and vector accesses ask of a matrix.
static constexpr uint64_t kFormAlignment = 16;

static bool isBefore(const DenseForm &form, uint64_t packed) {
  return form.packed < packed;
}

const DenseForm *DenseForms::find(const Table *table, uint64_t packed,
                                  const TensorSpec &spec) {
  if (!table)
    return nullptr;
  auto form = std::lower_bound(table->begin(), table->end(), packed, isBefore);
  if (form == table->end() || form->packed != packed ||
      form->n != spec.shape[0].constant || form->k != spec.shape[1].constant ||
      form->dtype != spec.dtype)
    return nullptr;
  return &*form;
}

Status DenseForms::replace(DeviceContext &context, uint64_t packed,
                           const DenseForm *form) {
  auto next = std::make_unique<Table>();
  if (const Table *known = table())
    *next = *known;
  auto place = std::lower_bound(next->begin(), next->end(), packed, isBefore);
  bool isKnown = place != next->end() && place->packed == packed;
  if (!isKnown && !form)
    return Status::success();
  uint64_t unused = isKnown && place->isOwned ? place->dense : 0;
  if (isKnown && form)
    *place = *form;
  else if (form)
    next->insert(place, *form);
  else
    next->erase(place);
  tables.push_back(std::move(next));
  current.store(tables.back().get(), std::memory_order_release);
  if (!unused || (form && form->dense == unused))
    return Status::success();
  return context.report(context.driver().mem_free(unused),
                        "freeing the dense form of a weight");
}

Status DenseForms::set(DeviceContext &context, const DenseForm &form) {
  std::lock_guard<std::mutex> lock(mutex);
  return replace(context, form.packed, &form);
}

Status DenseForms::forget(DeviceContext &context, uint64_t packed) {
  std::lock_guard<std::mutex> lock(mutex);
  return replace(context, packed, nullptr);
}

Status DenseForms::store(DeviceContext &context, DenseForm form,
                         const std::vector<uint16_t> &values) {
  std::lock_guard<std::mutex> lock(mutex);
  const sf_driver_table &driver = context.driver();
  form.isOwned = true;
  form.bytes = values.size() * sizeof(uint16_t);
  if (const Table *known = table())
    for (const DenseForm &other : *known)
      if (other.packed == form.packed && other.isOwned &&
          other.bytes == form.bytes)
        form.dense = other.dense;
  bool isNew = form.dense == 0;
  if (isNew)
    if (Status status =
            context.report(driver.mem_alloc(&form.dense, form.bytes),
                           "allocating " + std::to_string(form.bytes) +
                               " bytes for the dense form of a weight");
        !status)
      return status;
  Status status =
      context.report(driver.memcpy_htod(form.dense, values.data(), form.bytes),
                     "copying the dense form of a weight");
  // The bytes are staged, and other streams do not wait for the default one.
  if (status)
    status = context.report(driver.stream_synchronize(nullptr),
                            "waiting for the dense form of a weight");
  if (status)
    return replace(context, form.packed, &form);
  if (isNew)
    driver.mem_free(form.dense);
  else
    // What it holds now is neither the old weight nor the new one.
    (void)replace(context, form.packed, nullptr);
  return status;
}

void DenseForms::bytes(uint64_t &given, uint64_t &owned) const {
  given = owned = 0;
  if (const Table *known = table())
    for (const DenseForm &form : *known)
      (form.isOwned ? owned : given) += form.bytes;
}

void DenseForms::release(const sf_driver_table &driver) {
  std::lock_guard<std::mutex> lock(mutex);
  if (const Table *known = table())
    for (const DenseForm &form : *known)
      if (form.isOwned)
        driver.mem_free(form.dense);
  current.store(nullptr, std::memory_order_release);
}

/// The numbers in the argument's type, which has to hold each.
static Status storeValues(const TensorSpec &spec,
                          const std::vector<float> &values,
                          std::vector<uint16_t> &result) {
  bool isHalf = spec.dtype == DType::F16;
  for (size_t i = 0; i < values.size(); ++i) {
    result[i] = isHalf ? floatToHalf(values[i]) : floatToBfloat(values[i]);
    float stored = isHalf ? halfToFloat(result[i]) : bfloatToFloat(result[i]);
    if (stored == values[i])
      continue;
    auto columns = static_cast<size_t>(spec.shape[1].constant);
    return unsupported(
        "row " + std::to_string(i / columns) + ", column " +
        std::to_string(i % columns) + " is " + std::to_string(values[i]) +
        ", expected a number that " + dtypeName(spec.dtype) +
        " holds exactly for a dense form; use scales of this type and one "
        "plane, or go without the form");
  }
  return Status::success();
}

Expected<std::vector<uint16_t>>
sparseflow::rt::unpackDense(const TensorSpec &spec,
                            const std::vector<uint8_t> &blob) {
  int64_t n = spec.shape[0].constant, k = spec.shape[1].constant;
  std::vector<uint16_t> result(static_cast<size_t>(n) * static_cast<size_t>(k));
  if (spec.layout == Layout::Sf24V1) {
    Expected<Layout24> layout = Layout24::create(n, k);
    if (!layout)
      return layout.status();
    Status status =
        unpack24(blob.data(), *layout, /*threads=*/0, result.data(), spec.name);
    if (!status)
      return status;
    return result;
  }
  std::vector<int8_t> trits(static_cast<size_t>(spec.ternary.tritCount()));
  std::vector<float> scales(static_cast<size_t>(spec.ternary.scalesPerPlane()) *
                            spec.ternary.planes);
  if (Status status = unpackTernary(blob.data(), spec.ternary, spec.name,
                                    /*threads=*/0, trits.data(), scales.data());
      !status)
    return status;
  // One scale for a row or all is applied to sums, by kernels that read it
  // from the packed weight.
  if (spec.ternary.planes == 1 &&
      (spec.ternary.group == kTensorScale || spec.ternary.group == kRowScale))
    std::fill(scales.begin(), scales.end(), 1.0f);
  std::vector<float> values(result.size());
  expandTernary(trits.data(), scales.data(), spec.ternary, /*threads=*/0,
                values.data());
  if (Status status = storeValues(spec, values, result); !status)
    return status;
  return result;
}

/// "'layer' argument 1 ('w')".
static std::string describe(const Function &function, size_t argument) {
  const std::string &name = function.arguments[argument].name;
  return "'" + printable(function.name) + "' argument " +
         std::to_string(argument) +
         (name.empty() ? "" : " ('" + printable(name) + "')");
}

Status LoadedFunction::setDense(size_t argument, uint64_t packed,
                                uint64_t dense, uint64_t bytes) {
  DeviceContext &device = context();
  if (Status status = device.usable(); !status)
    return status;
  if (argument >= function.arguments.size())
    return invalidArgument("'" + printable(function.name) + "' has " +
                           std::to_string(function.arguments.size()) +
                           " arguments, found number " +
                           std::to_string(argument));
  std::string what = describe(function, argument);
  if (!function.readsDense[argument])
    return invalidArgument(what + ": no kernel reads its dense form; compile "
                                  "with --dense-fallback weights or rebuild");
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  if (!packed)
    return invalidArgument(what + ": the address of the packed weight is null");
  if (!dense)
    return bundle.denseForms().forget(device, packed);
  const TensorSpec &spec = function.arguments[argument];
  DenseForm form{packed, dense, spec.shape[0].constant, spec.shape[1].constant,
                 spec.dtype};
  form.bytes = static_cast<uint64_t>(form.n) * static_cast<uint64_t>(form.k) *
               dtypeBytes(form.dtype);
  if (bytes < form.bytes)
    return invalidArgument(what + ": its dense form, " + dtypeName(spec.dtype) +
                           " " + spec.shapeText(function.symbols) + ", needs " +
                           std::to_string(form.bytes) +
                           " bytes, the buffer has " + std::to_string(bytes));
  if (dense % kFormAlignment)
    return invalidArgument(what +
                           ": the address of its dense form must be a "
                           "multiple of " +
                           std::to_string(kFormAlignment) +
                           " bytes, found remainder " +
                           std::to_string(dense % kFormAlignment));
  return bundle.denseForms().set(device, form);
}

/// With the context current.
Status LoadedFunction::rebuildDense(size_t argument, const sf_tensor &packed) {
  DeviceContext &device = context();
  const TensorSpec &spec = function.arguments[argument];
  std::string what = describe(function, argument);
  int64_t dims[] = {spec.shape[0].constant, spec.shape[1].constant};
  Expected<uint64_t> needed = storageBytes(spec, dims);
  if (!needed)
    return needed.status().withContext(what);
  if (!*needed)
    return Status::success();
  if (!packed.data || packed.bytes < *needed)
    return invalidArgument(
        what + ": needs " + std::to_string(*needed) + " bytes, " +
        (packed.data ? "the buffer has " + std::to_string(packed.bytes)
                     : std::string("the address is null")));
  std::vector<uint8_t> blob(*needed);
  if (Status status = device.report(
          device.driver().memcpy_dtoh(blob.data(), packed.data, blob.size()),
          "reading a packed weight");
      !status)
    return status.withContext(what);
  Expected<std::vector<uint16_t>> values = unpackDense(spec, blob);
  if (!values)
    return values.status().withContext(what);
  DenseForm form{packed.data, 0, dims[0], dims[1], spec.dtype};
  Status status = bundle.denseForms().store(device, std::move(form), *values);
  return status ? status : status.withContext(what);
}

Status LoadedFunction::rebuildDense(const sf_tensor *arguments,
                                    size_t argumentCount, sfcu_stream stream) {
  DeviceContext &device = context();
  if (Status status = device.usable(); !status)
    return status;
  if (argumentCount != function.arguments.size() ||
      (argumentCount && !arguments))
    return invalidArgument(
        "'" + printable(function.name) + "' takes " +
        std::to_string(function.arguments.size()) + " arguments, found " +
        (arguments ? std::to_string(argumentCount) : std::string("none")));
  CurrentContext current(device);
  if (!current.status())
    return current.status();
  if (Status status = device.report(device.driver().stream_synchronize(stream),
                                    "waiting for the caller's stream");
      !status)
    return status;
  Status result;
  for (size_t i = 0; i < argumentCount; ++i) {
    if (!function.readsDense[i])
      continue;
    if (result)
      result = rebuildDense(i, arguments[i]);
    // What was known of this address is not what lies there now.
    if (!result)
      (void)bundle.denseForms().forget(device, arguments[i].data);
  }
  return result;
}

void LoadedFunction::denseBytes(uint64_t &given, uint64_t &owned) const {
  bundle.denseForms().bytes(given, owned);
}

//===- tensor_map.cpp - Tensor maps of a launch ---------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/tensor_map.h"

using namespace sparseflow::rt;
using Element = TensorMapSpec::Element;

const char *sparseflow::rt::elementName(Element element) {
  switch (element) {
  case Element::F16:
    return "f16";
  case Element::BF16:
    return "bf16";
  case Element::F32:
    return "f32";
  case Element::I8:
    return "i8";
  }
  return "?";
}

std::optional<Element>
sparseflow::rt::parseMapElement(const std::string &name) {
  for (Element element :
       {Element::F16, Element::BF16, Element::F32, Element::I8})
    if (name == elementName(element))
      return element;
  return std::nullopt;
}

uint64_t sparseflow::rt::elementBytes(Element element) {
  return element == Element::F32 ? 4 : element == Element::I8 ? 1 : 2;
}

Expected<TensorMapValues> TensorMapValues::evaluate(const TensorMapSpec &spec,
                                                    const int64_t *symbols,
                                                    uint64_t address,
                                                    uint64_t bytes) {
  TensorMapValues values;
  values.element = spec.element;
  values.rank = static_cast<uint32_t>(spec.sizes.size());
  values.address = address;
  values.swizzle = spec.swizzle;
  values.promotion = spec.promotion;
  if (address % 16 != 0)
    return invalidArgument("a tensor map needs an address that is a multiple "
                           "of 16 bytes, found remainder " +
                           std::to_string(address % 16) +
                           "; the variant's guards should ask for it");
  // The bytes from the first element to behind the last one.
  uint64_t end = 0;
  for (size_t i = 0; i < spec.sizes.size(); ++i) {
    Expected<int64_t> size = spec.sizes[i].evaluate(symbols);
    if (!size)
      return size.status();
    if (*size < 1 || *size > int64_t(1) << 32)
      return invalidArgument("a tensor map needs sizes from 1 to 2^32, found " +
                             std::to_string(*size) + " in dimension " +
                             std::to_string(i));
    values.sizes[i] = static_cast<uint64_t>(*size);
    Expected<int64_t> extent = spec.box[i].evaluate(symbols);
    if (!extent)
      return extent.status();
    if (*extent < 1 || *extent > TensorMapSpec::maxExtent)
      return invalidArgument("a tensor map needs a box of 1 to 256, found " +
                             std::to_string(*extent) + " in dimension " +
                             std::to_string(i) + "; the manifest is wrong");
    values.box[i] = static_cast<uint32_t>(*extent);
    uint64_t stride = elementBytes(spec.element);
    if (i > 0) {
      Expected<int64_t> found = spec.strides[i - 1].evaluate(symbols);
      if (!found)
        return found.status();
      if (*found < 0 || *found >= int64_t(1) << 40 || *found % 16 != 0)
        return invalidArgument(
            "a tensor map needs strides that are multiples of 16 bytes below "
            "2^40, found " +
            std::to_string(*found) + " of dimension " + std::to_string(i) +
            "; the variant's guards should ask for it");
      stride = values.strides[i - 1] = static_cast<uint64_t>(*found);
    }
    uint64_t span = 0;
    if (!checkedMul(values.sizes[i] - 1, stride, span) ||
        !checkedAdd(end, span, end))
      return invalidArgument("a tensor map's bytes do not fit 64 bits");
  }
  if (end > bytes || bytes - end < elementBytes(spec.element))
    return invalidArgument("a tensor map reaches " +
                           std::to_string(end + elementBytes(spec.element)) +
                           " bytes into a buffer that has " +
                           std::to_string(bytes) +
                           " left there; the manifest is wrong");
  return values;
}

sfcu_result sparseflow::rt::encodeTensorMap(const sf_driver_table &driver,
                                            const TensorMapValues &values,
                                            sfcu_tensor_map &map) {
  int element = values.element == Element::F16    ? SFCU_TENSOR_MAP_FLOAT16
                : values.element == Element::BF16 ? SFCU_TENSOR_MAP_BFLOAT16
                : values.element == Element::F32  ? SFCU_TENSOR_MAP_FLOAT32
                                                  : SFCU_TENSOR_MAP_UINT8;
  int swizzle = values.swizzle == 128  ? SFCU_TENSOR_MAP_SWIZZLE_128B
                : values.swizzle == 64 ? SFCU_TENSOR_MAP_SWIZZLE_64B
                : values.swizzle == 32 ? SFCU_TENSOR_MAP_SWIZZLE_32B
                                       : SFCU_TENSOR_MAP_SWIZZLE_NONE;
  int promotion = values.promotion == 64    ? SFCU_TENSOR_MAP_L2_PROMOTION_64B
                  : values.promotion == 128 ? SFCU_TENSOR_MAP_L2_PROMOTION_128B
                                            : SFCU_TENSOR_MAP_L2_PROMOTION_256B;
  static const uint32_t ones[TensorMapSpec::maxRank] = {1, 1, 1, 1, 1};
  return driver.tensor_map_encode_tiled(
      &map, element, values.rank, reinterpret_cast<void *>(values.address),
      values.sizes, values.strides, values.box, ones,
      SFCU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion,
      SFCU_TENSOR_MAP_OOB_FILL_NONE);
}

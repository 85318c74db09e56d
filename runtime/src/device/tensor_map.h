//===- tensor_map.h - Tensor maps of a launch -------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver refuses a tensor map with CUDA_ERROR_INVALID_VALUE and no reason.
// So its rules are checked here first, each with an error of its own, and also
// that the tensor lies inside its buffer.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_TENSOR_MAP_H
#define SPARSEFLOW_RT_DEVICE_TENSOR_MAP_H

#include "device/manifest/manifest.h"

namespace sparseflow::rt {

/// "f16", and the way back.
const char *elementName(TensorMapSpec::Element element);
std::optional<TensorMapSpec::Element> parseMapElement(const std::string &name);
/// Bytes of one element.
uint64_t elementBytes(TensorMapSpec::Element element);

/// A tensor map for the sizes of one call; plain data.
struct TensorMapValues {
  TensorMapSpec::Element element = TensorMapSpec::Element::F16;
  uint32_t rank = 0;
  uint64_t address = 0;
  /// Elements, bytes, elements; innermost first.
  uint64_t sizes[TensorMapSpec::maxRank] = {};
  uint64_t strides[TensorMapSpec::maxRank - 1] = {};
  uint32_t box[TensorMapSpec::maxRank] = {};
  uint32_t swizzle = 0;
  uint32_t promotion = 256;

  /// Evaluates `spec` for a tensor at `address`, whose buffer has `bytes`
  /// left. Errors: an address, size or stride that the hardware does not take,
  /// or a tensor that ends outside the buffer. Allocates only on errors.
  static Expected<TensorMapValues> evaluate(const TensorMapSpec &spec,
                                            const int64_t *symbols,
                                            uint64_t address, uint64_t bytes);
};

/// Calls cuTensorMapEncodeTiled, which the driver must have. `map` is aligned
/// to 128 bytes.
sfcu_result encodeTensorMap(const sf_driver_table &driver,
                            const TensorMapValues &values,
                            sfcu_tensor_map &map);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_TENSOR_MAP_H

//===- image.h - Bounds of a GPU image --------------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_IMAGE_H
#define SPARSEFLOW_RT_DEVICE_IMAGE_H

#include "common/status.h"

#include <string>

namespace sparseflow::rt {

/// The driver gets a pointer without a length and believes the image's own
/// headers, so a file cut short would make it read beyond the buffer. Success
/// when `data` is a cubin (ELF), a fatbin or PTX text whose headers stay
/// inside it.
Status checkImage(const std::string &data);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_IMAGE_H

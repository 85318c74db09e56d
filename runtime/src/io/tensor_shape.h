//===- tensor_shape.h - Sizes of stored tensors -----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_IO_TENSOR_SHAPE_H
#define SPARSEFLOW_RT_IO_TENSOR_SHAPE_H

#include "common/status.h"
#include "weights/dtype.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparseflow::rt {

/// "[2, 3]"; "[]" for a scalar.
std::string shapeText(const std::vector<int64_t> &shape);

/// Bytes of a dense tensor. Fails if a dimension is negative, if the product
/// overflows (zero dimensions do not hide an overflow of the others), if the
/// bits do not fill whole bytes, or if the type is unknown.
Expected<uint64_t> tensorBytes(const std::vector<int64_t> &shape,
                               sf_dtype dtype);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_IO_TENSOR_SHAPE_H

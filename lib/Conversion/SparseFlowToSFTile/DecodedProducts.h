//===- DecodedProducts.h - Ternary weights for warpgroups ------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The products of one stage of a kernel with copying warps (SpecialisedMatmul)
// whose weights are ternary: decoded in registers, which wgmma reads.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_DECODEDPRODUCTS_H
#define SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_DECODEDPRODUCTS_H

#include "Kernels.h"

namespace mlir::sparseflow {

class DecodedProducts {
public:
  DecodedProducts(const MatmulKernel &spec, KernelBuilder &b);

  /// Decodes the weights of a stage and starts their products. `tiles` are the
  /// stage's, `rows` the first of the 16 rows in it that a warp has of each of
  /// `sums`. The registers that products read are appended to `held`.
  void start(ValueRange tiles, ArrayRef<Value> rows,
             SmallVectorImpl<Value> &sums, SmallVectorImpl<Value> &held);

  /// Whether a thread has the registers to decode the weights of a stage while
  /// the products of another run, beside `pieces` accumulators.
  bool leavesRoom(int64_t pieces) const;

  sftile::RegisterMmaAtomInterface atom;

private:
  sftile::FragType words(int64_t rows, int64_t cols,
                         const sftile::LinearLayout &layout);
  Value loadKept(Value tile, int64_t count, Value row, Value col,
                 bool metadata);
  Value load(Value tile, int64_t rows, int64_t cols,
             const sftile::LinearLayout &layout, Value row, Value col);
  void decodeCodes(Value tile, Value row, SmallVectorImpl<Value> &held);
  /// Returns the metadata.
  Value decodeKept(Value tile, Value row, SmallVectorImpl<Value> &held);

  const MatmulKernel &spec;
  KernelBuilder &b;
  sftile::FragType weightsType;
};

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_CONVERSION_SPARSEFLOWTOSFTILE_DECODEDPRODUCTS_H

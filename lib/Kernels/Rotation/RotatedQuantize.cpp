//===- RotatedQuantize.cpp - Activations rotated to 8 bits ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of threads for each token. Its groups rotate blocks of elements that
// they hold in registers, round them to the type that the rotation has, find
// the token's largest magnitude together and quantize: the token is read once,
// and what is written has 8 bits.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Rotation/RotatedQuantize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sparseflow;

TokenShape RotatedQuantizeKernel::shape() const {
  return {rotation.k, rotation.block, rotation.scale, rotation.elementType,
          natural};
}

namespace {

class RotatedQuantizeGenerator : ThreadCode {
public:
  RotatedQuantizeGenerator(const RotatedQuantizeKernel &spec,
                           OpBuilder &builder)
      : ThreadCode(builder, spec.rotation.loc), rotation(spec.rotation),
        shape(spec.shape()),
        access(*this, TokenShape::kVector, rotation.aligned) {}

  gpu::GPUFuncOp run() {
    bool hasSigns = !!rotation.signsType;
    gpu::GPUFuncOp kernel =
        openKernel(rotation.name, /*pointers=*/hasSigns ? 5 : 4, /*numbers=*/1,
                   shape.threads(), rotation.programmatic);
    auto result = [&](int64_t number) {
      return kernel.getArgument((hasSigns ? 2 : 1) + number);
    };
    Value thread = threadId(), token = wide(blockId());
    TokenQuantizer quantizer(*this, shape, thread);
    Value x =
        advance(kernel.getArgument(0), token, rotation.k, rotation.elementType);
    for (int64_t round = 0; round < shape.rounds(); ++round)
      quantizer.take(round, load(quantizer.columns(round), x,
                                 hasSigns ? kernel.getArgument(1) : Value()));
    quantizer.store(token, result(0), result(1), result(2));
    closeKernel(kernel);
    return kernel;
  }

private:
  SmallVector<Value> load(ArrayRef<Value> columns, Value x, Value signs) {
    SmallVector<Value> values;
    for (Value column : columns) {
      SmallVector<Value> own = access.load(
          advance(x, column, 1, rotation.elementType), rotation.elementType);
      if (signs)
        for (auto [value, sign] : llvm::zip(
                 own, access.load(advance(signs, column, 1, rotation.signsType),
                                  rotation.signsType)))
          value = arith::MulFOp::create(builder, loc, value, sign);
      values.append(own);
    }
    return values;
  }

  const HadamardKernel &rotation;
  TokenShape shape;
  HadamardAccess access;
};

} // namespace

gpu::GPUFuncOp RotatedQuantizeKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return RotatedQuantizeGenerator(*this, builder).run();
}

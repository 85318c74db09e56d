//===- RowQuantize.cpp - Rows of tensor ops to 8 bits ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of threads for each token. Threads compute the columns of their row
// that they rotate and quantize; the reductions of the row take the same ones.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Tensor/RowQuantize.h"
#include "Kernels/Rotation/HadamardKernel.h"
#include "Kernels/Tensor/RowCode.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

class RowQuantizeGenerator : RowCode {
public:
  RowQuantizeGenerator(const RowQuantizeKernel &spec, OpBuilder &builder)
      : RowCode(builder, spec.rows, shapeOf(spec.token), TokenShape::kVector),
        spec(spec) {}

  gpu::GPUFuncOp run() {
    int64_t inputs = group.inputs.size(), signs = spec.signsType ? 1 : 0;
    kernel = openKernel(spec.rows.name, inputs + signs + 3,
                        std::max<int64_t>(group.numbers, 1),
                        spec.token.threads(), /*programmatic=*/false);
    emitter.bind(kernel, 0, inputs + signs + 3);
    if (spec.rows.programmatic) {
      prefetchVectors(
          *this, group,
          [&](int64_t input) { return kernel.getArgument(input); },
          spec.token.threads());
      griddepWait(/*launchFirst=*/true);
    }
    TokenQuantizer quantizer(*this, spec.token, threadId());
    placeParts(quantizer);
    Value token = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    Value output = group.outputs.front();
    SmallVector<Size> sizes = emitter.sizesOf(output);
    SmallVector<Lanes> indices = emitter.delinearize(
        emitter.uniform(token), ArrayRef(sizes).drop_back());
    indices.emplace_back();
    for (const Part &part : parts) {
      indices.back() = part.columns;
      loadAhead(indices);
    }
    size_t next = 0;
    for (int64_t round = 0; round < spec.token.rounds(); ++round) {
      SmallVector<Value> values;
      for (Value column : quantizer.columns(round)) {
        indices.back() = parts[next++].columns;
        Lanes elements = emitter.evaluate(output, indices);
        for (int64_t lane = 0; lane < emitter.width; ++lane)
          values.push_back(toF32(emitter.at(elements, lane)));
        if (signs)
          multiply(MutableArrayRef(values).take_back(emitter.width),
                   kernel.getArgument(inputs), column);
      }
      quantizer.take(round, std::move(values));
    }
    auto result = [&](int64_t number) {
      return kernel.getArgument(inputs + signs + number);
    };
    token = arith::IndexCastOp::create(builder, loc, i64, token);
    quantizer.store(token, result(0), result(1), result(2));
    closeKernel(kernel);
    return kernel;
  }

private:
  static RowShape shapeOf(const TokenShape &token) {
    return {token.threads(), /*rowsPerBlock=*/1,
            token.rounds() * token.shape().vectors()};
  }

  void placeParts(TokenQuantizer &quantizer) {
    for (int64_t round = 0; round < spec.token.rounds(); ++round)
      for (Value column : quantizer.columns(round)) {
        Value index = arith::IndexCastOp::create(
            builder, loc, builder.getIndexType(), column);
        parts.push_back({emitter.line(index, /*step=*/1, emitter.width),
                         quantizer.isThere(round)});
      }
  }

  Part partOf(int64_t number, const Size &) override { return parts[number]; }

  Value toF32(Value value) {
    return value.getType().isF32()
               ? value
               : arith::ExtFOp::create(builder, loc, f32, value).getResult();
  }

  void multiply(MutableArrayRef<Value> values, Value signs, Value column) {
    HadamardAccess access(*this, emitter.width, spec.rows.access.vector > 1);
    Type type = spec.signsType;
    for (auto [value, sign] :
         llvm::zip(values, access.load(advance(signs, column, 1, type), type)))
      value = arith::MulFOp::create(builder, loc, value, sign);
  }

  const RowQuantizeKernel &spec;
  SmallVector<Part> parts;
};

} // namespace

gpu::GPUFuncOp RowQuantizeKernel::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  return RowQuantizeGenerator(*this, builder).run();
}

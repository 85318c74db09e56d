//===- ComputedPieces.cpp - Activations that a matmul computes ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of one token a norm is a launch that takes as long as the others of its
// layer, for a row of some kilobytes. Here each block that reads the row
// computes it: every thread the columns that it quantizes.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "Kernels/Quantize/TokenPieces.h"
#include "Kernels/Tensor/RowCode.h"

using namespace mlir;
using namespace mlir::sparseflow;

static constexpr int64_t kPiece = TokenPieces::kColumns;

namespace {

class ComputedPieces : public HeldPieces, RowCode {
public:
  ComputedPieces(KernelBuilder &b, const TensorKernel &rows, int64_t threads,
                 int64_t pieces)
      : RowCode(b.builder, rows,
                RowShape{threads, /*rowsPerBlock=*/1, /*slots=*/pieces},
                kPiece) {
    kernel = b.kernel;
    // Behind the pointers stand the group's integers and the tokens.
    emitter.bind(kernel, /*pointers=*/0,
                 kernel.getNumArguments() - 1 - group.numbers);
  }

  void take(Value token, ArrayRef<Value> numbers) override {
    Value output = group.outputs.front();
    SmallVector<Size> sizes = emitter.sizesOf(output);
    int64_t columns = sizes.back().number;
    for (auto [place, number] : llvm::enumerate(numbers)) {
      Value first = mul(number, kPiece), inside;
      if (int64_t(place + 1) * shape.threads * kPiece > columns) {
        inside = less(first, integer(columns));
        first = select(inside, first, integer(0));
      }
      parts.push_back(
          {emitter.line(toIndex(first), /*step=*/1, kPiece), inside});
    }
    SmallVector<Lanes> indices = emitter.delinearize(
        emitter.uniform(toIndex(token)), ArrayRef(sizes).drop_back());
    indices.emplace_back();
    for (const Part &part : parts) {
      indices.back() = part.columns;
      loadAhead(indices);
    }
    for (const Part &part : parts) {
      indices.back() = part.columns;
      Lanes lanes = emitter.evaluate(output, indices);
      values.emplace_back();
      for (int64_t lane = 0; lane < kPiece; ++lane) {
        Value value = emitter.at(lanes, lane);
        if (!value.getType().isF32())
          value = arith::ExtFOp::create(builder, loc, f32, value);
        values.back().push_back(
            part.isInside ? select(part.isInside, value, floating(0)) : value);
      }
    }
  }

  Value magnitude() override {
    Value largest = integer(0);
    for (ArrayRef<Value> piece : values)
      largest = largestMagnitude(largest, piece);
    return largest;
  }

  SmallVector<Value> elements(size_t place) override { return values[place]; }

private:
  Part partOf(int64_t number, const Size &) override { return parts[number]; }

  /// Memory of its own: the stages are being filled.
  Value sharedWords(int64_t count) override {
    return sftile::SharedOp::create(builder, loc, count * 8);
  }

  Value toIndex(Value value) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  }

  SmallVector<Part> parts;
  SmallVector<SmallVector<Value>> values;
};

} // namespace

std::unique_ptr<HeldPieces>
mlir::sparseflow::computedPieces(KernelBuilder &b, const TensorKernel &rows,
                                 int64_t threads, int64_t pieces) {
  return std::make_unique<ComputedPieces>(b, rows, threads, pieces);
}

//===- CopiedRows.cpp - Activations with rows of whole chunks -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that cannot read the rows of a program's activations, by TMA or in
// chunks of 16 bytes, read copies of them, which a kernel in front writes to
// the workspace.
//
//===----------------------------------------------------------------------===//

#include "Kernels/Elementwise/RowCopyKernel.h"
#include "Kernels/Matmul/Composition.h"
#include "Launch/MatmulStep.h"
#include "SparseFlow/Schedule/Choice.h"
#include "SparseFlow/Support/Remarks.h"

using namespace mlir;
using namespace mlir::sparseflow;

// Columns that rows are padded to: 128 bytes, which the swizzle spans.
static constexpr int64_t kPaddedColumns = 64;
// Bytes of a chunk.
static constexpr int64_t kChunk = 16;

int64_t MatmulStep::paddedPitch() const {
  return llvm::alignTo(k, kPaddedColumns);
}

bool MatmulStep::padsRows(sftile::ScheduleAttr schedule) const {
  MatmulWork work;
  work.k = k;
  work.integer = integer;
  work.ternary = bool(ternary);
  work.sparse =
      weights == WeightKind::TwoFour || (ternary && ternary.isTwoFour());
  std::optional<MatmulSizes> sizes = sizesOf(schedule);
  return sizes && copiesRows(*sizes, work);
}

int64_t MatmulStep::readWidth(const MatmulProblem &problem) const {
  if (problem.schedule.getHeld())
    return kChunk;
  return problem.paddedPitch ? widthFor(k, elementType)
                             : problem.copy.getBytes();
}

Value MatmulStep::bytesOfRows(int64_t mostRows, int64_t bytesOfRow) {
  Value counted = rows;
  if (mostRows)
    counted = program.builder.createOrFold<arith::MinUIOp>(
        op.getLoc(), rows, program.constant(mostRows));
  return program.builder.createOrFold<arith::MulIOp>(
      op.getLoc(), counted, program.constant(bytesOfRow));
}

MatmulStep::CopiedRows MatmulStep::copiedRows(const MatmulProblem &problem,
                                              int64_t mostRows) {
  if (!problem.paddedPitch)
    return {};
  int64_t bytesOfRow =
      problem.paddedPitch * elementType.getIntOrFloatBitWidth() / 8;
  CopiedRows copied;
  copied.bytes = bytesOfRows(mostRows, bytesOfRow);
  if (weights != WeightKind::Dense) {
    copied.pointers = {program.scratch(copied.bytes)};
    return copied;
  }
  Value ofActivations = copied.bytes;
  copied.bytes = program.builder.createOrFold<arith::AddIOp>(
      op.getLoc(), ofActivations, program.constant(n * bytesOfRow));
  Value first = program.scratch(copied.bytes);
  copied.pointers = {first, program.advance(first, ofActivations)};
  return copied;
}

Value MatmulStep::scratchBehind(const CopiedRows &copied, Value bytes) {
  if (!copied)
    return program.scratch(bytes);
  // Rows of copies are multiples of 128 bytes.
  return program.advance(
      program.scratch(program.builder.createOrFold<arith::AddIOp>(
          op.getLoc(), copied.bytes, bytes)),
      copied.bytes);
}

Launches MatmulStep::behindCopies(const MatmulProblem &problem,
                                  const CopiedRows &copied, Launches launches) {
  int64_t width = widthFor(k, elementType);
  Remark remark = explain(op, "copy");
  remark << problem.schedule.getName() << ": rows of " << k << " elements"
         << (weights == WeightKind::Dense ? ", those of the weight as well,"
                                          : "")
         << " are copied to rows of " << problem.paddedPitch
         << " first, because ";
  if (problem.schedule.getProducerWarps())
    remark << "TMA reads rows of a multiple of 16 bytes";
  else
    remark << "pieces of " << width << " bytes are too small for its copies";
  RowCopyKernel copy{
      problem.name + "_pad", op.getLoc(), k,
      problem.paddedPitch,   width,       compositionOf(problem).pdl};
  SmallVector<Value> pointers = {x, copied.pointers.front()};
  if (weights == WeightKind::Dense) {
    copy.weightRows = n;
    pointers.append({w, copied.pointers.back()});
  }
  gpu::GPUFuncOp first = copy.generate(context.kernels);
  return [=, rows = rows](OpBuilder &builder) {
    SmallVector<Launch> all = {{first, copy.gridSize(builder, rows), pointers,
                                /*sizes=*/{}, copy.programmatic}};
    llvm::append_range(all, launches(builder));
    return all;
  };
}

//===- MatmulGenerator.cpp - Writes matmul kernels ------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/MatmulGenerator.h"
#include "Kernels/Matmul/Streamed/StreamedMatmul.h"

using namespace mlir;
using namespace mlir::sparseflow;

std::unique_ptr<MatmulGenerator>
MatmulGenerator::create(const MatmulProblem &problem) {
  switch (compositionOf(problem).pipelining) {
  case Pipelining::Multistage:
    return createMultistageMatmul(problem);
  case Pipelining::WarpSpecialized:
    return createWarpSpecializedMatmul(problem);
  case Pipelining::Streamed:
    return std::make_unique<StreamedMatmul>(problem);
  }
  llvm_unreachable("unknown pipelining");
}

SmallVector<KernelParameter> PipelinedMatmul::parameters() const {
  SmallVector<KernelParameter> parameters = activations().parameters();
  llvm::append_range(parameters, operandA->parameters());
  llvm::append_range(parameters, epilogueParameters());
  appendLastTiles(parameters);
  return parameters;
}

ValueRange PipelinedMatmul::pointersOfA(KernelBuilder &b) const {
  return ValueRange(b.kernel.getArguments())
      .slice(activations().parameters().size(), operandA->parameters().size());
}

ValueRange PipelinedMatmul::pointersOfEpilogue(KernelBuilder &b) const {
  return ValueRange(b.kernel.getArguments())
      .slice(activations().parameters().size() + operandA->parameters().size(),
             epilogueParameters().size());
}

Value PipelinedMatmul::lastTileOf(KernelBuilder &b, size_t number) const {
  for (auto [index, parameter] : llvm::enumerate(parameters()))
    if (parameter.lastTileOf == number)
      return b.pointer(index);
  llvm_unreachable("expected a parameter with a last tile");
}

gpu::GPUFuncOp PipelinedMatmul::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  KernelBuilder b(builder, problem.loc, problem.name, parameters(), schedule,
                  activations().numbers() + 1);
  Views views = makeViews(b);
  MatmulPipeline pipeline(b, schedule.getStages(), *operandA, activations());
  makeRoles(b, views, pipeline);
  return b.finish();
}

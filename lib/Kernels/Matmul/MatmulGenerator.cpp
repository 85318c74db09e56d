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
  SmallVector<KernelParameter> parameters = {activations().parameter()};
  llvm::append_range(parameters, operandA->parameters());
  llvm::append_range(parameters, epilogueParameters());
  return parameters;
}

ValueRange PipelinedMatmul::pointersOfA(KernelBuilder &b) const {
  return ValueRange(b.kernel.getArguments())
      .slice(1, operandA->parameters().size());
}

ValueRange PipelinedMatmul::pointersOfEpilogue(KernelBuilder &b) const {
  return ValueRange(b.kernel.getArguments())
      .drop_front(1 + operandA->parameters().size())
      .drop_back();
}

gpu::GPUFuncOp PipelinedMatmul::generate(OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  KernelBuilder b(builder, problem.loc, problem.name, parameters(), schedule);
  Views views = makeViews(b);
  MatmulPipeline pipeline(b, schedule.getStages(), *operandA, activations());
  makeRoles(b, views, pipeline);
  return b.finish();
}

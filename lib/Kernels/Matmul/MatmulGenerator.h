//===- MatmulGenerator.h - Writes matmul kernels ----------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generator writes one gpu.func of sftile operations and says how it is
// launched. It does not know the program around the kernel: that is
// HostProgramBuilder.cpp's part.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULGENERATOR_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULGENERATOR_H

#include "Kernels/Matmul/Composition.h"
#include "Kernels/Matmul/MatmulPipeline.h"

namespace mlir::sparseflow {

class MatmulGenerator {
public:
  /// The generator that composes what the problem's schedule means
  /// (Composition.h).
  static std::unique_ptr<MatmulGenerator> create(const MatmulProblem &problem);
  virtual ~MatmulGenerator() = default;

  /// Writes the kernel at the builder's place.
  virtual gpu::GPUFuncOp generate(OpBuilder &builder) const = 0;
  /// Its parameters, in order: activations, operand A's, epilogue operands,
  /// result; then those of last tiles. Behind them stands the number of tokens,
  /// i64.
  virtual SmallVector<KernelParameter> parameters() const = 0;
  /// Blocks to launch for `tokens` (i64).
  virtual Value gridSize(OpBuilder &builder, Location loc,
                         Value tokens) const = 0;

  const MatmulProblem problem;
  const MatmulComposition composition;

protected:
  explicit MatmulGenerator(const MatmulProblem &problem)
      : problem(problem), composition(compositionOf(problem)) {}
};

/// The skeleton of kernels with a pipeline of stages: the function, a view for
/// each parameter, the pipeline; then the roles, which a subclass composes of a
/// mainloop and an epilogue.
class PipelinedMatmul : public MatmulGenerator {
public:
  gpu::GPUFuncOp generate(OpBuilder &builder) const final;
  SmallVector<KernelParameter> parameters() const final;

protected:
  /// Views of the parameters, or pointers where a role makes views itself.
  struct Views {
    SmallVector<Value> operandA, operands;
    Value result, partialSums = {};
  };

  explicit PipelinedMatmul(const MatmulProblem &problem)
      : MatmulGenerator(problem), schedule(problem.schedule),
        operandA(OperandA::create(this->problem)) {}

  virtual const OperandB &activations() const = 0;
  /// The epilogue operands that are parameters, and the result.
  virtual SmallVector<KernelParameter> epilogueParameters() const = 0;
  virtual Views makeViews(KernelBuilder &b) const = 0;
  virtual void makeRoles(KernelBuilder &b, const Views &views,
                         MatmulPipeline &pipeline) const = 0;
  /// Parameters of operand A, which follow the activations, and of the
  /// epilogue, which follow those.
  ValueRange pointersOfA(KernelBuilder &b) const;
  ValueRange pointersOfEpilogue(KernelBuilder &b) const;
  /// The parameter of the last tile of parameter `number`, which has one.
  Value lastTileOf(KernelBuilder &b, size_t number) const;

  sftile::ScheduleAttr schedule;
  std::unique_ptr<OperandA> operandA;
};

/// The generators of MultistageMatmul.cpp and WarpSpecializedMatmul.cpp.
std::unique_ptr<MatmulGenerator>
createMultistageMatmul(const MatmulProblem &problem);
std::unique_ptr<MatmulGenerator>
createWarpSpecializedMatmul(const MatmulProblem &problem);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_MATMULGENERATOR_H

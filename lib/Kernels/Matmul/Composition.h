//===- Composition.h - Which parts a matmul kernel is made of ---*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matmul kernel is a tile scheduler x a mainloop x operand A x an epilogue.
// What a schedule means for a problem is said here and nowhere else;
// lib/Kernels/README shows the classes behind each word.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_LIB_KERNELS_MATMUL_COMPOSITION_H
#define SPARSEFLOW_LIB_KERNELS_MATMUL_COMPOSITION_H

#include "Kernels/Matmul/MatmulProblem.h"

namespace mlir::sparseflow {

/// Who copies the stages of the mainloop.
enum class Pipelining {
  Multistage,      // all warps, with cp.async; they multiply, too
  WarpSpecialized, // producer warps, with TMA; consumer warps multiply
  Streamed         // each warp its own weights
};

/// Which MMAs the mainloop runs, and what becomes of their sums.
enum class MmaKind {
  /// mma.sync, accumulators from the first to the last column.
  Warp,
  /// The same of two weights, one of whose results gates the other's.
  WarpGated,
  /// mma.sync; partial sums of a quantization group times its scale.
  WarpGroupScaled,
  /// wgmma of operand A in shared memory (SS), waited for stage by stage.
  WarpgroupByStage,
  /// The same, MMAs of a stage under way while those of the next are started.
  Warpgroup,
  /// wgmma of operand A in registers (RS), dequantized while the MMAs of the
  /// stage before run, or of a part of a stage where there is no room for one
  /// stage's weights.
  WarpgroupDequantized,
  /// The same with room for one stage's weights and not for two: MMAs of a
  /// stage end before the next is dequantized.
  WarpgroupDequantizedByStage,
  /// RS; partial sums of a quantization group times its scale, while those of
  /// the next run.
  WarpgroupGroupScaled
};

/// Where a block's activations come from.
enum class ActivationSource {
  Copied,    // from memory, stage by stage
  Quantized, // the block rounds those of its tokens to 8 bits, for all of K
  Computed   // the block computes them, a norm's rows, for all of K
};

/// Where accumulators go behind the mainloop.
enum class Storage {
  Direct,        // the epilogue's results, from registers
  Tma,           // the epilogue's results, staged in shared memory
  PartialSums,   // accumulators, which a second kernel adds up: split-K
  PartialMaxima, // the largest results and their positions: of an argmax
};

struct MatmulComposition {
  Pipelining pipelining;
  MmaKind mma; // not of a streamed mainloop, which has MMAs of its own
  ActivationSource activations;
  Storage storage;
  /// Whether the kernel waits by itself for those before it (PDL).
  bool pdl;
  /// Whether the weights of its first stages are copied before it waits.
  bool copiesWeightsEarly;
};

/// What the problem's schedule means.
MatmulComposition compositionOf(const MatmulProblem &problem);

} // namespace mlir::sparseflow

#endif // SPARSEFLOW_LIB_KERNELS_MATMUL_COMPOSITION_H

//===- compress.h - Pruning and quantization of a layer ---------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the weights of a linear layer by values that a compressed storage
// holds exactly: N:M sparse, integers or trits with scales, or both. The
// result is dense: `pack` finds nothing left to lose in it.
//
// What a change of a weight costs is judged by the layer's outputs, from the
// second moments of its inputs, H = mean of x x^T. Method::Feedback is the
// optimal-brain-surgeon sweep that SparseGPT and GPTQ describe: columns from
// left to right, each column's error spread over the columns that follow by
// the Cholesky factor of the inverse of H. Method::Refit goes on from there by
// block coordinate descent.
//
// Links OpenBLAS and the runtime's static library, no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_COMPRESS_COMPRESS_H
#define SPARSEFLOW_RT_COMPRESS_COMPRESS_H

#include "common/status.h"

#include <cstdint>
#include <string>

namespace sparseflow::rt::compress {

/// How weights are judged, and whether later columns make up for an error.
enum class Method {
  /// By their magnitude alone; needs no moments.
  Magnitude,
  /// By magnitude times the root mean square of the input (Wanda).
  Wanda,
  /// By the growth of the output's error, which later columns reduce
  /// (SparseGPT for N:M, GPTQ for a grid).
  Feedback,
  /// Feedback, then a descent over the groups of an N:M pattern: which weights
  /// of a group stay, and their values, are chosen again given all others.
  Refit
};
/// "magnitude", "wanda", "sparsegpt", "gptq" (both are Feedback) or "refit".
Expected<Method> methodFromName(const std::string &name);

/// What the weights become. Parts combine: N:M of ternary weights.
struct Format {
  /// Of every `group` adjacent columns at most `keep` are not zero; group 0:
  /// no such rule. group <= 16.
  int keep = 0, group = 0;
  /// Signed integers of so many bits times a scale; 0: none, else 2 to 8.
  int bits = 0;
  /// Trits times a scale, 1 or 2 of them a weight; 0: none.
  int planes = 0;
  /// Columns that share a scale; 0: a row does. Scales are f16 numbers.
  int64_t scaleColumns = 0;
};
/// "2:4", "int4", "ternary", "ternary2", or an N:M and a grid joined by "+":
/// "2:4+ternary". The text of the error lists what is known.
Expected<Format> formatFromName(const std::string &name);

struct Options {
  /// Named in error texts; may be empty.
  std::string name;
  Method method = Method::Feedback;
  Format format;
  /// Added to the diagonal of H, as a share of its mean; raised tenfold, and
  /// reported, while H is not positive definite in 32 bits.
  double damping = 0.01;
  /// Columns after which errors reach the columns behind the block.
  int64_t block = 128;
  /// Of Method::Refit: how often it goes through all groups.
  int sweeps = 4;
  /// 0: one a core. The result does not depend on it.
  int threads = 0;
};

/// What was lost.
struct Report {
  /// Root of E|W x - W' x|^2 / E|W x|^2 by the moments; by the weights alone,
  /// as if inputs were independent, without them. With targets W are the dense
  /// weights that come nearest to them.
  double outputError = 0;
  int64_t weights = 0, zeros = 0;
  /// The damping that was used; 0 for methods without.
  double damping = 0;
};

/// Second moments of a layer's inputs, row-major [k][k]; or their diagonal
/// alone, which suffices for Wanda.
struct Moments {
  const float *products = nullptr;
  const float *diagonal = nullptr;
  /// Row-major [n][k]: the mean of y x^T, with y what the layer should give for
  /// the input x. Where inputs come from compressed layers and y from the dense
  /// model, the layer makes up for what those before it lost. Null: y = W x.
  const float *targets = nullptr;
};

/// Compresses the row-major [n][k] `weights` in place.
/// SF_ERROR_INVALID_ARGUMENT: moments that the method needs are absent, sizes
/// that the format cannot have, Refit of another format than N:M alone,
/// targets without products.
/// SF_ERROR_FORMAT: NaN or infinity in weights or moments, a negative diagonal,
/// moments that stay singular. After an error the weights are as they were.
/// Needs about 3 k^2 + 4 n k floats beside its arguments.
Status compressLayer(float *weights, int64_t n, int64_t k,
                     const Moments &moments, const Options &options,
                     Report &report);

} // namespace sparseflow::rt::compress

#endif // SPARSEFLOW_RT_COMPRESS_COMPRESS_H

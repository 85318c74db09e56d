//===- Manifest.h - Manifests with reference graphs -------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The runtime reads what it launches; this adds what a check needs: the
// function as a graph of matmuls and elementwise maps ("reference"), which
// Reference.h evaluates.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_RUN_MANIFEST_H
#define SPARSEFLOW_TOOLS_SUPPORT_RUN_MANIFEST_H

#include "device/manifest/manifest.h"

namespace sparseflow::tools {

using rt::Dim;
using rt::DType;
using rt::Expected;
using rt::Function;
using rt::Status;
using rt::TensorSpec;

/// Scalar operations of a region, spelt as in MLIR's arith and math.
enum class ScalarOp : uint8_t {
  Const,
  Extf,
  Truncf,
  Addf,
  Subf,
  Mulf,
  Divf,
  Negf,
  Maximumf,
  Minimumf,
  Maxnumf,
  Minnumf,
  Absf,
  Fma,
  Exp,
  Exp2,
  Log,
  Log2,
  Sqrt,
  Rsqrt,
  Tanh,
  Erf,
  Sin,
  Cos,
  Floor,
  Ceil,
  Powf,
  Trunc,
  Roundeven,
  Atan,
  Cbrt,
  Copysign,
  Cosh,
  Erfc,
  Expm1,
  Log1p,
  Sinh,
  Divsi,
  Remsi,
  Floordivsi,
  Andi,
  Ori,
  Xori,
  Shli,
  Shrsi,
  Cmpf,
  Select,
  Index,
  Size,
  Load
};

/// A comparison by what makes it true, as bits 1 less, 2 equal, 4 greater,
/// 8 unordered: arith's "olt" is 1, "uge" is 2 + 4 + 8.
using Predicate = uint8_t;

struct RegionOp {
  ScalarOp op = ScalarOp::Const;
  /// Values: the region's inputs first, then one for each operation.
  int operands[3] = {-1, -1, -1};
  double constant = 0;
  Predicate predicate = 0;
  /// The type a truncf rounds to, where the manifest says it.
  std::optional<DType> dtype;
  /// Index: the loop. Load: the value that is read, by the region's values
  /// `indices`, one a dimension.
  int source = 0;
  std::vector<int> indices;
  /// Size: a number or a symbol.
  Dim size;
};

/// The result of load `load` is what the program reads only where value `index`
/// of the region is inside of dimension `dim`.
struct CheckedIndex {
  int load = 0, dim = 0, index = 0;
};

struct Region {
  /// True where it says what only loops tell: an index, a size or a load.
  bool readsLoops() const;
  int inputs = 0;
  std::vector<RegionOp> ops;
  int yield = 0;
  std::vector<CheckedIndex> checked;
};

/// A further result of a reduction: its region's input behind those of the
/// results before it, and what it yields.
struct FurtherResult {
  int out = 0, yield = 0;
  double init = 0;
  std::optional<DType> dtype;
};

/// How an epilogue operand's elements meet the result's [..., T, N].
enum class Broadcast : uint8_t { PerFeature, PerToken, Full, Scalar };

struct ReferenceInput {
  int value = 0;
  /// matmul epilogues.
  Broadcast broadcast = Broadcast::Full;
  /// maps: the result's dimension for each of the input's. Reductions: the
  /// same, with the reduced loops counted behind the result's dimensions.
  std::vector<int> dims;
};

/// What an attention step has beside its operands, which are inputs with dims
/// 0 to 3 for batch entry, head, query and key.
struct AttentionStep {
  int q = 0, k = 0, v = 0;
  /// Values, or -1.
  int lengths = -1, pages = -1, lse = -1;
  /// Cumulative lengths of queries and of keys, both or neither; or -1.
  int cuQueries = -1, cuKeys = -1;
  /// A logit for each query head, of one more entry in its softmax.
  int sinkLogits = -1;
  bool bshd = false, causal = false, scored = false;
  /// Features of v that are values; 0 for all.
  int valueFeatures = 0;
  /// 0 for none.
  int64_t window = 0;
  double scale = 1;
};

/// New tokens behind those of a ternary cache: values, of which the cache is an
/// argument.
struct AppendStep {
  int cache = 0, tokens = 0, lengths = 0;
  /// The page table; -1 without one.
  int pages = -1;
  /// The cache is floats in pages, which tokens replace as they are.
  bool isDense = false;
  /// Of a dense cache: [P, page, G, D] and not [P, G, page, D].
  bool bshd = false;
  rt::CacheMethod method = rt::CacheMethod::Absmean;

  int positionDim() const { return bshd ? 1 : 2; }
  int headDim() const { return bshd ? 2 : 1; }
};

struct ReferenceStep {
  bool isMatmul = true;
  /// Present in appends, which have no region and no inputs.
  std::optional<AppendStep> append;
  /// Present in attention steps, which are not matmuls.
  std::optional<AttentionStep> attention;
  /// matmul: x [..., T, K] and w [N, K].
  int x = 0, w = 0;
  /// Epilogue operands of a matmul, inputs of a map or a reduction; the one
  /// source of a reshape.
  std::vector<ReferenceInput> inputs;
  /// Result shape of everything but a matmul.
  std::vector<Dim> shape;
  /// Sizes of the reduced loops; a step with any is a reduction, whose region
  /// folds into its input 0, which starts as `init`.
  std::vector<Dim> reduced;
  double init = 0;
  /// What a reduction makes beside `out`.
  std::vector<FurtherResult> more;
  /// The same elements in another shape; there is no region.
  bool isReshape = false;
  /// 8-bit activations: input 0 rounded to the integers `out` and the scales of
  /// its tokens, `scale`. There is no region; `shape` is that of `out`.
  bool isQuantize = false;
  int scale = 0;
  /// A rotation by Hadamard matrices of this order; 0 for every other step.
  /// Input 0 is rotated, input 1, where there is one, are the signs.
  int64_t rotated = 0;
  /// Tokens drawn from logits: inputs are the operands of sparseflow.sample, in
  /// order. There is no region; `shape` is that of the tokens.
  bool isSample = false;
  int out = 0;
  /// Storage type of the result, where the manifest says it.
  std::optional<DType> dtype;
  Region region;
};

/// Values 0 .. arguments-1 are the function's arguments; every other value is
/// a result of exactly one step, before its uses.
struct Reference {
  int values = 0;
  std::vector<ReferenceStep> steps;
  /// The value of each function result.
  std::vector<int> results;
};

struct BundleManifest {
  rt::Manifest manifest;
  /// By function; absent where the manifest has none.
  std::vector<std::optional<Reference>> references;

  /// Index of a function by name; "" means the only one.
  Expected<size_t> find(const std::string &name) const;
};

Expected<BundleManifest> parseBundleManifest(const std::string &text);
/// Reads `directory`/manifest.json.
Expected<BundleManifest> loadBundleManifest(const std::string &directory);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_RUN_MANIFEST_H

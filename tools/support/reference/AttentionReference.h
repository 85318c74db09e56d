//===- AttentionReference.h - What attention should give --------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The attention step of a manifest's reference, row by row: scores, a softmax
// over the keys that a query may attend to, and the weighted sum of values.
// Exactly in double; plainly in float, with the probabilities rounded to the
// type of the operands, as every plain low-precision computation stores them.
// Ternary keys round a single query to 16-bit integers.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_ATTENTIONREFERENCE_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_ATTENTIONREFERENCE_H

#include "arguments/Tensor.h"
#include "run/Manifest.h"

#include <functional>

namespace sparseflow::tools {

/// Sizes of an attention, read off its tensors' shapes.
struct AttentionSizes {
  int64_t batch = 0, heads = 0, keyHeads = 0, queries = 0, keys = 0;
  int64_t features = 0, valueFeatures = 0;
  /// Features of a row of v, the first `valueFeatures` of which are values.
  int64_t valueWidth = 0;
  /// Of keys and values in pages: keys of a page, how many pages there are, and
  /// entries of a row of the table. 0 without pages.
  int64_t page = 0, pages = 0, columns = 0;
  /// Of sequences that follow one another; 0 where each entry is one.
  int64_t sequences = 0;
  /// Entries of keys: those of queries, or of packed ones the sequences.
  int64_t keyEntries = 0;

  /// Rows of the scores that meet a key of their entry.
  int64_t rowsOfKey() const { return queries * (heads / keyHeads); }
  /// Numbers that the keys of all entries are, without pages.
  int64_t keyCount() const { return keyEntries * keyHeads * keys * features; }
};

/// Checks that the shapes of all values fit one another and the step's layout.
Expected<AttentionSizes>
attentionSizes(const AttentionStep &step,
               const std::vector<std::vector<int64_t>> &shapes);

/// Rows that meet a key from which on kernels may first round keys that are
/// packed: no row of the schedule table that does is for fewer.
constexpr int64_t manyRows = 17;

/// What the plain form does as kernels of packed keys and values do.
struct PackedOperands {
  /// The keys are ternary: kernels of one query multiply them as int8, with the
  /// query in 16 bits relative to its largest number.
  bool ternaryKeys = false;
  /// The keys are of fewer bits: kernels of many rows round numbers times their
  /// scales to the type of the operands first.
  bool keys = false;
  /// The values are packed: kernels round weights times the scale of a token.
  bool values = false;
};
PackedOperands packedOperands(const Function &function,
                              const Reference &reference,
                              const AttentionStep &step);

/// Operands as plain arrays; null where the step has none.
template <typename Scalar>
struct AttentionData {
  const Scalar *q = nullptr, *k = nullptr, *v = nullptr, *lengths = nullptr;
  /// Cumulative lengths of queries and of keys.
  const Scalar *cuQueries = nullptr, *cuKeys = nullptr;
  /// A logit for each query head.
  const Scalar *sinkLogits = nullptr;
  /// One for each input of the step.
  std::vector<const Scalar *> operands;
  /// Shapes of the operands.
  std::vector<std::vector<int64_t>> operandShapes;
  /// The type that probabilities are rounded to in the plain form.
  DType operandType = DType::F16;
  /// Of the exact form, where it is not null: gets for each element of the
  /// result how far off it may be for the rounding of its probabilities to that
  /// type, one each, in six standard deviations and at most.
  std::vector<double> *rounding = nullptr;
  PackedOperands packed;
};

/// The step's own operands: `of` gives the numbers of a value, null for -1.
template <typename Scalar, typename Of>
AttentionData<Scalar> operandsOf(const AttentionStep &step, Of of) {
  AttentionData<Scalar> data;
  data.q = of(step.q);
  data.k = of(step.k);
  data.v = of(step.v);
  data.lengths = of(step.lengths);
  data.cuQueries = of(step.cuQueries);
  data.cuKeys = of(step.cuKeys);
  data.sinkLogits = of(step.sinkLogits);
  return data;
}

/// Keys and values of pages in the order that `table` names, as they would lie
/// without pages; zeros behind a length.
template <typename Scalar>
struct PagedRows {
  /// Replaces the pages of `data`. Fails where the table, `tableText`, names a
  /// page that there is not.
  Status gather(const AttentionStep &step, const AttentionSizes &sizes,
                const Scalar *table, const std::string &tableText,
                AttentionData<Scalar> &data);

  std::vector<Scalar> k, v;
};

/// Rounds the keys of `data` as its `packed` says, in the array that it
/// returns.
template <typename Scalar>
std::vector<Scalar> roundKeys(const AttentionSizes &sizes,
                              AttentionData<Scalar> &data);

/// Fails where cumulative lengths do not begin with 0, decrease, or end behind
/// the tensors' rows.
template <typename Scalar>
Status checkOffsets(const AttentionSizes &sizes,
                    const AttentionData<Scalar> &data);

/// Evaluates the rows `rows` of the result (flattened over its three leading
/// dimensions in the order of its layout; all of them if empty). `out` gets
/// rows x valueFeatures, `lse` (if not null) one for each row of `rows`, or
/// B x H x S_q. `advance` is called now and then with a number of finished
/// rows.
template <typename Scalar>
void evaluateAttention(const ReferenceStep &step, const AttentionSizes &sizes,
                       const AttentionData<Scalar> &data,
                       const std::vector<int64_t> &rows, Scalar *out,
                       Scalar *lse, int threads,
                       const std::function<void(int64_t)> &advance);

extern template struct PagedRows<double>;
extern template struct PagedRows<float>;
extern template Status checkOffsets(const AttentionSizes &,
                                    const AttentionData<double> &);
extern template Status checkOffsets(const AttentionSizes &,
                                    const AttentionData<float> &);
extern template void evaluateAttention(const ReferenceStep &,
                                       const AttentionSizes &,
                                       const AttentionData<double> &,
                                       const std::vector<int64_t> &, double *,
                                       double *, int,
                                       const std::function<void(int64_t)> &);
extern template void
evaluateAttention(const ReferenceStep &, const AttentionSizes &,
                  const AttentionData<float> &, const std::vector<int64_t> &,
                  float *, float *, int, const std::function<void(int64_t)> &);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_ATTENTIONREFERENCE_H

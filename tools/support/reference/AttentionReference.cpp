//===- AttentionReference.cpp - What attention should give ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/AttentionReference.h"

#include "arguments/Indices.h"
#include "common/parallel.h"
#include "reference/RegionEvaluator.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace sparseflow;
using namespace sparseflow::tools;
using Shape = std::vector<int64_t>;

// Rows of the result that a thread takes at once.
static constexpr int64_t rowsPerTask = 16;
// Inputs of a score region before its operands.
static constexpr int indexInputs = 5;

/// Keys of batch entry `b`; `lengths` is null where all have the same.
template <typename Scalar>
static int64_t lengthOf(const AttentionSizes &sizes, const Scalar *lengths,
                        int64_t b) {
  if (!lengths)
    return sizes.keys;
  return std::clamp<int64_t>(static_cast<int64_t>(lengths[b]), 0, sizes.keys);
}

Expected<AttentionSizes>
sparseflow::tools::attentionSizes(const AttentionStep &step,
                                  const std::vector<Shape> &shapes) {
  const Shape &q = shapes[step.q], &k = shapes[step.k], &v = shapes[step.v];
  auto bad = [&](const std::string &what) {
    return rt::formatError("attention of q " + shapeText(q) + ", k " +
                           shapeText(k) + ", v " + shapeText(v) + ": " + what);
  };
  if (q.size() != 4 || k.size() != 4 || v.size() != 4)
    return bad("expected tensors of rank 4");
  size_t head = step.bshd ? 2 : 1, sequence = 3 - head;
  AttentionSizes sizes;
  sizes.batch = q[0];
  sizes.heads = q[head];
  sizes.queries = q[sequence];
  sizes.keyHeads = k[head];
  sizes.keys = k[sequence];
  sizes.features = q[3];
  sizes.valueWidth = v[3];
  sizes.valueFeatures = step.valueFeatures ? step.valueFeatures : v[3];
  if (sizes.valueFeatures > sizes.valueWidth)
    return bad(std::to_string(step.valueFeatures) +
               " features of v were to be values");
  if (step.cuKeys >= 0 ? step.cuQueries < 0 || step.lengths >= 0
                       : step.cuQueries >= 0 && step.lengths < 0)
    return bad("cumulative lengths of queries, or of keys or lengths of their "
               "entries, are missing");
  sizes.keyEntries = sizes.batch;
  if (step.cuQueries >= 0) {
    const Shape &ofQueries = shapes[step.cuQueries],
                &ofKeys =
                    shapes[step.cuKeys < 0 ? step.cuQueries : step.cuKeys];
    if (ofQueries.size() != 1 || ofQueries[0] < 1 || ofKeys != ofQueries ||
        q[0] != 1)
      return bad("cumulative lengths of shapes " + shapeText(ofQueries) +
                 " and " + shapeText(ofKeys));
    sizes.sequences = ofQueries[0] - 1;
    if (step.cuKeys < 0) {
      sizes.keyEntries = sizes.sequences;
      if (const Shape &lengths = shapes[step.lengths];
          lengths != Shape{sizes.sequences})
        return bad("cumulative lengths of " + std::to_string(sizes.sequences) +
                   " sequences beside lengths of shape " + shapeText(lengths));
    }
  }
  if (step.pages >= 0) {
    const Shape &table = shapes[step.pages];
    if (table.size() != 2 || table[0] != sizes.keyEntries)
      return bad("a page table of shape " + shapeText(table));
    sizes.page = k[sequence];
    sizes.pages = k[0];
    sizes.columns = table[1];
    sizes.keys = sizes.pages ? sizes.columns * sizes.page : 0;
  }
  if ((step.pages < 0 && k[0] != sizes.keyEntries) || v[0] != k[0] ||
      v[head] != k[head] || v[sequence] != k[sequence] || k[3] != q[3] ||
      sizes.keyHeads < 1 || sizes.heads % sizes.keyHeads != 0)
    return bad("the sizes do not fit one another");
  if (step.sinkLogits >= 0 && shapes[step.sinkLogits] != Shape{sizes.heads})
    return bad("sink logits of shape " + shapeText(shapes[step.sinkLogits]));
  return sizes;
}

/// The argument that a value is, perhaps with tokens added; null if it is none.
static const rt::TensorSpec *cacheOf(const Function &function,
                                     const Reference &reference, int value) {
  for (const ReferenceStep &step : reference.steps)
    if (step.append && step.out == value)
      value = step.append->cache;
  auto index = static_cast<size_t>(value);
  return index < function.arguments.size() &&
                 function.arguments[index].isCache()
             ? &function.arguments[index]
             : nullptr;
}

PackedOperands sparseflow::tools::packedOperands(const Function &function,
                                                 const Reference &reference,
                                                 const AttentionStep &step) {
  const rt::TensorSpec *keys = cacheOf(function, reference, step.k);
  return {keys && keys->cache->isTernary(), keys != nullptr,
          cacheOf(function, reference, step.v) != nullptr};
}

template <typename Scalar>
Status PagedRows<Scalar>::gather(const AttentionStep &step,
                                 const AttentionSizes &sizes,
                                 const Scalar *table,
                                 const std::string &tableText,
                                 AttentionData<Scalar> &data) {
  int64_t page = sizes.page, heads = sizes.keyHeads;
  const PageTable named{tableText, sizes.pages, page};
  auto rows = static_cast<size_t>(sizes.keyEntries * sizes.keys * heads);
  k.assign(rows * static_cast<size_t>(sizes.features), 0);
  v.assign(rows * static_cast<size_t>(sizes.valueWidth), 0);
  for (int64_t b = 0; b < sizes.keyEntries; ++b) {
    int64_t length = lengthOf(sizes, data.lengths, b);
    for (int64_t key = 0; key < length; ++key) {
      auto number = static_cast<int64_t>(table[b * sizes.columns + key / page]);
      if (Status status = named.check(number, key, b); !status)
        return status;
      for (int64_t h = 0; h < heads; ++h) {
        int64_t row = key % page;
        int64_t from = step.bshd ? (number * page + row) * heads + h
                                 : (number * heads + h) * page + row;
        int64_t to = step.bshd ? (b * sizes.keys + key) * heads + h
                               : (b * heads + h) * sizes.keys + key;
        std::copy_n(data.k + from * sizes.features, sizes.features,
                    &k[to * sizes.features]);
        std::copy_n(data.v + from * sizes.valueWidth, sizes.valueWidth,
                    &v[to * sizes.valueWidth]);
      }
    }
  }
  data.k = k.data();
  data.v = v.data();
  return Status::success();
}

template <typename Scalar>
std::vector<Scalar> sparseflow::tools::roundKeys(const AttentionSizes &sizes,
                                                 AttentionData<Scalar> &data) {
  std::vector<Scalar> keys;
  if constexpr (std::is_same_v<Scalar, float>)
    if (data.packed.keys && sizes.rowsOfKey() >= manyRows) {
      keys.assign(data.k, data.k + sizes.keyCount());
      roundTo(data.operandType, keys.data(), keys.size());
      data.k = keys.data();
    }
  return keys;
}

template <typename Scalar>
Status sparseflow::tools::checkOffsets(const AttentionSizes &sizes,
                                       const AttentionData<Scalar> &data) {
  if (!data.cuQueries)
    return Status::success();
  for (auto [name, offsets, rows] :
       {std::tuple("queries", data.cuQueries, sizes.queries),
        std::tuple("keys", data.cuKeys, sizes.keys)}) {
    int64_t before = 0;
    for (int64_t n = 0; offsets && n <= sizes.sequences; ++n) {
      auto offset = static_cast<int64_t>(offsets[n]);
      if (offset < before || offset > rows || (n == 0 && offset != 0))
        return rt::invalidArgument(
            std::string("the cumulative lengths of ") + name +
            ": expected numbers from 0 to " + std::to_string(rows) +
            " that begin with 0 and never decrease, found " +
            std::to_string(offset) + " at " + std::to_string(n));
      before = offset;
    }
  }
  return Status::success();
}

template Status sparseflow::tools::checkOffsets(const AttentionSizes &,
                                                const AttentionData<double> &);
template Status sparseflow::tools::checkOffsets(const AttentionSizes &,
                                                const AttentionData<float> &);
template std::vector<double>
sparseflow::tools::roundKeys(const AttentionSizes &, AttentionData<double> &);
template std::vector<float>
sparseflow::tools::roundKeys(const AttentionSizes &, AttentionData<float> &);
template struct sparseflow::tools::PagedRows<double>;
template struct sparseflow::tools::PagedRows<float>;

namespace {

template <typename Scalar>
class RowEvaluator {
public:
  RowEvaluator(const ReferenceStep &step, const AttentionSizes &sizes,
               const AttentionData<Scalar> &data)
      : step(step), attention(*step.attention), sizes(sizes), data(data),
        region(step.region, data.operandType), scores(sizes.keys) {}

  /// One row; returns its log-sum-exp. `rounding` may be null.
  Scalar run(int64_t b, int64_t h, int64_t i, Scalar *out, double *rounding) {
    Sequence sequence = sequenceOf(b, i);
    auto [first, last] = visible(sequence, i);
    score(b, h, i, sequence, first, last);
    std::fill_n(out, sizes.valueFeatures, Scalar(0));
    Scalar most = -INFINITY;
    for (int64_t j = first; j < last; ++j)
      most = std::max(most, scores[j]);
    bool none = most == -INFINITY &&
                std::none_of(&scores[0] + first, &scores[0] + last,
                             [](Scalar s) { return std::isnan(s); });
    const Scalar sink = data.sinkLogits ? data.sinkLogits[h] : -INFINITY;
    if (first >= last || none)
      return sink;
    Scalar sum = 0, whole = 0;
    for (int64_t j = first; j < last; ++j) {
      if constexpr (std::is_same_v<Scalar, float>)
        whole += std::exp(scores[j] - most);
      sum += scores[j] = weight(scores[j], most);
    }
    if constexpr (!std::is_same_v<Scalar, float>)
      whole = sum;
    // What the keys keep beside the sink: a share of what they add up to.
    const Scalar ofKeys = most + std::log(sum);
    const Scalar kept =
        sink == -INFINITY ? Scalar(1) : 1 / (1 + std::exp(sink - ofKeys));
    // Kernels round weights that are relative to some earlier maximum, for
    // packed values times the scale of a token: shares of the row, and a third
    // of them, stand for these.
    const Scalar factor = 1 / (whole * (data.packed.values ? 3 : 1));
    for (int64_t j = first; j < last; ++j)
      scores[j] *= factor;
    if constexpr (std::is_same_v<Scalar, float>)
      roundTo(data.operandType, &scores[first],
              static_cast<size_t>(last - first));
    const Scalar *v =
        data.v + offset(sequence.entry, h / ratio(), 0, sizes.keyHeads,
                        sizes.keys, sizes.valueWidth);
    int64_t pitch = step_(sizes.keyHeads, sizes.valueWidth);
    for (int64_t j = first; j < last; ++j)
      for (int64_t d = 0; d < sizes.valueFeatures; ++d)
        out[d] += scores[j] * v[j * pitch + d];
    for (int64_t d = 0; d < sizes.valueFeatures; ++d)
      out[d] /= sum * factor / kept;
    if (rounding)
      round(first, last, 1 / static_cast<double>(sum * factor / kept), v, pitch,
            rounding);
    if (sink == -INFINITY)
      return ofKeys;
    return std::max(ofKeys, sink) +
           std::log1p(std::exp(-std::fabs(ofKeys - sink)));
  }

private:
  /// How far off an element may be for the rounding of the weights `scores`
  /// times `factor`: each by at most half a unit, anything up to that as
  /// likely.
  void round(int64_t first, int64_t last, double factor, const Scalar *v,
             int64_t pitch, double *rounding) const {
    const double unit =
        std::ldexp(1.0, data.operandType == DType::BF16 ? -8 : -11);
    for (int64_t d = 0; d < sizes.valueFeatures; ++d) {
      double squares = 0, most = 0;
      for (int64_t j = first; j < last; ++j) {
        double term = std::fabs(factor * static_cast<double>(scores[j]) *
                                static_cast<double>(v[j * pitch + d]));
        squares += term * term;
        most += term;
      }
      rounding[d] = unit * std::min(6 * std::sqrt(squares / 3), most);
    }
  }
  /// exp(score - most). In f32 as online softmax has it everywhere: a power of
  /// two whose exponent is one multiply-add, so that the largest weight is 1
  /// only nearly.
  static Scalar weight(Scalar score, Scalar most) {
    if constexpr (std::is_same_v<Scalar, float>) {
      constexpr float log2E = 1.44269504f;
      float offset = most * log2E;
      if (std::isfinite(offset))
        return std::exp2(std::fma(score, log2E, -offset));
    }
    return std::exp(score - most);
  }
  int64_t ratio() const { return sizes.heads / sizes.keyHeads; }
  int64_t step_(int64_t heads, int64_t width) const {
    return attention.bshd ? heads * width : width;
  }
  int64_t offset(int64_t b, int64_t h, int64_t i, int64_t heads, int64_t length,
                 int64_t width) const {
    return attention.bshd ? ((b * length + i) * heads + h) * width
                          : ((b * heads + h) * length + i) * width;
  }

  /// The queries and keys that belong together: numbers of the first ones, and
  /// how many there are; the batch entry of the keys.
  struct Sequence {
    int64_t number, query, queries, key, keys, entry;
  };

  Sequence sequenceOf(int64_t b, int64_t i) const {
    if (!data.cuQueries)
      return {b, 0, sizes.queries, 0, lengthOf(sizes, data.lengths, b), b};
    auto at = [](const Scalar *offsets, int64_t n) {
      return static_cast<int64_t>(offsets[n]);
    };
    for (int64_t n = 0; n < sizes.sequences; ++n) {
      int64_t query = at(data.cuQueries, n), end = at(data.cuQueries, n + 1);
      if (i >= end)
        continue;
      if (!data.cuKeys)
        return {n, query, end - query, 0, lengthOf(sizes, data.lengths, n), n};
      int64_t key = at(data.cuKeys, n);
      return {n, query, end - query, key, at(data.cuKeys, n + 1) - key, 0};
    }
    return {sizes.sequences, 0, sizes.queries, 0, 0, 0};
  }

  /// The keys [first, last) that query `i` may attend to.
  std::pair<int64_t, int64_t> visible(const Sequence &sequence,
                                      int64_t i) const {
    int64_t length = sequence.keys;
    int64_t position = i - sequence.query + length - sequence.queries;
    int64_t first = 0, last = length;
    if (attention.causal)
      last = std::min(last, position + 1);
    if (attention.window > 0) {
      first = std::max<int64_t>(first, position - attention.window + 1);
      last = std::min(last, position + attention.window);
    }
    return {sequence.key + first, sequence.key + std::max(first, last)};
  }

  /// The query as two signed bytes an element hold it.
  const Scalar *inIntegers(const Scalar *q) {
    constexpr Scalar most = 32512;
    Scalar largest = 0;
    for (int64_t d = 0; d < sizes.features; ++d)
      largest = std::max(largest, std::fabs(q[d]));
    if (!(largest > 0) || !std::isfinite(largest))
      return q;
    query.resize(static_cast<size_t>(sizes.features));
    for (int64_t d = 0; d < sizes.features; ++d)
      query[d] = std::nearbyint(q[d] / largest * most) * (largest / most);
    return query.data();
  }

  void score(int64_t b, int64_t h, int64_t i, const Sequence &sequence,
             int64_t first, int64_t last) {
    const Scalar *q =
        data.q + offset(b, h, i, sizes.heads, sizes.queries, sizes.features);
    const Scalar *k =
        data.k + offset(sequence.entry, h / ratio(), 0, sizes.keyHeads,
                        sizes.keys, sizes.features);
    if constexpr (std::is_same_v<Scalar, float>)
      if (data.packed.ternaryKeys && sizes.queries == 1)
        q = inIntegers(q);
    int64_t pitch = step_(sizes.keyHeads, sizes.features);
    auto scale = static_cast<Scalar>(attention.scale);
    for (int64_t j = first; j < last; ++j) {
      // Four sums at a time: one alone waits for each addition.
      Scalar sums[4] = {0, 0, 0, 0};
      const Scalar *key = k + j * pitch;
      int64_t d = 0;
      for (; d + 4 <= sizes.features; d += 4)
        for (int part = 0; part < 4; ++part)
          sums[part] += q[d + part] * key[d + part];
      for (; d < sizes.features; ++d)
        sums[0] += q[d] * key[d];
      scores[j] = ((sums[0] + sums[1]) + (sums[2] + sums[3])) * scale;
    }
    if (!attention.scored)
      return;
    int64_t index[4] = {sequence.number, h, i - sequence.query, 0};
    for (int64_t j = first; j < last; j += regionBlock) {
      int64_t count = std::min(regionBlock, last - j);
      std::copy_n(&scores[j], count, region.input(0));
      for (int dim = 0; dim < 3; ++dim)
        std::fill_n(region.input(dim + 1), count,
                    static_cast<Scalar>(index[dim]));
      for (int64_t c = 0; c < count; ++c)
        region.input(4)[c] = static_cast<Scalar>(j + c - sequence.key);
      for (size_t o = 0; o < step.inputs.size(); ++o) {
        Scalar *to = region.input(indexInputs + static_cast<int>(o));
        for (int64_t c = 0; c < count; ++c) {
          index[3] = j + c;
          int64_t at = 0;
          const std::vector<int> &dims = step.inputs[o].dims;
          for (size_t d = 0; d < dims.size(); ++d)
            at = at * data.operandShapes[o][d] + index[dims[d]];
          to[c] = data.operands[o][at];
        }
      }
      std::copy_n(region.run(count), count, &scores[j]);
    }
  }

  const ReferenceStep &step;
  const AttentionStep &attention;
  const AttentionSizes &sizes;
  const AttentionData<Scalar> &data;
  RegionEvaluator<Scalar> region;
  std::vector<Scalar> scores, query;
};

} // namespace

template <typename Scalar>
void sparseflow::tools::evaluateAttention(
    const ReferenceStep &step, const AttentionSizes &sizes,
    const AttentionData<Scalar> &data, const std::vector<int64_t> &rows,
    Scalar *out, Scalar *lse, int threads,
    const std::function<void(int64_t)> &advance) {
  int64_t count = rows.empty() ? sizes.batch * sizes.heads * sizes.queries
                               : static_cast<int64_t>(rows.size());
  // A part at a time, so that progress is reported by this thread.
  int64_t part = std::max<int64_t>(rowsPerTask, (count + 31) / 32);
  if (data.rounding)
    data.rounding->assign(static_cast<size_t>(count * sizes.valueFeatures), 0);
  for (int64_t start = 0; start < count; start += part) {
    int64_t end = std::min(count, start + part);
    int64_t tasks = (end - start + rowsPerTask - 1) / rowsPerTask;
    rt::parallelFor(tasks, threads, [&](int64_t task) {
      RowEvaluator<Scalar> evaluator(step, sizes, data);
      int64_t first = start + task * rowsPerTask;
      for (int64_t r = first; r < std::min(end, first + rowsPerTask); ++r) {
        int64_t row = rows.empty() ? r : rows[r];
        int64_t inner = step.attention->bshd ? sizes.heads : sizes.queries;
        int64_t outer = step.attention->bshd ? sizes.queries : sizes.heads;
        int64_t b = row / (inner * outer), o = row / inner % outer;
        int64_t n = row % inner;
        int64_t h = step.attention->bshd ? n : o;
        int64_t i = step.attention->bshd ? o : n;
        int64_t at = r * sizes.valueFeatures;
        Scalar sum =
            evaluator.run(b, h, i, out + at,
                          data.rounding ? data.rounding->data() + at : nullptr);
        if (lse)
          lse[rows.empty() ? (b * sizes.heads + h) * sizes.queries + i : r] =
              sum;
      }
    });
    if (advance)
      advance(end - start);
  }
}

template void sparseflow::tools::evaluateAttention(
    const ReferenceStep &, const AttentionSizes &,
    const AttentionData<double> &, const std::vector<int64_t> &, double *,
    double *, int, const std::function<void(int64_t)> &);
template void sparseflow::tools::evaluateAttention(
    const ReferenceStep &, const AttentionSizes &, const AttentionData<float> &,
    const std::vector<int64_t> &, float *, float *, int,
    const std::function<void(int64_t)> &);

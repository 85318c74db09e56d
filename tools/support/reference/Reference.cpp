//===- Reference.cpp - What a function's results should be ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Reference.h"

#include "arguments/CacheArguments.h"
#include "arguments/Indices.h"
#include "common/parallel.h"
#include "reference/AttentionReference.h"
#include "reference/CacheAppend.h"
#include "reference/Gemm.h"
#include "reference/Hadamard.h"
#include "reference/IndexCheck.h"
#include "reference/NonFinite.h"
#include "reference/Quantize.h"
#include "reference/ReferenceShapes.h"
#include "reference/RegionEvaluator.h"
#include "reference/Sample.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace sparseflow;
using namespace sparseflow::tools;
using Shape = std::vector<int64_t>;

namespace {

template <typename Scalar>
class Evaluator {
public:
  explicit Evaluator(const ReferenceCall &call) : call(call) {}
  Expected<std::vector<ReferenceResult<Scalar>>> run();

private:
  using Value = ReferenceResult<Scalar>;
  using Checks = IndexCheckOf<Scalar>;

  Status loadArgument(size_t index);
  void matmul(const ReferenceStep &step);
  Status map(const ReferenceStep &step);
  Status attention(const ReferenceStep &step);
  Status reduce(const ReferenceStep &step);
  void reshape(const ReferenceStep &step);
  void quantize(const ReferenceStep &step);
  void rotate(const ReferenceStep &step);
  void sample(const ReferenceStep &step);
  Status append(const ReferenceStep &step);
  DType truncType(const ReferenceStep &step) const;
  /// Whether the value is 8-bit codes, whose sums are exact.
  bool isQuantized(int value) const;
  void store(const ReferenceStep &step);
  RegionEvaluator<Scalar> regionOf(const ReferenceStep &step) const;
  bool byRows() const { return !call.rows.empty(); }
  double workOfRow(const ReferenceStep &step) const {
    return tools::workOfRow(step, graph, call.symbols);
  }
  void advance(double work);

  const ReferenceCall &call;
  double workDone = 0, workInAll = 0;
  GraphShapes graph;
  std::vector<Demand> demands;
  std::vector<Value> values;
  /// The same, for regions that load.
  std::vector<LoadSource<Scalar>> sources;
};

// Elements of an outer loop a thread takes at once.
constexpr int64_t rowsPerTask = 16;
// Rows of a product between two reports of progress, at least.
constexpr int64_t rowsPerReport = 512;

} // namespace

template <typename Scalar>
Status Evaluator<Scalar>::loadArgument(size_t index) {
  const HostTensor &tensor = *call.arguments[index];
  const Shape &shape = graph.shapes[index];
  if (tensor.shape != shape || tensor.dtype != graph.types[index])
    return rt::invalidArgument(
        "argument " + std::to_string(index) + ": expected " + shapeText(shape) +
        " " + rt::dtypeName(graph.types[index]) + ", found " +
        shapeText(tensor.shape) + " " + rt::dtypeName(tensor.dtype));
  Value &value = values[index];
  Demand demand = byRows() ? demands[index] : Demand::All;
  if (demand == Demand::None)
    return Status::success();
  std::vector<Scalar> all(tensor.count());
  widen(tensor, all.data());
  if (demand == Demand::All) {
    value = {shape, std::move(all)};
    return Status::success();
  }
  int64_t width = demand == Demand::Rows ? lastSize(shape) : 1;
  auto rows = static_cast<int64_t>(call.rows.size());
  value.shape = demand == Demand::Rows ? Shape{rows, width} : Shape{rows};
  value.data.resize(rows * width);
  for (int64_t r = 0; r < rows; ++r)
    std::copy_n(&all[call.rows[r] * width], width, &value.data[r * width]);
  return Status::success();
}

template <typename Scalar>
DType Evaluator<Scalar>::truncType(const ReferenceStep &step) const {
  DType stored = graph.types[step.out];
  if (stored != DType::F32 || !step.isMatmul)
    return stored;
  return graph.types[step.x];
}

template <typename Scalar>
bool Evaluator<Scalar>::isQuantized(int value) const {
  return rt::isInteger(graph.types[value]) ||
         std::any_of(call.reference.steps.begin(), call.reference.steps.end(),
                     [&](const ReferenceStep &step) {
                       return step.isQuantize && step.out == value;
                     });
}

// The plain reference keeps every value in its storage type.
template <typename Scalar>
void Evaluator<Scalar>::store(const ReferenceStep &step) {
  auto keep = [&](int value) {
    Value &kept = values[value];
    if constexpr (std::is_same_v<Scalar, float>)
      roundTo(graph.types[value], kept.data.data(), kept.data.size());
  };
  keep(step.out);
  for (const FurtherResult &result : step.more)
    keep(result.out);
}

template <typename Scalar>
RegionEvaluator<Scalar>
Evaluator<Scalar>::regionOf(const ReferenceStep &step) const {
  RegionEvaluator<Scalar> region(step.region, truncType(step));
  region.setContext(sources, call.symbols);
  region.setInnerLoop(static_cast<int>(graph.shapes[step.out].size()) - 1);
  return region;
}

template <typename Scalar>
void Evaluator<Scalar>::matmul(const ReferenceStep &step) {
  const Value &x = values[step.x], &w = values[step.w];
  int64_t k = w.shape[1], n = w.shape[0];
  int64_t rows = leadingSize(x.shape);
  Value out;
  out.shape.assign(x.shape.begin(), x.shape.end() - 1);
  out.shape.push_back(n);
  out.data.resize(rows * n);
  int64_t part = std::max(rowsPerReport, rows / 32);
  for (int64_t row = 0; row < rows; row += part) {
    int64_t count = std::min(part, rows - row);
    multiply(x.data.data() + row * k, w.data.data(), out.data.data() + row * n,
             count, n, k, call.threads);
    advance(static_cast<double>(count) * workOfRow(step));
  }
  size_t weight = static_cast<size_t>(step.w);
  if (k > 0 && weight < call.function.arguments.size())
    meetNonFinite(call.function.arguments[weight], x.data, w.data, out.data,
                  rows, n, k);
  if (call.nudge.sums != 0 && !isQuantized(step.x)) {
    auto nudge =
        static_cast<Scalar>(call.nudge.sums * rootMeanSquare(out.data));
    for (Scalar &sum : out.data)
      sum += nudge;
  }
  int64_t tasks = (rows + rowsPerTask - 1) / rowsPerTask;
  rt::parallelFor(tasks, call.threads, [&](int64_t task) {
    RegionEvaluator<Scalar> region(step.region, truncType(step));
    int64_t end = std::min(rows, (task + 1) * rowsPerTask);
    for (int64_t row = task * rowsPerTask; row < end; ++row)
      for (int64_t column = 0; column < n; column += regionBlock) {
        int64_t count = std::min(regionBlock, n - column);
        Scalar *target = &out.data[row * n + column];
        std::copy_n(target, count, region.input(0));
        for (size_t i = 0; i < step.inputs.size(); ++i) {
          const std::vector<Scalar> &from = values[step.inputs[i].value].data;
          Scalar *to = region.input(static_cast<int>(i) + 1);
          switch (step.inputs[i].broadcast) {
          case Broadcast::PerFeature:
            std::copy_n(&from[column], count, to);
            break;
          case Broadcast::PerToken:
            std::fill_n(to, count, from[row]);
            break;
          case Broadcast::Full:
            std::copy_n(&from[row * n + column], count, to);
            break;
          case Broadcast::Scalar:
            std::fill_n(to, count, from[0]);
            break;
          }
        }
        std::copy_n(region.run(count), count, target);
      }
  });
  values[step.out] = std::move(out);
  store(step);
}

/// The loops of a result of `shape`, of which a block starts at `column` of row
/// `row`, all but the last dimension in one.
template <typename Scalar>
static void setLoops(RegionEvaluator<Scalar> &region, const Shape &shape,
                     int64_t row, int64_t column) {
  if (shape.empty())
    return;
  region.setLoop(shape.size() - 1, column);
  for (size_t d = shape.size() - 1; d-- > 0; row /= shape[d])
    region.setLoop(d, row % shape[d]);
}

template <typename Scalar>
Status Evaluator<Scalar>::map(const ReferenceStep &step) {
  Value out;
  out.shape = graph.shapes[step.out];
  size_t fullRank = out.shape.size();
  Demand demand = byRows() ? demands[step.out] : Demand::All;
  auto sampled = static_cast<int64_t>(call.rows.size());
  if (demand == Demand::Rows)
    out.shape = {sampled, lastSize(out.shape)};
  else if (demand == Demand::Tokens)
    out.shape = {sampled};
  size_t rank = out.shape.size();

  // Element strides of each input along each dimension of the result.
  std::vector<std::vector<int64_t>> strides;
  for (const ReferenceInput &input : step.inputs) {
    const Value &value = values[input.value];
    std::vector<int64_t> stride(rank, 0);
    int64_t running = 1;
    for (size_t d = value.shape.size(); d-- > 0;) {
      // With rows, leading dimensions are folded into the first one.
      size_t dim = d;
      if (demand == Demand::All)
        dim = static_cast<size_t>(input.dims[d]);
      else if (demands[input.value] == Demand::All)
        dim = static_cast<size_t>(input.dims[d]) - (fullRank - rank);
      stride[dim] += running;
      running *= value.shape[d];
    }
    strides.push_back(std::move(stride));
  }

  int64_t width = lastSize(out.shape), rows = 1;
  for (size_t d = 0; d + 1 < rank; ++d)
    rows *= out.shape[d];
  out.data.resize(rows * width);
  Checks checks(call, graph, values, sources);
  int64_t tasks = (rows + rowsPerTask - 1) / rowsPerTask;
  rt::parallelFor(tasks, call.threads, [&](int64_t task) {
    RegionEvaluator<Scalar> region = regionOf(step);
    int64_t end = std::min(rows, (task + 1) * rowsPerTask);
    for (int64_t row = task * rowsPerTask; row < end; ++row)
      for (int64_t column = 0; column < width; column += regionBlock) {
        int64_t count = std::min(regionBlock, width - column);
        setLoops(region, out.shape, row, column);
        for (size_t i = 0; i < step.inputs.size(); ++i) {
          const std::vector<int64_t> &stride = strides[i];
          int64_t offset = 0, rest = row;
          for (size_t d = rank > 0 ? rank - 1 : 0; d-- > 0;) {
            offset += rest % out.shape[d] * stride[d];
            rest /= out.shape[d];
          }
          int64_t inner = rank ? stride[rank - 1] : 0;
          const Scalar *from = values[step.inputs[i].value].data.data() +
                               offset + column * inner;
          Scalar *to = region.input(static_cast<int>(i));
          for (int64_t c = 0; c < count; ++c)
            to[c] = from[c * inner];
        }
        std::copy_n(region.run(count), count, &out.data[row * width + column]);
        checks.look(step, region, row * width + column, count, 0);
      }
  });
  values[step.out] = std::move(out);
  store(step);
  advance(static_cast<double>(rows) * workOfRow(step));
  return checks.result();
}

template <typename Scalar>
Status Evaluator<Scalar>::attention(const ReferenceStep &step) {
  const AttentionStep &fields = *step.attention;
  // The shapes were inferred from these.
  AttentionSizes sizes = *attentionSizes(fields, graph.shapes);
  auto of = [&](int value) -> const Scalar * {
    return value < 0 ? nullptr : values[value].data.data();
  };
  auto data = operandsOf<Scalar>(fields, of);
  data.operandType = graph.types[fields.q];
  data.packed = packedOperands(call.function, call.reference, fields);
  PagedRows<Scalar> paged;
  Status bound = checkOffsets(sizes, data);
  if (bound && fields.pages >= 0)
    bound = paged.gather(fields, sizes, of(fields.pages),
                         argumentText(call.function, fields.pages), data);
  if (!bound)
    return bound;
  std::vector<Scalar> keys = roundKeys(sizes, data);
  for (const ReferenceInput &input : step.inputs) {
    data.operands.push_back(values[input.value].data.data());
    data.operandShapes.push_back(values[input.value].shape);
  }
  bool sampled = byRows() && demands[step.out] == Demand::Rows;
  Value out, lse;
  out.shape = sampled ? Shape{int64_t(call.rows.size()), sizes.valueFeatures}
                      : graph.shapes[step.out];
  out.data.resize(totalSize(out.shape));
  data.rounding = std::is_same_v<Scalar, double> ? &out.rounding : nullptr;
  if (fields.lse >= 0) {
    // A value of each row, or a row of one value.
    lse.shape = sampled ? Shape{out.shape.front()} : graph.shapes[fields.lse];
    if (sampled && demands[fields.lse] == Demand::Rows)
      lse.shape.push_back(1);
    lse.data.resize(totalSize(lse.shape));
  }
  evaluateAttention(step, sizes, data, sampled ? call.rows : Shape(),
                    out.data.data(),
                    fields.lse >= 0 ? lse.data.data() : nullptr, call.threads,
                    [&](int64_t rows) {
                      advance(static_cast<double>(rows) * workOfRow(step));
                    });
  values[step.out] = std::move(out);
  if (fields.lse >= 0)
    values[fields.lse] = std::move(lse);
  store(step);
  return Status::success();
}

template <typename Scalar>
void Evaluator<Scalar>::reshape(const ReferenceStep &step) {
  const Value &from = values[step.inputs[0].value];
  Value out = from;
  // With rows, the leading dimensions are folded on both sides.
  if (!byRows() || demands[step.out] == Demand::All)
    out.shape = graph.shapes[step.out];
  values[step.out] = std::move(out);
}

// A token at a time, in f32 on what is stored, so that both references agree
// with a device to the bit where they see the same activations.
template <typename Scalar>
void Evaluator<Scalar>::quantize(const ReferenceStep &step) {
  const Value &x = values[step.inputs[0].value];
  DType stored = graph.types[step.inputs[0].value];
  int64_t width = lastSize(x.shape);
  Value out = x, scale;
  scale.shape.assign(x.shape.begin(), x.shape.end() - 1);
  int64_t rows = totalSize(scale.shape);
  scale.data.resize(rows);
  // An argument is what it is.
  bool isComputed =
      step.inputs[0].value >= static_cast<int>(call.function.arguments.size());
  double nudge = isComputed ? call.nudge.quantized * rootMeanSquare(x.data) : 0;
  rt::parallelFor(rows, call.threads, [&](int64_t row) {
    scale.data[row] =
        quantizeStored(&out.data[row * width], width, stored, nudge);
  });
  values[step.out] = std::move(out);
  values[step.scale] = std::move(scale);
  advance(static_cast<double>(rows) * workOfRow(step));
}

template <typename Scalar>
void Evaluator<Scalar>::rotate(const ReferenceStep &step) {
  Value &out = values[step.out] = values[step.inputs[0].value];
  const auto &signs = values[step.inputs.back().value].data;
  rotateRows(out.data, step.inputs.size() > 1 ? &signs : nullptr,
             lastSize(out.shape), step.rotated, call.threads);
  store(step);
  advance(workOfRow(step) * static_cast<double>(leadingSize(out.shape)));
}

template <typename Scalar>
void Evaluator<Scalar>::sample(const ReferenceStep &step) {
  SampleRows rows(step, call, graph.types[step.inputs[0].value],
                  [&](int value) -> std::vector<double> {
                    const std::vector<Scalar> &data = values[value].data;
                    return {data.begin(), data.end()};
                  });
  std::vector<int32_t> ids = rows.draw(call.threads);
  values[step.out] = {graph.shapes[step.out], {ids.begin(), ids.end()}};
  advance(workOfRow(step) * static_cast<double>(ids.size()));
}

template <typename Scalar>
Status Evaluator<Scalar>::append(const ReferenceStep &step) {
  const AppendStep &fields = *step.append;
  auto cache = static_cast<size_t>(fields.cache);
  const Value &tokens = values[fields.tokens],
              &lengths = values[fields.lengths];
  const Value *table = fields.pages < 0 ? nullptr : &values[fields.pages];
  Value grown{graph.shapes[cache], {}};
  if (fields.isDense)
    grown.data = values[cache].data;
  const Buffer *pages =
      cache < call.packed.size() ? call.packed[cache] : nullptr;
  std::string tableText = argumentText(call.function, fields.pages);
  Status status =
      fields.isDense
          ? appendToPages(fields, tokens, lengths, *table, tableText, grown)
          : appendQuantized(fields, call.function.arguments[cache], pages,
                            graph.types[fields.tokens], tokens, lengths, table,
                            tableText, grown);
  values[step.out] = std::move(grown);
  if (fields.isDense)
    store(step);
  advance(static_cast<double>(leadingSize(graph.shapes[cache])) *
          workOfRow(step));
  return status;
}

// Reductions are never evaluated by rows.
template <typename Scalar>
Status Evaluator<Scalar>::reduce(const ReferenceStep &step) {
  Value out;
  out.shape = graph.shapes[step.out];
  size_t rank = out.shape.size();
  Shape loops = out.shape;
  for (const Dim &dim : step.reduced)
    loops.push_back(dim.value(call.symbols.data()));
  int64_t folds = totalSize(Shape(loops.begin() + rank, loops.end()));
  int64_t width = lastSize(out.shape), rows = leadingSize(out.shape);
  out.data.resize(rows * width);
  std::vector<Value> more(step.more.size(), out);
  Checks checks(call, graph, values, sources);

  // Element strides of each input along each loop.
  std::vector<Shape> strides;
  for (const ReferenceInput &input : step.inputs) {
    Shape stride(loops.size(), 0);
    int64_t running = 1;
    const Shape &shape = values[input.value].shape;
    for (size_t d = shape.size(); d-- > 0; running *= shape[d])
      stride[static_cast<size_t>(input.dims[d])] += running;
    strides.push_back(std::move(stride));
  }
  // Where position `index` of the loops [first, last) is in input `i`.
  auto offsetOf = [&](size_t i, int64_t index, size_t first, size_t last) {
    int64_t offset = 0;
    for (size_t d = last; d-- > first; index /= loops[d])
      offset += index % loops[d] * strides[i][d];
    return offset;
  };
  int64_t tasks = (rows + rowsPerTask - 1) / rowsPerTask;
  rt::parallelFor(tasks, call.threads, [&](int64_t task) {
    RegionEvaluator<Scalar> region = regionOf(step);
    int further = static_cast<int>(step.more.size());
    // A result may be what another one was, so all are read before any is set.
    std::vector<std::vector<Scalar>> kept(further);
    int64_t end = std::min(rows, (task + 1) * rowsPerTask);
    for (int64_t row = task * rowsPerTask; row < end; ++row)
      for (int64_t column = 0; column < width; column += regionBlock) {
        int64_t count = std::min(regionBlock, width - column);
        std::fill_n(region.input(0), count, static_cast<Scalar>(step.init));
        for (int r = 0; r < further; ++r)
          std::fill_n(region.input(r + 1), count,
                      static_cast<Scalar>(step.more[r].init));
        setLoops(region, out.shape, row, column);
        for (int64_t fold = 0; fold < folds; ++fold) {
          int64_t rest = fold;
          for (size_t d = loops.size(); d-- > rank; rest /= loops[d])
            region.setLoop(d, rest % loops[d]);
          for (size_t i = 0; i < step.inputs.size(); ++i) {
            int64_t inner = rank ? strides[i][rank - 1] : 0;
            const Scalar *from = values[step.inputs[i].value].data.data() +
                                 offsetOf(i, row, 0, rank ? rank - 1 : 0) +
                                 column * inner +
                                 offsetOf(i, fold, rank, loops.size());
            Scalar *to = region.input(static_cast<int>(i) + 1 + further);
            for (int64_t c = 0; c < count; ++c)
              to[c] = from[c * inner];
          }
          const Scalar *first = region.run(count);
          checks.look(step, region, row * width + column, count, fold);
          for (int r = 0; r < further; ++r) {
            const Scalar *from = region.value(step.more[r].yield);
            kept[r].assign(from, from + count);
          }
          std::copy_n(first, count, region.input(0));
          for (int r = 0; r < further; ++r)
            std::copy_n(kept[r].data(), count, region.input(r + 1));
        }
        std::copy_n(region.input(0), count, &out.data[row * width + column]);
        for (int r = 0; r < further; ++r)
          std::copy_n(region.input(r + 1), count,
                      &more[r].data[row * width + column]);
      }
  });
  for (size_t r = 0; r < more.size(); ++r)
    values[step.more[r].out] = std::move(more[r]);
  values[step.out] = std::move(out);
  store(step);
  advance(static_cast<double>(rows) * workOfRow(step));
  return checks.result();
}

template <typename Scalar>
void Evaluator<Scalar>::advance(double work) {
  workDone += work;
  if (call.progress)
    call.progress(workInAll > 0 ? std::min(1.0, workDone / workInAll) : 1);
}

template <typename Scalar>
Expected<std::vector<ReferenceResult<Scalar>>> Evaluator<Scalar>::run() {
  if (call.arguments.size() != call.function.arguments.size())
    return rt::invalidArgument(
        "expected " + std::to_string(call.function.arguments.size()) +
        " arguments, found " + std::to_string(call.arguments.size()));
  Expected<GraphShapes> inferred =
      inferShapes(call.function, call.reference, call.symbols);
  if (!inferred)
    return inferred.status();
  graph = std::move(*inferred);
  if (byRows()) {
    Expected<std::vector<Demand>> found = inferDemands(call.reference, graph);
    if (!found)
      return found.status();
    demands = std::move(*found);
    int64_t tokens = leadingSize(graph.shapes[call.reference.results.front()]);
    for (int64_t row : call.rows)
      if (row < 0 || row >= tokens)
        return rt::invalidArgument("row " + std::to_string(row) +
                                   " does not exist: the results have " +
                                   std::to_string(tokens) + ", counted from 0");
  }
  values.resize(call.reference.values);
  sources.resize(call.reference.values);
  for (size_t i = 0; i < call.arguments.size(); ++i)
    if (Status status = loadArgument(i); !status)
      return status;
  auto needed = [&](const ReferenceStep &step) {
    auto isDemanded = [&](const FurtherResult &result) {
      return demands[result.out] != Demand::None;
    };
    return !byRows() || demands[step.out] != Demand::None ||
           std::any_of(step.more.begin(), step.more.end(), isDemanded) ||
           (step.attention && step.attention->lse >= 0 &&
            demands[step.attention->lse] != Demand::None);
  };
  for (const ReferenceStep &step : call.reference.steps) {
    bool sampled = byRows() && demands[step.out] != Demand::All;
    if (needed(step))
      workInAll +=
          workOfRow(step) *
          static_cast<double>(sampled ? static_cast<int64_t>(call.rows.size())
                                      : leadingSize(graph.shapes[step.out]));
  }
  for (const ReferenceStep &step : call.reference.steps) {
    if (!needed(step))
      continue;
    if (step.region.readsLoops())
      for (size_t i = 0; i < values.size(); ++i)
        sources[i] = {values[i].data.data(), &values[i].shape};
    Status status = Status::success();
    if (step.append)
      status = append(step);
    else if (step.attention)
      status = attention(step);
    else if (step.isMatmul)
      matmul(step);
    else if (step.isReshape)
      reshape(step);
    else if (step.isQuantize)
      quantize(step);
    else if (step.rotated)
      rotate(step);
    else if (step.isSample)
      sample(step);
    else
      status = step.reduced.empty() ? map(step) : reduce(step);
    if (!status)
      return status;
  }
  std::vector<ReferenceResult<Scalar>> results;
  for (int value : call.reference.results)
    results.push_back(values[value]);
  return results;
}

Expected<std::vector<ReferenceResult<double>>>
sparseflow::tools::evaluateExactly(const ReferenceCall &call) {
  return Evaluator<double>(call).run();
}

Expected<std::vector<ReferenceResult<float>>>
sparseflow::tools::evaluatePlainly(const ReferenceCall &call) {
  return Evaluator<float>(call).run();
}

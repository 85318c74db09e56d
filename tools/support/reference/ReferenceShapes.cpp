//===- ReferenceShapes.cpp - Shapes and row slices of a reference graph ---===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/ReferenceShapes.h"

#include "reference/AttentionReference.h"

#include <algorithm>

using namespace sparseflow;
using namespace sparseflow::tools;
using Shape = std::vector<int64_t>;

int64_t sparseflow::tools::totalSize(const Shape &shape) {
  int64_t size = 1;
  for (int64_t dim : shape)
    size *= dim;
  return size;
}

int64_t sparseflow::tools::lastSize(const Shape &shape) {
  return shape.empty() ? 1 : shape.back();
}

int64_t sparseflow::tools::leadingSize(const Shape &shape) {
  return shape.size() < 2 ? 1
                          : totalSize(Shape(shape.begin(), shape.end() - 1));
}

static Status graphError(size_t step, const std::string &text) {
  return rt::formatError("reference step " + std::to_string(step) + ": " +
                         text + "; the manifest is wrong");
}

static Expected<Shape> bindShape(const std::vector<Dim> &dims,
                                 const std::vector<int64_t> &symbols) {
  Shape shape;
  for (const Dim &dim : dims)
    shape.push_back(dim.value(symbols.data()));
  // Bounds every later product of sizes.
  Expected<uint64_t> count = rt::elementCount(shape.data(), shape.size());
  if (!count)
    return count.status();
  return shape;
}

static Expected<Shape> matmulShape(const ReferenceStep &step, size_t index,
                                   const std::vector<Shape> &shapes) {
  const Shape &x = shapes[step.x], &w = shapes[step.w];
  if (x.empty() || w.size() != 2 || x.back() != w[1])
    return graphError(index, "a matmul of x " + shapeText(x) + " and w " +
                                 shapeText(w) +
                                 ", expected [.., K] and [N, K]");
  Shape out(x.begin(), x.end() - 1);
  out.push_back(w[0]);
  if (Expected<uint64_t> count = rt::elementCount(out.data(), out.size());
      !count)
    return count.status();
  int64_t tokens = x.size() < 2 ? 1 : totalSize(Shape(x.begin(), x.end() - 1));
  for (const ReferenceInput &input : step.inputs) {
    const Shape &shape = shapes[input.value];
    bool good = false;
    switch (input.broadcast) {
    case Broadcast::PerFeature:
      good = shape == Shape{w[0]};
      break;
    case Broadcast::PerToken:
      good = totalSize(shape) == tokens && shape.size() < out.size();
      break;
    case Broadcast::Full:
      good = shape == out;
      break;
    case Broadcast::Scalar:
      good = shape.empty();
      break;
    }
    if (!good)
      return graphError(index, "an operand of shape " + shapeText(shape) +
                                   " does not fit its broadcast to " +
                                   shapeText(out));
  }
  return out;
}

/// Checks the inputs of a map or a reduction with the loops `loops`: the
/// result's dimensions, then the reduced ones.
static Status checkInputs(const ReferenceStep &step, size_t index,
                          const Shape &loops,
                          const std::vector<Shape> &shapes) {
  for (const ReferenceInput &input : step.inputs) {
    const Shape &shape = shapes[input.value];
    bool good = shape.size() == input.dims.size();
    for (size_t d = 0; good && d < shape.size(); ++d)
      good = shape[d] == loops[input.dims[d]];
    if (!good)
      return graphError(index, "an input of shape " + shapeText(shape) +
                                   " does not fit its dims of " +
                                   shapeText(loops));
  }
  return Status::success();
}

static Expected<Shape> attentionShape(const ReferenceStep &step, size_t index,
                                      GraphShapes &graph) {
  const AttentionStep &attention = *step.attention;
  const std::vector<Shape> &shapes = graph.shapes;
  Expected<AttentionSizes> sizes = attentionSizes(attention, shapes);
  if (!sizes)
    return graphError(index, sizes.status().text());
  if (attention.lengths >= 0 &&
      shapes[attention.lengths] != Shape{sizes->keyEntries})
    return graphError(index, "lengths of shape " +
                                 shapeText(shapes[attention.lengths]));
  // Operands have elements for what a table could name, pages or none.
  int64_t keys =
      attention.pages < 0 ? sizes->keys : sizes->columns * sizes->page;
  int64_t byDim[] = {sizes->batch, sizes->heads, sizes->queries, keys};
  for (const ReferenceInput &input : step.inputs) {
    Shape expected;
    for (int dim : input.dims)
      expected.push_back(byDim[dim]);
    if (shapes[input.value] != expected)
      return graphError(index, "an operand of shape " +
                                   shapeText(shapes[input.value]) +
                                   ", expected " + shapeText(expected));
  }
  if (attention.lse >= 0) {
    graph.shapes[attention.lse] = {sizes->batch, sizes->heads, sizes->queries};
    graph.types[attention.lse] = DType::F32;
  }
  Shape out = shapes[attention.q];
  out[3] = sizes->valueFeatures;
  return out;
}

static Expected<Shape> appendShape(const ReferenceStep &step, size_t index,
                                   const std::vector<Shape> &shapes) {
  const AppendStep &append = *step.append;
  const Shape &cache = shapes[append.cache], &tokens = shapes[append.tokens];
  int heads = append.headDim();
  bool good = cache.size() == 4 && tokens.size() == 4 &&
              tokens[heads] == cache[heads] && tokens[3] == cache[3] &&
              shapes[append.lengths] == Shape{tokens[0]};
  if (append.pages < 0)
    good &= good && tokens[0] == cache[0];
  else
    good &= good && shapes[append.pages].size() == 2 &&
            shapes[append.pages][0] == tokens[0];
  if (!good)
    return graphError(index, "tokens of shape " + shapeText(tokens) +
                                 " and lengths of shape " +
                                 shapeText(shapes[append.lengths]) +
                                 " for a cache of shape " + shapeText(cache));
  return cache;
}

static Status checkStep(const ReferenceStep &step, size_t index,
                        const Shape &out, const std::vector<int64_t> &symbols,
                        const std::vector<Shape> &shapes) {
  if (step.isQuantize) {
    const Shape &from = shapes[step.inputs[0].value];
    if (from == out)
      return Status::success();
    return graphError(index, "activations of shape " + shapeText(from) +
                                 " quantized to " + shapeText(out));
  }
  if (step.rotated) {
    const Shape &from = shapes[step.inputs[0].value];
    if (from != out || lastSize(out) % step.rotated)
      return graphError(index, "a rotation of " + shapeText(from) + " to " +
                                   shapeText(out) + " in blocks of " +
                                   std::to_string(step.rotated));
    if (step.inputs.size() > 1 &&
        shapes[step.inputs[1].value] != Shape{lastSize(out)})
      return graphError(index, "signs of shape " +
                                   shapeText(shapes[step.inputs[1].value]) +
                                   " for a rotation of " + shapeText(from));
    return Status::success();
  }
  if (step.isSample) {
    const Shape &logits = shapes[step.inputs[0].value];
    Shape rows = logits;
    bool good = !rows.empty() && rows.back() > 0;
    if (good)
      rows.pop_back();
    good = good && rows == out;
    for (size_t i = 1; i < step.inputs.size(); ++i)
      good = good && shapes[step.inputs[i].value] == rows;
    if (good)
      return Status::success();
    return graphError(index, "tokens of shape " + shapeText(out) +
                                 " drawn from logits of shape " +
                                 shapeText(logits) +
                                 ", or parameters of another shape");
  }
  if (step.isReshape) {
    const Shape &from = shapes[step.inputs[0].value];
    if (totalSize(from) == totalSize(out))
      return Status::success();
    return graphError(index, "a reshape of " + shapeText(from) + " to " +
                                 shapeText(out) +
                                 ", which has another number of elements");
  }
  Expected<Shape> reduced = bindShape(step.reduced, symbols);
  if (!reduced)
    return reduced.status();
  Shape loops = out;
  loops.insert(loops.end(), reduced->begin(), reduced->end());
  if (Expected<uint64_t> count = rt::elementCount(loops.data(), loops.size());
      !count)
    return count.status();
  for (const RegionOp &op : step.region.ops)
    if (op.op == ScalarOp::Load &&
        shapes[op.source].size() != op.indices.size())
      return graphError(index, "a load of " + shapeText(shapes[op.source]) +
                                   " by " + std::to_string(op.indices.size()) +
                                   " indices");
  return checkInputs(step, index, loops, shapes);
}

Expected<GraphShapes>
sparseflow::tools::inferShapes(const Function &function,
                               const Reference &reference,
                               const std::vector<int64_t> &symbols) {
  GraphShapes graph;
  graph.shapes.resize(reference.values);
  graph.types.resize(reference.values, DType::F32);
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    Expected<Shape> shape = bindShape(function.arguments[i].shape, symbols);
    if (!shape)
      return shape.status();
    graph.shapes[i] = std::move(*shape);
    // The values of a ternary weight or cache are not rounded to its type.
    const TensorSpec &spec = function.arguments[i];
    graph.types[i] =
        spec.isTernary() || spec.isCache() ? DType::F32 : spec.dtype;
  }
  for (size_t s = 0; s < reference.steps.size(); ++s) {
    const ReferenceStep &step = reference.steps[s];
    Expected<Shape> shape = step.append ? appendShape(step, s, graph.shapes)
                            : step.attention ? attentionShape(step, s, graph)
                            : step.isMatmul ? matmulShape(step, s, graph.shapes)
                                            : bindShape(step.shape, symbols);
    if (!shape)
      return shape.status();
    if (!step.isMatmul && !step.attention && !step.append)
      if (Status status = checkStep(step, s, *shape, symbols, graph.shapes);
          !status)
        return status;
    // The type of a stored value: as written, else of the result it is, else of
    // what it was made from.
    DType type = step.append
                     ? (step.append->isDense ? graph.types[step.append->cache]
                                             : DType::F32)
                 : step.attention       ? graph.types[step.attention->q]
                 : step.isMatmul        ? graph.types[step.x]
                 : !step.inputs.empty() ? graph.types[step.inputs[0].value]
                                        : DType::F32;
    for (size_t r = 0; r < reference.results.size(); ++r)
      if (reference.results[r] == step.out && !step.append)
        type = function.results[r].dtype;
    for (const FurtherResult &result : step.more) {
      graph.shapes[result.out] = *shape;
      graph.types[result.out] = result.dtype.value_or(DType::F32);
      for (size_t r = 0; r < reference.results.size() && !result.dtype; ++r)
        if (reference.results[r] == result.out)
          graph.types[result.out] = function.results[r].dtype;
    }
    if (step.isQuantize)
      graph.shapes[step.scale] = Shape(shape->begin(), shape->end() - 1);
    graph.shapes[step.out] = std::move(*shape);
    // Both 16-bit types hold the integers of 8 bits.
    graph.types[step.out] = step.dtype.value_or(type);
  }
  for (size_t r = 0; r < reference.results.size(); ++r) {
    Expected<Shape> shape = bindShape(function.results[r].shape, symbols);
    if (!shape)
      return shape.status();
    const Shape &found = graph.shapes[reference.results[r]];
    if (found != *shape)
      return rt::formatError("reference result " + std::to_string(r) +
                             " has shape " + shapeText(found) +
                             ", the function says " + shapeText(*shape) +
                             "; the manifest is wrong");
  }
  return graph;
}

Expected<int64_t>
sparseflow::tools::tokenCount(const Function &function,
                              const Reference &reference,
                              const std::vector<int64_t> &symbols) {
  Expected<GraphShapes> graph = inferShapes(function, reference, symbols);
  if (!graph)
    return graph.status();
  Expected<std::vector<Demand>> demands = inferDemands(reference, *graph);
  if (!demands)
    return demands.status();
  return reference.results.empty()
             ? int64_t(0)
             : leadingSize(graph->shapes[reference.results.front()]);
}

Expected<SharedErrors> sparseflow::tools::sharedErrors(
    const Function &function, const Reference &reference,
    const std::vector<int64_t> &symbols, size_t result) {
  Expected<GraphShapes> graph = inferShapes(function, reference, symbols);
  if (!graph)
    return graph.status();
  for (const ReferenceStep &step : reference.steps) {
    if (!step.attention || step.out != reference.results[result])
      continue;
    auto keys = static_cast<double>(
        attentionSizes(*step.attention, graph->shapes)->keys);
    int64_t features = std::max<int64_t>(graph->shapes[step.out][3], 1);
    return SharedErrors{std::min(1.0, keys / static_cast<double>(features)),
                        static_cast<uint64_t>(features)};
  }
  return SharedErrors();
}

Expected<WorkEstimate>
sparseflow::tools::estimateWork(const Function &function,
                                const Reference &reference,
                                const std::vector<int64_t> &symbols) {
  Expected<GraphShapes> graph = inferShapes(function, reference, symbols);
  if (!graph)
    return graph.status();
  WorkEstimate work;
  for (const ReferenceStep &step : reference.steps) {
    if (step.attention) {
      const Shape &k = graph->shapes[step.attention->k];
      const Shape &out = graph->shapes[step.out];
      int64_t keys = attentionSizes(*step.attention, graph->shapes)->keys;
      work.flops += 2.0 * static_cast<double>(totalSize(out) / out[3]) *
                    static_cast<double>(keys) *
                    static_cast<double>(k[3] + out[3]) /
                    (step.attention->causal ? 2 : 1);
      work.longestK = std::max({work.longestK, k[3], keys});
      continue;
    }
    if (!step.isMatmul)
      continue;
    const Shape &out = graph->shapes[step.out];
    int64_t k = graph->shapes[step.w][1];
    work.flops +=
        2.0 * static_cast<double>(totalSize(out)) * static_cast<double>(k);
    work.longestK = std::max(work.longestK, k);
  }
  return work;
}

double sparseflow::tools::workOfRow(const ReferenceStep &step,
                                    const GraphShapes &graph,
                                    const std::vector<int64_t> &symbols) {
  // An operation of a region takes about as long as a few of a product's.
  constexpr double regionWork = 32;
  auto width = static_cast<double>(lastSize(graph.shapes[step.out]));
  if (step.attention)
    return static_cast<double>(
               attentionSizes(*step.attention, graph.shapes)->keys) *
           2 * width;
  for (const Dim &dim : step.reduced)
    width *= static_cast<double>(dim.value(symbols.data()));
  return width *
         (regionWork +
          (step.isMatmul ? static_cast<double>(lastSize(graph.shapes[step.x]))
                         : 0));
}

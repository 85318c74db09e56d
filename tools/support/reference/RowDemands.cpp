//===- RowDemands.cpp - What rows of results need of a graph -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/ReferenceShapes.h"

using namespace sparseflow;
using namespace sparseflow::tools;
using Shape = std::vector<int64_t>;

static Status cannotSample(const std::string &why) {
  return rt::unsupported("rows cannot be checked apart: " + why +
                         "; use a full check");
}

// What a map needs of an input with `dims` for `demand` of its rank-`rank`
// result; None when it mixes rows.
static Demand mapInputDemand(Demand demand, const std::vector<int> &dims,
                             size_t rank) {
  size_t tokenDims = demand == Demand::Tokens ? rank : rank - 1;
  bool mentionsTokens = false;
  for (int dim : dims)
    mentionsTokens |= static_cast<size_t>(dim) < tokenDims;
  if (!mentionsTokens)
    return Demand::All;
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d] != static_cast<int>(d))
      return Demand::None;
  if (dims.size() < tokenDims)
    return Demand::None;
  return dims.size() == tokenDims ? Demand::Tokens : Demand::Rows;
}

namespace {
/// What steps need of values, from the results back to the arguments.
class DemandSearch {
public:
  DemandSearch(const Reference &reference, const GraphShapes &graph)
      : reference(reference), graph(graph),
        demands(reference.values, Demand::None) {}

  Expected<std::vector<Demand>> run();

private:
  void demand(int value, Demand kind) {
    if (value < 0)
      return;
    if (demands[value] == Demand::None)
      demands[value] = kind;
    else if (demands[value] != kind && status)
      status = cannotSample("value " + std::to_string(value) +
                            " is used both by rows and as a whole");
  }
  void demandWhole(const std::vector<ReferenceInput> &inputs) {
    for (const ReferenceInput &input : inputs)
      demand(input.value, Demand::All);
  }
  /// An error that says what step `number` does.
  Status refuse(const std::string &what) const {
    return cannotSample("step " + std::to_string(number) + " " + what);
  }
  Status addResults();
  Status addStep(const ReferenceStep &step);
  /// What all results of a step, or its log-sum-exp, ask of it.
  Status joinFurther(const ReferenceStep &step, Demand &wanted);
  Status joinLogSumExp(const ReferenceStep &step, Demand &wanted);
  Status addLoads(const ReferenceStep &step, Demand wanted);
  Status addQuantize(const ReferenceStep &step, Demand wanted);
  Status addAppend(const ReferenceStep &step, Demand wanted);
  Status addAttention(const ReferenceStep &step, Demand wanted);
  Status addRotation(const ReferenceStep &step, Demand wanted);
  /// Matmuls, maps, reductions and reshapes.
  Status addElements(const ReferenceStep &step, Demand wanted);

  const Reference &reference;
  const GraphShapes &graph;
  std::vector<Demand> demands;
  size_t number = 0;
  /// The first value that two steps need differently.
  Status status;
};
} // namespace

Status DemandSearch::addResults() {
  for (int result : reference.results) {
    const Shape &shape = graph.shapes[result];
    if (shape.size() < 2)
      return cannotSample("a result has rank " + std::to_string(shape.size()));
    if (leadingSize(shape) !=
        leadingSize(graph.shapes[reference.results.front()]))
      return cannotSample("results differ in their number of rows");
    demand(result, Demand::Rows);
  }
  return Status();
}

Status DemandSearch::joinFurther(const ReferenceStep &step, Demand &wanted) {
  for (const FurtherResult &result : step.more)
    if (demands[result.out] != Demand::None && wanted != Demand::All) {
      if (demands[result.out] != Demand::All || wanted != Demand::None)
        return refuse("is a reduction");
      wanted = demands[step.out] = Demand::All;
    }
  return Status();
}

Status DemandSearch::joinLogSumExp(const ReferenceStep &step, Demand &wanted) {
  if (!step.attention || step.attention->lse < 0)
    return Status();
  int value = step.attention->lse;
  Demand lse = demands[value];
  if (lse == Demand::None)
    return Status();
  // A row of the result has one: where there is one query that is a row.
  bool isRow = lse == Demand::Tokens ||
               (lse == Demand::Rows && lastSize(graph.shapes[value]) == 1);
  Demand both = isRow ? Demand::Rows : Demand::All;
  if ((!isRow && lse != Demand::All) ||
      (wanted != Demand::None && wanted != both))
    return refuse("makes log-sum-exps that are not used by the rows of its "
                  "result");
  wanted = demands[step.out] = both;
  return Status();
}

// A region that loads needs the whole of what it reads, and one that knows its
// place all of its loops.
Status DemandSearch::addLoads(const ReferenceStep &step, Demand wanted) {
  if (!step.region.readsLoops() || wanted == Demand::None)
    return Status();
  if (wanted != Demand::All)
    return refuse("reads elements by their place");
  for (const RegionOp &op : step.region.ops)
    if (op.op == ScalarOp::Load)
      demand(op.source, Demand::All);
  return Status();
}

Status DemandSearch::addQuantize(const ReferenceStep &step, Demand wanted) {
  Demand scale = demands[step.scale];
  if (wanted == Demand::None && scale == Demand::None)
    return Status();
  bool byRows = (wanted == Demand::None || wanted == Demand::Rows) &&
                (scale == Demand::None || scale == Demand::Tokens);
  bool all = (wanted == Demand::None || wanted == Demand::All) &&
             (scale == Demand::None || scale == Demand::All);
  if (!byRows && !all)
    return refuse("makes activations that are used both by rows and as a "
                  "whole");
  demands[step.out] = byRows ? Demand::Rows : Demand::All;
  demands[step.scale] = byRows ? Demand::Tokens : Demand::All;
  demand(step.inputs[0].value, demands[step.out]);
  return Status();
}

Status DemandSearch::addAppend(const ReferenceStep &step, Demand wanted) {
  if (wanted != Demand::All)
    return refuse("appends to a cache");
  for (int value : {step.append->cache, step.append->tokens,
                    step.append->lengths, step.append->pages})
    demand(value, Demand::All);
  return Status();
}

// A row of the result needs one of the queries and all of the keys; the
// evaluator picks the queries by itself.
Status DemandSearch::addAttention(const ReferenceStep &step, Demand wanted) {
  if (wanted == Demand::Tokens)
    return refuse("makes per-token values by attention");
  for (int value : {step.attention->q, step.attention->k, step.attention->v,
                    step.attention->lengths, step.attention->pages,
                    step.attention->cuQueries, step.attention->cuKeys,
                    step.attention->sinkLogits})
    demand(value, Demand::All);
  demandWhole(step.inputs);
  return Status();
}

Status DemandSearch::addRotation(const ReferenceStep &step, Demand wanted) {
  if (wanted == Demand::Tokens)
    return refuse("makes per-token values by a rotation");
  demand(step.inputs[0].value, wanted);
  if (step.inputs.size() > 1)
    demand(step.inputs[1].value, Demand::All);
  return Status();
}

Status DemandSearch::addElements(const ReferenceStep &step, Demand wanted) {
  if (wanted == Demand::Tokens && step.isMatmul)
    return refuse("makes per-token values by a matmul");
  if (step.isMatmul) {
    demand(step.x, wanted);
    demand(step.w, Demand::All);
  }
  if (wanted == Demand::All) {
    demandWhole(step.inputs);
    return Status();
  }
  if (!step.reduced.empty())
    return refuse("is a reduction");
  // Rows stay rows where their width does.
  if (step.isReshape &&
      (wanted != Demand::Rows || lastSize(graph.shapes[step.inputs[0].value]) !=
                                     lastSize(graph.shapes[step.out])))
    return refuse("reshapes rows");
  for (const ReferenceInput &input : step.inputs) {
    Demand kind = wanted;
    if (step.isMatmul)
      kind = input.broadcast == Broadcast::Full       ? Demand::Rows
             : input.broadcast == Broadcast::PerToken ? Demand::Tokens
                                                      : Demand::All;
    else if (!step.isReshape)
      kind = mapInputDemand(wanted, input.dims, step.shape.size());
    if (kind == Demand::None)
      return refuse("mixes rows");
    demand(input.value, kind);
  }
  return Status();
}

Status DemandSearch::addStep(const ReferenceStep &step) {
  Demand wanted = demands[step.out];
  if (Status joined = joinFurther(step, wanted); !joined)
    return joined;
  if (Status loaded = addLoads(step, wanted); !loaded)
    return loaded;
  if (Status joined = joinLogSumExp(step, wanted); !joined)
    return joined;
  if (step.isQuantize)
    return addQuantize(step, wanted);
  if (wanted == Demand::None)
    return Status();
  if (step.append)
    return addAppend(step, wanted);
  if (step.attention)
    return addAttention(step, wanted);
  if (step.rotated)
    return addRotation(step, wanted);
  if (!step.isSample)
    return addElements(step, wanted);
  if (wanted != Demand::All)
    return refuse("draws tokens");
  demandWhole(step.inputs);
  return Status();
}

Expected<std::vector<Demand>> DemandSearch::run() {
  if (Status added = addResults(); !added)
    return added;
  for (number = reference.steps.size(); number-- > 0;)
    if (Status added = addStep(reference.steps[number]); !added)
      return added;
  if (!status)
    return status;
  return demands;
}

Expected<std::vector<Demand>>
sparseflow::tools::inferDemands(const Reference &reference,
                                const GraphShapes &graph) {
  return DemandSearch(reference, graph).run();
}

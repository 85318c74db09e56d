//===- IndexCheck.cpp - Indices that data decide --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/IndexCheck.h"

#include "arguments/Indices.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

using namespace sparseflow;
using namespace sparseflow::tools;

using Shape = std::vector<int64_t>;

static Shape placeOf(int64_t flat, const Shape &shape) {
  Shape place(shape.size());
  for (size_t d = shape.size(); d-- > 0; flat /= shape[d])
    place[d] = flat % shape[d];
  return place;
}

static int64_t offsetOf(const Shape &place, const Shape &shape) {
  int64_t offset = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    offset = offset * shape[d] + place[d];
  return offset;
}

/// Calls `visit` with each value of the region that decides value `wanted` of
/// element `i`, down to inputs and loads: of a select the one that it takes.
static void visitDeciding(const Region &region,
                          const RegionEvaluator<double> &evaluated, int wanted,
                          int64_t i, const std::function<void(int)> &visit) {
  std::set<int> seen;
  std::vector<int> pending = {wanted};
  while (!pending.empty()) {
    int value = pending.back();
    pending.pop_back();
    if (!seen.insert(value).second)
      continue;
    visit(value);
    if (value < region.inputs)
      continue;
    const RegionOp &op = region.ops[static_cast<size_t>(value - region.inputs)];
    if (op.op == ScalarOp::Select) {
      bool isFirst = evaluated.value(op.operands[0])[i] != 0;
      pending.push_back(op.operands[isFirst ? 1 : 2]);
      continue;
    }
    for (int operand : op.operands)
      if (operand >= 0)
        pending.push_back(operand);
  }
}

void IndexCheck::look(const ReferenceStep &step,
                      const RegionEvaluator<double> &region, int64_t first,
                      int64_t count, int64_t fold) {
  for (const CheckedIndex &index : step.region.checked) {
    const RegionOp &load =
        step.region.ops[static_cast<size_t>(index.load - step.region.inputs)];
    auto size = static_cast<double>((*sources[load.source].shape)[index.dim]);
    const double *numbers = region.value(index.index);
    for (int64_t i = 0; i < count; ++i) {
      if (numbers[i] >= 0 && numbers[i] < size)
        continue;
      // What a select does not take is not read.
      bool isUsed = false;
      auto use = [&](int yielded) {
        visitDeciding(step.region, region, yielded, i,
                      [&](int value) { isUsed |= value == index.load; });
      };
      use(step.region.yield);
      for (const FurtherResult &result : step.more)
        use(result.yield);
      if (!isUsed)
        continue;
      std::lock_guard<std::mutex> lock(mutex);
      if (!this->first.step || first + i < this->first.element)
        this->first = {&step, index, first + i, fold};
      break;
    }
  }
}

RegionEvaluator<double> IndexCheck::evaluate(const ReferenceStep &step,
                                             int64_t element, int64_t fold,
                                             Shape &loops) const {
  RegionEvaluator<double> region(step.region, graph.types[step.out]);
  region.setContext(sources, call.symbols);
  Shape reduced;
  for (const Dim &dim : step.reduced)
    reduced.push_back(dim.value(call.symbols.data()));
  loops = placeOf(element, graph.shapes[step.out]);
  Shape place = placeOf(fold, reduced);
  loops.insert(loops.end(), place.begin(), place.end());
  for (size_t d = 0; d < loops.size(); ++d)
    region.setLoop(d, loops[d]);
  // The running values of a reduction are none of its inputs.
  size_t running = step.reduced.empty() ? 0 : 1 + step.more.size();
  for (size_t i = 0; i < running; ++i)
    *region.input(static_cast<int>(i)) = 0;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const ReferenceInput &input = step.inputs[i];
    Shape at;
    for (int dim : input.dims)
      at.push_back(loops[static_cast<size_t>(dim)]);
    *region.input(static_cast<int>(i + running)) =
        values[input.value].data[offsetOf(at, graph.shapes[input.value])];
  }
  region.run(1);
  return region;
}

IndexCheck::Element IndexCheck::sourceOf(const ReferenceStep &step,
                                         const RegionEvaluator<double> &region,
                                         const Shape &loops, int wanted) const {
  int running =
      step.reduced.empty() ? 0 : 1 + static_cast<int>(step.more.size());
  Element source;
  int sources = 0;
  visitDeciding(step.region, region, wanted, 0, [&](int value) {
    if (value < step.region.inputs) {
      ++sources;
      if (value < running)
        return;
      const ReferenceInput &input = step.inputs[value - running];
      source.value = input.value;
      for (int dim : input.dims)
        source.at.push_back(loops[static_cast<size_t>(dim)]);
      return;
    }
    const RegionOp &op =
        step.region.ops[static_cast<size_t>(value - step.region.inputs)];
    if (op.op == ScalarOp::Load) {
      ++sources;
      source.value = op.source;
      for (int index : op.indices)
        source.at.push_back(static_cast<int64_t>(*region.value(index)));
    } else if (op.op != ScalarOp::Extf && op.op != ScalarOp::Truncf &&
               op.op != ScalarOp::Trunc && op.op != ScalarOp::Select) {
      source.isCopied = false;
    }
  });
  return sources == 1 ? source : Element();
}

IndexCheck::Element IndexCheck::followToArgument(Element element) const {
  auto arguments = static_cast<int>(call.function.arguments.size());
  while (element.value >= arguments) {
    const auto &steps = call.reference.steps;
    auto made = std::find_if(
        steps.begin(), steps.end(),
        [&](const ReferenceStep &step) { return step.out == element.value; });
    bool isMap = made != steps.end() && !made->isMatmul && !made->attention &&
                 !made->append && !made->isQuantize && !made->rotated &&
                 !made->isSample && made->reduced.empty();
    if (!isMap)
      return {};
    int64_t flat = offsetOf(element.at, graph.shapes[element.value]);
    if (made->isReshape) {
      element.value = made->inputs[0].value;
      element.at = placeOf(flat, graph.shapes[element.value]);
      continue;
    }
    Shape loops;
    RegionEvaluator<double> region = evaluate(*made, flat, 0, loops);
    Element before = sourceOf(*made, region, loops, made->region.yield);
    before.isCopied &= element.isCopied;
    element = std::move(before);
  }
  return element;
}

/// A whole number as it is written.
static std::string numberText(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", number);
  return text;
}

Status IndexCheck::result() const {
  if (!first.step)
    return Status::success();
  const ReferenceStep &step = *first.step;
  Shape loops;
  RegionEvaluator<double> region =
      evaluate(step, first.element, first.fold, loops);
  const RegionOp &load =
      step.region
          .ops[static_cast<size_t>(first.index.load - step.region.inputs)];
  int64_t size = graph.shapes[load.source][first.index.dim];
  std::string index = numberText(*region.value(first.index.index));
  Element holder =
      followToArgument(sourceOf(step, region, loops, first.index.index));
  if (holder.value < 0)
    return indexOutside("the function computes the index " + index, size);
  const HostTensor &tensor = *call.arguments[holder.value];
  int64_t flat = offsetOf(holder.at, graph.shapes[holder.value]);
  std::string held = numberText(values[holder.value].data[flat]);
  if (tensor.dtype == DType::I64) {
    int64_t exact = 0;
    std::memcpy(&exact, tensor.data.data() + flat * 8, sizeof(exact));
    held = std::to_string(exact);
  }
  std::string what = argumentText(call.function, holder.value) + " holds " +
                     held + " at " + indexText(holder.at);
  if (!holder.isCopied)
    what += ", from which the function computes the index " + index;
  return indexOutside(what, size);
}

//===- IntegerArguments.cpp - What random integers may be ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/IntegerArguments.h"

#include <algorithm>
#include <functional>

using namespace sparseflow;
using namespace sparseflow::tools;

/// The largest index that every load of `reference` takes which `argument`
/// indexes, straight or through other values; -1 where it indexes nothing.
static int64_t largestIndex(const Reference &reference, int argument,
                            const std::function<int64_t(int, size_t)> &sizeOf) {
  std::vector<bool> carries(reference.values, false);
  carries[argument] = true;
  int64_t largest = -1;
  for (const ReferenceStep &step : reference.steps) {
    if (step.isMatmul || step.attention || step.append || step.isQuantize ||
        step.rotated)
      continue;
    size_t before = step.reduced.empty() ? 0 : 1 + step.more.size();
    std::vector<bool> follows(before, false);
    for (const ReferenceInput &input : step.inputs)
      follows.push_back(carries[input.value]);
    for (const RegionOp &op : step.region.ops) {
      bool any = op.op == ScalarOp::Load && carries[op.source];
      for (int operand : op.operands)
        any |= operand >= 0 && op.op != ScalarOp::Cmpf && follows[operand];
      for (size_t d = 0; d < op.indices.size(); ++d) {
        int64_t size = follows[op.indices[d]] ? sizeOf(op.source, d) : -1;
        if (size > 0)
          largest = largest < 0 ? size - 1 : std::min(largest, size - 1);
      }
      follows.push_back(any);
    }
    carries[step.out] = step.isReshape ? carries[step.inputs[0].value]
                                       : follows[step.region.yield];
  }
  return largest;
}

/// The largest number for what a step that draws tokens reads as its operand
/// `index`; 0 for those that are not integers.
static int64_t mostOfSample(size_t index, int64_t vocabulary) {
  enum { TopK = 2, Seed = 4, Position = 5 };
  return index == TopK       ? vocabulary
         : index == Seed     ? int64_t(1) << 40
         : index == Position ? int64_t(1) << 20
                             : 0;
}

int64_t sparseflow::tools::sizeOf(const ValueShapes &shapes, int value,
                                  size_t dim) {
  if (value < 0 || static_cast<size_t>(value) >= shapes.size() ||
      dim >= shapes[value].size())
    return -1;
  return shapes[value][dim];
}

// Lengths of an attention are at most its number of keys, and its table names
// pages that there are; lengths of an append leave room for its tokens, and ids
// are inside of what they index. A sample's are any that count. Others are 0 or
// 1, as masks are.
int64_t sparseflow::tools::largestInteger(const Function &function,
                                          const Reference &reference,
                                          const ValueShapes &shapes,
                                          size_t index) {
  auto argument = static_cast<int>(index);
  auto count = static_cast<int>(function.arguments.size());
  if (function.arguments[index].dtype == DType::I1)
    return 1;
  // Positions that `pages` makes of the `rows` of a cache or a page.
  auto positions = [&](int64_t rows, int pages) {
    return rows * (pages < 0 ? 1 : sizeOf(shapes, pages, 1));
  };
  for (const ReferenceStep &step : reference.steps) {
    if (step.attention) {
      const AttentionStep &attention = *step.attention;
      size_t row = attention.bshd ? 1 : 2;
      int64_t most = -1;
      if (attention.lengths == argument)
        most = positions(sizeOf(shapes, attention.k, row), attention.pages);
      else if (attention.cuQueries == argument)
        most = sizeOf(shapes, attention.q, row);
      else if (attention.cuKeys == argument)
        most = sizeOf(shapes, attention.k, row);
      else if (attention.pages == argument)
        most = std::max<int64_t>(0, sizeOf(shapes, attention.k, 0) - 1);
      if (most >= 0)
        return most;
    }
    if (step.append && step.append->lengths == argument) {
      size_t row = step.append->positionDim();
      return std::max<int64_t>(
          0, positions(sizeOf(shapes, step.append->cache, row),
                       step.append->pages) -
                 sizeOf(shapes, step.append->tokens, row));
    }
    for (size_t i = 0; step.isSample && i < step.inputs.size(); ++i)
      if (step.inputs[i].value == argument) {
        const std::vector<int64_t> &logits = shapes[step.inputs[0].value];
        return std::max<int64_t>(
            1, mostOfSample(i, logits.empty() ? 64 : logits.back()));
      }
  }
  // Of tensors that the function computes only constant sizes are known here.
  int64_t largest =
      largestIndex(reference, argument, [&](int value, size_t dim) -> int64_t {
        return value < count ? sizeOf(shapes, value, dim) : -1;
      });
  return largest < 0 ? 1 : largest;
}

bool sparseflow::tools::isCumulative(const Reference &reference, size_t index) {
  auto argument = static_cast<int>(index);
  return std::any_of(reference.steps.begin(), reference.steps.end(),
                     [&](const ReferenceStep &step) {
                       return step.attention &&
                              (step.attention->cuQueries == argument ||
                               step.attention->cuKeys == argument);
                     });
}

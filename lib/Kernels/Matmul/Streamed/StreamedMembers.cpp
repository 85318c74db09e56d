//===- StreamedMembers.cpp - The matmuls of one launch ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels/Matmul/Streamed/StreamedMatmul.h"
#include "Kernels/Matmul/Streamed/StreamedParts.h"
#include "Kernels/Support/TileScheduler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sparseflow;
using namespace mlir::sftile;

SmallVector<StreamedMembers::Member>
StreamedMembers::membersOf(const MatmulProblem &spec) {
  SmallVector<Member> members;
  members.push_back({spec.n,
                     spec.resultType,
                     spec.operands,
                     spec.body,
                     spec.tokenScales,
                     0,
                     {},
                     0});
  for (const MatmulProblem::Companion &other : spec.companions)
    members.push_back({other.n,
                       other.resultType,
                       other.operands,
                       other.body,
                       other.tokenScales,
                       0,
                       {},
                       0});
  // First come the activations, or what they are computed of.
  int64_t next = spec.computedRows ? spec.computedRows->group.inputs.size() : 1;
  for (Member &member : members) {
    member.weight = next++;
    next += spec.scales ? 1 : 0;
  }
  for (auto [index, member] : llvm::enumerate(members)) {
    for (int64_t i = 0; i < int64_t(member.operands.size()); ++i)
      member.pointers.push_back(index && spec.gatedOperand == i ? -1 : next++);
    member.result = !index && spec.gatedOperand ? -1 : next++;
  }
  return members;
}

int64_t StreamedMembers::pointerCount(const MatmulProblem &spec) {
  return membersOf(spec).back().result + 1;
}

StreamedMembers::StreamedMembers(const MatmulProblem &spec, KernelBuilder &b)
    : ThreadCode(b.builder, spec.loc), spec(spec), b(b),
      members(membersOf(spec)), gated(spec.gatedOperand.has_value()) {}

Value StreamedMembers::pick(Value tile) {
  const Member &first = members.front();
  weights = {b.pointer(first.weight)};
  if (spec.scales)
    scales = b.pointer(first.weight + 1);
  features = integer(first.n);
  if (gated) {
    weights.push_back(b.pointer(members.back().weight));
    resultPointer = b.pointer(members.back().result);
    return tile;
  }
  for (int64_t pointer : first.pointers)
    operandPointers.push_back(b.pointer(pointer));
  resultPointer = b.pointer(first.result);
  Value ofMember = tile;
  int64_t before = 0;
  for (auto [last, member] : llvm::zip(members, llvm::drop_begin(members))) {
    before += llvm::divideCeil(last.n, streamedFeatures(spec));
    Value earlier = less(tile, integer(before));
    auto pick = [&](Value &value, Value own) {
      value = select(earlier, value, own);
    };
    pick(weights[0], b.pointer(member.weight));
    pick(features, integer(member.n));
    pick(ofMember, sub(tile, integer(before)));
    for (auto [value, pointer] : llvm::zip(operandPointers, member.pointers))
      pick(value, b.pointer(pointer));
    pick(resultPointer, b.pointer(member.result));
  }
  return ofMember;
}

bool StreamedMembers::fillBlocks(int64_t rows) const {
  return llvm::all_of(members, [&](const Member &member) {
    return llvm::alignTo(member.n, rows) % streamedFeatures(spec) == 0;
  });
}

void StreamedMembers::prefetch(Value feature, int64_t count, int64_t threads) {
  Value left = integer(count);
  if (!fillBlocks(1))
    left = arith::MinSIOp::create(builder, loc, sub(features, feature), left);
  for (auto [number, member] : llvm::enumerate(members)) {
    if (number && !gated)
      break; // pick() has chosen
    for (auto [index, operand] : llvm::enumerate(member.operands)) {
      int64_t own = member.pointers[index];
      if (own < 0 || (operand.broadcast != Broadcast::PerFeature &&
                      operand.broadcast != Broadcast::Scalar))
        continue;
      Value pointer = gated ? b.pointer(own) : operandPointers[index];
      Type type = operand.elementType;
      int64_t bytes = type.getIntOrFloatBitWidth() / 8;
      if (operand.broadcast == Broadcast::Scalar)
        ThreadCode::prefetch(pointer, integer(bytes), bytes, threads);
      else
        ThreadCode::prefetch(advance(pointer, feature, 1, type),
                             mul(left, bytes), count * bytes, threads);
    }
  }
}

Value StreamedMembers::compute(ArrayRef<Value> sums, Value feature, Value token,
                               const Known &known) {
  if (gated) {
    SmallVector<Value> own, others;
    for (int64_t pointer : members[0].pointers)
      own.push_back(b.pointer(pointer));
    for (int64_t pointer : members[1].pointers)
      others.push_back(pointer < 0 ? Value() : b.pointer(pointer));
    Value gate = apply(members[0], sums[0], feature, token, own, known);
    return apply(members[1], sums[1], feature, token, others, known, gate);
  }
  return apply(members[0], sums[0], feature, token, operandPointers, known);
}

void StreamedMembers::store(Value result, Value feature, Value token) {
  Type type = members.back().resultType;
  Value row = rowOf(resultPointer, token, type);
  ThreadCode::store(result, advance(row, feature, 1, type),
                    type.getIntOrFloatBitWidth() / 8);
}

Value StreamedMembers::apply(const Member &member, Value sum, Value feature,
                             Value token, ArrayRef<Value> pointers,
                             const Known &known, Value gate) {
  IRMapping mapping;
  Block *body = member.body.block;
  mapping.map(body->getArgument(0), sum);
  for (int64_t index = 0; index < int64_t(member.operands.size()); ++index)
    mapping.map(body->getArgument(index + 1),
                gate && spec.gatedOperand == index
                    ? gate
                    : loadOperand(member, index, pointers[index], feature,
                                  token, known));
  for (Operation &scalar : body->without_terminator())
    builder.clone(scalar, mapping);
  return mapping.lookupOrDefault(member.body.yielded);
}

Value StreamedMembers::rowOf(Value pointer, Value token, Type type) {
  bool same = llvm::all_of(
      members, [&](const Member &member) { return member.n == members[0].n; });
  if (same)
    return advance(pointer, token, members[0].n, type);
  Value before =
      arith::MulIOp::create(builder, loc, wide(token), wide(features));
  return advance(pointer, before, 1, type);
}

Value StreamedMembers::loadOperand(const Member &member, int64_t index,
                                   Value pointer, Value feature, Value token,
                                   const Known &known) {
  const ElementOperand &operand = member.operands[index];
  Type type = operand.elementType;
  // Of a token that the block has quantized it has both in shared memory.
  if (known.sum && index == 0)
    return known.sum;
  if (known.scale && llvm::is_contained(member.tokenScales, index))
    return known.scale;
  switch (operand.broadcast) {
  case Broadcast::PerFeature:
    pointer = advance(pointer, feature, 1, type);
    break;
  case Broadcast::PerToken:
    pointer = advance(pointer, token, 1, type);
    break;
  case Broadcast::Full:
    pointer = advance(rowOf(pointer, token, type), feature, 1, type);
    break;
  case Broadcast::Scalar:
    break;
  }
  return load(type, pointer, type.getIntOrFloatBitWidth() / 8);
}

//===----------------------------------------------------------------------===//
// What a launch of all of them takes
//===----------------------------------------------------------------------===//

SmallVector<KernelParameter> StreamedMatmul::parameters() const {
  return SmallVector<KernelParameter>(StreamedMembers::pointerCount(problem));
}

Value StreamedMatmul::gridSize(OpBuilder &builder, Location loc,
                               Value tokens) const {
  int64_t features = streamedFeatures(problem);
  int64_t blocks = llvm::divideCeil(problem.n, features);
  if (!problem.gatedOperand)
    for (const MatmulProblem::Companion &companion : problem.companions)
      blocks += llvm::divideCeil(companion.n, features);
  ScheduleAttr schedule = problem.schedule;
  return TileScheduler::gridSize(builder, loc, tokens, schedule.getBlock()[1],
                                 blocks * schedule.getSplitK());
}

int64_t mlir::sparseflow::streamedFeatures(const MatmulProblem &problem) {
  return problem.schedule.getBlock()[0] / (problem.gatedOperand ? 2 : 1);
}

//===- StepTraffic.cpp - What a step reads and writes ---------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes of tensors, each counted once: what a step moves at least. People read
// them in plans of a program, and tools divide times by them; no launch needs
// them. They are maps over the symbols, because a value of the host form that
// nothing uses does not survive.
//
//===----------------------------------------------------------------------===//

#include "Launch/ArgmaxGroup.h"
#include "Launch/HostProgramBuilder.h"
#include "Launch/QuantizeGroup.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sparseflow;

/// The integer `value` of the host form over its symbols, the arguments from
/// `firstSymbol` on; null where a map cannot say it.
static AffineExpr expressionOf(Value value, unsigned firstSymbol) {
  MLIRContext *context = value.getContext();
  APInt known;
  if (matchPattern(value, m_ConstantInt(&known)))
    return getAffineConstantExpr(known.getSExtValue(), context);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getAffineSymbolExpr(argument.getArgNumber() - firstSymbol, context);
  Operation *op = value.getDefiningOp();
  if (op->getNumOperands() != 2)
    return {};
  AffineExpr a = expressionOf(op->getOperand(0), firstSymbol);
  AffineExpr b = expressionOf(op->getOperand(1), firstSymbol);
  if (!a || !b)
    return {};
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case<arith::AddIOp>([&](auto) { return a + b; })
      .Case<arith::SubIOp>([&](auto) { return a - b; })
      .Case<arith::MulIOp>([&](auto) { return a * b; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto) { return a.ceilDiv(b); })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return a.floorDiv(b); })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) { return a % b; })
      .Default([](Operation *) { return AffineExpr(); });
}

namespace {
/// Adds up the tensors of one op.
class TrafficCounter {
public:
  TrafficCounter(HostProgramBuilder &program, unsigned firstSymbol,
                 MLIRContext *context)
      : program(program), firstSymbol(firstSymbol),
        read(getAffineConstantExpr(0, context)), written(read) {}

  /// False where something cannot be counted.
  bool count(Operation *op);
  /// `tensor` is never in memory.
  void keepInside(Value tensor) { inside.insert(tensor); }

  /// Elements of `tensor`, of its first `rank` dimensions if that is less.
  AffineExpr elements(Value tensor, int64_t rank = INT64_MAX) const;

private:
  bool add(AffineExpr &sum, AffineExpr elements, Value tensor) {
    if (!elements)
      return false;
    if (int64_t maxima = bytesOfMaxima(tensor)) {
      sum = sum + elements.floorDiv(lastDim(tensor)) * maxima;
      return true;
    }
    // A cache is pages of 64 positions.
    auto cache = dyn_cast<RankedTensorType>(tensor.getType());
    if (TernaryAttr encoding = getTernaryEncoding(tensor.getType());
        encoding && encoding.isCache()) {
      int64_t features = cache.getDimSize(3);
      sum = sum + elements.floorDiv(features * TernaryAttr::kPageTokens) *
                      encoding.getPageBytes(features);
      return true;
    }
    Type type = getElementTypeOrSelf(tensor.getType());
    int64_t bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    sum = sum + elements * int64_t(llvm::divideCeil(bits, 8));
    return true;
  }
  bool addRead(Value tensor);
  bool addPicked(Operation *op);
  bool addReads(Operation *op);

  HostProgramBuilder &program;
  unsigned firstSymbol;
  DenseSet<Value> seen, inside;
  /// Parts of tensors in memory.
  SmallVector<tensor::ExtractSliceOp> slices;

public:
  AffineExpr read, written;
};
} // namespace

AffineExpr TrafficCounter::elements(Value tensor, int64_t rank) const {
  AffineExpr product = getAffineConstantExpr(1, tensor.getContext());
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t dim = 0; dim < std::min(rank, type.getRank()); ++dim) {
    AffineExpr size = expressionOf(program.dimOf(tensor, dim), firstSymbol);
    if (!size)
      return {};
    product = product * size;
  }
  return product;
}

bool TrafficCounter::addRead(Value tensor) {
  Operation *source = tensor.getDefiningOp();
  if (!isa<RankedTensorType>(tensor.getType()) ||
      isa_and_nonnull<tensor::EmptyOp, arith::ConstantOp>(source))
    return true;
  Value whole = skipReshapes(tensor);
  if (inside.contains(whole))
    return true;
  source = whole.getDefiningOp();
  if (!seen.insert(whole).second)
    return true;
  auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(source);
  if (slice && isInlined(slice) && program.bufferOf(slice.getSource())) {
    slices.push_back(slice);
    return true;
  }
  if (source && (isInlined(source) || isQuantizedWith(source)))
    return addReads(source);
  return add(read, elements(whole), whole);
}

/// Of a table that is read at computed places, one element for each of the
/// op's.
bool TrafficCounter::addPicked(Operation *op) {
  return !op->walk([&](tensor::ExtractOp extract) {
              Value table = extract.getTensor();
              bool isOwn =
                  op->isAncestor(table.getParentRegion()->getParentOp());
              if (isOwn || extract.getIndices().empty())
                return WalkResult::advance();
              return add(read, elements(op->getResult(0)), table)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

bool TrafficCounter::addReads(Operation *op) {
  // A slice that is written in place leaves the rest as it is.
  Value kept;
  if (tensor::InsertSliceOp slice = getUpdateOfSlice(op))
    kept = slice.getDest();
  return addPicked(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return operand == kept || addRead(operand);
         });
}

bool TrafficCounter::count(Operation *op) {
  if (!addReads(op))
    return false;
  // Of a tensor that nothing else reads, the slice.
  for (tensor::ExtractSliceOp slice : slices)
    if (!seen.contains(skipReshapes(slice.getSource())) &&
        !add(read, elements(slice), slice))
      return false;
  if (tensor::InsertSliceOp slice = getUpdateOfSlice(op))
    return add(written, elements(slice.getSource()), slice);
  return llvm::all_of(op->getResults(), [&](Value result) {
    return inside.contains(result) || add(written, elements(result), result);
  });
}

Operation *HostProgramBuilder::lastStep() {
  Block &block = host.getBody().front();
  return block.empty() ? nullptr : &block.back();
}

AffineMapAttr HostProgramBuilder::trafficOf(ArrayRef<Operation *> ops) {
  unsigned firstSymbol = host.getNumArguments() - signature.symbols.size();
  TrafficCounter counter(*this, firstSymbol, builder.getContext());
  Operation *first = ops.front();
  // A cache is written where the new tokens lie, and pages are read that a
  // table names: nobody knows how many bytes that is before.
  auto append = dyn_cast<CacheAppendOp>(first);
  auto attention = dyn_cast<AttentionOp>(first);
  Value result = first->getResult(0);
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  AffineExpr tokens = counter.elements(result, rank - 1);
  if (attention) {
    Value q = attention.getQ();
    AffineExpr batch = expressionOf(dimOf(q, 0), firstSymbol);
    AffineExpr queries =
        expressionOf(dimOf(q, attention.getSequenceDim()), firstSymbol);
    tokens = batch && queries ? batch * queries : AffineExpr();
  }
  if (append || (attention && attention.getPages()) || !tokens)
    return {};
  // What only another one of them reads, as what gates it, is not stored.
  for (Operation *op : ops)
    for (Value made : op->getResults())
      if (!made.use_empty() && llvm::all_of(made.getUsers(), [&](Operation *o) {
            return llvm::is_contained(ops, o);
          }))
        counter.keepInside(made);
  if (!llvm::all_of(ops, [&](Operation *op) { return counter.count(op); }))
    return {};
  return AffineMapAttr::get(AffineMap::get(
      0, signature.symbols.size(), {tokens, counter.read, counter.written},
      builder.getContext()));
}

void HostProgramBuilder::noteTraffic(ArrayRef<Operation *> ops,
                                     Operation *previous) {
  AffineMapAttr traffic = trafficOf(ops);
  if (!traffic)
    return;
  Block &block = host.getBody().front();
  auto from = previous ? std::next(previous->getIterator()) : block.begin();
  // Guards that fold leave what is below them: every branch has the numbers,
  // at its first launch.
  DenseSet<Block *> counted;
  for (Operation &step : llvm::make_range(from, block.end()))
    step.walk([&](Operation *inner) {
      if (isa<scf::IfOp>(inner) || (isa<gpu::LaunchFuncOp>(inner) &&
                                    counted.insert(inner->getBlock()).second))
        inner->setAttr("sparseflow.traffic", traffic);
    });
}

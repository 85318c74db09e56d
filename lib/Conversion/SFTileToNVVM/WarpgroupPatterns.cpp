//===- WarpgroupPatterns.cpp - The order of instructions of warpgroups ----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::sftile;

// Warps of a warpgroup.
static constexpr int64_t kGroupWarps = 4;

SmallVector<Value> mlir::sftile::emitMatrixIndices(OpBuilder &builder,
                                                   Location loc, Value view) {
  Integers ints(builder, loc);
  SmallVector<Value> indices;
  if (auto mapped = view.getDefiningOp<ViewOp>())
    for (Value index : mapped.getAt())
      indices.push_back(ints.toI32(index));
  return indices;
}

/// An empty text through which registers pass: what computes them stands before
/// it and what uses them behind, for LLVM and in the PTX that it writes.
static SmallVector<Value> emitBarrier(OpBuilder &builder, Location loc,
                                      ValueRange values) {
  if (values.empty())
    return {};
  std::string outputs, ties;
  SmallVector<Type> types;
  for (auto [index, value] : llvm::enumerate(values)) {
    types.push_back(value.getType());
    outputs += index ? "," : "";
    outputs += value.getType().isF32() ? "=f" : "=r";
    ties += "," + std::to_string(index);
  }
  Type result =
      types.size() == 1
          ? types.front()
          : Type(LLVM::LLVMStructType::getLiteral(builder.getContext(), types));
  auto assembly = LLVM::InlineAsmOp::create(
      builder, loc, result, values, "", outputs + ties,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  if (types.size() == 1)
    return {assembly.getRes()};
  SmallVector<Value> results;
  for (size_t index = 0; index < types.size(); ++index)
    results.push_back(
        LLVM::ExtractValueOp::create(builder, loc, assembly.getRes(), index));
  return results;
}

namespace {

struct SchedBarrierLowering : public OpConversionPattern<SchedBarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SchedBarrierOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers(adaptor.getSource());
    if (op.getInSass())
      emitStoreThatNeverHappens(rewriter, op, registers);
    else
      registers = emitBarrier(rewriter, op.getLoc(), registers);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

  /// A store that depends on the elements, none of which is negative.
  static void emitStoreThatNeverHappens(OpBuilder &builder, SchedBarrierOp op,
                                        ArrayRef<Value> elements) {
    Location loc = op.getLoc();
    Value sum;
    for (Value element : elements)
      sum = sum ? LLVM::FAddOp::create(builder, loc, sum, element).getResult()
                : element;
    Value place = emitShared(builder, loc, op, 0);
    LLVM::InlineAsmOp::create(
        builder, loc, TypeRange(), ValueRange{place, sum},
        "{ .reg .pred p; setp.lt.f32 p, $1, 0f00000000; "
        "@p st.shared.b32 [$0], $1; }",
        "r,f,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  }
};

/// Each warpgroup has a barrier of the block, behind those of staging buffers.
/// Its own threads wait there, and those of the one before arrive.
struct OrderedBarrier {
  OrderedBarrier(OpBuilder &builder, Location loc, RoleInfo role)
      : ints(builder, loc), groups(role.warps / kGroupWarps),
        first(role.freeBarrier + groups) {
    group = ints.div(emitRoleThread(builder, loc, role),
                     kGroupWarps * kLanesPerWarp);
  }
  Value next() { return ints.add(ints.rem(ints.add(group, 1), groups), first); }
  Integers ints;
  int64_t groups, first;
  Value group;
  static constexpr int64_t kThreads = 2 * kGroupWarps * kLanesPerWarp;
};

struct OrderedBarrierLowering : public KernelPattern<OrderedBarrierOp> {
  using KernelPattern::KernelPattern;
  LogicalResult
  matchAndRewrite(OrderedBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    OrderedBarrier barrier(rewriter, loc, info.roleOf(op));
    if (barrier.groups > 1)
      emit(rewriter, loc, barrier, op.getAction());
    rewriter.eraseOp(op);
    return success();
  }

  static void emit(ConversionPatternRewriter &rewriter, Location loc,
                   OrderedBarrier &barrier, OrderedAction action) {
    auto arrive = [&](OpBuilder &builder) {
      LLVM::InlineAsmOp::create(
          builder, loc, TypeRange(), ValueRange{barrier.next()},
          "bar.arrive $0, " + std::to_string(OrderedBarrier::kThreads) + ";",
          "r,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    };
    switch (action) {
    case OrderedAction::Wait:
      emitNamedBarrier(rewriter, loc,
                       barrier.ints.add(barrier.group, barrier.first),
                       OrderedBarrier::kThreads);
      return;
    case OrderedAction::Arrive:
      return arrive(rewriter);
    case OrderedAction::ArriveFirst:
      emitIf(rewriter, loc,
             rewriter.createOrFold<arith::CmpIOp>(
                 loc, arith::CmpIPredicate::eq, barrier.group,
                 barrier.ints.i32(barrier.groups - 1)),
             arrive);
      return;
    }
  }
};

} // namespace

void mlir::sftile::populateWarpgroupPatterns(
    const SFTileTypeConverter &converter, const KernelInfo &info,
    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<SchedBarrierLowering>(converter, context);
  patterns.add<OrderedBarrierLowering>(converter, info, context);
}

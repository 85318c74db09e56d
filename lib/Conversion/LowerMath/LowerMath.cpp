//===- LowerMath.cpp - The patterns and the pass --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "F32Emitter.h"
#include "RoundedMath.h"
#include "SupportedOps.h"

#include "SparseFlow/Conversion/LowerMath/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>
#include <optional>

namespace mlir::sparseflow {
#define GEN_PASS_DEF_SPARSEFLOWLOWERMATHPASS
#include "SparseFlow/Conversion/LowerMath/Passes.h.inc"
} // namespace mlir::sparseflow

using namespace mlir;
using namespace mlir::sparseflow;

static bool hasFlag(arith::FastMathFlags flags, arith::FastMathFlags flag) {
  return arith::bitEnumContainsAll(flags, flag);
}

// The value of a scalar constant, seen through an extension.
static std::optional<double> getConstant(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  FloatAttr attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  return attribute.getValueAsDouble();
}

namespace {

/// f16 and bf16: extend, compute in f32, round. The f32 significand has more
/// than twice the bits of either type and two more, so that the two roundings
/// of +, -, *, / and sqrt give what one would.
struct WidenHalf : RewritePattern {
  WidenHalf(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isWidenable(op))
      return rewriter.notifyMatchFailure(op, "no function of 16-bit floats");
    Location loc = op->getLoc();
    Type f32 = rewriter.getF32Type();
    Operation *wide = op->cloneWithoutRegions();
    for (OpOperand &operand : wide->getOpOperands())
      if (isHalf(operand.get().getType()))
        operand.set(arith::ExtFOp::create(rewriter, loc, f32, operand.get()));
    Type narrow = op->getResult(0).getType();
    if (isHalf(narrow))
      wide->getResult(0).setType(f32);
    rewriter.insert(wide);
    Value result = wide->getResult(0);
    if (isHalf(narrow))
      result = arith::TruncFOp::create(rewriter, loc, narrow, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// An f32 op and the formula that replaces it.
template <typename OpT>
struct LowerF32 : OpRewritePattern<OpT> {
  using Emit = Value (*)(F32Emitter &, OpT, bool fast);

  LowerF32(MLIRContext *context, bool approximate, Emit emit)
      : OpRewritePattern<OpT>(context), approximate(approximate), emit(emit) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op,
                                         "only f32 functions are written out");
    bool fast =
        approximate || hasFlag(op.getFastmath(), arith::FastMathFlags::afn);
    F32Emitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(op, emit(emitter, op, fast));
    return success();
  }

  bool approximate;
  Emit emit;
};

/// An f32 op that the back end selects as it is. It is called as an intrinsic
/// because the conversion of kernels to NVVM makes calls of the device library
/// of arith's minima and maxima, and refuses most of the `llvm.intr` ops.
template <typename OpT>
struct LowerToIntrinsic : OpRewritePattern<OpT> {
  LowerToIntrinsic(MLIRContext *context, StringRef name)
      : OpRewritePattern<OpT>(context), name(name) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op,
                                         "only f32 functions are written out");
    F32Emitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(op, emitter.intrinsic(name, op->getOperands()));
    return success();
  }

  StringRef name;
};

/// tanh and erf, whose sum with one is a function of its own: near -1 the
/// sum would keep only the digits that cancellation leaves.
template <typename OpT>
struct LowerSigmoidal : OpRewritePattern<OpT> {
  using Emit = Value (*)(F32Emitter &, Value x, bool fast);

  LowerSigmoidal(MLIRContext *context, bool approximate, Emit emit,
                 Emit emitOnePlus)
      : OpRewritePattern<OpT>(context), approximate(approximate), emit(emit),
        emitOnePlus(emitOnePlus) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op,
                                         "only f32 functions are written out");
    bool fast =
        approximate || hasFlag(op.getFastmath(), arith::FastMathFlags::afn);
    for (Operation *user : llvm::to_vector(op->getUsers())) {
      bool minus;
      if (user->getBlock() != op->getBlock() ||
          !isOnePlusOrMinus(user, op, minus))
        continue;
      rewriter.setInsertionPoint(user);
      F32Emitter emitter(rewriter, user->getLoc());
      Value x = minus ? emitter.neg(op.getOperand()) : op.getOperand();
      rewriter.replaceOp(user, emitOnePlus(emitter, x, fast));
    }
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    rewriter.setInsertionPoint(op);
    F32Emitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(op, emit(emitter, op.getOperand(), fast));
    return success();
  }

  static bool isOnePlusOrMinus(Operation *user, Value value, bool &minus) {
    minus = isa<arith::SubFOp>(user);
    if (!minus && !isa<arith::AddFOp>(user))
      return false;
    Value one = user->getOperand(0);
    if (one == value && !minus)
      one = user->getOperand(1);
    return one != value && getConstant(one) == 1.0;
  }

  bool approximate;
  Emit emit, emitOnePlus;
};

/// IEEE division is what the back end selects; the flags arcp and afn allow
/// div.full, which is within 2 ulp, and the product with a constant's inverse.
struct LowerDivision : OpRewritePattern<arith::DivFOp> {
  LowerDivision(MLIRContext *context, bool approximate)
      : OpRewritePattern(context), approximate(approximate) {}

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    arith::FastMathFlags flags = op.getFastmath();
    if (!op.getType().isF32() ||
        !(approximate || hasFlag(flags, arith::FastMathFlags::afn) ||
          hasFlag(flags, arith::FastMathFlags::arcp)))
      return rewriter.notifyMatchFailure(op,
                                         "an exact division, or none of f32");
    F32Emitter emitter(rewriter, op.getLoc());
    if (std::optional<double> divisor = getConstant(op.getRhs()))
      if (float inverse = 1.0 / *divisor; std::isnormal(inverse)) {
        rewriter.replaceOp(op, emitter.mul(inverse, op.getLhs()));
        return success();
      }
    rewriter.replaceOp(op, emitter.intrinsic("llvm.nvvm.div.full",
                                             {op.getLhs(), op.getRhs()}));
    return success();
  }

  bool approximate;
};

struct LowerMathPass
    : mlir::sparseflow::impl::SparseFlowLowerMathPassBase<LowerMathPass> {
  using SparseFlowLowerMathPassBase::SparseFlowLowerMathPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateLowerMathPatterns(set, approximate);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    Operation *root = getOperation();
    if (failed(verifyLowerableMath(root)))
      return signalPassFailure();
    root->walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
        ++numLowered;
    });
    shortenRoundedMath(root);
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(root, patterns, config)))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};

} // namespace

// Emitters that differ only in which function or LLVM op they name.
template <typename OpT, Value (*function)(F32Emitter &, Value, bool)>
static Value emitChoosing(F32Emitter &e, OpT op, bool fast) {
  return function(e, op.getOperand(), fast);
}

template <typename OpT, Value (*function)(F32Emitter &, Value)>
static Value emitAlways(F32Emitter &e, OpT op, bool) {
  return function(e, op.getOperand());
}

static Value emitSqrt(F32Emitter &e, math::SqrtOp op, bool fast) {
  if (fast)
    return e.intrinsic("llvm.nvvm.sqrt.approx.f", op.getOperand());
  return e.intrinsic("llvm.sqrt.f32", op.getOperand());
}

static Value emitRsqrt(F32Emitter &e, math::RsqrtOp op, bool) {
  return e.rsqrt(op.getOperand());
}

static Value emitPower(F32Emitter &e, math::PowFOp op, bool) {
  Value x = op.getLhs();
  std::optional<double> exponent = getConstant(op.getRhs());
  if (exponent == 1.0)
    return x;
  if (exponent == 2.0)
    return e.mul(x, x);
  if (exponent == 3.0)
    return e.mul(e.mul(x, x), x);
  return emitPow(e, x, op.getRhs());
}

template <typename OpT>
static void addFunction(RewritePatternSet &patterns, bool approximate,
                        typename LowerF32<OpT>::Emit emit) {
  patterns.add<LowerF32<OpT>>(patterns.getContext(), approximate, emit);
}

void mlir::sparseflow::populateLowerMathPatterns(RewritePatternSet &patterns,
                                                 bool approximate) {
  MLIRContext *context = patterns.getContext();
  patterns.add<WidenHalf>(context);
  patterns.add<LowerDivision>(context, approximate);
  patterns.add<LowerSigmoidal<math::TanhOp>>(context, approximate, emitTanh,
                                             emitOnePlusTanh);
  patterns.add<LowerSigmoidal<math::ErfOp>>(
      context, approximate,
      [](F32Emitter &e, Value x, bool) { return emitErf(e, x); },
      [](F32Emitter &e, Value x, bool fast) {
        return emitErfc(e, e.neg(x), fast);
      });

  addFunction<math::ExpOp>(patterns, approximate,
                           emitChoosing<math::ExpOp, emitExp>);
  addFunction<math::Exp2Op>(patterns, approximate,
                            emitChoosing<math::Exp2Op, emitExp2>);
  addFunction<math::ExpM1Op>(patterns, approximate,
                             emitAlways<math::ExpM1Op, emitExpM1>);
  addFunction<math::SinhOp>(patterns, approximate,
                            emitAlways<math::SinhOp, emitSinh>);
  addFunction<math::CoshOp>(patterns, approximate,
                            emitAlways<math::CoshOp, emitCosh>);
  addFunction<math::Log1pOp>(patterns, approximate,
                             emitAlways<math::Log1pOp, emitLog1p>);
  addFunction<math::LogOp>(patterns, approximate,
                           emitChoosing<math::LogOp, emitLog>);
  addFunction<math::Log2Op>(patterns, approximate,
                            emitChoosing<math::Log2Op, emitLog2>);
  addFunction<math::ErfcOp>(patterns, approximate,
                            emitChoosing<math::ErfcOp, emitErfc>);
  addFunction<math::SinOp>(patterns, approximate,
                           emitAlways<math::SinOp, emitSin>);
  addFunction<math::CosOp>(patterns, approximate,
                           emitAlways<math::CosOp, emitCos>);
  addFunction<math::AtanOp>(patterns, approximate,
                            emitAlways<math::AtanOp, emitAtan>);
  addFunction<math::CbrtOp>(patterns, approximate,
                            emitAlways<math::CbrtOp, emitCbrt>);
  addFunction<math::SqrtOp>(patterns, approximate, emitSqrt);
  addFunction<math::RsqrtOp>(patterns, approximate, emitRsqrt);
  addFunction<math::PowFOp>(patterns, approximate, emitPower);

  auto addIntrinsic = [&](auto op, StringRef name) {
    patterns.add<LowerToIntrinsic<decltype(op)>>(context, name);
  };
  addIntrinsic(arith::MaximumFOp(), "llvm.maximum.f32");
  addIntrinsic(arith::MinimumFOp(), "llvm.minimum.f32");
  addIntrinsic(arith::MaxNumFOp(), "llvm.maxnum.f32");
  addIntrinsic(arith::MinNumFOp(), "llvm.minnum.f32");
  addIntrinsic(math::AbsFOp(), "llvm.fabs.f32");
  addIntrinsic(math::CeilOp(), "llvm.ceil.f32");
  addIntrinsic(math::CopySignOp(), "llvm.copysign.f32");
  addIntrinsic(math::FloorOp(), "llvm.floor.f32");
  addIntrinsic(math::FmaOp(), "llvm.fma.f32");
  addIntrinsic(math::RoundEvenOp(), "llvm.roundeven.f32");
  addIntrinsic(math::TruncOp(), "llvm.trunc.f32");
}

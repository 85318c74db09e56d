//===- Evaluator.cpp - Lowers a function and runs it on arrays ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "SparseFlow/Conversion/LowerMath/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace mlir;

namespace sparseflow::test {

float toFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// 2^exponent, -1022 <= exponent <= 1023. Called for each lane, where ldexp and
/// ilogb take most of a test's time.
static double powerOfTwo(int exponent) {
  uint64_t bits = static_cast<uint64_t>(exponent + 1023) << 52;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// floor(log2(|value|)) of a finite value; -1023 for zero and subnormals.
static int exponentOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<int>(bits >> 52 & 0x7ff) - 1023;
}

double decode(uint32_t bits, const Format &format) {
  int width = 15 - format.digits;
  uint32_t sign = bits >> 15 & 1, field = bits >> format.digits;
  field &= (1u << width) - 1;
  uint32_t fraction = bits & ((1u << format.digits) - 1);
  double value;
  if (field == (1u << width) - 1)
    value = fraction ? std::nan("") : std::numeric_limits<double>::infinity();
  else if (field == 0)
    value = fraction * powerOfTwo(1 - format.bias - format.digits);
  else
    value = (fraction + (1u << format.digits)) *
            powerOfTwo(static_cast<int>(field) - format.bias - format.digits);
  return sign ? -value : value;
}

uint32_t encode(double value, const Format &format) {
  uint32_t infinity = 0x8000u - (1u << format.digits);
  uint32_t sign = std::signbit(value) ? 0x8000u : 0;
  if (std::isnan(value))
    return infinity | 1u << (format.digits - 1);
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | infinity;
  if (magnitude == 0)
    return sign;
  int exponent = std::max(exponentOf(magnitude), 1 - format.bias);
  auto steps = static_cast<uint64_t>(
      std::nearbyint(magnitude * powerOfTwo(format.digits - exponent)));
  // A subnormal has field 0, a normal number its leading digit in `steps`.
  uint64_t bits =
      (static_cast<uint64_t>(exponent + format.bias - 1) << format.digits) +
      steps;
  return sign | static_cast<uint32_t>(std::min<uint64_t>(bits, infinity));
}

double ulps(double got, double reference, const Format &format) {
  if (std::isnan(got) || std::isnan(reference))
    return std::isnan(got) && std::isnan(reference)
               ? 0
               : std::numeric_limits<double>::infinity();
  double limit = powerOfTwo(format.bias + 1);
  got = std::max(-limit, std::min(limit, got));
  reference = std::max(-limit, std::min(limit, reference));
  int exponent = std::max(exponentOf(reference), 1 - format.bias);
  exponent = std::min(exponent, format.bias);
  return std::fabs(got - reference) * powerOfTwo(format.digits - exponent);
}

static std::string function(const std::string &name, const std::string &type,
                            const std::string &flags, int operands) {
  std::string parameters, uses;
  for (int i = 0; i < operands; ++i) {
    std::string value = "%a" + std::to_string(i);
    parameters += (i ? ", " : "") + value + ": " + type;
    uses += (i ? ", " : "") + value;
  }
  return "func.func @f(" + parameters + ") -> " + type + " {\n  %r = " + name +
         " " + uses + " " + flags + " : " + type + "\n  return %r : " + type +
         "\n}\n";
}

std::string unary(const std::string &name, const std::string &type,
                  const std::string &flags) {
  return function(name, type, flags, 1);
}

std::string binary(const std::string &name, const std::string &type,
                   const std::string &flags) {
  return function(name, type, flags, 2);
}

Evaluator::Evaluator(const std::string &source, bool approximate)
    : context(std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED)) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       math::MathDialect, LLVM::LLVMDialect>();
  module = parseSourceString<ModuleOp>(source, context.get());
  if (!module)
    return;
  PassManager manager(context.get());
  mlir::sparseflow::SparseFlowLowerMathPassOptions options;
  options.approximate = approximate;
  manager.addPass(mlir::sparseflow::createSparseFlowLowerMathPass(options));
  if (failed(manager.run(*module)))
    module = nullptr;
}

Evaluator::~Evaluator() = default;

std::vector<Errors> Evaluator::extremes() {
  bool ex2 = false, other = false;
  module->walk([&](LLVM::CallIntrinsicOp call) {
    if (call.getIntrin().starts_with("llvm.nvvm."))
      (call.getIntrin().contains("ex2") ? ex2 : other) = true;
  });
  using Signs = std::vector<double>;
  std::vector<Errors> list;
  for (double first : ex2 ? Signs{-1, 0, 1} : Signs{0})
    for (double second : other ? Signs{-1, 0, 1} : Signs{0})
      list.push_back({first, second});
  return list;
}

//===----------------------------------------------------------------------===//
// The hardware approximations
//===----------------------------------------------------------------------===//

static float flush(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

/// An f32 that is at most `limit` ulp from `exact`; `share` in [-1, 1] picks
/// where. Half an ulp is left for the rounding to f32.
static float within(double limit, double share, double exact) {
  if (!std::isfinite(exact) || exact == 0)
    return static_cast<float>(exact);
  int exponent = std::max(exponentOf(exact), -126);
  return static_cast<float>(exact +
                            share * (limit - 0.5) * powerOfTwo(exponent - 23));
}

// The limits are those that PTX documents, 1 ulp for rcp and 2 for the others,
// and a quarter more for ex2 and div.full: of all f32 inputs on sm_90 the worst
// are 2.05 and 2.11 ulp off, counted from the exact value.
using Approximation = float (*)(const float *x, const Errors &errors);

static Approximation approximation(llvm::StringRef name) {
  if (name == "llvm.nvvm.ex2.approx.ftz.f32")
    return [](const float *x, const Errors &errors) {
      return flush(within(2.25, errors.ex2, std::exp2(double(flush(x[0])))));
    };
  if (name == "llvm.nvvm.ex2.approx.f32")
    return [](const float *x, const Errors &errors) {
      return within(2.25, errors.ex2, std::exp2(double(x[0])));
    };
  if (name == "llvm.nvvm.rcp.approx.ftz.f")
    return [](const float *x, const Errors &errors) {
      return flush(within(1, errors.other, 1 / double(flush(x[0]))));
    };
  if (name == "llvm.nvvm.rsqrt.approx.f")
    return [](const float *x, const Errors &errors) {
      return within(2, errors.other, 1 / std::sqrt(double(x[0])));
    };
  if (name == "llvm.nvvm.sqrt.approx.f")
    return [](const float *x, const Errors &errors) {
      return within(2, errors.other, std::sqrt(double(x[0])));
    };
  if (name == "llvm.nvvm.div.full")
    return [](const float *x, const Errors &errors) {
      return within(2.25, errors.other, double(x[0]) / double(x[1]));
    };
  if (name == "llvm.nvvm.lg2.approx.f")
    return [](const float *x, const Errors &errors) {
      double value = std::log2(double(x[0]));
      double scale = x[0] > 0.5f && x[0] < 2 ? 1 : std::fabs(value);
      return static_cast<float>(std::isfinite(value)
                                    ? value + errors.other * 0x1p-22 * scale
                                    : value);
    };
  std::fprintf(stderr, "the evaluator knows no intrinsic %s\n",
               name.str().c_str());
  std::abort();
}

//===----------------------------------------------------------------------===//
// The exactly rounded ops
//===----------------------------------------------------------------------===//

static float maximum(float x, float y) {
  if (std::isnan(x) || std::isnan(y))
    return std::nanf("");
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}

static bool compare(arith::CmpFPredicate predicate, float x, float y) {
  bool unordered = std::isnan(x) || std::isnan(y);
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  case P::OEQ:
    return x == y;
  case P::OGT:
    return x > y;
  case P::OGE:
    return x >= y;
  case P::OLT:
    return x < y;
  case P::OLE:
    return x <= y;
  case P::ONE:
    return !unordered && x != y;
  case P::UEQ:
    return unordered || x == y;
  case P::UGT:
    return unordered || x > y;
  case P::UGE:
    return unordered || x >= y;
  case P::ULT:
    return unordered || x < y;
  case P::ULE:
    return unordered || x <= y;
  case P::UNE:
    return unordered || x != y;
  }
  return false;
}

namespace {
/// One block of lanes of every SSA value.
class Interpreter {
public:
  Interpreter(size_t lanes, const Errors &errors)
      : lanes(lanes), errors(errors) {}

  Lanes &operator[](Value value) { return values[value]; }
  void execute(Operation &op);

private:
  template <typename Function>
  void integers(Operation &op, Function function) {
    const Lanes &x = values[op.getOperand(0)];
    const Lanes &y = values[op.getOperand(op.getNumOperands() > 1 ? 1 : 0)];
    Lanes result(lanes);
    for (size_t i = 0; i < lanes; ++i)
      result[i] = function(x[i], y[i]);
    values[op.getResult(0)] = std::move(result);
  }

  template <typename Function>
  void floats(Operation &op, Function function) {
    integers(op, [&](uint32_t x, uint32_t y) {
      return toBits(function(toFloat(x), toFloat(y)));
    });
  }

  bool executeArith(Operation &op);
  bool executeLLVM(Operation &op);

  size_t lanes;
  Errors errors;
  llvm::DenseMap<Value, Lanes> values;
};
} // namespace

static uint32_t constantBits(Attribute attribute) {
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return static_cast<uint32_t>(
        real.getValue().bitcastToAPInt().getZExtValue());
  return static_cast<uint32_t>(
      cast<IntegerAttr>(attribute).getValue().getZExtValue());
}

static const Format &formatOf(Type type) { return type.isF16() ? kF16 : kBF16; }

bool Interpreter::executeArith(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    values[constant] = Lanes(lanes, constantBits(constant.getValue()));
  } else if (isa<arith::AddFOp>(op)) {
    floats(op, [](float x, float y) { return x + y; });
  } else if (isa<arith::SubFOp>(op)) {
    floats(op, [](float x, float y) { return x - y; });
  } else if (isa<arith::MulFOp>(op)) {
    floats(op, [](float x, float y) { return x * y; });
  } else if (isa<arith::DivFOp>(op)) {
    floats(op, [](float x, float y) { return x / y; });
  } else if (isa<arith::NegFOp>(op)) {
    floats(op, [](float x, float) { return -x; });
  } else if (auto cmp = dyn_cast<arith::CmpFOp>(op)) {
    arith::CmpFPredicate predicate = cmp.getPredicate();
    integers(op, [&](uint32_t x, uint32_t y) {
      return compare(predicate, toFloat(x), toFloat(y));
    });
  } else if (auto extend = dyn_cast<arith::ExtFOp>(op)) {
    const Format &format = formatOf(extend.getIn().getType());
    integers(op, [&](uint32_t x, uint32_t) {
      return toBits(static_cast<float>(decode(x, format)));
    });
  } else if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    const Format &format = formatOf(truncate.getType());
    integers(op,
             [&](uint32_t x, uint32_t) { return encode(toFloat(x), format); });
  } else if (isa<arith::BitcastOp>(op)) {
    integers(op, [](uint32_t x, uint32_t) { return x; });
  } else if (isa<arith::SIToFPOp>(op)) {
    integers(op, [](uint32_t x, uint32_t) {
      return toBits(static_cast<float>(static_cast<int32_t>(x)));
    });
  } else if (isa<arith::AddIOp>(op)) {
    integers(op, [](uint32_t x, uint32_t y) { return x + y; });
  } else if (isa<arith::SubIOp>(op)) {
    integers(op, [](uint32_t x, uint32_t y) { return x - y; });
  } else if (isa<arith::AndIOp>(op)) {
    integers(op, [](uint32_t x, uint32_t y) { return x & y; });
  } else if (isa<arith::OrIOp>(op)) {
    integers(op, [](uint32_t x, uint32_t y) { return x | y; });
  } else if (isa<arith::XOrIOp>(op)) {
    integers(op, [](uint32_t x, uint32_t y) { return x ^ y; });
  } else if (isa<arith::ShLIOp>(op)) {
    integers(op, [](uint32_t x, uint32_t y) { return x << y; });
  } else if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    bool less = cmp.getPredicate() == arith::CmpIPredicate::ult;
    integers(op, [&](uint32_t x, uint32_t y) -> uint32_t {
      return less ? x < y : x != y;
    });
  } else if (isa<arith::SelectOp>(op)) {
    const Lanes &condition = values[op.getOperand(0)];
    const Lanes &x = values[op.getOperand(1)];
    const Lanes &y = values[op.getOperand(2)];
    Lanes result(lanes);
    for (size_t i = 0; i < lanes; ++i)
      result[i] = condition[i] & 1 ? x[i] : y[i];
    values[op.getResult(0)] = std::move(result);
  } else {
    return false;
  }
  return true;
}

using Rounded = float (*)(float, float);

/// Null for an approximation.
static Rounded roundedIntrinsic(llvm::StringRef name) {
  return llvm::StringSwitch<Rounded>(name)
      .Case("llvm.maximum.f32", maximum)
      .Case("llvm.minimum.f32",
            [](float x, float y) { return -maximum(-x, -y); })
      .Case("llvm.maxnum.f32", [](float x, float y) { return std::fmax(x, y); })
      .Case("llvm.minnum.f32", [](float x, float y) { return std::fmin(x, y); })
      .Case("llvm.fabs.f32", [](float x, float) { return std::fabs(x); })
      .Case("llvm.copysign.f32",
            [](float x, float y) { return std::copysign(x, y); })
      .Case("llvm.sqrt.f32", [](float x, float) { return std::sqrt(x); })
      .Case("llvm.floor.f32", [](float x, float) { return std::floor(x); })
      .Case("llvm.ceil.f32", [](float x, float) { return std::ceil(x); })
      .Case("llvm.trunc.f32", [](float x, float) { return std::trunc(x); })
      .Case("llvm.roundeven.f32",
            [](float x, float) { return std::nearbyint(x); })
      .Default(nullptr);
}

bool Interpreter::executeLLVM(Operation &op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  if (!call)
    return false;
  llvm::StringRef name = call.getIntrin();
  const Lanes *operands[3];
  for (unsigned i = 0; i < 3; ++i)
    operands[i] = &values[op.getOperand(std::min(i, op.getNumOperands() - 1))];
  Lanes result(lanes);
  // The name is the same for all lanes: it is read once.
  if (name == "llvm.fma.f32") {
    for (size_t i = 0; i < lanes; ++i)
      result[i] = toBits(std::fma(toFloat((*operands[0])[i]),
                                  toFloat((*operands[1])[i]),
                                  toFloat((*operands[2])[i])));
  } else if (Rounded rounded = roundedIntrinsic(name)) {
    for (size_t i = 0; i < lanes; ++i)
      result[i] = toBits(
          rounded(toFloat((*operands[0])[i]), toFloat((*operands[1])[i])));
  } else {
    Approximation function = approximation(name);
    for (size_t i = 0; i < lanes; ++i) {
      float x[3];
      for (unsigned k = 0; k < 3; ++k)
        x[k] = toFloat((*operands[k])[i]);
      result[i] = toBits(function(x, errors));
    }
  }
  values[op.getResult(0)] = std::move(result);
  return true;
}

void Interpreter::execute(Operation &op) {
  if (executeArith(op) || executeLLVM(op))
    return;
  op.emitOpError("the evaluator cannot execute this");
  std::abort();
}

Lanes Evaluator::run(const std::vector<Lanes> &arguments,
                     const Errors &errors) {
  auto function = *module->getOps<func::FuncOp>().begin();
  Block &body = function.front();
  size_t total = arguments.front().size();
  constexpr size_t kBlock = 4096;
  Lanes results;
  results.reserve(total);
  for (size_t start = 0; start < total; start += kBlock) {
    size_t lanes = std::min(kBlock, total - start);
    Interpreter interpreter(lanes, errors);
    for (auto [argument, values] : llvm::zip(body.getArguments(), arguments))
      interpreter[argument] =
          Lanes(values.begin() + start, values.begin() + start + lanes);
    for (Operation &op : body.without_terminator())
      interpreter.execute(op);
    const Lanes &result = interpreter[body.getTerminator()->getOperand(0)];
    results.insert(results.end(), result.begin(), result.end());
  }
  return results;
}

} // namespace sparseflow::test

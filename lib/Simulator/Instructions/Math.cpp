//===- Math.cpp - Approximate mathematics ---------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"

#include "Simulator/Machine/Block.h"

#include <cmath>

using namespace mlir::sparseflow::sim;

// The hardware's results differ from the exact ones in the last bits, and PTX
// only bounds how much. Here they are the exact ones, rounded to nearest, so a
// kernel that passes here has to leave room for the hardware's error.

static float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value)
                                                : value;
}

template <double (*function)(double), bool ftz>
static void unary(ThreadCall &call) {
  float x = call.args<float>();
  float y = static_cast<float>(function(ftz ? flush(x) : x));
  call.set(ftz ? flush(y) : y);
}

static double reciprocal(double x) { return 1.0 / x; }
static double reciprocalRoot(double x) {
  // PTX: rsqrt(-0) is -inf, as 1/sqrt gives it.
  return 1.0 / std::sqrt(x);
}

namespace {
struct Pair {
  float a, b;
};
} // namespace

template <bool ftz>
static void divide(ThreadCall &call) {
  Pair operands = call.args<Pair>();
  if (ftz)
    operands = {flush(operands.a), flush(operands.b)};
  float y = operands.a / operands.b;
  call.set(ftz ? flush(y) : y);
}

template <double (*function)(double)>
static void addUnary(Registry &registry, const std::string &name,
                     const std::string &type) {
  registry.addThread(name + ".approx." + type, unary<function, false>);
  registry.addThread(name + ".approx.ftz." + type, unary<function, true>);
}

void mlir::sparseflow::sim::addMathHandlers(Registry &registry) {
  addUnary<std::exp2>(registry, "ex2", "f32");
  addUnary<std::log2>(registry, "lg2", "f");
  addUnary<reciprocal>(registry, "rcp", "f");
  addUnary<reciprocalRoot>(registry, "rsqrt", "f");
  addUnary<std::sqrt>(registry, "sqrt", "f");
  addUnary<std::sin>(registry, "sin", "f");
  addUnary<std::cos>(registry, "cos", "f");
  registry.addThread("ex2.approx.f", unary<std::exp2, false>);
  registry.addThread("ex2.approx.ftz.f", unary<std::exp2, true>);
  for (const char *kind : {"div.approx", "div.full"}) {
    registry.addThread(kind, divide<false>);
    registry.addThread(std::string(kind) + ".f", divide<false>);
    registry.addThread(std::string(kind) + ".ftz", divide<true>);
    registry.addThread(std::string(kind) + ".ftz.f", divide<true>);
  }
}

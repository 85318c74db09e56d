//===- RegionEvaluator.cpp - Scalar regions over blocks of elements -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/RegionEvaluator.h"

#include "arguments/Tensor.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

using namespace sparseflow::tools;

// IEEE 754-2019 maximum and minimum: NaN wins, and -0 is below +0.
template <typename Scalar>
static Scalar maximum(Scalar a, Scalar b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<Scalar>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <typename Scalar>
static Scalar minimum(Scalar a, Scalar b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<Scalar>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <typename Scalar>
static bool compare(Predicate predicate, Scalar a, Scalar b) {
  int relation = std::isnan(a) || std::isnan(b) ? 8
                 : a < b                        ? 1
                 : a == b                       ? 2
                                                : 4;
  return (predicate & relation) != 0;
}

/// Integer arithmetic on numbers that are integers; NaN where it has no result.
template <typename Scalar, typename Function>
static Scalar onIntegers(Scalar a, Scalar b, Function function) {
  constexpr Scalar limit = 9.2e18;
  if (!(std::fabs(a) < limit) || !(std::fabs(b) < limit))
    return std::numeric_limits<Scalar>::quiet_NaN();
  return static_cast<Scalar>(
      function(static_cast<int64_t>(a), static_cast<int64_t>(b)));
}

template <typename Scalar>
RegionEvaluator<Scalar>::RegionEvaluator(const Region &region, DType truncType)
    : region(region), truncType(truncType),
      values((region.inputs + region.ops.size()) * regionBlock) {}

/// What lies outside the tensor is NaN.
template <typename Scalar>
void RegionEvaluator<Scalar>::load(const RegionOp &op, Scalar *out,
                                   int64_t count) {
  const LoadSource<Scalar> &source = (*sources)[op.source];
  const std::vector<int64_t> &shape = *source.shape;
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0;
    bool inside = true;
    for (size_t d = 0; d < shape.size() && inside; ++d) {
      Scalar index = values[op.indices[d] * regionBlock + i];
      inside = index >= 0 && index < static_cast<Scalar>(shape[d]);
      if (inside)
        offset = offset * shape[d] + static_cast<int64_t>(index);
    }
    out[i] =
        inside ? source.data[offset] : std::numeric_limits<Scalar>::quiet_NaN();
  }
}

template <typename Scalar>
void RegionEvaluator<Scalar>::apply(const RegionOp &op, Scalar *out,
                                    int64_t count) {
  const Scalar *a =
      op.operands[0] < 0 ? nullptr : &values[op.operands[0] * regionBlock];
  const Scalar *b =
      op.operands[1] < 0 ? nullptr : &values[op.operands[1] * regionBlock];
  const Scalar *c =
      op.operands[2] < 0 ? nullptr : &values[op.operands[2] * regionBlock];
  auto each = [&](auto function) {
    for (int64_t i = 0; i < count; ++i)
      out[i] = function(i);
  };
  switch (op.op) {
  case ScalarOp::Const:
    return each([&](int64_t) { return static_cast<Scalar>(op.constant); });
  case ScalarOp::Extf:
    return each([&](int64_t i) { return a[i]; });
  case ScalarOp::Truncf:
    std::copy(a, a + count, out);
    if constexpr (std::is_same_v<Scalar, float>)
      roundTo(op.dtype.value_or(truncType), out, static_cast<size_t>(count));
    return;
  case ScalarOp::Addf:
    return each([&](int64_t i) { return a[i] + b[i]; });
  case ScalarOp::Subf:
    return each([&](int64_t i) { return a[i] - b[i]; });
  case ScalarOp::Mulf:
    return each([&](int64_t i) { return a[i] * b[i]; });
  case ScalarOp::Divf:
    return each([&](int64_t i) { return a[i] / b[i]; });
  case ScalarOp::Negf:
    return each([&](int64_t i) { return -a[i]; });
  case ScalarOp::Maximumf:
    return each([&](int64_t i) { return maximum(a[i], b[i]); });
  case ScalarOp::Minimumf:
    return each([&](int64_t i) { return minimum(a[i], b[i]); });
  case ScalarOp::Maxnumf:
    return each([&](int64_t i) { return std::fmax(a[i], b[i]); });
  case ScalarOp::Minnumf:
    return each([&](int64_t i) { return std::fmin(a[i], b[i]); });
  case ScalarOp::Absf:
    return each([&](int64_t i) { return std::fabs(a[i]); });
  case ScalarOp::Fma:
    return each([&](int64_t i) { return std::fma(a[i], b[i], c[i]); });
  case ScalarOp::Exp:
    return each([&](int64_t i) { return std::exp(a[i]); });
  case ScalarOp::Exp2:
    return each([&](int64_t i) { return std::exp2(a[i]); });
  case ScalarOp::Log:
    return each([&](int64_t i) { return std::log(a[i]); });
  case ScalarOp::Log2:
    return each([&](int64_t i) { return std::log2(a[i]); });
  case ScalarOp::Sqrt:
    return each([&](int64_t i) { return std::sqrt(a[i]); });
  case ScalarOp::Rsqrt:
    return each([&](int64_t i) { return Scalar(1) / std::sqrt(a[i]); });
  case ScalarOp::Tanh:
    return each([&](int64_t i) { return std::tanh(a[i]); });
  case ScalarOp::Erf:
    return each([&](int64_t i) { return std::erf(a[i]); });
  case ScalarOp::Sin:
    return each([&](int64_t i) { return std::sin(a[i]); });
  case ScalarOp::Cos:
    return each([&](int64_t i) { return std::cos(a[i]); });
  case ScalarOp::Floor:
    return each([&](int64_t i) { return std::floor(a[i]); });
  case ScalarOp::Ceil:
    return each([&](int64_t i) { return std::ceil(a[i]); });
  case ScalarOp::Powf:
    return each([&](int64_t i) { return std::pow(a[i], b[i]); });
  case ScalarOp::Trunc:
    return each([&](int64_t i) { return std::trunc(a[i]); });
  case ScalarOp::Roundeven:
    return each([&](int64_t i) { return std::nearbyint(a[i]); });
  case ScalarOp::Atan:
    return each([&](int64_t i) { return std::atan(a[i]); });
  case ScalarOp::Cbrt:
    return each([&](int64_t i) { return std::cbrt(a[i]); });
  case ScalarOp::Copysign:
    return each([&](int64_t i) { return std::copysign(a[i], b[i]); });
  case ScalarOp::Cosh:
    return each([&](int64_t i) { return std::cosh(a[i]); });
  case ScalarOp::Erfc:
    return each([&](int64_t i) { return std::erfc(a[i]); });
  case ScalarOp::Expm1:
    return each([&](int64_t i) { return std::expm1(a[i]); });
  case ScalarOp::Log1p:
    return each([&](int64_t i) { return std::log1p(a[i]); });
  case ScalarOp::Sinh:
    return each([&](int64_t i) { return std::sinh(a[i]); });
  case ScalarOp::Divsi:
    return each([&](int64_t i) {
      return b[i] == 0 ? std::numeric_limits<Scalar>::quiet_NaN()
                       : (a[i] - std::fmod(a[i], b[i])) / b[i];
    });
  case ScalarOp::Remsi:
    return each([&](int64_t i) { return std::fmod(a[i], b[i]); });
  case ScalarOp::Floordivsi:
    return each([&](int64_t i) {
      return b[i] == 0 ? std::numeric_limits<Scalar>::quiet_NaN()
                       : std::floor(a[i] / b[i]);
    });
  case ScalarOp::Andi:
    return each([&](int64_t i) {
      return onIntegers(a[i], b[i], [](int64_t x, int64_t y) { return x & y; });
    });
  case ScalarOp::Ori:
    return each([&](int64_t i) {
      return onIntegers(a[i], b[i], [](int64_t x, int64_t y) { return x | y; });
    });
  case ScalarOp::Xori:
    return each([&](int64_t i) {
      return onIntegers(a[i], b[i], [](int64_t x, int64_t y) { return x ^ y; });
    });
  case ScalarOp::Shli:
    return each([&](int64_t i) {
      return b[i] >= 0 && b[i] < 64 ? std::ldexp(a[i], static_cast<int>(b[i]))
                                    : Scalar(0);
    });
  case ScalarOp::Shrsi:
    return each([&](int64_t i) {
      return b[i] >= 0 && b[i] < 64
                 ? std::floor(std::ldexp(a[i], -static_cast<int>(b[i])))
                 : Scalar(a[i] < 0 ? -1 : 0);
    });
  case ScalarOp::Index:
    return each([&](int64_t i) {
      return static_cast<Scalar>(loops[op.source] +
                                 (op.source == inner ? i : 0));
    });
  case ScalarOp::Size:
    return each([&](int64_t) {
      return static_cast<Scalar>(op.size.value(symbols->data()));
    });
  case ScalarOp::Load:
    return load(op, out, count);
  case ScalarOp::Cmpf:
    return each([&](int64_t i) {
      return Scalar(compare(op.predicate, a[i], b[i]) ? 1 : 0);
    });
  case ScalarOp::Select:
    return each([&](int64_t i) { return a[i] != 0 ? b[i] : c[i]; });
  }
}

template <typename Scalar>
const Scalar *RegionEvaluator<Scalar>::run(int64_t count) {
  int next = region.inputs;
  for (const RegionOp &op : region.ops)
    apply(op, &values[next++ * regionBlock], count);
  return &values[region.yield * regionBlock];
}

template class sparseflow::tools::RegionEvaluator<double>;
template class sparseflow::tools::RegionEvaluator<float>;

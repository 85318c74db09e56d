//===- Compare.h - Device results against a reference -----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The rule: an element may be off by at most twice what a plain low-precision
// computation on the same inputs is off (f32 accumulation, every stored value
// rounded to its type), plus a floor.
//
//   tolerance(i) = E(band of |exact(i)|) + floor(i)
//   floor(i)     = u * |exact(i)| + 2^-23 * (16 + K / 8) * rms(exact)
//
// u is half a unit in the last place of the result type, relative: 2^-11 for
// f16, 2^-8 for bf16, 2^-24 for f32. The second term covers what tensor cores
// do differently from f32 code: they drop low bits once every 16 or 32
// products, always towards zero. K is the longest contraction of the function.
//
// E is twice the plain computation's largest error among elements of similar
// magnitude: bands are powers of two of |exact|, and a band takes in larger
// ones until it has 1024 elements with an error, so that E is no accident of a
// few elements, and yet a wrong small element cannot hide behind a large one.
// Where there are not 1024 errors in the whole result, the largest of n says
// too little, and E is t(n) times their root mean square if that is more: a
// device's error beyond t(n) is as unlikely as beyond twice the largest of
// 1024. t(n) is 9.1 for 24, 6.2 for 256, and 26.7 for 8 and fewer. Where
// several elements have the errors of the same roundings, as the features of an
// attention's row those of its few probabilities, n counts the roundings. Such
// errors follow the row, not the magnitude of the element: with one key that
// counts they are larger than with many. So E is at least twice the plain
// computation's largest error in the element's row. And few of the keys that a
// query sees decide: the rounding of one probability may be large where the
// plain computation's happens to be small. So E is at least what rounding each
// of them once may do to the element, six standard deviations of errors that
// are uniform in half a unit, and no more than all of them can do together.
//
// What a tensor core loses of a sum may become more on its way: an epilogue
// with exp multiplies it, a quantization rounds it to the other neighbour and
// moves a code by one, and with it the result by a step. No plain error tells
// of that. So a result that is wrong by this rule is compared again with a
// range for each element: between what becomes of it in the exact computation
// when sums of matmuls, or all that is quantized, are off by the second term of
// the floor, upwards or downwards. An element may be off by what that exceeds
// this term by, which is nothing where no epilogue enlarges it and no code is
// near the middle between two.
//
// NaN and infinity must be where the exact reference, rounded to the result
// type, has them; where the plain computation overflows on the way and the
// exact one does not, either is accepted, and so is the plain computation's
// number where only the exact one is not finite: it multiplied a stored zero.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_COMPARE_H
#define SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_COMPARE_H

#include "arguments/Tensor.h"

namespace sparseflow::tools {

struct CompareReport {
  uint64_t elements = 0;
  /// Elements outside their tolerance or not finite where they should be.
  uint64_t wrong = 0;
  uint64_t nonFinite = 0;
  double maxAbsError = 0;
  /// Over finite elements.
  double meanAbsError = 0;
  /// ||result - exact|| / ||exact|| over finite elements.
  double relativeError = 0;
  /// The same two of the plain low-precision computation.
  double plainMaxAbsError = 0;
  double plainRelativeError = 0;
  /// The element that uses most of its tolerance, or the first that is not
  /// finite where it should be: index in the compared rows, found and exact.
  uint64_t worst = 0;
  double found = 0, exact = 0, tolerance = 0;

  bool ok() const { return wrong == 0; }
};

/// Which elements have the errors of the same roundings.
struct SharedErrors {
  /// Independent errors for each element, at most 1.
  double ofElement = 1;
  /// So many elements, one behind the other, are a row that shares them.
  uint64_t row = 1;
};

struct CompareInput {
  /// `count` elements each.
  const float *found = nullptr;
  const double *exact = nullptr;
  const float *plain = nullptr;
  uint64_t count = 0;
  DType dtype = DType::F16;
  int64_t longestK = 0;
  SharedErrors errors;
  /// What rounding the weights of an attention may do to each element; null
  /// elsewhere.
  const double *rounding = nullptr;
  /// What each element may be, at least and at most, for what tensor cores lose
  /// of sums on the way to it, `exact` between them; null: `exact` alone.
  const double *low = nullptr, *high = nullptr;
};

/// What tensor cores may lose of a sum of K products, in units of the root mean
/// square of such sums.
double tensorCoreError(int64_t longestK);

/// Compares every element. Deterministic; one thread.
CompareReport compare(const CompareInput &input);

/// The rule for integers: what the exact computation gives, or, where rounding
/// decides (the position of a maximum), what the plain one gives.
CompareReport compareIntegers(const double *found, const double *exact,
                              const float *plain, uint64_t count);

} // namespace sparseflow::tools

#endif // SPARSEFLOW_TOOLS_SUPPORT_REFERENCE_COMPARE_H

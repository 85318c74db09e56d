//===- Compare.cpp - Device results against a reference -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace sparseflow::tools;

namespace {

constexpr int bandCount = 256;
constexpr uint64_t minBandErrors = 1024;

// The band of a magnitude: its binary exponent, clamped; 0 lies in band 0.
int bandOf(double magnitude) {
  if (magnitude == 0)
    return 0;
  // ilogb of these is no exponent.
  if (!std::isfinite(magnitude))
    return bandCount - 1;
  return std::clamp(std::ilogb(magnitude) + bandCount / 2, 0, bandCount - 1);
}

struct TypeFacts {
  double unit;
  /// Values of at least this magnitude round to infinity.
  double overflow;
};

TypeFacts factsOf(DType dtype) {
  switch (dtype) {
  case DType::F16:
    return {std::ldexp(1.0, -11), 65520.0};
  case DType::BF16:
    return {std::ldexp(1.0, -8), std::ldexp(511.0, 119)};
  default:
    break;
  }
  return {std::ldexp(1.0, -24), std::ldexp(33554431.0, 103)};
}

/// How many root mean squares of `samples` plain errors an error may be. Errors
/// are sums of many roundings. Twice the largest of 1024 is about six
/// deviations; of fewer samples the deviation itself is uncertain, and the
/// number of Student's t that is as unlikely as six deviations of a normal one
/// is sqrt(n (exp(36 / n) - 1)), nearly. Fewer than eight tell no spread: as
/// eight.
double spreadOf(uint64_t samples) {
  double n = static_cast<double>(std::max<uint64_t>(samples, 8));
  return std::sqrt(n * std::expm1(36 / n));
}

/// The plain errors of elements of one band.
struct Errors {
  double largest = 0, squares = 0;
  uint64_t count = 0;

  void add(double off) {
    largest = std::max(largest, off);
    squares += off * off;
    ++count;
  }
  void add(const Errors &other) {
    largest = std::max(largest, other.largest);
    squares += other.squares;
    count += other.count;
  }
  /// `share` of them are independent.
  double allowed(double share) const {
    auto independent =
        static_cast<uint64_t>(std::ceil(share * static_cast<double>(count)));
    if (count == 0 || independent >= minBandErrors)
      return 2 * largest;
    return std::max(2 * largest,
                    spreadOf(independent) *
                        std::sqrt(squares / static_cast<double>(count)));
  }
};

/// The tolerance of each element.
class Tolerance {
public:
  explicit Tolerance(const CompareInput &input);
  /// Of the element `i`, which is `exact`.
  double of(uint64_t i, double exact) const {
    double magnitude = std::fabs(exact);
    double error = allowed[bandOf(magnitude)];
    if (!largestOfRow.empty())
      error = std::max(error, 2 * largestOfRow[i / row]);
    if (rounding && rounding[i] > error)
      error = rounding[i];
    return error + unit * magnitude + absolute;
  }
  /// How far off an element may be that its range lets be off by `range`: the
  /// tolerance has what tensor cores lose of sums already.
  double beyond(double range) const { return std::max(0.0, range - absolute); }

private:
  uint64_t row = 1;
  /// Empty where no elements share errors.
  std::vector<double> largestOfRow;
  const double *rounding = nullptr;
  double unit = 0, absolute = 0;
  std::array<double, bandCount> allowed = {};
};

} // namespace

Tolerance::Tolerance(const CompareInput &input) {
  std::array<Errors, bandCount> errors = {};
  double squares = 0;
  uint64_t finite = 0;
  row = std::max<uint64_t>(input.errors.row, 1);
  rounding = input.rounding;
  if (row > 1)
    largestOfRow.resize((input.count + row - 1) / row);
  for (uint64_t i = 0; i < input.count; ++i) {
    double exact = input.exact[i];
    if (!std::isfinite(exact))
      continue;
    squares += exact * exact;
    ++finite;
    // A copied element is exact, and tells nothing of the errors of others.
    double off = std::fabs(input.plain[i] - exact);
    if (!std::isfinite(off) || off == 0)
      continue;
    errors[bandOf(std::fabs(exact))].add(off);
    if (row > 1)
      largestOfRow[i / row] = std::max(largestOfRow[i / row], off);
  }
  for (int band = 0; band < bandCount; ++band) {
    // Too few errors to tell take in those of the next larger ones.
    Errors near;
    for (int b = band; b < bandCount && near.count < minBandErrors; ++b)
      near.add(errors[b]);
    // At the top there may be no larger ones: smaller ones must do.
    for (int b = band - 1; b >= 0 && near.count < minBandErrors; --b)
      near.add(errors[b]);
    allowed[band] = near.allowed(input.errors.ofElement);
  }
  double rms = finite ? std::sqrt(squares / static_cast<double>(finite)) : 0;
  unit = factsOf(input.dtype).unit;
  absolute = tensorCoreError(input.longestK) * rms;
}

double sparseflow::tools::tensorCoreError(int64_t longestK) {
  return std::ldexp(1.0, -23) * (16 + static_cast<double>(longestK) / 8);
}

// Whether a result that is not finite, or should not be, is right.
static bool nonFiniteAgrees(double found, double exact, double plain,
                            double tolerance, double overflow) {
  // Plain arithmetic already left the range on its way here.
  if (!std::isfinite(plain) && std::isfinite(exact) &&
      std::fabs(exact) < overflow)
    return true;
  // Plain arithmetic met a NaN where the exact one has none, such as a stored
  // zero times an infinity; a device may meet it, too.
  if (std::isnan(plain) && std::isnan(found))
    return true;
  // So it may where an epilogue made a number of the NaN.
  if (!std::isfinite(exact) && std::isfinite(plain) && std::isfinite(found))
    return found == plain;
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found);
  if (std::isinf(found))
    return std::signbit(found) == std::signbit(exact) &&
           (std::isinf(exact) || std::fabs(exact) + tolerance >= overflow);
  // Finite although the exact value rounds to infinity: only near the limit.
  return std::isfinite(exact) && std::fabs(exact) - tolerance < overflow &&
         std::fabs(found - exact) <= tolerance;
}

/// Makes a mean of the sum of errors.
static void finishMean(CompareReport &report) {
  if (uint64_t finite = report.elements - report.nonFinite)
    report.meanAbsError /= static_cast<double>(finite);
}

CompareReport sparseflow::tools::compare(const CompareInput &input) {
  CompareReport report;
  report.elements = input.count;
  Tolerance tolerance(input);
  TypeFacts facts = factsOf(input.dtype);
  double squares = 0, errors = 0, plainErrors = 0, worstRatio = -1;
  bool worstIsNonFinite = false;
  for (uint64_t i = 0; i < input.count; ++i) {
    double found = input.found[i], exact = input.exact[i];
    double allowed = tolerance.of(i, exact);
    bool agrees, regular = std::isfinite(found) && std::isfinite(exact) &&
                           std::fabs(exact) < facts.overflow;
    double ratio = 0;
    if (regular) {
      double off = std::fabs(found - exact);
      double outside = off;
      if (input.low) {
        double range =
            found > exact ? input.high[i] - exact : exact - input.low[i];
        outside = std::max(0.0, off - tolerance.beyond(range));
      }
      agrees = outside <= allowed;
      ratio = allowed > 0 ? outside / allowed : (outside > 0 ? INFINITY : 0);
      report.maxAbsError = std::max(report.maxAbsError, off);
      report.meanAbsError += off;
      squares += exact * exact;
      errors += off * off;
      double plainOff = std::fabs(input.plain[i] - exact);
      if (std::isfinite(plainOff)) {
        report.plainMaxAbsError = std::max(report.plainMaxAbsError, plainOff);
        plainErrors += plainOff * plainOff;
      }
    } else {
      ++report.nonFinite;
      agrees = nonFiniteAgrees(found, exact, input.plain[i], allowed,
                               facts.overflow);
    }
    report.wrong += !agrees;
    bool worse = regular ? !worstIsNonFinite && ratio > worstRatio
                         : !agrees && !worstIsNonFinite;
    if (worse) {
      worstRatio = ratio;
      worstIsNonFinite = !regular;
      report.worst = i;
      report.found = found;
      report.exact = exact;
      report.tolerance = allowed;
    }
  }
  finishMean(report);
  if (squares > 0) {
    report.relativeError = std::sqrt(errors / squares);
    report.plainRelativeError = std::sqrt(plainErrors / squares);
  } else {
    report.relativeError = errors > 0 ? INFINITY : 0;
  }
  return report;
}

CompareReport sparseflow::tools::compareIntegers(const double *found,
                                                 const double *exact,
                                                 const float *plain,
                                                 uint64_t count) {
  CompareReport report;
  report.elements = count;
  double squares = 0, errors = 0, plainErrors = 0;
  bool worstIsWrong = false;
  for (uint64_t i = 0; i < count; ++i) {
    double off = std::fabs(found[i] - exact[i]);
    double plainOff = std::fabs(plain[i] - exact[i]);
    // An exact value that is no number has no integer that is right or wrong.
    bool agrees = off == 0 || std::isnan(exact[i]) ||
                  static_cast<float>(found[i]) == plain[i];
    if (std::isfinite(off)) {
      report.maxAbsError = std::max(report.maxAbsError, off);
      report.meanAbsError += off;
      squares += exact[i] * exact[i];
      errors += off * off;
    } else {
      ++report.nonFinite;
    }
    if (std::isfinite(plainOff)) {
      report.plainMaxAbsError = std::max(report.plainMaxAbsError, plainOff);
      plainErrors += plainOff * plainOff;
    }
    report.wrong += !agrees;
    if (i == 0 || (!agrees && !worstIsWrong)) {
      worstIsWrong = !agrees;
      report.worst = i;
      report.found = found[i];
      report.exact = exact[i];
    }
  }
  finishMean(report);
  report.relativeError = squares > 0  ? std::sqrt(errors / squares)
                         : errors > 0 ? INFINITY
                                      : 0;
  report.plainRelativeError =
      squares > 0 ? std::sqrt(plainErrors / squares) : 0;
  return report;
}

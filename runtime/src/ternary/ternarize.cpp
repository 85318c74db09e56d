//===- ternarize.cpp - Makes weights ternary ------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/ternarize.h"

#include "common/parallel.h"
#include "ternary/pack.h"
#include "ternary/span_kernels.h"
#include "weights/dtype.h"
#include "weights/float_kernels.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <vector>

using namespace sparseflow::rt;

/// Scale and threshold are repeated at most this often.
static constexpr int kMaxRounds = 64;
/// How far a number times its scale may be from a whole one after both have
/// been rounded to bf16, for numbers up to 8; what larger ones may be off by
/// depends on the types.
static constexpr float kWholeNumber = 0.07f;
/// Half a unit in the last place, relative.
static float roundingOf(sf_dtype dtype) {
  return dtype == SF_DTYPE_F16    ? 0x1p-11f
         : dtype == SF_DTYPE_BF16 ? 0x1p-8f
                                  : 0x1p-24f;
}
/// Rows whose sums one thread adds up; fixed, because it orders the additions.
static constexpr int64_t kRowsOfPiece = 16;

namespace {

/// Rows of weights as floats.
class RowReader {
public:
  RowReader(const void *weights, sf_dtype dtype, int64_t k)
      : weights(static_cast<const uint8_t *>(weights)), dtype(dtype), k(k) {}

  /// The row, perhaps in `buffer` (k floats).
  const float *read(int64_t row, float *buffer) const {
    if (dtype == SF_DTYPE_F16) {
      floatKernels().halfToFloat(weights + row * k * 2, buffer, k);
      return buffer;
    }
    if (dtype == SF_DTYPE_BF16) {
      floatKernels().bfloatToFloat(weights + row * k * 2, buffer, k);
      return buffer;
    }
    // Files do not promise alignment.
    const uint8_t *from = weights + row * k * 4;
    if (reinterpret_cast<uintptr_t>(from) % alignof(float) == 0)
      return reinterpret_cast<const float *>(from);
    std::memcpy(buffer, from, k * 4);
    return buffer;
  }

private:
  const uint8_t *weights;
  sf_dtype dtype;
  int64_t k;
};

/// The columns [begin, end) of rows [0, rows) of a reader, which share a scale.
class Scope {
public:
  Scope(const RowReader &reader, int64_t k, int64_t rows, int threads,
        const float *h)
      : reader(&reader), rows(rows), end(k), threads(threads), h(h), k(k) {}
  /// One span that has been read already.
  Scope(const float *row, int64_t begin, int64_t end, const float *h)
      : row(row), begin(begin), end(end), h(h) {}

  int64_t count() const { return rows * (end - begin); }

  /// Adds what `body(weights, importance, row, first column, count)` returns,
  /// in an order that is always the same.
  template <typename Sums, typename Body>
  Sums add(Body body) const {
    Sums total{};
    if (!reader) {
      accumulate(total, body(row + begin, h ? h + begin : nullptr, int64_t(0),
                             begin, end - begin));
      return total;
    }
    std::vector<Sums> parts((rows + kRowsOfPiece - 1) / kRowsOfPiece);
    parallelFor(parts.size(), threads, [&](int64_t piece) {
      std::vector<float> buffer(k);
      int64_t last = std::min(rows, (piece + 1) * kRowsOfPiece);
      for (int64_t r = piece * kRowsOfPiece; r < last; ++r)
        accumulate(parts[piece],
                   body(reader->read(r, buffer.data()), h, r, begin, end));
    });
    for (const Sums &part : parts)
      accumulate(total, part);
    return total;
  }

private:
  static void accumulate(double &to, double from) { to += from; }
  template <typename Sums>
  static void accumulate(Sums &to, const Sums &from) {
    to.add(from);
  }

  const RowReader *reader = nullptr;
  const float *row = nullptr;
  int64_t rows = 1, begin = 0, end = 0;
  int threads = 1;
  const float *h;
  int64_t k = 0;
};

struct Largest {
  float magnitude = 0;
  void add(const Largest &other) {
    magnitude = std::max(magnitude, other.magnitude);
  }
};

/// How near weights are to whole numbers: the largest distance, in units of the
/// scale, of what rounding explains, and the sum of squared errors.
struct WholeFit {
  float off = 0;
  double error = 0;
  void add(const WholeFit &other) {
    off = std::max(off, other.off);
    error += other.error;
  }
};

/// Chooses the scales of one scope and writes its trits. `place` gives the
/// trits of a row and column of the scope.
class Solver {
public:
  Solver(const TernarizeOptions &options, sf_dtype dtype, int8_t *trits)
      : options(options), format(options.format), kernels(spanKernels()),
        rounding(2 * roundingOf(dtype) + roundingOf(format.scaleType)),
        trits(trits) {}

  /// The rounded scales of the planes; trits from row `firstRow` on.
  void solve(const Scope &scope, int64_t firstRow, float *scales) const;

private:
  int8_t *place(int64_t plane, int64_t row, int64_t col) const {
    return trits + (plane * format.n + row) * format.k + col;
  }
  float rounded(double scale) const {
    float value = float(scale);
    roundScales(&value, 1, format.scaleType);
    return value;
  }
  static double mean(const KeptSums &sums) {
    return sums.weight == 0 ? 0 : sums.magnitude / sums.weight;
  }
  double meanMagnitude(const Scope &scope) const;
  double lloyd(const Scope &scope, double scale) const;
  void solveOne(const Scope &scope, int64_t firstRow, float *scales) const;
  void solveTwo(const Scope &scope, int64_t firstRow, float *scales) const;
  void solvePairs(const Scope &scope, int64_t firstRow, float *scales) const;
  void solveRange(const Scope &scope, int64_t firstRow, float *scales) const;
  double refineTwo(const Scope &scope, int64_t firstRow, double &a,
                   double &b) const;

  const TernarizeOptions &options;
  const TernaryFormat &format;
  const SpanKernels &kernels;
  /// Of a weight, of the largest one, which gives the scale, and of the scale.
  float rounding;
  int8_t *trits;
};

} // namespace

double Solver::meanMagnitude(const Scope &scope) const {
  double sum = scope.add<double>(
      [&](const float *w, const float *, int64_t, int64_t, int64_t count) {
        return kernels.absSum(w, count);
      });
  return scope.count() == 0 ? 0 : sum / double(scope.count());
}

/// Scale and threshold = scale / 2 until the scale stays.
double Solver::lloyd(const Scope &scope, double scale) const {
  for (int round = 0; round < kMaxRounds; ++round) {
    float threshold = float(scale / 2);
    KeptSums sums = scope.add<KeptSums>(
        [&](const float *w, const float *h, int64_t, int64_t, int64_t count) {
          return kernels.above(w, h, count, threshold);
        });
    double next = mean(sums);
    if (float(next) == float(scale))
      break;
    scale = next;
  }
  return scale;
}

void Solver::solveOne(const Scope &scope, int64_t firstRow,
                      float *scales) const {
  float factor = 1, threshold = 0;
  double average = meanMagnitude(scope);
  if (options.method == TernaryMethod::Absmean) {
    // In f32 throughout, as the model's own quantiser computes it.
    factor = 1.0f / std::max(float(average), 1e-5f);
    threshold = 0.5f; // to even: a half becomes zero
    scales[0] = rounded(1.0f / factor);
  } else {
    bool isTwn = options.method == TernaryMethod::Twn;
    threshold = float((isTwn ? options.threshold : 0.7) * average);
    KeptSums sums = scope.add<KeptSums>(
        [&](const float *w, const float *h, int64_t, int64_t, int64_t count) {
          return kernels.above(w, h, count, threshold);
        });
    double scale = mean(sums);
    if (options.method == TernaryMethod::Lloyd)
      scale = lloyd(scope, scale);
    scales[0] = rounded(scale);
    if (options.method == TernaryMethod::Lloyd)
      threshold = scales[0] / 2;
  }
  scope.add<double>([&](const float *w, const float *, int64_t row,
                        int64_t begin, int64_t count) {
    kernels.assign(w, count, factor, threshold,
                   place(0, firstRow + row, begin));
    return 0.0;
  });
}

/// Alternates between the nearest trits and the best scales; the squared error
/// that is left.
double Solver::refineTwo(const Scope &scope, int64_t firstRow, double &a,
                         double &b) const {
  double left = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    PlaneSums sums =
        scope.add<PlaneSums>([&](const float *w, const float *h, int64_t row,
                                 int64_t begin, int64_t count) {
          int8_t *first = place(0, firstRow + row, begin);
          int8_t *second = place(1, firstRow + row, begin);
          kernels.assignTwo(w, count, float(a), float(b), first, second);
          return kernels.planes(w, h, first, second, count);
        });
    double determinant = sums.aa * sums.bb - sums.ab * sums.ab;
    double nextA = a, nextB = b;
    if (determinant > 1e-12 * sums.aa * sums.bb) {
      nextA = (sums.aw * sums.bb - sums.bw * sums.ab) / determinant;
      nextB = (sums.bw * sums.aa - sums.aw * sums.ab) / determinant;
    } else if (sums.aa > 0) {
      nextA = sums.aw / sums.aa;
      nextB = 0;
    }
    left = -(nextA * sums.aw + nextB * sums.bw);
    // Signs and order of the planes are a matter of names.
    nextA = std::fabs(nextA);
    nextB = std::fabs(nextB);
    if (nextA < nextB)
      std::swap(nextA, nextB);
    if (float(nextA) == float(a) && float(nextB) == float(b))
      break;
    a = nextA;
    b = nextB;
  }
  return left;
}

void Solver::solveTwo(const Scope &scope, int64_t firstRow,
                      float *scales) const {
  // Two beginnings: the scale of one plane and half of it, and three to one,
  // which spaces the nine sums evenly.
  double one = lloyd(scope, meanMagnitude(scope));
  double bestA = one, bestB = one / 2;
  double best = refineTwo(scope, firstRow, bestA, bestB);
  double a = 1.2 * one, b = 0.4 * one;
  if (refineTwo(scope, firstRow, a, b) < best) {
    bestA = a;
    bestB = b;
  }
  scales[0] = rounded(bestA);
  scales[1] = rounded(bestB);
  scope.add<double>([&](const float *w, const float *, int64_t row,
                        int64_t begin, int64_t count) {
    kernels.assignTwo(w, count, scales[0], scales[1],
                      place(0, firstRow + row, begin),
                      place(1, firstRow + row, begin));
    return 0.0;
  });
}

void Solver::solvePairs(const Scope &scope, int64_t firstRow,
                        float *scales) const {
  bool zeros = format.storage == TernaryStorage::TwoFourZero;
  auto assign = [&](double scale) {
    return scope.add<KeptSums>([&](const float *w, const float *h, int64_t row,
                                   int64_t begin, int64_t count) {
      return kernels.assignPairs(w, h, count, float(scale), zeros,
                                 place(0, firstRow + row, begin));
    });
  };
  double scale = lloyd(scope, meanMagnitude(scope));
  for (int round = 0; round < kMaxRounds; ++round) {
    double next = mean(assign(scale));
    if (float(next) == float(scale))
      break;
    scale = next;
  }
  scales[0] = rounded(scale);
  assign(scales[0]);
}

/// Alternates between the nearest whole numbers and the best scale, from one by
/// which all weights are whole numbers already, up to what 16 bits round; else
/// from the one that makes the largest weight the end of the range.
void Solver::solveRange(const Scope &scope, int64_t firstRow,
                        float *scales) const {
  const Storage &storage = storageOf(format.storage);
  auto assign = [&](float scale) {
    float factor = scale > 0 ? 1 / scale : 0;
    return scope.add<PlaneSums>([&](const float *w, const float *h, int64_t row,
                                    int64_t begin, int64_t count) {
      int8_t *numbers = place(0, firstRow + row, begin);
      PlaneSums sums;
      for (int64_t i = 0; i < count; ++i) {
        float number = std::nearbyint(w[i] * factor);
        number =
            std::min(std::max(number, float(storage.low)), float(storage.high));
        numbers[i] = int8_t(number);
        double weight = h ? h[i] : 1;
        sums.aa += weight * number * number;
        sums.aw += weight * number * w[i];
      }
      return sums;
    });
  };
  Largest largest = scope.add<Largest>(
      [](const float *w, const float *, int64_t, int64_t, int64_t count) {
        Largest found;
        for (int64_t i = 0; i < count; ++i)
          found.add({std::fabs(w[i])});
        return found;
      });
  // Weights that are whole numbers of a scale keep it: of several such scales
  // the one that is nearest when it is rounded.
  float whole = 0;
  double least = 0;
  for (int end = 1; end <= -storage.low && largest.magnitude > 0; ++end) {
    float tried = rounded(largest.magnitude / end), factor = 1 / tried;
    if (!(tried > 0) || std::isinf(tried))
      continue;
    WholeFit fit = scope.add<WholeFit>([&](const float *w, const float *,
                                           int64_t, int64_t, int64_t count) {
      WholeFit part;
      for (int64_t i = 0; i < count && part.off < 1; ++i) {
        float number = std::nearbyint(w[i] * factor);
        number =
            std::min(std::max(number, float(storage.low)), float(storage.high));
        double error = w[i] - double(number) * tried;
        float size = std::fabs(number),
              may = size > 8 ? std::max(kWholeNumber, size * rounding)
                             : kWholeNumber;
        part.add({std::fabs(w[i] * factor - number) / may, error * error});
      }
      return part;
    });
    if (fit.off < 1 && (!whole || fit.error < least)) {
      whole = tried;
      least = fit.error;
    }
  }
  float scale = largest.magnitude * 2 / float(storage.high - storage.low);
  for (int round = 0; round < kMaxRounds && !whole; ++round) {
    PlaneSums sums = assign(scale);
    float next = sums.aa > 0 ? float(sums.aw / sums.aa) : scale;
    if (next == scale)
      break;
    scale = next;
  }
  scales[0] = whole ? whole : rounded(scale);
  assign(scales[0]);
}

void Solver::solve(const Scope &scope, int64_t firstRow, float *scales) const {
  if (!storageOf(format.storage).isTernary())
    solveRange(scope, firstRow, scales);
  else if (isTwoFour(format.storage))
    solvePairs(scope, firstRow, scales);
  else if (format.planes == 2)
    solveTwo(scope, firstRow, scales);
  else
    solveOne(scope, firstRow, scales);
}

//===----------------------------------------------------------------------===//
// The whole matrix
//===----------------------------------------------------------------------===//

static std::string tensorText(const TernarizeOptions &options) {
  return options.name.empty() ? ""
                              : "tensor '" + printable(options.name) + "', ";
}

static Status checkOptions(sf_dtype dtype, const TernarizeOptions &options) {
  const TernaryFormat &format = options.format;
  if (Status status = format.verify(); !status)
    return status;
  if (dtype != SF_DTYPE_F16 && dtype != SF_DTYPE_BF16 && dtype != SF_DTYPE_F32)
    return invalidArgument("expected weights of type F16, BF16 or F32, found " +
                           std::string(dtypeName(dtype)));
  const Storage &storage = storageOf(format.storage);
  if (options.method != TernaryMethod::Lloyd &&
      (format.planes == 2 || storage.isTwoFour() || !storage.isTernary()))
    return invalidArgument(
        std::string("the method ") + methodName(options.method) +
        " makes one plane of trits without a pattern; two planes, 2:4 and "
        "other numbers choose by lloyd");
  if (!(options.threshold >= 0) || std::isinf(options.threshold))
    return invalidArgument(
        "expected a threshold of at least 0 mean magnitudes, "
        "found " +
        std::to_string(options.threshold));
  for (int64_t col = 0; options.importance && col < format.k; ++col)
    if (!(options.importance[col] >= 0) || std::isinf(options.importance[col]))
      return formatError(
          tensorText(options) + "importance of column " + std::to_string(col) +
          ": expected a finite number of at least 0, found " +
          std::to_string(options.importance[col]) + "; repair the calibration");
  return Status::success();
}

/// Names the first weight that is not finite.
static Status checkFinite(const RowReader &reader,
                          const TernarizeOptions &options) {
  int64_t n = options.format.n, k = options.format.k;
  std::atomic<int64_t> bad{n};
  parallelFor((n + kRowsOfPiece - 1) / kRowsOfPiece, options.threads,
              [&](int64_t piece) {
                std::vector<float> buffer(k);
                int64_t last = std::min(n, (piece + 1) * kRowsOfPiece);
                for (int64_t row = piece * kRowsOfPiece; row < last; ++row) {
                  const float *w = reader.read(row, buffer.data());
                  // Free of branches, so that it becomes vector code.
                  unsigned any = 0;
                  for (int64_t i = 0; i < k; ++i) {
                    uint32_t bits;
                    std::memcpy(&bits, w + i, sizeof(bits));
                    any |= unsigned((bits & 0x7fffffff) >= 0x7f800000);
                  }
                  if (!any)
                    continue;
                  int64_t seen = bad;
                  while (row < seen && !bad.compare_exchange_weak(seen, row)) {
                  }
                }
              });
  if (bad == n)
    return Status::success();
  std::vector<float> buffer(k);
  const float *w = reader.read(bad, buffer.data());
  int64_t col = 0;
  while (std::isfinite(w[col]))
    ++col;
  return formatError(
      tensorText(options) + "row " + std::to_string(bad) + ", column " +
      std::to_string(col) + ": expected a finite weight, found " +
      (std::isnan(w[col]) ? "NaN" : "infinity") + "; repair the source");
}

Status sparseflow::rt::ternarize(const void *weights, sf_dtype dtype,
                                 const TernarizeOptions &options, int8_t *trits,
                                 float *scales, TernaryReport *report) {
  const TernaryFormat &format = options.format;
  if (Status status = checkOptions(dtype, options); !status)
    return status;
  RowReader reader(weights, dtype, format.k);
  if (Status status = checkFinite(reader, options); !status)
    return status;

  Solver solver(options, dtype, trits);
  if (format.group == kTensorScale) {
    solver.solve(
        Scope(reader, format.k, format.n, options.threads, options.importance),
        0, scales);
  } else {
    int64_t width = format.group == kRowScale ? format.k : format.group;
    parallelFor(format.n, options.threads, [&](int64_t row) {
      std::vector<float> buffer(format.k);
      const float *w = reader.read(row, buffer.data());
      for (int64_t g = 0; g < format.groups(); ++g) {
        int64_t end = std::min(format.k, (g + 1) * width);
        float pair[2] = {0, 0};
        solver.solve(Scope(w, g * width, end, options.importance), row, pair);
        for (int p = 0; p < format.planes; ++p)
          scales[p * format.scalesPerPlane() + g * format.n + row] = pair[p];
      }
    });
  }
  for (int64_t i = 0; i < format.planes * format.scalesPerPlane(); ++i)
    if (!std::isfinite(scales[i]))
      return formatError(tensorText(options) + "scale " + std::to_string(i) +
                         " exceeds the range of " +
                         dtypeName(format.scaleType) +
                         "; use BF16 or F32 scales");
  if (report)
    *report = reportTernary(weights, dtype, format, options.importance,
                            options.threads, trits, scales);
  return Status::success();
}

//===- import.cpp - Ternary weights of other formats ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ternary/import.h"

#include "common/parallel.h"
#include "ternary/pack.h"
#include "weights/matrix_size.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>

using namespace sparseflow::rt;

/// What a trit reads that a file must not contain.
static constexpr int8_t kIllegal = 2;

namespace {

/// The five trits of a byte of TQ1_0, most significant first.
struct Base3Table {
  std::array<std::array<int8_t, 5>, 256> trits{};
};

/// A byte is ceil(v * 256 / 243) of the number v that the trits write; 13 of
/// the 256 bytes are of no v.
Base3Table makeBase3Table() {
  Base3Table table;
  for (auto &trits : table.trits)
    trits.fill(kIllegal);
  for (unsigned v = 0; v < 243; ++v) {
    auto &trits = table.trits[(v * 256 + 242) / 243];
    for (unsigned i = 0, rest = v; i < 5; ++i, rest /= 3)
      trits[4 - i] = int8_t(rest % 3) - 1;
  }
  return table;
}

/// Decodes one block into trits; the returned bytes are its scale.
using BlockDecoder = const uint8_t *(*)(const uint8_t *block, int8_t *trits);

const uint8_t *decodeTQ2(const uint8_t *block, int8_t *trits) {
  for (int half = 0; half < 2; ++half)
    for (int n = 0; n < 4; ++n)
      for (int m = 0; m < 32; ++m)
        trits[128 * half + 32 * n + m] =
            int8_t(block[32 * half + m] >> (2 * n) & 3) - 1;
  return block + 64;
}

const uint8_t *decodeTQ1(const uint8_t *block, int8_t *trits) {
  static const Base3Table table = makeBase3Table();
  for (int m = 0; m < 32; ++m)
    for (int n = 0; n < 5; ++n)
      trits[m + 32 * n] = table.trits[block[m]][n];
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 5; ++n)
      trits[160 + m + 16 * n] = table.trits[block[32 + m]][n];
  for (int j = 0; j < 4; ++j) {
    // Four trits and a fifth digit 0, which reads as -1.
    const auto &five = table.trits[block[48 + j]];
    for (int n = 0; n < 4; ++n)
      trits[240 + j + 4 * n] = five[4] == -1 ? five[n] : kIllegal;
  }
  return block + 52;
}

template <int Elements>
const uint8_t *decodeQ2(const uint8_t *block, int8_t *trits) {
  for (int j = 0; j < Elements; ++j)
    trits[j] = int8_t(block[2 + j / 4] >> (2 * (j % 4)) & 3) - 1;
  return block;
}

/// Remembers the smallest index that was reported.
class First {
public:
  void report(int64_t index) {
    int64_t seen = first;
    while (index < seen && !first.compare_exchange_weak(seen, index)) {
    }
  }
  int64_t get() const { return first; }

private:
  std::atomic<int64_t> first{INT64_MAX};
};

} // namespace

static std::string place(const std::string &name, int64_t row, int64_t col) {
  return "tensor '" + printable(name) + "', row " + std::to_string(row) +
         ", column " + std::to_string(col) + ": ";
}

/// True if any trit of a row is illegal.
static bool anyIllegal(const int8_t *row, int64_t count) {
  // Free of branches, so that it becomes vector code.
  unsigned any = 0;
  for (int64_t i = 0; i < count; ++i)
    any |= unsigned(row[i] == kIllegal);
  return any != 0;
}

static Status illegalTrit(const ImportedTernary &matrix, int64_t row,
                          const std::string &name, const char *what) {
  int64_t k = matrix.format.k, col = 0;
  while (matrix.trits[row * k + col] != kIllegal)
    ++col;
  return formatError(place(name, row, col) + what +
                     "; the weights are not ternary, or damaged");
}

Expected<ImportedTernary> sparseflow::rt::importGguf(const GgufTensor &tensor,
                                                     const uint8_t *data,
                                                     int threads) {
  std::string name = "tensor '" + printable(tensor.name) + "'";
  BlockDecoder decode = nullptr;
  const char *illegal = "expected a code of 0, 1 or 2, found 3";
  if (tensor.type == GgufTQ2_0) {
    decode = decodeTQ2;
  } else if (tensor.type == GgufTQ1_0) {
    decode = decodeTQ1;
    illegal = "expected a byte that five trits give, found another";
  } else if (tensor.isTernary()) {
    decode = tensor.blockElements == 64 ? decodeQ2<64> : decodeQ2<128>;
    illegal = "expected a code of 0, 1 or 2, found 3 (which is +2)";
  }
  if (!decode || !tensor.isReadable())
    return unsupported(name + " has the type " + tensor.typeName() +
                       "; expected TQ1_0, TQ2_0 or Q2_0 of known block size");
  if (tensor.shape.size() != 2)
    return unsupported(name + " has the shape " + shapeText(tensor.shape) +
                       "; expected a matrix");

  if (Status status = verifyEmptySize(tensor.shape[0], tensor.shape[1]);
      !status)
    return status.withContext(name);
  ImportedTernary result;
  TernaryFormat &format = result.format;
  format.n = tensor.shape[0];
  format.k = tensor.shape[1];
  format.group = tensor.blockElements;
  format.scaleType = SF_DTYPE_F16;
  if (Status status = format.verify(); !status)
    return status.withContext(name);
  result.trits.resize(format.tritCount());
  result.scales.resize(format.scalesPerPlane());
  int64_t blocks = format.groups();
  First badRow, badScale;
  parallelFor(format.n, threads, [&](int64_t row) {
    const uint8_t *block = data + row * blocks * tensor.blockBytes;
    int8_t *trits = result.trits.data() + row * format.k;
    for (int64_t b = 0; b < blocks; ++b, block += tensor.blockBytes) {
      const uint8_t *scale = decode(block, trits + b * tensor.blockElements);
      float value = loadScale(scale, SF_DTYPE_F16);
      if (!std::isfinite(value))
        badScale.report(row * blocks + b);
      result.scales[b * format.n + row] = value;
    }
    if (anyIllegal(trits, format.k))
      badRow.report(row);
  });
  if (badRow.get() != INT64_MAX)
    return illegalTrit(result, badRow.get(), tensor.name, illegal);
  if (int64_t bad = badScale.get(); bad != INT64_MAX)
    return formatError(
        place(tensor.name, bad / blocks, bad % blocks * tensor.blockElements) +
        "the scale of the block is NaN or infinite; the weights "
        "are damaged");
  return result;
}

Expected<BitnetScale>
sparseflow::rt::bitnetScaleFromClass(const std::string &linearClass) {
  if (linearClass == "bitlinear")
    return BitnetScale::Divide;
  if (linearClass == "autobitlinear")
    return BitnetScale::Multiply;
  return invalidArgument("expected the linear class 'bitlinear' or "
                         "'autobitlinear', found '" +
                         printable(linearClass, 40) + "'");
}

Expected<ImportedTernary>
sparseflow::rt::importBitnet(const uint8_t *packed, int64_t packedRows,
                             int64_t k, float weightScale, BitnetScale meaning,
                             const std::string &name, int threads) {
  std::string context = "tensor '" + printable(name) + "'";
  float scale =
      meaning == BitnetScale::Divide ? 1.0f / weightScale : weightScale;
  if (!std::isfinite(scale) || !std::isfinite(weightScale) || scale == 0 ||
      weightScale == 0)
    return formatError(context +
                       ": expected a weight_scale that is finite and not "
                       "zero, found " +
                       std::to_string(weightScale));
  ImportedTernary result;
  TernaryFormat &format = result.format;
  if (packedRows < 0 || packedRows > INT64_MAX / 4)
    return invalidArgument(context + ": " + std::to_string(packedRows) +
                           " packed rows are out of range");
  format.n = 4 * packedRows;
  format.k = k;
  if (Status status = format.verify(); !status)
    return status.withContext(context);
  result.trits.resize(format.tritCount());
  result.scales = {scale};
  First badRow;
  parallelFor(format.n, threads, [&](int64_t row) {
    int shift = int(row / packedRows) * 2;
    const uint8_t *source = packed + row % packedRows * k;
    int8_t *trits = result.trits.data() + row * k;
    for (int64_t col = 0; col < k; ++col)
      trits[col] = int8_t(source[col] >> shift & 3) - 1;
    if (anyIllegal(trits, k))
      badRow.report(row);
  });
  if (badRow.get() != INT64_MAX)
    return illegalTrit(result, badRow.get(), name,
                       "expected a code of 0, 1 or 2, found 3");
  return result;
}

//===- DotProduct.cpp - Byte dot products in 32 bits ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/CPU/Matmul/DotProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::sparseflow::cpu;

std::optional<DotKind> mlir::sparseflow::cpu::parseDotKind(StringRef name) {
  return llvm::StringSwitch<std::optional<DotKind>>(name)
      .Case("portable", DotKind::Portable)
      .Case("avx2", DotKind::Avx2)
      .Case("avx512vnni", DotKind::Avx512Vnni)
      .Default(std::nullopt);
}

static Value callIntrinsic(OpBuilder &b, Location loc, StringRef name,
                           Type type, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name),
                                       operands)
      .getResult(0);
}

static Value constant(OpBuilder &b, Location loc, VectorType type,
                      int64_t value) {
  return arith::ConstantOp::create(
      b, loc, type,
      DenseElementsAttr::get(type,
                             b.getIntegerAttr(type.getElementType(), value)));
}

/// Elements [first, first + count) of `vector`.
static Value slice(OpBuilder &b, Location loc, Value vector, int64_t first,
                   int64_t count) {
  SmallVector<int64_t> lanes(count);
  std::iota(lanes.begin(), lanes.end(), first);
  return vector::ShuffleOp::create(b, loc, vector, vector, lanes);
}

static Value createAvx2(OpBuilder &b, Location loc, Value sum, Value codes,
                        Value values) {
  auto words = VectorType::get(16, b.getI16Type());
  auto sums = VectorType::get(8, b.getI32Type());
  Value ones = constant(b, loc, words, 1);
  Value halves[2];
  for (int64_t half : {0, 1}) {
    // 2 * 16 * 128 fits 16 bits: nothing saturates.
    Value pairs = callIntrinsic(b, loc, "llvm.x86.avx2.pmadd.ub.sw", words,
                                {slice(b, loc, codes, 32 * half, 32),
                                 slice(b, loc, values, 32 * half, 32)});
    Value fours =
        callIntrinsic(b, loc, "llvm.x86.avx2.pmadd.wd", sums, {pairs, ones});
    halves[half] =
        arith::AddIOp::create(b, loc, slice(b, loc, sum, 8 * half, 8), fours);
  }
  SmallVector<int64_t> all(16);
  std::iota(all.begin(), all.end(), 0);
  return vector::ShuffleOp::create(b, loc, halves[0], halves[1], all);
}

static Value createPortable(OpBuilder &b, Location loc, Value sum, Value codes,
                            Value values) {
  auto type = VectorType::get(16, b.getI32Type());
  codes = vector::BitCastOp::create(b, loc, type, codes);
  values = vector::BitCastOp::create(b, loc, type, values);
  Value top = constant(b, loc, type, 24), mask = constant(b, loc, type, 255);
  // The least significant byte comes first in memory; the sum takes them all,
  // so that on a host of the other order nothing changes.
  for (int64_t byte = 0; byte < 4; ++byte) {
    Value code =
        arith::ShRUIOp::create(b, loc, codes, constant(b, loc, type, 8 * byte));
    code = arith::AndIOp::create(b, loc, code, mask);
    Value value = arith::ShLIOp::create(b, loc, values,
                                        constant(b, loc, type, 24 - 8 * byte));
    value = arith::ShRSIOp::create(b, loc, value, top);
    sum = arith::AddIOp::create(b, loc, sum,
                                arith::MulIOp::create(b, loc, code, value));
  }
  return sum;
}

Value mlir::sparseflow::cpu::createDot(OpBuilder &b, Location loc, DotKind kind,
                                       Value sum, Value codes, Value values) {
  switch (kind) {
  case DotKind::Portable:
    return createPortable(b, loc, sum, codes, values);
  case DotKind::Avx2:
    return createAvx2(b, loc, sum, codes, values);
  case DotKind::Avx512Vnni:
    return callIntrinsic(b, loc, "llvm.x86.avx512.vpdpbusd.512", sum.getType(),
                         {sum, codes, values});
  }
  llvm_unreachable("a kind outside its enumeration");
}

bool mlir::sparseflow::cpu::hasLookup(DotKind kind) {
  return kind == DotKind::Avx512Vnni;
}

Value mlir::sparseflow::cpu::createLookup(OpBuilder &b, Location loc,
                                          Value table, Value index) {
  return callIntrinsic(b, loc, "llvm.x86.avx512.permvar.hi.512",
                       table.getType(), {table, index});
}

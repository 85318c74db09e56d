//===- WgmmaCommon.cpp - What the wgmma atoms share ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaCommon.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::sftile;

LinearLayout mlir::sftile::getWgmmaAccumulatorLayout() {
  return LinearLayout({{0, 1}, {8, 0}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

/// The start address field, with the constant fields `fields` beside it. A
/// constant distance is added to the descriptor and not to the address, so that
/// neighbours share all but that.
static Value emitDescriptor(OpBuilder &builder, Location loc, Value address,
                            uint64_t fields) {
  Type i64 = builder.getI64Type();
  auto constant = [&](uint64_t value) -> Value {
    return LLVM::ConstantOp::create(
        builder, loc, i64,
        builder.getIntegerAttr(i64, static_cast<int64_t>(value)));
  };
  uint64_t distance = 0;
  while (auto step = address.getDefiningOp<LLVM::GEPOp>()) {
    ArrayRef<int32_t> indices = step.getRawConstantIndices();
    if (!step.getDynamicIndices().empty() || indices.size() != 1 ||
        !step.getElemType().isInteger(8) || indices[0] < 0 || indices[0] % 16)
      break;
    distance += indices[0];
    address = step.getBase();
  }
  Value bits = LLVM::PtrToIntOp::create(builder, loc, i64, address);
  // In a cluster the address has the block's rank above bit 18, which would
  // spill into the next field.
  Value start = LLVM::AndOp::create(builder, loc, bits, constant(0x3FFFF));
  start = LLVM::LShrOp::create(builder, loc, start, constant(4));
  start = LLVM::OrOp::create(builder, loc, start, constant(fields));
  if (distance)
    start = LLVM::AddOp::create(builder, loc, start, constant(distance >> 4));
  return start;
}

Value mlir::sftile::emitSwizzledDescriptor(OpBuilder &builder, Location loc,
                                           Value address) {
  // Leading offset 1 (not used with a swizzle), stride 1024 bytes between
  // groups of eight rows, 128-byte swizzle.
  return emitDescriptor(builder, loc, address,
                        uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 |
                            uint64_t(1) << 62);
}

Value mlir::sftile::emitTransposedDescriptor(OpBuilder &builder, Location loc,
                                             Value address, int64_t tileBytes) {
  // Leading offset between tiles of 64 columns, stride 1024 bytes between
  // groups of eight rows of the depth.
  return emitDescriptor(builder, loc, address,
                        uint64_t(tileBytes >> 4) << 16 |
                            uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62);
}

Value mlir::sftile::emitCoreMatrixDescriptor(OpBuilder &builder, Location loc,
                                             Value address) {
  return emitDescriptor(builder, loc, address,
                        uint64_t(128 >> 4) << 16 | uint64_t(256 >> 4) << 32);
}

/// `count` times `constraint`, separated by commas.
static std::string repeat(StringRef constraint, size_t count) {
  SmallVector<StringRef> list(count, constraint);
  return llvm::join(list, ",");
}

/// "0,1,...": every input shares the register of the output of its number.
static std::string ties(size_t count) {
  SmallVector<std::string> list;
  for (size_t index = 0; index < count; ++index)
    list.push_back(std::to_string(index));
  return llvm::join(list, ",");
}

/// The constraint of an accumulator of type `element`, f32 or i32.
static StringRef outputOf(Type element) {
  return element.isF32() ? "=f" : "=r";
}

/// Inline assembly whose results are new values of the accumulators.
static SmallVector<Value> emitTied(OpBuilder &builder, Location loc,
                                   StringRef text, StringRef constraints,
                                   ArrayRef<Value> operands, size_t count,
                                   Type element) {
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(count, element));
  auto assembly = LLVM::InlineAsmOp::create(
      builder, loc, type, operands, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  SmallVector<Value> results;
  for (size_t index = 0; index < count; ++index)
    results.push_back(
        LLVM::ExtractValueOp::create(builder, loc, assembly.getRes(), index));
  return results;
}

SmallVector<Value> mlir::sftile::emitWgmma(OpBuilder &builder, Location loc,
                                           const Twine &instruction,
                                           ValueRange c, int64_t columns,
                                           ArrayRef<Value> inputs,
                                           StringRef selector, StringRef tail,
                                           size_t together) {
  // A lane holds two of the eight rows' elements of every eight columns.
  size_t count = columns / 2;
  // The predicate says whether the accumulators are added.
  std::string text = "{ .reg .pred p; setp.eq.u32 p, ";
  text += c.empty() ? "0, 1; " : "0, 0; ";
  text += instruction.str() + " {";
  for (size_t index = 0; index < count; ++index)
    text += (index ? ", $" : "$") + std::to_string(index);
  text += "}";
  for (size_t index = 0; index < inputs.size(); ++index) {
    text += index == 0 && together ? ", {$" : ", $";
    text += std::to_string(count + index);
    if (index + 1 == together)
      text += "}";
  }
  if (!selector.empty())
    text += (", " + selector).str();
  text += (", p, " + tail + "; }").str();

  std::string constraints = repeat("=f", count);
  for (Value input : inputs)
    constraints += input.getType().isInteger(64) ? ",l" : ",r";
  if (!c.empty())
    constraints += "," + ties(count);
  SmallVector<Value> operands(inputs);
  llvm::append_range(operands, c);
  return emitTied(builder, loc, text, constraints, operands, count,
                  builder.getF32Type());
}

SmallVector<Value> mlir::sftile::emitWgmmaRegisters(
    OpBuilder &builder, Location loc, const Twine &instruction, Type element,
    ValueRange c, int64_t columns, ValueRange a, Value descriptor,
    StringRef tail, Value metadata, int64_t selector, bool cleared) {
  size_t count = columns / 2;
  auto list = [](size_t first, size_t number) {
    SmallVector<std::string> names;
    for (size_t index = 0; index < number; ++index)
      names.push_back("$" + std::to_string(first + index));
    return "{" + llvm::join(names, ", ") + "}";
  };
  std::string text = "{ .reg .pred p; setp.eq.u32 p, ";
  text += c.empty() || cleared ? "0, 1; " : "0, 0; ";
  text += instruction.str() + " " + list(0, count) + ", " +
          list(count, a.size()) + ", $" + std::to_string(count + a.size());
  if (metadata)
    text += ", $" + std::to_string(count + a.size() + 1) + ", " +
            std::to_string(selector);
  text += ", p" + tail.str() + "; }";
  std::string constraints =
      repeat(outputOf(element), count) + "," + repeat("r", a.size()) + ",l";
  SmallVector<Value> operands(a);
  operands.push_back(descriptor);
  if (metadata) {
    constraints += ",r";
    operands.push_back(metadata);
  }
  if (!c.empty())
    constraints += "," + ties(count);
  llvm::append_range(operands, c);
  return emitTied(builder, loc, text, constraints, operands, count, element);
}

void mlir::sftile::emitWgmmaFence(OpBuilder &builder, Location loc) {
  NVVM::WgmmaFenceAlignedOp::create(builder, loc);
}

void mlir::sftile::emitWgmmaCommit(OpBuilder &builder, Location loc) {
  NVVM::WgmmaGroupSyncAlignedOp::create(builder, loc);
}

SmallVector<Value> mlir::sftile::emitWgmmaAwait(OpBuilder &builder,
                                                Location loc,
                                                ValueRange accumulators,
                                                ValueRange held,
                                                int64_t leaving) {
  size_t count = accumulators.size();
  std::string text =
      "wgmma.wait_group.sync.aligned " + std::to_string(leaving) + ";";
  // Held registers are inputs that the text does not mention.
  Type element = accumulators.front().getType();
  std::string constraints = repeat(outputOf(element), count);
  for (size_t index = 0; index < held.size(); ++index)
    constraints += ",r";
  SmallVector<Value> operands(held);
  llvm::append_range(operands, accumulators);
  return emitTied(builder, loc, text, constraints + "," + ties(count), operands,
                  count, element);
}

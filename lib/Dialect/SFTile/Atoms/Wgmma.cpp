//===- Wgmma.cpp - wgmma m64: MMAs of a warpgroup -------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction with four forms: A dense or 2:4 sparse, in shared memory (by
// a descriptor) or in registers.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Dialect/SFTile/IR/SFTile.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::sftile;

//===----------------------------------------------------------------------===//
// What the instruction is
//===----------------------------------------------------------------------===//

LogicalResult
WgmmaAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  Type elementType, bool sparse) {
  bool isFloat = elementType.isF16() || elementType.isBF16();
  bool isByte = elementType.isInteger(8) && !elementType.isUnsignedInteger();
  if (!isFloat && !isByte)
    return emitError() << "expected f16, bf16, i8 (without a sign) or si8 for "
                          "wgmma, found "
                       << elementType;
  if (sparse && elementType.isSignedInteger())
    return emitError() << "expected i8, whose bytes are signed, for a sparse "
                          "wgmma, found "
                       << elementType;
  return success();
}

Attribute WgmmaAttr::parse(AsmParser &parser, Type) {
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(elementType))
    return {};
  bool sparse = succeeded(parser.parseOptionalComma());
  if ((sparse && parser.parseKeyword("sparse")) || parser.parseGreater())
    return {};
  return parser.getChecked<WgmmaAttr>(loc, parser.getContext(), elementType,
                                      sparse);
}

void WgmmaAttr::print(AsmPrinter &printer) const {
  printer << "<" << getElementType() << (getSparse() ? ", sparse>" : ">");
}

std::string WgmmaAttr::getInstruction() const {
  return getSparse() ? "wgmma.mma_async.sp.sync.aligned"
                     : "wgmma.mma_async.sync.aligned";
}

unsigned WgmmaAttr::getMinComputeCapability() const { return 90; }
bool WgmmaAttr::isArchSpecific() const { return true; }
int64_t WgmmaAttr::getM() const { return 64; }
int64_t WgmmaAttr::getMaxN() const { return 256; }
Type WgmmaAttr::getOperandType() const { return getElementType(); }
bool WgmmaAttr::isSparse() const { return getSparse(); }

/// 32 bytes of every row of A, or of its nonzeros.
int64_t WgmmaAttr::getK() const {
  return (getElementType().isInteger(8) ? 32 : 16) * (getSparse() ? 2 : 1);
}

Type WgmmaAttr::getAccumulatorType() const {
  if (getElementType().isInteger(8))
    return IntegerType::get(getContext(), 32);
  return Float32Type::get(getContext());
}

std::optional<Order> WgmmaAttr::getOrderA() const {
  if (getElementType().isInteger(8))
    return std::nullopt;
  return getSparse() ? Order::Values24 : Order::Swizzled;
}

LinearLayout WgmmaAttr::getLayoutA() const {
  return getWeightsLayout(getElementType());
}

LinearLayout WgmmaAttr::getLayoutC() const {
  return LinearLayout({{0, 1}, {8, 0}},
                      {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
}

/// Metadata of bytes is that of all threads.
int64_t WgmmaAttr::getNumSelectors() const {
  return getSparse() && !getElementType().isInteger(8) ? 2 : 1;
}

//===----------------------------------------------------------------------===//
// Descriptors of matrices in shared memory
//===----------------------------------------------------------------------===//

/// What of a descriptor is computed: all of it, or its lower half, which has
/// the address. An addition to that half alone is shorter; what takes longer
/// delays MMAs of few columns, which end before it. Where attention multiplies
/// tiles of many columns, it takes registers that wider tiles do not have.
enum class DescriptorPart { Whole, LowerHalf };

/// The start address field, with the constant fields `fields` beside it. A
/// constant distance is added to the descriptor and not to the address, so that
/// neighbours share all but that.
static Value emitDescriptor(OpBuilder &builder, Location loc, Value address,
                            uint64_t fields, DescriptorPart part) {
  bool isWhole = part == DescriptorPart::Whole;
  Type i64 = builder.getI64Type();
  Type type = isWhole ? i64 : builder.getI32Type();
  auto constant = [&](Type type, uint64_t value) -> Value {
    return LLVM::ConstantOp::create(
        builder, loc, type,
        builder.getIntegerAttr(type, static_cast<int64_t>(value)));
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
  Value bits = LLVM::PtrToIntOp::create(builder, loc, type, address);
  // In a cluster the address has the block's rank above bit 18, which would
  // spill into the next field.
  Value start =
      LLVM::AndOp::create(builder, loc, bits, constant(type, 0x3FFFF));
  start = LLVM::LShrOp::create(builder, loc, start, constant(type, 4));
  start = LLVM::OrOp::create(
      builder, loc, start,
      constant(type, isWhole ? fields : fields & 0xFFFFFFFF));
  if (distance)
    start =
        LLVM::AddOp::create(builder, loc, start, constant(type, distance >> 4));
  if (isWhole)
    return start;
  return LLVM::OrOp::create(builder, loc,
                            LLVM::ZExtOp::create(builder, loc, i64, start),
                            constant(i64, fields >> 32 << 32));
}

/// The constant fields of a descriptor: distances in bytes, and a 128-byte
/// swizzle or none.
static uint64_t fieldsOf(uint64_t leading, uint64_t stride, bool swizzled) {
  return leading >> 4 << 16 | stride >> 4 << 32 | uint64_t(swizzled) << 62;
}

/// Rows of 128 swizzled bytes, 1024 bytes between groups of eight rows. The
/// leading distance is not used and has to be 1.
static Value emitSwizzled(OpBuilder &builder, Location loc, Value address,
                          DescriptorPart part) {
  return emitDescriptor(builder, loc, address, fieldsOf(16, 1024, true), part);
}

/// The same, but the rows are K, and further columns of N lie in tiles that are
/// `tileBytes` apart.
static Value emitTransposed(OpBuilder &builder, Location loc, Value address,
                            int64_t tileBytes) {
  return emitDescriptor(builder, loc, address, fieldsOf(tileBytes, 1024, true),
                        DescriptorPart::Whole);
}

/// 8x8 core matrices of 128 bytes, neighbours along K 128 bytes apart and along
/// M 256.
static Value emitCoreMatrices(OpBuilder &builder, Location loc, Value address) {
  return emitDescriptor(builder, loc, address, fieldsOf(128, 256, false),
                        DescriptorPart::LowerHalf);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// "$first, $first+1, ...": `count` operands in braces.
static std::string vectorOf(size_t first, size_t count) {
  SmallVector<std::string> names;
  for (size_t index = 0; index < count; ++index)
    names.push_back("$" + std::to_string(first + index));
  return "{" + llvm::join(names, ", ") + "}";
}

/// Inline assembly whose results are new values of the accumulators, in the
/// registers of the old ones if there are any. `inputs` are registers of 32
/// bits and descriptors.
static SmallVector<Value> emitOnAccumulators(OpBuilder &builder, Location loc,
                                             StringRef text, Type element,
                                             size_t count,
                                             ArrayRef<Value> inputs,
                                             ValueRange accumulators) {
  SmallVector<std::string> constraints(count, element.isF32() ? "=f" : "=r");
  for (Value input : inputs)
    constraints.push_back(input.getType().isInteger(64) ? "l" : "r");
  for (size_t index = 0; index < accumulators.size(); ++index)
    constraints.push_back(std::to_string(index));
  SmallVector<Value> operands(inputs);
  llvm::append_range(operands, accumulators);
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(count, element));
  auto assembly = LLVM::InlineAsmOp::create(
      builder, loc, type, operands, text, llvm::join(constraints, ","),
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  SmallVector<Value> results;
  for (size_t index = 0; index < count; ++index)
    results.push_back(
        LLVM::ExtractValueOp::create(builder, loc, assembly.getRes(), index));
  return results;
}

/// The part of the opcode that names k and the types of D, A and B.
static std::string typesOf(WgmmaAttr atom) {
  Type element = atom.getElementType();
  std::string k = "k" + std::to_string(atom.getK());
  if (element.isInteger(8)) {
    bool isSigned = atom.getSparse() || element.isSignedInteger();
    return k + (isSigned ? ".s32.s8.s8" : ".s32.u8.s8");
  }
  return k + (element.isF16() ? ".f32.f16.f16" : ".f32.bf16.bf16");
}

SmallVector<Value> WgmmaAttr::emit(OpBuilder &builder, Location loc,
                                   const AsyncMmaOperands &op) const {
  bool isByte = getElementType().isInteger(8);
  bool fromShared = isa<LLVM::LLVMPointerType>(op.a.front().getType());
  // A lane holds two of the eight rows' elements of every eight columns.
  size_t count = op.n / 2;
  SmallVector<Value> inputs = op.a;
  auto part = fromShared && !getSparse() ? DescriptorPart::Whole
                                         : DescriptorPart::LowerHalf;
  if (fromShared)
    inputs = {getSparse() ? emitCoreMatrices(builder, loc, op.a.front())
                          : emitSwizzled(builder, loc, op.a.front(), part)};
  std::string a =
      fromShared ? "$" + std::to_string(count) : vectorOf(count, inputs.size());
  auto addInput = [&](Value input) {
    inputs.push_back(input);
    return ", $" + std::to_string(count + inputs.size() - 1);
  };
  // The predicate says whether the accumulators are added.
  bool adds = !op.acc.empty() && !op.cleared;
  std::string text = "{ .reg .pred p; setp.eq.u32 p, 0, ";
  text += adds ? "0; " : "1; ";
  text += getInstruction() + ".m64n" + std::to_string(op.n) + typesOf(*this);
  text += " " + vectorOf(0, count) + ", " + a;
  text += addInput(op.tileBytesOfB
                       ? emitTransposed(builder, loc, op.b, op.tileBytesOfB)
                       : emitSwizzled(builder, loc, op.b, part));
  if (op.metadata)
    text += addInput(op.metadata) + ", " + std::to_string(op.selector);
  text += ", p";
  // Signs of A and B, then which of those in shared memory are transposed:
  // bytes have none of these.
  if (!isByte)
    text += fromShared ? ", 1, 1, 0" : ", 1, 1";
  if (!isByte)
    text += op.tileBytesOfB ? ", 1" : ", 0";
  text += "; }";
  return emitOnAccumulators(builder, loc, text, getAccumulatorType(), count,
                            inputs, op.acc);
}

void WgmmaAttr::emitFence(OpBuilder &builder, Location loc) const {
  NVVM::WgmmaFenceAlignedOp::create(builder, loc);
}

void WgmmaAttr::emitCommit(OpBuilder &builder, Location loc) const {
  NVVM::WgmmaGroupSyncAlignedOp::create(builder, loc);
}

SmallVector<Value> WgmmaAttr::emitWait(OpBuilder &builder, Location loc,
                                       ValueRange accumulators, ValueRange held,
                                       int64_t pending) const {
  // Held registers are inputs that the text does not mention.
  return emitOnAccumulators(builder, loc,
                            "wgmma.wait_group.sync.aligned " +
                                std::to_string(pending) + ";",
                            accumulators.front().getType(), accumulators.size(),
                            llvm::to_vector(held), accumulators);
}

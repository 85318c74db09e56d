//===- Scalar.cpp - Plain instructions of inline PTX ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/Instructions/Handlers.h"
#include "Simulator/Instructions/InlinePtx.h"
#include "Simulator/Machine/Block.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::sparseflow::sim;

namespace {

float asFloat(uint64_t bits) {
  auto word = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}
uint32_t asBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <typename T>
T as(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T>
uint64_t bitsOf(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <typename T>
void add(AssemblyCall &call) {
  call.set(0,
           bitsOf<T>(static_cast<T>(as<T>(call.get(1)) + as<T>(call.get(2)))));
}
template <typename T>
void subtract(AssemblyCall &call) {
  call.set(0,
           bitsOf<T>(static_cast<T>(as<T>(call.get(1)) - as<T>(call.get(2)))));
}
template <typename T>
void multiply(AssemblyCall &call) {
  call.set(0,
           bitsOf<T>(static_cast<T>(as<T>(call.get(1)) * as<T>(call.get(2)))));
}
template <typename T>
void move(AssemblyCall &call) {
  call.set(0, bitsOf<T>(as<T>(call.get(1))));
}
void bitAnd(AssemblyCall &call) { call.set(0, call.get(1) & call.get(2)); }
void bitOr(AssemblyCall &call) { call.set(0, call.get(1) | call.get(2)); }
void bitXor(AssemblyCall &call) { call.set(0, call.get(1) ^ call.get(2)); }
void bitNotPredicate(AssemblyCall &call) { call.set(0, ~call.get(1) & 1); }
template <typename T>
void shiftLeft(AssemblyCall &call) {
  uint32_t by = call.get32(2);
  call.set(0, by < 8 * sizeof(T)
                  ? bitsOf<T>(static_cast<T>(as<T>(call.get(1)) << by))
                  : 0);
}
template <typename T>
void shiftRight(AssemblyCall &call) {
  uint32_t by = std::min<uint32_t>(call.get32(2), 8 * sizeof(T));
  T value = as<T>(call.get(1));
  for (; by; by -= std::min(by, 31u))
    value = static_cast<T>(value >> std::min(by, 31u));
  call.set(0, bitsOf<T>(value));
}
void select(AssemblyCall &call) {
  call.set(0, call.get(3) & 1 ? call.get(1) : call.get(2));
}

enum class Comparison { Equal, Different, Less, LessEqual, Greater, NotLess };
template <typename T, Comparison comparison>
void compare(AssemblyCall &call) {
  T a = as<T>(call.get(1)), b = as<T>(call.get(2));
  bool result = false;
  switch (comparison) {
  case Comparison::Equal:
    result = a == b;
    break;
  case Comparison::Different:
    result = a != b;
    break;
  case Comparison::Less:
    result = a < b;
    break;
  case Comparison::LessEqual:
    result = a <= b;
    break;
  case Comparison::Greater:
    result = a > b;
    break;
  case Comparison::NotLess:
    result = a >= b;
    break;
  }
  call.set(0, result);
}

template <typename T>
void addComparisons(Registry &registry, const std::string &type) {
  using C = Comparison;
  registry.addAssembly("setp.eq." + type, {compare<T, C::Equal>, 0, 3, 3});
  registry.addAssembly("setp.ne." + type, {compare<T, C::Different>, 0, 3, 3});
  registry.addAssembly("setp.lt." + type, {compare<T, C::Less>, 0, 3, 3});
  registry.addAssembly("setp.le." + type, {compare<T, C::LessEqual>, 0, 3, 3});
  registry.addAssembly("setp.gt." + type, {compare<T, C::Greater>, 0, 3, 3});
  registry.addAssembly("setp.ge." + type, {compare<T, C::NotLess>, 0, 3, 3});
}

/// Bits of `value` as f16 or bf16, to nearest, ties to even.
uint32_t narrow(float value, bool bfloat) {
  uint32_t bits = asBits(value), sign = bits >> 16 & 0x8000;
  if (std::isnan(value))
    return 0x7fff;
  if (bfloat)
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude >= 65520)
    return sign | 0x7c00;
  if (magnitude == 0)
    return sign; // frexp gives zero an exponent of 0, that of 0.5
  int exponent;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent, -13);
  // Units of the last place of a half with this exponent.
  auto units = static_cast<uint32_t>(
      std::nearbyint(std::ldexp(magnitude, 11 - exponent)));
  return sign | (static_cast<uint32_t>((exponent + 13) << 10) + units);
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
template <bool bfloat>
void convertPair(AssemblyCall &call) {
  call.set(0, narrow(asFloat(call.get(1)), bfloat) << 16 |
                  narrow(asFloat(call.get(2)), bfloat));
}
template <bool bfloat>
void convertOne(AssemblyCall &call) {
  call.set(0, narrow(asFloat(call.get(1)), bfloat));
}

/// cvt.rn.f16x2.e4m3x2 d, a: of two f8E4M3FN, whose upper byte becomes the
/// upper half. All of them are numbers of f16, or NaN.
void convertE4M3Pair(AssemblyCall &call) {
  uint64_t bytes = call.get(1);
  auto half = [](uint64_t byte) -> uint32_t {
    unsigned size = byte & 0x7f, exponent = size >> 3;
    if (size == 0x7f)
      return 0x7fff;
    double number = std::ldexp(exponent ? 8 + (size & 7) : size & 7,
                               static_cast<int>(std::max(exponent, 1u)) - 10);
    return narrow(static_cast<float>(byte & 0x80 ? -number : number),
                  /*bfloat=*/false);
  };
  call.set(0, half(bytes >> 8 & 0xff) << 16 | half(bytes & 0xff));
}

/// cvt.rni.s32.f32: half to even, what no s32 holds becomes the nearest that
/// one does, a NaN 0.
void roundToInteger(AssemblyCall &call) {
  double number = std::nearbyint(double(asFloat(call.get(1))));
  constexpr double least = std::numeric_limits<int32_t>::min(),
                   most = std::numeric_limits<int32_t>::max();
  number = std::isnan(number) ? 0 : std::clamp(number, least, most);
  call.set(0, static_cast<uint32_t>(static_cast<int32_t>(number)));
}

/// cvt.pack.sat.s8.s32.b32 d, a, b, c: a and b as bytes above and below, and
/// the lower half of c above both.
void packBytes(AssemblyCall &call) {
  auto byte = [&](unsigned argument) -> uint32_t {
    auto number = static_cast<int32_t>(call.get32(argument));
    return static_cast<uint32_t>(std::clamp(number, -128, 127)) & 255;
  };
  call.set(0, call.get32(3) << 16 | byte(1) << 8 | byte(2));
}

/// dp4a.s32.s32 d, a, b, c: the products of signed bytes, added to c.
void multiplyBytes(AssemblyCall &call) {
  uint32_t a = call.get32(1), b = call.get32(2), sum = call.get32(3);
  for (unsigned shift = 0; shift < 32; shift += 8)
    sum += static_cast<uint32_t>(static_cast<int8_t>(a >> shift) *
                                 static_cast<int8_t>(b >> shift));
  call.set(0, sum);
}

/// prmt.b32: each nibble of the selector names one of 8 bytes; bit 3 of it
/// copies the byte's sign instead.
void permute(AssemblyCall &call) {
  uint64_t bytes = uint64_t(call.get32(2)) << 32 | call.get32(1);
  uint32_t selector = call.get32(3), result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t nibble = selector >> 4 * i & 15;
    uint32_t byte = static_cast<uint32_t>(bytes >> 8 * (nibble & 7)) & 255;
    if (nibble & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  call.set(0, result);
}

/// lop3.b32: bit by bit, the bit of the table that the three inputs number.
void logic(AssemblyCall &call) {
  uint32_t a = call.get32(1), b = call.get32(2), c = call.get32(3);
  uint32_t table = call.get32(4), result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  call.set(0, result);
}

template <double (*function)(double), bool ftz>
void unary(AssemblyCall &call) {
  auto flush = [](float value) {
    return ftz && std::fpclassify(value) == FP_SUBNORMAL
               ? std::copysign(0.0f, value)
               : value;
  };
  float x = flush(asFloat(call.get(1)));
  call.set(0, asBits(flush(static_cast<float>(function(x)))));
}
double reciprocal(double x) { return 1.0 / x; }
double reciprocalRoot(double x) { return 1.0 / std::sqrt(x); }

template <double (*function)(double)>
void addUnary(Registry &registry, const std::string &name) {
  registry.addAssembly(name + ".approx.f32", {unary<function, false>, 0, 2, 2});
  registry.addAssembly(name + ".approx.ftz.f32",
                       {unary<function, true>, 0, 2, 2});
}

// Named barriers: number and, where there is one, count. The parameter is 1 for
// arrive.
void barrier(AssemblyCall &call) {
  bool arrive = call.instruction.handler.parameter;
  uint32_t count = call.size() > 1 ? call.get32(1) : 0;
  if (call.size() > 1 && count == 0)
    call.thread.block->stop(call.thread, FindingKind::BadOperand, call.site, 0,
                            "a barrier for 0 threads: expected a positive "
                            "multiple of 32");
  call.thread.block->barrier(call.thread, call.get32(0), count, !arrive,
                             call.site);
}

void warpBarrier(AssemblyCall &call) {
  uint32_t mask = call.get32(0);
  call.thread.block->collective(call.thread,
                                *Registry::get().find("bar.warp.sync"), nullptr,
                                &mask, call.site);
}

// ldmatrix {r...}, [row] and stmatrix [row], {r...}: the handlers of the
// intrinsics, which the parameter is.
void loadMatrix(AssemblyCall &call) {
  const auto *handler =
      reinterpret_cast<const Handler *>(call.instruction.handler.parameter);
  uint64_t row = call.get(1);
  uint32_t values[4] = {};
  call.thread.block->collective(call.thread, *handler, values, &row, call.site);
  for (unsigned i = 0; i < call.count(0) && i < 4; ++i)
    call.set(0, values[i], i);
}
void storeMatrix(AssemblyCall &call) {
  const auto *handler =
      reinterpret_cast<const Handler *>(call.instruction.handler.parameter);
  struct {
    uint64_t row;
    uint32_t values[4];
  } operands = {call.get(0), {}};
  for (unsigned i = 0; i < call.count(1) && i < 4; ++i)
    operands.values[i] = call.get32(1, i);
  call.thread.block->collective(call.thread, *handler, nullptr, &operands,
                                call.site);
}

/// movmatrix r, r.
void moveMatrix(AssemblyCall &call) {
  uint32_t source = call.get32(1), result = 0;
  call.thread.block->collective(
      call.thread,
      *Registry::get().find("movmatrix.sync.aligned.m8n8.trans.b16"), &result,
      &source, call.site);
  call.set(0, result);
}

// Loads and stores. The parameter: bytes of an element, from bit 8 how many
// elements, bit 16 sign extension, bit 17 atomic.
void load(AssemblyCall &call) {
  uint64_t form = call.instruction.handler.parameter;
  uint32_t bytes = form & 255, count = form >> 8 & 255;
  uint64_t address = call.get(1);
  call.thread.block->access(
      call.thread, address, bytes * count, bytes * count,
      form >> 17 & 1 ? AccessKind::Atomic : AccessKind::Read, call.site);
  for (unsigned i = 0; i < count; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const char *>(address) + i * bytes,
                bytes);
    if (form >> 16 & 1)
      value = static_cast<uint64_t>(
          static_cast<int64_t>(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    call.set(0, value, i);
  }
}
void store(AssemblyCall &call) {
  uint64_t form = call.instruction.handler.parameter;
  uint32_t bytes = form & 255, count = form >> 8 & 255;
  uint64_t address = call.get(0);
  call.thread.block->access(
      call.thread, address, bytes * count, bytes * count,
      form >> 17 & 1 ? AccessKind::Atomic : AccessKind::Write, call.site);
  for (unsigned i = 0; i < count; ++i) {
    uint64_t value = call.get(1, i);
    std::memcpy(reinterpret_cast<char *>(address) + i * bytes, &value, bytes);
  }
}

/// st.async [address], value, [barrier]: a store to the shared memory of a CTA
/// that completes bytes at a barrier there.
void storeAsync(AssemblyCall &call) {
  uint64_t form = call.instruction.handler.parameter;
  uint32_t bytes = form & 255, count = form >> 8 & 255;
  InFlight copy;
  copy.immediate = true;
  copy.to = call.get(0);
  copy.bytes = bytes * count;
  copy.site = call.site;
  for (unsigned i = 0; i < count; ++i) {
    uint64_t value = call.get(1, i);
    std::memcpy(copy.value + i * bytes, &value, bytes);
  }
  if (copy.to % copy.bytes)
    call.thread.block->stop(call.thread, FindingKind::Misaligned, call.site,
                            copy.to, "st.async of %u bytes to 0x%llx",
                            copy.bytes,
                            static_cast<unsigned long long>(copy.to));
  call.thread.block->issueBulk(call.thread, copy, call.get(2), false, 0);
}

/// The modifiers of a memory instruction, one after the other.
bool takeModifier(std::string &rest, const char *modifier) {
  size_t length = std::strlen(modifier);
  if (rest.compare(0, length, modifier) != 0 ||
      (rest.size() > length && rest[length] != '.'))
    return false;
  rest.erase(0, length);
  return true;
}
bool takeOneOf(std::string &rest, std::initializer_list<const char *> some) {
  for (const char *modifier : some)
    if (takeModifier(rest, modifier))
      return true;
  return false;
}

} // namespace

bool Registry::parseMemory(const std::string &opcode,
                           AssemblyHandler &handler) {
  std::string rest = opcode;
  bool isLoad = takeModifier(rest, "ld");
  bool isAsync = !isLoad && takeModifier(rest, "st.async");
  if (!isLoad && !isAsync && !takeModifier(rest, "st"))
    return false;
  bool atomic = takeOneOf(
      rest, {".volatile", ".relaxed", ".acquire", ".release", ".mmio"});
  takeModifier(rest, ".weak");
  takeOneOf(rest, {".cta", ".cluster", ".gpu", ".sys"});
  takeOneOf(rest, {".global", ".shared::cluster", ".shared::cta", ".shared",
                   ".param"});
  takeModifier(rest, ".nc");
  while (takeOneOf(rest, {".L1::no_allocate", ".L1::evict_last",
                          ".L1::evict_first", ".L2::cache_hint", ".L2::128B",
                          ".L2::256B", ".ca", ".cg", ".cs", ".wb", ".wt"}))
    ;
  if (isAsync)
    takeModifier(rest, ".mbarrier::complete_tx::bytes");
  uint64_t count = takeModifier(rest, ".v2")   ? 2
                   : takeModifier(rest, ".v4") ? 4
                                               : 1;
  uint64_t bytes = 0;
  bool isSigned = rest == ".s8" || rest == ".s16" || rest == ".s32";
  if (rest == ".b8" || rest == ".u8" || rest == ".s8")
    bytes = 1;
  else if (rest == ".b16" || rest == ".u16" || rest == ".s16")
    bytes = 2;
  else if (rest == ".b32" || rest == ".u32" || rest == ".s32" || rest == ".f32")
    bytes = 4;
  else if (rest == ".b64" || rest == ".u64" || rest == ".s64" || rest == ".f64")
    bytes = 8;
  if (bytes == 0 || bytes * count > 16)
    return false;
  handler.run = isLoad ? load : isAsync ? storeAsync : store;
  handler.parameter = bytes | count << 8 |
                      uint64_t(isSigned && bytes < 4) << 16 |
                      uint64_t(atomic) << 17;
  handler.minArguments = handler.maxArguments = isAsync ? 3 : 2;
  return true;
}

void mlir::sparseflow::sim::addAssemblyHandlers(Registry &registry) {
  registry.addAssembly("add.u64", {add<uint64_t>, 0, 3, 3});
  registry.addAssembly("add.s64", {add<uint64_t>, 0, 3, 3});
  for (const char *type : {"u32", "s32"}) {
    registry.addAssembly(std::string("add.") + type, {add<uint32_t>, 0, 3, 3});
    registry.addAssembly(std::string("sub.") + type,
                         {subtract<uint32_t>, 0, 3, 3});
    registry.addAssembly(std::string("mul.lo.") + type,
                         {multiply<uint32_t>, 0, 3, 3});
    registry.addAssembly(std::string("mov.") + type, {move<uint32_t>, 0, 2, 2});
  }
  registry.addAssembly("sub.s64", {subtract<uint64_t>, 0, 3, 3});
  registry.addAssembly("add.f32", {add<float>, 0, 3, 3});
  registry.addAssembly("sub.f32", {subtract<float>, 0, 3, 3});
  registry.addAssembly("mul.f32", {multiply<float>, 0, 3, 3});
  for (const char *type : {"b64", "u64", "s64", "f64"})
    registry.addAssembly(std::string("mov.") + type, {move<uint64_t>, 0, 2, 2});
  registry.addAssembly("mov.b32", {move<uint32_t>, 0, 2, 2});
  registry.addAssembly("mov.f32", {move<uint32_t>, 0, 2, 2});
  registry.addAssembly("mov.b16", {move<uint16_t>, 0, 2, 2});
  registry.addAssembly("mov.pred", {move<uint8_t>, 0, 2, 2});
  for (const char *type : {"b16", "b32", "b64", "pred"}) {
    registry.addAssembly(std::string("and.") + type, {bitAnd, 0, 3, 3});
    registry.addAssembly(std::string("or.") + type, {bitOr, 0, 3, 3});
    registry.addAssembly(std::string("xor.") + type, {bitXor, 0, 3, 3});
  }
  registry.addAssembly("not.pred", {bitNotPredicate, 0, 2, 2});
  registry.addAssembly("shl.b32", {shiftLeft<uint32_t>, 0, 3, 3});
  registry.addAssembly("shl.b64", {shiftLeft<uint64_t>, 0, 3, 3});
  registry.addAssembly("shr.u32", {shiftRight<uint32_t>, 0, 3, 3});
  registry.addAssembly("shr.b32", {shiftRight<uint32_t>, 0, 3, 3});
  registry.addAssembly("shr.s32", {shiftRight<int32_t>, 0, 3, 3});
  registry.addAssembly("shr.u64", {shiftRight<uint64_t>, 0, 3, 3});
  for (const char *type : {"b32", "u32", "s32", "f32", "b64", "u64", "f64"})
    registry.addAssembly(std::string("selp.") + type, {select, 0, 4, 4});
  addComparisons<uint32_t>(registry, "b32");
  addComparisons<uint32_t>(registry, "u32");
  addComparisons<int32_t>(registry, "s32");
  addComparisons<uint64_t>(registry, "b64");
  addComparisons<uint64_t>(registry, "u64");
  addComparisons<int64_t>(registry, "s64");
  addComparisons<float>(registry, "f32");
  registry.addAssembly("cvt.rn.f16x2.f32", {convertPair<false>, 0, 3, 3});
  registry.addAssembly("cvt.rn.bf16x2.f32", {convertPair<true>, 0, 3, 3});
  registry.addAssembly("cvt.rn.f16.f32", {convertOne<false>, 0, 2, 2});
  registry.addAssembly("cvt.rn.bf16.f32", {convertOne<true>, 0, 2, 2});
  registry.addAssembly("cvt.rn.f16x2.e4m3x2", {convertE4M3Pair, 0, 2, 2});
  registry.addAssembly("cvt.rni.s32.f32", {roundToInteger, 0, 2, 2});
  registry.addAssembly("cvt.pack.sat.s8.s32.b32", {packBytes, 0, 4, 4});
  registry.addAssembly("dp4a.s32.s32", {multiplyBytes, 0, 4, 4});
  registry.addAssembly("prmt.b32", {permute, 0, 4, 4});
  registry.addAssembly("lop3.b32", {logic, 0, 5, 5});
  addUnary<std::exp2>(registry, "ex2");
  addUnary<std::log2>(registry, "lg2");
  addUnary<reciprocal>(registry, "rcp");
  addUnary<reciprocalRoot>(registry, "rsqrt");
  addUnary<std::sqrt>(registry, "sqrt");
  addUnary<std::sin>(registry, "sin");
  addUnary<std::cos>(registry, "cos");
  registry.addAssembly("tanh.approx.f32", {unary<std::tanh, false>, 0, 2, 2});

  for (const char *name :
       {"bar.sync", "barrier.sync", "barrier.sync.aligned", "bar.cta.sync",
        "barrier.cta.sync", "barrier.cta.sync.aligned"})
    registry.addAssembly(name, {barrier, 0, 1, 2});
  for (const char *name :
       {"bar.arrive", "barrier.arrive", "barrier.arrive.aligned",
        "bar.cta.arrive", "barrier.cta.arrive", "barrier.cta.arrive.aligned"})
    registry.addAssembly(name, {barrier, 1, 2, 2});
  registry.addAssembly("bar.warp.sync", {warpBarrier, 0, 1, 1});
  registry.addAssembly("movmatrix.sync.aligned.m8n8.trans.b16",
                       {moveMatrix, 0, 2, 2});
  for (const std::string count : {"x1", "x2", "x4"})
    for (const std::string transposed : {"", ".trans"})
      for (const std::string space : {".shared", ".shared::cta"}) {
        const std::string form = "matrix.sync.aligned.m8n8." + count;
        auto parameter = [&](const char *kind) {
          return reinterpret_cast<uint64_t>(
              registry.find(kind + form + transposed + ".b16.p3"));
        };
        registry.addAssembly("ld" + form + transposed + space + ".b16",
                             {loadMatrix, parameter("ld"), 2, 2});
        registry.addAssembly("st" + form + transposed + space + ".b16",
                             {storeMatrix, parameter("st"), 2, 2});
      }
}

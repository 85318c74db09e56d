//===- WgmmaTest.cpp - MMAs of a warpgroup --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test writes whole matrices into an image of shared memory, element by
// element, by the PTX ISA's canonical layouts, and compares the registers of
// all 128 threads with the plain product.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include <cmath>

using namespace mlir::sparseflow::sim;

namespace {

struct Form {
  int n;
  bool sparse, bfloat, aInRegisters, transposeA, transposeB;
  int swizzleA, swizzleB; // bytes
  int selector;
  bool accumulate;
};

constexpr int bPlace = 16384, imageBytes = 16384 + 64 * 1024;

std::string number(int64_t value) { return std::to_string(value); }

/// Loads the image with one bulk copy and runs one product. `lines` replace
/// some of its parts, for the tests of defects.
std::string kernelFor(const Form &form, const std::string &fence,
                      const std::string &wait = "") {
  int registers = form.n / 2;
  std::string text = R"(
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global i64 poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
define ptx_kernel void @k(ptr addrspace(1) %image, i64 %da, i64 %db, ptr addrspace(1) %meta, ptr addrspace(1) %a, ptr addrspace(1) %c, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %load, label %go
load:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %s7 = addrspacecast ptr addrspace(3) @shared to ptr addrspace(7)
  %st = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 BYTES)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %s7, ptr addrspace(3) @bar, ptr addrspace(1) %image, i32 BYTES, i16 0, i64 0, i1 false, i1 false)
  br label %go
go:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %ready, label %wait
ready:
  %si = ptrtoint ptr addrspace(3) @shared to i32
  %sm = and i32 %si, 262143
  %sh = lshr i32 %sm, 4
  %sz = zext i32 %sh to i64
  %dA = add i64 %da, %sz
  %dB = add i64 %db, %sz
  %mp = getelementptr i32, ptr addrspace(1) %meta, i32 %t
  %m = load i32, ptr addrspace(1) %mp
  %a4 = mul i32 %t, 4
)";
  for (size_t at; (at = text.find("BYTES")) != std::string::npos;)
    text.replace(at, 5, number(imageBytes));
  std::string operands, constraints, list, ties, tieTypes;
  for (int i = 0; i < 4; ++i)
    text += "  %a" + number(i) + "i = add i32 %a4, " + number(i) + "\n  %a" +
            number(i) + "p = getelementptr i32, ptr addrspace(1) %a, i32 %a" +
            number(i) + "i\n  %ar" + number(i) +
            " = load i32, ptr addrspace(1) %a" + number(i) + "p\n";
  text += "  %base = mul i32 %t, " + number(registers) + "\n";
  std::string structType = "{";
  for (int i = 0; i < registers; ++i) {
    std::string n = number(i);
    text += "  %i" + n + " = add i32 %base, " + n + "\n  %p" + n +
            " = getelementptr float, ptr addrspace(1) %c, i32 %i" + n +
            "\n  %c" + n + " = load float, ptr addrspace(1) %p" + n + "\n";
    constraints += "=f,";
    list += (i ? ", $" : "$") + n;
    ties += "," + n;
    structType += i ? ", float" : "float";
  }
  structType += "}";
  // Outputs 0 .. registers - 1, then A (1 or 4), B, metadata, scale, ties.
  int next = registers;
  std::string inputs, inputConstraints, aText;
  if (form.aInRegisters) {
    for (int i = 0; i < 4; ++i) {
      inputs += (i ? ", i32 %ar" : "i32 %ar") + number(i);
      inputConstraints += "r,";
      aText += (i ? ", $" : "{$") + number(next++);
    }
    aText += "}";
  } else {
    inputs += "i64 %dA";
    inputConstraints += "l,";
    aText = "$" + number(next++);
  }
  inputs += ", i64 %dB, i32 %m, i32 " + number(form.accumulate);
  inputConstraints += "l,r,r";
  std::string bText = "$" + number(next), mText = "$" + number(next + 1),
              pText = "$" + number(next + 2);
  std::string type = form.bfloat ? "bf16" : "f16";
  std::string assembly = "{ .reg .pred p; setp.ne.b32 p, " + pText +
                         ", 0; wgmma.mma_async" + (form.sparse ? ".sp" : "") +
                         ".sync.aligned.m64n" + number(form.n) + "k" +
                         (form.sparse ? "32" : "16") + ".f32." + type + "." +
                         type + " {" + list + "}, " + aText + ", " + bText;
  if (form.sparse)
    assembly += ", " + mText + ", " + number(form.selector);
  assembly += ", p, 1, 1";
  if (!form.aInRegisters)
    assembly += form.transposeA ? ", 1" : ", 0";
  assembly += form.transposeB ? ", 1; }" : ", 0; }";
  std::string accumulators, results;
  for (int i = 0; i < registers; ++i) {
    accumulators += ", float %c" + number(i);
    results += (i ? ", float %r" : "float %r") + number(i);
  }
  text += fence + "  %w = call " + structType + " asm sideeffect \"" +
          assembly + "\", \"" + constraints + inputConstraints + ties + "\"(" +
          inputs + accumulators + ")\n";
  for (int i = 0; i < registers; ++i)
    text += "  %r" + number(i) + " = extractvalue " + structType + " %w, " +
            number(i) + "\n";
  text += "  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()\n";
  text += wait;
  text += "  %f = call " + structType +
          " asm sideeffect \"wgmma.wait_group.sync.aligned 0;\", \"" +
          constraints + ties.substr(1) + "\"(" + results + ")\n";
  for (int i = 0; i < registers; ++i) {
    std::string n = number(i);
    text += "  %f" + n + " = extractvalue " + structType + " %f, " + n +
            "\n  %o" + n +
            " = getelementptr float, ptr addrspace(1) %out, i32 %i" + n +
            "\n  store float %f" + n + ", ptr addrspace(1) %o" + n + "\n";
  }
  return text + "  ret void\n}\n";
}

const char *const fenceLine =
    "  call void @llvm.nvvm.wgmma.fence.sync.aligned()\n";

/// The matrices of a product, the image of shared memory and the registers.
struct Case {
  Case(const Form &form, Random &random) : form(form) {
    k = form.sparse ? 32 : 16;
    a.resize(64 * 16);
    position.resize(64 * 16);
    b.resize(static_cast<size_t>(k * form.n));
    sums.resize(static_cast<size_t>(64 * form.n));
    for (float &value : a)
      value = static_cast<float>(random(17)) - 8;
    for (float &value : b)
      value = (static_cast<float>(random(17)) - 8) / 4;
    for (float &value : sums)
      value = static_cast<float>(random(100));
    for (int row = 0; row < 64; ++row)
      for (int i = 0; i < 16; i += form.sparse ? 2 : 1) {
        int first = static_cast<int>(random(3));
        int second = first + 1 +
                     static_cast<int>(random(static_cast<uint32_t>(3 - first)));
        position[row * 16 + i] = form.sparse ? i * 2 + first : i;
        if (form.sparse)
          position[row * 16 + i + 1] = i * 2 + second;
      }
    image.assign(imageBytes, 0xcd);
    metadata.assign(128, 0xffffffff);
    registers.assign(128 * 8, 0xffff);
    fillA();
    fillB();
    if (form.sparse)
      fillMetadata();
    int count = form.n / 2;
    c.resize(static_cast<size_t>(128 * count));
    for (int t = 0; t < 128; ++t)
      for (int i = 0; i < count; ++i)
        c[t * count + i] = sums[row(t, i) * form.n + column(t, i)];
  }

  // "D Fragment layout for wgmma .m64nN": groups of 4 elements, 8 columns each.
  static int row(int t, int i) {
    return t / 32 * 16 + (t % 32) / 4 + (i % 4 >= 2 ? 8 : 0);
  }
  static int column(int t, int i) { return i / 4 * 8 + t % 4 * 2 + i % 2; }

  uint16_t bits(float value) const {
    return form.bfloat ? toBFloat(value) : toHalf(value);
  }
  void put(int place, float value) {
    uint16_t half = bits(value);
    std::memcpy(&image[static_cast<size_t>(place)], &half, sizeof half);
  }
  /// 16-byte pieces change places within repeats of 8 rows.
  static int swizzle(int place, int width) {
    int piece = place / 16, line = place / 128;
    int mask = width == 128 ? 7 : width == 64 ? 3 : width == 32 ? 1 : 0;
    return ((piece ^ (line & mask)) * 16) + place % 16;
  }

  void fillA() {
    uint64_t mode = form.swizzleA == 128  ? 1
                    : form.swizzleA == 64 ? 2
                    : form.swizzleA == 32 ? 3
                                          : 0;
    uint64_t lbo = 0, sbo = 0;
    for (int m = 0; m < 64; ++m)
      for (int i = 0; i < 16; ++i) {
        int place;
        if (form.transposeA) {
          // 64 elements of m in a row of 128 bytes.
          lbo = 1;
          sbo = 1024;
          place = swizzle(i / 8 * 1024 + i % 8 * 128 + m * 2, 128);
        } else if (form.swizzleA == 0) {
          lbo = 128;
          sbo = 256;
          place = m / 8 * 256 + i / 8 * 128 + m % 8 * 16 + i % 8 * 2;
        } else {
          lbo = 1;
          sbo = static_cast<uint64_t>(form.swizzleA) * 8;
          place = swizzle(m * form.swizzleA + i * 2, form.swizzleA);
        }
        put(place, a[m * 16 + i]);
        // "A fragment": rows g and g + 8, pairs of columns, then columns + 8.
        int t = m / 16 * 32 + m % 8 * 4 + i % 8 / 2;
        int index = i / 8 * 4 + (m % 16 >= 8 ? 2 : 0) + i % 2;
        registers[t * 8 + index] = bits(a[m * 16 + i]);
      }
    aDescriptor = lbo >> 4 << 16 | sbo >> 4 << 32 | mode << 62;
  }

  void fillB() {
    uint64_t mode = form.swizzleB == 128  ? 1
                    : form.swizzleB == 64 ? 2
                    : form.swizzleB == 32 ? 3
                                          : 0;
    uint64_t lbo = 16, sbo = 0;
    for (int n = 0; n < form.n; ++n)
      for (int i = 0; i < k; ++i) {
        int place, width = form.swizzleB;
        if (form.transposeB && width) {
          // Blocks of `width` bytes of n; 8 rows of k, then the next 8.
          int across = width / 2;
          lbo = static_cast<uint64_t>(width) * static_cast<uint64_t>(k);
          sbo = static_cast<uint64_t>(width) * 8;
          place = swizzle(n / across * width * k + i * width + n % across * 2,
                          width);
        } else if (form.transposeB) {
          // Core matrices of 8 k by 8 n: SBO apart along n, LBO along k.
          sbo = 128;
          lbo = static_cast<uint64_t>(form.n / 8) * 128;
          place =
              i / 8 * form.n / 8 * 128 + n / 8 * 128 + i % 8 * 16 + n % 8 * 2;
        } else if (width == 0) {
          lbo = 128;
          sbo = static_cast<uint64_t>(k) * 16;
          place = n / 8 * k * 16 + i / 8 * 128 + n % 8 * 16 + i % 8 * 2;
        } else {
          sbo = static_cast<uint64_t>(width) * 8;
          place = swizzle(n * width + i * 2, width);
        }
        put(bPlace + place, b[i * form.n + n]);
      }
    bDescriptor = bPlace >> 4 | lbo >> 4 << 16 | sbo >> 4 << 32 | mode << 62;
  }

  void fillMetadata() {
    for (int m = 0; m < 64; ++m)
      for (int half = 0; half < 2; ++half) {
        int t = m / 16 * 32 + m % 8 * 4 + form.selector * 2 + half;
        uint32_t value = 0;
        for (int i = 0; i < 8; ++i)
          value |= static_cast<uint32_t>(position[m * 16 + half * 8 + i] % 4)
                   << 2 * i;
        int shift = m % 16 >= 8 ? 16 : 0;
        metadata[t] &= ~(0xffffu << shift);
        metadata[t] |= value << shift;
      }
  }

  float expected(int m, int n) const {
    float sum = form.accumulate ? sums[m * form.n + n] : 0;
    for (int i = 0; i < 16; ++i)
      sum += a[m * 16 + i] * b[position[m * 16 + i] * form.n + n];
    return sum;
  }

  LaunchReport run(const std::string &text, SimulatorOptions options = {}) {
    int count = form.n / 2;
    out.assign(static_cast<size_t>(128 * count), NAN);
    TestKernel kernel(text, options);
    return kernel.buffer(image, false)
        .value(aDescriptor)
        .value(bDescriptor)
        .buffer(metadata, false)
        .buffer(registers, false)
        .buffer(c, false)
        .buffer(out)
        .run({}, {128, 1, 1}, imageBytes);
  }

  void check(SimulatorOptions options = {}) {
    LaunchReport report = run(kernelFor(form, fenceLine), options);
    EXPECT_TRUE(report.ok()) << report.text();
    int count = form.n / 2, wrong = 0;
    for (int t = 0; t < 128; ++t)
      for (int i = 0; i < count; ++i)
        if (out[t * count + i] != expected(row(t, i), column(t, i)) &&
            ++wrong < 4)
          ADD_FAILURE() << "thread " << t << " register " << i << " is "
                        << out[t * count + i] << ", not "
                        << expected(row(t, i), column(t, i));
    EXPECT_EQ(wrong, 0);
  }

  Form form;
  int k;
  std::vector<float> a, b, sums, c, out;
  std::vector<int> position;
  std::vector<uint8_t> image;
  std::vector<uint16_t> registers;
  std::vector<uint32_t> metadata;
  uint64_t aDescriptor = 0, bDescriptor = 0;
};

struct Wgmma : testing::TestWithParam<Form> {};

TEST_P(Wgmma, EqualsTheProduct) {
  Random random;
  Case matrices(GetParam(), random);
  matrices.check();
  SimulatorOptions options;
  options.asyncCopies = AsyncCopies::Early;
  matrices.check(options);
  options.asyncCopies = AsyncCopies::Late;
  options.seed = 7;
  matrices.check(options);
}

INSTANTIATE_TEST_SUITE_P(
    All, Wgmma,
    testing::Values(
        // n, sparse, bf16, A in registers, transposed A and B, swizzles of A
        // and B, selector, accumulate
        Form{8, false, false, false, false, false, 0, 0, 0, true},
        Form{64, false, true, false, false, false, 128, 128, 0, false},
        Form{24, false, false, false, false, false, 64, 64, 0, true},
        Form{40, false, false, false, false, false, 32, 32, 0, true},
        Form{128, false, false, true, false, false, 0, 128, 0, true},
        Form{64, false, false, true, false, true, 0, 128, 0, true},
        Form{128, false, true, true, false, true, 0, 128, 0, true},
        Form{64, false, false, true, false, true, 0, 64, 0, false},
        Form{32, false, false, true, false, true, 0, 32, 0, true},
        Form{16, false, false, false, false, true, 0, 0, 0, true},
        Form{16, false, false, false, true, false, 128, 128, 0, true},
        Form{8, true, false, false, false, false, 0, 0, 0, true},
        Form{256, true, false, false, false, false, 0, 128, 0, true},
        Form{192, true, true, false, false, false, 0, 128, 1, true},
        Form{16, true, false, false, false, false, 32, 64, 1, false},
        Form{64, true, true, false, false, false, 64, 128, 0, true},
        Form{128, true, false, true, false, false, 0, 128, 1, true},
        Form{88, true, true, true, false, false, 0, 128, 0, true}));

const Form small{8, true, false, false, false, false, 0, 0, 0, true};

TEST(WgmmaDefects, MissingFence) {
  Random random;
  Case matrices(small, random);
  LaunchReport report = matrices.run(kernelFor(small, ""));
  ASSERT_EQ(report.findings.size(), 1u) << report.text();
  EXPECT_NE(report.findings[0].message.find("expected wgmma.fence before"),
            std::string::npos)
      << report.text();
}

TEST(WgmmaDefects, InvalidMetadata) {
  Random random;
  Case matrices(small, random);
  // Row 21 is row 5 + 16: thread 32 + 5 * 4, in the lower half.
  matrices.metadata[52] = (matrices.metadata[52] & ~0xf0u) | 0x10;
  LaunchReport report = matrices.run(kernelFor(small, fenceLine));
  ASSERT_EQ(report.findings.size(), 1u) << report.text();
  EXPECT_EQ(report.findings[0].thread.x, 52u);
  EXPECT_NE(
      report.findings[0].message.find("invalid 2:4 metadata 0x1 (word 0x"),
      std::string::npos)
      << report.text();
  EXPECT_NE(report.findings[0].message.find("for row 21, columns 4 to 7"),
            std::string::npos)
      << report.text();
}

TEST(WgmmaDefects, OutOfBounds) {
  Random random;
  Case matrices(small, random);
  matrices.bDescriptor += (imageBytes - bPlace) >> 4;
  LaunchReport report = matrices.run(kernelFor(small, fenceLine));
  ASSERT_EQ(report.findings.size(), 1u) << report.text();
  EXPECT_EQ(report.findings[0].kind, FindingKind::OutOfBounds);
}

TEST(WgmmaDefects, DifferentDescriptors) {
  Random random;
  Case matrices(small, random);
  std::string text = kernelFor(small, fenceLine);
  size_t at = text.find("  %dB = add i64 %db, %sz\n");
  ASSERT_NE(at, std::string::npos);
  text.insert(at, "  %odd = zext i1 %first to i64\n");
  at = text.find("i64 %dB,");
  text.replace(at, 7, "i64 %dC");
  at = text.find("  %w = call");
  text.insert(at, "  %dC = add i64 %dB, %odd\n");
  LaunchReport report = matrices.run(text);
  ASSERT_EQ(report.findings.size(), 1u) << report.text();
  EXPECT_NE(report.findings[0].message.find("different descriptors"),
            std::string::npos)
      << report.text();
}

TEST(WgmmaDefects, OperandsOverwrittenBeforeTheWait) {
  Random random;
  Case matrices(small, random);
  LaunchReport report = matrices.run(
      kernelFor(small, fenceLine,
                "  %q = getelementptr i16, ptr addrspace(3) @shared, i32 %t\n"
                "  store i16 0, ptr addrspace(3) %q\n"));
  EXPECT_TRUE(report.ok()) << report.text();
  int different = 0;
  for (int t = 0; t < 128; ++t)
    for (int i = 0; i < 4; ++i)
      different += matrices.out[t * 4 + i] !=
                   matrices.expected(Case::row(t, i), Case::column(t, i));
  // Warp 0 alone overwrites 4 rows before it waits.
  EXPECT_GT(different, 8);
}

// Accumulators that nobody wrote, as in a product whose assembly has no tied
// inputs, are what was in the registers before: fine where the product starts
// from zero, a NaN where it adds to them.
TEST(WgmmaDefects, UntiedAccumulators) {
  for (bool accumulate : {false, true}) {
    Form form = small;
    form.accumulate = accumulate;
    Random random;
    Case matrices(form, random);
    std::string text = kernelFor(form, fenceLine);
    auto erase = [&](const std::string &part) {
      size_t at = text.find(part, text.find("  %w = call"));
      ASSERT_NE(at, std::string::npos);
      text.erase(at, part.size());
    };
    erase(",0,1,2,3");
    erase(", float %c0, float %c1, float %c2, float %c3");
    LaunchReport report = matrices.run(text);
    EXPECT_TRUE(report.ok()) << report.text();
    for (int t = 0; t < 128; ++t)
      for (int i = 0; i < 4; ++i) {
        float found = matrices.out[t * 4 + i];
        if (accumulate)
          ASSERT_TRUE(std::isnan(found)) << found;
        else
          ASSERT_EQ(found,
                    matrices.expected(Case::row(t, i), Case::column(t, i)));
      }
  }
}

} // namespace

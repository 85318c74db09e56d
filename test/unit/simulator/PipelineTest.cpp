//===- PipelineTest.cpp - A ring of stages between roles ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel as the compiler makes them for sm_90a, in small: warp 4 loads stages
// by bulk copies and TMA, warps 0 to 3 multiply by wgmma, release the stages,
// and store by the asynchronous proxy. Taking any one of its synchronisations
// away is found.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

using namespace mlir::sparseflow::sim;

namespace {

// Two stages of 8192 + 2048 bytes; in @bars, 8 bytes each, the barriers of full
// stages and then those of empty ones.
constexpr int n = 16, steps = 6;

const char *const kernelText = R"(
@shared = external addrspace(3) global [0 x i8], align 1024
@bars = internal addrspace(3) global [4 x i64] poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3), ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %a, ptr addrspace(1) %out) "nvvm.reqntid"="160" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %init, label %roles
init:
  %full1 = getelementptr i8, ptr addrspace(3) @bars, i32 8
  %empty0 = getelementptr i8, ptr addrspace(3) @bars, i32 16
  %empty1 = getelementptr i8, ptr addrspace(3) @bars, i32 24
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bars, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %full1, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %empty0, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %empty1, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster() ; barriers-fence
  br label %roles
roles:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; barriers-sync
  %producer = icmp uge i32 %t, 128
  br i1 %producer, label %produce, label %consume
produce:
  %one = icmp eq i32 %t, 128
  br i1 %one, label %load, label %end
load:
  %pi = phi i32 [0, %produce], [%pi2, %load]
  %ps = and i32 %pi, 1
  %pround = lshr i32 %pi, 1
  %pparity0 = and i32 %pround, 1
  %pparity = xor i32 %pparity0, 1
  %ps8 = mul i32 %ps, 8
  %pfull = getelementptr i8, ptr addrspace(3) @bars, i32 %ps8
  %pempty = getelementptr i8, ptr addrspace(3) %pfull, i32 16
  call void asm sideeffect "{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @p bra D; bra W; D: }", "r,r"(ptr addrspace(3) %pempty, i32 %pparity) ; empty-wait
  %e = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %pfull, i32 10240)
  %pso = mul i32 %ps, 10240
  %pA = getelementptr i8, ptr addrspace(3) @shared, i32 %pso
  %pB = getelementptr i8, ptr addrspace(3) %pA, i32 8192
  %pk = mul i32 %pi, 8192
  %pg = getelementptr i8, ptr addrspace(1) %a, i32 %pk
  %px = mul i32 %pi, 64
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) %pA, ptr addrspace(3) %pfull, ptr addrspace(1) %pg, i32 8192, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) %pB, ptr addrspace(3) %pfull, ptr %map, i32 %px, i32 0, i64 0, i1 false)
  %pi2 = add i32 %pi, 1
  %pmore = icmp ult i32 %pi2, 6
  br i1 %pmore, label %load, label %end
consume:
  %si = ptrtoint ptr addrspace(3) @shared to i32
  %sm = and i32 %si, 262143
  %sh = lshr i32 %sm, 4
  %sz = zext i32 %sh to i64
  br label %step
step:
  %i = phi i32 [0, %consume], [%i2, %released]
ACCUMULATORS
  %s = and i32 %i, 1
  %round = lshr i32 %i, 1
  %parity = and i32 %round, 1
  %s8 = mul i32 %s, 8
  %full = getelementptr i8, ptr addrspace(3) @bars, i32 %s8
  %empty = getelementptr i8, ptr addrspace(3) %full, i32 16
  call void asm sideeffect "{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @p bra D; bra W; D: }", "r,r"(ptr addrspace(3) %full, i32 %parity) ; full-wait
  %so = mul i32 %s, 640
  %so64 = zext i32 %so to i64
  %base = add i64 %sz, %so64
  call void @llvm.nvvm.wgmma.fence.sync.aligned() ; wgmma-fence
PRODUCTS
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
EARLY
WAIT
  br i1 %first, label %release, label %released
release:
  %ar = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %empty) ; empty-arrive
  br label %released
released:
  %i2 = add i32 %i, 1
  %more = icmp ult i32 %i2, 6
  br i1 %more, label %step, label %store
store:
STORES
  call void @llvm.nvvm.fence.proxy.async.shared_cta() ; store-fence
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 128) ; store-sync
  br i1 %first, label %bulk, label %end
bulk:
  %staging = getelementptr i8, ptr addrspace(3) @shared, i32 20480
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %out, ptr addrspace(3) %staging, i32 4096, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0) ; store-wait
  br label %end
end:
  ret void
}
)";

void replace(std::string &text, const std::string &what,
             const std::string &by) {
  size_t at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
}

/// Removes the line that ends with a comment of this name.
void removeLine(std::string &text, const std::string &name) {
  size_t at = text.find("; " + name + "\n");
  ASSERT_NE(at, std::string::npos) << name;
  size_t begin = text.rfind('\n', at) + 1;
  text.erase(begin, text.find('\n', at) + 1 - begin);
}

std::string kernel() {
  std::string text = kernelText;
  const std::string type =
      "{float, float, float, float, float, float, float, float}";
  std::string phis, products, wait, stores;
  auto number = [](int value) { return std::to_string(value); };
  for (int i = 0; i < 8; ++i)
    phis += "  %c" + number(i) + " = phi float [0.0, %consume], [%w" +
            number(i) + ", %released]\n";
  // A: blocks of 64 x 16 without swizzle; B: rows of 128 bytes.
  for (int k = 0; k < 4; ++k) {
    std::string K = number(k), in;
    for (int i = 0; i < 8; ++i)
      in += ", float %" + std::string(k ? "p" + number(k - 1) + "_" : "c") +
            number(i);
    uint64_t a =
        uint64_t(k) * 128 | uint64_t(128 >> 4) << 16 | uint64_t(256 >> 4) << 32;
    uint64_t b = (512 + uint64_t(k) * 2) | uint64_t(1) << 16 |
                 uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
    products +=
        "  %a" + K + " = add i64 %base, " + std::to_string(a) + "\n  %b" + K +
        " = add i64 %base, " + std::to_string(b) + "\n  %p" + K + " = call " +
        type +
        " asm sideeffect \"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
        "{$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, 1, 1, 1, 0, 0;\", "
        "\"=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7\"(i64 %a" +
        K + ", i64 %b" + K + in + ")\n";
    for (int i = 0; i < 8; ++i)
      products += "  %p" + K + "_" + number(i) + " = extractvalue " + type +
                  " %p" + K + ", " + number(i) + "\n";
  }
  wait = "  %w = call " + type +
         " asm sideeffect \"wgmma.wait_group.sync.aligned 0;\", "
         "\"=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7\"(";
  for (int i = 0; i < 8; ++i)
    wait += (i ? ", float %p3_" : "float %p3_") + number(i);
  wait += ")\n";
  for (int i = 0; i < 8; ++i)
    wait += "  %w" + number(i) + " = extractvalue " + type + " %w, " +
            number(i) + "\n";
  for (int i = 0; i < 8; ++i) {
    std::string I = number(i);
    // Staging holds [thread][register].
    stores += "  %sa" + I + " = mul i32 %t, 32\n  %sb" + I + " = add i32 %sa" +
              I + ", " + number(20480 + 4 * i) + "\n  %sp" + I +
              " = getelementptr i8, ptr addrspace(3) @shared, i32 %sb" + I +
              "\n  store float %w" + I + ", ptr addrspace(3) %sp" + I + "\n";
  }
  replace(text, "ACCUMULATORS\n", phis);
  replace(text, "PRODUCTS\n", products);
  replace(text, "WAIT\n", wait);
  replace(text, "STORES\n", stores);
  return text;
}

struct Pipeline : testing::Test {
  Pipeline() {
    Random random;
    for (uint16_t &value : a)
      value = toHalf(static_cast<float>(random(9)) - 4);
    for (uint16_t &value : b)
      value = toHalf(static_cast<float>(random(9)) - 4);
    for (size_t i = 0; i < expected.size(); ++i) {
      int t = static_cast<int>(i / 8), r = static_cast<int>(i % 8);
      int row = t / 32 * 16 + t % 32 / 4 + (r % 4 >= 2 ? 8 : 0);
      int column = r / 4 * 8 + t % 4 * 2 + r % 2;
      for (int k = 0; k < steps * 64; ++k) {
        int block = k / 16, c = k % 16;
        int at =
            block * 1024 + (row / 8 * 2 + c / 8) * 64 + row % 8 * 8 + c % 8;
        expected[i] +=
            fromHalf(a[static_cast<size_t>(at)]) *
            fromHalf(b[static_cast<size_t>(column * steps * 64 + k)]);
      }
    }
    map.address = reinterpret_cast<uint64_t>(b.data());
    map.elementBytes = 2;
    map.rank = 2;
    map.sizes[0] = steps * 64;
    map.sizes[1] = n;
    map.strides[0] = steps * 64 * 2;
    map.box[0] = 64;
    map.box[1] = n;
    map.swizzle = 128;
  }
  static float fromHalf(uint16_t half) {
    if (half == 0)
      return 0;
    for (int value = -4; value <= 4; ++value)
      if (toHalf(static_cast<float>(value)) == half)
        return static_cast<float>(value);
    ADD_FAILURE();
    return 0;
  }

  LaunchReport run(std::string text) {
    if (text.find("EARLY\n") != std::string::npos)
      replace(text, "EARLY\n", "");
    out.assign(1024, -1);
    TestKernel made(text, options);
    made.simulator->addBuffer({b.data(), b.size() * 2, "b", false});
    LaunchReport report = made.tensorMap(map).buffer(a, false).buffer(out).run(
        {}, {160, 1, 1}, 24576);
    return report;
  }
  /// Found by a report, in every order.
  void expectFound(const std::string &text, std::set<FindingKind> kinds,
                   const std::string &part = "") {
    for (uint64_t seed : {0, 1, 2, 3}) {
      options.seed = seed;
      LaunchReport report = run(text);
      ASSERT_FALSE(report.ok()) << "seed " << seed << " part " << part;
      bool found = false;
      for (const Finding &finding : report.findings)
        found |= kinds.count(finding.kind) &&
                 finding.message.find(part) != std::string::npos;
      EXPECT_TRUE(found) << part << ": " << report.text();
    }
  }

  std::vector<uint16_t> a = std::vector<uint16_t>(64 * steps * 64);
  std::vector<uint16_t> b = std::vector<uint16_t>(n * steps * 64);
  std::vector<float> expected = std::vector<float>(1024), out;
  TensorMap map;
  SimulatorOptions options = [] {
    SimulatorOptions made;
    made.races = true;
    return made;
  }();
};

TEST_F(Pipeline, IsCorrect) {
  for (bool races : {false, true})
    for (AsyncCopies when : {AsyncCopies::Late, AsyncCopies::Early})
      for (uint64_t seed : {0, 1, 2, 3, 4, 5}) {
        options.races = races;
        options.asyncCopies = when;
        options.seed = seed;
        LaunchReport report = run(kernel());
        ASSERT_TRUE(report.ok()) << report.text();
        EXPECT_EQ(out, expected) << "seed " << seed;
      }
}

TEST_F(Pipeline, BarriersNotFenced) {
  std::string text = kernel();
  removeLine(text, "barriers-fence");
  expectFound(text, {FindingKind::MissingFence}, "no fence.proxy.async");
}

TEST_F(Pipeline, BarriersNotSynchronised) {
  std::string text = kernel();
  removeLine(text, "barriers-sync");
  expectFound(text, {FindingKind::Race, FindingKind::BadOperand});
}

TEST_F(Pipeline, NoWaitForFull) {
  std::string text = kernel();
  removeLine(text, "full-wait");
  expectFound(text, {FindingKind::AsyncRace, FindingKind::Race});
}

TEST_F(Pipeline, NoWaitForEmpty) {
  std::string text = kernel();
  removeLine(text, "empty-wait");
  // The producer is so fast that it arrives twice for one phase.
  expectFound(text, {FindingKind::BadOperand}, "which waits for 0 of 1");
}

TEST_F(Pipeline, WaitsForEmptyOnceTooFew) {
  // One round of the ring is not waited for: the slot is still in use.
  std::string text = kernel();
  replace(text, "%pparity = xor i32 %pparity0, 1",
          "%pparity = add i32 %pparity0, 0");
  expectFound(text, {FindingKind::Deadlock}, "for parity 0");
  text = kernel();
  replace(text, "  %e = call i64", "  br label %go\ngo:\n  %e = call i64");
  replace(text, "[%pi2, %load]", "[%pi2, %go]");
  replace(text, "  call void asm",
          "  %late = icmp ult i32 %pi, 4\n"
          "  br i1 %late, label %ask, label %go\nask:\n"
          "  call void asm");
  expectFound(text, {FindingKind::AsyncRace, FindingKind::Race,
                     FindingKind::BadOperand});
}

TEST_F(Pipeline, ReleasedTooEarly) {
  // The stage is released before the products that read it are complete.
  std::string text = kernel();
  removeLine(text, "empty-arrive");
  replace(text, "EARLY\n",
          "  br i1 %first, label %early, label %later\nearly:\n"
          "  %ar = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr "
          "addrspace(3) %empty)\n  br label %later\nlater:\n");
  expectFound(text, {FindingKind::AsyncRace, FindingKind::Race},
              "wgmma of warpgroup 0");
}

TEST_F(Pipeline, NoWgmmaFence) {
  std::string text = kernel();
  removeLine(text, "wgmma-fence");
  expectFound(text, {FindingKind::BadOperand}, "expected wgmma.fence");
}

TEST_F(Pipeline, StoreNotFenced) {
  std::string text = kernel();
  removeLine(text, "store-fence");
  expectFound(text, {FindingKind::MissingFence}, "through the generic proxy");
}

TEST_F(Pipeline, StoreNotSynchronised) {
  std::string text = kernel();
  removeLine(text, "store-sync");
  expectFound(text, {FindingKind::Race}, "with no barrier in between");
}

TEST_F(Pipeline, StoreNotWaitedFor) {
  std::string text = kernel();
  removeLine(text, "store-wait");
  expectFound(text, {FindingKind::AsyncRace}, "wait_group.read");
  // Overwriting the source before the wait is found where it happens.
  text = kernel();
  removeLine(text, "store-wait");
  replace(text, "  br label %end\nend:\n",
          "  store float 1.0, ptr addrspace(3) %staging\n"
          "  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)\n"
          "  br label %end\nend:\n");
  expectFound(text, {FindingKind::AsyncRace}, "is still read by thread");
}

TEST_F(Pipeline, WrongBytesAndParity) {
  std::string text = kernel();
  replace(text, "%pfull, i32 10240)", "%pfull, i32 10256)");
  expectFound(text, {FindingKind::Deadlock}, "0 of 1 arrivals and 16 bytes");
  text = kernel();
  replace(text, "%parity = and i32 %round, 1", "%parity = add i32 0, 0");
  expectFound(
      text, {FindingKind::AsyncRace, FindingKind::Race, FindingKind::Deadlock});
}

TEST_F(Pipeline, ReadsThatNothingEnds) {
  // The others' reads of a slot are not over when one thread gives it back: the
  // product has its operands from shared memory, and waits for no registers.
  std::string text = kernel();
  replace(text,
          "  call void @llvm.nvvm.wgmma.fence.sync.aligned() ; "
          "wgmma-fence\n",
          "  %ow = mul i32 %s, 10240\n  %ox = mul i32 %t, 4\n"
          "  %oy = add i32 %ow, %ox\n"
          "  %op = getelementptr i8, ptr addrspace(3) @shared, i32 %oy\n"
          "  %ov = load i32, ptr addrspace(3) %op\n"
          "  call void @llvm.nvvm.wgmma.fence.sync.aligned()\n");
  expectFound(text, {FindingKind::Race}, "was read by thread");
  replace(text, "  br i1 %first, label %release, label %released",
          "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 "
          "128)\n  br i1 %first, label %release, label %released");
  LaunchReport report = run(text);
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST_F(Pipeline, GenericWritesToOperands) {
  // A consumer writes an operand of wgmma itself: it needs the proxy fence.
  std::string text = kernel();
  replace(text,
          "  call void @llvm.nvvm.wgmma.fence.sync.aligned() ; "
          "wgmma-fence\n",
          "  %ow = mul i32 %s, 10240\n  %ox = mul i32 %t, 4\n"
          "  %oy = add i32 %ow, %ox\n"
          "  %op = getelementptr i8, ptr addrspace(3) @shared, i32 %oy\n"
          "  %ov = load i32, ptr addrspace(3) %op\n"
          "  store i32 %ov, ptr addrspace(3) %op\n"
          "  call void @llvm.nvvm.fence.proxy.async.shared_cta() ; own-fence\n"
          "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 "
          "128)\n"
          "  call void @llvm.nvvm.wgmma.fence.sync.aligned()\n");
  LaunchReport report = run(text);
  EXPECT_TRUE(report.ok()) << report.text();
  removeLine(text, "own-fence");
  expectFound(text, {FindingKind::MissingFence}, "through the generic proxy");
}

} // namespace

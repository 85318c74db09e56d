//===- BulkTest.cpp - Copies of the asynchronous proxy --------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

using namespace mlir::sparseflow::sim;

namespace {

const char *const declarations = R"(
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global i64 poison, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3), ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
)";

/// Thread 0 runs `first`, all go through a barrier, then run `then`. %t is the
/// thread, %w the place of its word in shared memory, %o in the output.
std::string kernelOf(const std::string &first, const std::string &then) {
  return std::string(declarations) + R"(
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %x, i32 %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = getelementptr i32, ptr addrspace(3) @shared, i32 %t
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %first = icmp eq i32 %t, 0
  br i1 %first, label %one, label %all
one:
)" + first +
         R"(
  br label %all
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)" + then +
         "  ret void\n}\n";
}

const char *const init =
    "  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 "
    "1)\n";
std::string expect(int bytes) {
  return "  %e = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space."
         "cta(ptr addrspace(3) @bar, i32 " +
         std::to_string(bytes) + ")\n";
}
const char *const loadTile =
    "  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr "
    "addrspace(3) @shared, ptr addrspace(3) @bar, ptr %map, i32 %x, i32 %y, "
    "i64 0, i1 false)\n";
const char *const loadRow =
    "  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr "
    "addrspace(3) @shared, ptr addrspace(3) @bar, ptr addrspace(1) %in, i32 "
    "128, i64 0, i1 false)\n";
const char *const waitLoop = R"(  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %ready, label %wait
ready:
)";
const char *const waitOnce =
    "  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space."
    "cta(ptr addrspace(3) @bar, i32 0)\n";
const char *const waitAssembly =
    "  call void asm sideeffect \"{ .reg .pred P1; WAIT: "
    "mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1, 0x989680; @P1 "
    "bra.uni DONE; bra.uni WAIT; DONE: }\", \"r,r\"(ptr addrspace(3) @bar, i32 "
    "0)\n";
const char *const copyOut = "  %v = load i32, ptr addrspace(3) %w\n"
                            "  store i32 %v, ptr addrspace(1) %o\n";

struct Bulk : testing::Test {
  Bulk() {
    for (size_t i = 0; i < tensor.size(); ++i)
      tensor[i] = static_cast<uint16_t>(i + 1);
    map.address = reinterpret_cast<uint64_t>(tensor.data());
    map.elementBytes = 2;
    map.rank = 2;
    map.sizes[0] = columns;
    map.sizes[1] = rows;
    map.strides[0] = pitch * 2;
    map.box[0] = 64;
    map.box[1] = 16;
    map.swizzle = 128;
  }

  LaunchReport run(const std::string &text, uint32_t threads = 512) {
    TestKernel kernel(text, options);
    LaunchReport report = kernel.tensorMap(map)
                              .buffer(tensor)
                              .buffer(out)
                              .value(static_cast<uint32_t>(x))
                              .value(static_cast<uint32_t>(y))
                              .run({}, {threads, 1, 1}, 4096);
    return report;
  }
  Finding only(const LaunchReport &report) {
    EXPECT_EQ(report.findings.size(), 1u) << report.text();
    return report.findings.empty() ? Finding() : report.findings.front();
  }
  void expectMessage(const std::string &text, FindingKind kind,
                     const std::string &part) {
    LaunchReport report = run(text);
    Finding finding = only(report);
    EXPECT_EQ(finding.kind, kind) << report.text();
    EXPECT_NE(finding.message.find(part), std::string::npos) << report.text();
  }

  static constexpr int columns = 100, rows = 30, pitch = 104;
  // 16-byte aligned by malloc.
  std::vector<uint16_t> tensor = std::vector<uint16_t>(rows * pitch);
  std::vector<uint32_t> out = std::vector<uint32_t>(1024, 0x55555555);
  TensorMap map;
  int32_t x = 0, y = 0;
  SimulatorOptions options;
};

TEST_F(Bulk, LoadsTiles) {
  struct Place {
    int x, y;
  };
  for (int swizzle : {0, 32, 64, 128})
    for (Place place : {Place{0, 0}, {32, 8}, {-8, -3}, {72, 20}, {200, 4}})
      for (AsyncCopies when : {AsyncCopies::Late, AsyncCopies::Early}) {
        x = place.x;
        y = place.y;
        options.asyncCopies = when;
        map.swizzle = static_cast<uint16_t>(swizzle);
        int width = swizzle ? swizzle / 2 : 48;
        map.box[0] = static_cast<uint16_t>(width);
        int bytes = width * 2 * 16;
        LaunchReport report = run(kernelOf(init + expect(bytes) + loadTile,
                                           waitLoop + std::string(copyOut)));
        ASSERT_TRUE(report.ok()) << report.text();
        auto *got = reinterpret_cast<const uint16_t *>(out.data());
        for (int r = 0; r < 16; ++r)
          for (int c = 0; c < width; ++c) {
            int tx = x + c, ty = y + r;
            uint16_t expected =
                tx >= 0 && tx < columns && ty >= 0 && ty < rows
                    ? tensor[static_cast<size_t>(ty * pitch + tx)]
                    : 0;
            // Byte r * width * 2 + c * 2 of the box; pieces of 16 bytes trade
            // places by the number of the 128-byte line.
            int byte = r * width * 2 + c * 2;
            int lines = swizzle == 128  ? 7
                        : swizzle == 64 ? 3
                        : swizzle == 32 ? 1
                                        : 0;
            byte ^= (byte / 128 & lines) * 16;
            ASSERT_EQ(got[byte / 2], expected)
                << "swizzle " << swizzle << " row " << r << " column " << c;
          }
      }
}

TEST_F(Bulk, StoresTiles) {
  x = 72;
  y = 24;
  std::vector<uint16_t> before = tensor;
  const std::string fill = "  %value = add i32 %t, 65536\n"
                           "  store i32 %value, ptr addrspace(3) %w\n"
                           "  call void @llvm.nvvm.fence.proxy.async.shared_"
                           "cta()\n"
                           "  call void @llvm.nvvm.barrier.cta.sync.aligned."
                           "all(i32 0)\n"
                           "  br i1 %first, label %store, label %end\n"
                           "store:\n"
                           "  call void @llvm.nvvm.cp.async.bulk.tensor.s2g."
                           "tile.2d(ptr addrspace(3) @shared, ptr %map, i32 "
                           "%x, i32 %y, i64 0, i1 false)\n"
                           "  call void @llvm.nvvm.cp.async.bulk.commit.group("
                           ")\n";
  LaunchReport report = run(kernelOf(
      "", fill + "  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)\n"
                 "  br label %end\nend:\n"));
  ASSERT_TRUE(report.ok()) << report.text();
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < pitch; ++c) {
      uint16_t expected = before[static_cast<size_t>(r * pitch + c)];
      // The piece of 16 bytes that holds the last column is written whole.
      if (r >= y && c >= x && c < (columns + 7) / 8 * 8) {
        int byte = (r - y) * 128 + (c - x) * 2;
        byte ^= (byte / 128 & 7) * 16;
        uint32_t word = static_cast<uint32_t>(byte / 4) + 65536;
        expected = static_cast<uint16_t>(byte % 4 ? word >> 16 : word);
      }
      ASSERT_EQ(tensor[static_cast<size_t>(r * pitch + c)], expected)
          << "row " << r << " column " << c;
    }
  // Ending at once leaves the store unread.
  expectMessage(kernelOf("", fill + "  br label %end\nend:\n"),
                FindingKind::AsyncRace,
                "expected cp.async.bulk.wait_group.read");
}

// What a GPU answers with an illegal instruction.
TEST_F(Bulk, BadCoordinates) {
  const std::string load = kernelOf(init + std::string(loadTile), "");
  const std::string store = kernelOf(
      "  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr "
      "addrspace(3) @shared, ptr %map, i32 %x, i32 %y, i64 0, i1 false)\n",
      "");
  struct Place {
    int x, y;
  };
  for (Place place : {Place{4, 0}, {70, 20}, {-4, 0}, {-1, 0}, {201, 0}})
    for (const std::string &text : {load, store}) {
      x = place.x;
      y = place.y;
      expectMessage(text, FindingKind::BadOperand,
                    "the coordinates (" + std::to_string(x) + ", " +
                        std::to_string(y) + ") begin " + std::to_string(2 * x) +
                        " bytes into a row: expected a multiple of 16 bytes");
    }
  for (Place place : {Place{-8, 0}, {0, -3}, {-8, -3}}) {
    x = place.x;
    y = place.y;
    expectMessage(store, FindingKind::BadOperand,
                  ") begin before the tensor: expected none below 0 in a "
                  "store");
  }
}

// The last piece of a row reaches behind its end, here also behind the buffer.
TEST_F(Bulk, StoresWholePieces) {
  map.sizes[0] = pitch - 1;
  x = 72;
  y = rows - 16;
  const std::string store =
      kernelOf("  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr "
               "addrspace(3) @shared, ptr %map, i32 %x, i32 %y, i64 0, i1 "
               "false)\n",
               "");
  tensor.pop_back();
  expectMessage(store, FindingKind::OutOfBounds, "");
}

TEST_F(Bulk, CopiesRows) {
  for (const std::string &wait :
       {std::string(waitLoop), std::string(waitAssembly)})
    for (uint64_t seed : {0, 1, 2}) {
      options.seed = seed;
      LaunchReport report =
          run(kernelOf(init + expect(128) + loadRow, wait + copyOut), 32);
      ASSERT_TRUE(report.ok()) << report.text();
      EXPECT_EQ(std::memcmp(out.data(), tensor.data(), 128), 0);
      std::fill(out.begin(), out.end(), 0);
    }
  // try_wait may return early: without a loop the data are not there.
  for (uint64_t seed : {2, 3}) {
    options.seed = seed;
    LaunchReport report = run(
        kernelOf(init + expect(128) + loadRow, waitOnce + std::string(copyOut)),
        32);
    EXPECT_EQ(out[0], seed == 2 ? 0xffffffffu : 0x4b4b4b4bu);
  }
}

TEST_F(Bulk, StoresRows) {
  LaunchReport report = run(
      kernelOf("", "  store i32 %t, ptr addrspace(3) %w\n"
                   "  call void @llvm.nvvm.fence.proxy.async.shared_cta()\n"
                   "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 "
                   "0)\n"
                   "  br i1 %first, label %store, label %end\n"
                   "store:\n"
                   "  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global("
                   "ptr addrspace(1) %out, ptr addrspace(3) @shared, i32 128, "
                   "i64 0, i1 false)\n"
                   "  call void @llvm.nvvm.cp.async.bulk.commit.group()\n"
                   "  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)\n"
                   "  br label %end\nend:\n"),
      32);
  ASSERT_TRUE(report.ok()) << report.text();
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i);
}

TEST_F(Bulk, PollsWithStates) {
  // All 32 threads arrive and ask until the phase is over.
  LaunchReport report = run(
      kernelOf("  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) "
               "@bar, i32 32)\n",
               "  %s = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr "
               "addrspace(3) @bar)\n"
               "  br label %wait\nwait:\n"
               "  %done = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr "
               "addrspace(3) @bar, i64 %s)\n"
               "  br i1 %done, label %ready, label %wait\nready:\n"
               "  store i32 %t, ptr addrspace(1) %o\n"),
      32);
  ASSERT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(out[31], 31u);
}

TEST_F(Bulk, Deadlocks) {
  expectMessage(kernelOf(init + expect(256) + loadRow, waitLoop),
                FindingKind::Deadlock,
                "512 threads (0-511) wait at the mbarrier at byte");
  expectMessage(kernelOf(init + expect(256) + loadRow, waitLoop),
                FindingKind::Deadlock,
                "for parity 0 (phase 0 lacks 0 of 1 arrivals and 128 bytes)");
  expectMessage(kernelOf(init + expect(64) + loadRow, waitLoop),
                FindingKind::Deadlock,
                "received 64 bytes more than it expects");
  expectMessage(kernelOf(init + std::string(loadRow), waitAssembly),
                FindingKind::Deadlock, "lacks 1 of 1 arrivals");
}

TEST_F(Bulk, PhasesThatNobodySaw) {
  // Thread 31 arrives for two phases at once; the others wait for the first.
  auto text = [&](const char *arrivals) {
    return kernelOf(init,
                    std::string("  %last = icmp eq i32 %t, 31\n"
                                "  br i1 %last, label %arrive, label %wait\n"
                                "arrive:\n") +
                        arrivals + "  br label %end\n" + "wait:\n" +
                        waitAssembly + "  br label %end\nend:\n");
  };
  const std::string once = "  %a = call i64 @llvm.nvvm.mbarrier.arrive.shared("
                           "ptr addrspace(3) @bar)\n";
  const std::string twice =
      once + "  %b = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr "
             "addrspace(3) @bar)\n";
  LaunchReport report = run(text(once.c_str()), 32);
  EXPECT_TRUE(report.ok()) << report.text();
  // Those that come later than both wait for ever.
  unsigned seen = 0, never = 0;
  for (options.seed = 0; options.seed < 20; ++options.seed) {
    report = run(text(twice.c_str()), 32);
    ASSERT_FALSE(report.ok()) << options.seed;
    seen += report.findings.front().message.find(
                "which went through 2 phases") != std::string::npos;
    never += report.findings.front().kind == FindingKind::Deadlock;
  }
  EXPECT_GT(seen, 0u);
  EXPECT_EQ(seen + never, 20u);
}

TEST_F(Bulk, BadBarriers) {
  expectMessage(kernelOf(expect(16), ""), FindingKind::BadOperand,
                "has not been initialised");
  expectMessage(kernelOf(std::string(init) + init, ""), FindingKind::BadOperand,
                "is initialised already");
  expectMessage(kernelOf(init + expect(0) +
                             "  %e2 = call i64 @llvm.nvvm.mbarrier.arrive."
                             "shared(ptr addrspace(3) @bar)\n"
                             "  store i64 5, ptr addrspace(3) @bar\n",
                         waitLoop),
                FindingKind::BadOperand, "was overwritten: it holds 0x5");
  expectMessage(
      kernelOf("  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) "
               "@bar, i32 2)\n  %e = call i64 @llvm.nvvm.mbarrier.arrive.scope."
               "cta.space.cta(ptr addrspace(3) @bar, i32 3)\n",
               "") +
          "declare i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr "
          "addrspace(3), i32)\n",
      FindingKind::BadOperand, "3 arrivals at the mbarrier");
  // Nothing waits for the copy.
  expectMessage(kernelOf(init + expect(128) + loadRow, ""),
                FindingKind::AsyncRace, "nothing waited for it");
}

TEST_F(Bulk, BadMaps) {
  map.swizzle = 64;
  expectMessage(kernelOf(init + std::string(loadTile), ""),
                FindingKind::BadOperand, "rows longer than its swizzle");
  map.swizzle = 128;
  map.strides[0] = 200;
  expectMessage(kernelOf(init + std::string(loadTile), ""),
                FindingKind::BadOperand, "stride that is no multiple of 16");
  map.strides[0] = pitch * 2;
  map.magic = 0;
  expectMessage(kernelOf(init + std::string(loadTile), ""),
                FindingKind::BadOperand, "is not the address of a tensor map");
  map.magic = TensorMap::magicNumber;
  map.sizes[1] = rows + 1;
  y = rows - 4;
  expectMessage(kernelOf(init + std::string(loadTile), ""),
                FindingKind::OutOfBounds, "");
}

} // namespace

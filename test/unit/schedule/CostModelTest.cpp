//===- CostModelTest.cpp - Predicted times --------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleTestSupport.h"
#include "SparseFlow/Schedule/Calibration.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// Sizes of a warp-specialized row with two warpgroups, or one of 64 features.
MatmulSizes sizes(int64_t features, int64_t tokens, int64_t k, int64_t stages,
                  int64_t storeTokens, int64_t splitK = 1) {
  MatmulSizes result;
  int64_t warp = std::max<int64_t>(16, features / 8);
  result.tile.block = {features, tokens};
  result.tile.warp = {warp, tokens};
  result.tile.splitK = splitK;
  result.tile.group = 8;
  sftile::WarpSpecializedFields pipeline;
  pipeline.k = k;
  pipeline.stages = stages;
  pipeline.storeTokens = storeTokens;
  pipeline.grid = splitK == 1 ? 132 : 0;
  result.pipeline = pipeline;
  return result;
}

const ModelMachine &machine() { return Calibration::builtin().machine; }

double time(const MatmulSizes &sizes, const ScheduleQuery &asked, int64_t t,
            const ModelConstants *constants = nullptr) {
  MatmulWork work = MatmulWork::of(asked);
  if (!constants)
    if (const CalibratedModel *model =
            Calibration::builtin().modelOf(asked.weights, pipelineName(sizes)))
      constants = &model->constants;
  EXPECT_NE(constants, nullptr);
  return KernelTime(sizes, sizes.tile.splitK, work,
                    resourcesOf(sizes, work, machine().limits), machine(),
                    *constants)(t);
}

} // namespace

// What the compiler's reports say of these kernels, to the byte.
TEST(CostModel, SharedMemoryOfReports) {
  auto bytes = [](StringRef weights, const MatmulSizes &sizes) {
    return resourcesOf(sizes,
                       MatmulWork::of(test::matmulQuery(weights, 1152, 4096)),
                       machine().limits)
        .sharedBytes;
  };
  EXPECT_EQ(bytes("2:4", sizes(128, 224, 64, 5, 32)), 197712);
  EXPECT_EQ(bytes("ternary", sizes(64, 112, 128, 7, 16)), 217200);
  EXPECT_EQ(bytes("ternary_i8", sizes(128, 128, 256, 5, 32, 4)), 213072);
}

// A block that holds its tokens has them beside the ring, whose stages are of
// weights alone, and several tiles of features: of 1,536 with 64 tokens a tile
// four in each of 132 blocks for 2,049 tokens, all of them for 8,192.
TEST(CostModel, HeldActivations) {
  MatmulSizes held = sizes(128, 64, 128, 16, 64);
  std::get<sftile::WarpSpecializedFields>(held.pipeline).holdsActivations =
      true;
  ScheduleQuery asked = test::matmulQuery("ternary_i8", 1536, 576);
  MatmulWork work = MatmulWork::of(asked);
  ScheduleResources resources = resourcesOf(held, work, machine().limits);
  EXPECT_EQ(resources.sharedBytes, 125184);
  KernelTime time(held, 1, work, resources, machine(),
                  Calibration::builtin()
                      .modelOf("ternary_i8", "warp_specialized")
                      ->constants);
  EXPECT_EQ(time.tiles(2049), 132);
  EXPECT_EQ(time.tiles(8192), 128);
  EXPECT_EQ(time.waves(8192), 1);
  EXPECT_EQ(time.waves(16384), 2);
}

// Of more than 2,560 short tokens a warp quantizes each, which gains a tenth of
// a small matmul there.
TEST(CostModel, QuantizedByWarps) {
  for (auto [n, k] : {std::pair<int64_t, int64_t>{384, 384}, {640, 448}}) {
    ScheduleQuery asked = test::matmulQuery("ternary_i8", n, k);
    auto us = [&](int64_t t) {
      return time(sizes(128, 128, 128, 6, 64), asked, t);
    };
    EXPECT_LT(us(2561), us(2560));
    EXPECT_GT(us(2561), 0.86 * us(2560));
    EXPECT_GT(us(4300), us(2561));
  }
}

TEST(CostModel, Refusals) {
  auto refusal = [](const MatmulSizes &sizes) {
    return resourcesOf(sizes,
                       MatmulWork::of(test::matmulQuery("2:4", 4096, 4096)),
                       machine().limits)
        .refusal;
  };
  EXPECT_EQ(refusal(sizes(128, 256, 64, 5, 64)), "");
  EXPECT_NE(refusal(sizes(128, 256, 64, 6, 64)).find("of shared memory of"),
            std::string::npos);
  MatmulSizes three = sizes(192, 256, 64, 3, 64);
  three.tile.warp = {16, 256};
  EXPECT_NE(refusal(three).find("accumulators"), std::string::npos);
}

// More tokens, features or columns never take less time.
TEST(CostModel, Monotone) {
  for (StringRef weights : {"2:4", "ternary", "ternary_i8"})
    for (const MatmulSizes &one :
         {sizes(64, 32, 128, 8, 32), sizes(128, 128, 128, 4, 32),
          sizes(128, 128, 128, 4, 32, 4), sizes(256, 96, 128, 4, 48)}) {
      double last = 0;
      for (int64_t t = 1; t <= 4096; t += 7) {
        double us = time(one, test::matmulQuery(weights, 4096, 4096), t);
        ASSERT_GE(us, last) << weights.str() << " " << t;
        last = us;
      }
      last = 0;
      for (int64_t n = 64; n <= 30000; n += 640) {
        double us = time(one, test::matmulQuery(weights, n, 4096), 200);
        ASSERT_GE(us, last * 0.999) << weights.str() << " N " << n;
        last = us;
      }
      last = 0;
      for (int64_t k = 1024; k <= 16384; k += 1024) {
        double us = time(one, test::matmulQuery(weights, 4096, k), 200);
        ASSERT_GE(us, last * 0.999) << weights.str() << " K " << k;
        last = us;
      }
    }
}

TEST(CostModel, Waves) {
  ScheduleQuery asked = test::matmulQuery("2:4", 4096, 4096);
  MatmulWork work = MatmulWork::of(asked);
  MatmulSizes one = sizes(128, 128, 64, 6, 32);
  KernelTime kernel(one, 1, work, resourcesOf(one, work, machine().limits),
                    machine(), ModelConstants());
  // 32 feature tiles: four token tiles are a round, five are two.
  EXPECT_EQ(kernel.tiles(512), 128);
  EXPECT_EQ(kernel.waves(512), 1);
  EXPECT_EQ(kernel.waves(513), 2);
  EXPECT_GT(kernel(513), 1.4 * kernel(512));
  // A partly filled tile takes as long as a full one.
  EXPECT_EQ(kernel(385), kernel(512));
}

// Of blocks that share copies all are slower when some share a way to the L2
// cache; alone each waits for its own.
TEST(CostModel, ClustersBesideEachOther) {
  ScheduleQuery asked = test::matmulQuery("2:4", 1024, 4096);
  MatmulWork work = MatmulWork::of(asked);
  ModelConstants constants;
  constants.l2TotalBytesPerCycle = 4000;
  auto step = [&](int64_t cluster) {
    MatmulSizes one = sizes(64, 64, 64, 6, 32);
    std::get<sftile::WarpSpecializedFields>(one.pipeline).cluster = cluster;
    KernelTime kernel(one, 1, work, resourcesOf(one, work, machine().limits),
                      machine(), constants);
    // 16 feature tiles: 64 blocks, 80 and 128.
    EXPECT_EQ(kernel.tiles(320), 80);
    return std::pair(kernel(320) / kernel(256), kernel(512) / kernel(320));
  };
  auto [early, late] = step(2);
  EXPECT_GT(early, 1.2);
  EXPECT_EQ(late, 1);
  std::tie(early, late) = step(1);
  EXPECT_LT(early, 1.2);
  EXPECT_GT(late, 1.2);
}

// The blocks of a cluster add what they have behind each tile.
TEST(CostModel, ReductionOfEachRound) {
  ScheduleQuery asked = test::matmulQuery("2:4", 4096, 4096);
  MatmulWork work = MatmulWork::of(asked);
  auto difference = [&](int64_t tokens) {
    MatmulSizes one = sizes(128, 128, 64, 6, 32, 2);
    ModelConstants less, more;
    more.reductionUs = less.reductionUs + 1;
    ScheduleResources resources = resourcesOf(one, work, machine().limits);
    KernelTime fast(one, 2, work, resources, machine(), less);
    KernelTime slow(one, 2, work, resources, machine(), more);
    return slow(tokens) - fast(tokens);
  };
  EXPECT_NEAR(difference(256), 1, 1e-9);
  EXPECT_NEAR(difference(384), 2, 1e-9);
}

TEST(CostModel, Bytes) {
  // Few tokens: as long as the weights take at least.
  ScheduleQuery asked = test::matmulQuery("2:4", 28672, 8192);
  double bytes = 28672.0 * 8192 * 1.125;
  double us = time(sizes(128, 16, 64, 16, 16), asked, 16);
  EXPECT_GT(us, bytes / machine().memoryGBps / 1000);
  EXPECT_LT(us, 1.6 * bytes / machine().memoryGBps / 1000);
  // Codes of two bits are a fraction of them.
  EXPECT_LT(time(sizes(128, 16, 128, 8, 16),
                 test::matmulQuery("ternary", 28672, 8192), 16),
            us);
}

// What the H200's calibration was fitted to, to a quarter.
// Both have 31 stages; rows of 3,920 bytes straddle lines, of 3,968 do not, and
// rows that TMA does not read are copied to whole lines.
TEST(CostModel, StraddledLines) {
  auto slower = [](const MatmulSizes &sizes, int64_t k) {
    return time(sizes, test::matmulQuery("2:4", 736, k), 8192) /
           time(sizes, test::matmulQuery("2:4", 736, 1984), 8192);
  };
  MatmulSizes one = sizes(128, 192, 64, 5, 32), shared = one;
  std::get<sftile::WarpSpecializedFields>(shared.pipeline).cluster = 2;
  EXPECT_GT(slower(one, 1960), 1.3);
  EXPECT_LT(slower(shared, 1960), slower(one, 1960));
  EXPECT_LT(slower(one, 1961), slower(one, 1960));
}

// Which kernels read copies, and what these add to times: a launch, bytes, and
// a wait for SMs that one wave of warpgroups has taken.
TEST(CostModel, CopiedRows) {
  MatmulSizes mapped = sizes(128, 64, 128, 5, 32), warps, few, streamed, held;
  warps.pipeline = few.pipeline = sftile::MultistageFields();
  warps.tile.block = {128, 64};
  few.tile.block = {128, 32};
  streamed.pipeline = held.pipeline = sftile::StreamedFields();
  std::get<sftile::StreamedFields>(held.pipeline).holdsActivations = true;
  auto copied = [](const MatmulSizes &sizes, StringRef weights, int64_t k) {
    return copiesRows(sizes,
                      MatmulWork::of(test::matmulQuery(weights, 1000, k)));
  };
  for (StringRef weights : {"ternary", "ternary_groups"})
    for (int64_t k : {1000, 1001, 1002, 1003, 1004, 1006}) {
      EXPECT_EQ(copied(mapped, weights, k), k % 8 != 0);
      EXPECT_EQ(copied(streamed, weights, k), k % 8 != 0);
      EXPECT_EQ(copied(warps, weights, k), k % 4 != 0);
      EXPECT_FALSE(copied(held, weights, k));
      EXPECT_FALSE(copied(mapped, "ternary_i8", k));
      EXPECT_EQ(copied(mapped, "dense", k), k % 8 != 0);
      EXPECT_EQ(copied(warps, "dense", k), k % 8 != 0);
      EXPECT_EQ(copied(few, "dense", k), k % 2 != 0);
    }
  for (StringRef weights : {"2:4", "ternary24"}) {
    EXPECT_TRUE(copied(mapped, weights, 1004));
    EXPECT_FALSE(copied(streamed, weights, 1004));
    EXPECT_FALSE(copied(warps, weights, 1004));
  }
  // Both have eight stages, whole lines where they are copied.
  auto more = [&](int64_t tokens) {
    return time(mapped, test::matmulQuery("ternary", 1152, 1003), tokens) -
           time(mapped, test::matmulQuery("ternary", 1152, 1024), tokens);
  };
  EXPECT_NEAR(more(64), 0.75, 0.15);
  EXPECT_NEAR(more(64 * 14), 2.6, 0.5);
}

TEST(CostModel, MeasuredPoints) {
  EXPECT_NEAR(time(sizes(256, 160, 64, 5, 32),
                   test::matmulQuery("2:4", 11008, 4096), 480),
              42.7, 10.7);
  EXPECT_NEAR(time(sizes(128, 128, 128, 8, 32, 2),
                   test::matmulQuery("ternary_i8", 3584, 3584), 256),
              10.9, 2.7);
  EXPECT_NEAR(time(sizes(64, 64, 128, 6, 32, 2),
                   test::matmulQuery("ternary", 1152, 4096), 192),
              7.1, 1.8);
}

TEST(Calibration, Builtin) {
  const Calibration &calibration = Calibration::builtin();
  EXPECT_EQ(calibration.gpu, "NVIDIA H200");
  EXPECT_TRUE(calibration.isMeasured("sm_90a"));
  EXPECT_FALSE(calibration.isMeasured("sm_80"));
  for (const CalibratedModel &model : calibration.models)
    if (model.pipeline == "warp_specialized") {
      // The aims: 1.02 and 1.08, of which the second is met by most kinds.
      EXPECT_LE(model.quality.medianRegret, 1.02) << model.weights.front();
      EXPECT_LE(model.quality.p95Regret, 1.13) << model.weights.front();
      EXPECT_GE(model.quality.rankCorrelation, 0.9) << model.weights.front();
    }
  // What it writes it reads.
  auto again = Calibration::parse(calibration.text(), "again.json");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->text(), calibration.text());
}

// A factor of a schedule that no table has is one that is missed elsewhere.
TEST(Calibration, FactorsAreOfSchedulesThatThereAre) {
  const ScheduleTable &table = ScheduleTable::builtin();
  std::set<std::string> names;
  for (const ScheduleRow &row : table.rows())
    names.insert(row.name);
  for (const ScheduleFamily &family : table.families())
    for (const std::string &weights : family.weights)
      for (const ScheduleRow &row : family.members(weights))
        names.insert(row.name);
  for (const char *name : {"h200", "h100"})
    for (const CalibratedModel &model :
         llvm::cantFail(Calibration::load(name)).models)
      for (const auto &[row, factor] : model.rows)
        EXPECT_TRUE(names.count(row)) << name << ": " << row;
}

// What was not measured on it is the H200's, by its own memory rate.
TEST(Calibration, Shipped) {
  EXPECT_EQ(Calibration::shippedFor("NVIDIA H200"), "h200");
  EXPECT_EQ(Calibration::shippedFor("NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(Calibration::shippedFor("NVIDIA A100"), "");
  Calibration h100 = llvm::cantFail(Calibration::load("h100"));
  EXPECT_LT(h100.machine.memoryGBps, machine().memoryGBps);
  for (const CalibratedModel &model : Calibration::builtin().models) {
    const CalibratedModel *other =
        h100.modelOf(model.weights.front(), model.pipeline);
    ASSERT_NE(other, nullptr) << model.weights.front();
    EXPECT_TRUE(other->gpu.empty() || other->gpu == "NVIDIA H200");
  }
  EXPECT_TRUE(h100.modelOf("2:4", "warp_specialized")->gpu.empty());
  auto none = Calibration::load("h300");
  ASSERT_FALSE(bool(none));
  llvm::consumeError(none.takeError());
}

TEST(Calibration, OfAGpu) {
  auto name = [](StringRef gpu, StringRef target = "sm_90a") {
    return Calibration::pickFor(gpu, target).name;
  };
  EXPECT_EQ(name(""), "h200");
  EXPECT_EQ(name("NVIDIA H200"), "h200");
  EXPECT_EQ(name("NVIDIA H100 80GB HBM3"), "h100");
  // Whatever the target is, it is that GPU.
  EXPECT_EQ(name("NVIDIA H100 80GB HBM3", "sm_90"), "h100");
  // Of GPUs that were not measured.
  EXPECT_EQ(name("NVIDIA H200 NVL"), "h200");
  EXPECT_EQ(name("NVIDIA H100 PCIe"), "h100");
  EXPECT_EQ(name("NVIDIA H100 80GB HBM3 MIG 1g.10gb"), "h100");
  EXPECT_EQ(name("h100"), "h100");
  EXPECT_EQ(name("NVIDIA H800"), "h200");
  EXPECT_EQ(Calibration::pickFor("NVIDIA A100 80GB PCIe", "sm_80").why,
            "the default: nothing was measured on NVIDIA A100 80GB PCIe or "
            "another GPU of sm_80");
}

// A number of the name tells whether anything is known of a GPU.
TEST(Calibration, Knows) {
  EXPECT_TRUE(Calibration::knows("NVIDIA H200", "sm_90a"));
  EXPECT_TRUE(Calibration::knows("nvidia h100 pcie", "sm_90a"));
  EXPECT_TRUE(Calibration::knows("NVIDIA A100-SXM4-40GB", "sm_80"));
  EXPECT_TRUE(Calibration::knows("NVIDIA B200", "sm_100"));
  EXPECT_TRUE(Calibration::knows("NVIDIA L4", "sm_89"));
  EXPECT_FALSE(Calibration::knows("NVIDIA L4", "sm_86"));
  EXPECT_FALSE(Calibration::knows("NVIDIA A10", "sm_86"));
  EXPECT_FALSE(Calibration::knows("NVIDIA H800", "sm_90a"));
  EXPECT_FALSE(Calibration::knows("nope", "sm_120"));
  EXPECT_EQ(Calibration::gpusOf("sm_89"),
            (std::vector<std::string>{"L40S", "L4"}));
}

TEST(Calibration, OtherBoards) {
  const Calibration &calibration = Calibration::builtin();
  const TargetInfo &sm80 = *llvm::cantFail(parseTarget("sm_80"));
  ModelMachine a100 = calibration.machineOf(sm80);
  EXPECT_EQ(a100.multiprocessors, 108);
  EXPECT_EQ(a100.limits.sharedBytesPerBlock, sm80.maxSharedBytes);
  EXPECT_LT(a100.memoryGBps, machine().memoryGBps);
  // A multiply-add of the one is as long as of the other's mma.sync.
  EXPECT_NEAR(a100.mmaRate / machine().mmaRate,
              312 / 1.41 / 108 / (989 * 0.469 / 1.98 / 132), 0.01);
  EXPECT_NE(calibration.boardOf(sm80), calibration.gpu);
  // Of several boards of a target the GPU's name tells which.
  const TargetInfo &sm89 = *llvm::cantFail(parseTarget("sm_89"));
  EXPECT_EQ(calibration.machineOf(sm89, "NVIDIA L4").multiprocessors, 58);
  EXPECT_EQ(calibration.machineOf(sm89).multiprocessors, 142);
  EXPECT_EQ(calibration.boardOf(sm89, "NVIDIA L4"), "L4");
}

TEST(Calibration, Errors) {
  auto refused = [](StringRef from, StringRef to, StringRef expected) {
    std::string text = Calibration::builtin().text();
    size_t at = text.find(from.str());
    ASSERT_NE(at, std::string::npos) << from.str();
    auto parsed =
        Calibration::parse(text.replace(at, from.size(), to.str()), "c.json");
    ASSERT_FALSE(bool(parsed)) << expected.str();
    std::string message = llvm::toString(parsed.takeError());
    EXPECT_TRUE(StringRef(message).contains(expected)) << message;
  };
  refused("{", "[", "c.json: not JSON");
  refused("sparseflow-calibration", "other",
          "\"format\": \"sparseflow-calibration\"");
  refused("\"version\": 1", "\"version\": 2", "\"version\": 1");
  refused("\"gpu\"", "\"GPU\"", "expected \"gpu\" to be a string");
  refused("\"launch_us\": ", "\"launch_us\": -",
          "constants: expected \"launch_us\" to be a number from 0");
  refused("\"overlap\"", "\"overlaps\"", "expected \"overlap\" to be a number");
  refused("\"warp_specialized\"", "\"else\"",
          "\"pipeline\" to be multistage, warp_specialized or streamed");
  refused("\"sm_90a\"", "\"sm_91\"", "unknown target 'sm_91'");
  refused("\"cluster_blocks\": [", "\"cluster_blocks\": [0, ",
          "\"cluster_blocks\" to be four positive integers");
  refused("\"models\": [", "\"models\": [1, ",
          "\"models\" to be a list of objects");
}

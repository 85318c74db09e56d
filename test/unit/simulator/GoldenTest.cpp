//===- GoldenTest.cpp - What a GPU gave -----------------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replays the probes of test/Simulator/Golden and compares what they store with
// what scripts/record_golden.py recorded on a GPU: bit for bit, but for
// approximate functions, whose error the PTX ISA bounds.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>

using namespace mlir::sparseflow::sim;

namespace {

std::unique_ptr<llvm::MemoryBuffer> read(const std::string &name) {
  llvm::SmallString<128> path(SPARSEFLOW_GOLDEN_DIR);
  llvm::sys::path::append(path, name);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? std::move(*buffer) : nullptr;
}

llvm::json::Object readJson(const std::string &name) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = read(name);
  if (!buffer)
    return {};
  auto value = llvm::json::parse(buffer->getBuffer());
  if (!value) {
    ADD_FAILURE() << name << ": " << llvm::toString(value.takeError());
    return {};
  }
  return std::move(*value->getAsObject());
}

int64_t integer(const llvm::json::Object &object, const char *key) {
  return object.getInteger(key).value_or(-1);
}

/// The inputs as scripts/record_golden.py makes them.
class Numbers {
public:
  explicit Numbers(uint64_t seed)
      : state(static_cast<uint32_t>(seed * 0x9e3779b9 + 1)) {
    if (!state)
      state = 1;
  }
  uint32_t next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }

private:
  uint32_t state;
};

void append(std::vector<uint8_t> &data, uint32_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    data.push_back(static_cast<uint8_t>(value >> 8 * i));
}

void appendInput(std::vector<uint8_t> &data, const llvm::json::Array &part) {
  llvm::StringRef kind = *part[0].getAsString();
  int64_t bytes = *part[2].getAsInteger();
  if (kind == "values") {
    const llvm::json::Array &values = *part[1].getAsArray();
    for (int64_t i = 0; i < bytes / 4; ++i)
      append(
          data,
          static_cast<uint32_t>(*values[static_cast<size_t>(i)].getAsInteger()),
          4);
    return;
  }
  Numbers numbers(static_cast<uint64_t>(*part[1].getAsInteger()));
  if (kind == "f16" || kind == "bf16") {
    for (int64_t i = 0; i < bytes / 2; ++i) {
      auto value =
          static_cast<float>(static_cast<int>((numbers.next() >> 8) % 17) - 8);
      append(data, kind == "f16" ? toHalf(value) : toBFloat(value), 2);
    }
    return;
  }
  for (int64_t i = 0; i < bytes / 4; ++i) {
    if (kind == "count") {
      append(data, static_cast<uint32_t>(i), 4);
      continue;
    }
    uint32_t word = numbers.next();
    if (kind == "metadata") {
      static const uint32_t pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
      word = 0;
      for (int group = 0; group < 8; ++group)
        word |= pairs[(numbers.next() >> 8) % 6] << 4 * group;
    } else if (kind == "f32") {
      word = (word & 0x807fffff) | (107 + (word >> 23 & 0xff) % 41) << 23;
    }
    append(data, word, 4);
  }
}

uint64_t hash(const uint8_t *data, size_t bytes) {
  uint64_t value = 0xcbf29ce484222325;
  for (size_t i = 0; i < bytes; ++i)
    value = (value ^ data[i]) * 0x100000001b3;
  return value;
}

/// One family of probes: its kernels and its cases.
struct Family {
  explicit Family(const std::string &name) : name(name) {
    source = read("kernels/" + name + ".ll");
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module =
        source ? llvm::parseIR(source->getMemBufferRef(), diagnostic, context)
               : nullptr;
    if (!module) {
      ADD_FAILURE() << name << ": " << diagnostic.getMessage().str();
      return;
    }
    auto made = Simulator::create(*module);
    if (made)
      simulator = std::move(*made);
    else
      ADD_FAILURE() << llvm::toString(made.takeError());
  }

  /// What the case's kernel stores. A finding is a failure, or put into
  /// `finding` where that is given.
  std::vector<uint8_t> run(const llvm::json::Object &spec,
                           SimulatorOptions options,
                           std::string *finding = nullptr) {
    std::vector<uint8_t> input;
    for (const llvm::json::Value &part : *spec.getArray("inputs"))
      appendInput(input, *part.getAsArray());
    std::vector<uint8_t> output(static_cast<size_t>(integer(spec, "output")),
                                0x5a);
    // The buffers of a GPU are aligned to 256 bytes.
    auto align = [](std::vector<uint8_t> &room, size_t bytes) {
      room.assign(bytes + 256, 0);
      auto address = reinterpret_cast<uint64_t>(room.data());
      return room.data() + (256 - address % 256);
    };
    std::vector<uint8_t> inputRoom, outputRoom;
    uint8_t *in = align(inputRoom, input.size());
    uint8_t *out = align(outputRoom, output.size());
    std::memcpy(in, input.data(), input.size());
    std::memcpy(out, output.data(), output.size());
    std::deque<TensorMap> maps;
    std::vector<const void *> arguments;
    if (const llvm::json::Array *specs = spec.getArray("maps"))
      for (const llvm::json::Value &each : *specs) {
        const llvm::json::Object &one = *each.getAsObject();
        TensorMap &map = maps.emplace_back();
        map.address = reinterpret_cast<uint64_t>(
                          *one.getString("of") == "in" ? in : out) +
                      static_cast<uint64_t>(integer(one, "offset"));
        map.elementBytes = static_cast<uint16_t>(integer(one, "bytes"));
        map.swizzle = static_cast<uint16_t>(integer(one, "swizzle"));
        auto list = [&](const char *key, auto *into) {
          unsigned count = 0;
          for (const llvm::json::Value &value : *one.getArray(key))
            into[count++] = static_cast<std::decay_t<decltype(*into)>>(
                *value.getAsInteger());
          return count;
        };
        map.rank = static_cast<uint16_t>(list("sizes", map.sizes));
        list("strides", map.strides);
        list("box", map.box);
        arguments.push_back(&map);
      }
    auto inAddress = reinterpret_cast<uint64_t>(in);
    auto outAddress = reinterpret_cast<uint64_t>(out);
    arguments.push_back(&inAddress);
    arguments.push_back(&outAddress);
    simulator->setOptions(options);
    simulator->clearBuffers();
    simulator->addBuffer({in, input.size(), "in", false});
    simulator->addBuffer({out, output.size(), "out", true});
    auto report = simulator->launch(
        *spec.getString("kernel"),
        {static_cast<uint32_t>(integer(spec, "grid")), 1, 1},
        {static_cast<uint32_t>(integer(spec, "threads")), 1, 1},
        static_cast<size_t>(integer(spec, "shared")), arguments);
    std::string found = !report         ? llvm::toString(report.takeError())
                        : !report->ok() ? report->text()
                                        : "";
    if (finding)
      *finding = found;
    else if (!found.empty())
      ADD_FAILURE() << name << ": " << spec.getString("name")->str() << ": "
                    << found;
    std::memcpy(output.data(), out, output.size());
    return output;
  }

  std::string name;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::MemoryBuffer> source;
  std::unique_ptr<Simulator> simulator;
};

/// Whether `got` is `expected` within the case's tolerance. Special values have
/// to be the same.
bool close(float got, float expected, const llvm::json::Object &tolerance) {
  if (std::isnan(expected))
    return std::isnan(got);
  if (std::isinf(expected) || std::isinf(got))
    return got == expected;
  double bound = tolerance.getNumber("absolute").value_or(0) +
                 tolerance.getNumber("relative").value_or(0) *
                     std::fabs(static_cast<double>(expected));
  // Both are within the bound of the true value.
  return std::fabs(static_cast<double>(got) - expected) <= 2 * bound;
}

void compare(const std::string &label, const llvm::json::Object &spec,
             const std::vector<uint8_t> &output,
             const llvm::json::Object &place, llvm::StringRef golden) {
  auto offset = static_cast<size_t>(integer(place, "offset"));
  auto bytes = static_cast<size_t>(integer(place, "bytes"));
  ASSERT_LE(offset + bytes, golden.size()) << label;
  const char *expected = golden.data() + offset;
  if (*place.getString("kind") == "hashes") {
    ASSERT_EQ(bytes / 8, (output.size() + 255) / 256) << label;
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < bytes / 8; ++i) {
      uint64_t known;
      std::memcpy(&known, expected + 8 * i, 8);
      size_t size = std::min<size_t>(256, output.size() - 256 * i);
      if (known != hash(output.data() + 256 * i, size) && !wrong++)
        first = 256 * i;
    }
    EXPECT_EQ(wrong, 0u) << label << ": of " << bytes / 8
                         << " blocks of 256 bytes, the first at " << first;
    return;
  }
  ASSERT_EQ(bytes, output.size()) << label;
  const llvm::json::Object *tolerance = spec.getObject("tolerance");
  size_t wrong = 0;
  std::string text;
  for (size_t i = 0; i < bytes / 4; ++i) {
    uint32_t got, known;
    std::memcpy(&got, &output[4 * i], 4);
    std::memcpy(&known, expected + 4 * i, 4);
    float gotFloat, knownFloat;
    std::memcpy(&gotFloat, &got, 4);
    std::memcpy(&knownFloat, &known, 4);
    if (tolerance ? close(gotFloat, knownFloat, *tolerance) : got == known)
      continue;
    if (!wrong++)
      text = "word " + std::to_string(i) + " is 0x" + llvm::utohexstr(got) +
             ", on the GPU 0x" + llvm::utohexstr(known);
  }
  EXPECT_EQ(wrong, 0u) << label << ": " << text;
}

struct Golden : testing::TestWithParam<const char *> {};

TEST_P(Golden, EqualsTheGpu) {
  llvm::json::Object cases = readJson("cases.json");
  llvm::json::Object recorded = readJson("recorded.json");
  const llvm::json::Array *list = cases.getArray(GetParam());
  ASSERT_TRUE(list);
  Family family(GetParam());
  ASSERT_TRUE(family.simulator);
  const llvm::json::Object *places = nullptr;
  // Why the recorder has not got all cases of the family.
  std::optional<llvm::StringRef> reason;
  std::unique_ptr<llvm::MemoryBuffer> golden;
  if (!recorded.empty()) {
    std::string digest =
        llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(
                        family.source->getBuffer())),
                    /*LowerCase=*/true);
    EXPECT_EQ(recorded.getObject("sources")->getString(GetParam()), digest)
        << "the probes have changed since they were recorded";
    places = recorded.getObject("families")->getObject(GetParam());
    golden = read(std::string(GetParam()) + ".golden");
    ASSERT_TRUE(places && golden);
    if (const llvm::json::Object *missing = recorded.getObject("missing"))
      reason = missing->getString(GetParam());
  }
  size_t unrecorded = 0;
  std::string accepted;
  SimulatorOptions late, early, races;
  early.asyncCopies = AsyncCopies::Early;
  races.races = true;
  races.seed = 5;
  for (const llvm::json::Value &each : *list) {
    const llvm::json::Object &spec = *each.getAsObject();
    std::string name = spec.getString("name")->str();
    const llvm::json::Object *place =
        places ? places->getObject(name) : nullptr;
    // What the GPU refuses the simulator has to refuse; what it does not yet is
    // listed below.
    std::optional<llvm::StringRef> error =
        place ? place->getString("error") : std::nullopt;
    if (error) {
      std::string finding;
      family.run(spec, late, &finding);
      if (finding.empty())
        accepted += "\n  " + name + ": " + error->str();
      continue;
    }
    std::vector<uint8_t> output = family.run(spec, late);
    EXPECT_TRUE(output == family.run(spec, early)) << name;
    // A lane that another seed elects is another result.
    if (name != "elect") {
      EXPECT_TRUE(output == family.run(spec, races)) << name;
    }
    if (!places)
      continue;
    if (!place) {
      if (!reason)
        ADD_FAILURE() << name << " was not recorded";
      ++unrecorded;
      continue;
    }
    compare(std::string(GetParam()) + ": " + name, spec, output, *place,
            golden->getBuffer());
  }
  if (!places)
    GTEST_SKIP() << "no GPU has recorded the probes";
  EXPECT_EQ(unrecorded != 0, reason.has_value())
      << "recorded.json gives a reason for cases that it has";
  std::string open;
  if (unrecorded)
    open = std::to_string(unrecorded) +
           " were not recorded: " + (reason ? *reason : "").str();
  if (!accepted.empty())
    open += "\nthe GPU refused what the simulator accepts:" + accepted;
  if (!open.empty())
    GTEST_SKIP() << "of " << list->size() << " cases " << open;
}

INSTANTIATE_TEST_SUITE_P(All, Golden,
                         testing::Values("mma", "matrix", "copy", "exchange",
                                         "scalar", "bulk", "mbarrier",
                                         "cluster", "wgmma"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace

//===- Report.cpp - What a simulated launch found, in text ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Simulator/Report.h"

#include <cstdio>

using namespace mlir::sparseflow::sim;

const char *mlir::sparseflow::sim::findingName(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::ReadOnly:
    return "read only";
  case FindingKind::Race:
    return "race";
  case FindingKind::AsyncRace:
    return "race with an asynchronous copy";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::BadOperand:
    return "bad operand";
  case FindingKind::MissingFence:
    return "missing proxy fence";
  }
  return "unknown";
}

static std::string dimText(Dim3 dim) {
  return "(" + std::to_string(dim.x) + ", " + std::to_string(dim.y) + ", " +
         std::to_string(dim.z) + ")";
}

std::string Finding::text() const {
  std::string text = std::string(findingName(kind)) + ": kernel '" + kernel +
                     "', block " + dimText(block);
  if (kind != FindingKind::Deadlock)
    text += ", thread " + dimText(thread);
  text += ": " + message + "\n";
  if (!instruction.empty())
    text += "  in " + instruction + "\n";
  return text;
}

uint64_t LaunchReport::wavefronts() const {
  uint64_t sum = 0;
  for (const SharedTraffic &entry : traffic)
    sum += entry.wavefronts;
  return sum;
}

uint64_t LaunchReport::idealWavefronts() const {
  uint64_t sum = 0;
  for (const SharedTraffic &entry : traffic)
    sum += entry.ideal;
  return sum;
}

std::string LaunchReport::text() const {
  std::string text;
  for (const Finding &finding : findings)
    text += finding.text();
  if (traffic.empty())
    return text;
  text += "shared memory: " + std::to_string(wavefronts()) + " wavefronts, " +
          std::to_string(idealWavefronts()) + " without bank conflicts\n";
  for (const SharedTraffic &entry : traffic)
    if (entry.wavefronts != entry.ideal) {
      char ratio[32];
      std::snprintf(ratio, sizeof ratio, "%.2f",
                    static_cast<double>(entry.wavefronts) /
                        static_cast<double>(entry.ideal));
      text += "  " + std::string(ratio) + " times the ideal in " +
              entry.instruction + "\n";
    }
  if (boxBytes)
    text += "tensor maps: " + std::to_string(boxBytes) + " bytes, " +
            std::to_string(paddingBytes) + " of them padding" +
            (8 * paddingBytes > boxBytes ? ", more than an eighth\n" : "\n");
  return text;
}

//===- check.cpp - A call whose results the caller judges -----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is only called wrong when another variant of its step is right with
// the same arguments: a wrong argument, or a wrong verdict, makes all of them
// wrong.
//
//===----------------------------------------------------------------------===//

#include "device/call.h"
#include "dispatch/reasons.h"

#include <algorithm>
#include <set>

using namespace sparseflow::rt;

namespace {

std::set<std::string> kernelsOf(const Variant &variant) {
  std::set<std::string> kernels;
  for (const KernelLaunch &launch : variant.launches)
    kernels.insert(launch.kernel);
  return kernels;
}

/// Those of a variant's kernels that the right one does not launch.
std::vector<std::string> suspects(const Variant &wrong, const Variant &right) {
  std::set<std::string> sound = kernelsOf(right);
  std::vector<std::string> found;
  for (const std::string &kernel : kernelsOf(wrong))
    if (!sound.count(kernel))
      found.push_back(kernel);
  return found;
}

/// Runs of one call, with the variants that are asked for.
class CheckedCall {
public:
  CheckedCall(Call &call, const LoadedProgram &loaded, DeviceContext &device,
              const std::vector<std::pair<uint64_t, uint64_t>> &written,
              sfcu_stream stream, const std::function<std::string()> &verdict)
      : call(call), loaded(loaded), device(device), written(written),
        stream(stream), verdict(verdict) {}

  /// What is wrong with the results of these variants; "" where nothing is. A
  /// kernel that fails is passed over as in any launch.
  Expected<std::string> run(std::vector<uint8_t> &chosen) {
    const sf_driver_table &driver = device.driver();
    for (auto [address, bytes] : written)
      if (Status status = device.report(
              driver.memset_d8_async(address, 0xff, bytes, stream),
              "clearing what a call writes");
          !status)
        return status;
    for (size_t s = 0; s < chosen.size(); ++s)
      if (Status status = runStep(call, loaded, s, chosen[s], stream); !status)
        return status;
    if (Status status = device.report(driver.stream_synchronize(stream),
                                      "waiting for the kernels");
        !status)
      return status;
    return verdict();
  }

  /// Looks for a variant of step `s` with which the results are right, and
  /// quarantines those that were not. False where there is none.
  Expected<bool> replace(size_t s, std::vector<uint8_t> &chosen,
                         const std::string &error) {
    const Step &step = loaded.program->steps[s];
    FunctionDispatch &dispatch = *loaded.dispatch;
    std::vector<std::pair<size_t, std::string>> wrong = {{chosen[s], error}};
    for (size_t v = 0; step.independent && v < step.variants.size(); ++v) {
      const Variant &variant = step.variants[v];
      bool isNew =
          std::all_of(wrong.begin(), wrong.end(), [&](const auto &other) {
            return !suspects(step.variants[other.first], variant).empty();
          });
      if (!isNew || dispatch.state(s, v) != FunctionDispatch::State::Usable ||
          dispatch.rulesOut(s, v, call.sizes()))
        continue;
      Expected<bool> accepted = call.accepts(variant);
      if (!accepted)
        return accepted.status();
      if (!*accepted)
        continue;
      if (Status status = call.launch(loaded, s, v, false, stream); !status)
        return status;
      std::vector<uint8_t> tried = chosen;
      tried[s] = static_cast<uint8_t>(v);
      Expected<std::string> text = run(tried);
      if (!text)
        return text.status();
      // A kernel that failed has had its place taken, perhaps by a wrong one.
      if (tried[s] != v)
        continue;
      if (!text->empty()) {
        wrong.emplace_back(v, *text);
        continue;
      }
      for (const auto &[number, why] : wrong)
        for (const std::string &kernel :
             suspects(step.variants[number], variant))
          dispatch.quarantine(kernel, "a check found wrong results: " +
                                          printable(why, 1024));
      chosen = tried;
      return true;
    }
    return false;
  }

private:
  Call &call;
  const LoadedProgram &loaded;
  DeviceContext &device;
  const std::vector<std::pair<uint64_t, uint64_t>> &written;
  sfcu_stream stream;
  const std::function<std::string()> &verdict;
};

} // namespace

Status LoadedFunction::check(const sf_tensor *arguments, size_t argumentCount,
                             const sf_tensor *results, size_t resultCount,
                             uint64_t workspace, uint64_t workspaceBytes,
                             sfcu_stream stream,
                             const std::function<std::string()> &verdict) {
  for (size_t r = 0; r < function.results.size(); ++r)
    if (int updates = function.results[r].updates; updates >= 0)
      return unsupported("'" + printable(function.name) +
                         "' updates argument " + std::to_string(updates) +
                         " in place, and is not checked: a second run would "
                         "read what the first one wrote");
  DeviceContext &device = context();
  Call call(function, device, arguments, results, workspace, workspaceBytes);
  std::optional<CurrentContext> current;
  Expected<const LoadedProgram *> begun =
      begin(call, arguments, argumentCount, results, resultCount, current);
  if (!begun || !*begun)
    return begun.status();
  const LoadedProgram &loaded = **begun;
  std::vector<std::pair<uint64_t, uint64_t>> written;
  for (size_t r = 0; r < resultCount; ++r) {
    Expected<uint64_t> bytes =
        storageBytes(function.results[r], results[r].dims);
    if (!bytes)
      return bytes.status();
    if (*bytes)
      written.emplace_back(results[r].data, *bytes);
  }
  Expected<uint64_t> scratch =
      function.workspaceBytes(*loaded.program, call.sizes());
  if (!scratch)
    return scratch.status();
  if (*scratch)
    written.emplace_back(workspace, *scratch);

  std::vector<uint8_t> chosen(loaded.program->steps.size());
  for (size_t s = 0; s < chosen.size(); ++s) {
    if (Status status = call.choose(loaded, s, chosen[s]); !status)
      return status;
    if (Status status = call.launch(loaded, s, chosen[s], false, stream);
        !status)
      return status;
  }
  CheckedCall checked(call, loaded, device, written, stream, verdict);
  Expected<std::string> error = checked.run(chosen);
  if (!error)
    return error.status();
  bool right = error->empty();
  for (size_t s = 0; s < chosen.size() && !right; ++s) {
    Expected<bool> replaced = checked.replace(s, chosen, *error);
    if (!replaced)
      return replaced.status();
    right = *replaced;
  }
  if (!right)
    return unsupported("'" + printable(function.name) +
                       "': the results are wrong, whichever variant of a step "
                       "runs, and no kernel is quarantined: " +
                       printable(*error, 1024) +
                       "; look at the arguments and at what they are compared "
                       "with, or compile the bundle again");
  if (reasonsWanted())
    giveReasons(function, call, loaded, chosen.data());
  return Status::success();
}

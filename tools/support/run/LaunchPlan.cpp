//===- LaunchPlan.cpp - What a call would launch, without a GPU -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/LaunchPlan.h"

#include "device/tensor_map.h"

#include <algorithm>

using namespace sparseflow;
using namespace sparseflow::tools;
using Kind = rt::KernelArgument::Kind;

namespace {

class Planner {
public:
  Planner(const Function &function, const std::vector<int64_t> &symbols)
      : function(function), symbols(symbols) {}

  Expected<std::string> run(const rt::Program &program);

private:
  Expected<int64_t> value(const rt::Expression &expression) const {
    return expression.evaluate(symbols.data());
  }
  /// "x + 64", "workspace", "128".
  Expected<std::string> place(const rt::KernelArgument &argument) const;
  Expected<std::string> map(const rt::TensorMapSpec &spec) const;
  Expected<std::string> launch(const rt::KernelLaunch &launch) const;

  const Function &function;
  const std::vector<int64_t> &symbols;
};

} // namespace

static Expected<bool> holds(const rt::Guard &guard,
                            const std::vector<int64_t> &symbols) {
  auto value = [&](const rt::Expression &expression) {
    return expression.evaluate(symbols.data());
  };
  if (guard.kind == rt::Guard::Kind::Aligned) {
    // Bases are multiples of 256: the offset or the number decides.
    Expected<int64_t> offset = value(guard.pointer.expression);
    if (!offset)
      return offset.status();
    return *offset % guard.alignment == 0;
  }
  Expected<int64_t> left = value(guard.left);
  if (!left)
    return left.status();
  Expected<int64_t> right = value(guard.right);
  if (!right)
    return right.status();
  return guard.kind == rt::Guard::Kind::LessEqual      ? *left <= *right
         : guard.kind == rt::Guard::Kind::GreaterEqual ? *left >= *right
                                                       : *left == *right;
}

Expected<const rt::Variant *>
sparseflow::tools::chooseVariant(const rt::Step &step,
                                 const std::vector<int64_t> &symbols) {
  for (const rt::Variant &variant : step.variants) {
    // Whether there is a dense form, only a launch knows.
    bool all = variant.dense < 0;
    for (size_t g = 0; g < variant.guards.size() && all; ++g) {
      Expected<bool> held = holds(variant.guards[g], symbols);
      if (!held)
        return held.status();
      all = *held;
    }
    if (all)
      return &variant;
  }
  return rt::unsupported("step " + rt::printable(step.op) + " " +
                         rt::printable(step.location) + ": none of its " +
                         std::to_string(step.variants.size()) +
                         " variants takes these sizes");
}

Expected<std::string> Planner::place(const rt::KernelArgument &argument) const {
  Expected<int64_t> number = value(argument.expression);
  if (!number)
    return number.status();
  if (argument.kind == Kind::Value)
    return std::to_string(*number);
  std::string base = "workspace";
  if (argument.kind != Kind::Workspace) {
    bool result = argument.kind == Kind::Result;
    const TensorSpec &spec =
        (result ? function.results : function.arguments)[argument.index];
    base = spec.name.empty() ? (result ? "result " : "argument ") +
                                   std::to_string(argument.index)
                             : rt::printable(spec.name);
    if (argument.kind == Kind::Dense)
      base = "the dense form of " + base;
  }
  return *number == 0 ? base : base + " + " + std::to_string(*number);
}

Expected<std::string> Planner::map(const rt::TensorMapSpec &spec) const {
  Expected<std::string> base = place(spec.base);
  if (!base)
    return base;
  Expected<int64_t> offset = value(spec.base.expression);
  // Of a base at 0; the end of the buffer is the runtime's to check.
  Expected<rt::TensorMapValues> values = rt::TensorMapValues::evaluate(
      spec, symbols.data(), static_cast<uint64_t>(*offset), ~uint64_t(0));
  if (!values)
    return values.status();
  auto list = [&](const auto *numbers, size_t count) {
    std::string text = "[";
    for (size_t i = 0; i < count; ++i)
      text += (i ? ", " : "") + std::to_string(numbers[i]);
    return text + "]";
  };
  return "tensor map of " + *base + ": " + rt::elementName(spec.element) +
         " sizes " + list(values->sizes, values->rank) + " strides " +
         list(values->strides, values->rank - 1) + " box " +
         list(values->box, values->rank) + " swizzle " +
         std::to_string(values->swizzle);
}

Expected<std::string> Planner::launch(const rt::KernelLaunch &launch) const {
  Expected<int64_t> grid = value(launch.grid);
  if (!grid)
    return grid.status();
  std::string text =
      "  " + rt::printable(launch.kernel) + ": " + std::to_string(*grid) +
      " blocks of " + std::to_string(launch.threads) + " threads, " +
      std::to_string(launch.sharedBytes) + " bytes of shared memory";
  if (launch.cluster > 1)
    text += ", clusters of " + std::to_string(launch.cluster);
  if (launch.programmatic)
    text += ", PDL";
  text += "\n";
  if (*grid == 0)
    return text;
  if (*grid < 0 || *grid % launch.cluster != 0)
    return rt::invalidArgument(text.substr(2, text.size() - 3) +
                               ": expected a multiple of the cluster");
  for (const rt::KernelArgument &argument : launch.arguments) {
    Expected<std::string> what = argument.kind == Kind::TensorMap
                                     ? map(launch.tensorMaps[argument.index])
                                     : place(argument);
    if (!what)
      return what.status().withContext("kernel '" +
                                       rt::printable(launch.kernel) + "'");
    text += "    " + *what + "\n";
  }
  return text;
}

Expected<std::string> Planner::run(const rt::Program &program) {
  Expected<uint64_t> workspace =
      function.workspaceBytes(program, symbols.data());
  if (!workspace)
    return workspace.status();
  std::string text = program.target.text + ": workspace of " +
                     std::to_string(*workspace) + " bytes\n";
  for (const rt::Step &step : program.steps) {
    Expected<const rt::Variant *> found = chooseVariant(step, symbols);
    if (!found)
      return found.status();
    const rt::Variant *chosen = *found;
    std::string name =
        rt::printable(step.op) + " " + rt::printable(step.location);
    text += name + ", variant " +
            std::to_string(chosen - step.variants.data() + 1) + " of " +
            std::to_string(step.variants.size()) + "\n";
    for (const rt::KernelLaunch &one : chosen->launches) {
      Expected<std::string> described = launch(one);
      if (!described)
        return described;
      text += *described;
    }
  }
  return text;
}

Expected<std::string>
sparseflow::tools::describeLaunches(const Function &function,
                                    const rt::Program &program,
                                    const std::vector<int64_t> &symbols) {
  return Planner(function, symbols).run(program);
}

Expected<std::vector<int64_t>> sparseflow::tools::symbolSizes(
    const Function &function,
    const std::vector<std::pair<std::string, int64_t>> &sizes,
    int64_t defaultSize) {
  std::vector<int64_t> symbols(function.symbols.size(), defaultSize);
  for (const auto &[name, size] : sizes) {
    auto found =
        std::find(function.symbols.begin(), function.symbols.end(), name);
    if (found == function.symbols.end())
      return rt::invalidArgument("--dim " + rt::printable(name) +
                                 ": the function has no such symbol");
    symbols[found - function.symbols.begin()] = size;
  }
  return symbols;
}

Expected<std::string> sparseflow::tools::planBundle(
    const std::string &bundle, const std::string &entry,
    const std::string &target, const ArgumentRequest &request) {
  Expected<BundleManifest> manifest = loadBundleManifest(bundle);
  if (!manifest)
    return manifest.status();
  Expected<size_t> index = manifest->find(entry);
  if (!index)
    return index.status();
  const Function &function = manifest->manifest.functions[*index];
  Expected<std::vector<int64_t>> sizes =
      symbolSizes(function, request.sizes, request.defaultSize);
  if (!sizes)
    return sizes.status();
  const std::vector<int64_t> &symbols = *sizes;
  std::string text = rt::printable(function.name) + " with";
  for (size_t i = 0; i < symbols.size(); ++i)
    text += " " + rt::printable(function.symbols[i]) + " = " +
            std::to_string(symbols[i]);
  text += symbols.empty() ? " fixed sizes\n" : "\n";
  bool any = false;
  std::string targets;
  for (const rt::Program &program : function.programs) {
    targets += (targets.empty() ? "" : ", ") + program.target.text;
    if (!target.empty() && program.target.text != target)
      continue;
    any = true;
    Expected<std::string> launches =
        describeLaunches(function, program, symbols);
    if (!launches)
      return launches;
    text += *launches;
  }
  if (!any)
    return rt::invalidArgument("'" + rt::printable(function.name) +
                               "' has no program" +
                               (target.empty() ? "" : " for " + target) +
                               (targets.empty() ? "" : ", expected one of ") +
                               targets + "; compile for it");
  return text;
}

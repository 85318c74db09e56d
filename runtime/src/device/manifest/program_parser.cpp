//===- program_parser.cpp - Reads the programs of a function --------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/manifest/function_reader.h"
#include "device/tensor_map.h"

#include <algorithm>

using namespace sparseflow::rt;
using Limits = ManifestLimits;

KernelArgument FunctionReader::kernelArgument(const JsonCursor &json) const {
  using Kind = KernelArgument::Kind;
  KernelArgument argument;
  auto tensorReference = [&](const char *key, Kind kind, size_t count) {
    argument.kind = kind;
    argument.index = static_cast<size_t>(
        json.member(key).integer(0, static_cast<int64_t>(count) - 1));
    if (json.has("offset"))
      argument.expression = expression(json.member("offset"));
  };
  if (json.has("arg")) {
    tensorReference("arg", Kind::Argument, function.arguments.size());
  } else if (json.has("dense")) {
    tensorReference("dense", Kind::Dense, function.arguments.size());
    const TensorSpec &spec = function.arguments[argument.index];
    if ((spec.layout != Layout::Sf24V1 && !spec.isTernary()) ||
        spec.shape.size() != 2 || spec.shape[0].symbol >= 0 ||
        spec.shape[1].symbol >= 0)
      json.fail("expected the dense form of a packed weight of constant sizes, "
                "found argument " +
                std::to_string(argument.index) + ", which is none");
  } else if (json.has("result")) {
    tensorReference("result", Kind::Result, function.results.size());
  } else if (json.has("workspace")) {
    argument.kind = Kind::Workspace;
    argument.expression = expression(json.member("workspace"));
  } else if (json.has("i64")) {
    argument.kind = Kind::Value;
    argument.expression = expression(json.member("i64"));
  } else {
    json.fail(json.has("tensor_map")
                  ? "a tensor map is an argument of a launch and nothing else"
                  : "expected one of the members arg, dense, result, workspace "
                    "or i64");
  }
  return argument;
}

Guard FunctionReader::guard(const JsonCursor &json) const {
  using Kind = Guard::Kind;
  if (!json.isObject() || json.memberCount() != 1)
    json.fail("a guard is an object with one member: le, ge, eq or aligned");
  Guard guard;
  auto pair = [&](const char *key) {
    JsonCursor operands = json.member(key);
    if (operands.size(2) != 2)
      operands.fail("expected two operands");
    return std::make_pair(operands.element(0), operands.element(1));
  };
  static const std::pair<const char *, Kind> comparisons[] = {
      {"le", Kind::LessEqual}, {"ge", Kind::GreaterEqual}, {"eq", Kind::Equal}};
  for (const auto &[key, kind] : comparisons) {
    if (!json.has(key))
      continue;
    auto [left, right] = pair(key);
    guard.kind = kind;
    guard.left = expression(left);
    guard.right = expression(right);
    return guard;
  }
  if (!json.has("aligned"))
    json.fail("unknown guard; expected le, ge, eq or aligned");
  auto [pointer, bytes] = pair("aligned");
  guard.kind = Kind::Aligned;
  guard.pointer = kernelArgument(pointer);
  // {"i64": e} tests a number, such as a row pitch, in the same words.
  guard.alignment = bytes.integer(1, int64_t(1) << 32);
  if ((guard.alignment & (guard.alignment - 1)) != 0)
    bytes.fail("an alignment is a power of two");
  return guard;
}

TensorMapSpec FunctionReader::tensorMap(const JsonCursor &json) const {
  TensorMapSpec map;
  JsonCursor of = json.member("of");
  map.base = kernelArgument(of);
  if (map.base.kind == KernelArgument::Kind::Value)
    of.fail("a tensor map needs an address: arg, dense, result or workspace");
  JsonCursor dtype = json.member("dtype");
  std::optional<TensorMapSpec::Element> element =
      parseMapElement(dtype.string(1, 16));
  if (!element)
    dtype.expected("f16, bf16, f32 or i8");
  map.element = *element;
  JsonCursor sizes = json.member("sizes");
  size_t rank = sizes.size(TensorMapSpec::maxRank);
  if (rank == 0)
    sizes.fail("a tensor map has 1 to 5 dimensions");
  JsonCursor strides = json.member("strides"), box = json.member("box");
  if (size_t found = strides.size(TensorMapSpec::maxRank); found != rank - 1)
    strides.fail("expected one stride for each dimension but the innermost (" +
                 std::to_string(rank - 1) + "), found " +
                 std::to_string(found));
  if (size_t found = box.size(TensorMapSpec::maxRank); found != rank)
    box.fail("expected one extent a dimension (" + std::to_string(rank) +
             "), found " + std::to_string(found));
  for (size_t i = 0; i < rank; ++i) {
    map.sizes.push_back(expression(sizes.element(i)));
    if (i > 0)
      map.strides.push_back(expression(strides.element(i - 1)));
    // What is computed is checked with each call's sizes.
    JsonCursor extent = box.element(i);
    map.box.push_back(i > 0 && !extent.isInteger()
                          ? expression(extent)
                          : Expression::constant(
                                extent.integer(1, TensorMapSpec::maxExtent)));
  }
  JsonCursor swizzle = json.member("swizzle");
  map.swizzle = static_cast<uint32_t>(swizzle.integer(0, 128));
  if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 &&
      map.swizzle != 128)
    swizzle.expected("0, 32, 64 or 128 bytes");
  if (json.has("promotion")) {
    JsonCursor promotion = json.member("promotion");
    map.promotion = static_cast<uint32_t>(promotion.integer(64, 256));
    if (map.promotion != 64 && map.promotion != 128 && map.promotion != 256)
      promotion.expected("64, 128 or 256 bytes");
  }
  uint64_t inner = static_cast<uint64_t>(
                       box.element(0).integer(1, TensorMapSpec::maxExtent)) *
                   elementBytes(map.element);
  if (inner % 16 != 0)
    box.fail("the innermost extent has " + std::to_string(inner) +
             " bytes, expected a multiple of 16");
  if (map.swizzle != 0 && inner > map.swizzle)
    box.fail("the innermost extent has " + std::to_string(inner) +
             " bytes, expected at most the " + std::to_string(map.swizzle) +
             " of the swizzle");
  return map;
}

KernelLaunch FunctionReader::launch(const JsonCursor &json) const {
  KernelLaunch launch;
  launch.kernel = json.member("kernel").string(1, 1024);
  if (launch.kernel.find('\0') != std::string::npos)
    json.fail("a kernel name has a NUL character");
  launch.grid = expression(json.member("grid"));
  launch.threads =
      static_cast<uint32_t>(json.member("threads").integer(1, Limits::threads));
  launch.sharedBytes = static_cast<uint32_t>(
      json.member("shared_bytes").integer(0, Limits::sharedBytes));
  if (json.has("cluster"))
    launch.cluster = static_cast<uint32_t>(
        json.member("cluster").integer(1, Limits::cluster));
  if (json.has("programmatic"))
    launch.programmatic = json.member("programmatic").boolean();
  JsonCursor args = json.member("args");
  for (size_t i = 0, n = args.size(Limits::kernelArguments); i < n; ++i) {
    JsonCursor source = args.element(i);
    if (!source.has("tensor_map")) {
      launch.arguments.push_back(kernelArgument(source));
      continue;
    }
    if (launch.tensorMaps.size() == Limits::tensorMaps)
      args.fail("has more than " + std::to_string(Limits::tensorMaps) +
                " tensor maps, the limit of a launch");
    KernelArgument argument;
    argument.kind = KernelArgument::Kind::TensorMap;
    argument.index = launch.tensorMaps.size();
    launch.tensorMaps.push_back(tensorMap(source.member("tensor_map")));
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

void FunctionReader::predictions(const JsonCursor &json, Step &step) const {
  step.predictedTokens = expression(json.member("tokens"));
  JsonCursor at = json.member("at");
  size_t count = at.size(Limits::predictions);
  if (count == 0)
    at.fail("expected at least one number of tokens, found none");
  for (size_t i = 0; i < count; ++i)
    step.predictedAt.push_back(
        at.element(i).integer(i ? step.predictedAt.back() + 1 : 1, maxInteger));
}

std::optional<Traffic> FunctionReader::traffic(const JsonCursor &json) const {
  if (!json.has("traffic"))
    return std::nullopt;
  JsonCursor traffic = json.member("traffic");
  return Traffic{expression(traffic.member("tokens")),
                 expression(traffic.member("read")),
                 expression(traffic.member("written"))};
}

Variant FunctionReader::variant(const JsonCursor &json,
                                const Step &step) const {
  Variant variant;
  variant.traffic = traffic(json);
  if (json.has("predicted")) {
    JsonCursor times = json.member("predicted");
    size_t count = times.size(Limits::predictions);
    if (count != step.predictedAt.size())
      times.fail("expected a time for each of the step's " +
                 std::to_string(step.predictedAt.size()) +
                 " numbers of tokens, found " + std::to_string(count));
    for (size_t i = 0; i < count; ++i) {
      JsonCursor time = times.element(i);
      // Nanoseconds.
      double microseconds =
          time.isNull()
              ? 0
              : static_cast<double>(time.integer(1, maxInteger)) / 1000;
      variant.predicted.push_back(microseconds);
    }
  }
  if (json.has("guards")) {
    JsonCursor guards = json.member("guards");
    for (size_t i = 0, n = guards.size(Limits::guards); i < n; ++i)
      variant.guards.push_back(guard(guards.element(i)));
  }
  if (json.has("family"))
    variant.family = json.member("family").string(1, 64);
  JsonCursor launches = json.member("launches");
  for (size_t i = 0, n = launches.size(Limits::launches); i < n; ++i)
    variant.launches.push_back(launch(launches.element(i)));
  auto note = [&](const KernelArgument &argument) {
    if (argument.kind != KernelArgument::Kind::Dense)
      return;
    auto index = static_cast<int>(argument.index);
    if (variant.dense >= 0 && variant.dense != index)
      json.fail("a variant reads the dense form of one argument, found those "
                "of " +
                std::to_string(variant.dense) + " and " +
                std::to_string(index));
    variant.dense = index;
  };
  for (const Guard &guard : variant.guards)
    note(guard.pointer);
  for (const KernelLaunch &launch : variant.launches) {
    for (const KernelArgument &argument : launch.arguments)
      note(argument);
    for (const TensorMapSpec &map : launch.tensorMaps)
      note(map.base);
  }
  return variant;
}

// A name that can only be a file directly inside the bundle.
static bool isPlainFileName(const std::string &name) {
  if (name.empty() || name.size() > 255 || name[0] == '.')
    return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c > 0x20 && c != 0x7f && c != '/' && c != '\\';
  });
}

Program FunctionReader::program(const JsonCursor &json) const {
  Program program;
  JsonCursor target = json.member("target");
  std::optional<Target> parsed = parseTarget(target.string(1, 16));
  if (!parsed)
    target.expected("a target such as sm_80 or sm_90a");
  program.target = *parsed;
  JsonCursor image = json.member("image");
  program.image = image.string(1, 4096);
  if (!isPlainFileName(program.image))
    image.fail("'" + printable(program.image) +
               "' is not a plain file name; an image lies directly in the "
               "bundle's folder");
  if (json.has("workspace"))
    program.workspace = expression(json.member("workspace"));
  JsonCursor steps = json.member("steps");
  for (size_t i = 0, n = steps.size(Limits::steps); i < n; ++i) {
    JsonCursor source = steps.element(i);
    Step step;
    step.op = source.member("op").string(0, 256);
    if (source.has("loc"))
      step.location = source.member("loc").string(0, 4096);
    if (source.has("independent"))
      step.independent = source.member("independent").boolean();
    step.traffic = traffic(source);
    if (source.has("predicted"))
      predictions(source.member("predicted"), step);
    JsonCursor variants = source.member("variants");
    size_t count = variants.size(Limits::variants);
    if (count == 0)
      variants.fail("a step needs at least one variant");
    for (size_t v = 0; v < count; ++v) {
      step.variants.push_back(variant(variants.element(v), step));
      if (step.variants.back().dense >= 0 && !step.independent)
        variants.element(v).fail("reads a dense form, which may be absent: "
                                 "expected a step that is 'independent'");
    }
    program.steps.push_back(std::move(step));
  }
  return program;
}

void FunctionReader::readDenseSource() {
  bool any = false;
  for (const Program &program : function.programs)
    for (const Step &step : program.steps)
      for (const Variant &variant : step.variants)
        if (variant.dense >= 0)
          any = function.readsDense[variant.dense] = true;
  if (!any)
    return;
  function.denseSource = DenseSource::Weights;
  if (!json.has("dense_fallback"))
    return;
  JsonCursor source = json.member("dense_fallback");
  const std::string &name = source.string(1, 16);
  if (name != "weights" && name != "rebuild")
    source.expected("'weights' or 'rebuild'");
  if (name == "rebuild")
    function.denseSource = DenseSource::Rebuild;
}

//===- manifest_parser.cpp - Reads manifest.json --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/manifest/json.h"
#include "device/manifest/manifest.h"
#include "device/tensor_map.h"
#include "dispatch/store.h"

#include <algorithm>

using namespace sparseflow::rt;

namespace {

using Limits = ManifestLimits;
constexpr int64_t maxInteger = std::numeric_limits<int64_t>::max();
constexpr int64_t minInteger = std::numeric_limits<int64_t>::min();

/// Reads one function; the symbols it declares resolve names below it.
class FunctionReader {
public:
  FunctionReader(const JsonCursor &json, Function &function)
      : json(json), function(function) {}

  void read();

private:
  int symbol(const JsonCursor &json) const;
  Expression expression(const JsonCursor &json) const;
  void appendExpression(const JsonCursor &json, Expression &result) const;
  TensorSpec tensor(const JsonCursor &json) const;
  TensorSpec result(const JsonCursor &json) const;
  void encoding(const JsonCursor &json, TensorSpec &spec) const;
  void ternary(const JsonCursor &json, TensorSpec &spec) const;
  void ternaryCache(const JsonCursor &json, TensorSpec &spec) const;
  KernelArgument kernelArgument(const JsonCursor &json) const;
  Guard guard(const JsonCursor &json) const;
  TensorMapSpec tensorMap(const JsonCursor &json) const;
  KernelLaunch launch(const JsonCursor &json) const;
  Variant variant(const JsonCursor &json, const Step &step) const;
  void predictions(const JsonCursor &json, Step &step) const;
  Program program(const JsonCursor &json) const;
  void readDenseSource();

  const JsonCursor &json;
  Function &function;
};

} // namespace

int FunctionReader::symbol(const JsonCursor &json) const {
  const std::string &name = json.string(1, 64);
  auto it = std::find(function.symbols.begin(), function.symbols.end(), name);
  if (it == function.symbols.end())
    json.fail("'" + printable(name) + "' is not in the function's symbols");
  return static_cast<int>(it - function.symbols.begin());
}

void FunctionReader::appendExpression(const JsonCursor &json,
                                      Expression &result) const {
  using Op = Expression::Op;
  if (json.isInteger())
    return result.append(Op::Constant, json.integer(minInteger, maxInteger));
  if (json.isString())
    return result.append(Op::Symbol, symbol(json));
  static const std::pair<const char *, Op> ops[] = {
      {"add", Op::Add},           {"sub", Op::Sub},
      {"mul", Op::Mul},           {"ceildiv", Op::CeilDiv},
      {"floordiv", Op::FloorDiv}, {"mod", Op::Mod},
      {"min", Op::Min},           {"max", Op::Max}};
  if (!json.isArray())
    json.expected("an integer, a symbol or [op, a, b]");
  if (json.size(3) != 3)
    json.fail("an operation has the form [op, a, b]");
  const std::string &name = json.element(0).string(1, 16);
  for (const auto &[opName, op] : ops) {
    if (name != opName)
      continue;
    appendExpression(json.element(1), result);
    appendExpression(json.element(2), result);
    return result.append(op);
  }
  json.fail("unknown operation '" + printable(name) +
            "'; expected add, sub, mul, ceildiv, floordiv, mod, min or max");
}

Expression FunctionReader::expression(const JsonCursor &json) const {
  Expression result;
  result.clear();
  appendExpression(json, result);
  if (Status status = result.verify(function.symbols.size()); !status)
    json.fail(status.text());
  return result;
}

void FunctionReader::ternaryCache(const JsonCursor &json,
                                  TensorSpec &spec) const {
  CacheFormat format =
      *CacheFormat::ofStorage(json.member("storage").string(1, 32));
  JsonCursor scale = json.member("scale");
  if (scale.isInteger())
    format.scope = scale.integer(32, 256);
  else if (const std::string &scope = scale.string(1, 16); scope == "head")
    format.scope = kCacheHeadScale;
  else if (scope == "token")
    format.scope = kCacheTokenScale;
  else if (scope == "token x 32" || scope == "token x 64")
    format.scope = scope.back() == '2' ? -32 : -64;
  else if (scope == "token x 128")
    format.scope = -128;
  else
    scale.expected(
        format.isTernary()
            ? "'head', 'token', 32, 64, 128 or 256"
            : "'token', 'token x 32', 'token x 64' or 'token x 128'");
  JsonCursor type = json.member("scale_dtype");
  std::optional<DType> parsed = parseDType(type.string(1, 16));
  if (!parsed || isInteger(*parsed))
    type.expected("f16, bf16 or f32");
  format.scaleType = static_cast<sf_dtype>(*parsed);
  json.member("planes").integer(1, 1);
  bool is16Bit = spec.dtype == DType::F16 || spec.dtype == DType::BF16;
  if (spec.shape.size() != 4 || spec.shape[1].symbol >= 0 ||
      spec.shape[3].symbol >= 0 || !is16Bit)
    json.fail("a " + std::string(format.kindName()) +
              " cache is an f16 or bf16 tensor [B, G, S, D] with constant G "
              "and D");
  format.features = spec.shape[3].constant;
  if (Status status = format.verify(); !status)
    json.fail(status.text());
  if (spec.shape[2].symbol < 0 && spec.shape[2].constant % kPageTokens != 0)
    json.fail("a " + std::string(format.kindName()) +
              " cache has room for a multiple of 64 tokens, found " +
              std::to_string(spec.shape[2].constant));
  spec.cache = format;
  spec.layout = Layout::TernaryCache;
}

void FunctionReader::ternary(const JsonCursor &json, TensorSpec &spec) const {
  TernaryFormat &format = spec.ternary;
  JsonCursor storage = json.member("storage");
  const std::string &name = storage.string(1, 32);
  if (CacheFormat::ofStorage(name))
    return ternaryCache(json, spec);
  std::string words;
  const Storage *known = nullptr;
  for (const Storage *each : kStorages) {
    words += std::string(each->word) + ", ";
    if (name == each->word)
      known = each;
  }
  if (!known)
    storage.expected(words +
                     "or of a cache key_planes, value_planes, key_int8, "
                     "value_int8, key_int4 or value_int4");
  format.storage = known->number;
  JsonCursor scale = json.member("scale");
  if (scale.isInteger())
    format.group = scale.integer(32, 256);
  else if (const std::string &scope = scale.string(1, 16); scope == "row")
    format.group = kRowScale;
  else if (scope == "tensor")
    format.group = kTensorScale;
  else
    scale.expected("'tensor', 'row', 32, 64, 128 or 256");
  JsonCursor type = json.member("scale_dtype");
  std::optional<DType> parsed = parseDType(type.string(1, 16));
  if (!parsed || isInteger(*parsed))
    type.expected("f16, bf16 or f32");
  format.scaleType = static_cast<sf_dtype>(*parsed);
  format.planes = static_cast<int>(json.member("planes").integer(1, 2));
  if (spec.shape.size() != 2 || spec.shape[0].symbol >= 0 ||
      spec.shape[1].symbol >= 0 ||
      (spec.dtype != DType::F16 && spec.dtype != DType::BF16))
    json.fail("a quantized weight is an f16 or bf16 matrix [N, K] of constant "
              "sizes");
  format.n = spec.shape[0].constant;
  format.k = spec.shape[1].constant;
  if (Status status = format.verify(); !status)
    json.fail(status.text());
  spec.layout = Layout::Ternary;
}

void FunctionReader::encoding(const JsonCursor &json, TensorSpec &spec) const {
  const std::string &kind = json.member("kind").string(1, 32);
  if (kind == "ternary" || kind == "quantized")
    return ternary(json, spec);
  if (kind != "nm")
    json.fail("encoding '" + printable(kind) +
              "' is unknown to this version, expected 'nm', 'ternary' or "
              "'quantized'");
  spec.patternM = static_cast<int>(json.member("m").integer(2, 64));
  spec.patternN =
      static_cast<int>(json.member("n").integer(1, spec.patternM - 1));
  if (spec.shape.empty())
    json.fail("an encoded tensor needs at least one dimension");
  if (isInteger(spec.dtype))
    json.fail(std::string("an N:M pattern is one of floats, found ") +
              dtypeName(spec.dtype));
  auto last = static_cast<int64_t>(spec.shape.size()) - 1;
  spec.patternAxis = static_cast<size_t>(
      json.has("axis") ? json.member("axis").integer(0, last) : last);
}

TensorSpec FunctionReader::tensor(const JsonCursor &json) const {
  TensorSpec spec;
  if (json.has("name"))
    spec.name = json.member("name").string(0, 256);
  JsonCursor dtype = json.member("dtype");
  std::optional<DType> parsed = parseDType(dtype.string(1, 16));
  if (!parsed)
    dtype.expected("f16, bf16, f32, i1, i8, i32 or i64");
  spec.dtype = *parsed;
  JsonCursor shape = json.member("shape");
  for (size_t i = 0, rank = shape.size(Limits::rank); i < rank; ++i) {
    JsonCursor size = shape.element(i);
    Dim dim;
    if (size.isString())
      dim.symbol = symbol(size);
    else
      dim.constant = size.integer(0, maxInteger);
    spec.shape.push_back(dim);
  }
  if (json.has("encoding"))
    encoding(json.member("encoding"), spec);
  if (json.has("layout")) {
    JsonCursor layout = json.member("layout");
    const std::string &name = layout.string(1, 64);
    if (spec.isTernary() || spec.isCache()) {
      const char *expected = spec.isCache() ? spec.cache->layoutName()
                                            : layoutName(spec.ternary.storage);
      if (name != expected)
        layout.fail("the encoding is stored as " + std::string(expected) +
                    ", found '" + printable(name) + "'");
      return spec;
    }
    if (name != "sf24.v1")
      layout.fail("layout '" + printable(name) +
                  "' is unknown to this version for such a tensor, expected "
                  "sf24.v1; use a runtime as new as the bundle's producer");
    if (spec.patternN != 2 || spec.patternM != 4 || spec.shape.size() != 2 ||
        spec.patternAxis != 1 ||
        (spec.dtype != DType::F16 && spec.dtype != DType::BF16))
      layout.fail(
          "sf24.v1 holds an f16 or bf16 matrix that is 2:4 along its rows");
    spec.layout = Layout::Sf24V1;
  } else if (spec.isCache()) {
    json.fail("a " + std::string(spec.cache->kindName()) +
              " cache is packed: expected the member 'layout', '" +
              std::string(spec.cache->layoutName()) + "'");
  } else if (spec.isTernary()) {
    json.fail("a quantized weight is packed: expected the member 'layout', '" +
              std::string(layoutName(spec.ternary.storage)) + "'");
  }
  return spec;
}

static bool sameDims(const std::vector<Dim> &a, const std::vector<Dim> &b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](Dim x, Dim y) {
           return x.constant == y.constant && x.symbol == y.symbol;
         });
}

TensorSpec FunctionReader::result(const JsonCursor &json) const {
  TensorSpec spec = tensor(json);
  if (!json.has("updates")) {
    if (spec.layout != Layout::RowMajor)
      json.fail("a result is row-major, not packed, unless it 'updates' an "
                "argument");
    return spec;
  }
  JsonCursor updates = json.member("updates");
  auto last = static_cast<int64_t>(function.arguments.size()) - 1;
  spec.updates = static_cast<int>(updates.integer(0, last));
  const TensorSpec &argument = function.arguments[spec.updates];
  bool sameCache = spec.isCache() == argument.isCache() &&
                   (!spec.isCache() || *spec.cache == *argument.cache);
  if (spec.isTernary() || spec.encoded() || spec.dtype != argument.dtype ||
      spec.layout != argument.layout || !sameDims(spec.shape, argument.shape) ||
      !sameCache)
    json.fail("a result that updates argument " + std::to_string(spec.updates) +
              " has its type, shape and layout, and is no weight");
  for (const TensorSpec &other : function.results)
    if (other.updates == spec.updates)
      updates.fail("a second result updates argument " +
                   std::to_string(spec.updates));
  return spec;
}

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

Variant FunctionReader::variant(const JsonCursor &json,
                                const Step &step) const {
  Variant variant;
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
    if (source.has("traffic")) {
      JsonCursor traffic = source.member("traffic");
      step.traffic = Traffic{expression(traffic.member("tokens")),
                             expression(traffic.member("read")),
                             expression(traffic.member("written"))};
    }
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

void FunctionReader::read() {
  function.name = json.member("name").string(1, 1024);
  if (json.has("symbols")) {
    JsonCursor symbols = json.member("symbols");
    for (size_t i = 0, n = symbols.size(Limits::symbols); i < n; ++i) {
      const std::string &name = symbols.element(i).string(1, 64);
      if (std::count(function.symbols.begin(), function.symbols.end(), name))
        symbols.fail("symbol '" + printable(name) + "' appears twice");
      function.symbols.push_back(name);
    }
  }
  JsonCursor arguments = json.member("arguments");
  for (size_t i = 0, n = arguments.size(Limits::tensors); i < n; ++i)
    function.arguments.push_back(tensor(arguments.element(i)));
  function.readsDense.resize(function.arguments.size());
  JsonCursor results = json.member("results");
  for (size_t i = 0, n = results.size(Limits::tensors); i < n; ++i) {
    function.results.push_back(result(results.element(i)));
  }
  // Every symbol is bound by a tensor of the call.
  for (size_t s = 0; s < function.symbols.size(); ++s) {
    auto mentions = [&](const TensorSpec &spec) {
      return std::any_of(
          spec.shape.begin(), spec.shape.end(),
          [&](const Dim &dim) { return dim.symbol == static_cast<int>(s); });
    };
    if (std::none_of(function.arguments.begin(), function.arguments.end(),
                     mentions) &&
        std::none_of(function.results.begin(), function.results.end(),
                     mentions))
      json.fail("symbol '" + printable(function.symbols[s]) +
                "' is not a size of any argument or result");
  }
  if (!json.has("programs"))
    return;
  JsonCursor programs = json.member("programs");
  for (size_t i = 0, n = programs.size(Limits::programs); i < n; ++i) {
    Program next = program(programs.element(i));
    for (const Program &other : function.programs)
      if (other.target.text == next.target.text)
        programs.element(i).fail("a second program for " + next.target.text);
    function.programs.push_back(std::move(next));
  }
  readDenseSource();
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

Expected<Manifest> sparseflow::rt::parseManifest(const std::string &text) {
  if (text.size() > Limits::fileBytes)
    return formatError("manifest.json has " + std::to_string(text.size()) +
                       " bytes, the limit is " +
                       std::to_string(Limits::fileBytes));
  try {
    nlohmann::json document = parseJson(text);
    JsonCursor root(document, "manifest");
    JsonCursor format = root.member("format");
    if (format.string(0, 64) != "sparseflow-bundle")
      format.expected("'sparseflow-bundle'");
    JsonCursor version = root.member("version");
    if (int64_t found = version.integer(0, maxInteger); found != 1)
      version.fail("this runtime reads version 1, found version " +
                   std::to_string(found) +
                   "; use a runtime as new as the bundle's producer");
    Manifest manifest;
    manifest.identity = contentIdentity(text);
    if (root.has("producer"))
      manifest.producer = root.member("producer").string(0, 1024);
    JsonCursor functions = root.member("functions");
    for (size_t i = 0, n = functions.size(Limits::functions); i < n; ++i) {
      Function function;
      JsonCursor json = functions.element(i);
      FunctionReader(json, function).read();
      for (const Function &other : manifest.functions)
        if (other.name == function.name)
          json.fail("a second function '" + printable(function.name) + "'");
      manifest.functions.push_back(std::move(function));
    }
    return manifest;
  } catch (const JsonError &e) {
    return e.status;
  }
}

//===- manifest_parser.cpp - Reads manifest.json --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/manifest/function_reader.h"
#include "dispatch/store.h"

#include <algorithm>

using namespace sparseflow::rt;
using Limits = ManifestLimits;

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
    storage.expected(
        words + "or of a cache key_planes, value_planes, key_int8, "
                "value_int8, key_int4, value_int4, key_e4m3 or value_e4m3");
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

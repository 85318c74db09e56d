//===- Manifest.cpp - Reads the reference graphs of a manifest ------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "run/Manifest.h"

#include "device/manifest/json.h"
#include "run/ScalarOpNames.h"

#include <cmath>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::formatError;
using rt::JsonCursor;
using rt::JsonError;
using rt::ManifestLimits;
using rt::printable;

static constexpr int maxValues = 1 << 16;
static constexpr size_t maxRegionOps = 4096;
static constexpr int64_t maxRotated = 1 << 14;

bool Region::readsLoops() const {
  for (const RegionOp &op : ops)
    if (op.op == ScalarOp::Index || op.op == ScalarOp::Size ||
        op.op == ScalarOp::Load)
      return true;
  return false;
}

static Predicate parsePredicate(const JsonCursor &json) {
  const std::string &name = json.string(1, 16);
  if (name == "false")
    return 0;
  if (name == "true")
    return 15;
  if (name == "ord")
    return 7;
  if (name == "uno")
    return 8;
  static const std::pair<const char *, Predicate> relations[] = {
      {"eq", 2}, {"gt", 4}, {"ge", 6}, {"lt", 1}, {"le", 3}, {"ne", 5}};
  if (name.size() == 3 && (name[0] == 'o' || name[0] == 'u'))
    for (const auto &[text, bits] : relations)
      if (name.compare(1, 2, text) == 0)
        return bits | (name[0] == 'u' ? 8 : 0);
  json.expected("a comparison of arith.cmpf such as olt or une");
}

static double parseConstant(const JsonCursor &json) {
  if (json.isNumber())
    return json.number();
  // JSON has no spelling for these.
  const std::string &name = json.string(1, 8);
  if (name == "inf")
    return INFINITY;
  if (name == "-inf")
    return -INFINITY;
  if (name == "nan")
    return NAN;
  json.expected("a number, 'inf', '-inf' or 'nan'");
}

static DType parseType(const JsonCursor &json) {
  std::optional<DType> dtype = rt::parseDType(json.string(1, 16));
  if (!dtype)
    json.expected("f16, bf16, f32, i1, i8, i32 or i64");
  return *dtype;
}

namespace {
class ReferenceReader {
public:
  explicit ReferenceReader(const Function &function) : function(function) {}
  Reference read(const JsonCursor &json);

private:
  int use(const JsonCursor &json) const;
  ReferenceStep step(const JsonCursor &json);
  void matmul(const JsonCursor &json, ReferenceStep &step) const;
  void map(const JsonCursor &json, ReferenceStep &step) const;
  void attention(const JsonCursor &json, ReferenceStep &step) const;
  int define(const JsonCursor &json);
  void reduce(const JsonCursor &json, ReferenceStep &step);
  void append(const JsonCursor &json, ReferenceStep &step) const;
  void reshape(const JsonCursor &json, ReferenceStep &step) const;
  void quantize(const JsonCursor &json, ReferenceStep &step);
  void hadamard(const JsonCursor &json, ReferenceStep &step);
  void sample(const JsonCursor &json, ReferenceStep &step) const;
  void addInput(const JsonCursor &json, ReferenceStep &step) const;
  std::vector<Dim> sizes(const JsonCursor &json) const;
  void inputs(const JsonCursor &json, ReferenceStep &step) const;
  Dim dim(const JsonCursor &json) const;
  RegionOp regionOp(const JsonCursor &json, int defined, int loops) const;
  Region region(const JsonCursor &json, int inputs, int loops) const;

  const Function &function;
  Reference reference;
  std::vector<bool> defined;
};
} // namespace

RegionOp ReferenceReader::regionOp(const JsonCursor &json, int defined,
                                   int loops) const {
  RegionOp result;
  size_t size = json.size(ManifestLimits::rank + 2);
  if (size == 0)
    json.expected("[op, operands...]");
  const std::string &name = json.element(0).string(1, 16);
  auto operands = [&](size_t first, int count) {
    for (int i = 0; i < count; ++i)
      result.operands[i] =
          static_cast<int>(json.element(first + i).integer(0, defined - 1));
  };
  auto exactly = [&](size_t count) {
    if (size != count)
      json.fail("'" + printable(name) + "' takes " + std::to_string(count - 1) +
                " operands, found " + std::to_string(size - 1));
  };
  if (name == "const") {
    exactly(2);
    result.op = ScalarOp::Const;
    result.constant = parseConstant(json.element(1));
    return result;
  }
  if (name == "cmpf") {
    exactly(4);
    result.op = ScalarOp::Cmpf;
    result.predicate = parsePredicate(json.element(1));
    operands(2, 2);
    return result;
  }
  bool isPlaced = name == "index" || name == "size" || name == "load";
  if (isPlaced && loops < 0)
    json.fail("'" + name + "' stands in regions of maps and reductions only");
  if (name == "index") {
    exactly(2);
    result.op = ScalarOp::Index;
    result.source = static_cast<int>(json.element(1).integer(0, loops - 1));
    return result;
  }
  if (name == "size") {
    exactly(2);
    result.op = ScalarOp::Size;
    result.size = dim(json.element(1));
    return result;
  }
  if (name == "load") {
    if (size < 2)
      json.expected("[load, value, indices...]");
    result.op = ScalarOp::Load;
    result.source = use(json.element(1));
    for (size_t i = 2; i < size; ++i)
      result.indices.push_back(
          static_cast<int>(json.element(i).integer(0, defined - 1)));
    return result;
  }
  for (const ScalarOpName &known : scalarOpNames) {
    if (name != known.name)
      continue;
    result.op = known.op;
    if (known.op == ScalarOp::Truncf && size == 3) {
      result.dtype = parseType(json.element(2));
      if (rt::isInteger(*result.dtype))
        json.element(2).expected("f16, bf16 or f32");
    } else
      exactly(known.operands + 1);
    operands(1, known.operands);
    return result;
  }
  json.fail("unknown scalar operation '" + printable(name) + "'");
}

Region ReferenceReader::region(const JsonCursor &json, int inputs,
                               int loops) const {
  Region region;
  JsonCursor count = json.member("inputs");
  region.inputs = static_cast<int>(count.integer(0, 1024));
  if (region.inputs != inputs)
    count.fail("the step has " + std::to_string(inputs) + " inputs, found " +
               std::to_string(region.inputs));
  JsonCursor ops = json.member("ops");
  for (size_t i = 0, n = ops.size(maxRegionOps); i < n; ++i)
    region.ops.push_back(
        regionOp(ops.element(i), inputs + static_cast<int>(i), loops));
  int64_t last = inputs + static_cast<int64_t>(region.ops.size()) - 1;
  region.yield = static_cast<int>(json.member("yield").integer(0, last));
  if (!json.has("checked"))
    return region;
  JsonCursor checked = json.member("checked");
  for (size_t i = 0, n = checked.size(maxRegionOps); i < n; ++i) {
    JsonCursor load = checked.element(i).member("load");
    CheckedIndex one;
    one.load = static_cast<int>(load.integer(inputs, last));
    const RegionOp &op = region.ops[static_cast<size_t>(one.load - inputs)];
    if (op.op != ScalarOp::Load || op.indices.empty())
      load.expected("the number of a load that has indices");
    one.dim = static_cast<int>(checked.element(i).member("dim").integer(
        0, static_cast<int64_t>(op.indices.size()) - 1));
    one.index = static_cast<int>(
        checked.element(i).member("index").integer(0, one.load - 1));
    region.checked.push_back(one);
  }
  return region;
}

static Broadcast parseBroadcast(const JsonCursor &json) {
  const std::string &name = json.string(1, 16);
  if (name == "per_feature")
    return Broadcast::PerFeature;
  if (name == "per_token")
    return Broadcast::PerToken;
  if (name == "full")
    return Broadcast::Full;
  if (name == "scalar")
    return Broadcast::Scalar;
  json.expected("per_feature, per_token, full or scalar");
}

int ReferenceReader::use(const JsonCursor &json) const {
  auto value = static_cast<int>(json.integer(0, reference.values - 1));
  if (!defined[value])
    json.fail("value " + std::to_string(value) +
              " is used before a step defines it");
  return value;
}

void ReferenceReader::matmul(const JsonCursor &json,
                             ReferenceStep &step) const {
  step.isMatmul = true;
  step.x = use(json.member("x"));
  step.w = use(json.member("w"));
  if (!json.has("operands"))
    return;
  JsonCursor operands = json.member("operands");
  for (size_t i = 0, n = operands.size(64); i < n; ++i) {
    ReferenceInput input;
    input.value = use(operands.element(i).member("value"));
    input.broadcast = parseBroadcast(operands.element(i).member("broadcast"));
    step.inputs.push_back(std::move(input));
  }
}

std::vector<Dim> ReferenceReader::sizes(const JsonCursor &json) const {
  std::vector<Dim> result;
  for (size_t i = 0, n = json.size(ManifestLimits::rank); i < n; ++i)
    result.push_back(dim(json.element(i)));
  return result;
}

Dim ReferenceReader::dim(const JsonCursor &size) const {
  Dim dim;
  if (!size.isString()) {
    dim.constant = size.integer(0, std::numeric_limits<int64_t>::max());
    return dim;
  }
  const std::string &name = size.string(1, 64);
  for (size_t s = 0; s < function.symbols.size(); ++s)
    if (function.symbols[s] == name)
      dim.symbol = static_cast<int>(s);
  if (dim.symbol < 0)
    size.fail("'" + printable(name) + "' is not in the function's symbols");
  return dim;
}

void ReferenceReader::inputs(const JsonCursor &json,
                             ReferenceStep &step) const {
  size_t loops = step.shape.size() + step.reduced.size();
  JsonCursor list = json.member("inputs");
  for (size_t i = 0, n = list.size(64); i < n; ++i) {
    ReferenceInput input;
    input.value = use(list.element(i).member("value"));
    JsonCursor dims = list.element(i).member("dims");
    for (size_t d = 0, count = dims.size(loops); d < count; ++d)
      input.dims.push_back(static_cast<int>(
          dims.element(d).integer(0, static_cast<int64_t>(loops) - 1)));
    step.inputs.push_back(std::move(input));
  }
}

void ReferenceReader::attention(const JsonCursor &json,
                                ReferenceStep &step) const {
  AttentionStep &attention = step.attention.emplace();
  attention.q = use(json.member("q"));
  attention.k = use(json.member("k"));
  attention.v = use(json.member("v"));
  for (auto [name, value] : {std::pair("lengths", &attention.lengths),
                             std::pair("pages", &attention.pages),
                             std::pair("cu_seqlens_q", &attention.cuQueries),
                             std::pair("cu_seqlens_k", &attention.cuKeys),
                             std::pair("sink_logits", &attention.sinkLogits)})
    if (json.has(name))
      *value = use(json.member(name));
  JsonCursor layout = json.member("layout");
  const std::string &order = layout.string(1, 16);
  if (order != "bhsd" && order != "bshd")
    layout.expected("bhsd or bshd");
  attention.bshd = order == "bshd";
  if (json.has("causal"))
    attention.causal = json.member("causal").integer(0, 1) != 0;
  if (json.has("window"))
    attention.window = json.member("window").integer(1, int64_t(1) << 62);
  if (json.has("value_features"))
    attention.valueFeatures = static_cast<int>(
        json.member("value_features").integer(1, (int64_t(1) << 31) - 1));
  attention.scale = json.member("scale").number();
  attention.scored = json.has("region");
  if (!json.has("operands"))
    return;
  JsonCursor operands = json.member("operands");
  for (size_t i = 0, n = operands.size(64); i < n; ++i) {
    ReferenceInput input;
    input.value = use(operands.element(i).member("value"));
    JsonCursor dims = operands.element(i).member("dims");
    for (size_t d = 0, count = dims.size(4); d < count; ++d)
      input.dims.push_back(static_cast<int>(dims.element(d).integer(0, 3)));
    step.inputs.push_back(std::move(input));
  }
}

int ReferenceReader::define(const JsonCursor &json) {
  auto value = static_cast<int>(json.integer(0, reference.values - 1));
  if (defined[value])
    json.fail("value " + std::to_string(value) + " is defined twice");
  defined[value] = true;
  return value;
}

void ReferenceReader::map(const JsonCursor &json, ReferenceStep &step) const {
  step.shape = sizes(json.member("shape"));
  inputs(json, step);
}

void ReferenceReader::reduce(const JsonCursor &json, ReferenceStep &step) {
  step.shape = sizes(json.member("shape"));
  JsonCursor reduced = json.member("reduced");
  step.reduced = sizes(reduced);
  if (step.reduced.empty())
    reduced.fail("a reduction has at least one reduced loop");
  step.init = parseConstant(json.member("init"));
  inputs(json, step);
  if (!json.has("more"))
    return;
  JsonCursor more = json.member("more");
  for (size_t i = 0, n = more.size(16); i < n; ++i) {
    JsonCursor entry = more.element(i);
    FurtherResult result;
    result.init = parseConstant(entry.member("init"));
    if (entry.has("dtype"))
      result.dtype = parseType(entry.member("dtype"));
    step.more.push_back(result);
  }
}

void ReferenceReader::reshape(const JsonCursor &json,
                              ReferenceStep &step) const {
  step.isReshape = true;
  step.shape = sizes(json.member("shape"));
  addInput(json.member("value"), step);
}

void ReferenceReader::addInput(const JsonCursor &json,
                               ReferenceStep &step) const {
  step.inputs.emplace_back();
  step.inputs.back().value = use(json);
}

void ReferenceReader::quantize(const JsonCursor &json, ReferenceStep &step) {
  step.isQuantize = true;
  JsonCursor shape = json.member("shape");
  step.shape = sizes(shape);
  if (step.shape.empty())
    shape.fail("activations have at least one dimension");
  addInput(json.member("x"), step);
  step.scale = define(json.member("scale"));
}

void ReferenceReader::hadamard(const JsonCursor &json, ReferenceStep &step) {
  JsonCursor shape = json.member("shape"), block = json.member("block");
  step.shape = sizes(shape);
  if (step.shape.empty())
    shape.fail("activations have at least one dimension");
  step.rotated = block.integer(2, maxRotated);
  if (step.rotated & (step.rotated - 1))
    block.expected("a power of two");
  addInput(json.member("x"), step);
  if (json.has("signs"))
    addInput(json.member("signs"), step);
}

void ReferenceReader::sample(const JsonCursor &json,
                             ReferenceStep &step) const {
  step.isSample = true;
  step.shape = sizes(json.member("shape"));
  for (const char *name :
       {"logits", "temperature", "top_k", "top_p", "seed", "position"})
    addInput(json.member(name), step);
}

void ReferenceReader::append(const JsonCursor &json,
                             ReferenceStep &step) const {
  AppendStep &append = step.append.emplace();
  JsonCursor cache = json.member("cache");
  append.cache = use(cache);
  auto argument = static_cast<size_t>(append.cache);
  append.isDense = json.has("layout");
  if (argument >= function.arguments.size() ||
      function.arguments[argument].isCache() == append.isDense)
    cache.expected(append.isDense ? "an argument that is a dense cache"
                                  : "an argument that is a quantized cache");
  append.tokens = use(json.member("tokens"));
  append.lengths = use(json.member("lengths"));
  if (append.isDense || json.has("pages"))
    append.pages = use(json.member("pages"));
  if (append.isDense) {
    JsonCursor layout = json.member("layout");
    const std::string &name = layout.string(1, 16);
    if (name != "bhsd" && name != "bshd")
      layout.expected("bhsd or bshd");
    append.bshd = name == "bshd";
    return;
  }
  if (!function.arguments[argument].cache->isTernary())
    return;
  JsonCursor method = json.member("method");
  const std::string &name = method.string(1, 16);
  if (name != "absmean" && name != "twn")
    method.expected("absmean or twn");
  if (name == "twn")
    append.method = rt::CacheMethod::Twn;
}

ReferenceStep ReferenceReader::step(const JsonCursor &json) {
  ReferenceStep step;
  JsonCursor op = json.member("op");
  const std::string &name = op.string(1, 16);
  step.isMatmul = name == "matmul";
  if (step.isMatmul)
    matmul(json, step);
  else if (name == "map")
    map(json, step);
  else if (name == "reduce")
    reduce(json, step);
  else if (name == "reshape")
    reshape(json, step);
  else if (name == "attention")
    attention(json, step);
  else if (name == "quantize")
    quantize(json, step);
  else if (name == "hadamard")
    hadamard(json, step);
  else if (name == "sample")
    sample(json, step);
  else if (name == "cache_append")
    append(json, step);
  else
    op.expected("matmul, map, reduce, reshape, attention, quantize, hadamard, "
                "sample or cache_append");
  if (json.has("dtype"))
    step.dtype = parseType(json.member("dtype"));
  // Inputs of a region that are not operands: what a product or a reduction has
  // so far; the score and the four indices of attention.
  bool folds = step.isMatmul || !step.reduced.empty();
  int before = step.attention ? 5
               : folds        ? 1 + static_cast<int>(step.more.size())
                              : 0;
  // Products and attention have no loops of their own.
  int loops = step.isMatmul || step.attention
                  ? -1
                  : static_cast<int>(step.shape.size() + step.reduced.size());
  if (!step.isReshape && !step.isQuantize && !step.rotated && !step.isSample &&
      !step.append && (!step.attention || step.attention->scored))
    step.region = region(json.member("region"),
                         static_cast<int>(step.inputs.size()) + before, loops);
  step.out = define(json.member("out"));
  for (size_t i = 0; i < step.more.size(); ++i) {
    JsonCursor entry = json.member("more").element(i);
    step.more[i].out = define(entry.member("out"));
    step.more[i].yield = static_cast<int>(entry.member("yield").integer(
        0,
        step.region.inputs + static_cast<int64_t>(step.region.ops.size()) - 1));
  }
  if (step.attention && json.has("lse"))
    step.attention->lse = define(json.member("lse"));
  return step;
}

Reference ReferenceReader::read(const JsonCursor &json) {
  auto arguments = static_cast<int>(function.arguments.size());
  reference.values =
      static_cast<int>(json.member("values").integer(arguments, maxValues));
  defined.assign(reference.values, false);
  std::fill_n(defined.begin(), arguments, true);
  JsonCursor steps = json.member("steps");
  for (size_t i = 0, n = steps.size(ManifestLimits::steps); i < n; ++i)
    reference.steps.push_back(step(steps.element(i)));
  JsonCursor results = json.member("results");
  if (results.size(ManifestLimits::tensors) != function.results.size())
    results.fail("expected " + std::to_string(function.results.size()) +
                 " values, one for each result of the function");
  for (size_t i = 0; i < function.results.size(); ++i)
    reference.results.push_back(use(results.element(i)));
  return std::move(reference);
}

Expected<size_t> BundleManifest::find(const std::string &name) const {
  const std::vector<Function> &functions = manifest.functions;
  if (name.empty() && functions.size() == 1)
    return size_t(0);
  std::string names;
  for (size_t i = 0; i < functions.size(); ++i) {
    if (!name.empty() && functions[i].name == name)
      return i;
    names += (i ? ", " : "") + printable(functions[i].name);
  }
  return rt::invalidArgument(
      (name.empty() ? std::string("name the function with --entry")
                    : "no function '" + printable(name) + "'") +
      "; the bundle has " + (names.empty() ? "none" : names));
}

Expected<BundleManifest>
sparseflow::tools::parseBundleManifest(const std::string &text) {
  Expected<rt::Manifest> manifest = rt::parseManifest(text);
  if (!manifest)
    return manifest.status();
  BundleManifest result;
  result.manifest = std::move(*manifest);
  try {
    nlohmann::json document = rt::parseJson(text);
    JsonCursor functions = JsonCursor(document, "manifest").member("functions");
    for (size_t i = 0; i < result.manifest.functions.size(); ++i) {
      JsonCursor json = functions.element(i);
      std::optional<Reference> reference;
      if (json.has("reference"))
        reference = ReferenceReader(result.manifest.functions[i])
                        .read(json.member("reference"));
      result.references.push_back(std::move(reference));
    }
  } catch (const JsonError &e) {
    return e.status;
  }
  return result;
}

Expected<BundleManifest>
sparseflow::tools::loadBundleManifest(const std::string &directory) {
  std::string path = directory + "/manifest.json";
  Expected<std::string> text =
      rt::readSmallFile(path, ManifestLimits::fileBytes);
  if (!text)
    return text.status().withContext("'" + printable(directory, 400) +
                                     "' is not a bundle");
  Expected<BundleManifest> manifest = parseBundleManifest(*text);
  if (!manifest)
    return manifest.status().withContext("'" + printable(path, 400) + "'");
  return manifest;
}

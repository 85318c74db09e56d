//===- Arguments.cpp - Host buffers for the arguments of a function -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "arguments/Arguments.h"

#include "arguments/ArgumentFiles.h"
#include "arguments/CacheArguments.h"
#include "arguments/Indices.h"
#include "arguments/IntegerArguments.h"
#include "arguments/PageTables.h"
#include "arguments/Random.h"
#include "arguments/TernaryArguments.h"
#include "io/sfpk.h"
#include "reference/ReferenceShapes.h"
#include "sparseflow/weights.h"

#include <algorithm>
#include <cmath>

using namespace sparseflow;
using namespace sparseflow::tools;
using rt::invalidArgument;
using rt::printable;

static bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// A decimal integer of at most 19 digits that fits 63 bits.
static bool parseInteger(const std::string &text, int64_t &value) {
  value = 0;
  if (text.empty() || text.size() > 19)
    return false;
  for (char c : text)
    if (c < '0' || c > '9' ||
        __builtin_mul_overflow(value, int64_t(10), &value) ||
        __builtin_add_overflow(value, int64_t(c - '0'), &value))
      return false;
  return true;
}

Status ArgumentRequest::addSize(const std::string &text) {
  size_t equals = text.find('=');
  int64_t value = 0;
  if (equals == std::string::npos || equals == 0 ||
      !parseInteger(text.substr(equals + 1), value))
    return invalidArgument("--dim '" + printable(text) +
                           "': expected SYMBOL=SIZE, such as T=64");
  sizes.emplace_back(text.substr(0, equals), value);
  return Status::success();
}

Status ArgumentRequest::addArgument(const std::string &text) {
  auto bad = [&] {
    return invalidArgument(
        "--arg '" + printable(text) +
        "': expected INDEX|NAME=SOURCE, SOURCE being FILE.npy, "
        "FILE.safetensors:TENSOR, FILE.sfpk:TENSOR, random:SEED or "
        "special:SEED");
  };
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return bad();
  std::string key = text.substr(0, equals), value = text.substr(equals + 1);
  ArgumentSource source;
  int64_t seed = 0;
  source.special = value.compare(0, 8, "special:") == 0;
  if (source.special || value.compare(0, 7, "random:") == 0) {
    if (!parseInteger(value.substr(value.find(':') + 1), seed))
      return bad();
    source.seed = static_cast<uint64_t>(seed);
  } else if (endsWith(value, ".npy")) {
    source.kind = ArgumentSource::Kind::Npy;
    source.path = value;
  } else {
    static const std::pair<const char *, ArgumentSource::Kind> kinds[] = {
        {".safetensors:", ArgumentSource::Kind::Safetensors},
        {".sfpk:", ArgumentSource::Kind::Sfpk}};
    bool found = false;
    for (const auto &[suffix, kind] : kinds) {
      size_t at = value.find(suffix);
      if (at == std::string::npos)
        continue;
      size_t colon = at + std::string(suffix).size() - 1;
      source.kind = kind;
      source.path = value.substr(0, colon);
      source.tensor = value.substr(colon + 1);
      found = !source.tensor.empty();
      break;
    }
    if (!found)
      return bad();
  }
  sources.emplace_back(std::move(key), std::move(source));
  return Status::success();
}

std::vector<int64_t> ArgumentSet::shapeOf(const TensorSpec &spec) const {
  std::vector<int64_t> shape;
  for (const Dim &dim : spec.shape)
    shape.push_back(dim.value(symbols.data()));
  return shape;
}

std::vector<HostTensor> ArgumentSet::allocateResults() const {
  std::vector<HostTensor> results;
  for (const TensorSpec &spec : function->results) {
    // Of a cache, the values.
    DType dtype = spec.isCache() ? DType::F32 : spec.dtype;
    results.push_back(HostTensor::allocate(dtype, shapeOf(spec)));
    results.back().poison();
  }
  return results;
}

bool ArgumentSet::empty() const { return function->isEmpty(symbols.data()); }

ReferenceCall ArgumentSet::referenceCall(const Reference &reference,
                                         int threads) const {
  ReferenceCall call{*function, reference, symbols, {}, {}, threads};
  for (const Argument &argument : arguments) {
    call.arguments.push_back(&argument.dense);
    call.packed.push_back(argument.packed.size() ? &argument.packed : nullptr);
  }
  return call;
}

namespace {
/// Builds an ArgumentSet: files first, since they bind symbols.
class Preparation {
public:
  Preparation(const Function &function, const Reference *reference,
              const ArgumentRequest &request)
      : function(function), reference(reference), request(request) {
    set.function = &function;
    set.symbols.assign(function.symbols.size(), -1);
    set.arguments.resize(function.arguments.size());
    sources.resize(function.arguments.size());
  }

  Expected<ArgumentSet> run();

private:
  Status bindRequest();
  Status bindWeights();
  bool isRandom(size_t index) const {
    return !sources[index] ||
           sources[index]->kind == ArgumentSource::Kind::Random;
  }
  Status bindShape(size_t index, const std::vector<int64_t> &shape);
  Status checkSizes() const;
  Status generate(size_t index);
  Status finish(size_t index);
  float scaleOf(size_t index) const;
  std::vector<PagedWrites> writesThrough(size_t index) const;
  void shortenWrites(size_t index);
  Status generateTable(size_t index);
  std::string describe(size_t index) const;

  const Function &function;
  const Reference *reference;
  const ArgumentRequest &request;
  ArgumentSet set;
  std::vector<std::optional<ArgumentSource>> sources;
  /// Once the symbols are bound.
  ValueShapes shapes;
};
} // namespace

std::string Preparation::describe(size_t index) const {
  return argumentText(function, static_cast<int>(index));
}

Status Preparation::bindRequest() {
  for (const auto &[name, size] : request.sizes) {
    auto it = std::find(function.symbols.begin(), function.symbols.end(), name);
    if (it == function.symbols.end()) {
      std::string known;
      for (const std::string &symbol : function.symbols)
        known += (known.empty() ? "" : ", ") + printable(symbol);
      return invalidArgument("--dim " + printable(name) +
                             ": the function's symbols are " +
                             (known.empty() ? "none" : known));
    }
    set.symbols[it - function.symbols.begin()] = size;
  }
  for (const auto &[key, source] : request.sources) {
    size_t index = function.arguments.size();
    int64_t number = 0;
    // A name wins over a number, since an argument may be called "0".
    for (size_t i = 0; i < function.arguments.size(); ++i) {
      if (function.arguments[i].name != key)
        continue;
      if (index != function.arguments.size())
        return invalidArgument("--arg " + printable(key) + ": arguments " +
                               std::to_string(index) + " and " +
                               std::to_string(i) +
                               " have this name; say which by index");
      index = i;
    }
    if (index == function.arguments.size() && parseInteger(key, number) &&
        static_cast<uint64_t>(number) < function.arguments.size())
      index = static_cast<size_t>(number);
    if (index == function.arguments.size()) {
      std::string known;
      for (size_t i = 0; i < function.arguments.size(); ++i)
        known += (i ? ", " : "") + std::to_string(i) + " " +
                 printable(function.arguments[i].name);
      return invalidArgument("--arg " + printable(key) +
                             ": the function's arguments are " + known);
    }
    sources[index] = source;
  }
  return Status::success();
}

// A tensor of an argument's name is that argument's, packed or dense; what the
// user said wins.
Status Preparation::bindWeights() {
  if (request.weights.empty())
    return Status::success();
  Expected<rt::SfpkFile> file = rt::SfpkFile::open(request.weights);
  if (!file)
    return file.status();
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string &name = function.arguments[i].name;
    if (sources[i] || name.empty() || !file->find(name))
      continue;
    sources[i] = ArgumentSource{ArgumentSource::Kind::Sfpk, 0, request.weights,
                                name, false};
  }
  return Status::success();
}

Status Preparation::bindShape(size_t index, const std::vector<int64_t> &shape) {
  const TensorSpec &spec = function.arguments[index];
  auto failed = [&](const std::string &text) {
    return invalidArgument(
        describe(index) + ": expected shape " +
        spec.shapeText(function.symbols) + ", found " + shapeText(shape) +
        " in '" + printable(set.arguments[index].origin, 400) + "'" + text);
  };
  if (shape.size() != spec.shape.size())
    return failed("");
  for (size_t d = 0; d < shape.size(); ++d) {
    int symbol = spec.shape[d].symbol;
    if (symbol >= 0 && set.symbols[symbol] < 0)
      set.symbols[symbol] = shape[d];
    int64_t expected = spec.shape[d].value(set.symbols.data());
    if (shape[d] != expected)
      return failed(symbol < 0 ? ""
                               : "; " + printable(function.symbols[symbol]) +
                                     " is already " + std::to_string(expected));
  }
  return Status::success();
}

// Every byte count is known to fit before anything is allocated.
Status Preparation::checkSizes() const {
  auto check = [&](const TensorSpec &spec, const std::string &what) {
    std::vector<int64_t> shape = set.shapeOf(spec);
    Expected<uint64_t> bytes = rt::storageBytes(spec, shape.data());
    if (!bytes)
      return bytes.status().withContext(what);
    if (Expected<uint64_t> count = rt::elementCount(shape.data(), shape.size());
        !count || *count > (uint64_t(1) << 40))
      return invalidArgument(what + ": " + shapeText(shape) +
                             " elements are too many for host memory");
    return Status::success();
  };
  for (size_t i = 0; i < function.arguments.size(); ++i)
    if (Status status = check(function.arguments[i], describe(i)); !status)
      return status;
  for (size_t i = 0; i < function.results.size(); ++i)
    if (Status status =
            check(function.results[i], "result " + std::to_string(i));
        !status)
      return status;
  return Status::success();
}

// Weights get 1/sqrt(K), so that products stay near 1.
float Preparation::scaleOf(size_t index) const {
  const TensorSpec &spec = function.arguments[index];
  bool weight = spec.encoded();
  if (reference)
    for (const ReferenceStep &step : reference->steps)
      weight |= step.isMatmul && step.w == static_cast<int>(index);
  if (!weight || spec.shape.empty())
    return 1.0f;
  int64_t k = spec.shape.back().value(set.symbols.data());
  return k > 0 ? 1.0f / std::sqrt(static_cast<float>(k)) : 1.0f;
}

/// The appends that write through the argument as their page table.
std::vector<PagedWrites> Preparation::writesThrough(size_t index) const {
  std::vector<PagedWrites> writes;
  if (!reference)
    return writes;
  for (const ReferenceStep &step : reference->steps) {
    if (!step.append || step.append->pages != static_cast<int>(index) ||
        shapes[step.append->tokens].empty())
      continue;
    const AppendStep &append = *step.append;
    auto lengths = static_cast<size_t>(append.lengths);
    size_t row = append.positionDim();
    writes.push_back(
        {append.cache, sizeOf(shapes, append.cache, 0),
         sizeOf(shapes, append.cache, row), sizeOf(shapes, append.tokens, row),
         lengths < set.arguments.size() ? &set.arguments[lengths].dense
                                        : nullptr});
  }
  return writes;
}

static int64_t fewestPages(const std::vector<PagedWrites> &writes) {
  int64_t pages = writes[0].count;
  for (const PagedWrites &write : writes)
    pages = std::min(pages, write.count);
  return pages;
}

// Where there is no page for each entry that is written, random lengths begin
// pages.
void Preparation::shortenWrites(size_t index) {
  std::vector<PagedWrites> writes = writesThrough(index);
  if (writes.empty())
    return;
  std::vector<bool> written =
      writtenEntries(set.shapeOf(function.arguments[index]), writes);
  if (std::count(written.begin(), written.end(), true) <= fewestPages(writes))
    return;
  for (const PagedWrites &write : writes)
    for (size_t i = 0; i < set.arguments.size(); ++i)
      if (&set.arguments[i].dense == write.lengths && isRandom(i))
        beginPages(set.arguments[i].dense, write.size);
}

Status Preparation::generateTable(size_t index) {
  std::vector<PagedWrites> writes = writesThrough(index);
  HostTensor &table = set.arguments[index].dense;
  std::vector<bool> written = writtenEntries(table.shape, writes);
  int64_t needed = std::count(written.begin(), written.end(), true);
  int64_t pages = fewestPages(writes);
  // Without pages there is nothing to write, and a checked run says so.
  if (needed > pages && pages) {
    auto least = std::find_if(
        writes.begin(), writes.end(),
        [&](const PagedWrites &write) { return write.count == pages; });
    std::string remedy;
    if (auto cache = static_cast<size_t>(least->cache);
        cache < function.arguments.size()) {
      remedy = " in " + describe(cache);
      if (int symbol = function.arguments[cache].shape[0].symbol; symbol >= 0)
        remedy += "; give more (--dim " + printable(function.symbols[symbol]) +
                  "=" + std::to_string(needed) + "), or a table";
      else
        remedy += "; give fewer tokens, or a table";
    }
    return invalidArgument(
        describe(index) + ": expected " + std::to_string(needed) +
        " pages, since new tokens are written through so many entries of the "
        "table and no two may have one place, found " +
        std::to_string(pages) + remedy + " (--arg " + std::to_string(index) +
        "=FILE.npy)");
  }
  uint64_t seed = sources[index] ? sources[index]->seed : request.seed;
  fillPageTable(table, streamSeed(seed, index), pages, written);
  return Status::success();
}

static Pattern patternOf(const TensorSpec &spec) {
  return {spec.patternN, spec.patternM, spec.patternAxis};
}

Status Preparation::generate(size_t index) {
  const TensorSpec &spec = function.arguments[index];
  Argument &argument = set.arguments[index];
  uint64_t seed = sources[index] ? sources[index]->seed : request.seed;
  bool special = sources[index] && sources[index]->special;
  argument.origin = (special ? "special:" : "random:") + std::to_string(seed);
  if (special && (spec.isTernary() || spec.isCache()))
    return invalidArgument(describe(index) +
                           ": special:SEED is for arguments without a pattern; "
                           "a ternary weight has no infinities");
  if (spec.isCache())
    return generateCache(spec, set.shapeOf(spec), streamSeed(seed, index),
                         argument)
        .withContext(describe(index));
  if (spec.isTernary())
    return generateTernary(spec, streamSeed(seed, index), request.threads,
                           argument)
        .withContext(describe(index));
  argument.dense = HostTensor::allocate(spec.dtype, set.shapeOf(spec));
  if (rt::isInteger(spec.dtype)) {
    if (special)
      return invalidArgument(describe(index) +
                             ": special:SEED is for floats, found " +
                             rt::dtypeName(spec.dtype));
    fillUniform(argument.dense, streamSeed(seed, index),
                reference ? largestInteger(function, *reference, shapes, index)
                          : 1);
    if (reference && isCumulative(*reference, index) &&
        argument.dense.count()) {
      auto *offsets = reinterpret_cast<int32_t *>(argument.dense.data.data());
      std::sort(offsets, offsets + argument.dense.count());
      offsets[0] = 0;
    }
    return Status::success();
  }
  fillNormal(argument.dense, streamSeed(seed, index), scaleOf(index),
             request.threads);
  if (special && spec.encoded())
    return invalidArgument(describe(index) +
                           ": special:SEED is for arguments without a pattern; "
                           "weights with infinities cannot be packed");
  if (special)
    fillSpecialRows(argument.dense, streamSeed(seed, index));
  if (!spec.encoded())
    return Status::success();
  return pruneToPattern(argument.dense, patternOf(spec), request.threads)
      .withContext(describe(index));
}

// Checks the pattern and makes the packed blob where the kernel wants one.
Status Preparation::finish(size_t index) {
  const TensorSpec &spec = function.arguments[index];
  Argument &argument = set.arguments[index];
  if (spec.isCache() && !argument.packed.size())
    return packCacheValues(spec, argument).withContext(describe(index));
  if (spec.layout == rt::Layout::Sf24V1 && !argument.packed.size()) {
    int64_t n = argument.dense.shape[0], k = argument.dense.shape[1];
    Expected<uint64_t> bytes =
        rt::storageBytes(spec, argument.dense.shape.data());
    if (!bytes)
      return bytes.status().withContext(describe(index));
    argument.packed = Buffer(*bytes);
    sf_pack_options options = {};
    options.struct_size = sizeof(options);
    options.name = spec.name.c_str();
    options.threads = request.threads;
    if (*bytes == 0)
      return Status::success();
    sf_status code = sf_pack24(
        argument.dense.data.data(), n, k, static_cast<sf_dtype>(spec.dtype),
        &options, argument.packed.data(), argument.packed.size(), nullptr);
    if (code != SF_OK)
      return Status(code, describe(index) + " from " + argument.origin + ": " +
                              sf_last_error());
    return Status::success();
  }
  if (spec.encoded() && spec.layout != rt::Layout::Sf24V1)
    return checkPattern(argument.dense, patternOf(spec))
        .withContext(describe(index) + " from " + argument.origin);
  return Status::success();
}

Expected<ArgumentSet> Preparation::run() {
  if (Status status = bindRequest(); !status)
    return status;
  if (Status status = bindWeights(); !status)
    return status;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (isRandom(i))
      continue;
    Status status = loadArgument(*sources[i], function.arguments[i],
                                 request.threads, set.arguments[i], set.notes);
    if (!status)
      return status.withContext(describe(i));
    if (Status bound = bindShape(i, set.arguments[i].dense.shape); !bound)
      return bound;
  }
  for (size_t s = 0; s < set.symbols.size(); ++s)
    if (set.symbols[s] < 0) {
      set.symbols[s] = request.defaultSize;
      set.notes.push_back("size " + printable(function.symbols[s]) +
                          " is not given: using " +
                          std::to_string(request.defaultSize) + " (--dim " +
                          printable(function.symbols[s]) + "=SIZE)");
    }
  if (Status status = checkSizes(); !status)
    return status;
  // What is wrong with a reference is said by whoever evaluates it.
  if (reference) {
    if (auto inferred = inferShapes(function, *reference, set.symbols))
      shapes = std::move(inferred->shapes);
    else
      for (int value = 0; value < reference->values; ++value)
        shapes.push_back(static_cast<size_t>(value) < function.arguments.size()
                             ? set.shapeOf(function.arguments[value])
                             : std::vector<int64_t>());
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    if (isRandom(i))
      if (Status status = generate(i); !status)
        return status;
    if (Status status = finish(i); !status)
      return status;
  }
  // Tables follow the lengths of the appends.
  for (size_t i = 0; i < sources.size(); ++i)
    if (isRandom(i))
      shortenWrites(i);
  for (size_t i = 0; i < sources.size(); ++i)
    if (isRandom(i) && !writesThrough(i).empty())
      if (Status status = generateTable(i); !status)
        return status;
  return std::move(set);
}

Expected<ArgumentSet>
sparseflow::tools::prepareArguments(const Function &function,
                                    const Reference *reference,
                                    const ArgumentRequest &request) {
  return Preparation(function, reference, request).run();
}

//===- HostInterface.cpp - C names and parameters of a manifest -----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Object/HostObject.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::sparseflow;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

/// Words that no C or C++ declaration can use as a name.
static bool isKeyword(StringRef name) {
  static const llvm::StringSet<> keywords = {
      "alignas",     "alignof",      "and",          "and_eq",
      "asm",         "auto",         "bitand",       "bitor",
      "bool",        "break",        "case",         "catch",
      "char",        "class",        "compl",        "concept",
      "const",       "consteval",    "constexpr",    "constinit",
      "const_cast",  "continue",     "co_await",     "co_return",
      "co_yield",    "decltype",     "default",      "delete",
      "do",          "double",       "dynamic_cast", "else",
      "enum",        "explicit",     "export",       "extern",
      "false",       "float",        "for",          "friend",
      "goto",        "if",           "inline",       "int",
      "long",        "mutable",      "namespace",    "new",
      "noexcept",    "not",          "not_eq",       "nullptr",
      "operator",    "or",           "or_eq",        "private",
      "protected",   "public",       "register",     "reinterpret_cast",
      "requires",    "restrict",     "return",       "short",
      "signed",      "sizeof",       "static",       "static_assert",
      "static_cast", "struct",       "switch",       "template",
      "this",        "thread_local", "throw",        "true",
      "try",         "typedef",      "typeid",       "typename",
      "typeof",      "union",        "unsigned",     "using",
      "virtual",     "void",         "volatile",     "wchar_t",
      "while",       "xor",          "xor_eq",       "main",
      "linux",       "unix",         "NULL"};
  return keywords.contains(name);
}

static bool isIdentifier(StringRef name) {
  return !name.empty() && name.size() < 256 && name.front() != '_' &&
         !llvm::isDigit(name.front()) && !isKeyword(name) &&
         llvm::all_of(
             name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// `text` with everything that C does not take replaced by '_'.
static std::string toIdentifier(StringRef text, StringRef fallback) {
  std::string name;
  for (char c : text.take_front(200))
    name += llvm::isAlnum(c) ? c : '_';
  while (!name.empty() && name.front() == '_')
    name.erase(0, 1);
  if (name.empty())
    name = fallback.str();
  if (llvm::isDigit(name.front()))
    name = fallback.str() + name;
  if (isKeyword(name))
    name += '_';
  return name;
}

std::string mlir::sparseflow::hostObjectName(StringRef path) {
  return toIdentifier(llvm::sys::path::stem(path), "kernels");
}

namespace {
/// The names of one scope.
class Names {
public:
  /// `wanted`, with underscores after it until nothing else has the name.
  std::string add(std::string wanted) {
    while (!taken.insert(wanted).second)
      wanted += '_';
    return wanted;
  }

private:
  llvm::StringSet<> taken;
};
} // namespace

static llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(text);
}

/// Bytes of an n x k matrix in sf24.v1 (docs/formats/packed-2-4.md).
static int64_t packedBytes(int64_t n, int64_t k) {
  return llvm::divideCeil(n, 64) * llvm::divideCeil(k, 64) * (4096 + 512);
}

/// Bytes of an n x k matrix with a ternary encoding (docs/formats/ternary.md).
static int64_t ternaryBytes(const Object &encoding, int64_t n, int64_t k) {
  StringRef storage = encoding.getString("storage").value_or("");
  int64_t planes = encoding.getInteger("planes").value_or(1);
  int64_t rows = llvm::alignTo(n, 64), trits = 0;
  if (storage == "codes")
    trits = rows / 64 * llvm::divideCeil(k, 128) * planes * 2048;
  else if (storage == "bit_planes")
    trits = planes * 2 * n * llvm::divideCeil(k, 64) * 8;
  else if (storage == "base3")
    trits = planes * n * llvm::divideCeil(k, 5);
  else if (storage == "two_four")
    trits = rows / 64 * llvm::divideCeil(k, 256) * 3072;
  else if (storage == "two_four_zero")
    trits = rows / 64 * llvm::divideCeil(k, 256) * 4096;
  int64_t scales = planes;
  if (auto group = encoding.getInteger("scale"))
    scales *= llvm::divideCeil(k, *group) * rows;
  else if (encoding.getString("scale") == "row")
    scales *= rows;
  int64_t width = encoding.getString("scale_dtype") == "f32" ? 4 : 2;
  return llvm::alignTo(trits, 256) + llvm::alignTo(scales * width, 16);
}

/// Bytes of a page of a ternary cache of d features
/// (docs/formats/ternary-cache.md).
static int64_t pageBytes(const Object &encoding, int64_t d) {
  int64_t scales = 1;
  if (auto group = encoding.getInteger("scale"))
    scales = llvm::divideCeil(d, *group);
  else if (encoding.getString("scale") == "token")
    scales = 64;
  int64_t width = encoding.getString("scale_dtype") == "f32" ? 4 : 2;
  return llvm::alignTo(d, 64) * 16 + llvm::alignTo(scales * width, 16);
}

/// "f16 [T][384], row-major", with the C names of the symbols.
static std::string describeTensor(const Object &tensor,
                                  const llvm::StringMap<std::string> &symbols) {
  std::string text = tensor.getString("dtype").value_or("").str() + " ";
  std::vector<int64_t> fixed;
  const Array *shape = tensor.getArray("shape");
  for (const llvm::json::Value &size : *shape) {
    if (auto number = size.getAsInteger()) {
      fixed.push_back(*number);
      text += "[" + std::to_string(*number) + "]";
    } else {
      text += "[" + symbols.lookup(size.getAsString().value_or("")) + "]";
    }
  }
  if (shape->empty())
    text += "scalar";
  const Object *encoding = tensor.getObject("encoding");
  std::string kind;
  if (encoding && encoding->getString("kind") == "nm")
    kind =
        llvm::formatv(", {0}:{1} sparse", encoding->getInteger("n").value_or(0),
                      encoding->getInteger("m").value_or(0));
  else if (encoding)
    kind = ", " + encoding->getString("kind").value_or("encoded").str();
  std::optional<StringRef> layout = tensor.getString("layout");
  if (!layout)
    return text + ", row-major" + kind +
           (encoding ? ", stored with its zeros" : "");
  text += kind + ", packed as " + layout->str() + " (";
  if (layout == "sf24.v1" && fixed.size() == 2)
    text += llvm::formatv("{0} bytes, ", packedBytes(fixed[0], fixed[1]));
  else if (layout->starts_with("ternk") || layout->starts_with("ternv"))
    text += llvm::formatv("{0} bytes for 64 positions of a head, ",
                          pageBytes(*encoding, fixed.back()));
  else if (kind == ", ternary" && fixed.size() == 2)
    text += llvm::formatv("{0} bytes, ",
                          ternaryBytes(*encoding, fixed[0], fixed[1]));
  return text + "aligned to 256)";
}

static llvm::Expected<HostFunction> describeFunction(const Object &function) {
  std::string name = function.getString("name").value_or("").str();
  if (!isIdentifier(name) || StringRef(name).starts_with("sf_"))
    return makeError(
        "function '" + name +
        "' cannot have this name in C: expected letters, digits and "
        "underscores, no keyword, no prefix sf_; rename it");
  HostFunction result;
  result.name = name;
  const Array *arguments = function.getArray("arguments");
  const Array *results = function.getArray("results");
  const Array *symbols = function.getArray("symbols");
  if (!arguments || !results || !symbols)
    return makeError(
        "function '" + name +
        "': expected arguments, results and symbols in the manifest");
  Names names;
  for (const char *fixed :
       {"program", "workspace", "workspace_bytes", "stream", "bytes"})
    names.add(fixed);
  // Sizes first: they keep their names, and shapes are written with them.
  llvm::StringMap<std::string> sizes;
  for (const llvm::json::Value &symbol : *symbols) {
    StringRef text = symbol.getAsString().value_or("");
    result.sizes.push_back(names.add(toIdentifier(text, "size")));
    sizes[text] = result.sizes.back();
  }
  auto describe = [&](const Array &list, StringRef kind, bool numbered,
                      std::vector<HostTensor> &into) -> llvm::Error {
    for (auto [index, value] : llvm::enumerate(list)) {
      const Object *tensor = value.getAsObject();
      if (!tensor || !tensor->getArray("shape"))
        return makeError("function '" + name + "': expected a shape for " +
                         kind + " " + llvm::Twine(index));
      std::string fallback = kind.str();
      if (numbered)
        fallback += std::to_string(index);
      StringRef given = tensor->getString("name").value_or("");
      into.emplace_back();
      into.back().name = names.add(toIdentifier(given, fallback));
      into.back().description = describeTensor(*tensor, sizes);
      into.back().packed = tensor->getString("layout").has_value();
      for (const llvm::json::Value &size : *tensor->getArray("shape")) {
        auto number = size.getAsInteger();
        into.back().shape.push_back(
            number ? std::to_string(*number)
                   : sizes.lookup(size.getAsString().value_or("")));
      }
      auto updates = tensor->getInteger("updates");
      if (updates && size_t(*updates) < result.arguments.size())
        into.back().description +=
            "; updated in place: pass " + result.arguments[*updates].name;
    }
    return llvm::Error::success();
  };
  if (llvm::Error error =
          describe(*arguments, "argument", true, result.arguments))
    return error;
  if (llvm::Error error =
          describe(*results, "result", results->size() > 1, result.results))
    return error;
  return result;
}

llvm::Expected<HostInterface>
mlir::sparseflow::describeHostObject(StringRef name, StringRef manifest) {
  if (!isIdentifier(name) || name.starts_with("sf_"))
    return makeError(
        "object name '" + name +
        "': expected letters, digits and underscores, no keyword, no "
        "prefix sf_; it is the prefix of the functions init and "
        "release");
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(manifest);
  if (!parsed)
    return parsed.takeError();
  Object *root = parsed->getAsObject();
  Array *functions = root ? root->getArray("functions") : nullptr;
  if (!functions || functions->empty())
    return makeError("the manifest has no function to export");
  HostInterface interface;
  interface.name = name.str();
  interface.producer = root->getString("producer").value_or("sparseflow").str();
  llvm::StringSet<> symbols;
  auto claim = [&](const std::string &symbol) -> llvm::Error {
    if (symbols.insert(symbol).second)
      return llvm::Error::success();
    return makeError("two things would be called '" + symbol +
                     "' in C: rename the function, or the object");
  };
  for (const char *suffix : {"_init", "_release", "_program"})
    if (llvm::Error error = claim(interface.name + suffix))
      return error;
  llvm::StringSet<> targets;
  for (llvm::json::Value &value : *functions) {
    Object *function = value.getAsObject();
    if (!function)
      return makeError("expected objects in the manifest's list of functions");
    llvm::Expected<HostFunction> described = describeFunction(*function);
    if (!described)
      return described.takeError();
    for (const char *suffix : {"", "_workspace_size"})
      if (llvm::Error error = claim(described->name + suffix))
        return error;
    interface.functions.push_back(std::move(*described));
    // What the results should be is for tools and only takes space.
    function->erase("reference");
    if (const Array *programs = function->getArray("programs"))
      for (const llvm::json::Value &program : *programs) {
        const Object *object = program.getAsObject();
        auto target = object ? object->getString("target") : std::nullopt;
        if (target && targets.insert(*target).second)
          interface.targets +=
              (interface.targets.empty() ? "" : ", ") + target->str();
      }
  }
  llvm::raw_string_ostream(interface.manifest) << *parsed;
  return interface;
}

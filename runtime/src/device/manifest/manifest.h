//===- manifest.h - What a bundle's manifest.json says ----------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The description of functions and their GPU programs, checked on reading so
// that a launch only evaluates it. The format is docs/formats/bundle.md. The
// member "reference" is for tools and is read in tools/support.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DEVICE_MANIFEST_MANIFEST_H
#define SPARSEFLOW_RT_DEVICE_MANIFEST_MANIFEST_H

#include "device/manifest/expression.h"
#include "sparseflow/runtime.h"
#include "ternary/cache.h"
#include "ternary/format.h"

#include <optional>
#include <string>
#include <vector>

namespace sparseflow::rt {

/// Limits of version 1. They bound what one launch keeps on the stack.
struct ManifestLimits {
  static constexpr size_t fileBytes = size_t(64) << 20;
  static constexpr size_t functions = 4096;
  static constexpr size_t symbols = 32;
  static constexpr size_t tensors = 256; // arguments, and results
  static constexpr size_t rank = 8;
  static constexpr size_t programs = 64;
  static constexpr size_t steps = 4096;
  static constexpr size_t variants = 256;
  static constexpr size_t guards = 64;
  static constexpr size_t launches = 256;
  static constexpr size_t kernelArguments = 128;
  static constexpr size_t tensorMaps = 16; // of one launch
  static constexpr size_t predictions = 64;
  static constexpr int64_t cluster = 8; // what every device allows
  static constexpr int64_t threads = 1024;
  static constexpr int64_t sharedBytes = 1 << 20;
  static constexpr int64_t grid = 0x7fffffff;
};

/// The codes are those of sf_dtype. Integers are signed; an I1 is a byte that
/// holds 0 or 1.
enum class DType : uint8_t {
  F16 = 1,
  BF16 = 2,
  F32 = 3,
  I8 = 5,
  I32 = 9,
  I64 = 11,
  I1 = 13
};
/// 1, 2, 4 or 8.
size_t dtypeBytes(DType dtype);
bool isInteger(DType dtype);
const char *dtypeName(DType dtype);
std::optional<DType> parseDType(const std::string &name);

/// A size: a constant, or the symbol of that index.
struct Dim {
  int64_t constant = 0;
  int symbol = -1;
  int64_t value(const int64_t *symbols) const {
    return symbol < 0 ? constant : symbols[symbol];
  }
};

enum class Layout : uint8_t { RowMajor, Sf24V1, Ternary, TernaryCache };

struct TensorSpec {
  /// May be empty.
  std::string name;
  DType dtype = DType::F16;
  std::vector<Dim> shape;
  /// N:M pattern along dimension patternAxis, or 0:0.
  int patternN = 0, patternM = 0;
  size_t patternAxis = 0;
  Layout layout = Layout::RowMajor;
  /// Layout::Ternary: what the blob holds. Its shape is static, so n and k are
  /// set.
  TernaryFormat ternary;
  /// Layout::TernaryCache: what each page holds; the shape is [B, G, S, D].
  std::optional<CacheFormat> cache;
  /// Of a result: the argument whose memory it has, because kernels update it
  /// in place; -1 for a result of its own.
  int updates = -1;

  /// True for an N:M pattern.
  bool encoded() const { return patternM != 0; }
  bool isTernary() const { return layout == Layout::Ternary; }
  bool isCache() const { return layout == Layout::TernaryCache; }
  /// "['T', 384]".
  std::string shapeText(const std::vector<std::string> &symbols) const;
};

/// Number of elements, or an error when the product overflows.
Expected<uint64_t> elementCount(const int64_t *dims, size_t rank);
/// Bytes the tensor occupies in its layout.
Expected<uint64_t> storageBytes(const TensorSpec &spec, const int64_t *dims);
/// Alignment its address needs at least.
uint64_t storageAlignment(const TensorSpec &spec);

/// One kernel argument: 8 bytes, or a tensor map's 128.
struct KernelArgument {
  enum class Kind : uint8_t {
    Argument,
    Result,
    Workspace,
    Value,
    TensorMap,
    /// The dense form of an argument that is a packed weight.
    Dense
  };
  Kind kind = Kind::Value;
  /// Of the argument, the result, or the launch's tensor map.
  size_t index = 0;
  /// Byte offset of a pointer, or the value.
  Expression expression;
};

/// A box of a tensor in global memory that one instruction copies to or from
/// shared memory (TMA). Dimensions are innermost first.
struct TensorMapSpec {
  enum class Element : uint8_t { F16, BF16, F32, I8 };
  static constexpr size_t maxRank = 5;
  static constexpr int64_t maxExtent = 256; // of a box
  /// Where the tensor begins: not a number and not a map.
  KernelArgument base;
  Element element = Element::F16;
  /// Elements, one a dimension.
  std::vector<Expression> sizes;
  /// Bytes, one a dimension but the innermost.
  std::vector<Expression> strides;
  /// Elements of the box, one a dimension; the innermost is a constant.
  std::vector<Expression> box;
  /// Bytes of the pattern in shared memory: 0, 32, 64 or 128.
  uint32_t swizzle = 0;
  /// Bytes that the L2 cache reads from memory at once: 64, 128 or 256.
  uint32_t promotion = 256;
};

struct Guard {
  enum class Kind : uint8_t { LessEqual, GreaterEqual, Equal, Aligned };
  Kind kind = Kind::LessEqual;
  Expression left, right;
  KernelArgument pointer;
  int64_t alignment = 1;

  /// Whether it holds, of one that compares sizes.
  Expected<bool> compare(const int64_t *symbols) const;
  /// The same comparison in numbers: "40 <= 16".
  std::string text(const int64_t *symbols) const;
};

struct KernelLaunch {
  std::string kernel;
  Expression grid;
  uint32_t threads = 1;
  uint32_t sharedBytes = 0;
  /// Blocks of a cluster, which the kernel was compiled for; the grid is a
  /// multiple of it.
  uint32_t cluster = 1;
  /// The kernel may start while the one before it on the stream ends, and
  /// waits for it by itself.
  bool programmatic = false;
  std::vector<KernelArgument> arguments;
  std::vector<TensorMapSpec> tensorMaps;
};

/// What a step moves at least: each tensor counts once.
struct Traffic {
  Expression tokens;
  /// In bytes.
  Expression read, written;
};

struct Variant {
  std::vector<Guard> guards;
  /// Of kernels that run only where they are asked for by this name
  /// (sf_dispatch_enable); "" always.
  std::string family;
  /// The argument whose dense form the kernels read, or -1.
  int dense = -1;
  /// Microseconds at the step's predictedAt; 0 where nothing is predicted, and
  /// empty where it never is.
  std::vector<double> predicted;
  /// Of a variant that computes other steps, too: what holds in place of the
  /// step's.
  std::optional<Traffic> traffic;
  std::vector<KernelLaunch> launches;
};

struct Step {
  std::string op, location;
  /// Every variant whose guards hold computes the step; otherwise only the
  /// first of them does.
  bool independent = false;
  /// Absent where nobody knows it before a call.
  std::optional<Traffic> traffic;
  /// Numbers of tokens at which the compiler predicted the times of variants,
  /// ascending; each holds for those behind the one before, and the last for
  /// all that are more. Empty: nothing is predicted.
  std::vector<int64_t> predictedAt;
  Expression predictedTokens;
  std::vector<Variant> variants;

  /// What is predicted of a variant for these values of the symbols, or 0.
  double predicted(size_t variant, const int64_t *symbols) const;
};

/// "sm_90a": capability 9.0, code that runs on that capability only.
struct Target {
  std::string text;
  int major = 0, minor = 0;
  bool exact = false;
};
std::optional<Target> parseTarget(const std::string &text);

struct Program {
  Target target;
  /// A file name inside the bundle, never a path.
  std::string image;
  Expression workspace;
  std::vector<Step> steps;
};

/// Where the dense forms of packed weights come from: kernels read none, or the
/// caller is to give them, or the runtime is asked to rebuild them.
enum class DenseSource : uint8_t { None, Weights, Rebuild };

struct Function {
  std::string name;
  std::vector<std::string> symbols;
  std::vector<TensorSpec> arguments, results;
  std::vector<Program> programs;
  DenseSource denseSource = DenseSource::None;
  /// By argument: whether some kernel reads its dense form.
  std::vector<bool> readsDense;

  /// The program for a device: the arch-specific one of exactly this
  /// capability, else the highest one of the same major version that is not
  /// newer. SF_ERROR_UNSUPPORTED naming the device and the targets otherwise.
  Expected<const Program *> select(int major, int minor) const;
  /// True where no result has elements for these symbol values: there is
  /// nothing to launch.
  bool isEmpty(const int64_t *symbolValues) const;
  /// The workspace `program` needs for these symbol values; never negative.
  Expected<uint64_t> workspaceBytes(const Program &program,
                                    const int64_t *symbolValues) const;
};

struct Manifest {
  std::string producer;
  /// Of the text (contentIdentity).
  std::string identity;
  std::vector<Function> functions;
};

/// Parses and checks the text of a manifest.json.
Expected<Manifest> parseManifest(const std::string &text);

/// The whole of a regular file. Refuses anything else (without blocking on a
/// FIFO) and more than `limit` bytes.
Expected<std::string> readSmallFile(const std::string &path, size_t limit);

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DEVICE_MANIFEST_MANIFEST_H

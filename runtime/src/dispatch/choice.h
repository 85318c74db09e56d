//===- choice.h - Which variant of a step runs ------------------*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step has variants, and every one whose guards hold computes the same. The
// compiler's order is its prediction; times that were measured at the sizes of
// a call go before it, and between two measured sizes the variant that is the
// fastest at both; a kernel that failed on this device goes behind all others.
// A launch reads tables that are never changed, only replaced.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_RT_DISPATCH_CHOICE_H
#define SPARSEFLOW_RT_DISPATCH_CHOICE_H

#include "device/manifest/manifest.h"
#include "dispatch/store.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace sparseflow::rt {

/// The variants of a program, counted through all of its steps.
class VariantNumbers {
public:
  explicit VariantNumbers(const Program &program);
  size_t operator()(size_t step, size_t variant) const {
    return first[step] + variant;
  }
  size_t count() const { return first.back(); }
  size_t count(size_t step) const { return first[step + 1] - first[step]; }

private:
  std::vector<size_t> first;
};

/// The order of variants at each sizes that were measured.
class MeasuredOrders {
public:
  /// Ignores what does not fit the program, and steps whose variants are not
  /// independent.
  MeasuredOrders(const Program &program, const VariantNumbers &numbers,
                 size_t symbolCount, const std::vector<MeasuredTime> &times);

  /// The row of these sizes, or -1. Allocates nothing.
  int64_t find(const int64_t *sizes) const;
  /// Of a program of one symbol, the row before a size that has none, where the
  /// row behind it is of a size at most twice that of the row before; else -1.
  /// Allocates nothing.
  int64_t below(const int64_t *sizes) const;
  /// The variant that is the fastest of a step in a row and in the next one,
  /// and was measured in both; of two that launch the same kernels the next
  /// row's. -1 if there is none.
  int fastestOfBoth(int64_t row, size_t step) const {
    return winnersOfBoth[row * stepCount + step];
  }
  /// The size of the one symbol in a row.
  int64_t sizeOf(int64_t row) const { return sizes[row]; }
  /// All variants of a step, the fastest first, those that were not measured
  /// behind in their own order.
  const uint8_t *order(int64_t row, size_t step) const {
    return &orders[row * numbers.count() + numbers(step, 0)];
  }
  /// 0 where it was not measured.
  double microseconds(int64_t row, size_t step, size_t variant) const {
    return times[row * numbers.count() + numbers(step, variant)];
  }

private:
  size_t slotOf(const int64_t *sizes) const;

  const VariantNumbers &numbers;
  size_t symbolCount;
  /// By row, ascending.
  std::vector<int64_t> sizes;
  std::vector<uint8_t> orders;
  std::vector<double> times;
  /// By row and step.
  size_t stepCount = 0;
  std::vector<int16_t> winnersOfBoth;
  /// A hash table of rows, at most half full; -1 is empty.
  std::vector<int64_t> slots;
};

/// What a process knows about the variants of a loaded program. Any thread may
/// call anything.
class FunctionDispatch {
public:
  enum class State : uint8_t {
    Usable,
    /// A kernel failed here before: only where nothing else can run.
    Quarantined,
    /// It cannot run here, or was not asked for.
    Unavailable
  };

  FunctionDispatch(const Program &program, size_t symbolCount, FunctionKey key);

  /// Rules out the variants that the lists of known bad kernels name. `symbols`
  /// are the function's. An error where a list cannot be read.
  Status readKnownBad(const std::vector<std::string> &symbols);
  /// Takes over what the store in use knows. Neither failure nor success
  /// matters to a call; the status is for reports.
  Status readStore();

  State state(size_t step, size_t variant) const {
    return states[numbers(step, variant)].load(std::memory_order_relaxed);
  }
  /// Whether a variant must not run at these sizes.
  bool rulesOut(size_t step, size_t variant, const int64_t *sizes) const;
  /// Null until something was measured. Valid as long as this.
  const MeasuredOrders *measured() const {
    return orders.load(std::memory_order_acquire);
  }

  /// Why a variant is not Usable, or not at some sizes; "" of others.
  std::string reason(size_t step, size_t variant) const;
  void makeUnavailable(size_t step, size_t variant, const std::string &reason);
  /// No variant with `kernel` is used again on this device, if another one can
  /// be, by this process and by those that share the store.
  void quarantine(const std::string &kernel, const std::string &error);
  /// Adds times, here and in the store; the status is the store's.
  Status learn(const std::vector<MeasuredTime> &times);

  const FunctionKey &key() const { return functionKey; }

private:
  void mark(size_t step, size_t variant, State state,
            const std::string &reason);
  void markKernel(const std::string &kernel, const std::string &reason);
  /// With the mutex held.
  void addTimes(const std::vector<MeasuredTime> &times);

  const Program &program;
  const VariantNumbers numbers;
  const size_t symbolCount;
  const FunctionKey functionKey;
  std::unique_ptr<std::atomic<State>[]> states;
  /// Sizes at which variants must not run, by variant: of each symbol the least
  /// and the greatest value. Constant after loading, and mostly empty.
  std::multimap<size_t, std::vector<std::pair<int64_t, int64_t>>> badSizes;
  std::atomic<const MeasuredOrders *> orders{nullptr};

  mutable std::mutex mutex;
  std::map<size_t, std::string> reasons;
  std::vector<MeasuredTime> known;
  /// Every table there was: a launch may be reading an old one.
  std::vector<std::unique_ptr<const MeasuredOrders>> tables;
};

} // namespace sparseflow::rt

#endif // SPARSEFLOW_RT_DISPATCH_CHOICE_H

//===- choice.cpp - Which variant of a step runs --------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/choice.h"

#include "dispatch/known_bad.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

using namespace sparseflow::rt;

VariantNumbers::VariantNumbers(const Program &program) : first{0} {
  for (const Step &step : program.steps)
    first.push_back(first.back() + step.variants.size());
}

size_t MeasuredOrders::slotOf(const int64_t *values) const {
  uint64_t hash = 0;
  for (size_t i = 0; i < symbolCount; ++i) {
    // Multiply and fold: every bit of a size reaches the low ones.
    hash = (hash ^ static_cast<uint64_t>(values[i])) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash & (slots.size() - 1);
}

int64_t MeasuredOrders::find(const int64_t *values) const {
  for (size_t slot = slotOf(values);; slot = (slot + 1) & (slots.size() - 1)) {
    int64_t row = slots[slot];
    if (row < 0 || std::equal(values, values + symbolCount,
                              sizes.begin() + row * symbolCount))
      return row;
  }
}

int64_t MeasuredOrders::below(const int64_t *values) const {
  if (symbolCount != 1)
    return -1;
  auto above = std::upper_bound(sizes.begin(), sizes.end(), values[0]);
  if (above == sizes.begin() || above == sizes.end() || above[-1] <= 0 ||
      *above - above[-1] > above[-1])
    return -1;
  return above - sizes.begin() - 1;
}

/// Whether two variants launch the same kernels, which the compiler makes for
/// several intervals of a size.
static bool launchTheSame(const Variant &a, const Variant &b) {
  return std::equal(a.launches.begin(), a.launches.end(), b.launches.begin(),
                    b.launches.end(),
                    [](const KernelLaunch &x, const KernelLaunch &y) {
                      return x.kernel == y.kernel;
                    });
}

MeasuredOrders::MeasuredOrders(const Program &program,
                               const VariantNumbers &numbers,
                               size_t symbolCount,
                               const std::vector<MeasuredTime> &measured)
    : numbers(numbers), symbolCount(symbolCount) {
  std::map<std::vector<int64_t>, std::vector<const MeasuredTime *>> rows;
  for (const MeasuredTime &time : measured)
    if (time.sizes.size() == symbolCount && time.step < program.steps.size() &&
        program.steps[time.step].independent &&
        time.variant < numbers.count(time.step))
      rows[time.sizes].push_back(&time);
  size_t slotCount = 2;
  while (slotCount < 2 * rows.size())
    slotCount *= 2;
  slots.assign(slotCount, -1);
  for (const auto &[rowSizes, rowTimes] : rows) {
    size_t slot = slotOf(rowSizes.data());
    while (slots[slot] >= 0)
      slot = (slot + 1) & (slotCount - 1);
    size_t start = times.size();
    slots[slot] = static_cast<int64_t>(start / numbers.count());
    sizes.insert(sizes.end(), rowSizes.begin(), rowSizes.end());
    times.resize(start + numbers.count());
    for (const MeasuredTime *time : rowTimes)
      times[start + numbers(time->step, time->variant)] = time->microseconds;
    for (size_t s = 0; s < program.steps.size(); ++s) {
      const double *stepTimes = &times[start + numbers(s, 0)];
      std::vector<uint8_t> order(numbers.count(s));
      std::iota(order.begin(), order.end(), uint8_t(0));
      std::sort(order.begin(), order.end(), [&](uint8_t a, uint8_t b) {
        // What was not measured has the time 0 and comes last.
        auto key = [&](uint8_t variant) {
          return std::make_tuple(!stepTimes[variant], stepTimes[variant],
                                 variant);
        };
        return key(a) < key(b);
      });
      orders.insert(orders.end(), order.begin(), order.end());
    }
  }
  stepCount = program.steps.size();
  winnersOfBoth.assign(rows.size() * stepCount, -1);
  for (size_t row = 0; row + 1 < rows.size(); ++row)
    for (size_t s = 0; s < stepCount; ++s) {
      if (numbers.count(s) == 0)
        continue;
      uint8_t before = order(row, s)[0], behind = order(row + 1, s)[0];
      const std::vector<Variant> &variants = program.steps[s].variants;
      // What is guarded by an upper bound holds before if it holds behind.
      if (microseconds(row, s, before) > 0 &&
          microseconds(row + 1, s, behind) > 0 &&
          (before == behind ||
           launchTheSame(variants[before], variants[behind])))
        winnersOfBoth[row * stepCount + s] = behind;
    }
}

FunctionDispatch::FunctionDispatch(const Program &program, size_t symbolCount,
                                   FunctionKey key)
    : program(program), numbers(program), symbolCount(symbolCount),
      functionKey(std::move(key)),
      states(new std::atomic<State>[numbers.count()]) {
  for (size_t i = 0; i < numbers.count(); ++i)
    states[i].store(State::Usable, std::memory_order_relaxed);
}

Status FunctionDispatch::readKnownBad(const std::vector<std::string> &symbols) {
  Expected<std::vector<KnownBad>> list = knownBad();
  if (!list)
    return list.status();
  auto ruleOut = [&](size_t s, size_t v, const KnownBad &bad) {
    std::string reason = "its kernel is known to be bad: " + bad.reason;
    if (bad.sizes.empty())
      return makeUnavailable(s, v, reason);
    std::vector<std::pair<int64_t, int64_t>> ranges;
    for (const std::string &symbol : symbols) {
      auto range = bad.sizes.find(symbol);
      ranges.push_back(
          range == bad.sizes.end()
              ? std::pair(int64_t(0), std::numeric_limits<int64_t>::max())
              : range->second);
    }
    badSizes.emplace(numbers(s, v), std::move(ranges));
    std::lock_guard<std::mutex> lock(mutex);
    reasons.emplace(numbers(s, v), reason);
  };
  for (const KnownBad &bad : *list)
    for (size_t s = 0; s < program.steps.size(); ++s)
      for (size_t v = 0; v < numbers.count(s); ++v)
        for (const KernelLaunch &launch : program.steps[s].variants[v].launches)
          if (bad.names(functionKey.device, functionKey.image, launch.kernel))
            ruleOut(s, v, bad);
  return Status::success();
}

bool FunctionDispatch::rulesOut(size_t step, size_t variant,
                                const int64_t *sizes) const {
  if (state(step, variant) == State::Unavailable)
    return true;
  if (badSizes.empty())
    return false;
  auto [from, to] = badSizes.equal_range(numbers(step, variant));
  return std::any_of(from, to, [&](const auto &bad) {
    for (size_t i = 0; i < bad.second.size(); ++i)
      if (sizes[i] < bad.second[i].first || sizes[i] > bad.second[i].second)
        return false;
    return true;
  });
}

Status FunctionDispatch::readStore() {
  DispatchStore store = DispatchStore::current();
  auto kernels = store.quarantined(&functionKey.device);
  for (size_t i = 0; kernels && i < kernels->size(); ++i)
    if (const QuarantinedKernel &kernel = (*kernels)[i];
        kernel.image == functionKey.image)
      markKernel(kernel.kernel, kernel.error);
  auto times = store.times(functionKey);
  if (times && !times->empty()) {
    std::lock_guard<std::mutex> lock(mutex);
    addTimes(*times);
  }
  return kernels ? times.status() : kernels.status();
}

std::string FunctionDispatch::reason(size_t step, size_t variant) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = reasons.find(numbers(step, variant));
  return found == reasons.end() ? "" : found->second;
}

void FunctionDispatch::mark(size_t step, size_t variant, State state,
                            const std::string &reason) {
  std::lock_guard<std::mutex> lock(mutex);
  size_t number = numbers(step, variant);
  // What cannot run stays so.
  if (states[number].load(std::memory_order_relaxed) == State::Unavailable)
    return;
  reasons[number] = reason;
  states[number].store(state, std::memory_order_relaxed);
}

void FunctionDispatch::makeUnavailable(size_t step, size_t variant,
                                       const std::string &reason) {
  mark(step, variant, State::Unavailable, reason);
}

void FunctionDispatch::markKernel(const std::string &kernel,
                                  const std::string &reason) {
  for (size_t s = 0; s < program.steps.size(); ++s)
    for (size_t v = 0; v < numbers.count(s); ++v)
      for (const KernelLaunch &launch : program.steps[s].variants[v].launches)
        if (launch.kernel == kernel)
          mark(s, v, State::Quarantined,
               "kernel '" + printable(kernel) + "' is quarantined: " + reason);
}

void FunctionDispatch::quarantine(const std::string &kernel,
                                  const std::string &error) {
  markKernel(kernel, error);
  // A store that cannot be written only forgets.
  (void)DispatchStore::current().quarantine(QuarantinedKernel::now(
      functionKey.device, functionKey.image, kernel, error));
}

Status FunctionDispatch::learn(const std::vector<MeasuredTime> &times) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    addTimes(times);
  }
  return DispatchStore::current().keep(functionKey, times);
}

void FunctionDispatch::addTimes(const std::vector<MeasuredTime> &times) {
  // Later ones replace earlier ones.
  std::map<std::tuple<std::vector<int64_t>, size_t, size_t>, double> merged;
  known.insert(known.end(), times.begin(), times.end());
  for (const MeasuredTime &time : known)
    merged[{time.sizes, time.step, time.variant}] = time.microseconds;
  known.clear();
  for (const auto &[place, microseconds] : merged)
    known.push_back({std::get<0>(place), std::get<1>(place), std::get<2>(place),
                     microseconds});
  tables.push_back(std::make_unique<const MeasuredOrders>(program, numbers,
                                                          symbolCount, known));
  orders.store(tables.back().get(), std::memory_order_release);
}

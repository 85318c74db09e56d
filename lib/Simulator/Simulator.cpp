//===- Simulator.cpp - Runs GPU kernels on this machine -------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Simulator/Simulator.h"

#include "Retarget.h"
#include "Simulator/Checks/GlobalRaces.h"
#include "Simulator/Instructions/Handlers.h"
#include "Simulator/Machine/Cluster.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"

#include <cmath>
#include <optional>
#include <thread>

using namespace mlir::sparseflow::sim;

struct Simulator::Impl {
  SimulatorOptions options;
  llvm::orc::ThreadSafeModule source;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> engine;
  std::string engineErrors;
  llvm::StringMap<std::unique_ptr<Kernel>> kernels;
  unsigned compiled = 0;
  BufferTable buffers;
  std::vector<std::unique_ptr<SharedWindow>> windows;

  llvm::Error start(const llvm::Module &module);
  llvm::Expected<const Kernel *> compile(llvm::StringRef name);
  llvm::Error checkLaunch(const Kernel &kernel, Dim3 grid, Dim3 block,
                          size_t sharedBytes, size_t arguments) const;
  /// Maps a window of shared memory for each of `threads` threads, or for as
  /// many as there is room for; returns their number. Fails without any.
  llvm::Expected<unsigned> mapWindows(unsigned threads);
  /// Runs all clusters of `launch` on `threads` threads, this one among them.
  void run(Launch &launch, unsigned threads);
  /// Code with and without checks differs.
  bool checksAccesses() const {
    return options.checkMemory || options.races || options.wavefronts;
  }
};

Simulator::Simulator() : impl(std::make_unique<Impl>()) {}
Simulator::~Simulator() = default;

llvm::Error Simulator::Impl::start(const llvm::Module &module) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  // Kernels are large and each runs for seconds at most.
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto made = target->createTargetMachine();
  if (!made)
    return made.takeError();
  machine = std::move(*made);
  // Kernels find the symbols below and nothing else of this process.
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(*target)
                 .setLinkProcessSymbolsByDefault(false)
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit)
    return jit.takeError();
  engine = std::move(*jit);
  engine->getExecutionSession().setErrorReporter([this](llvm::Error error) {
    engineErrors += llvm::toString(std::move(error)) + "; ";
  });
  llvm::orc::SymbolMap symbols;
  auto add = [&](const char *name, auto *function) {
    symbols[engine->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  add("memcpy", &std::memcpy);
  add("memset", &std::memset);
  add("fmaf", static_cast<float (*)(float, float, float)>(&::fmaf));
  add("fma", static_cast<double (*)(double, double, double)>(&::fma));
  add("exp2f", static_cast<float (*)(float)>(&::exp2f));
  add("fminf", static_cast<float (*)(float, float)>(&::fminf));
  add("fmaxf", static_cast<float (*)(float, float)>(&::fmaxf));
  if (llvm::Error error = engine->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;

  source = llvm::orc::cloneExternalModuleToContext(
      module,
      llvm::orc::ThreadSafeContext(std::make_unique<llvm::LLVMContext>()));
  return llvm::Error::success();
}

/// The functions that `kernel` needs.
static llvm::DenseSet<const llvm::GlobalValue *>
reachableFrom(const llvm::Function &kernel) {
  llvm::DenseSet<const llvm::GlobalValue *> seen{&kernel};
  llvm::SmallVector<const llvm::Function *> work{&kernel};
  while (!work.empty()) {
    const llvm::Function *function = work.pop_back_val();
    for (const llvm::BasicBlock &block : *function)
      for (const llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const llvm::Function *callee = call->getCalledFunction())
            if (seen.insert(callee).second)
              work.push_back(callee);
  }
  return seen;
}

llvm::Expected<const Kernel *> Simulator::Impl::compile(llvm::StringRef name) {
  std::unique_ptr<Kernel> &known = kernels[name];
  if (known)
    return known.get();
  llvm::DenseSet<const llvm::GlobalValue *> needed;
  std::string names;
  source.withModuleDo([&](llvm::Module &module) {
    for (const llvm::Function &function : module) {
      if (function.isDeclaration() ||
          function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
        continue;
      names += (names.empty() ? "" : ", ") + function.getName().str();
      if (function.getName() == name)
        needed = reachableFrom(function);
    }
  });
  if (needed.empty())
    return llvm::createStringError("there is no kernel '" + name +
                                   "' in the module, which has " +
                                   (names.empty() ? "none" : names));
  llvm::orc::ThreadSafeModule copy =
      llvm::orc::cloneToNewContext(source, [&](const llvm::GlobalValue &value) {
        return !llvm::isa<llvm::Function>(value) || needed.contains(&value);
      });
  auto kernel = std::make_unique<Kernel>();
  RetargetOptions retargeting;
  retargeting.checkAccesses = checksAccesses();
  std::string entry = "simulated_" + std::to_string(compiled++);
  if (llvm::Error error = copy.withModuleDo([&](llvm::Module &module) {
        return retarget(module, name, entry, *machine, retargeting, *kernel);
      }))
    return error;
  if (llvm::Error error = engine->addIRModule(std::move(copy)))
    return error;
  auto address = engine->lookup(entry);
  if (!address)
    return llvm::createStringError(
        "kernel '" + name + "' does not link, for it calls more than the " +
        "simulator offers: " + engineErrors +
        llvm::toString(address.takeError()));
  kernel->entry = address->toPtr<void (*)(const void *const *)>();
  known = std::move(kernel);
  return known.get();
}

llvm::Error Simulator::Impl::checkLaunch(const Kernel &kernel, Dim3 grid,
                                         Dim3 block, size_t sharedBytes,
                                         size_t arguments) const {
  auto refuse = [&](const llvm::Twine &text) {
    return llvm::createStringError("launch of '" + kernel.name + "': " + text);
  };
  if (grid.count() == 0 || grid.x > 0x7fffffff || grid.y > 65535 ||
      grid.z > 65535)
    return refuse("expected a grid of 1 to 2147483647 x 65535 x 65535 blocks, "
                  "found " +
                  llvm::Twine(grid.x) + " x " + llvm::Twine(grid.y) + " x " +
                  llvm::Twine(grid.z));
  if (block.x > 1024 || block.y > 1024 || block.z > 64 || block.count() == 0 ||
      block.count() > 1024)
    return refuse("expected 1 to 1024 threads in a block, found " +
                  llvm::Twine(block.count()));
  if (kernel.maxThreads && block.count() > kernel.maxThreads)
    return refuse("expected at most " + llvm::Twine(kernel.maxThreads) +
                  " threads in a block, for which the kernel was compiled, "
                  "found " +
                  llvm::Twine(block.count()));
  if (sharedBytes + kernel.shared.staticBytes > options.sharedLimit)
    return refuse("expected at most " + llvm::Twine(options.sharedLimit) +
                  " bytes of shared memory for a block, found " +
                  llvm::Twine(sharedBytes + kernel.shared.staticBytes));
  if (kernel.shared.dynamicOffset + sharedBytes > SharedWindow::stride)
    return refuse(
        "expected shared memory that fits the simulator's window of " +
        llvm::Twine(SharedWindow::stride) + " bytes, found " +
        llvm::Twine(kernel.shared.dynamicOffset + sharedBytes));
  const Dim3 &cluster = kernel.cluster;
  if (cluster.count() > SharedWindow::maxBlocks)
    return refuse("expected clusters of at most " +
                  llvm::Twine(SharedWindow::maxBlocks) + " blocks, found " +
                  llvm::Twine(cluster.count()));
  if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
    return refuse("expected a grid of multiples of the cluster's " +
                  llvm::Twine(cluster.x) + " x " + llvm::Twine(cluster.y) +
                  " x " + llvm::Twine(cluster.z) + " blocks, found " +
                  llvm::Twine(grid.x) + " x " + llvm::Twine(grid.y) + " x " +
                  llvm::Twine(grid.z));
  if (arguments != kernel.arguments.size())
    return refuse("expected " + llvm::Twine(kernel.arguments.size()) +
                  " arguments, found " + llvm::Twine(arguments));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Simulator>>
Simulator::create(const llvm::Module &module, const SimulatorOptions &options) {
#if !defined(__x86_64__)
  return llvm::createStringError("the simulator switches between threads on "
                                 "x86-64 only; run with --device cpu here");
#endif
  std::unique_ptr<Simulator> simulator(new Simulator());
  simulator->impl->options = options;
  if (llvm::Error error = simulator->impl->start(module))
    return error;
  return simulator;
}

void Simulator::setOptions(const SimulatorOptions &options) {
  bool before = impl->checksAccesses();
  impl->options = options;
  if (impl->checksAccesses() != before)
    impl->kernels.clear();
}

void Simulator::addBuffer(DeviceBuffer buffer) {
  uint64_t begin = reinterpret_cast<uint64_t>(buffer.data);
  impl->buffers.add({begin, begin + buffer.bytes, std::move(buffer.name),
                     buffer.writable, buffer.constant});
}

void Simulator::clearBuffers() { impl->buffers.clear(); }

namespace {

/// The arguments of a launch: those by value are copied to where kernels may
/// read them, aligned as the kernel declares.
class LaunchArguments {
public:
  /// Points `launch` to the arguments, and to `buffers` with those copies. Must
  /// outlive the launch.
  LaunchArguments(const Kernel &kernel, llvm::ArrayRef<const void *> arguments,
                  const BufferTable &buffers, Launch &launch)
      : places(arguments.begin(), arguments.end()) {
    launch.buffers = &buffers;
    for (size_t i = 0; i < places.size(); ++i) {
      const Kernel::Argument &argument = kernel.arguments[i];
      if (!argument.byValueBytes)
        continue;
      if (copies.empty())
        withCopies = buffers;
      copy(i, argument.byValueBytes, argument.alignment);
      launch.buffers = &withCopies;
    }
    launch.arguments = places.data();
  }

private:
  void copy(size_t number, size_t bytes, size_t alignment) {
    copies.push_back(std::make_unique<uint8_t[]>(bytes + 2 * alignment));
    auto address = reinterpret_cast<uint64_t>(copies.back().get());
    address = (address + alignment - 1) / alignment * alignment;
    std::memcpy(reinterpret_cast<void *>(address), places[number], bytes);
    withCopies.add({address, address + bytes,
                    "the by-value argument " + std::to_string(number), false});
    places[number] = reinterpret_cast<const void *>(address);
  }

  llvm::SmallVector<const void *> places;
  std::vector<std::unique_ptr<uint8_t[]>> copies;
  BufferTable withCopies;
};

} // namespace

llvm::Expected<unsigned> Simulator::Impl::mapWindows(unsigned threads) {
  while (windows.size() < threads) {
    windows.push_back(std::make_unique<SharedWindow>());
    if (windows.back()->map())
      continue;
    windows.pop_back();
    if (windows.empty())
      return llvm::createStringError("the simulator found no free memory "
                                     "between 1 and 4 GiB for shared memory; "
                                     "run it in a process of its own");
    return static_cast<unsigned>(windows.size());
  }
  return threads;
}

void Simulator::Impl::run(Launch &launch, unsigned threads) {
  auto work = [&](unsigned index) { Cluster(launch, *windows[index]).run(); };
  std::vector<std::thread> workers;
  // Threads take clusters until none is left: where the system gives fewer
  // threads than asked for, the others run theirs.
  for (unsigned i = 1; i < threads; ++i) {
    try {
      workers.emplace_back(work, i);
    } catch (const std::system_error &) {
      break;
    }
  }
  work(0);
  for (std::thread &worker : workers)
    worker.join();
}

/// What a launch that has ended found.
static LaunchReport reportOf(Launch &launch) {
  LaunchReport report;
  report.blocks = launch.blocks;
  report.switches = launch.switches;
  report.boxBytes = launch.boxBytes;
  report.paddingBytes = launch.paddingBytes;
  llvm::stable_sort(launch.findings, [](const auto &a, const auto &b) {
    return a.first < b.first;
  });
  // Whether clusters behind the one that ended the launch got as far as to find
  // something depends on the threads: a report must not.
  for (auto &[block, finding] : launch.findings)
    if (block / launch.kernel->cluster.count() <= launch.stopAt)
      report.findings.push_back(std::move(finding));
  for (size_t site = 0; site < launch.traffic.size(); ++site)
    if (launch.traffic[site].accesses) {
      launch.traffic[site].instruction = launch.kernel->sites[site].text;
      report.traffic.push_back(std::move(launch.traffic[site]));
    }
  return report;
}

llvm::Expected<LaunchReport>
Simulator::launch(llvm::StringRef name, Dim3 grid, Dim3 block,
                  size_t sharedBytes, llvm::ArrayRef<const void *> arguments) {
  llvm::Expected<const Kernel *> kernel = impl->compile(name);
  if (!kernel)
    return kernel.takeError();
  if (llvm::Error error = impl->checkLaunch(**kernel, grid, block, sharedBytes,
                                            arguments.size()))
    return error;
  const SimulatorOptions &options = impl->options;
  Launch launch;
  launch.kernel = *kernel;
  launch.grid = grid;
  launch.block = block;
  launch.sharedBytes = sharedBytes;
  launch.seed = options.seed;
  launch.poison = poisonOf(options.seed);
  launch.lateCopies = options.asyncCopies == AsyncCopies::Late;
  launch.races = options.races;
  launch.wavefronts = options.wavefronts;
  launch.cancelled = options.cancelled;
  LaunchArguments places(**kernel, arguments, impl->buffers, launch);
  std::optional<GlobalRaces> globalRaces;
  if (options.races)
    launch.globalRaces = &globalRaces.emplace(impl->buffers);

  unsigned wanted = options.threads
                        ? options.threads
                        : std::max(1u, std::thread::hardware_concurrency());
  uint64_t clusters = grid.count() / (*kernel)->cluster.count();
  llvm::Expected<unsigned> threads = impl->mapWindows(
      static_cast<unsigned>(std::min<uint64_t>(wanted, clusters)));
  if (!threads)
    return threads.takeError();
  impl->run(launch, *threads);
  if (launch.wasCancelled)
    return llvm::createStringError("launch of '" + name + "' was cancelled");
  return reportOf(launch);
}

llvm::Expected<std::vector<std::pair<std::string, unsigned>>>
Simulator::instructions(llvm::StringRef name) {
  llvm::Expected<const Kernel *> kernel = impl->compile(name);
  if (!kernel)
    return kernel.takeError();
  return (*kernel)->instructions;
}

std::vector<std::string> mlir::sparseflow::sim::handledInstructions() {
  std::vector<std::string> names;
  for (const auto &[name, handler] : Registry::get().all())
    names.push_back(name);
  for (const auto &[opcode, handler] : Registry::get().allAssembly())
    names.push_back("asm:" + opcode);
  std::sort(names.begin(), names.end());
  return names;
}

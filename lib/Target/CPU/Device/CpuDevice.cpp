//===- CpuDevice.cpp - Runs tensor functions on the host ------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/CPU/CpuDevice.h"
#include "SparseFlow/Dialect/SparseFlow/IR/SparseFlow.h"
#include "SparseFlow/Dialect/SparseFlow/Transforms/Passes.h"
#include "SparseFlow/Target/CPU/Passes.h"
#include "Target/CPU/Device/HostTarget.h"
#include "Target/CPU/Device/Jit.h"
#include "Target/CPU/Device/RuntimeSymbols.h"
#include "Target/CPU/Device/ShapeClasses.h"
#include "Target/CPU/Device/ThreadPool.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::sparseflow;

namespace {
/// A compiled function and what it was declared as.
struct Function {
  std::string name;
  FunctionType type;
  cpu::ShapeClasses classes;
  void (*entry)(void **slots) = nullptr;
};
} // namespace

struct CpuDevice::Impl {
  CpuSchedule schedule;
  std::string cpuName;
  // The engine's code refers to the pool, so it goes first.
  std::unique_ptr<cpu::ThreadPool> pool;
  cpu::Jit jit;
  std::vector<Function> functions;

  const Function *find(StringRef name) const {
    for (const Function &function : functions)
      if (function.name == name)
        return &function;
    return nullptr;
  }
};

CpuDevice::CpuDevice(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
CpuDevice::~CpuDevice() = default;

//===----------------------------------------------------------------------===//
// Host types
//===----------------------------------------------------------------------===//

size_t mlir::sparseflow::getHostTypeSize(HostType type) {
  switch (type) {
  case HostType::I1:
  case HostType::I8:
    return 1;
  case HostType::F16:
  case HostType::BF16:
  case HostType::I16:
    return 2;
  case HostType::F32:
  case HostType::I32:
    return 4;
  case HostType::F64:
  case HostType::I64:
    return 8;
  }
  llvm_unreachable("not a host type");
}

StringRef mlir::sparseflow::getHostTypeName(HostType type) {
  static const char *names[] = {"f16", "bf16", "f32", "f64", "i1",
                                "i8",  "i16",  "i32", "i64"};
  return names[static_cast<unsigned>(type)];
}

std::optional<HostType> mlir::sparseflow::getHostType(Type type) {
  if (type.isF16())
    return HostType::F16;
  if (type.isBF16())
    return HostType::BF16;
  if (type.isF32())
    return HostType::F32;
  if (type.isF64())
    return HostType::F64;
  if (type.isSignlessInteger(1))
    return HostType::I1;
  if (type.isSignlessInteger(8))
    return HostType::I8;
  if (type.isSignlessInteger(16))
    return HostType::I16;
  if (type.isSignlessInteger(32))
    return HostType::I32;
  if (type.isSignlessInteger(64))
    return HostType::I64;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {
/// Keeps the errors that are reported while it lives.
struct ErrorCollector {
  std::string messages;
  ScopedDiagnosticHandler handler;

  explicit ErrorCollector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          llvm::raw_string_ostream stream(messages);
          stream << (messages.empty() ? "" : "\n");
          // As compilers say it, not as the attribute is written.
          if (auto place =
                  diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
            stream << place.getFilename().getValue() << ":" << place.getLine()
                   << ":" << place.getColumn();
          else
            stream << diagnostic.getLocation();
          stream << ": " << diagnostic;
          return success();
        }) {}

  llvm::Error take() const {
    return llvm::createStringError(
        "the CPU device cannot compile the module: " + messages);
  }
};
} // namespace

/// Runs `build`'s passes on `module`; what they report becomes the error.
static llvm::Error runPasses(ModuleOp module,
                             function_ref<void(PassManager &)> build) {
  ErrorCollector errors(module.getContext());
  PassManager pm(module.getContext());
  build(pm);
  if (failed(pm.run(module)))
    return errors.take();
  return llvm::Error::success();
}

/// True where `module` says something in the sparseflow dialect.
static bool usesSparseFlow(ModuleOp module) {
  auto isEncoded = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  WalkResult walk = module.walk([&](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    bool found =
        isa_and_nonnull<SparseFlowDialect>(op->getDialect()) ||
        llvm::any_of(op->getOperandTypes(), isEncoded) ||
        (function && llvm::any_of(function.getArgumentTypes(), isEncoded));
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// Memory is written by the sizes that the function computes, so the caller
/// must be able to know them.
static llvm::Error checkResultSizes(const Function &function) {
  llvm::SmallDenseSet<unsigned> known;
  unsigned numInputs = function.type.getNumInputs();
  for (unsigned i = 0; i < numInputs; ++i)
    known.insert(function.classes.values[i].begin(),
                 function.classes.values[i].end());
  for (unsigned i = 0; i < function.type.getNumResults(); ++i)
    for (auto [dim, id] :
         llvm::enumerate(function.classes.values[numInputs + i]))
      if (!known.contains(id) &&
          ShapedType::isDynamic(function.classes.sizes[id]))
        return llvm::createStringError(
            "result " + std::to_string(i) + " of '" + function.name +
            "': expected each size to be static or that of an argument, found "
            "that dimension " +
            std::to_string(dim) +
            " is computed in another way; give it a static size");
  return llvm::Error::success();
}

static unsigned countThreads(unsigned requested) {
  if (requested)
    return requested;
  return std::max(1u, llvm::hardware_concurrency().compute_thread_count());
}

llvm::Expected<std::unique_ptr<CpuDevice>>
CpuDevice::compile(ModuleOp module, const CpuOptions &options) {
  auto impl = std::make_unique<Impl>();
  auto target = cpu::describeTarget(options.cpu);
  if (!target)
    return target.takeError();
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  impl->cpuName = (*machine)->getTargetCPU().str();
  impl->schedule =
      options.schedule ? *options.schedule : cpu::selectSchedule(**machine);

  DialectRegistry registry;
  registerCpuDialects(registry);
  module.getContext()->appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> lowered(module.clone());
  // Calls are inlined first: which dimensions are equal is then visible in one
  // function.
  bool lowerSparseFlow = usesSparseFlow(module);
  if (llvm::Error error = runPasses(*lowered, [&](PassManager &pm) {
        pm.addPass(createInlinerPass());
        pm.addPass(createSymbolDCEPass());
        if (lowerSparseFlow) {
          pm.addNestedPass<func::FuncOp>(cpu::createLowerTernary());
          pm.addNestedPass<func::FuncOp>(createSparseFlowLowerToLinalg());
        }
      }))
    return error;
  for (auto function : lowered->getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    impl->functions.push_back({function.getName().str(),
                               function.getFunctionType(),
                               cpu::ShapeClasses::compute(function)});
    if (llvm::Error error = checkResultSizes(impl->functions.back()))
      return error;
  }
  if (impl->functions.empty())
    return llvm::createStringError(
        "expected a module with at least one public function with a body, "
        "found none");
  if (llvm::Error error = runPasses(*lowered, [&](PassManager &pm) {
        buildCpuPipeline(pm, CpuPipelineOptions(impl->schedule));
      }))
    return error;

  impl->pool = std::make_unique<cpu::ThreadPool>(countThreads(options.threads));
  ErrorCollector errors(module.getContext());
  auto jit = cpu::Jit::compile(*lowered, std::move(*target), *impl->pool,
                               options.keepLLVMIR);
  if (!jit && !errors.messages.empty()) {
    llvm::consumeError(jit.takeError());
    return errors.take();
  }
  if (!jit)
    return jit.takeError();
  impl->jit = std::move(*jit);
  for (Function &function : impl->functions) {
    auto address = impl->jit.lookup(cpu::kEntryPrefix + function.name);
    if (!address)
      return address.takeError();
    function.entry = address->toPtr<void (*)(void **)>();
  }
  return std::unique_ptr<CpuDevice>(new CpuDevice(std::move(impl)));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
/// A buffer with the place it has in a function's signature.
struct Bound {
  std::string what;
  const HostBuffer *buffer;
  RankedTensorType type;

  int64_t bytes() const {
    int64_t count = getHostTypeSize(buffer->dtype);
    for (int64_t size : buffer->shape)
      count *= size;
    return count;
  }
};
} // namespace

static std::string formatShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(shape, stream, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      stream << "?";
    else
      stream << size;
  });
  return text + "]";
}

/// Compares one buffer with its declared type.
static llvm::Error checkBuffer(const Bound &bound) {
  const HostBuffer &buffer = *bound.buffer;
  std::optional<HostType> dtype = getHostType(bound.type.getElementType());
  if (buffer.dtype != dtype)
    return llvm::createStringError(bound.what + ": expected elements of " +
                                   getHostTypeName(*dtype) + ", found " +
                                   getHostTypeName(buffer.dtype));
  ArrayRef<int64_t> declared = bound.type.getShape();
  bool fits = declared.size() == buffer.shape.size();
  int64_t bytes = getHostTypeSize(buffer.dtype);
  bool countable = true;
  for (size_t i = 0; fits && i < declared.size(); ++i) {
    fits = buffer.shape[i] >= 0 && (ShapedType::isDynamic(declared[i]) ||
                                    declared[i] == buffer.shape[i]);
    countable &= !llvm::MulOverflow(bytes, buffer.shape[i], bytes);
  }
  if (!fits)
    return llvm::createStringError(
        bound.what + ": expected the shape " + formatShape(declared) +
        " with sizes of at least 0, found " + formatShape(buffer.shape));
  if (!countable)
    return llvm::createStringError(
        bound.what + ": expected fewer than 2^63 bytes, found the shape " +
        formatShape(buffer.shape));
  if (bytes != 0 && !buffer.data)
    return llvm::createStringError(bound.what + ": expected memory for " +
                                   std::to_string(bytes) +
                                   " bytes, found a null pointer");
  if (reinterpret_cast<uintptr_t>(buffer.data) % getHostTypeSize(buffer.dtype))
    return llvm::createStringError(
        bound.what + ": expected memory aligned to its elements of " +
        std::to_string(getHostTypeSize(buffer.dtype)) + " bytes");
  return llvm::Error::success();
}

/// Compares dimensions that must be equal.
static llvm::Error checkClasses(ArrayRef<Bound> bounds,
                                const cpu::ShapeClasses &classes) {
  auto describe = [](const Bound &bound, size_t dim) {
    return "dimension " + std::to_string(dim) + " of " + bound.what;
  };
  SmallVector<std::pair<int64_t, std::string>> sizes;
  for (int64_t size : classes.sizes)
    sizes.push_back({size, "the function's body"});
  for (auto [index, bound] : llvm::enumerate(bounds))
    for (auto [dim, size] : llvm::enumerate(bound.buffer->shape)) {
      auto &[expected, from] = sizes[classes.values[index][dim]];
      if (ShapedType::isDynamic(expected)) {
        expected = size;
        from = describe(bound, dim);
        continue;
      }
      if (expected != size)
        return llvm::createStringError("expected " + describe(bound, dim) +
                                       " to be " + std::to_string(expected) +
                                       " like " + from + ", found " +
                                       std::to_string(size));
    }
  for (const cpu::ShapeClasses::Bound &bound : classes.bounds) {
    int64_t more = bound.constant;
    for (auto [factor, number] : bound.terms)
      more += factor * sizes[number].first;
    if (more > 0)
      return llvm::createStringError("expected " + bound.slice +
                                     " to end inside of the tensor, found that "
                                     "sizes of this call end it " +
                                     std::to_string(more) +
                                     " behind; give tensors whose sizes agree");
  }
  return llvm::Error::success();
}

/// Refuses results that share memory with any other buffer.
static llvm::Error checkOverlap(ArrayRef<Bound> bounds, size_t numArgs) {
  for (size_t i = numArgs; i < bounds.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      auto begin = [&](size_t k) {
        return reinterpret_cast<uintptr_t>(bounds[k].buffer->data);
      };
      auto end = [&](size_t k) { return begin(k) + bounds[k].bytes(); };
      if (begin(i) < end(j) && begin(j) < end(i))
        return llvm::createStringError(
            "expected the memory of " + bounds[i].what +
            " to be its own, found that it overlaps " + bounds[j].what);
    }
  return llvm::Error::success();
}

/// The memref descriptor of a buffer: two pointers, offset, sizes, strides.
static SmallVector<int64_t> makeDescriptor(const HostBuffer &buffer) {
  static_assert(sizeof(void *) == sizeof(int64_t), "64-bit hosts only");
  auto pointer = static_cast<int64_t>(reinterpret_cast<intptr_t>(buffer.data));
  SmallVector<int64_t> words{pointer, pointer, 0};
  llvm::append_range(words, buffer.shape);
  size_t rank = buffer.shape.size();
  words.resize(3 + 2 * rank, 1);
  for (size_t i = rank; i-- > 1;)
    words[3 + rank + i - 1] = words[3 + rank + i] * buffer.shape[i];
  return words;
}

llvm::Error CpuDevice::run(StringRef name, ArrayRef<HostBuffer> args,
                           MutableArrayRef<HostBuffer> results) const {
  const Function *function = impl->find(name);
  if (!function) {
    std::string known = llvm::join(getFunctions(), ", ");
    return llvm::createStringError("expected a function of the module (" +
                                   known + "), found '" + name + "'");
  }
  FunctionType type = function->type;
  if (args.size() != type.getNumInputs() ||
      results.size() != type.getNumResults())
    return llvm::createStringError(
        "'" + name + "': expected " + std::to_string(type.getNumInputs()) +
        " arguments and " + std::to_string(type.getNumResults()) +
        " results, found " + std::to_string(args.size()) + " and " +
        std::to_string(results.size()));
  SmallVector<Bound> bounds;
  for (auto [i, buffer] : llvm::enumerate(args))
    bounds.push_back(
        {"argument " + std::to_string(i) + " of '" + name.str() + "'", &buffer,
         cast<RankedTensorType>(type.getInput(i))});
  for (auto [i, buffer] : llvm::enumerate(results))
    bounds.push_back(
        {"result " + std::to_string(i) + " of '" + name.str() + "'", &buffer,
         cast<RankedTensorType>(type.getResult(i))});
  for (const Bound &bound : bounds)
    if (llvm::Error error = checkBuffer(bound))
      return error;
  if (llvm::Error error = checkClasses(bounds, function->classes))
    return error;
  if (llvm::Error error = checkOverlap(bounds, args.size()))
    return error;

  SmallVector<SmallVector<int64_t>> descriptors;
  for (const Bound &bound : bounds)
    descriptors.push_back(makeDescriptor(*bound.buffer));
  SmallVector<void *> slots;
  for (SmallVector<int64_t> &descriptor : descriptors)
    slots.push_back(descriptor.data());
  function->entry(slots.data());
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// What was compiled
//===----------------------------------------------------------------------===//

llvm::SmallVector<StringRef> CpuDevice::getFunctions() const {
  SmallVector<StringRef> names;
  for (const Function &function : impl->functions)
    names.push_back(function.name);
  return names;
}

FunctionType CpuDevice::getFunctionType(StringRef name) const {
  const Function *function = impl->find(name);
  return function ? function->type : FunctionType();
}

StringRef CpuDevice::getLLVMIR() const { return impl->jit.ir; }
StringRef CpuDevice::getCpu() const { return impl->cpuName; }
const CpuSchedule &CpuDevice::getSchedule() const { return impl->schedule; }
unsigned CpuDevice::getNumThreads() const {
  return impl->pool->getNumThreads();
}

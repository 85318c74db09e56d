//===- peers.cu - SparseFlow's kernels beside NVIDIA's libraries ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times y[T, N] = x[T, K] w[N, K]^T with a 2:4 sparse w on one GPU:
//  * SparseFlow, as launch plans say (launches.py): w packed, and w dense;
//  * cuBLASLt on the dense form of w, best of its heuristics;
//  * cuSPARSELt, best of all its algorithms (with -DHAVE_CUSPARSELT).
//
// Everyone works on the same numbers in the same process and takes turns, for a
// GPU under its power limit changes its clock from second to second. Buffers
// rotate so that none is in the L2 cache when its turn comes. Each result is
// compared with cuBLASLt's first: a fast wrong kernel is no result.
//
// usage: peers T N K f16|bf16 SAMPLES [--sparse PLAN] [--dense PLAN]
//              [--no-cusparselt]
// Prints one JSON object. Exit code 1 and {"error": ...} if anything fails.
//
//===----------------------------------------------------------------------===//

#include "peers_data.cuh"

#include <cublasLt.h>
#include <cuda.h>
#include <dlfcn.h>
#ifdef HAVE_CUSPARSELT
#include <cusparseLt.h>
#endif

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>

namespace {

constexpr size_t workspaceBytes = size_t(64) << 20;
// How many of a library's algorithms go from the screening into the rounds.
constexpr size_t finalists = 3;

double secondsNow() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double percentile(std::vector<float> sorted, double p) {
  std::sort(sorted.begin(), sorted.end());
  return sorted[size_t(p * double(sorted.size() - 1) + 0.5)];
}

/// Launches set `i` of the buffers; throws if the launch is refused.
using Launch = std::function<void(int i)>;

/// `launches` launches over rotating buffers as one graph, or one by one where
/// they cannot be captured.
class Replay {
public:
  Replay(const Launch &launch, int sets, double targetMs, cudaStream_t stream)
      : launch(launch), sets(sets), stream(stream) {
    CK(cudaEventCreate(&from));
    CK(cudaEventCreate(&to));
    for (int i = 0; i < sets; ++i)
      launch(i);
    CK(cudaStreamSynchronize(stream));
    launches = sets;
    double ms = runTimed();
    launches = sets * std::max(1, std::min(400, int(targetMs / ms) + 1));
    capture();
  }
  Replay(const Replay &) = delete;
  ~Replay() {
    if (exec)
      cudaGraphExecDestroy(exec);
    cudaEventDestroy(from);
    cudaEventDestroy(to);
  }

  void run() {
    if (exec)
      CK(cudaGraphLaunch(exec, stream));
    else
      for (int i = 0; i < launches; ++i)
        launch(i % sets);
  }
  /// Milliseconds of all launches.
  float runTimed() {
    CK(cudaEventRecord(from, stream));
    run();
    CK(cudaEventRecord(to, stream));
    CK(cudaEventSynchronize(to));
    float ms = 0;
    CK(cudaEventElapsedTime(&ms, from, to));
    return std::max(ms, 1e-4f);
  }
  float microseconds() { return runTimed() * 1000.f / float(launches); }

  int launches = 1;
  bool isGraph() const { return exec; }

private:
  void capture() {
    cudaGraph_t graph = nullptr;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)) {
      cudaGetLastError();
      return;
    }
    bool captured = true;
    try {
      for (int i = 0; i < launches; ++i)
        launch(i % sets);
    } catch (const std::exception &) {
      captured = false;
    }
    // The stream leaves its capture in any case.
    captured &= cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph;
    if (captured && cudaGraphInstantiate(&exec, graph, 0))
      exec = nullptr;
    if (graph)
      cudaGraphDestroy(graph);
    cudaGetLastError();
  }

  Launch launch;
  int sets;
  cudaStream_t stream;
  cudaEvent_t from, to;
  cudaGraphExec_t exec = nullptr;
};

struct Contender {
  std::string name, algorithm;
  Launch launch;
  /// ||y - y of cuBLASLt|| / ||y of cuBLASLt||.
  double difference = 0;
  std::unique_ptr<Replay> replay;
  std::vector<float> us;
};

/// Median time of a short run, for choosing among algorithms.
double screen(const Launch &launch, int sets, cudaStream_t stream) {
  Replay replay(launch, sets, 1.0, stream);
  std::vector<float> us;
  for (int i = 0; i < 6; ++i)
    if (float t = replay.microseconds(); i > 0)
      us.push_back(t);
  return percentile(us, 0.5);
}

//===----------------------------------------------------------------------===//
// SparseFlow: the driver calls that a launch plan asks for.
//===----------------------------------------------------------------------===//

struct Driver {
  decltype(&cuModuleLoad) moduleLoad;
  decltype(&cuModuleGetFunction) getFunction;
  decltype(&cuFuncSetAttribute) setAttribute;
  decltype(&cuLaunchKernel) launch;

  Driver() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      throw std::runtime_error("no libcuda.so.1");
    load(library, moduleLoad, "cuModuleLoad");
    load(library, getFunction, "cuModuleGetFunction");
    load(library, setAttribute, "cuFuncSetAttribute");
    load(library, launch, "cuLaunchKernel");
  }
  template <typename F>
  void load(void *library, F &f, const char *name) {
    f = reinterpret_cast<F>(dlsym(library, name));
    if (!f)
      throw std::runtime_error(std::string("libcuda.so.1 has no ") + name);
  }
};

struct PlannedLaunch {
  CUfunction kernel = nullptr;
  unsigned grid = 0, threads = 0, shared = 0;
  /// Buffer ('x', 'w', 'y', 's', or '#' for a number) and offset or value.
  std::vector<std::pair<char, uint64_t>> arguments;
};

void checkDriver(CUresult result, const std::string &what) {
  if (result != CUDA_SUCCESS)
    throw std::runtime_error(what + ": CUDA driver error " +
                             std::to_string(int(result)));
}

std::vector<PlannedLaunch> readPlan(const Driver &driver,
                                    const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::vector<PlannedLaunch> plan;
  CUmodule module = nullptr;
  std::string line, word, kernel;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    in >> word;
    if (word == "image") {
      checkDriver(driver.moduleLoad(&module, line.substr(6).c_str()), line);
    } else if (word == "workspace") {
      uint64_t bytes = 0;
      in >> bytes;
      if (bytes > workspaceBytes)
        throw std::runtime_error("more workspace than there is: " + line);
    } else if (word == "launch") {
      PlannedLaunch next;
      in >> kernel >> next.grid >> next.threads >> next.shared;
      checkDriver(driver.getFunction(&next.kernel, module, kernel.c_str()),
                  line);
      checkDriver(
          driver.setAttribute(next.kernel,
                              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              int(next.shared)),
          line);
      plan.push_back(next);
    } else if (!plan.empty() && (word == "pointer" || word == "number")) {
      char buffer = '#';
      uint64_t value = 0;
      if (word == "pointer")
        in >> buffer;
      in >> value;
      plan.back().arguments.push_back({buffer, value});
    }
    if (in.fail())
      throw std::runtime_error(path + ": expected numbers in '" + line + "'");
  }
  if (plan.empty())
    throw std::runtime_error(path + ": no launch");
  return plan;
}

void runPlan(const Driver &driver, const std::vector<PlannedLaunch> &plan,
             void *x, void *w, void *y, void *workspace, cudaStream_t stream) {
  for (const PlannedLaunch &next : plan) {
    std::vector<uint64_t> values;
    for (const auto &[buffer, offset] : next.arguments) {
      void *base = buffer == 'x'   ? x
                   : buffer == 'w' ? w
                   : buffer == 'y' ? y
                   : buffer == 's' ? workspace
                                   : nullptr;
      values.push_back(reinterpret_cast<uint64_t>(base) + offset);
    }
    std::vector<void *> pointers;
    for (uint64_t &value : values)
      pointers.push_back(&value);
    checkDriver(driver.launch(next.kernel, next.grid, 1, 1, next.threads, 1, 1,
                              next.shared, stream, pointers.data(), nullptr),
                "cuLaunchKernel");
  }
}

//===----------------------------------------------------------------------===//
// The libraries
//===----------------------------------------------------------------------===//

#define LT(call)                                                               \
  do {                                                                         \
    if (int status = int(call))                                                \
      throw std::runtime_error(std::string(#call ": status ") +                \
                               std::to_string(status));                        \
  } while (0)

const float one = 1, zero = 0;

/// All of cuBLASLt's proposals, in its own order.
std::vector<Launch> cublasLaunches(Problem &p, void *workspace,
                                   cudaStream_t stream) {
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t matmul;
  cublasLtMatrixLayout_t w, x, y;
  cublasLtMatmulPreference_t preference;
  cudaDataType_t type = p.bf16 ? CUDA_R_16BF : CUDA_R_16F;
  LT(cublasLtCreate(&handle));
  LT(cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  cublasOperation_t transposed = CUBLAS_OP_T;
  LT(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_TRANSA,
                                    &transposed, sizeof(transposed)));
  // Column-major: y^T[N, T] = (w^T[K, N])^T x^T[K, T].
  LT(cublasLtMatrixLayoutCreate(&w, type, p.k, p.n, p.k));
  LT(cublasLtMatrixLayoutCreate(&x, type, p.k, p.t, p.k));
  LT(cublasLtMatrixLayoutCreate(&y, type, p.n, p.t, p.n));
  LT(cublasLtMatmulPreferenceCreate(&preference));
  size_t bytes = workspaceBytes;
  LT(cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
      sizeof(bytes)));
  std::vector<cublasLtMatmulHeuristicResult_t> results(32);
  int found = 0;
  LT(cublasLtMatmulAlgoGetHeuristic(handle, matmul, w, x, y, y, preference,
                                    int(results.size()), results.data(),
                                    &found));
  std::vector<Launch> launches;
  for (int i = 0; i < found; ++i)
    launches.push_back([=, &p, algorithm = results[i].algo](int s) {
      LT(cublasLtMatmul(handle, matmul, &one, p.w[s], w, p.x[s], x, &zero,
                        p.y[s], y, p.y[s], y, &algorithm, workspace,
                        workspaceBytes, stream));
    });
  return launches;
}

#ifdef HAVE_CUSPARSELT
/// What one algorithm needs. Weights compressed for another are wrong for it.
struct SparseAlgorithm {
  cusparseLtMatmulAlgSelection_t selection;
  cusparseLtMatmulPlan_t plan;
  std::vector<DeviceBuffer> compressed;
  DeviceBuffer workspace;
};

class CuSparseLt {
public:
  CuSparseLt(Problem &p, cudaStream_t stream) : p(p), stream(stream) {
    cudaDataType type = p.bf16 ? CUDA_R_16BF : CUDA_R_16F;
    LT(cusparseLtInit(&handle));
    LT(cusparseLtStructuredDescriptorInit(&handle, &w, p.k, p.n, p.k, 16, type,
                                          CUSPARSE_ORDER_COL,
                                          CUSPARSELT_SPARSITY_50_PERCENT));
    LT(cusparseLtDenseDescriptorInit(&handle, &x, p.k, p.t, p.k, 16, type,
                                     CUSPARSE_ORDER_COL));
    LT(cusparseLtDenseDescriptorInit(&handle, &y, p.n, p.t, p.n, 16, type,
                                     CUSPARSE_ORDER_COL));
    LT(cusparseLtMatmulDescriptorInit(&handle, &matmul,
                                      CUSPARSE_OPERATION_TRANSPOSE,
                                      CUSPARSE_OPERATION_NON_TRANSPOSE, &w, &x,
                                      &y, &y, CUSPARSE_COMPUTE_32F));
  }

  int version() {
    int value = 0;
    cusparseLtGetVersion(&handle, &value);
    return value;
  }
  /// Algorithms are numbered below this.
  int count() {
    cusparseLtMatmulAlgSelection_t selection;
    int value = 0;
    LT(cusparseLtMatmulAlgSelectionInit(&handle, &selection, &matmul,
                                        CUSPARSELT_MATMUL_ALG_DEFAULT));
    LT(cusparseLtMatmulAlgGetAttribute(&handle, &selection,
                                       CUSPARSELT_MATMUL_ALG_CONFIG_MAX_ID,
                                       &value, sizeof(value)));
    return value;
  }
  /// Throws when the algorithm does not serve this problem.
  Launch prepare(int id) {
    auto algorithm = std::make_shared<SparseAlgorithm>();
    LT(cusparseLtMatmulAlgSelectionInit(&handle, &algorithm->selection, &matmul,
                                        CUSPARSELT_MATMUL_ALG_DEFAULT));
    LT(cusparseLtMatmulAlgSetAttribute(&handle, &algorithm->selection,
                                       CUSPARSELT_MATMUL_ALG_CONFIG_ID, &id,
                                       sizeof(id)));
    LT(cusparseLtMatmulPlanInit(&handle, &algorithm->plan, &matmul,
                                &algorithm->selection));
    size_t bytes = 0, compressed = 0, scratch = 0;
    LT(cusparseLtMatmulGetWorkspace(&handle, &algorithm->plan, &bytes));
    if (bytes > workspaceBytes)
      throw std::runtime_error("needs more workspace than the others have");
    LT(cusparseLtSpMMACompressedSize(&handle, &algorithm->plan, &compressed,
                                     &scratch));
    algorithm->workspace = DeviceBuffer(bytes + 16);
    DeviceBuffer buffer(scratch + 16);
    for (int s = 0; s < p.sets; ++s) {
      algorithm->compressed.emplace_back(compressed);
      LT(cusparseLtSpMMACompress(&handle, &algorithm->plan, p.w[s],
                                 algorithm->compressed[s].get(), buffer.get(),
                                 stream));
    }
    CK(cudaStreamSynchronize(stream));
    return [this, algorithm](int s) {
      LT(cusparseLtMatmul(&handle, &algorithm->plan, &one,
                          algorithm->compressed[s].get(), p.x[s], &zero, p.y[s],
                          p.y[s], algorithm->workspace.get(), &stream, 1));
    };
  }

private:
  Problem &p;
  cudaStream_t stream;
  cusparseLtHandle_t handle;
  cusparseLtMatDescriptor_t w, x, y;
  cusparseLtMatmulDescriptor_t matmul;
};
#endif

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

struct Options {
  std::string sparsePlan, densePlan;
  bool cusparselt = true;
  int samples = 40;
};

class Comparison {
public:
  Comparison(Problem &p, const Options &options)
      : p(p), options(options), workspace(workspaceBytes),
        reference(p.resultBytes()) {
    CK(cudaStreamCreate(&stream));
  }

  std::string run() {
    addCublas();
    addSparseFlow("sparseflow 2:4", options.sparsePlan, p.packed);
    addSparseFlow("sparseflow dense", options.densePlan, p.w);
    addCusparselt();
    for (Contender &c : contenders)
      c.difference = difference(c.launch);
    for (Contender &c : contenders)
      c.replay = std::make_unique<Replay>(c.launch, p.sets, 2.0, stream);
    // Clocks settle under load.
    for (double start = secondsNow(); secondsNow() - start < 0.3;)
      for (Contender &c : contenders)
        c.replay->runTimed();
    for (int round = 0; round < options.samples; ++round)
      for (size_t i = 0; i < contenders.size(); ++i) {
        Contender &c = contenders[(i + size_t(round)) % contenders.size()];
        // Its own caches and power state, not its predecessor's.
        c.replay->run();
        c.us.push_back(c.replay->microseconds());
      }
    return json();
  }

private:
  void addFinalists(const std::string &name,
                    std::vector<std::pair<double, Contender>> screened) {
    std::sort(screened.begin(), screened.end(),
              [](auto &a, auto &b) { return a.first < b.first; });
    for (size_t i = 0; i < std::min(finalists, screened.size()); ++i) {
      screened[i].second.name = name;
      contenders.push_back(std::move(screened[i].second));
    }
  }

  void addCublas() {
    std::vector<Launch> launches = cublasLaunches(p, workspace.get(), stream);
    if (launches.empty())
      throw std::runtime_error("cuBLASLt proposes no algorithm");
    launches[0](0);
    CK(cudaMemcpyAsync(reference.get(), p.y[0], p.resultBytes(),
                       cudaMemcpyDeviceToDevice, stream));
    CK(cudaStreamSynchronize(stream));
    std::vector<std::pair<double, Contender>> screened;
    for (size_t i = 0; i < launches.size(); ++i) {
      try {
        Contender c;
        c.algorithm = "heuristic " + std::to_string(i) + " of " +
                      std::to_string(launches.size());
        c.launch = launches[i];
        double us = screen(launches[i], p.sets, stream);
        screened.emplace_back(us, std::move(c));
      } catch (const std::exception &e) {
        refused(std::string("cuBLASLt: ") + e.what());
      }
    }
    addFinalists("cuBLASLt", std::move(screened));
  }

  void addSparseFlow(const char *name, const std::string &path,
                     std::vector<void *> &weights) {
    if (path.empty())
      return;
    if (!driver)
      driver = std::make_unique<Driver>();
    Contender c;
    c.name = name;
    auto plan = readPlan(*driver, path);
    c.launch = [this, plan, &weights](int s) {
      runPlan(*driver, plan, p.x[s], weights[s], p.y[s], workspace.get(),
              stream);
    };
    contenders.push_back(std::move(c));
  }

  void addCusparselt() {
#ifdef HAVE_CUSPARSELT
    if (!options.cusparselt)
      return;
    try {
      sparse = std::make_unique<CuSparseLt>(p, stream);
      std::vector<std::pair<double, Contender>> screened;
      int count = sparse->count();
      double start = secondsNow();
      for (int id = 0; id < count; ++id) {
        if (secondsNow() - start > 30) {
          notes.push_back("cuSPARSELt: out of time at algorithm " +
                          std::to_string(id));
          break;
        }
        try {
          screened.emplace_back(screen(sparse->prepare(id), p.sets, stream),
                                Contender());
          screened.back().second.algorithm = "algorithm " + std::to_string(id) +
                                             " of " + std::to_string(count);
          // Compressed again below: all at once would fill the memory.
          screened.back().second.launch = [id](int) {
            throw std::logic_error(std::to_string(id));
          };
          ids.push_back({screened.back().second.algorithm, id});
        } catch (const std::exception &e) {
          refused(std::string("cuSPARSELt: ") + e.what());
        }
      }
      size_t first = contenders.size();
      addFinalists("cuSPARSELt", std::move(screened));
      for (size_t i = first; i < contenders.size(); ++i)
        for (auto &[algorithm, id] : ids)
          if (algorithm == contenders[i].algorithm)
            contenders[i].launch = sparse->prepare(id);
      version = sparse->version();
    } catch (const std::exception &e) {
      refused(std::string("cuSPARSELt: ") + e.what());
    }
#endif
  }

  /// Notes a refusal once. A fault of the device leaves nothing to go on with.
  void refused(const std::string &what) {
    cudaGetLastError();
    if (cudaError_t status = cudaStreamSynchronize(stream))
      throw std::runtime_error(what + "; then " + cudaGetErrorString(status));
    if (std::find(notes.begin(), notes.end(), what) == notes.end())
      notes.push_back(what);
  }

  double difference(const Launch &launch) {
    CK(cudaMemsetAsync(p.y[0], 0xff, p.resultBytes(), stream));
    launch(0);
    return relativeDifference(p, p.y[0], reference.get(), stream);
  }

  std::string json() {
    std::ostringstream out;
    out.precision(6);
    cudaDeviceProp device;
    CK(cudaGetDeviceProperties(&device, 0));
    int driverVersion = 0, runtimeVersion = 0;
    CK(cudaDriverGetVersion(&driverVersion));
    CK(cudaRuntimeGetVersion(&runtimeVersion));
    out << "{\"device\": " << quote(device.name)
        << ", \"multiprocessors\": " << device.multiProcessorCount
        << ", \"l2_bytes\": " << device.l2CacheSize
        << ", \"driver_cuda\": " << driverVersion
        << ", \"runtime_cuda\": " << runtimeVersion
        << ", \"cublaslt\": " << cublasLtGetVersion()
        << ", \"cusparselt\": " << version << ", \"buffer_sets\": " << p.sets
        << ", \"rows\": [";
    const char *comma = "";
    for (Contender &c : contenders) {
      out << comma << "{\"name\": " << quote(c.name)
          << ", \"algorithm\": " << quote(c.algorithm)
          << ", \"min_us\": " << percentile(c.us, 0)
          << ", \"median_us\": " << percentile(c.us, 0.5)
          << ", \"p95_us\": " << percentile(c.us, 0.95)
          << ", \"samples\": " << c.us.size()
          << ", \"launches_per_sample\": " << c.replay->launches
          << ", \"graph\": " << (c.replay->isGraph() ? "true" : "false")
          << ", \"difference\": ";
      // NaN is no JSON.
      if (c.difference == c.difference && c.difference < 1e30)
        out << c.difference;
      else
        out << "null";
      out << "}";
      comma = ", ";
    }
    out << "], \"notes\": [";
    comma = "";
    for (const std::string &note : notes) {
      out << comma << quote(note);
      comma = ", ";
    }
    out << "]}";
    return out.str();
  }

  Problem &p;
  Options options;
  DeviceBuffer workspace, reference;
  cudaStream_t stream = nullptr;
  std::unique_ptr<Driver> driver;
#ifdef HAVE_CUSPARSELT
  std::unique_ptr<CuSparseLt> sparse;
  std::vector<std::pair<std::string, int>> ids;
#endif
  int version = 0;
  std::vector<Contender> contenders;
  std::vector<std::string> notes;
};

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc < 6)
      throw std::runtime_error("usage: peers T N K f16|bf16 SAMPLES "
                               "[--sparse PLAN] [--dense PLAN] "
                               "[--no-cusparselt]");
    Options options;
    options.samples = std::max(1, std::atoi(argv[5]));
    for (int i = 6; i < argc; ++i) {
      std::string name = argv[i];
      if (name == "--no-cusparselt")
        options.cusparselt = false;
      else if (name == "--sparse" && i + 1 < argc)
        options.sparsePlan = argv[++i];
      else if (name == "--dense" && i + 1 < argc)
        options.densePlan = argv[++i];
      else
        throw std::runtime_error("unknown option " + name);
    }
    Problem problem(std::atol(argv[1]), std::atol(argv[2]), std::atol(argv[3]),
                    std::string(argv[4]) == "bf16");
    std::printf("%s\n", Comparison(problem, options).run().c_str());
    return 0;
  } catch (const std::exception &e) {
    std::printf("{\"error\": %s}\n", quote(e.what()).c_str());
    return 1;
  }
}

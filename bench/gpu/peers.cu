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

#include "peers_libraries.cuh"
#include "peers_plan.cuh"

namespace {

// How many of a library's algorithms go from the screening into the rounds.
constexpr size_t finalists = 3;

struct Contender {
  std::string name, algorithm;
  Launch launch;
  /// ||y - y of cuBLASLt|| / ||y of cuBLASLt||.
  double difference = 0;
  std::unique_ptr<Replay> replay;
  std::vector<float> us;
};

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

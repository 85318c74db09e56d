//===- contenders.cuh - Who is timed, and whether it is right -------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_CONTENDERS_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_CONTENDERS_CUH

#include "fused.cuh"
#include "libraries.cuh"
#include "plan.cuh"

#include <map>

// How many of a library's algorithms go from the screening into the rounds.
constexpr size_t finalists = 3;
// Launches of SparseFlow's kernels that must agree in every bit.
constexpr int repeats = 50;

struct Contender {
  std::string name, algorithm;
  Launch launch;
  int sets = 1;
  /// ||y - y of cuBLASLt|| / ||y of cuBLASLt||, and of some rows of y against
  /// float64.
  double difference = 0, error = 0;
  /// Launches that were compared bit by bit, and words that differed.
  int repeats = 0;
  unsigned long long different = 0;
  bool best = false;
  std::unique_ptr<Replay> replay;
  std::vector<float> us, burst;
  Steady steady;
};

/// One of cuSPARSELt's algorithms in one way of saying the problem.
struct AlgorithmCheck {
  int setup = 0, id = 0;
  bool right = false;
  /// From cuBLASLt's y, and of y read as [N, T].
  double difference = 0, transposed = 0;
  /// Why there are no numbers.
  std::string problem;
};

struct Entries {
  std::string sparsePlan, densePlan;
  /// How many of cuSPARSELt's ways are tried.
  int setups = setupCount;
};

/// Collects the contenders and checks them.
class Contenders {
public:
  Contenders(Problem &p, const Entries &entries)
      : p(p), entries(entries), workspace(workspaceBytes),
        reference(p.resultBytes()) {
    CK(cudaStreamCreate(&stream));
  }

  void collect() {
    addCublas();
    addSparseFlow("sparseflow 2:4", entries.sparsePlan, p.packed);
    addSparseFlow("sparseflow dense", entries.densePlan, p.w);
    addCusparselt();
    for (Contender &c : all) {
      c.difference = difference(c.launch);
      c.error = exactError(p, stream);
      if (c.name.compare(0, 10, "sparseflow") == 0)
        repeat(c);
    }
  }

  /// The fastest right contender of each name.
  std::vector<Contender *> best() {
    std::map<std::string, Contender *> found;
    for (Contender &c : all) {
      Contender *&held = found[c.name];
      if (c.difference < bound() &&
          (!held || percentile(c.us, 0.5) < percentile(held->us, 0.5)))
        held = &c;
    }
    std::vector<Contender *> list;
    for (auto &[name, contender] : found)
      if (contender)
        list.push_back(contender);
    return list;
  }

  std::vector<Contender> all;
  std::vector<AlgorithmCheck> checks;
  std::vector<std::string> notes;
  cudaStream_t stream = nullptr;
  int version = 0;

private:
  /// Roundings of the result's type; bf16 has 8 bits.
  double bound() const { return p.bf16 ? 6e-3 : 1e-3; }

  void addFinalists(const std::string &name,
                    std::vector<std::pair<double, Contender>> screened) {
    std::sort(screened.begin(), screened.end(),
              [](auto &a, auto &b) { return a.first < b.first; });
    for (size_t i = 0; i < std::min(finalists, screened.size()); ++i) {
      screened[i].second.name = name;
      all.push_back(std::move(screened[i].second));
    }
  }

  /// A library's matmul and, if there is an epilogue, the kernel after it.
  Launch sequence(const Launch &matmul) {
    if (p.epilogue == Epilogue::None)
      return matmul;
    return [this, matmul](int s) {
      matmul(s);
      runElementwise(p, s, stream);
    };
  }

  void addCublas() {
    std::vector<Launch> launches = cublasLaunches(p, workspace.get(), stream);
    if (launches.empty())
      throw std::runtime_error("cuBLASLt proposes no algorithm");
    sequence(launches[0])(0);
    CK(cudaMemcpyAsync(reference.get(), p.y[0], p.resultBytes(),
                       cudaMemcpyDeviceToDevice, stream));
    CK(cudaStreamSynchronize(stream));
    addScreened("cuBLASLt", launches, true);
    if (p.epilogue == Epilogue::BiasGelu)
      addScreened("cuBLASLt fused",
                  cublasLaunches(p, workspace.get(), stream, true), false);
  }

  void addScreened(const std::string &name, const std::vector<Launch> &launches,
                   bool elementwise) {
    std::vector<std::pair<double, Contender>> screened;
    for (size_t i = 0; i < launches.size(); ++i) {
      try {
        Contender c;
        c.algorithm = "heuristic " + std::to_string(i) + " of " +
                      std::to_string(launches.size());
        c.launch = elementwise ? sequence(launches[i]) : launches[i];
        double us = screen(c.launch, p.sets, stream);
        screened.emplace_back(us, std::move(c));
      } catch (const std::exception &e) {
        refused(name + ": " + e.what());
      }
    }
    addFinalists(name, std::move(screened));
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
      PlanBuffers buffers{p.x[s], weights[s], p.e[s], p.y[s], workspace.get()};
      runPlan(*driver, plan, buffers, stream);
    };
    all.push_back(std::move(c));
  }

#ifdef HAVE_CUSPARSELT
  /// Whether the algorithm computes what cuBLASLt does. Weights are compressed
  /// for it, of the first set only.
  AlgorithmCheck check(CuSparseLt &library, int setup, int id) {
    AlgorithmCheck result;
    result.setup = setup;
    result.id = id;
    try {
      result.difference = difference(sequence(library.prepare(id, 1)));
      result.right = result.difference < bound();
      if (!result.right)
        result.transposed = relativeDifference(p, p.y[0], reference.get(),
                                               stream, /*transposed=*/true);
    } catch (const std::exception &e) {
      result.problem = e.what();
      healthy("cuSPARSELt: " + result.problem);
    }
    checks.push_back(result);
    return result;
  }
#endif

  void addCusparselt() {
#ifdef HAVE_CUSPARSELT
    std::map<int, bool> served;
    std::vector<std::pair<double, Contender>> screened;
    std::map<std::string, std::pair<CuSparseLt *, int>> origins;
    double start = secondsNow();
    for (int setup = 0; setup < entries.setups; ++setup) {
      try {
        sparse.push_back(std::make_unique<CuSparseLt>(p, setup, stream));
        CuSparseLt &library = *sparse.back();
        version = library.version();
        int count = library.count();
        for (int id = 0; id < count && secondsNow() - start < 30; ++id) {
          if (served[id] || !check(library, setup, id).right)
            continue;
          served[id] = true;
          Contender c;
          c.algorithm = "algorithm " + std::to_string(id) + " of " +
                        std::to_string(count) +
                        (setup ? ", way " + std::to_string(setup) : "");
          origins[c.algorithm] = {&library, id};
          double us =
              screen(sequence(library.prepare(id, p.sets)), p.sets, stream);
          screened.emplace_back(us, std::move(c));
        }
      } catch (const std::exception &e) {
        refused("cuSPARSELt, way " + std::to_string(setup) + ": " + e.what());
      }
    }
    size_t first = all.size();
    addFinalists("cuSPARSELt", std::move(screened));
    // Compressed again: all algorithms at once would fill the memory.
    for (size_t i = first; i < all.size(); ++i) {
      auto [library, id] = origins[all[i].algorithm];
      all[i].launch = sequence(library->prepare(id, p.sets));
    }
#endif
  }

  /// Throws when the device has failed: there is nothing left to go on with.
  void healthy(const std::string &what) {
    cudaGetLastError();
    if (cudaError_t status = cudaStreamSynchronize(stream))
      throw std::runtime_error(what + "; then " + cudaGetErrorString(status));
  }
  /// Notes a refusal once.
  void refused(const std::string &what) {
    healthy(what);
    if (std::find(notes.begin(), notes.end(), what) == notes.end())
      notes.push_back(what);
  }

  double difference(const Launch &launch) {
    CK(cudaMemsetAsync(p.y[0], 0xff, p.resultBytes(), stream));
    launch(0);
    return relativeDifference(p, p.y[0], reference.get(), stream);
  }

  /// Every bit of `repeats` launches in a row.
  void repeat(Contender &c) {
    DeviceBuffer first(p.resultBytes()), count(8);
    size_t words = p.resultBytes() / 2;
    CK(cudaMemcpyAsync(first.get(), p.y[0], p.resultBytes(),
                       cudaMemcpyDeviceToDevice, stream));
    CK(cudaMemsetAsync(count.get(), 0, 8, stream));
    for (c.repeats = 0; c.repeats < repeats; ++c.repeats) {
      CK(cudaMemsetAsync(p.y[0], 0xff, p.resultBytes(), stream));
      c.launch(0);
      countDifferent<<<256, 256, 0, stream>>>(
          static_cast<const uint16_t *>(p.y[0]),
          static_cast<const uint16_t *>(first.get()), words,
          static_cast<unsigned long long *>(count.get()));
      CK(cudaGetLastError());
    }
    CK(cudaMemcpyAsync(&c.different, count.get(), 8, cudaMemcpyDeviceToHost,
                       stream));
    CK(cudaStreamSynchronize(stream));
  }

  Problem &p;
  Entries entries;
  DeviceBuffer workspace, reference;
  std::unique_ptr<Driver> driver;
#ifdef HAVE_CUSPARSELT
  std::vector<std::unique_ptr<CuSparseLt>> sparse;
#endif
};

#endif // SPARSEFLOW_BENCH_GPU_PEERS_CONTENDERS_CUH

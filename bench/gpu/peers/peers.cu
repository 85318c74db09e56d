//===- peers.cu - SparseFlow's kernels beside NVIDIA's libraries ----------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times y[T, N] = epilogue(x[T, K] w[N, K]^T) with a 2:4 sparse w on one GPU:
//  * SparseFlow, as launch plans say (launches.py): w packed, and w dense;
//  * cuBLASLt on the dense form of w, best of its heuristics;
//  * cuSPARSELt, best of all its algorithms (with -DHAVE_CUSPARSELT).
// With an epilogue, SparseFlow is fused; the libraries' matmul is followed by
// an elementwise kernel, and cuBLASLt's own epilogue stands beside.
//
// Everyone works on the same numbers in the same process and takes turns, for a
// GPU under its power limit changes its clock from second to second. Buffers
// rotate so that none is in the L2 cache when its turn comes. Before anything
// is timed each result is compared with cuBLASLt's first and with products in
// double: a fast wrong kernel is no result.
//
// Prints one JSON object. Exit code 1 and {"error": ...} if anything fails.
//
//===----------------------------------------------------------------------===//

#include "contenders.cuh"
#include "json.cuh"

namespace {

const char usage[] =
    "usage: peers T N K f16|bf16 SAMPLES [--sparse PLAN] [--dense PLAN] "
    "[--epilogue none|bias_gelu|silu_gate] [--no-cusparselt] [--setups COUNT] "
    "[--settle MS] [--burst SAMPLES] [--groups COUNT] [--group-ms MS] "
    "[--algorithms]";

struct Options {
  Entries entries;
  int samples = 40;
  /// Load before each sample, milliseconds.
  double settle = 4;
  /// Samples after a rest of 60 ms each.
  int burst = 0;
  /// Groups of one contender alone.
  int groups = 0;
  double groupMs = 30;
  /// Only the errors of cuSPARSELt's algorithms.
  bool algorithms = false;
};

class Comparison {
public:
  Comparison(Problem &p, const Options &options)
      : p(p), options(options), contenders(p, options.entries) {}

  std::string run() {
    contenders.collect();
    if (options.algorithms)
      return json();
    cudaStream_t stream = contenders.stream;
    for (Contender &c : contenders.all)
      c.sets = p.sets;
    takeTurns(contenders.all, options.samples, options.settle, stream);
    for (Contender *c : contenders.best()) {
      c->best = true;
      double us = percentile(c->us, 0.5);
      if (options.burst > 0)
        c->burst = burst(c->launch, us, p.sets, options.burst, 60, stream);
      if (options.groups > 0)
        c->steady =
            steady(*c->replay, power, options.groups, options.groupMs, stream);
    }
    return json();
  }

private:
  static void number(std::ostream &out, double value) {
    // NaN is no JSON.
    if (value == value && value < 1e30)
      out << value;
    else
      out << "null";
  }

  void row(std::ostream &out, Contender &c) {
    out << "{";
    writeContender(out, c.name, c.algorithm, c.us, c.replay.get());
    out << ", \"best\": " << (c.best ? "true" : "false")
        << ", \"difference\": ";
    number(out, c.difference);
    out << ", \"error\": ";
    number(out, c.error);
    if (c.repeats > 0)
      out << ", \"repeats\": " << c.repeats
          << ", \"bitwise_equal\": " << (c.different ? "false" : "true");
    if (!c.burst.empty()) {
      out << ", \"burst\": {";
      writeTimes(out, c.burst);
      out << "}";
    }
    if (!c.steady.us.empty()) {
      Steady &s = c.steady;
      double tera = 2e-12 * double(p.t) * double(p.n) * double(p.k);
      out << ", \"steady\": {";
      writeTimes(out, s.us);
      out << ", \"seconds\": " << s.seconds << ", \"limits\": " << s.limits;
      if (!s.megahertz.empty())
        out << ", \"sm_mhz\": {\"min\": " << percentile(s.megahertz, 0)
            << ", \"median\": " << percentile(s.megahertz, 0.5)
            << ", \"max\": " << percentile(s.megahertz, 1) << "}";
      if (s.joules > 0)
        out << ", \"watts\": " << s.joules / s.seconds
            << ", \"joules_per_tera\": " << s.joules / (s.launches * tera);
      out << "}";
    }
    out << "}";
  }

  std::string json() {
    std::ostringstream out;
    out.precision(6);
    out << "{";
    writeMachine(out);
    out << ", \"cusparselt\": " << contenders.version
        << ", \"nvml\": " << (power.available() ? "true" : "false")
        << ", \"buffer_sets\": " << p.sets << ", \"rows\": [";
    const char *comma = "";
    for (Contender &c : contenders.all) {
      out << comma;
      row(out, c);
      comma = ", ";
    }
    out << "], \"algorithms\": [";
    comma = "";
    for (const AlgorithmCheck &check : contenders.checks) {
      if (!options.algorithms && check.right)
        continue;
      out << comma << "{\"setup\": " << check.setup << ", \"id\": " << check.id
          << ", \"right\": " << (check.right ? "true" : "false");
      if (check.problem.empty()) {
        out << ", \"difference\": ";
        number(out, check.difference);
        out << ", \"difference_transposed\": ";
        number(out, check.transposed);
      } else {
        out << ", \"problem\": " << quote(check.problem);
      }
      out << "}";
      comma = ", ";
    }
    out << "], ";
    writeNotes(out, contenders.notes);
    out << "}";
    return out.str();
  }

  Problem &p;
  Options options;
  Power power;
  Contenders contenders;
};

Epilogue parseEpilogue(const std::string &name) {
  if (name == "none")
    return Epilogue::None;
  if (name == "bias_gelu")
    return Epilogue::BiasGelu;
  if (name == "silu_gate")
    return Epilogue::SiluGate;
  throw std::runtime_error("unknown epilogue " + name);
}

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc < 6)
      throw std::runtime_error(usage);
    Options options;
    Epilogue epilogue = Epilogue::None;
    options.samples = std::max(1, std::atoi(argv[5]));
    for (int i = 6; i < argc; ++i) {
      std::string name = argv[i];
      auto value = [&]() -> std::string {
        if (i + 1 == argc)
          throw std::runtime_error(name + " needs a value; " + usage);
        return argv[++i];
      };
      if (name == "--no-cusparselt")
        options.entries.setups = 0;
      else if (name == "--algorithms")
        options.algorithms = true;
      else if (name == "--sparse")
        options.entries.sparsePlan = value();
      else if (name == "--dense")
        options.entries.densePlan = value();
      else if (name == "--epilogue")
        epilogue = parseEpilogue(value());
      else if (name == "--setups")
        options.entries.setups = std::atoi(value().c_str());
      else if (name == "--settle")
        options.settle = std::atof(value().c_str());
      else if (name == "--burst")
        options.burst = std::atoi(value().c_str());
      else if (name == "--groups")
        options.groups = std::atoi(value().c_str());
      else if (name == "--group-ms")
        options.groupMs = std::atof(value().c_str());
      else
        throw std::runtime_error("unknown option " + name + "; " + usage);
    }
    Problem problem(std::atol(argv[1]), std::atol(argv[2]), std::atol(argv[3]),
                    std::string(argv[4]) == "bf16", epilogue);
    std::printf("%s\n", Comparison(problem, options).run().c_str());
    return 0;
  } catch (const std::exception &e) {
    std::printf("{\"error\": %s}\n", quote(e.what()).c_str());
    return 1;
  }
}

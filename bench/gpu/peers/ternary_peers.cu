//===- ternary_peers.cu - Ternary products beside cuBLASLt ----------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times y[T, N] = x[T, K] w[N, K]^T in f16 with ternary w on one GPU:
//  * SparseFlow, as launch plans say (launches.py), w packed;
//  * cuBLASLt on the same weights in f16, and on 8-bit x and w (which are given
//    to it: SparseFlow's 8-bit time includes quantising x), best of its
//    heuristics;
//  * kernels of other projects in shared libraries (ternary_peer.h);
//  * an empty kernel, the least a launch of the same graph can take.
//
// Everyone takes turns in one process. Each has copies of the weights of more
// than 300 MB in all, so that none finds them in the L2 cache. Before anything
// is timed every element of every result is compared, over poisoned memory:
// 8-bit products with exact sums bit by bit, f16 products with cuBLASLt's,
// those of other projects as their adapters say.
//
// Prints one JSON object. Exit code 1 and {"error": ...} if anything fails.
//
//===----------------------------------------------------------------------===//

#include "json.cuh"
#include "plan.cuh"
#include "ternary_data.cuh"
#include "ternary_peer_library.cuh"

#include <cstring>

namespace {

const char usage[] =
    "usage: ternary_peers T N K codes|two_four SAMPLES [--exact NAME PLAN]... "
    "[--close NAME PLAN]... [--library FILE]... [--settle MS] [--seed NUMBER]";

/// Bytes of weights that a contender rotates over, at least.
constexpr double rotated = 320e6;
/// Launches that must agree in every bit.
constexpr int repeats = 20;
/// Algorithms of a library that go into the rounds.
constexpr size_t finalists = 2;

struct Contender {
  std::string name, algorithm;
  Launch launch;
  int sets = 1;
  /// Bytes of weights that a launch reads.
  double bytes = 0;
  /// Against the reference, all elements; -1: not compared.
  double error = -1;
  unsigned long long wrong = 0;
  /// Launches whose bits were compared.
  int repeated = 0;
  bool equalBits = true;
  std::unique_ptr<Replay> replay;
  std::vector<float> us;
};

struct Plan {
  std::string name, path;
  bool exact = false;
};

class Comparison {
public:
  Comparison(long t, long n, long k, bool twoFour, uint64_t seed)
      : t(t), n(n), k(k), padded((t + 15) / 16 * 16), twoFour(twoFour),
        seed(seed) {
    if (t <= 0 || n <= 0 || k <= 0 || n % 64 || k % 64)
      throw std::runtime_error("expected N and K in multiples of 64");
    CK(cudaStreamCreate(&stream));
    x = make(size_t(padded) * k * 2);
    quantized = make(size_t(padded) * k);
    tokenScales = make(size_t(padded) * 4);
    y = make(resultBytes());
    sums = make(size_t(padded) * n * 4);
    workspace = make(workspaceBytes);
    CK(cudaMemset(x, 0, size_t(padded) * k * 2));
    fillNormal<<<1024, 256>>>(static_cast<uint16_t *>(x), size_t(t) * k,
                              seed + 5, 1.f, false, false);
    quantizeTokens<<<unsigned(padded), 256>>>(
        static_cast<uint16_t *>(x), k, static_cast<int8_t *>(quantized),
        static_cast<float *>(tokenScales));
    CK(cudaDeviceSynchronize());
  }

  std::string run(const std::vector<Plan> &plans,
                  const std::vector<std::string> &libraries, int samples,
                  double settle) {
    addCublas();
    for (const Plan &plan : plans)
      addSparseFlow(plan);
    for (const std::string &library : libraries)
      addPeer(library);
    Contender empty;
    empty.name = "empty kernel";
    empty.launch = [this](int) { emptyKernel<<<1, 32, 0, stream>>>(); };
    empty.sets = 64;
    all.push_back(std::move(empty));
    megahertz.push_back(float(power.megahertz()));
    takeTurns(all, samples, settle, stream);
    limits |= power.reasons();
    megahertz.push_back(float(power.megahertz()));
    return json(copyRate());
  }

private:
  size_t resultBytes() const { return size_t(padded) * n * 2; }
  void *make(size_t bytes) {
    memory.emplace_back(bytes);
    return memory.back().get();
  }
  static int copies(double bytes) {
    return std::max(2, int(rotated / bytes) + 1);
  }
  Trits trits(int set) const { return {seed + uint64_t(set), twoFour, n, k}; }

  /// The library's fastest algorithms for `product`, whose result is `y` or
  /// `sums`. Weights of set 0 are those of every other contender's set 0.
  void addDense(const std::string &name, const DenseProduct &product,
                double bytes) {
    std::vector<std::pair<double, Contender>> screened;
    std::vector<Launch> launches = cublasLaunches(product, workspace, stream);
    int number = 0;
    for (Launch &launch : launches) {
      Contender c;
      c.name = name;
      c.algorithm = "heuristic " + std::to_string(number++) + " of " +
                    std::to_string(launches.size());
      c.launch = launch;
      c.sets = int(product.w.size());
      c.bytes = bytes;
      try {
        screened.emplace_back(screen(c.launch, c.sets, stream), std::move(c));
      } catch (const std::exception &e) {
        healthy(name + ": " + e.what());
        notes.push_back(name + ": " + e.what());
      }
    }
    if (screened.empty())
      notes.push_back(name + ": no algorithm");
    std::sort(screened.begin(), screened.end(),
              [](auto &a, auto &b) { return a.first < b.first; });
    for (size_t i = 0; i < std::min(finalists, screened.size()); ++i)
      all.push_back(std::move(screened[i].second));
  }

  /// cuBLASLt in f16 and in 8 bits; and what its results say is right.
  void addCublas() {
    DenseProduct halves{t, n, k, CUDA_R_16F, CUDA_R_16F, {}, {}, {}, {}};
    DenseProduct bytes{padded, n, k, CUDA_R_8I, CUDA_R_32I, {}, {}, {}, {}};
    size_t elements = size_t(n) * k;
    for (int s = 0; s < copies(2.0 * elements); ++s)
      halves.w.push_back(make(elements * 2));
    for (int s = 0; s < copies(1.0 * elements); ++s)
      bytes.w.push_back(make(elements));
    size_t most = std::max(halves.w.size(), bytes.w.size());
    for (size_t s = 0; s < most; ++s)
      fillDense<<<2048, 256>>>(
          trits(int(s)),
          s < halves.w.size() ? static_cast<uint16_t *>(halves.w[s]) : nullptr,
          s < bytes.w.size() ? static_cast<int8_t *>(bytes.w[s]) : nullptr);
    CK(cudaDeviceSynchronize());
    halves.x.assign(halves.w.size(), x);
    halves.y.assign(halves.w.size(), y);
    bytes.x.assign(bytes.w.size(), quantized);
    bytes.y.assign(bytes.w.size(), sums);

    // References of two sets of weights.
    for (int s = 0; s < 2; ++s) {
      close[s] = make(resultBytes());
      exact[s] = make(resultBytes());
      DenseProduct product = halves;
      product.y.assign(product.w.size(), close[s]);
      first(cublasLaunches(product, workspace, stream), "f16")(s);
      first(cublasLaunches(bytes, workspace, stream), "8-bit")(s);
      exactSums[s] = make(size_t(padded) * n * 4);
      CK(cudaMemcpyAsync(exactSums[s], sums, size_t(padded) * n * 4,
                         cudaMemcpyDeviceToDevice, stream));
      finishSums<<<2048, 256, 0, stream>>>(
          static_cast<int *>(sums), static_cast<float *>(tokenScales),
          trits(s).seed, t, n, static_cast<uint16_t *>(exact[s]));
      DeviceBuffer squares(8);
      double sum = 0;
      CK(cudaMemsetAsync(squares.get(), 0, 8, stream));
      sumSquares<<<256, 256, 0, stream>>>(static_cast<uint16_t *>(close[s]),
                                          size_t(t) * n,
                                          static_cast<double *>(squares.get()));
      CK(cudaMemcpyAsync(&sum, squares.get(), 8, cudaMemcpyDeviceToHost,
                         stream));
      CK(cudaStreamSynchronize(stream));
      unit = float(std::sqrt(sum / (double(t) * n)));
    }
    addDense("cuBLASLt f16", halves, 2.0 * elements);
    // Fewer than 16 tokens are a product of 16 for it.
    addDense("cuBLASLt int8", bytes, 1.0 * elements);
  }
  static Launch first(const std::vector<Launch> &launches, const char *what) {
    if (launches.empty())
      throw std::runtime_error(std::string("cuBLASLt proposes no algorithm, ") +
                               what);
    return launches[0];
  }

  void addSparseFlow(const Plan &wanted) {
    if (packed.empty()) {
      size_t bytes = blobBytes(twoFour, n, k), trit = tritBytes(twoFour, n, k);
      for (int s = 0; s < copies(double(bytes)); ++s) {
        packed.push_back(make(bytes));
        auto *blob = static_cast<uint8_t *>(packed.back());
        packTrits<<<1024, 256>>>(trits(s), trit, blob);
        packScales<<<unsigned((n + 255) / 256), 256>>>(
            trits(s), reinterpret_cast<float *>(blob + trit));
      }
      CK(cudaDeviceSynchronize());
    }
    if (!driver)
      driver = std::make_unique<Driver>();
    Contender c;
    c.name = wanted.name;
    c.sets = int(packed.size());
    c.bytes = double(blobBytes(twoFour, n, k));
    auto plan = readPlan(*driver, wanted.path);
    c.launch = [this, plan](int s) {
      runPlan(*driver, plan, {x, packed[s], nullptr, y, workspace}, stream);
    };
    c.error = 0;
    for (int s = 0; s < 2; ++s)
      check(c, wanted.exact, s);
    all.push_back(std::move(c));
  }

  /// The kernel of another project, where it takes this product. Its result
  /// goes to `sums`, which is large enough for f32.
  void addPeer(const std::string &path) {
    auto peer = std::make_shared<PeerLibrary>(path);
    size_t size = peer->bytes(t, n, k);
    if (!size)
      return;
    if (!wide) {
      wide = make(size_t(padded) * k * 4);
      widen<<<1024, 256, 0, stream>>>(static_cast<uint16_t *>(x),
                                      size_t(padded) * k,
                                      static_cast<float *>(wide));
    }
    DeviceBuffer dense(size_t(n) * k), scales(size_t(n) * 4);
    auto weights = std::make_shared<std::vector<void *>>();
    for (int s = 0; s < copies(double(size)); ++s) {
      fillDense<<<2048, 256, 0, stream>>>(trits(s), nullptr,
                                          static_cast<int8_t *>(dense.get()));
      fillScales<<<unsigned((n + 255) / 256), 256, 0, stream>>>(
          trits(s).seed, n, static_cast<float *>(scales.get()));
      weights->push_back(make(size));
      peer->pack(n, k, static_cast<int8_t *>(dense.get()),
                 static_cast<float *>(scales.get()), weights->back(), stream);
    }
    CK(cudaStreamSynchronize(stream));
    Contender c;
    c.name = peer->info().name;
    c.sets = int(weights->size());
    c.bytes = double(size);
    c.launch = [this, peer, weights](int s) {
      peer->launch({t, n, k, x, static_cast<float *>(wide),
                    static_cast<int8_t *>(quantized), (*weights)[s], sums},
                   stream);
    };
    c.error = 0;
    for (int s = 0; s < 2; ++s)
      checkPeer(c, peer->info(), s);
    all.push_back(std::move(c));
  }

  void checkPeer(Contender &c, const TernaryPeerInfo &info, int set) {
    CK(cudaMemsetAsync(sums, 0xff, size_t(padded) * n * 4, stream));
    c.launch(set);
    bool exactly = info.tolerance == 0;
    Difference found = difference([&](Difference *out) {
      comparePeer<<<1024, 256, 0, stream>>>(
          sums, info.result,
          exactly ? static_cast<int *>(exactSums[set]) : nullptr,
          static_cast<uint16_t *>(close[set]), size_t(t) * n, unit, out);
    });
    double largest = shareOf(found);
    c.error = std::max(c.error, largest);
    if (largest > info.tolerance)
      c.wrong += found.count;
  }

  /// Poisons what a launch may read of an earlier one, and the result.
  void poison() {
    CK(cudaMemsetAsync(y, 0xff, resultBytes(), stream));
    CK(cudaMemsetAsync(workspace, 0xff, workspaceBytes, stream));
  }
  Difference compare(const void *with) {
    return difference([&](Difference *out) {
      compareResults<<<1024, 256, 0, stream>>>(
          static_cast<uint16_t *>(y), static_cast<const uint16_t *>(with),
          size_t(t) * n, unit, out);
    });
  }
  /// What a comparing kernel finds.
  template <typename Compare>
  Difference difference(Compare comparing) {
    DeviceBuffer out(sizeof(Difference));
    Difference found = {};
    CK(cudaMemsetAsync(out.get(), 0, sizeof(Difference), stream));
    comparing(static_cast<Difference *>(out.get()));
    CK(cudaGetLastError());
    CK(cudaMemcpyAsync(&found, out.get(), sizeof(Difference),
                       cudaMemcpyDeviceToHost, stream));
    CK(cudaStreamSynchronize(stream));
    return found;
  }
  /// The largest difference; 1e30 where it is no number.
  static double shareOf(const Difference &found) {
    float largest = 0;
    static_assert(sizeof(largest) == sizeof(found.largest), "bits of a float");
    std::memcpy(&largest, &found.largest, sizeof(largest));
    return largest == largest ? largest : 1e30f;
  }
  void check(Contender &c, bool exactly, int set) {
    poison();
    c.launch(set);
    Difference found = compare(exactly ? exact[set] : close[set]);
    double largest = shareOf(found);
    c.error = std::max(c.error, largest);
    if (exactly || largest >= 2e-3)
      c.wrong += found.count;
    DeviceBuffer before(resultBytes());
    CK(cudaMemcpyAsync(before.get(), y, resultBytes(), cudaMemcpyDeviceToDevice,
                       stream));
    for (int i = 0; i < repeats; ++i) {
      poison();
      c.launch(set);
      c.equalBits &= compare(before.get()).count == 0;
    }
    c.repeated += repeats;
  }

  void healthy(const std::string &what) {
    cudaGetLastError();
    if (cudaError_t status = cudaStreamSynchronize(stream))
      throw std::runtime_error(what + "; then " + cudaGetErrorString(status));
  }

  /// GB/s of a copy of 512 MB on the device, counting both ways: the better of
  /// the driver's and of a kernel's.
  double copyRate() {
    size_t bytes = size_t(512) << 20;
    DeviceBuffer from(bytes), to(bytes);
    CK(cudaMemsetAsync(from.get(), 1, bytes, stream));
    double best = 0;
    for (bool kernel : {false, true}) {
      Replay replay(
          [&](int) {
            if (kernel)
              copyKernel<<<unsigned(bytes / 16 / 1024), 256, 0, stream>>>(
                  static_cast<const uint4 *>(from.get()),
                  static_cast<uint4 *>(to.get()));
            else
              CK(cudaMemcpyAsync(to.get(), from.get(), bytes,
                                 cudaMemcpyDeviceToDevice, stream));
          },
          1, 4, stream);
      std::vector<float> us;
      for (int i = 0; i < 7; ++i)
        us.push_back(replay.microseconds());
      best = std::max(best, 2e-3 * double(bytes) / percentile(us, 0.5));
    }
    return best;
  }

  std::string json(double copy) {
    std::ostringstream out;
    out.precision(6);
    out << "{";
    writeMachine(out);
    out << ", \"seed\": " << seed << ", \"copy_gbs\": " << copy
        << ", \"sm_mhz\": [" << megahertz[0] << ", " << megahertz[1]
        << "], \"limits\": " << limits << ", \"rows\": [";
    const char *comma = "";
    for (const Contender &c : all) {
      out << comma << "{";
      writeContender(out, c.name, c.algorithm, c.us, c.replay.get());
      out << ", \"sets\": " << c.sets << ", \"weight_bytes\": " << c.bytes;
      if (c.error >= 0)
        out << ", \"error\": " << c.error << ", \"wrong\": " << c.wrong;
      if (c.repeated)
        out << ", \"repeats\": " << c.repeated
            << ", \"bitwise_equal\": " << (c.equalBits ? "true" : "false");
      out << "}";
      comma = ", ";
    }
    out << "], ";
    writeNotes(out, notes);
    out << "}";
    return out.str();
  }

  long t, n, k;
  /// Tokens of the 8-bit library product, a multiple of 16.
  long padded;
  bool twoFour;
  uint64_t seed;
  cudaStream_t stream = nullptr;
  std::vector<DeviceBuffer> memory;
  void *x, *quantized, *tokenScales, *y, *sums, *workspace;
  void *close[2] = {}, *exact[2] = {}, *exactSums[2] = {};
  /// x in f32, for peers.
  void *wide = nullptr;
  /// Root mean square of the result.
  float unit = 1;
  std::vector<void *> packed;
  std::unique_ptr<Driver> driver;
  std::vector<Contender> all;
  std::vector<std::string> notes;
  Power power;
  std::vector<float> megahertz;
  unsigned long long limits = 0;
};

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc < 6)
      throw std::runtime_error(usage);
    std::vector<Plan> plans;
    std::vector<std::string> libraries;
    double settle = 2;
    uint64_t seed = 1;
    for (int i = 6; i < argc; ++i) {
      std::string name = argv[i];
      auto value = [&]() -> std::string {
        if (i + 1 >= argc)
          throw std::runtime_error(name + " needs a value; " + usage);
        return argv[++i];
      };
      if (name == "--exact" || name == "--close") {
        std::string contender = value();
        plans.push_back({contender, value(), name == "--exact"});
      } else if (name == "--library") {
        libraries.push_back(value());
      } else if (name == "--settle") {
        settle = std::atof(value().c_str());
      } else if (name == "--seed") {
        seed = std::strtoull(value().c_str(), nullptr, 10);
      } else {
        throw std::runtime_error("unknown option " + name + "; " + usage);
      }
    }
    std::string weights = argv[4];
    if (weights != "codes" && weights != "two_four")
      throw std::runtime_error("expected codes or two_four, found " + weights);
    Comparison comparison(std::atol(argv[1]), std::atol(argv[2]),
                          std::atol(argv[3]), weights == "two_four", seed);
    std::printf("%s\n", comparison
                            .run(plans, libraries,
                                 std::max(1, std::atoi(argv[5])), settle)
                            .c_str());
    return 0;
  } catch (const std::exception &e) {
    std::printf("{\"error\": %s}\n", quote(e.what()).c_str());
    return 1;
  }
}

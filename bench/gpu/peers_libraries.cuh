//===- peers_libraries.cuh - cuBLASLt and cuSPARSELt ----------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_LIBRARIES_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_LIBRARIES_CUH

#include "peers_timing.cuh"

#include <cublasLt.h>
#ifdef HAVE_CUSPARSELT
#include <cusparseLt.h>
#endif

#define LT(call)                                                               \
  do {                                                                         \
    if (int status = int(call))                                                \
      throw std::runtime_error(std::string(#call ": status ") +                \
                               std::to_string(status));                        \
  } while (0)

constexpr float one = 1, zero = 0;

/// All of cuBLASLt's proposals, in its own order.
inline std::vector<Launch> cublasLaunches(Problem &p, void *workspace,
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

#endif // SPARSEFLOW_BENCH_GPU_PEERS_LIBRARIES_CUH

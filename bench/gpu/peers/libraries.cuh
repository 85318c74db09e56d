//===- libraries.cuh - cuBLASLt and cuSPARSELt ----------------------------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_BENCH_GPU_PEERS_LIBRARIES_CUH
#define SPARSEFLOW_BENCH_GPU_PEERS_LIBRARIES_CUH

#include "timing.cuh"

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

/// y[t][n] = x[t][k] w[n][k]^T for cuBLASLt, several sets of the matrices.
struct DenseProduct {
  long t, n, k;
  cudaDataType_t type, result;
  std::vector<void *> x, w, y;
  /// Biases of its epilogue for bias and GELU; none: no epilogue.
  std::vector<void *> bias;
};

/// All of cuBLASLt's proposals, in its own order. 8-bit operands give sums of
/// 32 bits.
inline std::vector<Launch>
cublasLaunches(const DenseProduct &p, void *workspace, cudaStream_t stream) {
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t matmul;
  cublasLtMatrixLayout_t w, x, y;
  cublasLtMatmulPreference_t preference;
  bool integers = p.type == CUDA_R_8I, gelu = !p.bias.empty();
  LT(cublasLtCreate(&handle));
  LT(cublasLtMatmulDescCreate(
      &matmul, integers ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F,
      integers ? CUDA_R_32I : CUDA_R_32F));
  cublasOperation_t transposed = CUBLAS_OP_T;
  LT(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_TRANSA,
                                    &transposed, sizeof(transposed)));
  if (gelu) {
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
    LT(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE,
                                      &epilogue, sizeof(epilogue)));
    LT(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                                      &p.bias[0], sizeof(void *)));
  }
  // Column-major: y^T[N, T] = (w^T[K, N])^T x^T[K, T].
  LT(cublasLtMatrixLayoutCreate(&w, p.type, p.k, p.n, p.k));
  LT(cublasLtMatrixLayoutCreate(&x, p.type, p.k, p.t, p.k));
  LT(cublasLtMatrixLayoutCreate(&y, p.result, p.n, p.t, p.n));
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
    launches.push_back([=, algorithm = results[i].algo](int s) {
      static const int integerOne = 1, integerZero = 0;
      const void *alpha = &one, *beta = &zero;
      if (integers) {
        alpha = &integerOne;
        beta = &integerZero;
      }
      if (gelu)
        LT(cublasLtMatmulDescSetAttribute(matmul,
                                          CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                                          &p.bias[s], sizeof(void *)));
      LT(cublasLtMatmul(handle, matmul, alpha, p.w[s], w, p.x[s], x, beta,
                        p.y[s], y, p.y[s], y, &algorithm, workspace,
                        workspaceBytes, stream));
    });
  return launches;
}

/// The same for the matrices of the 2:4 comparison, with `gelu` fused.
inline std::vector<Launch> cublasLaunches(const Problem &p, void *workspace,
                                          cudaStream_t stream,
                                          bool gelu = false) {
  cudaDataType type = p.bf16 ? CUDA_R_16BF : CUDA_R_16F;
  std::vector<void *> none;
  return cublasLaunches(
      {p.t, p.n, p.k, type, type, p.x, p.w, p.y, gelu ? p.e : none}, workspace,
      stream);
}

// Ways to say y = x w^T to cuSPARSELt. The memory is the same in all of them; an
// algorithm may serve one and not another.
//  0: y^T = (w^T)^T x^T, all column-major
//  1: y^T = w x^T, w and x row-major, y^T column-major
//  2: y = x w^T, all row-major, the sparse matrix second
constexpr int setupCount = 3;

#ifdef HAVE_CUSPARSELT
/// What one algorithm needs for one set of buffers. Weights compressed for
/// another algorithm are wrong for it, and so is a plan that has served another
/// set: algorithms from 36 on keep an address in it and go on with the weights
/// of the set before.
struct SparseAlgorithm {
  cusparseLtMatmulAlgSelection_t selection;
  cusparseLtMatmulPlan_t plan;
  DeviceBuffer compressed;
};

class CuSparseLt {
public:
  /// Throws when the library does not know this way.
  CuSparseLt(Problem &p, int setup, cudaStream_t stream)
      : p(p), setup(setup), stream(stream) {
    cudaDataType type = p.bf16 ? CUDA_R_16BF : CUDA_R_16F;
    LT(cusparseLtInit(&handle));
    auto sparse = [&](long rows, long columns, cusparseOrder_t order) {
      LT(cusparseLtStructuredDescriptorInit(&handle, &w, rows, columns, p.k, 16,
                                            type, order,
                                            CUSPARSELT_SPARSITY_50_PERCENT));
    };
    auto dense = [&](cusparseLtMatDescriptor_t &matrix, long rows, long columns,
                     long pitch, cusparseOrder_t order) {
      LT(cusparseLtDenseDescriptorInit(&handle, &matrix, rows, columns, pitch,
                                       16, type, order));
    };
    auto product = [&](cusparseOperation_t a, cusparseOperation_t b,
                       cusparseLtMatDescriptor_t &first,
                       cusparseLtMatDescriptor_t &second) {
      LT(cusparseLtMatmulDescriptorInit(&handle, &matmul, a, b, &first, &second,
                                        &y, &y, CUSPARSE_COMPUTE_32F));
    };
    if (setup == 0) {
      sparse(p.k, p.n, CUSPARSE_ORDER_COL);
      dense(x, p.k, p.t, p.k, CUSPARSE_ORDER_COL);
      dense(y, p.n, p.t, p.n, CUSPARSE_ORDER_COL);
      product(CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, w,
              x);
    } else if (setup == 1) {
      sparse(p.n, p.k, CUSPARSE_ORDER_ROW);
      dense(x, p.t, p.k, p.k, CUSPARSE_ORDER_ROW);
      dense(y, p.n, p.t, p.n, CUSPARSE_ORDER_COL);
      product(CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, w,
              x);
    } else {
      sparse(p.n, p.k, CUSPARSE_ORDER_ROW);
      dense(x, p.t, p.k, p.k, CUSPARSE_ORDER_ROW);
      dense(y, p.t, p.n, p.n, CUSPARSE_ORDER_ROW);
      product(CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, x,
              w);
    }
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
  /// Ready for the first `sets` sets. Throws when the algorithm does not serve
  /// this problem.
  Launch prepare(int id, int sets) {
    auto algorithms = std::make_shared<std::vector<SparseAlgorithm>>(sets);
    auto workspace = std::make_shared<DeviceBuffer>();
    for (int s = 0; s < sets; ++s) {
      SparseAlgorithm &algorithm = (*algorithms)[s];
      LT(cusparseLtMatmulAlgSelectionInit(&handle, &algorithm.selection,
                                          &matmul,
                                          CUSPARSELT_MATMUL_ALG_DEFAULT));
      LT(cusparseLtMatmulAlgSetAttribute(&handle, &algorithm.selection,
                                         CUSPARSELT_MATMUL_ALG_CONFIG_ID, &id,
                                         sizeof(id)));
      LT(cusparseLtMatmulPlanInit(&handle, &algorithm.plan, &matmul,
                                  &algorithm.selection));
      size_t bytes = 0, compressed = 0, scratch = 0;
      LT(cusparseLtMatmulGetWorkspace(&handle, &algorithm.plan, &bytes));
      if (bytes > workspaceBytes)
        throw std::runtime_error("needs more workspace than the others have");
      LT(cusparseLtSpMMACompressedSize(&handle, &algorithm.plan, &compressed,
                                       &scratch));
      if (s == 0)
        *workspace = DeviceBuffer(bytes + 16);
      DeviceBuffer buffer(scratch + 16);
      algorithm.compressed = DeviceBuffer(compressed);
      LT(cusparseLtSpMMACompress(&handle, &algorithm.plan, p.w[s],
                                 algorithm.compressed.get(), buffer.get(),
                                 stream));
      CK(cudaStreamSynchronize(stream));
    }
    return [this, algorithms, workspace](int s) {
      SparseAlgorithm &algorithm = (*algorithms)[s];
      const void *first = algorithm.compressed.get(), *second = p.x[s];
      if (setup == 2)
        std::swap(first, second);
      LT(cusparseLtMatmul(&handle, &algorithm.plan, &one, first, second, &zero,
                          p.y[s], p.y[s], workspace->get(), &stream, 1));
    };
  }

private:
  Problem &p;
  int setup;
  cudaStream_t stream;
  cusparseLtHandle_t handle;
  cusparseLtMatDescriptor_t w, x, y;
  cusparseLtMatmulDescriptor_t matmul;
};
#endif

#endif // SPARSEFLOW_BENCH_GPU_PEERS_LIBRARIES_CUH

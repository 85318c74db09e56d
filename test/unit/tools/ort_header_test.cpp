//===- ort_header_test.cpp - OrtAbi.h against ONNX Runtime's header -------===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrtAbi.h"

#include <gtest/gtest.h>
#include <onnxruntime_c_api.h>

using namespace sparseflow;

#define CHECK(place, name, result, parameters)                                 \
  static_assert(offsetof(OrtApi, name) == (place) * sizeof(void *), #name);
ORT_FUNCTIONS(CHECK)
#undef CHECK

#define CHECK(member)                                                          \
  static_assert(offsetof(OrtCustomOp, member) ==                               \
                    offsetof(ort::CustomOp, member),                           \
                #member);
CHECK(version)
CHECK(CreateKernel)
CHECK(GetName)
CHECK(GetExecutionProviderType)
CHECK(GetInputType)
CHECK(GetInputTypeCount)
CHECK(GetOutputType)
CHECK(GetOutputTypeCount)
CHECK(KernelCompute)
CHECK(KernelDestroy)
CHECK(GetInputCharacteristic)
CHECK(GetOutputCharacteristic)
CHECK(GetInputMemoryType)
CHECK(GetVariadicInputMinArity)
CHECK(GetVariadicInputHomogeneity)
CHECK(GetVariadicOutputMinArity)
CHECK(GetVariadicOutputHomogeneity)
CHECK(CreateKernelV2)
CHECK(KernelComputeV2)
#undef CHECK

static_assert(sizeof(ort::CustomOp) ==
              offsetof(OrtCustomOp, InferOutputShapeFn));
static_assert(offsetof(OrtApiBase, GetApi) == offsetof(ort::ApiBase, getApi));
static_assert(ORT_API_VERSION >= ort::apiVersion);
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT == int(ort::Float));
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 == int(ort::UInt8));
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 == int(ort::Int8));
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 == int(ort::Int32));
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 == int(ort::Int64));
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL == int(ort::Bool));
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 == int(ort::Float16));
static_assert(ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 == int(ort::BFloat16));
static_assert(INPUT_OUTPUT_REQUIRED == int(ort::Required));
static_assert(INPUT_OUTPUT_VARIADIC == int(ort::Variadic));
static_assert(ORT_FAIL == int(ort::Fail));
static_assert(ORT_INVALID_ARGUMENT == int(ort::InvalidArgument));

// The members of the two structures follow one another as the table says.
TEST(OrtHeader, HasTheLayoutThatIsStated) { SUCCEED(); }

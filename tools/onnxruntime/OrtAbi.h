//===- OrtAbi.h - What is used of ONNX Runtime's C interface ----*- C++ -*-===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packages of ONNX Runtime for Python have no headers, so this says what a
// library of custom operators needs of onnxruntime_c_api.h. All of it is part
// of a binary interface that ONNX Runtime keeps since the version that is named
// here: OrtApi is a table of function pointers, to which versions only append,
// and OrtCustomOp one that the library fills in, of which the runtime reads no
// more than its `version` has. A unit test compares this with the header where
// that is installed.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSEFLOW_TOOLS_ONNXRUNTIME_ORTABI_H
#define SPARSEFLOW_TOOLS_ONNXRUNTIME_ORTABI_H

#include <cstddef>
#include <cstdint>

namespace sparseflow::ort {

// Objects of the runtime, which only it looks into.
struct Status;
struct Value;
struct TensorInfo;
struct KernelInfo;
struct KernelContext;
struct SessionOptions;
struct CustomOpDomain;
struct CustomOp;

/// The version that is asked for: ONNX Runtime 1.16, the first one whose
/// kernels return errors.
constexpr uint32_t apiVersion = 16;

/// OrtErrorCode.
enum ErrorCode : int { Fail = 1, InvalidArgument = 2 };

/// ONNXTensorElementDataType, which are the numbers of ONNX.
enum ElementType : int {
  Undefined = 0,
  Float = 1,
  UInt8 = 2,
  Int8 = 3,
  Int32 = 6,
  Int64 = 7,
  Bool = 9,
  Float16 = 10,
  BFloat16 = 16
};

/// OrtCustomOpInputOutputCharacteristic.
enum Characteristic : int { Required = 0, Optional = 1, Variadic = 2 };

/// ORT_FUNCTIONS(X) calls X(place, name, result, parameters) for each function
/// that is called: `place` counts the pointers of OrtApi, from 0.
#define ORT_FUNCTIONS(X)                                                       \
  X(0, CreateStatus, Status *, (int code, const char *text))                   \
  X(2, GetErrorMessage, const char *, (const Status *status))                  \
  X(26, CreateCustomOpDomain, Status *,                                        \
    (const char *name, CustomOpDomain **domain))                               \
  X(27, CustomOpDomain_Add, Status *,                                          \
    (CustomOpDomain * domain, const CustomOp *op))                             \
  X(28, AddCustomOpDomain, Status *,                                           \
    (SessionOptions * options, CustomOpDomain * domain))                       \
  X(51, GetTensorMutableData, Status *, (Value * value, void **data))          \
  X(60, GetTensorElementType, Status *, (const TensorInfo *info, int *type))   \
  X(61, GetDimensionsCount, Status *, (const TensorInfo *info, size_t *rank))  \
  X(62, GetDimensions, Status *,                                               \
    (const TensorInfo *info, int64_t *sizes, size_t rank))                     \
  X(65, GetTensorTypeAndShape, Status *,                                       \
    (const Value *value, TensorInfo **info))                                   \
  X(87, KernelInfoGetAttribute_string, Status *,                               \
    (const KernelInfo *info, const char *name, char *text, size_t *bytes))     \
  X(88, KernelContext_GetInputCount, Status *,                                 \
    (const KernelContext *context, size_t *count))                             \
  X(90, KernelContext_GetInput, Status *,                                      \
    (const KernelContext *context, size_t index, const Value **value))         \
  X(91, KernelContext_GetOutput, Status *,                                     \
    (KernelContext * context, size_t index, const int64_t *sizes, size_t rank, \
     Value **value))                                                           \
  X(93, ReleaseStatus, void, (Status * status))                                \
  X(99, ReleaseTensorTypeAndShapeInfo, void, (TensorInfo * info))              \
  X(230, KernelInfo_GetInputCount, Status *,                                   \
    (const KernelInfo *info, size_t *count))                                   \
  X(237, HasSessionConfigEntry, Status *,                                      \
    (const SessionOptions *options, const char *key, int *has))                \
  X(238, GetSessionConfigEntry, Status *,                                      \
    (const SessionOptions *options, const char *key, char *text,               \
     size_t *bytes))                                                           \
  X(249, KernelInfoGetConstantInput_tensor, Status *,                          \
    (const KernelInfo *info, size_t index, int *constant,                      \
     const Value **value))

/// OrtApi, as far as it is used.
class Api {
public:
#define ORT_METHOD(place, name, result, parameters)                            \
  result(*name() const) parameters {                                           \
    return reinterpret_cast<result(*) parameters>(pointers[place]);            \
  }
  ORT_FUNCTIONS(ORT_METHOD)
#undef ORT_METHOD

private:
  void (*pointers[250])();
};

/// OrtApiBase.
struct ApiBase {
  /// Null where the runtime is older than `version`.
  const Api *(*getApi)(uint32_t version);
  const char *(*getVersionString)();
};

/// OrtCustomOp of version 16, member by member.
struct CustomOp {
  uint32_t version;
  void *(*CreateKernel)(const CustomOp *, const Api *, const KernelInfo *);
  const char *(*GetName)(const CustomOp *);
  const char *(*GetExecutionProviderType)(const CustomOp *);
  int (*GetInputType)(const CustomOp *, size_t);
  size_t (*GetInputTypeCount)(const CustomOp *);
  int (*GetOutputType)(const CustomOp *, size_t);
  size_t (*GetOutputTypeCount)(const CustomOp *);
  void (*KernelCompute)(void *, KernelContext *);
  void (*KernelDestroy)(void *);
  int (*GetInputCharacteristic)(const CustomOp *, size_t);
  int (*GetOutputCharacteristic)(const CustomOp *, size_t);
  int (*GetInputMemoryType)(const CustomOp *, size_t);
  int (*GetVariadicInputMinArity)(const CustomOp *);
  int (*GetVariadicInputHomogeneity)(const CustomOp *);
  int (*GetVariadicOutputMinArity)(const CustomOp *);
  int (*GetVariadicOutputHomogeneity)(const CustomOp *);
  Status *(*CreateKernelV2)(const CustomOp *, const Api *, const KernelInfo *,
                            void **kernel);
  Status *(*KernelComputeV2)(void *kernel, KernelContext *);
};

} // namespace sparseflow::ort

#endif // SPARSEFLOW_TOOLS_ONNXRUNTIME_ORTABI_H

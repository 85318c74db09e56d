//===- TensorMapTest.cpp - Tensor maps from host programs to manifests ----===//
//
// Part of the SparseFlow project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// sftile is not loaded here: sftile.tensor_map is read by its name, operands
// and attributes, and its verifier would refuse what these tests ask for.
//
//===----------------------------------------------------------------------===//

#include "SparseFlow/Target/Manifest/HostProgram.h"
#include "SparseFlow/Target/Manifest/Manifest.h"
#include "SparseFlow/Target/NVPTX/TargetInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::sparseflow;

namespace {

/// The parts of a host program that the tests replace.
struct Parts {
  std::string map = "%x, %c64, %t, %pitch";
  std::string segments = "1, 2, 1, 0";
  std::string box = "64, 128";
  std::string swizzle = "128 : i64";
  std::string element = "f16";
  std::string more;
  std::string parameter =
      "{llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, "
      "nvvm.grid_constant}";
  std::string passed = "%map";
  std::string cluster = "2, 1, 1";
  std::string grid = "%blocks";
  bool lowered = true;

  std::string text() const {
    std::string types = "(!llvm.ptr";
    for (size_t i = 0; i < map.size(); ++i)
      types += map[i] == ',' ? ", i64" : "";
    std::string kernel = R"(
    llvm.func @k(%m: !llvm.ptr )" +
                         parameter + R"(, %y: !llvm.ptr, %t: i64)
        attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: )" +
                         cluster + R"(>} {
      llvm.return
    })";
    if (!lowered)
      kernel = R"(
    gpu.func @k(%m: !llvm.ptr, %y: !llvm.ptr, %t: i64) kernel {
      gpu.return
    })";
    return R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {)" +
           kernel + R"(
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64
      attributes {sparseflow.symbols = ["T"],
                  sparseflow.argument_types = [tensor<?x64xf16>],
                  sparseflow.result_types = [tensor<?x64xf16>]} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c3 = arith.constant 3 : i64
    %c24 = arith.constant 24 : i64
    %c64 = arith.constant 64 : i64
    %c384 = arith.constant 384 : i64
    %pitch = arith.constant 128 : i64
    %even = arith.constant 2 : i64
    %far = llvm.getelementptr %x[8] : (!llvm.ptr) -> !llvm.ptr, f16
    %wide = arith.muli %t, %c384 : i64
    %blocks = arith.muli %t, %even : i64
    %map = "sftile.tensor_map"()" +
           map + R"() {operandSegmentSizes = array<i32: )" + segments +
           R"(>, box = array<i64: )" + box + R"(>, swizzle = )" + swizzle +
           R"(, elementType = )" + element + more + R"(} : )" + types +
           R"() -> !llvm.ptr
    gpu.launch_func @kernels::@k blocks in ()" +
           grid + R"(, %c1, %c1) threads in (%c384, %c1, %c1) : i64
        args()" +
           passed +
           R"( : !llvm.ptr, %y : !llvm.ptr, %t : i64) {sparseflow.programmatic}
    return %c0 : i64
  }
})";
  }
};

class ManifestTensorMap : public ::testing::Test {
protected:
  ManifestTensorMap() {
    context.loadDialect<arith::ArithDialect, DLTIDialect, func::FuncDialect,
                        gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect,
                        scf::SCFDialect>();
    context.allowUnregisteredDialects();
  }
  /// The launch as JSON text, or the first error.
  std::string launch(const Parts &parts) {
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty())
        error = diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(parts.text(), &context);
    if (!module)
      return "not parsed: " + error;
    auto function = *module->getOps<func::FuncOp>().begin();
    FailureOr<HostSignature> signature = HostSignature::parse(function);
    if (failed(signature))
      return error;
    FailureOr<HostProgram> program =
        exportHostProgram(*signature, {1024, 232448});
    if (failed(program))
      return error;
    llvm::json::Value steps = std::move(program->steps);
    const llvm::json::Object &variant =
        *(*(*steps.getAsArray())[0].getAsObject()->getArray("variants"))[0]
             .getAsObject();
    return llvm::formatv("{0}", (*variant.getArray("launches"))[0]).str();
  }
  void refused(const Parts &parts, const char *expected) {
    std::string found = launch(parts);
    EXPECT_NE(found.find(expected), std::string::npos)
        << "'" << expected << "' is not in: " << found;
  }

  MLIRContext context;
};

} // namespace

TEST_F(ManifestTensorMap, IsAnArgumentWithExpressions) {
  Parts parts;
  EXPECT_EQ(launch(parts),
            R"({"args":[{"tensor_map":{"box":[64,128],"dtype":"f16",)"
            R"("of":{"arg":0},"sizes":[64,"T"],"strides":[128],)"
            R"("swizzle":128}},{"result":0},{"i64":"T"}],"cluster":2,)"
            R"("grid":["mul","T",2],"kernel":"k","programmatic":true,)"
            R"("shared_bytes":0,"threads":384})");
  parts.more = ", sftile.promotion = 128 : i64";
  EXPECT_NE(launch(parts).find(R"("promotion":128)"), std::string::npos);
  parts.more = "";
  parts.map = "%far, %t, %c3, %c1, %wide, %pitch";
  parts.segments = "1, 3, 2, 0";
  parts.box = "8, 4, 1";
  parts.swizzle = "32 : i64";
  parts.element = "f32";
  parts.cluster = "1, 1, 1";
  EXPECT_EQ(launch(parts),
            R"({"args":[{"tensor_map":{"box":[8,4,1],"dtype":"f32",)"
            R"("of":{"arg":0,"offset":16},"sizes":["T",3,1],)"
            R"("strides":[["mul","T",384],128],"swizzle":32}},)"
            R"({"result":0},{"i64":"T"}],"grid":["mul","T",2],"kernel":"k",)"
            R"("programmatic":true,"shared_bytes":0,"threads":384})");
}

TEST_F(ManifestTensorMap, ExtentsBehindTheFirstMayBeExpressions) {
  Parts parts;
  // The smallest i64 stands for a value, here T * 2.
  parts.map = "%x, %c64, %t, %pitch, %blocks";
  parts.segments = "1, 2, 1, 1";
  parts.box = "64, -9223372036854775808";
  EXPECT_NE(launch(parts).find(R"("box":[64,["mul","T",2]])"),
            std::string::npos);
  // The rows of a box lie in shared memory, whose layout is known.
  parts.box = "-9223372036854775808, 64";
  refused(parts, "box extents from 1 to 256");
  // More of them than values.
  parts.map = "%x, %c64, %t, %pitch";
  parts.segments = "1, 2, 1, 0";
  parts.box = "64, -9223372036854775808";
  refused(parts, "box extents from 1 to 256");
}

TEST_F(ManifestTensorMap, RefusesWhatTheHardwareDoesNotTake) {
  auto with = [](std::string Parts::*member, const char *value) {
    Parts parts;
    parts.*member = value;
    return parts;
  };
  refused(with(&Parts::box, "64, 257"), "box extents from 1 to 256, found 257");
  refused(with(&Parts::box, "64, 0"), "found 0");
  refused(with(&Parts::box, "64"),
          "expected 1 to 5 sizes, as many box extents and one stride less, "
          "found 2 sizes, 1 extents and 1 strides");
  refused(with(&Parts::segments, "1, 1, 2, 0"), "1 sizes, 2 extents");
  refused(with(&Parts::box, "12, 8"), "24 bytes along its innermost");
  refused(with(&Parts::box, "128, 8"), "at most the bytes of the swizzle");
  refused(with(&Parts::swizzle, "96 : i64"), "32, 64 or 128 bytes, found 96");
  refused(with(&Parts::more, ", sftile.promotion = 96 : i64"),
          "promotion of 64, 128 or 256 bytes, found 96");
  refused(with(&Parts::element, "f64"),
          "expected 'elementType' to be f16, bf16, f32 or i8, found f64");
  refused(with(&Parts::map, "%x, %c64, %t, %c24"), "stride of 24 bytes");
  refused(with(&Parts::segments, "2, 1, 1, 0"),
          "expected a pointer, sizes, strides and extents, and the attributes "
          "'box' and 'swizzle'");
}

TEST_F(ManifestTensorMap, KernelAndLaunchAgree) {
  Parts parts;
  parts.parameter = "";
  refused(parts, "which kernel 'k' does not take as one");
  parts.parameter = "{llvm.byval = !llvm.array<64 x i8>, nvvm.grid_constant}";
  refused(parts, "which kernel 'k' does not take as one");
  parts = Parts();
  parts.passed = "%x";
  refused(parts, "which kernel 'k' takes by value");
  parts = Parts();
  parts.lowered = false;
  refused(parts, "names the kernel @kernels::@k, expected an llvm.func of a "
                 "gpu.module in this module: lower its kernels first");
}

TEST_F(ManifestTensorMap, GridsAreMultiplesOfClusters) {
  Parts parts;
  parts.grid = "%c3";
  refused(parts, "3 blocks, expected a multiple of the cluster of 2");
  parts = Parts();
  parts.cluster = "1, 2, 1";
  refused(parts, "cluster of 1 to 8 blocks in the x dimension");
  parts.cluster = "16, 1, 1";
  refused(parts, "cluster of 1 to 8 blocks in the x dimension");
}

// The description is made from the tensor program, the program from what the
// lowering left; each mistake of a lowering that loses one of them is found.
TEST_F(ManifestTensorMap, ProgramsFitTheirDescription) {
  auto added = [&](std::vector<const char *> symbols, size_t arguments) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(Parts().text(), &context);
    EXPECT_TRUE(module);
    llvm::json::Array names, tensors;
    for (const char *symbol : symbols)
      names.push_back(symbol);
    for (size_t i = 0; i < arguments; ++i)
      tensors.push_back(llvm::json::Object());
    ManifestBuilder builder("test");
    builder.addFunction(
        llvm::json::Object{{"name", "f"},
                           {"symbols", std::move(names)},
                           {"arguments", std::move(tensors)},
                           {"results", llvm::json::Array{nullptr}}});
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      error = diagnostic.str();
      return success();
    });
    bool good = succeeded(builder.addPrograms(
        *module, *llvm::cantFail(parseTarget("sm_90")), "f.cubin"));
    EXPECT_EQ(good, error.empty());
    return error;
  };
  EXPECT_EQ(added({"T"}, 1), "");
  auto expectSays = [](const std::string &text, const char *part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n in: " << text;
  };
  expectSays(added({"T"}, 2),
             "has 1 arguments, 1 results and 1 symbols, which differs from its "
             "description: expected 2, 1 and 1");
  expectSays(added({"T", "U"}, 1), "expected 1, 1 and 2");
  expectSays(added({"S"}, 1), "names symbol 0 'T', which differs from its "
                              "description: expected 'S'");
}

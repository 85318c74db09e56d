// The host form as data: sizes as expressions, branches as variants with
// guards, launches with their arguments.

// RUN: sparseflow compile %s --emit manifest --target sm_80,sm_90 | FileCheck %s
// RUN: sparseflow compile %s --emit manifest --target sm_80,sm_90 -o %t.json
// RUN: %python -c "import json, sys; m = json.load(open(sys.argv[1])); f, = m['functions']; print(json.dumps(f['programs'][0]['steps'], sort_keys=True)); print([p['target'] for p in f['programs']], f['programs'][0]['workspace'])" %t.json | FileCheck %s --check-prefix=DATA
// The same text every time.
// RUN: sparseflow compile %s --emit manifest --target sm_80,sm_90 -o %t.again
// RUN: cmp %t.json %t.again

// CHECK: "format": "sparseflow-bundle"
// CHECK: "arguments": [
// CHECK: "dtype": "f16"
// CHECK: "name": "x"
// CHECK: "shape": [
// CHECK-NEXT: "T",
// CHECK-NEXT: 64
// CHECK: "encoding": {
// CHECK-NEXT: "kind": "nm",
// CHECK-NEXT: "m": 4,
// CHECK-NEXT: "n": 2
// CHECK: "layout": "sf24.v1"
// CHECK: "name": "w"
// CHECK: "name": "f"
// CHECK: "image": "f.sm_80.cubin"
// CHECK: "image": "f.sm_90.cubin"
// CHECK: "producer": "sparseflow
// CHECK: "version": 1

// DATA: [{"independent": true, "loc": "program.mlir:[[#]]", "op": "matmul", "variants": [
// DATA-SAME: {"guards": [{"le": ["T", 16]}, {"aligned": [{"arg": 0}, 16]}, {"aligned": [{"offset": ["mul", "T", 2], "result": 0}, 16]}],
// DATA-SAME: "launches": [{"args": [{"arg": 0}, {"arg": 1}, {"result": 0}, {"i64": "T"}], "grid": ["mul", ["ceildiv", "T", 128], 2], "kernel": "narrow", "shared_bytes": 512, "threads": 128}]}
// DATA-SAME: {"guards": [{"ge": ["T", 101]}, {"le": {{\[\[}}"add", ["mod", "T", 8], 1], 4]}, {"aligned": [{"i64": ["mul", "T", 6]}, 4]}],
// DATA-SAME: "kernel": "narrow"
// DATA-SAME: {"guards": [],
// DATA-SAME: "launches": [{"args": [{"arg": 0}, {"workspace": 256}], "grid": 1, "kernel": "first", "shared_bytes": 0, "threads": 32},
// DATA-SAME: {"args": [{"workspace": ["add", 256, ["mul", "T", 8]]}, {"result": 0}], "grid": ["min", "T", 1024], "kernel": "first", "shared_bytes": 0, "threads": 32}]}]}
// DATA-SAME: {"loc": "program.mlir:[[#]]", "op": "kernel", "variants": [{"guards": [], "launches": [
// DATA: ['sm_80', 'sm_90'] ['add', ['mul', 'T', 8], 512]

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @narrow(%x: !llvm.ptr, %w: !llvm.ptr, %y: !llvm.ptr, %t: i64)
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128>,
                    sftile.shared_bytes = 512 : i64} {
      llvm.return
    }
    llvm.func @first(%a: !llvm.ptr, %b: !llvm.ptr)
        attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %w: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr,
               %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_names = ["x", "w"],
      sparseflow.argument_types = [tensor<?x64xf16>,
                                   tensor<64x64xf16, #sparseflow.nm<2:4>>],
      sparseflow.result_types = [tensor<?x64xf16>]} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c4 = arith.constant 4 : i64
    %c6 = arith.constant 6 : i64
    %c8 = arith.constant 8 : i64
    %c15 = arith.constant 15 : i64
    %c16 = arith.constant 16 : i64
    %c32 = arith.constant 32 : i64
    %c100 = arith.constant 100 : i64
    %c128 = arith.constant 128 : i64
    %c512 = arith.constant 512 : i64
    %c1024 = arith.constant 1024 : i64
    %bytes512 = arith.constant 512 : i32

    // T <= 16, x and y + T (f16) aligned to 16 bytes: by remainder and by mask.
    %small = arith.cmpi ule, %t, %c16 : i64
    %xi = llvm.ptrtoint %x : !llvm.ptr to i64
    %xr = arith.remui %xi, %c16 : i64
    %xa = arith.cmpi eq, %xr, %c0 : i64
    %yo = llvm.getelementptr %y[%t] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %yi = llvm.ptrtoint %yo : !llvm.ptr to i64
    %ym = arith.andi %yi, %c15 : i64
    %ya = arith.cmpi eq, %ym, %c0 : i64
    %both = arith.andi %xa, %ya : i1
    %guard0 = arith.andi %small, %both : i1

    %large = arith.cmpi sgt, %t, %c100 : i64
    %rest = arith.remui %t, %c8 : i64
    %few = arith.cmpi ult, %rest, %c4 : i64
    %pitch = arith.muli %t, %c6 : i64
    %pr = arith.remui %pitch, %c4 : i64
    %pa = arith.cmpi eq, %pr, %c0 : i64
    %g1 = arith.andi %large, %few : i1
    %guard1 = arith.andi %g1, %pa : i1

    %blocks = arith.ceildivui %t, %c128 : i64
    %grid = arith.muli %blocks, %c2 : i64
    scf.if %guard0 {
      gpu.launch_func @kernels::@narrow blocks in (%grid, %c1, %c1)
          threads in (%c128, %c1, %c1) : i64 dynamic_shared_memory_size %bytes512
          args(%x : !llvm.ptr, %w : !llvm.ptr, %y : !llvm.ptr, %t : i64)
    } else {
      scf.if %guard1 {
        gpu.launch_func @kernels::@narrow blocks in (%grid, %c1, %c1)
            threads in (%c128, %c1, %c1) : i64 dynamic_shared_memory_size %bytes512
            args(%x : !llvm.ptr, %w : !llvm.ptr, %y : !llvm.ptr, %t : i64)
      } else {
        %part0 = llvm.getelementptr %ws[256] : (!llvm.ptr) -> !llvm.ptr, i8
        %part1 = llvm.getelementptr %part0[%t] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        %few_blocks = arith.minui %t, %c1024 : i64
        gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1)
            threads in (%c32, %c1, %c1) : i64
            args(%x : !llvm.ptr, %part0 : !llvm.ptr)
        gpu.launch_func @kernels::@first blocks in (%few_blocks, %c1, %c1)
            threads in (%c32, %c1, %c1) : i64
            args(%part1 : !llvm.ptr, %y : !llvm.ptr)
      }
    } {sparseflow.op = "matmul", sparseflow.independent}
    gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr, %y : !llvm.ptr)
    %row = arith.muli %t, %c8 : i64
    %bytes = arith.addi %row, %c512 : i64
    return %bytes : i64
  }
}

// What a manifest cannot say is an error at the op that says it.

// RUN: rm -rf %t && split-file %s %t
// RUN: not sparseflow compile %t/ne.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=NE
// RUN: not sparseflow compile %t/or.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=OR
// RUN: not sparseflow compile %t/fallthrough.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=FALLTHROUGH
// RUN: not sparseflow compile %t/shift.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=SHIFT
// RUN: not sparseflow compile %t/load.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: not sparseflow compile %t/grid-y.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=GRID-Y
// RUN: not sparseflow compile %t/threads.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not sparseflow compile %t/reqntid.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=REQNTID
// RUN: not sparseflow compile %t/shared.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not sparseflow compile %t/argument.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not sparseflow compile %t/count.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not sparseflow compile %t/memory.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not sparseflow compile %t/gep.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=GEP
// RUN: not sparseflow compile %t/arity.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=ARITY
// RUN: not sparseflow compile %t/names.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not sparseflow compile %t/dtype.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not sparseflow compile %t/shapes.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not sparseflow compile %t/deep.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not sparseflow compile %t/traffic.mlir --emit manifest --target sm_80 2>&1 | FileCheck %s --check-prefix=TRAFFIC

//--- traffic.mlir
// TRAFFIC: traffic.mlir:{{[0-9]+:[0-9]+}}: error: 'gpu.launch_func' op expected 'sparseflow.traffic' to be a map of 1 symbols to tokens, bytes read and bytes written, found affine_map<()[s0] -> (s0, s0 * 8)>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64 args(%x : !llvm.ptr)
        {sparseflow.traffic = affine_map<()[s0] -> (s0, s0 * 8)>}
    return %c1 : i64
  }
}

//--- ne.mlir
// NE: ne.mlir:{{[0-9]+:[0-9]+}}: error: 'arith.cmpi' op cannot be expressed in a manifest: expected eq, an order or an alignment test, not 'ne'
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %c = arith.cmpi ne, %t, %c1 : i64
    scf.if %c {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    }
    return %c1 : i64
  }
}

//--- or.mlir
// OR: or.mlir:{{[0-9]+:[0-9]+}}: error: condition cannot be expressed in a manifest: expected comparisons (arith.cmpi) joined by arith.andi
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %a = arith.cmpi eq, %t, %c1 : i64
    %b = arith.cmpi eq, %t, %c32 : i64
    %c = arith.ori %a, %b : i1
    scf.if %c {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    }
    return %c1 : i64
  }
}

//--- fallthrough.mlir
// FALLTHROUGH: fallthrough.mlir:{{[0-9]+:[0-9]+}}: error: 'scf.if' op has a first branch that may launch nothing but has a second one
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %a = arith.cmpi eq, %t, %c1 : i64
    %b = arith.cmpi ule, %t, %c32 : i64
    scf.if %b {
      scf.if %a {
        gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
      }
    } else {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    }
    return %c1 : i64
  }
}

//--- shift.mlir
// SHIFT: shift.mlir:{{[0-9]+:[0-9]+}}: error: 'arith.shrui' op cannot be expressed in a manifest: expected integer constants, symbols, add, sub, mul, ceildiv, div, rem, min and max
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %g = arith.shrui %t, %c1 : i64
    gpu.launch_func @kernels::@k blocks in (%g, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- load.mlir
// LOAD: load.mlir:{{[0-9]+:[0-9]+}}: error: 'llvm.load' op cannot be expressed in a manifest: expected arithmetic, scf.if and gpu.launch_func
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %v = llvm.load %x : !llvm.ptr -> i64
    gpu.launch_func @kernels::@k blocks in (%v, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- grid-y.mlir
// GRID-Y: grid-y.mlir:{{[0-9]+:[0-9]+}}: error: 'gpu.launch_func' op expected grid size y to be the constant 1
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %t, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- threads.mlir
// THREADS: threads.mlir:{{[0-9]+:[0-9]+}}: error: 'gpu.launch_func' op expected a constant block size x
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%t, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- reqntid.mlir
// REQNTID: reqntid.mlir:{{[0-9]+:[0-9]+}}: error: 'gpu.launch_func' op asks for 64 threads a block, but kernel 'k' was compiled for 32
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %c64 = arith.constant 64 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- shared.mlir
// SHARED: shared.mlir:{{[0-9]+:[0-9]+}}: error: 'gpu.launch_func' op asks for 200000 bytes of shared memory, expected at most 166912
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %s = arith.constant 200000 : i32
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64 dynamic_shared_memory_size %s
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- argument.mlir
// ARGUMENT: argument.mlir:{{[0-9]+:[0-9]+}}: error: 'gpu.launch_func' op passes 'i32' as argument 0, expected !llvm.ptr or i64: every argument has 8 bytes
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %s = arith.constant 2 : i32
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%s : i32)
    return %c1 : i64
  }
}

//--- count.mlir
// COUNT: count.mlir:{{[0-9]+:[0-9]+}}: error: 'gpu.launch_func' op passes 2 arguments to a kernel with 1
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr, %t : i64)
    return %c1 : i64
  }
}

//--- memory.mlir
// MEMORY: memory.mlir:{{[0-9]+:[0-9]+}}: error: expected a pointer argument of the function plus an offset (llvm.getelementptr)
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %p = llvm.inttoptr %t : i64 to !llvm.ptr
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%p : !llvm.ptr)
    return %c1 : i64
  }
}

//--- gep.mlir
// GEP: gep.mlir:{{[0-9]+:[0-9]+}}: error: 'llvm.getelementptr' op cannot be expressed in a manifest: expected one index
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %p = llvm.getelementptr %x[%t, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i64, i64)>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%p : !llvm.ptr)
    return %c1 : i64
  }
}

//--- arity.mlir
// ARITY: arity.mlir:{{[0-9]+:[0-9]+}}: error: 'func.func' op expected 5 arguments (1 arguments, 1 results, a workspace, 2 symbols), found 4
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T", "U"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- names.mlir
// NAMES: names.mlir:{{[0-9]+:[0-9]+}}: error: 'func.func' op expected as many 'sparseflow.argument_names' as 'sparseflow.argument_types' (1), found 2
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"], sparseflow.argument_names = ["x", "y"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- dtype.mlir
// DTYPE: dtype.mlir:{{[0-9]+:[0-9]+}}: error: 'func.func' op has a tensor of 'f64'; expected f16, bf16, f32, i1, i8, i32 or i64
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"], sparseflow.argument_types = [tensor<?x8xf64>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- shapes.mlir
// SHAPES: shapes.mlir:{{[0-9]+:[0-9]+}}: error: 'func.func' op expected 'sparseflow.argument_shapes' to hold the shape of 'tensor<?x8xf16>'
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"], sparseflow.argument_shapes = [["T"]],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

//--- deep.mlir
// DEEP: deep.mlir:{{[0-9]+:[0-9]+}}: error: expression is too large for a manifest
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %d0 = arith.muli %t, %t : i64
    %d1 = arith.muli %d0, %d0 : i64
    %d2 = arith.muli %d1, %d1 : i64
    %d3 = arith.muli %d2, %d2 : i64
    %d4 = arith.muli %d3, %d3 : i64
    %d5 = arith.muli %d4, %d4 : i64
    %d6 = arith.muli %d5, %d5 : i64
    %d7 = arith.muli %d6, %d6 : i64
    %d8 = arith.muli %d7, %d7 : i64
    %d9 = arith.muli %d8, %d8 : i64
    %d10 = arith.muli %d9, %d9 : i64
    %d11 = arith.muli %d10, %d10 : i64
    %d12 = arith.muli %d11, %d11 : i64
    %d13 = arith.muli %d12, %d12 : i64
    gpu.launch_func @kernels::@k blocks in (%d13, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

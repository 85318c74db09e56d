// RUN: sparseflow-translate %s --sparseflow-to-manifest --target sm_90 --split-input-file --verify-diagnostics

// Host functions and launches that a manifest cannot say.

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
    %far = arith.constant 4611686018427387904 : i64
    // expected-error@+1 {{skips more bytes than 64 bits can count}}
    %big = llvm.getelementptr %x[%far] : (!llvm.ptr, i64) -> !llvm.ptr, f64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%big : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

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
    // expected-error@+1 {{expected grid size y to be the constant 1: grids and blocks have one dimension}}
    gpu.launch_func @kernels::@k blocks in (%c1, %t, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error@+1 {{expected a cluster of 1 to 8 blocks in the x dimension, found array<i32: 2, 2, 1>}}
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 2, 1>, nvvm.reqntid = array<i32: 32>} {
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
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

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
    // expected-error@+1 {{launches a cluster through operands, which a manifest cannot express: state the cluster as an attribute of the kernel}}
    gpu.launch_func @kernels::@k clusters in (%c1, %c1, %c1) blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

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
    // expected-error@+1 {{is asynchronous: launches follow the order of the stream}}
    %token = gpu.launch_func async @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

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
    %s = arith.trunci %t : i64 to i32
    // expected-error@+1 {{expected a constant amount of shared memory}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64 dynamic_shared_memory_size %s
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

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
    %b = arith.cmpi ule, %t, %c32 : i64
    scf.if %b {
      %a = arith.cmpi eq, %t, %c1 : i64
      scf.if %a {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
          threads in (%c32, %c1, %c1) : i64
          args(%x : !llvm.ptr)
      }
    // expected-error@+1 {{follows an scf.if inside a branch, which a manifest cannot express: make it a step of its own}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    }
    return %c1 : i64
  }
}

// -----

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
    %b = arith.cmpi ule, %t, %c32 : i64
    scf.if %b {
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
      %a = arith.cmpi eq, %t, %c1 : i64
      // expected-error@+1 {{follows a launch inside a branch, which a manifest cannot express: make it a step of its own}}
      scf.if %a {
      gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
          threads in (%c32, %c1, %c1) : i64
          args(%x : !llvm.ptr)
      }
    }
    return %c1 : i64
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  // expected-error@+1 {{expected ranked tensor types in 'sparseflow.argument_types', found f32}}
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"], sparseflow.argument_types = [f32],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  // expected-error@+1 {{expected strings in 'sparseflow.symbols', found 3 : i64}}
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = [3 : i64],
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

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  // expected-error@+1 {{expected one i64 result, the bytes of workspace}}
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i32 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    %c3 = arith.constant 3 : i32
    return %c3 : i32
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  // expected-error@+1 {{expected integers and symbols in 'sparseflow.argument_shapes', found 1.000000e+00 : f64}}
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>],
      sparseflow.argument_shapes = [[1.0, 8]]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  // expected-error@+1 {{has dynamic sizes and 2 symbols: expected the attribute 'sparseflow.argument_shapes', which says which size is which symbol}}
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64, %u: i64) -> i64 attributes {
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

// -----

// expected-error@+1 {{has no function to export: expected a func.func with 'sparseflow.argument_types' and 'sparseflow.result_types'}}
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    // expected-error@+1 {{passes an address as argument 0, which kernel 'k' takes by value: expected the result of sftile.tensor_map}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%x : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  func.func @f(%x: !llvm.ptr<1>, %y: !llvm.ptr, %ws: !llvm.ptr, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %c24 = arith.constant 24 : i64
    // expected-error@+1 {{has a stride of 24 bytes, expected a multiple of 16 below 2^40}}
    %m = sftile.tensor_map %x sizes [%t, %t] strides [%c24] box [64, 64] swizzle 128 : f16
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%m : !llvm.ptr)
    return %c1 : i64
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @k(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
      llvm.return
    }
  }
  // expected-error@+1 {{expected the dense form of an argument that is a packed weight}}
  func.func @f(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %ws: !llvm.ptr<1>, %t: i64) -> i64 attributes {
      sparseflow.symbols = ["T"],
      sparseflow.argument_types = [tensor<?x8xf16>],
      sparseflow.result_types = [tensor<?x8xf16>]} {
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %dense = sftile.dense_form %x
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c32, %c1, %c1) : i64
        args(%dense : !llvm.ptr<1>)
    return %c1 : i64
  }
}

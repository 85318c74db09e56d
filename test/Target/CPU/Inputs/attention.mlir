// Grouped heads, features and value features that differ, both results.
func.func @causal(%q: tensor<?x6x?x40xf16>, %k: tensor<?x2x?x40xf16>,
                  %v: tensor<?x2x?x24xf16>)
    -> (tensor<?x6x?x24xf16>, tensor<?x6x?xf32>) {
  %o, %lse = sparseflow.attention %q, %k, %v {causal}
    : tensor<?x6x?x40xf16>, tensor<?x2x?x40xf16>, tensor<?x2x?x24xf16>
      -> tensor<?x6x?x24xf16>, tensor<?x6x?xf32>
  return %o, %lse : tensor<?x6x?x24xf16>, tensor<?x6x?xf32>
}

// Lengths, a window, and a score of everything a region can see.
func.func @scored(%q: tensor<3x9x4x32xbf16>, %k: tensor<3x?x4x32xbf16>,
                  %v: tensor<3x?x4x32xbf16>,
                  %n: tensor<3xi32> {sparseflow.name = "lengths"},
                  %bias: tensor<9x?xf32>, %slope: tensor<4xf16>)
    -> (tensor<3x9x4x32xf32>, tensor<3x4x9xf32>) {
  %o, %lse = sparseflow.attention %q, %k, %v lengths(%n : tensor<3xi32>)
      operands(%bias, %slope : tensor<9x?xf32>, tensor<4xf16>) as ["qk", "h"]
      score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %bias_: f32, %m: f16):
    %cap = arith.constant 30.0 : f32
    %ten = arith.constant 10 : i32
    %0 = arith.divf %s, %cap : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %cap : f32
    %3 = arith.addf %2, %bias_ : f32
    %4 = arith.subi %j, %i : i32
    %5 = arith.addi %4, %b : i32
    %6 = arith.minsi %5, %ten : i32
    %7 = arith.sitofp %6 : i32 to f32
    %8 = arith.extf %m : f16 to f32
    %9 = arith.mulf %7, %8 : f32
    %odd = arith.cmpi sgt, %h, %b : i32
    %10 = arith.select %odd, %9, %7 : f32
    %11 = arith.addf %3, %10 : f32
    sparseflow.yield %11 : f32
  } {layout = #sparseflow.attention_layout<bshd>, window = 7 : i64}
    : tensor<3x9x4x32xbf16>, tensor<3x?x4x32xbf16>, tensor<3x?x4x32xbf16>
      -> tensor<3x9x4x32xf32>, tensor<3x4x9xf32>
  return %o, %lse : tensor<3x9x4x32xf32>, tensor<3x4x9xf32>
}

"""product.py N K [N:M]: a product with bias, of f16."""

import sys

n, k = sys.argv[1:3]
encoding = f", #sparseflow.nm<{sys.argv[3]}>" if len(sys.argv) > 3 else ""
x, w, b, y = (f"tensor<?x{k}xf16>", f"tensor<{n}x{k}xf16{encoding}>",
              f"tensor<{n}xf16>", f"tensor<?x{n}xf16>")
print(f"""func.func @f(%x: {x}, %w: {w}, %b: {b}) -> {y} {{
  %y = sparseflow.matmul %x, %w epilogue(%b : {b}) as [per_feature] {{
  ^bb0(%acc: f32, %bias: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    sparseflow.yield %2 : f16
  }} : {x}, {w} -> {y}
  return %y : {y}
}}""")

"""constants.py FILE [--elided]: a model of two layers with its weights inside.

The first is a resource, [N, K] and transposed, with a bias; the second [K, N].
"""

import random
import struct
import sys

random.seed(0)


def numbers(count):
    return [random.randint(-8, 8) / 8 for _ in range(count)]


def dense(values, columns):
    rows = [values[i:i + columns] for i in range(0, len(values), columns)]
    texts = ["[" + ", ".join(str(float(v)) for v in row) + "]" for row in rows]
    return "[" + ", ".join(texts) + "]"


blob = struct.pack("<1024e", *numbers(1024)).hex().upper()
key = "__elided__" if "--elided" in sys.argv else "torch_tensor_16_64_torch.float16"
bias = ", ".join(str(v) for v in numbers(16))
with open(sys.argv[1], "w") as file:
    file.write(f"""#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {{
  func.func @forward(%arg0: tensor<?x64xf16>) -> tensor<?x8xf32> {{
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = arith.constant dense_resource<{key}> : tensor<16x64xf16>
    %1 = arith.constant dense<[{bias}]> : tensor<16xf16>
    %2 = arith.constant dense<{dense(numbers(128), 8)}> : tensor<16x8xf16>
    %3 = tensor.empty() : tensor<64x16xf16>
    %transposed = linalg.transpose ins(%0 : tensor<16x64xf16>) outs(%3 : tensor<64x16xf16>) permutation = [1, 0]
    %dim = tensor.dim %arg0, %c0 : tensor<?x64xf16>
    %4 = tensor.empty(%dim) : tensor<?x16xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %6 = linalg.matmul ins(%arg0, %transposed : tensor<?x64xf16>, tensor<64x16xf16>) outs(%5 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %7 = tensor.empty(%dim) : tensor<?x16xf16>
    %8 = linalg.generic {{indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]}} ins(%6, %1 : tensor<?x16xf32>, tensor<16xf16>) outs(%7 : tensor<?x16xf16>) {{
    ^bb0(%in: f32, %in_0: f16, %out: f16):
      %12 = arith.truncf %in : f32 to f16
      %13 = arith.addf %12, %in_0 : f16
      linalg.yield %13 : f16
    }} -> tensor<?x16xf16>
    %9 = tensor.empty(%dim) : tensor<?x8xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %11 = linalg.matmul ins(%8, %2 : tensor<?x16xf16>, tensor<16x8xf16>) outs(%10 : tensor<?x8xf32>) -> tensor<?x8xf32>
    return %11 : tensor<?x8xf32>
  }}
}}
""")
    if "--elided" not in sys.argv:
        file.write(f"""{{-#
  dialect_resources: {{
    builtin: {{
      {key}: "0x02000000{blob}"
    }}
  }}
#-}}
""")

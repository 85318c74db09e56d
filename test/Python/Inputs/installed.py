"""What an installed wheel does where there is nothing else of SparseFlow."""

import numpy as np

import sparseflow as sf

print("library:", sf.find_library())
w = np.random.default_rng(1).normal(size=(8, 8)).astype(np.float16)
packed = sf.pack(w)
assert (sf.unpack(bytes(packed.blob), w.shape) == sf.prune(w)).all()
print(f"2:4: {packed.report['kept_nonzeros']} of 64 kept, unpacked the same")
ternary = sf.pack_ternary(np.tile(w, 8))
trits, scales = sf.unpack_ternary(ternary.blob, ternary.shape)
assert ((trits[0] * scales[0][:, None] - ternary.values()) == 0).all()
print("ternary:", ternary)
LAYER = """func.func @layer(%x: tensor<?x64xf16>, %w: tensor<8x64xf16>) -> tensor<?x8xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x64xf16>, tensor<8x64xf16> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
"""
x, w = np.ones((3, 64), np.float16), np.full((8, 64), 2, np.float16)
try:
    assert (sf.run(LAYER, {"x": x, "w": w}) == 128).all()
    print("command:", sf.find_command())
except sf.Error as error:
    print("no command:", error)

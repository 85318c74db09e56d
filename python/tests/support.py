# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the tests find programs and tools; skips what is missing, by name."""

import atexit
import functools
import json
import os
import shutil
import tempfile
import unittest

import numpy as np

import sparseflow as sf

LAYER = """
func.func @layer(%x: tensor<?x64xf16>,
                 %w: tensor<128x64xf16, #sparseflow.nm<2:4>>,
                 %b: tensor<128xf16>) -> tensor<?x128xf16> {
  %y = sparseflow.matmul %x, %w
      epilogue(%b : tensor<128xf16>) as [per_feature] {
  ^bb0(%acc: f32, %bias: f16):
    %zero = arith.constant 0.0 : f32
    %bias32 = arith.extf %bias : f16 to f32
    %sum = arith.addf %acc, %bias32 : f32
    %relu = arith.maximumf %sum, %zero : f32
    %out = arith.truncf %relu : f32 to f16
    sparseflow.yield %out : f16
  } : tensor<?x64xf16>, tensor<128x64xf16, #sparseflow.nm<2:4>>
      -> tensor<?x128xf16>
  return %y : tensor<?x128xf16>
}
"""


class FolderTest(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def layer_bundle(self, weights):
        return compile_layer(self.folder, weights)


def load_safetensors(path):
    """The F32 tensors of a safetensors file."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])], np.float32)
            .reshape(entry["shape"]) for name, entry in header.items()}


GROW = """
!cache = tensor<?x2x?x64xf16, #sparseflow.ternary<key_planes, scale = token : f32>>
func.func @grow(%k: !cache, %t: tensor<?x2x?x64xf16>, %n: tensor<?xi32>) -> !cache {
  %r = sparseflow.cache_append %k, %t at %n by <twn>
    : !cache, tensor<?x2x?x64xf16>, tensor<?xi32>
  return %r : !cache
}
"""


MODES = """
!q = tensor<?x4x1x64xf16>
!full = tensor<?x2x?x64xf16>
!keys = tensor<?x2x?x64xf16, #sparseflow.quantized<key_e4m3, scale = token : f16>>
!values = tensor<?x2x?x64xf16, #sparseflow.quantized<value_e4m3, scale = token : f16>>
func.func @step.full_precision(%q: !q, %k: !full, %v: !full) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !full, !full -> !q
  return %o : !q
}
func.func @step.e4m3(%q: !q, %k: !keys, %v: !values) -> !q {
  %o = sparseflow.attention %q, %k, %v : !q, !keys, !values -> !q
  return %o : !q
}
"""


def compile_layer(folder, weights=None, program=LAYER, options=()):
    """A bundle of the layer; needs ptxas, since the compiler reads what it writes."""
    places = [os.environ.get("SPARSEFLOW_PTXAS"), shutil.which("ptxas"),
              "/usr/local/cuda/bin/ptxas"]
    tool = next((place for place in places if place and os.path.exists(place)), None)
    if not tool:
        raise unittest.SkipTest("ptxas is missing: name it in SPARSEFLOW_PTXAS")
    return sf.Bundle(sf.compile(program, os.path.join(folder, "layer.bundle"),
                                ["sm_90"], weights=weights,
                                options=["--ptxas", tool, *options]))


@functools.lru_cache(maxsize=None)
def layer_bundle(options=()):
    """The bundle that needs nothing of its own, compiled once for these options."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return compile_layer(folder.name, options=options)


def inputs(tokens=7, seed=0):
    """x, w (dense) and b of the layer."""
    rng = np.random.default_rng(seed)
    return (rng.uniform(-1, 1, (tokens, 64)).astype(np.float16),
            rng.uniform(-1, 1, (128, 64)).astype(np.float16),
            rng.uniform(-1, 1, 128).astype(np.float16))

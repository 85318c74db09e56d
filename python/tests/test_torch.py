# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles on torch tensors; needs torch, a GPU, and bundles that were compiled for it.

SPARSEFLOW_TEST_BUNDLES names a directory with layer.bundle, ffn.bundle and
epilogues.bundle, made from the examples of those names.
"""

import os
import threading
import unittest

import numpy as np

import sparseflow as sf

try:
    import torch
except ImportError:
    torch = None

FOLDER = os.environ.get("SPARSEFLOW_TEST_BUNDLES")


def arguments(function, sizes, seed=0):
    """Random arguments as NumPy holds them; packed where the function wants it."""
    rng, result = np.random.default_rng(seed), []
    for spec in function["arguments"]:
        shape = [sizes[s] if isinstance(s, str) else s for s in spec["shape"]]
        array = rng.uniform(-1, 1, shape).astype(np.float32)
        if spec.get("encoding"):
            array = sf.pack(array / 16, spec["dtype"])
        elif spec["dtype"] == "bf16":
            array = sf.float32_to_bf16(array)
        elif spec["dtype"] == "f16":
            array = array.astype(np.float16)
        result.append(array)
    return result


def to_device(array, spec):
    if isinstance(array, sf.PackedMatrix):
        return torch.from_numpy(array.blob).cuda()
    # As signed bits: torch's unsigned types have few operations.
    if spec["dtype"] == "bf16":
        return torch.from_numpy(array.view(np.int16)).cuda().view(torch.bfloat16)
    return torch.from_numpy(np.array(array)).cuda()


def floats(tensor):
    return tensor.float().cpu().numpy()


class Only:
    """One way to say where a tensor lies, and no other."""

    def __init__(self, tensor, way):
        if way == "dlpack":
            self.__dlpack__ = tensor.__dlpack__
        else:
            self.__cuda_array_interface__ = tensor.__cuda_array_interface__


@unittest.skipUnless(torch and torch.cuda.is_available(), "no torch with a GPU")
@unittest.skipUnless(FOLDER, "SPARSEFLOW_TEST_BUNDLES is not set")
class Torch(unittest.TestCase):
    def setUp(self):
        self.bundle = sf.Bundle(os.path.join(FOLDER, "layer.bundle"))
        self.gpu = self.bundle.on_gpu()
        function = self.bundle.function()
        self.inputs = [to_device(a, s) for a, s in
                       zip(arguments(function, {"T": 128}), function["arguments"])]
        self.expected = self.gpu(*self.inputs)
        torch.cuda.synchronize()

    def scratch(self):
        return (torch.zeros_like(self.expected),
                torch.empty(self.gpu.workspace_size({"T": 128}), dtype=torch.uint8,
                            device="cuda"))

    def test_numbers(self):
        for name in ("layer", "ffn", "epilogues"):
            bundle = sf.Bundle(os.path.join(FOLDER, name + ".bundle"))
            for entry in bundle.functions:
                function = bundle.function(entry)
                gpu = bundle.on_gpu(entry=entry)
                for tokens in (1, 64, 333):
                    args = arguments(function, {"T": tokens})
                    found = floats(gpu(*[to_device(a, s) for a, s in zip(
                        args, function["arguments"])]))
                    exact = bundle.evaluate(args, entry, exact=True)
                    plain = bundle.evaluate(args, entry)
                    if function["results"][0]["dtype"] == "bf16":
                        plain = sf.bf16_to_float32(plain)
                    # Twice the error of plain low precision, as --check demands,
                    # and one unit in the last place of the largest result.
                    ulp = 2**-7 if function["results"][0]["dtype"] == "bf16" else 2**-10
                    bound = 2 * np.abs(plain - exact).max() + ulp * np.abs(exact).max()
                    with self.subTest(name=name, entry=entry, tokens=tokens):
                        self.assertLessEqual(np.abs(found - exact).max(), bound)

    def test_streams(self):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            current = self.gpu(*self.inputs)
        given = self.gpu(*self.inputs, stream=stream)
        stream.synchronize()
        self.assertTrue(torch.equal(self.expected, current))
        self.assertTrue(torch.equal(self.expected, given))

    def test_captured_in_a_graph(self):
        out, workspace = self.scratch()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.gpu.launch(self.inputs, [out], workspace,
                            torch.cuda.current_stream())
        out.zero_()
        graph.replay()
        torch.cuda.synchronize()
        self.assertTrue(torch.equal(self.expected, out))

    def test_every_way_to_name_memory(self):
        for way in ("dlpack", "interface"):
            out, workspace = self.scratch()
            torch.cuda.synchronize()
            self.gpu.launch([Only(t, way) for t in self.inputs], [Only(out, way)],
                            workspace, torch.cuda.current_stream())
            torch.cuda.synchronize()
            self.assertTrue(torch.equal(self.expected, out), way)

    def test_eight_threads(self):
        equal = []

        def body():
            for _ in range(50):
                result = self.gpu(*self.inputs)
                torch.cuda.current_stream().synchronize()
                equal.append(torch.equal(self.expected, result))
        threads = [threading.Thread(target=body) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(equal, [True] * 400)

    def test_refuses(self):
        with self.assertRaisesRegex(sf.Error, "move it with"):
            self.gpu(self.inputs[0].cpu(), *self.inputs[1:])
        with self.assertRaisesRegex(sf.Error, "row-major"):
            self.gpu(self.inputs[0].T.contiguous().T, *self.inputs[1:])
        with self.assertRaisesRegex(sf.Error, "found f32"):
            self.gpu(self.inputs[0].float(), *self.inputs[1:])


if __name__ == "__main__":
    unittest.main()

# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that are not NumPy's, and the promises about errors and types.

torch is not needed: `Tensor` stands in for its tensors, with the same names of types,
devices and layouts and the same refusals. Where torch is there, it is tested too.
"""

import importlib
import inspect
import os
import sys
import unittest

import numpy as np

import sparseflow as sf
from sparseflow import moved
from support import LAYER, FolderTest, inputs, layer_bundle

try:
    import torch
except ImportError:
    torch = None


class Device:
    def __init__(self, kind):
        self.type = kind

    def __str__(self):
        return self.type


class Tensor:
    """The part of torch.Tensor that reading one needs, with torch's refusals."""

    def __init__(self, values, dtype, device="cpu", requires_grad=False,
                 layout="torch.strided", is_quantized=False):
        self.values, self.dtype = values, "torch." + dtype
        self.device, self.layout = Device(device), layout
        self.requires_grad, self.is_quantized = requires_grad, is_quantized

    def _with(self, **changes):
        state = dict(values=self.values, dtype=self.dtype[6:], device=self.device.type,
                     requires_grad=self.requires_grad)
        return Tensor(**{**state, **changes})

    def detach(self):
        return self._with(requires_grad=False)

    def cpu(self):
        return self._with(device="cpu")

    def float(self):
        return self._with(values=self.values.astype(np.float32), dtype="float32")

    def numpy(self):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.device.type != "cpu":
            raise TypeError("can't convert cuda:0 device type tensor to numpy.")
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values

    def __array__(self, dtype=None, copy=None):
        return self.numpy()


def bf16_values(array):
    return sf.bf16_to_float32(sf.float32_to_bf16(array))


class Tensors(FolderTest):
    def test_gradients_devices_and_bf16(self):
        w = inputs()[1]
        wide = w.astype(np.float32) * np.float32(1.001)
        for tensor, dtype, expected in (
                (Tensor(w, "float16", requires_grad=True), "f16", w),
                (Tensor(w, "float16", device="cuda"), "f16", w),
                (Tensor(bf16_values(wide), "bfloat16", "cuda", True), "bf16", wide),
                (Tensor(bf16_values(wide), "bfloat16"), "f16", bf16_values(wide)),
                (Tensor(wide[::-1], "float32"), "f16", wide[::-1])):
            with self.subTest(tensor=tensor.dtype, dtype=dtype):
                packed = sf.pack(tensor, dtype)
                self.assertEqual(bytes(packed.blob), bytes(sf.pack(expected, dtype).blob))
        made = sf.pack_ternary(Tensor(bf16_values(wide), "bfloat16", "cuda", True),
                               "bf16")
        self.assertEqual(bytes(made.blob),
                         bytes(sf.pack_ternary(bf16_values(wide), "bf16").blob))

    def test_files_keep_bf16(self):
        x, w, b = inputs()
        sf.write_sfpk(self.path("w.sfpk"), {
            "w": Tensor(w, "float16", requires_grad=True),
            "b": Tensor(bf16_values(b), "bfloat16", "cuda")}, sparse=["w"])
        with sf.Container(self.path("w.sfpk")) as file:
            np.testing.assert_array_equal(file["b"], sf.float32_to_bf16(
                b.astype(np.float32)))

    def test_programs(self):
        x, w, b = inputs()
        tensors = [Tensor(x, "float16", "cuda"), sf.pack(w),
                   Tensor(b, "float16", requires_grad=True)]
        np.testing.assert_array_equal(layer_bundle().evaluate(tensors),
                                      layer_bundle().evaluate([x, sf.pack(w), b]))
        np.testing.assert_array_equal(
            sf.run(LAYER, dict(enumerate(tensors))),
            sf.run(LAYER, {0: x, 1: sf.pack(w), 2: b}))

    def test_names_what_it_cannot(self):
        w = inputs()[1]

        class OnGpu:
            __cuda_array_interface__ = {}

        for value, text in (
                (Tensor(w, "float16", layout="torch.sparse_csr"),
                 r"my.w: expected a dense tensor, found one of layout torch.sparse_csr; "
                 r"call .to_dense\(\) first"),
                (Tensor(w, "qint8", is_quantized=True), r"call .dequantize\(\) first"),
                (Tensor(w, "float16", device="meta"), "device meta, which has none"),
                (Tensor(w, "float8_e4m3fn"), "expected f16, bf16 or f32, found "
                                             "torch.float8_e4m3fn"),
                (Tensor(w.astype(np.int8), "int8"), "found an array of int8"),
                (Tensor(w.astype(complex), "complex128"), "complex128"),
                (OnGpu(), "in the host's memory, found OnGpu on a GPU"),
                (np.ma.masked_array(w, w > 0), "found a masked one"),
                ([[1.0, 2.0], [3.0]], "my.w: expected an array, found list"),
                ("weights", "my.w: expected an array of numbers, found str")):
            with self.subTest(text=text), self.assertRaisesRegex(sf.Error, text):
                sf.pack(value, name="my.w")

    @unittest.skipUnless(torch, "no torch")
    def test_torch(self):
        w = torch.randn(64, 128)
        expected = sf.pack(w.numpy(), "bf16")
        for tensor in (w.clone().requires_grad_(), torch.nn.Parameter(w), w.bfloat16(),
                       torch.nn.Parameter(w.T.contiguous()).T):
            self.assertEqual(bytes(sf.pack(tensor, "bf16").blob), bytes(expected.blob))
        for tensor, text in ((w.to_sparse(), "to_dense"), (w.to("meta"), "device meta"),
                             (w.to(torch.float8_e4m3fn), "float8_e4m3fn"),
                             (torch.quantize_per_tensor(w, 0.1, 0, torch.qint8),
                              "dequantize")):
            with self.subTest(text=text), self.assertRaisesRegex(sf.Error, text):
                sf.pack(tensor)


class Blobs(unittest.TestCase):
    def test_unpack_from_arrays(self):
        packed = sf.pack(inputs()[1])
        for blob in (packed.blob, bytes(packed.blob), Tensor(packed.blob, "uint8",
                                                             "cuda")):
            np.testing.assert_array_equal(sf.unpack(blob, (128, 64)), packed.unpack())
        for blob, shape, text in ((packed.blob[1:], (128, 64), "bytes"),
                                  (packed.blob, (128, 60), "outside the 128 x 60"),
                                  (packed.blob.view(np.int16), (128, 64), "uint8, 1-D"),
                                  (packed.blob, (128,), r"shape \(N, K\)")):
            with self.subTest(text=text), self.assertRaisesRegex(sf.Error, text):
                sf.unpack(blob, shape)

    def test_ternarize(self):
        rng = np.random.default_rng(5)
        w = rng.normal(0, 1, (40, 192)).astype(np.float32)
        for layout, scale, planes, method in (
                ("tern.v1", "row", 1, "lloyd"), ("tern.v1", 64, 2, "lloyd"),
                ("tern24.v1", "tensor", 1, "lloyd"), ("tern.v1", "tensor", 1, "absmean"),
                ("ternbp.v1", "row", 1, "twn")):
            with self.subTest(layout=layout, scale=scale, method=method):
                made = sf.ternarize(w, layout, scale, planes=planes, method=method)
                self.assertEqual(made.trits.shape, (planes, 40, 192))
                packed = sf.pack_ternary(w, "f16", layout, scale, planes=planes,
                                         method=method)
                trits, scales = sf.unpack_ternary(bytes(packed.blob), (40, 192), layout,
                                                  scale, planes=planes)
                np.testing.assert_array_equal(trits, made.trits)
                np.testing.assert_array_equal(scales, made.scales)
                error = np.linalg.norm(packed.values(np.float64) - w) / \
                    np.linalg.norm(w)
                self.assertAlmostEqual(error, packed.report["relative_error"], 6)
                self.assertAlmostEqual((trits == 0).mean(), made.report["zero_share"], 9)
        # A column that counts more is met better.
        heavy = np.ones(192)
        heavy[:8] = 1000
        plain, weighted = (sf.pack_ternary(w, importance=i).values()
                           for i in (None, heavy))
        self.assertLess(np.linalg.norm((weighted - w)[:, :8]),
                        np.linalg.norm((plain - w)[:, :8]))

    def test_ternarize_threshold(self):
        w = np.random.default_rng(5).normal(0, 1, (8, 64)).astype(np.float32)
        for threshold in (0, 0.3, 0.7, 1.5):
            made = sf.ternarize(w, method="twn", threshold=threshold)
            limit = np.float32(threshold) * np.abs(w).mean(1, keepdims=True)
            expected = np.where(np.abs(w) > limit, np.sign(w), 0)
            self.assertTrue(np.array_equal(made.trits[0], expected), threshold)
        default = sf.ternarize(w, method="twn")
        self.assertTrue(np.array_equal(
            default.trits, sf.ternarize(w, method="twn", threshold=0.7).trits))
        packed = sf.pack_ternary(w, method="twn", threshold=1.5)
        self.assertEqual(packed.report["zero_share"], made.report["zero_share"])

    def test_ternarize_refuses(self):
        w = np.ones((4, 64), np.float32)
        bad = w.copy()
        bad[1, 2] = np.nan
        for call, text in (
                (lambda: sf.ternarize(bad, name="my.w"), "my.w"),
                (lambda: sf.ternarize(w, method="best"), "expected a method of absmean"),
                (lambda: sf.ternarize(w, planes=2, method="twn"), "two planes"),
                (lambda: sf.ternarize(w, threshold=0.5), "that of method twn, found lloyd"),
                (lambda: sf.ternarize(w, method="twn", threshold=-1.0),
                 "a threshold of at least 0"),
                (lambda: sf.ternarize(w, scale="column"), "found tern.v1, f32, f32 and "
                                                          "column"),
                (lambda: sf.ternarize(w, scale=48), "48"),
                (lambda: sf.ternarize(w, importance=np.ones(3)), "64 numbers of "
                                                                 "importance"),
                (lambda: sf.ternarize(w[0]), "found 1 dimensions"),
                (lambda: sf.TernaryMatrix.pack(w * 0.5, np.ones(4)), "found 0.5")):
            with self.subTest(text=text), self.assertRaisesRegex(sf.Error, text):
                call()


class Promises(FolderTest):
    def test_every_failure_is_an_error(self):
        bundle = layer_bundle()
        x, w, b = inputs()
        with open(self.path("manifest.json"), "w", encoding="utf-8") as file:
            file.write('{"format": "sparseflow-bundle", "version": 1}')
        calls = [
            lambda: sf.pack(None), lambda: sf.pack(w, "f16", threads="many"),
            lambda: sf.unpack("blob", (1, 4)), lambda: sf.prune(object()),
            lambda: sf.Bundle(self.folder), lambda: sf.Bundle(3),
            lambda: sf.Container(self.path("none.sfpk")),
            lambda: sf.save_safetensors(self.path("no/folder.safetensors"), {"w": w}),
            lambda: sf.compile(3, self.path("x")), lambda: sf.compile("x.mlir", "-"),
            lambda: sf.compile(LAYER, self.path("x"), ["sm_1"]),
            lambda: sf.run(LAYER, {"x": object()}), lambda: sf.run(LAYER, None),
            lambda: bundle.evaluate(7), lambda: bundle.evaluate([x, 5, b]),
            lambda: sf.TernaryMatrix.pack(w, "scales"),
            lambda: sf.TernaryCache(np.zeros(3), 64, "keys", "token", "f32"),
            lambda: sf.TernaryCache.empty(1, 1, 64, 64, "key_planes", "page"),
            lambda: sf.bf16_to_float32("x"), lambda: sf.pack_file(1, 2, 3),
        ]
        for number, call in enumerate(calls):
            with self.subTest(number=number):
                with self.assertRaises(sf.Error) as caught:
                    call()
                self.assertTrue(str(caught.exception))
        # What Python itself refuses stays what it is.
        with self.assertRaises(TypeError):
            sf.pack(w, colour="red")

    def test_compile_tells_what_it_decided(self):
        compiled = sf.compile(LAYER, self.path("layer.ptx"), ["sm_80"], emit="ptx")
        self.assertEqual(os.fspath(compiled), self.path("layer.ptx"))
        self.assertTrue(os.path.exists(compiled))
        self.assertIn("schedule", {remark.category for remark in compiled.remarks})
        remark = compiled.remarks[0]
        self.assertRegex(remark.location, r"program.mlir:\d+:\d+")
        self.assertIn("mma.sp::ordered_metadata",
                      compiled.kernels["sm_80"][0]["instructions"])
        self.assertEqual(compiled.report["format"], "sparseflow-report")
        self.assertIsNone(sf.compile(LAYER, self.path("cpu.ll"), "cpu",
                                     emit="llvm").report)
        kept = self.path("report.json")
        sf.compile(LAYER, self.path("layer.ptx"), ["sm_80"], "ptx",
                   options=["--report=" + kept])
        self.assertTrue(os.path.exists(kept))

    def test_old_names_of_modules(self):
        for old, new in moved.names().items():
            with self.subTest(old=old):
                sys.modules.pop(old, None)
                with self.assertWarnsRegex(DeprecationWarning, f"{old} is {new} now"):
                    found = importlib.import_module(old)
                self.assertIs(found, importlib.import_module(new))

    def test_names_are_typed(self):
        # PEP 561: type checkers read annotations of packages with this file.
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(sf.__file__),
                                                    "py.typed")))
        for name in sf.__all__:
            value = getattr(sf, name)
            functions = [value] if not inspect.isclass(value) else [
                member for key, member in inspect.getmembers(value, callable)
                if key in vars(value) and (key == "__init__" or key[0] != "_")]
            for function in functions:
                if not inspect.isfunction(inspect.unwrap(getattr(function, "__func__",
                                                                 function))):
                    continue
                signature = inspect.signature(function)
                missing = [p.name for p in signature.parameters.values()
                           if p.annotation is p.empty and p.name not in ("self", "cls")]
                with self.subTest(name=name, function=function.__name__):
                    self.assertEqual(missing, [])
                    self.assertIsNot(signature.return_annotation, signature.empty)
            with self.subTest(name=name):
                self.assertTrue(inspect.getdoc(value), "expected a docstring")


if __name__ == "__main__":
    unittest.main()

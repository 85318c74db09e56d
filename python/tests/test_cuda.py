# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPU path against a libcuda whose kernels do nothing (SPARSEFLOW_LIBCUDA)."""

import ctypes
import os
import sqlite3
import threading
import unittest
from unittest import mock

import numpy as np

import sparseflow as sf
from sparseflow import bundle_cache, native
from sparseflow.cuda.device_arrays import _DLTensor
from sparseflow.forms import Form
from support import GROW, MODES, FolderTest, compile_layer, inputs, layer_bundle


class Fake:
    """Host memory that says it is a device's, like a CuPy array."""

    def __init__(self, array, typestr=None, strides=None):
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": typestr or array.dtype.str,
            "data": (array.ctypes.data, False), "version": 3, "strides": strides}


class FakeTorch:
    """What this package uses of a torch tensor."""

    is_cuda = True
    device = "cuda:0"

    def __init__(self, array, dtype="torch.float16"):
        self.array, self.shape, self.dtype = array, array.shape, dtype

    def data_ptr(self):
        return self.array.ctypes.data

    def stride(self):
        return tuple(s // self.array.itemsize for s in self.array.strides)


class FakeDlpack:
    """An array that hands out a DLPack capsule of CUDA memory, and nothing else."""

    def __init__(self, array, code=2, strides=None):
        self.array = array
        count = array.ndim
        self.shape = (ctypes.c_int64 * count)(*array.shape)
        self.strides = (ctypes.c_int64 * count)(*strides) if strides else None
        # The managed tensor begins with the tensor; nobody deletes it here.
        self.tensor = _DLTensor(array.ctypes.data, 2, 0, count, code,
                                8 * array.itemsize, 1, self.shape, self.strides, 0)

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


def aligned(nbytes):
    raw = np.zeros(nbytes + 255, np.uint8)
    start = -raw.ctypes.data % 256
    return raw[start:start + nbytes]


@unittest.skipUnless(os.environ.get("SPARSEFLOW_LIBCUDA"), "no fake driver is named")
class Cuda(FolderTest):
    def setUp(self):
        super().setUp()
        x, w, b = inputs()
        self.packed = sf.pack(w)
        self.x, self.b = x, b
        self.y = np.zeros((7, 128), np.float16)
        self.function = layer_bundle().on_gpu()

    def arguments(self, make=Fake):
        return [make(self.x), Fake(self.packed.blob), make(self.b)]

    def test_describes_the_device(self):
        self.assertEqual(self.function.target, "sm_90")
        self.assertEqual(self.function.context.capability, (9, 0))
        self.assertEqual(self.function.context.name, "Fake GPU")

    def test_chooses_by_the_device(self):
        named = {"FAKE_CUDA_NAME": "NVIDIA H100 PCIe", "SPARSEFLOW_CACHE": self.path("cache")}
        with mock.patch.dict(os.environ, named):
            path = bundle_cache.find_for(Form("linear", "2:4", 64, 64, "f16").program(),
                                         sf.Context(0))
        self.assertIn("/NVIDIA-H100-PCIe/sm_90a/", path)

    def launch(self, arguments=None, result=None, stream=0):
        size = self.function.workspace_size({"T": 7})
        self.function.launch(arguments or self.arguments(),
                             [result or Fake(self.y)], Fake(aligned(size)), stream)

    def test_launches(self):
        self.launch()
        self.launch(self.arguments(FakeTorch), FakeTorch(self.y))

        class Stream:
            cuda_stream = 0
        self.launch(stream=Stream())

    def test_dense_forms(self):
        function = layer_bundle(("--dense-fallback", "rebuild")).on_gpu()
        self.assertEqual([function.dense_source(a) for a in ("x", 1, "b")],
                         ["none", "rebuild", "none"])
        blob = Fake(aligned(self.packed.blob.nbytes))
        blob.array[:] = self.packed.blob
        self.assertEqual(function.rebuild_dense_weights({"w": blob}), 128 * 64 * 2)
        self.assertEqual(function.rebuild_dense_weights({1: blob}), 128 * 64 * 2)
        dense = Fake(self.packed.unpack())
        function.set_dense_weight("w", blob, dense)
        self.assertEqual(function.rebuild_dense_weights({1: blob}), 128 * 64 * 2)
        function.set_dense_weight("w", blob, None)
        for call, text in (
                (lambda: function.dense_source("z"), "has no argument 'z'; expected x, w, b"),
                (lambda: function.rebuild_dense_weights({}),
                 "argument 1 .'w'.: needs .* the address is null"),
                (lambda: function.set_dense_weight("w", blob, Fake(self.x)),
                 r"expected f16 \[128, 64\], found f16 \[7, 64\]"),
                (lambda: function.set_dense_weight("b", blob, Fake(self.b)), "no kernel reads"),
                (lambda: self.function.set_dense_weight("w", blob, dense),
                 "compile with --dense-fallback")):
            with self.assertRaisesRegex(sf.Error, text):
                call()

    def test_a_graph_is_launched_and_updated(self):
        workspace = Fake(aligned(self.function.workspace_size({"T": 7})))
        graph = self.function.graph(self.arguments(), [Fake(self.y)], workspace)
        graph.launch()
        others = self.arguments(FakeTorch)
        graph.update(others, [Fake(np.zeros_like(self.y))], workspace)
        self.assertIs(graph._held[0][0], others[0])

        class Stream:
            cuda_stream = 0
        graph.launch(Stream())
        for make in (self.function.graph, graph.update):
            with self.assertRaisesRegex(sf.Error, r"found f16 \[6, 128\]"):
                make(self.arguments(), [Fake(self.y[:6])], workspace)
        self.assertIs(graph._held[0][0], others[0])
        with self.assertRaisesRegex(sf.Error, "overlap"):
            graph.update([*others[:2], Fake(self.y[0])], [Fake(self.y)], workspace)
        graph.launch()

    def test_checks(self):
        library, store = native.library(), self.path("store.sqlite").encode()
        library.sf_dispatch_set_store(ctypes.c_char_p(store))
        self.addCleanup(library.sf_dispatch_set_store, ctypes.c_char_p(None))
        # The kernel that makes zeros is that of the last variant.
        step = self.function.spec["programs"][0]["steps"][0]
        kernels = [[l["kernel"] for l in v["launches"]] for v in step["variants"]]
        self.assertGreater(len(kernels), 1)
        os.environ["FAKE_CUDA_ZEROES"] = kernels[-1][0]
        self.addCleanup(os.environ.pop, "FAKE_CUDA_ZEROES")
        gpu, out = self.function.bundle.on_gpu(), np.ones((7, 128), np.float16)
        call = ([Fake(self.x), Fake(self.packed.blob), Fake(self.b)], [Fake(out)])
        count = [0]

        def verdict():
            count[0] += 1
            return None if not out.any() else "not zeros: \N{GREEK SMALL LETTER PI}"

        def fails():
            raise KeyError("nowhere")
        with self.assertRaisesRegex(sf.Error, "KeyError: 'nowhere'"):
            gpu.check(*call, fails)
        with self.assertRaisesRegex(sf.Error, "whichever variant .* runs, .*: always"):
            gpu.check(*call, lambda: "always")
        self.assertEqual(gpu.check(*call, verdict), "not zeros: \N{GREEK SMALL LETTER PI}")
        self.assertGreater(count[0], 1)
        count[0] = 0
        self.assertIsNone(gpu.check(*call, verdict))
        self.assertEqual(count[0], 1)
        with sqlite3.connect(store) as known:
            names = {name for name, in known.execute("SELECT kernel FROM quarantine")}
        self.assertIn(kernels[0][0], names)
        self.assertNotIn(kernels[-1][0], names)

    def test_tunes(self):
        library, store = native.library(), self.path("store.sqlite").encode()
        library.sf_dispatch_set_store(ctypes.c_char_p(store))
        self.addCleanup(library.sf_dispatch_set_store, ctypes.c_char_p(None))
        gpu = self.function.bundle.on_gpu()
        gpu.tune([Fake(self.x), Fake(self.packed.blob), Fake(self.b)], [Fake(self.y)],
                 replays=2)
        with sqlite3.connect(store) as known:
            sizes = {row for row, in known.execute("SELECT sizes FROM time")}
        self.assertEqual(sizes, {"7"})
        copies = [[Fake(self.x), Fake(aligned(self.packed.blob.nbytes)), Fake(self.b)]
                  for _ in range(2)]
        gpu.tune([Fake(self.x), Fake(self.packed.blob), Fake(self.b)], [Fake(self.y)],
                 replays=1, others=copies)
        copies[1][0] = Fake(self.x[:3])
        with self.assertRaisesRegex(sf.Error, "result y|result 0|expected calls of the same"):
            gpu.tune([Fake(self.x), Fake(self.packed.blob), Fake(self.b)], [Fake(self.y)],
                     others=copies)
        with self.assertRaisesRegex(sf.Error, "2 were given"):
            gpu.tune([Fake(self.x), Fake(self.packed.blob)], [Fake(self.y)])

    def test_an_empty_batch_launches_nothing(self):
        self.x, self.y = self.x[:0], self.y[:0]
        self.function.launch(self.arguments(), [Fake(self.y)])

    def test_refuses(self):
        small = np.zeros(self.packed.blob.nbytes - 4608, np.uint8)
        turned = np.zeros((64, 7), np.float16).T
        host = FakeTorch(self.x)
        host.is_cuda, host.device = False, "cpu"
        a = self.arguments()
        for arguments, text in (
                ([a[0], Fake(self.packed.unpack()), a[2]], "bytes of a packed matrix"),
                ([a[0], Fake(small), a[2]], "4608|bytes"),
                ([Fake(turned, strides=turned.strides), a[1], a[2]], "row-major"),
                ([Fake(self.x.astype(np.float32)), a[1], a[2]], "found f32"),
                ([host, a[1], a[2]], "move it with"),
                ([self.x.tolist(), a[1], a[2]], "found list"),
                (a[:2], "2 were given"),
                ([Fake(self.x.astype(np.int64)), a[1], a[2]], "found i64"),
                ([Fake(self.x.astype(np.complex64)), a[1], a[2]], "element type <c8")):
            with self.assertRaisesRegex(sf.Error, text):
                self.launch(arguments)
        with self.assertRaisesRegex(sf.Error, r"found f16 \[6, 128\]"):
            self.launch(result=Fake(self.y[:6]))
        with self.assertRaisesRegex(sf.Error, "overlap"):
            self.launch([a[0], a[1], Fake(self.y[0])])

    def test_eight_threads(self):
        failures = []

        def body():
            try:
                for _ in range(20):
                    y = np.zeros_like(self.y)
                    self.launch(result=Fake(y))
            except Exception as error:  # pylint: disable=broad-except
                failures.append(error)
        threads = [threading.Thread(target=body) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_dlpack(self):
        def make(array):
            return FakeDlpack(array, code=1 if array.dtype == np.uint8 else 2)
        self.launch([make(self.x), make(self.packed.blob), make(self.b)],
                    make(self.y))
        self.launch([FakeDlpack(self.x, strides=(64, 1)), *self.arguments()[1:]])
        with self.assertRaisesRegex(sf.Error, "row-major"):
            self.launch([FakeDlpack(self.x, strides=(1, 7)), *self.arguments()[1:]])
        with self.assertRaisesRegex(sf.Error, r"element type \(5, 16\)"):
            self.launch([FakeDlpack(self.x, code=5), *self.arguments()[1:]])

    def test_a_cache_grows_in_place(self):
        function = compile_layer(self.folder, program=GROW).on_gpu()
        # Two pages of 64 keys and 64 features, a scale a token.
        pages = aligned(2 * 2 * (1024 + 256)).reshape(1, 2, 2, 1280)
        tokens = np.zeros((1, 2, 3, 64), np.float16)
        lengths = np.zeros(1, np.int32)
        arguments = [Fake(pages), Fake(tokens), Fake(lengths)]
        self.assertEqual(function.spec["results"][0]["updates"], 0)
        function.launch(arguments, arguments[:1])
        with self.assertRaisesRegex(sf.Error, "updated in place"):
            function.launch(arguments, [Fake(aligned(pages.nbytes))])
        with self.assertRaisesRegex(sf.Error, r"found \[2, 2, 3, 64\]"):
            function.launch([arguments[0], Fake(np.zeros((2, 2, 3, 64), np.float16)),
                             arguments[2]], arguments[:1])

    def test_one_launch_for_all_modes(self):
        modes = sf.AttentionModes(compile_layer(self.folder, program=MODES), "step")
        self.assertEqual(list(modes.functions), ["full_precision", "e4m3"])
        q, y = (Fake(np.zeros((1, 4, 1, 64), np.float16)) for _ in range(2))
        full = Fake(np.zeros((1, 2, 128, 64), np.float16))
        pages = Fake(aligned(2 * 2 * (4096 + 128)).reshape(1, 2, 2, 4224))
        operands = {"full_precision": ([q, full, full], [y]), "e4m3": ([q, pages, pages], [y])}
        space = Fake(aligned(max(function.workspace_size({"T": 1, "T1": 128}) for function in
                                 modes.functions.values())))
        sizes = {"query_heads": 4, "key_heads": 2, "features": 64, "capacity": 128}
        policy = {"format": "sparseflow-mode-policy", "version": 1, "max_error": 0.1,
                  "errors": {"e4m3": 0.03}}
        small = {**policy, "memory_budget": 2 * 2 * 2 * 4224}
        for given, taken, expected in ((policy, operands, "full_precision"),
                                       (small, operands, "e4m3"),
                                       (policy, {"e4m3": operands["e4m3"]}, "e4m3")):
            self.assertEqual(modes.launch(given, taken, space, **sizes), expected)
        for call, text in (
                (lambda: modes.launch(small, {"full_precision": operands["full_precision"]},
                                      space, **sizes), "no mode is left.*e4m3 is not compiled"),
                (lambda: modes.launch(policy, {"int8": operands["e4m3"]}, space, **sizes),
                 "expected operands of modes among full_precision, e4m3, found int8"),
                (lambda: sf.AttentionModes(modes.functions["e4m3"].bundle, "other"),
                 "expected one of the functions other.full_precision, .*found step.full")):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                call()

    def test_dlpack_of_host_memory_is_refused(self):
        class Host:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self):
                return self.array.__dlpack__()
        with self.assertRaisesRegex(sf.Error, "DLPack device type 1"):
            self.launch([Host(self.x), *self.arguments()[1:]])


if __name__ == "__main__":
    unittest.main()

# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX files that are converted, and called by ONNX Runtime where it is there."""

import json
import math
import os
import struct
import unittest

import numpy as np

import sparseflow as sf
from sparseflow import onnx
from sparseflow.onnx import graph
from sparseflow.onnx.wire import Message
from support import FolderTest, compile_layer

try:
    import onnxruntime
except ImportError:
    onnxruntime = None

FUNCTIONS = {
    "none": lambda z: z,
    "relu": lambda z: np.maximum(z, 0),
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "tanh": np.tanh,
    "silu": lambda z: z / (1 + np.exp(-z)),
    "gelu": lambda z: z * (1 + np.vectorize(math.erf, otypes=[float])(z / 2 ** 0.5)) / 2,
    "gelu_tanh": lambda z: z / 2 * (1 + np.tanh((2 / np.pi) ** 0.5 *
                                                (z + 0.044715 * z ** 3))),
}


class Graph:
    """A model that is written node by node: x [.., K] to y."""

    def __init__(self, dtype=np.float32):
        self.dtype, self.nodes, self.tensors = dtype, [], []

    def constant(self, name, array):
        self.tensors.append(graph.tensor(name, np.asarray(array, self.dtype)))
        return name

    def add(self, op, *inputs, domain="", **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(graph.node(op, inputs, [name], f"n{len(self.nodes)}", domain,
                                     **attributes))
        return name

    def erf_gelu(self, y, order):
        """What exporters write for gelu."""
        scale = self.add("Div", y, self.constant("root", 2 ** 0.5)) if order else \
            self.add("Mul", self.constant("root", 0.5 ** 0.5), y)
        erf = self.add("Erf", scale)
        if order:
            plus = self.add("Add", erf, self.constant("one", 1))
            return self.add("Mul", self.add("Mul", y, plus), self.constant("half", 0.5))
        half = self.add("Mul", y, self.constant("half", 0.5))
        return self.add("Mul", half, self.add("Add", self.constant("one", 1), erf))

    def write(self, path, y, shape, opsets=None):
        result = self.nodes + [graph.node("Identity", [y], ["y"])]
        made = graph.model(graph.graph(
            "g", result, [graph.value("x", self.dtype, shape)],
            [graph.value("y", self.dtype, [f"y{i}" for i in range(len(shape))])],
            self.tensors), opsets or {"": 20})
        with open(path, "wb") as file:
            file.write(bytes(made))
        return path


class Wire(unittest.TestCase):
    def test_what_is_not_known_is_kept(self):
        message = Message().add(1, 7).add(300, "text").add(2, 1.5).add(4, b"\x00" * 200)
        message.fields.append((9, 1, struct.pack("<d", 0.5)))
        message.add(1, -1)
        data = bytes(message)
        again = Message(data)
        self.assertEqual(bytes(again), data)
        self.assertEqual(again.integers(1), [7, -1])
        self.assertEqual(again.text(300), "text")
        self.assertEqual(again.float32(2, 0.0), 1.5)
        again.replace(1, [b"a", b"b"])
        self.assertEqual([bytes(v) for v in again.all(1)], [b"a", b"b"])

    def test_damaged_files_are_errors(self):
        data = bytes(Message().add(1, "abc").add(2, 1 << 40))
        for size in range(1, len(data)):
            try:
                Message(data[:size])
            except sf.Error as error:
                self.assertIn("expected a protocol buffer", str(error))

    def test_packed_numbers(self):
        self.assertEqual(Message(b"\x0a\x03\x01\x80\x01").integers(1), [1, 128])


class Convert(FolderTest):
    """The converter alone."""

    def product(self, n=8, k=12, seed=0):
        rng = np.random.default_rng(seed)
        return rng.uniform(-1, 1, (n, k)).astype(np.float32), rng.uniform(-1, 1, n)

    def test_reasons(self):
        w, b = self.product()
        g = Graph()
        weight = g.constant("w", w.T)
        g.constant("odd", np.ones((10, 8)))
        g.constant("whole", np.ones((2, 12, 8)))
        g.tensors.append(graph.tensor("numbers", np.ones((12, 8), np.int32)))
        g.add("MatMul", "x", weight)
        g.add("MatMul", "x", "x")
        g.add("MatMul", "x", "odd")
        g.add("MatMul", "x", "whole")
        g.add("MatMul", "x", "numbers")
        g.add("Gemm", "x", weight, transA=1)
        g.add("Gemm", "x", weight, "x")
        y = g.add("MatMul", "x", weight)
        path = g.write(self.path("g.onnx"), y, ["T", 12])
        report = onnx.convert(path, self.path("out.onnx"), exclude="n7")
        text = str(report)
        for line in ("n0 [8, 12]: to 2:4, ", "n7 [8, 12]: left, excluded",
                     "n1: left, its second input is computed",
                     "n2 [8, 10]: left, 2:4 weights need a multiple of 4 in features, found 10",
                     "n3: left, its weight is no matrix: [2, 12, 8]",
                     "n4: left, its weight is of type 6 of ONNX, not f32 or f16",
                     "n5: left, its first input is transposed",
                     "n6: left, what it adds is no constant for each feature"):
            self.assertIn(line, text)
        with self.assertRaisesRegex(sf.Error, "expected a product to convert, found none"):
            onnx.convert(path, self.path("none.onnx"), include="nothing")
        self.assertFalse(os.path.exists(self.path("none.onnx")))

    def test_errors(self):
        w, _ = self.product()
        g = Graph()
        y = g.add("Gemm", "x", g.constant("w", w), g.constant("b", np.full(8, 1e6)), transB=1)
        path = g.write(self.path("g.onnx"), y, ["T", 12])
        for text, options in (
                ("expected the format 2:4 or ternary, found int4", {"format": "int4"}),
                ("expected activations of i8 or f16, found i4", {"activations": "i4"}),
                ("a layout is chosen for ternary weights", {"layout": "tern.v1"}),
                ("b: expected a bias that f16 can hold", {}),
                ("expected at most 2 non-zeros in the 4 columns", {"prune": False})):
            with self.assertRaisesRegex(sf.Error, text):
                onnx.convert(path, self.path("out.onnx"), **options)
        self.assertEqual(sorted(os.listdir(self.folder))[0], "g.onnx")
        with open(path, "wb") as file:
            file.write(b"\x08\x08")
        with self.assertRaisesRegex(sf.Error, "expected an ONNX model, found no graph"):
            onnx.convert(path, self.path("out.onnx"))

    def test_data_beside_the_file(self):
        w, _ = self.product()
        g = Graph()
        held = Message().add(1, 12).add(1, 8).add(2, graph.FLOAT).add(8, "w").add(14, 1)
        for key, value in (("location", "w.bin"), ("offset", "4"), ("length", "384")):
            held.add(13, Message().add(1, key).add(2, value))
        g.tensors.append(held)
        path = g.write(self.path("g.onnx"), g.add("MatMul", "x", "w"), ["T", 12])
        with self.assertRaisesRegex(sf.Error, "w: cannot read the data beside the model"):
            onnx.convert(path, self.path("out.onnx"))
        with open(self.path("w.bin"), "wb") as file:
            file.write(b"skip" + np.ascontiguousarray(w.T).tobytes())
        onnx.convert(path, self.path("out.onnx"))
        out = graph.Model(self.path("out.onnx"))
        call, = [node for node in out.nodes if node.op == "Call"]
        packed = sf.PackedMatrix(out.constant(call.inputs[1]), (8, 12))
        np.testing.assert_array_equal(packed.unpack(), sf.pack(w).unpack())

    def test_a_weight_in_two_products_is_packed_once(self):
        w, _ = self.product(12, 12)
        g = Graph()
        weight = g.constant("w", w.T)
        y = g.add("MatMul", g.add("Relu", g.add("MatMul", "x", weight)), weight)
        path = g.write(self.path("g.onnx"), y, ["T", 12])
        onnx.convert(path, self.path("out.onnx"))
        out = graph.Model(self.path("out.onnx"))
        ops = [node.op for node in out.nodes]
        # The second product takes the first one's f16 as it is.
        self.assertEqual(ops, ["Cast", "Call", "Call", "Cast", "Identity"])
        self.assertEqual(len({node.inputs[1] for node in out.nodes if node.op == "Call"}), 1)
        self.assertIsNone(out.shape("w"))


@unittest.skipUnless(onnxruntime, "ONNX Runtime is missing")
class Run(FolderTest):
    """Calls in ONNX Runtime, on the CPU but for the last tests."""

    def setUp(self):
        super().setUp()
        self.out = self.path("out.onnx")

    def session(self, device="cpu", **options):
        quiet = onnxruntime.SessionOptions()
        quiet.log_severity_level = 4
        return onnxruntime.InferenceSession(
            self.out, onnx.session_options(self.out, device=device, options=quiet, **options),
            providers=["CPUExecutionProvider"])

    def call(self, x, **options):
        return self.session(**options).run(None, {"x": x})[0]

    def refused(self, text, **options):
        with self.assertRaisesRegex(Exception, text):
            self.call(np.zeros((3, 12), np.float32), **options)

    def layer(self, activation="none", gemm=False, bias=True, n=17, k=36, dtype=np.float32,
              factor=1.0, shape=("T",), seed=0):
        """Writes a layer to g.onnx; its weight [N, K] and bias."""
        rng = np.random.default_rng(seed)
        w = rng.uniform(-1, 1, (n, k)).astype(np.float16)
        b = rng.uniform(-1, 1, n).astype(np.float16) if bias else np.zeros(n, np.float16)
        g = Graph(dtype)
        if gemm:
            y = g.add("Gemm", "x", g.constant("w", w), *([g.constant("b", b)] if bias else []),
                      transB=1, alpha=factor, beta=0.5)
            b = b * np.float16(0.5)
        else:
            y = g.add("MatMul", "x", g.constant("w", w.T))
            if bias:
                y = g.add("Add", g.constant("b", b), y)
        name, order = activation.rstrip("0123456789"), activation[-1:]
        if name == "silu":
            y = g.add("Mul", y, g.add("Sigmoid", y))
        elif name == "gelu" and order.isdigit():
            y = g.erf_gelu(y, int(order))
        elif name == "gelu":
            y = g.add("Gelu", y)
        elif name == "gelu_tanh":
            y = g.add("Gelu", y, approximate="tanh")
        elif name != "none":
            y = g.add(name.capitalize(), y)
        g.write(self.path("g.onnx"), y, [*shape, k])
        return w.astype(np.float32) * np.float32(factor), b, name

    def check(self, x, w, b, name, packed=None):
        """One element may be off by f16's rounding and the sum's."""
        found = self.call(x)
        held = sf.pack(w).unpack().astype(np.float64) if packed is None else packed
        rounded = x.astype(np.float16).astype(np.float64)
        exact = FUNCTIONS[name](rounded @ held.T + b.astype(np.float64))
        self.assertEqual(found.shape, exact.shape)
        self.assertEqual(found.dtype, x.dtype)
        size = np.abs(rounded) @ np.abs(held).T + np.abs(b.astype(np.float64))
        bound = np.abs(exact) * 2.0 ** -10 + size * w.shape[1] * 2.0 ** -23 + 2.0 ** -20
        worst = (np.abs(found - exact) / bound).max(initial=0)
        self.assertLessEqual(worst, 1)

    def test_activations_and_orders(self):
        rng = np.random.default_rng(1)
        for activation in ("none", "relu", "sigmoid", "tanh", "silu", "gelu0", "gelu1", "gelu",
                           "gelu_tanh"):
            for gemm in (False, True):
                with self.subTest(activation=activation, gemm=gemm):
                    w, b, name = self.layer(activation, gemm, factor=0.75 if gemm else 1.0)
                    report = onnx.convert(self.path("g.onnx"), self.out)
                    self.assertIn(f"bias and {name}" if name != "none" else "with bias",
                                  str(report))
                    left = [node.op for node in graph.Model(self.out).nodes]
                    self.assertEqual(left, ["Cast", "Call", "Cast", "Identity"])
                    self.check(rng.uniform(-2, 2, (5, 36)).astype(np.float32), w, b, name)

    def test_shapes_and_types(self):
        rng = np.random.default_rng(2)
        for dtype in (np.float32, np.float16):
            w, b, name = self.layer(dtype=dtype, shape=("A", "B"), n=1, k=4)
            onnx.convert(self.path("g.onnx"), self.out)
            for leading in ((1, 1), (2, 3), (0, 3), (3, 0)):
                self.check(rng.uniform(-1, 1, (*leading, 4)).astype(dtype), w, b, name)

    def test_special_numbers(self):
        w, b, _ = self.layer(bias=False, n=5, k=8)
        onnx.convert(self.path("g.onnx"), self.out)
        x = np.zeros((6, 8), np.float32)
        x[0] = -0.0
        x[1, 0], x[2, 3], x[3, 1] = np.nan, np.inf, 2.0 ** -24
        x[4, :2] = np.inf, -np.inf
        x[5] = 1e6
        found, held = self.call(x), sf.pack(w).unpack().astype(np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            # What is pruned is a zero, which an infinity or a NaN meets as any other.
            exact = x.astype(np.float16).astype(np.float32) @ held.T
        np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
        np.testing.assert_array_equal(np.isinf(found), np.isinf(exact))
        np.testing.assert_array_equal(found[0], 0)
        np.testing.assert_array_equal(found[3], exact[3].astype(np.float16))

    def test_ternary(self):
        rng = np.random.default_rng(3)
        for layout in ("tern.v1", "tern24.v1"):
            for activations in ("i8", "f16"):
                w, b, name = self.layer("gelu1", n=19, k=68)
                report = onnx.convert(self.path("g.onnx"), self.out, "ternary", layout=layout,
                                      activations=activations,
                                      bundles=self.path(layout + activations))
                matrix = sf.pack_ternary(w, "f16", layout)
                x = rng.uniform(-1, 1, (7, 68)).astype(np.float32)
                found = self.session(bundles=report.bundles).run(None, {"x": x})[0]
                bundle = sf.Bundle(os.path.join(report.bundles,
                                                os.listdir(report.bundles)[0]))
                expected = bundle.evaluate({"x": x.astype(np.float16), "w": matrix,
                                            "bias": b}).astype(np.float32)
                # Sums of integers are exact; erf differs in its last bits.
                np.testing.assert_allclose(found, expected, rtol=2 ** -10, atol=1e-5)

    def test_threads(self):
        import threading
        w, b, name = self.layer()
        onnx.convert(self.path("g.onnx"), self.out)
        session, rng = self.session(), np.random.default_rng(4)
        inputs = [rng.uniform(-1, 1, (t, 36)).astype(np.float32) for t in (1, 9, 33, 2)]
        expected = [session.run(None, {"x": x})[0] for x in inputs]
        wrong = []

        def work(x, y):
            for _ in range(5):
                if not np.array_equal(session.run(None, {"x": x})[0], y):
                    wrong.append(x.shape)
        threads = [threading.Thread(target=work, args=a) for a in zip(inputs, expected)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def write_call(self, inputs, bundle="b", tensors=()):
        """A model of one call."""
        y = [graph.node("Cast", ["x"], ["h"], to=graph.FLOAT16),
             graph.node("Call", inputs, ["c"], "c", "sparseflow", bundle=bundle),
             graph.node("Cast", ["c"], ["y"], to=graph.FLOAT)]
        made = graph.model(graph.graph(
            "g", y, [graph.value("x", np.float32, ["T", 12])],
            [graph.value("y", np.float32, ["T", 8])], list(tensors)),
            {"": 17, "sparseflow": 1})
        with open(self.out, "wb") as file:
            file.write(bytes(made))

    def write_manifest(self, change):
        form = sf.forms.Form("linear", "2:4", 8, 12, "f16").function()
        change(form)
        os.makedirs(self.out + ".bundles/b", exist_ok=True)
        with open(self.out + ".bundles/b/manifest.json", "w", encoding="utf-8") as file:
            json.dump({"format": "sparseflow-bundle", "version": 1, "functions": [form]}, file)

    def test_what_a_node_must_have(self):
        packed = sf.pack(np.ones((8, 12), np.float32)).blob
        good = graph.tensor("w", packed)
        self.write_call(["h", "w"], tensors=[good])
        self.refused("cannot open|No such file|no bundle|manifest.json")
        self.write_manifest(lambda form: None)
        self.assertEqual(self.call(np.ones((2, 12), np.float32))[1, 7], 6)
        self.write_call(["h", "h"])
        self.refused("expected the bytes of a packed weight as an initializer, found a tensor "
                     "that is computed")
        self.write_call(["h", "w"], tensors=[graph.tensor("w", packed[:-1])])
        self.refused("expected the .* bytes of a packed weight, uint8, found a tensor")
        damaged = packed.copy()
        damaged[-16:] = 0
        self.write_call(["h", "w"], tensors=[graph.tensor("w", damaged)])
        self.refused("input 1, 'w': ")
        self.write_call(["h", "w", "h"], tensors=[good])
        self.refused("expected a node with 2 inputs, the function's arguments, found 3")
        self.write_call(["x", "w"], tensors=[good])
        self.refused("input 0, 'x': expected f16 .T, 12., or more leading sizes, found a "
                     "tensor of type 1 and sizes 3x12")

    def test_what_a_function_must_be(self):
        self.write_call(["h", "w"], tensors=[
            graph.tensor("w", sf.pack(np.ones((8, 12), np.float32)).blob)])
        self.write_manifest(lambda form: form["results"][0].update(dtype="f32"))
        self.refused("expected arguments without caches and one result of f16, which is what "
                     "the operator can call")
        self.write_manifest(lambda form: form.pop("reference"))
        self.refused("the manifest has no reference graph, which is what the CPU evaluates")

    def test_what_the_options_must_say(self):
        self.layer()
        onnx.convert(self.path("g.onnx"), self.out)
        self.refused("sparseflow.device: expected auto, cpu, gpu or gpu:NUMBER, found 'gpu:x'",
                     device="gpu:x")
        options = onnxruntime.SessionOptions()
        options.register_custom_ops_library(onnx.library_path())
        with self.assertRaisesRegex(Exception, "the session's options have no entry "
                                    "sparseflow.bundles: before the library"):
            onnxruntime.InferenceSession(self.out, options)
        with self.assertRaisesRegex(sf.Error, "expected the path of a model, or of its folder"):
            onnx.session_options()

    @unittest.skipUnless(os.environ.get("SPARSEFLOW_LIBCUDA"), "no fake driver is named")
    def test_a_gpu_whose_kernels_do_nothing(self):
        self.layer()
        onnx.convert(self.path("g.onnx"), self.out)
        with self.assertRaisesRegex(Exception, "has code for no GPU, but the device is sm_90"):
            self.session("gpu")
        # Its kernels write nothing: what counts is that all calls before and behind work.
        compile_layer(self.path(""))
        onnx.convert(self.path("g.onnx"), self.out, targets="sm_90")
        for device in ("gpu", "gpu:0", "auto"):
            session = self.session(device)
            for tokens in (1, 200, 0, 3):
                found = session.run(None, {"x": np.ones((tokens, 36), np.float32)})[0]
                self.assertEqual(found.shape, (tokens, 17))


class Without(FolderTest):
    """What is missing is named."""

    @unittest.skipIf(onnxruntime, "ONNX Runtime is there")
    def test_onnx_runtime(self):
        with self.assertRaisesRegex(sf.Error, "ONNX Runtime is not there: .*; install the "
                                    "Python package onnxruntime"):
            onnx.session_options("m.onnx")

    def test_the_library(self):
        before = {name: os.environ.pop(name, None)
                  for name in ("SPARSEFLOW_ONNXRUNTIME", "SPARSEFLOW_COMMAND")}
        path, os.environ["PATH"] = os.environ["PATH"], self.folder
        try:
            with self.assertRaisesRegex(sf.Error, "libsparseflow_onnxruntime.so is not there: "
                                        "put the folder of the sparseflow command on PATH"):
                onnx.library_path()
        finally:
            os.environ["PATH"] = path
            os.environ.update({k: v for k, v in before.items() if v is not None})
        os.environ["SPARSEFLOW_ONNXRUNTIME"] = "/named.so"
        self.addCleanup(os.environ.pop, "SPARSEFLOW_ONNXRUNTIME")
        self.assertEqual(onnx.library_path(), "/named.so")


if __name__ == "__main__":
    unittest.main()

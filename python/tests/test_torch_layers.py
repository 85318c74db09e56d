# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of sparseflow.torch: on the GPU where there is one, else on the CPU."""

import copy
import io
import unittest

import numpy as np

import sparseflow as sf

try:
    import torch
    from torch import nn

    import sparseflow.torch as st
    from sparseflow.torch import ops
except (ImportError, sf.Error):
    torch = None

DEVICE = "cuda" if torch and torch.cuda.is_available() else "cpu"
EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7}

if torch:
    EXACT = {
        "none": lambda z: z, "relu": torch.relu, "tanh": torch.tanh,
        "sigmoid": torch.sigmoid, "silu": nn.functional.silu, "gelu": nn.functional.gelu,
        "gelu_tanh": lambda z: nn.functional.gelu(z, approximate="tanh"),
        "squared_relu": lambda z: torch.relu(z) ** 2,
    }
    # (class, arguments of from_linear, N, K, dtype)
    CASES = [
        *((st.SparseLinear, {"activation": name}, 24, 64, torch.float16) for name in EXACT),
        (st.SparseLinear, {}, 1, 4, torch.bfloat16),
        (st.SparseLinear, {"activation": "silu"}, 77, 132, torch.bfloat16),
        (st.TernaryLinear, {}, 48, 96, torch.bfloat16),
        (st.TernaryLinear, {"activation": "gelu"}, 33, 100, torch.float16),
        (st.TernaryLinear, {"activations": "f16", "scale": 32, "planes": 2}, 40, 128,
         torch.float16),
        (st.TernaryLinear, {"activations": "f16", "scale": "tensor", "method": "absmean"},
         40, 64, torch.bfloat16),
        (st.TernaryLinear, {"layout": "tern24.v1"}, 40, 256, torch.bfloat16),
        (st.TernaryLinear, {"layout": "tern24.v1", "activations": "f16"}, 64, 64,
         torch.float16),
    ]


def quantized(x):
    """Activations of 8 bits with a scale for each token, as float64."""
    x = x.float()
    most = x.abs().amax(-1, keepdim=True).clamp(min=1e-5)
    # torch divides a number by a tensor as a product with its reciprocal.
    steps = torch.full_like(most, 127) / most
    return (x * steps).round().clamp(-127, 127).double() * (most / 127).double()


def weights(layer):
    """What the packed bytes stand for, as float64."""
    held = ops.matrix(layer.packed.cpu(), layer.form)
    exact = held.values() if isinstance(held, sf.PackedMatrix) else held.values(np.float64)
    return torch.from_numpy(exact).double().to(DEVICE)


def linear(n, k, bias=True, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(k, n, bias)
    nn.init.uniform_(layer.weight, -1, 1)
    return layer.to(DEVICE)


def poison():
    """Leaves NaN where torch allocates next."""
    if DEVICE == "cuda":
        torch.full((1 << 22,), float("nan"), device=DEVICE)


def close(test, found, exact, magnitude, dtype, times=1.0):
    """`magnitude`: sums of absolute products, of which f32 sums lose 2^-21."""
    bound = times * (EPSILON[ops.NAMES[dtype]] * exact.abs() + magnitude * 2.0**-21 + 1e-6)
    error = (found.double() - exact).abs()
    test.assertTrue(bool((error <= bound).all()), f"{error.max()} of {bound.max()}")


@unittest.skipUnless(torch, "no torch")
class Layers(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def expected(self, layer, x, bias):
        """(y, sums of absolute products) in float64."""
        dense = weights(layer)
        rows = quantized(x.to(layer.dtype)) if layer.form.int8 else x.to(layer.dtype).double()
        z, magnitude = rows @ dense.t(), rows.abs() @ dense.abs().t()
        if bias is not None:
            z = z + bias.to(layer.dtype).double()
            magnitude = magnitude + bias.abs().double()
        return EXACT[layer.form.activation](z), magnitude * (1 + z.abs())

    def test_numbers(self):
        for kind, options, n, k, dtype in CASES:
            for tokens in ((1,), (3, 5), (67,)):
                source = linear(n, k, bias=n % 2 == 0, seed=k)
                layer = kind.from_linear(source, dtype=dtype, **options)
                x = torch.randn(*tokens, k, device=DEVICE).to(dtype)
                poison()
                y = layer(x)
                with self.subTest(layer=str(layer), tokens=tokens):
                    self.assertEqual((y.dtype, y.shape), (dtype, (*tokens, n)))
                    close(self, y, *self.expected(layer, x, source.bias), dtype)

    def test_weights(self):
        """What is multiplied with are the weights that packing means."""
        source = linear(24, 64)
        kept = st.SparseLinear.from_linear(source).to_dense().cpu().float().numpy()
        groups = source.weight.detach().half().cpu().numpy().reshape(-1, 4)
        order = np.argsort(-abs(groups), axis=1)
        expected = groups.copy()
        np.put_along_axis(expected, order[:, 2:], 0, axis=1)
        np.testing.assert_array_equal(kept, expected.reshape(24, 64))
        layer = st.TernaryLinear.from_linear(source, scale=32, planes=2, activations="f16")
        packed = sf.pack_ternary(source.weight.detach().cpu().numpy(), "bf16", scale=32,
                                 planes=2)
        # Two planes of scales that are not of the type: exact but for one rounding.
        np.testing.assert_allclose(layer.to_dense().cpu().float().numpy(), packed.values(),
                                   rtol=2**-8)
        self.assertAlmostEqual(layer.report["relative_error"],
                               packed.report["relative_error"])

    def test_values_that_are_no_numbers(self):
        layer = st.SparseLinear.from_linear(linear(24, 64))
        x = torch.randn(5, 64, device=DEVICE).half()
        clean = layer(x)
        x[1, 3], x[3, 5] = float("nan"), float("inf")
        found = layer(x)
        self.assertTrue(torch.equal(found[0::2], clean[0::2]))
        self.assertTrue(bool(found[1].isnan().any()))
        self.assertFalse(bool(found[3].isfinite().all()))
        self.assertEqual(layer(x[:0]).shape, (0, 24))
        self.assertEqual(layer(x[:0, None]).shape, (0, 1, 24))

    def test_memory(self):
        """Slices and transposes mean what they mean."""
        layer = st.SparseLinear.from_linear(linear(24, 64))
        x = torch.randn(64, 9, device=DEVICE).half()
        self.assertTrue(torch.equal(layer(x.t()), layer(x.t().contiguous())))
        wide = torch.randn(9, 65, device=DEVICE).half()
        self.assertTrue(torch.equal(layer(wide[:, 1:]), layer(wide[:, 1:].contiguous())))

    def test_gradients(self):
        for kind, options, n, k, dtype in CASES:
            source = linear(n, k, bias=n % 2 == 0, seed=n)
            layer = kind.from_linear(source, dtype=dtype, **options)
            if layer.bias is not None:
                layer.bias.requires_grad_()
            x = torch.randn(7, k, device=DEVICE).to(dtype).requires_grad_()
            pull = torch.randn(7, n, device=DEVICE).to(dtype)
            layer(x).backward(pull)
            exact = x.detach().double().requires_grad_()
            bias = None if layer.bias is None else \
                layer.bias.detach().double().requires_grad_()
            z = nn.functional.linear(exact, weights(layer), bias)
            EXACT[layer.form.activation](z).backward(pull.double())
            # Of activations of 8 bits the gradient is that of the rounded ones.
            bound = 2.0**-5 if layer.form.int8 else 8 * EPSILON[layer.form.dtype]
            with self.subTest(layer=str(layer)):
                for found, right in ((x.grad, exact.grad), *(
                        [(layer.bias.grad, bias.grad)] if bias is not None else [])):
                    self.assertLessEqual((found - right).norm(), bound * right.norm())

    def test_gated(self):
        for kind, options in ((st.SparseLinear, {}), (st.TernaryLinear, {})):
            parts = [kind.from_linear(linear(24, 64, False, seed), dtype=torch.bfloat16,
                                      **options) for seed in (1, 2)]
            fused = st.GatedLinear(*parts, "silu")
            x = torch.randn(5, 64, device=DEVICE).bfloat16().requires_grad_()
            poison()
            found = fused(x)
            z, u = (p(x.detach()).double() for p in parts)
            # Two roundings, of u and of the result; z is not rounded here.
            exact = nn.functional.silu(z) * u
            close(self, found.detach(), exact, exact.abs() + z.abs() * u.abs() * 2**13,
                  torch.bfloat16, 3)
            found.backward(torch.ones_like(found))
            alone = x.detach().clone().requires_grad_()
            (nn.functional.silu(parts[0](alone)) * parts[1](alone)).backward(
                torch.ones_like(found))
            self.assertLess((x.grad - alone.grad).abs().max(),
                            2**-5 * alone.grad.abs().max())

    def test_operators(self):
        """torch's own checks: schema, fake kernels, autograd, compiled with dynamic
        shapes."""
        sparse = st.SparseLinear.from_linear(linear(24, 64))
        other = st.SparseLinear.from_linear(linear(24, 64, False))
        x = torch.randn(3, 5, 64, device=DEVICE).half()
        q = torch.randn(2, 3, 5, 16, device=DEVICE).half()
        swapped = torch.randn(2, 5, 3, 16, device=DEVICE).half().transpose(1, 2)
        gated = st.GatedLinear(other, other, "relu")
        for call, arguments in (
                (ops.linear, (x, sparse.packed, sparse.bias, str(sparse.form))),
                (ops.linear, (x.clone().requires_grad_(), other.packed, None,
                              str(other.form))),
                (ops.gated, (x, gated.gate, gated.up, str(gated.form))),
                (ops.transposed, (other.packed, str(other.form))),
                (ops.attention, (q, q, q, True, 0.25)),
                (ops.attention, (swapped, q, swapped, False, 0.25))):
            with self.subTest(op=str(call)):
                torch.library.opcheck(call, arguments)

    def test_compiled(self):
        source = linear(24, 64)
        for layer in (st.SparseLinear.from_linear(source, activation="gelu"),
                      st.TernaryLinear.from_linear(source)):
            compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
            for tokens in (3, 5, 9):
                x = torch.randn(tokens, 64, device=DEVICE).to(layer.dtype)
                one, two = x.clone().requires_grad_(), x.clone().requires_grad_()
                y, z = layer(one), compiled(two)
                self.assertTrue(torch.equal(y, z))
                y.square().sum().backward()
                z.square().sum().backward()
                self.assertTrue(torch.allclose(one.grad.float(), two.grad.float(), rtol=1e-2,
                                               atol=1e-2))

    def test_exported(self):
        layer = nn.Sequential(st.SparseLinear.from_linear(linear(24, 64)), nn.ReLU())
        x = torch.randn(6, 64, device=DEVICE).half()
        program = torch.export.export(
            layer, (x,), dynamic_shapes=({0: torch.export.Dim("T", min=2, max=64)},))
        file = io.BytesIO()
        torch.export.save(program, file)
        file.seek(0)
        again = torch.export.load(file).module()
        self.assertTrue(torch.equal(again(x), layer(x)))
        self.assertTrue(torch.equal(again(x[:3]), layer(x[:3])))
        self.assertIn(ops.linear, [node.target for node in program.graph.nodes])

    def test_copies(self):
        source = linear(24, 64)
        x = torch.randn(5, 64, device=DEVICE)
        for layer, new in (
                (st.SparseLinear.from_linear(source), st.SparseLinear(64, 24)),
                (st.TernaryLinear.from_linear(source), st.TernaryLinear(64, 24)),
                (st.TernaryLinear.from_linear(source, layout="tern24.v1", scale=32,
                                              activations="f16"),
                 st.TernaryLinear(64, 24, layout="tern24.v1", scale=32, activations="f16"))):
            new = new.to(DEVICE)
            self.assertFalse(bool(new(x).any()))
            file = io.BytesIO()
            torch.save(layer.state_dict(), file)
            file.seek(0)
            new.load_state_dict(torch.load(file, weights_only=True))
            for other in (new, copy.deepcopy(layer)):
                self.assertTrue(torch.equal(other(x), layer(x)))
        # A deep copy has memory of its own.
        twin = copy.deepcopy(layer)
        twin.bias.data.zero_()
        self.assertTrue(bool(layer.bias.any()))

    def test_types(self):
        layer = st.SparseLinear.from_linear(linear(24, 64))
        x = torch.randn(5, 64, device=DEVICE)
        self.assertEqual(layer(x).dtype, torch.float32)
        self.assertEqual(layer(x.double()).dtype, torch.float64)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            self.assertEqual(layer(x).dtype, torch.bfloat16)
            self.assertTrue(torch.equal(layer(x), layer(x.half()).bfloat16()))
        self.assertTrue(torch.equal(layer(x), layer(x.half()).float()))
        # .float() and .half() leave the bytes alone, and a bias may be of any type.
        before = layer(x)
        self.assertTrue(torch.equal(layer.float()(x), before))
        self.assertEqual(layer.packed.dtype, torch.uint8)

    def test_inference_mode(self):
        layer = st.SparseLinear.from_linear(linear(24, 64))
        x = torch.randn(5, 64, device=DEVICE).half()
        with torch.inference_mode():
            self.assertTrue(torch.equal(layer(x.clone()), layer(x)))

    @unittest.skipUnless(DEVICE == "cuda", "no GPU")
    def test_captured(self):
        layer = st.SparseLinear.from_linear(linear(24, 64))
        x = torch.randn(5, 64, device=DEVICE).half()
        with torch.no_grad():
            expected, graph = layer(x), torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                y = layer(x)
            other = torch.randn(5, 64, device=DEVICE).half()
            y.fill_(float("nan"))
            x.copy_(other)
            graph.replay()
            self.assertTrue(torch.equal(y, layer(other)))
            self.assertFalse(torch.equal(y, expected))
            # What is not loaded cannot be captured.
            fresh = st.SparseLinear.from_linear(linear(24, 68))
            with self.assertRaisesRegex(sf.Error, "is not loaded on cuda.*call the model"):
                with torch.cuda.graph(torch.cuda.CUDAGraph()):
                    fresh(torch.empty(5, 68, device=DEVICE, dtype=torch.float16))

    @unittest.skipUnless(torch and torch.cuda.device_count() > 1, "no second GPU")
    def test_two_devices(self):
        layer = st.SparseLinear.from_linear(linear(24, 64))
        x = torch.randn(5, 64, device=DEVICE).half()
        there = copy.deepcopy(layer).to("cuda:1")
        self.assertTrue(torch.equal(there(x.to("cuda:1")).cpu(), layer(x).cpu()))

    def test_refuses(self):
        layer = st.SparseLinear.from_linear(linear(24, 64))
        x = torch.randn(5, 64, device=DEVICE).half()
        state = st.TernaryLinear.from_linear(linear(24, 64)).state_dict()
        state["packed"] = layer.packed
        for call, text in (
                (lambda: layer(x[:, :63]), r"expected x \[..., 64\].*found \[5, 63\]"),
                (lambda: layer(x.int()), "expected an x of floats, found torch.int32"),
                (lambda: layer(x.to("meta")), "x is on meta and the weights or bias"),
                (lambda: ops.linear(x, layer.packed, None, str(layer.form)),
                 "form .* and the bias do not fit"),
                (lambda: ops.linear(x, layer.packed.float(), layer.bias, str(layer.form)),
                 "expected the bytes of packed weights"),
                (lambda: layer.load_state_dict(state), "expected the state of a layer"),
                (lambda: st.SparseLinear(64, 24, dtype=torch.float32),
                 "torch.float16 or torch.bfloat16"),
                (lambda: st.SparseLinear(63, 24), "a multiple of 4 in features"),
                (lambda: st.TernaryLinear(64, 24, activations="i4"),
                 "expected activations of i8, f16, found i4"),
                (lambda: st.SparseLinear.from_linear(nn.Linear(64, 24, device="meta")),
                 "on the device meta"),
                (lambda: st.SparseLinear.from_linear(linear(24, 64), prune=False),
                 "2:4")):
            with self.subTest(text=text), self.assertRaisesRegex(sf.Error, text):
                call()
        big = linear(24, 64)
        big.weight.data[3, 5] = 1e6
        with self.assertRaisesRegex(sf.Error, "float16|f16"):
            st.SparseLinear.from_linear(big)


if __name__ == "__main__":
    unittest.main()

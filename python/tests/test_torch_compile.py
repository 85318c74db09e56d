# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="sparseflow"): what runs as a program, and its numbers."""

import tempfile
import unittest
from unittest import mock

import sparseflow as sf
from sparseflow import cpu
from support import compile_layer

try:
    import torch
    from torch import nn
    from torch.nn import functional as F

    import sparseflow.torch as st
    from sparseflow.torch import backend, operators, parts, programs, scalars
    from test_torch_convert import Attention, Model, made
except (ImportError, sf.Error):
    torch = None


def has_library():
    """True where programs can be compiled for the CPU."""
    try:
        return bool(cpu._load())
    except sf.Error:
        return False


def layer(n=64, k=64, seed=0):
    torch.manual_seed(seed)
    return st.SparseLinear.from_linear(nn.Linear(k, n).half())


if torch:
    class Norm(nn.Module):
        """As llamas of Hugging Face write it."""

        def __init__(self, hidden):
            super().__init__()
            self.weight, self.eps = nn.Parameter(torch.rand(hidden) + 0.5), 1e-6

        def forward(self, x):
            wide = x.to(torch.float32)
            wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
            return self.weight * wide.to(x.dtype)

    def rotate(x, cos, sin):
        half = x.shape[-1] // 2
        return x * cos + torch.cat((-x[..., half:], x[..., :half]), dim=-1) * sin

    class LlamaAttention(Attention):
        def forward(self, x, cos, sin):  # pylint: disable=arguments-differ
            b, s, _ = x.shape
            q, k, v = (p(x).view(b, s, -1, self.features).transpose(1, 2)
                       for p in (self.q_proj, self.k_proj, self.v_proj))
            q, k = rotate(q, cos, sin), rotate(k, cos, sin)
            k, v = (t[:, :, None].expand(b, 2, 2, s, self.features)
                    .reshape(b, 4, s, self.features) for t in (k, v))
            o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.o_proj(o.transpose(1, 2).contiguous().reshape(b, s, -1))

    class Llama(nn.Module):
        """Two blocks between an embedding and a dense head."""

        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(50, 64)
            self.attention = nn.ModuleList(LlamaAttention() for _ in range(2))
            self.gates = nn.ModuleList(nn.Linear(64, 64) for _ in range(2))
            self.norms = nn.ModuleList(Norm(64) for _ in range(5))
            self.head = nn.Linear(64, 50, bias=False)

        def forward(self, ids):
            x = self.embed(ids)
            angles = torch.arange(ids.shape[1], device=ids.device)[:, None] * \
                torch.linspace(1, 0.1, 8, dtype=x.dtype, device=ids.device)
            angles = torch.cat((angles, angles), -1)
            for index in range(2):
                x = x + self.attention[index](self.norms[2 * index](x), angles.cos(),
                                              angles.sin())
                x = x + F.silu(self.gates[index](self.norms[2 * index + 1](x)))
            return self.head(self.norms[4](x))


@unittest.skipUnless(torch and has_library(), "no torch, or no libSparseFlow-C.so")
@unittest.skipIf(torch and torch.cuda.is_available(), "programs for the CPU")
class Compile(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def compiled(self, model, **options):
        try:
            torch._inductor.cpp_builder.get_cpp_compiler()
        except torch._inductor.exc.InvalidCxxCompiler:
            self.skipTest("no C++ compiler")
        return torch.compile(model, backend="sparseflow", fullgraph=True, **options)

    def near(self, found, expected, share=2**-8):
        self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape))
        self.assertTrue(found.isfinite().all())
        self.assertLess((found - expected).double().norm(),
                        share * expected.double().norm() + 1e-30)

    def test_model(self):
        """All of a model is one program, for any number of tokens and sequences."""
        ternary = st.Plan([st.Rule("", "ternary", {"activations": "f16"})])
        for plan in ("2:4", ternary):
            torch._dynamo.reset()
            model = made(Model)
            st.convert(model, plan)
            compiled = self.compiled(model)
            with torch.no_grad(), st.CompileReport() as report:
                for shape in ((2, 7, 64), (2, 9, 64), (3, 1, 64), (2, 300, 64)):
                    x = torch.randn(shape).half()
                    self.near(compiled(x), model(x))
            self.assertLessEqual(len(report.graphs), 3)
            for parts in report.graphs:
                self.assertEqual([part.why for part in parts], [""])
                self.assertEqual(parts[0].operators["sparseflow.linear"], 5)

    def test_llama(self):
        model = made(Llama).eval()
        st.convert(model, {"head": None, "": "2:4"})
        compiled = self.compiled(model)
        with torch.no_grad(), st.CompileReport() as report:
            for shape in ((1, 11), (1, 6), (3, 5)):
                ids = torch.randint(0, 50, shape)
                self.near(compiled(ids), model(ids), 2**-7)
            report.measure(compiled, ids)
        for parts in report.graphs:
            one, *left = parts
            self.assertEqual((one.why, one.operators["sparseflow.linear"]), ("", 6))
            self.assertIn(("no form in a program", 1), [
                (part.why, part.operators.get("aten.mm")) for part in left])
        self.assertTrue(0 < report.share < 1)
        self.assertRegex(str(report), r"(?s)graph 0:\n  program: .*of the time in programs")

    def test_dtypes_and_versions(self):
        """bf16; weights that are loaded later; two layers of one program."""
        torch.manual_seed(2)
        layers = [st.SparseLinear.from_linear(nn.Linear(64, 32), torch.bfloat16)
                  for _ in range(2)]
        compiled = [self.compiled(layer) for layer in layers]
        x = torch.randn(5, 64)
        for _ in range(2):
            for layer, call in zip(layers, compiled):
                self.near(call(x), layer(x))
            layers[0].load_state_dict(layers[1].state_dict())
            self.assertTrue(torch.equal(layers[0](x), layers[1](x)))

    def test_elementwise(self):
        """Each operator beside torch's own, of numbers of every kind."""
        special = torch.tensor([0.0, -0.0, 1.0, -1.0, float("inf"), -float("inf"),
                                float("nan"), 6e-8, 65504.0, 3.3]).half()
        a = torch.cat([special, torch.randn(54).half()])[:, None].expand(64, 64)
        a, b = a.contiguous(), a.t().contiguous()
        i, flags = torch.arange(-32, 32), torch.arange(64) % 3 == 0
        model = layer()

        def floats(a, b, i, flags, y):
            # torch's vector code for some CPUs makes NaN of gelu(inf).
            below = torch.minimum(a, torch.full_like(a, 1e4))
            return (a + b, torch.sub(a, b, alpha=3), a * b, a / b, -a, a.abs(),
                    torch.maximum(a, b), torch.minimum(a, b), 2.5 - a, a * 0.1, F.relu(a),
                    F.silu(a), F.gelu(below), F.gelu(a, approximate="tanh"), a.sigmoid(),
                    a.tanh(), a.exp(), a.float().log(), a.abs().sqrt(),
                    a.float().abs().rsqrt(), a.erf(), a.float().cos(), a.float().sin(),
                    a.reciprocal(), a**2, a.float()**3, a**-1, torch.where(a > b, a, b),
                    torch.where(flags, a, b), a.bfloat16(), i.half() * a, flags.half() + a,
                    (i + 3) * i, i - 2, (i > 3) * i)

        def tests(a, b, i, flags, y):
            return (a == b, a != b, a < b, a <= b, a > b, a >= b, i < 3, i == 7, a > 1,
                    i.int() >= 0, flags.logical_not(), flags.logical_and(i > 1),
                    flags.logical_or(a > b), a.bool(), i.bool())

        for function in (floats, tests):
            def call(x, *given, function=function):
                y = model(x)
                return (y, *function(*given, y))
            torch._dynamo.reset()
            with torch.no_grad(), st.CompileReport() as report:
                given = (torch.randn(64, 64).half(), a, b, i, flags)
                expected = call(*given)
                # Everything in one part: what is not in it would be torch's own.
                with mock.patch.object(programs, "made", wraps=programs.made) as built:
                    found = self.compiled(lambda *g: tied(call(*g)))(*given)
                self.assertTrue(built.called)
            self.assertEqual([p.why for p in report.graphs[0] if p.why], [], report)
            for index, (one, other) in enumerate(zip(found, tied(expected))):
                with self.subTest(function=function.__name__, index=index):
                    self.same(one, other)

    def same(self, found, expected):
        self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape))
        if not found.is_floating_point():
            self.assertTrue(torch.equal(found, expected))
            return
        # One rounding of a function that is accurate to a few units of f32.
        ulp = {torch.float16: 2**-10, torch.bfloat16: 2**-7}.get(found.dtype, 2**-20)
        self.assertTrue(torch.allclose(found.double(), expected.double(), rtol=ulp,
                                       atol=2**-24, equal_nan=True),
                        (found - expected).abs().nan_to_num().max())

    def test_tensors(self):
        """Views, reductions and norms, in a part with a layer."""
        model, table = layer(), torch.randn(10, 64).half()

        def call(x, ids):
            y = model(x)                             # [4, 6, 64]
            heads = y.view(4, 6, 8, 8).permute(0, 2, 1, 3)
            return tied((
                heads.reshape(4, 8, 48), heads[:, 1], heads[:, :, 2:-1], y[..., -3:],
                torch.cat([y, x, y[:, :2]], 1), y.flatten(0, 1).t(), y.sum(1), y.sum(),
                y.mean((0, 2), keepdim=True), y.amax(-1), y.softmax(1), x.softmax(-1),
                F.layer_norm(y, [64], table[0], table[1]), F.layer_norm(y, [6, 64]),
                F.rms_norm(y, [64], table[2]), F.embedding(ids, table) + y[0],
                y.unsqueeze(1).expand(4, 3, 6, 64) * 2, y[:, :, None].squeeze(2),
                y.chunk(3, -1)[1], torch.arange(64) + y, torch.full((64,), -1.5) * y))
        x = torch.randn(4, 6, 64).half()
        ids = torch.randint(0, 10, (6,))
        with torch.no_grad(), st.CompileReport() as report:
            expected = call(x, ids)
            found = self.compiled(call)(x, ids)
        self.assertEqual([str(p) for p in report.graphs[0] if p.why], [])
        for index, (one, other) in enumerate(zip(found, expected)):
            with self.subTest(index=index):
                self.near(one, other)

    def test_results_are_their_own(self):
        """Views of an input, of one another and of results stay what they are."""
        model = layer()

        def call(x):
            y = model(x)
            return x.view(-1), y, y.view(-1), y + 1
        x = torch.randn(3, 64).half()
        with torch.no_grad():
            found = self.compiled(call, options={"epilogue_fusion": False})(x)
            expected = call(x)
            for one, other in zip(found, expected):
                self.near(one, other)
            self.assertEqual(found[0].data_ptr(), x.data_ptr())
            found[1].zero_()
            self.assertEqual(found[2].abs().max(), 0)
            self.near(found[3], expected[3])

    def test_left(self):
        """What is left to Inductor, with its reason."""
        model = layer()
        x = torch.randn(4, 64).half()
        q = torch.randn(1, 2, 4, 32).half()

        for call, given, why in (
                (model, x.clone().requires_grad_(), "a gradient is needed"),
                (lambda q: F.scaled_dot_product_attention(q, q, q, q[0, 0] @ q[0, 0].t()),
                 q, "attention with a mask"),
                (lambda q: F.scaled_dot_product_attention(*[q.repeat(1, 1, 1, 9)] * 3), q,
                 "attention of more than 256 features a head"),
                (lambda x: model(x).abs().pow(2.5), x, "a power of 2.5"),
                (lambda x: model(x).cumsum(0), x, "no form in a program"),
                (lambda x: model(x).int(), x, "a conversion of floats to integers"),
                (lambda x: x.view(2, 2, 64) + 1, x, "not beside a packed layer")):
            torch._dynamo.reset()
            expected = call(given.detach().clone())
            with st.CompileReport() as report:
                found = self.compiled(call)(given)
            self.near(found.float(), expected.float())
            self.assertIn(why, str(report))

    def test_writes_to_inputs(self):
        """What is written to an input is there behind the call, in the view's place, too."""
        model, x = layer(), torch.randn(4, 64).half()

        def written(x, y, z):
            z.copy_(y)
            x[0] = 1
            y.mul_(2)
            return model(x) + y
        given, expected = ((x.clone(), x[1].clone(), x[2].clone()) for _ in range(2))
        with torch.no_grad(), st.CompileReport() as report:
            self.near(self.compiled(written)(*given), written(*expected))
        for one, other in zip(given, expected):
            self.assertTrue(torch.equal(one, other))
        self.assertEqual(report.graphs[0][0].why, "")

    def test_untraced(self):
        """What fails while it is traced here is Inductor's, too."""
        model, x = layer(), torch.randn(4, 64).half()
        with torch.no_grad(), st.CompileReport() as report, mock.patch.object(
                backend, "make_fx", side_effect=NotImplementedError("a new operator")):
            self.near(self.compiled(model)(x), model(x))
            self.compiled(lambda: torch.ones(3))()
        self.assertEqual([part.why for parts in report.graphs for part in parts], [
            "it cannot be traced (NotImplementedError: a new operator)",
            "no tensors among its inputs"])

    def test_gradient(self):
        model, x = layer(), torch.randn(4, 64).half().requires_grad_()
        self.compiled(model)(x).sum().backward()
        found, x.grad = x.grad, None
        model(x).sum().backward()
        self.near(found, x.grad)

    def test_activations_of_8_bits(self):
        """Programs for the CPU do not round them: such layers themselves run."""
        torch.manual_seed(1)
        ternary = st.TernaryLinear.from_linear(nn.Linear(64, 64).half())
        model, x = nn.Sequential(layer(), nn.ReLU(), ternary), torch.randn(4, 64).half()
        with torch.no_grad(), st.CompileReport() as report:
            self.near(self.compiled(model)(x), model(x))
        one, other = report.graphs[0]
        self.assertEqual((one.why, one.operators),
                         ("", {"sparseflow.linear": 1, "aten.relu": 1}))
        self.assertEqual((other.why, other.operators), (
            "activations of 8 bits have programs for GPUs only", {"sparseflow.linear": 1}))

    def test_calls(self):
        """Autocast, no tokens, sizes among the results, inference mode."""
        model, norm = layer(), nn.LayerNorm(64).half()

        def call(x):
            y = model(norm(x))
            return y, x.shape[0], y.shape[0] + 1
        compiled = self.compiled(call)
        with torch.no_grad():
            for count in (0, 1, 5, 9):
                x = torch.randn(count, 64).half()
                found, expected = compiled(x), call(x)
                self.near(found[0], expected[0])
                self.assertEqual(found[1:], expected[1:])
            with torch.autocast("cpu", torch.bfloat16):
                self.near(compiled(x)[0], call(x)[0], 2**-6)
        with torch.inference_mode():
            self.near(compiled(x)[0], expected[0])

    def test_for_gpus(self):
        """The same part is a bundle of kernels; not run here."""
        attention, norm = made(Attention), Norm(64).half()
        st.convert(attention, "ternary")
        built = []

        def emit(graph, on_cpu):
            built.append(operators.emit(graph, False))
            raise scalars.Unsupported("not on this machine")
        with torch.no_grad(), mock.patch.object(parts, "emit", emit):
            x = torch.randn(1, 7, 64).half()
            torch._dynamo.mark_dynamic(x, 1)
            self.compiled(lambda x: x + attention(norm(x)))(x)
        emitted = built[-1]
        self.assertEqual(emitted.program.options, ("--activations", "i8"))
        with tempfile.TemporaryDirectory() as folder:
            bundle = compile_layer(folder, program=emitted.program.text,
                                   options=emitted.program.options)
        function = bundle.function()
        self.assertEqual([a.get("layout") for a in function["arguments"]],
                         ["tern.v1" if form else None for _, form in emitted.arguments])
        self.assertEqual(function["results"], [{"dtype": "f16", "shape": [1, "T", 64]}])

    def test_refuses(self):
        with self.assertRaisesRegex(sf.Error, "no program 'none' in this process"):
            programs.program([torch.zeros(1)], "none")


def tied(results):
    """Results that read the first one, so that they belong to its part."""
    zero = (results[0].flatten()[:1] * 0).reshape(())
    return [r + zero.to(r.dtype) if r.is_floating_point() else
            r.logical_and(zero == 0) if r.dtype == torch.bool else r + (zero > 0)
            for r in results]


if __name__ == "__main__":
    unittest.main()

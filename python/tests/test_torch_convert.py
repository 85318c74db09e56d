# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models converted by sparseflow.torch, and attention within them."""

import copy
import threading
import unittest

import sparseflow as sf

try:
    import torch
    from torch import nn
    from torch.nn import functional as F

    import sparseflow.torch as st
    from sparseflow.torch.activations import of_module
except (ImportError, sf.Error):
    torch = None

DEVICE = "cuda" if torch and torch.cuda.is_available() else "cpu"

if torch:
    class Attention(nn.Module):
        """As those of Hugging Face: grouped heads, views, transposes."""

        def __init__(self, hidden=64, heads=4, key_heads=2, bias=False):
            super().__init__()
            self.features = hidden // heads
            self.q_proj = nn.Linear(hidden, hidden, bias)
            self.k_proj = nn.Linear(hidden, key_heads * self.features, bias)
            self.v_proj = nn.Linear(hidden, key_heads * self.features, bias)
            self.o_proj = nn.Linear(hidden, hidden, bias)

        def forward(self, x):
            b, s, _ = x.shape
            q, k, v = (p(x).view(b, s, -1, self.features).transpose(1, 2)
                       for p in (self.q_proj, self.k_proj, self.v_proj))
            o = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
            return self.o_proj(o.transpose(1, 2).reshape(b, s, -1))

    class MLP(nn.Module):
        def __init__(self, hidden=64, inner=96, bias=False, activation=None):
            super().__init__()
            self.gate_proj = nn.Linear(hidden, inner, bias)
            self.up_proj = nn.Linear(hidden, inner, bias)
            self.down_proj = nn.Linear(inner, hidden, bias)
            self.act_fn = activation or nn.SiLU()

        def forward(self, x):
            return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))

    class OtherMLP(MLP):
        """The gate on the other side, and an activation that is called."""

        def forward(self, x):
            return self.down_proj(self.up_proj(x) * F.gelu(self.gate_proj(x),
                                                           approximate="tanh"))

    class DroppingMLP(MLP):
        def forward(self, x):
            return F.dropout(super().forward(x), 0.1, self.training)

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention, self.mlp = Attention(), MLP()
            self.norm = nn.LayerNorm(64)
            self.head = nn.Sequential(nn.Linear(64, 32), nn.GELU(), nn.Linear(32, 12))

        def forward(self, x):
            x = x + self.attention(self.norm(x))
            return self.head(x + self.mlp(self.norm(x)))


def made(kind, *arguments, **named):
    torch.manual_seed(5)
    return kind(*arguments, **named).half().to(DEVICE)


def inputs(*shape):
    torch.manual_seed(6)
    return torch.randn(*(shape or (2, 7, 64)), device=DEVICE).half()


def dense_twin(model, plan):
    """A copy of a model whose linear layers hold what conversion packs, as dense f16."""
    twin = copy.deepcopy(model)
    for module in twin.modules():
        if isinstance(module, nn.Linear):
            kind = st.SparseLinear if plan == "2:4" else st.TernaryLinear
            more = {} if plan == "2:4" else {"activations": "f16"}
            module.weight.data = kind.from_linear(module, **more).to_dense()
    return twin


@unittest.skipUnless(torch, "no torch")
class Convert(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def near(self, found, expected, share=2**-7):
        self.assertLessEqual((found - expected).double().norm(),
                             share * expected.double().norm())

    def test_model(self):
        plan = st.Plan([st.Rule("", "ternary", {"activations": "f16"})])
        for name, given in (("2:4", "2:4"), ("ternary", plan)):
            model, x = made(Model), inputs()
            expected = dense_twin(model, name)(x)
            report = st.convert(model, given)
            self.assertEqual((report.share, {d.to for d in report.decisions}), (1, {name}))
            self.assertEqual(
                {d.name: d.why for d in report.decisions if d.why},
                {**{f"attention.{n}_proj": "merged: q_proj, k_proj, v_proj" for n in "qkv"},
                 **{f"mlp.{n}_proj": "gated: silu(gate_proj) * up_proj"
                    for n in ("gate", "up")}, "head.0": "gelu fused"})
            with torch.no_grad():
                y = model(x)
                self.near(y, expected)
                self.assertTrue(torch.equal(copy.deepcopy(model)(x), y))
                compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
                self.assertTrue(torch.equal(compiled(x), y))
                exported = torch.export.export(model, (x,)).module()
                self.assertTrue(torch.equal(exported(x), y))
            twin = made(Model)
            st.convert(twin, given)
            for parameter in twin.parameters():
                parameter.data.zero_()
            twin.load_state_dict(model.state_dict())
            self.assertTrue(torch.equal(twin(x), y))
        self.assertIn("mlp.down_proj [64, 96]: ternary (relative_error 0.", str(report))
        self.assertIn("9 of 9 linear layers, 100.0 % of their weights", str(report))

    def test_gradients(self):
        model, x = made(Model), inputs().requires_grad_()
        twin, other = dense_twin(model, "2:4"), inputs().requires_grad_()
        st.convert(model, "2:4")
        compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
        twin(other).float().square().sum().backward()
        for call in (model, compiled):
            x.grad = None
            call(x).float().square().sum().backward()
            self.near(x.grad, other.grad, 2**-5)

    @unittest.skipIf(DEVICE == "cuda", "compiled for the CPU")
    def test_inductor(self):
        model, x = made(Model), inputs()
        st.convert(model, "2:4")
        with torch.no_grad():
            try:
                found = torch.compile(model, fullgraph=True)(x)
            except torch._inductor.exc.InvalidCxxCompiler:
                self.skipTest("no C++ compiler")
            self.near(found, model(x))

    def test_rules(self):
        model = made(Model)
        report = st.convert(model, {"head.*": None, r"mlp\.": "ternary", nn.Linear: "2:4"})
        kinds = {d.name: d.to for d in report.decisions}
        self.assertEqual(kinds["head.0"], "")
        self.assertEqual((kinds["mlp.down_proj"], kinds["attention.o_proj"]),
                         ("ternary", "2:4"))
        self.assertEqual(report.decisions[-1].why, "a rule leaves it")
        report = st.convert(made(Model), st.Plan(
            [st.Rule(lambda name, module: module.out_features > 64, "2:4",
                     {"dtype": torch.bfloat16})], merge=(), gate=()))
        self.assertEqual([d.name for d in report.decisions if d.to],
                         ["mlp.gate_proj", "mlp.up_proj"])
        self.assertEqual({d.why for d in report.decisions if not d.to}, {"no rule names it"})

    def test_left(self):
        shared = nn.Linear(64, 64)
        hooked, odd, tied = nn.Linear(64, 64), nn.Linear(63, 64), nn.Linear(64, 64, False)
        hooked.register_forward_hook(lambda *_: None)
        table = nn.Embedding(64, 64)
        tied.weight = table.weight
        normed = nn.utils.parametrizations.weight_norm(nn.Linear(64, 64))
        model = nn.ModuleDict({
            "hooked": hooked, "odd": odd, "table": table, "tied": tied, "normed": normed,
            "layer": nn.TransformerEncoderLayer(64, 4, 64),
            "meta": nn.Linear(64, 64, device="meta"), "shared": shared, "again": shared})
        report = st.convert(model, "2:4")
        why = {d.name: d.why for d in report.decisions}
        for name, text in (("hooked", "it has hooks; remove them first"),
                           ("odd", "2:4 needs a multiple of 4 in features, found 63"),
                           ("tied", "its weights are those of table too"),
                           ("normed", "it has parametrizations; remove them first"),
                           ("layer.linear1", "TransformerEncoderLayer reads the weights itself"),
                           ("layer.self_attn.out_proj", "a NonDynamicallyQuantizableLinear, of "
                            "which only torch.nn.Linear itself is known"),
                           ("meta", "its weights are on the device meta; load them first")):
            self.assertEqual(why[name], text)
        self.assertIs(model["shared"], model["again"])
        self.assertIsInstance(model["shared"], st.SparseLinear)
        self.assertLess(report.share, 0.5)

    def test_fused(self):
        """Only what follows in a Sequential, and is not used elsewhere."""
        for activation in (nn.ReLU(), nn.SiLU(), nn.GELU(approximate="tanh"), nn.Tanh(),
                           nn.Sigmoid()):
            model = made(nn.Sequential, nn.Linear(64, 48), activation, nn.Linear(48, 8))
            expected, x = dense_twin(model, "2:4"), inputs(5, 64)
            st.convert(model, "2:4")
            self.assertIsInstance(model[1], nn.Identity)
            self.near(model(x), expected(x))
        shared = nn.Linear(64, 64)
        model = made(nn.Sequential, shared, nn.ReLU(), shared)
        expected, x = dense_twin(model, "2:4"), inputs(5, 64)
        st.convert(model, "2:4")
        self.assertIsInstance(model[1], nn.ReLU)
        self.near(model(x), expected(x))
        model = made(nn.Sequential, nn.Linear(64, 48), nn.Mish())
        st.convert(model, "2:4")
        self.assertIsInstance(model[1], nn.Mish)

    def test_gated(self):
        x = inputs(5, 64)
        for kind, named, activation in (
                (MLP, {}, "silu"), (OtherMLP, {}, "gelu_tanh"),
                (MLP, {"activation": nn.ReLU()}, "relu")):
            model = nn.ModuleDict({"mlp": made(kind, **named)})
            expected = dense_twin(model, "2:4")["mlp"](x)
            report = st.convert(model, "2:4")
            self.assertEqual(report.decisions[0].why,
                             f"gated: {activation}(gate_proj) * up_proj")
            self.near(model["mlp"](x), expected)
        for kind, named, why in (
                (DroppingMLP, {}, "not gated: its forward is not down"),
                (MLP, {"bias": True}, "not gated: gate and up have a bias"),
                (MLP, {"activation": nn.Mish()}, "not gated: its forward is not down")):
            model = nn.ModuleDict({"mlp": made(kind, **named).eval()})
            expected = dense_twin(model, "2:4")["mlp"](x)
            report = st.convert(model, "2:4")
            self.assertIn(why, report.decisions[0].why)
            self.near(model["mlp"](x), expected)

    def test_merged(self):
        model, x = made(Attention, bias=True), inputs()
        expected = dense_twin(model, "2:4")(x)
        st.convert(model, "2:4")
        calls = []
        model.q_proj.linear.register_forward_hook(lambda *_: calls.append(1))
        q, k, v = model.q_proj, model.k_proj, model.v_proj
        with torch.no_grad():
            self.near(model(x), expected)
            self.assertEqual(len(calls), 1)
            self.assertIsNone(q._shared.last)
            # Any order, another tensor, one that was changed: always the right numbers.
            first = v(x), k(x), q(x)
            self.assertEqual(len(calls), 2)
            for part, right in zip((q, k, v), first[::-1]):
                self.assertTrue(torch.equal(part(x.clone()), right))
            self.assertEqual(len(calls), 5)
            y = x.clone()
            q(y)
            y.mul_(-1)
            self.assertTrue(torch.equal(k(y), k(x.neg())))
            # A part that was asked for is computed again.
            self.assertTrue(torch.equal(q(x), q(x)))
        # What was computed without gradients is no answer where one is needed.
        z = x.clone().requires_grad_()
        with torch.no_grad():
            q(z)
        self.assertTrue(k(z).requires_grad)
        self.assertEqual((k.in_features, k.out_features), (64, 32))
        self.assertEqual(sum(n.endswith("packed") for n in model.state_dict()), 2)

    def test_merged_threads(self):
        model = made(Attention)
        st.convert(model, "2:4")
        given = [inputs(2, 3 + i, 64) for i in range(6)]
        with torch.no_grad():
            expected = [model(x) for x in given]
        wrong = []

        def body(x, y):
            with torch.no_grad():
                wrong.extend(1 for _ in range(20) if not torch.equal(model(x), y))
        threads = [threading.Thread(target=body, args=pair) for pair in zip(given, expected)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_not_merged(self):
        model = made(Attention)
        model.k_proj = nn.Linear(64, 32, True).half().to(DEVICE)
        expected, x = dense_twin(model, "2:4"), inputs()
        report = st.convert(model, "2:4")
        self.assertIn("not merged: q_proj, k_proj, v_proj differ", report.decisions[0].why)
        self.near(model(x), expected(x))

    def test_refuses(self):
        with self.assertRaisesRegex(sf.Error, "no place to be replaced"):
            st.convert(nn.Linear(64, 64), "2:4")
        with self.assertRaisesRegex(sf.Error, "expected a rule to 2:4, ternary or None"):
            st.convert(made(Model), "4:8")
        # A model that cannot be packed stays what it was.
        model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64))
        model[2].weight.data[3, 4] = 1e9
        with self.assertRaisesRegex(sf.Error, "^2: "):
            st.convert(model, "2:4")
        self.assertEqual([type(m) for m in model], [nn.Linear, nn.ReLU, nn.Linear])

    def test_activations_by_name(self):
        kind = type("GELUTanh", (nn.Module,), {"__module__": "transformers.activations"})
        self.assertEqual(of_module(kind()), "gelu_tanh")
        self.assertIsNone(of_module(type("GELUTanh", (nn.Module,), {})()))


@unittest.skipUnless(torch, "no torch")
class Override(unittest.TestCase):
    """scaled_dot_product_attention."""

    def setUp(self):
        torch._dynamo.reset()

    def test_numbers(self):
        for b, h, g, q, s, d, causal, dtype in (
                (2, 4, 2, 9, 9, 16, True, torch.float16),
                (1, 3, 3, 5, 70, 40, False, torch.bfloat16),
                (2, 4, 1, 1, 33, 64, False, torch.float16)):
            tensors = [torch.randn(b, n, length, d, device=DEVICE).to(dtype)
                       for n, length in ((h, q), (g, s), (g, s))]
            swapped = [t.transpose(1, 2).contiguous().transpose(1, 2) for t in tensors]
            exact = F.scaled_dot_product_attention(
                *(t.double() for t in tensors), is_causal=causal, enable_gqa=True)
            with st.attention(cpu=True) as override:
                for given in (tensors, swapped):
                    found = F.scaled_dot_product_attention(*given, is_causal=causal,
                                                           enable_gqa=True)
                    self.assertLess((found - exact).norm(), 2**-7 * exact.norm())
            self.assertEqual(override.report, {"sparseflow": 2})

    def test_model(self):
        model, x = made(Attention), inputs()
        with torch.no_grad():
            expected = model(x)
            with st.attention(cpu=True) as override:
                found = model(x)
                compiled = torch.compile(model, fullgraph=True, backend="aot_eager")(x)
            self.assertEqual(override.report, {"sparseflow": 2})
            for y in (found, compiled):
                self.assertLess((y - expected).double().norm(),
                                2**-7 * expected.double().norm())
            # Outside of it torch's own runs.
            self.assertTrue(torch.equal(model(x), expected))
            self.assertEqual(override.report, {"sparseflow": 2})

    def test_left(self):
        q = torch.randn(2, 4, 6, 16, device=DEVICE).half()
        k = torch.randn(2, 4, 8, 16, device=DEVICE).half()
        mask = torch.ones(6, 8, dtype=torch.bool, device=DEVICE)
        own, override = F.scaled_dot_product_attention, st.attention(cpu=True)
        with torch.no_grad():
            for arguments, named in (
                    ((q, k, k, mask), {}), ((q, k, k), {"dropout_p": 1e-9}),
                    ((q[0], k[0], k[0]), {}), ((q.float(), k.float(), k.float()), {}),
                    ((q, k, k), {"is_causal": True}), ((q[:1], k, k), {}),
                    ((q, k, k), {"scale": 2000.0})):
                with override:
                    found = own(*arguments, **named)
                if "dropout_p" not in named:
                    self.assertTrue(torch.equal(found, own(*arguments, **named)))
            with torch.enable_grad(), override:
                F.scaled_dot_product_attention(q.requires_grad_(), k, k).sum().backward()
            with torch.autocast(DEVICE, dtype=torch.bfloat16), override:
                y = F.scaled_dot_product_attention(q.float(), k.float(), k.float())
                self.assertEqual(y.dtype, torch.bfloat16)
        self.assertEqual(override.report, {
            "an attention mask": 1, "dropout": 1, "other dimensions than [B, H, S, D]": 1,
            "not of one type, f16 or bf16": 1, "a scale beyond 1024": 1,
            "causal with fewer or more queries than keys, where torch counts from the first "
            "key": 1, "sizes that torch broadcasts or refuses": 1, "a gradient is needed": 1,
            "sparseflow": 1})
        if DEVICE == "cpu":
            with st.attention() as override, torch.no_grad():
                F.scaled_dot_product_attention(k, k, k)
            self.assertEqual(override.report, {"not on one GPU": 1})
        with self.assertRaisesRegex(sf.Error, "attention has no backward"):
            st.ops.attention(q, k, k, False, 1.0)


if __name__ == "__main__":
    unittest.main()

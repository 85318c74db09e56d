# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="sparseflow") of models that write caches in place: what a graph says
of positions, which writes and masks programs take, and how a deep graph is cut."""

import importlib.util
import json
import os
import tempfile
import unittest
from unittest import mock

import sparseflow as sf
from test_torch_compile import has_library, torch

if torch:
    from torch import nn
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch.nn import functional as F

    import sparseflow.torch as st
    from sparseflow.torch import indices, parts, places, programs
    from test_torch_compile import Norm
    from test_torch_convert import MLP

    class Cache:
        """Keys and values of `size` positions, and how many are taken, as transformers'
        StaticCache has them: written and counted in place."""

        def __init__(self, batch, size, dtype=torch.float16, noise=None):
            self.keys, self.values = (torch.zeros(batch, 2, size, 16, dtype=dtype)
                                      for _ in range(2))
            for held in (self.keys, self.values) if noise else ():
                held.normal_()
            self.taken = torch.tensor(noise or 0)

        def update(self, k, v):
            at = torch.arange(k.shape[2]) + self.taken
            self.taken.add_(k.shape[2])
            self.keys.index_copy_(2, at, k)
            self.values.index_copy_(2, at, v)
            return self.keys, self.values

        def copy(self):
            made = Cache(1, 1)
            made.keys, made.values, made.taken = (
                t.clone() for t in (self.keys, self.values, self.taken))
            return made

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.q_proj, self.o_proj = (nn.Linear(64, 64, False) for _ in range(2))
            self.k_proj, self.v_proj = (nn.Linear(64, 32, False) for _ in range(2))

        def forward(self, x, cache, mask):
            b, s, _ = x.shape
            q, k, v = (p(x).view(b, s, -1, 16).transpose(1, 2)
                       for p in (self.q_proj, self.k_proj, self.v_proj))
            k, v = (t[:, :, None].expand(b, 2, 2, -1, 16).reshape(b, 4, -1, 16)
                    for t in cache.update(k, v))
            o = F.scaled_dot_product_attention(q, k, v, mask)
            return self.o_proj(o.transpose(1, 2).reshape(b, s, -1))

    class Decoder(nn.Module):
        def __init__(self, layers):
            super().__init__()
            self.norms = nn.ModuleList(Norm(64) for _ in range(2 * layers))
            self.attention = nn.ModuleList(Attention() for _ in range(layers))
            self.mlps = nn.ModuleList(MLP() for _ in range(layers))

        def forward(self, x, caches):
            size = caches[0].keys.shape[2]
            queries = torch.arange(x.shape[1])[:, None] + caches[0].taken
            mask = (torch.arange(size) <= queries)[None, None].expand(x.shape[0], 1, -1, -1)
            for i, (attention, mlp, cache) in enumerate(zip(self.attention, self.mlps, caches)):
                x = x + attention(self.norms[2 * i](x), cache, mask)
                x = x + mlp(self.norms[2 * i + 1](x))
            return x

    def decoder(layers, dtype=torch.float16):
        torch.manual_seed(5)
        model = Decoder(layers).to(dtype).requires_grad_(False)
        st.convert(model, "2:4")
        return model

    def traced(function, *given):
        """The integer and boolean results of a function, and their nodes."""
        graph = make_fx(torch.func.functionalize(function), tracing_mode="fake")(*given)
        return graph.graph.output_node().args[0], function(*given)


def near(case, found, expected, share=2**-8):
    case.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape))
    case.assertTrue(found.isfinite().all())
    case.assertLess((found - expected).double().norm(),
                    share * expected.double().norm() + 1e-30)


@unittest.skipUnless(torch, "no torch")
class Indices(unittest.TestCase):
    def test_counts(self):
        """Each is what it is said to be, or nothing is said."""
        taken, ids = torch.tensor(7), torch.tensor([[3]])

        def counts(taken, ids):
            places = torch.arange(5) + taken
            ahead = torch.cat([torch.arange(5)[None, :1] - 1, torch.arange(5)[None]], -1)
            steps = ahead[:, 1:] - ahead[:, :-1]
            parts = (steps != 1).cumsum(-1)
            return (torch.arange(5), torch.arange(2, 9), torch.arange(1, 9, 2), places,
                    places[None, :, None], places.view(1, 5).expand(3, 5), places - 2,
                    3 + places, places[2:], ids, ids.long() + torch.arange(4), steps, ahead,
                    parts, parts[torch.zeros(3, dtype=torch.int64), torch.arange(3)], places.unsqueeze(1) + torch.arange(3),
                    torch.arange(1) + taken, taken - torch.arange(5), ahead[0, 2:])

        def unknown(taken, ids):
            places = torch.arange(5)
            return (places * 2, -places, places.flip(0), places + places * places,
                    places - taken, places + taken + ids[0], places.cumsum(0),
                    torch.cat([places, places]), torch.stack([places, places]), places[::2],
                    torch.cat([places[:1] + 1, places]))
        nodes, values = traced(counts, taken, ids)
        for number, (node, value) in enumerate(zip(nodes, values)):
            with self.subTest(number=number):
                count = indices.count(node)
                expected = torch.full_like(value, count.base)
                for dim, step in enumerate(count.steps):
                    shape = [-1 if d == dim else 1 for d in range(value.dim())]
                    expected += step * torch.arange(value.shape[dim]).view(shape)
                if count.taken is not None:
                    expected += {"taken_1": taken, "ids_1": ids[0, 0]}[count.taken.name] \
                        if value is not ids else 3
                self.assertTrue(torch.equal(expected, value), count)
        for number, node in enumerate(traced(unknown, taken, ids)[0]):
            with self.subTest(unknown=number):
                self.assertIsNone(indices.count(node))

    def test_masks(self):
        taken = torch.tensor(3)

        def behind(taken):
            q, k = torch.arange(4)[:, None], torch.arange(9)
            at, full = q + taken, torch.ones((), dtype=torch.bool)
            steps = torch.arange(1, 5) - torch.arange(4)
            one = (steps != 1).cumsum(0)
            return (k <= at, at >= k, k < at, at > k, k <= q, k - 2 <= at,
                    (k[None, None] <= at)[0].expand(2, 3, 4, 9), full & (k <= at),
                    (k <= at).logical_and(torch.full((4, 9), True)),
                    (k <= at) & (one[:, None] == one[0]), (k <= q) & (k > q - 2),
                    ((k > at - 3) & (k <= at))[None, None].expand(2, 1, 4, 9),
                    (k <= at) & (at - k < 5), full & (at - 4 <= k) & (k < at + 1),
                    (k <= q) & (k <= q + 1), k + taken < at + 1,
                    (k <= q + taken) & (k > q + taken - 1), k[:1] <= at, k <= at[:1])

        def other(taken):
            q, k = torch.arange(4)[:, None], torch.arange(9)
            return (k >= q, (k <= q) & (k > q + 2), k <= 2 * q, k == q, k + taken <= q,
                    (k <= q) | (k <= q + 1), ~(k <= q), k * q <= q, k > q - 2,
                    (k <= q) & (k > q - 2 + taken), (k <= q + taken) & (k + taken > q),
                    (k <= q + taken) & (k > 2 * q - 9), (k <= q + taken) & (k != 2))
        nodes, values = traced(behind, taken)
        queries, keys = torch.arange(4)[:, None], torch.arange(9)
        for number, (node, value) in enumerate(zip(nodes, values)):
            with self.subTest(number=number):
                found = indices.mask(node)
                last = queries + found.base + (taken if found.taken is not None else 0)
                expected = keys <= last
                if found.window:
                    expected &= keys > last - found.window
                expected = expected[:value.shape[-2], :value.shape[-1]]
                self.assertTrue(torch.equal(expected.expand(value.shape), value), found)
        for number, node in enumerate(traced(other, taken)[0]):
            with self.subTest(other=number):
                self.assertIsNone(indices.mask(node))

    def test_decompositions(self):
        """The operators that stand for a write and for a mask are what they stand for."""
        torch.manual_seed(1)
        cache, tokens = torch.randn(2, 2, 9, 16), torch.randn(2, 2, 3, 16)
        found = places.written(cache, 2, tokens, torch.tensor([4]), 1)
        expected = cache.clone()
        expected[:, :, 5:8] = tokens
        self.assertTrue(torch.equal(found, expected))
        q, lengths = torch.randn(2, 4, 3, 16), torch.tensor([5, 12], dtype=torch.int32)
        mask = torch.arange(9) <= (lengths[:, None, None, None] - 3
                                   + torch.arange(3)[:, None])
        self.assertTrue(torch.equal(
            places.attention_behind(q, cache, cache, lengths, None, True),
            F.scaled_dot_product_attention(q, cache, cache, mask, enable_gqa=True)))
        at, keys = torch.arange(3)[:, None] + 6, torch.arange(9)
        self.assertTrue(torch.equal(
            places.attention_behind(q, cache, cache, None, None, True, 4),
            F.scaled_dot_product_attention(q, cache, cache, (keys <= at) & (keys > at - 4),
                                           enable_gqa=True)))


@unittest.skipUnless(torch and has_library(), "no torch, or no libSparseFlow-C.so")
@unittest.skipIf(torch and torch.cuda.is_available(), "programs for the CPU")
class Caches(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def same(self, caches, expected):
        for one, other in zip(caches, expected):
            self.assertTrue(torch.equal(one.taken, other.taken))
            near(self, one.keys, other.keys)
            near(self, one.values, other.values)

    def test_steps(self):
        """Tokens one by one, then several at once, beside the model uncompiled; no cache is
        copied on the way."""
        torch.manual_seed(2)
        for batch, dtype in ((1, torch.float16), (2, torch.bfloat16)):
            torch._dynamo.reset()
            model = decoder(2, dtype)
            caches = [Cache(batch, 24, dtype, noise=5) for _ in range(2)]
            expected = [cache.copy() for cache in caches]
            compiled = torch.compile(model, backend="sparseflow", fullgraph=True,
                                     dynamic=False)
            with torch.no_grad(), st.CompileReport() as report:
                for count in (1, 1, 1, 3, 3):
                    x = torch.randn(batch, count, 64).to(dtype)
                    share = 2**-7 if dtype == torch.float16 else 2**-5
                    near(self, compiled(x, caches), model(x, expected), share)
                for one, other in zip(caches, expected):
                    self.assertEqual(one.taken, other.taken)
                    near(self, one.keys, other.keys, share)
                    near(self, one.values, other.values, share)
            self.assertEqual(len(report.graphs), 2)
            for graph in report.graphs:
                made = [part.operators for part in graph if not part.why]
                self.assertEqual([(m["sparseflow.written"], m["sparseflow.attention_behind"])
                                  for m in made], [(2, 1)] * 2, report)

    def test_no_copies(self):
        """What Inductor makes of it has no buffer of a cache's size."""
        from torch._inductor.utils import run_and_get_code
        model, caches = decoder(1), [Cache(1, 40, noise=3)]
        compiled = torch.compile(model, backend="sparseflow", fullgraph=True)
        with torch.no_grad():
            _, (code, *_) = run_and_get_code(compiled, torch.randn(1, 1, 64).half(), caches)
        self.assertIn("sparseflow.update_1", code)
        self.assertNotIn("empty_strided_cpu((1, 2, 40, 16)", code)

    def test_left(self):
        """Writes and masks that stay Inductor's, and why."""
        model = decoder(1)

        def read_behind(x, cache):
            return model(x, [cache]), cache.keys.cumsum(2)

        def two_writes(x, cache):
            return model(model(x, [cache]), [cache])

        def but_one(x, cache):
            at = cache.taken + torch.arange(x.shape[1])[:, None]
            keys = torch.arange(cache.keys.shape[2])
            return model.attention[0](x, cache, (keys <= at) & (keys != 2))
        for call, why in ((read_behind, "a write to a tensor that is read elsewhere, too"),
                          (two_writes, "a write to a tensor that is read elsewhere, too"),
                          (but_one, "attention with a mask")):
            torch._dynamo.reset()
            cache, x = Cache(1, 24, noise=5), torch.randn(1, 1, 64).half()
            expected = cache.copy()
            with torch.no_grad(), st.CompileReport() as report:
                found = torch.compile(call, backend="sparseflow")(x, cache)
                wanted = call(x, expected)
            for one, two in zip(*(r if isinstance(r, tuple) else (r,)
                                  for r in (found, wanted))):
                near(self, one, two, 2**-7)
            self.same([cache], [expected])
            self.assertIn(why, str(report), call.__name__)

    def test_windows(self):
        """The last keys alone, in a cache and in a prompt without one. Where a mask ends with
        the tokens that are written, the window is the operator's, which leaves out blocks of
        keys; else it is a part of the scores."""
        torch.manual_seed(3)
        model, emitted = decoder(1).attention[0], []
        made = programs.made

        def windowed(x, cache, ahead):
            at = cache.taken + ahead + torch.arange(x.shape[1])[:, None]
            keys = torch.arange(cache.keys.shape[2])
            return model(x, cache, ((keys <= at) & (keys > at - 4)).expand(len(x), 1, -1, -1))

        def prompt(x, cache, ahead):
            q, k, v = (p(x).view(2, -1, heads, 16).transpose(1, 2) for p, heads in (
                (model.q_proj, 4), (model.k_proj, 2), (model.v_proj, 2)))
            at, keys = torch.arange(x.shape[1])[:, None], torch.arange(x.shape[1])
            mask = (at - keys < 4) & (at >= keys)
            return F.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)

        def seen(program):
            emitted.append(program.emitted.program.text)
            return made(program)
        for call, queries, ahead, words in (
                (windowed, 1, 0, "causal, window = 4 : i64"),
                (windowed, 3, 0, "causal, window = 4 : i64"),
                (windowed, 3, -1, "%both"), (windowed, 1, 1, "%both"),
                (prompt, 9, 0, "causal, window = 4 : i64")):
            torch._dynamo.reset()
            cache, x = Cache(2, 24, noise=7), torch.randn(2, queries, 64).half()
            expected = cache.copy()
            emitted.clear()
            with torch.no_grad(), mock.patch.object(programs, "made", seen):
                found = torch.compile(call, backend="sparseflow", fullgraph=True)(
                    x, cache, ahead)
                near(self, found, call(x, expected, ahead), 2**-7)
            if call is windowed:
                self.same([cache], [expected])
            self.assertTrue(any(words in text for text in emitted), (words, emitted))

    def test_equal_layers(self):
        """A deep model is a few programs, however many layers call them."""
        model, caches = decoder(5), [Cache(1, 24, noise=5) for _ in range(5)]
        expected = [cache.copy() for cache in caches]
        x, keys = torch.randn(1, 1, 64).half(), set()
        made = programs.made

        def counted(program):
            keys.add(program.key)
            return made(program)
        with torch.no_grad(), st.CompileReport() as report, \
                mock.patch.object(programs, "made", counted):
            found = torch.compile(model, backend="sparseflow", fullgraph=True)(x, caches)
        near(self, found, model(x, expected), 2**-6)
        self.assertEqual(sum(not part.why for part in report.graphs[0]), 5)
        self.assertLessEqual(len(keys), 2)

    def test_shipment(self):
        """Programs for another machine: bundles whose digests that machine will look for;
        the call itself runs without them."""
        model, x = decoder(2), torch.randn(1, 1, 64).half()
        caches = [Cache(1, 24, noise=5) for _ in range(2)]
        expected = [cache.copy() for cache in caches]
        with self.assertRaisesRegex(sf.Error, "expected targets"):
            st.Shipment("bundles", [])
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            with st.Shipment(folder, ["sm_80"]) as shipment:
                found = torch.compile(model, backend="sparseflow")(x, caches)
            self.assertFalse(programs.shipping())
            self.assertTrue(torch.equal(found, model(x, expected)))
            self.same(caches, expected)
            for path in shipment.paths:
                self.assertTrue(os.path.basename(path).startswith("graph-"))
                with open(os.path.join(path, "manifest.json"), encoding="utf-8") as file:
                    function, = json.load(file)["functions"]
                self.assertEqual(sum("updates" in r for r in function["results"]), 2)
        self.assertEqual(len(shipment.paths), 1)


@unittest.skipUnless(torch and has_library() and importlib.util.find_spec("transformers"),
                     "no torch or transformers, or no libSparseFlow-C.so")
@unittest.skipIf(torch and torch.cuda.is_available(), "programs for the CPU")
class Sliding(unittest.TestCase):
    def test_mistral(self):
        """Sliding windows as transformers has them, beside the model uncompiled: without a
        cache, in a static cache that fills and is full, and in one that grows. No mask is left."""
        import transformers as hf
        torch.manual_seed(0)
        config = hf.MistralConfig(
            vocab_size=128, hidden_size=64, intermediate_size=96, num_hidden_layers=1,
            num_attention_heads=4, num_key_value_heads=2, sliding_window=8,
            max_position_embeddings=64)
        model = hf.MistralForCausalLM(config).half().eval().model
        emitted, made = [], programs.made

        def seen(program):
            emitted.append(program.emitted.program.text)
            return made(program)

        def static():
            return hf.StaticCache(config=config, max_cache_len=32)
        for cache, counts, words in (
                (lambda: None, (12,), ["window = 8"]),
                (static, (5, 1, 1, 1, 1, 1), ["%past", "cache_append", "sparseflow.attention"]),
                (static, (12, 1), ["window = 8", "sparseflow.attention"]),
                (lambda: hf.DynamicCache(config=config), (5, 1, 1, 1, 1),
                 ["causal", "sparseflow.attention"])):
            torch._dynamo.reset()
            emitted.clear()
            caches = cache(), cache()
            compiled = torch.compile(model.forward, backend="sparseflow")
            with torch.no_grad(), mock.patch.object(programs, "made", seen):
                for count in counts:
                    ids = torch.randint(0, 128, (2, count))
                    found, expected = (
                        call(ids, past_key_values=one, use_cache=one is not None)
                        .last_hidden_state for call, one in zip((compiled, model), caches))
                    near(self, found, expected, 2**-9)
            for text, word in zip(emitted, words):
                self.assertIn(word, text)
            self.assertGreaterEqual(len(emitted), len(words))


@unittest.skipUnless(torch, "no torch")
class Pieces(unittest.TestCase):
    def test_cuts(self):
        """Nothing is lost or doubled, and only one tensor that anchors feed passes."""
        linear = decoder(1).mlps[0].down

        def call(x, scale):
            shared = scale.cos()
            for _ in range(6):
                y = linear(F.pad(x, (0, 32)))
                x = x + linear(F.pad(y * shared, (0, 32)))
            return x
        graph = make_fx(call)(torch.randn(3, 64).half(), torch.randn(64).half())
        nodes = [n for n in graph.graph.nodes if n.op == "call_function"]
        found = parts._pieces(parts._connected(nodes))
        self.assertEqual(len(found), 3)
        few = [n for n in nodes if n in {*found[0], *nodes[:2]}]
        self.assertEqual(parts._pieces(few), [few])
        flat = [node for piece in found for node in piece]
        self.assertEqual(len(flat), len(set(flat)))
        self.assertNotIn("cos", [node.name for node in flat])
        for piece in found[:-1]:
            passed = {n for n in piece if any(u in flat and u not in piece for u in n.users)}
            self.assertEqual(len(passed), 1)


if __name__ == "__main__":
    unittest.main()

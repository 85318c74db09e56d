# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hugging Face models on caches of few bits, on the GPU where there is one: against float64
on what the caches hold, and against transformers' own cache of numbers that are rounded by
the same rule, here."""

import importlib.util
import subprocess
import sys
import unittest

import numpy as np

import sparseflow as sf

try:
    import torch

    import sparseflow.torch  # pylint: disable=unused-import
except ImportError:
    torch = None
if torch and importlib.util.find_spec("transformers"):
    import transformers
    from transformers import (Cache, DynamicCache, LlamaConfig, LlamaForCausalLM,
                              MistralConfig, MistralForCausalLM)
    from transformers.cache_utils import DynamicLayer

    from sparseflow.torch import cache_ops, hf_cache

    class Rounded(DynamicLayer):
        """Keys and values as numbers of few bits times a scale for each token, by the rule of
        docs/formats/quantized-cache.md, written in torch; kept as f32."""

        def __init__(self, bits):
            super().__init__()
            self.most = 2.0 ** (bits - 1) - 1

        def update(self, key_states, value_states, *args, **kwargs):
            rounded = []
            for x in (key_states, value_states):
                x = x.half().float()
                scale = (x.abs().amax(-1, keepdim=True) / self.most).half().float()
                number = torch.where(scale == 0, 0, (x / scale).round())
                rounded.append(number.clamp(-self.most, self.most) * scale)
            return super().update(*rounded)

    class Held(DynamicLayer):
        """For a model in float64: what a PackedLayer holds, once that has the step."""

        def __init__(self, layer):
            super().__init__()
            self.layer = layer

        def get_mask_sizes(self, query_length):
            return self.layer.length, 0

        def get_seq_length(self):
            return self.before

        def update(self, key_states, value_states, *args, **kwargs):
            return [held(self.layer, name) for name in ("keys", "values")]


DEVICE = "cuda" if torch and torch.cuda.is_available() else "cpu"


def held(layer, name):
    """[B, heads, positions, features] in float64; zeros where there is padding."""
    storage = layer.form.storages[name == "values"]
    pages = sf.TernaryCache(getattr(layer, name).cpu().numpy(), layer._features[name == "values"],
                            storage, layer.form.scale, layer.form.scale_dtype)
    values = pages.values(np.float64)
    out = np.zeros((*values.shape[:2], layer.length, values.shape[3]))
    for entry, padding in enumerate(layer.padding):
        out[entry, :, padding:] = values[entry, :, :max(0, layer.length - padding)]
    return torch.from_numpy(out).to(DEVICE)


def caches_of(layer, count):
    return Cache(layers=[layer() for _ in range(count)])


def model(kind="llama", seed=0, **more):
    torch.manual_seed(seed)
    config, made = {"llama": (LlamaConfig, LlamaForCausalLM),
                    "mistral": (MistralConfig, MistralForCausalLM)}.get(kind, kind)
    given = {"vocab_size": 128, "hidden_size": 96, "intermediate_size": 80,
             "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
             "head_dim": 24, "max_position_embeddings": 512, "initializer_range": 0.15,
             "pad_token_id": 0, "eos_token_id": None, "bos_token_id": 1}
    given.update(more)
    return made(config(**given)).eval().to(DEVICE)


def prompts(lengths, seed=1):
    """ids and mask, padded at the left."""
    generator = torch.Generator().manual_seed(seed)
    most = max(lengths)
    ids, mask = torch.zeros(len(lengths), most, dtype=torch.long), \
        torch.zeros(len(lengths), most, dtype=torch.long)
    for row, length in enumerate(lengths):
        ids[row, most - length:] = torch.randint(3, 128, (length,), generator=generator)
        mask[row, most - length:] = 1
    return {"input_ids": ids.to(DEVICE), "attention_mask": mask.to(DEVICE)}


def norm(x):
    return float(torch.linalg.vector_norm(x.double()))


@unittest.skipUnless(torch, "no torch")
class Missing(unittest.TestCase):
    def test_says_what_to_install(self):
        code = ("import sys; sys.modules['transformers'] = None\n"
                "import sparseflow.torch.hf_cache")
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                               check=False)
        self.assertEqual(found.returncode, 1)
        self.assertIn("sparseflow.errors.Error: sparseflow.torch.hf_cache needs transformers "
                      "5.23 or later: pip install transformers (", found.stderr)


@unittest.skipUnless(torch, "no torch")
@unittest.skipUnless(importlib.util.find_spec("transformers"), "no transformers")
class HuggingFace(unittest.TestCase):
    def setUp(self):
        guard = torch.no_grad()
        guard.__enter__()
        self.addCleanup(guard.__exit__, None, None, None)

    def generate(self, llm, given, cache, implementation="sparseflow", **more):
        llm.set_attn_implementation(implementation)
        return llm.generate(**given, past_key_values=cache, max_new_tokens=12,
                            do_sample=False, **more)

    def test_logits(self):
        """Every step beside float64 on what the cache holds, and beside no rounding."""
        for formats, more, padded in (
                (("int8", "int8"), {}, False), (("int8", "int4"), {}, True),
                (("int4", "int4"), {"scale": "token x 32"}, False),
                (("e4m3", "e4m3"), {}, False),
                (("ternary", "ternary"), {}, True),
                (("ternary", "ternary"), {"method": "twn", "scale_dtype": "f32"}, False)):
            with self.subTest(formats=formats, more=more, padded=padded):
                llm = model(num_key_value_heads=1 if padded else 2)
                given = prompts([70, 61, 3] if padded else [66, 66])
                exact = model(num_key_value_heads=1 if padded else 2).double()
                exact.set_attn_implementation("sdpa")
                llm.set_attn_implementation("sparseflow")
                cache, plain = hf_cache.PackedCache(*formats, capacity=64, **more), \
                    DynamicCache()
                ids, mask, before = given["input_ids"], given["attention_mask"], 0
                for step in range(5):
                    positions = (mask.cumsum(1) - 1).clamp(min=0)[:, before:]
                    call = {"input_ids": ids, "attention_mask": mask,
                            "position_ids": positions}
                    found = llm(**call, past_key_values=cache).logits
                    reference = caches_of(lambda: None, 0)
                    reference.layers = [Held(layer) for layer in cache.layers]
                    for layer in reference.layers:
                        layer.before = before
                    expected = exact(**call, past_key_values=reference).logits
                    unrounded = exact(**call, past_key_values=plain).logits
                    real = mask[:, before:].bool()
                    found, expected, unrounded = (t[real] for t in (found, expected,
                                                                    unrounded))
                    # Queries, probabilities and results are rounded to f16 in two layers.
                    self.assertLess(norm(found - expected), 6 * 2**-11 * norm(expected))
                    # What rounding keys and values costs is what their errors explain: in
                    # each layer, that of scores through the softmax, and that of values.
                    errors = [self.error(layer, dense) for layer, dense in
                              zip(cache.layers, plain.layers)]
                    self.assertLess(norm(found - unrounded),
                                    2 * sum(sum(e) for e in errors) * norm(unrounded))
                    # Half a step of 1 / 127 of a token's largest element, which is at most
                    # the root of 24 times as large as they are on the mean.
                    if formats == ("int8", "int8"):
                        self.assertLess(max(errors[0]), 24**0.5 / 254)
                    before = mask.shape[1]
                    ids = expected.new_zeros(len(mask), 1).long() + 7 + step
                    mask = torch.cat([mask, torch.ones_like(ids)], 1)

    @staticmethod
    def error(layer, dense):
        """Relative errors of the keys and the values that a layer holds."""
        out = []
        for name in ("keys", "values"):
            exact, found = getattr(dense, name).clone(), held(layer, name)
            for entry, padding in enumerate(layer.padding):
                exact[entry, :, :padding] = 0
            out.append(norm(found - exact) / norm(exact))
        return out

    def assert_same(self, found, expected):
        """Tokens are those of another run, with its logits, or, from one on in a sequence,
        as good: a number that is rounded up here and down there is a step of 1 / 127."""
        count = len(expected.logits)
        for row in range(len(found)):
            for step, token in enumerate(found[row, -count:].tolist()):
                logits = expected.logits[step][row]
                if token != int(expected.sequences[row, step - count]):
                    self.assertLess(float(logits.max() - logits[token]),
                                    float(logits.std()) / 127)
                    break

    def test_greedy(self):
        for heads in (4, 2, 1):
            llm, given = model(num_key_value_heads=heads), prompts([9, 9, 9])
            cache = hf_cache.PackedCache()
            found = self.generate(llm, given, cache)
            self.assert_same(found, self.generate(
                llm, given, caches_of(lambda: Rounded(8), 2), "sdpa", output_logits=True,
                return_dict_in_generate=True))
            # Any other cache, or none, is not rounded.
            plain = self.generate(llm, given, DynamicCache(), "sdpa")
            self.assertTrue(torch.equal(plain, self.generate(llm, given, DynamicCache())))
            self.assertTrue(torch.equal(plain, self.generate(llm, given, None)))
            self.assertEqual(cache.get_seq_length(), 20)
            # The last token of all was not given to the model.
            self.assertEqual(cache.layers[1].length, 20)

    def test_padding(self):
        """Sequences of a padded batch become what they become alone."""
        llm, lengths = model(), [13, 4, 70]
        given = prompts(lengths)
        found = self.generate(llm, given, hf_cache.PackedCache())
        for row, length in enumerate(lengths):
            alone = {"input_ids": given["input_ids"][row:row + 1, -length:]}
            expected = self.generate(llm, alone, hf_cache.PackedCache())
            self.assertEqual(found[row, -length - 12:].tolist(), expected[0].tolist())
        # A prompt in parts, the first of which are padding alone for some sequences.
        cache = hf_cache.PackedCache()
        parts = self.generate(llm, given, cache, prefill_chunk_size=16)
        self.assertTrue(torch.equal(found, parts))
        self.assertEqual(cache.layers[0].padding, [57, 66, 0])
        # Dense caches take the mask that torch needs.
        self.assertTrue(torch.equal(self.generate(llm, given, DynamicCache()),
                                    self.generate(llm, given, DynamicCache(), "sdpa")))

    def test_beams(self):
        """A beam's score is that of its tokens, given to the model at once."""
        for formats in (("int8", "int8"), ("int4", "int4")):
            llm, given = model(seed=3), prompts([9, 5])
            found = self.generate(llm, given, hf_cache.PackedCache(*formats), num_beams=3,
                                  num_return_sequences=3, output_scores=True,
                                  return_dict_in_generate=True)
            self.assertGreater(len(set(map(tuple, found.sequences[:3, 9:].tolist()))), 1)
            for row, ids in enumerate(found.sequences):
                ids = ids[None, 4 if row >= 3 else 0:]
                logits = llm(ids, past_key_values=hf_cache.PackedCache(*formats)).logits
                scores = logits[0, -13:-1].log_softmax(-1)
                score = scores.gather(1, ids[0, -12:, None]).sum() / 12
                self.assertAlmostEqual(float(score), float(found.sequences_scores[row]),
                                       delta=0.01 if formats[0] == "int8" else 0.1)

    def test_crop(self):
        """Tokens that were proposed and refused are forgotten."""
        llm = model()
        given = {"input_ids": torch.tensor([[5, 6, 7, 8, 5, 6, 7, 8, 5, 6]], device=DEVICE)}
        plain = self.generate(llm, given, hf_cache.PackedCache())
        proposed = self.generate(llm, given, hf_cache.PackedCache(), prompt_lookup_num_tokens=3)
        self.assertTrue(torch.equal(plain, proposed))
        cache = hf_cache.PackedCache()
        ids = prompts([70])["input_ids"]
        whole = llm(ids, past_key_values=cache).logits[:, 40:]
        cache.crop(-30)
        self.assertEqual(cache.get_seq_length(), 40)
        again = llm(ids[:, 40:], past_key_values=cache).logits
        torch.testing.assert_close(again, whole, rtol=0, atol=1e-2)
        cache.crop(-999)
        self.assertEqual(cache.get_seq_length(), 0)
        with self.assertRaisesRegex(sf.Error, r"expected crop\(-n\)"):
            cache.crop(3)

    def test_windows(self):
        llm, given = model("mistral", sliding_window=6), prompts([20, 11])
        found = self.generate(llm, given, hf_cache.PackedCache())
        more = {"output_logits": True, "return_dict_in_generate": True}
        self.assert_same(found, self.generate(llm, given, caches_of(lambda: Rounded(8), 2),
                                              "sdpa", **more))
        wide = self.generate(model("mistral", sliding_window=None), given,
                             hf_cache.PackedCache())
        self.assertFalse(torch.equal(found, wide))

    def test_architectures(self):
        """Logits beside those of numbers that are rounded by the same rule, of models that
        scale scores, normalize queries or mix windows with full attention."""
        given = prompts([20, 11])
        for name, more in (("Qwen3", {}), ("Gemma3Text", {"sliding_window": 6}),
                           ("GPT2", {"n_embd": 96, "n_layer": 2, "n_head": 4}),
                           ("Granite", {"attention_multiplier": 0.3}),
                           ("Gemma2", {"sliding_window": 6, "attn_logit_softcapping": 2.0}),
                           ("Phi3", {"sliding_window": 7})):
            with self.subTest(name):
                kind = {"Gemma3Text": "Gemma3ForCausalLM",
                        "GPT2": "GPT2LMHeadModel"}.get(name, f"{name}ForCausalLM")
                classes = (getattr(transformers, f"{name}Config"), getattr(transformers, kind))
                llm = model(classes, **more)
                llm.set_attn_implementation("sparseflow")
                positions = {"position_ids": (given["attention_mask"].cumsum(1) - 1).clamp(min=0)}
                found = llm(**given, **positions, past_key_values=hf_cache.PackedCache()).logits
                # torch's attention has no soft cap.
                llm.set_attn_implementation("eager" if name == "Gemma2" else "sdpa")
                expected = llm(**given, **positions, past_key_values=caches_of(
                    lambda: Rounded(8), 2)).logits
                plain = llm(**given, **positions).logits
                real = given["attention_mask"].bool()
                found, expected, plain = (t[real] for t in (found, expected, plain))
                self.assertLess(norm(found - expected), 0.01 * norm(expected))
                self.assertGreater(norm(plain - expected), 0)

    def test_batches(self):
        """Repeated, selected and reordered entries are those that they were made from."""
        llm = model()
        llm.set_attn_implementation("sparseflow")
        given = prompts([9, 4])
        tokens = torch.tensor([[11], [12], [13], [14]], device=DEVICE)
        source = torch.tensor([1, 0, 1, 1], device=DEVICE)
        cache = hf_cache.PackedCache("int4", "int8", "token x 32")
        llm(**given, past_key_values=cache)
        cache.batch_repeat_interleave(2)
        cache.reorder_cache(torch.tensor([2, 1, 3, 2]))
        mask = torch.cat([given["attention_mask"][source], torch.ones_like(tokens)], 1)
        found = llm(tokens, attention_mask=mask, past_key_values=cache).logits
        again = hf_cache.PackedCache("int4", "int8", "token x 32")
        llm(given["input_ids"][source], attention_mask=mask[:, :-1], past_key_values=again)
        expected = llm(tokens, attention_mask=mask, past_key_values=again).logits
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-2)
        cache.batch_select_indices(torch.tensor([1, 3]))
        for one, other in zip(cache.layers, again.layers):
            self.assertEqual(one.padding, [0, 5])
            for name in ("keys", "values"):
                self.assertTrue(torch.equal(held(one, name), held(other, name)[[1, 3]]))
        cache.reset()
        self.assertEqual((cache.get_seq_length(), cache.nbytes), (0, 0))
        llm(given["input_ids"][:1], past_key_values=cache)
        self.assertEqual(cache.get_seq_length(), 9)

    def test_room(self):
        """Tokens are written where they belong; room doubles."""
        llm = model()
        llm.set_attn_implementation("sparseflow")
        cache, places, room = hf_cache.PackedCache(capacity=64), set(), []
        tokens = prompts([130])["input_ids"]
        for token in tokens[0, :, None, None]:
            last = llm(token, past_key_values=cache).logits
            places.add(cache.layers[0].keys.data_ptr())
            room.append(cache.layers[0].keys.shape[2] * 64)
        self.assertEqual(room, [64] * 64 + [128] * 64 + [256] * 2)
        self.assertLessEqual(len(places), 3)
        whole = hf_cache.PackedCache()
        torch.testing.assert_close(last, llm(tokens, past_key_values=whole).logits[:, -1:],
                                   rtol=0, atol=1e-2)
        # What the first layer holds depends on its own tokens alone.
        self.assertLess(norm(held(cache.layers[0], "keys") - held(whole.layers[0], "keys")),
                        1e-3 * norm(held(whole.layers[0], "keys")))
        self.assertEqual(cache.layers[0].keys.shape, (1, 2, 4, 64 * 32 + 64 * 2))
        self.assertEqual(cache.nbytes, 2 * 2 * 2 * 4 * (64 * 32 + 64 * 2))

    def test_types(self):
        for dtype in (torch.float16, torch.bfloat16):
            llm = model().to(dtype)
            llm.set_attn_implementation("sparseflow")
            given, cache = prompts([21, 12]), hf_cache.PackedCache(scale_dtype="f32")
            found = llm(**given, past_key_values=cache).logits
            self.assertEqual(found.dtype, dtype)
            llm.set_attn_implementation("sdpa")
            plain = llm(**given).logits
            real = given["attention_mask"].bool()
            self.assertLess(norm((found - plain)[real]), 0.1 * norm(plain[real]))

    def test_refuses(self):
        llm = model()
        ids = torch.tensor([[5, 6, 7]], device=DEVICE)

        def zeros(*shape):
            return torch.zeros(shape, device=DEVICE)

        def call(*, implementation="sparseflow", cache=None, llm=llm, **given):
            llm.set_attn_implementation(implementation)
            return llm(**{"input_ids": ids, **given}, use_cache=True,
                       past_key_values=hf_cache.PackedCache() if cache is None else cache)
        used = hf_cache.PackedCache()
        call(cache=used)
        padded = hf_cache.PackedCache()
        call(cache=padded, attention_mask=torch.tensor([[0, 1, 1]], device=DEVICE))
        dropping = model(attention_dropout=0.5).train()
        for function, text in (
                (lambda: call(implementation="eager"), "of the keys or values that a "
                 "PackedCache holds: they are read by the attention \"sparseflow\" alone; call "
                 "model.set_attn_implementation"),
                (lambda: call(implementation="sdpa"), "are read by the attention"),
                (lambda: call(attention_mask=ids * 0 + torch.tensor([1, 1, 0],
                                                                             device=DEVICE)),
                 "a mask that is not causal, with padding at the left alone"),
                (lambda: call(attention_mask=zeros(1, 1, 3, 3)),
                 "a mask of the caller's own"),
                (lambda: call(llm=dropping), "does not know dropout; give the model another"),
                (lambda: call(cache=used, input_ids=ids.repeat(2, 1)),
                 r"expected keys \[1, 2, Q, 24\] .*found \[2, 2, 3, 24\]"),
                (lambda: call(cache=padded), r"\[1\] of them padding, and the mask says \[0\]"),
                (lambda: used.layers[0].offload(), "is not offloaded"),
                (lambda: hf_cache.PackedCache("int2"), "expected keys and values of int8"),
                (lambda: hf_cache.attention_forward(
                    llm, zeros(1, 4, 3, 24), *used.layers[0].update(
                        zeros(1, 2, 3, 24), zeros(1, 2, 3, 24)), None,
                    s_aux=30.0, is_causal=False),
                 "does not know s_aux, attention that is not causal;")):
            with self.subTest(text=text), self.assertRaisesRegex(sf.Error, text):
                function()
        key, value = used.layers[0].update(zeros(1, 2, 1, 24), zeros(1, 2, 1, 24))
        self.assertEqual((key.shape, key.dtype, repr(value)),
                         ((1, 2, 1, 24), torch.float32,
                          "<[1, 2, 1, 24] on its way into a PackedCache>"))
        hf_cache.attention_forward(llm, zeros(1, 4, 1, 24), key, value, None)
        with self.assertRaisesRegex(sf.Error, "were read twice"):
            hf_cache.attention_forward(llm, zeros(1, 4, 1, 24), key, value, None)
        with torch.enable_grad(), self.assertRaisesRegex(sf.Error, "a gradient, which"):
            call()

    def test_operator(self):
        """The operator alone, beside float64 attention on what it wrote."""
        rng = np.random.default_rng(5)
        form = hf_cache.CacheFormat("int8", "int4", "token x 32")
        q, key, value = (torch.from_numpy(rng.normal(0, 1, shape)).half().to(DEVICE) for shape in (
            (2, 6, 5, 40), (2, 3, 5, 40), (2, 3, 5, 24)))
        sizes = cache_ops.page_bytes(form, (40, 24))
        pages = [torch.zeros(2, 3, 2, size, dtype=torch.uint8, device=DEVICE) for size in sizes]
        before = torch.tensor([62, -1], dtype=torch.int32, device=DEVICE)
        given = [q, key, value, *pages, before, str(form), 0.2, 4, 1.5]
        torch.library.opcheck(cache_ops.cache_attention, [
            t.clone() if isinstance(t, torch.Tensor) else t for t in given],
            test_utils=("test_schema", "test_faketensor"))
        out = torch.full((2, 6, 5, 24), float("nan")).copy_(cache_ops.cache_attention(*given))
        k, v = (sf.TernaryCache(p.cpu().numpy(), d, storage, form.scale, "f16").values(np.float64)
                for p, d, storage in zip(pages, (40, 24), form.storages))
        for b, h, i in np.ndindex(2, 6, 5):
            last = int(before[b]) + i
            seen = range(max(0, last - 3), last + 1)
            expected = np.zeros(24)
            if seen:
                scores = k[b, h // 2, seen] @ q[b, h, i].double().cpu().numpy() * 0.2
                scores = 1.5 * np.tanh(scores / 1.5)
                weights = np.exp(scores - scores.max())
                expected = weights @ v[b, h // 2, seen] / weights.sum()
            np.testing.assert_allclose(out[b, h, i], expected, atol=4e-3)
        for change, text in (
                ({0: q.float()}, "of one type, f16 or bf16"), ({1: key[:, :2]}, "do not fit"),
                ({3: pages[0][..., 1:]}, "expected the pages of keys, contiguous uint8"),
                ({5: before.long()}, r"int32 \[2\], found torch.int64"),
                ({6: "int8"}, "the text of a cache's format")):
            with self.assertRaisesRegex(sf.Error, text):
                cache_ops.cache_attention(*[change.get(i, t) for i, t in enumerate(given)])


if __name__ == "__main__":
    unittest.main()

# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import itertools
import json
import unittest

import numpy as np

import sparseflow as sf
from support import GROW, FolderTest

# Two heads for each key head; more keys than queries; a cache that grows first.
STEP = """
!q = tensor<?x4x?x40xf16>
!keys = tensor<?x2x?x40xf16, #sparseflow.ternary<key_planes, scale = KSCALE : f32>>
!values = tensor<?x2x?x24xf16, #sparseflow.ternary<value_planes, scale = VSCALE : f16>>
!new = tensor<?x2x?x40xf16>
func.func @step(%q: !q, %k: !keys, %v: !values, %t: !new, %n: tensor<?xi32>,
                %m: tensor<?xi32>, %s: tensor<4xf16>)
    -> (tensor<?x4x?x24xf16>, tensor<?x4x?xf32>, !keys) {
  %g = sparseflow.cache_append %k, %t at %n by <METHOD>
      : !keys, !new, tensor<?xi32>
  %o, %l = sparseflow.attention %q, %g, %v lengths(%m : tensor<?xi32>)
      operands(%s : tensor<4xf16>) as ["h"] score {
  ^bb0(%x: f32, %b: i32, %h: i32, %i: i32, %j: i32, %y: f16):
    %slope = arith.extf %y : f16 to f32
    %key = arith.sitofp %j : i32 to f32
    %bias = arith.mulf %slope, %key : f32
    %z = arith.addf %x, %bias : f32
    sparseflow.yield %z : f32
  } {MASK scale = 0.5 : f32} : !q, !keys, !values -> tensor<?x4x?x24xf16>, tensor<?x4x?xf32>
  return %o, %l, %g : tensor<?x4x?x24xf16>, tensor<?x4x?xf32>, !keys
}
"""
FULL = """
!q = tensor<2x7x4x40xf16>
!k = tensor<2x9x2x40xf16>
!v = tensor<2x9x2x24xf16>
func.func @full(%q: !q, %k: !k, %v: !v) -> tensor<2x7x4x24xf16> {
  %o = sparseflow.attention %q, %k, %v {causal, layout = #sparseflow.attention_layout<bshd>}
      : !q, !k, !v -> tensor<2x7x4x24xf16>
  return %o : tensor<2x7x4x24xf16>
}
"""
LATENT = """
!q = tensor<2x4x3x40xf16>
!c = tensor<2x1x9x40xf16>
func.func @latent(%q: !q, %c: !c) -> tensor<2x4x3x24xf16> {
  %v = tensor.extract_slice %c[0, 0, 0, 0] [2, 1, 9, 24] [1, 1, 1, 1] : !c to tensor<2x1x9x24xf16>
  %o = sparseflow.attention %q, %c, %v : !q, !c, tensor<2x1x9x24xf16> -> tensor<2x4x3x24xf16>
  return %o : tensor<2x4x3x24xf16>
}
"""
PAGED = """
!q = tensor<2x3x4x40xf16>
!k = tensor<?x16x2x40xf16>
!v = tensor<?x16x2x24xf16>
func.func @paged(%q: !q, %k: !k, %v: !v, %n: tensor<2xi32>, %t: tensor<2x3xi32>)
    -> tensor<2x3x4x24xf16> {
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<2xi32>) pages(%t : tensor<2x3xi32>)
      {causal, layout = #sparseflow.attention_layout<bshd>} : !q, !k, !v -> tensor<2x3x4x24xf16>
  return %o : tensor<2x3x4x24xf16>
}
"""

BIASED_PAGES = """
!kv = tensor<?x1x32x16xf16>
func.func @biased(%q: tensor<2x4x1x16xf16>, %k: !kv, %t: tensor<2x2xi32>,
                  %bias: tensor<2x64xf16>) -> tensor<2x4x1x16xf16> {
  %o = sparseflow.attention %q, %k, %k pages(%t : tensor<2x2xi32>)
      operands(%bias : tensor<2x64xf16>) as ["bk"] score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %in: f16):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %s, %0 : f32
    sparseflow.yield %1 : f32
  } : tensor<2x4x1x16xf16>, !kv, !kv -> tensor<2x4x1x16xf16>
  return %o : tensor<2x4x1x16xf16>
}
"""

GROW_PAGES = """
func.func @grow(%c: tensor<CACHExf16>, %x: tensor<ROWSxf16>, %n: tensor<2xi32>,
                %t: tensor<2x2xi32>) -> tensor<CACHExf16> {
  %g = sparseflow.cache_append %c, %x at %n pages(%t : tensor<2x2xi32>)
      {layout = #sparseflow.attention_layout<LAYOUT>}
      : tensor<CACHExf16>, tensor<ROWSxf16>, tensor<2xi32>
  return %g : tensor<CACHExf16>
}
"""

INT4 = """
!keys = tensor<5x2x64x40xf16, #sparseflow.quantized<key_int4, scale = token x 32 : f16>>
!values = tensor<5x2x64x24xf16, #sparseflow.quantized<value_int8, scale = token : f16>>
!t = tensor<2x2xi32>
!n = tensor<2xi32>
func.func @decode(%q: tensor<2x4x1x40xf16>, %k: !keys, %v: !values,
                  %x: tensor<2x2x1x40xf16>, %y: tensor<2x2x1x24xf16>, %n: !n, %m: !n, %t: !t)
    -> (tensor<2x4x1x24xf16>, !keys, !values) {
  %g = sparseflow.cache_append %k, %x at %n pages(%t : !t) : !keys, tensor<2x2x1x40xf16>, !n
  %w = sparseflow.cache_append %v, %y at %n pages(%t : !t) : !values, tensor<2x2x1x24xf16>, !n
  %o = sparseflow.attention %q, %g, %w lengths(%m : !n) pages(%t : !t)
      : tensor<2x4x1x40xf16>, !keys, !values -> tensor<2x4x1x24xf16>
  return %o, %g, %w : tensor<2x4x1x24xf16>, !keys, !values
}
"""
SINKS = """
!q = tensor<3x4x2x40xf16>
!k = tensor<3x2x9x40xf16>
func.func @sinks(%q: !q, %k: !k, %v: !k, %n: tensor<3xi32>, %s: tensor<4xf32>)
    -> (!q, tensor<3x4x2xf32>) {
  %o, %l = sparseflow.attention %q, %k, %v lengths(%n : tensor<3xi32>)
      sink_logits(%s : tensor<4xf32>) {causal} : !q, !k, !k -> !q, tensor<3x4x2xf32>
  return %o, %l : !q, tensor<3x4x2xf32>
}
"""

VARLEN = """
!q = tensor<1x3x?x40xf16>
!k = tensor<1x3x?x40xf16>
!v = tensor<1x3x?x24xf16>
func.func @varlen(%q: !q, %k: !k, %v: !v, %a: tensor<?xi32>, %b: tensor<?xi32>)
    -> tensor<1x3x?x24xf16> {
  %o = sparseflow.attention %q, %k, %v cu_seqlens(%a, %b : tensor<?xi32>, tensor<?xi32>)
      {causal} : !q, !k, !v -> tensor<1x3x?x24xf16>
  return %o : tensor<1x3x?x24xf16>
}
"""


def cache(rng, storage, shape, scale, scale_dtype):
    trits = rng.integers(-1, 2, shape).astype(np.int8)
    count = {"head": 1, "token": shape[2]}.get(scale) or -(-shape[3] // int(scale))
    scales = rng.integers(512, 1024, (*shape[:2], count)) / 1024
    if scale == "head":
        scales = scales[..., 0]
    return sf.TernaryCache.pack(trits, scales, storage,
                                scale if scale in ("head", "token") else int(scale),
                                scale_dtype)


class Attention(FolderTest):
    def bundle(self, program):
        sf.compile(program, self.path("manifest.json"), ["sm_90"], emit="manifest")
        return sf.Bundle(self.folder)

    def test_equals_the_cpu_device(self):
        rng = np.random.default_rng(11)
        for k_scale, v_scale, method, mask in (
                ("token", "head", "absmean", "causal,"),
                ("head", "token", "twn", "window = 5 : i64,"),
                ("32", "32", "twn", "")):
            program = STEP.replace("KSCALE", k_scale).replace("VSCALE", v_scale) \
                .replace("METHOD", method).replace("MASK", mask)
            k = cache(rng, "key_planes", (2, 2, 64, 40), k_scale, "f32")
            v = cache(rng, "value_planes", (2, 2, 64, 24), v_scale, "f16")
            arguments = {
                "q": rng.normal(0, 1, (2, 4, 3, 40)).astype(np.float16), "k": k, "v": v,
                "t": rng.normal(0, 1, (2, 2, 4, 40)).astype(np.float16),
                # The second entry's last tokens have no place.
                "n": np.array([10, 62], np.int32), "m": np.array([14, 64], np.int32),
                "s": rng.uniform(-0.1, 0.1, 4).astype(np.float16)}
            with self.subTest(keys=k_scale, values=v_scale, mask=mask):
                bundle = self.bundle(program)
                before = k.pages.copy()
                o, lse, grown = bundle.evaluate(arguments)
                np.testing.assert_array_equal(k.pages, before)
                exact = bundle.evaluate(arguments, exact=True)
                device = sf.run(program, arguments)
                self.assertEqual((o.dtype, o.shape), (np.float16, (2, 4, 3, 24)))
                np.testing.assert_array_equal(grown.values(), device[2])
                np.testing.assert_array_equal(grown.pages, exact[2].pages)
                for name, found in (("evaluated", o), ("device", device[0])):
                    np.testing.assert_allclose(found, exact[0], atol=4e-3, err_msg=name)
                for name, found in (("evaluated", lse), ("device", device[1])):
                    np.testing.assert_allclose(found, exact[1], atol=1e-4, err_msg=name)

    def test_full_precision(self):
        rng = np.random.default_rng(12)
        q, k, v = (rng.normal(0, 1, shape).astype(np.float16) for shape in (
            (2, 7, 4, 40), (2, 9, 2, 40), (2, 9, 2, 24)))
        bundle = self.bundle(FULL)
        exact = bundle.evaluate([q, k, v], exact=True)
        # Query i of 7 attends to the first i + 3 of 9 keys.
        scores = q[1, 4, 3].astype(np.float64) @ k[1, :7, 1].astype(np.float64).T
        weights = np.exp(scores / np.sqrt(40))
        np.testing.assert_allclose(
            exact[1, 4, 3], weights @ v[1, :7, 1].astype(np.float64) / weights.sum(),
            rtol=1e-6)
        for found in (bundle.evaluate([q, k, v]),
                      sf.run(FULL, {"q": q, "k": k, "v": v})):
            np.testing.assert_allclose(found, exact, atol=4e-3)

    def test_sinks(self):
        rng = np.random.default_rng(17)
        q, k, v = (rng.normal(0, 1, shape).astype(np.float16) for shape in (
            (3, 4, 2, 40), (3, 2, 9, 40), (3, 2, 9, 40)))
        sinks = np.array([0.5, -np.inf, 300, -2], np.float32)
        arguments = {"q": q, "k": k, "v": v, "n": np.array([9, 1, 0], np.int32), "s": sinks}
        bundle = self.bundle(SINKS)
        exact, lse = bundle.evaluate(arguments, exact=True)
        scores = np.exp(q[0, 3, 1].astype(np.float64) @ k[0, 1].astype(np.float64).T / np.sqrt(40))
        total = scores.sum() + np.exp(-2.0)
        np.testing.assert_allclose(exact[0, 3, 1], scores @ v[0, 1].astype(np.float64) / total,
                                   rtol=1e-5)
        np.testing.assert_allclose(lse[0, 3, 1], np.log(total), rtol=1e-5)
        # Nearly nothing is left beside a large logit, and nothing where there is no key.
        self.assertLess(abs(exact[0, 2]).max(), 1e-100)
        self.assertFalse(exact[2].any())
        np.testing.assert_array_equal(lse[2], np.broadcast_to(sinks[:, None], (4, 2)))
        for found in (bundle.evaluate(arguments), sf.run(SINKS, arguments)):
            np.testing.assert_allclose(found[0], exact, atol=4e-3)
            np.testing.assert_allclose(found[1], lse, atol=1e-3)

    def test_values_of_keys(self):
        rng = np.random.default_rng(16)
        q, c = (rng.normal(0, 1, shape).astype(np.float16)
                for shape in ((2, 4, 3, 40), (2, 1, 9, 40)))
        bundle = self.bundle(LATENT)
        exact = bundle.evaluate([q, c], exact=True)
        keys = c[1, 0].astype(np.float64)
        weights = np.exp(keys @ q[1, 2, 1].astype(np.float64) / np.sqrt(40))
        np.testing.assert_allclose(exact[1, 2, 1], weights @ keys[:, :24] / weights.sum(),
                                   rtol=1e-6)
        for found in (bundle.evaluate([q, c]), sf.run(LATENT, {"q": q, "c": c})):
            np.testing.assert_allclose(found, exact, atol=4e-3)

    def test_pages(self):
        rng = np.random.default_rng(15)
        q, k, v = (rng.normal(0, 1, shape).astype(np.float16) for shape in (
            (2, 3, 4, 40), (5, 16, 2, 40), (5, 16, 2, 24)))
        # The entries share page 3; what lies behind the lengths is no number.
        lengths, table = np.array([37, 16], np.int32), np.array([[4, 3, 0], [3, 5, -1]], np.int32)
        k[1:3], v[1:3], k[0, 5:], v[0, 5:] = (np.nan,) * 4
        bundle, arguments = self.bundle(PAGED), [q, k, v, lengths, table]
        exact = bundle.evaluate(arguments, exact=True)
        # The last query of the first entry sees 37 keys of pages 4, 3 and 0.
        keys, values = (x[[4, 3, 0], :, 1].reshape(48, -1)[:37].astype(np.float64)
                        for x in (k, v))
        weights = np.exp(keys @ q[0, 2, 3].astype(np.float64) / np.sqrt(40))
        np.testing.assert_allclose(exact[0, 2, 3], weights @ values / weights.sum(), rtol=1e-6)
        for found in (bundle.evaluate(arguments),
                      sf.run(PAGED, dict(zip("qkvnt", arguments)))):
            np.testing.assert_allclose(found, exact, atol=4e-3)
        lengths[1] = 17
        with self.assertRaisesRegex(sf.Error, "expected numbers from 0 to 4 for the 17 keys"):
            bundle.evaluate(arguments)

    def test_no_pages(self):
        rng = np.random.default_rng(16)
        q, k, bias = (rng.normal(0, 1, of).astype(np.float16)
                      for of in ((2, 4, 1, 16), (0, 1, 32, 16), (2, 64)))
        # No keys, whatever table and operand would have for them.
        arguments = [q, k, np.zeros((2, 2), np.int32), bias]
        exact = self.bundle(BIASED_PAGES).evaluate(arguments, exact=True)
        np.testing.assert_array_equal(exact, np.zeros_like(exact))
        found = sf.run(BIASED_PAGES, dict(zip(["q", "k", "t", "bias"], arguments)))
        np.testing.assert_array_equal(found, exact)

    def test_appends_to_dense_pages(self):
        rng = np.random.default_rng(18)
        table, n = np.array([[4, 0], [2, 1]], np.int32), np.array([-1, 14], np.int32)
        for layout, shape, rows in (("bhsd", (5, 2, 16, 6), (2, 2, 4, 6)),
                                    ("bshd", (5, 16, 2, 6), (2, 4, 2, 6))):
            program = GROW_PAGES.replace("LAYOUT", layout) \
                .replace("CACHE", "x".join(map(str, shape))) \
                .replace("ROWS", "x".join(map(str, rows)))
            pages, new = (rng.normal(0, 1, of).astype(np.float16) for of in (shape, rows))
            expected = pages.copy()
            for b, t in np.ndindex(2, 4):
                if n[b] + t >= 0:
                    number, row = table[b, (n[b] + t) // 16], (n[b] + t) % 16
                    if layout == "bshd":
                        expected[number, row] = new[b, t]
                    else:
                        expected[number, :, row] = new[b, :, t]
            arguments = [pages, new, n, table]
            bundle = self.bundle(program)
            np.testing.assert_array_equal(bundle.evaluate(arguments), expected)
            np.testing.assert_array_equal(sf.run(program, dict(zip("cxnt", arguments))),
                                          expected)
            with self.assertRaisesRegex(sf.Error, "expected numbers from 0 to 4 for position 0"):
                bundle.evaluate([pages, new, n, table + 1])

    def test_sequences(self):
        rng = np.random.default_rng(16)
        q, k, v = (rng.normal(0, 1, shape).astype(np.float16) for shape in (
            (1, 3, 12, 40), (1, 3, 20, 40), (1, 3, 20, 24)))
        # Nobody sees the keys of the second sequence, which has no queries.
        queries, keys = np.array([0, 5, 5, 10], np.int32), np.array([0, 9, 12, 20], np.int32)
        k[:, :, 9:12], v[:, :, 9:12] = np.nan, np.inf
        bundle, arguments = self.bundle(VARLEN), [q, k, v, queries, keys]
        exact = bundle.evaluate(arguments, exact=True)
        # Query 7 is the third of five; the last one sees the last of eight keys.
        weights = np.exp(k[0, 1, 12:18].astype(float) @ q[0, 1, 7].astype(float) / np.sqrt(40))
        np.testing.assert_allclose(
            exact[0, 1, 7], weights @ v[0, 1, 12:18].astype(float) / weights.sum(), rtol=1e-6)
        self.assertFalse(exact[0, :, 10:].any())
        for found in (bundle.evaluate(arguments),
                      sf.run(VARLEN, dict(zip("qkvab", arguments)))):
            np.testing.assert_allclose(found, exact, atol=4e-3)
        keys[3] = 21
        with self.assertRaisesRegex(sf.Error, "expected numbers from 0 to 20 that begin with 0"):
            bundle.evaluate(arguments)

    def test_nothing_to_attend_to(self):
        rng = np.random.default_rng(13)
        program = STEP.replace("KSCALE", "token").replace("VSCALE", "token") \
            .replace("METHOD", "twn").replace("MASK", "causal,")
        o, lse, grown = self.bundle(program).evaluate({
            "q": rng.normal(0, 1, (1, 4, 3, 40)).astype(np.float16),
            "k": sf.TernaryCache.empty(1, 2, 64, 40, "key_planes"),
            "v": cache(rng, "value_planes", (1, 2, 64, 24), "token", "f16"),
            "t": rng.normal(0, 1, (1, 2, 1, 40)).astype(np.float16),
            "n": np.array([0], np.int32), "m": np.array([1], np.int32),
            "s": np.zeros(4, np.float16)})
        # Of three queries the last sits at position 0; the others see no key.
        self.assertFalse(o[:, :, :2].any())
        self.assertTrue(np.isneginf(lse[:, :, :2]).all())
        self.assertTrue(o[:, :, 2].any() and np.isfinite(lse[:, :, 2]).all())
        self.assertTrue(grown.values()[:, :, 0].any())
        self.assertFalse(grown.values()[:, :, 1:].any())


class Caches(FolderTest):
    def test_decoding_is_prefill(self):
        # Tokens one at a time into pages of 4 and 8 bits, and all of them at once.
        rng = np.random.default_rng(16)
        keys, values = (rng.normal(0, 1, (2, 2, 70, d)).astype(np.float16)
                        for d in (40, 24))
        q = rng.normal(0, 1, (2, 4, 1, 40)).astype(np.float16)
        table = np.array([[3, 0], [1, 4]], np.int32)
        sf.compile(INT4, self.path("manifest.json"), ["sm_90"], emit="manifest")
        bundle = sf.Bundle(self.folder)
        k, v = (sf.TernaryCache.empty(5, 2, 64, d, storage, scale, "f16") for
                d, storage, scale in ((40, "key_int4", "token x 32"),
                                      (24, "value_int8", "token")))
        whole = [c.append(x, [0, 0], table=table) for c, x in ((k, keys), (v, values))]
        for n in range(70):
            lengths = np.full(2, n, np.int32)
            if n in (0, 63, 64, 69):
                out, k, v = bundle.evaluate([
                    q, k, v, keys[:, :, n:n + 1], values[:, :, n:n + 1], lengths,
                    lengths + 1, table])
            else:
                k, v = (c.append(x[:, :, n:n + 1], lengths, table=table)
                        for c, x in ((k, keys), (v, values)))
        for found, expected in zip((k, v), whole):
            np.testing.assert_array_equal(found.pages, expected.pages)
        # Position 69 of the second entry is row 5 of page 4.
        row = k.values()[4, 1, 5]
        self.assertLessEqual(abs(row - keys[1, 1, 69]).max(),
                             0.51 * abs(keys[1, 1, 69]).max() / 7)
        held = [c.values(np.float64)[[3, 0], 1].reshape(128, -1)[:70] for c in (k, v)]
        weights = np.exp(held[0] @ q[0, 3, 0].astype(np.float64) / np.sqrt(40))
        np.testing.assert_allclose(out[0, 3, 0], weights @ held[1] / weights.sum(),
                                   atol=4e-3)
        with self.assertRaisesRegex(sf.Error, "expected numbers from 0 to 4 for position"):
            k.append(keys[:, :, :1], [0, 0], table=table + 2)
        with self.assertRaisesRegex(sf.Error, r"expected tokens \[2, 2, T, 40\]"):
            k.append(values, [0, 0], table=table)

    def test_appends_in_place(self):
        rng = np.random.default_rng(18)
        tokens = rng.normal(0, 1, (2, 3, 5, 40)).astype(np.float16)
        table = np.array([[1], [4]], np.int32)
        for storage, scale in (("key_int8", "token"), ("value_int4", "token x 32"),
                               ("key_planes", "token")):
            # Positions before the cache, in it, and some behind its end.
            for lengths in ([-2, 60], [61, 0], [3, 64], [-9, 1]):
                cache = sf.TernaryCache.empty(2, 3, 64, 40, storage, scale, "f16")
                cache.append(tokens[::-1], [0, 59], in_place=True)
                where, before = cache.pages.ctypes.data, cache.pages.copy()
                expected = cache.append(tokens, lengths)
                np.testing.assert_array_equal(cache.pages, before)
                self.assertIs(cache.append(tokens, lengths, in_place=True), cache)
                self.assertEqual(cache.pages.ctypes.data, where)
                np.testing.assert_array_equal(cache.pages, expected.pages)
            pages = sf.TernaryCache.empty(5, 3, 64, 40, storage, scale, "f16")
            expected = pages.append(tokens, [0, 62], table=table)
            pages.append(tokens, [0, 62], table=table, in_place=True)
            np.testing.assert_array_equal(pages.pages, expected.pages)
            self.assertTrue(pages.pages.any())
            before = pages.pages.copy()
            with self.assertRaisesRegex(sf.Error, "expected numbers from 0 to 4"):
                pages.append(tokens, [0, 0], table=[[1], [5]], in_place=True)
            np.testing.assert_array_equal(pages.pages, before)
        pages.pages.flags.writeable = False
        with self.assertRaisesRegex(sf.Error, "the pages cannot be written"):
            pages.append(tokens[:1], [0], in_place=True)

    def test_round_trip_of_numbers(self):
        rng = np.random.default_rng(17)
        for storage, limit in (("key_int8", 128), ("value_int8", 128), ("key_int4", 8),
                               ("value_int4", 8)):
            for scale, groups in (("token", 1), ("token x 32", 3)):
                numbers = rng.integers(-limit, limit, (2, 3, 128, 72)).astype(np.int8)
                scales = rng.integers(1, 9, (2, 3, 128, groups)) / 8
                found = sf.TernaryCache.pack(numbers, scales, storage, scale, "f16")
                again, kept = found.unpack()
                np.testing.assert_array_equal(again, numbers)
                np.testing.assert_array_equal(kept.reshape(scales.shape), scales)
                np.testing.assert_array_equal(
                    found.values()[1, 2, 5],
                    numbers[1, 2, 5] * scales[1, 2, 5].repeat(72 if groups == 1 else 32)[:72])

    def test_floats(self):
        codes = np.arange(256, dtype=np.uint8).reshape(1, 1, 1, 256).repeat(64, axis=2)
        for storage in ("key_e4m3", "value_e4m3"):
            found = sf.TernaryCache.pack(codes, np.full((1, 1, 64), 2.0), storage)
            np.testing.assert_array_equal(found.unpack()[0], codes)
            values = found.values()[0, 0, 9]
            for code, value in enumerate(values):
                exponent, mantissa = code >> 3 & 15, code & 7
                size = 2 * (1 + mantissa / 8) * 2.0 ** (exponent - 7) if exponent else \
                    2 * mantissa / 512
                if code & 127 == 127:
                    self.assertTrue(np.isnan(value))
                else:
                    self.assertEqual(value, -size if code & 128 else size)
            # Each number beside the largest is what it was.
            finite = np.nan_to_num(values, nan=896.0).astype(np.float32)
            again = sf.TernaryCache.empty(1, 1, 64, 256, storage).append(
                finite.reshape(1, 1, 1, 256), [9])
            np.testing.assert_array_equal(again.values()[0, 0, 9], finite)
        with self.assertRaisesRegex(sf.Error, "expected the bits of floats, uint8, found int8"):
            sf.TernaryCache.pack(codes.astype(np.int8), np.ones((1, 1, 64)), "key_e4m3")

    def test_round_trip(self):
        rng = np.random.default_rng(14)
        for storage in ("key_planes", "value_planes"):
            for scale in ("head", "token", "32"):
                found = cache(rng, storage, (2, 3, 128, 72), scale, "bf16")
                trits, scales = found.unpack()
                again = sf.TernaryCache.pack(trits, scales, storage, found.scale, "bf16")
                np.testing.assert_array_equal(found.pages, again.pages)
                self.assertEqual(found.shape, (2, 3, 128, 72))
                self.assertEqual(set(np.unique(trits)), {-1, 0, 1})
                first = found.values()[1, 2, 5]
                scale_of = {"head": lambda: scales[1, 2],
                            "token": lambda: scales[1, 2, 5]}.get(
                                scale, lambda: scales[1, 2].repeat(32)[:72])()
                np.testing.assert_array_equal(first, trits[1, 2, 5] * scale_of)

    def test_without_elements(self):
        rng = np.random.default_rng(18)
        groups = {"head": (), "token": (), 32: (3,), "token x 32": (3,)}
        for storage in sf.cache.KINDS:
            scales = ("head", "token", 32) if storage.endswith("planes") else \
                ("token", "token x 32")
            for scale, shape in itertools.product(scales, ((0, 3, 64), (2, 0, 64), (2, 3, 0))):
                with self.subTest(storage=storage, scale=scale, shape=shape):
                    found = sf.TernaryCache.empty(*shape, 72, storage, scale, "f16")
                    numbers, kept = found.unpack()
                    self.assertEqual(numbers.shape, (*shape, 72))
                    tokens = shape[2:] if isinstance(scale, str) and scale != "head" else ()
                    self.assertEqual(kept.shape, (*shape[:2], *tokens, *groups[scale]))
                    self.assertEqual(found.values().shape, (*shape, 72))
                    grown = found.append(rng.standard_normal((*shape[:2], 1, 72)),
                                         [0] * shape[0])
                    self.assertEqual(grown.shape, found.shape)

    def test_refuses(self):
        pages = sf.TernaryCache.empty(1, 1, 64, 64, "key_planes")
        broken = pages.pages.copy()
        broken[0, 0, 0, 0] = 2
        for call, text in (
                (lambda: sf.TernaryCache.empty(1, 1, 63, 64, "key_planes"),
                 "a multiple of 64 positions, found 63"),
                (lambda: sf.TernaryCache.empty(1, 1, 64, 64, "keys"),
                 "expected key_planes, .* or value_e4m3, found keys"),
                (lambda: sf.TernaryCache(pages.pages[..., 1:], 64, "key_planes", "token",
                                         "f32"), r"expected pages \[B, G, S / 64, 1280\]"),
                (lambda: sf.TernaryCache(broken, 64, "key_planes", "token",
                                         "f32").unpack(), "expected a trit .*found bits 2"),
                (lambda: sf.TernaryCache.pack(np.full((1, 1, 64, 64), 2), np.ones(64),
                                              "key_planes"), "expected a trit, found 2 at head 0"),
                (lambda: pages.append(np.zeros((1, 2, 1, 64)), [0]),
                 r"expected tokens \[1, 1, T, 64\]"),
                (lambda: self.grow().evaluate({
                    "k": sf.TernaryCache.empty(1, 2, 64, 64, "value_planes"),
                    "t": np.zeros((1, 2, 1, 64), np.float16),
                    "n": np.zeros(1, np.int32)}),
                 "expected a ternary cache, key_planes of 64 features"),
                (lambda: self.grow().evaluate({
                    "k": np.zeros((1, 2, 64, 64), np.float16),
                    "t": np.zeros((1, 2, 1, 64), np.float16),
                    "n": np.zeros(1, np.int32)}), "expected a TernaryCache, found ndarray")):
            with self.subTest(text=text), self.assertRaisesRegex(sf.Error, text):
                call()

    def grow(self):
        sf.compile(GROW, self.path("manifest.json"), ["sm_90"], emit="manifest")
        return sf.Bundle(self.folder)


MODE_SIZES = {"query_heads": 8, "key_heads": 2, "features": 64}


def mode_policy(**members):
    return {"format": "sparseflow-mode-policy", "version": 1, **members}


class ChooseModeTest(FolderTest):
    def test_budget_and_error(self):
        errors = {"int8": 0.01, "int4": 0.05, "ternary_keys_values": 0.6}
        full = 2 * 2 * 1024 * 64 * 2
        for budget, bound, expected in ((0, 0, "full_precision"),
                                        (full - 1, 0.02, "int8"),
                                        (full // 3, 0.1, "int4"),
                                        (full // 6, 0.7, "ternary_keys_values")):
            with self.subTest(budget=budget):
                given = mode_policy(max_error=bound, errors=errors)
                if budget:
                    given["memory_budget"] = budget
                found = sf.choose_mode(given, capacity=1024, queries=32, **MODE_SIZES)
                self.assertEqual(found.mode, expected, found)
                self.assertEqual(found.reason, found.modes[expected]["reason"])
        # The bytes that pages of such caches have.
        pages = sum(sf.TernaryCache.empty(1, 2, 1024, 64, storage, "token", "f16")
                    .pages.nbytes for storage in ("key_int4", "value_int4"))
        self.assertEqual(found.modes["int4"]["bytes"], pages)
        self.assertEqual(found.modes["full_precision"]["bytes"], full)

    def test_no_mode_is_left(self):
        with self.assertRaisesRegex(
                sf.Error, "no mode is left.*full_precision takes .* more than 1000.*int8 is "
                          "not compiled.*int4 has no measured error"):
            sf.choose_mode(mode_policy(max_error=0.1, memory_budget=1000), capacity=64,
                           modes=("full_precision", "int4"), **MODE_SIZES)

    def test_batch_and_occupancy(self):
        # Few bytes: what a call costs decides. Many: what is read.
        given = mode_policy(max_error=0.1, errors={"ternary_keys": 0.05})
        modes = ("full_precision", "ternary_keys")
        for batch, share, expected in ((1, 1, "full_precision"), (64, 1, "ternary_keys"),
                                       (64, 0.01, "full_precision")):
            found = sf.choose_mode({**given, "occupancy": share}, capacity=32768, modes=modes,
                                   batch=batch, **MODE_SIZES)
            self.assertEqual(found.mode, expected, found)

    def test_files_and_speeds(self):
        path = self.path("policy.json")
        speed = {"gigabytes_per_second": 1e6, "fixed_microseconds": 0}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(mode_policy(max_error=1, errors={"int8": 0.1}, speeds={"int8": speed}), file)
        self.assertEqual(sf.choose_mode(path, capacity=64, **MODE_SIZES).mode, "int8")

    def test_refusals(self):
        for given, text in (
                ({"format": "other"}, "expected a policy of format sparseflow-mode-policy"),
                (mode_policy(), "cannot be read: KeyError: 'max_error'"),
                (mode_policy(max_error=0, errors={"int2": 0}), "expected a mode, .*found int2"),
                (mode_policy(max_error=0, occupancy=2), "expected 0 to 64 positions taken"),
                (self.path("none.json"), "is no policy")):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                sf.choose_mode(given, capacity=64, **MODE_SIZES)


if __name__ == "__main__":
    unittest.main()

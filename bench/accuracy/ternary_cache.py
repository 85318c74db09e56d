# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What making a cache of keys and values ternary costs, and how full its planes are.

Usage: ternary_cache.py [--keys N] [--seeds N]     (NumPy; prints Markdown)

This is not the error of kernels, which are checked against float64 with the same
trits: it is what a model loses. Keys and values come from distributions that resemble
those of caches: normal; heavy tails (Student's t with 5 degrees of freedom); a few
channels of ten times the size, as keys have them; such channels with means that all
tokens share. Queries are independent of the keys, so that attention is flat, or near
one key each, so that it is peaked. Trits and scales are those of
sparseflow.cache_append for a scale a token (twn), and for scales of heads or of groups
of features the best ones of the whole cache (Lloyd), from which an append rounds to the
nearest.
"""

import argparse

import numpy as np

FEATURES = 128
PAGE = 64


def draw(kind, rng, count):
    """Vectors [count, FEATURES]."""
    if kind == "heavy tails":
        return rng.standard_t(5, (count, FEATURES)) / np.sqrt(5 / 3)
    x = rng.standard_normal((count, FEATURES))
    if kind == "normal":
        return x
    channels = rng.choice(FEATURES, 4, replace=False)
    x[:, channels] *= 10
    if kind == "outlier channels with means":
        x[:, channels] += 30 * rng.standard_normal(4)
        x += 0.5 * rng.standard_normal(FEATURES)
    return x


def by_token(x):
    size = np.abs(x)
    far = size > 0.7 * size.mean(1, keepdims=True)
    scale = (size * far).sum(1, keepdims=True) / np.maximum(far.sum(1, keepdims=True), 1)
    return np.sign(x) * far, scale


def lloyd(x):
    """Trits of `x` and the one scale that loses least."""
    size, scale = np.abs(x), np.abs(x).mean()
    for _ in range(100):
        far = size > scale / 2
        new = size[far].mean() if far.any() else 0.0
        if new == scale:
            break
        scale = new
    return np.sign(x) * (size > scale / 2), scale


def by_group(x, width):
    trits, scales = np.empty_like(x), np.empty((1, x.shape[1]))
    for first in range(0, x.shape[1], width):
        part = slice(first, first + width)
        trits[:, part], scales[:, part] = lloyd(x[:, part])
    return trits, scales


SCALES = {"token": by_token, "head": lambda x: by_group(x, FEATURES),
          "64": lambda x: by_group(x, 64), "32": lambda x: by_group(x, 32)}


def attend(q, k, v):
    score = q @ k.T / np.sqrt(FEATURES)
    weight = np.exp(score - score.max(1, keepdims=True))
    return (weight / weight.sum(1, keepdims=True)) @ v


def relative(found, exact):
    return np.linalg.norm(found - exact) / np.linalg.norm(exact)


def zero_shares(trits, values):
    """Shares of zero trits, of words (16 trits of a row) and of 512-byte chunks that
    are all zero."""
    count = len(trits) // PAGE
    pages = trits[:count * PAGE].reshape(count, PAGE, FEATURES)
    # Rows and depth of a page: keys x features, or features x keys.
    pages = pages.transpose(0, 2, 1) if values else pages
    rows, depth = pages.shape[1:]
    # A lane of four has depths 8 f + 2 q + p of each 64: f 0 to 7, q 0 to 3, p 0, 1.
    words = pages.reshape(count, rows, depth // 64, 8, 4, 2).any((3, 5))
    # Four words of each of 32 lanes: eight rows of four words.
    chunks = words.transpose(0, 1, 3, 2).reshape(count, rows // 8, 8, 4, depth // 64)
    chunks = chunks.any((2, 3)).reshape(count, -1)
    whole = chunks.reshape(count, -1, 4).any(2)
    return 1 - (trits != 0).mean(), 1 - words.mean(), 1 - whole.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=2048)
    parser.add_argument("--seeds", type=int, default=4)
    options = parser.parse_args()
    kinds = ["normal", "heavy tails", "outlier channels", "outlier channels with means"]
    print("| keys | scale | error of keys | flat: keys | flat: both | peaked: keys | "
          "peaked: both | zero trits | zero words | zero chunks |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for kind in kinds:
        for scale, ternarize in SCALES.items():
            rows = []
            for seed in range(options.seeds):
                rng = np.random.default_rng(seed)
                k = draw(kind, rng, options.keys)
                v = draw("heavy tails" if kind != "normal" else kind, rng, options.keys)
                kt, ks = ternarize(k)
                vt, vs = ternarize(v)
                # One size of scores whatever the keys: about N(0, 1), or 12 for the
                # key that a query is near.
                unit = k / np.linalg.norm(k, axis=1, keepdims=True)
                spread = (k - k.mean(0)).std()
                flat = rng.standard_normal((64, FEATURES)) / spread
                near = unit[rng.integers(options.keys, size=64)]
                peaked = near * 12 * np.sqrt(FEATURES) / np.linalg.norm(k, axis=1).mean()
                row = [relative(kt * ks, k)]
                for q in (flat, peaked):
                    exact = attend(q, k, v)
                    row += [relative(attend(q, kt * ks, v), exact),
                            relative(attend(q, kt * ks, vt * vs), exact)]
                rows.append(row + list(zero_shares(kt, False)))
            mean = np.mean(rows, 0)
            print("| %s | %s | %s | %.1f %% | %.2g %% | %.2g %% |" % (
                kind, scale, " | ".join("%.3f" % x for x in mean[:5]),
                *(100 * mean[5:])))


if __name__ == "__main__":
    main()

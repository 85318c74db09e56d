"""What a model computes, in NumPy: in float64, and as a program does that rounds what it
stores, by chance. Shares nothing with the package.

Weights are by short names: `embed`, `places`, `types`, `embed_norm`, `final_norm`, `head`, and
of layer N `N.norm`, `N.q`, ... `N.down`; a matrix is [N, K], a bias has `.bias` behind the
name.
"""

import math
import sys

import numpy as np

from harness import ROOT

sys.path.insert(0, str(ROOT / "python/tests/model"))
from exact_attention import attention  # noqa: E402


def gelu(x):
    return x / 2 * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2)))


ACTIVATIONS = {
    "silu": lambda x: x / (1 + np.exp(-x)), "gelu": gelu,
    "gelu_tanh": lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi)
                                                * (x + 0.044715 * x ** 3))),
    "relu": lambda x: np.maximum(x, 0), "relu2": lambda x: np.maximum(x, 0) ** 2}


class Reference:
    """`weights` are as they are stored, in the type that is computed in. `rounding`: None in
    float64, else how what is stored is rounded. `kernels`: whether probabilities are, too, as
    operands of an MMA."""

    def __init__(self, model, weights, rounding=None, kernels=False):
        self.m, self.rounding, self.kernels = model, rounding, kernels
        self.scalar = np.float64 if rounding is None else np.float32
        self.w = weights

    def store(self, x):
        return x.astype(np.float64) if self.rounding is None else self.rounding(x)

    def norm(self, x, name, kind=None):
        if (kind or self.m.norm) == "layer":
            x = x - x.mean(-1, keepdims=True)
        y = x / np.sqrt((x * x).mean(-1, keepdims=True) + self.m.epsilon) * self.w[name]
        return self.store(y + self.w[name + ".bias"] if name + ".bias" in self.w else y)

    def linear(self, x, name):
        y = x @ self.w[name].T
        return y + self.w[name + ".bias"] if name + ".bias" in self.w else y

    def heads(self, x, count, name):
        x = self.store(self.linear(x, name)).reshape(len(x), count, -1)
        if name + "_norm" in self.w:
            x = self.norm(x, name + "_norm", "rms")
        return x

    def rotate(self, x):
        if not self.m.rotary:
            return x
        angle = np.outer(np.arange(len(x)), self.m.frequencies)[:, None]
        cos, sin = ((self.m.turned * function(angle)).astype(self.scalar)
                    for function in (np.cos, np.sin))
        half = len(self.m.frequencies)
        a, b, rest = x[..., :half], x[..., half:2 * half], x[..., 2 * half:]
        return self.store(np.concatenate([a * cos - b * sin, b * cos + a * sin, rest], -1))

    def distances(self, count):
        """What they add to scores of `count` tokens."""
        if "distances" not in self.w:
            return 0.0
        ahead = np.arange(count) - np.arange(count)[:, None]
        # Where the next bucket begins.
        edges = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
        number = np.searchsorted(edges, np.abs(ahead), "right") + 16 * (ahead > 0)
        return self.w["distances"][number].transpose(2, 0, 1)

    def tokens(self, ids):
        """Activations behind all layers."""
        m, w = self.m, self.w
        scale = np.array(m.scales[:1], self.scalar)
        if self.rounding is not None:
            scale, _ = self.rounding.near(scale)
        x = self.store(scale * w["embed"][np.asarray(ids)])
        if not m.rotary:
            places = w["places"] + w["types"][0] if "types" in w else w["places"]
            x = self.store(x + self.store(places)[:len(x)])
        if m.encoder:
            x = self.norm(x, "embed_norm")
        for layer in range(m.layers):
            x = self.layer(x, f"{layer}.")
        return x

    def layer(self, x, p):
        m = self.m
        h = x if m.encoder else self.norm(x, p + "norm")
        q, k, v = (self.heads(h, count, p + name) for name, count in
                   (("q", m.heads), ("k", m.kv_heads), ("v", m.kv_heads)))
        # Caches of 4 bits round what depends on the order.
        q, k = (self.rotate(part)[..., m.order] for part in (q, k))
        y = attention(m.scales[1] * q, k, v, self.store, m.cache,
                      not m.encoder, m.window, self.distances(len(x)),
                      self.rounding if self.kernels else None)
        if p + "sub_norm" in self.w:
            y = self.norm(y, p + "sub_norm", "rms")
        x = self.store(x + m.scales[2] * self.linear(y, p + "o"))
        if m.encoder:
            x = h = self.norm(x, p + "norm")
        else:
            h = self.norm(x, p + "ffn_norm")
        act = ACTIVATIONS[m.activation]
        if m.gated:
            up = self.store(self.linear(h, p + "up"))
            h = self.store(act(self.linear(h, p + "gate")) * up)
        else:
            h = self.store(act(self.linear(h, p + "up")))
        if p + "ffn_sub_norm" in self.w:
            h = self.norm(h, p + "ffn_sub_norm", "rms")
        x = self.store(x + m.scales[2] * self.linear(h, p + "down"))
        return self.norm(x, p + "ffn_norm") if m.encoder else x

    def logits(self, ids):
        x = self.norm(self.tokens(ids), "final_norm")
        return self.m.scales[3] * (x @ self.w["embed" if self.m.tied else "head"].T)

    def embedding(self, ids):
        x = self.tokens(ids)
        x = x[:1] if self.m.pooling == "first" else x
        total = x.max(0) if self.m.pooling == "max" else x.sum(0)
        return total / np.sqrt((total * total).sum())

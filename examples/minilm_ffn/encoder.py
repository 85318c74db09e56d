"""A reference forward pass of the BERT encoder, in numpy.

In float64; or as frameworks compute in f16: rounded after every operation, with sums
in f32. Both examples of MiniLM compare with it.
"""

import math

import numpy as np

_erf = np.frompyfunc(math.erf, 1, 1)


def erf(x):
    return _erf(x).astype(x.dtype)


def gelu(x):
    return 0.5 * x * (1.0 + erf(x * math.sqrt(0.5)))


def layer_norm(x, weight, bias, epsilon=1e-12):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + epsilon) * weight + bias


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def ffn(x, w1, b1, w2, b2):
    """Both halves of the feed-forward block with the residual, before the norm."""
    return gelu(x @ w1.T + b1) @ w2.T + b2 + x


class Encoder:
    """all-MiniLM-L6-v2: 6 layers, 12 heads, hidden size 384, FFN 1536."""

    LAYERS = 6
    HEADS = 12

    def __init__(self, weights, half=False):
        self.kind, self.half = np.float32 if half else np.float64, half
        self.weights = {name: np.asarray(value, self.kind)
                        for name, value in weights.items() if value.dtype.kind == "f"}

    def _rounded(self, x):
        return x.astype(np.float16).astype(self.kind) if self.half else x

    def _linear(self, x, name):
        w = self.weights
        return self._rounded(self._rounded(x @ w[name + ".weight"].T) + w[name + ".bias"])

    def _norm(self, x, name):
        return self._rounded(layer_norm(x, self.weights[name + ".weight"],
                                        self.weights[name + ".bias"]))

    def _attention(self, x, hidden, layer):
        name = f"encoder.layer.{layer}.attention"
        batch, tokens, size = x.shape

        def heads(part):
            y = self._linear(x, f"{name}.self.{part}")
            return y.reshape(batch, tokens, self.HEADS, -1).transpose(0, 2, 1, 3)

        q, k, v = heads("query"), heads("key"), heads("value")
        scores = self._rounded(self._rounded(q @ k.transpose(0, 1, 3, 2)) *
                               self.kind(1 / math.sqrt(size // self.HEADS)))
        # Hidden tokens get the least number of f16, as in the program.
        scores = np.maximum(scores + hidden, self.kind(-65504))
        mixed = self._rounded(self._rounded(softmax(scores)) @ v)
        mixed = mixed.transpose(0, 2, 1, 3).reshape(batch, tokens, size)
        return self._norm(self._rounded(self._linear(mixed, f"{name}.output.dense") + x),
                          f"{name}.output.LayerNorm")

    def ffn_weights(self, layer):
        """(w1, b1, w2, b2) of one layer."""
        name = f"encoder.layer.{layer}"
        return tuple(self.weights[f"{name}.{half}.dense.{part}"]
                     for half in ("intermediate", "output") for part in ("weight", "bias"))

    def _ffn(self, x, layer):
        name = f"encoder.layer.{layer}"
        h = self._rounded(gelu(self._linear(x, f"{name}.intermediate.dense")))
        return self._rounded(self._linear(h, f"{name}.output.dense") + x)

    def run(self, ids, mask):
        """Sentence embeddings [B, 384] of length 1, and the input [B, T, 384] of each
        layer's FFN. `ids` and `mask`, 0 where there is no token, are [B, T]."""
        w, rounded = self.weights, self._rounded
        x = rounded(w["embeddings.word_embeddings.weight"][ids] +
                    w["embeddings.token_type_embeddings.weight"][0])
        x = rounded(x + w["embeddings.position_embeddings.weight"][:ids.shape[1]])
        x = self._norm(x, "embeddings.LayerNorm")
        hidden = (mask[:, None, None, :] == 0) * self.kind(-65504)
        inputs = []
        for layer in range(self.LAYERS):
            x = self._attention(x, hidden, layer)
            inputs.append(x)
            x = self._norm(self._ffn(x, layer), f"encoder.layer.{layer}.output.LayerNorm")
        keep = mask[:, :, None].astype(self.kind)
        mean = rounded(rounded((x * keep).sum(axis=1)) / keep.sum(axis=1))
        length = rounded(np.sqrt(rounded((mean * mean).sum(axis=1, keepdims=True))))
        return rounded(mean / length), inputs

    def run_sentence(self, tokens):
        """The embedding [384] of one sentence, and the inputs [T, 384]."""
        ids = np.asarray(tokens)[None]
        embeddings, inputs = self.run(ids, np.ones_like(ids))
        return embeddings[0], [x[0] for x in inputs]

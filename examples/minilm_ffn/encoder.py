"""A reference forward pass of the BERT encoder, in numpy.

One sentence at a time, so there is no padding and no mask. All arithmetic is in
the type of the weights that are given: float64 for a reference.
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

    def __init__(self, weights):
        self.weights = {name: np.asarray(value, np.float64)
                        for name, value in weights.items() if value.dtype.kind == "f"}

    def _linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def _norm(self, x, name):
        return layer_norm(x, self.weights[name + ".weight"], self.weights[name + ".bias"])

    def _attention(self, x, layer):
        name = f"encoder.layer.{layer}.attention"
        tokens, hidden = x.shape

        def heads(part):
            y = self._linear(x, f"{name}.self.{part}")
            return y.reshape(tokens, self.HEADS, -1).transpose(1, 0, 2)

        q, k, v = heads("query"), heads("key"), heads("value")
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(hidden // self.HEADS)
        mixed = (softmax(scores) @ v).transpose(1, 0, 2).reshape(tokens, hidden)
        return self._norm(self._linear(mixed, f"{name}.output.dense") + x,
                          f"{name}.output.LayerNorm")

    def ffn_weights(self, layer):
        """(w1, b1, w2, b2) of one layer."""
        name = f"encoder.layer.{layer}"
        return tuple(self.weights[f"{name}.{half}.dense.{part}"]
                     for half in ("intermediate", "output") for part in ("weight", "bias"))

    def run(self, tokens):
        """Returns (sentence embedding of length 1, [FFN input of each layer])."""
        w = self.weights
        x = (w["embeddings.word_embeddings.weight"][tokens] +
             w["embeddings.position_embeddings.weight"][:len(tokens)] +
             w["embeddings.token_type_embeddings.weight"][0])
        x = self._norm(x, "embeddings.LayerNorm")
        inputs = []
        for layer in range(self.LAYERS):
            x = self._attention(x, layer)
            inputs.append(x)
            x = self._norm(ffn(x, *self.ffn_weights(layer)),
                           f"encoder.layer.{layer}.output.LayerNorm")
        embedding = x.mean(axis=0)
        return embedding / np.linalg.norm(embedding), inputs

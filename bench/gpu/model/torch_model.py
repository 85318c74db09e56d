"""A decoder in PyTorch as people run one fast: fused QKV and gate-up, a static cache,
torch.compile of each layer, and one CUDA graph a step. The peer of sparseflow.bench."""

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = {"cudnn": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}


def _norm(x, weight, epsilon):
    wide = x.float()
    return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + epsilon)
            * weight).to(x.dtype)


def _rotate(x, cos, sin):
    a, b = x.float().chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1).to(x.dtype)


def _activation(name, x):
    if name == "silu":
        return F.silu(x)
    if name == "relu2":
        return F.relu(x).square()
    raise ValueError(name)


def _before(x, weights, cos, sin, g, keys, values, places):
    """Up to the cache, which holds the new keys and values afterwards."""
    batch, tokens, _ = x.shape
    heads, kv = g.heads, g.kv_heads
    qkv = F.linear(_norm(x, weights["norm"], g.epsilon), weights["qkv"])
    qkv = qkv.view(batch, tokens, heads + 2 * kv, g.head_dim)
    q = _rotate(qkv[:, :, :heads], cos, sin)
    keys[:, :, places] = _rotate(qkv[:, :, heads:heads + kv], cos, sin).transpose(1, 2)
    values[:, :, places] = qkv[:, :, heads + kv:].transpose(1, 2)
    return q.transpose(1, 2)


def _behind(x, o, weights, g):
    batch, tokens, _ = x.shape
    o = o.transpose(1, 2).reshape(batch, tokens, g.heads * g.head_dim)
    if "attn_sub" in weights:
        o = _norm(o, weights["attn_sub"], g.epsilon)
    x = x + F.linear(o, weights["output"])
    gate, up = F.linear(_norm(x, weights["ffn_norm"], g.epsilon),
                        weights["gate_up"]).chunk(2, -1)
    h = _activation(g.activation, gate) * up
    if "ffn_sub" in weights:
        h = _norm(h, weights["ffn_sub"], g.epsilon)
    return x + F.linear(h, weights["down"])


class TorchModel:
    """Random weights of a sparseflow Geometry, on the GPU, in f16; reserve() makes the
    caches."""

    def __init__(self, geometry, compiled=True):
        g, self.g = geometry, geometry
        half = dict(device="cuda", dtype=torch.float16)

        def matrix(n, k):
            return torch.randn(n, k, **half) * k ** -0.5
        ones = lambda n: torch.ones(n, device="cuda")
        qkv = (g.heads + 2 * g.kv_heads) * g.head_dim
        self.layers = []
        for _ in range(g.layers):
            weights = {"norm": ones(g.hidden), "qkv": matrix(qkv, g.hidden),
                       "output": matrix(g.hidden, g.heads * g.head_dim),
                       "ffn_norm": ones(g.hidden),
                       "gate_up": matrix(2 * g.inner, g.hidden),
                       "down": matrix(g.hidden, g.inner)}
            if g.has("attn_sub_norm.weight"):
                weights["attn_sub"] = ones(g.heads * g.head_dim)
            if g.has("ffn_sub_norm.weight"):
                weights["ffn_sub"] = ones(g.inner)
            self.layers.append(weights)
        self.norm = ones(g.hidden)
        self.embed = matrix(g.vocabulary, g.hidden)
        self.head = self.embed if g.tied else matrix(g.vocabulary, g.hidden)
        self.keys = self.values = None
        wrap = torch.compile if compiled else (lambda function: function)
        self._before = wrap(_before)
        self._behind = wrap(_behind)
        self._last = wrap(lambda x: F.linear(_norm(x, self.norm, g.epsilon), self.head)
                          .float().argmax(-1))

    def reserve(self, batch, room):
        """Caches of `room` tokens for each of `batch` texts, of random numbers."""
        g = self.g
        self.keys = self.values = None
        torch.cuda.empty_cache()
        shape = (g.layers, batch, g.kv_heads, room, g.head_dim)
        self.keys, self.values = (
            torch.randn(shape, device="cuda", dtype=torch.float16) for _ in range(2))
        angles = torch.outer(torch.arange(room, device="cuda").float(), 10000.0 ** (
            -torch.arange(g.head_dim // 2, device="cuda") * 2.0 / g.head_dim))
        self.cos, self.sin = angles.cos(), angles.sin()

    def run(self, ids, first, keys_read, causal, backend):
        """The next tokens behind ids [B, T], whose first stands at `first`."""
        g, tokens = self.g, ids.shape[1]
        places = torch.arange(first, first + tokens, device="cuda")
        cos, sin = (table[places][None, :, None] for table in (self.cos, self.sin))
        x = F.embedding(ids, self.embed)
        with sdpa_kernel(BACKENDS[backend]):
            for layer, weights in enumerate(self.layers):
                keys, values = self.keys[layer], self.values[layer]
                q = self._before(x, weights, cos, sin, g, keys, values, places)
                o = F.scaled_dot_product_attention(
                    q, keys[:, :, :keys_read], values[:, :, :keys_read],
                    is_causal=causal, enable_gqa=g.heads != g.kv_heads)
                x = self._behind(x, o, weights, g)
        return self._last(x[:, -1:])

    def graph(self, batch, tokens, first, keys_read, backend):
        """A CUDA graph of a run, to replay."""
        # The graph reads it: it stays.
        self._ids = ids = torch.randint(0, self.g.vocabulary, (batch, tokens), device="cuda")
        causal = tokens > 1
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side), torch.inference_mode():
            for _ in range(3):
                self.run(ids, first, keys_read, causal, backend)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.inference_mode(), torch.cuda.graph(graph):
            self._made = self.run(ids, first, keys_read, causal, backend)
        return graph


def milliseconds(graph, times, samples):
    """Of a replay, back to back; sorted samples."""
    found = []
    for _ in range(samples + 1):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        for _ in range(times):
            graph.replay()
        end.record()
        torch.cuda.synchronize()
        found.append(begin.elapsed_time(end) / times)
    return sorted(found[1:])

"""A random model: its sizes and choices, and its weights, from a seed."""

import math
import types

import numpy as np

FAMILIES = ("llama", "mistral", "qwen2", "qwen3", "phi3", "gemma", "granite", "gpt2", "bert",
            "roberta", "distilbert", "mpnet", "bitnet")
ENCODERS = ("bert", "roberta", "distilbert", "mpnet")
GGUF = ("llama", "qwen2", "qwen3", "bitnet", "bitnet-b1.58")
# Values of a block: what rows are multiples of.
BLOCKS = {"F32": 1, "F16": 1, "BF16": 1, "Q8_0": 32, "Q4_0": 32, "Q4_1": 32, "TQ1_0": 256,
          "TQ2_0": 256, "Q2_0": 64}
TRITS = ("TQ1_0", "TQ2_0", "Q2_0")


def make(rng, kind=None, family=None):
    """The sizes and choices; `kind`: "hf" or "gguf"."""
    m = types.SimpleNamespace()
    kinds = [name for name, known in (("hf", FAMILIES), ("hf", FAMILIES), ("gguf", GGUF))
             if family is None or family in known]
    m.kind = kind or rng.choice(kinds)
    m.family = family or rng.choice(FAMILIES if m.kind == "hf" else GGUF)
    m.encoder, m.bitnet = m.family in ENCODERS, m.family.startswith("bitnet")
    m.rotary = m.family not in ("gpt2", *ENCODERS)
    m.dtype = rng.choice(["f16", "f16", "bf16"])
    m.stored = rng.choice(list(BLOCKS)) if m.kind == "gguf" else \
        rng.choice(["F16", "BF16", "F32", "mixed"])
    if m.kind == "gguf" and m.bitnet:
        m.stored = rng.choice(TRITS)
    m.packed = m.family == "bitnet" and m.kind == "hf" and rng.choice(["offline", "online", ""])
    block = BLOCKS.get(m.stored, 1)
    m.layers = rng.choice([1, 1, 2])
    m.heads = rng.choice([1, 2, 3, 4, 5, 6])
    m.kv_heads = m.heads if not m.rotary else \
        rng.choice([n for n in range(1, m.heads + 1) if m.heads % n == 0])
    m.head_dim = rng.choice([2, 4, 6, 10, 16, 20, 32, 64] if m.rotary else
                            [1, 3, 5, 8, 12, 16, 33])
    m.hidden = m.heads * m.head_dim
    if m.rotary and rng.random() < .5:
        m.hidden = rng.choice([2, 6, 24, 50, 68, 100])
    m.inner = rng.choice([1, 3, 20, 64, 72, 101])
    if m.packed == "offline":
        # Rows of packed trits are in quarters.
        m.head_dim, m.hidden, m.inner = (-(-n // 4) * 4
                                         for n in (m.head_dim, m.hidden, m.inner))
    if block > 1:
        # Heads that are no power of two, where rows are.
        m.head_dim = max(2, block * rng.choice([1, 1, 2]) // rng.choice([1, 2]))
        m.heads, m.kv_heads = rng.choice([(2, 1), (2, 2), (4, 2), (6, 3)])
        m.heads = -(-m.heads * m.head_dim // block) * block // m.head_dim
        m.kv_heads = m.kv_heads if m.heads % m.kv_heads == 0 else 1
        m.hidden, m.inner = block * rng.choice([1, 2]), block * rng.choice([1, 3])
    m.vocabulary = rng.choice([1, 2, 29, 61, 97, 130])
    m.positions = rng.choice([1, 7, 16, 33, 70])
    m.cut = rng.randrange(1, m.positions + 1) if rng.random() < .2 else None
    m.norm = "rms" if m.rotary else "layer"
    m.epsilon = rng.choice([1e-5, 1e-6, 1e-12 if m.encoder else 1e-5])
    if m.family == "distilbert":
        m.epsilon = 1e-12
    m.gated, m.tied = m.rotary, m.encoder or rng.random() < .5
    m.activation = rng.choice(["silu", "gelu", "gelu_tanh", "relu", "relu2"])
    if m.family == "gemma":
        m.activation = rng.choice(["gelu_tanh", "silu"])
    # What embeddings, scores, residuals and logits are multiplied by.
    m.scales = {"gemma": (m.hidden ** .5, 1.0, 1.0, 1.0),
                "granite": tuple(rng.choice([.25, 1.0, 3.5]) for _ in range(4))
                }.get(m.family, (1.0,) * 4)
    if m.kind == "gguf" and not m.bitnet:
        m.activation = "silu"
    if m.family == "bitnet-b1.58":
        m.activation = "relu2"
    m.window = rng.choice([1, 2, 5, 40]) \
        if m.family in ("mistral", "phi3") and rng.random() < .5 else 0
    m.pooling = rng.choice(["mean", "first", "max"]) if m.encoder else "mean"
    # Rows in front of embedded positions, behind the padding token's number.
    m.reserved = {"roberta": rng.choice([1, 2, 4]), "mpnet": 2}.get(m.family, 0)
    m.theta = rng.choice([10000.0, 100.0, 500000.0])
    stretch(m, rng)
    # Of queries, keys and values, and of all the other matrices.
    m.biases = (m.family == "qwen2" or not m.rotary or rng.random() < .2,
                not m.rotary or (m.family != "bitnet" and rng.random() < .2))
    if m.kind == "gguf" and m.bitnet:
        m.biases = (False, False)
    m.prefixed = rng.random() < .5
    m.types = m.family in ("bert", "roberta") and rng.choice([0, 1, 2])
    # What keys and values are kept as; queries and keys of int4 are spread over a head.
    caches = ["dense", "dense", "int8", "e4m3"] + ["int4"] * (m.head_dim in (64, 128, 256))
    m.cache = "dense" if m.encoder else rng.choice(caches)
    m.seed = rng.randrange(2 ** 32)
    return m


def stretch(m, rng):
    """Rotary positions: frequencies, what cosines and sines are multiplied by, and what
    config.json says of both."""
    m.stretch, m.scaling, m.turned = rng.choice([1.0, 1.0, 2.5]), None, 1.0
    # Features that are turned, the first of a head.
    m.rotated = m.head_dim
    if m.family == "phi3" and rng.random() < .5:
        m.rotated = 2 * rng.randrange(1, m.head_dim // 2 + 1)
    # Where a program has a head's features: those that turn in front, or pairs side by side.
    parts = np.split(np.arange(m.head_dim), np.cumsum(
        [m.rotated // 2, m.rotated // 2, (m.head_dim - m.rotated) // 2]))
    m.order = np.concatenate([parts[i] for i in (0, 2, 1, 3)])
    if m.kind == "gguf" and m.family == "llama":
        m.order = m.order.reshape(2, -1).T.ravel()
    count = (m.rotated + 1) // 2
    plain = m.theta ** (-2 * np.arange(count) / m.rotated)
    m.frequencies = plain / m.stretch
    if m.stretch == 1 or not m.rotary:
        return
    m.scaling = {"rope_type": "linear", "factor": m.stretch}
    if m.kind == "hf" and (kind := rng.choice(["linear", "yarn", "longrope"])) != "linear":
        original = rng.choice([1, 2, 8, 30, 100])
        m.scaling = {"rope_type": kind, "original_max_position_embeddings": original,
                     "factor": m.stretch}
        if rng.random() < .3:
            m.scaling["attention_factor"] = m.turned = rng.choice([.5, 1.25])
        elif kind == "yarn":
            m.turned = 1 + math.log(m.stretch) / 10
        elif original > 1:
            m.turned = math.sqrt(1 + math.log(m.stretch) / math.log(original))
        if kind == "yarn":
            m.positions = max(m.positions, int(original * m.stretch))
            m.frequencies = between(m, plain, original)
        else:
            factors = {name: [rng.choice([1.0, 1.5, 7.25]) for _ in range(count)]
                       for name in ("short_factor", "long_factor")}
            m.scaling.update(factors)
            longest = m.cut or m.positions
            m.frequencies = plain / np.array(
                factors["long_factor" if longest > original else "short_factor"])


def between(m, plain, original):
    """Pairs that turn 32 times within the original positions stay, those that turn once are
    stretched; whole places of such pairs, at the ends of the features at most."""
    def place(turns):
        return m.rotated * math.log(original / (2 * math.pi * turns)) / (2 * math.log(m.theta))
    first, last = max(math.floor(place(32)), 0), min(math.ceil(place(1)), m.rotated - 1)
    span = last - first if last != first else 0.001
    share = [min(max((index - first) / span, 0), 1) for index in range(len(plain))]
    return np.array([frequency * (1 - part) + frequency / m.stretch * part
                     for frequency, part in zip(plain, share)])


def exact(x):
    """Values near x that f16 and bf16 both hold."""
    bits = (x.astype(np.float32).view(np.uint32) + 0x8000) & np.uint32(0xFFFF0000)
    x = bits.view(np.float32)
    return np.where(np.abs(x) < 2.0 ** -14, np.float32(0), x)


def shapes(m):
    """[N, K] of a layer's matrices, by name."""
    q, kv = m.heads * m.head_dim, m.kv_heads * m.head_dim
    result = {"q": (q, m.hidden), "k": (kv, m.hidden), "v": (kv, m.hidden), "o": (m.hidden, q),
              "up": (m.inner, m.hidden), "down": (m.hidden, m.inner)}
    if m.gated:
        result["gate"] = (m.inner, m.hidden)
    return result


def weights(m):
    """By reference.py's names, float32."""
    random = np.random.default_rng(m.seed)

    def normal(*shape, scale=1.0, mean=0.0):
        return exact(random.normal(size=shape) * scale + mean)
    w = {"embed": normal(m.vocabulary, m.hidden)}
    if not m.rotary:
        w["places"] = normal(m.positions, m.hidden, scale=.5)
    if m.family == "mpnet":
        w["distances"] = normal(32, m.heads, scale=2)
    if m.types:
        w["types"] = normal(m.types, m.hidden, scale=.5)
    if not m.tied:
        w["head"] = normal(m.vocabulary, m.hidden, scale=.3)
    vectors = {"embed_norm" if m.encoder else "final_norm": m.hidden}
    for layer in range(m.layers):
        p = f"{layer}."
        for name, (n, k) in shapes(m).items():
            w[p + name] = normal(n, k, scale=1.3 / math.sqrt(k))
            if m.biases[name not in "qkv"]:
                w[p + name + ".bias"] = normal(n, scale=.3)
        vectors.update({p + "norm": m.hidden, p + "ffn_norm": m.hidden})
        if m.family == "qwen3":
            vectors.update({p + "q_norm": m.head_dim, p + "k_norm": m.head_dim})
        if m.bitnet:
            vectors.update({p + "sub_norm": m.heads * m.head_dim, p + "ffn_sub_norm": m.inner})
    for name, size in vectors.items():
        w[name] = normal(size, scale=.2, mean=1)
        if m.norm == "layer":
            w[name + ".bias"] = normal(size, scale=.3)
    return w

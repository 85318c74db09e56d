"""Random models as GGUF files: metadata with numbers of any type, and blocks of any kind."""

import struct

import numpy as np

from draw import BLOCKS, TRITS
from folders import encoded

NUMBERS = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 8, "BF16": 30, "TQ1_0": 34,
           "TQ2_0": 35, "Q2_0": 42}
NAMES = {"embed": "token_embd", "final_norm": "output_norm", "head": "output",
         "norm": "attn_norm", "q": "attn_q", "k": "attn_k", "v": "attn_v", "o": "attn_output",
         "q_norm": "attn_q_norm", "k_norm": "attn_k_norm", "sub_norm": "attn_sub_norm",
         "ffn_sub_norm": "ffn_sub_norm", "ffn_norm": "ffn_norm", "gate": "ffn_gate",
         "up": "ffn_up", "down": "ffn_down"}
# Numbers of types of metadata: whole ones by how they are written, then floats.
WHOLE = {"<B": 0, "<b": 1, "<H": 2, "<h": 3, "<I": 4, "<i": 5, "<Q": 10, "<q": 11}
FLOATS = {"<f": 6, "<d": 12}


def name_of(name):
    """What a file calls a tensor of ours."""
    stem, end = (name[:-5], "bias") if name.endswith(".bias") else (name, "weight")
    layer, _, short = stem.rpartition(".")
    return (f"blk.{layer}." if layer else "") + f"{NAMES[short]}.{end}"


def blocks(values, kind, random):
    """(bytes of rows in a block's type, the values that they stand for)."""
    size = BLOCKS[kind]
    if size == 1:
        return encoded(values, kind), values
    rows = values.reshape(-1, size)
    most = np.abs(rows).max(1, keepdims=True)
    if kind in TRITS:
        trits = random.integers(-1, 2, rows.shape)
        # Of one row, or of each block.
        scale = np.full_like(most, 0.05) if random.random() < .5 else most / 3
        scale = scale.astype(np.float16)
        data = {"TQ1_0": tq1, "TQ2_0": tq2, "Q2_0": q2}[kind](trits + 1)
        parts = [scale.view(np.uint8), data]
        data = np.hstack(parts if kind == "Q2_0" else parts[::-1])
        return data.tobytes(), (trits * scale.astype(np.float32)).reshape(values.shape)
    top = {"Q8_0": 127, "Q4_0": 7, "Q4_1": 15}[kind]
    least = rows.min(1, keepdims=True).astype(np.float16) if kind == "Q4_1" else np.float16(0)
    scale = ((rows.max(1, keepdims=True) - least if kind == "Q4_1" else most) / top
             ).astype(np.float16)
    wide = scale.astype(np.float32)
    codes = np.rint((rows - least) / np.where(wide, wide, 1)).clip(-8 * (kind == "Q4_0") - 127
                                                                  * (kind == "Q8_0"), top)
    found = codes * wide + np.float32(least)
    head = [scale.view(np.uint8)] + ([least.view(np.uint8)] if kind == "Q4_1" else [])
    if kind == "Q8_0":
        data = codes.astype(np.int8).view(np.uint8)
    else:
        data = (codes + 8 * (kind == "Q4_0")).astype(np.uint8)
        data = data[:, :16] | data[:, 16:] << 4
    return np.hstack([*head, data]).tobytes(), found.astype(np.float32).reshape(values.shape)


def tq2(codes):
    spread = codes.astype(np.uint8).reshape(len(codes), 2, 4, 32)
    return (spread << np.arange(0, 8, 2, dtype=np.uint8)[:, None]).sum(
        2, dtype=np.uint8).reshape(len(codes), 64)


def tq1(codes):
    made = []
    for first, last, count in ((0, 160, 32), (160, 240, 16), (240, 256, 4)):
        digits = codes[:, first:last].reshape(len(codes), -1, count)
        value = sum(digits[:, i] * 3 ** (4 - i) for i in range(digits.shape[1]))
        made.append(-(-value * 256 // 243))
    return np.hstack(made).astype(np.uint8)


def q2(codes):
    spread = codes.astype(np.uint8).reshape(len(codes), -1, 4)
    return (spread << np.arange(0, 8, 2, dtype=np.uint8)).sum(-1, dtype=np.uint8)


def metadata_of(m, rng):
    """Pairs of key and value; what says nothing new may be absent."""
    pairs = {"general.architecture": m.family}
    more = {"block_count": m.layers, "embedding_length": m.hidden,
            "attention.head_count": m.heads, "feed_forward_length": m.inner,
            "context_length": m.positions, "attention.layer_norm_rms_epsilon": m.epsilon}
    if m.kv_heads != m.heads or rng.random() < .5:
        more["attention.head_count_kv"] = m.kv_heads
    if m.hidden != m.heads * m.head_dim or rng.random() < .5:
        more.update({"attention.key_length": m.head_dim, "attention.value_length": m.head_dim})
    if rng.random() < .5:
        more["rope.dimension_count"] = m.head_dim
    if m.theta != 10000 or rng.random() < .5:
        more["rope.freq_base"] = m.theta
    if m.stretch != 1:
        more["rope.scaling.factor"] = m.stretch
    if m.bitnet and (m.activation != "silu" or rng.random() < .5) and m.family == "bitnet":
        more["hidden_activation"] = {"gelu_tanh": "gelu_pytorch_tanh"}.get(m.activation,
                                                                           m.activation)
    for key, value in more.items():
        pairs[f"{m.family}.{key}"] = value
    if rng.random() < .5:
        pairs["general.alignment"] = rng.choice([32, 64, 8])
    items = list(pairs.items())
    rng.shuffle(items)
    return dict(items)


def tensors_of(m, weights):
    """name to (type, shape, bytes); `weights` become what the file means."""
    random = np.random.default_rng(m.seed + 2)
    result = {}
    for name, value in weights.items():
        kind = "F32" if value.ndim == 1 else m.stored
        if kind in TRITS and not name[0].isdigit():
            kind = random.choice(["F16", "BF16", "Q8_0"])
        data, weights[name] = blocks(value, kind, random)
        # Files of llama have the pairs of queries and keys as neighbours.
        if m.family == "llama" and name[2:].split(".")[0] in ("q", "k"):
            data = b"".join(neighbours(data, m.head_dim, len(value)))
        result[name_of(name)] = (NUMBERS[kind], value.shape, data)
    return result


def neighbours(data, size, count):
    """Rows (i, i + D/2) of each head side by side."""
    step = len(data) // count
    rows = [data[at * step:(at + 1) * step] for at in range(count)]
    for head in range(0, count, size):
        for pair in range(size // 2):
            yield rows[head + pair]
            yield rows[head + pair + size // 2]


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value_of(value, rng):
    """A value of the metadata, in one of the types that hold it."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return struct.pack("<I", 8) + text(value)
    if isinstance(value, list):
        inner = [value_of(item, None) for item in value]
        return struct.pack("<I", 9) + inner[0][:4] + struct.pack("<Q", len(inner)) \
            + b"".join(item[4:] for item in inner)
    if isinstance(value, float):
        forms, known = list(FLOATS), FLOATS
    else:
        forms, known = [form for form in WHOLE if holds(form, value)], WHOLE
    form = rng.choice(forms) if rng else forms[-1]
    return struct.pack("<I", known[form]) + struct.pack(form, value)


def holds(form, value):
    try:
        struct.pack(form, value)
        return True
    except struct.error:
        return False


def write(path, metadata, tensors, rng):
    """The file."""
    alignment = metadata.get("general.alignment", 32)
    alignment = alignment if alignment in (8, 32, 64) else 32
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        head += text(key) + value_of(value, rng)
    at, data = 0, b""
    for name, (kind, shape, raw) in tensors.items():
        head += text(name) + struct.pack("<I", len(shape))
        head += b"".join(struct.pack("<Q", size) for size in reversed(shape))
        head += struct.pack("<IQ", kind, at)
        padded = raw + b"\0" * (-len(raw) % alignment)
        data, at = data + padded, at + len(padded)
    with open(path, "wb") as file:
        file.write(head + b"\0" * (-len(head) % alignment) + data)

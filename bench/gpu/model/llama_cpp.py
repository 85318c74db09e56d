"""llama.cpp's CUDA back end on models of the same geometry: GGUF files of random weights,
written here, and the times that llama-bench and llama-batched-bench print. Both are built
by the user and stand in one folder; nothing of them is part of this repository."""

import json
import os
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from common.machine import why

# Name: GGML's number of the type, weights of a block, its bytes, where its halves lie that
# are scales. CUDA has no kernels of TQ1_0 and TQ2_0, the formats of ternary weights.
TYPES = {"F32": (0, 1, 4, ()), "F16": (1, 1, 2, (0,)), "Q4_0": (2, 32, 18, (0,)),
         "Q8_0": (8, 32, 34, (0,)), "Q2_K": (10, 256, 84, (80, 82)),
         "Q2_0": (42, 64, 18, (0,))}
WEIGHTS, HEAD = ("Q2_0", "Q2_K", "Q4_0"), "Q8_0"
STEPS = 64
_ALIGNMENT, _PERIOD = 32, 1 << 23


def _text(value):
    return struct.pack("<Q", len(value)) + value.encode()


def _pair(key, value):
    kind, packed = ((8, _text(value)) if isinstance(value, str) else
                    (6, struct.pack("<f", value)) if isinstance(value, float) else
                    (4, struct.pack("<I", value)))
    return _text(key) + struct.pack("<I", kind) + packed


def _blocks(name, random):
    """Random bytes of a type, small numbers; matrices repeat them."""
    _, weights, size, halves = TYPES[name]
    if name == "F32":
        return np.ones(_PERIOD // 4, np.float32).tobytes()
    raw = random.integers(0, 256, (_PERIOD // size, size), np.uint8)
    for place in halves:
        scales = random.uniform(0.002, 0.02, len(raw)).astype(np.float16)
        raw[:, place:place + 2] = scales.view(np.uint8).reshape(-1, 2)
    return raw.tobytes()


def _tensors(geometry):
    """[(name, (columns, rows) or (elements,), is it the head or the embedding)]."""
    g, found = geometry, []
    wide, narrow = g.heads * g.head_dim, g.kv_heads * g.head_dim
    found += [("token_embd.weight", (g.hidden, g.vocabulary), True),
              ("output_norm.weight", (g.hidden,), False)]
    if not g.tied:
        found.append(("output.weight", (g.hidden, g.vocabulary), True))
    for layer in range(g.layers):
        at = f"blk.{layer}."
        found += [(f"{at}attn_norm.weight", (g.hidden,), False),
                  (f"{at}ffn_norm.weight", (g.hidden,), False),
                  (f"{at}attn_q.weight", (g.hidden, wide), False),
                  (f"{at}attn_k.weight", (g.hidden, narrow), False),
                  (f"{at}attn_v.weight", (g.hidden, narrow), False),
                  (f"{at}attn_output.weight", (wide, g.hidden), False),
                  (f"{at}ffn_gate.weight", (g.hidden, g.inner), False),
                  (f"{at}ffn_up.weight", (g.hidden, g.inner), False),
                  (f"{at}ffn_down.weight", (g.inner, g.hidden), False)]
    return found


def write_gguf(path, geometry, weights):
    """A model of random weights: matrices of layers in the type `weights`, embedding and head
    in Q8_0, norms in F32. All are llamas: the family `bitnet` has two more norms a layer, but
    computes a head that is the embedding on the CPU."""
    g, random, family = geometry, np.random.default_rng(1), "llama"
    pairs = [("general.architecture", family), ("general.alignment", _ALIGNMENT),
             (f"{family}.block_count", g.layers), (f"{family}.context_length", g.positions),
             (f"{family}.embedding_length", g.hidden),
             (f"{family}.feed_forward_length", g.inner),
             (f"{family}.attention.head_count", g.heads),
             (f"{family}.attention.head_count_kv", g.kv_heads),
             (f"{family}.attention.layer_norm_rms_epsilon", 1e-5),
             (f"{family}.rope.freq_base", 500000.0),
             (f"{family}.rope.dimension_count", g.head_dim),
             (f"{family}.vocab_size", g.vocabulary), ("tokenizer.ggml.model", "no_vocab")]
    head, sizes, offset = b"", [], 0
    tensors = _tensors(g)
    for name, shape, outer in tensors:
        kind = "F32" if len(shape) == 1 else HEAD if outer else weights
        number, block, size, _ = TYPES[kind]
        head += _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, number,
                                          offset)
        count = int(np.prod(shape)) // block * size
        sizes.append((kind, count))
        offset += -(-count // _ALIGNMENT) * _ALIGNMENT
    head = (b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs))
            + b"".join(_pair(*pair) for pair in pairs) + head)
    blocks = {kind: _blocks(kind, random) for kind in {kind for kind, _ in sizes}}
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % _ALIGNMENT))
        for kind, count in sizes:
            whole, rest = divmod(count, len(blocks[kind]))
            for _ in range(whole):
                file.write(blocks[kind])
            file.write(blocks[kind][:rest] + bytes(-count % _ALIGNMENT))


def _call(command, limit):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          timeout=limit)
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} ended with {done.returncode}: "
                           f"{(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


def _one(folder, path, keys, repeats):
    """Milliseconds of a step of one text, of each repeat, behind `keys` keys."""
    found = json.loads(_call(
        [folder / "llama-bench", "-m", path, "-ngl", 99, "-p", 0, "-n", STEPS, "-d", keys,
         "-fa", 1, "-r", repeats, "-o", "json"], 300))[0]
    return [ns / 1e6 / STEPS for ns in found["samples_ns"]], found


def _several(folder, path, batch, keys):
    """Milliseconds of a step of `batch` texts."""
    lines = _call([folder / "llama-batched-bench", "-m", path, "-ngl", 99, "-fa", "on",
                   "-c", batch * (keys + STEPS), "-b", 2048, "-ub", 2048, "-npp", keys,
                   "-ntg", STEPS, "-npl", batch, "--output-format", "jsonl"], 300)
    found = next(json.loads(line) for line in lines.splitlines() if line.startswith("{"))
    return [1000 * found["t_tg"] / STEPS]


def measure(folder, geometries, sizes_of, repeats, late):
    """{"version", "rows": ...}: a row for each geometry, type of weights and size of a step of
    decoding: `milliseconds` of each repeat."""
    folder = Path(folder)
    found = {"rows": [], "errors": []}
    for name, geometry in geometries.items():
        sizes = [(batch, keys) for kind, batch, _, keys in sizes_of(name) if kind == "decode"]
        for weights in WEIGHTS:
            if late():
                return found
            with tempfile.TemporaryDirectory() as place:
                path = os.path.join(place, "model.gguf")
                write_gguf(path, geometry, weights)
                for batch, keys in sizes:
                    if batch > 16 or keys > 1024 or late():
                        continue
                    try:
                        if batch == 1:
                            times, said = _one(folder, path, keys, repeats)
                            found["version"] = f"{said['build_commit']}"
                        else:
                            times = _several(folder, path, batch, keys)
                    except (RuntimeError, subprocess.TimeoutExpired, StopIteration) as error:
                        found["errors"].append(
                            f"{name}, {weights}, {batch} x {keys}: {why(error)}")
                        print(f"llama.cpp: {found['errors'][-1]}", flush=True)
                        continue
                    found["rows"].append({
                        "geometry": name, "weights": weights, "head": HEAD, "batch": batch,
                        "keys": keys, "milliseconds": [round(t, 4) for t in times],
                        "file_bytes": os.path.getsize(path)})
                    print(f"llama.cpp: {name} {weights} {batch} x {keys}: {min(times):.3f} ms",
                          flush=True)
    return found

#!/usr/bin/env python3
"""Attention with ternary keys and values on a GPU, beside our own f16 kernels and
PyTorch's. Behind `scripts/bench ternary-attention`.

  scripts/bench ternary-attention --compile-only OUT    bundles and an index
  scripts/bench ternary-attention --run OUT             checks and times them
  scripts/bench ternary-attention                       both, where one machine has all

As `scripts/bench attention`, whose needs and exit codes it shares. Every variant of a
shape has buffers of its own size, used in turn, more than the L2 cache holds together;
all of a shape are timed in one process in alternated order. Checks compare with
float64 on the same trits and scales.
"""

import json
import random
import struct
import sys

import attention
from attn import bench, programs

# (batch, heads, key heads, queries, keys, features, causal)
SHAPES = tuple(programs.Shape(*values, 0.0) for values in (
    (16, 32, 8, 1, 8192, 128, False), (64, 32, 8, 1, 4096, 128, False),
    (1, 32, 8, 1, 32768, 128, False), (8, 32, 8, 1, 32768, 128, False),
    (16, 32, 32, 1, 4096, 128, False), (32, 32, 8, 1, 8192, 64, False),
    (4, 16, 16, 2048, 2048, 128, True), (4, 16, 16, 2048, 2048, 128, False),
    (4, 16, 16, 2048, 2048, 64, True), (2, 16, 16, 4096, 4096, 128, True)))
# Scales of keys and of values; None: f16.
MODES = {"f16": (None, None), "keys": ("head", None), "both": ("head", "head"),
         "both_token": ("token", "token"), "both_32": (32, 32)}
# Checked at pairs of queries and keys.
LENGTHS = ((1, 64), (1, 8192), (1, 1024), (17, 320), (64, 64), (200, 448), (512, 512))


def _type(heads, length, d, batch, storage, scale):
    encoding = (f", #sparseflow.ternary<{storage}, scale = {scale} : f32>" if scale
                else "")
    return f"tensor<{batch}x{heads}x{length}x{d}xf16{encoding}>"


def text(shape, mode, pinned=None, dynamic=False):
    """The program of a shape; with `dynamic` batch and lengths are of the call."""
    keys, values = MODES[mode]
    batch, queries, length = (("?",) * 3 if dynamic else
                              (shape.batch, shape.queries, shape.keys))
    q = _type(shape.heads, queries, shape.d, batch, "", None)
    k = _type(shape.key_heads, length, shape.d, batch, "key_planes", keys)
    v = _type(shape.key_heads, length, shape.d, batch, "value_planes", values)
    attributes = ["causal"] if shape.causal else []
    if pinned:
        attributes.append(f"sftile.schedules = [{pinned}]")
    return (f"func.func @f(%q: {q}, %k: {k}, %v: {v}) -> {q} {{\n"
            f"  %o = sparseflow.attention %q, %k, %v {{{', '.join(attributes)}}}\n"
            f"    : {q}, {k}, {v} -> {q}\n  return %o : {q}\n}}\n")


def page_bytes(d, scale):
    """Bytes of the planes of a page, and of the page (f32 scales)."""
    planes = -(-d // 64) * 64 * 16
    scales = 1 if scale == "head" else 64 if scale == "token" else -(-d // scale)
    return planes, planes + (4 * scales + 15) // 16 * 16


def cache_bytes(shape, scale):
    if not scale:
        return 2 * shape.batch * shape.key_heads * shape.keys * shape.d
    return (shape.batch * shape.key_heads * shape.keys // 64 *
            page_bytes(shape.d, scale)[1])


def random_cache(shape, scale, seed):
    """Pages of random trits, a third of them zero; 61 of them, repeated."""
    if not scale:
        return attention.random_half(cache_bytes(shape, scale) // 2, seed)
    source = random.Random(seed)
    legal = [a | b << 2 | c << 4 | d << 6 for a in (0, 1, 3) for b in (0, 1, 3)
             for c in (0, 1, 3) for d in (0, 1, 3)]
    planes, page = page_bytes(shape.d, scale)
    block = b"".join(bytes(source.choices(legal, k=planes)) +
                     struct.pack("<f", 1.0) * ((page - planes) // 4)
                     for _ in range(61))
    total = cache_bytes(shape, scale)
    return (block * (total // len(block) + 1))[:total]


def jobs(options):
    for shape in SHAPES:
        for mode in MODES:
            yield "speed", f"{shape.name}.{mode}", text(shape, mode)
    for d in (64, 128):
        for causal in (False, True):
            for mode in MODES:
                shape = programs.Shape(1, 8, 2, 1, 64, d, causal, 0.0)
                yield ("check", f"check_d{d}{'_causal' if causal else ''}.{mode}",
                       text(shape, mode, dynamic=True))


def compile_all(options):
    return bench.compile_jobs(options, "ternary-attention",
                              [job for job in jobs(options) if options.only in job[1]])


def time_shape(driver, options, index, shape, names):
    """Microseconds of a launch, by mode."""
    runs, pointers, known = {}, [], {}

    def buffers_of(mode):
        keys, values = MODES[mode]
        item = 2 * shape.d * shape.batch * shape.heads * shape.queries
        sizes = [item, cache_bytes(shape, keys), cache_bytes(shape, values), item]
        count = max(1, min(16, -(-2 * attention.L2_BYTES // sum(sizes))))
        sets = [[driver.allocate(size) for size in sizes] for _ in range(count)]
        pointers.extend(pointer for buffers in sets for pointer in buffers)
        for number, buffers in enumerate(sets):
            driver.upload(buffers[0], attention.random_half(item // 2, number))
            driver.upload(buffers[1], random_cache(shape, keys, 3 * number + 1))
            driver.upload(buffers[2], random_cache(shape, values, 3 * number + 2))
        return sets

    for name in names:
        mode = name.split(".")[1]
        if mode not in known:
            known[mode] = buffers_of(mode)
        kernels = attention.Kernels(driver, options.run / "bundles" / name, shape,
                                    index["target"], known[mode])
        graph = kernels.graph()
        runs[name] = lambda graph=graph: driver.replay_time(graph)
    item = 4 * shape.d * shape.batch * (shape.heads * shape.queries +
                                        shape.key_heads * shape.keys)
    count = max(1, min(8, -(-2 * attention.L2_BYTES // item)))
    torch, others = attention.peers(shape, count)
    for name, graph in others.items():
        runs[name] = bench.torch_timer(torch, graph)
    times = bench.time_in_turns(runs, options.rounds, options.replays,
                                attention.LAUNCHES)
    for pointer in pointers:
        driver.free(pointer)
    return times


def names_of(shape, known):
    return [name for mode in MODES if (name := f"{shape.name}.{mode}") in known]


def report(shape, names, times, known):
    bar = times.get("cuDNN", times[names[0]])["us"]
    print(f"{shape.name}: " + ", ".join(
        f"{name.split('.')[-1]} {values['us']:.1f} ({bar / values['us']:.2f}x)"
        for name, values in times.items()), flush=True)
    return {"name": shape.name, "flops": shape.flops, "key_bytes": shape.key_bytes,
            "queries": shape.queries, "times": times,
            "cache_bytes": {mode: cache_bytes(shape, keys) + cache_bytes(shape, values)
                            for mode, (keys, values) in MODES.items()},
            "ptxas": {name: known[name].get("ptxas", []) for name in names}}


def markdown(results):
    lines = [f"# Ternary attention, {results['target']}, commit "
             f"{results['commit'][:12]}", "",
             f"{results['machine'].get('gpu', {}).get('name', 'unknown GPU')}; medians "
             f"of graph replays of {attention.LAUNCHES} launches, microseconds; buffers "
             "rotate, together larger than the L2 cache; all of a row in one run.", "",
             f"Checks: {sum(c['ok'] for c in results['checks'])} of "
             f"{len(results['checks'])} right.", "",
             "| shape | " + " | ".join(MODES) + " | cuDNN | FlashAttention-2 |",
             "|---" * (len(MODES) + 3) + "|"]
    for row in results["speed"]:
        found = {key.split(".")[-1]: values["us"] for key, values in row["times"].items()}
        cells = [f"{found[key]:.1f}" if key in found else "-"
                 for key in (*MODES, "cuDNN", "FlashAttention-2")]
        lines.append(f"| {row['name']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def write(results, folder):
    folder.mkdir(parents=True, exist_ok=True)
    name = f"ternary-attention-{results['target']}"
    (folder / f"{name}.json").write_text(json.dumps(results, indent=1) + "\n")
    (folder / f"{name}.md").write_text(markdown(results))


def measure(options, index, results):
    wrong = 0 if options.no_checks else bench.check_all(options, index, results,
                                                        LENGTHS)
    bench.time_all(options, index, results, SHAPES, names_of, time_shape, report)
    write(results, options.results)
    return wrong


def main():
    parser = bench.parser_of("ternary-attention", __doc__, budget=200)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--replays", type=int, default=15)
    return bench.run(parser.parse_args(), "ternary-attention", compile_all, measure)


if __name__ == "__main__":
    sys.exit(main())

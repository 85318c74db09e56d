#!/usr/bin/env python3
"""One query and many on int8, int4 and e4m3 caches on a GPU, beside our own f16 kernels and
PyTorch's.
Behind `scripts/bench quantized-attention`.

  scripts/bench quantized-attention --compile-only OUT [--tune]   bundles and an index
  scripts/bench quantized-attention --run OUT                     checks and times them
  scripts/bench quantized-attention                               both

As `scripts/bench ternary-attention`: needs, buffers, order and exit codes are the same.
With `--tune`, schedules of other stages and blocks are timed, too.
"""

import random
import struct
import sys

import attention
import ternary_attention
from attn import bench, programs

# (batch, heads, key heads, queries, keys, features, causal)
SHAPES = tuple(programs.Shape(*values, False, 0.0) for values in (
    (16, 32, 8, 1, 8192, 128), (64, 32, 8, 1, 4096, 128), (8, 32, 8, 1, 32768, 128),
    (1, 32, 8, 1, 32768, 128), (16, 32, 8, 1, 2048, 128), (16, 32, 32, 1, 4096, 128),
    (16, 64, 8, 1, 8192, 128), (16, 32, 2, 1, 32768, 128), (32, 32, 8, 1, 8192, 64),
    (16, 32, 8, 4, 8192, 128)))
# Prompts, causal, and chunks of them behind a cache, without a mask: PyTorch's is another
# one there.
SHAPES += tuple(programs.Shape(*values, values[3] == values[4], 0.0) for values in (
    (1, 8, 8, 1024, 1024, 128), (16, 32, 8, 512, 512, 128), (4, 32, 8, 2048, 2048, 128),
    (1, 32, 8, 8192, 8192, 128), (4, 16, 16, 2048, 2048, 64), (2, 12, 12, 960, 1024, 96),
    (1, 32, 8, 64, 8192, 128), (1, 32, 8, 128, 4096, 128), (1, 32, 8, 2048, 8192, 128),
    (1, 64, 8, 256, 32768, 128), (16, 16, 16, 256, 2048, 64), (32, 8, 8, 128, 512, 128)))
# Bits of keys and values, what shares a scale (f16), keys of a page of the table. Of e4m3
# the bits are of floats.
MODES = {"f16": (16, "", 0), "int8": (8, "token", 0), "int8_paged": (8, "token", 64),
         "e4m3": (8, "token", 0), "e4m3_paged": (8, "token", 64),
         "int4": (4, "token", 0), "int4_paged": (4, "token", 64),
         "int4_32": (4, "token x 32", 0)}
TUNED = ("int8", "int4")
# Checked at pairs of queries and keys.
LENGTHS = ((1, 64), (1, 8192), (1, 1024), (5, 320), (200, 448))


def _is_float(mode):
    return mode.startswith("e4m3")


def _cache(shape, mode, storage, batch, keys):
    bits, scale, page = MODES[mode]
    if page:
        batch, keys = "?" if batch == "?" else batch * keys // page, page
    number = "e4m3" if _is_float(mode) else f"int{bits}"
    encoding = (f", #sparseflow.quantized<{storage}_{number}, scale = {scale} : f16>"
                if bits < 16 else "")
    return f"tensor<{batch}x{shape.key_heads}x{keys}x{shape.d}xf16{encoding}>"


def text(shape, mode, pinned=None, dynamic=False):
    """The program of a shape; with `dynamic` batch and lengths are of the call."""
    batch, queries, keys = (("?",) * 3 if dynamic else
                            (shape.batch, shape.queries, shape.keys))
    page = MODES[mode][2]
    q = f"tensor<{batch}x{shape.heads}x{queries}x{shape.d}xf16>"
    k, v = (_cache(shape, mode, name, batch, keys) for name in ("key", "value"))
    table = f"tensor<{batch}x{'?' if dynamic else keys // page}xi32>" if page else ""
    pages = f" pages(%t : {table})" if page else ""
    named = ["causal"] if shape.causal else []
    if pinned:
        named.append(f"sftile.schedules = [{pinned}]")
    attributes = f" {{{', '.join(named)}}}" if named else ""
    return (f"func.func @f(%q: {q}, %k: {k}, %v: {v}{f', %t: {table}' if page else ''})"
            f" -> {q} {{\n  %o = sparseflow.attention %q, %k, %v{pages}{attributes}\n"
            f"    : {q}, {k}, {v} -> {q}\n  return %o : {q}\n}}\n")


def candidates(mode):
    """Schedules of one query worth a try, by name."""
    for keys in (16, 32, 64):
        for blocks in (6, 8, 10, 12, 16):
            # Words of two stages, and what else a thread holds.
            registers = keys // 16 * (32 if mode == "int8" else 16) * 2 + 80
            if registers <= 65536 // (32 * blocks):
                yield f"k{keys}b{blocks}", programs.schedule(
                    queries=16, warp=16, keys=keys, stages=2, holds_queries=True,
                    packed=True, max_queries=1, split_blocks=132 * blocks,
                    split_min_keys=256, blocks_per_sm=blocks)


def page_bytes(d, mode):
    """Bytes of the numbers of a page of 64 keys, and of the page."""
    bits, scale, _ = MODES[mode]
    unit = 32 if bits == 8 else 64
    numbers = -(-d // unit) * unit * 8 * bits
    groups = -(-d // int(scale.split()[-1])) if "x" in scale else 1
    return numbers, numbers + 128 * groups


def cache_bytes(shape, mode):
    if mode == "f16":
        return 2 * shape.batch * shape.key_heads * shape.keys * shape.d
    return shape.batch * shape.key_heads * shape.keys // 64 * page_bytes(shape.d, mode)[1]


def random_cache(shape, mode, seed):
    """Pages of random numbers; 61 of them, repeated."""
    if mode == "f16":
        return attention.random_half(cache_bytes(shape, mode) // 2, seed)
    source = random.Random(seed)
    numbers, page = page_bytes(shape.d, mode)
    scale = 2.0**-8 if _is_float(mode) else 0.25 / 2**MODES[mode][0] * 8

    def codes():
        some = source.randbytes(numbers)
        # No NaN.
        return some.replace(b"\x7f", b"\x7e").replace(b"\xff", b"\xfe") \
            if _is_float(mode) else some
    block = b"".join(codes() + struct.pack("<e", scale) * ((page - numbers) // 2)
                     for _ in range(61))
    total = cache_bytes(shape, mode)
    return (block * (total // len(block) + 1))[:total]


def jobs(options):
    for shape in SHAPES:
        for mode in MODES:
            yield "speed", f"{shape.name}.{mode}", text(shape, mode)
            if options.tune and mode in TUNED and shape.queries == 1:
                for name, pinned in candidates(mode):
                    yield ("tune", f"{shape.name}.{mode}.{name}",
                           text(shape, mode, pinned))
    for d in (64, 128):
        for mode in MODES:
            if not MODES[mode][2]:
                shape = programs.Shape(1, 8, 2, 1, 64, d, False, 0.0)
                yield "check", f"check_d{d}.{mode}", text(shape, mode, dynamic=True)


def compile_all(options):
    return bench.compile_jobs(options, "quantized-attention",
                              [job for job in jobs(options) if options.only in job[1]])


class Kernels(attention.Kernels):
    """The result is the last buffer: a page table may stand before it."""

    def place(self, argument, buffers):
        return super().place(argument, [*buffers[:3], buffers[-1]]
                             if "result" in argument else buffers)


def time_shape(driver, options, index, shape, names):
    """Microseconds of a launch, by mode or by mode and schedule."""
    runs, pointers, known = {}, [], {}

    def buffers_of(mode):
        item = 2 * shape.d * shape.batch * shape.heads * shape.queries
        size = cache_bytes(shape, mode)
        count = max(1, min(16, -(-2 * attention.L2_BYTES // (2 * item + 2 * size))))
        sets = []
        for number in range(count):
            contents = [attention.random_half(item // 2, number),
                        random_cache(shape, mode, 3 * number + 1),
                        random_cache(shape, mode, 3 * number + 2)]
            if page := MODES[mode][2]:
                order = list(range(shape.batch * shape.keys // page))
                random.Random(number).shuffle(order)
                contents.append(struct.pack(f"<{len(order)}i", *order))
            buffers = [driver.allocate(len(data)) for data in contents]
            for pointer, data in zip(buffers, contents):
                driver.upload(pointer, data)
            sets.append([*buffers, driver.allocate(item)])
        pointers.extend(pointer for buffers in sets for pointer in buffers)
        return sets

    for name in names:
        mode = name.split(".")[1]
        if mode not in known:
            known[mode] = buffers_of(mode)
        kernels = Kernels(driver, options.run / "bundles" / name, shape,
                          index["target"], known[mode])
        graph = kernels.graph()
        runs[name] = lambda graph=graph: driver.replay_time(graph)
    item = 4 * shape.d * shape.batch * (shape.heads * shape.queries +
                                        shape.key_heads * shape.keys)
    torch, others = attention.peers(shape, max(1, min(8, -(-2 * attention.L2_BYTES // item))))
    for name, graph in others.items():
        runs[name] = bench.torch_timer(torch, graph)
    times = bench.time_in_turns(runs, options.rounds, options.replays,
                                attention.LAUNCHES)
    for pointer in pointers:
        driver.free(pointer)
    return times


def names_of(shape, known):
    return [name for name in known if name.startswith(shape.name + ".")]


def report(shape, names, times, known):
    bar = times.get("cuDNN", times[names[0]])["us"]
    print(f"{shape.name}: " + ", ".join(
        f"{name.split('.', 1)[-1]} {values['us']:.1f} ({bar / values['us']:.2f}x)"
        for name, values in times.items()), flush=True)
    return {"name": shape.name, "key_bytes": shape.key_bytes, "queries": shape.queries,
            "times": times,
            "cache_bytes": {mode: 2 * cache_bytes(shape, mode) for mode in MODES},
            "ptxas": {name: known[name].get("ptxas", []) for name in names}}


def markdown(results):
    lines = [f"# Attention on int8, int4 and e4m3 caches, {results['target']}, commit "
             f"{results['commit'][:12]}", "",
             f"{results['machine'].get('gpu', {}).get('name', 'unknown GPU')}; medians "
             f"of graph replays of {attention.LAUNCHES} launches, microseconds; buffers "
             "rotate, together larger than the L2 cache; all of a row in one run. "
             "`_paged`: in pages of 64 keys in random order; `_32`: a scale for each 32 "
             "features of a token.", "",
             f"Checks: {sum(c['ok'] for c in results['checks'])} of "
             f"{len(results['checks'])} right.", "",
             "| shape | f16 cache | " + " | ".join(MODES) +
             " | cuDNN | FlashAttention-2 | cuDNN / int8 | cuDNN / e4m3 | cuDNN / int4 |",
             "|---" * (len(MODES) + 7) + "|"]
    for row in results["speed"]:
        found = {name.split(".", 1)[-1]: values["us"]
                 for name, values in row["times"].items()}
        cells = [f"{found[key]:.1f}" if key in found else "-"
                 for key in (*MODES, "cuDNN", "FlashAttention-2")]
        cells += [f"{found['cuDNN'] / found[key]:.2f}"
                  if key in found and "cuDNN" in found else "-"
                  for key in ("int8", "e4m3", "int4")]
        lines.append(f"| {row['name']} | {row['key_bytes'] / 1e6:.0f} MB | "
                     f"{' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = bench.parser_of("quantized-attention", __doc__, budget=240)
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--replays", type=int, default=15)
    return bench.run(parser.parse_args(), "quantized-attention", compile_all, measure)


def measure(options, index, results):
    wrong = 0 if options.no_checks else bench.check_all(options, index, results,
                                                        LENGTHS)
    bench.time_all(options, index, results, SHAPES, names_of, time_shape, report)
    ternary_attention.write(results, options.results, "quantized-attention", markdown)
    return wrong


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Attention on a GPU: right, repeatable, fast. Behind `scripts/bench attention`.

Two halves, for the machine with the compiler is seldom the one with the GPU:

  scripts/bench attention --compile-only OUT [--tune NAMES]   bundles and an index
  scripts/bench attention --run OUT                          checks and times them

and neither of them on a machine that has both. With --sweep, in both halves, instead of
the tuned sizes 200 points drawn at random and a list of those that servers have: few heads
on long caches, ragged entries, pages, 256 features, chunks behind a cache. All are checked
against float64 and timed in turn with PyTorch's cuDNN and FlashAttention-2; points are kept
as they come, and the next call for the same commit and seed goes on with the others.

The second half needs Python 3.9, sparseflow-exec and a driver. With PyTorch it times
cuDNN in the same process, with the order alternated from round to round, and
FlashAttention-2 behind them; without, only the times of OUT's kernels are written,
beside the bars of attn/programs.py. What is missing is recorded, not fatal. Writes
attention-TARGET.json, .md and .svg to the folder --results.

Exit codes: 0 done and right, 1 a program did not compile or OUT is not one,
2 usage, 3 sparseflow or sparseflow-exec is missing, 4 a wrong result.
"""

import json
import random
import struct
import sys

from attn import bench, programs, sweep
from common import launches, plots

LAUNCHES = 20     # in a graph
REPLAYS = 25      # in a round
ROUNDS = 4
L2_BYTES = 60 << 20


# --- compiling ------------------------------------------------------------------


def compile_all(options):
    jobs = []
    for shape in programs.shapes():
        if options.only not in shape.name:
            continue
        jobs.append(("speed", shape.name, programs.text(shape)))
        if shape.name in (options.tune or "").split(","):
            for name, pinned in programs.candidates(shape, options.target).items():
                jobs.append(("tune", f"{shape.name}.{name}", programs.text(shape, pinned)))
    if not options.only:
        jobs += [("check", name, text) for name, _, text in programs.checked()]
    return bench.compile_jobs(options, "attention", jobs)


# --- checking -------------------------------------------------------------------


def check_all(options, index, results):
    """Every checked program at every pair of lengths, against float64."""
    wrong = 0
    lse = {name: has for name, has, _ in programs.checked()}
    for entry in index["programs"]:
        if entry["kind"] != "check" or "error" in entry:
            continue
        for queries, keys in programs.LENGTHS:
            if options.left() < 60:
                results["check_note"] = "cut at the time budget"
                return wrong
            large = queries * keys > 1 << 21
            if large and lse[entry["name"]]:
                continue
            wrong += bench.check(options, entry, queries, keys, 2, large, results)
    return wrong


# --- timing ---------------------------------------------------------------------


class Kernels:
    """The launches of one bundle on sets of buffers that are used in turn."""

    def __init__(self, driver, folder, shape, target, sets):
        self.driver, self.sets = driver, sets
        program = launches._program(folder, target)
        self.module = driver.load(str(folder / program["image"]))
        bytes_needed = launches.evaluate(program.get("workspace", 0), {})
        self.workspace = driver.allocate(bytes_needed)
        self.steps = []
        for launch in launches.launches(folder, {}, target):
            function = driver.function(self.module, launch["kernel"],
                                       launch["shared_bytes"])
            self.steps.append((function, launches.evaluate(launch["grid"], {}), launch))

    def place(self, argument, buffers):
        if "workspace" in argument:
            return self.workspace + launches.evaluate(argument["workspace"], {})
        base = buffers[3] if "result" in argument else buffers[argument["arg"]]
        return base + launches.evaluate(argument.get("offset", 0), {})

    def values(self, launch, buffers):
        values = []
        for argument in launch["args"]:
            if "i64" in argument:
                values.append(launches.evaluate(argument["i64"], {}))
            elif "tensor_map" in argument:
                described = argument["tensor_map"]
                numbers = [[launches.evaluate(e, {}) for e in described[name]]
                           for name in ("sizes", "strides", "box")]
                values.append(self.driver.tensor_map(
                    self.place(described["of"], buffers), described["dtype"], *numbers,
                    described["swizzle"], described.get("promotion", 256)))
            else:
                values.append(self.place(argument, buffers))
        return values

    def graph(self):
        def body():
            for number in range(LAUNCHES):
                buffers = self.sets[number % len(self.sets)]
                for function, grid, launch in self.steps:
                    self.driver.launch(function, grid, launch["threads"],
                                       launch["shared_bytes"],
                                       self.values(launch, buffers),
                                       launch.get("programmatic", False))
        return self.driver.graph(body)


def random_half(count, seed):
    """Close to normal numbers as f16 bytes; a block of them, repeated."""
    source = random.Random(seed)
    block = struct.pack("<65521e", *(source.gauss(0, 1) for _ in range(65521)))
    return (block * (2 * count // len(block) + 1))[:2 * count]


def peers(shape, count):
    """Callables that run PyTorch's back ends once, by name; {} without PyTorch."""
    try:
        import torch
        from torch.nn.attention import SDPBackend, sdpa_kernel
    except ImportError:
        return None, {}
    def tensor(heads, length):
        return torch.randn(shape.batch, heads, length, shape.d, device="cuda",
                           dtype=torch.float16)
    sets = [(tensor(shape.heads, shape.queries), tensor(shape.key_heads, shape.keys),
             tensor(shape.key_heads, shape.keys)) for _ in range(count)]
    found = {}
    for name, backend in (("cuDNN", SDPBackend.CUDNN_ATTENTION),
                          ("FlashAttention-2", SDPBackend.FLASH_ATTENTION)):
        def run(number, backend=backend):
            q, k, v = sets[number % count]
            with sdpa_kernel(backend):
                torch.nn.functional.scaled_dot_product_attention(
                    q, k, v, is_causal=shape.causal and shape.queries > 1,
                    enable_gqa=shape.heads != shape.key_heads)
        try:
            run(0)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                for number in range(LAUNCHES):
                    run(number)
            found[name] = graph
        except RuntimeError as error:
            print(f"  {name}: {str(error).splitlines()[0]}")
    return torch, found


def time_shape(driver, options, index, shape, names):
    """Microseconds of a launch: medians and 90th percentiles, by program."""
    item = 2 * shape.d * shape.batch
    sizes = [item * shape.heads * shape.queries, item * shape.key_heads * shape.keys,
             item * shape.key_heads * shape.keys, item * shape.heads * shape.queries]
    count = max(1, min(8, -(-2 * L2_BYTES // sum(sizes))))
    sets = [[driver.allocate(size) for size in sizes] for _ in range(count)]
    for number, buffers in enumerate(sets):
        for place in range(3):
            driver.upload(buffers[place], random_half(sizes[place] // 2,
                                                      3 * number + place))
    runs = {}
    for name in names:
        kernels = Kernels(driver, options.run / "bundles" / name, shape,
                          index["target"], sets)
        graph = kernels.graph()
        runs[name] = lambda graph=graph: driver.replay_time(graph)
    torch, others = peers(shape, count)
    for name, graph in others.items():
        runs[name] = bench.torch_timer(torch, graph)
    few = len(runs) < 8
    times = {}
    # The board is power-capped: who runs behind the hungriest runs slower. So two
    # alternate, as where the bar's ratios come from, and the third waits.
    for late in (False, True):
        turns = {name: run for name, run in runs.items()
                 if (name == "FlashAttention-2") == late}
        times.update(bench.time_in_turns(turns, ROUNDS if few else 1,
                                         REPLAYS if few else 7, LAUNCHES))
    for buffers in sets:
        for pointer in buffers:
            driver.free(pointer)
    return times


def names_of(shape, known):
    return [name for name in known
            if name == shape.name or name.startswith(shape.name + ".")]


def report(shape, names, times, known):
    for us, name in sorted((values["us"], name) for name, values in times.items())[:8]:
        rate = (f"{shape.flops / us / 1e6:.0f} TFLOP/s" if shape.queries > 1 else
                f"{shape.key_bytes / us / 1e6:.2f} TB/s")
        print(f"{name:60} {us:9.1f} us  {rate}  bar/ours {shape.bar / us:.2f}",
              flush=True)
    return {"name": shape.name, "flops": shape.flops, "key_bytes": shape.key_bytes,
            "bar_us": shape.bar, "bar_ratio": shape.cudnn / shape.bar,
            "times": times, "queries": shape.queries,
            "ptxas": known.get(shape.name, {}).get("ptxas", [])}


def ratio(row, name):
    """A contender's time over ours; None if one is missing."""
    ours, other = (row["times"].get(key) for key in (row["name"], name))
    return other["us"] / ours["us"] if ours and other else None


def markdown(results):
    checks = results["checks"]
    lines = [f"# Attention, {results['target']}, commit {results['commit'][:12]}", "",
             f"{results['machine'].get('gpu', {}).get('name', 'unknown GPU')}; graph "
             f"replays of {LAUNCHES} launches, medians of {ROUNDS} rounds of {REPLAYS}; "
             "ours and cuDNN interleaved, FlashAttention-2 behind them. `bar`: the best of "
             "FlashAttention-3, cuDNN and FlashAttention-2 in an earlier run on one "
             "H200; `cuDNN / bar`: that run's ratio. The board is power-capped, so times "
             "of different runs differ by 5 % and more, and ratios by less.", "",
             f"Checks: {sum(c['ok'] for c in checks)} of {len(checks)} right.", "",
             "| shape | us | p90 | rate | cuDNN us | FlashAttention-2 us | cuDNN / ours | "
             "cuDNN / bar | bar us |",
             "|---|---|---|---|---|---|---|---|---|"]
    for row in results["speed"]:
        ours = row["times"].get(row["name"])
        if not ours:
            continue
        rate = (f"{row['flops'] / ours['us'] / 1e6:.0f} TFLOP/s" if row["queries"] > 1
                else f"{row['key_bytes'] / ours['us'] / 1e6:.2f} TB/s")
        others = [f"{row['times'][name]['us']:.1f}" if name in row["times"] else "-"
                  for name in ("cuDNN", "FlashAttention-2")]
        beside = ratio(row, "cuDNN")
        lines.append(f"| {row['name']} | {ours['us']:.1f} | {ours['p90']:.1f} | {rate} | "
                     f"{others[0]} | {others[1]} | "
                     f"{f'{beside:.3f}' if beside else '-'} | "
                     f"{row['bar_ratio']:.2f} | {row['bar_us']:.1f} |")
    return "\n".join(lines) + "\n"


def plot(results):
    """The libraries' times over ours as SVG."""
    bars = [(row["name"], [ratio(row, "cuDNN"), ratio(row, "FlashAttention-2")])
            for row in results["speed"] if row["name"] in row["times"]]
    return plots.svg(("cuDNN / SparseFlow", "FlashAttention-2 / SparseFlow"), bars)


def write(results, folder):
    folder.mkdir(parents=True, exist_ok=True)
    texts = {".json": json.dumps(results, indent=1) + "\n", ".md": markdown(results),
             ".svg": plot(results)}
    for suffix, text in texts.items():
        (folder / f"attention-{results['target']}{suffix}").write_text(text)


def measure(options, index, results):
    bench.time_all(options, index, results, programs.shapes(), names_of, time_shape,
                   report)
    wrong = 0 if options.no_checks else check_all(options, index, results)
    write(results, options.results)
    return wrong


def main():
    parser = bench.parser_of("attention", __doc__, budget=450)
    parser.add_argument("--tune", metavar="NAME,...",
                        help="also candidates of schedules for these shapes")
    parser.add_argument("--sweep", action="store_true",
                        help="points at random, and of servers (PyTorch, libsparseflow_rt.so)")
    parser.add_argument("--points", type=int, default=200,
                        help="of the sweep, drawn at random (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the sweep")
    parser.add_argument("--rounds", type=int, default=9, help="of the sweep")
    parser.add_argument("--fresh", action="store_true",
                        help="keep no earlier points of the sweep")
    options = parser.parse_args()
    if options.sweep:
        return bench.run(options, "attention-sweep", sweep.compile_all, sweep.measure)
    return bench.run(options, "attention", compile_all, measure)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Attention on a GPU: right, repeatable, fast. Behind `scripts/bench attention`.

Two halves, for the machine with the compiler is seldom the one with the GPU:

  scripts/bench attention --compile-only OUT [--tune NAMES]   bundles and an index
  scripts/bench attention --run OUT                          checks and times them

The second half needs Python 3.9, sparseflow-exec and a driver. With PyTorch it times
cuDNN in the same process, with the order alternated from round to round, and
FlashAttention-2 behind them; without, only the times of OUT's kernels are written,
beside the bars of attention_programs.py. What is missing is recorded, not fatal. Writes
attention-TARGET.json, .md and .svg to the folder --results.

Exit codes: 0 done and right, 1 a program did not compile or OUT is not one,
2 usage, 3 sparseflow or sparseflow-exec is missing, 4 a wrong result.
"""

import argparse
import json
import random
import shutil
import statistics
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import attention_programs as programs
import compare_plot
import launches
import machine

ROOT = Path(__file__).resolve().parent.parent.parent
LAUNCHES = 20     # in a graph
REPLAYS = 25      # in a round
ROUNDS = 4
L2_BYTES = 60 << 20


def _tool(given, names):
    """A tool by path or from the build directories; None if there is none."""
    if given:
        return shutil.which(given)
    for name in names:
        if (ROOT / name).exists():
            return str(ROOT / name)
    return shutil.which(Path(names[0]).name)


# --- compiling ------------------------------------------------------------------


def commit_of(root):
    """The commit of the tree; "unknown" outside of one."""
    done = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"],
                          capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def compile_one(options, out, name, text):
    source = out / "programs" / f"{name}.mlir"
    source.write_text(text)
    bundle = out / "bundles" / name
    command = [options.sparseflow, "compile", str(source), "--target", options.target,
               "--emit", "bundle", "-o", str(bundle), "--remarks"]
    if options.schedule_file:
        command += ["--schedule-file", options.schedule_file]
    entry = {"name": name, "bundle": f"bundles/{name}"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode == 1 and "--allow-slow-code" in done.stderr:
        entry["slow"] = True
        done = subprocess.run(command + ["--allow-slow-code"], capture_output=True,
                              text=True, timeout=600)
    if done.returncode:
        entry["error"] = done.stderr.strip()[-800:]
        return entry
    entry["ptxas"] = [line.split("ptxas] ")[-1] for line in
                      (done.stdout + done.stderr).splitlines() if "ptxas]" in line]
    for listing in bundle.glob("*.ptx"):
        listing.unlink()
    return entry


def compile_all(options):
    out = options.compile_only
    for name in ("programs", "bundles"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    jobs = []
    for shape in programs.shapes():
        if options.only and options.only not in shape.name:
            continue
        jobs.append(("speed", shape.name, programs.text(shape)))
        if shape.name in (options.tune or "").split(","):
            for name, pinned in programs.candidates(shape, options.target).items():
                jobs.append(("tune", f"{shape.name}.{name}", programs.text(shape, pinned)))
    if not options.only:
        jobs += [("check", name, text) for name, _, text in programs.checked()]
    with ThreadPoolExecutor(options.jobs) as pool:
        entries = list(pool.map(
            lambda job: {"kind": job[0], **compile_one(options, out, *job[1:])}, jobs))
    (out / "index.json").write_text(json.dumps({
        "format": "sparseflow-attention-index", "version": 1,
        "commit": options.commit or commit_of(ROOT), "target": options.target,
        "programs": entries}, indent=1) + "\n")
    failed = [entry for entry in entries if "error" in entry]
    for entry in failed:
        print(f"{entry['name']}: {entry['error']}")
    print(f"{len(entries) - len(failed)} of {len(entries)} programs compiled")
    return 1 if [entry for entry in failed if entry["kind"] != "tune"] else 0


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
            command = [options.exec, str(options.run / entry["bundle"]), "--dim", "T=2",
                       "--dim", f"T1={queries}", "--dim", f"T2={keys}", "--repeat", "10",
                       "--check" + ("=sampled:96" if large else "")]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            good = done.returncode == 0
            wrong += not good
            results["checks"].append({"name": entry["name"], "queries": queries,
                                      "keys": keys, "ok": good})
            if not good:
                print(f"WRONG {' '.join(command)}\n{done.stdout}{done.stderr}", flush=True)
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
        def timed(graph=graph):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            graph.replay()
            end.record()
            end.synchronize()
            return start.elapsed_time(end)
        runs[name] = timed
    times = {name: [] for name in runs}
    # The board is power-capped: who runs behind the hungriest runs slower. So two
    # alternate, as where the bar's ratios come from, and the third waits.
    turns = [name for name in runs if name != "FlashAttention-2"]
    rounds = ROUNDS if len(runs) < 8 else 1
    replays = REPLAYS if len(runs) < 8 else 7
    for number in range(2 * rounds):
        order = turns if number % 2 == 0 else turns[::-1]
        for name in order if number < rounds else [n for n in runs if n not in turns]:
            runs[name]()
            times[name] += [runs[name]() * 1000 / LAUNCHES for _ in range(replays)]
    for buffers in sets:
        for pointer in buffers:
            driver.free(pointer)
    return {name: {"us": statistics.median(values),
                   "p90": sorted(values)[int(0.9 * (len(values) - 1))]}
            for name, values in times.items()}


def time_all(options, index, results):
    from cuda_driver import Driver
    driver = Driver()
    known = {entry["name"]: entry for entry in index["programs"] if "error" not in entry}
    for shape in programs.shapes():
        names = [name for name in known
                 if name == shape.name or name.startswith(shape.name + ".")]
        if not names or options.left() < 20:
            continue
        try:
            times = time_shape(driver, options, index, shape, names)
        except Exception as error:  # One shape must not stop the others.
            results["errors"].append(f"{shape.name}: {type(error).__name__}: {error}")
            print(results["errors"][-1], flush=True)
            continue
        row = {"name": shape.name, "flops": shape.flops, "key_bytes": shape.key_bytes,
               "bar_us": shape.bar, "bar_ratio": shape.cudnn / shape.bar,
               "times": times, "queries": shape.queries,
               "ptxas": known.get(shape.name, {}).get("ptxas", [])}
        results["speed"].append(row)
        ours = sorted((values["us"], name) for name, values in times.items())
        for us, name in ours[:8]:
            rate = (f"{shape.flops / us / 1e6:.0f} TFLOP/s" if shape.queries > 1 else
                    f"{shape.key_bytes / us / 1e6:.2f} TB/s")
            print(f"{name:60} {us:9.1f} us  {rate}  bar/ours {shape.bar / us:.2f}",
                  flush=True)


def ratio(row, name):
    """A contender's time over ours; None if one is missing."""
    ours, other = (row["times"].get(key) for key in (row["name"], name))
    return other["us"] / ours["us"] if ours and other else None


def markdown(results):
    checks = results["checks"]
    lines = [f"# Attention, {results['target']}, commit {results['commit'][:12]}", "",
             f"{results['machine'].get('gpu', {}).get('name', 'unknown GPU')}; graph "
             f"replays of {LAUNCHES} launches, medians of {ROUNDS} rounds of {REPLAYS}; "
             "ours and cuDNN in turns, FlashAttention-2 behind them. `bar`: the best of "
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


def write(results, folder):
    folder.mkdir(parents=True, exist_ok=True)
    bars = [(row["name"], [ratio(row, "cuDNN"), ratio(row, "FlashAttention-2")])
            for row in results["speed"] if row["name"] in row["times"]]
    texts = {".json": json.dumps(results, indent=1) + "\n", ".md": markdown(results),
             ".svg": compare_plot.svg(("cuDNN / SparseFlow",
                                       "FlashAttention-2 / SparseFlow"), bars)}
    for suffix, text in texts.items():
        (folder / f"attention-{results['target']}{suffix}").write_text(text)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench attention", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT", type=Path)
    what.add_argument("--run", metavar="OUT", type=Path)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", metavar="TEXT", help="shapes with TEXT in their name")
    parser.add_argument("--tune", metavar="NAME,...",
                        help="also candidates of schedules for these shapes")
    parser.add_argument("--commit")
    parser.add_argument("--sparseflow", metavar="PATH")
    parser.add_argument("--schedule-file", metavar="FILE")
    parser.add_argument("--exec", metavar="PATH")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results")
    parser.add_argument("--budget", type=float, default=450, metavar="SECONDS")
    parser.add_argument("--no-checks", action="store_true")
    options = parser.parse_args()
    if options.compile_only:
        options.sparseflow = _tool(options.sparseflow, (
            "build/release/bin/sparseflow", "build/ci/bin/sparseflow"))
        if not options.sparseflow:
            print("error: sparseflow is missing: build it, or name it with --sparseflow",
                  file=sys.stderr)
            return 3
        return compile_all(options)
    if not (options.run / "index.json").is_file():
        print(f"error: {options.run} has no index.json; expected what --compile-only "
              "writes", file=sys.stderr)
        return 1
    options.exec = _tool(options.exec, (
        "build/rt/bin/sparseflow-exec", "build/release/bin/sparseflow-exec",
        "build/ci/bin/sparseflow-exec"))
    if not options.exec and not options.no_checks:
        print("error: sparseflow-exec is missing: build it, or name it with --exec",
              file=sys.stderr)
        return 3
    start = time.monotonic()
    options.left = lambda: options.budget - (time.monotonic() - start)
    options.run = options.run.resolve()
    index = json.loads((options.run / "index.json").read_text())
    results = {"format": "sparseflow-attention", "version": 1, "commit": index["commit"],
               "target": index["target"], "machine": machine.describe(), "checks": [],
               "speed": [], "errors": []}
    time_all(options, index, results)
    wrong = 0 if options.no_checks else check_all(options, index, results)
    write(results, options.results)
    print(f"{len(results['checks'])} checks, {wrong} wrong; {len(results['speed'])} "
          f"shapes timed; {time.monotonic() - start:.0f} s")
    return 4 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

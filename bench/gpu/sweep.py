#!/usr/bin/env python3
"""Layers of real models at any number of tokens, beside cuBLASLt. Behind
`scripts/bench sweep`.

  scripts/bench sweep --compile-only OUT    bundles and an index (compiler, no GPU)
  scripts/bench sweep --run OUT             checks and times them (GPU, no compiler)
  scripts/bench sweep --run OUT --before OTHER    the same beside the bundles of another
                                            commit, with what became slower
  scripts/bench sweep --table               the tables and the heat map again

The second half needs Python 3.9 with PyTorch, libsparseflow_rt.so and a driver. A bundle
serves any number of tokens. At each point of the grid every kind of weights is checked
against float64 and timed in CUDA graphs in turn with cuBLASLt's first choice, the
fastest of its candidates and torch.mm, every second round in reverse; weights rotate over
more than the L2 cache holds. Points are kept as they come, and the next call for the same
commit, target and seed goes on with those that are missing.

Exit codes: 0 done and right, 1 a program did not compile or OUT is not one, 2 usage,
3 the compiler or PyTorch is missing, 4 a wrong result.
"""

import argparse
import json
import os
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

from common import machine, timing, tree
from layers import cases, chosen, table
from matmul import compiling

ROTATED = 256 << 20   # bytes of weights that a graph reads before it reads them again
COPIES = 256          # at most so many, of small matrices
SPAN_US = 250         # a replay takes at least about so long
ROUNDS = 9


def compile_all(options):
    return compiling.compile_programs(options, [
        ({"name": program.name, "n": program.n, "k": program.k, "kind": program.kind},
         cases.text(program), cases.flags(program))
        for program in cases.programs(options.kinds) if options.only in program.name])


class Contender:
    """Something that computes y from x in a CUDA graph, weight after weight."""

    def __init__(self, torch, launch, copies):
        self.torch, self.launch, self.copies = torch, launch, copies
        self.times = []

    def once_us(self):
        """About how long a launch takes."""
        torch = self.torch
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.launch(0)
        start.record()
        for number in range(4):
            self.launch(number % self.copies)
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 250

    def capture(self):
        torch = self.torch
        self.count = max(self.copies if self.copies < COPIES else COPIES,
                         min(64, int(SPAN_US / max(self.once_us(), 1)) + 1))
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, capture_error_mode="relaxed"):
            for number in range(self.count):
                self.launch(number % self.copies)
        self.start, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def replay(self, keep=True):
        self.start.record()
        self.graph.replay()
        self.end.record()
        self.end.synchronize()
        if keep:
            self.times.append(self.start.elapsed_time(self.end) * 1000 / self.count)

    def result(self):
        return timing.summary(self.times)


def in_turns(contenders, rounds):
    """Times every contender in each round, every second one in reverse."""
    order = list(contenders)
    for contender in order:
        contender.capture()
        contender.replay(keep=False)
    for number in range(rounds):
        for contender in order if number % 2 == 0 else reversed(order):
            contender.replay()


class Shape:
    """One (N, K): weights of every kind, the dense ones, and activations."""

    def __init__(self, sweep, n, k):
        torch = sweep.torch
        self.sweep, self.torch, self.n, self.k = sweep, torch, n, k
        most = max(sweep.tokens)
        generator = torch.Generator("cuda").manual_seed(sweep.options.seed)
        self.x, self.y, self.dense = {}, {}, {}
        for type_ in {cases.KINDS[kind].type for kind in sweep.options.kinds}:
            dtype = sweep.weights.torch_type(torch, type_)
            self.x[type_] = torch.randn((most, k), device="cuda",
                                        generator=generator).to(dtype)
            self.y[type_] = torch.empty((most, n), device="cuda", dtype=dtype)
            copies = min(COPIES, ROTATED // (2 * n * k) + 1)
            first = torch.randn((n, k), device="cuda", generator=generator).to(dtype)
            self.dense[type_] = [first.clone() for _ in range(copies)]
        self.kinds = {}
        for number, name in enumerate(sweep.options.kinds):
            program = cases.Program(name, n, k)
            entry = sweep.entries.get(program.name)
            if entry and "error" not in entry:
                self.kinds[name] = self._kind(program, entry, number)

    def _kind(self, program, entry, number):
        sweep, torch, type_ = self.sweep, self.torch, cases.KINDS[program.kind].type
        weights = sweep.weights.Weights(torch, sweep.sf, program,
                                        sweep.options.seed * 100 + number)
        expected = sweep.weights.Expected(torch, program, weights, self.x[type_])
        copies = min(COPIES, ROTATED // weights.blob.nbytes + 1)
        blobs = [weights.blob.clone() for _ in range(copies)]
        functions = {program.kind: sweep.load(sweep.folder, entry)}
        before = sweep.before.get(program.name)
        if before and "error" not in before:
            functions[program.kind + table.BEFORE] = sweep.load(sweep.options.before,
                                                                before)
        return functions, blobs, expected

    def point(self, t):
        """The row of T tokens."""
        torch, sweep = self.torch, self.sweep
        contenders, right, errors, picked = {}, {}, {}, {}
        stream = lambda: torch.cuda.current_stream().cuda_stream
        for type_, dense in self.dense.items():
            x, y = self.x[type_][:t], self.y[type_][:t]
            plan = sweep.lt.plan(t, self.n, self.k, type_)
            candidates = {}
            for number in range(len(plan.candidates)):
                launch = lambda copy, number=number, plan=plan, x=x, y=y, dense=dense: (
                    plan.run(number, x, dense[copy], y, stream()))
                try:
                    one = Contender(torch, launch, len(dense))
                    one.once_us()
                    candidates[number] = (min(one.once_us() for _ in range(3)), launch)
                except RuntimeError:
                    continue
            best = min(candidates, key=lambda number: candidates[number][0])
            picked[type_] = best
            for name, number in (("first", 0), ("best", best)):
                if number in candidates and (name == "first" or best != 0):
                    contenders[f"cublaslt-{type_}-{name}"] = Contender(
                        torch, candidates[number][1], len(dense))
            contenders[f"torch-{type_}"] = Contender(
                torch, lambda copy, x=x, y=y, dense=dense: (
                    torch.mm(x, dense[copy].t(), out=y)), len(dense))
        for kind, (functions, blobs, expected) in self.kinds.items():
            x = self.x[cases.KINDS[kind].type][:t]
            for name, function in functions.items():
                y = torch.full((t, self.n), float("nan"), dtype=x.dtype, device="cuda")
                size = function.workspace_size({"T": t})
                workspace = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
                launch = lambda copy, f=function, x=x, y=y, w=workspace, blobs=blobs: (
                    f.launch([x, blobs[copy]], [y], (w.data_ptr(), w.numel()), stream()))
                launch(0)
                torch.cuda.synchronize()
                right[name], errors[name] = expected.check(y)
                contenders[name] = Contender(torch, launch, len(blobs))
        in_turns(contenders.values(), ROUNDS)
        return {"key": f"{self.n}x{self.k}-{t}", "n": self.n, "k": self.k, "t": t,
                "us": {name: contender.result() for name, contender in contenders.items()},
                "cublaslt_candidate": picked, "right": right, "relative_error": errors,
                "schedules": self._schedules(t)}

    def _schedules(self, t):
        """What each kind launches for t tokens, as far as the index says."""
        names = {kind: cases.Program(kind, self.n, self.k).name for kind in self.kinds}
        found = {kind: chosen.schedule(self.sweep.entries[name], t)
                 for kind, name in names.items()}
        return {kind: entry for kind, entry in found.items() if entry}


class Sweep:
    def __init__(self, options):
        import torch
        sys.path.insert(0, str(tree.ROOT / "python"))
        from common import cublaslt
        import sparseflow
        from layers import weights as sweep_weights
        self.torch, self.sf, self.weights = torch, sparseflow, sweep_weights
        self.options, self.folder = options, options.run
        self.start = time.monotonic()
        index = json.loads((self.folder / "index.json").read_text())
        self.entries = {entry["name"]: entry for entry in index["programs"]}
        self.before = {}
        if options.before:
            other = json.loads((options.before / "index.json").read_text())
            self.before = {entry["name"]: entry for entry in other["programs"]}
        self.tokens = options.tokens or cases.tokens(options.seed)
        self.lt, self.context = cublaslt.CublasLt(torch), sparseflow.Context()
        self.path = options.results / f"{options.name}.json"
        self.results = {
            "format": "sparseflow-bench", "version": 1, "kind": "sweep",
            "commit": index["commit"], "compiler": index["compiler"],
            "target": index["target"], "seed": options.seed, "machine": {}, "calls": [],
            "rows": []}
        if options.before:
            self.results["before"] = other["commit"]
        if self.path.is_file() and not options.fresh:
            before = json.loads(self.path.read_text())
            if all(before.get(name) == self.results.get(name)
                   for name in ("kind", "commit", "target", "seed", "before")):
                self.results = before

    def load(self, folder, entry):
        return self.sf.Bundle(folder / entry["bundle"]).on_gpu(self.context)

    def left(self):
        return self.options.budget - (time.monotonic() - self.start)

    def save(self):
        self.results["calls"][-1]["seconds"] = round(time.monotonic() - self.start, 1)
        self.options.results.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(".part")
        part.write_text(table.dump(self.results))
        os.replace(part, self.path)

    def run(self):
        described = machine.describe()
        described["versions"]["torch"] = self.torch.__version__
        described["versions"]["cublaslt"] = self.lt.version
        self.results["machine"] = described
        self.results["calls"].append({
            "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "kinds": list(self.options.kinds)})
        done = {row["key"] for row in self.results["rows"]}
        part, parts = map(int, self.options.part.split("/"))
        late = 0
        with machine.Clocks() as clocks:
            for n, k in list(cases.SHAPES)[part::parts]:
                waiting = [t for t in self.tokens if f"{n}x{k}-{t}" not in done]
                if self.options.only and self.options.only not in f"n{n}-k{k}":
                    continue
                if not waiting or self.left() < 20:
                    late += len(waiting)
                    continue
                late += self.shape(n, k, waiting)
        self.results["calls"][-1]["clocks"] = clocks.summary
        self.save()
        wrong = [f"{row['key']} {kind}" for row in self.results["rows"]
                 for kind, right in row["right"].items() if not right]
        for name in wrong:
            print(f"WRONG {name}")
        print(f"{len(self.results['rows'])} points, {late} left for another call, "
              f"{len(wrong)} wrong results, {time.monotonic() - self.start:.0f} s")
        return 4 if wrong else 0

    def shape(self, n, k, waiting):
        """Makes the rows of one shape; how many did not fit the budget."""
        begun = time.monotonic()
        try:
            shape = Shape(self, n, k)
            made = time.monotonic() - begun
            for number, t in enumerate(waiting):
                if self.left() < 10:
                    return len(waiting) - number
                self.results["rows"].append(shape.point(t))
        except Exception as error:  # One shape must not stop the others.
            self.results["calls"][-1].setdefault("errors", []).append(
                f"{n}x{k}: {type(error).__name__}: {error}")
            print(self.results["calls"][-1]["errors"][-1], flush=True)
            return 0
        finally:
            shape = None
            self.torch.cuda.empty_cache()
            self.save()
        print(f"[{time.monotonic() - self.start:4.0f} s] {n} x {k}: {len(waiting)} points, "
              f"weights made in {made:.1f} s", flush=True)
        return 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench sweep", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT", type=Path)
    what.add_argument("--run", metavar="OUT", type=Path)
    what.add_argument("--table", action="store_true")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--kinds", default=",".join(cases.KINDS),
                        help="of: " + ", ".join(cases.KINDS))
    parser.add_argument("--only", metavar="TEXT", default="",
                        help="programs (--compile-only) or shapes, n4096-k4096, with TEXT")
    parser.add_argument("--part", metavar="I/N", default="0/1",
                        help="every N-th shape from the I-th on, for one of N GPUs")
    parser.add_argument("--before", metavar="OTHER", type=Path,
                        help="bundles of another commit, timed in turn with OUT's")
    parser.add_argument("--tokens", type=lambda text: [int(t) for t in text.split(",")],
                        help="instead of the grid's, such as 1,64,4096")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=540, help="seconds (default: 540)")
    parser.add_argument("--fresh", action="store_true", help="keep no earlier points")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    tree.add_compiling(parser)
    parser.add_argument("--sparseflow", metavar="PATH")
    parser.add_argument("--schedule-file", metavar="FILE")
    parser.add_argument("--results", type=Path, default=tree.ROOT / "bench/results")
    parser.add_argument("--name", default="sweep", help="of the files of the results")
    options = parser.parse_args()
    options.kinds = tuple(options.kinds.split(","))
    for kind in options.kinds:
        if kind not in cases.KINDS:
            parser.error(f"--kinds: expected some of {', '.join(cases.KINDS)}, "
                         f"found {kind}")
    if options.table:
        table.write(json.loads((options.results / f"{options.name}.json").read_text()),
                    options.results, options.name)
        return 0
    if options.compile_only:
        options.sparseflow = tree.compiler(options.sparseflow)
        if not options.sparseflow:
            print("error: the compiler is missing: run scripts/quickstart, or name it with "
                  "--sparseflow", file=sys.stderr)
            return 3
        return 1 if compile_all(options) else 0
    if not (options.run / "index.json").is_file():
        print(f"error: expected {options.run}/index.json, which --compile-only writes",
              file=sys.stderr)
        return 1
    try:
        sweep = Sweep(options)
    except ImportError as error:
        print(f"error: {error}; the sweep launches on PyTorch's tensors", file=sys.stderr)
        return 3
    status = sweep.run()
    table.write(sweep.results, options.results, options.name)
    return status


if __name__ == "__main__":
    sys.exit(main())

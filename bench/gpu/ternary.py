#!/usr/bin/env python3
"""Products with ternary weights on a GPU beside cuBLASLt. Behind `scripts/bench ternary`.

  scripts/bench ternary --compile-only OUT    bundles and an index (compiler, no GPU)
  scripts/bench ternary --run OUT             checks and times them (GPU, no compiler)

The second half needs Python 3.9, a driver and nvcc with cuBLASLt. Rows are written as
they come and kept by the next call for the same commit and target.

Exit codes: 0 done and right, 1 a program did not compile or OUT is not one, 2 usage,
3 sparseflow is missing, 4 a wrong result.
"""

import argparse
import fnmatch
import json
import random
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import compiling
import gemm
import launches
import machine
import peers_build
import ternary_cases as cases
import ternary_table
from running import call, why

# Seconds that a row may take, and that have to be left to begin one.
ROW_LIMIT, ROW_LEAST = 60, 8


def compile_all(options):
    out = options.compile_only
    for name in ("programs", "bundles"):
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir(parents=True)
    chosen = [program for program in cases.programs()
              if not options.only or options.only in program.name]
    start = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        entries = list(pool.map(lambda program: compiling.compile_program(
            {"name": program.name, "n": program.n, "k": program.k, "kind": program.kind},
            cases.text(program), options, out, cases.flags(program)), chosen))
    return compiling.write_index(options, gemm.ROOT, out, entries, start)


class Bench:
    def __init__(self, options):
        self.options = options
        self.start = time.monotonic()
        self.folder = options.run.resolve()
        index = json.loads((self.folder / "index.json").read_text())
        self.target = index["target"]
        self.entries = {entry["name"]: entry for entry in index["programs"]}
        self.scratch = Path(tempfile.mkdtemp(prefix="sparseflow-ternary-"))
        self.results = {
            "format": "sparseflow-bench", "version": 1, "kind": "ternary",
            "commit": index["commit"], "compiler": index["compiler"],
            "target": self.target, "machine": {}, "calls": [], "rows": []}
        self.load()

    def path(self):
        return self.options.results / f"{ternary_table.NAME}.json"

    def load(self):
        """Keeps the rows of an earlier call for the same commit and target."""
        if self.options.fresh or not self.path().is_file():
            return
        before = json.loads(self.path().read_text())
        if any(before.get(name) != self.results[name]
               for name in ("format", "version", "kind", "commit", "target")):
            print(f"{self.path()} is of another commit or target: beginning anew")
            return
        for name in ("machine", "calls", "rows"):
            self.results[name] = before.get(name, self.results[name])
        self.results["rows"] = [row for row in self.results["rows"] if "error" not in row]

    def left(self):
        return self.options.budget - (time.monotonic() - self.start)

    def save(self):
        self.results["calls"][-1]["seconds"] = round(time.monotonic() - self.start, 1)
        order = {case.key: i for i, case in enumerate(cases.rows())}
        self.results["rows"].sort(key=lambda row: order.get(row["key"], len(order)))
        ternary_table.write(self.results, self.options.results,
                            {str(self.scratch): "SCRATCH", str(self.folder): "OUT"})

    def plans(self, row, case):
        """The plans of a row's kernels, as words for the peer program."""
        words = []
        for program in case.programs():
            entry = self.entries.get(program.name)
            try:
                if not entry or "error" in entry:
                    raise ValueError(f"{program.name} is not compiled")
                bundle, sizes = self.folder / entry["bundle"], {"T": case.t}
                path = self.scratch / f"{program.name}.{case.t}.plan"
                path.write_text("\n".join(launches.plan(bundle, sizes, self.target)) + "\n")
                words += ["--exact" if program.exact else "--close", program.title, path]
                for launch in launches.launches(bundle, sizes, self.target):
                    row["kernels"].append(
                        {"contender": program.title, "kernel": launch["kernel"],
                         "grid": launches.evaluate(launch["grid"], sizes),
                         "threads": launch["threads"],
                         "programmatic": launch.get("programmatic", False),
                         **entry.get("kernels", {}).get(launch["kernel"], {})})
            except (OSError, ValueError, KeyError) as error:
                row["notes"].append(f"{program.title}: {error}")
        return words

    def compare(self, case):
        row = {"key": case.key, "t": case.t, "n": case.n, "k": case.k,
               "weights": case.weights, "kernels": [], "notes": []}
        begin = time.monotonic()
        seed = self.options.seed or random.randrange(1, 1 << 40)
        code, out, err = call(
            [self.peers, case.t, case.n, case.k, case.weights, self.options.samples,
             "--settle", self.options.settle, "--seed", seed, *self.plans(row, case)],
            min(ROW_LIMIT, self.left()))
        try:
            answer = json.loads(out.strip().splitlines()[-1])
        except (ValueError, IndexError):
            answer = {"error": why(code, out, err)}
        row["seconds"] = round(time.monotonic() - begin, 1)
        if code != 0 or "error" in answer:
            row["error"] = answer.get("error", why(code, out, err))
        else:
            row["notes"] += answer["notes"]
            for name in ("seed", "copy_gbs", "sm_mhz", "limits", "rows"):
                row[name] = answer[name]
            for name in ("device", "multiprocessors", "l2_bytes", "driver_cuda",
                         "runtime_cuda", "cublaslt"):
                self.results["machine"].setdefault("libraries", {})[name] = answer[name]
        self.results["rows"] = [r for r in self.results["rows"] if r["key"] != row["key"]]
        self.results["rows"].append(row)
        self.save()
        print(f"[{time.monotonic() - self.start:5.0f} s] {ternary_table.line(row)}",
              flush=True)

    def run(self):
        try:
            return self.all_rows()
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def all_rows(self):
        words = [word.strip() for word in (self.options.rows or "*").split(",")]
        chosen = [case for case in cases.rows()
                  if any(fnmatch.fnmatchcase(case.key, word) for word in words)]
        if not chosen:
            raise ValueError(f"--rows {self.options.rows}: no row matches; expected T x N x "
                             f"K and weights such as {cases.rows()[0].key}, with * and ?")
        self.results["calls"].append({
            "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "settings": {name: getattr(self.options, name)
                         for name in ("samples", "settle")}})
        self.results["machine"].update(machine.describe())
        self.peers, note = peers_build.build(self.target, self.folder, self.options,
                                             min(150, self.left()), "ternary_peers")
        print(f"peer program: {note}", flush=True)
        done = {row["key"] for row in self.results["rows"]}
        waiting = [case for case in chosen if case.key not in done]
        print(f"{len(chosen)} rows, {len(chosen) - len(waiting)} of them done before",
              flush=True)
        late = 0
        for case in waiting:
            if self.left() < ROW_LEAST:
                late += 1
            else:
                self.compare(case)
        self.save()
        wanted = {case.key for case in chosen}
        rows = [row for row in self.results["rows"] if row["key"] in wanted]
        failed = [row["key"] for row in rows if "error" in row]
        wrong = [f"{row['key']} {r['name']}" for row in rows for r in row.get("rows", [])
                 if not ternary_table.right(r)]
        print(f"{len(rows) - len(failed)} of {len(chosen)} rows, {len(failed)} failed, "
              f"{late} left for the next call; results are in {self.options.results}")
        if wrong:
            print(f"wrong or not repeatable: {', '.join(wrong)}")
        return 4 if wrong else 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench ternary", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--compile-only", metavar="OUT", type=Path,
                      help="compile every program into OUT")
    what.add_argument("--run", metavar="OUT", type=Path, help="check and time what OUT holds")
    half = parser.add_argument_group("with --compile-only")
    half.add_argument("--target", default="sm_90a", help="default: sm_90a")
    half.add_argument("--jobs", type=int, default=2, help="compilers at a time (2)")
    half.add_argument("--only", metavar="TEXT", help="programs with TEXT in their name")
    half.add_argument("--commit", help="the commit to record (default: git's)")
    half.add_argument("--sparseflow", metavar="PATH", help="the compiler")
    half.add_argument("--schedule-file", metavar="FILE", help="another table of schedules")
    half = parser.add_argument_group("with --run")
    half.add_argument("--results", type=Path, default=gemm.ROOT / "bench/results",
                      metavar="DIR", help="default: bench/results")
    half.add_argument("--rows", metavar="LIST",
                      help="rows by name, with * and ?, joined by commas")
    half.add_argument("--fresh", action="store_true", help="keep no rows of before")
    half.add_argument("--budget", type=float, default=240, metavar="SECONDS",
                      help="time for everything (240)")
    half.add_argument("--peers", metavar="PATH", type=Path,
                      help="a built peer program (default: nvcc builds it)")
    half.add_argument("--samples", type=int, default=24, help="rounds (24)")
    half.add_argument("--settle", type=float, default=3, metavar="MS",
                      help="load before each sample (3)")
    half.add_argument("--seed", type=int, help="of the numbers (default: another each time)")
    options = parser.parse_args()
    if options.compile_only:
        options.sparseflow = gemm._tool(options.sparseflow, (
            "build/release/bin/sparseflow", "build/ci/bin/sparseflow",
            "build/dev/bin/sparseflow"))
        if not options.sparseflow:
            print("error: sparseflow is missing: build it, or name it with --sparseflow",
                  file=sys.stderr)
            return 3
        return 1 if compile_all(options) else 0
    if not (options.run / "index.json").is_file():
        print(f"error: {options.run} has no index.json; expected what --compile-only "
              "writes", file=sys.stderr)
        return 1
    options.cusparselt = None
    try:
        return Bench(options).run()
    except (ValueError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

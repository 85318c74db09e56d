"""Times SparseFlow, cuBLASLt and cuSPARSELt on the same weights, in turns.

`scripts/bench gemm --compare OUT` (bundles from `--compile-only OUT --set compare`).
Rows are written as they come and kept by the next call, so that a table may take
several calls of a machine that is lent for minutes.
"""

import fnmatch
import json
import shutil
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

import compare_cases
import compare_table
import launches
import machine
import peers_build
import programs
from running import call, why

# The rounding of a result's type, as a bound of relative differences.
BOUNDS = {"f16": 1e-3, "bf16": 6e-3}
# Seconds that a row may take, and that have to be left to begin one.
ROW_LIMIT, ROW_LEAST = 75, 18


def chosen(patterns):
    """The cases whose key, or whose T x N x K, one of the patterns matches."""
    cases = compare_cases.rows()
    if not patterns:
        return cases
    words = [word.strip() for word in patterns.split(",") if word.strip()]
    found = [case for case in cases if any(
        fnmatch.fnmatchcase(compare_cases.key(case), word) or
        fnmatch.fnmatchcase(compare_cases.key(case).split("-")[0], word) for word in words)]
    if not found:
        raise ValueError(f"--shapes {patterns}: no case matches; expected T x N x K such as "
                         f"2048x2048x2048, or a key such as {compare_cases.key(cases[0])}, with * and ?")
    return found


class Compare:
    def __init__(self, options):
        self.options = options
        self.start = time.monotonic()
        self.folder = options.compare
        index = json.loads((self.folder / "index.json").read_text())
        self.target = index["target"]
        self.entries = {entry["name"]: entry for entry in index["programs"]}
        self.scratch = Path(tempfile.mkdtemp(prefix="sparseflow-compare-"))
        self.results = {
            "format": "sparseflow-bench", "version": 1, "kind": "gemm-compare",
            "commit": index["commit"], "compiler": index["compiler"],
            "target": self.target, "machine": {}, "calls": [], "algorithms": [],
            "rows": []}
        self.load()

    def path(self):
        return self.options.results / f"{compare_table.NAME}.json"

    def load(self):
        """Keeps the rows of an earlier call for the same commit and target."""
        if self.options.fresh or not self.path().is_file():
            return
        before = json.loads(self.path().read_text())
        same = all(before.get(name) == self.results[name]
                   for name in ("format", "version", "kind", "commit", "target"))
        if not same:
            print(f"{self.path()} is of another commit or target: beginning anew")
            return
        for name in ("machine", "calls", "algorithms", "rows"):
            self.results[name] = before.get(name, self.results[name])
        self.results["rows"] = [row for row in self.results["rows"] if "error" not in row]

    def left(self):
        return self.options.budget - (time.monotonic() - self.start)

    def save(self):
        self.results["calls"][-1]["seconds"] = round(time.monotonic() - self.start, 1)
        order = {compare_cases.key(case): i for i, case in enumerate(compare_cases.rows())}
        self.results["rows"].sort(key=lambda row: order.get(row["key"], len(order)))
        hidden = {str(self.scratch): "SCRATCH", str(self.folder): "OUT"}
        compare_table.write(self.results, self.options.results, hidden)

    def plans(self, row, case):
        """Plans of the fused kernels, 2:4 and dense."""
        t, n, k, type_, epilogue = case
        options = []
        for weights, option in (("2:4", "--sparse"), ("dense", "--dense")):
            program = programs.Program(n, k, weights, type_, epilogue)
            entry = self.entries.get(program.name)
            try:
                if not entry or "error" in entry:
                    raise ValueError(f"{program.name} is not compiled")
                bundle = self.folder / entry["bundle"]
                lines = launches.plan(bundle, {"T": t}, self.target)
                path = self.scratch / f"{program.name}.{t}.plan"
                path.write_text("\n".join(lines) + "\n")
                options += [option, path]
                for launch in launches.launches(bundle, {"T": t}, self.target):
                    row["kernels"].append(
                        {"weights": weights, "kernel": launch["kernel"],
                         "grid": launches.evaluate(launch["grid"], {"T": t}),
                         "threads": launch["threads"],
                         "cluster": launch.get("cluster", 1),
                         "programmatic": launch.get("programmatic", False),
                         **entry.get("kernels", {}).get(launch["kernel"], {})})
            except (OSError, ValueError, KeyError) as error:
                row["notes"].append(f"{weights}: {error}")
        return options

    def ask(self, row, case, more):
        """Runs the peer program; again without its likely trouble if it dies."""
        t, n, k, type_, epilogue = case
        plans = self.plans(row, case)
        base = [self.peers, t, n, k, type_, self.options.samples, "--epilogue", epilogue]
        for extra in (plans, plans + ["--setups", 1], plans + ["--no-cusparselt"],
                      ["--no-cusparselt"]):
            if self.left() < 5:
                break
            code, out, err = call(base + more + extra, min(ROW_LIMIT, self.left()))
            try:
                answer = json.loads(out.strip().splitlines()[-1])
            except (ValueError, IndexError):
                answer = {"error": why(code, out, err)}
            if code == 0 and "error" not in answer:
                row["notes"] += answer["notes"]
                for name in ("device", "multiprocessors", "l2_bytes", "driver_cuda",
                             "runtime_cuda", "cublaslt", "cusparselt", "nvml"):
                    self.results["machine"].setdefault("libraries", {})[name] = answer[name]
                return answer
            row["notes"].append(answer.get("error", why(code, out, err)))
        row["error"] = row["notes"][-1] if row["notes"] else "no time was left for it"
        return None

    def compare(self, case):
        t, n, k, type_, epilogue = case
        row = {"key": compare_cases.key(case), "t": t, "n": n, "k": k, "type": type_,
               "epilogue": epilogue, "kernels": [], "notes": []}
        begin = time.monotonic()
        answer = self.ask(row, case, [
            "--settle", self.options.settle, "--burst", self.options.burst,
            "--groups", self.options.groups])
        row["seconds"] = round(time.monotonic() - begin, 1)
        if answer:
            row.update(buffer_sets=answer["buffer_sets"], algorithms=answer["algorithms"],
                       rows=answer["rows"])
            flops = 2.0 * t * n * k
            for peer in row["rows"]:
                peer["tflops"] = round(flops / peer["median_us"] * 1e-6, 1)
                peer["ok"] = (peer["difference"] is not None and
                              peer["difference"] < BOUNDS[type_] and
                              peer["error"] is not None and
                              peer["error"] < BOUNDS[type_] and
                              peer.get("bitwise_equal", True))
        self.results["rows"] = [r for r in self.results["rows"] if r["key"] != row["key"]]
        self.results["rows"].append(row)
        self.save()
        print(f"[{time.monotonic() - self.start:5.0f} s] {compare_table.line(row)}", flush=True)

    def check_algorithms(self, cases):
        """The error of every algorithm of cuSPARSELt, in every way of asking."""
        for case in cases:
            row = {"key": compare_cases.key(case), "kernels": [], "notes": []}
            answer = self.ask(row, case, ["--algorithms"])
            row["checks"] = answer["algorithms"] if answer else []
            self.results["algorithms"] = [r for r in self.results["algorithms"]
                                          if r["key"] != row["key"]] + [row]
            self.save()
            print(compare_table.algorithms_text(row), flush=True)

    def run(self):
        try:
            return self.all_cases()
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def all_cases(self):
        cases = chosen(self.options.shapes)
        self.results["calls"].append({
            "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "settings": {name: getattr(self.options, name) for name in
                         ("samples", "settle", "burst", "groups")}})
        self.results["machine"].update(machine.describe())
        self.peers, note = peers_build.build(self.target, self.folder, self.options,
                                             min(150, self.left()))
        print(f"peer program: {note}", flush=True)
        self.results["machine"]["peers"] = note
        if self.options.check_algorithms:
            self.check_algorithms(cases)
            return 0
        done = {row["key"] for row in self.results["rows"]}
        waiting = [case for case in cases if compare_cases.key(case) not in done]
        print(f"{len(cases)} rows, {len(cases) - len(waiting)} of them done before", flush=True)
        late = 0
        for case in waiting:
            if self.left() < ROW_LEAST:
                late += 1
            else:
                self.compare(case)
        self.save()
        wanted = {compare_cases.key(case) for case in cases}
        rows = [row for row in self.results["rows"] if row["key"] in wanted]
        failed = [row["key"] for row in rows if "error" in row]
        wrong = [row["key"] for row in rows for peer in row.get("rows", [])
                 if peer["name"].startswith("sparseflow") and not peer["ok"]]
        print(f"{len(rows) - len(failed)} of {len(cases)} rows, {len(failed)} failed, "
              f"{late} left for the next call; results are in {self.options.results}")
        if wrong:
            print(f"wrong or not repeatable: {', '.join(wrong)}")
        return 4 if wrong else 1 if failed and len(failed) == len(rows) else 0

"""Times SparseFlow, cuBLASLt and cuSPARSELt on the same weights, interleaved.

`scripts/bench gemm --compare OUT` (bundles from `--compile-only OUT --set compare`).
Rows are written as they come and kept by the next call, so that a table may take
several calls of a machine that is lent for minutes.
"""

import fnmatch
import json
import time

import programs
from common.kept_rows import KeptRows
from matmul import compare_cases, compare_table
from matmul.running import call, why

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


class Compare(KeptRows):
    kind, table, lists = "gemm-compare", compare_table, ("algorithms",)
    settings = ("samples", "settle", "burst", "groups")
    ROW_LEAST = ROW_LEAST

    def __init__(self, options):
        super().__init__(options, options.compare)

    cases = staticmethod(compare_cases.rows)
    key = staticmethod(compare_cases.key)

    def plans(self, row, case):
        """Plans of the fused kernels, 2:4 and dense."""
        t, n, k, type_, epilogue = case
        options = []
        for weights, option in (("2:4", "--sparse"), ("dense", "--dense")):
            program = programs.Program(n, k, weights, type_, epilogue)
            try:
                path, kernels = self.plan(program.name, {"T": t})
                options += [option, path]
                row["kernels"] += [{"weights": weights, **kernel} for kernel in kernels]
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
        self.keep(row)

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

    def all_rows(self):
        cases = chosen(self.options.shapes)
        self.results["machine"]["peers"] = self.begin()
        if self.options.check_algorithms:
            self.check_algorithms(cases)
            return 0
        rows = self.take(cases)
        failed = [row["key"] for row in rows if "error" in row]
        wrong = [row["key"] for row in rows for peer in row.get("rows", [])
                 if peer["name"].startswith("sparseflow") and not peer["ok"]]
        if wrong:
            print(f"wrong or not repeatable: {', '.join(wrong)}")
        return 4 if wrong else 1 if failed and len(failed) == len(rows) else 0

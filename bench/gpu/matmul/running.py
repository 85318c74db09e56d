"""Runs compiled bundles on a GPU: the half that needs no compiler.

Steps are independent: one that fails or is out of time is recorded and the rest go
on. The results are written after every step.
"""

import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

import programs
from common import launches, machine, table
from peers import build as peers_build

# Multiply-adds up to which every element is checked; above, SAMPLED_ROWS tokens.
FULL_CHECK = 2.5e10
SAMPLED_ROWS = 48
# Programs for compute-sanitizer: guarded edges, single copies, whole tiles, f32.
SANITIZED = ("sparse-f16-residual-n1001-k516", "sparse-f16-residual-n97-k100",
             "dense-f16-residual-n97-k516", "sparse-bf16-none-n1024-k1024-f32",
             "dense-bf16-none-n1001-k100", "sparse-f16-silu_gate-n1024-k1024")
SANITIZED_TOKENS = (7, 64, 129)
COUNTERS = {
    "launch__registers_per_thread": "registers",
    "launch__shared_mem_per_block_dynamic": "dynamic_shared",
    "sm__cycles_elapsed.max": "cycles",
    "gpu__time_duration.sum": "duration",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": "conflicts_load",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum": "conflicts_store",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": "shared_wavefronts",
    "sm__inst_executed_pipe_tensor.sum": "tensor_instructions",
    "smsp__warps_active.avg.pct_of_peak_sustained_active": "warps_active_percent",
    "dram__bytes_read.sum": "dram_read",
    "dram__bytes_write.sum": "dram_write",
}
# One counter that ncu does not know on a GPU makes it refuse them all.
COUNTER_SETS = (
    tuple(COUNTERS),
    tuple(name for name in COUNTERS if "tensor" not in name),
    ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"))


def call(command, timeout):
    """Runs a command; returns exit code (None: out of time), output and errors.

    The command leads a group of its own, so that children end with it."""
    try:
        process = subprocess.Popen([str(word) for word in command], text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, errors="replace",
                                   start_new_session=True)
    except OSError as error:
        return 127, "", str(error)
    try:
        out, err = process.communicate(timeout=max(1.0, timeout))
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return None, out, f"{err}\nended after {timeout:.0f} s"


def why(code, out, err):
    """A short text for a failed command."""
    text = (err.strip() or out.strip())[-1000:]
    return f"out of time: {text}" if code is None else f"exit code {code}: {text}"


class Bench:
    def __init__(self, options):
        self.options = options
        self.start = time.monotonic()
        self.folder = options.run
        index = json.loads((self.folder / "index.json").read_text())
        self.target = index["target"]
        self.entries = {entry["name"]: entry for entry in index["programs"]}
        self.scratch = Path(tempfile.mkdtemp(prefix="sparseflow-bench-"))
        self.results = {
            "format": "sparseflow-bench", "version": 1, "kind": "gemm",
            "commit": index["commit"], "compiler": index["compiler"],
            "target": self.target, "quick": options.quick,
            "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "machine": {}, "steps": [],
            "not_compiled": [{"name": e["name"], "error": e["error"]}
                             for e in index["programs"] if "error" in e],
            "slow": [{"name": e["name"], "finding": e["slow"]}
                     for e in index["programs"] if "slow" in e],
            "conformance": [], "speed": [], "exec_speed": [], "kernels": [],
            "sanitizer": [], "counters": []}

    def left(self):
        return self.options.budget - (time.monotonic() - self.start)

    def save(self):
        self.results["seconds"] = round(time.monotonic() - self.start, 1)
        # Where this machine keeps its files says nothing to a reader.
        hidden = {str(self.scratch): "SCRATCH", str(self.folder): "OUT"}
        table.write(self.results, self.options.results, hidden)

    def step(self, name, function, share):
        """Runs a step with at most `share` seconds."""
        begin = time.monotonic()
        record = {"name": name, "ok": True}
        deadline = begin + min(share, self.left() - 3)
        print(f"[{begin - self.start:5.0f} s] {name}", flush=True)
        if deadline - begin < 2:
            record.update(ok=False, error="no time is left for it")
        else:
            try:
                note = function(deadline)
                if note:
                    record["note"] = note
                    print(f"          {note}", flush=True)
            except Exception as error:  # A broken step must not stop the others.
                record.update(ok=False, error=f"{type(error).__name__}: {error}"[:2000])
        if not record["ok"]:
            print(f"          {record['error']}", flush=True)
        record["seconds"] = round(time.monotonic() - begin, 1)
        self.results["steps"].append(record)
        self.save()

    def bundle(self, program):
        entry = self.entries.get(program.name)
        if not entry or "error" in entry:
            raise ValueError(f"{program.name} is not compiled")
        return self.folder / entry["bundle"], entry

    # --- machine and peers ---------------------------------------------------

    def describe(self, _):
        self.results["machine"].update(machine.describe())
        gpu = self.results["machine"]["gpu"]
        if not gpu:
            raise RuntimeError("nvidia-smi does not answer")
        return f"{gpu.get('name')}, driver {gpu.get('driver_version')}"

    def build_peers(self, deadline):
        self.peers = None
        self.peers, note = peers_build.build(
            self.target, self.folder, self.options,
            min(120, deadline - time.monotonic()))
        return note

    # --- conformance -----------------------------------------------------------

    def conformance_cases(self):
        chosen = programs.conformance()
        if self.options.quick:
            chosen = [(p, [t for t in tokens if t in (0, 1, 16, 129, 1024)])
                      for p, tokens in chosen
                      if p.n * p.k <= 1024 * 1024 and
                      (p.type == "f16") == (p.epilogue in ("none", "bias", "gelu_erf",
                                                           "silu_gate", "residual"))]
        # --only may have left programs out.
        return [(p, t) for p, tokens in chosen if p.name in self.entries for t in tokens]

    def check(self, case, deadline):
        program, tokens = case
        row = {"program": program.name, "tokens": tokens, "ok": False}
        begin = time.monotonic()
        if deadline - begin < 1:
            row["error"] = "no time was left for it"
            row["skipped"] = True
            return row
        try:
            bundle, _ = self.bundle(program)
        except ValueError as error:
            row["error"] = str(error)
            return row
        full = tokens * program.n * program.k <= FULL_CHECK
        row["checked"] = "full" if full else f"sampled:{SAMPLED_ROWS}"
        report = self.scratch / f"{program.name}.{tokens}.json"
        code, out, err = call(
            [self.options.exec, bundle, "--dim", f"T={tokens}", f"--check={row['checked']}",
             "--repeat", self.options.repeat, "--json", report, "--quiet",
             "--threads", self.options.threads, *programs.run_options(program)],
            min(90, deadline - begin + 5))
        row["seconds"] = round(time.monotonic() - begin, 2)
        row["ok"] = code == 0
        if report.exists():
            try:
                self.read_report(json.loads(report.read_text()), row)
            except (ValueError, KeyError, IndexError) as error:
                row.update(ok=False, error=f"the report of the run: {error!r}")
            report.unlink()
        if not row["ok"] and "error" not in row and code != 4:
            row["error"] = why(code, out, err)
        return row

    @staticmethod
    def read_report(report, row):
        row["launches"] = report["launches"]
        row["bitwise_equal"] = report["bitwise_equal"]
        row["ok"] = row["ok"] and report["bitwise_equal"]
        if report["empty"]:
            row["empty"] = True
            return
        result = report["check"]["results"][0]
        for name in ("elements", "wrong", "max_abs_error", "relative_frobenius",
                     "plain_max_abs_error", "plain_relative_frobenius"):
            row[name] = result[name]
        if not result["ok"]:
            row["worst"] = result.get("worst")
        row["ok"] = row["ok"] and result["ok"]

    def conformance(self, deadline):
        cases = self.conformance_cases()
        rows = self.results["conformance"]
        with ThreadPoolExecutor(self.options.workers) as pool:
            for row in pool.map(lambda case: self.check(case, deadline), cases):
                rows.append(row)
                if len(rows) % 100 == 0:
                    self.save()
        good = sum(row["ok"] for row in rows)
        skipped = sum(row.get("skipped", False) for row in rows)
        return (f"{good} of {len(rows)} right" +
                (f", {skipped} not run for lack of time" if skipped else ""))

    # --- speed -------------------------------------------------------------------

    def speed_cases(self):
        if self.options.quick:
            return [(1024, 1024, 1024, "f16"), (4096, 4096, 4096, "f16")]
        return [(*shape, type_) for type_ in programs.TYPES
                for shape in programs.SPEED_SHAPES]

    def speed(self, deadline):
        problems = []
        for t, n, k, type_ in self.speed_cases():
            row = {"t": t, "n": n, "k": k, "type": type_, "rows": []}
            self.results["speed"].append(row)
            if deadline - time.monotonic() < 5:
                row["error"] = "no time was left for it"
            elif not self.peers:
                row["error"] = "the peer program was not built"
            else:
                self.compare(row, deadline)
            if "error" in row:
                problems.append(f"{t}x{n}x{k} {type_}: {row['error']}")
            self.save()
        if problems:
            raise RuntimeError("; ".join(problems))

    def compare(self, row, deadline):
        t, n, k, type_ = row["t"], row["n"], row["k"], row["type"]
        plans, notes = [], []
        for weights, option in (("2:4", "--sparse"), ("dense", "--dense")):
            program = programs.Program(n, k, weights, type_)
            try:
                bundle, entry = self.bundle(program)
                lines = launches.plan(bundle, {"T": t}, self.target)
                path = self.scratch / f"{program.name}.{t}.plan"
                path.write_text("\n".join(lines) + "\n")
                plans += [option, path]
                self.kernels(row, weights, bundle, entry)
            except (OSError, ValueError, KeyError) as error:
                notes.append(f"{weights}: {error}")
        base = [self.peers, t, n, k, type_, 12 if self.options.quick else 40]
        # A fault of the device ends a peer process; try again without its likely
        # cause rather than lose the shape.
        for extra in (plans, plans + ["--no-cusparselt"], ["--no-cusparselt"]):
            with machine.Clocks() as clocks:
                code, out, err = call(base + extra,
                                      min(90, deadline - time.monotonic()))
            try:
                answer = json.loads(out.strip().splitlines()[-1])
            except (ValueError, IndexError):
                answer = {"error": why(code, out, err)}
            if code == 0 and "error" not in answer:
                break
            notes.append(answer.get("error", why(code, out, err)))
            if deadline - time.monotonic() < 5:
                break
        row["clocks"] = clocks.summary
        row["notes"] = notes + answer.get("notes", [])
        if "rows" not in answer:
            row["error"] = notes[-1]
            return
        for name in ("device", "multiprocessors", "l2_bytes", "driver_cuda",
                     "runtime_cuda", "cublaslt", "cusparselt"):
            self.results["machine"].setdefault("libraries", {})[name] = answer[name]
        row["buffer_sets"] = answer["buffer_sets"]
        flops = 2.0 * t * n * k
        for peer in answer["rows"]:
            peer["tflops"] = round(flops / peer["median_us"] * 1e-6, 1)
            # Rounding of the result's type; bf16 has 8 bits.
            bound = 6e-3 if type_ == "bf16" else 1e-3
            peer["ok"] = peer["difference"] is not None and peer["difference"] < bound
            row["rows"].append(peer)
        wrong = [peer["name"] for peer in row["rows"] if not peer["ok"]]
        if wrong:
            row["error"] = f"wrong results: {', '.join(wrong)}"
        print("          " + table.speed_line(row), flush=True)

    def kernels(self, row, weights, bundle, entry):
        """What ptxas said of the kernels that this row launches."""
        for launch in launches.launches(bundle, {"T": row["t"]}, self.target):
            kernel = entry["kernels"].get(launch["kernel"], {})
            self.results["kernels"].append(
                {"t": row["t"], "n": row["n"], "k": row["k"], "type": row["type"],
                 "weights": weights, "kernel": launch["kernel"],
                 "grid": launches.evaluate(launch["grid"], {"T": row["t"]}),
                 "threads": launch["threads"], **kernel})

    def exec_speed(self, deadline):
        """The runtime's own timing, through its public interface."""
        for t, n, k, type_ in self.speed_cases():
            for weights in programs.WEIGHTS:
                if deadline - time.monotonic() < 5:
                    raise RuntimeError("out of time")
                program = programs.Program(n, k, weights, type_)
                row = {"program": program.name, "tokens": t}
                self.results["exec_speed"].append(row)
                report = self.scratch / "exec-speed.json"
                try:
                    bundle, _ = self.bundle(program)
                    code, out, err = call(
                        [self.options.exec, bundle, "--dim", f"T={t}", "--time", 40,
                         "--json", report, "--quiet"], min(60, deadline - time.monotonic()))
                    if code != 0:
                        raise ValueError(why(code, out, err))
                    timing = json.loads(report.read_text())["timing"]
                    row.update({name: timing[name] for name in
                                ("min_us", "mean_us", "std_us", "median_us", "p90_us",
                                 "p95_us", "p99_us", "samples", "effective_tflops")})
                except (OSError, ValueError, KeyError) as error:
                    row["error"] = str(error)

    # --- sanitizer, counters -----------------------------------------------------

    def sanitize(self, case, deadline):
        tool, name, tokens = case
        row = {"tool": tool, "program": name, "tokens": tokens, "result": "not run"}
        if deadline - time.monotonic() < 2:
            row["detail"] = "no time was left for it"
            return row
        code, out, err = call(
            [self.sanitizer, "--tool", tool, "--error-exitcode", 86, self.options.exec,
             self.folder / self.entries[name]["bundle"], "--dim", f"T={tokens}",
             "--quiet"], min(60, deadline - time.monotonic()))
        text = out + err
        if code == 0 and re.search(r"SUMMARY: 0 (errors|hazards)", text):
            row["result"] = "clean"
        elif code == 86 or (code == 0 and "SUMMARY: " in text):
            row["result"] = "findings"
            row["detail"] = text[:1500]
        else:
            row["detail"] = why(code, out, err)
        return row

    def sanitizers(self, deadline):
        self.sanitizer = machine.find_tool("compute-sanitizer")
        if not self.sanitizer:
            raise RuntimeError("compute-sanitizer was not found")
        names = [name for name in SANITIZED
                 if name in self.entries and "error" not in self.entries[name]]
        if self.options.quick:
            cases = [(tool, name, 129) for tool in ("memcheck", "racecheck")
                     for name in names[:1]]
        else:
            cases = [(tool, name, tokens) for tokens in SANITIZED_TOKENS
                     for tool in ("memcheck", "racecheck", "synccheck")
                     for name in names]
        rows = self.results["sanitizer"]
        if not cases:
            raise RuntimeError("none of its programs is compiled")
        # Where the machine does not allow it, one refusal is enough.
        rows.append(self.sanitize(cases[0], deadline))
        if rows[0]["result"] == "not run":
            raise RuntimeError(f"it does not work here: {rows[0].get('detail', '')}")
        with ThreadPoolExecutor(min(4, self.options.workers)) as pool:
            rows += pool.map(lambda case: self.sanitize(case, deadline), cases[1:])
        return ", ".join(f"{sum(row['result'] == result for row in rows)} {result}"
                         for result in ("clean", "findings", "not run"))

    def counters(self, deadline):
        ncu = machine.find_tool("ncu")
        if not ncu:
            raise RuntimeError("ncu was not found")
        cases = self.speed_cases()
        shapes = [case for case in cases if case[3] == "f16"][:1 if self.options.quick else 4]
        problems = []
        for t, n, k, type_ in shapes:
            for weights in programs.WEIGHTS:
                program = programs.Program(n, k, weights, type_)
                if deadline - time.monotonic() < 5:
                    raise RuntimeError("out of time")
                bundle, _ = self.bundle(program)
                for metrics in COUNTER_SETS:
                    code, out, err = call(
                        [ncu, "--clock-control", "none", "--csv", "--page", "raw",
                         "--print-units", "base", "--metrics", ",".join(metrics),
                         self.options.exec, bundle, "--dim", f"T={t}", "--quiet"],
                        min(60, deadline - time.monotonic()))
                    rows = read_counters(out)
                    if rows:
                        break
                for row in rows:
                    self.results["counters"].append(
                        {"program": program.name, "tokens": t, **row})
                if not rows:
                    problems.append(f"{program.name}: {why(code, out, err)}")
                    if not self.results["counters"]:
                        raise RuntimeError(problems[0])
        if problems:
            raise RuntimeError("; ".join(problems))

    def run(self):
        try:
            return self.all_steps()
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def all_steps(self):
        quick = self.options.quick
        self.step("machine", self.describe, 30)
        self.step("build the peer program", self.build_peers, 120)
        self.step("conformance", self.conformance, 22 if quick else 200)
        self.step("speed beside the libraries", self.speed, 60 if quick else 170)
        self.step("counters", self.counters, 20 if quick else 60)
        self.step("sanitizer", self.sanitizers, 20 if quick else 70)
        self.step("speed through the runtime", self.exec_speed, 15 if quick else 45)
        self.results["finished"] = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self.save()
        rows = self.results["conformance"]
        wrong = [row for row in rows if not row["ok"] and not row.get("skipped")]
        broken = [step for step in self.results["steps"] if not step["ok"]]
        bad = [row for row in self.results["sanitizer"] if row["result"] == "findings"]
        unlike = [peer for row in self.results["speed"] for peer in row["rows"]
                  if peer["name"].startswith("sparseflow") and not peer["ok"]]
        print(f"results are in {self.options.results}: {len(rows)} checks, {len(wrong)} "
              f"failed; {len(unlike)} kernels unlike cuBLASLt; {len(bad)} sanitizer findings; {len(broken)} steps incomplete")
        return 4 if wrong or unlike or bad or not rows else 0


def read_counters(text):
    """Rows of ncu's raw page as CSV; the second line holds the units."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    counters = []
    for row in rows:
        if not row.get("ID"):
            continue
        values = {"kernel": row.get("Kernel Name", "")}
        for metric, name in COUNTERS.items():
            cell = (row.get(metric) or "").replace(",", "")
            try:
                values[name] = float(cell)
            except ValueError:
                pass
        counters.append(values)
    return counters

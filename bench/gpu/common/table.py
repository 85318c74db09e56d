#!/usr/bin/env python3
"""Writes results as JSON and as a table for people."""

import json
import os
from pathlib import Path

_LISTS = ("steps", "not_compiled", "slow", "conformance", "speed", "exec_speed", "kernels",
          "sanitizer", "counters")
CONTENDERS = ("sparseflow 2:4", "sparseflow dense", "cuBLASLt", "cuSPARSELt")


def best(row, name):
    """A contender's fastest right algorithm in a row of `speed`, or None."""
    found = [r for r in row["rows"] if r["name"] == name and r["ok"]]
    return min(found, key=lambda r: r["median_us"], default=None)


def speed_line(row):
    """A row of `speed` in one line of text."""
    parts = []
    for name in CONTENDERS:
        if found := best(row, name):
            parts.append(f"{name} {found['median_us']:.1f} us "
                         f"({found['tflops']:.0f} TFLOP/s)")
    return f"{row['t']}x{row['n']}x{row['k']} {row['type']}: " + ", ".join(parts)


def _table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for row in rows:
        cells = [str(cell).replace("|", "\\|").replace("\n", " ") for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]


def _number(value, form="{:.3g}"):
    return form.format(value) if isinstance(value, (int, float)) else "-"


def _ratio(peer, ours):
    """How many times faster than the peer, by medians."""
    return f"{peer['median_us'] / ours['median_us']:.2f}" if peer and ours else "-"


def _head(r):
    gpu = r["machine"].get("gpu", {})
    versions = r["machine"].get("versions", {})
    libraries = r["machine"].get("libraries", {})
    items = [("Commit", r["commit"]), ("Compiler", f"{r['compiler']}, {r['target']}"),
             ("GPU", f"{gpu.get('name', '-')}, {libraries.get('multiprocessors', '-')} "
                     f"SMs, power limit {gpu.get('power.limit', '-')} W, "
                     f"at most {gpu.get('clocks.max.sm', '-')} MHz"),
             ("Driver", gpu.get("driver_version", "-")),
             ("nvcc", versions.get("nvcc", "-")),
             ("cuBLASLt", libraries.get("cublaslt", "-")),
             ("cuSPARSELt", libraries.get("cusparselt") or "not found"),
             ("Run", f"{r['started']}, {r.get('seconds', '-')} s"
                     + (", quick" if r.get("quick") else ""))]
    return _table(("", ""), items)


def _speed(r):
    rows = []
    for row in r["speed"]:
        ours = best(row, "sparseflow 2:4")
        cells = [f"{row['t']} x {row['n']} x {row['k']}", row["type"]]
        for name in CONTENDERS:
            found = best(row, name)
            cells.append(f"{found['median_us']:.1f} ({found['min_us']:.1f} - "
                         f"{found['p95_us']:.1f}), **{found['tflops']:.0f}**"
                         if found else "-")
        cells += [_ratio(best(row, "cuBLASLt"), ours), _ratio(best(row, "cuSPARSELt"), ours)]
        clocks = row.get("clocks")
        cells.append(f"{clocks['sm_mhz']['median']:.0f} MHz, "
                     f"{clocks['power_w']['max']:.0f} W"
                     + "".join(f", {limit}" for limit in clocks["limits"])
                     if clocks else "-")
        rows.append(cells)
    return _table(("T x N x K", "type", *CONTENDERS, "/ cuBLASLt", "/ cuSPARSELt",
                   "clock"), rows)


def _conformance(r):
    groups = {}
    for row in r["conformance"]:
        kind, type_, epilogue = row["program"].split("-")[:3]
        groups.setdefault((kind, type_, epilogue), []).append(row)
    rows = []
    for key, members in groups.items():
        run = [m for m in members if not m.get("skipped")]
        def worst(name):
            return _number(max((m[name] for m in run
                                if isinstance(m.get(name), (int, float))), default=None))
        rows.append((*key, len(run), sum(m["ok"] for m in run),
                     sum(m.get("bitwise_equal", False) for m in run),
                     worst("relative_frobenius"), worst("plain_relative_frobenius"),
                     len(members) - len(run)))
    return _table(("weights", "type", "epilogue", "runs", "right", "bitwise equal",
                   "largest error", "of plain arithmetic", "not run"), rows)


def _failures(r):
    lines = []
    for row in r["conformance"]:
        if row["ok"] or row.get("skipped"):
            continue
        detail = row.get("error") or (
            "launches differ" if not row.get("bitwise_equal", True) else
            f"{row.get('wrong')} of {row.get('elements')} elements are wrong, worst "
            f"{json.dumps(row.get('worst'))}")
        lines.append(f"* {row['program']}, T = {row['tokens']}: {' '.join(detail.split())[:300]}")
    more = len(lines) - 30
    if more > 0:
        lines = lines[:30] + [f"* and {more} more in the JSON"]
    for entry in r["not_compiled"]:
        lines.append(f"* {entry['name']} does not compile: "
                     f"{' '.join(entry['error'].split())[:300]}")
    for entry in r["slow"]:
        lines.append(f"* {entry['name']} is slow code: "
                     f"{' '.join(entry['finding'].split())[:300]}")
    return lines + [""] if lines else []


def _kernels(r):
    rows = []
    for k in r["kernels"]:
        mma = ", ".join(f"{count} {name}" for name, count
                        in k.get("instructions", {}).items() if "mma" in name)
        rows.append((f"{k['t']} x {k['n']} x {k['k']}", k["type"], k["weights"],
                     k["kernel"], f"{k['grid']} x {k['threads']}",
                     k.get("registers", "-"), k.get("shared_bytes", "-"),
                     k.get("spill_bytes", "-"), mma))
    return _table(("T x N x K", "type", "weights", "kernel", "blocks x threads",
                   "registers", "shared bytes", "spilled bytes", "mma in the code"), rows)


def _counters(r):
    names = ("registers", "conflicts_load", "conflicts_store", "shared_wavefronts",
             "tensor_instructions", "cycles", "warps_active_percent")
    return _table(("program", "T", "kernel", *(n.replace("_", " ") for n in names)),
                  [(c["program"], c["tokens"], c["kernel"],
                    *(_number(c.get(n), "{:.6g}") for n in names))
                   for c in r["counters"]])


def markdown(r):
    lines = ["# Matmuls on a GPU", "",
             "Written by `scripts/bench gemm`; how to read it: "
             "[docs/benchmarks.md](../../docs/benchmarks.md).", ""] + _head(r)
    if r["speed"]:
        lines += ["## Speed", "",
                  "Median (minimum - 95th percentile) in microseconds, effective TFLOP/s: "
                  "zeros count. The ratios say how many times faster the 2:4 kernel is "
                  "than the library, above 1 is faster.", ""] + _speed(r)
        for row in r["speed"]:
            if "error" in row:
                lines.append(f"* {row['t']} x {row['n']} x {row['k']} {row['type']}: "
                             f"{' '.join(row['error'].split())[:300]}")
        lines.append("")
    timed = [e for e in r["exec_speed"] if "median_us" in e]
    if timed:
        lines += ["Through the runtime (`sparseflow-exec --time`), with nothing else "
                  "in between:", ""]
        lines += _table(("program", "T", "median us", "min - p95", "TFLOP/s"),
                        [(e["program"], e["tokens"], f"{e['median_us']:.1f}",
                          f"{e['min_us']:.1f} - {e['p95_us']:.1f}",
                          f"{e['effective_tflops']:.0f}") for e in timed])
    if r["conformance"]:
        run = [c for c in r["conformance"] if not c.get("skipped")]
        right = sum(c["ok"] for c in run)
        lines += ["## Conformance", "",
                  f"{right} of {len(run)} runs are right against float64. Errors are "
                  "relative (Frobenius), beside those of plain low-precision arithmetic "
                  "on the same numbers.", ""] + _conformance(r) + _failures(r)
    if r["kernels"]:
        lines += ["## Kernels", ""] + _kernels(r)
    if r["counters"]:
        lines += ["## Counters", ""] + _counters(r)
    if r["sanitizer"]:
        lines += ["## compute-sanitizer", ""]
        lines += _table(("tool", "program", "T", "result"),
                        [(s["tool"], s["program"], s["tokens"], s["result"])
                         for s in r["sanitizer"]])
    lines += ["## Steps", ""]
    lines += _table(("step", "seconds", "outcome"),
                    [(s["name"], s["seconds"],
                      " ".join((s.get("note", "done") if s["ok"]
                                else s["error"]).split())[:300]) for s in r["steps"]])
    return "\n".join(lines).rstrip() + "\n"


def dumps(r):
    """JSON with one line a row, so that runs can be compared by diff."""
    parts = []
    for name, value in r.items():
        if name in _LISTS and value:
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            parts.append(f" {json.dumps(name)}: [\n{rows}]")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_whole(directory, name, texts, hidden):
    """Files of `name` and the suffixes of `texts`, each appearing whole; `hidden` texts
    are replaced."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    for suffix, text in texts.items():
        for path, replacement in (hidden or {}).items():
            text = text.replace(path, replacement)
        half = directory / f".{name}{suffix}.part"
        half.write_text(text)
        os.replace(half, directory / f"{name}{suffix}")


def write(r, directory, hidden=None, name="gemm"):
    """NAME.json and NAME.md, each appearing whole; `hidden` texts are replaced."""
    write_whole(directory, name, {".json": dumps(r), ".md": markdown(r)}, hidden)


#!/usr/bin/env python3
"""Writes a comparison as JSON, as tables and as a plot."""

import json

from common import machine, plots
from common.table import write_whole
from matmul import compare_cases

NAME = "gemm-compare"
CONTENDERS = ("sparseflow 2:4", "sparseflow dense", "cuBLASLt", "cuSPARSELt")


def best(row, name):
    """A contender's fastest right algorithm of a row, or None."""
    found = [r for r in row.get("rows", []) if r["name"] == name and r["ok"]]
    return min(found, key=lambda r: r["median_us"], default=None)


def ratio(row, name, phase=None, ours="sparseflow 2:4"):
    """How many times faster than contender `name` `ours` is, or None."""
    found = [best(row, name), best(row, ours)]
    if phase:
        found = [r and r.get(phase) for r in found]
    return found[0]["median_us"] / found[1]["median_us"] if all(found) else None


def expected(row):
    """(floor and aim against cuSPARSELt, aim against cuBLASLt) of a row."""
    if row["epilogue"] != "none":
        return (None, None, compare_cases.FUSED_EXPECTED[1])
    return compare_cases.EXPECTED.get((row["t"], row["n"], row["k"]), (None,) * 3)


def line(row):
    """A row in one line of text."""
    if "error" in row:
        return f"{row['key']}: {row['error'][:300]}"
    parts = [f"{name} {r['median_us']:.1f} us" for name in (*CONTENDERS, "cuBLASLt fused")
             if (r := best(row, name))]
    wrong = [r["name"] for r in row["rows"] if not r["ok"]]
    ratios = [f"{name} / ours {value:.2f}" for name in ("cuSPARSELt", "cuBLASLt")
              if (value := ratio(row, name))]
    return (f"{row['key']}: {', '.join(parts)}; {', '.join(ratios)}"
            + (f"; WRONG: {', '.join(wrong)}" if wrong else "")
            + f" ({row['seconds']:.0f} s)")


def algorithms_text(row):
    """The checks of cuSPARSELt's algorithms, a line each."""
    lines = [f"{row['key']}: {len(row['checks'])} checks"] + row["notes"]
    for check in row["checks"]:
        what = check.get("problem") or (
            f"difference {check['difference']}" + (
                "" if check["right"] else
                f", read as the transposed result {check['difference_transposed']}"))
        lines.append(f"  way {check['setup']} algorithm {check['id']:2}: "
                     f"{'right' if check['right'] else 'WRONG'}, {what}")
    return "\n".join(lines)


def _table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"
              for row in rows]
    return lines + [""]


def _head(r):
    gpu, versions = r["machine"].get("gpu", {}), r["machine"].get("versions", {})
    libraries = r["machine"].get("libraries", {})
    calls = "; ".join(f"{c['started']}, {c.get('seconds', '-')} s" for c in r["calls"])
    return _table(("", ""), [
        ("Commit", r["commit"]), ("Compiler", f"{r['compiler']}, {r['target']}"),
        ("GPU", f"{gpu.get('name', '-')}, {libraries.get('multiprocessors', '-')} "
                f"SMs, power limit {gpu.get('power.limit', '-')} W, at most "
                f"{gpu.get('clocks.max.sm', '-')} MHz"),
        ("Driver", gpu.get("driver_version", "-")), ("nvcc", versions.get("nvcc", "-")),
        ("cuBLASLt", libraries.get("cublaslt", "-")),
        ("cuSPARSELt", libraries.get("cusparselt") or "not found"), ("Calls", calls)])


def _shape(row):
    return f"{row['t']} x {row['n']} x {row['k']}"


def _time(row, name, phase=None):
    found = best(row, name)
    times = found and (found.get(phase) if phase else found)
    if not times:
        return "-"
    tera = 2e-6 * row["t"] * row["n"] * row["k"] / times["median_us"]
    return (f"{times['median_us']:.1f} ({times['min_us']:.1f} - {times['p95_us']:.1f}), "
            f"{tera:.0f}")


def _against(value, least, aim):
    """A ratio beside what is expected of it."""
    if value is None:
        return "-"
    text = f"**{value:.2f}**" if aim and value >= aim else f"{value:.2f}"
    if least and value < least:
        text += " below the floor"
    wanted = [f"{w:.2f}" for w in (least, aim) if w]
    return f"{text} ({' / '.join(wanted)})" if wanted else text


def _times(rows, phase=None):
    cells = []
    for row in rows:
        least, aim, dense = expected(row)
        cells.append((_shape(row), row["type"],
                      *(_time(row, name, phase) for name in CONTENDERS),
                      _against(ratio(row, "cuSPARSELt", phase), least, aim),
                      _against(ratio(row, "cuBLASLt", phase), None, dense)))
    return _table(("T x N x K", "type", *CONTENDERS, "cuSPARSELt / ours (floor / aim)",
                   "cuBLASLt / ours (aim)"), cells)


def _fused(rows):
    least, aim = compare_cases.FUSED_EXPECTED
    cells = [(_shape(row), row["type"], row["epilogue"],
              _time(row, "sparseflow 2:4"), _time(row, "sparseflow dense"),
              _time(row, "cuBLASLt"), _time(row, "cuBLASLt fused"),
              _time(row, "cuSPARSELt"), _against(ratio(row, "cuBLASLt"), least, aim),
              _against(ratio(row, "cuBLASLt", "burst"), None, None),
              _against(ratio(row, "cuBLASLt fused"), None, None),
              _against(ratio(row, "cuSPARSELt"), None, None)) for row in rows]
    return _table(("T x N x K", "type", "epilogue", "2:4 fused", "dense fused",
                   "cuBLASLt + kernel", "cuBLASLt's epilogue", "cuSPARSELt + kernel",
                   "dense unfused / ours (floor / aim)", "after idle",
                   "cuBLASLt's epilogue / ours", "cuSPARSELt + kernel / ours"), cells)


def spread(steady):
    """(p90 - p10) / median of groups, in percent."""
    return 100 * (steady["p90_us"] - steady["p10_us"]) / steady["median_us"]


def _alone(rows):
    cells = []
    for row in rows:
        for name in (*CONTENDERS, "cuBLASLt fused"):
            found = best(row, name)
            steady = found and found.get("steady")
            if not steady:
                continue
            clock = steady.get("sm_mhz")
            limits = machine.reason_names(steady["limits"])
            cells.append((
                _shape(row), row["type"], row["epilogue"], name, found["algorithm"] or "-",
                f"{steady['median_us']:.1f}", f"{spread(steady):.1f} %",
                f"{clock['min']:.0f} / {clock['median']:.0f} / {clock['max']:.0f}"
                if clock else "-",
                f"{steady['watts']:.0f}" if "watts" in steady else "-",
                f"{steady['joules_per_tera']:.3f}" if "joules_per_tera" in steady else "-",
                ", ".join(limits) or "none"))
    return _table(("T x N x K", "type", "epilogue", "contender", "algorithm", "median us",
                   "(p90 - p10) / median", "SM MHz, least / median / most", "W",
                   "J per effective TFLOP", "limited by"), cells)


def _wrong(r):
    lines = []
    for row in r["rows"]:
        if "error" in row:
            lines.append(f"* {row['key']}: {' '.join(row['error'].split())[:300]}")
        lines += [f"* {row['key']}: {' '.join(note.split())[:300]}"
                  for note in row.get("notes", [])]
        lines += [f"* {row['key']}: {p['name']} {p['algorithm']} is wrong: difference "
                  f"{p['difference']}, error {p['error']}, bits "
                  f"{'equal' if p.get('bitwise_equal', True) else 'DIFFER'}"
                  for p in row.get("rows", []) if not p["ok"]]
        differing = {}
        for check in row.get("algorithms", []):
            if "problem" not in check:
                differing.setdefault(check["setup"], []).append(check)
        for setup, checks in differing.items():
            near = [c for c in checks if (c["difference_transposed"] or 1) < 1e-2]
            lines.append(
                f"* {row['key']}: cuSPARSELt's algorithms "
                f"{', '.join(str(c['id']) for c in checks)} give another result (way "
                f"{setup}), {len(near)} of them the transposed one; they do not count")
    return lines + [""] if lines else []


def markdown(r, name=NAME):
    """The page of results; `name` is that of its plot, without a suffix."""
    plain = [row for row in r["rows"] if row["epilogue"] == "none"]
    fused = [row for row in r["rows"] if row["epilogue"] != "none"]
    lines = ["# Matmuls beside cuBLASLt and cuSPARSELt", "",
             "Written by `scripts/bench gemm --compare`; how to read it: "
             "[docs/benchmarks.md](../../docs/benchmarks.md).", ""] + _head(r)
    lines += ["Median (minimum - 95th percentile) in microseconds, effective TFLOP/s: zeros "
              "count. A ratio above 1 says that SparseFlow's 2:4 kernel is faster; in "
              "brackets what was asked of it, bold where the aim is reached.", ""]
    if plain:
        lines += [f"![ratios]({name}.svg)", "", "## Sustained, interleaved", ""] + _times(plain)
        lines += ["## After 60 ms of rest", ""] + _times(plain, "burst")
    if fused:
        lines += ["## Fused epilogues", "",
                  "The libraries' matmul is followed by an elementwise kernel; beside it "
                  "cuBLASLt with its own epilogue.", ""] + _fused(fused)
    lines += ["## Each alone, 20 groups of graph replays", ""] + _alone(r["rows"])
    wrong = _wrong(r)
    if wrong:
        lines += ["## Wrong, refused, missing", ""] + wrong
    return "\n".join(lines).rstrip() + "\n"


def dumps(r):
    """JSON with one line a row, so that runs can be compared by diff."""
    parts = []
    for name, value in r.items():
        if isinstance(value, list) and value:
            rows = ",\n".join("  " + json.dumps(row) for row in value)
            parts.append(f" {json.dumps(name)}: [\n{rows}]")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def plot(r):
    """The ratios of products without an epilogue as SVG."""
    plain = [row for row in r["rows"] if row["epilogue"] == "none" and "rows" in row]
    bars = [(f"{_shape(row)} {row['type']}",
             [ratio(row, "cuSPARSELt"), ratio(row, "cuBLASLt")]) for row in plain]
    return plots.svg(("cuSPARSELt / SparseFlow", "cuBLASLt / SparseFlow"), bars)


def write(r, directory, hidden=None):
    """NAME.json, .md and .svg, each appearing whole; `hidden` texts are replaced."""
    write_whole(directory, NAME, {".json": dumps(r), ".md": markdown(r), ".svg": plot(r)},
                hidden)


#!/usr/bin/env python3
"""Writes the times of ternary matmuls as JSON, as tables and as a plot."""

from common import plots
from common.table import write_whole
from matmul import ternary_cases as cases
from matmul.compare_table import _against, _head, _table, dumps

NAME = "ternary"
KINDS = tuple(title for title, _, _ in cases.KINDS.values())
# What the peer program always times; further names are of other projects' kernels.
LIBRARIES = ("cuBLASLt f16", "cuBLASLt int8", "empty kernel")


def right(r):
    """Whether a contender's result is what it has to be, bit by bit again."""
    return not r.get("wrong") and r.get("bitwise_equal", True)


def best(row, name):
    """A contender's fastest right algorithm of a row, or None."""
    found = [r for r in row.get("rows", []) if r["name"] == name and right(r)]
    return min(found, key=lambda r: r["median_us"], default=None)


def ratio(row, ours, other="cuBLASLt f16"):
    """How many times faster `ours` is, or None."""
    a, b = best(row, other), best(row, ours)
    return a["median_us"] / b["median_us"] if a and b else None


def aims(row, kind):
    """(of cuBLASLt f16, of cuBLASLt int8) of a row, None where nothing was asked."""
    shape = (row["n"], row["k"])
    if shape not in cases.SHAPES:
        return None, None
    return (cases.AIMS[kind][row["t"]][cases.SHAPES.index(shape)],
            cases.INT8_AIMS.get(kind, {}).get(row["t"]))


def line(row):
    """A row in one line of text."""
    if "error" in row:
        return f"{row['key']}: {row['error'][:300]}"
    parts = [f"{name} {r['median_us']:.2f} us" for name in
             (*KINDS, *LIBRARIES, *projects([row]))
             if (r := best(row, name))]
    parts += [f"{name} {value:.2f}x" for name in KINDS if (value := ratio(row, name))]
    parts += [f"WRONG {r['name']}" for r in row["rows"] if not right(r)]
    return f"{row['key']}: {', '.join(parts)} ({row['seconds']:.0f} s)"


def projects(rows):
    """The other projects whose kernels are in rows."""
    return sorted({r["name"] for row in rows for r in row.get("rows", [])}
                  - {*KINDS, *LIBRARIES})


def _time(row, name):
    r = best(row, name)
    return f"{r['median_us']:.2f} ({r['min_us']:.2f} - {r['p95_us']:.2f})" if r else "-"


def _rate(row, name):
    r = best(row, name)
    return f"{r['weight_bytes'] / r['median_us'] * 1e-3:.0f}" if r else "-"


def _main(rows):
    cells = []
    for row in rows:
        for kind in KINDS:
            if not best(row, kind):
                continue
            half, integers = aims(row, kind)
            cells.append((
                row["t"], f"{row['n']} x {row['k']}", kind, _time(row, kind),
                _time(row, "cuBLASLt f16"), _time(row, "cuBLASLt int8"),
                _against(ratio(row, kind), None, half),
                _against(ratio(row, kind, "cuBLASLt int8"), None, integers),
                _rate(row, kind), f"{row['copy_gbs']:.0f}",
                _time(row, "empty kernel").split()[0]))
    return _table(("T", "N x K", "", "us", "cuBLASLt f16", "cuBLASLt int8",
                   "f16 / ours (aim)", "int8 / ours (aim)", "GB/s of weights",
                   "copy, GB/s", "empty kernel"), cells)


def _bitnet(rows):
    cells = []
    for row in rows:
        theirs, ours = best(row, "microsoft/BitNet"), best(row, "W2A8")
        them = (theirs["median_us"] if theirs else
                cases.BITNET_US[cases.BITNET.index((row["n"], row["k"]))])
        cells.append((
            f"{row['n']} x {row['k']}", _time(row, "W2A8"), _time(row, "W2A16"),
            _time(row, "cuBLASLt f16"), _against(ratio(row, "W2A8"), None, None),
            _against(ratio(row, "W2A16"), None, None),
            f"{them:.2f}" + ("" if theirs else ", another run"),
            _against(them / ours["median_us"] if ours else None, None, cases.BITNET_AIM),
            _rate(row, "W2A8"), f"{row['copy_gbs']:.0f}",
            _time(row, "empty kernel").split()[0]))
    return _table(("N x K", "W2A8, us", "W2A16, us", "cuBLASLt f16", "f16 / W2A8",
                   "f16 / W2A16", "BitNet's kernel", "that / W2A8 (aim)",
                   "GB/s of weights", "copy, GB/s", "empty kernel"), cells)


def _projects(rows):
    """Times of other projects' kernels, and how many times longer they take."""
    cells = []
    for row in rows:
        for name in projects([row]):
            theirs = best(row, name)
            cells.append((row["t"], f"{row['n']} x {row['k']}", name,
                          _time(row, name) if theirs else "wrong",
                          *(f"{theirs['median_us'] / ours['median_us']:.2f}"
                            if theirs and (ours := best(row, kind)) else "-"
                            for kind in KINDS[:2]),
                          f"{theirs['error']:.2g}" if theirs else "-"))
    return _table(("T", "N x K", "kernel", "us", *(f"that / {k}" for k in KINDS[:2]),
                   "largest error"), cells)


def _checks(rows):
    compared = [r for row in rows for r in row.get("rows", []) if "repeats" in r]
    good = sum(right(r) for r in compared)
    lines = [f"{good} of {len(compared)} kernels are right: every element, two sets of "
             "weights, over poisoned results and workspace, and "
             f"{compared[0]['repeats'] if compared else 0} launches that agree in every bit.",
             ""]
    for row in rows:
        if "error" in row:
            lines.append(f"* {row['key']}: {' '.join(row['error'].split())[:300]}")
        lines += [f"* {row['key']}: {' '.join(note.split())[:300]}"
                  for note in row.get("notes", [])]
        lines += [f"* {row['key']}: {r['name']} is wrong: {r['wrong']} elements, error "
                  f"{r['error']}, bits {'equal' if r.get('bitwise_equal', True) else 'DIFFER'}"
                  for r in row.get("rows", []) if not right(r)]
    return lines + [""]


def markdown(r, name=NAME):
    """The page of results; `name` is that of its plot, without a suffix."""
    rows = [row for row in r["rows"] if "rows" in row]
    table = [row for row in rows if (row["n"], row["k"]) in cases.SHAPES]
    bitnet = [row for row in rows
              if row["t"] == 1 and (row["n"], row["k"]) in cases.BITNET]
    uneven = [row for row in rows if (row["t"], row["n"], row["k"]) in cases.UNEVEN]
    head = {**r, "machine": {**r["machine"], "libraries": {
        **r["machine"].get("libraries", {}), "cusparselt": "not used"}}}
    clocks = [mhz for row in rows for mhz in row["sm_mhz"] if mhz]
    lines = ["# Matmuls with ternary weights beside cuBLASLt", "",
             "Written by `scripts/bench ternary --run`; how to read it: "
             "[docs/benchmarks.md](../../docs/benchmarks.md#ternary-matmuls-on-a-gpu).",
             ""] + _head(head)
    if clocks:
        lines += [f"SM clock when rows began and ended: {min(clocks):.0f} to "
                  f"{max(clocks):.0f} MHz.", ""]
    lines += ["Median (minimum - 95th percentile) in microseconds, all of a row interleaved in "
              "one process. 8-bit times of SparseFlow include quantising f16 "
              "activations, those of cuBLASLt do not. A ratio above 1 says that "
              "SparseFlow is faster; in brackets what was asked of it, bold where that "
              "is reached.", ""]
    if table:
        lines += [f"![ratios]({name}.svg)", ""] + _main(table)
    if bitnet:
        lines += ["## The shapes of BitNet models, one token", ""] + _bitnet(bitnet)
    if uneven:
        lines += ["## K that does not split evenly", ""] + _main(uneven)
    if projects(rows):
        lines += ["## Kernels of other projects, in the same run", "",
                  "The same weights and activations. BitNet's kernel and cuBLASLt get 8-bit "
                  "activations, llama.cpp's quantise f32 ones in each call, Marlin's takes "
                  "f16. Errors are shares of the result's root mean square; BitNet's sums "
                  "are compared bit by bit.", ""] + _projects(rows)
    lines += ["## Checks", ""] + _checks(r["rows"])
    return "\n".join(lines).rstrip() + "\n"


def plot(r):
    """The ratios of all rows as SVG."""
    bars = [(f"{row['t']} x {row['n']} x {row['k']}"
             + (", 2:4" if row["weights"] == "two_four" else ""),
             [ratio(row, "W2A8") or ratio(row, "2:4 ternary A8"), ratio(row, "W2A16")])
            for row in r["rows"] if "rows" in row]
    return plots.svg(("cuBLASLt f16 / A8", "cuBLASLt f16 / A16"), bars)


def write(r, directory, hidden):
    """NAME.json, .md and .svg, each appearing whole; `hidden` texts are replaced."""
    write_whole(directory, NAME, {".json": dumps(r), ".md": markdown(r), ".svg": plot(r)},
                hidden)


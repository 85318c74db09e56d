"""The sweep's results as JSON, tables and a heat map."""

import json
import math
import statistics
from xml.sax.saxutils import escape

from layers import cases, chosen

# Behind the name of a kind: the same kernels of the commit before.
BEFORE = "@before"
# What a ratio is beside; the first one where nothing is said. PyTorch asks cuBLAS, which
# takes its default: often neither of the others.
BESIDE = {"best": "cuBLASLt, the fastest of its candidates",
          "first": "cuBLASLt, what its heuristic takes first", "torch": "`torch.mm`"}
_CELL_W, _CELL_H, _LEFT, _TOP = 17, 13, 150, 64


def dump(results):
    """JSON with one point a line."""
    rows = ",\n".join("  " + json.dumps(row) for row in results["rows"])
    head = {name: value for name, value in results.items() if name != "rows"}
    return json.dumps(head, indent=1)[:-2] + ',\n "rows": [\n' + rows + "\n ]\n}\n"


def dense_us(row, type_, beside="best"):
    """The time of the dense product at a point, one of BESIDE; None if that was not timed."""
    first, other, torch = (row["us"].get(name) for name in (
        f"cublaslt-{type_}-first", f"cublaslt-{type_}-best", f"torch-{type_}"))
    entries = {"best": (first, other), "first": (first or other,), "torch": (torch,)}
    return min((entry["median"] for entry in entries[beside] if entry), default=None)


def ratios(results, kind, beside="best"):
    """{(n, k, t): the dense product's time by ours} of the points that are right."""
    type_, found = cases.KINDS[kind].type, {}
    for row in results["rows"]:
        ours, dense = row["us"].get(kind), dense_us(row, type_, beside)
        if ours and dense and row["right"].get(kind):
            found[row["n"], row["k"], row["t"]] = dense / ours["median"]
    return found


def changes(results, kind):
    """{(n, k, t): time now by the time of the commit before}."""
    return {(row["n"], row["k"], row["t"]):
            row["us"][kind]["median"] / row["us"][kind + BEFORE]["median"]
            for row in results["rows"]
            if kind in row["us"] and kind + BEFORE in row["us"]}


def changes_markdown(results):
    """What changed since the commit before, a row a kind, and all that is slower."""
    lines = ["", f"## Beside commit `{results['before'][:12]}`", "",
             "Time now by time then, in turn in one run.", "",
             "| weights | points | geometric mean | worst | more than 3 % slower |",
             "|---|---|---|---|---|"]
    slower = []
    for kind in cases.KINDS:
        if found := changes(results, kind):
            late = sorted((place for place in found if found[place] > 1.03),
                          key=found.get, reverse=True)
            lines.append(f"| {cases.KINDS[kind].title} | {len(found)} | "
                         f"{geometric_mean(found.values()):.3f} | "
                         f"{max(found.values()):.3f} | {len(late)} |")
            slower += [f"* {cases.KINDS[kind].title}, {n} x {k}, T = {t}: "
                       f"{found[n, k, t]:.3f}" for n, k, t in late[:10]]
    return lines + ([""] + slower if slower else [])


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def markdown(results, name):
    gpu = results["machine"].get("gpu", {})
    versions = results["machine"].get("versions", {})
    kinds = [kind for kind in cases.KINDS if ratios(results, kind)]
    lines = [
        "# Layers of real models at any number of tokens", "",
        f"Written by `scripts/bench sweep`: {gpu.get('name', 'a GPU')}, driver "
        f"{gpu.get('driver_version', '?')}, target {results['target']}, commit "
        f"`{results['commit'][:12]}`, PyTorch {versions.get('torch', '?')}, cuBLASLt "
        f"{versions.get('cublaslt', '?')}, seed {results['seed']}; "
        f"{len(results['rows'])} points (N, K, T), every result checked against float64. "
        "A ratio is the time of a dense product in 16 bits by ours, quantizing included, "
        "medians in CUDA graphs in turn, weights rotated. Above 1 ours is faster.", "",
        f"![Ratios by tokens and layer]({name}.svg)", "",
        "| weights | beside | points | geometric mean | median | below 1 | below 0.96 | "
        "worst | best | wrong |",
        "|---|---|---|---|---|---|---|---|---|---|"]
    for kind in kinds:
        wrong = sum(row["right"].get(kind) is False for row in results["rows"])
        for beside, title in BESIDE.items():
            values = sorted(ratios(results, kind, beside).values())
            if values:
                lines.append(
                    f"| {cases.KINDS[kind].title} | {title} | {len(values)} | "
                    f"{geometric_mean(values):.2f} | {statistics.median(values):.2f} | "
                    f"{sum(v < 1 for v in values)} | {sum(v < 0.96 for v in values)} | "
                    f"{values[0]:.2f} | {values[-1]:.2f} | {wrong} |")
    for kind in kinds:
        found = ratios(results, kind)
        rows = {(row["n"], row["k"], row["t"]): row for row in results["rows"]}
        lines += ["", f"## {cases.KINDS[kind].title}: the ten worst points", "",
                  "Beside the fastest of cuBLASLt's candidates.", "",
                  "| T | N x K | layer | ours, us | cuBLASLt, us | ratio | tiles |",
                  "|---|---|---|---|---|---|---|"]
        for place in sorted(found, key=found.get)[:10]:
            n, k, t = place
            row = rows[place]
            lines.append(
                f"| {t} | {n} x {k} | {cases.SHAPES.get((n, k), '')} | "
                f"{row['us'][kind]['median']:.1f} | "
                f"{dense_us(row, cases.KINDS[kind].type):.1f} | "
                f"{found[place]:.2f} | {reason_of(row, kind)} |")
    if results.get("before"):
        lines += changes_markdown(results)
    return "\n".join(lines) + "\n"


def reason_of(row, kind):
    """How the kernel that ran fills the GPU, where the run says which it was."""
    ran = row.get("schedules", {}).get(kind)
    return chosen.reason(ran, row["n"], row["t"]) if ran else ""


def _colour(ratio):
    """Red below 1, white at 1, blue above, by the logarithm, full at 1/2 and 4."""
    if ratio < 1:
        strength = min(1, -math.log2(ratio))
        return f"rgb(255,{int(255 - 175 * strength)},{int(255 - 185 * strength)})"
    strength = min(1, math.log2(ratio) / 2)
    return f"rgb({int(255 - 215 * strength)},{int(255 - 145 * strength)},255)"


def heat_map(results):
    """SVG: a panel for each kind of weights, T across, layers down, the ratio as colour."""
    tokens = sorted({row["t"] for row in results["rows"]})
    kinds = [kind for kind in cases.KINDS if ratios(results, kind)]
    panel = _TOP + len(cases.SHAPES) * _CELL_H + 24
    width, height = _LEFT + len(tokens) * _CELL_W + 20, panel * len(kinds) + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for number, kind in enumerate(kinds):
        found, top = ratios(results, kind), number * panel + _TOP
        values = list(found.values())
        title = (f"{cases.KINDS[kind].title}: geometric mean {geometric_mean(values):.2f}, "
                 f"{sum(v < 1 for v in values)} of {len(values)} points below 1, "
                 f"worst {min(values):.2f}")
        parts.append(f'<text x="{_LEFT}" y="{top - 42}" font-size="13">'
                     f'{escape(title)}</text>')
        for column, t in enumerate(tokens):
            x = _LEFT + column * _CELL_W + 12
            parts.append(f'<text x="{x}" y="{top - 5}" font-size="9" '
                         f'transform="rotate(-60 {x} {top - 5})">{t}</text>')
        for line, (n, k) in enumerate(cases.SHAPES):
            y = top + line * _CELL_H
            parts.append(f'<text x="{_LEFT - 6}" y="{y + 10}" text-anchor="end">'
                         f'{n} x {k}</text>')
            for column, t in enumerate(tokens):
                if (ratio := found.get((n, k, t))) is None:
                    continue
                parts.append(
                    f'<rect x="{_LEFT + column * _CELL_W}" y="{y}" width="{_CELL_W - 1}" '
                    f'height="{_CELL_H - 1}" fill="{_colour(ratio)}"><title>T {t}, {n} x '
                    f'{k}: {ratio:.2f}</title></rect>'
                    f'<text x="{_LEFT + column * _CELL_W + 8}" y="{y + 9}" '
                    f'text-anchor="middle" font-size="6.5" fill="#222">{ratio:.1f}</text>')
    parts.append(f'<text x="{_LEFT}" y="{height - 10}">time of cuBLASLt by ours; red: ours '
                 'is slower; blue: faster</text></svg>')
    return "\n".join(parts) + "\n"


def write(results, folder, name):
    (folder / f"{name}.json").write_text(dump(results))
    if results["rows"]:
        (folder / f"{name}.md").write_text(markdown(results, name))
        (folder / f"{name}.svg").write_text(heat_map(results))

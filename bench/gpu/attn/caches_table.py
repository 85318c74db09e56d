"""Times on caches of few bits as a line and as a page."""

import json
import statistics

from attn import caches, sweep_table
from common import tree

KIND = "quantized-attention"
# What one query has to reach beside cuDNN on f16, and many beside our kernel on f16.
FLOORS = {"one query": {"int8": 1.7, "e4m3": 1.7, "int8_64": 1.7, "int4": 2.8, "int4_32": 2.8},
          "many queries": {form: 0.9 for form in caches.FORMS if form != "f16"}}
# What it costs a model in bench/results/weight-formats.json: (format, rotated).
_COSTS = {"int8": ("int8", False), "e4m3": ("e4m3", True), "int4": ("int4", True)}


def ratio(row, form):
    """The time of what a form stands beside, cuDNN or our kernel on f16, by the form's; None
    where one is not right or not there."""
    other = "cuDNN" if row["part"] == "one query" else "f16"
    if not row["right"].get(form) or not row["right"].get(other):
        return None
    return row["us"][other]["median"] / row["us"][form]["median"]


def line(row):
    times = ", ".join(f"{name} {value['median']:.1f}" for name, value in row["us"].items())
    ratios = ", ".join(f"{form} {value:.2f}" for form in caches.FORMS
                       if form != "f16" and (value := ratio(row, form)))
    wrong = [name for name, right in row["right"].items() if not right]
    return (f"{row['part']}: {row['name']}: {times} us; {ratios}"
            + (f"; not right: {', '.join(wrong)}" if wrong else ""))


def _cost(form, losses):
    if form not in _COSTS:
        return "not measured"
    name, rotated = _COSTS[form]
    found = [row["perplexity"] for row in losses["caches"]
             if (row["format"], row["rotated"]) == (name, rotated)]
    if not found:
        return "not measured"
    return f"{found[0] / losses['dense']:.3f}" + (", rotated" if rotated else "")


def summary(results, losses):
    """A row a part and form: geometric mean, worst and best ratio, what is below the floor,
    and what the form costs a model."""
    lines = ["| queries | cache | beside | sizes | geometric mean | worst | best | floor | "
             "below it | largest error | perplexity of SmolLM2-135M, of f32's |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for part, floors in FLOORS.items():
        rows = [row for row in results["rows"] if row["part"] == part]
        for form, floor in floors.items():
            found = sorted(value for row in rows if (value := ratio(row, form)))
            if not found:
                continue
            errors = [row["relative_error"][form] or 0 for row in rows]
            lines.append(
                f"| {part.split()[0]} | {form} | "
                f"{'cuDNN f16' if part == 'one query' else 'ours, f16'} | {len(found)} | "
                f"{sweep_table.geometric_mean(found):.2f} | {found[0]:.2f} | "
                f"{found[-1]:.2f} | {floor} | {sum(value < floor for value in found)} | "
                f"{max(errors):.1e} | {_cost(form, losses)} |")
    return lines


def _table(rows, part):
    forms = [form for form in caches.FORMS if form != "f16"]
    others = ["f16"] + (["cuDNN", "FlashAttention-2"] if part == "one query" else [])
    lines = ["| size | f16, MB | " + " | ".join(
        [*(f"{name}, us" for name in (*others, *forms)), *(f"/ {form}" for form in forms)])
        + " |", "|---" * (2 + len(others) + 2 * len(forms)) + "|"]
    for row in rows:
        ratios = []
        for form in forms:
            value = ratio(row, form)
            below = value and value < FLOORS[part][form]
            ratios.append("-" if not value else f"*{value:.2f}*" if below else f"{value:.2f}")
        lines.append(f"| {row['name']} | {row['cache_bytes']['f16'] / 1e6:.0f} | " + " | ".join(
            [*(sweep_table.time_cell(row, name) for name in (*others, *forms)), *ratios]) + " |")
    return lines


def below(results):
    """Sentences that name what is below its floor."""
    lines = []
    for part, floors in FLOORS.items():
        for form, floor in floors.items():
            names = [f"{row['name']} ({value:.2f})" for row in results["rows"]
                     if row["part"] == part and (value := ratio(row, form))
                     and value < floor]
            if names:
                lines.append(f"* {part}, {form}, {floor}: {', '.join(names)}")
    return lines


def markdown(results, name):
    gpu = results["machine"].get("gpu", {})
    versions = results["machine"].get("versions", {})
    losses = json.loads((tree.ROOT / "bench/results/weight-formats.json").read_text())
    median = statistics.median(row["cache_bytes"]["f16"] for row in results["rows"]) / 1e6 \
        if results["rows"] else 0
    lines = [
        "# Attention on int8, int4 and e4m3 caches", "",
        f"Written by `scripts/bench quantized-attention`: {gpu.get('name', 'a GPU')}, driver "
        f"{gpu.get('driver_version', '?')}, target {results['target']}, commit "
        f"`{results['commit'][:12]}`, PyTorch {versions.get('torch', '?')}, cuDNN "
        f"{versions.get('cudnn', '?')}, seed {results['seed']}; {len(results['rows'])} sizes, "
        f"of caches of {caches.LEAST / 1e6:.0f} MB and more as f16 (median {median:.0f}), every "
        "result checked against float64 of what its cache holds, in poisoned buffers, and "
        "twice with equal bits. Medians in CUDA graphs in turn. `_p64`: in pages of so many "
        "keys in random order, f16 of ours too; the libraries have none. `_64`, `_32`: a scale "
        "for so many features of a token, else for a token. Of one query ratios are cuDNN's "
        "time by ours, of many that of our kernel on an f16 cache. In italics: below the "
        "floor. Perplexity is of "
        "[another measurement](weight-formats.md), with a scale for a token.", "",
        *summary(results, losses)]
    for part in FLOORS:
        rows = [row for row in results["rows"] if row["part"] == part]
        if rows:
            lines += ["", f"## {part[0].upper()}{part[1:]}", "", *_table(rows, part)]
    missed = below(results)
    if missed:
        lines += ["", "## Below the floor", "", *missed]
    return "\n".join(lines) + "\n"

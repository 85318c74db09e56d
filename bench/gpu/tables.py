#!/usr/bin/env python3
"""Writes the pages of bench/results again, each from its JSON file, and README's summary.

    scripts/bench tables            writes what is not current
    scripts/bench tables --check    names what is not current; 1 if there is anything

A page without a JSON file was written by hand and stays; it has to name its commit.
"""

import argparse
import json
import re
import statistics
import sys
from pathlib import Path

import attention
import conformance
import leaderboard
import ternary_attention
from attn import caches_table
from attn import sweep_table as attention_sweep
from common import plots, table
from layers import table as sweep_table
from matmul import compare_table, ternary_table
from model import page as model_page

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "accuracy"), str(ROOT / "bench" / "cpu" / "decode")]
import check_page
import decode_page
import weight_table

# By `format` and `kind`: the page of results, and its plot.
PAGES = {
    ("sparseflow-bench", "gemm"): (lambda r, name: table.markdown(r), None),
    ("sparseflow-bench", "gemm-compare"): (compare_table.markdown, compare_table.plot),
    ("sparseflow-bench", "ternary"): (ternary_table.markdown, ternary_table.plot),
    ("sparseflow-bench", "sweep"): (sweep_table.markdown, sweep_table.heat_map),
    ("sparseflow-bench", "attention-sweep"):
        (attention_sweep.markdown, attention_sweep.heat_map),
    ("sparseflow-attention", None): (lambda r, name: attention.markdown(r), attention.plot),
    ("sparseflow-ternary-attention", None):
        (lambda r, name: ternary_attention.markdown(r), None),
    ("sparseflow-models", None): (model_page.markdown, model_page.plot),
    ("sparseflow-bench", "quantized-attention"):
        (caches_table.markdown, None),
    ("sparseflow-cpu-decode", None): (lambda r, name: decode_page.page(r), None),
    ("sparseflow-weight-formats", None): (lambda r, name: weight_table.page(r), None),
    ("sparseflow-model-check", None): (lambda r, name: check_page.page(r), None),
    ("sparseflow-leaderboard", None): (lambda r, name: leaderboard.markdown(r), None),
    ("sparseflow-conformance-results", None): (lambda r, name: conformance.table(r), None),
}
BEGIN, END = "<!-- scripts/bench tables: begin -->", "<!-- scripts/bench tables: end -->"
# What a lossy format costs a model, as far as it has been measured.
TERNARY = ("for trained ternary models, whose weights it holds exactly; A8 quantizes "
           "activations to 8 bits, as such models are trained")
CACHE = ("relative error of attention 0.46 to 0.99 on synthetic caches "
         "([table](bench/results/ternary-cache-accuracy.md)): for models trained with it")


# What `sparseflow profile` says of formats; made from the others, and compiled in.
FACTS = "format-facts.json"


class Refused(Exception):
    """Something in the results that is not as expected."""


def load(path):
    """(results, page, plot) of a JSON file."""
    results = json.loads(path.read_text())
    key = results.get("format"), results.get("kind")
    if key not in PAGES:
        raise Refused(f"{path}: expected a format and kind of bench/gpu/tables.py, found "
                      f"{key[0]!r} and {key[1]!r}; add a line to PAGES")
    return results, *PAGES[key]


def begun(results):
    """When the run began, or its first call, where it says so."""
    first = (results.get("calls") or [""])[0]
    return results.get("started") or \
        (first.get("started", "") if isinstance(first, dict) else first)


def newest(folder, page):
    """(results, name of the file) of the last run of a page, on whatever card."""
    found = [(load(path)[0], path.stem) for path in folder.glob(f"*-{page}.json")
             if re.fullmatch(r"[a-z]+\d+", path.stem[:-len(page) - 1])]
    if not found:
        raise Refused(f"{folder}: expected CARD-{page}.json, found none; measure it "
                      "(scripts/bench all)")
    return max(found, key=lambda one: begun(one[0]))


def card(name):
    """The card of a file's name, as people write it."""
    return name.split("-")[0].upper()


def matmul_ratios(results, other, fused):
    """Times of a library over ours, sustained, one for each row that both have."""
    found = [compare_table.ratio(row, other) for row in results["rows"]
             if (row["epilogue"] != "none") == fused]
    return [value for value in found if value]


def ternary_ratios(results):
    return [value for row in results["rows"] for kind in ternary_table.KINDS
            if (value := ternary_table.ratio(row, kind))]


def cache_ratios(results):
    """One query on ternary keys and values, scales per head."""
    return [row["times"]["cuDNN"]["us"] / row["times"][f"{row['name']}.both"]["us"]
            for row in results["speed"] if row["queries"] == 1]


def best_rows(losses):
    """Of each format the row of least perplexity; rotated ones are formats of their own,
    plans of several are none."""
    best = {}
    for row in losses["rows"]:
        name = row["format"] + (", rotated" if row["rotated"] else "")
        if "blocks" not in row and \
                row["perplexity"] < best.get(name, row)["perplexity"] + 1e-12:
            best[name] = row
    return best


def facts(folder):
    """What is known of formats: times faster than dense, perplexity of a model."""
    # Of one card, whose name they carry.
    matmul, of = newest(folder, "gemm-compare")
    ternary = load(folder / f"{card(of).lower()}-ternary.json")[0]
    losses = load(folder / "weight-formats.json")[0]
    speeds = [{"format": form, "than": "cuBLASLt dense f16",
               "median": round(statistics.median(ratios), 3), "worst": round(min(ratios), 3),
               "best": round(max(ratios), 3), "cases": len(ratios)}
              for form, ratios in (("2:4", matmul_ratios(matmul, "cuBLASLt", False)),
                                   ("ternary", ternary_ratios(ternary)))]
    costs = [{"format": form, "method": row["method"], "near": row["targets"],
              "perplexity": round(row["perplexity"], 2)}
             for form, row in best_rows(losses).items()]
    return json.dumps({"format": "sparseflow-format-facts", "version": 1,
                       "machine": f"{card(of)}, sm_90a", "speeds": speeds,
                       "model": losses["model"], "dense": round(losses["dense"], 2),
                       "costs": costs}, indent=1) + "\n"


def pruning(losses):
    """What 2:4 costs, in a cell of a table."""
    rows = [row["perplexity"] for row in losses["rows"] if row["format"] == "2:4"]
    return (f"SmolLM2-135M with 2:4 feed-forward weights: perplexity {losses['dense']:.0f} to "
            f"{min(rows):.0f} calibrated, {max(rows):.0f} by magnitude "
            "([table](bench/results/weight-formats.md)); larger models lose less")


def others(losses, form, words):
    """What a format costs a model that was not trained for it, where that is known."""
    row = best_rows(losses).get(form)
    return f"; SmolLM2-135M, which is not: perplexity {losses['dense']:.0f} to " \
        f"{row['perplexity']:.0f} with {words} ([table](bench/results/weight-formats.md))" \
        if row else ""


def caches(losses):
    """What ternary keys and values cost the model, in a cell of a table."""
    found = {row["format"]: row["perplexity"] for row in losses["caches"] if row["rotated"]}
    return (f"; SmolLM2-135M, rotated: perplexity {losses['dense']:.0f} to "
            f"{found['ternary2']:.0f} with two trits an element, {found['ternary']:.0f} with "
            "one ([table](bench/results/weight-formats.md))")


# Kinds of weights of the sweep, and what a row is called.
SWEPT = (("sparse-f16", "2:4 f16"), ("w2a8", "ternary W2A8"), ("w2a16", "ternary W2A16"),
         ("tern24-a8", "2:4 ternary A8"))


def three(ratios):
    if not ratios:
        raise Refused("the summary: expected times beside the libraries, found none in one of "
                      "its results; measure all of them (scripts/bench all)")
    return statistics.median(ratios), min(ratios), max(ratios)


def tuned(matmul, ternary):
    """A sentence about the sizes that kernels were tuned for, by (results, name of the file)."""
    (matmul, matmul_name), (ternary, ternary_name) = matmul, ternary
    def said(ratios):
        median, worst, _ = three(ratios)
        return f"{median:.2f} (worst {worst:.3f}, {len(ratios)} cases)"
    return ("At sizes that kernels were tuned for one by one the medians are "
            f"{said(matmul_ratios(matmul, 'cuSPARSELt', False))} for 2:4 f16 beside "
            f"cuSPARSELt and {said(matmul_ratios(matmul, 'cuBLASLt', False))} beside cuBLASLt, "
            f"{said(matmul_ratios(matmul, 'cuBLASLt', True))} with a fused epilogue "
            f"({card(matmul_name)}, [table](bench/results/{matmul_name}.md)), and "
            f"{said(ternary_ratios(ternary))} for ternary forms beside cuBLASLt f16 "
            f"({card(ternary_name)}, [table](bench/results/{ternary_name}.md)).")


def both_seeds(folder, sweep, name):
    """The results of a sweep, and those of its other seed where the same commit has them."""
    other = folder / f"{name}-2.json"
    second = load(other)[0] if other.is_file() else {}
    return [sweep, second] if second.get("commit") == sweep["commit"] else [sweep]


def summary(folder):
    """(README's lines, the plot) of seven rows: median, worst and best ratio."""
    last = {page: newest(folder, page) for page in ("gemm-compare", "ternary", "sweep-model",
                                                    "attention-sweep", "ternary-attention",
                                                    "models")}
    sweep, flash, cache, models = (last[page][0] for page in (
        "sweep-model", "attention-sweep", "ternary-attention", "models"))
    losses = load(folder / "weight-formats.json")[0]
    words = "such feed-forward weights"
    costs = {"sparse-f16": pruning(losses),
             **dict.fromkeys(("w2a8", "w2a16"),
                             TERNARY + others(losses, "ternary", words)),
             "tern24-a8": TERNARY + others(losses, "2:4+ternary", words)}
    layers = len({(row["n"], row["k"]) for row in sweep["rows"]})
    sweeps = both_seeds(folder, sweep, last["sweep-model"][1])
    seeds = ", two seeds" if len(sweeps) == 2 else ""
    rows = [(f"{name} matmul, {layers} layers of models, 1 to 8,192 tokens{seeds}",
             "cuBLASLt dense f16", "sweep-model", costs[kind],
             [ratio for results in sweeps
              for ratio in sweep_table.ratios(results, kind).values()])
            for kind, name in SWEPT]
    rows += [
        ("steps and prompts of whole models, 2:4, W2A8 and dense f16", "torch.compile",
         "models", "as the formats above",
         [ratio for _, name, ratio in model_page.ratios(models)
          if not name.endswith(tuple(model_page.OTHERS))]),
        ("attention f16, random sizes and servers'", "the better of cuDNN and "
         "FlashAttention-2", "attention-sweep", "none: not lossy",
         [found for found in map(attention_sweep.ratio, flash["rows"]) if found]),
        ("one query, ternary keys and values", "cuDNN f16", "ternary-attention",
         CACHE + caches(losses), cache_ratios(cache))]
    lines = ["| sm_90a | on, at commit | times faster than | median | worst | best | cases | what the "
             "format costs a model |", "|---|---|---|---|---|---|---|---|"]
    bars = []
    for ours, theirs, page, loss, ratios in rows:
        if not ratios:
            raise Refused(f"{folder}/{last[page][1]}.json: expected times of {theirs} and of "
                          f"'{ours}', found none")
        results, name = last[page][:2]
        lines.append(f"| [{ours}](bench/results/{name}.md) | {card(name)}, "
                     f"{results['commit'][:8]} | {theirs} | "
                     + " | ".join(f"{value:.2f}" for value in three(ratios))
                     + f" | {len(ratios)} | {loss} |")
        bars.append((f"{ours.split(',')[0]} / {theirs.split(' ')[0]}", list(three(ratios))))
    return ([*lines, "", tuned(last["gemm-compare"], last["ternary"])],
            plots.svg(("median", "worst", "best"), bars))


def current(folder, readme):
    """Every generated file, as it should be: {path: text}."""
    texts = {}
    texts[folder / FACTS] = facts(folder)
    for path in sorted(folder.glob("*.json")):
        if path.name == FACTS:
            continue
        results, page, plot = load(path)
        texts[path.with_suffix(".md")] = page(results, path.stem)
        if plot and (picture := plot(results)):
            texts[path.with_suffix(".svg")] = picture
    for path in sorted(folder.glob("*.md")):
        if path not in texts and path.name != "README.md" and not re.search(
                r"\bcommit [0-9a-f]{7,40}\b", path.read_text()):
            raise Refused(f"{path}: expected a JSON file beside it, or 'commit' and its "
                          "number in a page written by hand")
    lines, texts[folder / "summary.svg"] = summary(folder)
    text = readme.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise Refused(f"{readme}: expected '{BEGIN}' and '{END}' once each")
    head, tail = text.split(BEGIN)[0], text.split(END)[1]
    texts[readme] = "\n".join([head + BEGIN, *lines, END]) + tail
    return texts


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench tables", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--results", type=Path, default=ROOT / "bench/results", metavar="DIR")
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md", metavar="FILE")
    options = parser.parse_args()
    try:
        texts = current(options.results, options.readme)
    except (Refused, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    stale = [path for path, text in texts.items()
             if not path.is_file() or path.read_text() != text]
    for path in stale:
        if options.check:
            print(f"error: {path}: expected what its JSON file says, found something else; "
                  "run scripts/bench tables", file=sys.stderr)
        else:
            path.write_text(texts[path])
            print(f"wrote {path}")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())

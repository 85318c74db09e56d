# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a compressed model's report: one HTML file without anything else."""

from __future__ import annotations

import html
from typing import Any, List, Mapping

_STYLE = """body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;
color:#222;background:#fff}table{border-collapse:collapse}td,th{padding:.2em .7em;
border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child,td.text
{text-align:left}canvas{display:block;background:#f4f4f4}caption{text-align:left;color:#666}"""


# Draws the digits of data-rows.
_SCRIPT = """for (const map of document.querySelectorAll("canvas")) {
  const rows = map.dataset.rows.split(" "), size = 5;
  map.width = size * rows[0].length; map.height = size * rows.length;
  const context = map.getContext("2d");
  context.fillStyle = map.dataset.color;
  rows.forEach((row, y) => [...row].forEach((digit, x) => {
    context.globalAlpha = digit / 9;
    context.fillRect(size * x, size * y, size, size);
  }));
}"""


def _map(cells: Mapping[str, Any], color: str, title: str) -> str:
    """A heat map; what it shows is also its title."""
    return (f'<canvas data-rows="{" ".join(cells["rows"])}" data-color="{color}" '
            f'title="{title}, at most {cells["largest"]:.3g}"></canvas>')


def _row(entry: Mapping[str, Any]) -> str:
    snr = "exact" if entry["snr_db"] is None else f"{entry['snr_db']:.1f} dB"
    time = f"<td>{entry['time_us']:.2f}" if "time_us" in entry else "<td>"
    held = "" if entry["packed"] or entry["format"] == "dense" else " (held dense)"
    maps = "" if entry["format"] == "dense" else (
        _map(entry["zeros_map"], "#246", "share of zeros") + "<td>" +
        _map(entry["error_map"], "#a32", "squared error by the mean square"))
    name, form = html.escape(entry["name"]), html.escape(entry["format"] + held)
    return (f"<tr><td>{name}<td>{form}<td>{entry['output_error']:.4f}<td>{snr}"
            f"<td>{entry['kept_energy']:.2%}<td>{entry['zeros']:.1%}"
            f"<td>{entry['bytes'] / entry['dense_bytes']:.1%}{time}<td>{maps}")


def _facts(report: Mapping[str, Any]) -> List[str]:
    mega = 1e6
    facts = [f"{report['bytes'] / mega:.2f} MB of {report['dense_bytes'] / mega:.2f} MB "
             f"in matrices of layers; {report['stored_bytes'] / mega:.2f} MB in the "
             "file, where a format without a storage is held dense"]
    if report.get("about"):
        facts.append(f"The plan: {report['about']}")
    if "perplexity" in report:
        p = report["perplexity"]
        saved = 1 - report["bytes"] / report["dense_bytes"]
        facts.append(f"Perplexity {p['before']:.3f} before, {p['after']:.3f} after "
                     f"({p['after'] / p['before'] - 1:+.2%}) over {p['tokens']} tokens; "
                     f"{(p['after'] / p['before'] - 1) / saved if saved else 0:.3f} % "
                     "for each percent of the bytes that is saved")
    if "cosine" in report:
        p = report["cosine"]
        facts.append(f"Cosine of embeddings with those of the dense model {p['mean']:.4f}, "
                     f"at least {p['least']:.4f}, over {p['texts']} texts")
    return facts


def report_page(report: Mapping[str, Any]) -> str:
    """The HTML text of a report of compress_model."""
    rows = "\n".join(_row(entry) for entry in report["matrices"])
    facts = "".join(f"<p>{html.escape(fact)}" for fact in _facts(report))
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{html.escape(report['model'])}, compressed
</title><style>{_STYLE}</style>
<h1>{html.escape(report['model'])}, compressed</h1>
{facts}
<table><caption>Output error: what a matrix's outputs lose on the calibration text. Time:
the least microseconds of its matmul by the compiler's model. Heat maps: zeros, and
squared errors of weights.</caption>
<tr><th>matrix<th>format<th>output error<th>SNR<th>kept energy<th>zeros<th>of the bytes
<th>time<th>zeros<th>error
{rows}
</table><script>{_SCRIPT}</script></html>
"""

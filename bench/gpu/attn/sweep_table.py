"""The sweep of attention as JSON, tables and a heat map."""

import json
import math
import statistics
from collections import Counter
from xml.sax.saxutils import escape

from attn import served
from common import machine

LIBRARIES = ("cuDNN", "FlashAttention-2")
# Columns of the heat map: keys from these on.
_KEYS = (32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
_CELL_W, _CELL_H, _LEFT, _TOP = 46, 24, 190, 56


def dump(results):
    """JSON with one point a line."""
    rows = ",\n".join("  " + json.dumps(row) for row in results["rows"])
    head = {name: value for name, value in results.items() if name != "rows"}
    return json.dumps(head, indent=1)[:-2] + ',\n "rows": [\n' + rows + "\n ]\n}\n"


def ratio(row, library=None):
    """A library's time over ours for as much work, by default the best one's; None where
    none computed the right result, or ours is wrong."""
    if not row["right"].get("ours"):
        return None
    times = [row["us"][name]["median"] for name in ([library] if library else LIBRARIES)
             if name in row["us"] and row["right"].get(name)]
    if not times:
        return None
    # Kernels of servers compute the point itself.
    beside = row["work"] if library in served.NAMES else row["work_beside"]
    return (min(times) / beside) / (row["us"]["ours"]["median"] / row["work"])


def share(row):
    """What ragged entries reach of the rate of our own kernels on equal lengths."""
    if "ours, equal lengths" not in row["us"]:
        return None
    return (row["us"]["ours, equal lengths"]["median"] / row["work_beside"]) / (
        row["us"]["ours"]["median"] / row["work"])


def bound_share(row, card):
    """The least time that the memory of `card` needs for the bytes of a row, or its tensor
    cores for the FLOPs, whichever is longer, by ours; None of rows that count only one of
    them, and of cards without constants."""
    if not row.get("flops") or card not in machine.TENSOR_RATE:
        return None
    least = max(row["work"] / machine.BANDWIDTH[card],
                row["flops"] / machine.TENSOR_RATE[card])
    return least * 1e6 / row["us"]["ours"]["median"]


def plain_share(row):
    """What a plain kernel takes for the bytes of a row, or another for its FLOPs, whichever
    is longer, by ours; None of rows that were not measured beside them."""
    if not row.get("plain"):
        return None
    return max(time["median"] for time in row["plain"].values()) / row["us"]["ours"]["median"]


def rate(row):
    amount = row["work"] / row["us"]["ours"]["median"] / 1e6
    if row["queries"] > 16:
        return f"{amount:.0f} TFLOP/s"
    # Many heads on one cache may be bound by either.
    flops = row.get("flops", 0) / row["us"]["ours"]["median"] / 1e6
    return f"{amount:.2f} TB/s" + (f", {flops:.0f} TFLOP/s" if flops else "")


def line(row):
    times = ", ".join(f"{name} {value['median']:.1f}" for name, value in row["us"].items())
    found = ratio(row)
    wrong = [name for name, right in row["right"].items() if not right]
    return (f"{row['part']}: {row['name']}: {times} us; {rate(row)}, best/ours "
            f"{f'{found:.3f}' if found else '-'}"
            + (f"; not right: {', '.join(wrong)}" if wrong else ""))


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def _parts(results):
    """{part or form: rows}, in order of appearance; the random points once together and
    once by form."""
    found = {}
    for row in results["rows"]:
        found.setdefault(row["part"], []).append(row)
        if row["part"] == "random":
            found.setdefault(f"random: {row['form']}", []).append(row)
    return dict(sorted(found.items(), key=lambda item: item[0].startswith("random")))


def summary(results):
    """The rows of the table: part, points, geometric mean, below 0.9, worst, best."""
    lines = ["| points | number | geometric mean | below 1 | below 0.9 | worst | best | "
             "beside cuDNN | beside FlashAttention-2 | wrong |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for name, rows in _parts(results).items():
        found = sorted(value for row in rows if (value := ratio(row)))
        wrong = sum(not row["right"]["ours"] for row in rows)
        if not found:
            lines.append(f"| {name} | {len(rows)} | - | - | - | - | - | - | - | {wrong} |")
            continue
        means = []
        for library in LIBRARIES:
            some = [value for row in rows if (value := ratio(row, library))]
            means.append(f"{geometric_mean(some):.2f} ({len(some)})" if some else "-")
        lines.append(
            f"| {name} | {len(found)} | {geometric_mean(found):.2f} | "
            f"{sum(v < 1 for v in found)} | {sum(v < 0.9 for v in found)} | "
            f"{found[0]:.2f} | {found[-1]:.2f} | {means[0]} | {means[1]} | {wrong} |")
    return lines


def peers(rows):
    """Kernels of servers that any of the rows stands beside."""
    return [name for name in served.NAMES if any(name in row["us"] for row in rows)]


def servers(results):
    """Of each part and each such kernel: points, geometric mean, below 1, worst, best, wrong."""
    lines = ["| points | beside | number | geometric mean | below 1 | below 0.9 | worst, at | "
             "best | not right |", "|---|---|---|---|---|---|---|---|---|"]
    for part, rows in _parts(results).items():
        for name in peers(rows):
            found = sorted((value, row["name"]) for row in rows if (value := ratio(row, name)))
            wrong = sum(not row["right"].get(name, True) for row in rows)
            if not found:
                lines.append(f"| {part} | {name} | 0 | - | - | - | - | - | {wrong} |")
                continue
            values = [value for value, _ in found]
            lines.append(f"| {part} | {name} | {len(found)} | {geometric_mean(values):.2f} | "
                         f"{sum(v < 1 for v in values)} | {sum(v < 0.9 for v in values)} | "
                         f"{values[0]:.2f}, {found[0][1]} | {values[-1]:.2f} | {wrong} |")
    return lines


def _servers(results):
    """The section about them; nothing where none was there."""
    known = {name: text for call in results.get("calls", [])
             for name, text in call.get("peers", {}).items()}
    if not peers(results["rows"]):
        return []
    rows = results["rows"]
    ways = sorted({f"{name}: {row['ways'][name]}" for row in rows for name in row.get("ways", {})})
    refused = Counter((name, row["part"], why) for row in rows
                      for name, why in row.get("refused", {}).items() if name in served.NAMES)
    return ["", "## Beside kernels of servers", "",
            "They take the point itself, ragged entries and pages included: their time by ours, "
            "above 1 ours is faster. Schedules that a step of a server computes once for all "
            "layers are not in a time; where there are several ways to call one, the fastest "
            "counts.", "",
            *(f"* {name}: {known[name]}" for name in served.NAMES if name in known), "",
            *servers(results), "", f"Called as: {'; '.join(ways)}.",
            *(["", "Not measured:", "", *(f"* {name}, {part}, {number} points: {why}" for
                                          (name, part, why), number in sorted(refused.items()))]
              if refused else [])]


def time_cell(row, name):
    """The median of a contender, and whether it is wrong."""
    if name not in row["us"]:
        return "-"
    return f"{row['us'][name]['median']:.1f}" + ("" if row["right"].get(name) else " (wrong)")


def _bound_columns(rows, card):
    """Headings behind those that all parts have, and each row's cells."""
    bounds = [bound_share(row, card) for row in rows]
    plains = [plain_share(row) for row in rows]
    headings = ["of the bound"] if any(bounds) else []
    cells = [[f"{bound:.2f}" if bound else "-"] if headings else [] for bound in bounds]
    if headings and any(plains):
        headings += ["plain read, us", "plain MMAs, us", "plain, of the bound", "of plain"]
        for row, cell, bound, plain in zip(rows, cells, bounds, plains):
            cell += [f"{row['plain']['read']['median']:.1f}",
                     f"{row['plain']['MMAs']['median']:.1f}", f"{bound / plain:.2f}",
                     f"{plain:.2f}"] if bound and plain else ["-"] * 4
    return headings, cells


def _table(rows, card):
    headings, cells = _bound_columns(rows, card)
    for name in peers(rows):
        headings += [f"{name}, us", "that / ours"]
        for row, cell in zip(rows, cells):
            found = ratio(row, name)
            cell += [time_cell(row, name), f"{found:.3f}" if found else "-"]
    lines = ["| point | ours, us | rate | cuDNN, us | FlashAttention-2, us | best / ours | "
             "of equal lengths |" + "".join(f" {name} |" for name in headings),
             "|---|---|---|---|---|---|---|" + "---|" * len(headings)]
    for row, more in zip(rows, cells):
        found, part = ratio(row), share(row)
        lines.append(f"| {row['name']} | {time_cell(row, 'ours')} | {rate(row)} | "
                     f"{time_cell(row, 'cuDNN')} | {time_cell(row, 'FlashAttention-2')} | "
                     f"{f'{found:.3f}' if found else '-'} | "
                     f"{f'{part:.3f}' if part else ''} |"
                     + "".join(f" {cell} |" for cell in more))
    return lines


def markdown(results, name):
    gpu = results["machine"].get("gpu", {})
    versions = results["machine"].get("versions", {})
    card = machine.card(gpu.get("name", ""))
    bound = ""
    if card in machine.TENSOR_RATE and any(row.get("flops") for row in results["rows"]):
        bound = (" Latent rows have a share of the bound: bytes at "
                 f"{machine.BANDWIDTH[card] / 1e12:.2f} TB/s or FLOPs at "
                 f"{machine.TENSOR_RATE[card] / 1e12:.0f} TFLOP/s, whichever takes longer, by "
                 "the time of ours.")
        if any(row.get("plain") for row in results["rows"]):
            bound += (" Beside them run two plain kernels, one that only reads the cache and one "
                      "that only multiplies as much by wgmma, its operands in shared memory: "
                      "the longer of their times has a share of the bound, too, and ours has "
                      "the last column of what it reaches.")
    lines = [
        "# Attention at random sizes, and as it is served", "",
        f"Written by `scripts/bench attention --sweep`: {gpu.get('name', 'a GPU')}, driver "
        f"{gpu.get('driver_version', '?')}, target {results['target']}, commit "
        f"`{results['commit'][:12]}`, PyTorch {versions.get('torch', '?')}, cuDNN "
        f"{versions.get('cudnn', '?')}, seed {results['seed']}; {len(results['rows'])} "
        "points in f16, every result checked against float64 in a poisoned buffer. A ratio "
        "is the time of the better one of cuDNN and FlashAttention-2, both PyTorch's, by "
        "ours: medians in CUDA graphs in turn, operands rotated. Above 1 ours is faster. A "
        "library whose result is not right stands beside none. Behind a cache cuDNN gets "
        "its causal mask in memory; it has no windows there. Beside ragged entries the "
        "libraries get equal lengths, and times are by bytes (one query) or FLOPs that "
        f"count.{bound}", "", f"![Ratios by keys and features]({name}.svg)", "",
        *summary(results), *_servers(results)]
    for part, rows in _parts(results).items():
        if part.startswith("random"):
            continue
        lines += ["", f"## {part[0].upper()}{part[1:]}", "", *_table(rows, card)]
    drawn = sorted((row for row in results["rows"] if row["part"] == "random"
                    and ratio(row)), key=ratio)
    lines += ["", "## Random: the twenty worst points", "", *_table(drawn[:20], card)]
    return "\n".join(lines) + "\n"


def _colour(value):
    """Red below 1, white at 1, blue above, by the logarithm, full at 1/2 and 2."""
    strength = min(1, abs(math.log2(value)))
    if value < 1:
        return f"rgb(255,{int(255 - 175 * strength)},{int(255 - 185 * strength)})"
    return f"rgb({int(255 - 215 * strength)},{int(255 - 145 * strength)},255)"


def heat_map(results):
    """SVG: forms and features down, keys across; a cell is the geometric mean of its
    points, with their number and the worst."""
    cells = {}
    for row in results["rows"]:
        if value := ratio(row):
            column = sum(row["keys"] >= first for first in _KEYS) - 1
            size = "64" if row["d"] <= 64 else "80 to 128" if row["d"] <= 128 else \
                "192, 256"
            cells.setdefault((row["form"], size), {}).setdefault(
                max(column, 0), []).append(value)
    names = sorted(cells)
    width = _LEFT + len(_KEYS) * _CELL_W + 20
    height = _TOP + len(names) * _CELL_H + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{_LEFT}" y="20" font-size="13">time of the best library by ours: '
             'geometric mean, below it the worst of how many</text>']
    for column, first in enumerate(_KEYS):
        parts.append(f'<text x="{_LEFT + (column + 0.5) * _CELL_W}" y="{_TOP - 6}" '
                     f'text-anchor="middle">{first}</text>')
    for number, name in enumerate(names):
        y = _TOP + number * _CELL_H
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 15}" text-anchor="end">'
                     f'{escape(f"{name[0]}, D {name[1]}")}</text>')
        for column, values in cells[name].items():
            mean, x = geometric_mean(values), _LEFT + column * _CELL_W
            middle = x + _CELL_W / 2
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_CELL_W - 1}" height="{_CELL_H - 1}" '
                f'fill="{_colour(mean)}"/>'
                f'<text x="{middle}" y="{y + 11}" text-anchor="middle">{mean:.2f}</text>'
                f'<text x="{middle}" y="{y + 20}" text-anchor="middle" font-size="7.5" '
                f'fill="#333">{min(values):.2f} of {len(values)}</text>')
    parts.append(f'<text x="{_LEFT}" y="{height - 12}">keys, from that many on; red: ours '
                 'is slower; blue: faster</text></svg>')
    return "\n".join(parts) + "\n"


def write(results, folder, name):
    (folder / f"{name}.json").write_text(dump(results))
    if results["rows"]:
        (folder / f"{name}.md").write_text(markdown(results, name))
        (folder / f"{name}.svg").write_text(heat_map(results))

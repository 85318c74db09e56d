"""The page of whole models: times of steps and prompts beside PyTorch, and one step."""

import statistics
from xml.sax.saxutils import escape

from common import machine
from common.table import _table

LABELS = {"llama-3-8b-24": "Llama 3 8B, 2:4 f16", "llama-3-8b-w2a8": "Llama 3 8B, W2A8",
          "bitnet-2b-w2a8": "BitNet 2B, W2A8", "smollm2-135m": "SmolLM2-135M, dense f16"}
# Behind the name of a model whose head is int8, or whose keys and values are int8 or int4,
# where PyTorch's are f16.
OTHERS = {"-head8": ", int8 head", "-cache8": ", int8 keys and values",
          "-cache4": ", int4 keys and values"}
LABELS.update({name + end: label + text for name, label in LABELS.items()
               for end, text in OTHERS.items()})


# What the page says of PyTorch's side.
_PYTORCH = (
    "Weights are random. Milliseconds of a step, or of a prompt, each one CUDA graph: "
    "median (minimum, 95th percentile). PyTorch: `torch.compile` of each layer with "
    "QKV and gate-up merged, a static cache, FlashAttention-2 or cuDNN, whichever is "
    "faster. Head, keys and values are f16 on both sides, where nothing else is named. What "
    "such weights cost a model's accuracy "
    "stands in [weight-formats.md](weight-formats.md): 2:4 needs pruning with "
    "calibration and costs much, ternary is for models that were trained so; int8 keys "
    "and values cost SmolLM2-135M nothing (1.000 of the perplexity).")


def peer(row):
    """The better of PyTorch's back ends, or None."""
    return min((times for name, times in row["milliseconds"].items()
                if name.startswith("torch ")), key=lambda t: t["median"], default=None)


def ratios(results):
    """PyTorch's time over ours: (row, model, ratio)."""
    for row in results["rows"]:
        best = peer(row)
        for name, times in row["milliseconds"].items():
            if best and not name.startswith("torch "):
                yield row, name, best["median"] / times["median"]


def _what(row):
    return f"{row['batch']} texts, {row['keys']} keys" if row["kind"] == "decode" \
        else f"prompt of {row['tokens']}"


def _llama_cpp(results):
    """The section about llama.cpp, beside our 2-bit weights; nothing where it was not there."""
    theirs = results.get("llama_cpp")
    if not theirs:
        return []
    rows = []
    for row in theirs["rows"]:
        ours = {name: times for one in results["rows"] for name, times in
                one["milliseconds"].items() if one["kind"] == "decode" and
                name == f"{row['geometry']}-w2a8-head8" and
                (one["batch"], one["keys"]) == (row["batch"], row["keys"])}
        median = statistics.median(row["milliseconds"])
        for name, times in ours.items() or [("", None)]:
            rows.append((row["geometry"], f"{row['weights']}, {row['head']} head",
                         f"{row['batch']} texts, {row['keys']} keys",
                         f"{median:.3f} ({min(row['milliseconds']):.3f})",
                         LABELS.get(name, "-"), f"{times['median']:.3f}" if times else "-",
                         f"**{median / times['median']:.2f}**" if times else "-"))
    return ["## Beside llama.cpp", "",
            f"Its CUDA back end (commit {theirs.get('version', '?')}), FlashAttention on, CUDA "
            "graphs as it chooses, keys and values in f16; GGUF files of random weights of the "
            "same geometry. `llama-bench` for one text, `llama-batched-bench` for several, in "
            "processes of their own before ours; a step includes what its loop does on the CPU. "
            "It has no CUDA kernels of TQ1_0 and TQ2_0, ternary weights of 1.7 and 2.1 bits: its "
            "formats of 2.25 (Q2_0), 2.63 (Q2_K) and 4.5 bits (Q4_0) stand instead. Milliseconds of "
            "a step, median (minimum); the ratio is its time by ours.", "",
            *_table(("geometry", "weights", "work", "llama.cpp, ms", "ours", "ours, ms", "ratio"),
                    rows),
            *(f"* not measured: {error}" for error in theirs["errors"]),
            *([""] if theirs["errors"] else [])]


def markdown(results, page="models"):
    gpu = results["machine"].get("gpu", {})
    peak = machine.BANDWIDTH.get(machine.card(gpu.get("name", "")))
    beside = any(True for _ in ratios(results))
    lines = [f"# Whole models on one GPU, beside {'PyTorch' if beside else 'llama.cpp'}", "",
             *_table(("", ""), [("Commit", results["commit"]),
                                ("GPU", gpu.get("name", "-")),
                                ("Driver", gpu.get("driver_version", "-")),
                                *([("PyTorch", results["machine"].get("torch", "-"))]
                                  if beside else []),
                                ("Run", f"{results['started']}, {results['rounds']} samples"
                                        + (" of each side, in turns" if beside else ""))])]
    if beside:
        lines += [_PYTORCH, ""]
    rows = []
    for row, model, ratio in ratios(results):
        ours, best = row["milliseconds"][model], peer(row)
        speed = 1000 * row["batch"] * (1 if row["kind"] == "decode" else row["tokens"]) \
            / ours["median"]
        share = f"{row['bytes'][model] / ours['median'] / 1e-3 / peak:.0%}" \
            if peak and row["kind"] == "decode" else "-"
        rows.append((LABELS.get(model, model), _what(row),
                     f"{ours['median']:.3f} ({ours['min']:.3f}, {ours['p95']:.3f})",
                     f"{best['median']:.3f}", f"**{ratio:.2f}**", f"{speed:.0f}", share))
    if rows:
        lines += [*_table(("model", "work", "ours, ms", "PyTorch, ms", "ratio", "tokens/s",
                          "weights' share of the bandwidth"), rows)]
    lines += _llama_cpp(results)
    if "timeline" in results:
        timeline = results["timeline"]
        kernels = timeline["kernels"]
        lines += [f"## One step of {LABELS[timeline['model']]}, one text of 1,024 keys", "",
                  f"{timeline['milliseconds']:.3f} ms, {len(kernels)} kernels. By kernel, with "
                  "a profiler, which makes each a little longer. Kernels start before those "
                  "in front of them have ended: what one adds is from their end to its own.",
                  ""]
        sums, end = {}, 0.0
        for at, duration, name, _ in kernels:
            total, count = sums.get(name, (0, 0))
            sums[name] = total + max(0.0, at + duration - end), count + 1
            end = max(end, at + duration)
        lines += [*_table(("kernel", "number", "adds, us"),
                          [(f"`{name}`", count, f"{total:.1f}") for name, (total, count) in
                           sorted(sums.items(), key=lambda item: -item[1][0])[:12]]),
                  f"![Two layers of the step]({page}.svg)", ""]
    return "\n".join(lines)


def plot(results):
    """Some layers of the step: a bar a kernel, as long as it runs; "" without a timeline."""
    kernels = results.get("timeline", {}).get("kernels", [])
    names = [kernel[2] for kernel in kernels]
    # Two layers from the middle: from one kernel to its third occurrence.
    middle = names[len(names) // 2] if names else ""
    places = [i for i, name in enumerate(names) if name == middle and
              i >= len(names) // 2][:3]
    shown = kernels[places[0]:places[-1] + 1] if len(places) > 1 else kernels[:40]
    if not shown:
        return ""
    begin = shown[0][0]
    scale = 900 / (shown[-1][0] + shown[-1][1] - begin)
    height = 40 + 16 * len(shown)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="{height}" '
             f'viewBox="0 0 1200 {height}" font-family="sans-serif" font-size="11">',
             f'<rect width="1200" height="{height}" fill="white"/>']
    for tick in range(0, int(900 / scale) + 1, max(1, int(900 / scale / 12))):
        parts.append(f'<line x1="{190 + tick * scale:.1f}" y1="20" '
                     f'x2="{190 + tick * scale:.1f}" y2="{height}" stroke="#ddd"/>'
                     f'<text x="{190 + tick * scale:.1f}" y="14" text-anchor="middle">'
                     f'{tick} us</text>')
    for index, (at, duration, name, _) in enumerate(shown):
        y = 26 + 16 * index
        parts.append(f'<text x="184" y="{y + 10}" text-anchor="end">{escape(name)}</text>'
                     f'<rect x="{190 + (at - begin) * scale:.1f}" y="{y}" height="12" '
                     f'width="{max(1, duration * scale):.1f}" fill="#1b6ca8"/>'
                     f'<text x="{194 + (at - begin + duration) * scale:.1f}" y="{y + 10}" '
                     f'font-size="9">{duration:.1f}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"

# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a result of weight_formats.py; needs nothing but Python."""


def page(result):
    """The Markdown of a result."""
    return f"""# What formats of weights cost a language model

Written by `bench/accuracy/weight_formats.py`: {result['model']}, dequantized to float32.
Its feed-forward weights are compressed by `sparseflow compress`, block after block, on
{result['calibration_tokens']} tokens of news; the perplexity is of {result['held_out_tokens']}
other tokens of the same source. A small model and a small sample: larger models lose
less. `near` says whose outputs a layer is fitted to: its own on these inputs, or those
of the dense model, so that it makes up for what earlier layers lost. Output error:
||Wx - W'x|| / ||Wx||, the mean over the blocks, with W the dense weights that come
nearest. Trained ternary models hold their weights exactly; this is what others lose.

{table(result)}

Keys and values, with all weights in float32, as a cache with a scale for each token and
head holds them; rotated: by a random Hadamard matrix of a head's size, keys behind their
positions. Scales are those of least squared error, of 8 bits those of the largest
element. A reference in float32, `bench/accuracy/cache_formats.py`, not what a kernel gives.

{cache_table(result)}
{model_section(result)}"""


def table(result):
    lines = [f"| feed-forward weights | method | near | a scale for | perplexity | of dense |"
             " output error: gate and up, down |",
             "|---|---|---|---|---|---|---|",
             f"| dense | | | | {result['dense']:.2f} | 1 | |"]
    for row in result["rows"]:
        scale = f"{row['scale']} columns" if row["scale"] else "a row"
        if "blocks" in row or not any(kind in row["format"] for kind in ("int", "ternary")):
            scale = ""
        form = row["format"] + (", rotated" if row["rotated"] else "")
        if "blocks" in row:
            counts = {name: row["blocks"].count(name) for name in row["blocks"]}
            form += f", {row['bytes']:.1%} of the bytes: " + ", ".join(
                f"{count} blocks {name}" for name, count in counts.items())
        lines.append(
            f"| {form} | {row['method']} | {row['targets']} | {scale} | {row['perplexity']:.4g} | "
            f"{row['perplexity'] / result['dense']:.4g} | "
            f"{row['errors']['gate_up']:.3f}, {row['errors']['down']:.3f} |")
    return "\n".join(lines)


def cache_table(result):
    lines = ["| keys and values | bits of an element | perplexity | of dense |",
             "|---|---|---|---|", f"| f32 | 32 | {result['dense']:.2f} | 1 |"]
    for row in result["caches"]:
        form = row["format"] + (", rotated" if row["rotated"] else "")
        lines.append(f"| {form} | {row['bits']} | {row['perplexity']:.4g} | "
                     f"{row['perplexity'] / result['dense']:.4g} |")
    return "\n".join(lines)


def model_section(result):
    """Of what the commands made of the model; "" where that has not been measured."""
    if "models" not in result:
        return ""
    lines = ["| plan | feed-forward matrices | bytes | in the file | perplexity before | after | |",
             "|---|---|---|---|---|---|---|"]
    for row in result["models"]:
        plan = row["budget"] + (", rotated" if row["rotated"] else "")
        formats = ", ".join(f"{count} {name}" for name, count in row["formats"].items())
        lines.append(
            f"| {plan} | {formats} | {row['bytes'] / row['dense_bytes']:.1%} | "
            f"{row['stored_bytes'] / row['dense_bytes']:.1%} | {row['before']:.2f} | "
            f"{row['after']:.2f} | {row['after'] / row['before'] - 1:+.1%} |")
    return f"""
The same model by `sparseflow model` plan, compress and unpack, of feed-forward layers, in
{result['models_of']} (`bench/accuracy/model_plan.py`). The unpacked model's perplexity
equals the compressed one's.

""" + "\n".join(lines) + "\n"

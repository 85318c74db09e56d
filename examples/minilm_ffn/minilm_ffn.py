#!/usr/bin/env python3
"""Runs the feed-forward layers of all-MiniLM-L6-v2 with 2:4 sparse weights.

Two separate questions get separate answers:

1. Is the compiled layer right? Its result on real activations is compared with
   the same pruned weights in float64, computed here and not by the compiler.
2. What does pruning cost? The float64 model with pruned weights is compared with
   the float64 model with its own weights; no kernel is involved.

usage: minilm_ffn.py --sparseflow TOOL --work DIRECTORY [--model DIRECTORY]
                     [--device auto|cpu|cuda]
"""

import argparse
import re
import sys
from pathlib import Path

import numpy as np

import safetensors
from common import FFN_WEIGHTS, KNOWN_EMBEDDING, fail, run_tool
from encoder import Encoder, ffn, gelu
from wordpiece import WordPiece

HERE = Path(__file__).resolve().parent
HIDDEN, INNER = 384, 1536

# --- Input -------------------------------------------------------------------


def real_input(model):
    """(weights, token lists): the model's own, on the sentences beside this file."""
    weights = safetensors.load(model / "model.safetensors")
    tokenizer = WordPiece(model / "vocab.txt")
    sentences = (HERE / "sentences.txt").read_text(encoding="utf-8").splitlines()
    return weights, [tokenizer.encode(sentence) for sentence in sentences]


def generated_input(seed=24):
    """(weights, activations of each layer): the model's shapes, random values."""
    rng = np.random.default_rng(seed)
    weights = {}
    for layer in range(Encoder.LAYERS):
        name = f"encoder.layer.{layer}"
        for half, shape in (("intermediate", (INNER, HIDDEN)), ("output", (HIDDEN, INNER))):
            weights[f"{name}.{half}.dense.weight"] = (
                rng.standard_normal(shape) * 0.05).astype(np.float32)
            weights[f"{name}.{half}.dense.bias"] = (
                rng.standard_normal(shape[0]) * 0.05).astype(np.float32)
    inputs = [rng.standard_normal((197, HIDDEN)) for _ in range(Encoder.LAYERS)]
    return weights, inputs


# --- Pruning -----------------------------------------------------------------


def pack(tool, source, work, weights):
    """Prunes and packs the FFN weights; returns them pruned, as dense f16.

    What comes back is checked here against the source: two of four at most, the
    larger ones, and each the source's value rounded to f16. The packed file holds
    the model's other tensors as they are.
    """
    packed, dense = work / "ffn.sfpk", work / "pruned.safetensors"
    print(run_tool(tool, "pack", source, "--include", FFN_WEIGHTS, "--format", "2:4",
                   "--dtype", "f16", "-o", packed))
    run_tool(tool, "unpack", packed, "-o", dense)
    found = safetensors.load(dense)
    if sorted(found) != sorted(weights):
        fail(f"expected the tensors of {source} in {packed}, found {sorted(found)}")
    pruned = {name: found[name] for name in found if re.fullmatch(FFN_WEIGHTS, name)}
    for name, original in weights.items():
        if name not in pruned and not np.array_equal(found[name], original):
            fail(f"{name}: expected a tensor that is not packed to stay as it is")
    for name, value in pruned.items():
        groups = value.reshape(-1, 4)
        source_groups = np.asarray(weights[name]).reshape(-1, 4)
        kept = groups != 0
        if value.dtype != np.float16 or kept.sum(axis=1).max() > 2:
            fail(f"{name}: expected f16 with at most two non-zeros in every four")
        if not np.array_equal(groups[kept], source_groups.astype(np.float16)[kept]):
            fail(f"{name}: a nonzero is not the source's, rounded to f16")
        dropped = np.where(kept, 0, np.abs(source_groups)).max(axis=1)
        smallest = np.where(kept, np.abs(source_groups), np.inf).min(axis=1)
        if (dropped.astype(np.float16) > smallest.astype(np.float16)).any():
            fail(f"{name}: a larger value was dropped and a smaller one kept")
    elements = sum(value.size for value in pruned.values())
    print(f"{len(pruned)} weights of {elements} elements pruned to 2:4; what was kept, "
          "and how it was rounded, verified against the model")
    return pruned


def layer_weights(layer, pruned, weights):
    """(w1, b1, w2, b2) as the kernel gets them, f16."""
    name = f"encoder.layer.{layer}"
    return (pruned[f"{name}.intermediate.dense.weight"],
            np.asarray(weights[f"{name}.intermediate.dense.bias"]).astype(np.float16),
            pruned[f"{name}.output.dense.weight"],
            np.asarray(weights[f"{name}.output.dense.bias"]).astype(np.float16))


# --- 1. The kernel -----------------------------------------------------------


def error_bound(x, w1, b1, w2, b2, y):
    """The largest error that correct arithmetic may make, element by element.

    f32 accumulation of K products costs K * 2^-24 of the sum of their sizes,
    GELU 2^-20 of its argument, each rounding to f16 2^-11 of the value (2^-25
    where it is subnormal). What happens to h reaches y through |w2|; the slope
    of GELU is below 1.13.
    """
    v = x @ w1.T + b1
    sizes = np.abs(x) @ np.abs(w1).T + np.abs(b1)
    h_error = (1.13 * HIDDEN * 2.0**-24 * sizes + 2.0**-20 * np.abs(v) +
               2.0**-11 * np.abs(gelu(v)) + 2.0**-25)
    h = np.abs(gelu(v)) + h_error
    y_error = h_error @ np.abs(w2).T
    y_error += INNER * 2.0**-24 * (h @ np.abs(w2).T + np.abs(b2) + np.abs(x))
    return y_error + 2.0**-11 * (np.abs(y) + y_error) + 2.0**-25


def relative(error, value):
    return np.linalg.norm(error) / np.linalg.norm(value)


def check_layers(tool, device, work, inputs, weights, pruned):
    """Runs every layer's FFN and prints its error; True when all are in bounds."""
    print("\n1. Is the compiled layer right? Against the same pruned weights in float64:")
    good = True
    for layer, activations in enumerate(inputs):
        x = activations.astype(np.float16)
        values = (x,) + layer_weights(layer, pruned, weights)
        arguments = []
        for name, half in (("w1", "intermediate"), ("w2", "output")):
            tensor = f"encoder.layer.{layer}.{half}.dense.weight"
            arguments += ["--arg", f"{name}={work / 'ffn.sfpk'}:{tensor}"]
        for name, value in (("x", x), ("b1", values[2]), ("b2", values[4])):
            np.save(work / f"{name}.npy", value)
            arguments += ["--arg", f"{name}={work / name}.npy"]
        result = work / "y.npy"
        result.unlink(missing_ok=True)
        log = run_tool(tool, "run", HERE.parent / "ffn.mlir", "--device", device,
                       *arguments, "--check", "-o", result)
        if layer == 0:
            print("   the tool itself says of layer 0:")
            print("\n".join(f"     {line}" for line in log.splitlines()))
            print("   layer   max |error|   share of bound   |error|/|y|   "
                  "by rounding h and y alone")
        y = np.load(result).astype(np.float64)
        exact = [value.astype(np.float64) for value in values]
        expected = ffn(*exact)
        if y.shape != expected.shape:
            fail(f"expected a result of shape {expected.shape}, found {y.shape}")
        x64, w1, b1, w2, b2 = exact
        h = gelu(x64 @ w1.T + b1).astype(np.float16).astype(np.float64)
        rounded = (h @ w2.T + b2 + x64).astype(np.float16).astype(np.float64)
        error = np.abs(y - expected)
        share = (error / error_bound(*exact, expected)).max()
        # A NaN compares false, so ask for what is good.
        good = good and bool(share <= 1)
        print(f"   {layer:5d}   {error.max():11.2e}   {share:14.3f}   "
              f"{relative(y - expected, expected):11.2e}   "
              f"{relative(rounded - expected, expected):11.2e}")
    print("   every element is within the bound of rounding" if good else
          "   WRONG: an element is outside the bound of rounding")
    return good


# --- 2. The price of pruning ---------------------------------------------------


def report_cost(dense, tokens, inputs, pruned):
    """Compares the float64 model with and without pruned FFN weights."""
    print("\n2. What does pruning cost? The float64 model, pruned against its own weights:")
    sparse = Encoder({**dense.weights, **pruned})
    print("   layer   FFN output changes by   with the residual")
    for layer, x in enumerate(inputs):
        y, z = ffn(x, *dense.ffn_weights(layer)), ffn(x, *sparse.ffn_weights(layer))
        print(f"   {layer:5d}   {100 * relative(z - y, y - x):19.1f} %   "
              f"{100 * relative(z - y, y):15.1f} %")
    before = np.array([dense.run_sentence(sentence)[0] for sentence in tokens])
    after = np.array([sparse.run_sentence(sentence)[0] for sentence in tokens])
    cosine = (before * after).sum(axis=1)
    print(f"   sentence embeddings, cosine of before and after: mean {cosine.mean():.3f}, "
          f"least {cosine.min():.3f}")

    def nearest(embeddings):
        similarity = embeddings @ embeddings.T - 2 * np.eye(len(embeddings))
        return similarity.argmax(axis=1)

    same = int((nearest(before) == nearest(after)).sum())
    print(f"   nearest other sentence is the same for {same} of {len(tokens)}")
    print("   This is one-shot magnitude pruning of all six layers, without the\n"
          "   fine-tuning that a model pruned for use would get.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sparseflow", required=True, type=Path, help="the sparseflow tool")
    parser.add_argument("--work", required=True, type=Path, help="directory for files made here")
    parser.add_argument("--model", type=Path,
                        help="directory with model.safetensors and vocab.txt; "
                             "left out, weights are generated")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    if options.model:
        weights, tokens = real_input(options.model)
        dense = Encoder(weights)
        runs = [dense.run_sentence(sentence) for sentence in tokens]
        off = np.abs(runs[0][0][:len(KNOWN_EMBEDDING)] - KNOWN_EMBEDDING).max()
        if not off < 1e-6:
            fail("the reference pass does not reproduce the model's known embedding "
                 f"(off by {off:.1e}); is this all-MiniLM-L6-v2?")
        inputs = [np.concatenate([run[1][layer] for run in runs])
                  for layer in range(Encoder.LAYERS)]
        source = options.model / "model.safetensors"
        print(f"all-MiniLM-L6-v2 on {len(tokens)} sentences, {len(inputs[0])} tokens; "
              "the reference pass reproduces its known embedding")
    else:
        weights, inputs = generated_input()
        source = options.work / "generated.safetensors"
        safetensors.save(source, weights)
        print(f"Generated weights of the model's shapes, {len(inputs[0])} random tokens")

    pruned = pack(options.sparseflow, source, options.work, weights)
    good = check_layers(options.sparseflow, options.device, options.work, inputs, weights,
                        pruned)
    if options.model:
        report_cost(dense, tokens, inputs, pruned)
    else:
        print("\n2. What pruning costs cannot be said of generated weights.")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs all-MiniLM-L6-v2, from token ids to sentence embeddings, as one program.

minilm.mlir is compiled once and called with several batches and lengths, padded
sentences among them. Every embedding is compared with the model in float64 and may
be twice as far from it as the model in f16 is, with a rounding after each operation.

usage: minilm.py --sparseflow TOOL --work DIRECTORY [--model DIRECTORY]
                 [--sparse] [--device cpu|sim|cuda] [--target T] [--batch BxT ...]
"""

import argparse
import os
import re
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "minilm_ffn"), str(HERE.parent.parent / "python")]

# pylint: disable=wrong-import-position
import safetensors
from common import FFN_WEIGHTS, KNOWN_EMBEDDING, fail, run_tool
from encoder import Encoder
from wordpiece import WordPiece

LAYERS, HIDDEN, INNER, VOCABULARY, POSITIONS = Encoder.LAYERS, 384, 1536, 30522, 512

# --- Input -------------------------------------------------------------------


def generated_weights(seed=25):
    """The model's shapes and the sizes of its values, random."""
    rng = np.random.default_rng(seed)
    weights = {}

    def add(name, *shape, scale=0.05, shift=0.0):
        weights[name] = (rng.standard_normal(shape, np.float32) * np.float32(scale) +
                         np.float32(shift))

    def norm(name):
        add(name + ".weight", HIDDEN, scale=0.1, shift=1.0)
        add(name + ".bias", HIDDEN)

    def linear(name, outputs, inputs):
        add(name + ".weight", outputs, inputs)
        add(name + ".bias", outputs)

    add("embeddings.word_embeddings.weight", VOCABULARY, HIDDEN)
    add("embeddings.position_embeddings.weight", POSITIONS, HIDDEN)
    add("embeddings.token_type_embeddings.weight", 2, HIDDEN)
    norm("embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            linear(f"{name}.attention.{part}", HIDDEN, HIDDEN)
        norm(f"{name}.attention.output.LayerNorm")
        linear(f"{name}.intermediate.dense", INNER, HIDDEN)
        linear(f"{name}.output.dense", HIDDEN, INNER)
        norm(f"{name}.output.LayerNorm")
    return weights


def padded(sentences):
    """(ids, mask) of token lists: filled up with token 0, which the mask hides."""
    length = max(map(len, sentences))
    ids = np.zeros((len(sentences), length), np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(sentences):
        ids[row, :len(tokens)] = tokens
        mask[row, :len(tokens)] = 1
    return ids, mask


def random_batch(batch, length, seed):
    """Random ids; the first sentence has all its tokens, the others any number."""
    rng = np.random.default_rng(seed)
    counts = [length] + [int(rng.integers(1, length + 1)) for _ in range(batch - 1)]
    return padded([rng.integers(0, VOCABULARY, count) for count in counts])


# --- The program -------------------------------------------------------------


class OnTheCpu:
    """Compiled once, called in this process."""

    def __init__(self, options, weights):
        os.environ["SPARSEFLOW_COMMAND"] = str(options.sparseflow)
        import sparseflow
        marks = {name: "2:4" for name in weights
                 if options.sparse and re.fullmatch(FFN_WEIGHTS, name)}
        text = (HERE / "minilm.mlir").read_text(encoding="utf-8")
        self.program = sparseflow.CpuProgram(text, "minilm.mlir", marks)
        self.weights = weights

    def __call__(self, ids, mask):
        return self.program("minilm", {**self.weights, "ids": ids, "mask": mask})


class ByTheCommand:
    """`sparseflow run` on the simulator or a GPU, with files of weights."""

    def __init__(self, options, weights):
        file = options.work / "weights.safetensors"
        safetensors.save(file, weights)
        self.options = options
        self.arguments = ["--weights", options.work / "ffn.sfpk"] if options.sparse else []
        for name in weights:
            if not (options.sparse and re.fullmatch(FFN_WEIGHTS, name)):
                self.arguments += ["--arg", f"{name}={file}:{name}"]

    def __call__(self, ids, mask):
        work, arguments = self.options.work, list(self.arguments)
        for name, value in (("ids", ids), ("mask", mask)):
            np.save(work / f"{name}.npy", value)
            arguments += ["--arg", f"{name}={work / name}.npy"]
        result = work / "embeddings.npy"
        result.unlink(missing_ok=True)
        if self.options.target:
            arguments += ["--target", self.options.target]
        run_tool(self.options.sparseflow, "run", HERE / "minilm.mlir", "--device",
                 self.options.device, *arguments, "-o", result)
        return np.load(result)


def distance(found, expected):
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sparseflow", required=True, type=Path, help="the sparseflow tool")
    parser.add_argument("--work", required=True, type=Path, help="directory for files made here")
    parser.add_argument("--model", type=Path,
                        help="directory with model.safetensors and vocab.txt; "
                             "left out, weights are generated")
    parser.add_argument("--sparse", action="store_true",
                        help="2:4 weights in the feed-forward layers")
    parser.add_argument("--device", default="cpu", choices=("cpu", "sim", "cuda"))
    parser.add_argument("--target", help="whose kernels the simulator runs")
    parser.add_argument("--batch", nargs="*", default=["1x1", "3x17", "2x40"],
                        help="sentences x tokens of random batches")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.sparseflow = options.sparseflow.resolve()

    if options.model:
        source = options.model / "model.safetensors"
    else:
        source = options.work / "generated.safetensors"
        safetensors.save(source, generated_weights())
    plain = source
    if options.sparse:
        # As the reference and the CPU read it: what was pruned is zero.
        plain = options.work / "pruned.safetensors"
        run_tool(options.sparseflow, "pack", source, "--include", FFN_WEIGHTS, "--format",
                 "2:4", "--dtype", "f16", "-o", options.work / "ffn.sfpk")
        run_tool(options.sparseflow, "unpack", options.work / "ffn.sfpk", "-o", plain)
    weights = {name: value.astype(np.float16)
               for name, value in safetensors.load(plain).items()
               if value.dtype.kind == "f" and not name.startswith("pooler.")}

    batches = [random_batch(*map(int, text.split("x")), seed)
               for seed, text in enumerate(options.batch)]
    if options.model and options.device != "sim":
        tokenizer = WordPiece(options.model / "vocab.txt")
        lines = (HERE.parent / "minilm_ffn" / "sentences.txt").read_text(encoding="utf-8")
        batches.append(padded([tokenizer.encode(line) for line in lines.splitlines()]))
        exact = {name: value for name, value in safetensors.load(source).items()
                 if value.dtype.kind == "f"}
        ids, mask = batches[-1]
        known = Encoder(exact).run(ids[:1], mask[:1])[0][0, :len(KNOWN_EMBEDDING)]
        if not np.abs(known - KNOWN_EMBEDDING).max() < 1e-6:
            fail("the reference does not reproduce the model's known embedding; "
                 "is this all-MiniLM-L6-v2?")

    kind = OnTheCpu if options.device == "cpu" else ByTheCommand
    program, good = kind(options, weights), True
    reference, in_half = Encoder(weights), Encoder(weights, half=True)
    print(f"{'all-MiniLM-L6-v2' if options.model else 'Generated weights'}, "
          f"{'2:4' if options.sparse else 'dense'} feed-forward layers, {options.device}")
    print("sentences  tokens    kept   |error|   of the model in f16")
    for ids, mask in batches:
        found = program(ids, mask).astype(np.float64)
        exact = reference.run(ids, mask)[0]
        if found.shape != exact.shape:
            fail(f"expected embeddings {exact.shape}, found {found.shape}")
        error = distance(found, exact)
        allowed = 2 * distance(in_half.run(ids, mask)[0], exact)
        # A NaN compares false, so ask for what is good.
        good = good and bool(error <= allowed)
        print(f"{ids.shape[0]:9d} {ids.shape[1]:7d} {int(mask.sum()):7d}   {error:.2e}   "
              f"{allowed / 2:.2e}{'' if error <= allowed else '   WRONG'}")
    print("every batch is within twice the error of f16" if good else
          "WRONG: a batch is further off than that")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs all-MiniLM-L6-v2 in ONNX Runtime, its linear layers as calls of SparseFlow.

Writes the model as an ONNX file as exporters do, converts it to 2:4 or ternary weights
(sparseflow.onnx), and calls it with several batches and lengths, padded sentences among
them. Every embedding is compared with the model of the same weights in float64 and may be
twice as far from it as that model in f16 is, with a rounding after each operation.

usage: minilm_onnx.py --work DIRECTORY [--model DIRECTORY] [--format 2:4|ternary]
                      [--target T] [--device auto|cpu|gpu] [--batch BxT ...]
       minilm_onnx.py --run DIRECTORY [--device auto|cpu|gpu]

With --run, what another machine made with --work is called: that needs neither the
sparseflow command nor the weights.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "minilm_ffn"), str(HERE.parent.parent / "python")]

# pylint: disable=wrong-import-position
import safetensors
from common import fail
from encoder import Encoder
from minilm import HIDDEN, LAYERS, distance, generated_weights, padded, random_batch
from sparseflow import onnx, pack, pack_ternary
from sparseflow.onnx import graph
from wordpiece import WordPiece

HEADS = Encoder.HEADS


class Exporter:
    """Writes nodes one by one, named as they come."""

    def __init__(self, weights):
        self.weights, self.nodes, self.tensors = weights, [], {}

    def constant(self, name, array):
        self.tensors.setdefault(name, graph.tensor(name, np.asarray(array)))
        return name

    def weight(self, name):
        return self.constant(name, self.weights[name].astype(np.float32))

    def add(self, op, *inputs, **attributes):
        name = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(graph.node(op, inputs, [name], **attributes))
        return name

    def linear(self, x, name):
        # Exporters fold the transpose into the weight.
        transposed = self.constant(f"{name}.weight.t", np.ascontiguousarray(
            self.weights[f"{name}.weight"].astype(np.float32).T))
        product = self.add("MatMul", x, transposed)
        return self.add("Add", self.weight(f"{name}.bias"), product)

    def norm(self, x, name):
        return self.add("LayerNormalization", x, self.weight(f"{name}.weight"),
                        self.weight(f"{name}.bias"), epsilon=1e-12)

    def gelu(self, x):
        one = self.constant("one", np.float32(1))
        erf = self.add("Erf", self.add("Div", x, self.constant("root", np.float32(2 ** 0.5))))
        product = self.add("Mul", x, self.add("Add", erf, one))
        return self.add("Mul", product, self.constant("half", np.float32(0.5)))

    def attention(self, x, hidden, layer):
        name = f"encoder.layer.{layer}.attention"
        split = self.constant("split", np.array([0, 0, HEADS, HIDDEN // HEADS], np.int64))

        def heads(part, order):
            y = self.add("Reshape", self.linear(x, f"{name}.self.{part}"), split)
            return self.add("Transpose", y, perm=order)

        q, v = heads("query", [0, 2, 1, 3]), heads("value", [0, 2, 1, 3])
        scores = self.add("MatMul", q, heads("key", [0, 2, 3, 1]))
        scale = self.constant("scale", np.float32((HIDDEN // HEADS) ** -0.5))
        scores = self.add("Add", self.add("Mul", scores, scale), hidden)
        mixed = self.add("MatMul", self.add("Softmax", scores, axis=-1), v)
        joined = self.add("Reshape", self.add("Transpose", mixed, perm=[0, 2, 1, 3]),
                          self.constant("joined", np.array([0, 0, HIDDEN], np.int64)))
        return self.norm(self.add("Add", self.linear(joined, f"{name}.output.dense"), x),
                         f"{name}.output.LayerNorm")

    def model(self):
        """The ModelProto: ids and mask [B, T] to embeddings [B, 384]."""
        first, last = (self.constant(f"axis_{i}", np.array([i], np.int64)) for i in (1, 2))
        tokens = self.add("Gather", self.weight("embeddings.word_embeddings.weight"), "ids")
        kinds = self.constant("kind", self.weights[
            "embeddings.token_type_embeddings.weight"][0].astype(np.float32))
        length = self.add("Shape", "ids", start=1, end=2)
        places = self.add("Slice", self.weight("embeddings.position_embeddings.weight"),
                          self.constant("zero", np.array([0], np.int64)), length,
                          self.constant("axis_0", np.array([0], np.int64)))
        x = self.norm(self.add("Add", self.add("Add", tokens, kinds), places),
                      "embeddings.LayerNorm")
        kept = self.add("Cast", "mask", to=graph.FLOAT)
        far = self.add("Mul", self.add("Sub", self.constant("all", np.float32(1)), kept),
                       self.constant("far", np.float32(-65504)))
        hidden = self.add("Unsqueeze", far, self.constant("axes", np.array([1, 2], np.int64)))
        for layer in range(LAYERS):
            x = self.attention(x, hidden, layer)
            name = f"encoder.layer.{layer}"
            y = self.gelu(self.linear(x, f"{name}.intermediate.dense"))
            y = self.linear(y, f"{name}.output.dense")
            x = self.norm(self.add("Add", y, x), f"{name}.output.LayerNorm")
        kept = self.add("Unsqueeze", kept, last)
        total = self.add("ReduceSum", self.add("Mul", x, kept), first, keepdims=0)
        mean = self.add("Div", total, self.add("ReduceSum", kept, first, keepdims=0))
        size = self.add("ReduceL2", mean, axes=[1], keepdims=1)
        self.nodes.append(graph.node("Div", [mean, size], ["embeddings"]))
        ids, mask = (graph.value(name, np.int64, ["B", "T"]) for name in ("ids", "mask"))
        return graph.model(graph.graph(
            "minilm", self.nodes, [ids, mask],
            [graph.value("embeddings", np.float32, ["B", HIDDEN])],
            list(self.tensors.values())), {"": 17})


def make(options):
    """The two ONNX files, and the batches with what the model says in float64 and f16."""
    source = options.model / "model.safetensors" if options.model else None
    weights = safetensors.load(source) if source else generated_weights()
    weights = {name: value.astype(np.float16) for name, value in weights.items()
               if value.dtype.kind == "f" and not name.startswith("pooler.")}
    batches = [random_batch(*map(int, text.split("x")), seed)
               for seed, text in enumerate(options.batch)]
    if options.model:
        tokenizer = WordPiece(options.model / "vocab.txt")
        lines = (HERE.parent / "minilm_ffn" / "sentences.txt").read_text(encoding="utf-8")
        batches.append(padded([tokenizer.encode(line) for line in lines.splitlines()]))
    dense, sparse = options.work / "minilm.onnx", options.work / "sparse.onnx"
    dense.write_bytes(bytes(Exporter(weights).model()))
    targets = [options.target] if options.target else []
    report = onnx.convert(dense, sparse, options.format, activations="f16", targets=targets)
    converted = [decision for decision in report.decisions if decision.to]
    print(f"{len(converted)} of {len(report.decisions)} products converted to "
          f"{options.format}")
    if len(converted) != 6 * LAYERS:
        fail(f"expected {6 * LAYERS} linear layers, found\n{report}")
    held = dict(weights)
    for name in weights:
        if name.endswith((".query.weight", ".key.weight", ".value.weight", ".dense.weight")):
            if options.format == "2:4":
                held[name] = pack(weights[name], "f16").unpack()
            else:
                held[name] = pack_ternary(weights[name], "f16").values()
    reference, in_half = Encoder(held), Encoder(held, half=True)
    numbers = {}
    for index, (ids, mask) in enumerate(batches):
        numbers.update({f"ids{index}": ids, f"mask{index}": mask,
                        f"exact{index}": reference.run(ids, mask)[0],
                        f"half{index}": in_half.run(ids, mask)[0]})
    np.savez(options.work / "batches.npz", count=len(batches), **numbers)


def run(folder, device):
    """Calls the converted model; True where every batch is near enough."""
    import onnxruntime
    sparse, good = folder / "sparse.onnx", True
    session = onnxruntime.InferenceSession(
        sparse, onnx.session_options(sparse, device=device),
        providers=["CPUExecutionProvider"])
    print("sentences  tokens    kept   |error|   of the model in f16")
    with np.load(folder / "batches.npz") as numbers:
        for index in range(int(numbers["count"])):
            ids, mask, exact, half = (numbers[f"{name}{index}"]
                                      for name in ("ids", "mask", "exact", "half"))
            found, = session.run(None, {"ids": ids, "mask": mask})
            if found.shape != exact.shape:
                fail(f"expected embeddings {exact.shape}, found {found.shape}")
            error, allowed = distance(found, exact), 2 * distance(half, exact)
            # A NaN compares false, so ask for what is good.
            good = good and bool(error <= allowed)
            print(f"{ids.shape[0]:9d} {ids.shape[1]:7d} {int(mask.sum()):7d}   {error:.2e}   "
                  f"{allowed / 2:.2e}{'' if error <= allowed else '   WRONG'}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, help="directory for files made here")
    parser.add_argument("--run", type=Path, help="a directory made before: only call it")
    parser.add_argument("--model", type=Path,
                        help="directory with model.safetensors and vocab.txt; "
                             "left out, weights are generated")
    parser.add_argument("--format", default="2:4", choices=("2:4", "ternary"))
    parser.add_argument("--target", help="a GPU to compile for (default: the CPU alone)")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "gpu"))
    parser.add_argument("--batch", nargs="*", default=["1x1", "3x17", "2x40"],
                        help="sentences x tokens of random batches")
    options = parser.parse_args()
    if (options.work is None) == (options.run is None):
        parser.error("expected --work or --run")
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        make(options)
    good = run(options.work or options.run, options.device)
    print("every batch is within twice the error of f16" if good else
          "WRONG: a batch is further off than that")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()

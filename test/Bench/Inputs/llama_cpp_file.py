"""llama_cpp_file.py BENCH ACCURACY OUT: files of random weights as llama.cpp reads them, and
the page of times beside it."""

import dataclasses
import sys
from pathlib import Path

bench, accuracy, out = map(Path, sys.argv[1:])
sys.path[:0] = [str(bench), str(accuracy), str(bench.parents[1] / "python")]
from gguf_file import Gguf  # noqa: E402  (found by the line above)
from model import llama_cpp, page  # noqa: E402
from sparseflow.model.geometry import Geometry  # noqa: E402

out.mkdir(parents=True, exist_ok=True)
small = Geometry("llama", 2, 256, 4, 2, 64, 512, 1000, 2048, 1e-5)
for name, geometry in (("llama", small),
                       ("bitnet", dataclasses.replace(small, family="bitnet", tied=True))):
    for weights in llama_cpp.WEIGHTS:
        path = out / f"{name}-{weights}.gguf"
        llama_cpp.write_gguf(path, geometry, weights)
        file = Gguf(path)
        last = file.names()[-1]
        norms = file.tensor("blk.1.attn_norm.weight")
        head = file.tensor("output.weight" if not geometry.tied else "token_embd.weight")
        # The last tensor ends where the file does.
        shape, kind, offset = file._tensors[last]
        _, block, size, _ = next(t for t in llama_cpp.TYPES.values() if t[0] == kind)
        elements = 1
        for length in shape:
            elements *= length
        end = file._start + offset + elements // block * size
        print(f"{name} {weights}: {len(file.names())} tensors, "
              f"{file.metadata['llama.block_count']} layers, norms {norms.min():.0f}, head "
              f"{head.shape}, ends with the file: {0 <= path.stat().st_size - end < 32}")
results = {"machine": {}, "commit": "0" * 40, "started": "then", "rounds": 1, "rows": [
    {"geometry": "llama-3-8b", "kind": "decode", "batch": 1, "keys": 1024, "tokens": 1,
     "milliseconds": {"llama-3-8b-w2a8-head8": {"median": 2.0}}}],
    "llama_cpp": {"version": "abc", "errors": ["llama-3-8b, Q2_K, 16 x 1024: no memory"],
                  "rows": [{"geometry": "llama-3-8b", "weights": "Q2_0", "head": "Q8_0",
                            "batch": batch, "keys": 1024, "milliseconds": [3.0]}
                           for batch in (1, 16)]}}
print(page.markdown(results))

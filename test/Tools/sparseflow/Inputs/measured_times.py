"""Writes a tuned.json as scripts/bench calibrate does, with times of a GPU that is not.

    measured_times.py FILE [N...]

N: features of the layers, 2048 if none are named.
"""

import json
import sys

shapes = []
for n in [int(n) for n in sys.argv[2:]] or [2048]:
    for t in (16, 32, 64, 96, 128, 256, 512, 1024):
        candidates = []
        for features in (64, 128):
            for tokens in range(16, 129, 16):
                row = {"name": f"sm90a.sparse.{features}x{tokens}", "op": "matmul",
                       "weights": "2:4", "targets": ["sm_90a"], "block": [features, tokens],
                       "warp": [16, tokens], "group": 8, "split_k": 1,
                       "pipeline": {"kind": "warp_specialized", "k": 64, "stages": 4,
                                    "store_tokens": 16}}
                tiles = -(-t // tokens) * (n // features)
                candidates.append({"name": row["name"], "row": row,
                                   "us": 3 + -(-tiles // 132) * (2 + tokens * features / 2000)})
        shapes.append({"t": t, "n": n, "k": 2048, "weights": "2:4", "type": "f16",
                       "candidates": candidates})
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({"format": "sparseflow-tuned", "version": 1, "target": "sm_90a",
               "machine": {"gpu": {"name": "Slow GPU"}}, "shapes": shapes}, file)

"""Random schedules: the shipped table with rows left out and fields moved."""

import copy
import json
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "lib/Schedule/schedules.json"


def shipped():
    return json.loads(TABLE.read_text(encoding="utf-8"))


def vary(rng, target):
    """A table for `target`. Rows that serve when no other fits stay, so an op is
    refused only where moved fields ask for what there is not (shared memory)."""
    rows = []
    # The plain form does not round the keys that up to 16 queries meet, so kernels that
    # write caches in front, rounded, are there only behind rows for as many.
    few = rng.random() < 0.6
    for row in shipped()["rows"]:
        if target not in row["targets"]:
            continue
        row = copy.deepcopy(row)
        row["targets"] = [target]
        if not few and (row.get("cached") or row.get("max_queries", 1) > 1):
            continue
        last = row.get("unaligned") or row.get("max_queries", 1) > 1 or \
            row["op"] in ("elementwise", "reduce") or "pipeline" not in row
        if not last and rng.random() < 0.4:
            # What has neither limits nor a class ends its list of rows.
            if any(key in row for key in ("max_tokens", "max_queries", "min_blocks",
                                          "min_n", "min_k", "max_n", "max_k", "min_d")):
                continue
        pipeline = row.get("pipeline", {})
        if "stages" in pipeline and rng.random() < 0.3:
            pipeline["stages"] = min(16, max(2, pipeline["stages"] + rng.choice([-1, -1, 1])))
        # Zero: any number of them.
        if row.get("max_tokens") and rng.random() < 0.2 and \
                pipeline.get("kind") != "streamed":
            row["max_tokens"] = max(1, row["max_tokens"] // 2)
        if pipeline.get("kind") == "multistage" and row["op"] == "matmul":
            if rng.random() < 0.3:
                row["split_k"] = rng.choice([1, 2, 3, 5])
            if rng.random() < 0.3:
                row["group"] = rng.choice([1, 2, 7])
        rows.append(row)
    return {"format": "sparseflow-schedules", "version": 1, "rows": rows}

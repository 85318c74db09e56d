"""attention_sweep.py BENCH OUT: the points of the sweep of attention, one program of each
form and features' class in OUT/programs, and a page of made-up rows in OUT."""

import sys
from pathlib import Path

bench, out = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(bench))
from attn import points, sweep_table  # noqa: E402  (found by the line above)

drawn = points.drawn(1, 200)
print(f"random: {len(drawn)} points, {len({point.form for point in drawn})} forms")
for part in ("few heads", "ragged decode", "latent"):
    print(f"{part}: {sum(point.part == part for point in points.listed())} points")
print(f"the same for a seed: {points.drawn(1, 200) == drawn}; "
      f"for another: {points.drawn(2, 200) == drawn}")
(out / "programs").mkdir(parents=True)
kinds = {}
for point in points.points(1, 200):
    kinds.setdefault((point.form, point.page, (point.d > 64) + (point.d > 128)), point)
for point in kinds.values():
    (out / "programs" / f"{point.name}.mlir").write_text(point.text())


def row(number, ours, beside, right=True, library=True, work=1.0):
    point = points.listed()[number]
    return {"name": point.name, "part": point.part, "form": point.form, "d": point.d,
            "queries": point.queries, "keys": point.keys, "work": work, "work_beside": 1.0,
            "us": {"ours": {"median": ours}, "cuDNN": {"median": beside},
                   "FlashAttention-2": {"median": 3 * beside}},
            "right": {"ours": right, "cuDNN": library, "FlashAttention-2": True}}


print(f"half of the keys in half of the time: "
      f"{sweep_table.ratio(row(0, 1.0, 2.0, work=0.5)):.2f}")
print(f"wrong library: {sweep_table.ratio(row(0, 3.0, 2.0, library=False)):.2f}")
print(f"ours wrong: {sweep_table.ratio(row(0, 3.0, 2.0, right=False))}")
# 335.2 bytes take 100 ps of an H100's memory; 98,900 FLOPs take as much of its tensor cores.
number = next(i for i, point in enumerate(points.listed()) if point.latent)
latent = [{**row(number, 2e-4, 2.0, work=335.2), "flops": flops} for flops in (1, 197800)]
latent[0]["plain"] = {"read": {"median": 1.6e-4}, "MMAs": {"median": 1e-5}}
# Half of the keys, in four fifths of our time: what a server's kernel takes is the point.
served = row(60, 1.0, 2.0, work=0.5)
served["us"]["FlashAttention-3"] = {"median": 0.8}
served["right"]["FlashAttention-3"] = True
served["ways"] = {"FlashAttention-3": "at most 32 splits"}
served["refused"] = {"FlashInfer": "no kernel"}
sweep_table.write({"format": "sparseflow-bench", "kind": "attention-sweep",
                   "machine": {"gpu": {"name": "NVIDIA H100 80GB HBM3"}},
                   "commit": "0" * 40, "target": "sm_90a", "seed": 1,
                   "calls": [{"peers": {"FlashAttention-3": "package 1.2",
                                        "FlashMLA": "not measured: no file"}}],
                   "rows": [row(0, 1.0, 2.0), row(1, 1.0, 2.0), *latent, served]}, out, "fake")
print(f"of a card without constants: {sweep_table.bound_share(latent[0], 'gpu')}")

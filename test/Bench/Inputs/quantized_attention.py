"""quantized_attention.py BENCH OUT: the sizes of the benchmark of caches, a program of each form
and mask in OUT/programs, its pages beside those of the runtime's packer, and a page of made-up
rows in OUT."""

import sys
from pathlib import Path

import numpy as np

bench, out = Path(sys.argv[1]), Path(sys.argv[2])
sys.path[:0] = [str(bench), str(bench.parents[1] / "python")]
from attn import caches, caches_table  # noqa: E402  (found by the line above)
from sparseflow import TernaryCache  # noqa: E402

points = caches.all_points(1, 27)
for part in caches_table.FLOORS:
    some = [point for point in points if point.part == part]
    print(f"{part}: {len(some)} sizes, "
          f"{len({point.heads // point.key_heads for point in some})} groups of heads, "
          f"{len({point.d for point in some})} numbers of features, "
          f"{len({point.page for point in some})} kinds of pages")
print(f"least: {min(point.cache_bytes for point in points) >= caches.LEAST}")
print(f"the same for a seed: {caches.all_points(1, 27) == points}; "
      f"for another: {caches.all_points(2, 27) == points}")
(out / "programs").mkdir(parents=True)
kinds = {}
for point in points:
    kinds.setdefault((point.causal, bool(point.page)), point)
for point in kinds.values():
    for form in caches.FORMS:
        (out / "programs" / f"{point.program(form)}.mlir").write_text(point.cache_text(form))

# Pages by the places that the format names, and by the runtime.
random, same = np.random.default_rng(1), 0
for form, (bits, scale, number) in caches.FORMS.items():
    for d in (40, 72, 128) if bits < 16 else ():
        for side in ("key", "value"):
            low = 0 if number == "e4m3" else -2 ** (bits - 1)
            high = 127 if number == "e4m3" else 2 ** (bits - 1)
            given = random.integers(low, high, (1, 1, caches.TOKENS, d)).astype(
                np.uint8 if number == "e4m3" else np.int8)
            scales = random.random((1, 1, caches.TOKENS, caches.groups(d, scale))).astype(
                np.float16)
            page = np.zeros(caches.page_bytes(d, form)[1], np.uint8)
            padded, lists = caches.sources(d, form, side)
            flat = np.pad(given.view(np.uint8)[0, 0], ((0, 0), (0, padded - d))).ravel()
            for place, indices in enumerate(lists):
                page[:len(indices)] |= (flat[indices] & (2 ** bits - 1)) << (bits * place)
            tail = np.ascontiguousarray(scales[0, 0].T).view(np.uint8).ravel()
            page[len(lists[0]):] = tail
            found = TernaryCache.pack(given, scales.astype(np.float32), f"{side}_{number}",
                                      scale, "f16").pages.ravel()
            same += bool(np.array_equal(page, found))
print(f"pages like the packer's: {same}")


def row(part, us, wrong=()):
    point = next(point for point in points if point.part == part)
    return {"name": point.name, "part": part,
            "cache_bytes": {form: 10 ** 6 for form in caches.FORMS},
            "us": {name: {"median": value} for name, value in us.items()},
            "right": {name: name not in wrong for name in us},
            "relative_error": {name: 1e-4 for name in us}}


forms = {form: 50.0 for form in caches.FORMS}
rows = [row("one query", {**forms, "f16": 100.0, "cuDNN": 100.0, "int4": 25.0}),
        row("many queries", {**forms, "f16": 40.0, "int8": 40.0}, wrong=("int4",))]
(out / "fake.md").write_text(caches_table.markdown(
    {"machine": {}, "target": "sm_90a", "commit": "0" * 40, "seed": 1, "rows": rows}, "fake"))

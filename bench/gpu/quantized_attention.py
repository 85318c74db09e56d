#!/usr/bin/env python3
"""One query and many on int8, int4 and e4m3 caches of 256 MB and more (as f16) on a GPU,
beside our own f16 kernels and PyTorch's. Behind `scripts/bench quantized-attention`.

  scripts/bench quantized-attention --compile-only OUT   bundles and an index
  scripts/bench quantized-attention --run OUT            checks and times them
  scripts/bench quantized-attention                      both

As `scripts/bench attention --sweep`: needs and exit codes are the same, points are those of a
list and some drawn at random, kept as they come, and the next call for the same commit and
seed goes on with the others. Every result is checked against float64 of what its cache holds,
in a poisoned buffer, and twice, with equal bits; pages lie in random order among others that
hold no numbers. One query is timed in turn with cuDNN and FlashAttention-2 on f16, many with
our kernel on f16. The JSON file is quantized-attention-TARGET.json.
"""

import sys

from attn import bench, caches, caches_table, exact, sweep

ROTATED = 160 << 20  # Bytes that a graph reads before it reads them again.
# Rows for a key from which kernels round keys and values to 16 bits.
ROUNDED_FROM = 17


def compile_all(options):
    return bench.compile_jobs(options, caches_table.KIND, [
        ("speed", point.program(form), point.cache_text(form))
        for point in caches.all_points(options.seed, options.points)
        if options.only in f"{point.part} {point.name}" for form in caches.FORMS])


class Operands:
    """Queries, and keys and values in f32, of which each form makes its own."""

    def __init__(self, torch, point, seed):
        generator = torch.Generator("cuda").manual_seed(seed)

        def normal(*shape):
            return torch.randn(shape, device="cuda", generator=generator)
        self.torch, self.point = torch, point
        self.q = normal(point.batch, point.heads, point.queries, point.d).half()
        shape = point.batch, point.key_heads, point.keys, point.d
        # Tokens differ in size, as their scales do.
        self.k, self.v = (normal(*shape) * (0.5 + torch.rand(
            (*shape[:3], 1), device="cuda", generator=generator)) for _ in range(2))
        self.table = torch.randperm(
            point.pages(), device="cuda", generator=generator,
            dtype=torch.int32)[:-caches.UNUSED].view(point.batch, -1) if point.page else None

    def in_pages(self, cache, empty):
        """A cache [B, G, S ...] in the pages that the table says, [P, G, page ...]; other
        pages hold `empty`."""
        torch, point = self.torch, self.point
        if not point.page:
            return cache
        split = cache.unflatten(2, (point.columns(), -1)).transpose(1, 2)
        pages = torch.full((point.pages(), *split.shape[2:]), empty, dtype=cache.dtype,
                           device="cuda")
        pages[self.table.flatten().long()] = split.flatten(0, 1)
        return pages

    def form(self, form):
        """(what the program takes, keys, values) of a form: float numbers that it stands
        for, as its kernels multiply them."""
        if form == "f16":
            held = [x.half() for x in (self.k, self.v)]
            return [self.in_pages(x, float("nan")) for x in held], *held
        given, known = [], []
        rows = self.point.heads // self.point.key_heads * self.point.queries
        for side, x in (("key", self.k), ("value", self.v)):
            numbers, scales, values = caches.quantized(self.torch, x, form)
            pages = caches.packed(self.torch, numbers, scales, form, side)
            given.append(self.in_pages(pages, 0xff))
            known.append(values.half() if rows >= ROUNDED_FROM and
                         self.point.queries > 1 else values)
        return given, *known


class Caches(sweep.Sweep):
    KIND, SERVED = caches_table.KIND, False
    line = staticmethod(caches_table.line)

    def has(self, point):
        return all(point.program(form) in self.entries for form in caches.FORMS)

    def ours(self, operands, form):
        """(contender, (right, error), bytes of the cache) of a form."""
        torch, point = self.torch, operands.point
        given, k, v = operands.form(form)
        expected = exact.Expected(torch, point, operands.q, k, v)
        del k, v
        size = sum(x.numel() * x.element_size() for x in given)
        copies = ROTATED // size + 1
        sets = [[operands.q, *given]]
        sets += [[operands.q, *(x.clone() for x in given)] for _ in range(copies - 1)]
        more = [] if operands.table is None else [operands.table]
        y = torch.empty_like(operands.q)
        launch, space = self.launcher(point.program(form), sets, more, y)
        found = []
        for _ in range(2):
            y.fill_(float("nan"))
            space.fill_(0xff)
            launch(0)
            torch.cuda.synchronize()
            found.append(y.clone())
        # Of caches that are multiplied as they are, P is rounded a second time, behind its
        # scale.
        right, error = expected.check(found[0].clone(),
                                      roundings=1 if form == "f16" else 2)
        same = torch.equal(*found)
        return self.contender(torch, launch, copies), (right and same, error), size

    def point(self, point):
        torch = self.torch
        seed = self.options.seed * 1000003 + len(self.results["rows"])
        operands = Operands(torch, point, seed)
        contenders, checked, sizes, refused = {}, {}, {}, {}
        for form in caches.FORMS:
            contenders[form], checked[form], sizes[form] = self.ours(operands, form)
            torch.cuda.empty_cache()
        if point.queries == 1:
            k, v = operands.k.half(), operands.v.half()
            operands.k = operands.v = None
            expected = exact.Expected(torch, point, operands.q, k, v)
            refused = self.add_libraries(point.plain, [(operands.q, k, v)], expected, contenders,
                                         checked)
        self.in_turns(list(contenders.values()), self.options.rounds)
        return {"name": point.name, "part": point.part, "batch": point.batch,
                "heads": point.heads, "key_heads": point.key_heads,
                "queries": point.queries, "keys": point.keys, "d": point.d,
                "page": point.page, "work": point.work(), "cache_bytes": sizes,
                "us": {name: contender.result() for name, contender in contenders.items()},
                "right": {name: right for name, (right, _) in checked.items()},
                "relative_error": {name: error for name, (_, error) in checked.items()},
                **({"refused": refused} if refused else {}),
                "kernels": {form: self.entries[point.program(form)].get("ptxas", [])
                            for form in caches.FORMS}}


def measure(options, index, results):
    found = Caches(options, index, caches.all_points(options.seed, options.points))
    late = found.run()
    rows = found.results["rows"]
    wrong = [f"{row['name']}: {form}" for row in rows for form in caches.FORMS
             if not row["right"][form]]
    for name in wrong:
        print(f"WRONG {name}")
    (options.results / f"{found.path.stem}.md").write_text(
        caches_table.markdown(found.results, found.path.stem))
    results["checks"], results["speed"] = [row for row in rows for _ in caches.FORMS], rows
    print(f"{late} points left for another call")
    return len(wrong)


def main():
    parser = bench.parser_of(caches_table.KIND, __doc__, budget=240)
    parser.add_argument("--points", type=int, default=27,
                        help="drawn at random (default: 27)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--fresh", action="store_true", help="keep no earlier points")
    options = parser.parse_args()
    options.no_checks = True  # Of sparseflow-exec, which is not needed.
    return bench.run(options, caches_table.KIND, compile_all, measure)


if __name__ == "__main__":
    sys.exit(main())

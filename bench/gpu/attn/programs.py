"""The attention programs that are measured, and those that are checked."""

from dataclasses import dataclass

# Microseconds on one H200, medians of graph replays: the best of FlashAttention-3, cuDNN
# and FlashAttention-2, and cuDNN, both in one run. Where those libraries are missing the
# first is the bar; elsewhere their ratio, which the power cap moves less, tells more.
# (batch, heads, key heads, queries, keys, d, causal, bar, cuDNN)
_SHAPES = (
    (1, 8, 8, 512, 512, 64, False, 9.2, 9.2), (1, 8, 8, 512, 512, 64, True, 9.5, 9.5),
    (2, 8, 8, 512, 512, 64, False, 9.3, 9.3), (2, 8, 8, 512, 512, 64, True, 9.6, 9.6),
    # Of eight sequences, on an H100 and without FlashAttention-3.
    (8, 8, 8, 512, 512, 64, False, 16.5, 16.5), (8, 8, 8, 512, 512, 64, True, 16.8, 16.8),
    (4, 16, 16, 1024, 1024, 64, False, 44.1, 44.1),
    (4, 16, 16, 1024, 1024, 64, True, 35.1, 35.3),
    (4, 16, 16, 2048, 2048, 64, False, 154.7, 154.7),
    (4, 16, 16, 2048, 2048, 64, True, 89.1, 100.5),
    (4, 16, 16, 2048, 2048, 128, False, 215.6, 237.4),
    (4, 16, 16, 2048, 2048, 128, True, 123.3, 157.5),
    (2, 16, 16, 4096, 4096, 128, False, 395.0, 452.0),
    (2, 16, 16, 4096, 4096, 128, True, 235.0, 275.0),
    (1, 16, 16, 16384, 16384, 128, False, 3304.0, 3725.0),
    (1, 16, 16, 16384, 16384, 128, True, 1692.0, 2029.0),
    (4, 32, 8, 4096, 4096, 128, False, 1619.0, 1783.0),
    (4, 32, 8, 4096, 4096, 128, True, 916.0, 950.0),
    (16, 32, 8, 1, 8192, 128, False, 123.9, 123.9),
    (64, 32, 8, 1, 4096, 128, False, 244.2, 244.2),
    (1, 32, 8, 1, 32768, 128, False, 37.9, 37.9),
)


@dataclass(frozen=True)
class Shape:
    batch: int
    heads: int
    key_heads: int
    queries: int
    keys: int
    d: int
    causal: bool
    bar: float
    cudnn: float = 0.0

    @property
    def name(self):
        heads = (f"{self.heads}" if self.heads == self.key_heads
                 else f"{self.heads}_{self.key_heads}")
        length = (f"{self.keys}" if self.queries == self.keys
                  else f"{self.queries}_{self.keys}")
        return (f"b{self.batch}_h{heads}_s{length}_d{self.d}"
                f"{'_causal' if self.causal else ''}")

    @property
    def flops(self):
        """Four for each pair of query and key and feature, half if causal."""
        pairs = self.batch * self.heads * self.queries * self.keys
        return 4 * pairs * self.d // (2 if self.causal and self.queries > 1 else 1)

    @property
    def key_bytes(self):
        """Of keys and values: what decoding has to read."""
        return 4 * self.batch * self.key_heads * self.keys * self.d


def shapes():
    return [Shape(*values) for values in _SHAPES]


def schedule(**choice):
    """A pinned schedule, as text."""
    tile = {"queries": 128, "warp": 16, "keys": 64, "group": 16}
    pipeline = {"stages": 2}
    kind = "multistage_attention"
    for name, value in choice.items():
        if name in ("stages", "holds_queries", "producer_registers", "grid",
                    "ping_pong", "cluster", "blocks_per_sm"):
            pipeline[name] = value
        elif name == "kind":
            kind = value
        else:
            tile[name] = value
    spell = lambda fields: ", ".join(
        f"{name} = {str(value).lower() if isinstance(value, bool) else value}"
        for name, value in fields.items())
    return (f'#sftile.attention_schedule<"tuned", {spell(tile)}, '
            f"pipeline = #sftile.{kind}<{spell(pipeline)}>>")


def mapped(queries, **choice):
    """A pinned schedule with producer warps: registers as the table's rows have them."""
    registers = 40 if choice.get("cluster", 1) > 1 else {64: 64, 128: 24, 192: 32}[queries]
    return schedule(kind="warp_specialized_attention", queries=queries,
                    producer_registers=registers, **choice)


def text(shape, pinned=None):
    """The program of a shape, all sizes static."""
    q = f"tensor<{shape.batch}x{shape.heads}x{shape.queries}x{shape.d}xf16>"
    k = f"tensor<{shape.batch}x{shape.key_heads}x{shape.keys}x{shape.d}xf16>"
    attributes = ["causal"] if shape.causal else []
    if pinned:
        attributes.append(f"sftile.schedules = [{pinned}]")
    return (f"func.func @{shape.name}(%q: {q}, %k: {k}, %v: {k}) -> {q} {{\n"
            f"  %o = sparseflow.attention %q, %k, %v {{{', '.join(attributes)}}}\n"
            f"    : {q}, {k}, {k} -> {q}\n  return %o : {q}\n}}\n")


def mapped_candidates(shape):
    """Those with tensor maps and producer warps, by name."""
    found = {}
    if shape.queries == 1:
        for keys, stages in ((64, 6), (128, 3)):
            for split in (132, 264, 528):
                found[f"m{keys}s{stages}b{split}"] = mapped(
                    64, keys=keys, stages=stages, packed=True, max_queries=1,
                    split_blocks=split, split_min_keys=128, grid=split)
        return found
    tiles = {64: ((192, 96, 3), (192, 112, 2), (128, 128, 2), (128, 160, 2),
                  (128, 192, 2), (64, 128, 4)),
             128: ((128, 128, 2), (128, 144, 2), (128, 160, 2), (128, 176, 2))}
    for queries, keys, stages in tiles[shape.d]:
        found[f"m{queries}k{keys}s{stages}"] = mapped(
            queries, keys=keys, stages=stages, grid=132, ping_pong=queries > 64,
            group=32)
    return found


def candidates(shape, target):
    """Schedules worth a try, by name."""
    if target == "sm_90a":
        return mapped_candidates(shape)
    if shape.queries == 1:
        found = {}
        for keys in (32, 64):
            for stages in (2, 4):
                for blocks in (528, 1056):
                    if keys * stages * shape.d * 4 > 100000:
                        continue
                    found[f"k{keys}s{stages}b{blocks}"] = schedule(
                        queries=16, warp=16, keys=keys, stages=stages,
                        holds_queries=True, packed=True, max_queries=1,
                        split_blocks=blocks, split_min_keys=128)
        return found
    found = {}
    for queries, warp in ((64, 16), (128, 16), (128, 32), (64, 32)):
        for keys in (32, 64, 128):
            for stages in (2,):
                for held in (False, True):
                    # What is bound to spill.
                    registers = warp * (shape.d + keys + (shape.d // 2 if held else 0)) // 32
                    shared = keys * shape.d * 4 * stages + (
                        0 if held else queries * shape.d * 2)
                    if registers > 200 or shared > 220000:
                        continue
                    if shape.keys <= 512 and queries > 128:
                        continue
                    name = f"q{queries}w{warp}k{keys}s{stages}{'h' if held else ''}"
                    found[name] = schedule(queries=queries, warp=warp, keys=keys,
                                           stages=stages, holds_queries=held)
    return found


# Checked on a GPU, with sizes given at run time: (type, d, d_v, layout, attributes,
# lengths, log-sum-exp).
_CHECKED = (
    ("f16", 32, 32, "bhsd", "causal", False, False),
    ("f16", 40, 40, "bshd", "", True, True),
    ("f16", 64, 64, "bhsd", "causal", True, False),
    ("f16", 64, 64, "bshd", "causal, window = 100 : i64", False, True),
    ("bf16", 96, 96, "bhsd", "", False, True),
    ("f16", 128, 128, "bhsd", "", False, False),
    ("f16", 128, 128, "bhsd", "causal", False, True),
    ("bf16", 128, 128, "bshd", "causal", True, False),
    ("f16", 192, 128, "bhsd", "causal", False, True),
    ("f16", 256, 256, "bhsd", "causal", False, False),
    ("bf16", 256, 256, "bhsd", "window = 64 : i64", True, False),
    ("f16", 33, 35, "bhsd", "causal", False, False),
)
LENGTHS = ((1, 1), (7, 59), (59, 7), (97, 111), (111, 113), (113, 257), (257, 257),
           (512, 512), (1, 1025), (1025, 1025), (2048, 2048), (1, 8192), (16, 8192),
           (8192, 8192))


def checked():
    """(name, text) of programs with dynamic sizes T (batch), T1, T2."""
    for index, (element, d, dv, layout, attributes, ragged, lse) in enumerate(_CHECKED):
        heads, key_heads = ((4, 4), (4, 2), (6, 2), (3, 1))[index % 4]

        def tensor(count, width):
            sizes = ("?", count, "?", width) if layout == "bhsd" else ("?", "?", count, width)
            return f"tensor<{'x'.join(map(str, sizes))}x{element}>"

        q, k = tensor(heads, d), tensor(key_heads, d)
        v, o = tensor(key_heads, dv), tensor(heads, dv)
        name = f"{element}_d{d}_{dv}_{index}"
        fields = [attributes] if attributes else []
        fields.append(f"layout = #sparseflow.attention_layout<{layout}>")
        lengths = " lengths(%n : tensor<?xi32>)" if ragged else ""
        results = [o] + ([f"tensor<?x{heads}x?xf32>"] if lse else [])
        values = ["%o"] + (["%l"] if lse else [])
        types = ", ".join(results)
        yield name, bool(lse), (
            f"func.func @{name}(%q: {q}, %k: {k}, %v: {v}"
            f"{', %n: tensor<?xi32>' if ragged else ''}) -> ({types}) {{\n"
            f"  {', '.join(values)} = sparseflow.attention %q, %k, %v{lengths} "
            f"{{{', '.join(fields)}}}\n    : {q}, {k}, {v} -> {types}\n"
            f"  return {', '.join(values)} : {types}\n}}\n")

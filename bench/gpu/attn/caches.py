"""What `scripts/bench quantized-attention` measures: sizes, some of a list and some drawn at
random, forms of caches, their programs, and the bytes of a cache's pages."""

import functools
import random
from dataclasses import dataclass, replace

from attn import points

# Bits of keys and values, what shares a scale (f16), and what the format calls the numbers.
FORMS = {"f16": (16, "", ""), "int8": (8, "token", "int8"), "e4m3": (8, "token", "e4m3"),
         "int4": (4, "token", "int4"), "int8_64": (8, "token x 64", "int8"),
         "int4_32": (4, "token x 32", "int4")}
LARGEST = {"int8": 127, "int4": 7, "e4m3": 448}
# Below that much of keys and values in f16 a cache is not one of those that are meant.
LEAST = 256_000_000
_MOST = 1_100_000_000
_FLOPS = 1.5e12  # Of the many queries of a point; two kernels of 3 ms.
TOKENS = 64      # Of a page of the format.
UNUSED = 3       # Pages that no entry has.


@dataclass(frozen=True)
class Point(points.Point):
    """Queries behind a cache; all entries have all of its keys. `page`: of a table, which
    leaves some pages out."""

    @property
    def cache_bytes(self):
        """Of keys and values in f16."""
        return 4 * self.batch * self.key_heads * self.keys * self.d

    @property
    def plain(self):
        """The same without a page table, as libraries take it."""
        return replace(self, page=0)

    def pages(self):
        return super().pages() + UNUSED

    def program(self, form):
        return f"{self.name}.{form}"

    def cache_text(self, form):
        """The program with keys and values in a form."""
        bits, scale, number = FORMS[form]
        if bits == 16:
            return self.text()
        return self.text([f", #sparseflow.quantized<{side}_{number}, scale = {scale} : f16>"
                          for side in ("key", "value")])


def _point(part, batch, heads, queries, keys, d, page=0):
    return Point(part, batch, *heads, queries, keys, d, causal=queries > 1, page=page)


def listed():
    """Caches as servers have them."""
    return [
        _point("one query", 16, (32, 8), 1, 8192, 128),
        _point("one query", 64, (32, 8), 1, 4096, 128, 64),
        _point("one query", 8, (32, 8), 1, 32768, 128, 64),
        _point("one query", 1, (32, 8), 1, 131072, 128),
        _point("one query", 16, (32, 32), 1, 4096, 128),
        _point("one query", 32, (32, 8), 1, 8192, 64),
        _point("one query", 16, (64, 8), 1, 8192, 128),
        _point("one query", 8, (28, 4), 1, 32768, 128, 256),
        _point("many queries", 8, (32, 8), 2048, 8192, 128),
        _point("many queries", 8, (32, 8), 512, 8192, 128, 64),
        _point("many queries", 2, (32, 8), 1024, 32768, 128),
        _point("many queries", 1, (32, 8), 2048, 65536, 128, 64),
        _point("many queries", 32, (32, 8), 128, 2048, 128),
        _point("many queries", 16, (16, 16), 1024, 4096, 64),
    ]


def drawn(seed, count):
    """Two points of one query for each of many."""
    source = random.Random(seed)
    found, names = [], set()
    while len(found) < count:
        page = source.choice((0, 0, 64, 64, 128, 192, 256))
        d = source.choice((64, 72, 80, 96, 112, 128, 128, 128))
        key_heads = source.choice((1, 2, 4, 8, 8, 16))
        heads = key_heads * source.choice((1, 2, 4, 4, 5, 7, 8, 16))
        batch = max(1, round(2 ** source.uniform(0, 7)))
        size = source.uniform(LEAST * 1.02, _MOST)
        unit = page or TOKENS
        keys = round(size / (4 * batch * key_heads * d) / unit) * unit
        queries = 1 if len(found) % 3 != 2 else round(2 ** source.uniform(5, 11.3))
        point = _point("one query" if queries == 1 else "many queries", batch,
                       (heads, key_heads), queries, keys, d, page)
        if not 512 <= keys <= 1 << 18 or heads > 64 or queries > keys or \
                point.cache_bytes < LEAST or point.name in names or \
                (queries > 1 and point.work() > _FLOPS):
            continue
        names.add(point.name)
        found.append(point)
    return found


def all_points(seed, count):
    return listed() + drawn(seed, count)


# --- a page's bytes, as docs/formats/quantized-cache.md has them --------------------------


def page_bytes(d, form):
    """Of the numbers of a page, and of all of it."""
    bits, scale, _ = FORMS[form]
    unit = 32 if bits == 8 else 64
    numbers = -(-d // unit) * unit * TOKENS * bits // 8
    return numbers, numbers + 2 * TOKENS * groups(d, scale)


def groups(d, scale):
    """Scales of a token."""
    return -(-d // int(scale.split()[-1])) if "x" in scale else 1


def places(d, form, side):
    """Where the number of position s and feature f lies in a page, for 64 positions and the
    features with padding: {(s, f): (byte, bit)}."""
    bits = FORMS[form][0]
    width = 32 if bits == 8 else 64
    padded = -(-d // width) * width
    found = {}
    for s in range(TOKENS):
        for f in range(padded):
            k, row = (f, s) if side == "key" else (s, f)
            chunk = s // 16 * (padded // width) + f // width
            lane = 4 * (row % 8) + k % 8 // 2
            field = f // 8 % 2 + 2 * (s // 8 % 2)
            if bits == 8:
                word, bit = 2 * (f // 16 % 2) + field // 2, 16 * (k % 2) + 8 * (field % 2)
            else:
                word, bit = f // 16 % 4, 16 * (k % 2) + 4 * field
            found[s, f] = 512 * chunk + 16 * lane + 4 * word + bit // 8, bit % 8
    return found


@functools.lru_cache(maxsize=None)
def sources(d, form, side):
    """For each byte of a page's numbers, from which elements of [64, padded features] it
    comes: lists of indices, the lower bits first."""
    bits = FORMS[form][0]
    known = places(d, form, side)
    padded = len(known) // TOKENS
    numbers, _ = page_bytes(d, form)
    lists = [[0] * numbers for _ in range(8 // bits)]
    for (s, f), (byte, bit) in known.items():
        lists[bit // bits][byte] = s * padded + f
    return padded, lists


def quantized(torch, x, form):
    """(bits of the numbers as uint8, scales in f16, values in f32) of x [..., d], by the rule
    of an append."""
    _, scale, number = FORMS[form]
    d, count = x.shape[-1], groups(x.shape[-1], scale)
    each = -(-d // count) if count == 1 else int(scale.split()[-1])
    padded = torch.nn.functional.pad(x, (0, count * each - d))
    top = LARGEST[number]
    scales = (padded.unflatten(-1, (count, each)).abs().amax(-1) / top).half()
    wide = scales.float().repeat_interleave(each, -1)[..., :d]
    ratio = x / wide
    if number == "e4m3":
        numbers = ratio.clamp(-top, top).to(torch.float8_e4m3fn)
        return numbers.view(torch.uint8), scales, numbers.float() * wide
    numbers = ratio.round().clamp(-top, top)
    return numbers.to(torch.int8).view(torch.uint8), scales, numbers * wide


def packed(torch, numbers, scales, form, side):
    """The pages [..., pages, bytes] of numbers [..., S, d] and scales [..., S, groups]."""
    *outer, length, d = numbers.shape
    padded, lists = sources(d, form, side)
    flat = torch.nn.functional.pad(numbers, (0, padded - d)).reshape(-1, TOKENS * padded)
    bits = FORMS[form][0]
    held = None
    for number, indices in enumerate(lists):
        index = torch.tensor(indices, dtype=torch.int32, device=numbers.device)
        part = (flat.index_select(1, index) & (2 ** bits - 1)) << (bits * number)
        held = part if held is None else held | part
    # Number 64 j + s is that of position s and group j.
    ordered = scales.reshape(-1, TOKENS, scales.shape[-1]).transpose(1, 2).contiguous()
    tail = ordered.view(torch.uint8).reshape(len(held), -1)
    return torch.cat([held, tail], 1).view(*outer, length // TOKENS, -1)

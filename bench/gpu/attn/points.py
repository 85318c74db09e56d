"""The points of the sweep of attention: a random part, and the rows of a fixed list."""

import random
from dataclasses import dataclass, replace

# What a random point may cost: a kernel of some milliseconds, and its reference.
_FLOPS, _ELEMENTS, _BYTES = 1.2e12, 4e9, 1 << 30
_SIZES = (64, 64, 64, 80, 96, 112, 128, 128, 128, 128, 192, 256, 256)
FEW = 16  # Queries up to which reading keys and values is what takes the time.


@dataclass(frozen=True)
class Point:
    """f16, sizes known when compiled. `ragged`: keys of an entry uniform between
    `shortest` and `keys`, the query at the last of them. `page`: keys of a page, 0 for
    none. `varlen`: sequences of those lengths follow one another, queries and keys alike,
    [1, tokens, heads, d]; with `page` queries alone, each sequence's last `queries` (or as
    many as it has keys), behind keys and values in pages. `part`: the part of the sweep.
    `latent`: so many of the first features of a key are its value, and there is one cache;
    0 for values of their own, of `d` features."""

    part: str
    batch: int
    heads: int
    key_heads: int
    queries: int
    keys: int
    d: int
    causal: bool = False
    window: int = 0
    shortest: int = 0
    page: int = 0
    latent: int = 0
    varlen: bool = False

    @property
    def values(self):
        """Features of a value."""
        return self.latent or self.d

    @property
    def ragged(self):
        return self.shortest > 0

    @property
    def name(self):
        heads = (f"{self.heads}" if self.heads == self.key_heads
                 else f"{self.heads}_{self.key_heads}")
        length = (f"{self.keys}" if self.queries == self.keys
                  else f"{self.queries}_{self.keys}")
        return (f"b{self.batch}_h{heads}_s{length}_d{self.d}"
                + ("_causal" if self.causal else "")
                + (f"_w{self.window}" if self.window else "")
                + (f"_from{self.shortest}" if self.ragged else "")
                + (f"_p{self.page}" if self.page else "")
                + (f"_v{self.latent}" if self.latent else "")
                + ("_varlen" if self.varlen else ""))

    @property
    def form(self):
        """A line of the heat map."""
        if self.latent:
            return "one query, latent"
        if self.ragged:
            return "ragged, " + ("one query" if self.queries == 1 else "causal")
        if self.queries <= FEW:
            return ("one query" if self.queries == 1 else "2 to 16 queries") + (
                ", window" if self.window else "")
        if self.window:
            return "window"
        if self.causal:
            return "causal" if self.queries == self.keys else "causal behind a cache"
        return "full"

    def lengths(self):
        """Keys of each entry that count."""
        if not self.ragged:
            return [self.keys] * self.batch
        # Packed queries, in pages or not, have the same.
        page = 0 if self.varlen else self.page
        source = random.Random(replace(self, varlen=False, page=page).name)
        return [source.randint(self.shortest, self.keys) for _ in range(self.batch)]

    def chunks(self):
        """Queries of each entry that count."""
        return [min(self.queries, length) for length in self.lengths()]

    def alike(self):
        """What libraries run beside it: entries of one length, for one query of as many
        bytes, for more padded."""
        if not self.ragged and not self.page:
            return self
        keys = (round(sum(self.lengths()) / self.batch) if self.queries == 1
                else self.keys)
        return replace(self, keys=keys, shortest=0, page=0, varlen=False)

    def work(self):
        """Bytes of keys and values for few queries, else FLOPs that masks leave."""
        if self.queries <= FEW:
            stored = self.d if self.latent else 2 * self.d
            return sum(min(length, self.window + self.queries - 1) if self.window
                       else length for length in self.lengths()
                       ) * 2 * self.key_heads * stored
        pairs = 0
        for length in self.lengths():
            first = length - self.queries  # The position of query 0.
            for i in range(self.queries):
                last = first + i if self.causal else length - 1
                low = max(0, first + i - self.window + 1) if self.window else 0
                if self.window and not self.causal:
                    last = min(last, first + i + self.window - 1)
                pairs += max(0, last - low + 1)
        return 2 * pairs * self.heads * (self.d + self.values)

    def text(self, encodings=("", "")):
        """The program; keys and values may have encodings."""
        if self.varlen:
            return self._chunks() if self.page else self._sequences()
        q = f"tensor<{self.batch}x{self.heads}x{self.queries}x{self.d}xf16>"
        rows = self.batch, self.keys
        given, clauses = [], ""
        if self.ragged:
            given.append(f"%n: tensor<{self.batch}xi32>")
            clauses += f" lengths(%n : tensor<{self.batch}xi32>)"
        if self.page:
            rows = self.pages(), self.page
            table = f"tensor<{self.batch}x{self.columns()}xi32>"
            given.append(f"%t: {table}")
            clauses += f" pages(%t : {table})"
        k, v_type = (f"tensor<{rows[0]}x{self.key_heads}x{rows[1]}x{self.d}xf16{encoding}>"
                     for encoding in encodings)
        fields = (["causal"] if self.causal else []) + (
            [f"window = {self.window} : i64"] if self.window else [])
        o, v = q, "%v"
        if self.latent:
            o = f"tensor<{self.batch}x{self.heads}x{self.queries}x{self.latent}xf16>"
            v = "%k"
            fields.append(f"value_features = {self.latent} : i64")
        arguments = ", ".join([f"%q: {q}", f"%k: {k}",
                               *([] if self.latent else [f"%v: {v_type}"]), *given])
        return (f"func.func @attention({arguments}) -> {o} {{\n"
                f"  %o = sparseflow.attention %q, %k, {v}{clauses} {{{', '.join(fields)}}}\n"
                f"    : {q}, {k}, {v_type} -> {o}\n  return %o : {o}\n}}\n")

    def _sequences(self):
        tokens = sum(self.lengths())
        q, k = (f"tensor<1x{tokens}x{heads}x{self.d}xf16>"
                for heads in (self.heads, self.key_heads))
        cu = f"tensor<{self.batch + 1}xi32>"
        return (f"func.func @attention(%q: {q}, %k: {k}, %v: {k}, %cu: {cu}) -> {q} {{\n"
                f"  %o = sparseflow.attention %q, %k, %v cu_seqlens(%cu, %cu : {cu}, {cu})\n"
                "    {causal, layout = #sparseflow.attention_layout<bshd>}\n"
                f"    : {q}, {k}, {k} -> {q}\n  return %o : {q}\n}}\n")

    def _chunks(self):
        tokens = sum(self.chunks())
        q = f"tensor<1x{tokens}x{self.heads}x{self.d}xf16>"
        k = f"tensor<{self.pages()}x{self.page}x{self.key_heads}x{self.d}xf16>"
        n, cu = (f"tensor<{count}xi32>" for count in (self.batch, self.batch + 1))
        t = f"tensor<{self.batch}x{self.columns()}xi32>"
        return (f"func.func @attention(%q: {q}, %k: {k}, %v: {k}, %n: {n}, %t: {t}, %cu: {cu})"
                f" -> {q} {{\n"
                f"  %o = sparseflow.attention %q, %k, %v lengths(%n : {n}) pages(%t : {t})\n"
                f"    cu_seqlens(%cu : {cu})\n"
                "    {causal, layout = #sparseflow.attention_layout<bshd>}\n"
                f"    : {q}, {k}, {k} -> {q}\n  return %o : {q}\n}}\n")

    def columns(self):
        return -(-self.keys // self.page)

    def pages(self):
        """Pages in memory, as many as entries have."""
        return sum(-(-length // self.page) for length in self.lengths())


def listed():
    """One query and few heads on long caches; ragged decode and prefill; heads of 256
    features; a chunk behind a cache; one query of 128 heads on one latent cache."""
    found = []
    for heads, key_heads, d in ((16, 2, 64), (28, 4, 128), (8, 1, 256)):
        for keys in (2000, 8000, 16000, 32000, 64000):
            for batch in (1, 2, 4, 8):
                found.append(Point("few heads", batch, heads, key_heads, 1, keys, d))
    for batch in (16, 64):
        found.append(Point("ragged decode", batch, 32, 8, 1, 8000, 128, shortest=100,
                           page=64))
        found.append(Point("ragged decode", batch, 32, 8, 1, 8000, 128, shortest=100))
    for length in (1000, 2048, 4096, 8192):
        for causal in (False, True):
            for heads, key_heads in ((8, 8), (16, 4)):
                batch = max(1, 8192 // length)
                found.append(Point("heads of 256", batch, heads, key_heads, length, length,
                                   256, causal))
    for batch, keys in ((8, 4096), (16, 2048), (64, 1024)):
        ragged = Point("ragged prefill", batch, 32, 8, keys, keys, 128, True,
                       shortest=keys // 8)
        found += [ragged, replace(ragged, varlen=True), replace(ragged, varlen=True, page=64)]
    for batch in (1, 4):
        for chunk, keys in ((2048, 8192), (512, 6656)):
            cached = Point("chunked prefill", batch, 32, 8, chunk, keys, 128, True)
            found += [cached, replace(cached, varlen=True, page=64)]
    found.append(Point("chunked prefill", 8, 32, 8, 2048, 8192, 128, True, shortest=2048,
                       page=64, varlen=True))
    for keys in (4096, 8192, 16384, 32768):
        for batch in (1, 2, 4, 8, 16, 32, 64):
            found.append(Point("latent", batch, 128, 1, 1, keys, 576, latent=512))
    return found


def drawn(seed, count):
    """`count` points of all forms, different for each seed."""
    source = random.Random(seed)
    found, names = [], set()

    def between(low, high):
        """As many in each octave; now and then a round number."""
        value = 2 ** source.uniform(low, high)
        return max(1, round(value / 64) * 64 if value > 256 and source.random() < 0.3
                   else round(value))

    while len(found) < count:
        batch, d = between(0, 5.5), source.choice(_SIZES)
        key_heads = source.choice((1, 2, 4, 8, 8, 16, 32))
        heads = key_heads * source.choice((1, 1, 2, 4, 4, 7, 8))
        form = source.random()
        causal, window = source.random() < 0.6, 0
        if form < 0.30:
            queries, keys, causal = 1, between(7, 16), False
        elif form < 0.40:
            queries, keys, causal = source.randint(2, FEW), between(8, 15), True
        elif form < 0.55:
            queries = between(5, 11)
            keys = queries + between(6, 13)
        else:
            queries = keys = between(5, 13.2)
            if form > 0.88 and keys > 256:
                causal, window = True, between(6, 11)
                window = window if window < keys else keys // 2
        pairs = batch * heads * queries * keys
        if heads > 64 or pairs > _ELEMENTS or 4 * pairs * d > _FLOPS or \
                4 * batch * key_heads * keys * d > _BYTES:
            continue
        point = Point("random", batch, heads, key_heads, queries, keys, d, causal, window)
        if point.name not in names:
            names.add(point.name)
            found.append(point)
    return found


def points(seed, count):
    return listed() + drawn(seed, count)

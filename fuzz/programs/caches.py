"""Programs of attention on caches: ternary, of 8 and 4 bits, in pages that a table names,
latent; and appends to them."""

from attention import FEATURES, attend, bounds, head_sizes
from builder import Tensor

# Features of latent rows, and how many of them are values.
LATENT = ((40, 32), (80, 64), (96, 64), (144, 128), (192, 128), (288, 256), (576, 512))


def ternary_type(program, storage, d):
    scale = program.rng.choice(["token", "token", "head"] +
                               [str(c) for c in (32, 64, 128) if c <= d])
    return f"#sparseflow.ternary<{storage}, scale = {scale} : {program.any_type()}>"


def number_type(program, side, d):
    """A cache of 8 or 4 bits, or of floats of 8; `side`: key or value."""
    scale = program.rng.choice(["token", "token"] +
                               [f"token x {c}" for c in (32, 64, 128) if c <= d])
    bits = program.rng.choice(["int8", "int4", "e4m3"])
    return (f"#sparseflow.quantized<{side}_{bits}, scale = {scale} : "
            f"{program.any_type()}>")


def common(program, b, sq):
    """The sizes' names of batch entries and queries, and the type."""
    rng = program.rng
    return (program.size("B", b, rng.random() < 0.4),
            program.size("S", sq, rng.random() < 0.5), program.float_type())


def cached(program):
    """Ternary keys, or keys and values, or both of 8 and 4 bits."""
    rng = program.rng
    b, h, g, sq, sk = bounds(program, (1, 2, 3, 7, 16, 33, 65), (64, 128, 192, 256))
    d, dv = head_sizes(program, 128)  # as many as GPUs take
    b, sq, dtype = common(program, b, sq)
    sk = program.size("L", sk, rng.random() < 0.6)
    q = program.argument([b, h, sq, d], dtype)
    numbers = rng.random() < 0.5
    if numbers:
        keys, values = number_type(program, "key", d), number_type(program, "value", dv)
    else:
        keys = ternary_type(program, "key_planes", d)
        values = ternary_type(program, "value_planes", dv) if rng.random() < 0.6 else None
    k = program.argument([b, g, sk, d], dtype, keys)
    v = program.argument([b, g, sk, dv], dtype, values)
    lengths = program.argument([b], "i32") if rng.random() < 0.6 else None
    attend(program, q, k, v, b, h, sq, sk, "bhsd", lengths, ternary=not numbers)


def page_table(program, b, page, keys, dynamic):
    """A table of as many columns as make `keys`, and the pages that there are."""
    rng = program.rng
    columns = max(1, keys // page)
    # As many pages as entries name, fewer, which they share, or none.
    pages = rng.choice([program.of([b])[0] * columns, rng.choice([1, 2, 5]), 3])
    if rng.random() < 0.03:
        pages = 0
    pages = program.size("P", pages, rng.random() < 0.7 or not pages)
    columns = program.size("C", columns, dynamic)
    return pages, columns


def table_of(program, b, columns, pages):
    return program.argument([b, columns], "i32",
                            whole=(0, max(0, program.of([pages])[0] - 1)))


def paged(program):
    """Keys and values in pages, dense or of 8 and 4 bits."""
    rng, numbers = program.rng, program.rng.random() < 0.5
    page = rng.choice([64, 64, 128, 192, 256]) if numbers else \
        rng.choice([16, 32, 48, 64, 80, 128, 256])
    b, h, g, sq, sk = bounds(program, (1, 2, 3, 7, 16, 33, 65), (64, 128, 192, 256))
    sk = max(page, sk // page * page)
    d, dv = head_sizes(program, 128)
    b, sq, dtype = common(program, b, sq)
    dynamic = rng.random() < 0.5
    pages, columns = page_table(program, b, page, sk, dynamic)
    layout = "bhsd" if numbers else rng.choice(["bhsd", "bshd"])

    def ordered(count, heads, rows, features):
        return [count, heads, rows, features] if layout == "bhsd" else \
            [count, rows, heads, features]
    q = program.argument(ordered(b, h, sq, d), dtype)
    k = program.argument(ordered(pages, g, page, d), dtype,
                         number_type(program, "key", d) if numbers else None)
    v = program.argument(ordered(pages, g, page, dv), dtype,
                         number_type(program, "value", dv) if numbers else None)
    lengths = program.argument([b], "i32", whole=(-2, sk + 3)) \
        if rng.random() < 0.8 else None
    table = table_of(program, b, columns, pages)
    attend(program, q, k, v, b, h, sq, None if dynamic else sk, layout, lengths, table)


def latent(program):
    """Values that are the first features of the keys' rows, or of wider rows."""
    rng = program.rng
    d, dv = rng.choice(LATENT)
    b, h, g, sq, sk = bounds(program, (1, 2, 3, 7), (16, 33, 64, 100, 128, 200),
                             2_000_000 // d)
    if rng.random() < 0.7:
        h, g = h // g, 1
    b, sq, dtype = common(program, b, sq)
    q = program.argument([b, h, sq, d], dtype)
    table = None
    if rng.random() < 0.3:
        page, dynamic = rng.choice([16, 32, 64]), rng.random() < 0.5
        sk = max(page, sk // page * page)
        pages, columns = page_table(program, b, page, sk, dynamic)
        k = program.argument([pages, g, page, d], dtype)
        lengths = program.argument([b], "i32", whole=(-2, sk + 3))
        table = table_of(program, b, columns, pages)
        sk = None if dynamic else sk
    else:
        sk = program.size("L", sk, rng.random() < 0.6)
        k = program.argument([b, g, sk, d], dtype)
        lengths = program.argument([b], "i32") if rng.random() < 0.5 else None
    attend(program, q, k, k, b, h, sq, sk, "bhsd", lengths, table, value_features=dv)


def owned_pages(program, b, page, tokens, wide):
    """Pages and columns: a page for each that tokens may be written to, perhaps some that are
    none's, or none at all, which no table names."""
    rng, spans = program.rng, min(wide, (tokens + page - 2) // page + 1)
    pages = program.of([b])[0] * spans + rng.choice([0, 0, 1, 4])
    if rng.random() < 0.03:
        pages = wide = 0
    return (program.size("P", pages, rng.random() < 0.7 or not pages),
            program.size("C", wide, rng.random() < 0.5 or not wide))


def appended(program, cache, new, lengths, table, layout, method=""):
    """The cache with new tokens."""
    clause = f" pages({table.name} : {table.type})" if table else ""
    if layout == "bshd":
        method += " {layout = #sparseflow.attention_layout<bshd>}"
    name = program.fresh("y")
    program.lines.append(
        f"{name} = sparseflow.cache_append {cache.name}, {new.name} at {lengths.name}"
        f"{clause}{method} : {cache.type}, {new.type}, {lengths.type}")
    return Tensor(name, cache.shape, cache.dtype, cache.type, None, 1e4, cache.encoding)


def append(program):
    """New tokens of a cache. Its meaning is the library's, as a cache's bits are."""
    rng, kind = program.rng, program.rng.choice(["ternary", "numbers", "dense"])
    g, d, dtype = rng.choice([1, 2, 3]), rng.choice(FEATURES), program.float_type()
    page = rng.choice([64, 128, 192]) if kind == "numbers" else \
        rng.choice([16, 48, 64, 128])
    layout = rng.choice(["bhsd", "bshd"]) if kind == "dense" else "bhsd"
    encoding, method, columns = None, "", None
    if kind == "ternary":
        encoding = ternary_type(program, rng.choice(["key_planes", "value_planes"]), d)
        method = f" by <{rng.choice(['twn', 'absmean'])}>"
    elif kind == "numbers":
        encoding = number_type(program, rng.choice(["key", "value"]), d)
    if kind != "ternary" and rng.random() < 0.5:
        b = program.size("B", rng.choice([1, 1, 2, 3]), rng.random() < 0.5)
        tokens, wide = rng.choice([1, 1, 3, 17, page, page + 5]), rng.choice([1, 2, 3])
        first, columns = owned_pages(program, b, page, tokens, wide)
        rows, room = page, wide * page
    else:
        b = program.size("B", rng.choice([1, 2, 3]), rng.random() < 0.5)
        room = rng.choice([64, 128, 192])
        first, rows = b, program.size("L", room, rng.random() < 0.6)
        tokens = rng.choice([1, 2, 17, 64, 65])
    tokens = program.size("S", tokens, rng.random() < 0.5)

    def ordered(count, positions):
        return [count, g, positions, d] if layout == "bhsd" else [count, positions, g, d]
    cache = program.argument(ordered(first, rows), dtype, encoding)
    new = program.argument(ordered(b, tokens), dtype)
    lengths = program.argument([b], "i32", whole=(-2, room + 3))
    table = table_of(program, b, columns, first) if columns else None
    program.give(appended(program, cache, new, lengths, table, layout, method))


def grown(program):
    """New tokens of caches of keys and values, and attention on what these became: a prompt,
    a part of one, or a step. Its meaning is the library's, as an append's is."""
    rng, kind = program.rng, program.rng.choice(["ternary", "ternary", "numbers", "dense"])
    b, h, g, sq, sk = bounds(program, (2, 3, 7, 16, 33, 65, 70), (64, 128, 192), 40_000)
    d, dv = head_sizes(program, 128)
    page = rng.choice([64, 64, 128]) if kind == "numbers" else rng.choice([16, 48, 64])
    in_pages = kind != "ternary" and rng.random() < 0.6
    tokens, wide = sq, max(1, sk // page)
    b, sq, dtype = common(program, b, sq)
    layout = rng.choice(["bhsd", "bshd"]) if kind == "dense" else "bhsd"
    if in_pages:
        first, columns = owned_pages(program, b, page, tokens, wide)
        rows = page
    else:
        first, rows = b, program.size("L", sk, rng.random() < 0.6)
    encodings, method = (None, None), ""
    if kind == "ternary":
        encodings = (ternary_type(program, "key_planes", d),
                     ternary_type(program, "value_planes", dv) if rng.random() < 0.7 else None)
        method = f" by <{rng.choice(['twn', 'absmean'])}>"
    elif kind == "numbers":
        encodings = number_type(program, "key", d), number_type(program, "value", dv)

    def tensor(count, heads, positions, features, encoding=None):
        shape = [count, heads, positions, features] if layout == "bhsd" else \
            [count, positions, heads, features]
        return program.argument(shape, dtype, encoding)
    q = tensor(b, h, sq, d)
    lengths = program.argument([b], "i32")
    table = table_of(program, b, columns, first) if in_pages else None
    caches = []
    for features, encoding in zip((d, dv), encodings):
        cache = tensor(first, g, rows, features, encoding)
        new = tensor(b, g, sq, features)
        caches.append(appended(program, cache, new, lengths, table, layout,
                               method if encoding else ""))
    behind = program.argument([b], "i32")
    keys = rows if not in_pages else None
    attend(program, q, *caches, b, h, sq, keys, layout, behind, table, ternary=kind == "ternary")
    program.give(*caches)

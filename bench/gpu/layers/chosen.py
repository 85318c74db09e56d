"""Which kernel serves so many tokens, and how it fills the GPU: the reason of a time."""

import re

_FIELD = re.compile(r"(\w+) = (\[[^]]*\]|[\w.]+)")


def schedule(entry, t):
    """{"name", "block", "split_k"} of the matmul that a program launches for t tokens, or
    None: `entry` of the index lists the kernels' schedules."""
    found = {}
    for kernel in entry.get("kernels", {}).values():
        text = kernel.get("schedule", "")
        fields = dict(_FIELD.findall(text))
        if "block" not in fields or '"' not in text or "k" not in fields:
            continue
        # Rows for unaligned pointers have no limit of tokens either.
        if ".unaligned" in text.split('"')[1]:
            continue
        most = int(fields.get("max_tokens", 0)) or float("inf")
        block = [int(size) for size in fields["block"].strip("[]").split(",")]
        found.setdefault(most, {"name": text.split('"')[1], "block": block,
                                "split_k": int(fields.get("split_k", 1))})
    serving = [most for most in found if most >= t]
    return found[min(serving)] if serving else None


def reason(chosen, n, t, sms=132):
    """Its blocks in waves of the SMs, and the share of its tiles that is real."""
    features, tokens = chosen["block"]
    feature_tiles, token_tiles = -(-n // features), -(-t // tokens)
    blocks = feature_tiles * token_tiles * chosen["split_k"]
    waves = -(-blocks // sms)
    busy = blocks / (waves * sms)
    full = n * t / (feature_tiles * features * token_tiles * tokens)
    split = f", split-K {chosen['split_k']}" if chosen["split_k"] > 1 else ""
    return (f"{features} x {tokens}{split}: {blocks} blocks, {waves} "
            f"{'wave' if waves == 1 else 'waves'}, {busy:.0%} of the SMs busy, "
            f"tiles {full:.0%} full")

"""Which kernel serves so many tokens, and how it fills the GPU: the reason of a time."""


def schedule(entry, t):
    """{"name", "block", "split_k"} of the matmul that a program launches for t tokens, or
    None: `entry` of the index lists the intervals of tokens."""
    for interval in entry.get("intervals", []):
        if interval["max_tokens"] is None or t <= interval["max_tokens"]:
            return {name: interval[name] for name in ("name", "block", "split_k")}
    return None


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

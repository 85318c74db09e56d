"""Attention in float64 on the GPU, in parts that fit, and what f16 may differ from it."""

# Scores that are in memory at a time, in float64.
_SCORES = 1 << 26


def _allowed(torch, point, lengths, queries, device):
    """[entries, queries, keys] of bool, or None where each query may see each key."""
    if not (point.causal or point.window or point.ragged):
        return None
    key = torch.arange(point.keys, device=device)
    length = torch.tensor(lengths, device=device).view(-1, 1, 1)
    place = queries.view(1, -1, 1) + length - point.queries
    allowed = (key < length).expand(len(lengths), len(queries), point.keys)
    if point.causal:
        allowed = allowed & (key <= place)
    if point.window:
        allowed = allowed & (key > place - point.window) & (key < place + point.window)
    return allowed


class Expected:
    """What a point's operands give; `magnitude` is sum_j p_j |v_j|."""

    def __init__(self, torch, point, q, k, v):
        self.torch = torch
        self.result = torch.empty((*q.shape[:-1], point.values), dtype=torch.float32,
                                  device=q.device)
        self.magnitude = torch.empty_like(self.result)
        group = point.heads // point.key_heads
        lengths = point.lengths()
        row = point.heads * point.keys
        together = max(1, min(point.queries, _SCORES // row))
        entries = max(1, _SCORES // (row * together))
        for first in range(0, point.batch, entries):
            some = slice(first, min(point.batch, first + entries))
            keys, values = k[some].double(), v[some].double()
            both = torch.cat([values, values.abs()], -1)
            for start in range(0, point.queries, together):
                rows = slice(start, min(point.queries, start + together))
                count = rows.stop - rows.start
                left = q[some, :, rows].double().reshape(
                    -1, point.key_heads, group * count, point.d)
                scores = left @ keys.transpose(-1, -2) * point.d ** -0.5
                allowed = _allowed(torch, point, lengths[some],
                                   torch.arange(rows.start, rows.stop, device=q.device),
                                   q.device)
                if allowed is not None:
                    shape = (-1, point.key_heads, group, count, point.keys)
                    scores = scores.view(shape).masked_fill_(
                        ~allowed[:, None, None], float("-inf")).view(scores.shape)
                # A row without keys is a row of zeros.
                weights = torch.softmax(scores, -1).nan_to_num_(0.0)
                width = point.values
                found = (weights @ both).view(-1, point.heads, count, 2 * width)
                self.result[some, :, rows] = found[..., :width].float()
                self.magnitude[some, :, rows] = found[..., width:].float()
                del scores, weights, found

    def check(self, y, roundings=1):
        """(right, relative error) of f16 results. P is rounded to 11 bits so many times, the
        result once; as much as for one is left for scores in f32 and P of 2^-14 and less. P's
        errors are independent, so the error's norm is far below the sum of bounds: at
        most 2^-10 of the result's."""
        difference = (y.float() - self.result).abs_()
        bound = (self.magnitude * (roundings + 1) + self.result.abs()) * 2.0 ** -11 + 2.0 ** -24
        relative = (difference.norm() / self.result.norm()).item()
        # Comparisons with NaN fail.
        right = bool((difference <= bound).all()) and relative <= 2.0 ** -10
        return right, relative if relative == relative else None

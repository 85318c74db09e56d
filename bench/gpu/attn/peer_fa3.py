"""FlashAttention-3 as vLLM's package has it (PyPI), called as vLLM does: packed queries, and
keys and values packed, in pages, or in entries of some length."""

from attn import points, served

# What vLLM allows in CUDA graphs; 0 is the library's own choice.
SPLITS = (0, 32)
LIBRARY = "vllm_flash_attn/_vllm_fa3_C.abi3.so"
PAGE = 64  # Into which a latent cache is divided for it: consecutive ones.


class FlashAttention3:
    NAME, PACKAGE = served.FLASH_ATTENTION_3, "vllm"

    def __init__(self, torch):
        torch.ops.load_library(str(served.installed(self.PACKAGE, LIBRARY)))
        self.torch, self.library = torch, torch.ops._vllm_fa3_C

    @staticmethod
    def _mask(point):
        """(is it causal, keys to the left, keys to the right); -1: all."""
        if not point.window:
            return point.causal, -1, -1
        return False, point.window - 1, 0 if point.causal else point.window - 1

    def _run(self, point, q, k, v, bounds, q_v=None, key_bounds=None, lengths=None, table=None,
             schedule=None, splits=0):
        causal, left, right = self._mask(point)
        return self.library.fwd(
            q, k, v, None, None, q_v, None, bounds, key_bounds, None, None, lengths,
            point.queries, point.keys, table, None, None, None, None, None, None, None, None,
            point.d ** -0.5, causal, left, right, 0.0, True, schedule, splits, None, 0, None,
            1, 0, None)[0]

    def _scheduled(self, point, shape, sets, bounds, lengths, table=None, page=None, d=None):
        """{how: function of a set's number} of caches with lengths. What the kernel's launch is
        planned by, a step of a server computes once for all of its layers. Results have
        `shape`."""
        found = {}
        causal, left, right = self._mask(point)
        # More queries than a few are launched outside of graphs, with its own choice.
        for splits in SPLITS if point.queries <= points.FEW else SPLITS[:1]:
            schedule = self.library.get_scheduler_metadata(
                point.batch, point.queries, point.keys, point.heads, point.key_heads,
                d or point.d, point.values, self.torch.float16, lengths, bounds, None, None,
                None, None, page, 0, causal, left, right, False, splits, None, 0)

            def run(copy, schedule=schedule, splits=splits):
                q, k, v, *more = sets[copy]
                return shape(self._run(point, q, k, v, bounds, *more, lengths=lengths,
                                       table=table, schedule=schedule, splits=splits))
            found[f"at most {splits} splits" if splits else "its own splits"] = run
        return found

    def _bounds(self, point, length):
        """Of queries, or keys, of entries that have as many."""
        return self.torch.arange(point.batch + 1, dtype=self.torch.int32,
                                 device="cuda") * length

    def runs(self, torch, laid):
        point = laid.point
        if point.latent:
            return self._latent(laid)
        if point.varlen:
            sets = [(q[0], *(x if point.page else x[0] for x in (k, v)))
                    for q, k, v in laid.sets]
            if point.page:
                return self._scheduled(point, lambda y: y.unsqueeze(0), sets, laid.bounds,
                                       laid.lengths, served.readable(laid.table), point.page)
            return {"packed": lambda copy: self._run(
                point, *sets[copy], laid.bounds, key_bounds=laid.bounds).unsqueeze(0)}
        if point.page:
            sets = [(q[:, :, 0], served.in_pages(k), served.in_pages(v))
                    for q, k, v in laid.sets]
            return self._scheduled(point, lambda y: y.unsqueeze(2), sets,
                                   self._bounds(point, 1), laid.lengths,
                                   served.readable(laid.table), point.page)
        return self._entries(torch, laid)

    def _entries(self, torch, laid):
        point = laid.point
        lengths = laid.lengths if point.ragged else torch.full(
            (point.batch,), point.keys, dtype=torch.int32, device="cuda")
        bounds = self._bounds(point, point.queries)

        def shape(y):
            return y.view(point.batch, point.queries, point.heads, -1).transpose(1, 2)
        sets = []
        for one in laid.sets:
            q, k, v = (x.transpose(1, 2).contiguous() for x in one)
            sets.append((q.flatten(0, 1), k, v))
        found = self._scheduled(point, shape, sets, bounds, lengths)
        if not point.ragged:
            keys = self._bounds(point, point.keys)
            found["packed"] = lambda copy: shape(self._run(
                point, sets[copy][0], *(x.flatten(0, 1) for x in sets[copy][1:]), bounds,
                key_bounds=keys))
        return found

    def _latent(self, laid):
        point = laid.point
        lengths = self._bounds(point, point.keys).diff()
        table = self.torch.arange(point.batch * point.keys // PAGE, dtype=self.torch.int32,
                                  device="cuda").view(point.batch, -1)
        sets = []
        for q, k in laid.sets:
            pages, q = k.view(-1, PAGE, 1, point.d), q[:, :, 0]
            sets.append((q[..., point.latent:], pages[..., point.latent:],
                         pages[..., :point.latent], q[..., :point.latent]))
        return self._scheduled(point, lambda y: y.unsqueeze(2), sets, self._bounds(point, 1),
                               lengths, table, PAGE, point.d - point.latent)

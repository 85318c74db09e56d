"""FlashInfer (PyPI), planned for exactly the lengths of a point."""

import itertools
import math

from attn import served
from common.machine import why

WORKSPACE = 256 << 20
LEAST_PAGE = 16  # Into which a cache without pages is divided, where its length allows it.


class FlashInfer:
    NAME, PACKAGE = served.FLASH_INFER, "flashinfer-python"

    def __init__(self, torch):
        import flashinfer
        self.torch, self.library = torch, flashinfer
        self.space = torch.zeros(WORKSPACE, dtype=torch.uint8, device="cuda")

    def _numbers(self, values):
        return self.torch.tensor(list(values), dtype=self.torch.int32, device="cuda")

    def _pages(self, point, page, table=None):
        """(bounds of entries, pages of all of them, what counts of the last ones)."""
        lengths = point.lengths()
        counts = [-(-length // page) for length in lengths]
        bounds = self._numbers([0, *itertools.accumulate(counts)])
        pages = (self._numbers(range(sum(counts))) if table is None else
                 self.torch.cat([row[:count] for row, count in zip(table, counts)]))
        return bounds, pages, self._numbers((length - 1) % page + 1 for length in lengths)

    def runs(self, torch, laid):
        point = laid.point
        if point.window:
            return {}
        if point.latent:
            return self._latent(laid)
        if point.varlen:
            return self._prefill(laid)
        page = point.page or math.gcd(point.keys, 64)
        if point.queries > 1 or page < LEAST_PAGE or (point.ragged and not point.page):
            return {}
        return self._decode(torch, laid, page)

    def _decode(self, torch, laid, page):
        point, found, refused = laid.point, {}, []
        if point.page:
            sets = [(q[:, :, 0], (served.in_pages(k), served.in_pages(v)))
                    for q, k, v in laid.sets]
        else:
            sets = [(q[:, :, 0], tuple(
                x.transpose(1, 2).reshape(-1, page, point.key_heads, point.d)
                for x in (k, v))) for q, k, v in laid.sets]
        for how in ("tensor cores", "no tensor cores"):
            wrapper = self.library.BatchDecodeWithPagedKVCacheWrapper(
                self.torch.zeros_like(self.space), "NHD",
                use_tensor_cores=how == "tensor cores")

            def run(copy, wrapper=wrapper):
                return wrapper.run(*sets[copy]).unsqueeze(2)
            try:
                wrapper.plan(*self._pages(point, page, laid.table), point.heads,
                             point.key_heads, point.d, page, q_data_type=torch.float16)
                run(0)
            except Exception as error:  # Groups of heads that it has no kernel for.
                refused.append(f"{how}: {why(error)[:70]}")
                continue
            found[how] = run
        if not found:
            raise RuntimeError("; ".join(refused))
        return found

    def _prefill(self, laid):
        point = laid.point
        heads = point.heads, point.key_heads, point.d
        if point.page:
            wrapper = self.library.BatchPrefillWithPagedKVCacheWrapper(self.space, "NHD")
            wrapper.plan(laid.bounds, *self._pages(point, point.page, laid.table), *heads,
                         point.page, causal=True, q_data_type="float16")
            return {"pages": lambda copy: wrapper.run(
                laid.sets[copy][0][0], laid.sets[copy][1:]).unsqueeze(0)}
        wrapper = self.library.BatchPrefillWithRaggedKVCacheWrapper(self.space, "NHD")
        wrapper.plan(laid.bounds, laid.bounds, *heads, causal=True, q_data_type="float16")
        return {"packed": lambda copy: wrapper.run(
            *(x[0] for x in laid.sets[copy])).unsqueeze(0)}

    def _latent(self, laid):
        point, page = laid.point, 64
        if point.keys % page:
            return {}
        bounds, pages, _ = self._pages(point, page)
        wrapper = self.library.mla.BatchMLAPagedAttentionWrapper(self.space, backend="fa3")
        wrapper.plan(self._numbers(range(point.batch + 1)), bounds, pages,
                     self._numbers(point.lengths()), point.heads, point.latent,
                     point.d - point.latent, page, False, point.d ** -0.5,
                     self.torch.float16, self.torch.float16)
        sets = []
        for q, k in laid.sets:
            q, cache = q[:, :, 0], k.view(-1, page, point.d)
            sets.append((q[..., :point.latent].contiguous(), q[..., point.latent:].contiguous(),
                         cache[..., :point.latent], cache[..., point.latent:]))
        return {f"pages of {page}": lambda copy: wrapper.run(*sets[copy]).unsqueeze(2)}

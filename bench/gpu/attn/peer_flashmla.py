"""FlashMLA as vLLM's package has it (PyPI)."""

from attn import served

LIBRARY = "_flashmla_C.abi3.so"
PAGE = 64  # The only size that it takes on Hopper.


class FlashMLA:
    NAME, PACKAGE = served.FLASH_MLA, "vllm"

    def __init__(self, torch):
        torch.ops.load_library(str(served.installed(self.PACKAGE, LIBRARY)))
        self.library = torch.ops._flashmla_C

    def runs(self, torch, laid):
        point = laid.point
        if point.latent != 512 or point.d != 576 or point.keys % PAGE:
            return {}
        lengths = torch.full((point.batch,), point.keys, dtype=torch.int32, device="cuda")
        table = torch.arange(point.batch * point.keys // PAGE, dtype=torch.int32,
                             device="cuda").view(point.batch, -1)
        sets = [(q.transpose(1, 2), k.view(-1, PAGE, 1, point.d)) for q, k in laid.sets]

        def call(copy, schedule, splits):
            q, pages = sets[copy]
            return self.library.dense_decode_fwd(
                q, pages, point.latent, lengths, table, point.d ** -0.5, False, schedule,
                splits, None)
        # A step of a server computes the schedule once, for all of its layers.
        _, _, schedule, splits = call(0, None, None)
        return {"pages of 64": lambda copy: call(copy, schedule, splits)[0].transpose(1, 2)}

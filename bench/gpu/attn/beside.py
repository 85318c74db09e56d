"""PyTorch's back ends of attention, as callables that run one of several sets."""


def _flash(torch, point, q, k, v):
    """FlashAttention-2 as PyTorch has it, with what its front door refuses: windows,
    and causal masks from the last key on."""
    turned = [x.transpose(1, 2) for x in (q, k, v)]
    window = {}
    if point.window:
        window = {"window_size_left": point.window - 1,
                  "window_size_right": 0 if point.causal else point.window - 1}
    return torch.ops.aten._flash_attention_forward(
        *turned, None, None, point.queries, point.keys, 0.0,
        point.causal and not point.window, False, **window)[0].transpose(1, 2)


def libraries(torch, point):
    """{name: function of q, k, v}; `point` has entries of one length."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    functional = torch.nn.functional
    grouped = {"enable_gqa": True} if point.heads != point.key_heads else {}
    square = point.queries == point.keys
    causal = point.causal and point.queries > 1

    def through(backend, **how):
        def run(q, k, v):
            with sdpa_kernel(backend):
                return functional.scaled_dot_product_attention(q, k, v, **how, **grouped)
        return run

    found = {}
    if not point.window and (square or not causal):
        found["cuDNN"] = through(SDPBackend.CUDNN_ATTENTION, is_causal=causal)
        found["FlashAttention-2"] = through(SDPBackend.FLASH_ATTENTION, is_causal=causal)
        return found
    if not point.window:
        # It has no such mask of its own: one in memory.
        rows = torch.arange(point.queries, device="cuda").view(-1, 1)
        keys = torch.arange(point.keys, device="cuda")
        mask = (keys <= rows + point.keys - point.queries)[None, None]
        found["cuDNN"] = through(SDPBackend.CUDNN_ATTENTION, attn_mask=mask)
    found["FlashAttention-2"] = lambda q, k, v: _flash(torch, point, q, k, v)
    return found

"""The program of a matmul whose epilogue only rounds."""


def matmul(tokens, n, k, type, encoding):
    """y[T, N] = x[T, K] w[N, K]^T; `tokens` is T or "?"."""
    packed = f", {encoding}" if encoding else ""
    w = f"tensor<{n}x{k}x{type}{packed}>"
    x, y = f"tensor<{tokens}x{k}x{type}>", f"tensor<{tokens}x{n}x{type}>"
    return (f"func.func @mm(%x: {x}, %w: {w}) -> {y} {{\n"
            "  %y = sparseflow.matmul %x, %w {\n"
            "  ^bb0(%acc: f32):\n"
            f"    %0 = arith.truncf %acc : f32 to {type}\n"
            f"    sparseflow.yield %0 : {type}\n"
            f"  }} : {x}, {w} -> {y}\n"
            f"  return %y : {y}\n}}\n")


def write(folder, texts):
    """Writes (name, text) pairs as FOLDER/NAME.mlir."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts:
        (folder / f"{name}.mlir").write_text(text)

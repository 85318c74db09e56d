"""Kernels for packed queries behind caches beside those for packed keys: their PTX, counted.

Usage: check_cached_sequences.py TARGET FOLDER [I/N]

With I/N, of the forms those whose place is I modulo N. The compiler runs ptxas, and refuses
spills, local memory, advisories and warnings. Kernels have the MMAs of those for packed keys,
and, where keys lie in entries, their copies.
"""

import os
import re
import subprocess
import sys

target, folder = sys.argv[1:3]
part, parts = map(int, (*sys.argv[3:], "0/1")[0].split("/"))
# Features, heads, key heads, keys of a page (0: entries), mask, queries are [1, T, H, D].
FORMS = ((128, 32, 8, 64, "causal", True), (64, 8, 2, 16, "causal", True),
         (128, 28, 4, 0, "causal", False), (256, 8, 1, 32, "causal", False),
         (96, 16, 16, 256, "", True), (192, 12, 4, 128, "causal, window = 500 : i64", False),
         (64, 8, 8, 0, "", True), (128, 8, 4, 16, "causal", False))


def kernels(name, form, cached):
    d, h, g, page, mask, bshd = form

    def tensor(entries, rows, heads):
        inner = f"{rows}x{heads}" if bshd else f"{heads}x{rows}"
        return f"tensor<{entries}x{inner}x{d}xf16>"
    q, n, t = tensor(1, "?", h), "tensor<?xi32>", "tensor<?x?xi32>"
    k = tensor("?", page or "?", g) if cached else tensor(1, "?", g)
    more, clauses = f"%cu: {n}, %n: {n}", f" cu_seqlens(%cu, %n : {n}, {n})"
    if cached:
        clauses = f" lengths(%n : {n}) cu_seqlens(%cu : {n})"
        if page:
            more += f", %t: {t}"
            clauses = f" lengths(%n : {n}) pages(%t : {t}) cu_seqlens(%cu : {n})"
    fields = ", ".join(filter(None, [
        mask, "layout = #sparseflow.attention_layout<bshd>" if bshd else ""]))
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(f"func.func @{name}(%q: {q}, %k: {k}, %v: {k}, {more}) -> {q} {{\n"
                   f"  %o = sparseflow.attention %q, %k, %v{clauses} {{{fields}}}"
                   f" : {q}, {k}, {k} -> {q}\n  return %o : {q}\n}}\n")
    command = ["sparseflow", "compile", path + ".mlir", "--target", target, "--emit",
               "bundle", "-o", path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    with open(f"{path}/{name}.{target}.ptx", encoding="utf-8") as file:
        texts = {text.split("(")[0]: text for text in file.read().split(".entry ")[1:]}
    return {kernel: text for kernel, text in texts.items()
            if not kernel.endswith("_plan")}


def counts(text, copies):
    """The MMAs of a kernel, and its copies where these are wanted."""
    return (len(re.findall(r"wgmma\.mma_async|mma\.sync", text)), copies and len(re.findall(
        r"cp\.async\.bulk\.tensor\S*shared::cluster|cp\.async\.c[ag]", text)))


os.makedirs(folder, exist_ok=True)
count = mapped = 0
for number in range(part, len(FORMS), parts):
    form = FORMS[number]
    found, packed = (kernels(f"{name}{number}", form, name == "cached")
                     for name in ("cached", "packed"))
    # Kernels of one form that are the same are one.
    seen, wanted = ({counts(text, not form[3]) for text in texts.values()}
                    for texts in (found, packed))
    if seen != wanted or (0, 0) in seen:
        sys.exit(f"{form}: expected the MMAs of packed keys, and without pages their copies, "
                 f"{sorted(wanted)}, found {sorted(seen)}")
    count += len(found)
    mapped += sum("wgmma" in text for text in found.values())
print(f"{target}: {count} kernels, {mapped} by tensor maps")

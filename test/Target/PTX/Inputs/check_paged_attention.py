"""Kernels for keys and values in pages beside those without: their PTX, counted.

Usage: check_paged_attention.py TARGET FOLDER [I/N]

With I/N, of the numbers of features those whose place is I modulo N. The compiler runs ptxas, and refuses spills, local memory, advisories and warnings. A
kernel for pages has the MMAs, and where a piece of a stage has a chunk of 16 bytes for
each thread the copies, of the kernel for keys that follow one another; for each piece of
each stage that is filled it loads one number of a page, and no more. By tensor maps each
piece is a box.
"""

import math
import os
import re
import subprocess
import sys

target, folder = sys.argv[1:3]
part, parts = map(int, (*sys.argv[3:], "0/1")[0].split("/"))
PROGRAM = """func.func @{name}(%q: tensor<?x8x?x{d}xf16>, %k: tensor<?x2x{keys}x{d}xf16>, %n: tensor<?xi32>{argument}) -> tensor<?x8x?x{d}xf16> {{
  %o = sparseflow.attention %q, %k, %k lengths(%n : tensor<?xi32>){pages} {{causal}}
    : tensor<?x8x?x{d}xf16>, tensor<?x2x{keys}x{d}xf16>, tensor<?x2x{keys}x{d}xf16> -> tensor<?x8x?x{d}xf16>
  return %o : tensor<?x8x?x{d}xf16>
}}
"""


def kernels(name, d, page):
    """By the letter of a kernel: its text, the keys of a stage, stages, and whether its
    blocks divide the keys of entries of several lengths: then what combines them gets these
    lengths, too."""
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(PROGRAM.format(
            name=name, d=d, keys=page or "?",
            argument=", %t: tensor<?x?xi32>" if page else "",
            pages=" pages(%t : tensor<?x?xi32>)" if page else ""))
    for emit, output in (("bundle", path), ("sftile", path + ".sftile.mlir")):
        command = ["sparseflow", "compile", path + ".mlir", "--target", target,
                   "--emit", emit, "-o", output]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
    with open(path + ".sftile.mlir", encoding="utf-8") as file:
        tiles = file.read()
    sizes = {kernel: (int(keys), int(stages)) for kernel, keys, stages in re.findall(
        r"gpu\.func @(\w+)\(.*, keys = (\d+).*stages = (\d+)", tiles)}
    combining = set(re.findall(
        r"gpu\.func @(\w+_merge)\((?:%arg[0-2]: !llvm\.ptr<1>, ){3}%arg3: !llvm\.ptr<1>", tiles))
    # One kernel may combine what several leave.
    launched = re.findall(r"gpu\.launch_func\s+@kernels::@(\w+)", tiles)
    divided = {kernel for kernel, behind in zip(launched, launched[1:]) if behind in combining}
    with open(f"{path}/{name}.{target}.ptx", encoding="utf-8") as file:
        texts = {text.split("(")[0]: text for text in file.read().split(".entry ")[1:]}
    return {kernel.rsplit("_", 1)[1]: (text, *sizes[kernel], kernel in divided)
            for kernel, text in texts.items() if not kernel.endswith(("_merge", "_plan"))}


os.makedirs(folder, exist_ok=True)
count = mapped = 0
for d, pages in ((64, (16, 128)), (128, (16, 64, 48)), (256, (32,)))[part::parts]:
    dense = kernels(f"dense{d}", d, None)
    for page in pages:
        # Of other sizes than powers of two they stay with the MMAs of warps.
        if target == "sm_90a" and page == 48:
            odd = kernels(f"paged{d}_{page}", d, page)
            if any("wgmma" in text for text, *_ in odd.values()):
                sys.exit(f"D = {d}, page {page}: expected no copies by tensor maps")
            continue
        found = kernels(f"paged{d}_{page}", d, page)
        if found.keys() != dense.keys():
            sys.exit(f"D = {d}, page {page}: kernels {sorted(found)}, {sorted(dense)}")
        for letter, (text, keys, stages, divided) in found.items():
            count += 1
            plain = dense[letter][0]
            piece = math.gcd(page, keys)
            threads = int(re.search(r"\.(?:reqntid|maxntid) (\d+)", text)[1])

            def counts(instruction):
                return [len(re.findall(instruction, kernel)) for kernel in (text, plain)]

            where = f"D = {d}, page {page}, kernel {letter}"
            mmas = counts(r"wgmma\.mma_async")
            if mmas[0]:
                # Two tiles' keys and values are copied before the loop, in it or behind
                # it, from entries that are loaded a stage ahead, or, where they are
                # many, for each of these copies.
                boxes = counts(r"cp\.async\.bulk\.tensor\S*shared::cluster")
                loads, before = counts(r"ld\.global\S*\.b32")
                chunks = -(-d // 64)
                pieces = keys // piece
                # Keys in order come in pieces of 32, too, where blocks divide them.
                whole = keys // 32 if divided else 1
                wanted = [chunks + 4 * chunks * of for of in (pieces, whole)]
                if (mmas[0] != mmas[1] or boxes != wanted
                        or loads - before != (3 if pieces <= (2 if d <= 128 else 1) else 4) * pieces):
                    sys.exit(f"{where}: expected the MMAs {mmas} of keys in order, a box for "
                             f"each of {pieces} pieces and an entry, found boxes {boxes} and "
                             f"{loads - before} entries")
                mapped += 1
                continue
            mmas, copies = counts(r"mma\.sync"), counts(r"cp\.async\.c[ag]")
            if not mmas[0] or mmas[0] != mmas[1]:
                sys.exit(f"{where}: expected the MMAs of keys in order, found {mmas}")
            if letter != "any" and piece * 8 >= threads and copies[0] != copies[1]:
                sys.exit(f"{where}: expected the copies of keys in order, found {copies}")
            loads, before = counts(r"ld\.global\S*\.b32")
            wanted = stages * (keys // piece)
            if loads - before != wanted:
                sys.exit(f"{where}: expected {wanted} numbers of pages to be loaded, "
                         f"found {loads - before}")
print(f"{target}: {count} kernels, {mapped} by tensor maps")

"""Takes every attention row of a schedule table for one target through ptxas.

Usage: check_attention.py TABLE.json TARGET FOLDER [I/N]

With I/N, of the programs those whose number is I modulo N go through ptxas. Programs of several numbers of features, with sizes given at run time or known, are
compiled to bundles: the compiler runs ptxas, and refuses spills, local memory, advisories and
warnings. Then: the rows that the kernels name, or that share one, are those of the table; values go
through transposed loads, probabilities through no memory at all (no kernel stores
16-bit elements to shared memory inside its loop, and with wgmma none at all, but where two
warpgroups divide features and one sends them to the other); kernels for
entries of several lengths have the MMAs of those without and overwrite rows of values
in one place; and the tile level, printed and
compiled from there, gives the same PTX.
"""

import json
import os
import re
import subprocess
import sys

table, target, folder = sys.argv[1:4]
part, parts = map(int, (*sys.argv[4:], "0/1")[0].split("/"))
PROGRAM = """func.func @{name}(%q: tensor<?x4x{n}x{d}x{t}>, %k: tensor<?x2x{n}x{d}x{t}>{argument}) -> tensor<?x4x{n}x{d}x{t}> {{
  %o = sparseflow.attention %q, %k, %k{clause} {{{attributes}}}
    : tensor<?x4x{n}x{d}x{t}>, tensor<?x2x{n}x{d}x{t}>, tensor<?x2x{n}x{d}x{t}> -> tensor<?x4x{n}x{d}x{t}>
  return %o : tensor<?x4x{n}x{d}x{t}>
}}
"""
ON_CACHES = """!q = tensor<?x4x{n}x{d}x{t}>
!k = tensor<?x2x{n}x{d}x{t}, #sparseflow.quantized<key_{numbers} : f16>>
!v = tensor<?x2x{n}x{d}x{t}, #sparseflow.quantized<value_{numbers} : f16>>
func.func @{name}(%q: !q, %k: !k, %v: !v) -> !q {{
  %o = sparseflow.attention %q, %k, %v {{{attributes}}} : !q, !k, !v -> !q
  return %o : !q
}}
"""
# Packed sequences, whose kernels check_cached_sequences.py reads: here only which rows have one.
PACKED = """!q = tensor<1x4x?x{d}x{t}>
!k = tensor<1x2x?x{d}x{t}>
!n = tensor<?xi32>
func.func @{name}(%q: !q, %k: !k, %v: !k, %n: !n) -> !q {{
  %o = sparseflow.attention %q, %k, %v cu_seqlens(%n, %n : !n, !n) {{{attributes}}} : !q, !k, !k -> !q
  return %o : !q
}}
"""
SEQUENCES = (("f16", 64, "causal", "?"), ("f16", 128, "causal", "?"))
# Element, features, attributes, positions.
CASES = (("f16", 64, "causal", "?"), ("bf16", 64, "", "?"), ("f16", 128, "causal", "?"),
         ("f16", 128, "", "?"), ("bf16", 128, "window = 100 : i64", "?"),
         ("f16", 256, "causal", "?"), ("bf16", 192, "window = 100 : i64", "?"),
         ("f16", 41, "", "?"), ("f16", 251, "causal", "?"),
         ("bf16", 512, "causal", "?"), ("f16", 330, "", "?"), ("f16", 411, "", "?"),
         # Of a row that is taken where the one before it would spill.
         ("bf16", 256, 'sftile.avoid_schedules = ["sm90a.attention.d256_small"]', "?"))
# Those with entries of several lengths too.
RAGGED = (("f16", 64, "causal", "?"), ("bf16", 128, "window = 100 : i64", "?"),
          ("f16", 256, "causal", "?"))
# Score regions that read tensors: a number for each key leaves wgmma no registers beside a window
# where sizes are not known, one for each head does.
OPERANDS = {"biased": ("tensor<?x?xf32>", "bk"), "sloped": ("tensor<4xf32>", "h")}
BIASED = (("f16", 64, "causal, window = 100 : i64", "?"), ("f16", 128, "window = 100 : i64", "?"),
          ("f16", 256, "causal, window = 100 : i64", "?"))
SLOPED = (("f16", 128, "causal", "?"),)
REGION = """ operands(%x : {operand}) as ["{dims}"] score {{
  ^bb0(%s: f32, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %b: f32):
    %sum = arith.addf %s, %b : f32
    sparseflow.yield %sum : f32
  }}"""
# Where rows ask for many queries.
LONG = (("f16", 128, "causal", 16384), ("bf16", 128, "causal", 8200))
# Quantized keys and values: their numbers and what shares a scale, beside the rest.
QUANTIZED = (("f16", 128, "causal", "?", "e4m3, scale = token"),
             ("bf16", 64, "", "?", "int8, scale = token"),
             ("f16", 128, "", "?", "int4, scale = token x 32"),
             ("f16", 64, "", "?", "int4, scale = token"),
             ("f16", 64, "causal", "?", "int8, scale = token"),
             ("f16", 128, "", "?", "int8, scale = token"),
             ("bf16", 128, "causal", 8256, "e4m3, scale = token"))


def compile(source, emit, output):
    command = ["sparseflow", "compile", source, "--target", target,
               "--schedule-file", table, "--emit", emit, "-o", output, "--remarks"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stderr


# Rows for planes have programs of their own: check_ternary_attention.py.
found = [row for row in json.load(open(table, encoding="utf-8"))["rows"]
         if target in row["targets"] and row["op"] == "attention"
         and not row.get("planes") and row["pipeline"]["kind"] != "int8"]


rows = {row["name"] for row in found}
cases = [(case, kind) for kind, cases in (("", CASES), ("ragged", RAGGED), ("biased", BIASED),
                                          ("sloped", SLOPED), ("quantized", QUANTIZED),
                                          ("packed", SEQUENCES))
         for case in cases]
if any("min_queries" in row for row in found):
    cases += [(case, "") for case in LONG] + [(LONG[0], "ragged")]
os.makedirs(folder, exist_ok=True)
used, kernels, plain = set(), 0, {}
for number, (case, kind) in enumerate(cases):
    element, d, attributes, positions, *numbers = case
    name = f"a{number}_{element}_{d}"
    ragged = kind == "ragged"
    argument, clause = "", ""
    if ragged:
        argument, clause = ", %l: tensor<?xi32>", " lengths(%l : tensor<?xi32>)"
    elif kind in OPERANDS:
        operand, dims = OPERANDS[kind]
        argument, clause = f", %x: {operand}", REGION.format(operand=operand, dims=dims)
    path = os.path.join(folder, name)
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        program = PACKED if kind == "packed" else ON_CACHES if numbers else PROGRAM
        file.write(program.format(
            name=name, d=d, t=element, attributes=attributes, n=positions,
            numbers=(*numbers, "")[0],
            argument=argument, clause=clause))
    remarks = compile(path + ".mlir", "sftile", path + ".sftile.mlir")
    used.update(re.findall(r"(\S+) shares the kernel of", remarks))
    tiles = open(path + ".sftile.mlir", encoding="utf-8").read()
    details = dict(re.findall(
        r'gpu\.func @(\w+).*#sftile\.attention_schedule<"(.*)', tiles))
    schedules = {kernel: text.split('"')[0] for kernel, text in details.items()}
    used.update(schedules.values())
    if number % parts != part or kind == "packed":
        continue
    compile(path + ".mlir", "bundle", path)
    ptx = open(f"{path}/{name}.{target}.ptx", encoding="utf-8").read()
    clusters = set(re.findall(r"gpu\.func @(\w+).*#sftile\.attention_schedule<.*cluster = 2",
                              tiles))
    if number == part:
        compile(path + ".sftile.mlir", "ptx", path + ".ptx")
        if open(path + ".ptx", encoding="utf-8").read() != ptx:
            sys.exit(f"{path}.sftile.mlir: expected the PTX of {path}.mlir")
    for kernel in ptx.split(".entry ")[1:]:
        kernels += 1
        planned = f'.entry {kernel.split("(")[0]}_plan(' in ptx
        # Keys and values, two tiles of 64 features each, are what blocks share: each
        # is copied before the loop over stages, in it or behind it.
        copies = re.findall(r"cp\.async\.bulk\.tensor\S*shared::cluster\.global(\S*)", kernel)
        shared = sum("multicast::cluster" in copy for copy in copies)
        # What producer warps dequantize they send, in each of these places.
        sends = kernel.count("cp.async.bulk.shared::cluster.shared::cta")
        if "dequantizes = true" in details.get(kernel.split("(")[0], "") and (
                kernel.split("(")[0] in clusters):
            if ".reqnctapercluster 2" not in kernel or shared or sends not in (4, 8):
                sys.exit(f"{path}: expected blocks of a cluster to send what they dequantize "
                         f"in four places, found {sends} copies")
        elif kernel.split("(")[0] in clusters:
            if ".reqnctapercluster 2" not in kernel or shared != 8 or len(copies) != 10:
                sys.exit(f"{path}: expected blocks of a cluster to share the copies of "
                         "keys and values, and of nothing else")
        elif shared:
            sys.exit(f"{path}: expected copies for one block")
        if kernel.split("(")[0].endswith(("_merge", "_plan")):
            continue
        if "wgmma" in kernel:
            # Keys through one descriptor each, probabilities in registers: nothing
            # but TMA writes shared memory, and results, two elements at
            # a time and once.
            if not re.search(r"wgmma\S*\s+\{[^}]*\}, \{%r", kernel):
                sys.exit(f"{path}: expected probabilities to stay in registers")
            # (The store that never happens keeps the assembler's order.)
            stores = re.findall(r"(?<!@p )st\.shared(?!::cluster)\S*", kernel)
            # Warps that draw tiles without keys: how many, and zeros for bulk copies.
            if "atom.shared.add" in kernel:
                zeros = [store for store in stores if ".v4" in store][:2]
                counts = [store for store in stores if ".v4" not in store][:1]
                if not planned or len(zeros + counts) != 3 or not re.search(
                        r"cp\.async\.bulk\.global\.shared::cta", kernel):
                    sys.exit(f"{path}: expected a number and zeros for bulk copies of tiles "
                             f"without keys, found {stores}")
                for store in zeros + counts:
                    stores.remove(store)
            elif planned:
                sys.exit(f"{path}: expected warps to draw tiles without keys")
            sent = re.findall(r"st\.shared::cluster", kernel)
            divides = "key_blocks" in details[kernel.split("(")[0]]
            # Of few rows blocks read what others leave; of many they send it.
            few = divides and "feature_groups" not in details[kernel.split("(")[0]]
            if bool(sent) != (divides and not few):
                sys.exit(f"{path}: expected blocks that divide keys, and no others, to send "
                         f"partial sums to the other one, found {len(sent)} such stores")
            zeroed = sum(".v4" in store for store in stores)
            # Warpgroups that divide features send factors of two rows a lane, in the loop
            # and behind it, and P as whole matrices; where blocks divide keys, log-sum-exps
            # besides, or of few rows all that a warp found.
            own = (d // 4 + 2,) if few else (6,) if divides else (4,) if d > 256 else (0, d // 4)
            if len(stores) - zeroed not in own or re.search(
                    r"ldmatrix|mma\.sync\.", kernel):
                sys.exit(f"{path}: expected operands of wgmma to come by copies")
            if "dequantizes" in details[kernel.split("(")[0]]:
                # Producer warps write tiles, 16 bytes a lane, and of copies those of
                # queries are left.
                if not zeroed or len(copies) > 2:
                    sys.exit(f"{path}: expected keys and values that producer warps write, "
                             f"found stores {stores} and {len(copies)} copies")
            elif zeroed != (-(-d // 64) if ragged else 0):
                sys.exit(f"{path}: expected one place that overwrites values behind a "
                         f"length, found stores {stores}")
            # Of kernels for a batch of one entry, or without parts, too.
            schedule = schedules[kernel.split("(")[0]]
            mmas = len(re.findall(r"wgmma\.mma_async", kernel))
            # Whole tiles leave half of a first stage out, parts do not.
            whole = kernel.split("(")[0].endswith("_whole")
            if plain.setdefault((case, schedule, whole), mmas) != mmas:
                sys.exit(f"{path}: expected the MMAs of keys without lengths, "
                         f"{plain[case, schedule]}, found {mmas}")
            continue
        if kind == "quantized":  # words of caches come by loads into registers
            continue
        if ragged and not kernel.split("(")[0].endswith("_any") and (
                case, schedules[kernel.split("(")[0]]) in plain:
            sys.exit(f"{path}: expected the MMAs of warpgroups")
        last = kernel.rfind("mma.sync")
        first = kernel.find("mma.sync")
        if "ldmatrix.sync.aligned.m8n8.x4.trans" not in kernel[first:last]:
            sys.exit(f"{path}: expected values through transposed loads")
        # With more features scores are added up through shared memory, in f32.
        if d <= 256 and d % 2 == 0 and "_any" not in kernel.split("(")[0] and re.search(
                r"st\.shared\S*\.b(16|32)", kernel[first:last]):
            sys.exit(f"{path}: expected probabilities to stay in registers")
# A kernel has the name of the first row that has its code, of which a plan is no part: it is a
# kernel in front, beside lengths.
OWN = ("name", "mask", "cases", "min_blocks", "max_blocks", "min_small_tiles", "min_tiles",
       "min_keys", "max_keys", "plan")
code = {row["name"]: {key: value for key, value in row.items() if key not in OWN}
        for row in found}
shared = [name for name in rows - used if code[name] in [code.get(other) for other in used]]
if rows != used.union(shared):
    sys.exit(f"{table}: rows without a program {sorted(rows - used - set(shared))}, "
             f"unknown rows {sorted(used - rows)}")
print(f"{target}: {len(rows)} rows, {kernels} kernels")

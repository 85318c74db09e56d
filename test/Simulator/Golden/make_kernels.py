#!/usr/bin/env python3
"""Writes the probes: kernels/*.ll, one file a family, and cases.json.

usage: make_kernels.py [DIRECTORY]

A probe executes one form of one instruction and stores what it gave, raw
registers or shared memory. scripts/record_golden.py runs the probes on a GPU
and records what they stored; the unit tests of the simulator run the same LLVM
IR and compare. Inputs are random integers, small enough that sums are exact in
any order, so that each position is told apart from all others.

Every probe is `NAME(ptr in, ptr out)`, some with tensor maps before. cases.json
has for each case its kernel, launch, how its input is made, its tensor maps and
the bytes of its output. Kinds of input, from a seed by xorshift32:

  f16, bf16   integers from -8 to 8
  metadata    words of 8 pairs of positions, the first below the second
  bits        any
  f32         signs, exponents from -20 to 20, any mantissa
  count       0, 1, 2, ... as u32
  values      the listed u32
"""

import json
import sys
from pathlib import Path

HEADER = """target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 1024
@bar = internal addrspace(3) global [4 x i64] poison, align 8
"""
DECLARATIONS = {
    "tid": "i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
    "ctaid": "i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
    "sync": "void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)",
}


class Family:
    """One file of kernels and its cases."""

    def __init__(self, name):
        self.name, self.text, self.declared, self.cases = name, "", dict(DECLARATIONS), []
        self.kernels, self.types = set(), {}

    def declare(self, signature):
        self.declared[signature] = signature

    def structure(self, count, element="float"):
        """The name of a struct of so many floats or integers."""
        name = f"%{'d' if element == 'float' else element}_{count}".replace("%d_", "%d")
        self.types[name] = "{" + ", ".join([element] * count) + "}"
        return name

    def kernel(self, name, body, parameters="", attributes=""):
        """%t is the thread, %in and %out the buffers."""
        if name in self.kernels:
            return
        self.kernels.add(name)
        self.text += (f"define ptx_kernel void @{name}({parameters}ptr addrspace(1) %in, "
                      f"ptr addrspace(1) %out) {attributes}{{\n"
                      f"  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n{body}  ret void\n}}\n")

    def case(self, kernel, inputs, output, threads=32, shared=0, grid=1, maps=(), tolerance=None,
             label=""):
        case = {"name": kernel + label, "kernel": kernel, "threads": threads, "grid": grid,
                "shared": shared, "inputs": inputs, "output": output}
        if maps:
            case["maps"] = list(maps)
        if tolerance:
            case["tolerance"] = tolerance
        self.cases.append(case)

    def write(self, directory):
        lines = [f"declare {signature}" for signature in sorted(set(self.declared.values()))]
        (directory / "kernels" / f"{self.name}.ll").write_text(
            HEADER + "".join(f"{n} = type {t}\n" for n, t in sorted(self.types.items())) +
            "\n".join(lines) + "\n" + self.text)


class Body:
    """Lines of a kernel with fresh names."""

    def __init__(self):
        self.lines, self.names = "", 0

    def value(self, text):
        self.names += 1
        self.lines += f"  %v{self.names} = {text}\n"
        return f"%v{self.names}"

    def do(self, text):
        self.lines += f"  {text}\n"

    def label(self, name):
        self.lines += f"{name}:\n"

    def index(self, base, offset, scale=1, space=1, kind="i32"):
        """The address of element t * scale + offset."""
        at = self.value(f"mul i32 %t, {scale}")
        at = self.value(f"add i32 {at}, {offset}")
        return self.value(f"getelementptr {kind}, ptr addrspace({space}) {base}, i32 {at}")

    def load(self, offset, scale, kind="i32"):
        return self.value(f"load {kind}, ptr addrspace(1) {self.index('%in', offset, scale)}")

    def store(self, value, offset, scale, kind="i32"):
        self.do(f"store {kind} {value}, ptr addrspace(1) {self.index('%out', offset, scale)}")

    def copy(self, source, target, words, threads, prefix, offset=0):
        """All threads copy 16-byte pieces: `words` of 32 bits; `offset` words of the input."""
        spaces = {"%in": 1, "%out": 1, "@shared": 3}
        per = words // (4 * threads)
        for i in range(per):
            at = self.value(f"add i32 %t, {i * threads}")
            from_at = self.value(f"add i32 {at}, {offset // 4}")
            p = self.value(f"getelementptr <4 x i32>, ptr addrspace({spaces[source]}) {source}, "
                           f"i32 {from_at if source == '%in' else at}")
            v = self.value(f"load <4 x i32>, ptr addrspace({spaces[source]}) {p}, align 16")
            q = self.value(f"getelementptr <4 x i32>, ptr addrspace({spaces[target]}) {target}, "
                           f"i32 {at}")
            self.do(f"store <4 x i32> {v}, ptr addrspace({spaces[target]}) {q}, align 16")

    def sync(self):
        self.do("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")


def mma():
    family = Family("mma")
    for sparse in (False, True):
        for k in ((16, 32) if sparse else (8, 16)):
            for kind in ("f16", "bf16"):
                a, b = (k // 8 if sparse else k // 4), k // 8
                selectors = (range(4) if k == 16 else range(2)) if sparse else (None,)
                register = "i32" if kind == "bf16" else "<2 x half>"
                suffix = "bf16" if kind == "bf16" else "f32.f32"
                name = ("mma.sp.ordered.metadata" if sparse else "mma") + f".m16n8k{k}.row.col.{suffix}"
                types = [register] * (a + b) + ["float"] * 4 + (["i32", "i32"] if sparse else [])
                result = "{float, float, float, float}"
                family.declare(f"{result} @llvm.nvvm.{name}({', '.join(types)})")
                for selector in selectors:
                    body, operands = Body(), []
                    for i in range(a):
                        operands.append(body.load(i, a, register))
                    for i in range(b):
                        operands.append(body.load(32 * a + i, b, register))
                    for i in range(4):
                        # Integers in f16 become those of the accumulators.
                        half = body.value("load half, ptr addrspace(1) " + body.index(
                            "%in", 2 * 32 * (a + b) + i, 4, kind="half"))
                        operands.append(body.value(f"fpext half {half} to float"))
                    if sparse:
                        operands.append(body.load(32 * (a + b) + 64, 1))
                        operands.append(str(selector))
                    call = ", ".join(f"{t} {o}" for t, o in zip(types, operands))
                    d = body.value(f"call {result} @llvm.nvvm.{name}({call})")
                    for i in range(4):
                        body.store(body.value(f"extractvalue {result} {d}, {i}"), i, 4, "float")
                    kernel = f"mma_{'sp_' if sparse else ''}k{k}_{kind}" + (
                        f"_s{selector}" if sparse else "")
                    family.kernel(kernel, body.lines)
                    seed = 11 + len(family.cases)
                    inputs = [[kind, seed, 128 * (a + b)], ["f16", seed + 100, 256]]
                    if sparse:
                        inputs.append(["metadata", seed + 200, 128])
                    family.case(kernel, inputs, 512)
    mma_bytes(family)
    return family


def mma_bytes(family):
    """int8 MMAs, of which A has a sign or not; sums wrap."""
    for suffix, kernel in (("u8.s8", "mma_k32_u8_s8"), ("s8", "mma_k32_s8")):
        name, result = f"mma.m16n8k32.row.col.{suffix}", "{i32, i32, i32, i32}"
        family.declare(f"{result} @llvm.nvvm.{name}({', '.join(['i32'] * 10)})")
        body, operands = Body(), []
        for count, first in ((4, 0), (2, 128), (4, 192)):
            operands += [body.load(first + i, count) for i in range(count)]
        call = ", ".join(f"i32 {o}" for o in operands)
        d = body.value(f"call {result} @llvm.nvvm.{name}({call})")
        for i in range(4):
            body.store(body.value(f"extractvalue {result} {d}, {i}"), i, 4)
        family.kernel(kernel, body.lines)
        family.case(kernel, [["bits", 11 + len(family.cases), 1280]], 512)
    for k, suffix in ((32, "s8"), (64, "s8"), (64, "u8.s8")):
        a = k // 16
        name = f"mma.sp.ordered.metadata.m16n8k{k}.row.col.{suffix}"
        result = "{i32, i32, i32, i32}"
        family.declare(f"{result} @llvm.nvvm.{name}({', '.join(['i32'] * (2 * a + 6))})")
        for selector in range(64 // k):
            body, operands = Body(), []
            for count, first in ((a, 0), (a, 32 * a), (4, 64 * a)):
                operands += [body.load(first + i, count) for i in range(count)]
            operands.append(body.load(64 * a + 128, 1))
            operands.append(str(selector))
            call = ", ".join(f"i32 {o}" for o in operands)
            d = body.value(f"call {result} @llvm.nvvm.{name}({call})")
            for i in range(4):
                body.store(body.value(f"extractvalue {result} {d}, {i}"), i, 4)
            kernel = f"mma_sp_k{k}_{suffix.replace('.', '_')}_s{selector}"
            family.kernel(kernel, body.lines)
            seed = 11 + len(family.cases)
            family.case(kernel, [["bits", seed, 256 * a + 512], ["metadata", seed + 200, 128]],
                        512)


def matrix():
    family = Family("matrix")
    for count in (1, 2, 4):
        for transposed in ("", ".trans"):
            result = "i32" if count == 1 else "{" + ", ".join(["i32"] * count) + "}"
            load = f"ldmatrix.sync.aligned.m8n8.x{count}{transposed}.b16.p3"
            store = f"stmatrix.sync.aligned.m8n8.x{count}{transposed}.b16.p3"
            family.declare(f"{result} @llvm.nvvm.{load}(ptr addrspace(3))")
            family.declare(f"void @llvm.nvvm.{store}(ptr addrspace(3), " +
                           ", ".join(["i32"] * count) + ")")
            # Lane l uses the row of 16 bytes (l * 13 + 5) % 64 of 1 KB.
            for kind, name in (("load", load), ("store", store)):
                body = Body()
                if kind == "load":
                    body.copy("%in", "@shared", 256, 32, "i")
                else:
                    at = body.index("@shared", 0, 8, 3)
                    for i in range(2):
                        p = body.value(f"getelementptr <4 x i32>, ptr addrspace(3) {at}, i32 {i}")
                        body.do(f"store <4 x i32> zeroinitializer, ptr addrspace(3) {p}, align 16")
                body.sync()
                row = body.value("mul i32 %t, 13")
                row = body.value(f"add i32 {row}, 5")
                row = body.value(f"and i32 {row}, 63")
                row = body.value(f"mul i32 {row}, 16")
                row = body.value(f"getelementptr i8, ptr addrspace(3) @shared, i32 {row}")
                if kind == "load":
                    r = body.value(f"call {result} @llvm.nvvm.{name}(ptr addrspace(3) {row})")
                    for i in range(count):
                        v = r if count == 1 else body.value(f"extractvalue {result} {r}, {i}")
                        body.store(v, i, count)
                else:
                    values = ", ".join(f"i32 {body.load(i, count)}" for i in range(count))
                    body.do(f"call void @llvm.nvvm.{name}(ptr addrspace(3) {row}, {values})")
                    body.sync()
                    body.copy("@shared", "%out", 256, 32, "o")
                kernel = f"{kind}_x{count}{transposed.replace('.', '_')}"
                family.kernel(kernel, body.lines)
                family.case(kernel, [["bits", 7 + count, 1024]],
                            128 * count if kind == "load" else 1024, shared=1024)
    return family


def copies():
    family = Family("copy")
    family.declare("void @llvm.nvvm.cp.async.wait.all()")
    for cache, size in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        for sized in (False, True):
            name = f"cp.async.{cache}.shared.global.{size}" + (".s" if sized else "")
            family.declare(f"void @llvm.nvvm.{name}(ptr addrspace(3), ptr addrspace(1)" +
                           (", i32)" if sized else ")"))
            body = Body()
            to = body.index("@shared", 0, size, 3, "i8")
            # Thread t copies from a piece of its own, t * 5 % 32.
            piece = body.value("mul i32 %t, 5")
            piece = body.value(f"and i32 {piece}, 31")
            piece = body.value(f"mul i32 {piece}, {size}")
            source = body.value(f"getelementptr i8, ptr addrspace(1) %in, i32 {piece}")
            extra = ""
            if sized:
                read = body.value(f"urem i32 %t, {size + 1}")
                extra = f", i32 {read}"
            body.do(f"call void @llvm.nvvm.{name}(ptr addrspace(3) {to}, ptr addrspace(1) "
                    f"{source}{extra})")
            body.do("call void @llvm.nvvm.cp.async.wait.all()")
            body.sync()
            for i in range(size // 4):
                p = body.index("@shared", 32 * i, 1, 3)
                body.store(body.value(f"load i32, ptr addrspace(3) {p}"), 32 * i, 1)
            kernel = f"cp_async_{cache}_{size}" + ("_sized" if sized else "")
            family.kernel(kernel, body.lines)
            family.case(kernel, [["bits", 31, 32 * size]], 32 * size, shared=512)
    return family


def exchange():
    family = Family("exchange")
    clamps = {"idx": (0x1F, 0x181F, 0x0F, 0x1C1F), "bfly": (0x1F, 0x181F, 0x0F, 0x101F),
              "down": (0x1F, 0x181F, 0x1C1F, 0x0F), "up": (0, 0x1800, 0x1C00, 0x1000)}
    for mode, values in clamps.items():
        for c in values:
            name = f"shfl.sync.{mode}.i32p"
            family.declare(f"{{i32, i1}} @llvm.nvvm.{name}(i32, i32, i32, i32)")
            body = Body()
            source = body.load(0, 1)
            for i in range(8):
                # One distance for the warp, then eight that differ by lane.
                b = str(i * 3) if i < 4 else body.value(
                    f"and i32 {body.load(32 * i, 1)}, 31")
                r = body.value(f"call {{i32, i1}} @llvm.nvvm.{name}(i32 -1, i32 {source}, "
                               f"i32 {b}, i32 {c})")
                body.store(body.value(f"extractvalue {{i32, i1}} {r}, 0"), 2 * i, 16)
                p = body.value(f"extractvalue {{i32, i1}} {r}, 1")
                body.store(body.value(f"zext i1 {p} to i32"), 2 * i + 1, 16)
            kernel = f"shfl_{mode}_{c:x}"
            family.kernel(kernel, body.lines)
            family.case(kernel, [["bits", 3 + c, 1024]], 2048)
    body = Body()
    for i, mode in enumerate(("all", "any", "uni")):
        family.declare(f"i1 @llvm.nvvm.vote.{mode}.sync(i32, i1)")
    family.declare("i32 @llvm.nvvm.vote.ballot.sync(i32, i1)")
    for i, threshold in enumerate((0, 1, 5, 31, 32)):
        p = body.value(f"icmp ult i32 %t, {threshold}")
        for j, mode in enumerate(("all", "any", "uni")):
            v = body.value(f"call i1 @llvm.nvvm.vote.{mode}.sync(i32 -1, i1 {p})")
            body.store(body.value(f"zext i1 {v} to i32"), 4 * i + j, 20)
        v = body.value(f"call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 {p})")
        body.store(v, 4 * i + 3, 20)
    family.kernel("votes", body.lines)
    family.case("votes", [["count", 0, 4]], 32 * 80)
    family.declare("{i32, i1} @llvm.nvvm.elect.sync(i32)")
    body = Body()
    e = body.value("call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)")
    body.store(body.value(f"extractvalue {{i32, i1}} {e}, 0"), 0, 2)
    p = body.value(f"extractvalue {{i32, i1}} {e}, 1")
    body.store(body.value(f"zext i1 {p} to i32"), 1, 2)
    family.kernel("elect", body.lines)
    family.case("elect", [["count", 0, 4]], 256)
    return family


def scalar():
    family = Family("scalar")

    def unary(name, opcode, tolerance, inputs):
        body = Body()
        for i in range(8):
            x = body.load(32 * i, 1, "float")
            y = body.value(f'call float asm "{opcode} $0, $1;", "=f,f"(float {x})')
            body.store(y, 32 * i, 1, "float")
        family.kernel(name, body.lines)
        family.case(name, inputs, 1024, tolerance=tolerance)

    wide = [["f32", 5, 1024]]
    # Bounds of the PTX ISA: relative errors, or absolute ones.
    for ftz in ("", ".ftz"):
        unary("ex2" + ftz.replace(".", "_"), f"ex2.approx{ftz}.f32", {"relative": 2.4e-7}, wide)
    unary("rsqrt", "rsqrt.approx.f32", {"relative": 2.4e-7}, wide)
    unary("sqrt", "sqrt.approx.f32", {"relative": 2.4e-7}, wide)
    unary("rcp", "rcp.approx.f32", {"relative": 2.4e-7}, wide)
    unary("lg2", "lg2.approx.f32", {"relative": 5e-7, "absolute": 5e-7}, wide)
    unary("tanh", "tanh.approx.f32", {"relative": 0.0005}, wide)
    special = [["values", [0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000,
                           0xBF800000, 0x00000001, 0x80000001, 0x007FFFFF, 0x43000000,
                           0xC3000000, 0xC3160000, 0x42FE0000, 0x7F7FFFFF, 0xFF7FFFFF] * 16, 1024]]
    for name in ("ex2", "rsqrt", "rcp", "sqrt"):
        family.case(name, special, 1024, tolerance={"relative": 2.4e-7}, label="_special")
    family.case("ex2_ftz", special, 1024, tolerance={"relative": 2.4e-7}, label="_special")
    family.case("tanh", special, 1024, tolerance={"relative": 0.0005}, label="_special")
    for name in ("f16x2", "bf16x2"):
        body = Body()
        for i in range(8):
            x, y = body.load(64 * i, 2, "float"), body.load(64 * i + 1, 2, "float")
            r = body.value(f'call i32 asm "cvt.rn.{name}.f32 $0, $1, $2;", "=r,f,f"(float {x}, '
                           f"float {y})")
            body.store(r, 32 * i, 1)
        family.kernel(f"cvt_{name}", body.lines)
        family.case(f"cvt_{name}", [["f32", 9, 2048]], 1024)
        family.case(f"cvt_{name}", [["values", [
            0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x477FEFFF, 0x477FF000, 0x33000000,
            0x33000001, 0x33800000, 0x387FC000, 0x387FE000, 0x38800000, 0x3F801000, 0x3F803000,
            0x7F7FFFFF] * 32, 2048]], 1024, label="_special")
    body = Body()
    for i in range(8):
        a, b, c = (body.load(96 * i + j, 3) for j in range(3))
        r = body.value(f'call i32 asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 {a}, i32 {b}, '
                       f"i32 {c})")
        body.store(r, 32 * i, 1)
    family.kernel("prmt", body.lines)
    family.case("prmt", [["bits", 21, 3072]], 1024)
    return family


def main():
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    (directory / "kernels").mkdir(parents=True, exist_ok=True)
    import make_hopper_kernels as hopper
    cases = {}
    for make in (mma, matrix, copies, exchange, scalar, *hopper.FAMILIES):
        family = make()
        family.write(directory)
        cases[family.name] = family.cases
    (directory / "cases.json").write_text(json.dumps(cases, indent=0) + "\n")


if __name__ == "__main__":
    main()

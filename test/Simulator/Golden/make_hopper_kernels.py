"""The probes of sm_90a: see make_kernels.py."""

from make_kernels import Body, Family

BARRIER = "ptr addrspace(3) @bar"
WAIT = ('call void asm sideeffect "{{ .reg .pred P1; WAIT_{0}: '
        "mbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; @P1 bra.uni DONE_{0}; "
        'bra.uni WAIT_{0}; DONE_{0}: }}", "r,r"(ptr addrspace(3) @bar, i32 {1})')
MAP = 'ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %map, '


def declare_barriers(family):
    family.declare("void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)")
    family.declare("i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta("
                   "ptr addrspace(3), i32)")
    family.declare("void @llvm.nvvm.fence.mbarrier_init.release.cluster()")
    family.declare("void @llvm.nvvm.fence.proxy.async.shared_cta()")


def first_only(body, name):
    body.do(f"br i1 %first, label %{name}, label %{name}_end")
    body.label(name)


def end(body, name):
    body.do(f"br label %{name}_end")
    body.label(f"{name}_end")


def begin(body, bytes_, count=1):
    """Poisons 8 KB of shared memory, and thread 0 sets the barrier up."""
    body.do("%first = icmp eq i32 %t, 0")
    for i in range(4):
        p = body.index("@shared", 128 * i, 1, 3, "<4 x i32>")
        body.do(f"store <4 x i32> splat (i32 -559038737), ptr addrspace(3) {p}, align 16")
    first_only(body, "init")
    body.do(f"call void @llvm.nvvm.mbarrier.init.shared({BARRIER}, i32 {count})")
    body.do("call void @llvm.nvvm.fence.mbarrier_init.release.cluster()")
    end(body, "init")
    body.do("call void @llvm.nvvm.fence.proxy.async.shared_cta()")
    body.sync()
    if bytes_:
        first_only(body, "expect")
        body.value("call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta("
                   f"{BARRIER}, i32 {bytes_})")
        end(body, "expect")
        body.sync()


def box(of, rank, sizes, strides, box_, swizzle, bytes_=2, offset=0):
    return {"of": of, "offset": offset, "bytes": bytes_, "sizes": sizes, "strides": strides,
            "box": box_, "swizzle": swizzle}


def bulk():
    family = Family("bulk")
    declare_barriers(family)
    family.declare("void @llvm.nvvm.cp.async.bulk.commit.group()")
    family.declare("void @llvm.nvvm.cp.async.bulk.wait.group(i32)")
    family.declare("void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), "
                   "ptr addrspace(3), ptr addrspace(1), i32, i64, i1)")
    body = Body()
    begin(body, 2048)
    first_only(body, "load")
    for i, (to, source) in enumerate(((0, 1024), (2048, 16))):
        q = body.value(f"getelementptr i8, ptr addrspace(3) @shared, i32 {to}")
        p = body.value(f"getelementptr i8, ptr addrspace(1) %in, i32 {source}")
        q7 = body.value(f"addrspacecast ptr addrspace(3) {q} to ptr addrspace(7)")
        body.do('call void asm sideeffect "cp.async.bulk.shared::cluster.global.'
                'mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "r,l,r,r"('
                f"ptr addrspace(7) {q7}, ptr addrspace(1) {p}, i32 1024, {BARRIER})")
    end(body, "load")
    body.do(WAIT.format(0, 0))
    body.copy("@shared", "%out", 2048, 128, "o")
    family.kernel("bulk_copy", body.lines)
    family.case("bulk_copy", [["bits", 1, 2048]], 8192, threads=128, shared=8192)

    # Tiles of at most 8 KB; coordinates come with the input.
    # Some begin before the tensor, end or lie after it, or do not begin at 16 bytes.
    coordinates = {1: ((0,), (40,), (-8,), (56,), (60,), (104,)),
                   2: ((0, 0), (32, 8), (-8, -3), (70, 20), (200, 4),
                       (72, 12), (-8, 0), (0, -3), (4, 0), (0, 40)),
                   3: ((0, 0, 0), (16, 3, 1), (-4, 5, 2), (-8, 5, 2), (88, 15, 1))}
    for rank in (1, 2, 3):
        args = ", ".join(["i32"] * rank)
        family.declare(f"void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.{rank}d("
                       f"ptr addrspace(3), ptr addrspace(3), ptr, {args}, i64, i1)")
        family.declare("void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile."
                       f"{rank}d(ptr addrspace(3), ptr, {args}, i64, i1)")
        for swizzle in (0, 32, 64, 128) if rank > 1 else (0,):
            width = swizzle // 2 or 48
            shape = [width, 16 if rank == 2 else 8, 2][:rank]
            bytes_ = 2
            for extent in shape:
                bytes_ *= extent
            load, store = Body(), Body()
            begin(load, bytes_)
            for body in (load, store):
                if body is store:
                    body.do("%first = icmp eq i32 %t, 0")
                    body.copy("%in", "@shared", 2048, 128, "i", 4)
                    body.do("call void @llvm.nvvm.fence.proxy.async.shared_cta()")
                    body.sync()
                first_only(body, "go")
                where = []
                for i in range(rank):
                    p = body.value(f"getelementptr i32, ptr addrspace(1) %in, i32 {i}")
                    where.append("i32 " + body.value(f"load i32, ptr addrspace(1) {p}"))
                where = ", ".join(where)
                if body is load:
                    body.do(f"call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.{rank}d("
                            f"ptr addrspace(3) @shared, {BARRIER}, ptr %map, {where}, i64 0, "
                            "i1 false)")
                else:
                    body.do(f"call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.{rank}d("
                            f"ptr addrspace(3) @shared, ptr %map, {where}, i64 0, i1 false)")
                    body.do("call void @llvm.nvvm.cp.async.bulk.commit.group()")
                    body.do("call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)")
                end(body, "go")
            load.do(WAIT.format(1, 0))
            load.copy("@shared", "%out", 2048, 128, "o")
            name = f"tile_{rank}d_{swizzle}"
            family.kernel(f"load_{name}", load.lines, MAP)
            family.kernel(f"store_{name}", store.lines, MAP)
            for number, place in enumerate(coordinates[rank]):
                values = [c % 2**32 for c in place] + [0] * (4 - rank)
                sizes = [100, 30, 4][:rank]
                strides = [208, 208 * 30][:rank - 1]
                inputs = [["values", values, 16], ["bits", 5, 208 * 30 * 4]]
                family.case(f"load_{name}", inputs, 8192, threads=128, shared=8192,
                            label=f"_{number}",
                            maps=[box("in", rank, sizes, strides, shape, swizzle, offset=16)])
                sizes = [100, 20, 2][:rank]
                strides = [208, 208 * 20][:rank - 1]
                family.case(f"store_{name}", inputs, 8448, threads=128, shared=8192,
                            label=f"_{number}",
                            maps=[box("out", rank, sizes, strides, shape, swizzle)])
    return family


def mbarrier():
    family = Family("mbarrier")
    declare_barriers(family)
    family.declare("i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))")
    family.declare("i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3), i32)")
    family.declare("i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr addrspace(3))")
    family.declare("i32 @llvm.nvvm.mbarrier.pending.count(i64)")
    family.declare("i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)")
    body = Body()
    body.do("%first = icmp eq i32 %t, 0")
    first_only(body, "go")
    slot = [0]

    def record(value):
        p = body.value(f"getelementptr i32, ptr addrspace(1) %out, i32 {slot[0]}")
        body.do(f"store i32 {value}, ptr addrspace(1) {p}")
        slot[0] += 1

    def record_bit(value):
        record(body.value(f"zext i1 {value} to i32"))

    def pending(state):
        record(body.value(f"call i32 @llvm.nvvm.mbarrier.pending.count(i64 {state})"))

    def test(state):
        record_bit(body.value("call i1 @llvm.nvvm.mbarrier.test.wait.shared("
                              f"{BARRIER}, i64 {state})"))
        for parity in (0, 1):
            record(body.value(
                'call i32 asm sideeffect "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.'
                f'b64 p, [$1], {parity}; selp.b32 $0, 1, 0, p; }}", "=r,r"({BARRIER})'))

    def arrive(kind="arrive.shared", count=None):
        extra = "" if count is None else f", i32 {count}"
        return body.value(f"call i64 @llvm.nvvm.mbarrier.{kind}({BARRIER}{extra})")

    body.do(f"call void @llvm.nvvm.mbarrier.init.shared({BARRIER}, i32 5)")
    for _ in range(2):
        first = arrive()
        pending(first)
        test(first)
        second = arrive("arrive.noComplete.shared", 3)
        pending(second)
        test(second)
        third = arrive()
        pending(third)
        test(third)
        test(first)
    dropped = arrive("arrive.drop.shared")
    pending(dropped)
    for _ in range(3):
        arrive()
    last = arrive()
    pending(last)
    test(dropped)
    # Of the next phase four arrivals are left.
    for _ in range(4):
        state = arrive()
        pending(state)
    test(state)
    end(body, "go")
    family.kernel("arrivals", body.lines)
    family.case("arrivals", [["count", 0, 4]], 4 * slot[0], shared=0)
    return family


def cluster():
    family = Family("cluster")
    declare_barriers(family)
    attributes = '"nvvm.cluster_dim"="2" '
    for name in ("clusterid.x", "nclusterid.x", "cluster.ctaid.x", "cluster.nctaid.x",
                 "cluster.ctarank", "cluster.nctarank"):
        family.declare(f"i32 @llvm.nvvm.read.ptx.sreg.{name}()")
    family.declare("ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)")
    family.declare("void @llvm.nvvm.barrier.cluster.arrive.aligned()")
    family.declare("void @llvm.nvvm.barrier.cluster.wait.aligned()")
    family.declare("void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7), "
                   "ptr addrspace(3), ptr, i32, i32, i16, i64, i1, i1, i32)")
    family.declare("void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32)")
    family.declare("void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)")
    barrier = ("call void @llvm.nvvm.barrier.cluster.arrive.aligned()",
               "call void @llvm.nvvm.barrier.cluster.wait.aligned()")

    def place(body, words):
        """The CTA's part of the output."""
        cta = body.value("call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()")
        at = body.value(f"mul i32 {cta}, {words}")
        body.do(f"%mine = getelementptr i32, ptr addrspace(1) %out, i32 {at}")

    body = Body()
    place(body, 6 * 32)
    for i, name in enumerate(("clusterid.x", "nclusterid.x", "cluster.ctaid.x",
                              "cluster.nctaid.x", "cluster.ctarank", "cluster.nctarank")):
        v = body.value(f"call i32 @llvm.nvvm.read.ptx.sreg.{name}()")
        p = body.index("%mine", i, 6)
        body.do(f"store i32 {v}, ptr addrspace(1) {p}")
    family.kernel("registers", body.lines, attributes=attributes)
    family.case("registers", [["count", 0, 4]], 4 * 6 * 32 * 4, grid=4)

    body = Body()
    place(body, 32)
    rank = body.value("call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()")
    other = body.value(f"xor i32 {rank}, 1")
    own = body.index("@shared", 0, 1, 3)
    there = body.value("call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster("
                       f"ptr addrspace(3) {own}, i32 {other})")
    cta = body.value("call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()")
    mark = body.value(f"mul i32 {cta}, 1000")
    mark = body.value(f"add i32 {mark}, %t")
    body.do(f"store i32 {mark}, ptr addrspace(7) {there}")
    for line in barrier:
        body.do(line)
    v = body.value(f"load i32, ptr addrspace(3) {own}")
    p = body.index("%mine", 0, 1)
    body.do(f"store i32 {v}, ptr addrspace(1) {p}")
    family.kernel("mapa", body.lines, attributes=attributes)
    family.case("mapa", [["count", 0, 4]], 4 * 32 * 4, grid=4, shared=1024)

    # Each CTA loads half a tile for both: rows 8 * rank and on.
    body = Body()
    begin(body, 2048)
    place(body, 2048)
    for line in barrier:
        body.do(line)
    rank = body.value("call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()")
    first_only(body, "load")
    row = body.value(f"mul i32 {rank}, 8")
    at = body.value(f"mul i32 {rank}, 1024")
    to = body.value(f"getelementptr i8, ptr addrspace(3) @shared, i32 {at}")
    to7 = body.value(f"addrspacecast ptr addrspace(3) {to} to ptr addrspace(7)")
    body.do("call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) "
            f"{to7}, {BARRIER}, ptr %map, i32 0, i32 {row}, i16 3, i64 0, i1 true, i1 false, "
            "i32 0)")
    end(body, "load")
    body.do(WAIT.format(2, 0))
    body.do("%first_piece = mul i32 %t, 4")
    for i in range(4):
        p = body.index("@shared", 128 * i, 1, 3, "<4 x i32>")
        v = body.value(f"load <4 x i32>, ptr addrspace(3) {p}, align 16")
        q = body.index("%mine", 128 * i, 1, 1, "<4 x i32>")
        body.do(f"store <4 x i32> {v}, ptr addrspace(1) {q}, align 16")
    for line in barrier:
        body.do(line)
    family.kernel("multicast", body.lines, MAP, attributes)
    family.case("multicast", [["bits", 5, 64 * 2 * 16]], 2 * 8192, threads=128, shared=8192, grid=2,
                maps=[box("in", 2, [64, 16], [128], [64, 8], 128)])

    body = Body()
    body.do("%low = icmp ult i32 %t, 128")
    body.do("br i1 %low, label %less, label %more")
    body.label("less")
    body.do("call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 24)")
    body.do("br label %join")
    body.label("more")
    body.do("call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 240)")
    body.do("br label %join")
    body.label("join")
    body.store("%t", 0, 1)
    # Without these two the assembler cannot tell how many registers there are.
    family.kernel("setmaxnreg", body.lines,
                  attributes='"nvvm.reqntid"="384" "nvvm.minctasm"="1" ')
    family.case("setmaxnreg", [["count", 0, 4]], 1536, threads=384)
    return family


def wgmma():
    family = Family("wgmma")
    declare_barriers(family)
    family.declare("void @llvm.nvvm.wgmma.fence.sync.aligned()")
    family.declare("void @llvm.nvvm.wgmma.commit_group.sync.aligned()")
    image = 49152

    def make(name, n, sparse, kind, in_registers, selector=0, transpose_a=0, transpose_b=0,
             products=1):
        """Input: 8 words with the descriptors of A and B without the address, then the image
        of shared memory, 128 words of metadata, 512 words of A in registers. With two products
        the descriptors of the second are in words 4 to 7."""
        registers = n // 2
        integers = kind in ("u8.s8", "s8.s8")
        element, letter = ("i32", "r") if integers else ("float", "f")
        body = Body()
        body.copy("%in", "@shared", image // 4, 128, "i", 8)
        body.do("call void @llvm.nvvm.fence.proxy.async.shared_cta()")
        body.sync()
        start = body.value("ptrtoint ptr addrspace(3) @shared to i32")
        start = body.value(f"and i32 {start}, 262143")
        start = body.value(f"lshr i32 {start}, 4")
        start = body.value(f"zext i32 {start} to i64")
        descriptors = []
        for i in range(2 * products):
            p = body.value(f"getelementptr i64, ptr addrspace(1) %in, i32 {i}")
            d = body.value(f"load i64, ptr addrspace(1) {p}")
            descriptors.append(body.value(f"add i64 {d}, {start}"))
        words = 8 + image // 4
        metadata = body.load(words, 1) if sparse else None
        a = [body.load(words + 128 + i, 4) for i in range(4)] if in_registers else []
        struct = family.structure(registers, element)
        outputs = ",".join([f"={letter}"] * registers)
        ties = ",".join(str(i) for i in range(registers))
        listed = ", ".join(f"${i}" for i in range(registers))
        body.do("call void @llvm.nvvm.wgmma.fence.sync.aligned()")
        values = [f"{element} poison"] * registers
        for product in range(products):
            operands, constraints, next_ = [], [], registers
            if in_registers:
                operands += [f"i32 {v}" for v in a]
                constraints += ["r"] * 4
                a_text = "{" + ", ".join(f"${next_ + i}" for i in range(4)) + "}"
                next_ += 4
            else:
                operands.append(f"i64 {descriptors[2 * product]}")
                constraints.append("l")
                a_text = f"${next_}"
                next_ += 1
            operands.append(f"i64 {descriptors[2 * product + 1]}")
            constraints.append("l")
            text = f"{a_text}, ${next_}"
            next_ += 1
            if sparse:
                operands.append(f"i32 {metadata}")
                constraints.append("r")
                text += f", ${next_}, {selector}"
            scale = 1 if product else 0
            text += ", p"
            if not integers:
                text += ", 1, 1" + ("" if in_registers else f", {transpose_a}") + f", {transpose_b}"
            opcode = (f"wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned.m64n{n}k"
                      f"{32 if sparse else 16}.f32.{kind}.{kind}")
            if integers:
                opcode = (f"wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned.m64n{n}k"
                          f"{64 if sparse else 32}.s32.{kind}")
            # The scale has to be a predicate that the assembler knows.
            w = body.value(
                f'call {struct} asm sideeffect "{{ .reg .pred p; setp.ne.b32 p, {scale}, 0; '
                f'{opcode} {{{listed}}}, {text}; }}", "{outputs},{",".join(constraints)},{ties}"('
                f"{', '.join(operands + values)})")
            values = [f"{element} " + body.value(f"extractvalue {struct} {w}, {i}")
                      for i in range(registers)]
        body.do("call void @llvm.nvvm.wgmma.commit_group.sync.aligned()")
        f = body.value(f'call {struct} asm sideeffect "wgmma.wait_group.sync.aligned 0;", '
                       f'"{outputs},{ties}"({", ".join(values)})')
        at = body.index("%out", 0, registers)
        body.do(f"store {struct} {f}, ptr addrspace(1) {at}, align 4")
        family.kernel(name, body.lines)

    def words(*descriptors):
        out = []
        for d in descriptors + (0,) * (4 - len(descriptors)):
            out += [d & 0xFFFFFFFF, d >> 32]
        return out

    def descriptor(address, leading, stride, swizzle):
        mode = {0: 0, 128: 1, 64: 2, 32: 3}[swizzle]
        return address >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode << 62

    def case(kernel, n, kind, *descriptors, label=""):
        kind = "bits" if kind in ("u8.s8", "s8.s8") else kind
        family.case(kernel, [["values", words(*descriptors), 32], [kind, 77, image],
                             ["metadata", 78, 512], [kind, 79, 2048]], 256 * n, threads=128,
                    shared=image, label=label)

    b_at = 8192
    plain_a, wide_b = descriptor(0, 128, 256, 0), descriptor(b_at, 16, 1024, 128)
    for n in (8, 16, 64, 128, 192, 256):
        for sparse in (False, True):
            for in_registers in (False, True):
                for kind in ("f16", "bf16") if n == 64 else ("f16",):
                    for selector in (0, 1) if sparse else (0,):
                        name = (f"{'sp' if sparse else 'dense'}_{'rs' if in_registers else 'ss'}_"
                                f"n{n}_{kind}" + (f"_s{selector}" if sparse else ""))
                        make(name, n, sparse, kind, in_registers, selector)
                        case(name, n, kind, plain_a, wide_b)
    # Other layouts of dense products: starts within a row, every swizzle.
    name = "dense_ss_n64_f16"
    for swizzle in (32, 64, 128):
        for offset in range(0, swizzle, 32):
            case(name, 64, "f16", descriptor(offset, 16, 8 * swizzle, swizzle), wide_b,
                 label=f"_a{swizzle}_{offset}")
            case(name, 64, "f16", plain_a, descriptor(b_at + offset, 16, 8 * swizzle, swizzle),
                 label=f"_b{swizzle}_{offset}")
    case(name, 64, "f16", descriptor(0, 256, 512, 0), descriptor(b_at, 1024, 128, 0),
         label="_plain")
    name = "sp_ss_n64_f16_s0"
    case(name, 64, "f16", descriptor(64, 16, 1024, 128), descriptor(b_at + 64, 16, 1024, 128),
         label="_a128_64")
    case(name, 64, "f16", descriptor(32, 16, 512, 64), descriptor(b_at, 16, 512, 64), label="_b64")
    case(name, 64, "f16", descriptor(0, 16, 256, 32), descriptor(b_at, 128, 512, 0), label="_plain")
    # Transposed operands.
    for sparse in (False, True):
        for n in (64, 128):
            name = f"{'sp' if sparse else 'dense'}_ss_n{n}_f16_tb"
            make(name, n, sparse, "f16", False, transpose_b=1)
            for swizzle in (32, 64, 128):
                case(name, n, "f16", plain_a, descriptor(b_at, 4096, 8 * swizzle, swizzle),
                     label=f"_{swizzle}")
            case(name, n, "f16", plain_a, descriptor(b_at, 2048, 128, 0), label="_0")
            case(name, n, "f16", plain_a, descriptor(b_at, 128, 512, 0), label="_0x")
    make("dense_ss_n16_f16_ta", 16, False, "f16", False, transpose_a=1)
    for swizzle in (32, 64, 128):
        case("dense_ss_n16_f16_ta", 16, "f16", descriptor(0, 1024, 8 * swizzle, swizzle), wide_b,
             label=f"_{swizzle}")
    case("dense_ss_n16_f16_ta", 16, "f16", descriptor(0, 1024, 128, 0), wide_b, label="_0")
    make("dense_ss_n32_f16_two", 32, False, "f16", False, products=2)
    case("dense_ss_n32_f16_two", 32, "f16", descriptor(0, 16, 1024, 128), wide_b,
         descriptor(32, 16, 1024, 128), descriptor(b_at + 32, 16, 1024, 128))
    make("sp_ss_n32_f16_two", 32, True, "f16", False, products=2)
    case("sp_ss_n32_f16_two", 32, "f16", plain_a, wide_b, descriptor(2048, 128, 256, 0),
         descriptor(b_at + 64, 16, 1024, 128))
    # Bytes, of A without and of B with a sign.
    for n in (8, 64, 256):
        make(f"dense_rs_n{n}_u8_s8", n, False, "u8.s8", True)
        case(f"dense_rs_n{n}_u8_s8", n, "u8.s8", plain_a, wide_b)
        make(f"sp_rs_n{n}_s8", n, True, "s8.s8", True)
        case(f"sp_rs_n{n}_s8", n, "s8.s8", plain_a, wide_b)
    return family


FAMILIES = (bulk, mbarrier, cluster, wgmma)

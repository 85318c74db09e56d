"""Puts a defect into kernels: mutate.py KIND NUMBER IN.ll OUT.ll.

In each kernel, the NUMBER-th (from 0) instruction that KIND applies to is
changed. An exit code of 3 says that no kernel has as many.
"""

import re
import sys

kind, number, source, target = sys.argv[1:]

CHANGES = {
    # An instruction that is left out.
    "barrier": (r"call void @llvm\.nvvm\.barrier\.cta\.sync", None),
    "wait": (r"call void @llvm\.nvvm\.cp\.async\.wait\.group", None),
    "warp-barrier": (r"call void @llvm\.nvvm\.bar\.warp\.sync", None),
    "commit": (r"call void @llvm\.nvvm\.cp\.async\.commit", None),
    # The other half of the metadata.
    "selector": (r"@llvm\.nvvm\.mma\.sp\.ordered", (r"i32 ([01])\)",
                 lambda m: "i32 %d)" % (1 - int(m[1])))),
    # A megabyte beyond the address, or two bytes.
    "bounds": (r"^  store .*addrspace\(1\) %", ("store", 1 << 20)),
    "alignment": (r"^  store .*addrspace\(1\) %.*align (?:[4-9]|16)", ("store", 2)),
    "copy-alignment": (r"call void @llvm\.nvvm\.cp\.async\.cg\.shared\.global\.16\(",
                       ("copy", 8)),
    # What no check foresees, and what never ends.
    "trap": (r"^  ret void", ("text", "  call void @llvm.trap()\n  ret void")),
    "endless": (r"^  ret void",
                ("text", "  br label %endless\nendless:\n  br label %endless")),
    # A group more than may be pending.
    "pending": (r"call void @llvm\.nvvm\.cp\.async\.wait\.group",
                (r"i32 (\d+)\)", lambda m: "i32 %d)" % (int(m[1]) + 1))),
}


def change_line(line):
    if change is None:
        return ""
    if change[0] == "text":
        return change[1]
    if change[0] not in ("store", "copy"):
        changed = re.sub(change[0], change[1], line)
        assert changed != line, line
        return changed
    pointer = "ptr addrspace(1) " + re.search(
        r"ptr addrspace\(1\) (%[\w.]+)", line)[1]
    moved = "ptr addrspace(1) %moved.pointer"
    return "  %%moved.pointer = getelementptr i8, %s, i64 %d\n%s" % (
        pointer, change[1], line.replace(pointer, moved))


lines = open(source).read().split("\n")
pattern, change = CHANGES[kind]
seen, mutated = 0, 0
for at, line in enumerate(lines):
    if line.startswith("define ptx_kernel void @"):
        seen = 0
    elif re.search(pattern, line):
        if seen == int(number):
            lines[at] = change_line(line)
            mutated += 1
        seen += 1
if not mutated:
    sys.exit(3)
print("mutated %d kernels" % mutated)
if kind == "trap":
    lines.append("declare void @llvm.trap()")
open(target, "w").write("\n".join(lines))

"""Kernels of servers that a point stands beside where they are installed, and its operands
as those take them. None of them is part of this repository."""

import importlib.metadata
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from common.machine import why

# Names of contenders; a peer is a file of its own, which holds a class of this interface:
# `NAME` and `PACKAGE`; a constructor, which raises RuntimeError where it is not installed; and
# `runs(torch, laid)`, {how: function of a set's number that returns the result}, of which the
# fastest counts; {} where it has no kernel for such a point.
FLASH_ATTENTION_3, FLASH_MLA, FLASH_INFER = "FlashAttention-3", "FlashMLA", "FlashInfer"
NO_PAGE = 1 << 30  # In a page table, where nothing is to be read.
NAMES = (FLASH_ATTENTION_3, FLASH_MLA, FLASH_INFER)


@dataclass
class Laid:
    """What our program takes: `sets` of (q, k, v) as its operands are laid out; for ragged
    entries and pages `lengths`, `bounds` of packed queries, and the page `table`, else None."""

    point: object
    sets: list
    lengths: object = None
    table: object = None
    bounds: object = None


def installed(package, part):
    """A file of a Python package, which is not imported."""
    found = importlib.util.find_spec(package)
    for folder in (found.submodule_search_locations or []) if found else []:
        path = Path(folder) / part
        if path.is_file():
            return path
    raise RuntimeError(f"{package} is not installed, or has no {part}")


def in_pages(pages):
    """Pages [P, G, page, D] of ours as servers have them: [P, page, G, D]."""
    return pages.transpose(1, 2).contiguous()


def readable(table):
    """The page table with a page for the places that none is read from."""
    return table.where(table < NO_PAGE, table.new_zeros(()))


def _version(package):
    try:
        return f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{package}, whose version is not known"


def all_installed(torch):
    """(peers, {name: version, or why it is not there})."""
    from attn import peer_fa3, peer_flashinfer, peer_flashmla
    found, known = [], {}
    for kind in (peer_fa3.FlashAttention3, peer_flashmla.FlashMLA,
                 peer_flashinfer.FlashInfer):
        try:
            found.append(kind(torch))
            known[kind.NAME] = _version(kind.PACKAGE)
        except (RuntimeError, ImportError, OSError) as error:
            known[kind.NAME] = f"not measured: {why(error)}"
        print(f"{kind.NAME}: {known[kind.NAME]}", flush=True)
    return found, known

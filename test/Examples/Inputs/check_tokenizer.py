"""Checks the tokenizer of minilm_ffn on a small vocabulary."""

import sys
import tempfile

sys.path.insert(0, sys.argv[1])

import wordpiece  # noqa: E402 (its folder is an argument)

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cafe", "un", "##aff", "##able", ",",
          "!", "the", "12", "##5", "中"]
CASES = [
    ("", []),
    ("Café!", ["cafe", "!"]),
    ("unaffable", ["un", "##aff", "##able"]),
    ("The the\tTHE\n", ["the", "the", "the"]),
    ("125,12", ["12", "##5", ",", "12"]),
    # One part that is not known makes the whole word unknown.
    ("unaffabley", ["[UNK]"]),
    ("the中the", ["the", "中", "the"]),
    ("x" * 101, ["[UNK]"]),
    # Control characters and soft hyphens are no part of a word.
    ("un\u00adaff\u200bable", ["un", "##aff", "##able"]),
]

with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
    file.write("\n".join(PIECES) + "\n")
    file.flush()
    tokenizer = wordpiece.WordPiece(file.name)
for text, pieces in CASES:
    expected = [PIECES.index(piece) for piece in ["[CLS]"] + pieces + ["[SEP]"]]
    found = tokenizer.encode(text)
    if found != expected:
        sys.exit(f"{text!r}: expected {expected}, found {found}")
if len(tokenizer.encode("the " * 1000)) != 256:
    sys.exit("expected a long text to be cut at 256 tokens")

"""BERT's uncased tokenizer: words, then the longest pieces that the vocabulary knows."""

import unicodedata


def _is_punctuation(char):
    # ASCII symbols such as '$' and '+' count as punctuation as well.
    if char.isascii() and not char.isalnum() and not char.isspace():
        return True
    return unicodedata.category(char).startswith("P")


def _is_cjk(char):
    code = ord(char)
    return (0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or
            0x20000 <= code <= 0x2CEAF or 0xF900 <= code <= 0xFAFF or
            0x2F800 <= code <= 0x2FA1F)


def split_words(text):
    """Lower case without accents; every punctuation mark is a word of its own."""
    text = unicodedata.normalize("NFD", text.lower())
    words = [""]
    for char in text:
        category = unicodedata.category(char)
        if category == "Mn" or char in "\0\ufffd":
            continue
        if char.isspace() or category == "Zs":
            words.append("")
        elif category.startswith("C"):
            continue
        elif _is_punctuation(char) or _is_cjk(char):
            words += [char, ""]
        else:
            words[-1] += char
    return [word for word in words if word]


class WordPiece:
    """Turns a sentence into token numbers.

    `vocabulary` is a file with one piece a line; a piece that continues a word
    starts with '##'.
    """

    def __init__(self, vocabulary):
        with open(vocabulary, encoding="utf-8") as file:
            self.numbers = {line.rstrip("\n"): i for i, line in enumerate(file)}

    def split(self, word):
        """The pieces of one word; ['[UNK]'] when some part is not known."""
        if len(word) > 100:
            return ["[UNK]"]
        pieces, begin = [], 0
        while begin < len(word):
            for end in range(len(word), begin, -1):
                piece = ("##" if begin else "") + word[begin:end]
                if piece in self.numbers:
                    break
            else:
                return ["[UNK]"]
            pieces.append(piece)
            begin = end
        return pieces

    def encode(self, text, limit=256):
        """Token numbers with [CLS] before and [SEP] after, `limit` at most."""
        pieces = [piece for word in split_words(text) for piece in self.split(word)]
        pieces = ["[CLS]"] + pieces[:limit - 2] + ["[SEP]"]
        return [self.numbers[piece] for piece in pieces]

# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokenizers that are made of a GGUF file's vocabulary, against plain merging."""

import collections
import random
import unittest
from unittest import mock

import sparseflow as sf
from sparseflow.model import Tokenizer, import_model
from support import FolderTest
import tiny_models as tiny

SPACE = "\u2581"
NORMAL, UNKNOWN, CONTROL, USER, BYTE = 1, 2, 3, 4, 6
CORPUS = ("a small model of the language reads this small text, and then the text again; "
          "the models that read the text are the smallest: 2048 tokens, 1024 bytes, 512 ")


def learn_merges(words, count):
    """Pairs of symbols, the most frequent first: what training such vocabularies does."""
    words, merges = [list(word) for word in words], []
    for _ in range(count):
        pairs = collections.Counter(pair for word in words for pair in zip(word, word[1:]))
        if not pairs:
            break
        pair = max(sorted(pairs), key=pairs.get)
        merges.append(pair)
        words = [merge(word, lambda a, b: (a, b) == pair) for word in words]
    return merges


def merge(word, wanted):
    """Symbols with every wanted pair of neighbours as one, from the left."""
    result = []
    for symbol in word:
        if result and wanted(result[-1], symbol):
            result[-1] += symbol
        else:
            result.append(symbol)
    return result


def reference(text, scores, numbers):
    """SentencePiece's BPE: again and again the pair with the best score, the leftmost of
    equal ones; what is no token becomes its bytes."""
    symbols = list(text)
    while True:
        best = max(((scores[a + b], -index) for index, (a, b)
                    in enumerate(zip(symbols, symbols[1:])) if a + b in scores),
                   default=None)
        if best is None:
            break
        index = -best[1]
        symbols[index:index + 2] = ["".join(symbols[index:index + 2])]
    return [number for symbol in symbols for number in (
        [numbers[symbol]] if symbol in numbers else
        [numbers[f"<0x{byte:02X}>"] for byte in symbol.encode()])]


def random_texts(count):
    choice = random.Random(1)
    words = CORPUS.split(" ") + ["  ", "é", "東京", "\n", "<", "0", "\U0001f642", "aa"]
    return ["".join(choice.choice(words) + choice.choice(["", " ", " "])
                    for _ in range(choice.randint(0, 12))) for _ in range(count)]


class TestGgufVocabularies(FolderTest):

    def load(self, **metadata):
        weights = tiny.random_weights()
        words = metadata["tokenizer.ggml.tokens"]
        tensors = tiny.gguf_tensors(weights)
        for name in ("token_embd.weight", "output.weight"):
            kind, (_, columns), data = tensors[name]
            row = len(data) // tiny.WORDS
            tensors[name] = kind, [len(words), columns], (data * len(words))[
                :row * len(words)]
        tiny.write_gguf(self.path("m.gguf"), tiny.gguf_metadata(**metadata), tensors)
        import_model(self.path("m.gguf"), self.path("m"))
        return sf.model.description.read_geometry(self.path("m"))[1], \
            Tokenizer(self.path("m"))

    def sentencepiece(self, **metadata):
        words = [SPACE + word for word in CORPUS.split(" ") if word]
        merged = ["".join(pair) for pair in learn_merges(words, 60)]
        merged = list(dict.fromkeys(merged))
        letters = sorted(set("".join(words)))
        tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)),
                  *merged, *letters, "<|user|>"]
        kinds = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256,
                 *[NORMAL] * (len(merged) + len(letters)), USER]
        scores = [0.0] * 259 + [-float(i) for i in range(len(merged) + len(letters))] + [0.0]
        self.numbers = {word: index for index, word in enumerate(tokens)}
        self.scores = dict(zip(merged, scores[259:]))
        return self.load(**{
            "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.scores": scores, "tokenizer.ggml.token_type": kinds,
            "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2,
            "tokenizer.ggml.unknown_token_id": 0, **metadata})

    def test_sentencepiece(self):
        special, tokenizer = self.sentencepiece()
        self.assertEqual(special, {"begin": [1], "end": [2]})
        merged = 0
        for text in random_texts(300):
            found = tokenizer.encode(text)
            expected = reference((SPACE + text).replace(" ", SPACE), self.scores,
                                 self.numbers) if text else []
            self.assertEqual(found, expected, text)
            merged += len(found) < len(text)
            self.assertEqual(tokenizer.decode(found), text)
        self.assertGreater(merged, 100)
        # Behind a token that is found as it is, a text begins anew.
        user = self.numbers["<|user|>"]
        both = tokenizer.encode("text<|user|>text")
        self.assertEqual(both, [*tokenizer.encode("text"), user, *tokenizer.encode("text")])

    def test_without_a_prefix(self):
        special, tokenizer = self.sentencepiece(**{
            "tokenizer.ggml.add_space_prefix": 0, "tokenizer.ggml.add_bos_token": 0})
        self.assertEqual(special, {"begin": [], "end": [2]})
        for text in ("the text", " the text", "é"):
            self.assertEqual(tokenizer.encode(text), reference(
                text.replace(" ", SPACE), self.scores, self.numbers))
            self.assertEqual(tokenizer.decode(tokenizer.encode(text)), text)

    def test_byte_level(self):
        """Words with their space in front, merged in the order of the list."""
        words = ["\u0120" + word for word in CORPUS.split(" ") if word.isalpha()]
        merges = learn_merges(words, 50)
        letters = sorted(set("".join(words)))
        tokens = [*letters, *dict.fromkeys("".join(pair) for pair in merges), "<|end|>"]
        special, tokenizer = self.load(**{
            "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2",
            "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.token_type": [NORMAL] * (len(tokens) - 1) + [CONTROL],
            "tokenizer.ggml.merges": [" ".join(pair) for pair in merges],
            "tokenizer.ggml.eos_token_id": len(tokens) - 1})
        self.assertEqual(special, {"begin": [], "end": [len(tokens) - 1]})
        text = " the small model reads the text again"
        expected = []
        for word in text.split(" ")[1:]:
            symbols = list("\u0120" + word)
            for pair in merges:
                symbols = merge(symbols, lambda a, b: (a, b) == pair)
            expected += [tokens.index(symbol) for symbol in symbols]
        self.assertEqual(tokenizer.encode(text), expected)
        self.assertLess(len(expected), len(text) // 2)
        self.assertEqual(tokenizer.decode(expected + [len(tokens) - 1]), text)

    def test_without_the_package(self):
        self.sentencepiece()
        with mock.patch.dict("sys.modules", {"tokenizers": None}), \
                self.assertRaisesRegex(sf.Error, "text needs the package tokenizers"):
            Tokenizer(self.path("m"))

    def test_what_is_not_understood(self):
        """Numbers of tokens still go, and text says why it does not."""
        with self.assertRaisesRegex(sf.Error, "has no tokenizer.json, as the checkpoint"):
            self.load(**{"tokenizer.ggml.model": "bert",
                         "tokenizer.ggml.tokens": ["a", "b"]})


if __name__ == "__main__":
    unittest.main()

# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokenizers that are made of a GGUF file's vocabulary, or of SentencePiece's own file,
against plain merging."""

import collections
import json
import random
import struct
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


def varint(value):
    result = []
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    return bytes([*result, value])


def proto(*fields):
    """A protobuf message of pairs (number, value): integers, floats, bytes or text."""
    result = b""
    for number, value in fields:
        if isinstance(value, int):
            result += varint(number * 8) + varint(value % 2**64)
        elif isinstance(value, float):
            result += varint(number * 8 + 5) + struct.pack("<f", value)
        else:
            data = value if isinstance(value, bytes) else value.encode()
            result += varint(number * 8 + 2) + varint(len(data)) + data
    return result


class Vocabulary:
    """Of SentencePiece's BPE: letters, bytes, and what training merges."""

    def __init__(self):
        words = [SPACE + word for word in CORPUS.split(" ") if word]
        merged = ["".join(pair) for pair in learn_merges(words, 60)]
        merged = list(dict.fromkeys(merged))
        letters = sorted(set("".join(words)))
        self.tokens = ["<unk>", "<s>", "</s>",
                       *(f"<0x{byte:02X}>" for byte in range(256)),
                       *merged, *letters, "<|user|>"]
        self.kinds = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256,
                      *[NORMAL] * (len(merged) + len(letters)), USER]
        self.scored = [0.0] * 259 + [-float(i) for i in range(len(merged) + len(letters))] \
            + [0.0]
        self.numbers = {word: index for index, word in enumerate(self.tokens)}
        self.scores = dict(zip(merged, self.scored[259:]))

    def reference(self, text):
        return reference(text.replace(" ", SPACE), self.scores, self.numbers)


class TestGgufVocabularies(FolderTest):

    def special(self, name, metadata):
        """The tokens that begin and end a text of the folder `name`, which is made."""
        weights = tiny.random_weights()
        words = metadata["tokenizer.ggml.tokens"]
        tensors = tiny.gguf_tensors(weights)
        for table in ("token_embd.weight", "output.weight"):
            kind, (_, columns), data = tensors[table]
            row = len(data) // tiny.WORDS
            tensors[table] = kind, [len(words), columns], (data * len(words))[
                :row * len(words)]
        tiny.write_gguf(self.path("m.gguf"), tiny.gguf_metadata(**metadata), tensors)
        folder = self.path(name)
        import_model(self.path("m.gguf"), folder)
        return sf.model.description.read_geometry(folder)[1]

    def load(self, **metadata):
        return self.special("m", metadata), Tokenizer(self.path("m"))

    def sentencepiece(self, **metadata):
        self.vocabulary = Vocabulary()
        return self.load(**{
            "tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": self.vocabulary.tokens,
            "tokenizer.ggml.scores": self.vocabulary.scored,
            "tokenizer.ggml.token_type": self.vocabulary.kinds,
            "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2,
            "tokenizer.ggml.unknown_token_id": 0, **metadata})

    def test_sentencepiece(self):
        special, tokenizer = self.sentencepiece()
        self.assertEqual(special, {"begin": [1], "end": [2]})
        merged = 0
        for text in random_texts(300):
            found = tokenizer.encode(text)
            expected = self.vocabulary.reference(" " + text) if text else []
            self.assertEqual(found, expected, text)
            merged += len(found) < len(text)
            self.assertEqual(tokenizer.decode(found), text)
        self.assertGreater(merged, 100)
        # Behind a token that is found as it is, a text begins anew.
        user = self.vocabulary.numbers["<|user|>"]
        both = tokenizer.encode("text<|user|>text")
        self.assertEqual(both, [*tokenizer.encode("text"), user, *tokenizer.encode("text")])

    def test_without_a_prefix(self):
        special, tokenizer = self.sentencepiece(**{
            "tokenizer.ggml.add_space_prefix": 0, "tokenizer.ggml.add_bos_token": 0})
        self.assertEqual(special, {"begin": [], "end": [2]})
        for text in ("the text", " the text", "é"):
            self.assertEqual(tokenizer.encode(text), self.vocabulary.reference(text))
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

    def test_words_that_no_merges_make(self):
        """Llama 3 has such tokens, begins texts, and ends turns with another token."""
        tokens = ["a", "b", "c", "ab", "abc", "bc", "<|begin|>", "<|end|>", "<|turn|>"]
        metadata = {
            "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.token_type": [NORMAL] * 6 + [CONTROL] * 3,
            "tokenizer.ggml.merges": ["a b"], "tokenizer.ggml.bos_token_id": 6,
            "tokenizer.ggml.eos_token_id": 7, "tokenizer.ggml.eot_token_id": 8,
            "tokenizer.ggml.eom_token_id": 8}
        for number, (changed, begin, words) in enumerate((
                ({"pre": "llama-bpe"}, [6], [4, 3, 0, 5]),
                ({"pre": "llama-bpe", "add_bos_token": 0}, [], [4, 3, 0, 5]),
                ({"pre": "falcon3"}, [6], [4, 3, 0, 5]),
                ({"pre": "deepseek-r1-qwen"}, [], [3, 2, 3, 0, 1, 2]),
                ({"pre": "gpt-2"}, [], [3, 2, 3, 0, 1, 2]))):
            with self.subTest(changed):
                special = self.special(f"m{number}", {**metadata, **{
                    f"tokenizer.ggml.{key}": value for key, value in changed.items()}})
                self.assertEqual(special, {"begin": begin, "end": [7, 8]})
                # Digits cut words; the vocabulary has none, so that they are left out.
                found = Tokenizer(self.path(f"m{number}"), special["begin"]).encode(
                    "abc1ab1a1bc")
                self.assertEqual(found, begin + words)

    def test_bytes_that_are_no_text(self):
        """As a command's argument has them."""
        _, tokenizer = self.sentencepiece()
        with self.assertRaisesRegex(sf.Error, r"in UTF-8, found '.udcff' at character 1"):
            tokenizer.encode(b"a\xff".decode("utf-8", "surrogateescape"))

    def test_a_file_that_the_package_panics_at(self):
        with self.assertRaisesRegex(sf.Error, "tokenizer.json: cannot be read: "):
            self.sentencepiece(**{"tokenizer.ggml.precompiled_charsmap": [1, 2, 3]})

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


class TestTokenizerModel(FolderTest):
    """tokenizer.model of a Hugging Face folder."""

    def load(self, trainer=(), normalizer=(), files=(), model=None):
        self.vocabulary = Vocabulary()
        words, files = self.vocabulary.tokens, dict(files)
        added = len(files.get("added_tokens.json", ()))
        weights = tiny.random_weights()
        for name in ("model.embed_tokens.weight", "lm_head.weight"):
            weights[name] = weights[name].repeat(-(-(len(words) + added) // tiny.WORDS),
                                                 axis=0)[:len(words) + added]
        tiny.write_folder(self.path("hf"), weights,
                          tiny.config(vocab_size=len(words) + added, eos_token_id=2))
        if model is None:
            model = proto(
                *((1, proto((1, word), (2, score), (3, kind))) for word, score, kind
                  in zip(words, self.vocabulary.scored, self.vocabulary.kinds)),
                (2, proto((3, 2), (35, 1), (40, 0), *trainer)), (3, proto(*normalizer)))
        with open(self.path("hf/tokenizer.model"), "wb") as file:
            file.write(model)
        for name, content in files.items():
            with open(self.path(f"hf/{name}"), "w", encoding="utf-8") as file:
                json.dump(content, file)
        import_model(self.path("hf"), self.path("m"))
        return sf.model.description.read_geometry(self.path("m"))[1], \
            Tokenizer(self.path("m"))

    def test_text(self):
        """As Llama 2's: no space is left out."""
        special, tokenizer = self.load(normalizer=[(1, "identity"), (4, 0)])
        self.assertEqual(special, {"begin": [1], "end": [2]})
        for text in random_texts(100):
            found = tokenizer.encode(text)
            self.assertEqual(
                found, self.vocabulary.reference(" " + text) if text else [], text)
            self.assertEqual(tokenizer.decode(found), text)

    def test_spaces(self):
        """The library's default: spaces around a text and beside a space are left out."""
        _, tokenizer = self.load()
        for text in ("the text", "  the   text ", " \n the text\n ", "   "):
            bare = " ".join(word for word in text.split(" ") if word)
            self.assertEqual(tokenizer.encode(text),
                             self.vocabulary.reference(" " + bare) if bare else [], text)

    def test_added_tokens_and_beginning(self):
        special, tokenizer = self.load(
            trainer=[(41, -1)], normalizer=[(3, 0), (4, 0)],
            files={"added_tokens.json": {"<|b|>": 10**6, "<|a|>": len(Vocabulary().tokens)},
                   "tokenizer_config.json": {"add_bos_token": True}})
        self.assertEqual(special, {"begin": [], "end": [2]})
        self.assertEqual(tokenizer.encode("the<|a|>text"),
                         [*self.vocabulary.reference("the"), len(self.vocabulary.tokens),
                          *self.vocabulary.reference("text")])

    def test_no_beginning(self):
        special, _ = self.load(files={"tokenizer_config.json": {"add_bos_token": False}})
        self.assertEqual(special, {"begin": [], "end": [2]})

    def test_what_is_not_understood(self):
        whole = proto((1, proto((1, "a"), (2, 0.0))), (2, proto((3, 2))))
        self.load(model=whole)
        for model in (b"IQ== 0\nIg== 1\n", b"", whole[:-1],
                      proto((1, proto((1, "a"))), (2, proto((3, 1))))):
            self.setUp()
            with self.assertRaisesRegex(sf.Error, "has no tokenizer.json, as the checkp"):
                self.load(model=model)


if __name__ == "__main__":
    unittest.main()

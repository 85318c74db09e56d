# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models on the device cuda, with a libcuda whose memory is the host's and whose
kernels do nothing: what they would compute is computed by the CPU device, so that
weights, caches and tokens have to be where the kernels look for them."""

import contextlib
import ctypes
import io
import json
import os
import unittest
from unittest import mock

import numpy as np

import sparseflow as sf
import sparseflow.model.weights
from sparseflow import bench
from sparseflow.cuda import Function
from sparseflow.dtypes import NUMPY
from sparseflow.model import Model, Sampler, import_model
from sparseflow.model.description import set_cache
from sparseflow.model.gpu.choice import choose_device
from sparseflow.model.__main__ import main
from sparseflow.model.gpu import memory
from sparseflow.model.gpu.driver import Buffer, Driver
from sparseflow.model.packed import program_of_folder
from sparseflow.model.gpu.step import DecodeStep
from support import FolderTest
import tiny_models as tiny

TOKENS = [5, 96, 0, 17, 17, 33, 2, 80, 41, 9, 64]
compiled = tiny.share_programs()


def view(array):
    """The memory of a device array."""
    data = (ctypes.c_ubyte * array.nbytes).from_address(array.data)
    return np.frombuffer(data, np.uint8).view(NUMPY[array.dtype]).reshape(array.shape)


def held(spec, array):
    """What an argument of a program is on the CPU, pages of numbers a cache."""
    encoding = spec.get("encoding")
    return sf.TernaryCache(view(array), spec["shape"][3], encoding["storage"],
                           encoding["scale"], encoding["scale_dtype"]) \
        if encoding else view(array)


@unittest.skipUnless(os.environ.get("SPARSEFLOW_LIBCUDA"), "no fake driver is named")
class TestGpu(FolderTest):

    def check(self, weights, members, cache="dense", **options):
        tiny.write_folder(self.path("hf"), weights, members)
        import_model(self.path("hf"), self.path("m"), **options)
        set_cache(self.path("m"), cache)
        with self.assertRaisesRegex(sf.Error, "there is none; make it with `sparseflow "
                                    "model compile .* --target T`"):
            Model(self.path("m"), "cuda")
        self.assertRegex(" ".join(choose_device(self.path("m"))), "^cpu there is a GPU, .*, and "
                         "the model has no kernels for it; `sparseflow model compile")
        tiny.compile_once(self.path("m"), ["sm_90"])
        self.assertRegex(" ".join(choose_device(self.path("m"))), "^cuda .*, kernels for sm_90$")
        cpu, gpu = Model(self.path("m")), Model(self.path("m"), "cuda")
        program = compiled(program_of_folder(self.path("m")), 0)
        launch, uploads = Function.launch, []
        upload = type(gpu._call.driver).upload

        def computed(function, given, results, *rest):
            for result, spec in zip(results, function.spec["results"]):
                # A result that is not written has no number in it.
                if "updates" not in spec:
                    view(result).view(np.uint8)[...] = 255
            launch(function, given, results, *rest)
            made = program(function.spec["name"],
                           {spec["name"]: held(spec, array) for spec, array
                            in zip(function.spec["arguments"], given)})
            for result, array in zip(results, made if isinstance(made, tuple) else
                                     (made,)):
                view(result)[...] = getattr(array, "pages", array)

        def counted(driver, address, array):
            uploads.append(array.nbytes)
            upload(driver, address, array)

        def again(step, turn):
            # A graph, as the calls that it was captured of.
            graph = mock.Mock()

            def replay():
                for made, kept in zip(step._run(*step._state[turn]),
                                      step._state[1 - turn]):
                    view(kept)[...] = view(made)
            graph.launch = replay
            return graph

        with mock.patch.object(Function, "launch", computed), \
                mock.patch.object(DecodeStep, "_captured", again), \
                mock.patch.object(type(gpu._call.driver), "upload", counted):
            caches = [model.cache(2) for model in (cpu, gpu)]
            for tokens, lengths in (([TOKENS[:5], TOKENS[5:10]], [3, 5]),
                                    ([[1], [2]], None), ([[7, 8, 9], [3, 4, 5]], None)):
                ours, theirs = (model.forward(tokens, cache)
                                for model, cache in zip((gpu, cpu), caches[::-1]))
                np.testing.assert_array_equal(ours, theirs)
                for cache in caches:
                    if lengths:
                        cache.lengths = np.array(lengths, np.int32)
            np.testing.assert_array_equal(
                gpu.forward([TOKENS], gpu.cache(), last=False),
                cpu.forward([TOKENS], cpu.cache(), last=False))
            before = len(uploads)
            gpu.forward([[3], [4]], caches[1])
            # Tokens and lengths of two texts, and no weights.
            self.assertEqual(uploads[before:], [8, 8])
            order = self.order_of_steps()
            tokens = list(gpu.generate(TOKENS, 12, chunk=4))
            self.assertEqual(tokens, list(cpu.generate(TOKENS, 12, chunk=4)))
            # A step is on the stream before the host asks for the tokens of the one in
            # front of it; the last one's are read alone, unless a text has ended.
            self.assertRegex("".join(order), "^(LR)?(L(LR)+R)*(LR|L(LR)+)?$")
            prompts = [TOKENS[:1], TOKENS[:7], TOKENS[4:6]]
            self.assertEqual(list(gpu.generate_texts(prompts, 6, chunk=4)),
                             list(cpu.generate_texts(prompts, 6, chunk=4)))
            self.check_ends(gpu, cpu)
            # Drawn tokens as well, and only they come to the host.
            options = {"temperature": 30.0, "top_k": 30, "top_p": 0.95}
            sampler = Sampler(**options, seed=7)
            with self.downloads() as sizes:
                tokens = list(gpu.generate(TOKENS, 12, sampler, chunk=4))
            self.assertEqual(set(sizes), {4})
            self.assertEqual(tokens, list(cpu.generate(TOKENS, 12, sampler)))
            self.assertNotEqual(tokens, list(cpu.generate(
                TOKENS, 12, Sampler(**options, seed=8))))
        # With the driver's own graphs, of kernels that do nothing: a step is captured,
        # launched, and keeps its memory.
        cache = gpu.cache(2)
        cache.reserve(3)
        step = DecodeStep(gpu, cache, [1, 2])
        for _ in range(2):
            step.launch()
        with self.assertRaisesRegex(sf.Error, "expected 1 or 2 steps .*, found 3"):
            step.launch()
            step.tokens()
        cache.make_room(cache.size + 1)
        with self.assertRaisesRegex(sf.Error, "that the step was made for"):
            step.launch()

    def check_ends(self, gpu, cpu):
        """Half of the texts having ended, steps are made of the others."""
        prompts = [TOKENS[:1], TOKENS[:7], TOKENS[4:6], TOKENS[2:9], TOKENS[8:]]
        for seed in range(99):
            sampler = Sampler(temperature=30.0, top_k=30, seed=seed)
            whole = list(zip(*cpu.generate_texts(prompts, 12, sampler)))
            ends = {"end": [whole[0][2], whole[3][4], whole[1][5]]}
            steps = sorted(next((i for i, token in enumerate(text) if token in ends["end"]), 12)
                           for text in whole)
            # Two texts outlive the others.
            if steps[3] > steps[2] + 2:
                break
        made, init = [], DecodeStep.__init__

        def noted(step, model, cache, *rest):
            made.append(cache.batch)
            init(step, model, cache, *rest)
        with mock.patch.dict(cpu.tokens, ends), mock.patch.dict(gpu.tokens, ends), \
                mock.patch.object(DecodeStep, "__init__", noted):
            self.assertEqual(list(gpu.generate_texts(prompts, 12, sampler)),
                             list(cpu.generate_texts(prompts, 12, sampler)))
        self.assertEqual((made[0], made[1]), (5, 2))
        self.assertEqual(made, sorted(made, reverse=True))

    @contextlib.contextmanager
    def downloads(self):
        """A list that gets the bytes of each copy to the host."""
        sizes, download = [], Driver.download

        def noted(driver, array, *rest):
            sizes.append(array.nbytes)
            return download(driver, array, *rest)
        with mock.patch.object(Driver, "download", noted):
            yield sizes

    def order_of_steps(self):
        """A list that gets L for each step that is launched and R for each read."""
        order = []

        def noted(name, letter):
            method = getattr(DecodeStep, name)

            def call(step):
                order.append(letter)
                return method(step)
            patch = mock.patch.object(DecodeStep, name, call)
            patch.start()
            self.addCleanup(patch.stop)
        noted("launch", "L")
        noted("_read", "R")
        return order

    def test_memory_of_graphs(self):
        """What a graph was given is nobody else's while it lives."""
        driver = Driver()
        first = Buffer(driver, [100], "u8")
        address = first.data
        del first
        with driver.capture() as graph:
            kept, gone = Buffer(driver, [100], "u8"), Buffer(driver, [60], "u8")
            self.assertEqual(kept.data, address)
            held = {kept.data, gone.data}
            del gone
        later = [Buffer(driver, [size], "u8") for size in (100, 60)]
        del kept
        later += [Buffer(driver, [size], "u8") for size in (100, 60)]
        self.assertFalse(held & {buffer.data for buffer in later})
        graph.launch()
        del graph
        again = [Buffer(driver, [size], "u8") for size in (100, 60)]
        self.assertEqual({buffer.data for buffer in again}, held)

    def test_llama(self):
        self.check(tiny.random_weights(1), tiny.config())

    def test_bench(self):
        tiny.write_folder(self.path("hf"), tiny.random_weights(1), tiny.config())
        import_model(self.path("hf"), self.path("m"))
        tiny.compile_once(self.path("m"), ["sm_90"])
        self.assertEqual(bench.main([self.path("m"), "--batch", "1,3", "--keys", "9",
                                     "--prompt", "5", "--steps", "2", "--samples", "3",
                                     "--json", self.path("times.json")]), 0)
        with open(self.path("times.json"), encoding="utf-8") as file:
            report = json.load(file)
        kinds = [(r["kind"], r["batch"], r.get("keys", r.get("tokens")))
                 for r in report["results"]]
        self.assertEqual(kinds, [("decode", 1, 9), ("decode", 3, 9), ("prompt", 1, 5)])
        model = Model(self.path("m"))
        matrices = sum(2 * n * k for n, k in model.geometry.matrices().values()) * \
            model.geometry.layers
        head = 2 * model.geometry.vocabulary * model.geometry.hidden
        g = model.geometry
        for result in report["results"][:2]:
            caches = 4 * g.layers * result["batch"] * 9 * g.kv_heads * g.head_dim
            self.assertEqual(result["bytes"], matrices + head + caches)
        for arguments, text in (([], "found neither"), ([self.path("m"), "--geometry", "x"],
                                                        "found both"),
                                (["--geometry", "x"], "expected one of llama-3-8b"),
                                ([self.path("m"), "--batch", "0"], "numbers above 0")):
            with mock.patch("sys.stderr", new_callable=io.StringIO) as said:
                self.assertEqual(bench.main(arguments), 1)
            self.assertIn(text, said.getvalue())

    def test_what_a_model_needs(self):
        """`sparseflow model memory` says what is on the device then."""
        tiny.write_folder(self.path("hf"), tiny.random_weights(1), tiny.config())
        import_model(self.path("hf"), self.path("m"))
        tiny.compile_once(self.path("m"), ["sm_90"])
        model = Model(self.path("m"), "cuda")
        cache = model.cache(3)
        model.forward([TOKENS] * 3, cache)
        held = sum(buffer.nbytes for _, buffer in model.gpu._weights.values())
        self.assertEqual(sum(memory.weight_bytes(self.path("m")).values()), held)
        keys = sum(array.nbytes for array in cache.arrays())
        self.assertEqual(memory.cache_bytes(model.geometry, 3, len(TOKENS)), keys)
        self.assertEqual(memory.workspace_bytes(self.path("m"), "sm_90", 3, len(TOKENS),
                                                cache.size), model.gpu.workspace.nbytes)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(main(["memory", self.path("m"), "--batch", "3", "--keys", "11",
                                   "--target", "sm_90"]), 0)
        total = (held + keys + model.gpu.workspace.nbytes) / 2**20
        self.assertIn(f"{total:.2f} MiB  in all\n", said.getvalue())
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(main(["memory", self.path("m"), "--keys", "49"]), 1)
        self.assertIn("--keys: expected 1 to 48, found 49", said.getvalue())
        with self.assertRaisesRegex(sf.Error, "expected a target of sm_90, found sm_80"):
            memory.workspace_bytes(self.path("m"), "sm_80", 1, 1, 1)

    def test_what_caches_of_numbers_need(self):
        """Bytes of pages, whole ones, up to the model's positions."""
        tiny.write_folder(self.path("hf"), tiny.random_weights(1),
                          tiny.config(max_position_embeddings=300))
        import_model(self.path("hf"), self.path("m"))
        set_cache(self.path("m"), "int8")
        model = Model(self.path("m"))
        for used in (1, 256, 257, 300):
            cache = model.cache(2)
            cache.reserve(used)
            pages = sum(array.pages.nbytes for array in cache.arrays())
            self.assertEqual(memory.cache_bytes(model.geometry, 2, used), pages)

    def test_packed_matrices(self):
        """What is packed in weights.sfpk goes to the device as it is, and layers of
        other formats have a function of their own."""
        tiny.write_folder(self.path("hf"), tiny.random_weights(1), tiny.config())
        import_model(self.path("hf"), self.path("m"))
        model = Model(self.path("m"))
        tensors = {}
        for name in model.geometry.tensors():
            array = sf.model.weights.open_weights(self.path("m")).bits(name)
            tensors[name] = np.array(array)
        packed = {name: sf.pack(tensors.pop(name)) for name in list(tensors)
                  if name in ("blk.0.attn_q.weight", "blk.0.attn_k.weight",
                              "blk.0.attn_v.weight", "blk.1.ffn_up.weight")}
        sf.write_sfpk(self.path("m/weights.sfpk"),
                      {**tensors, **{n: m.unpack() for n, m in packed.items()}},
                      sparse=list(packed))
        os.remove(self.path("m/weights.safetensors"))
        tiny.compile_once(self.path("m"), ["sm_90"])
        gpu, program = Model(self.path("m"), "cuda"), program_of_folder(self.path("m"))
        self.assertEqual(gpu._grow, ["layer", "layer_1"])
        self.assertEqual(program.count("tensor<") > 0 and
                         program.count("attn_qkv.weight"), 2)
        self.assertIn("nm<2:4>> {sparseflow.name = \"attn_qkv.weight\", sparseflow.constant}", program)
        merged = gpu.layer_weights(0)["attn_qkv.weight"]
        self.assertIsInstance(merged, sf.PackedMatrix)
        np.testing.assert_array_equal(merged.unpack(), np.concatenate(
            [packed[f"blk.0.attn_{name}.weight"].unpack() for name in "qkv"]))
        self.assertEqual(list(gpu.forward([TOKENS], gpu.cache()).shape),
                         [1, 1, gpu.geometry.vocabulary])
        with self.assertRaisesRegex(sf.Error, "expected 'x', which .*; compile it again"):
            gpu.gpu("layer", {})

    def test_a_cache_that_grows(self):
        with mock.patch("sparseflow.model.cache._FIRST_KEYS", 6):
            self.check(tiny.random_weights(2), tiny.config(), dtype="bf16")

    def test_a_cache_of_numbers(self):
        """Pages of two heads, the second of which moves when there are more."""
        with mock.patch("sparseflow.model.cache._FIRST_KEYS", 6):
            self.check(tiny.random_weights(2), tiny.config(max_position_embeddings=150),
                       "int8")
        gpu = Model(self.path("m"), "cuda")
        random, cache = np.random.default_rng(3), gpu.cache(2)
        cache.make_room(64)
        before = cache.of_layer(1)
        for array in before:
            view(array)[...] = random.integers(0, 256, array.shape)
        cache.make_room(130)
        self.assertEqual(cache.size, 192)
        for old, new in zip(before, cache.of_layer(1)):
            self.assertEqual(new.shape, (2, 2, 3, old.shape[3]))
            np.testing.assert_array_equal(view(new)[:, :, :1], view(old))
            self.assertFalse(view(new)[:, :, 1:].any())
        # What the device has no room for is said, and what there was still runs.
        with mock.patch.object(Function, "workspace_size", return_value=1 << 60), \
                self.assertRaisesRegex(
                    sf.Error, r"^the workspace of 'embed': 1,152,[\d,]+ bytes of device "
                    "memory: cuMemAlloc_v2: made up .*; pass fewer texts"):
            gpu.forward([TOKENS[:2]] * 2, cache)
        self.assertEqual(gpu.gpu.workspace.nbytes, 1)
        gpu.forward([TOKENS[:2]] * 2, cache)
        # Another cache needs another program.
        set_cache(self.path("m"), "e4m3")
        with self.assertRaisesRegex(sf.Error, "expected a program whose keys and values are "
                                    "e4m3, .* found one where they are int8; compile"):
            Model(self.path("m"), "cuda")
        set_cache(self.path("m"), "int8")
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(bench.main([self.path("m"), "--batch", "3", "--keys", "9",
                                         "--steps", "2", "--samples", "3",
                                         "--json", self.path("times.json")]), 0)
        with open(self.path("times.json"), encoding="utf-8") as file:
            report = json.load(file)
        g = gpu.geometry
        self.assertEqual(report["cache"], "int8")
        self.assertEqual(
            report["results"][0]["bytes"],
            g.layers * (sum(2 * n * k for n, k in g.matrices().values()) + 3 * 9 * 136) +
            2 * g.vocabulary * g.hidden)

    def test_gpt2(self):
        self.check(tiny.gpt2_weights(3), tiny.gpt2_config())

    def test_a_folder_that_is_no_bundle(self):
        tiny.write_folder(self.path("hf"), tiny.random_weights(1), tiny.config())
        import_model(self.path("hf"), self.path("m"))
        os.makedirs(self.path("m/program.bundle"))
        with self.assertRaisesRegex(sf.Error, "is no bundle"):
            Model(self.path("m"), "cuda")

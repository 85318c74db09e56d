# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One side of the benchmark in a process of its own: reads a request a line, a prompt and a
number of tokens, and answers with the tokens and the times of prompt and steps."""

import json
import os
import sys
import time

import numpy as np


class Ours:
    def __init__(self, path: str, threads: int, room: int) -> None:
        del room
        from sparseflow.model import Model
        from sparseflow.model.sampling import Sampler
        self._model, self._sampler = Model(path, threads=threads), Sampler()
        self._cache = None

    def start(self) -> None:
        self._cache = self._model.cache()

    def step(self, tokens) -> int:
        logits = self._model.forward([tokens], self._cache)
        return int(self._model.choose(logits, self._cache, self._sampler)[0])


class Peer:
    """llama.cpp, by the functions of its C library that llama-cpp-python declares."""

    def __init__(self, path: str, threads: int, room: int) -> None:
        import llama_cpp.llama_cpp as library
        self._library = library
        # Kept, for the library calls it.
        self._log = library.llama_log_callback(lambda level, text, data: None)
        library.llama_log_set(self._log, None)
        library.llama_backend_init()
        model = library.llama_model_load_from_file(
            path.encode(), library.llama_model_default_params())
        options = library.llama_context_default_params()
        options.n_ctx, options.n_batch, options.n_ubatch = room, room, 512
        options.n_threads = options.n_threads_batch = threads
        self._context = library.llama_init_from_model(model, options)
        if not self._context:
            raise RuntimeError(f"llama.cpp cannot load {path}")
        self._words = library.llama_vocab_n_tokens(library.llama_model_get_vocab(model))

    def start(self) -> None:
        self._library.llama_memory_clear(
            self._library.llama_get_memory(self._context), True)

    def step(self, tokens) -> int:
        library = self._library
        ids = (library.llama_token * len(tokens))(*tokens)
        if library.llama_decode(self._context,
                                library.llama_batch_get_one(ids, len(tokens))):
            raise RuntimeError("llama_decode failed")
        logits = library.llama_get_logits_ith(self._context, -1)
        return int(np.argmax(np.ctypeslib.as_array(logits, (self._words,))))


def main() -> None:
    side, path, threads, room = sys.argv[1], sys.argv[2], int(sys.argv[3]), \
        int(sys.argv[4])
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    # What libraries print must not stand between answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    runner = {"sparseflow": Ours, "llama.cpp": Peer}[side](path, threads, room)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        runner.start()
        times = []
        made = []
        for begin, count in ((0, 1), (1, request["count"])):
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(count):
                made.append(runner.step(made[-1:] if begin else request["prompt"]))
            times.append([time.perf_counter() - wall, time.process_time() - cpu])
        print(json.dumps({"tokens": made, "prompt": times[0], "steps": times[1]}),
              file=answers, flush=True)


if __name__ == "__main__":
    main()

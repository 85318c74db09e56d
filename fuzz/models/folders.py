"""Random models as Hugging Face folders: config.json and safetensors."""

import json
import os

import numpy as np

LLAMA = {"embed": "model.embed_tokens", "final_norm": "model.norm", "head": "lm_head",
         "norm": "model.layers.{}.input_layernorm",
         "ffn_norm": "model.layers.{}.post_attention_layernorm",
         "q": "model.layers.{}.self_attn.q_proj", "k": "model.layers.{}.self_attn.k_proj",
         "v": "model.layers.{}.self_attn.v_proj", "o": "model.layers.{}.self_attn.o_proj",
         "q_norm": "model.layers.{}.self_attn.q_norm",
         "k_norm": "model.layers.{}.self_attn.k_norm",
         "sub_norm": "model.layers.{}.self_attn.attn_sub_norm",
         "ffn_sub_norm": "model.layers.{}.mlp.ffn_sub_norm",
         "gate": "model.layers.{}.mlp.gate_proj", "up": "model.layers.{}.mlp.up_proj",
         "down": "model.layers.{}.mlp.down_proj"}
GPT2 = {"embed": "wte", "head": "lm_head", "places": "wpe", "final_norm": "ln_f",
        "norm": "h.{}.ln_1", "ffn_norm": "h.{}.ln_2", "o": "h.{}.attn.c_proj", "up": "h.{}.mlp.c_fc",
        "down": "h.{}.mlp.c_proj"}
BERT = {"embed": "embeddings.word_embeddings", "places": "embeddings.position_embeddings",
        "types": "embeddings.token_type_embeddings", "embed_norm": "embeddings.LayerNorm",
        "q": "encoder.layer.{}.attention.self.query",
        "k": "encoder.layer.{}.attention.self.key",
        "v": "encoder.layer.{}.attention.self.value",
        "o": "encoder.layer.{}.attention.output.dense",
        "norm": "encoder.layer.{}.attention.output.LayerNorm",
        "up": "encoder.layer.{}.intermediate.dense", "down": "encoder.layer.{}.output.dense",
        "ffn_norm": "encoder.layer.{}.output.LayerNorm"}
DISTILBERT = {**{short: name for short, name in BERT.items() if "{}" not in name},
              "q": "transformer.layer.{}.attention.q_lin",
              "k": "transformer.layer.{}.attention.k_lin",
              "v": "transformer.layer.{}.attention.v_lin",
              "o": "transformer.layer.{}.attention.out_lin",
              "norm": "transformer.layer.{}.sa_layer_norm", "up": "transformer.layer.{}.ffn.lin1",
              "down": "transformer.layer.{}.ffn.lin2",
              "ffn_norm": "transformer.layer.{}.output_layer_norm"}
MPNET = {**BERT, "distances": "encoder.relative_attention_bias",
         **{part: f"encoder.layer.{{}}.attention.attn.{part}" for part in "qkvo"},
         "norm": "encoder.layer.{}.attention.LayerNorm"}
NAMES = {"gpt2": GPT2, "bert": BERT, "roberta": BERT, "distilbert": DISTILBERT, "mpnet": MPNET}
# What names may begin with: of a GPT-2, and of an encoder that was saved with a head.
PREFIXES = {"gpt2": "transformer.", "bert": "bert.", "roberta": "roberta.",
            "distilbert": "distilbert.", "mpnet": "mpnet."}
ARCHITECTURES = {"llama": "LlamaForCausalLM", "mistral": "MistralForCausalLM",
                 "qwen2": "Qwen2ForCausalLM", "qwen3": "Qwen3ForCausalLM",
                 "phi3": "Phi3ForCausalLM", "gemma": "GemmaForCausalLM",
                 "granite": "GraniteForCausalLM",
                 "gpt2": "GPT2LMHeadModel", "bert": "BertModel", "roberta": "XLMRobertaModel",
                 "distilbert": "DistilBertModel", "mpnet": "MPNetModel", "bitnet": "BitNetForCausalLM"}
# What a member means that is absent.
LLAMA_DEFAULTS = {"hidden_act": "silu", "rms_norm_eps": 1e-6, "rope_theta": 10000.0}
DEFAULTS = {"gemma": {**LLAMA_DEFAULTS, "hidden_act": "gelu_pytorch_tanh"},
            "phi3": {**LLAMA_DEFAULTS, "rms_norm_eps": 1e-5},
            "bitnet": {"hidden_act": "relu2", "rms_norm_eps": 1e-5, "rope_theta": 500000.0}}
ACTIVATIONS = {"gelu_tanh": ("gelu_new", "gelu_pytorch_tanh"), "silu": ("silu", "swish")}
SIZES = {"F32": np.float32, "F16": np.float16, "BF16": np.uint16, "U8": np.uint8}


def source_of(m, name):
    """What a checkpoint calls a tensor of ours."""
    names = NAMES.get(m.family, LLAMA)
    stem, end = (name[:-5], "bias") if name.endswith(".bias") else (name, "weight")
    layer, _, short = stem.rpartition(".")
    return f"{prefix_of(m, short)}{names[short].format(layer)}.{end}"


def prefix_of(m, short):
    """What names of some families begin with, now and then."""
    return PREFIXES.get(m.family, "") if m.prefixed and short != "head" else ""


def tensors_of(m, weights):
    """The checkpoint's tensors."""
    if m.family != "gpt2":
        result = {source_of(m, name): value for name, value in weights.items()}
        if m.reserved:
            name = source_of(m, "places")
            result[name] = np.concatenate([np.full((m.reserved, m.hidden), 7, np.float32),
                                           result[name]])
        if m.family == "gemma":
            result = {name: value - 1 if "norm" in name else value
                      for name, value in result.items()}
        return joined(m, result) if m.family == "phi3" else result
    result, merged = {}, {}
    for name, value in weights.items():
        layer, _, part = name.partition(".")
        if part.split(".")[0] in ("q", "k", "v"):
            merged.setdefault((layer, part[1:]), {})[part[0]] = value
        else:
            matrix = part.split(".")[0] in ("o", "up", "down") and value.ndim == 2
            result[source_of(m, name)] = value.T if matrix else value
    for (layer, end), parts in merged.items():
        whole = np.concatenate([parts[name] for name in "qkv"])
        result[f"{prefix_of(m, '')}h.{layer}.attn.c_attn{end or '.weight'}"] = whole.T
    return result


def joined(m, tensors):
    """With queries, keys and values as one matrix, and gate and up as another."""
    for layer in range(m.layers):
        for whole, parts in (("self_attn.qkv_proj", [f"self_attn.{part}_proj" for part in "qkv"]),
                             ("mlp.gate_up_proj", ["mlp.gate_proj", "mlp.up_proj"])):
            for end in ("weight", "bias"):
                names = [f"model.layers.{layer}.{part}.{end}" for part in parts]
                if names[0] in tensors:
                    tensors[f"model.layers.{layer}.{whole}.{end}"] = np.concatenate(
                        [tensors.pop(name) for name in names])
    return tensors


def config_of(m, rng):
    """config.json, of which some members that say nothing new may be absent."""
    activation = rng.choice(ACTIVATIONS.get(m.activation, (m.activation,)))
    if m.family == "gpt2":
        members = {"n_embd": m.hidden, "n_layer": m.layers, "n_head": m.heads,
                   "n_inner": m.inner, "vocab_size": m.vocabulary, "n_positions": m.positions,
                   "layer_norm_epsilon": m.epsilon, "activation_function": activation}
        if m.inner == 4 * m.hidden:
            members["n_inner"] = None
        if not m.tied or rng.random() < .5:
            members["tie_word_embeddings"] = m.tied
    elif m.family == "distilbert":
        members = {"dim": m.hidden, "n_layers": m.layers, "n_heads": m.heads,
                   "hidden_dim": m.inner, "vocab_size": m.vocabulary,
                   "max_position_embeddings": m.positions, "activation": activation}
    else:
        members = {"hidden_size": m.hidden, "num_hidden_layers": m.layers,
                   "num_attention_heads": m.heads, "intermediate_size": m.inner,
                   "vocab_size": m.vocabulary, "max_position_embeddings": m.positions + m.reserved,
                   "hidden_act": activation}
        members["layer_norm_eps" if m.encoder else "rms_norm_eps"] = m.epsilon
    if m.rotary:
        members.update(num_key_value_heads=m.kv_heads, tie_word_embeddings=m.tied)
        if m.hidden != m.heads * m.head_dim or rng.random() < .5:
            members["head_dim"] = m.head_dim
        if rng.random() < .5:
            members["rope_parameters"] = {"rope_theta": m.theta, **(m.scaling or {})}
        else:
            members.update(rope_theta=m.theta, rope_scaling=m.scaling)
        if m.tied == (m.family == "gemma") and rng.random() < .5:
            del members["tie_word_embeddings"]
        if m.kv_heads == m.heads and m.family == "llama" and rng.random() < .5:
            del members["num_key_value_heads"]
        for key, value in {"hidden_act": activation, "rms_norm_eps": m.epsilon,
                           "rope_theta": m.theta}.items():
            if value == DEFAULTS.get(m.family, LLAMA_DEFAULTS)[key] and rng.random() < .5:
                members.pop(key, None)
    if m.family == "roberta" and (m.reserved != 2 or rng.random() < .5):
        members["pad_token_id"] = m.reserved - 1
    if m.family == "gemma" and activation == "gelu_new" and rng.random() < .5:
        members["hidden_act"] = "gelu"
    if m.family == "granite":
        embed, scores, residual, logits = m.scales
        members.update(embedding_multiplier=embed, residual_multiplier=residual,
                       attention_multiplier=scores / m.head_dim ** .5, logits_scaling=1 / logits)
    if m.rotary and m.rotated != m.head_dim:
        # Part of a feature more is none.
        share = (m.rotated + .25) / m.head_dim
        place = members if rng.random() < .5 or "rope_parameters" not in members else \
            members["rope_parameters"]
        place["partial_rotary_factor"] = share
    if m.family == "phi3":
        # Where it stands in these; elsewhere it means nothing.
        name = "original_max_position_embeddings"
        members[name] = (m.scaling or {}).get(name, 7)
    if m.family in ("mistral", "phi3"):
        members["sliding_window"] = m.window or None
    if m.packed:
        members["quantization_config"] = {
            "quant_method": "bitnet", "linear_class": m.linear, "quantization_mode": m.packed}
    return {"architectures": [ARCHITECTURES[m.family]], **members}


def as_trits(m, weights, rng):
    """Makes of the matrices of a BitNet what its checkpoint means, and gives packed ones."""
    packed, m.linear = {}, rng.choice(["bitlinear", "autobitlinear"])
    random = np.random.default_rng(m.seed + 1)
    for name, value in weights.items():
        if value.ndim != 2 or not name[0].isdigit():
            continue
        if m.packed == "online":
            mean = max(np.abs(value.astype(np.float64)).mean(), 1e-5)
            weights[name] = (np.clip(np.rint(value / np.float32(mean)), -1, 1)
                             * np.float32(mean))
            packed[name] = value
            continue
        trits = random.integers(-1, 2, value.shape, np.int8)
        scale = np.float32(random.uniform(.2, 2) / np.sqrt(value.shape[1]))
        codes = (trits + 1).astype(np.uint8).reshape(4, -1, value.shape[1])
        packed[name] = codes[0] | codes[1] << 2 | codes[2] << 4 | codes[3] << 6
        stored = np.float32(1 / scale) if m.linear == "bitlinear" else scale
        packed[name + "_scale"] = np.array([stored], np.float32)
        weights[name] = trits * (np.float32(1) / stored if m.linear == "bitlinear" else stored)
    return packed


def encoded(value, kind):
    """The bytes of a tensor."""
    if kind == "BF16":
        bits = np.ascontiguousarray(value, np.float32).view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16).tobytes()
    return np.ascontiguousarray(value).astype(SIZES[kind]).tobytes()


def write_safetensors(path, tensors):
    """`tensors`: name to (type, shape, bytes)."""
    header, at = {}, 0
    for name, (kind, shape, data) in tensors.items():
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, _, data in tensors.values():
            file.write(data)


def contents(m, weights, rng):
    """(members of config.json, tensors as (type, shape, bytes)); `weights` become what the
    checkpoint means."""
    packed = as_trits(m, weights, rng) if m.packed else {}
    kinds = {"mixed": ["F16", "BF16", "F32"]}.get(m.stored, [m.stored])
    tensors = {}
    for name, value in tensors_of(m, weights).items():
        kind = rng.choice(kinds)
        tensors[name] = (kind, value.shape, encoded(value, kind))
    for name, value in packed.items():
        source = source_of(m, name.replace("_scale", "")) + "_scale" * name.endswith("_scale")
        kind = {"uint8": "U8"}.get(str(value.dtype)) or rng.choice(["F32", "BF16"][
            :2 if m.packed == "online" else 1])
        tensors[source] = (kind, value.shape, encoded(value, kind))
    for name in extras(m, rng):
        shape = weights["embed"].shape if name == "lm_head.weight" else (1, 3)
        tensors[name] = ("F32", shape, encoded(np.ones(shape), "F32"))
    items = list(tensors.items())
    rng.shuffle(items)
    return config_of(m, rng), dict(items)


def extras(m, rng):
    """Tensors of real files that say nothing more."""
    names = ["embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias"] \
        if m.encoder else \
        {"gpt2": ["h.0.attn.bias", "h.0.attn.masked_bias", "lm_head.weight"]
         }.get(m.family, ["model.layers.0.self_attn.rotary_emb.inv_freq"])
    if m.rotary:
        names = names + ["lm_head.weight"]
    if not m.tied:
        names = [name for name in names if name != "lm_head.weight"]
    return [name for name in names if rng.random() < .3]


def write(path, m, members, tensors, rng):
    """The folder, of one file or of shards with their index."""
    os.makedirs(path)
    with open(os.path.join(path, "config.json"), "w", encoding="utf-8") as file:
        json.dump(members, file)
    if m.pooling != "mean":
        mode = {"first": "cls_token", "max": "max_tokens"}[m.pooling]
        os.makedirs(os.path.join(path, "1_Pooling"))
        with open(os.path.join(path, "1_Pooling/config.json"), "w", encoding="utf-8") as file:
            json.dump({f"pooling_mode_{mode}": True, "pooling_mode_mean_tokens": False}, file)
    if rng.random() < .6:
        write_safetensors(os.path.join(path, "model.safetensors"), tensors)
        return
    count, places = rng.choice([1, 2, 3]), {}
    for shard in range(count):
        name = f"model-{shard + 1:05}-of-{count:05}.safetensors"
        held = dict(list(tensors.items())[shard::count])
        write_safetensors(os.path.join(path, name), held)
        places.update(dict.fromkeys(held, name))
    with open(os.path.join(path, "model.safetensors.index.json"), "w",
              encoding="utf-8") as file:
        json.dump({"metadata": {}, "weight_map": places}, file)

# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a result of model_check.py; needs nothing but Python."""


def decoder(model, text):
    """Lines about a model that continues texts."""
    values, greedy = model["perplexity"], model["greedy"]
    total = greedy["same"] + greedy["near"] + greedy["wrong"]
    rows = [("float32", values["reference"], None, None)] + [
        (name, values[key], model["relative"][key], model["largest"][key])
        for name, key in (("NumPy that rounds to f16", "f16"), ("SparseFlow", "ours"))]
    lines = [f"## {model['name']}", "", f"{model['tokens']} tokens of {text}.", "",
             "| | perplexity | of float32's | error of logits, relative | largest |",
             "|---|---|---|---|---|"]
    for name, value, relative, largest in rows:
        lines.append(f"| {name} | {value:.4f} | "
                     + ("| | |" if relative is None else
                        f"{100 * (value / values['reference'] - 1):+.3f} % | "
                        f"{relative:.2e} | {largest:.3f} |"))
    return lines + [
        "", f"Greedy tokens of {greedy['prompts']} prompts, up to {greedy['count']} each: "
        f"{greedy['same']} of {total} are the reference's, {greedy['near']} others are within "
        f"{greedy['margin']:.3f} of its best logit (twice the largest error), "
        f"{greedy['wrong']} are wrong.", ""]


def encoder(model, text):
    """Lines about a model that embeds texts."""
    del text
    errors = model["relative"]
    return [f"## {model['name']}", "",
            f"Embeddings of {model['texts']} sentences, {model['tokens']} tokens: relative error "
            f"{errors['ours']:.2e}, of NumPy that rounds to f16 {errors['f16']:.2e}; least cosine "
            f"with the reference's {model['least_cosine']:.6f}.", ""]


def families(model, text):
    """Lines about networks of random weights."""
    del text
    lines = [f"## {model['name'].capitalize()}", "",
             f"{model['features']} features, two texts of {model['tokens']} tokens at once, "
             f"{model['repeat']} times, and token by token. Errors by what they may be: twice "
             "those of NumPy that rounds to f16 what a program keeps, of an encoder 2e-3 times "
             "the root of its layers.", "",
             "| family | layers | texts | steps | runs that differ | |",
             "|---|---|---|---|---|---|"]
    for row in model["networks"]:
        steps = f"{row['steps']:.2f}" if "steps" in row else ""
        lines.append(f"| {row['family']} | {row['layers']} | {row['texts']:.2f} | {steps} | "
                     f"{row['differ']} | {'right' if row['right'] else 'WRONG'} |")
    return lines + [""]


KINDS = {"decoder": decoder, "encoder": encoder, "families": families}


def page(report):
    """The Markdown of a report."""
    right = sum(model["right"] for model in report["models"])
    lines = ["# Models beside NumPy", "",
             f"Written by `scripts/bench model-check`: device {report['device']}, "
             f"{report['machine']}; commit {report['commit']}. {right} of "
             f"{len(report['models'])} models right: perplexity within 0.5 % of a reference in "
             "float32 with the same weights, errors at most twice those of a reference that "
             "rounds to f16 what a program keeps, and its greedy tokens wherever its two best "
             "logits are further apart than twice the largest error.", ""]
    for model in report["models"]:
        lines += KINDS[model["kind"]](model, report["text"])
    return "\n".join(lines)

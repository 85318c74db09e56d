# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a run of decode.py."""


def page(report):
    """The report as a page."""
    info = report["machine"]
    lines = [f"# {report['title']}", "",
             f"{info['cpu']}, {info['cores']} cores, load {info['load']:.1f}; commit "
             f"{info['commit']}, {info['sparseflow']}, llama-cpp-python "
             f"{info['llama_cpp'] or 'not installed'}. Greedy, one text, "
             f"{report['rounds']} rounds in turns after one that warms up; milliseconds.", ""]
    for what, of in (("steps", "A step"), ("prompt", "The prompt")):
        lines += [f"## {of}", "",
                  "| | threads | prompt | CPU min | median | p95 | wall min | median | p95 "
                  "| tokens/s of CPU time |", "|---|---|---|---|---|---|---|---|---|---|"]
        for row in report["rows"]:
            cpu, wall = row[f"{what}_cpu_ms"], row[f"{what}_wall_ms"]
            tokens = 1 if what == "steps" else row["prompt_tokens"]
            numbers = [f"{times[key]:.2f}" for times in (cpu, wall)
                       for key in ("min", "median", "p95")]
            lines.append("| " + " | ".join(
                [row["side"], str(row["threads"]), str(row["prompt_tokens"]), *numbers,
                 # A clock of the system may have counted nothing.
                 f"{1e3 * tokens / cpu['median']:.1f}" if cpu["median"] else "-"])
                + " |")
        lines.append("")
    ratios = [row for row in report["rows"] if "steps_cpu_ratio" in row]
    if ratios:
        lines += ["## llama.cpp's time / ours, within rounds", "",
                  "| threads | prompt | steps, CPU: min | median | steps, wall: median | "
                  "prompt, CPU: median | equal tokens |", "|---|---|---|---|---|---|---|"]
        for row in ratios:
            lines.append(
                f"| {row['threads']} | {row['prompt_tokens']} | "
                f"{row['steps_cpu_ratio']['min']:.2f} | "
                f"{row['steps_cpu_ratio']['median']:.2f} | "
                f"{row['steps_wall_ratio']['median']:.2f} | "
                f"{row['prompt_cpu_ratio']['median']:.2f} | "
                f"{row['equal_tokens']} of {row['steps'] + 1} |")
        lines.append("")
    return "\n".join(lines)

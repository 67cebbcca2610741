"""Operations by Ringmaster and by hand, under the same load, in one run on one machine; see README.md."""

import argparse
import json
import pathlib
import sys

import idle
import restart
import ring
import upkeep
import ways
from load import ROOT, worst

PARTS = {"restart": restart, "ring": ring, "upkeep": upkeep, "idle": idle}
HEAD = ["| operation | by | seconds | requests | failed | p99 ms before | during | after | longest ms during "
        "| load average |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|---|"]


def table(results):
    def text(result, period, figure):
        value = worst(result, period, figure)
        return "-" if value is None else f"{value:.1f}"

    lines = list(HEAD)
    for r in results:
        p99 = " | ".join(text(r, period, "p99_ms") for period in ("before", "during", "after"))
        lines.append(f"| {r['what']} | {r['way']} | {r['seconds']} | {r['requests']} | {r['failed']} | {p99} "
                     f"| {text(r, 'during', 'max_ms')} | {r['load_average'][0]} to {r['load_average'][1]} |")
    return "\n".join(lines)


def ratios(part, results):
    """Yields for each operation how much faster Ringmaster is, or the effect on the load, with the goal."""
    ours = [r for r in results if r["way"] == "Ringmaster"]
    others = {r["what"]: r for r in results if r["way"] != "Ringmaster"}
    for r in ours:
        if r["what"] in others:
            yield f"{r['what']}: {others[r['what']]['seconds'] / r['seconds']:.1f} times as fast (goal: {part.GOAL})."
        else:
            before, during = worst(r, "before", "p99_ms"), worst(r, "during", "p99_ms")
            if before and during:
                yield f"{r['what']}: p99 during is {during / before:.2f} times that before (goal: at most {part.GOAL})."


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / ".build/bench/operations")
    parser.add_argument("--only", choices=PARTS, help="run this part only")
    parser.add_argument("--quick", action="store_true",
                        help="try the benchmark with few nodes, rows and waits; the numbers mean nothing")
    parser.add_argument("--preset", choices=["development", "production"], default="development",
                        help="of Ringmaster's nodes")
    parser.add_argument("--ours", action="store_true", help="leave out what is done by hand")
    options = parser.parse_args()
    if options.preset == "production" and options.only in (None, "idle"):
        parser.error("idle workers are measured with the development preset -> name another part by --only")
    ways.PLAYGROUND.append(f"--preset={options.preset}")
    ways.ONLY_OURS = options.ours
    out = options.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    text, all_results = "", {}
    for name in [options.only] if options.only else PARTS:
        results, remarks = PARTS[name].run(out, options.quick)
        all_results[name] = results
        lines = [*([table(results), ""] if results else []), *ratios(PARTS[name], results), *remarks]
        if options.quick:
            lines.append("Run with --quick: these numbers mean nothing.")
        print("\n".join(lines), flush=True)
        text += "\n".join(lines) + "\n\n"
        (out / "operations.md").write_text(text)
        (out / "operations.json").write_text(json.dumps(all_results, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())

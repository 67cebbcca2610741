#!/usr/bin/env python3
"""Prints the median of each row over several rounds of run.sh, with the range of requests per CPU-second.

    for round in 1 2 3 4 5; do bench/metronome/run.sh 5 >round$round; done
    bench/metronome/median.py round*
"""
import statistics
import sys

PER_CPU_S = 3


def numbers(line):
    name, *cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    try:
        return name, [float(cell) for cell in cells]
    except ValueError:
        return None


def main():
    rows = {}
    for path in sys.argv[1:]:
        for line in open(path):
            row = numbers(line) if line.startswith("|") else None
            if row:
                rows.setdefault(row[0], []).append(row[1])
    print("| generator | requests per s | requests per CPU-s | lowest to highest | CPU-s per million "
          "| server CPU-s per million | peak MB |")
    print("|---|---|---|---|---|---|---|")
    best = {}
    for name, rounds in rows.items():
        median = [statistics.median(column) for column in zip(*rounds)]
        per_cpu_s = [cells[PER_CPU_S] for cells in rounds]
        print(
            f"| {name} | {median[1]:,.0f} | {median[PER_CPU_S]:,.0f} | {min(per_cpu_s):,.0f} to {max(per_cpu_s):,.0f} "
            f"| {median[4]:.2f} | {median[5]:.2f} | {median[6]:.0f} |"
        )
        kind = name.split(",")[0]
        comparable = "2 threads" not in name and "protocol 5" not in name
        if comparable and median[PER_CPU_S] > best.get(kind, (0,))[0]:
            best[kind] = (median[PER_CPU_S], name, per_cpu_s)
    if "metronome" not in best:
        return
    mine = best.pop("metronome")
    print()
    for median, name, per_cpu_s in best.values():
        ratios = [own / other for own, other in zip(mine[2], per_cpu_s)]
        print(f"{mine[1]}: {mine[0] / median:.1f} times {name} "
              f"({min(ratios):.1f} to {max(ratios):.1f} over {len(ratios)} rounds)")


main()

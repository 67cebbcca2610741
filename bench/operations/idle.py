"""Wake-ups and processor time of the workers of Cassandra's pool under a light load: parked, and Cassandra's default."""

import os
import pathlib
import time

from load import RATE, Load
from ways import Ringmaster

GOAL = None
CASSANDRA_DEFAULT = '["-Dringmaster.park_idle_workers=false"]'
# Cassandra names a worker of the pool after its current stage.
WORKERS = ("Native-Transport", "ReadStage", "MutationStage", "RequestResponse", "ReadRepair", "CounterMutation")


def run(out, quick):
    settle_s, measure_s = (2, 2) if quick else (20, 10)
    lines = ["| idle workers | their wake-ups per s | CPU s of all nodes per s | p50 ms | p99 ms |",
             "|---|--:|--:|--:|--:|"]
    with Ringmaster(out / "home", *(["--nodes", "1"] if quick else [])) as ringmaster:
        parked = ringmaster.output("cluster", "spec", "rides")
        spinning = parked.replace("options: []", "options: " + CASSANDRA_DEFAULT)
        if spinning == parked:
            raise RuntimeError("the playground's spec must have `options: []`:\n" + parked)
        for way, spec in (("parked", parked), ("as Cassandra has them", spinning)):
            (out / "rides.yaml").write_text(spec)
            ringmaster.do("cluster", "apply", "-f", out / "rides.yaml", "--yes", "--wait")
            lines.append(f"| {way} | {measured(ringmaster, settle_s, measure_s)} |")
    return [], [f"{RATE} requests a second to each datacenter, {measure_s} s each:", "", *lines]


def measured(ringmaster, settle_s, measure_s):
    load = Load(ringmaster.hosts())
    try:
        load.begin("settle")
        time.sleep(settle_s)
        load.begin("measure")
        load.read_periods()
        wakes, cpu = counted(ringmaster.home)
        time.sleep(measure_s)
        wakes_after, cpu_after = counted(ringmaster.home)
        met = load.end()
    finally:
        load.close()
    figures = [(wakes_after - wakes) / measure_s, (cpu_after - cpu) / measure_s,
               *(max(p[name] for p in met.values()) for name in ("p50_ms", "p99_ms"))]
    return " | ".join(f"{f:.0f}" if f >= 100 else f"{f:.2f}" for f in figures)


def counted(home):
    """Returns voluntary context switches of the workers and processor seconds of all threads, over all nodes."""
    wakes, ticks = 0, 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_text()
            if "companion.Launch" not in command or str(home) not in command:
                continue
            for task in (process / "task").iterdir():
                used = (task / "stat").read_text().rpartition(")")[2].split()
                ticks += int(used[11]) + int(used[12])
                if (task / "comm").read_text().startswith(tuple(w[:15] for w in WORKERS)):
                    status = (task / "status").read_text()
                    wakes += int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
        except FileNotFoundError:  # the process or thread has ended
            continue
    return wakes, ticks / os.sysconf("SC_CLK_TCK")

"""What the workers of Cassandra's pool take beside a light load: parked between requests, and looking for work as Cassandra has them."""

import os
import pathlib
import time

from load import RATE, Load
from ways import Ringmaster

BAR = None
AS_CASSANDRA_HAS_THEM = '["-Dringmaster.park_idle_workers=false"]'
# Cassandra names a worker of the pool after the stage that it works for at the moment.
WORKERS = ("Native-Transport", "ReadStage", "MutationStage", "RequestResponse", "ReadRepair", "CounterMutation")


def run(out, quick):
    settle_s, measure_s = (2, 2) if quick else (20, 10)
    lines = ["| idle workers | their wake-ups per s | CPU s of all nodes per s | p50 ms | p99 ms |", "|---|--:|--:|--:|--:|"]
    with Ringmaster(out / "home", *(["--nodes", "1"] if quick else [])) as ringmaster:
        parked = ringmaster.told("cluster", "spec", "rides")
        looking = parked.replace("options: []", "options: " + AS_CASSANDRA_HAS_THEM)
        if looking == parked:
            raise RuntimeError("the playground's spec has other options than none:\n" + parked)
        for way, spec in (("parked", parked), ("as Cassandra has them", looking)):
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
        load.told()
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
    """How often workers have gone to sleep of themselves, and the seconds of processor time of all threads, in all of the home's nodes."""
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
        except FileNotFoundError:  # it ended while it was looked at
            continue
    return wakes, ticks / os.sysconf("SC_CLK_TCK")

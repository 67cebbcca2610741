"""A rolling restart of two datacenters of three nodes, under load: Ringmaster, and careful.sh."""

import os
import subprocess

import ways
from load import ROOT, measured
from ways import Ringmaster, Stock

WHAT = "rolling restart of 2 x 3 nodes"
GOAL = 5
# OpsCenter's defaults, see careful.sh: between stop and start, between checks, after each node but the last.
STOPPED_S, CHECK_S, AFTER_S = 30, 5, 60


def run(out, quick):
    """Returns two rows, Ringmaster's first, and a remark."""
    quiet_s = 2 if quick else 6
    with Ringmaster(out / "home", *(["--nodes", "1"] if quick else [])) as ringmaster:
        ours = measured(WHAT, "Ringmaster", ringmaster.hosts(),
                        lambda: ringmaster.do("cluster", "restart", "rides", "--yes", "--wait"), quiet_s)
        jars = ringmaster.jars()
    if ways.ONLY_OURS:
        return [ours], []
    with Stock(out / "stock", jars, "pair") as stock:
        nodes = [n for n in stock.nodes if n.name == "node-0"] if quick else stock.nodes
        stock.start_one_by_one(nodes)
        waits = {"STOPPED_S": STOPPED_S, "CHECK_S": CHECK_S, "AFTER_S": AFTER_S}
        if quick:
            waits = {"STOPPED_S": 0, "CHECK_S": 1, "AFTER_S": 0}
        environment = os.environ | {name: str(value) for name, value in waits.items()}
        script = [ROOT / "bench/operations/careful.sh", *nodes]
        theirs = measured(WHAT, "careful script", stock.hosts(nodes),
                          lambda: subprocess.run(script, env=environment, check=True), quiet_s)
    fixed = waits["STOPPED_S"] * len(nodes) + waits["AFTER_S"] * (len(nodes) - 1)
    without = (theirs["seconds"] - fixed) / ours["seconds"]
    return [ours, theirs], [f"The script's fixed waits take {fixed} s; without them the ratio would be {without:.1f}."]

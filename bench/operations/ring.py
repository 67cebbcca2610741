"""A fourth node joins a datacenter of three with data and leaves again, then a dead node is replaced: by Ringmaster,
and with Cassandra's defaults."""

import ways
from load import Rows, measured
from ways import Ringmaster, Stock, until

JOIN = "a 4th node joins, the others clean up"
LEAVE = "it is decommissioned"
REPLACE = "a dead node is replaced at another address"
GOAL = 3
DEAD = "rides/dc1/node-1"


def run(out, quick):
    """Returns Ringmaster's rows, then those with the defaults in the same order, and a remark."""
    quiet_s, rows = (2, 2_000) if quick else (6, 200_000)
    # The rack of the dead node needs a spare machine.
    with Ringmaster(out / "home", "--datacenters", "1", "--spare-machines", "2") as ringmaster:
        ours = with_ringmaster(ringmaster, out, rows, quiet_s)
        jars = ringmaster.jars()
    remark = f"{rows} rows of 170 bytes with three replicas; each was read back at QUORUM."
    if ways.ONLY_OURS:
        return ours, [remark]
    with Stock(out / "stock", jars, "ring") as stock:
        theirs = with_defaults(stock, out, rows, quiet_s, {r["what"] for r in ours})
    return ours + theirs, [remark]


def with_ringmaster(ringmaster, out, count, quiet_s):
    hosts = ringmaster.hosts()
    rows = Rows(hosts, count, out)

    def scale(nodes):
        ringmaster.do("cluster", "scale", "rides", "--dc", "dc1", "--nodes", nodes, "--yes", "--wait")

    results = [measured(JOIN, "Ringmaster", hosts, lambda: scale("4"), quiet_s),
               measured(LEAVE, "Ringmaster", hosts, lambda: scale("3"), quiet_s)]
    if "replace" in {o["name"] for o in ringmaster.ask("operation", "list")}:
        ringmaster.do("playground", "kill", "dc1/machine-2")
        until("the lost machine to be reported",
              lambda: any("machine-2 is lost" in str(f) for f in ringmaster.status()["findings"]))
        until("the others to see it down",
              lambda: sum("as down" in str(f) for f in ringmaster.status()["findings"]) == 2)
        results.append(measured(REPLACE, "Ringmaster", {"dc1": [hosts["dc1"][0], hosts["dc1"][2]]},
                                lambda: ringmaster.do("node", "replace", DEAD, "--yes", "--wait"), quiet_s))
    rows.verify(ringmaster.hosts())
    return results


def with_defaults(stock, out, count, quiet_s, wanted):
    three, joining, replacing = stock.nodes[:3], stock.nodes[3], stock.nodes[4]
    stock.start_one_by_one(three)
    hosts = stock.hosts(three)
    rows = Rows(hosts, count, out)

    def join():
        stock.start(joining)
        stock.await_serving(joining, 4)
        for node in three:
            stock.nodetool(node, "cleanup")

    def leave():
        stock.nodetool(joining, "decommission")
        stock.await_normal(three[0], 3)

    def replace():
        stock.start(replacing)
        stock.await_serving(replacing, 3)

    results = [measured(JOIN, "defaults", hosts, join, quiet_s), measured(LEAVE, "defaults", hosts, leave, quiet_s)]
    stock.kill(joining)
    if REPLACE in wanted:
        stock.kill(three[1])
        alive = [three[0], three[2]]
        until("the others to see it down", lambda: all(stock.states(n).count("DN") == 1 for n in alive))
        results.append(measured(REPLACE, "defaults", stock.hosts(alive), replace, quiet_s))
        rows.verify(stock.hosts(alive))
    else:
        rows.verify(hosts)
    return results

"""Two datacenters of three nodes in pods: by Ringmaster, and by StatefulSets, which start one pod after another."""

import statistics
import time

from ordered import Ordered
from testbed import (ADDRESS, Server, Testbed, is_ready, kubernetes_pool, load_average, spec, until)

DATACENTERS = ("dc1", "dc2")
NODES = 3
GOAL = 3


def run(out, options):
    """Returns the raw figures and the table."""
    labels = [f"topology.kubernetes.io/zone=rack{i + 1},datacenter={dc}" for dc in DATACENTERS for i in range(NODES)]
    with Testbed(out / "testbed") as testbed:
        api = testbed.machines(labels)
        for dc in DATACENTERS:
            api.namespace(dc)
        first, second = servers(testbed, out)
        with first, second:
            until("both servers reach each other", lambda: all(reaches(s) for s in (first, second)))
            results = [ringmaster(first, api, "rides1")]
            ordered = Ordered(testbed, api, DATACENTERS)
            end(first, api, "rides1")
            results.append(measured("StatefulSets, one after another", ordered.start, api, ordered.namespaces,
                                    ordered.seen))
            ordered.end()
            for number in range(2, options.rounds + 1):
                results.append(ringmaster(first, api, f"rides{number}"))
                end(first, api, f"rides{number}")
    return results, table(results)


def servers(testbed, out):
    ports = {"dc1": 8080, "dc2": 8081}
    made, token = [], None
    for dc, port in ports.items():
        peers = [{"datacenter": d, "url": f"http://{ADDRESS}:{p}"} for d, p in ports.items() if d != dc]
        pool = kubernetes_pool(testbed, dc, {"datacenter": dc})
        made.append(Server(out / f"server-{dc}", f"{ADDRESS}:{port}", pool, dc, peers, token))
        token = made[0].token
    return made


def reaches(server):
    return all("lastHeard" in peer and "silence" not in peer for peer in server.get("datacenter")["peers"])


def ringmaster(server, api, cluster):
    declared = spec(cluster, {dc: {"nodes": NODES} for dc in DATACENTERS})
    return measured("Ringmaster", lambda: server.apply(declared), api, DATACENTERS)


def end(server, api, cluster):
    """The claims stay: a machine has a volume for each start."""
    server.do("cluster", "delete", cluster, "--yes", "--wait")
    until(f"the pods of {cluster} are gone", lambda: not api.pods(*DATACENTERS))


def measured(way, start, api, namespaces, seen=lambda pods: None):
    """From the first command until Kubernetes reports every pod ready: NORMAL, and open to clients."""
    before, began, ready = load_average(), time.monotonic(), {}
    wanted = len(DATACENTERS) * NODES

    def all_ready():
        pods = api.pods(*namespaces)
        for pod in filter(is_ready, pods):
            name = pod["metadata"]["namespace"] + "/" + pod["metadata"]["name"]
            ready.setdefault(name, round(time.monotonic() - began, 1))
        seen(pods)
        return len(ready) == wanted

    start()
    until(f"{wanted} pods are ready", all_ready, 900)
    return {"way": way, "seconds": max(ready.values()), "ready": ready, "load_average": [before, load_average()]}


def table(results):
    lines = ["| way | first pod ready | all six pods ready | load average before and after |", "|---|--:|--:|---|"]
    for r in results:
        first, (before, after) = min(r["ready"].values()), r["load_average"]
        lines.append(f"| {r['way']} | {first} s | {r['seconds']} s | {before}, {after} |")
    ours = statistics.median(r["seconds"] for r in results if r["way"] == "Ringmaster")
    theirs = next(r["seconds"] for r in results if r["way"] != "Ringmaster")
    return "\n".join([*lines, "", f"Ringmaster is {theirs / ours:.1f} times as fast (goal: {GOAL})."])

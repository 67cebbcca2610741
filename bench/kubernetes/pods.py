"""The same load on a Cassandra node in a pod and on one that is a local process, in turn."""

import os
import pathlib
import statistics
import subprocess
import sys
import time

from testbed import ADDRESS, ROOT, Server, Testbed, kubernetes_pool, load_average, spec, until

sys.path.append(str(ROOT / "bench/operations"))
from load import Load  # noqa: E402

WARM_UP_S = 20
CLUSTER = "one"


def run(out, options):
    """Returns the raw figures and the table."""
    with Testbed(out / "testbed") as testbed:
        api = testbed.machines(["topology.kubernetes.io/zone=rack1,datacenter=dc1"])
        api.namespace("dc1")
        pool = kubernetes_pool(testbed, "dc1", {"datacenter": "dc1"})
        with Server(out / "server-pod", f"{ADDRESS}:8080", pool) as inside, \
                Server(out / "server-process", "127.0.0.1:8081", local_pool()) as outside:
            try:
                servers = {"process": outside, "pod": inside}
                for server in servers.values():
                    server.apply(spec(CLUSTER, {"dc1": {"nodes": 1}}))
                nodes = {way: node(server) for way, server in servers.items()}
                for way in nodes:
                    measured(nodes, way, options.rate, WARM_UP_S)
                order = ["process", "pod", "pod", "process"] * options.rounds
                results = [measured(nodes, way, options.rate, options.seconds) for way in order]
            finally:
                leave(outside)
    return results, table(results, options)


def leave(server):
    """Deletes the control groups of the local node; the nodes of the testbed end with it."""
    try:
        server.do("cluster", "delete", CLUSTER, "--destroy-data", "--yes", "--wait")
    except subprocess.SubprocessError as e:  # after a failure or Ctrl-C, which matters more
        print(f"bench/kubernetes: {e}; see {server.folder}/commands.log", file=sys.stderr)


def local_pool():
    machine = {"name": "machine-1", "rack": "rack1", "address": "127.1.1.1", "cpus": 2, "memory": "4GiB",
               "disk": "20GiB", "ports": "7000-9999"}
    return {"local": {"dist": str((ROOT / ".build/dist").resolve()), "cache": str(ROOT / ".build/test-cache"),
                      "machines": [machine]}}


def node(server):
    """Waits until the node is open to clients. Returns its address and the process id of its daemon."""
    def look():
        status = server.get(f"clusters/{CLUSTER}/status")
        open_to_clients = status["created"] and status["normal"] == 1
        return open_to_clients and status["datacenters"][0]["nodes"][0]["cqlEndpoint"]

    address = until(f"the node of {server.url} is open to clients", look)
    return address, daemon(address.rpartition(":")[0])


def daemon(address):
    """The Cassandra process that listens there: every other process is another program, or in another place."""
    local = address.startswith("127.")
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_text()
        except OSError:
            continue
        if "io.ringmaster.companion.Launch" in command and ("=/node/volume" in command) != local:
            return int(process.name)
    raise RuntimeError(f"no Cassandra process at {address}")


def measured(nodes, way, rate, seconds):
    """Half reads and half writes at LOCAL_ONE for so long, after two seconds that do not count."""
    address, pid = nodes[way]
    before = load_average()
    load = Load({"dc1": [address]}, rate, "LOCAL_ONE")
    try:
        load.begin("settle")
        time.sleep(2)
        load.begin("measure")
        load.read_periods()
        used = processor_seconds(pid)
        time.sleep(seconds)
        used = processor_seconds(pid) - used
        met = load.end()["dc1"]
    finally:
        load.close()
    return {"way": way, "requests": met["requests"], "failed": met["failed"], "p50_ms": met["p50_ms"],
            "p99_ms": met["p99_ms"], "cpu_s": round(used, 2), "cpu_us_per_request": used / met["requests"] * 1e6,
            "load_average": [before, load_average()]}


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def table(results, options):
    lines = [f"{options.rate} requests a second, {options.seconds} s each, half reads, half writes, at LOCAL_ONE:", "",
             "| node | requests | failed | p50 ms | p99 ms | CPU µs per request | load average before and after |",
             "|---|--:|--:|--:|--:|--:|---|"]
    for r in results:
        before, after = r["load_average"]
        lines.append(f"| {r['way']} | {r['requests']} | {r['failed']} | {r['p50_ms']:.2f} | {r['p99_ms']:.1f} "
                     f"| {r['cpu_us_per_request']:.0f} | {before}, {after} |")
    ratios = [f"{name} {median(results, 'pod', key) / median(results, 'process', key):.2f}" for name, key in
              (("p50", "p50_ms"), ("p99", "p99_ms"), ("CPU per request", "cpu_us_per_request"))]
    return "\n".join([*lines, "", f"The pod's medians, as multiples of the process's: {', '.join(ratios)}."])


def median(results, way, key):
    return statistics.median(r[key] for r in results if r["way"] == way)

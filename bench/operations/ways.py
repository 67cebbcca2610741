"""The two ways to do the same: Ringmaster's playground, and stock Cassandra with nodetool."""

import json
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_S = 300


def until(what, look):
    """Looks each second; fails after five minutes."""
    deadline = time.monotonic() + PATIENCE_S
    while not look():
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited {PATIENCE_S} s for {what}")
        time.sleep(1)


class Ringmaster:
    """A playground with a home of its own, for the time of a `with`."""

    def __init__(self, home, *options):
        self.environment = {k: v for k, v in os.environ.items() if k != "RINGMASTER_SERVER"} | {"RINGMASTER_HOME": str(home)}
        self.home = home
        self.options = options
        home.mkdir(parents=True, exist_ok=True)

    def __enter__(self):
        self.do("playground", "down")
        self.do("playground", "--detach", *self.options)
        return self

    def __exit__(self, *failure):
        self.do("playground", "down")

    def do(self, *words):
        with open(self.home / "bench.log", "a") as log:
            subprocess.run([ROOT / "ringmaster", *words], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                           stderr=log, check=True)

    def told(self, *words):
        return subprocess.run([ROOT / "ringmaster", *words], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, check=True).stdout

    def ask(self, *words):
        return json.loads(self.told(*words, "-o", "json"))

    def status(self):
        return self.ask("cluster", "status", "rides")

    def hosts(self):
        return {p["datacenter"]: [n["cqlEndpoint"] for n in p["nodes"]] for p in self.status()["datacenters"]}

    def await_no_hints(self):
        until("every hint to be delivered",
              lambda: not any(n["pendingHintsBytes"] for p in self.status()["datacenters"] for n in p["nodes"]))

    def jars(self):
        return next((self.home / "cache/cassandra").glob("*/lib"))


class Stock:
    """Nodes of stock Cassandra in folders, for the time of a `with`; none runs at first."""

    def __init__(self, directory, jars, shape):
        subprocess.run(["rm", "-rf", directory], check=True)
        laid_out = subprocess.run(["java", "-cp", ROOT / ".build/bench/operations/classes", "StockCluster", directory, jars,
                                   shape], capture_output=True, text=True, check=True).stdout
        self.nodes = [pathlib.Path(line) for line in laid_out.split()]

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        for node in self.nodes:
            if (node / "pid").exists():
                self.kill(node)

    @staticmethod
    def kill(node):
        subprocess.run(["kill", "-9", (node / "pid").read_text().strip()], check=False, stderr=subprocess.DEVNULL)
        (node / "pid").unlink()

    @staticmethod
    def start(node):
        subprocess.run(["setsid", "--fork", node / "start"], stdin=subprocess.DEVNULL, check=True)

    def start_one_by_one(self, nodes):
        for i, node in enumerate(nodes):
            self.start(node)
            self.await_serving(node, i + 1)
        for node in nodes:
            self.await_serving(node, len(nodes))

    def await_normal(self, node, count):
        """Until it sees so many Up and Normal, and nobody else."""
        until(f"{node} to see {count} nodes Up and Normal", lambda: self.states(node) == ["UN"] * count)

    def await_serving(self, node, count):
        """The same, and its CQL is open, which comes seconds later."""
        self.await_normal(node, count)
        until(f"{node} to open CQL", lambda: self.told(node, "statusbinary").strip() == "running")

    @staticmethod
    def states(node):
        """As `nodetool status` has them: UN, UJ, DN, ..."""
        status = Stock.told(node, "status")
        words = [line.split()[0] for line in status.splitlines() if line.strip()]
        return sorted(w for w in words if len(w) == 2 and w[0] in "UD" and w[1] in "NLJM")

    @staticmethod
    def told(node, *words):
        """What nodetool prints; nothing while the node does not answer."""
        return subprocess.run([node / "nodetool", *words], capture_output=True, text=True, check=False).stdout

    @staticmethod
    def nodetool(node, *words):
        subprocess.run([node / "nodetool", *words], check=True, stdout=subprocess.DEVNULL)

    @staticmethod
    def hosts(nodes):
        hosts = {}
        for node in nodes:
            hosts.setdefault(node.parent.name, []).append((node / "address").read_text() + ":9042")
        return hosts

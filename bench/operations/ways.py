"""The two ways to run an operation: Ringmaster's playground, and stock Cassandra with nodetool."""

import json
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT_S = 300
# Options of every playground, beside those of the part that is measured.
PLAYGROUND = []
# Whether what is done by hand is left out.
ONLY_OURS = False


def until(what, look):
    """Calls `look` every second until it is true; fails after five minutes."""
    deadline = time.monotonic() + TIMEOUT_S
    while not look():
        if time.monotonic() > deadline:
            raise RuntimeError(f"timed out after {TIMEOUT_S} s waiting for {what}")
        time.sleep(1)


class Ringmaster:
    """A playground with its own home, which runs during a `with` block."""

    def __init__(self, home, *options):
        self.environment = {k: v for k, v in os.environ.items() if k != "RINGMASTER_SERVER"}
        self.environment["RINGMASTER_HOME"] = str(home)
        self.home = home
        options = (*PLAYGROUND, *options)
        self.options = options if "--tls" in options else ("--no-tls", *options)
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

    def output(self, *words):
        return subprocess.run([ROOT / "ringmaster", *words], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, check=True).stdout

    def ask(self, *words):
        return json.loads(self.output(*words, "-o", "json"))

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
    """Nodes of stock Cassandra in directories. None runs at first; the end of the `with` block kills all."""

    def __init__(self, directory, jars, shape):
        subprocess.run(["rm", "-rf", directory], check=True)
        classes = f"{ROOT}/.build/bench/operations/classes:{ROOT}/.build/dist/cli/*"
        laid_out = subprocess.run(["java", "-cp", classes, "StockCluster", directory, jars, shape],
                                  capture_output=True, text=True, check=True).stdout
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
        """Waits until the node sees exactly `count` nodes, all Up and Normal."""
        until(f"{node} to see {count} nodes Up and Normal", lambda: self.states(node) == ["UN"] * count)

    def await_serving(self, node, count):
        """Waits like await_normal and until the node serves CQL, which follows seconds later."""
        self.await_normal(node, count)
        until(f"{node} to open CQL", lambda: self.nodetool_output(node, "statusbinary").strip() == "running")

    @staticmethod
    def states(node):
        """Returns the states in `nodetool status`: UN, UJ, DN, ..."""
        status = Stock.nodetool_output(node, "status")
        words = [line.split()[0] for line in status.splitlines() if line.strip()]
        return sorted(w for w in words if len(w) == 2 and w[0] in "UD" and w[1] in "NLJM")

    @staticmethod
    def nodetool_output(node, *words):
        """Returns the output of nodetool; empty while the node does not answer."""
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

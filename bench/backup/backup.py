"""Backups by Ringmaster and by Medusa, of the same data to the same S3 server, in one run; see README.md."""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import sys

import measure
import peer
import program
import rows
import store as s3

sys.path.insert(1, str(s3.ROOT / "bench/operations"))
from ways import Ringmaster  # noqa: E402

GIB = 1 << 30
PLAIN, TLS = "HTTP", "TLS"
FIRST, SECOND, FETCH = "first backup", "second, nothing changed", "restore: fetch all files"
CPU_GOAL = {PLAIN: 1.6, TLS: 2.8}
MEDUSA_SHARE = 1 / 3
SECOND_GOAL_S = 6.0
HEAD = ["| what | by | over | CPU-s | CPU-s per GiB | s moving bytes | s of the command | peak MiB | requests "
        "| MiB stored |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|--:|"]


class Node:
    """The only node of the playground."""

    def __init__(self, home, ringmaster):
        self.executor = measure.Executor(home, "rides/dc1/node-0")
        self.volume = self.executor.volume()
        self.daemon = int((self.volume / "daemon.pid").read_text().split()[0])
        self.address, _, port = ringmaster.hosts()["dc1"][0].rpartition(":")
        self.port = int(port)


@dataclasses.dataclass
class Row:
    what: str
    by: str
    over: str
    gib: float
    measured: measure.Measured

    @property
    def per_gib(self):
        return self.measured.cpu_s / self.gib

    def text(self):
        m = self.measured
        per_gib = "-" if self.what == SECOND else f"{self.per_gib:.2f}"
        return (f"| {self.what} | {self.by} | {self.over} | {m.cpu_s:.2f} | {per_gib} | {m.moving_s:.1f} "
                f"| {m.seconds:.1f} | {m.rss_mib:.0f} | {m.requests} | {m.stored_bytes / (1 << 20):.1f} |")


def add_location(home, name, url, store=None):
    """Writes the files of a location, in the directory that the servers of the playground share."""
    directory = home / "playground/locations"
    text = f"url: {url}\n"
    if store:
        text += f"endpoint: {store.url}\ncredentials: file:{name}.key\n"
        key = directory / f"{name}.key"
        key.touch(0o600)
        key.write_text(f"access_key_id: {s3.KEY}\nsecret_access_key: {s3.SECRET}\n")
        if store.tls:
            shutil.copy(store.certificate, directory / f"{name}.pem")
            text += f"ca_file: {name}.pem\n"
    (directory / f"{name}.yaml").write_text(text)


def backup(ringmaster, location):
    ringmaster.do("backup", "create", "rides", "--to", location, "--yes", "--wait")


def by_ringmaster(home, ringmaster, node, over, store, gib):
    name = over.lower()
    add_location(home, name, "s3://ringmaster", store)
    for what in (FIRST, SECOND):
        measured = measure.with_store(store, lambda: node.executor.measure(lambda: backup(ringmaster, name)))
        yield Row(what, "Ringmaster", over, gib, measured)
    fresh = measure.Executor(home, "rides2/dc1/node-0")

    # The example's disk of 4 GiB is too small for a restore of as much.
    words = ("restore", "start", "rides", "--as", "rides2", "--from", name)
    spec = home / "rides2.yaml"
    spec.write_text(re.sub(r"disk: [^,}\n]+", f"disk: {2 * gib + 2:.0f}GiB", ringmaster.output(*words, "--print-spec")))

    def restore():
        ringmaster.do("cluster", "apply", "-f", str(spec), "--yes", "--wait")

    yield Row(FETCH, "Ringmaster", over, gib, measure.with_store(store, lambda: fresh.measure(restore)))
    ringmaster.do("cluster", "delete", "rides2", "--destroy-data", "--yes", "--wait")


def by_medusa(out, ringmaster, node, over, store, gib):
    medusa = peer.Medusa(out / f"medusa-{over.lower()}", node, ringmaster.jars(), store)
    for number, what in enumerate((FIRST, SECOND)):
        yield Row(what, "Medusa", over, gib, measure.with_store(store, lambda n=number: medusa.backup(f"backup-{n}")))
    size = []

    def download():
        measured, downloaded = medusa.download("backup-1")
        size.append(downloaded)
        return measured

    yield Row(FETCH, "Medusa", over, gib, measure.with_store(store, download))
    if size[0] < gib * GIB:
        raise RuntimeError(f"Medusa downloaded {size[0]} bytes of {gib * GIB:.0f}")


def one_node(out, options):
    """Both tools on one node, over HTTP and over TLS."""
    home = out / "node"
    results = []
    with Ringmaster(home, "--datacenters", "1", "--nodes", "1", "--heap", "512MiB") as ringmaster:
        node = Node(home, ringmaster)
        rows.write(node.address, node.port, options.mib)
        peer.open_jmx(node.daemon)
        for over in (PLAIN, TLS):
            directory = out / f"store-{over.lower()}"
            directory.mkdir()
            with s3.Store(directory, over == TLS, ["ringmaster", "medusa"]) as store:
                gib = options.mib / 1024
                for row in by_ringmaster(home, ringmaster, node, over, store, gib):
                    results.append(row)
                    print(row.text(), flush=True)
                for row in by_medusa(out, ringmaster, node, over, store, gib):
                    results.append(row)
                    print(row.text(), flush=True)
            shutil.rmtree(directory)
    return results


def pair(out, options):
    """The seconds of further backups of two datacenters of three nodes, with nothing changed, by location."""
    home, directory = out / "pair", out / "store-pair"
    directory.mkdir()
    seconds = {}
    with s3.Store(directory, False, ["ringmaster"]) as store, Ringmaster(home, "--datacenters", "2") as ringmaster:
        address, _, port = ringmaster.hosts()["dc1"][0].rpartition(":")
        rows.write(address, int(port), options.pair_mib, 3, ("dc1", "dc2"))
        add_location(home, "s3", "s3://ringmaster", store)
        for location in ("local", "s3"):
            taken = []
            for _ in range(1 + options.rounds):
                taken.append(measure.timed(lambda name=location: backup(ringmaster, name)))
            seconds[location] = taken
            print(f"{location}: " + ", ".join(f"{s:.1f} s" for s in taken), flush=True)
    shutil.rmtree(directory)
    return seconds


def verdict(met, text):
    return f"- {'met' if met else 'MISSED'}: {text}"


def judged(results, seconds):
    """Yields a line for each goal."""
    for over, goal in CPU_GOAL.items():
        first = {row.by: row.per_gib for row in results if row.what == FIRST and row.over == over}
        if "Ringmaster" in first:
            yield verdict(first["Ringmaster"] <= goal,
                          f"{first['Ringmaster']:.2f} CPU-s per GiB over {over}; goal: at most {goal}")
        if len(first) == 2:
            share = first["Ringmaster"] / first["Medusa"]
            yield verdict(share <= MEDUSA_SHARE, f"{share:.2f} of Medusa's {first['Medusa']:.2f} CPU-s per GiB over "
                                                 f"{over}; goal: a third")
    for location, taken in seconds.items():
        median = statistics.median(taken[1:])
        yield verdict(median < SECOND_GOAL_S, f"{median:.1f} s for a second backup of 2 x 3 nodes to {location}; "
                                              f"goal: under {SECOND_GOAL_S:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=s3.ROOT / ".build/bench/backup")
    parser.add_argument("--only", choices=["node", "pair", "program"], help="run this part only")
    parser.add_argument("--mib", type=int, default=2048, help="data of the one node")
    parser.add_argument("--pair-mib", type=int, default=64, help="data of each of the six nodes")
    parser.add_argument("--rounds", type=int, default=3, help="further backups of the six nodes")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # through every `with` block, so that nothing is left
    out = options.out.absolute()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    before = os.getloadavg()[0]
    results = one_node(out, options) if options.only in (None, "node") else []
    seconds = pair(out, options) if options.only in (None, "pair") else {}
    lines = [*HEAD, *(row.text() for row in results), ""] if results else []
    if options.only in (None, "program"):
        lines += [*program.program(out), ""]
    for location, taken in seconds.items():
        lines.append(f"2 x 3 nodes to {location}: first backup {taken[0]:.1f} s, then "
                     + ", ".join(f"{s:.1f}" for s in taken[1:]) + " s.")
    lines += ["", *judged(results, seconds), "", f"Load average {before:.1f} before, {os.getloadavg()[0]:.1f} after."]
    text = "\n".join(lines) + "\n"
    print("\n" + text)
    (out / "backup.md").write_text(text)
    (out / "backup.json").write_text(json.dumps(
        {"node": [dataclasses.asdict(row) for row in results], "pair": seconds}, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())

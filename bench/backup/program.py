"""The transfer program alone, on snapshots that are made of random bytes: what its start, files and bytes cost."""

import json
import os
import pathlib
import resource
import shutil
import subprocess

import store as s3

MIB = 1 << 20
TABLE = "bench/photos-5a1c395eb41f11e59f22ba0be0483c18"
TABLE_ID = "5a1c395e-b41f-11e5-9f22-ba0be0483c18"
HOST_ID = "00000000-0000-0000-0000-000000000001"
# The small components of an sstable, with their bytes.
SMALL = {"CompressionInfo.db": 60, "Digest.crc32": 10, "Filter.db": 100, "Index.db": 300, "Statistics.db": 4000,
         "Summary.db": 80, "TOC.txt": 90}
# Sstables, and the MiB of data of each.
SHAPES = ((24, 170), (384, 10.6), (384, 1))
BACKUPS = ("20261124T040000Z-0001", "20261125T040000Z-0002")
JVM = ("-XX:+UseSerialGC", "-Xss256k", "-XX:-UsePerfData", "-XX:CompileThresholdScaling=10", "-Xmx96m",
       "-Xlog:disable", "-Xlog:all=error:stderr")


class Node:
    """A volume with sstables."""

    def __init__(self, directory, sstables, mib):
        self.volume = directory / "volume"
        self.locations = directory / "locations"
        self.locations.mkdir(parents=True)
        self.data = self.volume / "data" / TABLE
        self.data.mkdir(parents=True)
        self.prefixes = [f"nb-{i}-big" for i in range(1, sstables + 1)]
        for prefix in self.prefixes:
            with open(self.data / f"{prefix}-Data.db", "wb") as file:
                for _ in range(round(mib * 16)):
                    file.write(os.urandom(MIB // 16))
            for name, size in SMALL.items():
                (self.data / f"{prefix}-{name}").write_bytes(os.urandom(size))

    def locate(self, store):
        """Writes the location `main`."""
        key = self.locations / "main.key"
        key.touch(0o600)
        key.write_text(f"access_key_id: {s3.KEY}\nsecret_access_key: {s3.SECRET}\n")
        text = f"url: s3://ringmaster\nendpoint: {store.url}\ncredentials: file:main.key\n"
        if store.tls:
            shutil.copy(store.certificate, self.locations / "main.pem")
            text += "ca_file: main.pem\n"
        location = self.locations / "main.yaml"
        location.touch(0o600)
        location.write_text(text)

    def snapshot(self, backup):
        """Makes what Cassandra and its companion make."""
        links = self.data / "snapshots" / f"ringmaster-{backup}"
        links.mkdir(parents=True)
        for file in self.data.iterdir():
            if file.is_file():
                os.link(file, links / file.name)
        info = self.volume / "backup" / backup
        info.mkdir(parents=True)
        sstables = [{"prefix": p, "level": 0, "rows": 1, "first": "-5", "last": "9", "min_ts": 0, "max_ts": 3}
                    for p in self.prefixes]
        member = {"host_id": HOST_ID, "datacenter": "dc1", "rack": "r1", "tokens": ["1"]}
        (info / "snapshot.json").write_text(json.dumps({
            "backup": backup, "host_id": HOST_ID, "tokens": ["1"], "cassandra": "5.0.9",
            "from": "2026-11-24T04:00:00Z", "to": "2026-11-24T04:00:01Z", "schema_version": "v1", "ring": [member],
            "tables": [{"keyspace": "bench", "table": "photos", "id": TABLE_ID, "engine": "sstable",
                        "sstables": sstables}],
            "schema": [{"keyspace": "bench", "type": "table", "name": "photos", "statement": "CREATE TABLE ..."}]}))

    def run(self, kind, backup, **more):
        """Runs the program, and returns its processor time in seconds."""
        args = {"to": "main", "cluster": "rides", "incarnation": "dc1-1-00ff", "backup": backup, **more}
        request = {"task": {"id": f"{kind}-{backup}", "kind": kind, "args": args}, "node": "rides/dc1/node-0",
                   "volume": str(self.volume), "locations": str(self.locations)}
        built = s3.ROOT / ".build/dist"
        command = ["java", *JVM, f"-XX:SharedArchiveFile={built}/transfer.jsa", "-cp", f"{built}/transfer/*",
                   "io.ringmaster.transfer.TransferMain"]
        before = children_s()
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as program:
            program.stdin.write(json.dumps(request).encode() + b"\n")
            program.stdin.flush()  # it halts at the end of its input
            last = json.loads(program.stdout.readlines()[-1])
        if last["state"] != "DONE":
            raise RuntimeError(f"{kind}: {last['message']}")
        return children_s() - before


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def program(out):
    """Yields a line of a table for each shape of the data: the first upload, the second one, and a commit."""
    yield "| sstables | MiB of each | requests | first upload: CPU-s | upload of nothing new: CPU-s | commit: CPU-s |"
    yield "|--:|--:|--:|--:|--:|--:|"
    for sstables, mib in SHAPES:
        directory = pathlib.Path(out) / f"program-{sstables}-{mib}"
        node = Node(directory, sstables, mib)
        (directory / "store").mkdir()
        with s3.Store(directory / "store", False, ["ringmaster"]) as store:
            node.locate(store)
            uploads = []
            for backup in BACKUPS:
                node.snapshot(backup)
                uploads.append(node.run("BACKUP_UPLOAD", backup))
                if len(uploads) == 1:
                    requests = store.requests()
                commit = node.run("BACKUP_COMMIT", backup, nodes="dc1.node-0", datacenters="dc1", spec="name: rides")
        yield f"| {sstables} | {mib} | {requests} | {uploads[0]:.1f} | {uploads[1]:.1f} | {commit:.1f} |"
        shutil.rmtree(directory)

"""The load of metronome: rows to operate on, and a light load measured before, during and after an operation."""

import json
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
METRONOME = ROOT / "metronome/target/release/metronome"
RATE = 200


class Load:
    """A steady rate of requests to each datacenter, half reads, half writes, with up to three replicas."""

    def __init__(self, hosts, rate=RATE, consistency="LOCAL_QUORUM"):
        replication = ",".join(f"{dc}:{min(3, len(addresses))}" for dc, addresses in hosts.items())
        self.probes = {}
        for dc, addresses in hosts.items():
            command = [METRONOME, "probe", "pulse", "--periods", "--send-again", "--rate", str(rate),
                       "--consistency", consistency, "--hosts", ",".join(addresses), "--datacenter", dc,
                       "--replication", replication]
            probe = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.probes[dc] = probe
            if not probe.stdout.readline():
                raise RuntimeError(f"the load on {dc} ended before its first second")

    def begin(self, period):
        for probe in self.probes.values():
            probe.stdin.write(period + "\n")
            probe.stdin.flush()

    def read_periods(self):
        """Returns the next finished period of each datacenter."""
        return {dc: next(p for p in map(json.loads, probe.stdout) if "period" in p)
                for dc, probe in self.probes.items()}

    def end(self):
        for probe in self.probes.values():
            probe.stdin.close()
        return self.read_periods()

    def around(self, work, quiet_s):
        """Returns the seconds of the work, and the measurements of the load before, during and after it."""
        self.begin("before")
        time.sleep(quiet_s)
        self.begin("during")
        before = self.read_periods()
        started = time.monotonic()
        work()
        seconds = time.monotonic() - started
        self.begin("after")
        during = self.read_periods()
        time.sleep(quiet_s)
        return seconds, {"before": before, "during": during, "after": self.end()}

    def close(self):
        for probe in self.probes.values():
            probe.kill()
            probe.wait()


def measured(what, way, hosts, work, quiet_s):
    """Returns one row of the table: the seconds of the work and the measurements of the load."""
    load_average = os.getloadavg()[0]
    load = Load(hosts)
    try:
        seconds, met = load.around(work, quiet_s)
    finally:
        load.close()
    periods = [p for period in met.values() for p in period.values()]
    return {"what": what, "way": way, "seconds": round(seconds, 1), "requests": sum(p["requests"] for p in periods),
            "failed": sum(p["failed"] for p in periods), "load": met,
            "load_average": [round(load_average, 1), round(os.getloadavg()[0], 1)]}


def worst(result, period, figure):
    """Returns the worst figure of the datacenters; None if one has no answers."""
    values = [p.get(figure) for p in result["load"][period].values()]
    return None if None in values else max(values)


class Rows:
    """Acknowledged rows of 170 bytes with three replicas in each datacenter, which no operation may lose."""

    def __init__(self, hosts, count, out):
        self.hosts = [address for addresses in hosts.values() for address in addresses]
        self.result = out / "rows.json"
        replication = ",".join(f"{dc}:{min(3, len(addresses))}" for dc, addresses in hosts.items())
        seconds = max(1, count // 2000)
        subprocess.run([METRONOME, "run", "writes", "--rate", "2000", "--duration", f"{seconds}s", "--max-behind", "1h",
                        "--consistency", "LOCAL_QUORUM", "--replication", replication, "--hosts", ",".join(self.hosts),
                        "-q", "-o", self.result], check=True, stdout=subprocess.DEVNULL)

    def verify(self, hosts):
        """Reads each row at QUORUM. Fails if one is lost."""
        addresses = [address for part in hosts.values() for address in part]
        subprocess.run([METRONOME, "verify", self.result, "--read-consistency", "QUORUM",
                        "--hosts", ",".join(addresses)], check=True, stdout=subprocess.DEVNULL)

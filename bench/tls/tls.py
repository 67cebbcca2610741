"""What TLS costs: the start of two datacenters of three nodes, and the processor time of requests, with everything in
clear text, and with TLS everywhere and logins, in turns."""

import argparse
import json
import os
import pathlib
import ssl
import statistics
import subprocess
import sys
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/operations"))
from ways import Ringmaster  # noqa: E402

METRONOME = ROOT / "metronome/target/release/metronome"
MODES = {"clear text": (), "TLS": ("--tls",)}
LOADS = ("90%", "50%")
ROWS = 20_000
TICKS = os.sysconf("SC_CLK_TCK")


def processes(home):
    """The command line of each process that runs below a home, by its pid."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if str(home) in command and "tls.py" not in command:
                found[int(entry.name)] = command
    return found


def cpu_s(pids):
    """Processor seconds of these processes."""
    total = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def resident_mib(pids):
    pages = sum(int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def authorities(ringmaster, file):
    """Writes the authorities for CQL clients of the cluster into a file."""
    state = json.loads((ringmaster.home / "playground/playground.json").read_text())
    trust = ssl.create_default_context()
    for authority in (ringmaster.home / "trust").glob("*.pem"):
        trust.load_verify_locations(authority)
    url = state["servers"][0]["url"] + "/api/v1/clusters/rides/ca"
    with urllib.request.urlopen(url, context=trust, timeout=30) as answer:
        file.write_bytes(answer.read())


def login(ringmaster, file):
    """Declares a role for metronome, and writes its password into a file."""
    spec = ringmaster.home / "playground/rides.yaml"
    spec.write_text(spec.read_text() + "roles: {app: {login: true, superuser: true, password: generated}}\n")
    ringmaster.do("cluster", "apply", "-f", spec, "--yes", "--wait")
    file.touch(mode=0o600)
    file.write_text(ringmaster.output("cluster", "password", "rides", "app"))


def load(hosts, options, out, name, rate, seconds, *more):
    """Runs metronome; returns its result and its processor seconds."""
    result = out / f"{name}.json"
    command = [METRONOME, "run", "emp", "--hosts", hosts, "--datacenter", "dc1", "--consistency", "local_quorum",
               "--replication", "dc1:3,dc2:3", "--set", f"rows={ROWS}", "--set", "row_bytes=1000", "--rate", str(rate),
               "--duration", f"{seconds}s", "-q", "-o", result, *options, *more]
    before = os.times()
    with open(out / f"{name}.txt", "w") as log:
        code = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return code, spent, percentiles((out / f"{name}.txt").read_text())


def percentiles(text):
    """p50 and p99 of reads and of writes from metronome's table, in ms as it prints them."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) > 6 and words[1] == "response" and words[0] in ("read", "write"):
            found[words[0]] = (words[3], words[6])
    return found


def measure(mode, round_number, out, rate, seconds):
    home = out / "home"
    row = {"mode": mode, "round": round_number, "loads": {}}
    started = time.monotonic()
    with Ringmaster(home, *MODES[mode]) as ringmaster:
        row["start_s"] = time.monotonic() - started
        all_of_it = processes(home)
        row["start_cpu_s"] = cpu_s(all_of_it)
        programs = {"nodes": "companion.Launch", "executors": "ExecutorMain", "servers": "ServerMain"}
        row["resident_mib"] = {part: resident_mib([p for p, c in all_of_it.items() if word in c])
                               for part, word in programs.items()}
        daemons = [p for p, command in all_of_it.items() if "companion.Launch" in command]
        hosts = ",".join(ringmaster.hosts()["dc1"])
        options = []
        if mode == "TLS":
            authorities(ringmaster, out / "ca.pem")
            login(ringmaster, out / "app.password")
            options = ["--tls-ca", out / "ca.pem", "--user", "app", "--password-file", out / "app.password"]
        name = mode.replace(" ", "-")
        load(hosts, options, out, f"{name}-fill", rate, ROWS // rate + 1, "--set", "read=0%", "--set", "order=sequence")
        load(hosts, options, out, f"{name}-warm", rate, seconds, "--set", "read=50%")
        for reads in LOADS:
            cpu = cpu_s(daemons)
            code, client, times = load(hosts, options, out, f"{name}-{reads[:2]}-{round_number}", rate, seconds,
                                       "--set", f"read={reads}")
            requests = rate * seconds
            row["loads"][reads] = {"valid": code == 0, "daemons_us": (cpu_s(daemons) - cpu) / requests * 1e6,
                                   "client_us": client / requests * 1e6, "times": times}
    print(json.dumps(row), flush=True)
    return row


def median(rows, mode, value):
    return statistics.median(value(r) for r in rows if r["mode"] == mode)


def table(rows):
    lines = ["| what | clear text | TLS | times |", "|---|--:|--:|--:|"]

    def line(what, value, form="{:.1f}"):
        clear, tls = median(rows, "clear text", value), median(rows, "TLS", value)
        lines.append(f"| {what} | {form.format(clear)} | {form.format(tls)} | {tls / clear:.2f} |")

    line("start of 2 x 3 nodes, s", lambda r: r["start_s"])
    line("processor time of the start, s", lambda r: r["start_cpu_s"])
    for part in ("nodes", "executors", "servers"):
        line(f"memory of all {part}, MiB", lambda r, p=part: r["resident_mib"][p], "{:.0f}")
    for reads in LOADS:
        line(f"{reads} reads: CPU of the nodes, us per request",
             lambda r, x=reads: r["loads"][x]["daemons_us"], "{:.0f}")
        line(f"{reads} reads: CPU of metronome, us per request",
             lambda r, x=reads: r["loads"][x]["client_us"], "{:.0f}")
        line(f"{reads} reads: nodes and metronome",
             lambda r, x=reads: r["loads"][x]["daemons_us"] + r["loads"][x]["client_us"], "{:.0f}")
        for kind in ("read", "write"):
            for i, p in enumerate(("p50", "p99")):
                line(f"{reads} reads: {kind} {p}, ms",
                     lambda r, x=reads, k=kind, n=i: float(r["loads"][x]["times"][k][n]), "{:.2f}")
    invalid = sum(not load["valid"] for r in rows for load in r["loads"].values())
    lines += ["", f"Medians of {len(rows) // 2} rounds; {invalid} runs of metronome were invalid."]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rate", type=int, default=600, help="requests in a second")
    parser.add_argument("--seconds", type=int, default=30, help="of each load")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / ".build/bench/tls")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with Ringmaster(options.out / "home"):
        pass  # makes the class data archive
    rows = []
    for number in range(1, options.rounds + 1):
        for mode in list(MODES) if number % 2 else reversed(MODES):
            rows.append(measure(mode, number, options.out, options.rate, options.seconds))
    (options.out / "tls.json").write_text(json.dumps(rows, indent=1))
    (options.out / "tls.md").write_text(table(rows) + "\n")
    print(table(rows))


main()

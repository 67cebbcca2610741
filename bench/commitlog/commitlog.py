"""What each kind of sync of the commit log costs: response times of writes at one rate, and the highest rate at which
they keep a service level, in turns."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/operations"))
from ways import Ringmaster  # noqa: E402

METRONOME = ROOT / "metronome/target/release/metronome"
KINDS = {
    "periodic, 10 s": {"commitlog_sync": "periodic", "commitlog_sync_period": "10s"},
    "periodic, 1 s": {"commitlog_sync": "periodic", "commitlog_sync_period": "1s"},
    "group, 10 ms": {"commitlog_sync": "group", "commitlog_sync_group_window": "10ms"},
    "batch": {"commitlog_sync": "batch"},
}
SIZE = ("--datacenters", "1", "--nodes", "3")


def metronome(out, name, *words):
    """Runs metronome on writes; returns whether the run is valid."""
    result = out / f"{name}.json"
    result.unlink(missing_ok=True)  # one of an earlier benchmark would count as that of a run that fails
    command = [METRONOME, *words, "--datacenter", "dc1", "--consistency", "local_quorum", "--replication", "dc1:3",
               "--set", "rows=20000", "--set", "row_bytes=1000", "--set", "read=0%", "-o", result]
    with open(out / f"{name}.txt", "w") as log:
        code = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
    if not result.exists():
        raise RuntimeError(f"metronome ended with {code}:\n{(out / f'{name}.txt').read_text()}")
    return code == 0


def percentiles(text):
    """p50 and p99 of writes from metronome's table, in ms."""
    for line in text.splitlines():
        words = line.split()
        if len(words) > 6 and words[:2] == ["write", "response"]:
            return float(words[3]), float(words[6])
    raise RuntimeError(f"metronome printed no response times:\n{text}")


def measure(kind, number, options):
    name = f"{kind.replace(', ', '-').replace(' ', '')}-{number}"
    out = options.out
    parameters = [f"--parameter={key}={value}" for key, value in KINDS[kind].items()]
    with Ringmaster(out / "home", *SIZE, *parameters) as ringmaster:
        hosts = ",".join(ringmaster.hosts()["dc1"])
        steady = ("--rate", str(options.rate), "--duration", f"{options.seconds}s")
        metronome(out, f"{name}-warm", "run", "emp", "-q", "--hosts", hosts, *steady)
        valid = metronome(out, name, "run", "emp", "-q", "--hosts", hosts, *steady)
        p50, p99 = percentiles((out / f"{name}.txt").read_text())
        metronome(out, f"{name}-sustain", "sustain", "emp", "--hosts", hosts, "--slo", options.slo, "--from", "500")
    found = json.loads((out / f"{name}-sustain.json").read_text())
    row = {"kind": kind, "round": number, "valid": valid, "p50_ms": p50, "p99_ms": p99,
           "sustained": rate(found)}
    print(json.dumps(row), flush=True)
    return row


def rate(result):
    """The highest rate that a result of `metronome sustain` names; 0 if no rate kept the service level."""
    if isinstance(result, dict):
        if "sustainable_rate" in result:
            return result["sustainable_rate"] or 0
        return max((rate(value) for value in result.values()), default=0)
    return 0


def table(rows, options):
    lines = [f"| sync | write p50 at {options.rate}/s, ms | p99, ms | writes/s with {options.slo} |",
             "|---|--:|--:|--:|"]
    for kind in KINDS:
        own = [r for r in rows if r["kind"] == kind]
        p50, p99, most = (statistics.median(r[key] for r in own) for key in ("p50_ms", "p99_ms", "sustained"))
        lines.append(f"| {kind} | {p50:.2f} | {p99:.2f} | {most:.0f} |")
    invalid = sum(not r["valid"] for r in rows)
    return "\n".join([*lines, "", f"Medians of {options.rounds} rounds; {invalid} runs of metronome were invalid."])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rate", type=int, default=600, help="writes in a second")
    parser.add_argument("--seconds", type=int, default=30, help="of each load")
    parser.add_argument("--slo", default="p99<50ms")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / ".build/bench/commitlog")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for number in range(1, options.rounds + 1):
        for kind in list(KINDS) if number % 2 else reversed(KINDS):
            rows.append(measure(kind, number, options))
    (options.out / "commitlog.json").write_text(json.dumps(rows, indent=1))
    (options.out / "commitlog.md").write_text(table(rows, options) + "\n")
    print(table(rows, options))


main()

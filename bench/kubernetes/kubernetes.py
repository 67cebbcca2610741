"""Ringmaster on the real Kubernetes of integration/kubernetes; see README.md. Needs root, cgroup v1 and Go."""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSIDE = "RINGMASTER_BENCH_INSIDE"


def arguments():
    parser = argparse.ArgumentParser(prog="bench/kubernetes/run", description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / ".build/bench/kubernetes",
                        help="folder of the results (default: .build/bench/kubernetes)")
    parser.add_argument("--no-build", action="store_true", help="run what was built before")
    parts = parser.add_subparsers(dest="part", required=True)
    start = parts.add_parser("start", help="2 x 3 nodes: all at once by Ringmaster, one after another by StatefulSets")
    start.add_argument("--rounds", type=int, choices=(1, 2), default=2,
                       help="starts by Ringmaster, around the one by StatefulSets (default: 2)")
    pods = parts.add_parser("pods", help="the same load on a node in a pod and on a node that is a local process")
    pods.add_argument("--rate", type=int, default=1000, help="requests per second (default: 1000)")
    pods.add_argument("--seconds", type=int, default=30, help="of each measurement (default: 30)")
    pods.add_argument("--rounds", type=int, default=2, help="process, pod, pod, process: how often (default: 2)")
    return parser.parse_args()


def build(part):
    for command in (["./dev", "build"], ["./dev", "kubernetes"], ["./dev", "image"]):
        subprocess.run(command, cwd=ROOT, check=True)
    if part == "pods":
        subprocess.run(["cargo", "build", "--release", "--quiet", "--locked"], cwd=ROOT / "metronome", check=True)


def enter():
    """Starts this program again in namespaces of its own: with their first process, which it is, every process ends."""
    os.environ[INSIDE] = "yes"
    program = [sys.executable, "-B", __file__, *sys.argv[1:]]
    os.execvp("unshare", ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", *program])


def stop(number, frame):
    raise KeyboardInterrupt


def main():
    options = arguments()
    if INSIDE not in os.environ:
        try:
            if not options.no_build:
                build(options.part)
            subprocess.run([ROOT / "integration/kubernetes/needs.sh"], check=True)
        except subprocess.CalledProcessError as e:
            sys.exit(f"bench/kubernetes: {' '.join(map(str, e.cmd))} failed with exit code {e.returncode}")
        enter()
    signal.signal(signal.SIGTERM, stop)
    out = options.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    part = __import__(options.part)
    try:
        results, table = part.run(out, options)
    except KeyboardInterrupt:
        sys.exit("bench/kubernetes: interrupted")
    except (RuntimeError, subprocess.SubprocessError) as e:
        sys.exit(f"bench/kubernetes: {e}")
    figures = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "cores": os.cpu_count(), "results": results}
    (out / f"{options.part}.json").write_text(json.dumps(figures, indent=2) + "\n")
    (out / f"{options.part}.md").write_text(table + "\n")
    print(table + f"\n\nraw figures: {out / options.part}.json", flush=True)


if __name__ == "__main__":
    main()

"""Processor time, memory and time of what a tool does."""

import dataclasses
import os
import pathlib
import subprocess
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")
SAMPLE_S = 0.02


@dataclasses.dataclass
class Measured:
    """What one piece of work cost. `seconds` is that of the whole command, `moving_s` that of the program that moves
    the bytes; `rss_mib` is the largest resident size of one process of the tool."""

    seconds: float
    moving_s: float
    cpu_s: float
    rss_mib: float
    requests: int = 0
    stored_bytes: int = 0


class Executor:
    """The executor of a node. It starts the transfer program and waits for it, so that the kernel adds the processor
    time of that program to the executor's `cutime` and `cstime`."""

    def __init__(self, home, node):
        self.home = str(home).encode()
        self.node = node.encode()

    def words(self):
        """Returns its process id and its command; None if it does not run."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            ours = any(word.startswith(self.home + b"/") for word in words)
            if b"io.ringmaster.executor.ExecutorMain" in words and self.node in words and ours:
                return int(process.name), [word.decode() for word in words]
        return None

    def pid(self):
        found = self.words()
        return found and found[0]

    def volume(self):
        _, words = self.words()
        return pathlib.Path(words[words.index("--directory") + 1]) / "volume"

    def measure(self, work):
        """Runs the work. An executor that does not run yet starts with it."""
        pid = self.pid()
        before = children_s(pid) if pid else 0.0
        sampler = Sampler(self)
        started = time.monotonic()
        sampler.start()
        try:
            work()
        finally:
            seconds = time.monotonic() - started
            sampler.end()
        return Measured(seconds, sampler.seconds, children_s(self.pid()) - before, sampler.peak_kib / 1024)


class Sampler(threading.Thread):
    """Looks at the transfer programs of an executor until the end of the work, and until none runs."""

    def __init__(self, executor):
        super().__init__(daemon=True)
        self.executor = executor
        self.over = threading.Event()
        self.peak_kib = 0
        self.seconds = 0.0

    def run(self):
        pid = None
        while True:
            before = time.monotonic()
            pid = pid or self.executor.pid()
            running = transfers(pid) if pid else []
            if self.over.is_set() and not running:
                return
            for child in running:
                self.peak_kib = max(self.peak_kib, peak_kib(child))
            time.sleep(SAMPLE_S if pid else 0.5)
            if running:
                self.seconds += time.monotonic() - before

    def end(self):
        self.over.set()
        self.join()


def transfers(parent):
    found = []
    for task in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            try:
                if b"TransferMain" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(child)
            except OSError:
                continue
    return found


def peak_kib(pid):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def children_s(pid):
    """Returns the processor seconds of the ended children of a process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / TICKS


def run(command, log):
    """Runs a command to its end; its processor time is that of all its processes."""
    started = time.monotonic()
    with open(log, "a") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with exit code {process.returncode} -> {log}")
    seconds = time.monotonic() - started
    return Measured(seconds, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def timed(work):
    """Returns the seconds of the work."""
    started = time.monotonic()
    work()
    return time.monotonic() - started


def with_store(store, work):
    """Adds what happened in the store to the measurement that the work returns."""
    requests, size = store.requests(), store.bytes()
    measured = work()
    measured.requests = store.requests() - requests
    measured.stored_bytes = store.bytes() - size
    return measured

"""Runs jobs side by side, as many as slots and memory allow."""

import ctypes
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import time

import sandbox
from jobs import BUILD, CACHE, GIB, Job

LOOK_S = 0.2
# A job reaches its full memory within this time; until then the free memory does not show it.
GROWTH_S = 90
RESERVE = 1 * GIB
LIMIT_S = 45 * 60
GRACE_S = 10
SHOWN_LINES = 60
TIMED_NICENESS = -10
PR_SET_PDEATHSIG = 1


@dataclasses.dataclass
class Running:
    job: Job
    # Kept, because the subprocess module waits for processes whose objects are gone, and wait4 here would find none.
    process: subprocess.Popen
    slot: int
    started: float
    stopped: float = 0.0

    @property
    def pid(self) -> int:
        return self.process.pid


@dataclasses.dataclass(frozen=True)
class Done:
    """The times are seconds since 1970, cpu is the processor time of all processes of the job in seconds."""

    job: Job
    started: float
    ended: float
    cpu: float
    code: int


def say(text: str) -> None:
    print(f"dev: {text}", flush=True)


def free_memory() -> int:
    with open("/proc/meminfo") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))


def die_with_parent() -> None:
    """Called in the child before exec, so that a killed run leaves no job behind."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def may_go_first() -> bool:
    """Whether this user may start processes that go before others on the processors."""
    return subprocess.run(["nice", "-n", str(TIMED_NICENESS), "true"], capture_output=True).stderr == b""


def home(slot: int) -> pathlib.Path:
    """Playgrounds of one slot follow each other in one home. A short path, because unix sockets are below it."""
    folder = BUILD / f"homes/{slot:02d}"
    folder.mkdir(parents=True, exist_ok=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    if not (folder / "cache").is_symlink():
        shutil.rmtree(folder / "cache", ignore_errors=True)
        (folder / "cache").symlink_to(CACHE)
    return folder


class Runner:
    """Starts the jobs in their order and waits for them. A job whose predecessor failed does not run."""

    def __init__(self, jobs: list, slots: int):
        self.waiting = sorted(jobs, key=Job.order)
        self.slots = slots
        self.namespaces = sandbox.available()
        self.priorities = may_go_first()
        self.running: list = []
        self.done: list = []
        self.dropped: list = []
        self.total = len(jobs)
        if not self.namespaces:
            say("no network namespaces for this user (root may): tests on real Cassandra run one after another")

    def run(self) -> None:
        try:
            while self.waiting or self.running:
                self.start_some()
                self.collect()
                time.sleep(LOOK_S)
        finally:
            self.kill_all()

    def start_some(self) -> None:
        codes = {d.job.name: d.code for d in self.done}
        for job in list(self.waiting):
            if any(codes.get(a, 0) != 0 or a in self.dropped for a in job.after):
                self.waiting.remove(job)
                self.dropped.append(job.name)
            elif len(self.running) < self.slots and all(a in codes for a in job.after) and self.has_room(job):
                self.waiting.remove(job)
                self.start(job)

    def has_room(self, job: Job) -> bool:
        if not self.running:
            return True
        if job.enclosed and not self.namespaces and any(r.job.enclosed for r in self.running):
            return False
        if not self.priorities and (job.timed or any(r.job.timed for r in self.running)):
            return False
        young = [r for r in self.running if time.time() - r.started < GROWTH_S]
        return free_memory() - sum(r.job.memory for r in young) >= job.memory + RESERVE

    def start(self, job: Job) -> None:
        slot = min(set(range(1, self.slots + 1)) - {r.slot for r in self.running})
        command = job.command()
        if job.enclosed:
            command = sandbox.enclosed(command, self.namespaces)
        if job.timed and self.priorities:
            command = ["nice", "-n", str(TIMED_NICENESS), *command]
        with open(job.log, "w") as log:
            process = subprocess.Popen(
                command,
                cwd=job.folder,
                env={**os.environ, "RINGMASTER_TEST_HOME": str(home(slot))},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        self.running.append(Running(job, process, slot, time.time()))

    def collect(self) -> None:
        for running in list(self.running):
            pid, status, usage = os.wait4(running.pid, os.WNOHANG)
            now = time.time()
            if pid:
                code = os.waitstatus_to_exitcode(status)
                self.running.remove(running)
                self.done.append(Done(running.job, running.started, now, usage.ru_utime + usage.ru_stime, code))
                self.show(self.done[-1])
            elif not running.stopped and now - running.started > LIMIT_S:
                say(f"{running.job.name} is stopped: it took longer than {LIMIT_S // 60} min")
                stop(running, signal.SIGTERM)
            elif running.stopped and now - running.stopped > GRACE_S:
                stop(running, signal.SIGKILL)

    def show(self, done: Done) -> None:
        verdict = "passed" if done.code == 0 else f"FAILED with exit code {done.code}"
        beside = ", ".join(r.job.name for r in self.running)
        say(
            f"[{len(self.done)}/{self.total}] {done.job.name} {verdict} in {done.ended - done.started:.0f} s"
            f" (CPU {done.cpu:.0f} s){f'; beside {beside}' if beside else ''}"
        )
        if done.code != 0:
            lines = done.job.log.read_text(errors="replace").splitlines()
            print("\n".join("    " + line for line in lines[-SHOWN_LINES:]), flush=True)
            say(f"all output of {done.job.name} is in {done.job.log}")

    def kill_all(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            for running in self.running:
                stop(running, number)
            end = time.time() + GRACE_S
            while self.running and time.time() < end:
                self.running = [r for r in self.running if not os.wait4(r.pid, os.WNOHANG)[0]]
                time.sleep(LOOK_S)


def stop(running: Running, number: int) -> None:
    running.stopped = time.time()
    try:
        os.killpg(running.pid, number)
    except ProcessLookupError:
        pass  # it has just ended

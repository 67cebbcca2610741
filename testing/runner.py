"""Runs jobs side by side, as many as slots and memory allow."""

import contextlib
import ctypes
import dataclasses
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import time

import sandbox
from jobs import BUILD, CACHE, GIB, REPORTS, Job

LOOK_S = 0.2
# A job reaches its full memory within this time; until then the free memory does not show it.
GROWTH_S = 90
RESERVE = 1 * GIB
# Longer than a sandbox takes to end its job: it alone finds the processes that left the job's process group.
GRACE_S = 60
COMPUTER_LOCK = "/tmp/ringmaster-tests.lock"
SHOWN_LINES = 60
# Before every ordinary process on the processors: a smaller niceness is not enough beside several busy ones.
FIRST = ["chrt", "--rr", "1"]
PR_SET_PDEATHSIG = 1
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
    """Seconds: started and ended of the monotonic clock, cpu is the processor time of all processes of the job."""

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
    try:
        return subprocess.run([*FIRST, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


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

    def __init__(self, jobs: list, slots: int, limit_s: float = float("inf")):
        """limit_s: a job that takes longer is stopped, and has failed"""
        names = {job.name for job in jobs}
        unknown = {name for job in jobs for name in job.after} - names
        if unknown or len(names) < len(jobs):
            raise ValueError(f"jobs after unknown ones: {unknown}, or two of one name, among {sorted(names)}")
        self.waiting = sorted(jobs, key=Job.order)
        self.slots = slots
        self.limit_s = limit_s
        self.namespaces = sandbox.available()
        self.priorities = may_go_first()
        self.running: list = []
        self.done: list = []
        self.dropped: list = []
        self.total = len(jobs)
        self.said: set = set()
        say(f"{self.total} jobs, {slots} at once; the output of each is in {REPORTS}/JOB.log")
        if not self.namespaces:
            say("no network namespaces for this user (root may): jobs that need one run one after another")
            self.computer = ComputerLock()

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
        if job.enclosed and not self.namespaces and not self.has_computer(job):
            return False
        if not self.running:
            return True
        if not self.priorities and (job.timed or any(r.job.timed for r in self.running)):
            return False
        young = [r for r in self.running if time.monotonic() - r.started < GROWTH_S]
        free = free_memory() - sum(r.job.memory for r in young)
        if free < job.memory + RESERVE:
            self.say_once(f"{job.name} waits for memory: {job.memory + RESERVE >> 20} MiB, free {max(free, 0) >> 20}")
            return False
        return True

    def has_computer(self, job: Job) -> bool:
        """Whether no other job that shares the network of this computer runs, in this run of tests or another."""
        if any(r.job.enclosed for r in self.running):
            return False
        if not self.computer.take():
            self.say_once(f"{job.name} waits for the tests of another run on this computer")
            return False
        return True

    def say_once(self, text: str) -> None:
        subject = text.split(":")[0]
        if subject not in self.said:
            self.said.add(subject)
            say(text)

    def start(self, job: Job) -> None:
        slot = min(set(range(1, self.slots + 1)) - {r.slot for r in self.running})
        command = sandbox.wrapped(job.command(), job.enclosed and self.namespaces)
        if job.timed and self.priorities:
            command = [*FIRST, *command]
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
        self.running.append(Running(job, process, slot, time.monotonic()))
        say(f"started {job.name}")

    def collect(self) -> None:
        for running in list(self.running):
            pid, status, usage = os.wait4(running.pid, os.WNOHANG)
            now = time.monotonic()
            if pid:
                code = os.waitstatus_to_exitcode(status)
                running.process.returncode = code
                self.running.remove(running)
                if running.job.enclosed and not self.namespaces:
                    self.computer.give()
                self.done.append(Done(running.job, running.started, now, usage.ru_utime + usage.ru_stime, code))
                self.show(self.done[-1])
            elif not running.stopped and now - running.started > self.limit_s:
                say(f"{running.job.name} is stopped: it took longer than {self.limit_s:.0f} s")
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
        """Also when the terminal says it twice: nothing may be left running."""
        handlers = {number: signal.signal(number, signal.SIG_IGN) for number in SIGNALS}
        for number in (signal.SIGTERM, signal.SIGKILL):
            for running in self.running:
                stop(running, number)
            end = time.monotonic() + GRACE_S
            while self.running and time.monotonic() < end:
                self.running = [r for r in self.running if not has_ended(r.process)]
                time.sleep(LOOK_S)
        for number, handler in handlers.items():
            signal.signal(number, handler)


class ComputerLock:
    """A file that the runs of all users of this computer lock in turn."""

    def __init__(self):
        # Opened for reading: a lock needs no more, and the file of another user in /tmp may not be opened to write.
        self.file = os.open(COMPUTER_LOCK, os.O_RDONLY | (0 if os.path.exists(COMPUTER_LOCK) else os.O_CREAT), 0o644)

    def take(self) -> bool:
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False

    def give(self) -> None:
        fcntl.flock(self.file, fcntl.LOCK_UN)


def has_ended(process: subprocess.Popen) -> bool:
    """Also if an interrupt came between the wait for it and the note of it."""
    return process.poll() is not None


def stop(running: Running, number: int) -> None:
    running.stopped = time.monotonic()
    with contextlib.suppress(ProcessLookupError):  # it has just ended
        os.killpg(running.pid, number)

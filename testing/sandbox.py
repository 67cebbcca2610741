"""Gives a job loopback and one more device of its own, and ends every process that the job leaves behind.

A job in its own network namespace cannot meet the addresses and ports of another job. That needs root. Process ids stay
those of the computer, because JVMs name files in /tmp by them.
"""

import contextlib
import ctypes
import fcntl
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import time

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1
PR_SET_CHILD_SUBREAPER = 36
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GRACE_S = 5
# An address that is not loopback, from the range that is reserved for documentation and leads nowhere.
OTHER_DEVICE = """link add net0 type veth peer name net1
addr add 192.0.2.1/24 dev net0
link set net0 up
link set net1 up
"""


def available() -> bool:
    """Whether this user may make network namespaces."""
    try:
        return subprocess.run(wrapped(["true"], True), capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def wrapped(command: list, enclosed: bool) -> list:
    """The command line that runs a command under this program, in a network namespace of its own or not."""
    this = [sys.executable, os.path.abspath(__file__)]
    return ["unshare", "--net", *this, "enclosed", *command] if enclosed else [*this, "here", *command]


def bring_loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | IFF_UP, b""))


def add_other_device() -> None:
    """For tests of what listens on loopback only; without ip(8) they are skipped."""
    with contextlib.suppress(OSError):
        subprocess.run(["ip", "-batch", "-"], input=OTHER_DEVICE, text=True, capture_output=True, check=False)


def children() -> list:
    tasks = pathlib.Path("/proc/self/task").iterdir()
    return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]


def kill_the_rest() -> None:
    """Kills the children until none is left: orphans of a killed process become children of this one."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in children():
                os.kill(pid, signal.SIGKILL)  # exists, at least as a zombie, until it is waited for
            os.wait()


class Ending:
    """Passes the first signal on to the process group, and kills the command if it does not end in time."""

    def __init__(self):
        self.child = 0
        self.end = 0.0
        for number in SIGNALS:
            signal.signal(number, self.begin)
        signal.signal(signal.SIGALRM, self.force)

    def begin(self, number: int, _) -> None:
        if not self.end:
            self.end = time.monotonic() + GRACE_S
            signal.alarm(GRACE_S)
            os.killpg(0, number)

    def force(self, *_) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGKILL)

    def applies_to(self, child: int) -> None:
        """The signal may have come before the child was there."""
        self.child = child
        if self.end:
            os.kill(child, signal.SIGTERM)

    def let_others_end(self) -> None:
        """What a script removes at its end takes a moment longer than its parent."""
        with contextlib.suppress(ChildProcessError):
            while time.monotonic() < self.end:
                if not os.waitpid(-1, os.WNOHANG)[0]:
                    time.sleep(0.1)
        for number in (*SIGNALS, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)


def main(enclosed: bool, command: list) -> int:
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1)
    if enclosed:
        bring_loopback_up()
        add_other_device()
    ending = Ending()
    child = subprocess.Popen(command)
    ending.applies_to(child.pid)
    while True:
        pid, status = os.wait()  # also for orphans
        if pid == child.pid:
            break
    ending.let_others_end()
    kill_the_rest()
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] == "enclosed", sys.argv[2:]))

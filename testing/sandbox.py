"""Gives a job loopback and one more device of its own, and ends every process that the job leaves behind.

A job in its own network namespace cannot meet the addresses and ports of another job. Needs root, or a kernel that lets
users make network namespaces. Process ids stay those of the computer, because JVMs name files in /tmp by them.
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

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1
PR_SET_CHILD_SUBREAPER = 36
# An address that is not loopback, from the range that is reserved for documentation and leads nowhere.
OTHER_DEVICE = """link add net0 type veth peer name net1
addr add 192.0.2.1/24 dev net0
link set net0 up
link set net1 up
"""


def available() -> bool:
    """Whether this user may make network namespaces."""
    try:
        return subprocess.run(["unshare", "--net", "true"], capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def enclosed(command: list, namespaces: bool) -> list:
    """The command line that runs a command here, in a network namespace of its own if this user may make them."""
    this = [sys.executable, os.path.abspath(__file__)]
    return ["unshare", "--net", *this, "enclosed", *command] if namespaces else [*this, "here", *command]


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


def kill_the_rest() -> int:
    """Kills the children until none is left: orphans of a killed process become children of this one."""
    killed = 0
    while True:
        for pid in children():
            os.kill(pid, signal.SIGKILL)  # exists, at least as a zombie, until it is waited for
        try:
            os.wait()
            killed += 1
        except ChildProcessError:
            return killed


def main(enclosed: bool, command: list) -> int:
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1)
    if enclosed:
        bring_loopback_up()
        add_other_device()
    child = subprocess.Popen(command)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda n, _: os.kill(child.pid, n))
    while True:
        pid, status = os.wait()  # also for orphans
        if pid == child.pid:
            break
    kill_the_rest()
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] == "enclosed", sys.argv[2:]))

"""Gives a job a loopback device of its own, and ends every process that the job leaves behind.

A job in its own network namespace cannot meet the addresses and ports of another job. Needs root, or a kernel that lets
users make network namespaces. Process ids stay those of the computer, because JVMs name files in /tmp by them.
"""

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


def available() -> bool:
    """Whether this user may make network namespaces."""
    try:
        return subprocess.run(["unshare", "--net", "true"], capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def enclosed(command: list, namespaces: bool) -> list:
    """The command line that runs a command here, in a network namespace of its own if this user may make them."""
    return [*(["unshare", "--net"] if namespaces else []), sys.executable, os.path.abspath(__file__), *command]


def bring_loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request))[1]
        if not flags & IFF_UP:
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | IFF_UP, b""))


def children() -> list:
    return [int(pid) for task in pathlib.Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()]


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


def main(command: list) -> int:
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1)
    bring_loopback_up()
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
    sys.exit(main(sys.argv[1:]))

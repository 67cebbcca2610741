"""The S3 server of both tools: versitygw, that of the tests. It keeps a bucket as a folder, and logs each request."""

import contextlib
import pathlib
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build/versitygw/versitygw"
KEY, SECRET, REGION = "benchkey", "benchsecret", "us-east-1"


class Store:
    """A server with empty buckets, which runs during a `with` block."""

    def __init__(self, directory, tls, buckets):
        self.directory = directory
        self.tls = tls
        self.buckets = buckets
        self.log = directory / "access.log"
        self.certificate = directory / "ca.pem"

    def __enter__(self):
        for bucket in self.buckets:
            (self.directory / "data" / bucket).mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [PROGRAM, f"--port=127.0.0.1:{self.port}", f"--access={KEY}", f"--secret={SECRET}",
                   f"--region={REGION}", "--keep-alive", "--quiet", f"--access-log={self.log}"]
        if self.tls:
            command += self.certified()
        with open(self.directory / "versitygw.log", "w") as log:
            self.process = subprocess.Popen([*command, "posix", self.directory / "data"], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)
        self.await_answer()
        return self

    def __exit__(self, *failure):
        self.process.terminate()
        self.process.wait()

    def certified(self):
        key = self.directory / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-days", "2", "-subj", "/CN=bench", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                        "-out", self.certificate], check=True, capture_output=True)
        return [f"--cert={self.certificate}", f"--key={key}"]

    def await_answer(self):
        for _ in range(200):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            time.sleep(0.05)
        raise RuntimeError(f"versitygw does not answer -> {self.directory / 'versitygw.log'}")

    @property
    def url(self):
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def requests(self):
        return self.log.read_bytes().count(b"\n") if self.log.exists() else 0

    def bytes(self):
        return sum(f.stat().st_size for f in (self.directory / "data").rglob("*") if f.is_file())

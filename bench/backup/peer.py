"""Medusa beside a node of Ringmaster: the same daemon, the same files, the same S3 server."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import measure
import store as s3

JMX_PORT = 7399
NODETOOL_JVM = ["-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


class Medusa:
    """Medusa's settings for one node and one store. All are its defaults but the limit of 50 MB/s."""

    def __init__(self, directory, node, jars, store):
        self.directory = directory
        self.log = directory / "medusa.log"
        self.ini = directory / "medusa.ini"
        self.nodetool = directory / "nodetool"
        self.nodetool_times = directory / "nodetool.times"
        directory.mkdir(parents=True)
        (directory / "credentials").write_text(
            f"[default]\naws_access_key_id = {s3.KEY}\naws_secret_access_key = {s3.SECRET}\n")
        (directory / "cassandra.yaml").write_text(f"""\
cluster_name: rides
data_file_directories: ['{node.volume / "data"}']
commitlog_directory: '{node.volume / "commitlog"}'
saved_caches_directory: '{node.volume / "saved_caches"}'
listen_address: {node.address}
rpc_address: {node.address}
native_transport_port: {node.port}
""")
        self.ini.write_text(f"""\
[cassandra]
config_file = {directory / "cassandra.yaml"}
resolve_ip_addresses = False
use_sudo = False
nodetool_executable = {self.nodetool}
nodetool_flags =
nodetool_host = 127.0.0.1
nodetool_port = {JMX_PORT}
[storage]
storage_provider = s3_compatible
bucket_name = medusa
key_file = {directory / "credentials"}
host = 127.0.0.1
port = {store.port}
secure = {store.tls}
region = {s3.REGION}
fqdn = {node.address}
transfer_max_bandwidth = 10GB/s
use_sudo_for_restore = False
""")
        self.write_nodetool(jars)

    def write_nodetool(self, jars):
        """It notes its processor time, which is not Medusa's."""
        stock = s3.ROOT / "lab/src/main/java/io/ringmaster/lab/ring/StockOptions.java"
        packages = re.findall(r'"([a-z.]+/[\w.]+)"', stock.read_text())
        options = " ".join(f"--add-{way}={name}=ALL-UNNAMED" for name in packages for way in ("exports", "opens"))
        self.nodetool.write_text(f"""\
#!/bin/bash
'{java()}' {" ".join(NODETOOL_JVM)} {options} -Dlogback.configurationFile=/dev/null -cp '{jars}/*' \\
    org.apache.cassandra.tools.NodeTool "$@"
ended=$?
times >>'{self.nodetool_times}'
exit $ended
""")
        self.nodetool.chmod(0o755)

    def do(self, *words):
        self.nodetool_times.write_text("")
        program = pathlib.Path(sys.executable).with_name("medusa")
        measured = measure.run([program, "--config-file", self.ini, *words], self.log)
        measured.cpu_s -= self.nodetool_s()
        return measured

    def nodetool_s(self):
        """`times` prints the times of the shell in its first line and those of its children in the second."""
        seconds = 0.0
        for text in re.findall(r"\S+m\S+s", self.nodetool_times.read_text()):
            minutes, _, rest = text.rstrip("s").partition("m")
            seconds += 60 * float(minutes) + float(rest)
        return seconds

    def backup(self, name):
        return self.do("backup", "--backup-name", name)

    def download(self, name):
        destination = self.directory / "download"
        destination.mkdir()
        try:
            return self.do("download", "--backup-name", name, "--download-destination", str(destination)), \
                sum(f.stat().st_size for f in destination.rglob("*") if f.is_file())
        finally:
            shutil.rmtree(destination)


def java():
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else os.path.realpath(shutil.which("java"))


def open_jmx(daemon):
    """Ringmaster's daemons have no JMX port; Medusa cannot do without."""
    jcmd = str(pathlib.Path(java()).with_name("jcmd"))
    subprocess.run([jcmd, str(daemon), "ManagementAgent.start", f"jmxremote.port={JMX_PORT}",
                    f"jmxremote.rmi.port={JMX_PORT}", "jmxremote.host=127.0.0.1", "jmxremote.authenticate=false",
                    "jmxremote.ssl=false"], check=True, stdout=subprocess.DEVNULL)

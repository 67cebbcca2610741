"""The Kubernetes of integration/kubernetes, its API, and servers of Ringmaster beside it."""

import http.client
import json
import os
import pathlib
import re
import secrets
import ssl
import subprocess
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "integration/kubernetes"
ADDRESS = "10.77.0.1"
CASSANDRA = re.search("<cassandra.version>(.*)</", (ROOT / "pom.xml").read_text())[1]
IMAGE = f"localhost/ringmaster/cassandra:{CASSANDRA}"
LIMIT_S = 300


def until(what, look, limit_s=LIMIT_S):
    """Returns the first true answer of `look`."""
    deadline = time.monotonic() + limit_s
    while not (answer := look()):
        if time.monotonic() > deadline:
            raise RuntimeError(f"not after {limit_s} s: {what}")
        time.sleep(0.2)
    return answer


def environment(**more):
    return {k: v for k, v in os.environ.items() if k != "RINGMASTER_SERVER"} | {k: str(v) for k, v in more.items()}


class Testbed:
    """A control plane and machines, which run during a `with` block. The state directory is deleted at both ends."""

    def __init__(self, state):
        self.state = state

    def __enter__(self):
        self.__exit__()
        try:
            self.script("up.sh")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *failure):
        # Not in the foreground process group: a second Ctrl-C must not leave half of it.
        subprocess.run([SCRIPTS / "down.sh", self.state], stdin=subprocess.DEVNULL, start_new_session=True, check=True)
        subprocess.run(["rm", "-rf", "--one-file-system", self.state], check=True)

    def script(self, name, *words, **more):
        self.finish(self.begin(name, *words, **more))

    def begin(self, name, *words, **more):
        variables = environment(TIMEOUT_S=LIMIT_S, IMAGES=ROOT / ".build/image/cassandra.tar", **more)
        return subprocess.Popen([SCRIPTS / name, self.state, *words], env=variables, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL)

    @staticmethod
    def finish(process):
        if process.wait():
            raise RuntimeError(f"{' '.join(map(str, process.args))} failed with exit code {process.returncode}")

    def machines(self, labels):
        """Boots machine n1, n2, ... with these labels, all at once, and reads the image there once."""
        boots = [self.begin("machine.sh", str(i + 1), LABELS=text) for i, text in enumerate(labels)]
        for boot in boots:
            self.finish(boot)
        api = Api(self.state)
        for i in range(len(labels)):
            api.post("/api/v1/namespaces/default/pods", reader(f"n{i + 1}"))
        pods = "/api/v1/namespaces/default/pods"
        until("every machine has unpacked and read the image",
              lambda: all(p["status"]["phase"] == "Succeeded" for p in api.items(pods)))
        for pod in api.items(pods):
            api.delete(f"{pods}/{pod['metadata']['name']}")
        return api


def reader(machine):
    """A pod that makes the machine unpack the image and read it into memory, before any clock starts."""
    read = ["/bin/sh", "-c", "cat /opt/cassandra/lib/*.jar /opt/java/lib/modules >/dev/null"]
    container = {"name": "read", "image": IMAGE, "imagePullPolicy": "Never", "command": read}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"read-{machine}"},
            "spec": {"nodeName": machine, "restartPolicy": "Never", "terminationGracePeriodSeconds": 1,
                     "containers": [container]}}


class Api:
    """The API server, asked over one connection: a process for each question would disturb the measurement."""

    def __init__(self, state):
        context = ssl.create_default_context(cafile=state / "pki/ca.crt")
        context.load_cert_chain(state / "pki/admin.crt", state / "pki/admin.key")
        self.connection = http.client.HTTPSConnection(ADDRESS, 6443, context=context, timeout=30)

    def ask(self, method, path, body=None):
        text = None if body is None else json.dumps(body)
        self.connection.request(method, path, text, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        content = json.loads(answer.read())
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content.get('message')}")
        return content

    def post(self, path, body):
        return self.ask("POST", path, body)

    def delete(self, path):
        return self.ask("DELETE", path)

    def items(self, path):
        return self.ask("GET", path)["items"]

    def namespace(self, name):
        self.post("/api/v1/namespaces", {"metadata": {"name": name}})
        until(f"the service account of {name}", lambda: self.items(f"/api/v1/namespaces/{name}/serviceaccounts"))

    def pods(self, *namespaces):
        return [pod for name in namespaces for pod in self.items(f"/api/v1/namespaces/{name}/pods")]


def is_ready(pod):
    return any(c["type"] == "Ready" and c["status"] == "True" for c in pod["status"].get("conditions", ()))


class Server:
    """A server of Ringmaster outside of Kubernetes, with a folder of its own, which runs during a `with` block."""

    def __init__(self, folder, listen, pool, datacenter="dc1", peers=(), token=None):
        subprocess.run(["rm", "-rf", folder], check=True)
        folder.mkdir(parents=True)
        self.folder, self.url, self.token = folder, f"http://{listen}", token or secrets.token_hex(16)
        (folder / "token").touch(mode=0o600)
        (folder / "token").write_text(self.token)
        self.environment = environment(RINGMASTER_HOME=folder) | {"RINGMASTER_SERVER": self.url}
        config = {"datacenter": datacenter, "listen": listen, "state_directory": "state", "token_file": "token",
                  "zookeeper": {"embedded": True}, "pool": pool, "peers": list(peers)}
        (folder / "server.yaml").write_text(json.dumps(config))

    def __enter__(self):
        with open(self.folder / "server.out", "w") as log:
            self.process = subprocess.Popen([ROOT / "ringmaster", "server", "start", "--config", "server.yaml"],
                                            cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, start_new_session=True)
        until(f"{self.url} has seen its machines; see {self.folder}/server.out", self.sees_machines)
        return self

    def __exit__(self, *failure):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def sees_machines(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"the server has ended; see {self.folder}/server.out")
        try:
            return self.get("health")["poolSeen"]
        except OSError:
            return False

    def get(self, path):
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def do(self, *words):
        with open(self.folder / "commands.log", "a") as log:
            subprocess.run([ROOT / "ringmaster", *words], cwd=self.folder, env=self.environment,
                           stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=True, timeout=LIMIT_S)

    def apply(self, spec):
        (self.folder / "spec.yaml").write_text(json.dumps(spec))
        self.do("cluster", "apply", "-f", "spec.yaml", "--yes")


def kubernetes_pool(testbed, namespace, machines):
    return {"kubernetes": {"kubeconfig": str(testbed.state / "admin.kubeconfig"), "namespace": namespace,
                           "image": "localhost/ringmaster/cassandra:{cassandra}", "image_pull_policy": "Never",
                           "storage_class": "local", "machines": machines}}


def spec(cluster, datacenters):
    """A node may use every core of the computer, and stands alone on its machine."""
    return {"cluster": cluster, "cassandra": CASSANDRA, "preset": "development", "datacenters": datacenters,
            "node": {"cpus": 2, "memory": "1GiB", "heap": "256MiB", "disk": "4GiB"}, "jvm": {"collector": "serial"}}


def load_average():
    return round(os.getloadavg()[0], 1)

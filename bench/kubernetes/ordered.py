"""The same pods from StatefulSets with the policy OrderedReady, one datacenter after another."""

import copy
import http.server
import json
import threading
import urllib.parse

from testbed import ADDRESS, is_ready, until

PORT = 8090
NAME = "node"


class Ordered:
    """
    Pods with the image, the resources, the probes and the configuration of a running cluster of Ringmaster, which is
    read when this object is made. Each executor finds the target of its node in a ConfigMap and needs no server. Only
    one thing differs: nobody knows that the cluster is empty, so that every node but the first of each datacenter, a
    seed, bootstraps.
    """

    def __init__(self, testbed, api, datacenters):
        self.api = api
        targets = [json.loads(file.read_text()) for file in testbed.state.glob("n*/disks/*/target.json")]
        self.sets = {f"ordered-{dc}": self.prepare(dc, [t for t in targets if t["node"].split("/")[1] == dc])
                     for dc in datacenters}
        self.namespaces = list(self.sets)
        self.waiting = list(self.sets)
        self.seeds = Seeds()

    def prepare(self, datacenter, targets):
        """Returns the StatefulSet of a datacenter, which reads the other objects."""
        pod = self.api.pods(datacenter)[0]
        namespace, generation = f"ordered-{datacenter}", max(t["generation"] for t in targets)
        secret = self.api.ask("GET", f"/api/v1/namespaces/{datacenter}/secrets/{pod['metadata']['name']}")
        files = {t["node"].split("/")[2] + ".json": json.dumps(alone(t, generation)) for t in targets}
        self.api.namespace(namespace)
        core = f"/api/v1/namespaces/{namespace}"
        self.api.post(f"{core}/secrets", {"metadata": {"name": NAME}, "data": secret["data"]})
        self.api.post(f"{core}/configmaps", {"metadata": {"name": "targets"}, "data": files})
        return stateful_set(targets[0]["node"].split("/")[:2], len(targets), generation, pod["spec"])

    def start(self):
        namespace = self.waiting.pop(0)
        self.api.post(f"/apis/apps/v1/namespaces/{namespace}/statefulsets", self.sets[namespace])

    def seen(self, pods):
        """Names the first pod of each StatefulSet as a seed, and starts the next datacenter when one is ready."""
        for pod in pods:
            if pod["metadata"]["name"] == f"{NAME}-0" and is_ready(pod):
                self.seeds.addresses[pod["metadata"]["namespace"]] = pod["status"]["podIP"] + ":7000"
        started = [s for name, s in self.sets.items() if name not in self.waiting]
        if self.waiting and sum(map(is_ready, pods)) == sum(s["spec"]["replicas"] for s in started):
            self.start()

    def end(self):
        for namespace in self.namespaces:
            self.api.delete(f"/apis/apps/v1/namespaces/{namespace}/statefulsets/{NAME}")
        until("the pods of the StatefulSets are gone", lambda: not self.api.pods(*self.namespaces))
        self.seeds.close()


def alone(target, generation):
    """The target of a node of a cluster that may hold data."""
    return target | {"generation": generation, "run": True, "firstCreation": False, "joined": False, "task": None,
                     "seedProviderUrls": [f"http://{ADDRESS}:{PORT}"]}


def stateful_set(path, replicas, generation, spec):
    """`path` is the names of cluster and datacenter, `spec` that of a pod by Ringmaster."""
    template = copy.deepcopy({name: spec[name] for name in (
        "containers", "securityContext", "tolerations", "terminationGracePeriodSeconds", "enableServiceLinks",
        "automountServiceAccountToken")})
    container = template["containers"][0]
    values = {"--node": "/".join([*path, "$(POD_NAME)"]), "--generation": str(generation)}
    args = container["args"]
    container["args"] = [values.get(before, word) for before, word in zip(["", *args], args)]
    container["env"].insert(0, {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}})
    container["volumeMounts"].append(
        {"name": "targets", "mountPath": "/node/target.json", "subPathExpr": "$(POD_NAME).json", "readOnly": True})
    volume = next(v["name"] for v in spec["volumes"] if "persistentVolumeClaim" in v)
    access = copy.deepcopy(next(v for v in spec["volumes"] if "secret" in v))
    access["secret"]["secretName"] = NAME
    template |= {"nodeSelector": {"datacenter": path[1]},
                 "volumes": [access, {"name": "targets", "configMap": {"name": "targets"}}]}
    claim = {"accessModes": ["ReadWriteOnce"], "storageClassName": "local",
             "resources": {"requests": {"storage": "4Gi"}}}
    labels = {"app": NAME}
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": NAME},
            "spec": {"replicas": replicas, "serviceName": NAME, "podManagementPolicy": "OrderedReady",
                     "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels}, "spec": template},
                     "volumeClaimTemplates": [{"metadata": {"name": volume}, "spec": claim}]}}


class Seeds(http.server.ThreadingHTTPServer):
    """Names the first pods of the StatefulSets as seeds, as the names of a headless Service would."""

    daemon_threads = True

    def __init__(self):
        super().__init__((ADDRESS, PORT), SeedRequest)
        self.addresses = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


class SeedRequest(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asking = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)["node"][0]
        answer = {"isSeed": asking.endswith("/node-0"), "seeds": list(self.server.addresses.values())}
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass

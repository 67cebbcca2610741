package io.ringmaster.integration;

import java.util.Map;
import java.util.TreeMap;

/** On three machines of a real Kubernetes, with a server outside. */
final class KubernetesRing extends PoolRing {
    final KubernetesTestbed kubernetes;

    private KubernetesRing(KubernetesTestbed kubernetes) {
        super(
                () -> PoolServer.encrypted(
                        kubernetes,
                        NAME,
                        8080,
                        "image: \"localhost/ringmaster/cassandra:{cassandra}\"",
                        "storage_class: local"),
                CqlAccess.SPEC,
                kubernetes::close);
        this.kubernetes = kubernetes;
    }

    static KubernetesRing up() {
        return new KubernetesRing(KubernetesTestbed.up(NODES));
    }

    /** The pods; one with a container that was started again is another one. */
    @Override
    Map<String, String> launches() {
        Map<String, String> pods = new TreeMap<>();
        kubernetes
                .kubectl(
                        "get",
                        "pods",
                        "-n",
                        NAME,
                        "-o",
                        "custom-columns=NAME:.metadata.name,MACHINE:.spec.nodeName,UID:.metadata.uid,"
                                + "CONTAINER:.status.containerStatuses[0].containerID",
                        "--no-headers")
                .lines()
                .map(line -> line.split(" +", 2))
                .forEach(words -> pods.put(words[0], words[1].strip()));
        return pods;
    }
}

package io.ringmaster.integration;

import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A ring of three pods on three machines, with a server outside, under an open-loop load at LOCAL_QUORUM. */
final class KubernetesRing implements AutoCloseable {
    static final Duration SOON = Duration.ofMinutes(4);
    private static final Duration FINDING = Duration.ofSeconds(60);
    static final String NAME = "rides";
    static final String SPEC =
            """
            cluster: rides
            cassandra: 5.0.9
            preset: development
            datacenters: {dc1: {nodes: 3}}
            node: {cpus: 0.5, memory: 1GiB, heap: 256MiB, disk: 4GiB}
            jvm: {collector: serial}
            """;
    private static final int NODES = 3;

    final KubernetesTestbed kubernetes;
    final PoolServer server;
    final OpenLoopLoad load;

    private KubernetesRing(KubernetesTestbed kubernetes, PoolServer server, OpenLoopLoad load) {
        this.kubernetes = kubernetes;
        this.server = server;
        this.load = load;
    }

    static KubernetesRing up() {
        KubernetesTestbed kubernetes = KubernetesTestbed.up(NODES);
        try {
            return on(kubernetes);
        } catch (RuntimeException | AssertionError e) {
            kubernetes.close();
            throw e;
        }
    }

    private static KubernetesRing on(KubernetesTestbed kubernetes) {
        PoolServer server = PoolServer.in(
                kubernetes,
                NAME,
                8080,
                "image: \"localhost/ringmaster/cassandra:{cassandra}\"",
                "storage_class: local");
        try {
            server.declare(SPEC);
            ClusterStatus whole = server.whole(NAME, NODES, SOON);
            return new KubernetesRing(kubernetes, server, OpenLoopLoad.on(whole, "dc1:" + NODES));
        } catch (RuntimeException | AssertionError e) {
            server.close();
            throw e;
        }
    }

    ClusterStatus whole() {
        return server.whole(NAME, NODES, SOON);
    }

    NodeState node(int index) {
        return node(server.status(NAME), index);
    }

    static NodeState node(ClusterStatus status, int index) {
        return status.datacenters().get(0).nodes().get(index);
    }

    static String pod(int index) {
        return NAME + "-dc1-node-" + index;
    }

    /** Waits for a finding with these words, which comes half a minute after its cause, and later on a busy machine. */
    void says(String words) {
        Patience.until(
                "a finding: " + words, FINDING, () -> server.status(NAME).findings(), findings -> findings.stream()
                        .anyMatch(f -> f.message().contains(words)));
    }

    /** By their names; a pod or a container that was started again is another one. */
    Map<String, String> pods() {
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

    /** The pods with their daemons, by the names of the pods; a daemon that was started again is another one. */
    Map<String, String> runs() {
        Map<String, String> runs = pods();
        for (NodeState n : server.status(NAME).datacenters().get(0).nodes()) {
            runs.merge(pod(n.node().index()), " " + n.hostId() + " " + n.exits() + n.stagesAt(), String::concat);
        }
        return runs;
    }

    @Override
    public void close() {
        try (kubernetes;
                server;
                load) {
            // each is closed, the last one first, whatever becomes of the others
        }
    }
}

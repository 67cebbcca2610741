package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.playground.doctor.LinuxHost;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.Scope;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Two datacenters of three real nodes, written to all the while, in which something is to go wrong in the middle of a
 * rolling restart.
 */
final class Trial implements AutoCloseable {
    static final Duration SOON = Duration.ofMinutes(6);
    /** The last to be restarted, so that it is none of the plan's business when it fails. */
    static final NodeId LAST = NodeId.of("rides/dc2/node-2");
    /** Within this each server knows what another one knows; what was decided before that is no breach. */
    private static final Duration NEWS = Duration.ofSeconds(3);

    final Playground playground;
    private final CqlSession dc1;
    private final CqlSession dc2;
    private final Ledger ledger;
    private int large;

    private Trial(Playground playground) {
        this.playground = playground;
        ClusterStatus status = playground.whole(6, SOON);
        dc1 = Playground.session(status, "dc1");
        dc2 = Playground.session(status, "dc2");
        Ddl.execute(
                dc1, "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3,'dc2':3}");
        Ddl.execute(dc1, "CREATE TABLE trips.large (number int PRIMARY KEY, bytes blob)");
        ledger = new Ledger(dc1);
    }

    static Trial begin() {
        return new Trial(Playground.up(EachReplica.options()));
    }

    static boolean hasNetworks() {
        return new LinuxHost(Playground.HOME, System.getenv())
                .whyNoNetworkNamespaces()
                .isEmpty();
    }

    /** The datacenters are in networks of their own, so that the line between them can be cut. */
    static Trial beginFarApart() {
        return new Trial(Playground.up(EachReplica.options("--wan", "10ms")));
    }

    /** For each case to begin with, also when the one before failed. */
    void isWhole() {
        RollingRestart.endAll(playground);
        playground.whole(6, SOON);
    }

    /** In either datacenter. */
    void hasLostNothing() {
        ledger.assertKept(List.of(dc1, dc2), SOON);
    }

    /** A row of 256 KiB, beside the small ones: enough of them need room on every disk. */
    void writesMore() {
        dc1.execute(SimpleStatement.newInstance(
                        "INSERT INTO trips.large (number, bytes) VALUES (?, ?)",
                        large++,
                        ByteBuffer.allocate(256 << 10))
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM));
    }

    ProcessHandle executor(NodeId node) {
        return playground.executor(node.datacenter().value(), node.index());
    }

    ProcessHandle daemon(NodeId node) {
        return playground.daemon(node.datacenter().value(), node.index());
    }

    OperatingMode mode(NodeId node) {
        return node(node).mode();
    }

    /** Asked of the server of its own datacenter. */
    private NodeState node(NodeId node) {
        return playground.client(node.datacenter().value()).status(Playground.RIDES, Scope.LOCAL).datacenters().stream()
                .flatMap(d -> d.nodes().stream())
                .filter(n -> n.node().equals(node))
                .findFirst()
                .orElseThrow();
    }

    /** Returns when the servers of both datacenters can know it. */
    void awaitDown(NodeId node) throws InterruptedException {
        Patience.until(node + " to be missed", SOON, () -> mode(node), m -> m != OperatingMode.NORMAL);
        Thread.sleep(NEWS.toMillis());
    }

    /** While a node fails that is none of the plan's business: the plan says so, and touches nobody. */
    Set<NodeId> waitsFor(NodeId node, RollingRestart restart) throws InterruptedException {
        awaitDown(node);
        Set<NodeId> touched = Set.copyOf(restart.touched());
        Patience.until(
                "the plan to say that it waits for " + node,
                SOON,
                restart::reasons,
                r -> r.contains(node.datacenter() + " " + node.shortName() + " is ")
                        || r.contains(seenFromOutside(node)));
        return touched;
    }

    /** As gossip names it. */
    private String seenFromOutside(NodeId node) {
        String endpoint = node(node).cqlEndpoint();
        return endpoint.substring(0, endpoint.indexOf(':')) + ":7000 (" + node.datacenter() + ") ";
    }

    /** In the form that {@code playground kill} takes. */
    String machineOf(NodeId node) {
        return node.datacenter() + "/" + node(node).machine();
    }

    /** Where its volume is while its machine is killed. */
    static Path killed(NodeId node, String machine) {
        String name = machine.substring(machine.indexOf('/') + 1);
        return Playground.HOME.resolve("playground/%s/killed/%s/rides-%s-%s"
                .formatted(node.datacenter(), name, node.datacenter(), node.shortName()));
    }

    /** What a server finds wrong in its own datacenter. */
    String findings(String datacenter) {
        return playground
                .client(datacenter)
                .status(Playground.RIDES, Scope.LOCAL)
                .findings()
                .toString();
    }

    @Override
    public void close() {
        ledger.close();
        dc1.close();
        dc2.close();
        playground.close();
    }
}

package io.ringmaster.core;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RoleSeen;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.NodeRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reports of the nodes here on the ring, their tasks and their data. */
final class RingScene {
    private static final RingView BLANK = new RingView(
            "", "5.0.9", "", 0, 0, 0, List.of(), Map.of(), List.of(), ClientAccess.CLOSED, List.of(), List.of());

    private final Map<NodeId, Optional<ClientAccess>> access = new TreeMap<>();
    private final List<RingView.PeerSeen> remote = new ArrayList<>();
    private final Map<NodeId, TaskStatus> tasks = new TreeMap<>();
    private final Map<NodeId, Map<String, Long>> hints = new TreeMap<>();
    private final Map<NodeId, String> schemas = new TreeMap<>();
    private final Map<NodeId, RingView.KeyspaceSeen> repaired = new TreeMap<>();
    private final List<RingView.KeyspaceSeen> keyspaces = new ArrayList<>();
    private final Set<NodeId> earlierRelease = new HashSet<>();
    private Map<String, Integer> roleReplicas = Map.of("dc1", 3, "dc2", 3);
    private final Map<NodeId, List<RoleSeen>> roles = new TreeMap<>();
    private final Map<NodeId, List<RingView.ClientSeen>> clients = new TreeMap<>();

    void access(NodeId node, Optional<ClientAccess> of) {
        access.put(node, of);
    }

    boolean reportsAccess(NodeId node) {
        return access.containsKey(node);
    }

    void task(NodeId node, TaskStatus status) {
        tasks.put(node, status);
    }

    void repaired(NodeId node, double share, @Nullable Instant oldest) {
        repaired.put(node, new RingView.KeyspaceSeen("trips", Map.of(), new RingView.Repaired(share, oldest)));
    }

    void hints(NodeId node, String host, long bytes) {
        hints.put(node, Map.of(host, bytes));
    }

    void schema(NodeId node, String version) {
        schemas.put(node, version);
    }

    void replicas(String keyspace, int count) {
        keyspaces.add(new RingView.KeyspaceSeen(keyspace, Map.of("dc1", count, "dc2", count), null));
    }

    /** One node alone reports it. */
    void onlyHere(NodeId node, String keyspace) {
        repaired.put(node, new RingView.KeyspaceSeen(keyspace, Map.of("dc1", 3), null));
    }

    /** Its replicas are in dc2 alone. */
    void onlyThere(String keyspace) {
        keyspaces.add(new RingView.KeyspaceSeen(keyspace, Map.of("dc2", 3), null));
    }

    void roleReplicas(Map<String, Integer> replicas) {
        roleReplicas = replicas;
    }

    void roles(NodeId node, List<RoleSeen> seen) {
        roles.put(node, seen);
    }

    void earlierRelease(NodeId node) {
        earlierRelease.add(node);
    }

    private List<RingView.KeyspaceSeen> systemKeyspaces(NodeId node) {
        return earlierRelease.contains(node)
                ? List.of()
                : List.of(new RingView.KeyspaceSeen("system_auth", roleReplicas, null, null, roles.get(node)));
    }

    void client(NodeId node, String address, int connections) {
        clients.computeIfAbsent(node, n -> new ArrayList<>())
                .add(new RingView.ClientSeen(address, "anna", "a driver 4.1", connections));
    }

    void remoteSeen(String endpoint, boolean alive) {
        remote.add(new RingView.PeerSeen(
                endpoint, "host-" + endpoint, "dc2", "r1", alive ? "NORMAL" : "shutdown", alive, "schema"));
    }

    void remoteLeft(String endpoint) {
        remote.add(new RingView.PeerSeen(endpoint, "host-" + endpoint, "dc2", "r1", "LEFT", false, "schema"));
    }

    void memberOfUnknownDatacenter(String endpoint) {
        remote.add(new RingView.PeerSeen(endpoint, "host-" + endpoint, "", "", "", false, ""));
    }

    void formerSeen(int index, String endpoint) {
        remote.add(new RingView.PeerSeen(endpoint, "host-" + index, "dc1", "r1", "NORMAL", false, "schema"));
    }

    /** The status of a NORMAL node that sees these nodes here in the ring. */
    NodeStatus toldBy(NodeStatus status, Stream<RingView.PeerSeen> here) {
        NodeId node = status.node();
        return carrying(
                status,
                new RingView(
                        "host-" + node.index(),
                        "5.0.9",
                        schemas.getOrDefault(node, "schema"),
                        2048,
                        0.3,
                        0,
                        Stream.concat(here, remote.stream()).toList(),
                        hints.getOrDefault(node, Map.of()),
                        Stream.concat(Stream.ofNullable(repaired.get(node)), keyspaces.stream())
                                .toList(),
                        access.getOrDefault(node, Optional.of(ClientAccess.OPEN))
                                .orElse(null),
                        clients.getOrDefault(node, List.of()),
                        systemKeyspaces(node)));
    }

    /** The status of a node that has read neither schema nor ring yet. */
    NodeStatus blank(NodeStatus status) {
        return carrying(status, BLANK);
    }

    static RingView.PeerSeen seen(NodeRecord node, @Nullable NodeStatus status) {
        boolean normal = status != null && status.mode() == OperatingMode.NORMAL;
        return new RingView.PeerSeen(
                Scene.endpoint(node),
                "host-" + node.id().index(),
                "dc1",
                "r1",
                normal ? "NORMAL" : "BOOT",
                normal,
                "schema");
    }

    private NodeStatus carrying(NodeStatus s, RingView ring) {
        return NodeStatusBuilder.builder(s)
                .ring(ring)
                .task(tasks.get(s.node()))
                .setLive(Map.of())
                .build();
    }
}

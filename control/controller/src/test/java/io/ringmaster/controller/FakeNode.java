package io.ringmaster.controller;

import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An executor and its daemon, which do one thing at a time. A configuration with {@code poison: true} never
 * starts.
 */
final class FakeNode {
    private static final RingView.KeyspaceSeen TRIPS =
            new RingView.KeyspaceSeen("trips", Map.of("dc1", 3, "dc2", 3), null);
    private static final RingView.KeyspaceSeen ROLES =
            new RingView.KeyspaceSeen("system_auth", Map.of("dc1", 3, "dc2", 3), null);

    private static final Set<OperatingMode> JOINS = Set.of(OperatingMode.STARTING, OperatingMode.JOINING);

    final Allocation allocation;
    private final String address;

    /** Null before the first one was applied. */
    @Nullable
    NodeTarget target;

    OperatingMode mode = OperatingMode.DOWN;
    boolean executorRuns = true;
    int executorStarts;
    int exits;
    int starts;
    boolean neverStarts;
    boolean openedByHand;
    boolean awaitsCreation;
    String schema = "schema";
    final List<String> restartedWith = new ArrayList<>();
    final List<String> tasks = new ArrayList<>();
    final List<RingView.ClientSeen> clients = new ArrayList<>();
    private long appliedSpecVersion;
    private long appliedRestarts;
    private @Nullable TaskStatus task;
    private @Nullable Object appliedYaml;

    FakeNode(Allocation allocation, String address) {
        this.allocation = allocation;
        this.address = address;
    }

    void apply(NodeTarget fresh) {
        if (target == null || fresh.generation() > target.generation()) {
            exits = 0;
        }
        if (target == null || fresh.generation() >= target.generation()) {
            target = fresh;
        }
    }

    /** Starts with the target on the volume. */
    void startExecutor() {
        executorRuns = true;
        executorStarts++;
    }

    void daemonDies() {
        mode = OperatingMode.DOWN;
    }

    /** One thing more happens. */
    void advance() {
        if (!executorRuns || target == null) {
            return;
        }
        List<Object> wanted = List.of(target.cassandraYaml(), target.jvm(), target.resources());
        boolean stale = !wanted.equals(appliedYaml) || target.restarts() > appliedRestarts || !target.run();
        boolean needsBootstrap = awaitsCreation && !target.firstCreation() && JOINS.contains(mode);
        if (mode != OperatingMode.DOWN && (stale || needsBootstrap)) {
            mode = OperatingMode.DOWN;
        } else if (mode == OperatingMode.DOWN && target.run()) {
            appliedSpecVersion = target.specVersion();
            appliedRestarts = target.restarts();
            appliedYaml = wanted;
            starts++;
            awaitsCreation = target.firstCreation();
            restartedWith.add("v" + target.specVersion() + (target.firstCreation() ? " first" : ""));
            if (neverStarts || Boolean.TRUE.equals(target.cassandraYaml().get("poison"))) {
                exits++;
            } else {
                mode = OperatingMode.STARTING;
            }
        } else if (mode == OperatingMode.STARTING) {
            mode = OperatingMode.JOINING;
        } else if (mode == OperatingMode.LEAVING || mode == OperatingMode.DECOMMISSIONED) {
            work();
        } else if (mode != OperatingMode.DOWN) {
            mode = OperatingMode.NORMAL;
            awaitsCreation &= target.firstCreation();
            appliedSpecVersion = target.specVersion();
            work();
        }
    }

    /** A task takes three seconds; the executor remembers what is done, the daemon what it is at. */
    private void work() {
        NodeTask wanted = target.task();
        if (wanted == null) {
            task = null;
        } else if (task == null || !task.id().equals(wanted.id())) {
            task = new TaskStatus(
                    wanted.id(),
                    wanted.kind(),
                    TaskStatus.State.RUNNING,
                    0,
                    3,
                    "tables",
                    "starts",
                    Instant.EPOCH,
                    null);
            tasks.add(wanted.kind().label());
            mode = wanted.kind() == NodeTask.Kind.DECOMMISSION ? OperatingMode.LEAVING : mode;
        } else if (!task.state().isOver()) {
            long done = task.done() + 1;
            boolean over = done == task.total();
            mode = over && mode == OperatingMode.LEAVING ? OperatingMode.DECOMMISSIONED : mode;
            task = new TaskStatus(
                    wanted.id(),
                    wanted.kind(),
                    over ? TaskStatus.State.DONE : TaskStatus.State.RUNNING,
                    done,
                    3,
                    "tables",
                    over ? "3 tables" : "works",
                    Instant.EPOCH,
                    over ? Instant.EPOCH.plusSeconds(3) : null);
        }
    }

    String endpoint() {
        return Endpoints.endpoint(address, allocation.ports().storage());
    }

    NodeStatus status(Instant now, List<FakeNode> all) {
        return new NodeStatus(
                allocation.node(),
                target == null ? 0 : target.generation(),
                mode == OperatingMode.DOWN ? 0 : appliedSpecVersion,
                appliedRestarts,
                mode,
                mode.name().toLowerCase(java.util.Locale.ROOT),
                now,
                Map.of(),
                1,
                2L,
                exits,
                exits == 0 ? null : Problem.of(ErrorCode.DAEMON_FAILED, "poisoned"),
                mode == OperatingMode.NORMAL ? ring(all) : null,
                task,
                Map.of());
    }

    private RingView ring(List<FakeNode> all) {
        List<RingView.PeerSeen> seen = all.stream()
                .filter(n ->
                        n.allocation.node().cluster().equals(allocation.node().cluster()))
                .filter(n -> n.starts > 0)
                .map(n -> new RingView.PeerSeen(
                        n.endpoint(),
                        n.endpoint(),
                        n.allocation.node().datacenter().value(),
                        "r1",
                        n.gossip(),
                        n.mode == OperatingMode.NORMAL,
                        "schema"))
                .toList();
        boolean open = openedByHand || !awaitsCreation;
        List<RingView.KeyspaceSeen> keyspaces = open ? List.of(TRIPS) : List.of();
        ClientAccess access = open ? ClientAccess.OPEN : ClientAccess.AWAITS_CREATION;
        return new RingView(
                endpoint(), "5.0.9", schema, 1024, 0.5, 0, seen, Map.of(), keyspaces, access, clients, List.of(ROLES));
    }

    private String gossip() {
        return switch (mode) {
            case NORMAL, LEAVING -> mode.name();
            case DECOMMISSIONED -> "LEFT";
            default -> everNormal() ? "shutdown" : "BOOT";
        };
    }

    private boolean everNormal() {
        return starts > 1;
    }
}

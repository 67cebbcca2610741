package io.ringmaster.simulator.world;

import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.simulator.ledger.Share;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The task of one node. Its outcome is on the volume; a task that the death of the daemon interrupted runs again. */
final class TaskRunner {
    private static final int REPLICA_POLL_MILLIS = 500;
    private static final int MEMBER_POLL_MILLIS = 1000;

    private final World world;
    private final SimNode node;
    private @Nullable TaskStatus task;
    private boolean interrupted;

    /** A repair that the daemon still runs although the target does not name it; it is reported until it ends. */
    private @Nullable TaskStatus ending;

    TaskRunner(World world, SimNode node) {
        this.world = world;
        this.node = node;
    }

    /** Runs the task that the target names. */
    void follow(@Nullable NodeTask wanted) {
        if (runs(NodeTask.Kind.REPAIR) && ending == null && (wanted == null || !isThis(wanted))) {
            abort(Objects.requireNonNull(task));
        }
        if (ending != null) {
            return;
        }
        if (wanted == null) {
            task = null;
        } else if (mayStart(wanted) && (task == null || !isThis(wanted) || interrupted)) {
            boolean again = interrupted;
            interrupted = false;
            run(wanted, again);
        }
    }

    /** A decommission that failed is tried again while the other nodes still expect it. */
    private boolean mayStart(NodeTask wanted) {
        return node.mode() == OperatingMode.NORMAL
                || (node.mode() == OperatingMode.DECOMMISSION_FAILED && wanted.kind() == NodeTask.Kind.DECOMMISSION);
    }

    /** Cassandra ends a repair after its present range. Draws no random number: older seeds stay as they were. */
    private void abort(TaskStatus repair) {
        task = null;
        ending = repair;
        node.daemon().later(500 + Math.floorMod(repair.id().hashCode(), 4500), () -> {
            ending = null;
            node.executor().advance();
        });
    }

    /** @param again the death of the daemon interrupted the task, which no controller can prevent: not judged again */
    private void run(NodeTask wanted, boolean again) {
        if (wanted.kind() == NodeTask.Kind.REPAIR) {
            world.listener().repairing(node);
        }
        if (wanted.kind() == NodeTask.Kind.REMOVE && !again) {
            deadMember(wanted).ifPresent(world.listener()::leaving);
        }
        Instant startedAt = node.now();
        task = new TaskStatus(
                wanted.id(), wanted.kind(), TaskStatus.State.RUNNING, 0, 0, "bytes", "running", startedAt, null);
        Share share = world.brokenWork().task(wanted.kind());
        if (wanted.kind() == NodeTask.Kind.DECOMMISSION) {
            decommission(wanted, again, share);
        } else if (wanted.kind() == NodeTask.Kind.REBUILD && world.movesRowsInPieces()) {
            rebuildInPieces(wanted, share);
        } else {
            node.daemon().later(world.random().between(100, 4000), () -> finish(wanted, share));
        }
    }

    /** Waits while it sees a member down, as the companion does. */
    private void decommission(NodeTask wanted, boolean again, Share share) {
        if (!isThis(wanted)) {
            return;
        }
        if (world.ring().seesDown(node)) {
            node.daemon().later(MEMBER_POLL_MILLIS, () -> decommission(wanted, again, share));
            return;
        }
        if (share.isNone()) {
            fail(wanted);
            return;
        }
        if (!again) {
            world.listener().leaving(node);
        }
        node.startedToLeave();
        node.daemon().leave();
        new RowWork(world, node.daemon(), s -> world.ledgers().handedOver(node, s), complete -> left(wanted, complete))
                .start(world.random().between(1500, 5000), share);
    }

    private void left(NodeTask wanted, boolean complete) {
        if (complete) {
            ended(wanted, TaskStatus.State.DONE);
            world.ledgers().decommissioned(node);
            node.daemon().decommissioned();
        } else {
            fail(wanted);
            node.daemon().failsToLeave();
        }
    }

    /** Cassandra cannot stop it. */
    private void rebuildInPieces(NodeTask wanted, Share share) {
        new RowWork(
                        world,
                        node.daemon(),
                        s -> world.ledgers().taskDone(node, wanted, s),
                        complete -> end(wanted, complete && complete(wanted)))
                .start(world.random().between(100, 4000), share);
    }

    private void end(NodeTask wanted, boolean done) {
        if (done) {
            ended(wanted, TaskStatus.State.DONE);
        } else {
            fail(wanted);
        }
    }

    private void finish(NodeTask wanted, Share share) {
        if (!isThis(wanted)) {
            return;
        }
        if (waitsForReplicas(wanted, share)) {
            node.daemon().later(REPLICA_POLL_MILLIS, () -> finish(wanted, share));
            return;
        }
        if (!share.isNone() && awaitsOthers(wanted)) {
            node.daemon().later(REPLICA_POLL_MILLIS, () -> finish(wanted, share));
            return;
        }
        if (!share.isAll()) {
            inPart(wanted, share);
        }
        end(wanted, share.isAll() && complete(wanted) && world.ledgers().taskDone(node, wanted, share));
    }

    private boolean waitsForReplicas(NodeTask wanted, Share share) {
        return switch (wanted.kind()) {
            case REPAIR -> !world.ledgers().repaired(node, wanted, share);
            case COMPARE -> world.needsReplicasToCompare() && new ComparedReplicas(world, node, wanted).mustWait();
            default -> false;
        };
    }

    /** Whether a task that writes roles lacks a quorum, or one that imports a backup lacks its tables. */
    private boolean awaitsOthers(NodeTask wanted) {
        return switch (wanted.kind()) {
            case ACCESS -> !world.roles().replicate(node, wanted);
            case RESTORE_IMPORT -> world.restores().lacksSchema(node, wanted);
            default -> false;
        };
    }

    /** Returns false if the task fails. */
    private boolean complete(NodeTask wanted) {
        switch (wanted.kind()) {
            case REPLICATE -> replicate(wanted, Integer.MAX_VALUE);
            case ACCESS -> world.roles().write(node, wanted);
            case REBUILD -> {
                return world.keyspaces().rebuild(node, wanted.args());
            }
            case COMPARE -> {
                boolean compared =
                        !world.needsReplicasToCompare() || new ComparedReplicas(world, node, wanted).canCompare();
                boolean stays = !wanted.args().containsKey("staying")
                        || (world.keyspaces().stay(node) && world.ledgers().isElsewhereToo(node));
                return compared && stays;
            }
            case RESTORE_SCHEMA -> {
                return world.restores().makesSchema(node, wanted);
            }
            case RESTORE_IMPORT -> {
                return world.restores().imports(node, wanted);
            }
            case REPAIR -> {
                if (!Roles.KEYSPACE.equals(wanted.args().get("keyspaces"))) {
                    node.repaired();
                }
            }
            case REMOVE ->
                deadMember(wanted).ifPresent(dead -> {
                    world.ledgers().removed(dead);
                    world.removedNodes().removeFromRing(dead);
                });
            default -> {}
        }
        return true;
    }

    /** @param most the keyspaces after which it breaks off */
    private void replicate(NodeTask wanted, int most) {
        world.keyspaces().replicate(node, wanted.args(), most);
        if (most > 1) {
            String datacenter = Objects.requireNonNull(wanted.args().get("datacenter"));
            int nodes = Integer.parseInt(Objects.requireNonNull(wanted.args().get("nodes")));
            world.roles().replicate(node.cluster(), datacenter, nodes);
        }
    }

    /** What a task leaves behind that breaks in the middle. */
    private void inPart(NodeTask wanted, Share share) {
        if (wanted.kind() == NodeTask.Kind.REPLICATE && !share.isNone()) {
            replicate(wanted, 1);
        }
        world.ledgers().taskDone(node, wanted, share);
    }

    private void fail(NodeTask wanted) {
        if (isThis(wanted)) {
            world.trace().add(node.name(), "its " + wanted.kind().label() + " fails");
            ended(wanted, TaskStatus.State.FAILED);
        }
    }

    /** The member that the task removes from the ring. */
    private Optional<SimNode> deadMember(NodeTask removal) {
        return world.removedNodes().deadMembers(node.cluster()).stream()
                .filter(n -> n.hostId().equals(removal.args().get("host")))
                .findFirst();
    }

    private void ended(NodeTask wanted, TaskStatus.State state) {
        TaskStatus known = task;
        if (known != null && isThis(wanted)) {
            Instant now = node.now();
            task = new TaskStatus(wanted.id(), wanted.kind(), state, 0, 0, "bytes", "ended", known.startedAt(), now);
        }
    }

    void interrupted() {
        interrupted |= task != null && !task.state().isOver();
        ending = null;
    }

    /** One that the daemon's death interrupted has ended. */
    boolean runs(NodeTask.Kind kind) {
        TaskStatus running = ending == null ? task : ending;
        return !interrupted
                && running != null
                && running.kind() == kind
                && !running.state().isOver();
    }

    /** Whether a repair runs that the target does not name. */
    boolean isEnding() {
        return ending != null;
    }

    /** The status of the task that still has to end, else of the task that the target names; null for any other. */
    @Nullable
    TaskStatus status(@Nullable NodeTask wanted) {
        if (ending != null) {
            return ending;
        }
        return wanted != null && isThis(wanted) ? task : null;
    }

    private boolean isThis(NodeTask wanted) {
        return task != null && task.id().equals(wanted.id());
    }
}

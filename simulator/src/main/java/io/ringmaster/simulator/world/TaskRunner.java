package io.ringmaster.simulator.world;

import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
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
        boolean runs = runs(NodeTask.Kind.REPAIR) && !interrupted; // one that the daemon's death interrupted has ended
        if (runs && ending == null && (wanted == null || !isThis(wanted))) {
            abort(Objects.requireNonNull(task));
        }
        if (ending != null) {
            return;
        }
        if (wanted == null) {
            task = null;
        } else if (node.mode() == OperatingMode.NORMAL && (task == null || !isThis(wanted) || interrupted)) {
            boolean again = interrupted;
            interrupted = false;
            run(wanted, again);
        }
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
        Instant startedAt = world.now();
        task = new TaskStatus(
                wanted.id(), wanted.kind(), TaskStatus.State.RUNNING, 0, 0, "bytes", "running", startedAt, null);
        if (wanted.kind() == NodeTask.Kind.DECOMMISSION) {
            decommission(wanted, again);
        } else {
            boolean breaks = wanted.kind() == NodeTask.Kind.REPAIR && world.repairFails();
            node.daemon().later(world.random().between(100, 4000), () -> {
                if (breaks) {
                    world.trace().add(node.name(), "its repair fails");
                    ended(wanted, TaskStatus.State.FAILED);
                } else {
                    finish(wanted);
                }
            });
        }
    }

    /** Waits while it sees a member down, as the companion does. */
    private void decommission(NodeTask wanted, boolean again) {
        if (!isThis(wanted)) {
            return;
        }
        if (world.ring().seesDown(node)) {
            node.daemon().later(MEMBER_POLL_MILLIS, () -> decommission(wanted, again));
            return;
        }
        if (!again) {
            world.listener().leaving(node);
        }
        node.startedToLeave();
        node.daemon().leave();
        node.daemon().later(world.random().between(1500, 5000), () -> {
            ended(wanted, TaskStatus.State.DONE);
            world.ledgers().decommissioned(node);
            node.daemon().decommissioned();
        });
    }

    private void finish(NodeTask wanted) {
        if (isThis(wanted)
                && wanted.kind() == NodeTask.Kind.REPAIR
                && !world.ledgers().repaired(node, wanted)) {
            node.daemon().later(REPLICA_POLL_MILLIS, () -> finish(wanted));
            return;
        }
        boolean fails = false;
        if (isThis(wanted)) {
            switch (wanted.kind()) {
                case REPLICATE -> world.keyspaces().replicate(node, wanted.args());
                case REBUILD -> fails = !world.keyspaces().rebuild(node, wanted.args());
                case COMPARE ->
                    fails = wanted.args().containsKey("staying")
                            && !(world.keyspaces().stay(node) && world.ledgers().isElsewhereToo(node));
                case REPAIR -> node.repaired();
                case REMOVE ->
                    deadMember(wanted).ifPresent(dead -> {
                        world.ledgers().removed(dead);
                        world.removedNodes().removeFromRing(dead);
                    });
                default -> {}
            }
            if (!fails) {
                world.ledgers().taskDone(node, wanted);
            }
        }
        ended(wanted, fails ? TaskStatus.State.FAILED : TaskStatus.State.DONE);
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
            Instant now = world.now();
            task = new TaskStatus(wanted.id(), wanted.kind(), state, 0, 0, "bytes", "ended", known.startedAt(), now);
        }
    }

    void interrupted() {
        interrupted |= task != null && !task.state().isOver();
        ending = null;
    }

    boolean runs(NodeTask.Kind kind) {
        TaskStatus running = ending == null ? task : ending;
        return running != null && running.kind() == kind && !running.state().isOver();
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

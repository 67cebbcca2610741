package io.ringmaster.simulator;

import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The task of one node: the executor keeps what is over on its volume; what the daemon had not done when it ended is asked for again. */
final class NodeWork {
    private final SimNode node;
    private @Nullable TaskStatus task;
    private boolean lost;

    NodeWork(SimNode node) {
        this.node = node;
    }

    /** The target names this task, or none. */
    void follow(@Nullable NodeTask wanted) {
        if (wanted == null) {
            task = null;
        } else if (node.mode == OperatingMode.NORMAL && (task == null || !isThis(wanted) || lost)) {
            boolean again = lost;
            lost = false;
            begin(wanted, again);
        }
    }

    /** @param again it had begun before, and its daemon died in the middle: nobody is asked whether now is the time */
    private void begin(NodeTask wanted, boolean again) {
        if (wanted.kind() == NodeTask.Kind.REPAIR) {
            node.world.invariants.repairs(node);
        }
        if (wanted.kind() == NodeTask.Kind.REMOVE && !again) {
            dead(wanted).ifPresent(node.world.invariants::leaves);
        }
        Instant began = node.world.timeline.now();
        task = new TaskStatus(
                wanted.id(), wanted.kind(), TaskStatus.State.RUNNING, 0, 0, "bytes", "works", began, null);
        if (wanted.kind() == NodeTask.Kind.DECOMMISSION) {
            leave(wanted, again);
        } else {
            node.later(node.world.chance.between(100, 4000), () -> finish(wanted));
        }
    }

    private void leave(NodeTask wanted, boolean again) {
        if (!again) {
            node.world.invariants.leaves(node);
        }
        node.leaving = true;
        node.mode(OperatingMode.LEAVING, "streaming its ranges to its peers");
        node.later(node.world.chance.between(1500, 5000), () -> {
            node.left = true;
            over(wanted, TaskStatus.State.DONE);
            node.mode(OperatingMode.DECOMMISSIONED, "left the ring");
        });
    }

    private void finish(NodeTask wanted) {
        boolean fails = false;
        if (isThis(wanted)) {
            switch (wanted.kind()) {
                case REPLICATE -> node.world.keyspaces.replicate(node, wanted.args());
                case REBUILD -> fails = !node.world.keyspaces.rebuild(node, wanted.args());
                case REPAIR -> node.repairedAt = node.world.timeline.now();
                case REMOVE -> dead(wanted).ifPresent(node.world.dead::takenOut);
                default -> {}
            }
        }
        over(wanted, fails ? TaskStatus.State.FAILED : TaskStatus.State.DONE);
    }

    /** The member that is to be taken out of the ring. */
    private Optional<SimNode> dead(NodeTask removal) {
        return node.world.dead.of(node.allocation.node().cluster()).stream()
                .filter(n -> n.hostId.equals(removal.args().get("host")))
                .findFirst();
    }

    private void over(NodeTask wanted, TaskStatus.State state) {
        TaskStatus known = task;
        if (known != null && isThis(wanted)) {
            Instant now = node.world.timeline.now();
            task = new TaskStatus(wanted.id(), wanted.kind(), state, 0, 0, "bytes", "over", known.startedAt(), now);
        }
    }

    /** The daemon does not serve any more. */
    void interrupted() {
        lost |= task != null && !task.state().isOver();
    }

    boolean isAt(NodeTask.Kind kind) {
        return task != null && task.kind() == kind && !task.state().isOver();
    }

    /** What the executor tells of the task that its target names. */
    @Nullable
    TaskStatus told(@Nullable NodeTask wanted) {
        return wanted != null && isThis(wanted) ? task : null;
    }

    private boolean isThis(NodeTask wanted) {
        return task != null && task.id().equals(wanted.id());
    }
}

package io.ringmaster.core.recovery;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.identity.ClusterAuthorities;
import io.ringmaster.core.identity.Leaves;
import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.safety.Absence;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.ClearTextCheck;
import io.ringmaster.core.safety.Creation;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.safety.Relaunching;
import io.ringmaster.core.safety.StaleDecisionCheck;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.NodeTasks;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.VolumeDestruction;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Enforces decided targets outside of any plan: launched executors run and have the newest target, stopped ones do
 * not run, and observations that later decisions need are recorded. Each call returns everything that is wanted
 * now; the controller decides how often to send it.
 *
 * <p>It destroys nothing but volumes whose destruction a user ordered, and never puts an empty volume in the place of
 * one that held data.
 */
public final class Recovery {
    private final View view;
    private final List<Change> changes = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<KeptVolume> left = new ArrayList<>();

    private Recovery(View view) {
        this.view = view;
    }

    /** @param changes persisted before the commands are sent */
    public record Wanted(List<Change> changes, List<Command> commands) {
        public Wanted {
            changes = List.copyOf(changes);
            commands = List.copyOf(commands);
        }
    }

    /** The changes and commands that one cluster needs now. */
    public static Wanted of(View view, ClusterName cluster) {
        Recovery recovery = new Recovery(view);
        for (NodeRecord node : view.nodesOf(cluster)) {
            NodeRecord seen = recovery.observe(node);
            if (seen.launched()) {
                recovery.keepRunning(seen);
            } else if (seen.generation() > 0) {
                recovery.keepStopped(seen.allocation().id());
            }
            if (seen.hasLeft()) {
                recovery.release(seen);
            }
            seen.previousAllocations().forEach(recovery::giveBack);
        }
        recovery.changes.addAll(Creation.observed(view.with(recovery.changes), cluster));
        recovery.changes.addAll(ClusterAuthorities.observed(view.with(recovery.changes), cluster));
        ClusterAuthorities.missing(view.with(recovery.changes), cluster).forEach(recovery.commands::add);
        recovery.rememberLeft(cluster);
        recovery.clearLeftovers(cluster);
        Wanted volumes = VolumeRecovery.of(view.with(recovery.changes), cluster);
        recovery.changes.addAll(volumes.changes());
        recovery.commands.addAll(volumes.commands());
        return new Wanted(recovery.changes, recovery.commands);
    }

    private NodeRecord observe(NodeRecord node) {
        AllocationState state = view.allocations().get(node.allocation().id());
        NodeRecord seen = node;
        if (state != null && node.launched() && state.status() == AllocationState.Status.RUNNING) {
            seen = seen.withTimes(null, state.since());
        }
        if (isNormal(node)) {
            seen = identified(seen.joined() ? seen : seen.seenNormal());
        }
        seen = Absence.observed(view, seen);
        if (seen.leaving()) {
            seen = seen.launched() ? Decommission.of(view, seen) : seen;
        } else if (seen.task() != null && !isWanted(seen.task())) {
            seen = seen.withTask(null);
        }
        if (seen.transfer() != null && !isWanted(seen.transfer())) {
            seen = seen.withTransfer(null);
        }
        if (seen.evacuating() && view.plans().values().stream().noneMatch(p -> isMovedBy(p, node.id()))) {
            seen = seen.running(true);
        }
        seen = replacing(seen);
        Instant lostSince = lostSince(seen);
        if (!Objects.equals(lostSince, seen.lostSince())) {
            seen = seen.lost(lostSince);
        }
        if (seen.joined() && seen.previousAllocations().stream().anyMatch(this::isReleased)) {
            seen = seen.withPreviousAllocations(seen.previousAllocations().stream()
                    .filter(a -> !isReleased(a))
                    .toList());
        }
        if (node.launched() && !seen.launched()) {
            commands.add(new Command.Forget(node.id()));
        }
        if (!seen.equals(node)) {
            changes.add(new Change.Put(seen));
        }
        return seen;
    }

    /**
     * Since when the machine of the node is lost. Kept only where the cluster replaces such nodes automatically,
     * and in the record, so that the next leader continues to count.
     */
    private @Nullable Instant lostSince(NodeRecord node) {
        boolean counts = view.targetSpec(node.id().cluster())
                .filter(s -> s.spec().replace() != null)
                .isPresent();
        if (!counts || !node.joined() || LostNode.isOver(view, node)) {
            return null;
        }
        return node.lostSince() == null && LostNode.of(view, node)
                ? view.now().truncatedTo(ChronoUnit.SECONDS)
                : node.lostSince();
    }

    /**
     * The record of a replacement with the endpoint at which the ring knows the dead node by now: that node may have
     * been back at another address for a moment.
     */
    private NodeRecord replacing(NodeRecord node) {
        boolean joins = view.status(node.id())
                .filter(s -> s.mode() != OperatingMode.DOWN)
                .isPresent();
        return Endpoints.ofReplaced(view, node)
                .filter(endpoint -> !joins && !endpoint.equals(node.replaces()))
                .map(node::replacing)
                .orElse(node);
    }

    /** The record with the host id and the endpoint by which the ring knows the node. */
    private NodeRecord identified(NodeRecord node) {
        RingView ring = view.status(node.id()).map(NodeStatus::ring).orElse(null);
        if (ring == null || ring.hostId().isEmpty()) {
            return node;
        }
        String endpoint = ring.member(ring.hostId()).map(PeerSeen::endpoint).orElse(node.lastEndpoint());
        boolean isKnown = ring.hostId().equals(node.hostId()) && Objects.equals(endpoint, node.lastEndpoint());
        return isKnown || endpoint == null ? node : node.knownAs(ring.hostId(), endpoint);
    }

    private static boolean startsElsewhere(NodeRecord node) {
        return node.replaces() != null
                || (!node.joined() && !node.previousAllocations().isEmpty());
    }

    /** Whether the node is NORMAL. For one that starts at another place, reports of the former daemon do not count. */
    private boolean isNormal(NodeRecord node) {
        return view.status(node.id())
                .filter(s -> !startsElsewhere(node) || s.generation() >= node.generation())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .isPresent();
    }

    /**
     * Releases the allocation of a node that has left the ring, keeps its volume, and removes its record. What a lost
     * machine still has of it is released when the machine is back.
     */
    private void release(NodeRecord node) {
        ClusterRecord cluster = view.clusters().get(node.id().cluster());
        if (!view.poolSeen() || cluster == null || cluster.deleting()) {
            return;
        }
        AllocationState state = view.allocations().get(node.allocation().id());
        boolean away = LostNode.isMachineAway(view, node.allocation());
        if (state == null || state.status() == AllocationState.Status.RELEASED || away) {
            changes.add(new Change.Remove(node.key()));
            if (state != null || away) {
                KeptVolume.Reason reason = node.joined() ? KeptVolume.Reason.LEFT : KeptVolume.Reason.ABORTED;
                left.add(KeptVolume.of(
                        VolumeDestruction.place(view, node.allocation()),
                        reason,
                        view.now(),
                        view.incarnation(node.cluster())));
            }
        } else if (!runs(state)) {
            commands.add(new Command.Release(node.allocation().id(), false));
        }
    }

    /** Records the kept volumes, so that a delete of the cluster that destroys its data finds them. */
    private void rememberLeft(ClusterName name) {
        ClusterRecord cluster = view.with(changes).clusters().get(name);
        if (cluster == null || left.isEmpty()) {
            return;
        }
        for (KeptVolume volume : left) {
            cluster = cluster.withVolume(volume);
        }
        changes.add(new Change.Put(cluster));
    }

    /** Whether the plan still has to move this node, which it has stopped. */
    private static boolean isMovedBy(Plan plan, NodeId node) {
        return !plan.status().isOver()
                && plan.phases().stream()
                        .flatMap(p -> p.steps().stream())
                        .filter(s -> !s.status().isOver() && s.status() != StepState.Status.FAILED)
                        .flatMap(s -> Steps.as(s, EvacuateNode.class).stream())
                        .anyMatch(step -> step.node().equals(node));
    }

    /** A task is wanted while an unfinished step of an unfinished plan remembers it. */
    private boolean isWanted(NodeTask task) {
        return view.plans().values().stream().anyMatch(p -> NodeTasks.isWantedBy(p, task.id()));
    }

    private void keepRunning(NodeRecord node) {
        Allocation allocation = node.allocation();
        if (!view.statuses().containsKey(node.id())) {
            commands.add(new Command.Watch(node.id(), allocation));
        }
        if (!view.poolSeen()
                || view.spec(node.id().cluster(), node.specVersion()).isEmpty()) {
            return;
        }
        AllocationState state = view.allocations().get(allocation.id());
        if (state == null) {
            if (!node.joined()) {
                commands.add(new Command.Reserve(allocation));
            }
            return;
        }
        switch (state.status()) {
            case RELEASED -> commands.add(new Command.Reserve(allocation));
            case RESERVED, EXITED -> commands.add(launch(node));
            case FAILED -> {
                if (!node.joined()) {
                    commands.add(new Command.Reserve(allocation));
                }
                commands.add(launch(node));
            }
            case LAUNCHING -> {}
            case PENDING -> keepWaiting(node, state);
            case RUNNING, UNREACHABLE -> keepInformed(node, state);
        }
    }

    private Command launch(NodeRecord node) {
        return new Command.Launch(node.allocation(), NodeTargets.cassandraVersion(view, node), node.generation());
    }

    /** An allocation that waits for resources must not wait for more than is decided now. */
    private void keepWaiting(NodeRecord node, AllocationState state) {
        if (Relaunching.isNeeded(view, node)) {
            keepInformed(node, state);
        } else if (!state.allocation().resources().equals(node.allocation().resources())) {
            commands.add(new Command.Reserve(node.allocation()));
        }
    }

    /** The relaunch goes before the target, which may not fit the present resources. */
    private void keepInformed(NodeRecord node, AllocationState state) {
        boolean mustWait = StaleDecisionCheck.mustNotSend(view, node);
        if (Relaunching.isNeeded(view, node)) {
            if (!mustWait && AvailabilityCheck.beforeRelaunch(view, node).isEmpty()) {
                commands.add(new Command.Relaunch(
                        node.allocation(), NodeTargets.cassandraVersion(view, node), node.generation()));
            }
            return;
        }
        boolean resizes = state.status() == AllocationState.Status.RUNNING
                && view.capabilities().resizesInPlace()
                && !state.resources().equals(node.allocation().resources());
        if (resizes) {
            commands.add(new Command.Reserve(node.allocation()));
        }
        Leaves.due(view, node).ifPresent(commands::add);
        Optional<NodeStatus> status = view.status(node.id());
        boolean behind = status.filter(s -> s.generation() < node.generation()).isPresent();
        // no decision changes when a server moves, so the generation stays; older executors do not report their URLs
        boolean asksOtherServers = status.filter(s -> s.generation() == node.generation())
                .map(NodeStatus::seedProviderUrls)
                .filter(urls -> !urls.equals(view.seedUrls()))
                .isPresent();
        boolean again = asksOtherServers || ClearTextCheck.needsTargetAgain(view, node) || lacksSecrets(node, status);
        if ((behind || again) && !mustWait) {
            commands.add(new Command.Apply(
                    node.allocation(), NodeTargets.of(view, node), StaleDecisionCheck.onlyWhileDown(view, node)));
        }
    }

    /**
     * Whether a task of the node waits for the passwords that travel beside its target: the executor does not store
     * them, so one that restarted before the task began needs them again.
     */
    private static boolean lacksSecrets(NodeRecord node, Optional<NodeStatus> status) {
        NodeTask task = node.task();
        return task != null
                && task.needsSecrets()
                && status.filter(s -> s.mode() == OperatingMode.NORMAL
                                && (s.task() == null || !s.task().id().equals(task.id())))
                        .isPresent();
    }

    /**
     * Releases a former allocation of a replaced node: a daemon that returns there must not run, and the volume
     * stays.
     */
    private void giveBack(Allocation former) {
        AllocationState state = view.poolSeen() ? view.allocations().get(former.id()) : null;
        if (state != null && runs(state)) {
            commands.add(new Command.Kill(former.id()));
        } else if (state != null && state.status() != AllocationState.Status.RELEASED) {
            commands.add(new Command.Release(former.id(), false));
        }
    }

    /** Whether a former allocation is released. While its machine is away, nothing is concluded. */
    private boolean isReleased(Allocation former) {
        AllocationState state = view.allocations().get(former.id());
        return view.poolSeen()
                && (state == null
                        ? !LostNode.isMachineAway(view, former)
                        : state.status() == AllocationState.Status.RELEASED);
    }

    private void keepStopped(AllocationId id) {
        AllocationState state = view.poolSeen() ? view.allocations().get(id) : null;
        boolean mayRun = state != null && (runs(state) || state.status() == AllocationState.Status.PENDING);
        if (mayRun) {
            commands.add(new Command.Kill(id));
        }
    }

    /**
     * A late message may have created an allocation that no node has: it is released, and its volume is kept. A
     * running daemon is stopped only where the cluster was deleted, or its node has left.
     */
    private void clearLeftovers(ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (!view.poolSeen() || record == null) {
            return;
        }
        Set<AllocationId> decided = view.nodesOf(cluster).stream()
                .flatMap(n -> Stream.concat(Stream.of(n.allocation()), n.previousAllocations().stream()))
                .map(Allocation::id)
                .collect(Collectors.toSet());
        for (AllocationState state : view.allocationsOf(cluster)) {
            Allocation allocation = state.allocation();
            Optional<KeptVolume> volume = record.volume(allocation.id());
            if (decided.contains(allocation.id())
                    || volume.filter(KeptVolume::ordered).isPresent()) {
                continue;
            }
            boolean hasLeft = volume.isPresent() && !LostNode.isMachineAway(view, allocation);
            if ((record.deleting() || hasLeft) && runs(state)) {
                commands.add(new Command.Kill(allocation.id()));
            } else if (state.status() == AllocationState.Status.RESERVED) {
                commands.add(new Command.Release(allocation.id(), false));
            }
        }
    }

    private static boolean runs(AllocationState state) {
        return switch (state.status()) {
            case LAUNCHING, RUNNING, UNREACHABLE, EXITED -> true;
            case PENDING, RESERVED, FAILED, RELEASED -> false;
        };
    }
}

package io.ringmaster.core.safety;

import io.ringmaster.core.ring.RingMember;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether a node is lost with its machine, as far as can be known. */
public final class LostNode {
    private LostNode() {}

    /**
     * Whether the pool has lost the machine, the executor is silent, some other node of the cluster sees
     * the node down and none sees it alive.
     */
    public static boolean of(View view, NodeRecord node) {
        return node.joined()
                && node.launched()
                && node.run()
                && !node.leaving()
                && isMachineAway(view, node.allocation())
                && view.status(node.id()).isEmpty()
                && whyUp(view, node).isEmpty()
                && isSeenDown(view, node);
    }

    /**
     * Whether the machine was lost before the node joined, in a cluster that was never created. No client was ever
     * admitted: the node may join elsewhere, or be left out. What still runs on the machine is stopped when it is back.
     */
    public static boolean beforeCreation(View view, NodeRecord node) {
        return !Seeds.created(view, node.cluster())
                && !node.ownsRanges()
                && !node.hasLeft()
                && isMachineAway(view, node.allocation())
                && view.status(node.id()).isEmpty()
                && seenByOthers(view, node).filter(PeerSeen::alive).findAny().isEmpty();
    }

    /** The node in the rings of those others that report one. Its own may be what it saw before it hung. */
    static Stream<PeerSeen> seenByOthers(View view, NodeRecord node) {
        RingMember member = RingMember.of(view, node);
        return others(view, node)
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(r -> member.in(r).stream());
    }

    private static Stream<NodeRecord> others(View view, NodeRecord node) {
        return view.nodesOf(node.cluster()).stream().filter(n -> !n.id().equals(node.id()));
    }

    /** Whether the ring has given tokens to it. An endpoint that only started to join is forgotten within a minute. */
    public static Optional<String> whyStillInRing(View view, NodeRecord node) {
        return seenByOthers(view, node)
                .filter(p -> !p.status().isEmpty() && !p.status().equals("BOOT"))
                .findFirst()
                .map(p -> node.id().shortName() + " never joined and its machine is lost, but the ring still has "
                        + p.endpoint());
    }

    /** The problem of a node that is lost {@link #beforeCreation}, with the ways out. */
    public static Problem beforeCreationProblem(View view, NodeRecord node) {
        Advice again = Advice.of(
                "apply the spec again, which places the node on another machine," + " or a spec with fewer nodes");
        Advice abort = view.plans().values().stream()
                .filter(p -> p.cluster().equals(node.cluster())
                        && p.operation().equals(Plan.DEPLOY)
                        && !p.status().isOver())
                .findFirst()
                .map(p -> Advice.abortPlan(p.id()).and(", then ", again))
                .orElse(again);
        return Problem.of(
                ErrorCode.MACHINE_LOST,
                node.id() + " never joined, and its machine "
                        + node.allocation().machine() + " is lost",
                abort.prefix("bring the machine back; if it is gone for good: "));
    }

    /** Whether machine or executor are back. While the pool is not known, nothing is concluded. */
    public static boolean isOver(View view, NodeRecord node) {
        return view.status(node.id()).isPresent() || (view.poolSeen() && !isMachineAway(view, node.allocation()));
    }

    /**
     * Whether the pool has reported and has lost the machine of an allocation: it no longer lists the machine or cannot
     * reach it. The processes there may still run.
     */
    public static boolean isMachineAway(View view, Allocation allocation) {
        Machine machine = view.machines().get(allocation.machine());
        AllocationState state = view.allocations().get(allocation.id());
        boolean away = machine == null ? view.capabilities().listsMachines() : !machine.reachable();
        return view.poolSeen() && (away || (state != null && state.status() == AllocationState.Status.UNREACHABLE));
    }

    /**
     * Whether the pool, which has reported its allocations, has lost the volume of one: it does not have the
     * allocation, or says so when it is to launch it.
     */
    public static boolean isVolumeLost(View view, Allocation allocation) {
        AllocationState state = view.allocations().get(allocation.id());
        Problem failure = state == null || state.status() != AllocationState.Status.FAILED ? null : state.problem();
        boolean refused = failure != null && failure.code() == ErrorCode.MACHINE_LOST;
        return view.poolSeen() && (state == null || (refused && !isMachineAway(view, allocation)));
    }

    /** Why the node must not be replaced now, although it is lost. */
    public static Optional<String> whyNotReplaced(View view, NodeRecord node) {
        return AvailabilityCheck.ONE_AT_A_TIME.beforeReplacing(view, node, false);
    }

    /**
     * Another node of the datacenter that owes a repair. It may lack rows that only the lost volume and one more
     * replica have, so that a replacement might stream from it what it lacks: a person decides whether the volume is
     * gone for good.
     */
    public static Optional<NodeRecord> unrepaired(View view, NodeRecord lost) {
        return view.nodesOf(lost.id().cluster()).stream()
                .filter(n -> n.owesRepair() && !n.hasLeft() && !n.id().equals(lost.id()))
                .findFirst();
    }

    /**
     * Why the node counts as up: by its own report, because another node sees it alive, or because its executor answers
     * for a silent Cassandra and no other node could see it down.
     */
    public static Optional<String> whyUp(View view, NodeRecord record) {
        if (AvailabilityCheck.isUp(view, record)) {
            return view.status(record.id()).map(s -> record.id().shortName() + " is up: it is " + s.mode());
        }
        Optional<RingMember> member =
                record.joined() ? Optional.of(RingMember.of(view, record)) : RingMember.replacedBy(record);
        if (record.joined() && !RingMember.of(view, record).isKnown()) {
            return Optional.of(record.id().shortName() + " may be up: neither its host id nor its address is known");
        }
        return others(view, record)
                .filter(n -> view.status(n.id())
                        .map(NodeStatus::ring)
                        .flatMap(r -> member.flatMap(m -> m.in(r)))
                        .filter(PeerSeen::alive)
                        .isPresent())
                .findFirst()
                .map(n -> n.id().shortName() + " still sees " + record.id().shortName() + " alive")
                .or(() -> whySilent(view, record));
    }

    private static Optional<String> whySilent(View view, NodeRecord record) {
        boolean silent = view.status(record.id())
                .filter(s -> StaleDecisionCheck.SILENT.contains(s.mode()))
                .isPresent();
        return silent && record.joined() && seenByOthers(view, record).findAny().isEmpty()
                ? Optional.of(record.id().shortName()
                        + " may be up: its executor answers, and no other node reports a ring with it")
                : Optional.empty();
    }

    /** Whether another node of the cluster sees it down. */
    static boolean isSeenDown(View view, NodeRecord node) {
        return seenByOthers(view, node).anyMatch(p -> !p.alive());
    }
}

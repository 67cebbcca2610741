package io.ringmaster.core.step;

import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.Places;
import io.ringmaster.core.placement.Replacing;
import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.safety.RepairScope;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a dead node: a new daemon joins with the same tokens, on another machine where possible, and streams
 * their data from the other replicas. What still runs in the former allocation is stopped first; its volume is
 * kept.
 *
 * <p>A replacement that dies before it has joined continues in the same allocation. If its machine is gone, it gets
 * yet another one; so it does if it keeps failing there, and somebody requests the replacement once more.
 *
 * @param besideDown whether other nodes may be down meanwhile
 * @param leaves a machine that the replacement must not be on, or null
 */
record NodeReplacement(NodeId node, boolean besideDown, @Nullable MachineName leaves) {
    private static final String DECIDED = StepState.KEPT + "replaces";

    /** The verdict of the step that replaces the node. */
    Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        Optional<SpecRecord> spec = view.targetSpec(node.cluster());
        if (record == null || spec.isEmpty()) {
            return new Verdict.Done(List.of(), "has left the ring meanwhile: nothing is replaced");
        }
        if (!hasStarted(view, record, memory) || isLost(view, record)) {
            return start(view, budget, record, spec.get());
        }
        return FormerAllocations.inUse(view, record)
                .<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> deploy(view, budget, record, spec.get(), memory));
    }

    /** Whether a step with this memory has decided where the replacement runs. */
    boolean hasStarted(Map<String, String> memory) {
        return memory.containsKey(DECIDED);
    }

    /** A request of its own for a replacement that cannot start where it is takes another place, and another volume. */
    private boolean hasStarted(View view, NodeRecord record, Map<String, String> memory) {
        return hasStarted(memory)
                || (record.replaces() != null
                        && PermanentFailure.endingStep(view, node).isEmpty());
    }

    /**
     * Whether the new allocation is lost, too: the machine of a replacement that has not joined, or the volume of
     * one that has.
     */
    private static boolean isLost(View view, NodeRecord record) {
        return record.joined()
                ? LostNode.isVolumeLost(view, record.allocation())
                : LostNode.isMachineAway(view, record.allocation());
    }

    /** Remembers that the replacement has started, beside what the deployment remembers. */
    private Verdict deploy(View view, Budget budget, NodeRecord record, SpecRecord spec, Map<String, String> memory) {
        Verdict verdict =
                new DeployNode(node, spec.version()).next(view, new ReplacementBudget(budget, besideDown), memory);
        if (!(verdict instanceof Verdict.Do act)) {
            return verdict;
        }
        Map<String, String> remembered = new TreeMap<>(act.memory());
        remembered.put(DECIDED, memory.getOrDefault(DECIDED, String.valueOf(record.replaces())));
        return act.remembering(remembered);
    }

    private Verdict start(View view, Budget budget, NodeRecord record, SpecRecord spec) {
        if (!record.ownsRanges()) {
            return new Verdict.Failed(
                    List.of(),
                    Problem.of(
                            ErrorCode.OPERATION_UNSAFE,
                            node + " never joined the ring, so it has no ranges to take over",
                            "retry the deploy that adds it"));
        }
        if (view.status(node).filter(s -> s.mode() == OperatingMode.NORMAL).isPresent()) {
            return new Verdict.Done(List.of(), "is NORMAL again: nothing is replaced");
        }
        Optional<String> blocked = LostNode.whyUp(view, record)
                .or(() -> Endpoints.whyUnsureInRing(view, record))
                .or(() -> budget.beforeReplacing(view, record, besideDown))
                .or(() ->
                        view.poolSeen() ? Optional.empty() : Optional.of("the pool has not reported its machines yet"));
        if (blocked.isPresent()) {
            return new Verdict.Wait(blocked.get());
        }
        NodePlacement placement = Replacing.place(view, spec.spec(), record, leaves);
        if (placement.onlyLater()) {
            return new Verdict.Wait(placement.why());
        }
        if (placement.chosen().isEmpty()) {
            return new Verdict.Failed(
                    List.of(), new Placements(List.of(placement)).problems().get(0));
        }
        Allocation place = Places.withFreshId(view, placement.chosen().get());
        NodeRecord replacement =
                record.replacedAt(place, Endpoints.inRing(view, record).orElse(null), view.now());
        return new Verdict.Do(
                Stream.concat(Stream.of(new Change.Put(replacement)), keeps(view, record).stream())
                        .toList(),
                List.of(
                        new Command.Forget(node),
                        new Command.Kill(record.allocation().id())),
                "starts a replacement on " + place.machine() + " for " + replacement.replaces(),
                Map.of(DECIDED, String.valueOf(replacement.replaces())));
    }

    /** Records why the volume stays behind; the place of a replacement that is given up never was a member's. */
    private Optional<Change> keeps(View view, NodeRecord record) {
        return Optional.ofNullable(view.clusters().get(node.cluster()))
                .map(c -> new Change.Put(c.withVolume(
                        KeptVolume.of(record.allocation(), reason(record), null, view.incarnation(c.name())))));
    }

    private KeptVolume.Reason reason(NodeRecord record) {
        if (!record.joined()) {
            return KeptVolume.Reason.ABORTED;
        }
        return leaves == null ? KeptVolume.Reason.REPLACED : KeptVolume.Reason.EVACUATED;
    }

    /**
     * The budget of a replacement. It may start while other steps wait because of the dead node. It is not done
     * before it has received every hint: rows that are written while it streams may be on no more than a quorum of
     * the others, and if one of those is lost next, that one's replacement may stream from this node.
     */
    private record ReplacementBudget(Budget budget, boolean besideDown) implements Budget {
        @Override
        public Optional<String> beforeTouching(View view, NodeRecord node, long specVersion) {
            return budget.beforeReplacing(view, node, besideDown);
        }

        @Override
        public Optional<String> beforeRequested(
                View view, NodeRecord node, boolean together, boolean allowSilentPeers) {
            return budget.beforeRequested(view, node, together, allowSilentPeers);
        }

        @Override
        public Optional<String> beforeRepair(View view, NodeRecord node, RepairScope scope, boolean allowSilentPeers) {
            return budget.beforeRepair(view, node, scope, allowSilentPeers);
        }

        @Override
        public Optional<String> beforeReplacing(View view, NodeRecord node, boolean besideDownToo) {
            return budget.beforeReplacing(view, node, besideDownToo);
        }

        @Override
        public Optional<String> untilSeen(View view, NodeRecord node) {
            return budget.untilSeen(view, node).or(() -> AvailabilityCheck.hints(view, node, 0));
        }
    }
}

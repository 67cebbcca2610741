package io.ringmaster.core.step;

import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.Places;
import io.ringmaster.core.placement.Replacing;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets a dead node begin anew at another endpoint, with the ranges that it had, streamed from the other replicas. What ran at its
 * former place is ended first; the volume there is kept. A newcomer that dies half way goes on where it was; if its machine is gone,
 * it begins anew at yet another place.
 *
 * @param besideDown other nodes that are down do not hold it up
 * @param leaves a machine that it must not be on afterwards, or null
 */
record NodeReplacement(NodeId node, boolean besideDown, @Nullable MachineName leaves) {
    private static final String DECIDED = "replaces";

    /** The verdict of the step that replaces the node. */
    Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        Optional<SpecRecord> spec = view.targetSpec(node.cluster());
        if (record == null || spec.isEmpty()) {
            return new Verdict.Done(List.of(), "has left the ring meanwhile: nothing is replaced");
        }
        boolean begun = record.replaces() != null || hasBegun(memory);
        if (!begun || isLost(view, record)) {
            return begin(view, budget, record, spec.get());
        }
        Optional<String> former = record.previousAllocations().stream()
                .filter(a -> runs(view, a) || isInTheWay(view, a, record.allocation()))
                .findFirst()
                .map(a -> "waits until nothing runs in " + a.id() + " on " + a.machine() + " any more");
        return former.<Verdict>map(Verdict.Wait::new).orElseGet(() -> deploy(view, budget, record, spec.get(), memory));
    }

    /** Whether a step that remembers this has decided where the node is to be. */
    boolean hasBegun(Map<String, String> memory) {
        return memory.containsKey(DECIDED);
    }

    /** Whether its new place is lost, too: the machine of a newcomer that died half way, or the volume of one that has joined. */
    private static boolean isLost(View view, NodeRecord record) {
        return view.poolSeen()
                && (record.joined()
                        ? !view.allocations().containsKey(record.allocation().id())
                        : !view.machines().containsKey(record.allocation().machine()));
    }

    /** Keeps in mind that it has begun, whatever the deployment keeps in mind. */
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

    private Verdict begin(View view, Budget budget, NodeRecord record, SpecRecord spec) {
        if (!record.ownsRanges()) {
            return new Verdict.Failed(
                    List.of(),
                    Problem.of(
                            ErrorCode.OPERATION_UNSAFE,
                            node + " never joined the ring: nothing of it is to be taken over",
                            "retry the deploy that adds it"));
        }
        if (view.status(node).filter(s -> s.mode() == OperatingMode.NORMAL).isPresent()) {
            return new Verdict.Done(List.of(), "is NORMAL again: nothing is replaced");
        }
        Optional<String> closed = LostNode.whyUp(view, record)
                .or(() -> budget.beforeReplacing(view, record, besideDown))
                .or(() -> view.poolSeen() ? Optional.empty() : Optional.of("the pool has not told its picture"));
        if (closed.isPresent()) {
            return new Verdict.Wait(closed.get());
        }
        NodePlacement placement = Replacing.place(view, spec.spec(), record, leaves);
        if (placement.chosen().isEmpty()) {
            return new Verdict.Failed(
                    List.of(), new Placements(List.of(placement)).problems().get(0));
        }
        Allocation place = Places.withFreshId(view, placement.chosen().get());
        NodeRecord anew = record.replacedAt(place);
        return new Verdict.Do(
                List.of(new Change.Put(anew)),
                List.of(
                        new Command.Forget(node),
                        new Command.Kill(record.allocation().id())),
                "begins anew on " + place.machine() + " in the place of " + anew.replaces(),
                Map.of(DECIDED, String.valueOf(anew.replaces())));
    }

    /** Room and ports of the same machine must be given back first. */
    private static boolean isInTheWay(View view, Allocation previousAllocations, Allocation place) {
        AllocationState state = view.allocations().get(previousAllocations.id());
        return previousAllocations.machine().equals(place.machine())
                && state != null
                && state.status() != AllocationState.Status.RELEASED;
    }

    private static boolean runs(View view, Allocation previousAllocations) {
        AllocationState state = view.allocations().get(previousAllocations.id());
        boolean there = view.machines().containsKey(previousAllocations.machine());
        return there
                && state != null
                && (state.status() == AllocationState.Status.RUNNING
                        || state.status() == AllocationState.Status.LAUNCHING
                        || state.status() == AllocationState.Status.EXITED);
    }

    /**
     * The budget of a newcomer that takes the place of a dead node: it may start while others wait because of that one, and is not
     * done before it has every hint: what is written while it streams may be on no more than a bare quorum of the others, and if one of
     * those is lost next, its newcomer may stream from this one.
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
        public Optional<String> beforeReplacing(View view, NodeRecord node, boolean besideDownToo) {
            return budget.beforeReplacing(view, node, besideDownToo);
        }

        @Override
        public Optional<String> untilSeen(View view, NodeRecord node) {
            return budget.untilSeen(view, node).or(() -> AvailabilityCheck.hints(view, node, 0));
        }
    }
}

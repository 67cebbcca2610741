package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.Replacing;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves one node away from a machine. The node is drained and stopped only while every other node is healthy and
 * another machine has room; then it is replaced there.
 *
 * <p>Until its new allocation is decided, the node can return: when there is no room left, or when the plan ends,
 * {@code Recovery} starts it again. A node whose machine or volume is lost is only replaced.
 */
public record EvacuateNode(NodeId node, MachineName machine, boolean allowSilentPeers) implements Step {
    /** In the memory: this step has stopped the node. */
    private static final String STOPPED = "aside";

    @Override
    public String name() {
        return "move " + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        Optional<SpecRecord> spec = view.targetSpec(node.cluster());
        if (record == null || spec.isEmpty()) {
            return new Verdict.Done(List.of(), "already gone");
        }
        NodeReplacement replacement = new NodeReplacement(node, false, machine);
        if (record.replaces() != null || replacement.hasStarted(memory)) {
            return replacement.next(view, budget, memory);
        }
        if (!record.allocation().machine().equals(machine)) {
            return new Verdict.Done(List.of(), "is on " + record.allocation().machine());
        }
        if (record.leaving() || !record.ownsRanges() || !view.poolSeen()) {
            return new Verdict.Wait(
                    !view.poolSeen()
                            ? "the pool has not reported its machines yet"
                            : record.leaving() ? "it is leaving the ring" : "it has not joined the ring yet");
        }
        NodePlacement placement = Replacing.place(view, spec.get().spec(), record, machine);
        if (placement.onlyLater()) {
            return new Verdict.Wait(placement.why());
        }
        if (placement.chosen().isEmpty()) {
            return new Verdict.GivenUp(
                    new Placements(List.of(placement)).problems().get(0));
        }
        Optional<String> up = LostNode.whyUp(view, record);
        if (up.isEmpty() && staysDown(view, record)) {
            Optional<String> blocked =
                    record.evacuating() ? budget.beforeReplacing(view, record, false) : Optional.<String>empty();
            return blocked.map(why -> restartInPlace(view, record, why))
                    .orElseGet(() -> replacement.next(view, budget, memory));
        }
        return record.evacuating()
                ? new Verdict.Wait("until all nodes see it down: " + up.orElse(""))
                : evacuate(view, budget, record, memory);
    }

    /** False for a node that this step did not stop and that starts or returns without help: the step waits for it. */
    private boolean staysDown(View view, NodeRecord record) {
        return record.evacuating()
                || view.status(node).isEmpty()
                || PermanentFailure.of(view, node).isPresent();
    }

    private Verdict evacuate(View view, Budget budget, NodeRecord record, Map<String, String> memory) {
        boolean serves =
                view.status(node).filter(s -> s.mode() == OperatingMode.NORMAL).isPresent();
        Optional<Verdict> first =
                RepairFirst.beforeDown(view, budget, node.cluster(), memory, serves, () -> budget.beforeRequested(
                                view, record, false, allowSilentPeers)
                        .or(() -> AvailabilityCheck.unsettled(view, record)));
        if (first.isPresent()) {
            return first.get();
        }
        NodeRecord evacuating = record.evacuate();
        return new Verdict.Do(
                List.of(new Change.Put(evacuating)),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, evacuating))),
                "drains and stops it",
                Map.of(STOPPED, "true"));
    }

    /** Another node went down meanwhile, and its own replacement may wait for this node. */
    private static Verdict restartInPlace(View view, NodeRecord record, String why) {
        NodeRecord back = record.running(true);
        return new Verdict.Do(
                List.of(new Change.Put(back)),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, back))),
                "starts it again where it was: " + why,
                Map.of());
    }
}

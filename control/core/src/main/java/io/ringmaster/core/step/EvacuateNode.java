package io.ringmaster.core.step;

import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.Replacing;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves one node away from a machine: drains and stops it when all others are well and there is room elsewhere, then has it replaced there.
 * One that is dead already is only replaced.
 */
public record EvacuateNode(NodeId node, MachineName machine, boolean allowSilentPeers, Budget budget) implements Step {
    static final String TYPE = "evacuate-node";

    public EvacuateNode(NodeId node, MachineName machine, boolean allowSilentPeers) {
        this(node, machine, allowSilentPeers, Gate.ONE_AT_A_TIME);
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Map<String, String> args() {
        return Map.of(
                "node",
                node.value(),
                "machine",
                machine.value(),
                "allow_silent_peers",
                Boolean.toString(allowSilentPeers));
    }

    @Override
    public String name() {
        return "move " + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        Optional<SpecRecord> spec = view.targetSpec(node.cluster());
        if (record == null || spec.isEmpty()) {
            return new Verdict.Done(List.of(), "not there any more");
        }
        ReplaceNode replacement = new ReplaceNode(node, false, machine, budget);
        if (record.replaces() != null || replacement.hasBegun(memory)) {
            return replacement.next(view, memory);
        }
        if (!record.allocation().machine().equals(machine)) {
            return new Verdict.Done(List.of(), "is on " + record.allocation().machine());
        }
        Optional<String> up = ReplaceNode.whyUp(view, record);
        if (up.isEmpty()) {
            return replacement.next(view, memory);
        }
        return record.run() ? stop(view, record, spec.get(), memory) : new Verdict.Wait("is drained: " + up.get());
    }

    private Verdict stop(View view, NodeRecord record, SpecRecord spec, Map<String, String> memory) {
        if (!record.ownsRanges()) {
            return new Verdict.Failed(
                    List.of(),
                    Problem.of(
                            ErrorCode.OPERATION_UNSAFE,
                            node + " never joined the ring",
                            "wait for the deploy that adds it, then retry the plan"));
        }
        Optional<String> closed = budget.beforeRequested(view, record, false, allowSilentPeers)
                .or(() -> view.poolSeen() ? Optional.empty() : Optional.of("the pool has not told its picture"));
        if (closed.isPresent()) {
            return new Verdict.Wait(closed.get());
        }
        NodePlacement placement = Replacing.place(view, spec.spec(), record, machine);
        if (placement.chosen().isEmpty()) {
            return new Verdict.Failed(
                    List.of(), new Placements(List.of(placement)).problems().get(0));
        }
        NodeRecord stopped = record.running(false);
        return new Verdict.Do(
                List.of(new Change.Put(stopped)),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, stopped))),
                "drains and stops it",
                memory);
    }
}

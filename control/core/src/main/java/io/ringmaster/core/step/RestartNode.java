package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Drains and restarts the daemon of one node, then runs the {@link PostChangeCheck}.
 *
 * @param together whether nodes of the same rack may be down meanwhile; the plan has made sure that no two replicas
 *     are in one rack
 * @param consistency the consistency levels of the probe after the restart, separated by commas
 */
public record RestartNode(NodeId node, boolean together, boolean allowSilentPeers, String consistency) implements Step {

    @Override
    public String name() {
        return node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        if (record == null || !record.launched()) {
            return new Verdict.Done(List.of(), "already gone");
        }
        return memory.containsKey(PostChangeCheck.STARTED_AT)
                ? await(view, budget, record, memory)
                : start(view, budget, record, memory);
    }

    private Verdict start(View view, Budget budget, NodeRecord record, Map<String, String> memory) {
        boolean serves =
                view.status(node).filter(s -> s.mode() == OperatingMode.NORMAL).isPresent();
        Optional<Verdict> first = RepairFirst.beforeDown(
                view,
                budget,
                node.cluster(),
                memory,
                serves,
                () -> budget.beforeRequested(view, record, together, allowSilentPeers));
        if (first.isPresent()) {
            return first.get();
        }
        List<Change> changes = List.of(new Change.Put(record.restart()));
        return new Verdict.Do(
                changes,
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view.with(changes), record.restart()))),
                "drains and restarts",
                Map.of(PostChangeCheck.STARTED_AT, view.now().toString()));
    }

    private Verdict await(View view, Budget budget, NodeRecord record, Map<String, String> memory) {
        Optional<Problem> broken = PermanentFailure.endingStep(view, node);
        if (broken.isPresent()) {
            Problem cause = broken.get();
            return new Verdict.Failed(
                    List.of(),
                    Problem.of(
                            cause.code() == ErrorCode.CONFIGURATION_REJECTED ? ErrorCode.DAEMON_FAILED : cause.code(),
                            node + " does not come back: " + cause.message(),
                            Advice.nodeLogs(node)
                                    .prefix("see ")
                                    .suffix(", then retry the plan; no other node is touched")));
        }
        Optional<String> unsettled = AvailabilityCheck.unsettled(view, record);
        return unsettled.isPresent()
                ? new Verdict.Wait(progress(view).orElse(unsettled.get()))
                : new PostChangeCheck(budget, consistency).next(view, record, memory);
    }

    private Optional<String> progress(View view) {
        return view.status(node)
                .filter(s -> s.generation()
                        >= Optional.ofNullable(view.nodes().get(node))
                                .map(NodeRecord::generation)
                                .orElse(0L))
                .map(AvailabilityCheck::doing);
    }
}

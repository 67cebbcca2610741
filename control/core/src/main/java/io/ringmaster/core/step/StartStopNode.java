package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts the daemon of one node, or drains and stops it; executor and volume stay. The step does not ask the
 * budget, because the request concerns the whole cluster.
 */
public record StartStopNode(NodeId node, boolean on) implements Step {
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
        if (record.run() != on) {
            NodeRecord decided = record.running(on);
            return new Verdict.Do(
                    List.of(new Change.Put(decided)),
                    List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, decided))),
                    on ? "starts" : "drains and stops",
                    memory);
        }
        return on ? awaitUp(view, record) : awaitDown(view, record);
    }

    private Verdict awaitUp(View view, NodeRecord record) {
        Optional<Problem> broken = PermanentFailure.endingStep(view, node);
        if (broken.isPresent()) {
            return new Verdict.Failed(List.of(), broken.get());
        }
        return AvailabilityCheck.unsettled(view, record)
                .<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(List.of(), "NORMAL"));
    }

    private Verdict awaitDown(View view, NodeRecord record) {
        Optional<NodeStatus> status = view.status(node).filter(s -> s.generation() >= record.generation());
        if (status.isEmpty()) {
            return new Verdict.Wait("executor takes the new target");
        }
        return status.get().mode() == OperatingMode.DOWN
                ? new Verdict.Done(List.of(), "stopped, data kept")
                : new Verdict.Wait(status.get().mode().with(status.get().activity()));
    }
}

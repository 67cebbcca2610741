package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;

/** Stops executor and daemon of a node that is to be removed; its volume stays. */
public record StopNode(NodeId node) implements Step {
    @Override
    public String name() {
        return "stop " + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        if (record == null) {
            return new Verdict.Done(List.of(), "already gone");
        }
        Command.Kill kill = new Command.Kill(record.allocation().id());
        if (record.launched()) {
            return new Verdict.Do(
                    List.of(new Change.Put(record.takenAway())),
                    List.of(kill, new Command.Forget(node)),
                    "stops executor and daemon",
                    Map.of("killed", "true"));
        }
        if (!view.poolSeen()) {
            return new Verdict.Wait("the pool has not reported its machines yet");
        }
        AllocationState state = view.allocations().get(record.allocation().id());
        if (state == null || isAtRest(state.status()) || record.generation() == 0) {
            return new Verdict.Done(List.of(), "nothing runs");
        }
        return new Verdict.Do(List.of(), List.of(kill), "stops executor and daemon", memory);
    }

    private static boolean isAtRest(AllocationState.Status status) {
        return status == AllocationState.Status.RESERVED || status == AllocationState.Status.RELEASED;
    }
}

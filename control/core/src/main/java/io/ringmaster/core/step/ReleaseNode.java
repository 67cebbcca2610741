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

/** Gives a stopped node's claim back and forgets the node. The volume goes only when a user asked for it in so many words. */
public record ReleaseNode(NodeId node, boolean destroyVolume) implements Step {
    @Override
    public String name() {
        return "release " + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        if (record == null) {
            return new Verdict.Done(List.of(), "not there any more");
        }
        if (!view.poolSeen()) {
            return new Verdict.Wait("the pool has not told its picture");
        }
        List<Change> forget = List.of(new Change.Remove(record.key()));
        AllocationState state = view.allocations().get(record.allocation().id());
        if (state == null) {
            return new Verdict.Done(forget, "nothing is claimed");
        }
        if (state.status() == AllocationState.Status.RELEASED && !destroyVolume) {
            return new Verdict.Done(
                    forget,
                    "volume " + record.allocation().id() + " kept on "
                            + record.allocation().machine());
        }
        return new Verdict.Do(
                List.of(),
                List.of(new Command.Release(record.allocation().id(), destroyVolume)),
                destroyVolume ? "destroys its volume" : "gives the machine back, keeps its volume",
                memory);
    }
}

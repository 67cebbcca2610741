package io.ringmaster.core.step;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The repairs within a step that changes nodes. A node that took over ranges, or was away for longer than others kept
 * writes for it, may lack rows that a quorum acknowledged: it repairs its ranges before the next replica goes down, and
 * before its own check passes. The step does that itself, because no other operation gets the lock meanwhile.
 *
 * <p>A datacenter that has yet to stream its rows owes nothing before that. While a node is replaced nothing is
 * repaired here: the plan of the replacement ends with that, and no other node goes down before.
 */
final class RepairFirst {
    private RepairFirst() {}

    /**
     * What a step does before it takes a node down: it waits for the budget, then lets the nodes repair what they owe.
     * Empty when the node may be taken down now.
     *
     * @param serves whether the node serves, so that the step takes it down; otherwise a repair would wait for it
     * @param blocked the reason of the budget
     */
    static Optional<Verdict> beforeDown(
            View view,
            Budget budget,
            ClusterName cluster,
            Map<String, String> memory,
            boolean serves,
            Supplier<Optional<String>> blocked) {
        boolean repairs = RepairRanges.isAtWork(memory);
        Optional<Verdict> waits = repairs ? Optional.empty() : blocked.get().<Verdict>map(Verdict.Wait::new);
        if (waits.isPresent()) {
            return waits;
        }
        Optional<Verdict> repair = serves ? next(view, budget, cluster, memory) : Optional.empty();
        // the budget is asked again after a repair
        return repair.isPresent() || !repairs ? repair : Optional.of(stop(view, memory));
    }

    /** The next action of the repairs; empty when no node owes one. The step keeps what else it remembers. */
    static Optional<Verdict> next(View view, Budget budget, ClusterName cluster, Map<String, String> memory) {
        if (Seeds.lacksData(view, cluster)
                || OperationLock.replacing(view, cluster).isPresent()) {
            return Optional.empty();
        }
        Verdict verdict = new RepairRanges(cluster, false, false, Map.of()).next(view, budget, memory);
        if (verdict instanceof Verdict.Do act) {
            Map<String, String> remembered = own(memory);
            remembered.putAll(act.memory());
            return Optional.of(act.remembering(remembered));
        }
        return verdict instanceof Verdict.Done ? Optional.empty() : Optional.of(verdict);
    }

    /** What the step remembers apart from a repair. */
    static Map<String, String> own(Map<String, String> memory) {
        Map<String, String> own = new TreeMap<>(memory);
        if (RepairRanges.isAtWork(memory)) {
            own.keySet().removeAll(List.of(RepairRanges.NODE, RepairRanges.SINCE, NodeTasks.TASK));
        }
        return own;
    }

    /** The node of the step failed meanwhile, and the repair would wait for it. */
    private static Verdict stop(View view, Map<String, String> memory) {
        return Optional.ofNullable(view.nodes().get(NodeId.of(String.valueOf(memory.get(RepairRanges.NODE)))))
                .filter(n -> n.task() != null && n.task().id().equals(memory.get(NodeTasks.TASK)))
                .map(n -> RunTask.stop(view, n, "stops the repair of " + n.id().shortName(), own(memory)))
                .orElseGet(() -> new Verdict.Do(List.of(), List.of(), "no repair is needed any more", own(memory)));
    }
}

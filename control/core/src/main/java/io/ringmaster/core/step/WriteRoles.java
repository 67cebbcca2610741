package io.ringmaster.core.step;

import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes the declared roles at one node of this datacenter: the first that is NORMAL, or another one if that goes down
 * meanwhile. The task may be repeated. A plan that gives it to a node takes it from all others, so that what an earlier
 * plan asked of a node that is down is not written later.
 *
 * @param taskArgs the arguments of the task, without passwords
 */
public record WriteRoles(ClusterName cluster, Map<String, String> taskArgs) implements Step {
    private static final String NODE = "node";

    public WriteRoles {
        taskArgs = Map.copyOf(taskArgs);
    }

    @Override
    public String name() {
        return "write roles";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        Optional<NodeId> node = atWork(view, memory);
        if (node.isEmpty()) {
            return choose(view, budget);
        }
        Map<String, String> own = new TreeMap<>(memory);
        own.remove(NODE);
        return remembering(task(node.get()).next(view, budget, own), node.get());
    }

    /** The chosen node, if it is NORMAL and still has the task: another plan takes it from one that is down. */
    static Optional<NodeId> atWork(View view, Map<String, String> memory) {
        return Optional.ofNullable(memory.get(NODE))
                .map(NodeId::of)
                .filter(n -> isNormal(view, n))
                .filter(n -> Optional.ofNullable(view.nodes().get(n))
                        .map(NodeRecord::task)
                        .filter(t -> t.id().equals(memory.get(NodeTasks.TASK)))
                        .isPresent());
    }

    private Verdict choose(View view, Budget budget) {
        Optional<String> other = writing(view);
        if (other.isPresent()) {
            return new Verdict.Wait(other.get());
        }
        Optional<NodeRecord> free = view.nodesOf(cluster).stream()
                .filter(n -> isNormal(view, n.id()))
                .filter(n -> AvailabilityCheck.unsettled(view, n).isEmpty() && n.task() == null)
                .findFirst();
        return free.map(n -> alone(view, remembering(task(n.id()).next(view, budget, Map.of()), n.id())))
                .orElseGet(() -> new Verdict.Wait("no node of " + view.datacenter() + " is NORMAL and free"));
    }

    /** Takes the task from the nodes that are not NORMAL, too. */
    private Verdict alone(View view, Verdict verdict) {
        if (!(verdict instanceof Verdict.Do act)) {
            return verdict;
        }
        Stream<Change> taken =
                view.nodesOf(cluster).stream().filter(WriteRoles::hasTask).map(n -> new Change.Put(n.withTask(null)));
        List<Change> changes = Stream.concat(act.changes().stream(), taken).toList();
        return new Verdict.Do(changes, act.commands(), act.reason(), act.memory(), act.change());
    }

    /** The next version of the spec would not know what this one was to take back. */
    @Override
    public Verdict forced(View view) {
        return taskArgs.keySet().stream().anyMatch(WriteRoles::takesBack)
                ? new Verdict.Failed(
                        List.of(),
                        Problem.of(
                                ErrorCode.PLAN_STATE,
                                "roles and permissions that the spec of " + cluster + " took back would stay",
                                "retry the plan; or abort it and apply the spec again when the roles can be written"))
                : Step.super.forced(view);
    }

    private static boolean takesBack(String argument) {
        return argument.equals("drop") || argument.startsWith("leave.") || argument.startsWith("revoke.");
    }

    /** Two tasks at once could leave a part of each. One of a node that is not NORMAL may never end. */
    private Optional<String> writing(View view) {
        return view.nodesOf(cluster).stream()
                .filter(n -> hasTask(n) && isNormal(view, n.id()))
                .map(n -> n.id().shortName() + " writes roles already")
                .findFirst();
    }

    private static boolean hasTask(NodeRecord node) {
        return node.task() != null && node.task().kind() == NodeTask.Kind.ACCESS;
    }

    private RunTask task(NodeId node) {
        return RunTask.forSpec(node, NodeTask.Kind.ACCESS, taskArgs);
    }

    private static Verdict remembering(Verdict verdict, NodeId node) {
        if (!(verdict instanceof Verdict.Do act)) {
            return verdict;
        }
        Map<String, String> memory = new TreeMap<>(act.memory());
        memory.put(NODE, node.value());
        return act.remembering(memory);
    }

    static boolean isNormal(View view, NodeId node) {
        return view.status(node).filter(s -> s.mode() == OperatingMode.NORMAL).isPresent();
    }
}

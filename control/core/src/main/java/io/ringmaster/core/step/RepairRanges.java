package io.ringmaster.core.step;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ends a plan that moved token ranges: each node of this datacenter that took over ranges repairs them, one node after
 * another, with all their replicas in all datacenters. A newcomer streams each range from one replica, and an heir of a
 * node that left has only what that node had: without the repair, the loss of one more node may lose rows that a quorum
 * acknowledged.
 *
 * <p>Which nodes those are is in their records ({@link NodeRecord#owesRepairSince}), where it stays until a repair
 * succeeded that started later, whatever happens to the plan.
 *
 * @param left whether the ranges are those of nodes that left in this plan, after it repaired those of newcomers
 * @param givesWay whether the plan holds the operation lock for a replacement, and ends when the next one waits for it:
 *     a range with a dead replica cannot be repaired before that is replaced, too
 * @param taskArgs arguments of the repairs that replace the usual ones, see {@link NodeTask#args}
 */
public record RepairRanges(
        ClusterName cluster,
        @StepCodec.OmittedWhenFalse boolean left,
        @StepCodec.OmittedWhenFalse boolean givesWay,
        Map<String, String> taskArgs)
        implements Step {
    /** The name of the step, and of the phase that holds it alone. */
    public static final String NAME = "repair ranges";

    static final String NODE = "node";
    static final String SINCE = "since";

    public RepairRanges {
        taskArgs = Map.copyOf(taskArgs);
    }

    /** The phase of a plan of a spec. */
    public static Phase phase(ClusterName cluster, boolean left) {
        return phase(new RepairRanges(cluster, left, false, Map.of()));
    }

    /**
     * The phase of the plan of a request. It is empty in a datacenter that has yet to stream its rows: the plan of the
     * spec ends with their repair.
     */
    public static Phase requested(View view, ClusterName cluster, boolean givesWay) {
        return requested(view, cluster, givesWay, Map.of());
    }

    /** As above, with arguments that replace the usual ones. */
    public static Phase requested(View view, ClusterName cluster, boolean givesWay, Map<String, String> taskArgs) {
        return Seeds.lacksData(view, cluster)
                ? Steps.phase(NAME, Phase.Strategy.SERIAL, Stream.empty())
                : phase(new RepairRanges(cluster, false, givesWay, taskArgs));
    }

    private static Phase phase(RepairRanges step) {
        return Steps.phase(NAME, Phase.Strategy.SERIAL, Stream.of(step));
    }

    /** Whether a step with this memory repairs the ranges of a node. */
    static boolean isAtWork(Map<String, String> memory) {
        return memory.containsKey(NODE);
    }

    @Override
    public String name() {
        return left ? NAME + " of nodes that left" : NAME;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        Optional<NodeRecord> current = Optional.ofNullable(memory.get(NODE))
                .map(NodeId::of)
                .map(view.nodes()::get)
                .filter(RepairRanges::isDue);
        Optional<NodeRecord> due = current.or(
                () -> view.nodesOf(cluster).stream().filter(RepairRanges::isDue).findFirst());
        if (due.isEmpty()) {
            return new Verdict.Done(List.of(), "no node owes a repair");
        }
        NodeRecord node = due.get();
        if (givesWay && nextReplacementWaits(view)) {
            return new Verdict.GivenUp(Problem.of(
                    ErrorCode.PLAN_STATE,
                    "gives way to the replacement of another node: a range with a dead replica cannot be repaired",
                    Advice.repair(cluster).suffix(" once every node is NORMAL, unless that replacement has done it")));
        }
        Map<String, String> remembered = new TreeMap<>(current.isPresent() ? memory : Map.of());
        Optional<NodeTask> running =
                Optional.ofNullable(node.task()).filter(t -> t.id().equals(remembered.get(NodeTasks.TASK)));
        Optional<String> replacing = givesWay ? Optional.empty() : OperationLock.replacing(view, cluster);
        if (replacing.isPresent()) {
            return running.isPresent()
                    ? RunTask.stop(view, node, node.id().shortName() + ": stops: " + replacing.get(), remembered)
                    : new Verdict.Wait(replacing.get());
        }
        if (running.isEmpty()) {
            remembered.put(SINCE, since(view, node, remembered.get(SINCE)).toString());
        }
        return mustWait(view, node, running.isPresent())
                .<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> repair(
                        view,
                        budget,
                        node,
                        running.map(NodeTask::args)
                                .orElseGet(() -> args(view, Instant.parse(String.valueOf(remembered.get(SINCE))))),
                        remembered));
    }

    /**
     * Ranges that were repaired since this time are skipped. A repair that was interrupted continues, unless the node
     * owes another one meanwhile.
     */
    private static Instant since(View view, NodeRecord node, @Nullable String before) {
        Instant owed = Objects.requireNonNull(node.owesRepairSince());
        Instant latest = owed.isAfter(view.now()) ? owed : view.now(); // a clock that was set back delays no repair
        return Optional.ofNullable(before)
                .map(Instant::parse)
                .filter(at -> !at.isBefore(owed))
                .orElse(latest);
    }

    /** Unless requested otherwise with the intensity of scheduled repairs, which is what users accept as load. */
    private Map<String, String> args(View view, Instant since) {
        Map<String, String> args = new TreeMap<>(RunTask.wholeRepair(since));
        view.targetSpec(cluster)
                .map(s -> s.spec().repair())
                .ifPresent(r -> args.put("intensity", Double.toString(r.intensity())));
        args.putAll(taskArgs);
        return args;
    }

    /** A node that is leaving has heirs, which repair its ranges. */
    private static boolean isDue(NodeRecord node) {
        return node.owesRepair() && !node.leaving();
    }

    /** Ranges that still move would be repaired too early. */
    private Optional<String> mustWait(View view, NodeRecord node, boolean repairs) {
        if (!node.joined() || !node.launched()) {
            return Optional.of(node.id().shortName() + " has not joined yet");
        }
        return view.nodesOf(cluster).stream()
                .filter(n -> n.leaving() && !repairs)
                .findFirst()
                .map(n -> n.id().shortName() + " is leaving the ring");
    }

    private Verdict repair(
            View view, Budget budget, NodeRecord node, Map<String, String> args, Map<String, String> memory) {
        Verdict verdict = RunTask.forSpec(node.id(), NodeTask.Kind.REPAIR, args).run(view, budget, memory);
        if (verdict instanceof Verdict.Do act) {
            Map<String, String> remembered = new TreeMap<>(memory);
            remembered.put(NODE, node.id().value());
            remembered.putAll(act.memory());
            return new Verdict.Do(
                    act.changes(), act.commands(), node.id().shortName() + ": " + act.reason(), remembered);
        }
        if (verdict instanceof Verdict.Wait wait) {
            return new Verdict.Wait(node.id().shortName() + ": " + wait.reason());
        }
        if (verdict instanceof Verdict.Done done) {
            NodeRecord repaired = node.withTask(null).repaired(Instant.parse(args.get(RunTask.UNLESS_AFTER)));
            String again = repaired.owesRepair() ? "; it owes another repair since " + repaired.owesRepairSince() : "";
            return new Verdict.Do(
                    List.of(new Change.Put(repaired)),
                    List.of(),
                    node.id().shortName() + ": " + done.summary() + again,
                    Map.of());
        }
        // a failed plan would keep the lock from the next replacement, which may be what the repair needs
        return givesWay && verdict instanceof Verdict.Failed failed
                ? new Verdict.GivenUp(Problem.of(
                        ErrorCode.PLAN_STATE,
                        failed.problem().message(),
                        Advice.repair(cluster).suffix(" once every node is NORMAL")))
                : verdict;
    }

    private boolean nextReplacementWaits(View view) {
        return OperationLock.replacements(view, cluster).count() > 1;
    }
}

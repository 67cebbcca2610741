package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The check between a changed node and the next one. Once the node is NORMAL, every node must see it NORMAL, with
 * one schema, and hints for it must be few. If it was away for longer than others keep hints, it repairs its ranges.
 * Then a probe must write and read with it as the coordinator. The summary says how long each part took.
 *
 * @param consistency the consistency levels of the probe, separated by commas
 */
record PostChangeCheck(Budget budget, String consistency) {
    /** In the memory of a step: when it started to change its node. */
    static final String STARTED_AT = "began";

    static final String LOCAL_QUORUM = "LOCAL_QUORUM";

    static final String NORMAL = "normal";
    private static final String SEEN = "seen";
    private static final Duration AGAIN = Duration.ofSeconds(2);

    PostChangeCheck(Budget budget) {
        this(budget, LOCAL_QUORUM);
    }

    /** Checks a node that runs what its record says; to be called until the answer is {@code Done}. */
    Verdict next(View view, NodeRecord record, Map<String, String> memory) {
        if (!memory.containsKey(NORMAL)) {
            return new Verdict.Do(
                    List.of(), List.of(), "NORMAL; the post-change check starts", with(memory, NORMAL, view.now()));
        }
        if (RepairRanges.isAtWork(memory) || wasAway(record, memory)) {
            Optional<Verdict> first = budget.untilSeen(view, record)
                    .<Verdict>map(Verdict.Wait::new)
                    .or(() -> RepairFirst.next(view, budget, record.cluster(), memory));
            return first.orElseGet(() -> probed(view, record, RepairFirst.own(memory)));
        }
        return probed(view, record, memory);
    }

    private Verdict probed(View view, NodeRecord record, Map<String, String> memory) {
        String task = memory.get(NodeTasks.TASK);
        if (task == null) {
            Optional<String> blocked = budget.untilSeen(view, record);
            return blocked.<Verdict>map(Verdict.Wait::new)
                    .orElseGet(() -> probe(view, record, with(memory, SEEN, view.now())));
        }
        if (record.task() == null || !record.task().id().equals(task)) {
            return probe(view, record, memory); // another plan has run its own probe in between
        }
        Optional<TaskStatus> reported = NodeTasks.status(view, record.id(), task);
        if (reported.isEmpty() || !reported.get().state().isOver()) {
            return new Verdict.Wait("probes a write and a read at " + consistency);
        }
        TaskStatus status = reported.get();
        if (status.state() == TaskStatus.State.DONE) {
            return new Verdict.Done(
                    List.of(new Change.Put(record.proven().withTask(null))),
                    "NORMAL" + took(memory, view.now()) + ", " + status.message());
        }
        Instant ended = status.endedAt() == null ? view.now() : status.endedAt();
        return view.now().isBefore(ended.plus(AGAIN))
                ? new Verdict.Wait("the probe fails and is retried: " + status.message())
                : probe(view, record, memory);
    }

    /**
     * Whether the node was away for longer than others keep writes for it since the step changed it. What a newcomer
     * takes over is repaired when all have joined.
     */
    private static boolean wasAway(NodeRecord record, Map<String, String> memory) {
        Instant owed = record.owesRepairSince();
        String started = memory.get(STARTED_AT);
        return owed != null && started != null && owed.isAfter(Instant.parse(started));
    }

    private Verdict probe(View view, NodeRecord record, Map<String, String> memory) {
        NodeTask other = record.task();
        if (other != null && !other.id().equals(memory.get(NodeTasks.TASK))) {
            return new Verdict.Wait("the node runs a task: " + other.kind().label());
        }
        NodeTask task = new NodeTask(
                "probe-" + record.id().shortName() + "-" + (record.generation() + 1),
                NodeTask.Kind.PROBE,
                Map.of("consistency", consistency));
        NodeRecord asked = record.withTask(task);
        List<Change> changes = List.of(new Change.Put(asked));
        Map<String, String> remembered = new TreeMap<>(memory);
        remembered.put(NodeTasks.TASK, task.id());
        return new Verdict.Do(
                changes,
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view.with(changes), asked))),
                "probes a write and a read at " + consistency,
                remembered);
    }

    private static Map<String, String> with(Map<String, String> memory, String name, Instant now) {
        Map<String, String> remembered = new TreeMap<>(memory);
        remembered.put(name, now.toString());
        return remembered;
    }

    private static String took(Map<String, String> memory, Instant now) {
        Instant normal = Instant.parse(memory.get(NORMAL));
        Instant seen = Instant.parse(memory.getOrDefault(SEEN, memory.get(NORMAL)));
        String before = memory.containsKey(STARTED_AT)
                ? " after " + NodeTasks.seconds(Duration.between(Instant.parse(memory.get(STARTED_AT)), normal))
                : "";
        return before + ", post-change check " + NodeTasks.seconds(Duration.between(normal, now))
                + " (seen by all after " + NodeTasks.seconds(Duration.between(normal, seen)) + ")";
    }
}

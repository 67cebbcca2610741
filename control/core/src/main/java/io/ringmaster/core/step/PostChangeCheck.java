package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.target.NodeTargets;
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
 * What lies between a node that is NORMAL again and the next one: every node sees it so, with one schema, hints for it are few, and it
 * can write and read as a coordinator. How long each part took is told.
 *
 * @param consistency the levels of that probe, separated by commas
 */
record PostChangeCheck(Budget budget, String consistency) {
    /** In a step's memory: when it began with its node. */
    static final String BEGAN = "began";

    static final String LOCAL_QUORUM = "LOCAL_QUORUM";

    static final String NORMAL = "normal";
    private static final String SEEN = "seen";
    private static final Duration AGAIN = Duration.ofSeconds(2);

    PostChangeCheck(Budget budget) {
        this(budget, LOCAL_QUORUM);
    }

    /** To be asked once the node is what its record says, until it answers {@code Done}. */
    Verdict next(View view, NodeRecord record, Map<String, String> memory) {
        if (!memory.containsKey(NORMAL)) {
            return new Verdict.Do(List.of(), List.of(), "NORMAL; stands at the gate", with(memory, NORMAL, view.now()));
        }
        String task = memory.get(NodeTasks.TASK);
        if (task == null) {
            Optional<String> closed = budget.untilSeen(view, record);
            return closed.<Verdict>map(Verdict.Wait::new)
                    .orElseGet(() -> probe(view, record, with(memory, SEEN, view.now())));
        }
        if (record.task() == null || !record.task().id().equals(task)) {
            return probe(view, record, memory); // a plan that came between has had its own probe
        }
        Optional<TaskStatus> told = NodeTasks.status(view, record.id(), task);
        if (told.isEmpty() || !told.get().state().isOver()) {
            return new Verdict.Wait("probes a write and a read at " + consistency);
        }
        TaskStatus status = told.get();
        if (status.state() == TaskStatus.State.DONE) {
            return new Verdict.Done(
                    List.of(new Change.Put(record.proven().withTask(null))),
                    "NORMAL" + took(memory, view.now()) + ", " + status.message());
        }
        Instant ended = status.endedAt() == null ? view.now() : status.endedAt();
        return view.now().isBefore(ended.plus(AGAIN))
                ? new Verdict.Wait("the probe fails and is tried again: " + status.message())
                : probe(view, record, memory);
    }

    private Verdict probe(View view, NodeRecord record, Map<String, String> memory) {
        NodeTask other = record.task();
        if (other != null && !other.id().equals(memory.get(NodeTasks.TASK))) {
            return new Verdict.Wait("the node is at work: " + other.kind().label());
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
        String before = memory.containsKey(BEGAN)
                ? " after " + NodeTasks.seconds(Duration.between(Instant.parse(memory.get(BEGAN)), normal))
                : "";
        return before + ", at the gate " + NodeTasks.seconds(Duration.between(normal, now)) + " (seen by all after "
                + NodeTasks.seconds(Duration.between(normal, seen)) + ")";
    }
}

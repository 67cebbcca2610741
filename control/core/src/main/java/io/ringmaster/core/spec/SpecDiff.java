package io.ringmaster.core.spec;

import io.ringmaster.core.spec.SpecDiff.Change.Effect;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.LiveParameters;
import io.ringmaster.model.spec.RepairSchedule;
import io.ringmaster.model.spec.Size;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What changed between two versions of a spec, and what each change means for a cluster that exists. */
public record SpecDiff(List<Change> changes) {
    private static final String CASSANDRA_YAML = "cassandra_yaml.";

    public SpecDiff {
        changes = List.copyOf(changes);
    }

    /** How far a cluster is, which decides what may still change. */
    public enum Progress {
        /** No node has a machine yet: anything may change. */
        DECLARED,
        /** Nodes have machines, but the cluster was never complete: it holds no data. */
        PLACED,
        /** It was complete once and may hold data. */
        CREATED
    }

    /**
     * One field that changed.
     *
     * @param field in dotted form
     * @param before as text, or null where there was nothing
     * @param after as text, or null where there is nothing now
     * @param supportedAt how far the cluster may be for the change to be made
     * @param advice what to do instead where it cannot, or null
     */
    public record Change(
            String field,
            @Nullable String before,
            @Nullable String after,
            Effect effect,
            Set<Progress> supportedAt,
            @Nullable String advice) {

        /** What a change that is supported does. */
        public enum Effect {
            /** Nodes are restarted one after another with it. */
            RESTART,
            /** Running nodes take it one after another, without a restart. */
            LIVE,
            /** Nodes join or leave one after another. */
            JOIN,
            /** Nothing is restarted: it counts from the next start or placement on. */
            LATER
        }

        /** Whether another value of the field would be taken live. */
        public boolean isLiveOtherwise() {
            return field.startsWith(CASSANDRA_YAML)
                    && LiveParameters.contains(field.substring(CASSANDRA_YAML.length()));
        }

        /** {@code node.heap: 256 MiB -> 512 MiB}. */
        public String line() {
            return field + ": " + (before == null ? "(none)" : before) + " -> " + (after == null ? "(none)" : after);
        }
    }

    public static SpecDiff between(ClusterSpec before, ClusterSpec after) {
        if (!before.name().equals(after.name())) {
            throw new IllegalArgumentException("specs of two clusters: " + before.name() + ", " + after.name());
        }
        Collector to = new Collector();
        to.compare(
                "cassandra",
                before.cassandraVersion(),
                after.cassandraVersion(),
                Effect.RESTART,
                Progress.PLACED,
                "another version needs an upgrade, which is not supported yet");
        to.restart("preset", before.preset().name(), after.preset().name());
        datacenters(before, after, to);
        to.restart(
                "node.cpus",
                before.resources().cpuMillis() / 1000.0,
                after.resources().cpuMillis() / 1000.0);
        to.restart(
                "node.memory",
                Size.write(before.resources().memoryBytes()),
                Size.write(after.resources().memoryBytes()));
        to.restart(
                "node.heap",
                Size.write(before.resources().heapBytes()),
                Size.write(after.resources().heapBytes()));
        to.compare(
                "node.disk",
                Size.write(before.resources().diskBytes()),
                Size.write(after.resources().diskBytes()),
                Effect.RESTART,
                Progress.DECLARED,
                "a volume keeps the size it was made with");
        to.restart("jvm.collector", before.jvm().collector(), after.jvm().collector());
        boolean switchStays = before.jvm().options().contains(RepairField.SWITCH)
                == after.jvm().options().contains(RepairField.SWITCH);
        to.compare(
                "jvm.options",
                before.jvm().options(),
                after.jvm().options(),
                Effect.RESTART,
                switchStays ? Progress.CREATED : Progress.PLACED,
                "nodes with " + RepairField.SWITCH + " and without it do not agree on one schema; use repair instead");
        for (String name : union(before.cassandraYaml(), after.cassandraYaml())) {
            boolean live = LiveParameters.takes(name, !after.cassandraYaml().containsKey(name));
            to.compare(
                    CASSANDRA_YAML + name,
                    before.cassandraYaml().get(name),
                    after.cassandraYaml().get(name),
                    live ? Effect.LIVE : Effect.RESTART,
                    Progress.CREATED,
                    null);
        }
        to.compare("repair", repair(before), repair(after), Effect.LATER, Progress.CREATED, null);
        to.compare("replace", replace(before), replace(after), Effect.LATER, Progress.CREATED, null);
        to.compare(
                "placement.nodes_per_machine",
                before.placement().nodesPerMachine(),
                after.placement().nodesPerMachine(),
                Effect.LATER,
                Progress.CREATED,
                null);
        return new SpecDiff(to.changes);
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Whether nodes that run have to be restarted. */
    public boolean restarts() {
        return changes.stream().anyMatch(c -> c.effect() == Effect.RESTART);
    }

    /** What changes for a node that runs, and with what effect; {@code LIVE} alone means that it need not be restarted. */
    public List<Change> ofNode() {
        return changes.stream()
                .filter(c -> c.effect() == Effect.RESTART || c.effect() == Effect.LIVE)
                .toList();
    }

    /** A refusal for each change that cannot be made when the cluster is so far. */
    public List<Problem> unsupported(Progress progress) {
        return changes.stream()
                .filter(c -> !c.supportedAt().contains(progress))
                .map(c -> new Problem(
                        ErrorCode.SPEC_CHANGE_UNSUPPORTED,
                        c.field(),
                        "cannot change from " + Objects.requireNonNullElse(c.before(), "(none)") + " to "
                                + Objects.requireNonNullElse(c.after(), "(none)")
                                + (progress == Progress.CREATED
                                        ? " on a created cluster"
                                        : " once nodes have machines"),
                        c.advice()))
                .toList();
    }

    private static @Nullable String repair(ClusterSpec spec) {
        RepairSchedule schedule = spec.repair();
        return schedule == null
                ? null
                : "every " + Age.write(Duration.ofMinutes(schedule.everyMinutes())) + ", intensity "
                        + schedule.intensity();
    }

    private static @Nullable String replace(ClusterSpec spec) {
        return spec.replace() == null
                ? null
                : "after " + Age.write(Duration.ofMinutes(spec.replace().afterMinutes()));
    }

    private static void datacenters(ClusterSpec before, ClusterSpec after, Collector to) {
        List<DatacenterName> kept = new ArrayList<>(before.datacenterNames());
        kept.retainAll(after.datacenterNames());
        List<DatacenterName> keptAfter = new ArrayList<>(after.datacenterNames());
        keptAfter.retainAll(before.datacenterNames());
        to.compare(
                "datacenters",
                kept,
                keptAfter,
                Effect.LATER,
                Progress.DECLARED,
                "tokens rest on the order of the datacenters; put it back");
        for (DatacenterName name : union(before, after)) {
            Optional<DatacenterSpec> old = before.datacenter(name);
            Optional<DatacenterSpec> now = after.datacenter(name);
            String path = "datacenters." + name;
            if (old.isEmpty() || now.isEmpty()) {
                to.compare(
                        path,
                        old.map(DatacenterSpec::nodes).map(n -> n + " nodes").orElse(null),
                        now.map(DatacenterSpec::nodes).map(n -> n + " nodes").orElse(null),
                        Effect.JOIN,
                        now.isPresent() ? addedAt(before, after, name) : removedAt(before, after, name),
                        now.isPresent()
                                ? "name it after all datacenters that the cluster has"
                                : "of a cluster that is complete those that are named last can be taken out");
                continue;
            }
            boolean grows = now.get().nodes() > old.get().nodes();
            to.compare(
                    path + ".nodes",
                    old.get().nodes(),
                    now.get().nodes(),
                    Effect.JOIN,
                    grows ? EnumSet.allOf(Progress.class) : EnumSet.complementOf(EnumSet.of(Progress.PLACED)),
                    "a node leaves only a cluster that is complete; keep "
                            + old.get().nodes() + " until then");
            to.compare(path + ".seeds", old.get().seeds(), now.get().seeds(), Effect.LATER, Progress.CREATED, null);
            to.compare(
                    path + ".racks",
                    old.get().racks(),
                    now.get().racks(),
                    Effect.LATER,
                    Progress.DECLARED,
                    "a node cannot move to another rack");
        }
    }

    /** Tokens rest on the numbers of the datacenters, which must stay what they were: only the end of the order can change. */
    private static Set<Progress> addedAt(ClusterSpec before, ClusterSpec after, DatacenterName name) {
        return after.datacenterNames().indexOf(name) >= before.datacenters().size()
                ? EnumSet.allOf(Progress.class)
                : EnumSet.of(Progress.DECLARED);
    }

    private static Set<Progress> removedAt(ClusterSpec before, ClusterSpec after, DatacenterName name) {
        return before.datacenterNames().indexOf(name) >= after.datacenters().size()
                ? EnumSet.complementOf(EnumSet.of(Progress.PLACED))
                : EnumSet.of(Progress.DECLARED);
    }

    private static List<DatacenterName> union(ClusterSpec before, ClusterSpec after) {
        List<DatacenterName> names = new ArrayList<>(before.datacenterNames());
        after.datacenterNames().stream().filter(n -> !names.contains(n)).forEach(names::add);
        return names;
    }

    private static Set<String> union(Map<String, Object> before, Map<String, Object> after) {
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return names;
    }

    private static final class Collector {
        private final List<Change> changes = new ArrayList<>();

        void restart(String field, @Nullable Object before, @Nullable Object after) {
            compare(field, before, after, Effect.RESTART, Progress.CREATED, null);
        }

        void compare(
                String field,
                @Nullable Object before,
                @Nullable Object after,
                Effect effect,
                Progress supportedUntil,
                @Nullable String advice) {
            compare(field, before, after, effect, EnumSet.range(Progress.DECLARED, supportedUntil), advice);
        }

        void compare(
                String field,
                @Nullable Object before,
                @Nullable Object after,
                Effect effect,
                Set<Progress> supportedAt,
                @Nullable String advice) {
            if (!Objects.equals(before, after)) {
                changes.add(new Change(
                        field,
                        before == null ? null : before.toString(),
                        after == null ? null : after.toString(),
                        effect,
                        Set.copyOf(supportedAt),
                        advice));
            }
        }
    }
}

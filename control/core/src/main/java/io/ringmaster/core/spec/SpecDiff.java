package io.ringmaster.core.spec;

import io.ringmaster.core.spec.SpecDiff.Change.Effect;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.Keep;
import io.ringmaster.model.spec.LiveParameters;
import io.ringmaster.model.spec.RepairSchedule;
import io.ringmaster.model.spec.Size;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The changes between two versions of a spec, and the effect of each on a cluster that exists. */
public record SpecDiff(List<Change> changes) {
    private static final Set<Progress> ALWAYS = EnumSet.allOf(Progress.class);
    private static final String ADD = "list it after all datacenters that the cluster has";
    private static final String CASSANDRA_YAML = "cassandra_yaml.";

    public SpecDiff {
        changes = List.copyOf(changes);
    }

    /** The progress of a cluster, which decides what may still change. */
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
     * @param before the old value as text, or null if there was none
     * @param after the new value as text, or null if there is none
     * @param supportedAt the progress at which the change is supported
     * @param advice an alternative where it is not supported, or null
     */
    public record Change(
            String field,
            @Nullable String before,
            @Nullable String after,
            Effect effect,
            Set<Progress> supportedAt,
            @Nullable String advice) {

        /** The effect of a supported change. */
        public enum Effect {
            /** Nodes restart one after another with the new value. */
            RESTART,
            /** Running nodes apply it one after another, without a restart. */
            LIVE,
            /** Nodes join or leave one after another. */
            JOIN,
            /** Nothing restarts: it applies from the next start or placement. */
            LATER
        }

        /** Whether a different value of the field could be applied live. */
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
                "the size of a volume cannot change");
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
        to.compare("backup", backup(before), backup(after), Effect.LATER, Progress.CREATED, null);
        to.compare(
                "restore",
                before.restore(),
                after.restore(),
                Effect.LATER,
                after.restore() == null
                        ? EnumSet.of(Progress.DECLARED, Progress.CREATED)
                        : EnumSet.of(Progress.DECLARED),
                after.restore() == null
                        ? "delete the cluster, then declare it again"
                        : "a backup becomes a new cluster: restore it under another name");
        to.compare(
                "tls.internode",
                internode(before),
                internode(after),
                Effect.RESTART,
                Progress.DECLARED,
                "nodes with TLS and without it do not talk to each other; declare a new cluster");
        to.compare(
                "tls.clients",
                clients(before),
                clients(after),
                Effect.RESTART,
                Progress.DECLARED,
                "clients and nodes cannot change it together yet; declare a new cluster");
        roles(before, after, to);
        to.compare(
                "placement.nodes_per_machine",
                before.placement().nodesPerMachine(),
                after.placement().nodesPerMachine(),
                Effect.LATER,
                Progress.CREATED,
                null);
        to.compare(
                "placement.racks",
                before.placement().racks().name().toLowerCase(Locale.ROOT),
                after.placement().racks().name().toLowerCase(Locale.ROOT),
                Effect.LATER,
                Progress.CREATED,
                null);
        return new SpecDiff(to.changes);
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Whether running nodes must restart. */
    public boolean restarts() {
        return changes.stream().anyMatch(c -> c.effect() == Effect.RESTART);
    }

    /** The changes that affect a running node; if all of them are {@code LIVE}, it does not restart. */
    public List<Change> ofNode() {
        return changes.stream()
                .filter(c -> c.effect() == Effect.RESTART || c.effect() == Effect.LIVE)
                .toList();
    }

    /** A refusal for each change that is not supported at this progress. */
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

    private static void roles(ClusterSpec before, ClusterSpec after, Collector to) {
        to.compare(
                "roles",
                before.requiresLogin() ? "login" : null,
                after.requiresLogin() ? "login" : null,
                Effect.RESTART,
                Progress.PLACED,
                after.requiresLogin()
                        ? "clients would be refused while nodes restart; declare a new cluster with roles"
                        : "login cannot be turned off, and every client would be let in; keep roles");
        Map<String, Object> had = RolesField.texts(before);
        Map<String, Object> has = RolesField.texts(after);
        for (String name : union(had, has)) {
            to.compare("roles." + name, had.get(name), has.get(name), Effect.LATER, Progress.CREATED, null);
        }
    }

    private static @Nullable String internode(ClusterSpec spec) {
        return spec.tls() == null ? null : TlsField.name(spec.tls().internode());
    }

    private static @Nullable String clients(ClusterSpec spec) {
        return spec.tls() == null || !spec.tls().encryptsCql()
                ? null
                : TlsField.name(spec.tls().clients());
    }

    private static @Nullable String backup(ClusterSpec spec) {
        BackupSchedule schedule = spec.backup();
        if (schedule == null) {
            return null;
        }
        Keep keep = schedule.keep();
        long limit = schedule.bytesPerSecond();
        return "to " + schedule.to() + " every " + Age.write(Duration.ofMinutes(schedule.everyMinutes()))
                + (keep == null ? "" : ", keep last " + keep.last() + ", daily " + keep.daily())
                + (limit == 0 ? "" : ", bandwidth " + Size.write(limit) + "/s");
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
                "tokens depend on the order of the datacenters; keep the order");
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
                                ? ADD
                                : "only the datacenters listed last can be removed, and only from a complete cluster");
                continue;
            }
            to.compare(
                    path + ".nodes",
                    old.get().nodes(),
                    now.get().nodes(),
                    Effect.JOIN,
                    EnumSet.allOf(Progress.class),
                    null);
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

    /**
     * Tokens depend on the positions of the datacenters, which must not change: a datacenter can be added or removed
     * only at the end of the order.
     */
    private static Set<Progress> addedAt(ClusterSpec before, ClusterSpec after, DatacenterName name) {
        return after.datacenterNames().indexOf(name) >= before.datacenters().size()
                ? ALWAYS
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

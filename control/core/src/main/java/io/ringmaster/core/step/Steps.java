package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeChange;
import io.ringmaster.model.plan.NodeChangeKind;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The catalogue of steps, which reads a stored step back. A new step is one record and one line here. */
public final class Steps {
    /** The names are stored, so they never change. */
    private static final List<Entry> CATALOGUE = List.of(
            new Entry("acquire-lock", AcquireLock.class),
            new Entry("await-datacenter", AwaitDatacenter.class),
            new Entry("collect-backups", CollectBackups.class),
            new Entry("commit-backup", CommitBackup.class),
            new Entry(StepState.DEPLOY_NODE, DeployNode.class),
            // like release-node, it is stored with the word that its volume's data goes
            new Entry("destroy-volume", DestroyVolume.class, Map.of("destroy_volume", "true")),
            new Entry(StepState.EVACUATE_NODE, EvacuateNode.class),
            new Entry("forget-cluster", ForgetCluster.class),
            new Entry("leave-ring", LeaveRing.class),
            new Entry("mark-restored", MarkRestored.class),
            new Entry("reconcile-nodes", ReconcileNodes.class),
            new Entry("release-node", ReleaseNode.class),
            new Entry("repair-ranges", RepairRanges.class),
            new Entry(StepState.REPLACE_NODE, ReplaceNode.class),
            new Entry("restart-node", RestartNode.class),
            new Entry("rewrite-roles", RewriteRoles.class),
            new Entry("run-task", RunTask.class),
            new Entry("run-transfer", RunTransfer.class),
            new Entry("start-stop-node", StartStopNode.class),
            new Entry("stop-node", StopNode.class),
            new Entry("sync-datacenter", SyncDatacenter.class),
            new Entry("verify-ring", VerifyRing.class),
            new Entry("write-roles", WriteRoles.class));

    /** Names in plans of servers before version 0.1. */
    private static final Map<String, String> FORMER_NAMES = Map.of(
            "await-turn", "await-datacenter", "await-request", "acquire-lock", "switch-daemon", "start-stop-node");

    private static final Map<String, Entry> BY_NAME =
            CATALOGUE.stream().collect(Collectors.toUnmodifiableMap(Entry::name, Function.identity()));
    private static final Map<Class<?>, Entry> BY_TYPE =
            CATALOGUE.stream().collect(Collectors.toUnmodifiableMap(Entry::type, Function.identity()));

    private Steps() {}

    /** @param constants stored with the step's own arguments */
    private record Entry(String name, Class<? extends Step> type, StepCodec codec, Map<String, String> constants) {
        Entry(String name, Class<? extends Step> type, Map<String, String> constants) {
            this(name, type, new StepCodec(type), constants);
        }

        Entry(String name, Class<? extends Step> type) {
            this(name, type, Map.of());
        }
    }

    /** The types of all steps. */
    static Set<Class<?>> types() {
        return BY_TYPE.keySet();
    }

    /** @throws IllegalArgumentException if no such step is known, as when a newer version stored the plan */
    public static Step of(StepState state) {
        Entry entry = BY_NAME.get(FORMER_NAMES.getOrDefault(state.type(), state.type()));
        if (entry == null) {
            throw new IllegalArgumentException("step '" + state.name() + "' is of unknown type '" + state.type() + "'");
        }
        return entry.codec().step(state.args());
    }

    /** Whether the stored step is of the type. */
    public static boolean is(StepState state, Class<? extends Step> type) {
        return state.type().equals(entry(type).name());
    }

    /** The stored step if it is of the type; empty for any other and for one whose arguments cannot be read. */
    public static <S extends Step> Optional<S> as(StepState state, Class<S> type) {
        return is(state, type) ? readable(state).map(type::cast) : Optional.empty();
    }

    /** The stored step; empty if a newer version stored it and it cannot be read here. */
    public static Optional<Step> readable(StepState state) {
        try {
            return Optional.of(of(state));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Entry entry(Class<?> type) {
        Entry entry = BY_TYPE.get(type);
        if (entry == null) {
            throw new IllegalArgumentException(type + " is not in the catalogue of steps");
        }
        return entry;
    }

    /** The step as it stands in a new plan. */
    public static StepState pending(Step step) {
        return pending(step, null, null);
    }

    /** @param will what it is about to do, for people */
    public static StepState pending(Step step, String will) {
        return pending(step, will, null);
    }

    /** The step, which will change its node, as it stands in a new plan. */
    public static StepState pending(Step step, NodeChange change) {
        return pending(step, change.text(), change.kind());
    }

    private static StepState pending(Step step, @Nullable String will, @Nullable NodeChangeKind change) {
        Entry entry = entry(step.getClass());
        Map<String, String> args = new TreeMap<>(entry.codec().args(step));
        args.putAll(entry.constants());
        return new StepState(
                step.name(),
                entry.name(),
                args,
                Map.of(),
                StepState.Status.PENDING,
                null,
                null,
                will,
                null,
                null,
                change);
    }

    /** A phase in which no step has started. */
    public static Phase phase(String name, Phase.Strategy strategy, Stream<? extends Step> steps) {
        return new Phase(name, strategy, steps.<StepState>map(Steps::pending).toList());
    }
}

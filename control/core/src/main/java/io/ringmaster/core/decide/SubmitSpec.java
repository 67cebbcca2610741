package io.ringmaster.core.decide;

import io.ringmaster.core.operation.Deploy;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.spec.SpecFeasibility;
import io.ringmaster.core.view.SeededText;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides on a submitted spec: a refusal, no change, or a new version with its plan. Changes nothing itself. */
public final class SubmitSpec {
    private final View view;
    private final String source;
    private final ClusterSpec spec;
    private final @Nullable Long expectedVersion;
    private final String who;
    private final boolean forced;
    private final @Nullable RestoreOrigin origin;
    private final ClusterName cluster;

    public SubmitSpec(
            View view, String source, ClusterSpec spec, @Nullable Long expectedVersion, String who, boolean forced) {
        this(view, source, spec, expectedVersion, who, forced, null);
    }

    /** @param origin what the server read of the backup that the spec names; null if it names none */
    public SubmitSpec(
            View view,
            String source,
            ClusterSpec spec,
            @Nullable Long expectedVersion,
            String who,
            boolean forced,
            @Nullable RestoreOrigin origin) {
        this.view = view;
        this.source = source;
        this.spec = spec;
        this.expectedVersion = expectedVersion;
        this.who = who;
        this.forced = forced;
        this.origin = origin;
        this.cluster = spec.name();
    }

    public Answer<Decision<ApplyResult>> answer() {
        ClusterRecord known = view.clusters().get(cluster);
        ClusterRecord declared = known == null || known.deleting() ? null : known;
        Optional<Problem> conflict =
                conflict(declared == null ? 0 : declared.targetSpecVersion()).or(() -> busy(known));
        if (conflict.isPresent()) {
            return Answer.refused(conflict.get());
        }
        Optional<SpecRecord> target = declared == null ? Optional.empty() : view.targetSpec(cluster);
        boolean newlyForced = forced && target.isPresent() && !target.get().forced();
        if (target.isPresent() && target.get().spec().equals(spec) && !newlyForced) {
            if (isLeftUndone(target.get())) {
                return PlanBuilder.draft(view, List.of(), new Deploy(), cluster, Map.of(), who)
                        .then(p -> Answer.accepted(
                                new Decision<>(new ApplyResult(target.get(), true, p.result()), p.changes())));
            }
            return Answer.accepted(new Decision<>(new ApplyResult(target.get(), false, null), List.of()));
        }
        Optional<SpecRecord> former = target.or(this::declaredElsewhere);
        Optional<Problem> other = former.flatMap(this::otherBackup);
        if (other.isPresent()) {
            return Answer.refused(other.get());
        }
        List<Problem> infeasible = infeasible(former.map(SpecRecord::spec));
        if (!infeasible.isEmpty()) {
            return Answer.refused(infeasible);
        }
        SpecRecord record = next(target);
        List<Change> changes = List.of(
                new Change.Put(record),
                new Change.Put(
                        declared == null
                                ? new ClusterRecord(cluster, record.version(), false, false, false).withVolumesOf(known)
                                : declared.withTarget(record.version())));
        return PlanBuilder.draft(view, changes, new Deploy(), cluster, Map.of(), who)
                .then(p -> Answer.accepted(new Decision<>(new ApplyResult(record, true, p.result()), p.changes())));
    }

    /** Whether nobody deploys this version here: its plan was aborted, or it ended without creating the cluster. */
    private boolean isLeftUndone(SpecRecord target) {
        return isAborted(target)
                || (!Seeds.created(view, cluster)
                        && plans().allMatch(p -> p.status().isOver()));
    }

    private boolean isAborted(SpecRecord target) {
        return plans().filter(p -> p.operation().equals(Deploy.NAME) && p.specVersion() == target.version())
                .max(Comparator.comparing(Plan::id))
                .filter(p -> p.status() == PlanStatus.ABORTED)
                .isPresent();
    }

    private Stream<Plan> plans() {
        return view.plans().values().stream().filter(p -> p.cluster().equals(cluster));
    }

    private SpecRecord next(Optional<SpecRecord> target) {
        long version = newestVersion() + 1;
        Optional<SpecRecord> before = target.or(this::declaredElsewhere);
        return new SpecRecord(
                cluster,
                version,
                spec,
                source,
                who,
                view.datacenter(),
                view.now(),
                before.isPresent()
                        ? before.get().incarnation()
                        : SpecRecord.incarnation(view.datacenter(), version, SeededText.hex(view, cluster.value(), 16)),
                forced,
                Seeds.created(view, cluster) ? null : origin);
    }

    /** Some nodes may have the data of one backup already, and none of another. */
    private Optional<Problem> otherBackup(SpecRecord before) {
        return Seeds.created(view, cluster) || Objects.equals(before.spec().restore(), spec.restore())
                ? Optional.empty()
                : Optional.of(new Problem(
                        ErrorCode.SPEC_CHANGE_UNSUPPORTED,
                        "restore",
                        "cannot change before " + cluster + " is created",
                        "delete the cluster, then declare it again"));
    }

    private Optional<Problem> conflict(long current) {
        if (expectedVersion == null || expectedVersion == current) {
            return Optional.empty();
        }
        if (expectedVersion == 0) {
            return Optional.of(Problem.of(
                    ErrorCode.VERSION_CONFLICT,
                    cluster + " exists already, at version " + current,
                    Advice.command("cluster status " + cluster)
                            .suffix(" shows it; change it with cluster apply, or choose another name")));
        }
        String actual = current == 0 ? "does not exist" : "is at version " + current;
        return Optional.of(Problem.of(
                ErrorCode.VERSION_CONFLICT,
                cluster + " " + actual + ", expected version " + expectedVersion,
                "read the current spec, then apply again"));
    }

    /** The name of a deleted cluster is free again when no datacenter has anything left of the old one. */
    private Optional<Problem> busy(@Nullable ClusterRecord known) {
        if (known == null || !known.deleting()) {
            return Optional.empty();
        }
        if (view.exists(cluster)) {
            return Optional.of(stillThere(view.datacenter()));
        }
        return view.peers().keySet().stream()
                .filter(peer -> view.lastPart(peer, cluster)
                        .map(p -> p.deleting() ? !p.nodes().isEmpty() : isTheDeleted(p))
                        .orElse(false))
                .findFirst()
                .map(this::stillThere);
    }

    /** False for a cluster of the same name that was declared there after the delete. */
    private boolean isTheDeleted(ClusterPart part) {
        return view.targetSpec(cluster)
                .filter(own -> own.isSameCluster(part.spec()))
                .isPresent();
    }

    private Problem stillThere(DatacenterName where) {
        return Problem.of(
                ErrorCode.CLUSTER_BUSY,
                "the deleted " + cluster + " still has nodes in " + where,
                "wait until its delete plans are complete, or choose another name");
    }

    private List<Problem> infeasible(Optional<ClusterSpec> former) {
        if (!view.poolSeen()) {
            return List.of(Problem.of(ErrorCode.POOL_UNAVAILABLE, view.poolUnseen(), "try again in a few seconds"));
        }
        Set<DatacenterName> known = new TreeSet<>(view.knownPeers());
        known.addAll(view.peers().keySet());
        known.add(view.datacenter());
        Optional<Problem> name = former.isEmpty() ? ambiguousName(known) : Optional.empty();
        return Stream.concat(
                        name.stream(),
                        SpecFeasibility.problems(
                                spec,
                                former,
                                known,
                                Map.of(view.datacenter(), view.machines().values()))
                                .stream())
                .toList();
    }

    /** Commands take the id of a plan or the name of a cluster: one of the two would never be found. */
    private Optional<Problem> ambiguousName(Set<DatacenterName> known) {
        int dash = cluster.value().lastIndexOf('-');
        String before = dash < 0 ? "" : cluster.value().substring(0, dash);
        return cluster.value().matches(".*-\\d+")
                        && known.stream().anyMatch(d -> d.value().equals(before))
                ? Optional.of(new Problem(
                        ErrorCode.SPEC_INVALID,
                        "cluster",
                        "'" + cluster + "' is the form of the ids of the plans of " + before
                                + ": a datacenter and a number",
                        "choose another name"))
                : Optional.empty();
    }

    private long newestVersion() {
        ClusterRecord known = view.clusters().get(cluster);
        long here = known == null ? 0 : known.targetSpecVersion();
        return partsElsewhere().mapToLong(p -> p.spec().version()).reduce(here, Math::max);
    }

    private Optional<SpecRecord> declaredElsewhere() {
        return partsElsewhere()
                .filter(p -> !p.deleting())
                .map(ClusterPart::spec)
                .max(Comparator.comparingLong(SpecRecord::version));
    }

    private Stream<ClusterPart> partsElsewhere() {
        return view.peers().keySet().stream().flatMap(peer -> view.lastPart(peer, cluster).stream());
    }
}

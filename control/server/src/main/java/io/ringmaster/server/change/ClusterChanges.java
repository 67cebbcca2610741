package io.ringmaster.server.change;

import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.core.lint.PlanImpacts;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.plan.PlanDigests;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.spec.ClusterSpecs;
import io.ringmaster.core.spec.ParsedSpec;
import io.ringmaster.core.spec.SpecDefaults;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.model.spec.RoleSpec;
import io.ringmaster.server.access.Rights;
import io.ringmaster.server.backup.BackupLocations;
import io.ringmaster.server.backup.BackupReader;
import io.ringmaster.server.backup.RestoreMarks;
import io.ringmaster.server.read.FleetReader;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.server.secret.PasswordDirectory;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.api.Unanswered;
import io.ringmaster.wire.client.ChangeOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Applies and deletes clusters. Other affected datacenters check the change first, as a dry run: a change that one of
 * them would refuse changes nothing anywhere.
 */
public final class ClusterChanges {
    private final Views views;
    private final ControllerGateway controller;
    private final PeerCheck peers;
    private final BackupReader backups;
    private final BackupLocations locations;
    private final RestoreMarks marks;
    private final RolePasswordCheck passwords;
    private final SpecCompletion completion;

    /** @param secure new clusters get TLS and login, unless their specs say otherwise */
    public ClusterChanges(
            Views views,
            ControllerGateway controller,
            FleetReader fleet,
            BackupReader backups,
            BackupLocations locations,
            RestoreMarks marks,
            PasswordDirectory passwords,
            boolean secure) {
        this.views = views;
        this.controller = controller;
        this.peers = new PeerCheck(fleet);
        this.backups = backups;
        this.locations = locations;
        this.marks = marks;
        this.passwords = new RolePasswordCheck(passwords);
        this.completion = new SpecCompletion(secure);
    }

    /**
     * @param ifVersion refuse unless the stored spec has this version (0: the cluster must be new); null accepts every
     *     one
     */
    public ChangeAnswer apply(
            ClusterName cluster, String text, @Nullable Long ifVersion, Principal who, ChangeOptions options) {
        SpecDefaults completed = completion.complete(views.now(), parse(cluster, text), text);
        return applyAll(cluster, completed.yaml(), ifVersion, who, options).adding(completed.added());
    }

    private ChangeAnswer applyAll(
            ClusterName cluster, String yaml, @Nullable Long ifVersion, Principal who, ChangeOptions options) {
        ClusterSpec spec = parse(cluster, yaml);
        requireLocation(spec);
        requireAdmin(spec, who);
        passwords.require(views.now(), spec);
        RestoreOrigin origin = origin(spec, who);
        ApplyResult draft = controller.request(
                who, c -> c.restoring(origin).applySpec(yaml, spec, ifVersion, who.name(), options.force(), true));
        long version = draft.spec().version();
        if (!draft.changed()) {
            return answer(cluster, version, false, List.of(), List.of(), options);
        }
        View view = views.now();
        // a datacenter that has already left has no part to check
        var others = peers.of(
                view,
                affected(view, spec),
                options,
                peer -> peer.apply(cluster, yaml, null, PeerCheck.check(options))
                        .plans(),
                ErrorCode.DATACENTER_UNKNOWN);
        ChangeAnswer drafted = answer(cluster, version, true, others.and(draft.plan()), others.unanswered(), options);
        if (options.dryRun()) {
            return drafted;
        }
        PlanDigest own = PeerCheck.own(draft.plan(), options);
        if (origin != null && spec.restore() != null) {
            marks.hold(cluster, spec.restore());
        }
        ApplyResult done = controller.request(who, c -> c.restoring(origin)
                .ifPlan(own)
                .applySpec(yaml, spec, ifVersion, who.name(), options.force(), false));
        return new ChangeAnswer(
                cluster,
                done.spec().version(),
                false,
                done.changed(),
                Stream.ofNullable(done.plan()).toList(),
                others.unanswered());
    }

    /**
     * What this server reads of the backup that a new cluster starts from. It is read once: later versions are of the
     * same backup. Each datacenter reads it for its check, because its nodes fetch their data by its locations.
     */
    private @Nullable RestoreOrigin origin(ClusterSpec spec, Principal who) {
        RestoreSource source = spec.restore();
        View view = views.now();
        if (source == null || Seeds.created(view, spec.name())) {
            return null;
        }
        // its data would become readable in the new cluster
        Rights.require(who, Role.OPERATOR, source.cluster(), "a new cluster from a backup of " + source.cluster());
        return view.targetSpec(spec.name())
                .filter(known -> source.equals(known.spec().restore()))
                .map(SpecRecord::origin)
                .orElseGet(() -> read(source, spec, who));
    }

    /** A cluster with roles keeps its rows from operators; one without roles would show them to every client. */
    private RestoreOrigin read(RestoreSource source, ClusterSpec spec, Principal who) {
        if (spec.roles() == null && !who.role().includes(Role.ADMIN) && backups.mayRequireLogin(source)) {
            Rights.require(
                    who,
                    Role.ADMIN,
                    source.cluster(),
                    "a new cluster without roles from a backup of " + source.cluster() + ", which has roles,");
        }
        return backups.origin(source);
    }

    /** Each datacenter's server checks its own: the nodes of a datacenter use the locations of its server. */
    private void requireLocation(ClusterSpec spec) {
        if (spec.backup() != null) {
            locations.require("backup.to", spec.backup().to());
        }
    }

    /** Who declares a superuser can do everything with the data. */
    private void requireAdmin(ClusterSpec spec, Principal who) {
        Optional<ClusterSpec> known = SpecCompletion.known(views.now(), spec.name());
        List<RoleSpec> before = known.map(ClusterSpec::roles).orElse(null);
        // a new cluster that lets nobody in needs no more rights than one that lets everybody in
        boolean letsNobodyIn = known.isEmpty() && List.of().equals(spec.roles());
        if (!letsNobodyIn && !Objects.equals(before, spec.roles())) {
            Rights.require(who, Role.ADMIN, spec.name(), "a change of roles");
        }
    }

    /** The datacenters of the new spec and of the stored one. */
    private static Set<DatacenterName> affected(View view, ClusterSpec spec) {
        Set<DatacenterName> all = new TreeSet<>(spec.datacenterNames());
        view.targetSpec(spec.name()).ifPresent(s -> all.addAll(s.spec().datacenterNames()));
        return all;
    }

    /** @param destroyData destroy the volumes too */
    public ChangeAnswer delete(
            ClusterName cluster, boolean destroyData, @Nullable Long ifVersion, Principal who, ChangeOptions options) {
        View view = views.now();
        SpecRecord spec = view.targetSpec(cluster).orElseThrow(() -> unknown(cluster));
        if (ifVersion != null && ifVersion != spec.version()) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.VERSION_CONFLICT,
                    "cluster " + cluster + " has version " + spec.version() + ", not " + ifVersion,
                    "read the spec again, then decide"));
        }
        var params = Map.of(Delete.DESTROY_DATA, Boolean.toString(destroyData));
        Plan draft = controller.request(who, c -> c.run(Delete.NAME, cluster, params, who.name(), true));
        var others = peers.of(
                view,
                spec.spec().datacenterNames(),
                options,
                peer -> peer.delete(cluster, destroyData, null, PeerCheck.CHECK).plans(),
                ErrorCode.CLUSTER_UNKNOWN);
        ChangeAnswer drafted = answer(cluster, spec.version(), true, others.and(draft), others.unanswered(), options);
        if (options.dryRun()) {
            return drafted;
        }
        PlanDigest own = PeerCheck.own(draft, options);
        Plan plan = controller.request(who, c -> c.ifPlan(own).run(Delete.NAME, cluster, params, who.name(), false));
        return new ChangeAnswer(cluster, spec.version(), false, true, List.of(plan), others.unanswered());
    }

    /**
     * The answer to a dry run, or to a change that changes nothing.
     *
     * @throws ProblemException the plans are not those that the caller accepted
     */
    private static ChangeAnswer answer(
            ClusterName cluster,
            long version,
            boolean changed,
            List<Plan> plans,
            List<Unanswered> unanswered,
            ChangeOptions options) {
        PeerCheck.requirePlans(cluster, plans, options);
        return new ChangeAnswer(
                cluster,
                version,
                options.dryRun(),
                changed,
                plans,
                unanswered,
                options.dryRun() ? PlanDigests.of(plans) : null,
                options.dryRun() ? PlanImpacts.of(plans) : null,
                List.of());
    }

    public static ProblemException unknown(ClusterName cluster) {
        return ProblemException.of(Problem.of(
                ErrorCode.CLUSTER_UNKNOWN,
                "no cluster " + cluster + " exists in this fleet",
                Advice.command("cluster list")));
    }

    private ClusterSpec parse(ClusterName cluster, String yaml) {
        ParsedSpec parsed = ClusterSpecs.parse(
                yaml, SpecCompletion.known(views.now(), cluster).orElse(null));
        if (!(parsed instanceof ParsedSpec.Valid valid)) {
            throw ProblemException.of(parsed.problems());
        }
        if (!valid.spec().name().equals(cluster)) {
            throw ProblemException.of(new Problem(
                    ErrorCode.SPEC_INVALID,
                    "cluster",
                    "'" + valid.spec().name() + "' must be '" + cluster + "', the cluster in the URL",
                    (Advice) null));
        }
        return valid.spec();
    }
}

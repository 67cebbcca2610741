package io.ringmaster.controller;

import io.ringmaster.core.access.ApiTokens;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.core.decide.ControlPlan;
import io.ringmaster.core.decide.Decision;
import io.ringmaster.core.decide.DiscardVolume;
import io.ringmaster.core.decide.StartPlan;
import io.ringmaster.core.decide.SubmitOperation;
import io.ringmaster.core.decide.SubmitResult;
import io.ringmaster.core.decide.SubmitSpec;
import io.ringmaster.core.plan.PlanDigests;
import io.ringmaster.core.plan.Plans;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.AuditOrigin;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests of users. Each is decided in the core, stored with its audit entry, and refused while this server does
 * not lead. A refused request changes nothing; a dry run decides and stores nothing.
 */
public final class ControllerRequests {
    private final Controller controller;
    private final @Nullable PlanDigest expected;
    private final @Nullable RestoreOrigin backup;
    private final @Nullable AuditOrigin from;

    ControllerRequests(Controller controller) {
        this(controller, null, null, null);
    }

    private ControllerRequests(
            Controller controller,
            @Nullable PlanDigest expected,
            @Nullable RestoreOrigin backup,
            @Nullable AuditOrigin from) {
        this.controller = controller;
        this.expected = expected;
        this.backup = backup;
        this.from = from;
    }

    /** The same requests, audited with this origin. */
    public ControllerRequests from(AuditOrigin origin) {
        return new ControllerRequests(controller, expected, backup, origin);
    }

    /**
     * The same requests, refused with PLAN_CHANGED unless this datacenter's part is still the expected one.
     *
     * @param digest of this datacenter's draft; null accepts every plan
     */
    public ControllerRequests ifPlan(@Nullable PlanDigest digest) {
        return new ControllerRequests(controller, digest, backup, from);
    }

    /** The same requests; a spec among them names this backup. Null for one that names none. */
    public ControllerRequests restoring(@Nullable RestoreOrigin source) {
        return new ControllerRequests(controller, expected, source, from);
    }

    private <T> Answer<Decision<T>> expected(Decision<T> decision, ClusterName cluster, @Nullable Plan plan) {
        boolean asExpected = expected == null
                || expected.equals(PlanDigests.of(Stream.ofNullable(plan).toList()));
        return asExpected ? Answer.accepted(decision) : Answer.refused(PlanDigests.changed(cluster));
    }

    /**
     * Declares a cluster.
     *
     * @param source the YAML as written
     * @param expectedVersion refused with VERSION_CONFLICT unless this is the newest version (0: the cluster must be
     *     new); null does not care
     * @param who for the audit
     * @param forced see {@code SpecRecord.forced}
     */
    public Answer<ApplyResult> applySpec(
            String source,
            ClusterSpec spec,
            @Nullable Long expectedVersion,
            String who,
            boolean forced,
            boolean dryRun) {
        return controller
                .whenOpen(view -> new SubmitSpec(view, source, spec, expectedVersion, who, forced, backup).answer())
                .then(accepted ->
                        expected(accepted, spec.name(), accepted.result().plan()))
                .then(accepted -> dryRun || !accepted.result().changed()
                        ? Answer.accepted(accepted.result())
                        : controller.store(
                                accepted.result(),
                                accepted.changes(),
                                from,
                                who,
                                "apply " + spec.name() + (forced ? " by force" : ""),
                                "version " + accepted.result().spec().version()));
    }

    /**
     * Starts a plan that follows from the declaration: {@code deploy} plans the declared spec again; {@code delete}
     * removes the cluster.
     */
    public Answer<Plan> run(
            String operation, ClusterName cluster, Map<String, String> params, String who, boolean dryRun) {
        String what = operation + " " + cluster + (params.isEmpty() ? "" : " " + params);
        return controller
                .whenOpen(view -> new StartPlan(view, operation, cluster, params, who).answer())
                .then(proposal -> expected(proposal, cluster, proposal.result()))
                .then(proposal -> dryRun
                        ? Answer.accepted(proposal.result())
                        : controller.store(
                                proposal.result(),
                                proposal.changes(),
                                from,
                                who,
                                what,
                                "plan " + proposal.result().id()));
    }

    /**
     * Asks for an operation of the catalogue.
     *
     * @param why for the audit, or empty
     */
    public Answer<SubmitResult> ask(
            String operation, ClusterName cluster, Map<String, String> params, String who, String why, boolean dryRun) {
        String what = operation + " " + cluster + (params.isEmpty() ? "" : " " + params)
                + (why.isEmpty() ? "" : " because: " + why);
        return controller
                .whenOpen(view -> new SubmitOperation(view, operation, cluster, params, who, why).answer())
                .then(accepted -> expected(accepted, cluster, accepted.result().plan()))
                .then(accepted -> dryRun
                        ? Answer.accepted(accepted.result())
                        : controller.store(
                                accepted.result(),
                                accepted.changes(),
                                from,
                                who,
                                what,
                                "request " + accepted.result().request().id()));
    }

    /** @param step names the step to retry (null: all that failed) or to force; not used by the other verbs */
    public Answer<Plan> control(PlanId id, PlanVerb verb, @Nullable String step, String who) {
        String what = verb.label() + " plan " + id + (step == null ? "" : " step '" + step + "'");
        return controller
                .whenOpen(view -> known(view, id).then(plan -> new ControlPlan(view, plan, verb, step, who).answer()))
                .then(accepted -> controller.store(accepted.result(), accepted.changes(), from, who, what, "done"))
                .then(plan -> Answer.accepted(controller.view().plans().getOrDefault(id, plan)));
    }

    /** Keeps with a plan what a load beside it met; the plan may be over. */
    public Answer<Plan> keepLoad(PlanId id, PlanLoad load, String who) {
        return controller
                .whenOpen(view -> known(view, id))
                .then(plan -> Answer.accepted(Plans.withLoad(plan, load)))
                .then(plan -> controller.store(
                        plan,
                        List.of(new Change.Put(new PlanRecord(plan))),
                        from,
                        who,
                        "load beside plan " + id,
                        load.failed() + " of " + load.requests() + " requests failed"));
    }

    private static Answer<Plan> known(View view, PlanId id) {
        Plan plan = view.plans().get(id);
        return plan == null
                ? Answer.refused(Problem.of(
                        ErrorCode.PLAN_UNKNOWN, "no plan " + id + " is known here", Advice.command("plan list")))
                : Answer.accepted(plan);
    }

    /** Places nothing new on the machine from now on; what runs there stays. */
    public Answer<MachineName> cordon(MachineName machine, String reason, String who) {
        Change change = new Change.Put(new CordonRecord(machine, reason));
        return mark(machine, change, who, "cordon " + machine + ": " + reason);
    }

    public Answer<MachineName> uncordon(MachineName machine, String who) {
        Change change = new Change.Remove(new RecordKey.OfCordon(machine));
        return mark(machine, change, who, "uncordon " + machine);
    }

    private Answer<MachineName> mark(MachineName machine, Change change, String who, String what) {
        return controller
                .whenOpen(view -> view.machines().containsKey(machine)
                        ? Answer.accepted(machine)
                        : Answer.refused(Problem.field(
                                ErrorCode.MACHINE_UNKNOWN,
                                "machine",
                                "'" + machine + "' is no machine of " + view.datacenter() + ", allowed: "
                                        + view.machines().keySet())))
                .then(known -> controller.store(known, List.of(change), from, who, what, "done"));
    }

    /** Orders the destruction of a kept volume. One that was ordered before stays so. */
    public Answer<KeptVolume> discardVolume(AllocationId volume, String who, boolean dryRun) {
        return controller
                .whenOpen(view -> new DiscardVolume(view, volume).answer())
                .then(ordered -> dryRun || ordered.changes().isEmpty()
                        ? Answer.accepted(ordered.result())
                        : controller.store(
                                ordered.result(), ordered.changes(), from, who, "discard volume " + volume, "ordered"));
    }

    /** Stores the record of an API token that the caller has made. */
    public Answer<TokenRecord> createToken(TokenRecord token, boolean dryRun) {
        String what = "create token " + token.id() + " for " + token.name() + ": "
                + token.role().label() + " of " + token.clusters() + " until " + token.expires();
        return controller
                .whenOpen(view -> ApiTokens.create(view, token))
                .then(created -> dryRun ? Answer.accepted(created) : store(created, token.by(), what));
    }

    /** Revokes an API token of any datacenter; one that was revoked before stays so. */
    public Answer<TokenRecord> revokeToken(TokenId id, String who, boolean dryRun) {
        return controller
                .whenOpen(view -> ApiTokens.revoke(view, id, who))
                .then(revoked -> dryRun
                        ? Answer.accepted(revoked)
                        : store(revoked, who, "revoke token " + id + " of " + revoked.name()));
    }

    private Answer<TokenRecord> store(TokenRecord token, String who, String what) {
        return controller.store(token, List.of(new Change.Put(token)), from, who, what, "done");
    }

    /**
     * Keeps an audit entry of a request that changes nothing else: that was refused, or that hands a secret out.
     *
     * @param outcome such as {@code given}
     */
    public Answer<String> noted(String who, String what, String outcome) {
        return controller
                .whenOpen(view -> Answer.accepted(what))
                .then(known -> controller.store(known, List.of(), from, who, what, outcome));
    }
}

package io.ringmaster.controller;

import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.core.decide.StartPlan;
import io.ringmaster.core.decide.SubmitOperation;
import io.ringmaster.core.decide.SubmitResult;
import io.ringmaster.core.decide.SubmitSpec;
import io.ringmaster.core.decide.UnplannableSpec;
import io.ringmaster.core.plan.PlanControl;
import io.ringmaster.core.plan.Plans;
import io.ringmaster.core.status.LocalClusterStatus;
import io.ringmaster.core.status.LocalClusterStatuses;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.Store;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one datacenter. Not thread-safe, starts no thread, never sleeps: whoever owns it calls it from one thread, feeds
 * it facts and elections and calls {@link #tick} from time to time, because some decisions fall due by time alone. Whoever owns it
 * also starts and closes the adapters.
 *
 * <p>Everything is persisted before it is acted on, so the owner may drop it at any point and make a new one over the same store.
 */
public final class Controller {
    private final Clock clock;
    private final Reconciler decider;

    public Controller(
            DatacenterName datacenter,
            List<String> serverUrls,
            Store store,
            Pool pool,
            ExecutorClient agent,
            Peers peers,
            Clock clock,
            long seed,
            Event.Listener listener) {
        this(datacenter, serverUrls, store, pool, agent, peers, clock, seed, listener, Steps::of, 1);
    }

    /**
     * @param catalogue the steps that plans are made of; another one than {@code Steps::of} is for tests of what the steps prevent
     * @param replacementsAtOnce how many nodes of the fleet may be at being replaced at once that nobody asked to replace
     */
    public Controller(
            DatacenterName datacenter,
            List<String> serverUrls,
            Store store,
            Pool pool,
            ExecutorClient agent,
            Peers peers,
            Clock clock,
            long seed,
            Event.Listener listener,
            Function<StepState, Step> catalogue,
            int replacementsAtOnce) {
        this.clock = clock;
        this.decider = new Reconciler(
                datacenter,
                serverUrls,
                store,
                peers,
                new CommandSender(pool, agent),
                clock,
                seed,
                new EventRecorder(listener, clock.now()),
                catalogue,
                replacementsAtOnce);
    }

    /** This server leads from now on: loads the records, watches every launched node, and waits for the pool's picture before it decides. */
    public void elected(long epoch) {
        decider.elected(epoch);
    }

    /** This server leads no more; nothing is decided or sent until it is elected again. */
    public void lost() {
        decider.lost();
    }

    public boolean leads() {
        return decider.leads();
    }

    /** Whether it leads and has read the records since it was elected, so that its view can be shown. */
    public boolean informed() {
        return decider.informed();
    }

    /** Takes a fact, decides, persists, sends. Facts are dropped while another server leads. */
    public void accept(Fact fact) {
        decider.observe(fact);
        decider.decide();
    }

    /** Takes a fact without deciding yet, for owners that have several at once. */
    void observe(Fact fact) {
        decider.observe(fact);
    }

    /** Decides on what was observed. */
    void decide() {
        decider.decide();
    }

    /** Decides what falls due by time: sending again, back-off, silence. Once a second is enough. */
    public void tick() {
        decider.tick();
    }

    /**
     * Declares a cluster.
     *
     * @param source the YAML as written
     * @param expectedVersion refused with VERSION_CONFLICT unless this is the newest version (0: the cluster must be new); null does not care
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
        return whenOpen(view -> new SubmitSpec(view, source, spec, expectedVersion, who, forced).answer())
                .then(accepted -> dryRun || !accepted.result().changed()
                        ? Answer.accepted(accepted.result())
                        : store(
                                accepted.result(),
                                accepted.changes(),
                                who,
                                "apply " + spec.name() + (forced ? " by force" : ""),
                                "version " + accepted.result().spec().version()));
    }

    /** Runs what follows from the declaration: {@code deploy} drafts anew for the declared spec; {@code delete} takes the cluster away. */
    public Answer<Plan> run(
            String operation, ClusterName cluster, Map<String, String> params, String who, boolean dryRun) {
        String what = operation + " " + cluster + (params.isEmpty() ? "" : " " + params);
        return whenOpen(view -> new StartPlan(view, operation, cluster, params, who).answer())
                .then(decision -> dryRun
                        ? Answer.accepted(decision.result())
                        : store(
                                decision.result(),
                                decision.changes(),
                                who,
                                what,
                                "plan " + decision.result().id()));
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
        return whenOpen(view -> new SubmitOperation(view, operation, cluster, params, who, why).answer())
                .then(accepted -> dryRun
                        ? Answer.accepted(accepted.result())
                        : store(
                                accepted.result(),
                                accepted.changes(),
                                who,
                                what,
                                "request " + accepted.result().request().id()));
    }

    /** @param step names the step to retry (null: all that failed) or to force; not used by the other verbs */
    public Answer<Plan> control(PlanId id, PlanVerb verb, @Nullable String step, String who) {
        String what = verb.label() + " plan " + id + (step == null ? "" : " step '" + step + "'");
        return whenOpen(view -> changed(view, id, verb, step, who))
                .then(plan -> store(plan, List.of(new Change.Put(new PlanRecord(plan))), who, what, "done"))
                .then(plan -> Answer.accepted(view().plans().getOrDefault(id, plan)));
    }

    private Answer<Plan> changed(View view, PlanId id, PlanVerb verb, @Nullable String step, String who) {
        return known(view, id).then(plan -> {
            PlanControl.Outcome outcome = PlanControl.apply(plan, verb, step, who, clock.now());
            return outcome.plan() != null
                    ? Answer.accepted(outcome.plan())
                    : Answer.refused(
                            Optional.ofNullable(outcome.refusal()).stream().toList());
        });
    }

    /** Keeps with a plan what a load beside it met; the plan may be over. */
    public Answer<Plan> keepLoad(PlanId id, PlanLoad load, String who) {
        return whenOpen(view -> known(view, id))
                .then(plan -> Answer.accepted(Plans.withLoad(plan, load)))
                .then(plan -> store(
                        plan,
                        List.of(new Change.Put(new PlanRecord(plan))),
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
        Change change = new Change.Remove(new CordonRecord(machine, "").key());
        return mark(machine, change, who, "uncordon " + machine);
    }

    private Answer<MachineName> mark(MachineName machine, Change change, String who, String what) {
        return whenOpen(view -> view.machines().containsKey(machine)
                        ? Answer.accepted(machine)
                        : Answer.refused(Problem.field(
                                ErrorCode.MACHINE_UNKNOWN,
                                "machine",
                                "'" + machine + "' is no machine of " + view.datacenter() + ", allowed: "
                                        + view.machines().keySet())))
                .then(known -> store(known, List.of(change), who, what, "done"));
    }

    /** Everything known now; immutable, safe to hand to other threads. Plans are in {@link View#plans}. */
    public View view() {
        return decider.view();
    }

    public Optional<LocalClusterStatus> clusterStatus(ClusterName cluster) {
        return LocalClusterStatuses.of(
                view(),
                cluster,
                Optional.ofNullable(decider.unplanned().get(cluster))
                        .map(UnplannableSpec::problems)
                        .orElse(List.of()));
    }

    /** Specs of other datacenters that cannot be planned here now, each with the reason. */
    public List<UnplannableSpec> unplanned() {
        return List.copyOf(decider.unplanned().values());
    }

    /** Who asked for what; the oldest first. */
    public List<AuditRecord> audit() {
        return decider.records()
                .all(AuditRecord.class)
                .sorted(Comparator.comparingLong(AuditRecord::number))
                .toList();
    }

    private <T> Answer<T> whenOpen(Function<View, Answer<T>> request) {
        return decider.closed().<Answer<T>>map(Answer::refused).orElseGet(() -> request.apply(decider.look()));
    }

    private <T> Answer<T> store(T answer, List<Change> changes, String who, String what, String outcome) {
        return decider.store(changes, who, what, outcome)
                ? Answer.accepted(answer)
                : Answer.refused(Problem.of(
                        ErrorCode.STORE_UNAVAILABLE,
                        "the store did not answer: it is not known whether the change was made",
                        "look at the cluster, and repeat it if it was not"));
    }
}

package io.ringmaster.core.decide;

import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.operation.Deploy;
import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.operation.Replace;
import io.ringmaster.core.operation.RoleReplication;
import io.ringmaster.core.plan.Advance;
import io.ringmaster.core.plan.PlanEngine;
import io.ringmaster.core.plan.Plans;
import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.core.policy.DepartedDatacenter;
import io.ringmaster.core.policy.OwedRepair;
import io.ringmaster.core.policy.ScheduledBackup;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.core.policy.UnattendedRepair;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.core.safety.ClearTextCheck;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.request.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One reconcile pass over some clusters: from a view to every change and command that follows, repeated until nothing
 * more follows.
 */
public final class ReconcilePass {
    /** More than any chain of steps that complete immediately; a bound in case two rules undo each other. */
    private static final int MAX_ROUNDS = 100;

    private View view;
    private final Set<ClusterName> clusters;
    private final Map<ClusterName, UnplannableSpec> before;
    private final Function<StepState, Step> catalogue;
    private final int replacementsAtOnce;
    private final Map<ClusterName, UnplannableSpec> unplanned = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Request> asked = new ArrayList<>();
    private final Set<Command> commands = new LinkedHashSet<>();

    private ReconcilePass(
            View view,
            Set<ClusterName> clusters,
            Map<ClusterName, UnplannableSpec> before,
            Function<StepState, Step> catalogue,
            int replacementsAtOnce) {
        this.view = view;
        this.clusters = clusters;
        this.before = before;
        this.catalogue = catalogue;
        this.replacementsAtOnce = replacementsAtOnce;
    }

    /**
     * @param view the view after the changes
     * @param asked the operations that specs requested automatically
     * @param unplanned the clusters whose newest spec cannot be planned now
     * @param unsettled the clusters with work in progress, in which time alone may require the next step
     */
    public record Outcome(
            View view,
            List<Change> changes,
            Set<Command> commands,
            List<Request> asked,
            Map<ClusterName, UnplannableSpec> unplanned,
            Set<ClusterName> unsettled) {}

    /**
     * @param unplanned the result of the previous pass, for the time since when
     * @param replacementsAtOnce the maximum number of automatic replacements in progress, fleet-wide
     */
    public static Outcome over(
            View view,
            Set<ClusterName> clusters,
            Map<ClusterName, UnplannableSpec> unplanned,
            Function<StepState, Step> catalogue,
            int replacementsAtOnce) {
        ReconcilePass pass = new ReconcilePass(view, clusters, unplanned, catalogue, replacementsAtOnce);
        Set<Command> wanted = Set.of();
        Set<ClusterName> unsettled = Set.of();
        for (int i = 0; i < MAX_ROUNDS; i++) {
            int done = pass.changes.size();
            unsettled = new TreeSet<>();
            pass.merge();
            pass.draftMissing();
            pass.requestScheduled();
            pass.requestReplacements();
            pass.apply(OperationProgress.changes(pass.view));
            pass.advancePlans(unsettled);
            wanted = pass.recover(unsettled);
            if (pass.changes.size() == done) {
                break;
            }
        }
        pass.commands.addAll(wanted);
        View last = pass.view;
        pass.commands.removeIf(c -> ClearTextCheck.forbids(last, c));
        unsettled.addAll(pass.unplanned.keySet());
        pass.clusters.stream().filter(pass::hasLostNode).forEach(unsettled::add);
        return new Outcome(pass.view, pass.changes, pass.commands, pass.asked, pass.unplanned, unsettled);
    }

    /** A lost node may become due for replacement without any further event. */
    private boolean hasLostNode(ClusterName cluster) {
        return view.nodesOf(cluster).stream().anyMatch(n -> n.lostSince() != null);
    }

    private Set<Command> recover(Set<ClusterName> unsettled) {
        Set<Command> wanted = new LinkedHashSet<>();
        for (ClusterName cluster : clusters) {
            Recovery.Wanted recovery = Recovery.of(view, cluster);
            apply(recovery.changes());
            if (wanted.addAll(recovery.commands())) {
                unsettled.add(cluster);
            }
        }
        return wanted;
    }

    /** Merges first: a plan may have to wait for what a peer has just reported. */
    private void merge() {
        List<Change> merged = SpecMerge.changes(view, clusters);
        for (int i = 0; i < MAX_ROUNDS && !merged.isEmpty(); i++) {
            apply(merged);
            merged = SpecMerge.changes(view, clusters);
        }
    }

    /** Drafts plans for specs and deletes that have none: they came from a peer, or could not be planned before. */
    private void draftMissing() {
        unplanned.clear();
        for (ClusterName name : clusters) {
            ClusterRecord cluster = view.clusters().get(name);
            if (cluster == null) {
                continue;
            }
            if (cluster.deleting() && !view.exists(name)) {
                endPlansOfDeleted(name);
                continue;
            }
            Operation operation = cluster.deleting() ? new Delete() : new Deploy();
            boolean planned = view.plans().values().stream()
                    .anyMatch(p -> p.cluster().equals(cluster.name())
                            && p.operation().equals(operation.name())
                            && p.specVersion() == cluster.targetSpecVersion());
            if (planned || !view.poolSeen()) {
                continue;
            }
            Map<String, String> params =
                    cluster.deleting() && cluster.destroyData() ? Map.of(Delete.DESTROY_DATA, "true") : Map.of();
            Answer<Decision<Plan>> answer =
                    PlanBuilder.draft(view, List.of(), operation, cluster.name(), params, origin(cluster));
            if (answer instanceof Answer.Accepted<Decision<Plan>> accepted) {
                apply(accepted.value().changes());
            } else if (answer instanceof Answer.Refused<Decision<Plan>> refused) {
                remember(cluster, refused);
            }
        }
    }

    /** Where a deleted cluster has nothing left, no delete is planned that would supersede the plans before it. */
    private void endPlansOfDeleted(ClusterName cluster) {
        view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .filter(p -> !p.operation().equals(Delete.NAME))
                .forEach(p -> apply(List.of(new Change.Put(new PlanRecord(Plans.superseded(p, view.now()))))));
    }

    /**
     * Requests what a schedule makes due, what a datacenter that has left leaves to do, and the repairs that nodes owe:
     * as many of these at once as replacements, and one where the server replaces no node.
     */
    private void requestScheduled() {
        for (ClusterName cluster : clusters) {
            OwedRepair.dueHere(view, cluster, Math.max(1, replacementsAtOnce))
                    .ifPresent(params -> request(Repair.NAME, cluster, params, AutomaticReplace.WHO, "owed by a node"));
            DepartedDatacenter.dueHere(view, cluster)
                    .ifPresent(gone -> request(
                            RoleReplication.NAME,
                            cluster,
                            Map.of(),
                            AutomaticReplace.WHO,
                            gone + " has left the ring"));
            ScheduledRepair.dueHere(view, cluster)
                    .ifPresent(params -> request(Repair.NAME, cluster, params, ScheduledRepair.WHO, ""));
            ScheduledBackup.dueHere(view, cluster)
                    .ifPresent(params -> request(Backup.NAME, cluster, params, ScheduledRepair.WHO, ""));
        }
    }

    private void requestReplacements() {
        for (ClusterName cluster : clusters) {
            AutomaticReplace.dueHere(view, cluster, replacementsAtOnce)
                    .ifPresent(due -> request(Replace.NAME, cluster, due.params(), AutomaticReplace.WHO, due.why()));
        }
    }

    private void request(String operation, ClusterName cluster, Map<String, String> params, String who, String why) {
        Answer<Decision<SubmitResult>> answer =
                new SubmitOperation(view, operation, cluster, params, who, why).answer();
        if (answer instanceof Answer.Accepted<Decision<SubmitResult>> accepted) {
            apply(accepted.value().changes());
            asked.add(accepted.value().result().request());
        }
    }

    private void remember(ClusterRecord cluster, Answer.Refused<Decision<Plan>> refused) {
        UnplannableSpec known = before.get(cluster.name());
        Instant since = known != null
                        && known.specVersion() == cluster.targetSpecVersion()
                        && known.problems().equals(refused.problems())
                ? known.since()
                : view.now();
        unplanned.put(
                cluster.name(),
                new UnplannableSpec(cluster.name(), cluster.targetSpecVersion(), refused.problems(), since));
    }

    private String origin(ClusterRecord cluster) {
        return view.targetSpec(cluster.name())
                .map(s -> s.appliedIn().equals(view.datacenter())
                        ? s.appliedBy()
                        : s.appliedBy() + " at " + s.appliedIn())
                .orElse("unknown");
    }

    private void advancePlans(Set<ClusterName> unsettled) {
        for (Plan plan : view.plans().values()) {
            if (plan.status().isOver() || !clusters.contains(plan.cluster())) {
                continue;
            }
            unsettled.add(plan.cluster());
            Advance advance = PlanEngine.advance(view, plan, catalogue);
            commands.addAll(advance.commands());
            apply(advance.changes());
            Plan next = DepartedDatacenter.ended(UnattendedRepair.ended(advance.plan(), view.now()), view.now());
            if (!next.equals(plan)) {
                apply(List.of(new Change.Put(new PlanRecord(next))));
            }
        }
    }

    private void apply(List<Change> made) {
        changes.addAll(made);
        view = view.with(made);
    }
}

package io.ringmaster.core.decide;

import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.core.policy.BackupHistory;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Keeps the store bounded: removes the oldest records, but none that a decision depends on. */
public final class Retention {
    static final int PLANS = 100;
    static final int SPECS_PER_CLUSTER = 20;
    static final int AUDITS = 1000;
    static final int REFUSED_AUDITS = 100;
    static final int REQUESTS = 50;

    /** How long the record of an expired API token is kept: until then it says why the token is refused. */
    public static final Duration EXPIRED_TOKENS = Duration.ofDays(1);

    private Retention() {}

    public static List<Change> surplus(View view) {
        List<Change> changes = new ArrayList<>();
        plans(view, changes);
        requests(view, changes);
        tokens(view, changes);
        view.specs().values().forEach(versions -> specs(view, versions, changes));
        return changes;
    }

    /**
     * The record of a revocation is needed until the token would have expired, because another datacenter may not have
     * heard of it.
     */
    private static void tokens(View view, List<Change> changes) {
        view.apiTokens().values().stream()
                .filter(t -> t.expires().plus(EXPIRED_TOKENS).isBefore(view.now()))
                .forEach(t -> changes.add(new Change.Remove(t.key())));
    }

    /**
     * Removes the oldest requests of each cluster that have finished in every datacenter that knows them, and all of
     * them if the cluster is gone. The kept ones are the newest, because new ids are higher than all kept ids.
     */
    private static void requests(View view, List<Change> changes) {
        Map<ClusterName, List<RequestRecord>> byCluster = view.requests().values().stream()
                .collect(Collectors.groupingBy(r -> r.request().cluster(), TreeMap::new, Collectors.toList()));
        byCluster.forEach((cluster, requests) -> requests(view, cluster, requests, changes));
    }

    private static void requests(View view, ClusterName cluster, List<RequestRecord> requests, List<Change> changes) {
        ClusterRecord record = view.clusters().get(cluster);
        boolean gone = record == null || (record.deleting() && !view.exists(cluster));
        List<RequestRecord> forgotten = requests.stream()
                .limit(gone ? requests.size() : Math.max(0, requests.size() - REQUESTS))
                .takeWhile(r -> isOverEverywhere(view, r))
                .filter(r -> gone || !(isLastOfSchedule(view, r.request()) || isLastBackup(view, r.request())))
                .toList();
        ClusterRecord marked = record;
        for (RequestRecord request : forgotten) {
            changes.add(new Change.Remove(request.key()));
            marked = marked == null ? null : marked.forgetting(request.request().id());
        }
        if (marked != null && !forgotten.isEmpty()) {
            changes.add(new Change.Put(marked));
        }
    }

    /** Kept because what requested it, such as the repair schedule, reads its time. */
    private static boolean isLastOfSchedule(View view, Request request) {
        return Set.of(ScheduledRepair.WHO, AutomaticReplace.WHO).contains(request.who())
                && view.requests().tailMap(request.id(), false).values().stream()
                        .map(RequestRecord::request)
                        .noneMatch(r -> r.cluster().equals(request.cluster())
                                && r.operation().equals(request.operation())
                                && r.who().equals(request.who()));
    }

    /** Kept because its time is the age of the newest backup at its location. */
    private static boolean isLastBackup(View view, Request request) {
        return request.operation().equals(Backup.NAME)
                && BackupHistory.last(view, request.cluster(), request.params().getOrDefault(Backup.TO, ""))
                        .filter(request::equals)
                        .isPresent();
    }

    private static boolean isOverEverywhere(View view, RequestRecord record) {
        return record.part().state().isOver()
                && view.peers().keySet().stream()
                        .flatMap(peer -> view.lastPart(peer, record.request().cluster()).stream())
                        .flatMap(p -> p.request(record.request().id()).stream())
                        .allMatch(r -> r.part().state().isOver());
    }

    /**
     * The new entry, and the removal of the entries beyond the limit. Refused requests have a limit of their own, so
     * that a caller without rights cannot push out the entries of changes.
     *
     * @param stored in any order
     * @param entry its number is not used
     */
    public static List<Change> audit(List<AuditRecord> stored, AuditRecord entry) {
        long last = stored.stream().mapToLong(AuditRecord::number).max().orElse(0);
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.Put(entry.withNumber(last + 1)));
        int kept = entry.refused() ? REFUSED_AUDITS : AUDITS;
        stored.stream()
                .filter(a -> a.refused() == entry.refused())
                .sorted(Comparator.comparingLong(AuditRecord::number).reversed())
                .skip(kept - 1L)
                .forEach(a -> changes.add(new Change.Remove(a.key())));
        return changes;
    }

    /**
     * The newest plan of each operation of a cluster is kept, and its newest complete one: they determine the settled
     * version.
     */
    private static void plans(View view, List<Change> changes) {
        if (view.plans().size() <= PLANS) {
            return;
        }
        List<Plan> newestFirst = view.plans().values().stream()
                .sorted(Comparator.comparing(Plan::id).reversed())
                .toList();
        Set<String> seen = new HashSet<>();
        int kept = 0;
        for (Plan plan : newestFirst) {
            String operation = plan.cluster() + " " + plan.operation();
            boolean newest = seen.add(operation);
            boolean settled = plan.status() == PlanStatus.COMPLETE && seen.add(operation + " complete");
            if (newest || settled || !plan.status().isOver() || kept < PLANS) {
                kept++;
            } else {
                changes.add(new Change.Remove(new RecordKey.OfPlan(plan.id())));
            }
        }
    }

    private static void specs(View view, SortedMap<Long, SpecRecord> versions, List<Change> changes) {
        if (versions.size() <= SPECS_PER_CLUSTER) {
            return;
        }
        SpecRecord newest = Objects.requireNonNull(versions.get(versions.lastKey()), "the last key has a value");
        Set<Long> needed = view.nodesOf(newest.cluster()).stream()
                .flatMap(n -> List.of(n.specVersion(), n.goodSpecVersion()).stream())
                .collect(Collectors.toSet());
        view.plans().values().stream()
                .filter(p -> p.cluster().equals(newest.cluster()) && !p.status().isOver())
                .forEach(p -> needed.add(p.specVersion()));
        ClusterRecord cluster = view.clusters().get(newest.cluster());
        needed.add(cluster == null ? newest.version() : cluster.targetSpecVersion());
        int surplus = versions.size() - SPECS_PER_CLUSTER;
        versions.values().stream()
                .filter(s -> !needed.contains(s.version()))
                .limit(surplus)
                .forEach(s -> changes.add(new Change.Remove(s.key())));
    }
}

package io.ringmaster.controller;

import io.ringmaster.core.decide.PeerReportBuilder;
import io.ringmaster.core.decide.ReconcilePass;
import io.ringmaster.core.decide.Retention;
import io.ringmaster.core.decide.UnplannableSpec;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.StaleEpochException;
import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The heart of the controller: what is known, what is stored, and the way from one to the other: decide, persist, then act. */
final class Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
    private static final Duration RELOAD_PAUSE = Duration.ofSeconds(1);

    private final DatacenterName datacenter;
    private final Store store;
    private final Peers peers;
    private final CommandSender outbox;
    private final Clock clock;
    private final EventRecorder journal;
    private final Function<StepState, Step> catalogue;
    private final int replacementsAtOnce;
    private final Records records;
    private final ObservedState picture = new ObservedState();
    private final DirtySet attention = new DirtySet();
    private final TreeMap<ClusterName, ClusterPart> parts = new TreeMap<>();
    private final TreeMap<ClusterName, UnplannableSpec> unplanned = new TreeMap<>();
    /** Peers that reported, and nodes of which something was told or stored, since the last decision was stored. */
    private final Set<DatacenterName> heard = new TreeSet<>();

    private final Set<NodeId> told = new TreeSet<>();

    private Lead lead = Lead.NONE;
    private boolean informed;
    private long epoch;
    private Instant reloadAt = Instant.MIN;
    private View view;
    private @Nullable DatacenterReport published;

    /** How far this server may act. */
    private enum Lead {
        NONE,
        /** It leads, but what is in the store must be read (again) before anything is decided. */
        UNLOADED,
        FULL
    }

    Reconciler(
            DatacenterName datacenter,
            List<String> serverUrls,
            Store store,
            Peers peers,
            CommandSender outbox,
            Clock clock,
            long seed,
            EventRecorder journal,
            Function<StepState, Step> catalogue,
            int replacementsAtOnce) {
        this.datacenter = datacenter;
        this.records = new Records(View.empty(Instant.EPOCH, seed, datacenter, List.copyOf(serverUrls)));
        this.store = store;
        this.peers = peers;
        this.outbox = outbox;
        this.clock = clock;
        this.journal = journal;
        this.catalogue = catalogue;
        this.replacementsAtOnce = replacementsAtOnce;
        this.view = look();
    }

    void elected(long newEpoch) {
        epoch = newEpoch;
        lead = Lead.UNLOADED;
        informed = false;
        reloadAt = Instant.MIN;
        outbox.clear();
        published = null;
        unplanned.clear();
        parts.clear();
        heard.clear();
        told.clear();
        attention.everything();
        journal.leadership(clock.now(), datacenter.value(), "leads with epoch " + newEpoch);
        records.replaceAll(List.of());
        picture.clear();
        decide();
    }

    void lost() {
        if (lead != Lead.NONE) {
            lead = Lead.NONE;
            journal.leadership(clock.now(), datacenter.value(), "leads no more");
        }
    }

    boolean leads() {
        return lead != Lead.NONE;
    }

    boolean informed() {
        return leads() && informed;
    }

    View view() {
        return view;
    }

    /** The view with the time of now in it. */
    View look() {
        return picture.view(records.view(), records.all(CordonRecord.class), clock.now(), peers.known());
    }

    Records records() {
        return records;
    }

    Map<ClusterName, UnplannableSpec> unplanned() {
        return unplanned;
    }

    /** Why nothing can be changed now; empty when it can. */
    Optional<Problem> closed() {
        return switch (lead) {
            case NONE ->
                Optional.of(
                        Problem.of(ErrorCode.NOT_LEADER, "this server does not lead " + datacenter, "ask the leader"));
            case UNLOADED ->
                Optional.of(Problem.of(
                        ErrorCode.STORE_UNAVAILABLE,
                        "the store of " + datacenter + " does not answer; nothing was changed",
                        "try again in a few seconds"));
            case FULL -> Optional.empty();
        };
    }

    void observe(Fact fact) {
        if (leads()) {
            journal.seen(clock.now(), fact, view);
            picture.take(fact, clock.now());
            View before = view;
            view = look();
            attention.seen(fact, before, view);
            if (fact instanceof Fact.PeerReported reported) {
                heard.add(reported.report().datacenter());
            } else if (fact instanceof Fact.NodeReported reported) {
                told.add(reported.status().node());
            } else if (fact instanceof Fact.NodeSilent silent) {
                told.add(silent.node());
            }
        }
    }

    void tick() {
        View before = view;
        picture.expire(clock.now());
        view = look();
        if (!view.peers().equals(before.peers())) {
            attention.everything();
        }
        outbox.forget(clock.now());
        attention.tick(view);
        decide(true);
    }

    /** Decides on what was observed, persists, sends. */
    void decide() {
        decide(false);
    }

    /** @param sweeping whether to remove what is too old to keep, too */
    private void decide(boolean sweeping) {
        if (lead == Lead.NONE || (lead == Lead.UNLOADED && !reload())) {
            return;
        }
        View now = look();
        Set<ClusterName> clusters = attention.take(now);
        ReconcilePass.Outcome outcome = ReconcilePass.over(now, clusters, unplanned, catalogue, replacementsAtOnce);
        List<Change> changes = new ArrayList<>(outcome.changes());
        changes.addAll(peerChanges(now));
        changes.addAll(askedByNobody(outcome.asked()));
        if (sweeping) {
            changes.addAll(Retention.surplus(outcome.view()));
        }
        List<Command> due = outbox.due(outcome.commands(), clock.now());
        if (!commit(changes, asksPool(due))) {
            return;
        }
        heard.clear();
        attention.looked(clusters, outcome.unsettled());
        unplanned.keySet().removeAll(clusters);
        unplanned.putAll(outcome.unplanned());
        outbox.send(due, clock.now());
        forgetUndecided();
        view = look();
        publish(clusters);
    }

    private List<Change> askedByNobody(List<Request> asked) {
        return asked.isEmpty()
                ? List.of()
                : Retention.audit(
                        records.all(AuditRecord.class).toList(),
                        clock.now(),
                        asked.stream().map(Request::who).distinct().collect(Collectors.joining(", ")),
                        asked.stream().map(Reconciler::audited).collect(Collectors.joining(", ")),
                        asked.stream().map(r -> r.id().value()).collect(Collectors.joining(", ")));
    }

    private static String audited(Request request) {
        return request.operation() + " " + request.cluster()
                + (request.why().isEmpty() ? "" : " " + request.params() + " because: " + request.why());
    }

    /**
     * What asks something of the pool carries no generation by which a late one could be refused: before it the store is asked whether
     * this server still leads, even if there is nothing to store.
     */
    private static boolean asksPool(List<Command> due) {
        return due.stream()
                .anyMatch(c -> c instanceof Command.Kill
                        || c instanceof Command.Release
                        || c instanceof Command.Reserve
                        || c instanceof Command.Launch);
    }

    /** What is said of nodes that are not decided any more counts no more, and no more of it is asked for. */
    private void forgetUndecided() {
        List<Command> forgotten = new ArrayList<>();
        for (NodeId node : told) {
            NodeRecord record = records.view().nodes().get(node);
            if (record == null || !record.launched()) {
                if (view.statuses().containsKey(node)) {
                    forgotten.add(new Command.Forget(node));
                }
                picture.forget(node);
            }
        }
        told.clear();
        outbox.send(outbox.due(forgotten, clock.now()), clock.now());
    }

    private void publish(Set<ClusterName> looked) {
        boolean news =
                published == null || published.machines() != view.machines().size();
        for (ClusterName cluster : looked) {
            ClusterPart part = PeerReportBuilder.part(view, cluster, unplanned.get(cluster))
                    .orElse(null);
            ClusterPart told = part == null ? parts.remove(cluster) : parts.put(cluster, part);
            news |= !Objects.equals(told, part);
        }
        if (news) {
            published = PeerReportBuilder.of(view, parts.values());
            peers.publish(published);
        }
    }

    /** What peers said that must survive a restart, such as where their seeds are. */
    private List<Change> peerChanges(View now) {
        List<Change> changes = new ArrayList<>();
        heard.forEach(name -> now.peers().get(name).current().ifPresent(report -> {
            PeerRecord fresh = new PeerRecord(
                    PeerReportBuilder.persistent(report), now.peers().get(name).at());
            boolean known = records.get(fresh.key()) instanceof PeerRecord old
                    && PeerReportBuilder.equalExceptTime(old.report(), fresh.report());
            if (!known) {
                changes.add(new Change.Put(fresh));
            }
        }));
        return changes;
    }

    /**
     * Stores what was asked for with its audit entry, then decides what follows from it.
     *
     * @return false if it is not known whether it was stored
     */
    boolean store(List<Change> changes, String who, String what, String outcome) {
        List<Change> all = new ArrayList<>(changes);
        all.addAll(Retention.audit(records.all(AuditRecord.class).toList(), clock.now(), who, what, outcome));
        boolean stored = commit(all, false);
        attention.stored(changes);
        decide();
        return stored;
    }

    /** @param proving whether to prove that this server leads, although there may be nothing to store */
    private boolean commit(List<Change> changes, boolean proving) {
        List<Change> condensed = records.condense(changes);
        if (condensed.isEmpty() && !proving) {
            return true;
        }
        if (!write(condensed)) {
            return false;
        }
        if (condensed.isEmpty()) {
            return true;
        }
        View before = view;
        records.apply(condensed);
        condensed.forEach(change -> {
            if (change.key().startsWith("nodes/")) {
                told.add(NodeId.of(change.key().substring("nodes/".length())));
            }
        });
        view = look();
        journal.stored(clock.now(), condensed, before);
        return true;
    }

    /** @return false if this server leads no more, or if it is not known what the store did */
    private boolean write(List<Change> changes) {
        try {
            store.commit(epoch, changes);
            return true;
        } catch (StaleEpochException e) {
            LOG.warn("steps down: {}", e.getMessage());
            lost();
            return false;
        } catch (StoreUnavailableException e) {
            LOG.warn("the store did not answer; loads again before it goes on: {}: {}", e.getMessage(), e.getCause());
            lead = Lead.UNLOADED;
            attention.everything();
            reloadAt = clock.now().plus(RELOAD_PAUSE);
            return false;
        }
    }

    private boolean reload() {
        Instant now = clock.now();
        if (now.isBefore(reloadAt)) {
            return false;
        }
        reloadAt = now.plus(RELOAD_PAUSE);
        try {
            records.replaceAll(store.load());
        } catch (StoreUnavailableException e) {
            LOG.warn("the store cannot be read; tries again: {}: {}", e.getMessage(), e.getCause());
            return false;
        }
        lead = Lead.FULL;
        informed = true;
        picture.remember(records);
        view = look();
        told.addAll(view.statuses().keySet());
        attention.everything();
        return true;
    }
}

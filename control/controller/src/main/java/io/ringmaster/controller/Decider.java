package io.ringmaster.controller;

import io.ringmaster.core.step.Step;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PeerRecord;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The heart of the controller: what is known, what is stored, and the way from one to the other: decide, persist, then act. */
final class Decider {
    private static final Logger LOG = LoggerFactory.getLogger(Decider.class);
    private static final Duration RELOAD_PAUSE = Duration.ofSeconds(1);

    private final DatacenterName datacenter;
    private final List<String> serverUrls;
    private final Store store;
    private final Peers peers;
    private final Outbox outbox;
    private final Clock clock;
    private final long seed;
    private final Journal journal;
    private final Function<StepState, Step> catalogue;
    private final Records records = new Records();
    private final Picture picture = new Picture();

    private Lead lead = Lead.NONE;
    private boolean informed;
    private long epoch;
    private Instant reloadAt = Instant.MIN;
    private View view;
    private Map<ClusterName, Unplanned> unplanned = Map.of();
    private @Nullable DatacenterReport published;

    /** How far this server may act. */
    private enum Lead {
        NONE,
        /** It leads, but what is in the store must be read (again) before anything is decided. */
        UNLOADED,
        FULL
    }

    Decider(
            DatacenterName datacenter,
            List<String> serverUrls,
            Store store,
            Peers peers,
            Outbox outbox,
            Clock clock,
            long seed,
            Journal journal,
            Function<StepState, Step> catalogue) {
        this.datacenter = datacenter;
        this.serverUrls = List.copyOf(serverUrls);
        this.store = store;
        this.peers = peers;
        this.outbox = outbox;
        this.clock = clock;
        this.seed = seed;
        this.journal = journal;
        this.catalogue = catalogue;
        this.view = look();
    }

    void elected(long newEpoch) {
        epoch = newEpoch;
        lead = Lead.UNLOADED;
        informed = false;
        reloadAt = Instant.MIN;
        outbox.clear();
        published = null;
        unplanned = Map.of();
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
        return picture.view(records, clock.now(), seed, datacenter, serverUrls, peers.known());
    }

    Records records() {
        return records;
    }

    Map<ClusterName, Unplanned> unplanned() {
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
            view = look();
        }
    }

    void tick() {
        picture.expire(clock.now());
        decide();
    }

    /** Decides on what was observed, persists, sends. */
    void decide() {
        if (lead == Lead.NONE || (lead == Lead.UNLOADED && !reload())) {
            return;
        }
        Pass.Outcome outcome = Pass.over(look(), unplanned, catalogue);
        List<Change> changes = new ArrayList<>(outcome.changes());
        changes.addAll(peerChanges());
        changes.addAll(History.surplus(outcome.view()));
        if (!commit(changes)) {
            return;
        }
        unplanned = outcome.unplanned();
        outbox.send(outcome.commands(), clock.now());
        Set<NodeId> launched = view.nodes().values().stream()
                .filter(NodeRecord::launched)
                .map(NodeRecord::id)
                .collect(Collectors.toSet());
        picture.retainNodes(launched);
        view = look();
        publish();
    }

    private void publish() {
        DatacenterReport report = Reports.of(view, unplanned);
        if (published == null || !Reports.sameNews(published, report)) {
            published = report;
            peers.publish(report);
        }
    }

    /** What peers said that must survive a restart, such as where their seeds are. */
    private List<Change> peerChanges() {
        List<Change> changes = new ArrayList<>();
        view.peers().forEach((name, sighting) -> sighting.current().ifPresent(report -> {
            PeerRecord fresh = new PeerRecord(Reports.lasting(report), sighting.at());
            boolean known = records.get(fresh.key()) instanceof PeerRecord old
                    && Reports.sameNews(old.report(), fresh.report());
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
        all.addAll(History.audit(records, clock.now(), who, what, outcome));
        boolean stored = commit(all);
        decide();
        return stored;
    }

    private boolean commit(List<Change> changes) {
        List<Change> condensed = records.condense(changes);
        if (condensed.isEmpty()) {
            return true;
        }
        try {
            store.commit(epoch, condensed);
        } catch (StaleEpochException e) {
            LOG.warn("steps down: {}", e.getMessage());
            lost();
            return false;
        } catch (StoreUnavailableException e) {
            LOG.warn("the store did not answer; loads again before it goes on: {}: {}", e.getMessage(), e.getCause());
            lead = Lead.UNLOADED;
            reloadAt = clock.now().plus(RELOAD_PAUSE);
            return false;
        }
        View before = view;
        records.apply(condensed);
        view = look();
        journal.stored(clock.now(), condensed, before);
        return true;
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
        return true;
    }
}

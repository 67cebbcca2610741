package io.ringmaster.controller;

import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.ReconcilePass;
import io.ringmaster.core.decide.Retention;
import io.ringmaster.core.decide.UnplannableSpec;
import io.ringmaster.core.status.LocalClusterStatus;
import io.ringmaster.core.status.LocalClusterStatuses;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.AuditOrigin;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.request.Request;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles one datacenter: takes facts and requests, has the core decide, stores the decision, then sends its
 * commands.
 *
 * <p>It is not thread-safe, starts no thread and never sleeps. Its owner ({@link ControllerLoop}, or the simulator)
 * calls it from one thread, feeds it facts and elections, and calls {@link #tick} regularly, because some decisions
 * fall due by time alone. The owner also starts and closes the adapters.
 *
 * <p>Every decision is stored before it is acted on, so the owner may drop a controller at any point and make a new one
 * over the same store.
 */
public final class Controller {
    private final DatacenterName datacenter;
    private final Clock clock;
    private final Function<StepState, Step> catalogue;
    private final int maxAutomaticReplacements;
    private final StoredRecords stored;
    private final ObservedState observed = new ObservedState();
    private final DirtySet dirty = new DirtySet();
    private final PeerReports reports;
    private final CommandSender sender;
    private final EventRecorder events;
    private final TreeMap<ClusterName, UnplannableSpec> unplannable = new TreeMap<>();
    /** Nodes that were reported or stored since the last decision. */
    private final Set<NodeId> touched = new TreeSet<>();

    private View view;

    /** Nodes ask the same URLs for their seeds at which other datacenters reach this one. */
    public Controller(
            DatacenterName datacenter,
            List<String> serverUrls,
            Store store,
            Pool pool,
            ExecutorClient executors,
            Peers peers,
            Clock clock,
            long seed,
            Event.Listener listener) {
        this(datacenter, serverUrls, serverUrls, store, pool, executors, peers, clock, seed, listener, Steps::of, 1);
    }

    /**
     * @param serverUrls the URLs at which other datacenters reach this one
     * @param seedUrls the URLs at which nodes ask for their seeds
     * @param catalogue makes steps from stored plans; anything but {@code Steps::of} is for tests of what the steps
     *     prevent
     * @param maxAutomaticReplacements the maximum number of automatic replacements in progress, fleet-wide
     */
    public Controller(
            DatacenterName datacenter,
            List<String> serverUrls,
            List<String> seedUrls,
            Store store,
            Pool pool,
            ExecutorClient executors,
            Peers peers,
            Clock clock,
            long seed,
            Event.Listener listener,
            Function<StepState, Step> catalogue,
            int maxAutomaticReplacements) {
        this.datacenter = datacenter;
        this.clock = clock;
        this.catalogue = catalogue;
        this.maxAutomaticReplacements = maxAutomaticReplacements;
        this.stored = new StoredRecords(
                store,
                datacenter,
                View.empty(Instant.EPOCH, seed, datacenter, List.copyOf(serverUrls), List.copyOf(seedUrls)));
        this.reports = new PeerReports(peers);
        this.sender = new CommandSender(pool, executors);
        this.events = new EventRecorder(listener, clock.now());
        this.view = look();
    }

    /**
     * Leads from now on: loads the records, watches every launched node, and waits for the pool's picture before it
     * decides.
     */
    public void elected(long epoch) {
        stored.elected(epoch);
        sender.clear();
        reports.clear();
        unplannable.clear();
        touched.clear();
        dirty.everything();
        events.leadership(clock.now(), datacenter, "leads with epoch " + epoch);
        observed.clear();
        decide();
    }

    /** Stops leading: decides and sends nothing until the next election. */
    public void lost() {
        if (stored.leads()) {
            stored.lost();
            events.leadership(clock.now(), datacenter, "leads no longer");
        }
    }

    public boolean leads() {
        return stored.leads();
    }

    /** Whether this server leads and has loaded the records since it was elected, so that its view can be shown. */
    public boolean informed() {
        return stored.loadedSinceElection();
    }

    /** Takes a fact, decides, stores, sends. Facts are dropped while another server leads. */
    public void accept(Fact fact) {
        observe(fact);
        decide();
    }

    /** Takes a fact without deciding, for owners that have several at once. */
    void observe(Fact fact) {
        if (!leads()) {
            return;
        }
        events.observed(clock.now(), fact, view);
        observed.take(fact, clock.now());
        View before = view;
        view = look();
        dirty.observed(fact, before, view);
        fact.accept(new Touched());
    }

    private final class Touched implements Fact.Handler {
        @Override
        public void peerReported(Fact.PeerReported reported) {
            reports.received(reported.report().datacenter());
        }

        @Override
        public void nodeReported(Fact.NodeReported reported) {
            touched.add(reported.status().node());
        }

        @Override
        public void nodeSilent(Fact.NodeSilent silent) {
            touched.add(silent.node());
        }

        @Override
        public void poolSeen(Fact.PoolSeen seen) {}

        @Override
        public void poolUnavailable(Fact.PoolUnavailable unavailable) {}

        @Override
        public void machineChanged(Fact.MachineChanged changed) {}

        @Override
        public void allocationChanged(Fact.AllocationChanged changed) {}

        @Override
        public void allocationGone(Fact.AllocationGone gone) {}

        @Override
        public void peerSilent(Fact.PeerSilent silent) {}

        @Override
        public void authorityMade(Fact.AuthorityMade made) {}
    }

    /** Decides what falls due by time: repeated commands, pauses, silent peers, retention. Once a second is enough. */
    public void tick() {
        View before = view;
        observed.expire(clock.now());
        view = look();
        if (!view.peers().equals(before.peers())) {
            dirty.everything();
        }
        sender.forget(clock.now());
        dirty.tick(view);
        decide(true);
    }

    /** Decides on the observed facts, stores, sends. */
    void decide() {
        decide(false);
    }

    /** @param retaining whether to remove records that are too old, too */
    private void decide(boolean retaining) {
        if (!leads() || (stored.mustLoad() && !load())) {
            return;
        }
        View now = look();
        Set<ClusterName> clusters = dirty.take(now);
        ReconcilePass.Outcome outcome =
                ReconcilePass.over(now, clusters, unplannable, catalogue, maxAutomaticReplacements);
        List<Change> changes = new ArrayList<>(outcome.changes());
        changes.addAll(reports.unsaved(now, stored.records()));
        changes.addAll(audited(outcome.asked()));
        if (retaining) {
            changes.addAll(Retention.surplus(outcome.view()));
        }
        List<Command> due = sender.due(outcome.commands(), clock.now());
        if (!commit(changes, due.stream().anyMatch(Command.ToPool.class::isInstance))) {
            return;
        }
        reports.saved();
        dirty.decided(clusters, outcome.unsettled());
        unplannable.keySet().removeAll(clusters);
        unplannable.putAll(outcome.unplanned());
        sender.send(due, clock.now(), stored.epoch());
        forgetRemovedNodes();
        view = look();
        reports.publish(view, clusters, unplannable);
    }

    /** The audit entry of requests that the cluster's own policies made. */
    private List<Change> audited(List<Request> automatic) {
        return automatic.isEmpty()
                ? List.of()
                : audit(
                        null,
                        automatic.stream().map(Request::who).distinct().collect(Collectors.joining(", ")),
                        automatic.stream().map(Controller::auditText).collect(Collectors.joining(", ")),
                        automatic.stream().map(r -> r.id().value()).collect(Collectors.joining(", ")));
    }

    private static String auditText(Request request) {
        return request.operation() + " " + request.cluster()
                + (request.why().isEmpty() ? "" : " " + request.params() + " because: " + request.why());
    }

    private List<Change> audit(@Nullable AuditOrigin origin, String who, String what, String outcome) {
        return Retention.audit(
                stored.records().all(AuditRecord.class).toList(),
                new AuditRecord(0, clock.now(), who, what, outcome, origin));
    }

    /** Drops the status of nodes that have no record and stops watching them. */
    private void forgetRemovedNodes() {
        List<Command> forgotten = new ArrayList<>();
        for (NodeId node : touched) {
            NodeRecord record = stored.records().view().nodes().get(node);
            if (record == null || !record.launched()) {
                if (view.statuses().containsKey(node)) {
                    forgotten.add(new Command.Forget(node));
                }
                observed.forget(node);
            }
        }
        touched.clear();
        sender.send(sender.due(forgotten, clock.now()), clock.now(), stored.epoch());
    }

    /** @param proving whether the store must confirm this server's epoch even when there is nothing to store */
    private boolean commit(List<Change> changes, boolean proving) {
        List<Change> condensed = stored.records().condense(changes);
        if (condensed.isEmpty() && !proving) {
            return true;
        }
        View before = view;
        switch (stored.commit(condensed, clock.now())) {
            case DEPOSED -> {
                lost();
                return false;
            }
            case UNKNOWN -> {
                dirty.everything();
                return false;
            }
            case DONE -> {}
        }
        if (condensed.isEmpty()) {
            return true;
        }
        condensed.forEach(change -> {
            if (change.key() instanceof RecordKey.OfNode node) {
                touched.add(node.node());
            }
        });
        view = look();
        events.stored(clock.now(), condensed, before);
        return true;
    }

    private boolean load() {
        if (!stored.load(clock.now())) {
            return false;
        }
        observed.remember(stored.records(), clock.now());
        view = look();
        touched.addAll(view.statuses().keySet());
        dirty.everything();
        return true;
    }

    /** The requests of users, to be carried out at once on the owner's thread. */
    public ControllerRequests requests() {
        return new ControllerRequests(this);
    }

    /** Everything known now; immutable, safe to hand to other threads. Plans are in {@link View#plans}. */
    public View view() {
        return view;
    }

    public Optional<LocalClusterStatus> clusterStatus(ClusterName cluster) {
        return LocalClusterStatuses.of(
                view,
                cluster,
                Optional.ofNullable(unplannable.get(cluster))
                        .map(UnplannableSpec::problems)
                        .orElse(List.of()));
    }

    /** Specs of other datacenters that cannot be planned here now, each with the reason. */
    public List<UnplannableSpec> unplannable() {
        return List.copyOf(unplannable.values());
    }

    /** The audit entries, the oldest first. */
    public List<AuditRecord> audit() {
        return stored.records()
                .all(AuditRecord.class)
                .sorted(Comparator.comparingLong(AuditRecord::number))
                .toList();
    }

    /** The answer on the view of this moment, or a refusal while nothing can be changed. */
    <T> Answer<T> whenOpen(Function<View, Answer<T>> request) {
        return stored.whyClosed().<Answer<T>>map(Answer::refused).orElseGet(() -> request.apply(look()));
    }

    /**
     * Stores the changes of a request with its audit entry, then decides what follows from them.
     *
     * @param origin null where the caller is not known
     */
    <T> Answer<T> store(
            T answer, List<Change> changes, @Nullable AuditOrigin origin, String who, String what, String outcome) {
        List<Change> all = new ArrayList<>(changes);
        all.addAll(audit(origin, who, what, outcome));
        boolean known = commit(all, false);
        dirty.stored(changes);
        decide();
        return known
                ? Answer.accepted(answer)
                : Answer.refused(Problem.of(
                        ErrorCode.STORE_UNAVAILABLE,
                        "the store did not answer: it is not known whether the change was made",
                        "look at the cluster, and repeat the request if it was not"));
    }

    /** The view at the time of now. */
    private View look() {
        Records records = stored.records();
        return observed.view(records.view(), records.all(CordonRecord.class), clock.now(), reports.known());
    }
}

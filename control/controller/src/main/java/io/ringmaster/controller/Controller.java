package io.ringmaster.controller;

import io.ringmaster.core.plan.PlanControl;
import io.ringmaster.core.status.ClusterStatus;
import io.ringmaster.core.status.ClusterStatuses;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.NodeAgent;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.StaleEpochException;
import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for one datacenter. Not thread-safe, starts no thread, never sleeps: whoever owns it calls it from one thread, feeds
 * it facts and elections and calls {@link #tick} from time to time, because some decisions fall due by time alone. Whoever owns it
 * also starts and closes the adapters.
 *
 * <p>Everything is persisted before it is acted on, so the owner may drop it at any point and make a new one over the same store.
 */
public final class Controller {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final Duration RELOAD_PAUSE = Duration.ofSeconds(1);

    private final DatacenterName datacenter;
    private final List<String> serverUrls;
    private final Store store;
    private final Peers peers;
    private final Clock clock;
    private final long seed;
    private final Journal journal;
    private final Outbox outbox;
    private final Records records = new Records();
    private final Picture picture = new Picture();

    private boolean informed;
    private Lead lead = Lead.NONE;
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

    public Controller(
            DatacenterName datacenter,
            List<String> serverUrls,
            Store store,
            Pool pool,
            NodeAgent agent,
            Peers peers,
            Clock clock,
            long seed,
            Event.Listener listener) {
        this.datacenter = datacenter;
        this.serverUrls = List.copyOf(serverUrls);
        this.store = store;
        this.peers = peers;
        this.clock = clock;
        this.seed = seed;
        this.journal = new Journal(listener, clock.now());
        this.outbox = new Outbox(pool, agent);
        this.view = look();
    }

    /** This server leads from now on: loads the records, watches every launched node, and waits for the pool's picture before it decides. */
    public void elected(long newEpoch) {
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

    /** This server leads no more; nothing is decided or sent until it is elected again. */
    public void lost() {
        if (lead != Lead.NONE) {
            lead = Lead.NONE;
            journal.leadership(clock.now(), datacenter.value(), "leads no more");
        }
    }

    public boolean leads() {
        return lead != Lead.NONE;
    }

    /** Whether it leads and has read the records since it was elected, so that its view can be shown. */
    public boolean informed() {
        return leads() && informed;
    }

    /** Takes a fact, decides, persists, sends. Facts are dropped while another server leads. */
    public void accept(Fact fact) {
        observe(fact);
        decide();
    }

    /** Takes a fact without deciding yet, for owners that have several at once. */
    void observe(Fact fact) {
        if (leads()) {
            journal.seen(clock.now(), fact, view);
            picture.take(fact, clock.now());
            view = look();
        }
    }

    /** Decides what falls due by time: sending again, back-off, silence. Once a second is enough. */
    public void tick() {
        picture.expire(clock.now());
        decide();
    }

    /**
     * Declares a cluster.
     *
     * @param source the YAML as written
     * @param expectedVersion refused with VERSION_CONFLICT unless this is the newest version (0: the cluster must be new); null does not care
     * @param who for the audit
     */
    public Answer<Applied> applySpec(
            String source, ClusterSpec spec, @Nullable Long expectedVersion, String who, boolean dryRun) {
        Optional<Problem> closed = closed();
        if (closed.isPresent()) {
            return Answer.refused(closed.get());
        }
        Declaration declaration = new Declaration(look(), source, spec, expectedVersion, who);
        Answer<Declaration.Accepted> answer = declaration.answer();
        if (answer instanceof Answer.Refused<Declaration.Accepted> refused) {
            return Answer.refused(refused.problems());
        }
        Declaration.Accepted accepted = ((Answer.Accepted<Declaration.Accepted>) answer).value();
        if (!dryRun && accepted.applied().changed()) {
            String what = "apply " + spec.name();
            if (!store(
                    accepted.changes(),
                    who,
                    what,
                    "version " + accepted.applied().spec().version())) {
                return Answer.refused(unknownOutcome());
            }
        }
        return Answer.accepted(accepted.applied());
    }

    /** Runs an operation of the catalogue. {@code deploy} drafts anew for the declared spec; {@code delete} takes the cluster away. */
    public Answer<Plan> run(
            String operation, ClusterName cluster, Map<String, String> params, String who, boolean dryRun) {
        Optional<Problem> closed = closed();
        if (closed.isPresent()) {
            return Answer.refused(closed.get());
        }
        Answer<Drafting.Proposal> answer = new Run(look(), operation, cluster, params, who).answer();
        if (answer instanceof Answer.Refused<Drafting.Proposal> refused) {
            return Answer.refused(refused.problems());
        }
        Drafting.Proposal proposal = ((Answer.Accepted<Drafting.Proposal>) answer).value();
        if (!dryRun
                && !store(
                        proposal.changes(),
                        who,
                        operation + " " + cluster + (params.isEmpty() ? "" : " " + params),
                        "plan " + proposal.plan().id())) {
            return Answer.refused(unknownOutcome());
        }
        return Answer.accepted(proposal.plan());
    }

    /** @param step names the step to retry (null: all that failed) or to force; not used by the other verbs */
    public Answer<Plan> control(PlanId id, PlanVerb verb, @Nullable String step, String who) {
        Optional<Problem> closed = closed();
        if (closed.isPresent()) {
            return Answer.refused(closed.get());
        }
        Plan plan = view.plans().get(id);
        if (plan == null) {
            return Answer.refused(
                    Problem.of(ErrorCode.PLAN_UNKNOWN, "no plan " + id + " is known here", "./ringmaster plan list"));
        }
        PlanControl.Outcome outcome = PlanControl.apply(plan, verb, step, who, clock.now());
        Problem refusal = outcome.refusal();
        Plan changed = outcome.plan();
        if (refusal != null || changed == null) {
            return Answer.refused(refusal == null ? Problem.of(ErrorCode.INTERNAL, "no outcome of " + verb) : refusal);
        }
        String what = verb.label() + " plan " + id + (step == null ? "" : " step '" + step + "'");
        return store(List.of(new Change.Put(new PlanRecord(changed))), who, what, "done")
                ? Answer.accepted(view.plans().getOrDefault(id, changed))
                : Answer.refused(unknownOutcome());
    }

    /** Places nothing new on the machine from now on; what runs there stays. */
    public Answer<MachineName> cordon(MachineName machine, String reason, String who) {
        return mark(
                machine, new Change.Put(new CordonRecord(machine, reason)), who, "cordon " + machine + ": " + reason);
    }

    public Answer<MachineName> uncordon(MachineName machine, String who) {
        return mark(machine, new Change.Remove(new CordonRecord(machine, "").key()), who, "uncordon " + machine);
    }

    private Answer<MachineName> mark(MachineName machine, Change change, String who, String what) {
        Optional<Problem> closed = closed();
        if (closed.isPresent()) {
            return Answer.refused(closed.get());
        }
        if (!view.machines().containsKey(machine)) {
            return Answer.refused(Problem.field(
                    ErrorCode.MACHINE_LOST,
                    "machine",
                    "'" + machine + "' is no machine of " + datacenter + ", allowed: "
                            + view.machines().keySet()));
        }
        return store(List.of(change), who, what, "done") ? Answer.accepted(machine) : Answer.refused(unknownOutcome());
    }

    /** Everything known now; immutable, safe to hand to other threads. Plans are in {@link View#plans}. */
    public View view() {
        return view;
    }

    public Optional<ClusterStatus> clusterStatus(ClusterName cluster) {
        return ClusterStatuses.of(
                view,
                cluster,
                Optional.ofNullable(unplanned.get(cluster))
                        .map(Unplanned::problems)
                        .orElse(List.of()));
    }

    /** Specs of other datacenters that cannot be planned here now, each with the reason. */
    public List<Unplanned> unplanned() {
        return List.copyOf(unplanned.values());
    }

    /** Who asked for what; the oldest first. */
    public List<AuditRecord> audit() {
        return records.all(AuditRecord.class)
                .sorted(Comparator.comparingLong(AuditRecord::number))
                .toList();
    }

    /** Decides on what was observed, persists, sends. */
    void decide() {
        if (lead == Lead.NONE || (lead == Lead.UNLOADED && !reload())) {
            return;
        }
        Pass.Outcome outcome = Pass.over(look(), unplanned);
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

    /** Stores what was asked for with its audit entry, then decides what follows from it. */
    private boolean store(List<Change> changes, String who, String what, String outcome) {
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

    private View look() {
        return picture.view(records, clock.now(), seed, datacenter, serverUrls, peers.known());
    }

    private Optional<Problem> closed() {
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

    private static Problem unknownOutcome() {
        return Problem.of(
                ErrorCode.STORE_UNAVAILABLE,
                "the store did not answer: it is not known whether the change was made",
                "look at the cluster, and repeat it if it was not");
    }
}

package io.ringmaster.controller;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.model.record.TokenRecord;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reports stored changes, and facts that differ from the view before them, to the listener. */
final class EventRecorder {
    private final Event.Listener listener;
    private long revision;

    EventRecorder(Event.Listener listener, Instant now) {
        this.listener = listener;
        this.revision = now.toEpochMilli();
    }

    void leadership(Instant now, DatacenterName datacenter, String text) {
        report(now, Event.Kind.LEADERSHIP, null, datacenter, text);
    }

    /** Call it once the changes are stored, with the view before them. */
    void stored(Instant now, List<Change> changes, View before) {
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                put.record().accept(new StoredEvents(now, before));
            } else if (change.key() instanceof RecordKey.OfNode removed) {
                report(now, Event.Kind.NODE, removed.node().cluster(), removed.node(), "gone");
            }
        }
    }

    /** Call it before the fact is taken in, with the view before it. */
    void observed(Instant now, Fact fact, View before) {
        fact.accept(new FactEvents(now, before));
    }

    private void report(Instant now, Event.Kind kind, @Nullable ClusterName cluster, Object subject, String text) {
        revision++;
        listener.on(new Event(revision, now, kind, cluster, subject.toString(), null, null, text));
    }

    /** @param step the step that changed, or null for the plan itself */
    private void report(Instant now, Plan plan, @Nullable String step, Enum<?> status, String text) {
        revision++;
        listener.on(new Event(
                revision, now, Event.Kind.PLAN, plan.cluster(), plan.id().toString(), step, status, text));
    }

    private final class StoredEvents implements StoredRecord.Handler {
        private final Instant now;
        private final View before;

        StoredEvents(Instant now, View before) {
            this.now = now;
            this.before = before;
        }

        @Override
        public void cluster(ClusterRecord cluster) {
            String state = cluster.deleting() ? ", deleting" : cluster.created() ? ", created" : "";
            report(
                    now,
                    Event.Kind.CLUSTER,
                    cluster.name(),
                    cluster.name(),
                    "version " + cluster.targetSpecVersion() + state);
        }

        @Override
        public void spec(SpecRecord spec) {
            report(
                    now,
                    Event.Kind.CLUSTER,
                    spec.cluster(),
                    spec.cluster(),
                    "version " + spec.version() + " declared by " + spec.appliedBy() + " at " + spec.appliedIn());
        }

        @Override
        public void node(NodeRecord node) {
            report(
                    now,
                    Event.Kind.NODE,
                    node.cluster(),
                    node.id(),
                    "generation " + node.generation() + ", version " + node.specVersion()
                            + (node.launched() ? ", launched" : "") + (node.joined() ? ", joined" : ""));
        }

        @Override
        public void plan(PlanRecord stored) {
            Plan plan = stored.plan();
            Plan old = before.plans().get(plan.id());
            if (old == null || old.status() != plan.status()) {
                String text = plan.operation() + " " + plan.cluster() + ": " + word(plan.status());
                report(now, plan, null, plan.status(), text);
            }
            steps(plan, old);
        }

        private void steps(Plan plan, @Nullable Plan old) {
            List<StepState> oldSteps = old == null ? List.of() : stepsOf(old);
            List<StepState> steps = stepsOf(plan);
            for (int i = 0; i < steps.size(); i++) {
                StepState step = steps.get(i);
                StepState known = i < oldSteps.size() ? oldSteps.get(i) : null;
                if (step.status() != StepState.Status.PENDING && differs(step, known)) {
                    String reason = step.reason() == null ? "" : ": " + step.reason();
                    report(now, plan, step.name(), step.status(), step.name() + ": " + word(step.status()) + reason);
                }
            }
        }

        private boolean differs(StepState step, @Nullable StepState known) {
            return known == null || known.status() != step.status() || !Objects.equals(known.reason(), step.reason());
        }

        private List<StepState> stepsOf(Plan plan) {
            return plan.phases().stream().flatMap(p -> p.steps().stream()).toList();
        }

        @Override
        public void request(RequestRecord request) {
            report(
                    now,
                    Event.Kind.CLUSTER,
                    request.request().cluster(),
                    request.request().cluster(),
                    request.request().title() + ": " + request.part().reason());
        }

        @Override
        public void peer(PeerRecord peer) {} // its report was an event when it arrived

        @Override
        public void audit(AuditRecord entry) {
            report(
                    now,
                    Event.Kind.AUDIT,
                    null,
                    entry.number(),
                    entry.who() + ": " + entry.what() + ": " + entry.outcome());
        }

        @Override
        public void cordon(CordonRecord cordon) {} // its audit entry is the event

        @Override
        public void token(TokenRecord token) {} // its audit entry is the event

        @Override
        public void authority(AuthorityRecord authority) {
            report(
                    now,
                    Event.Kind.CLUSTER,
                    authority.cluster(),
                    authority.name(),
                    "certificate authority " + authority.name() + (authority.retired() ? " retired" : " made"));
        }
    }

    private final class FactEvents implements Fact.Handler {
        private final Instant now;
        private final View before;

        FactEvents(Instant now, View before) {
            this.now = now;
            this.before = before;
        }

        @Override
        public void authorityMade(Fact.AuthorityMade made) {} // its record is the event

        @Override
        public void poolSeen(Fact.PoolSeen seen) {
            if (!before.poolSeen()) {
                report(now, Event.Kind.POOL, null, before.datacenter(), "seen");
            }
        }

        @Override
        public void poolUnavailable(Fact.PoolUnavailable unavailable) {
            if (before.poolSeen()) {
                report(now, Event.Kind.POOL, null, before.datacenter(), unavailable.reason());
            }
        }

        @Override
        public void machineChanged(Fact.MachineChanged changed) {
            Machine machine = changed.machine();
            Machine known = before.machines().get(machine.name());
            if (known == null || known.state() != machine.state()) {
                report(now, Event.Kind.POOL, null, machine.name(), word(machine.state()));
            }
        }

        @Override
        public void allocationChanged(Fact.AllocationChanged changed) {
            AllocationState state = changed.state();
            report(
                    now,
                    Event.Kind.POOL,
                    state.allocation().node().cluster(),
                    state.allocation().node(),
                    word(state.status()) + (state.reason() == null ? "" : ": " + state.reason()));
        }

        @Override
        public void allocationGone(Fact.AllocationGone gone) {}

        @Override
        public void nodeReported(Fact.NodeReported reported) {
            NodeStatus status = reported.status();
            NodeStatus known = before.status(status.node()).orElse(null);
            if (known == null
                    || known.mode() != status.mode()
                    || !known.activity().equals(status.activity())) {
                report(
                        now,
                        Event.Kind.NODE,
                        status.node().cluster(),
                        status.node(),
                        status.mode().with(status.activity()));
            }
        }

        @Override
        public void nodeSilent(Fact.NodeSilent silent) {
            if (before.status(silent.node()).isPresent() || !before.statuses().containsKey(silent.node())) {
                report(now, Event.Kind.NODE, silent.node().cluster(), silent.node(), "silent: " + silent.reason());
            }
        }

        @Override
        public void peerReported(Fact.PeerReported reported) {
            var known = before.peers().get(reported.report().datacenter());
            if (known == null || known.silence() != null) {
                report(now, Event.Kind.PEER, null, reported.report().datacenter(), "answers");
            }
        }

        @Override
        public void peerSilent(Fact.PeerSilent silent) {
            var known = before.peers().get(silent.datacenter());
            if (known == null || known.silence() == null) {
                report(now, Event.Kind.PEER, null, silent.datacenter(), "silent: " + silent.reason());
            }
        }
    }

    private static String word(Enum<?> status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}

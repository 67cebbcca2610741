package io.ringmaster.controller;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells the listener what changed: what was stored, and what was seen when it differs from before. */
final class EventRecorder {
    private final Event.Listener listener;
    private long revision;

    EventRecorder(Event.Listener listener, Instant now) {
        this.listener = listener;
        this.revision = now.toEpochMilli();
    }

    void leadership(Instant now, String datacenter, String text) {
        tell(now, Event.Kind.LEADERSHIP, datacenter, text);
    }

    /** To be called when the changes are stored, with the plans as they were. */
    void stored(Instant now, List<Change> changes, View before) {
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                stored(now, put.record(), before);
            } else {
                removed(now, change.key());
            }
        }
    }

    private void stored(Instant now, StoredRecord record, View before) {
        if (record instanceof PlanRecord plan) {
            plan(now, before.plans().get(plan.plan().id()), plan.plan());
        } else if (record instanceof RequestRecord request) {
            tell(
                    now,
                    Event.Kind.CLUSTER,
                    request.request().cluster().value(),
                    request.request().title() + ": " + request.part().reason());
        } else if (record instanceof ClusterRecord cluster) {
            String state = cluster.deleting() ? ", deleting" : cluster.created() ? ", created" : "";
            tell(now, Event.Kind.CLUSTER, cluster.name().value(), "version " + cluster.targetSpecVersion() + state);
        } else if (record instanceof SpecRecord spec) {
            tell(
                    now,
                    Event.Kind.CLUSTER,
                    spec.cluster().value(),
                    "version " + spec.version() + " declared by " + spec.appliedBy() + " at " + spec.appliedIn());
        } else if (record instanceof NodeRecord node) {
            tell(
                    now,
                    Event.Kind.NODE,
                    node.id().value(),
                    "generation " + node.generation() + ", version " + node.specVersion()
                            + (node.launched() ? ", launched" : "") + (node.joined() ? ", joined" : ""));
        } else if (record instanceof AuditRecord audit) {
            tell(
                    now,
                    Event.Kind.AUDIT,
                    Long.toString(audit.number()),
                    audit.who() + ": " + audit.what() + ": " + audit.outcome());
        }
    }

    private void removed(Instant now, String key) {
        if (key.startsWith("nodes/")) {
            tell(now, Event.Kind.NODE, key.substring("nodes/".length()), "gone");
        }
    }

    private void plan(Instant now, @Nullable Plan before, Plan plan) {
        String status = plan.status().name().toLowerCase(Locale.ROOT);
        if (before == null || before.status() != plan.status()) {
            tell(now, Event.Kind.PLAN, plan.id().value(), plan.operation() + " " + plan.cluster() + ": " + status);
        }
        List<StepState> old = before == null ? List.of() : steps(before);
        List<StepState> steps = steps(plan);
        for (int i = 0; i < steps.size(); i++) {
            StepState step = steps.get(i);
            if (step.reason() != null
                    && step.status() != StepState.Status.PENDING
                    && (i >= old.size() || !Objects.equals(old.get(i).reason(), step.reason()))) {
                String word = step.status().name().toLowerCase(Locale.ROOT);
                tell(now, Event.Kind.PLAN, plan.id().value(), step.name() + ": " + word + ": " + step.reason());
            }
        }
    }

    private static List<StepState> steps(Plan plan) {
        return plan.phases().stream().flatMap(p -> p.steps().stream()).toList();
    }

    /** To be called before the fact is taken in, with the view as it was. */
    void seen(Instant now, Fact fact, View before) {
        if (fact instanceof Fact.NodeReported reported) {
            NodeStatus status = reported.status();
            NodeStatus known = before.status(status.node()).orElse(null);
            if (known == null
                    || known.mode() != status.mode()
                    || !known.activity().equals(status.activity())) {
                tell(now, Event.Kind.NODE, status.node().value(), status.mode() + ": " + status.activity());
            }
        } else if (fact instanceof Fact.NodeSilent silent) {
            if (before.status(silent.node()).isPresent() || !before.statuses().containsKey(silent.node())) {
                tell(now, Event.Kind.NODE, silent.node().value(), "silent: " + silent.reason());
            }
        } else if (fact instanceof Fact.PoolSeen) {
            if (!before.poolSeen()) {
                tell(now, Event.Kind.POOL, before.datacenter().value(), "seen");
            }
        } else if (fact instanceof Fact.PoolUnavailable unavailable) {
            if (before.poolSeen()) {
                tell(now, Event.Kind.POOL, before.datacenter().value(), unavailable.reason());
            }
        } else if (fact instanceof Fact.AllocationChanged changed) {
            tell(
                    now,
                    Event.Kind.POOL,
                    changed.state().allocation().node().value(),
                    changed.state().status().name().toLowerCase(Locale.ROOT)
                            + (changed.state().reason() == null
                                    ? ""
                                    : ": " + changed.state().reason()));
        } else if (fact instanceof Fact.PeerReported reported) {
            var known = before.peers().get(reported.report().datacenter());
            if (known == null || known.silence() != null) {
                tell(now, Event.Kind.PEER, reported.report().datacenter().value(), "answers");
            }
        } else if (fact instanceof Fact.PeerSilent silent) {
            var known = before.peers().get(silent.datacenter());
            if (known == null || known.silence() == null) {
                tell(now, Event.Kind.PEER, silent.datacenter().value(), "silent: " + silent.reason());
            }
        }
    }

    private void tell(Instant now, Event.Kind kind, String subject, String text) {
        revision++;
        listener.on(new Event(revision, now, kind, subject, text));
    }
}

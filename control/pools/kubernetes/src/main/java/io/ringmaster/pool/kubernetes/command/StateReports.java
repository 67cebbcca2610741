package io.ringmaster.pool.kubernetes.command;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.base.PoolReports;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.observe.NodeCapacity;
import io.ringmaster.pool.kubernetes.observe.PodStates;
import io.ringmaster.pool.kubernetes.observe.RingAddresses;
import io.ringmaster.pool.kubernetes.watch.Mirror;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reports the states of allocations as the mirror shows them. */
public final class StateReports {
    private static final Duration USUAL_LAUNCH = Duration.ofSeconds(4);

    private final Mirror mirror;
    private final PoolReports reports;
    private final ApiCalls api;
    /** Why the last command for an allocation was refused, as long as no later one was carried out. */
    private final Map<AllocationId, Problem> refusals = new ConcurrentHashMap<>();

    /** Why the last command was not carried out yet. */
    private final Map<AllocationId, String> postponed = new ConcurrentHashMap<>();

    public StateReports(Mirror mirror, PoolReports reports, ApiCalls api) {
        this.mirror = mirror;
        this.reports = reports;
        this.api = api;
    }

    /** A command was carried out: reports the state, also for one who may have lost it. */
    public void report(AllocationId id) {
        refusals.remove(id);
        Optional<AllocationState> now = state(id);
        if (now.isPresent()) {
            reports.changed(now.get());
        } else {
            reports.gone(id);
        }
    }

    /** Reports the state if it differs from the last report. */
    public void reportChange(AllocationId id) {
        Optional<AllocationState> before = reports.state(id);
        Optional<AllocationState> now = state(id);
        if (now.isEmpty() && before.isPresent()) {
            reports.gone(id);
        } else if (now.isPresent()
                && !now.equals(before.map(b -> b.withRevision(now.get().revision())))) {
            reports.changed(now.get());
        }
    }

    private Optional<AllocationState> state(AllocationId id) {
        return mirror.claim(id).flatMap(ClaimNotes::of).map(notes -> {
            Optional<Pod> pod = mirror.pod(id);
            Problem refusal = refusals.get(id);
            if (refusal != null && pod.filter(p -> !ObjectNames.isWipe(p)).isEmpty()) {
                return reports.continued(reports.refused(notes.allocation(), refusal));
            }
            AllocationState state = reports.continued(
                            crossed(notes, pod, PodStates.state(notes, pod, isReady(notes), Instant.now())))
                    .withWarning(damage(id, pod));
            if (state.status() == Status.LAUNCHING
                    && state.since().isBefore(Instant.now().minus(USUAL_LAUNCH))) {
                state = state.withDetail(state.detail() + warning(pod));
            }
            return state;
        });
    }

    /** At the address of another node Cassandra does not start, so that the pod is as good as ended. */
    private AllocationState crossed(ClaimNotes notes, Optional<Pod> pod, AllocationState state) {
        if (state.status() != Status.RUNNING) {
            return state;
        }
        return pod.flatMap(p -> RingAddresses.owner(notes, p, mirror.claims(), mirror::pod))
                .map(owner -> AllocationState.of(state.allocation(), Status.EXITED, state.since(), 0)
                        .withDetail("its pod has the address " + state.address() + ", by which the ring knows " + owner
                                + "; it needs another pod")
                        .withResources(state.resources())
                        .at(state.address()))
                .orElse(state);
    }

    /** What people have deleted below a pod that runs, or what a command waits for. */
    private @Nullable String damage(AllocationId id, Optional<Pod> pod) {
        if (pod.isEmpty() || postponed.containsKey(id)) {
            return postponed.get(id);
        }
        if (mirror.claim(id)
                .filter(c -> c.getMetadata().getDeletionTimestamp() != null)
                .isPresent()) {
            return "its claim is being deleted, and goes with its volume once its pod ends";
        }
        String namespace = pod.get().getMetadata().getNamespace();
        return mirror.secret(id).isPresent()
                ? null
                : "its secret is gone, so that its executor cannot be asked; kubectl delete pod " + id + " -n "
                        + namespace + " makes both again";
    }

    /** Why it takes long, in the words of the kubelet or a volume plugin; empty if they have not said anything. */
    private String warning(Optional<Pod> pod) {
        try {
            return pod.flatMap(api::warning).map(message -> ": " + message).orElse("");
        } catch (KubernetesClientException e) {
            return ""; // without the right to list events
        }
    }

    /** A command met a Kubernetes that cannot be used now; what runs goes on. */
    void unavailable(AllocationId id, String reason) {
        reportChange(id);
        reports.unavailable(reason);
    }

    public boolean isMachineReady(AllocationId id) {
        return mirror.claim(id).flatMap(ClaimNotes::of).map(this::isReady).orElse(false);
    }

    /** @param why null if nothing is postponed any more */
    void postpone(AllocationId id, @Nullable String why) {
        if (why == null) {
            postponed.remove(id);
        } else {
            postponed.put(id, why);
        }
    }

    boolean isMachineCordoned(AllocationId id) {
        return mirror.claim(id)
                .flatMap(ClaimNotes::of)
                .flatMap(notes -> mirror.node(notes.allocation().machine().value()))
                .filter(NodeCapacity::isCordoned)
                .isPresent();
    }

    private boolean isReady(ClaimNotes notes) {
        return mirror.node(notes.allocation().machine().value())
                .map(NodeCapacity::isReady)
                .orElse(false);
    }

    void launching(Allocation allocation, String detail) {
        NodeResources held =
                reports.state(allocation.id()).map(AllocationState::resources).orElse(allocation.resources());
        reports.changed(reports.continued(AllocationState.of(allocation, Status.LAUNCHING, Instant.now(), 0)
                .withDetail(detail)
                .withResources(held)));
    }

    /** A command was refused; each refusal counts, so that its time is that of the report. */
    public void fail(Allocation allocation, Problem problem) {
        refusals.put(allocation.id(), problem);
        reports.changed(reports.refused(allocation, problem));
    }
}

package io.ringmaster.pool.kubernetes.observe;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.objects.PodTemplate;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of an allocation, from the notes of its claim and its pod. */
public final class PodStates {
    private static final Set<String> IMAGE = Set.of(
            "ErrImagePull",
            "ImagePullBackOff",
            "InvalidImageName",
            "ErrImageNeverPull",
            "ImageInspectError",
            "RegistryUnavailable");
    private static final Set<String> CREATION =
            Set.of("CreateContainerConfigError", "CreateContainerError", "RunContainerError", "CreatePodSandboxError");

    private PodStates() {}

    /**
     * @param machineReady whether the kubelet of its machine answers
     * @return its revision is 0, its address that of the pod, and its time that of the call
     */
    public static AllocationState state(ClaimNotes notes, Optional<Pod> found, boolean machineReady, Instant now) {
        Optional<Pod> pod = found.filter(p -> !ObjectNames.isWipe(p));
        if (found.isPresent() && pod.isEmpty()) {
            return wiping(notes, found.get(), now);
        }
        if (notes.released() && pod.isEmpty()) {
            return AllocationState.of(notes.allocation(), Status.RELEASED, now, 0)
                    .withDetail("volume kept");
        }
        if (notes.run() == null && pod.isEmpty()) {
            return AllocationState.of(notes.allocation(), Status.RESERVED, now, 0);
        }
        if (!machineReady) {
            return AllocationState.of(notes.allocation(), Status.UNREACHABLE, now, 0)
                    .withResources(pod.flatMap(PodStates::resources)
                            .orElse(notes.allocation().resources()))
                    .at(pod.map(PodStates::address).orElse(null))
                    .withProblem(Problem.of(
                            ErrorCode.MACHINE_LOST,
                            "its machine " + notes.allocation().machine() + " is not Ready in Kubernetes"));
        }
        return pod.map(p -> ofPod(notes.allocation(), p, now))
                .orElseGet(() -> AllocationState.of(notes.allocation(), Status.EXITED, now, 0)
                        .withDetail("it has no pod"));
    }

    /** The volume still takes its disk. */
    private static AllocationState wiping(ClaimNotes notes, Pod wipe, Instant now) {
        AllocationState state = observed(notes.allocation(), wipe, now);
        return AllocationState.of(notes.allocation(), Status.RELEASED, now, 0)
                .withDetail("empties its volume" + (state.reason() == null ? "" : ": " + state.reason()));
    }

    private static AllocationState ofPod(Allocation allocation, Pod pod, Instant now) {
        AllocationState state = observed(allocation, pod, now)
                .at(address(pod))
                .withResources(resources(pod).orElse(allocation.resources()));
        return pod.getMetadata().getDeletionTimestamp() == null || state.detail() != null
                ? state
                : state.withDetail("its pod is being deleted");
    }

    private static AllocationState observed(Allocation allocation, Pod pod, Instant now) {
        String phase = Objects.toString(
                pod.getStatus() == null ? null : pod.getStatus().getPhase(), "");
        if (isOver(pod)) {
            return exited(allocation, now, "its pod has the phase " + phase + why(pod));
        }
        Optional<ContainerStatus> container = container(pod);
        ContainerState state = container.map(ContainerStatus::getState).orElse(null);
        if (state != null && state.getRunning() != null && address(pod) != null) {
            return AllocationState.of(allocation, Status.RUNNING, now, 0);
        }
        if (state != null && state.getTerminated() != null) {
            return exited(allocation, now, ended(state.getTerminated()));
        }
        if (state != null && state.getWaiting() != null) {
            return waiting(allocation, container.orElseThrow(), state.getWaiting(), now);
        }
        return unscheduled(pod)
                .map(message -> AllocationState.of(allocation, Status.PENDING, now, 0)
                        .withProblem(
                                Problem.of(ErrorCode.POOL_UNAVAILABLE, "Kubernetes cannot schedule it: " + message)))
                .orElseGet(() -> launching(
                        allocation,
                        now,
                        hasMachine(pod) ? "waits for the kubelet of its machine" : "waits for the scheduler"));
    }

    private static AllocationState waiting(
            Allocation allocation, ContainerStatus container, ContainerStateWaiting waiting, Instant now) {
        String reason = Objects.toString(waiting.getReason(), "");
        String message = waiting.getMessage() == null ? reason : reason + ": " + waiting.getMessage();
        if (IMAGE.contains(reason)) {
            return AllocationState.failed(
                    allocation,
                    now,
                    0,
                    Problem.of(
                            ErrorCode.BINARIES_UNAVAILABLE,
                            "the image " + container.getImage() + " cannot be pulled: " + message,
                            "make the image available, or correct pool.kubernetes.image and restart the server"));
        }
        if (CREATION.contains(reason)) {
            return AllocationState.failed(allocation, now, 0, Problem.of(ErrorCode.POOL_UNAVAILABLE, message));
        }
        ContainerState last = container.getLastState();
        if (last != null && last.getTerminated() != null) {
            return exited(allocation, now, ended(last.getTerminated()) + "; the kubelet starts it again");
        }
        return launching(
                allocation,
                now,
                reason.equals("ContainerCreating") ? "mounts its volume and starts its container" : message);
    }

    private static AllocationState launching(Allocation allocation, Instant now, String detail) {
        return AllocationState.of(allocation, Status.LAUNCHING, now, 0).withDetail(detail);
    }

    private static AllocationState exited(Allocation allocation, Instant now, String detail) {
        return AllocationState.of(allocation, Status.EXITED, now, 0).withDetail(detail);
    }

    private static String ended(ContainerStateTerminated end) {
        String reason = end.getReason() == null || end.getReason().equals("Error") ? "" : ", " + end.getReason();
        String message = end.getMessage() == null ? "" : ": " + end.getMessage().strip();
        return String.format(Locale.ROOT, "exit code %d%s%s", end.getExitCode(), reason, message);
    }

    private static String why(Pod pod) {
        String reason = pod.getStatus().getReason();
        String message = pod.getStatus().getMessage();
        return (reason == null ? "" : " (" + reason + ")") + (message == null ? "" : ": " + message);
    }

    /** The scheduler's words; empty once it has found a place, or has not looked yet. */
    private static Optional<String> unscheduled(Pod pod) {
        return scheduling(pod)
                .filter(c -> c.getStatus().equals("False"))
                .map(PodStates::words)
                .findFirst();
    }

    private static boolean hasMachine(Pod pod) {
        return scheduling(pod).anyMatch(c -> c.getStatus().equals("True"));
    }

    private static Stream<PodCondition> scheduling(Pod pod) {
        return pod.getStatus() == null
                ? Stream.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(c -> c.getType().equals("PodScheduled"));
    }

    private static String words(PodCondition condition) {
        return condition.getMessage() == null ? String.valueOf(condition.getReason()) : condition.getMessage();
    }

    /** Whether the pod never starts a container again: it was evicted, or its machine was shut down. */
    public static boolean isOver(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return "Failed".equals(phase) || "Succeeded".equals(phase);
    }

    /** Whether its node is in the ring and serves. */
    public static boolean isReady(Pod pod) {
        return container(pod).filter(c -> Boolean.TRUE.equals(c.getReady())).isPresent();
    }

    /** Whether its container runs now. */
    public static boolean runs(Pod pod) {
        return container(pod)
                .map(ContainerStatus::getState)
                .map(ContainerState::getRunning)
                .isPresent();
    }

    private static Optional<ContainerStatus> container(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getContainerStatuses().stream()
                        .filter(c -> c.getName().equals(PodTemplate.CONTAINER)
                                || c.getName().equals(PodTemplate.WIPE_CONTAINER))
                        .findFirst();
    }

    public static @Nullable String address(Pod pod) {
        return pod.getStatus() == null ? null : pod.getStatus().getPodIP();
    }

    private static Optional<NodeResources> resources(Pod pod) {
        var annotations = pod.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations == null ? null : annotations.get(ObjectNames.RESOURCES))
                .flatMap(PodStates::parsed);
    }

    /** Empty if somebody has damaged the annotation. */
    private static Optional<NodeResources> parsed(String text) {
        try {
            return Optional.ofNullable(Json.parse(text, NodeResources.class));
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }
}

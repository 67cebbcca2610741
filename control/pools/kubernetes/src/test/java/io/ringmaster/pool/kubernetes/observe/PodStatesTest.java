package io.ringmaster.pool.kubernetes.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.kubernetes.Samples;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Recorded statuses of pods, and the state that each is reported as. */
class PodStatesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final String SCHEDULED = "'conditions': [{'type': 'PodScheduled', 'status': 'True'}]";

    /** What the allocation holds after a change that no pod has yet. */
    private static final NodeResources LARGER = new NodeResources(2000, 4L << 30, 2L << 30, 20L << 30);

    private final StringBuilder table = new StringBuilder();

    private void row(String name, ClaimNotes notes, @Nullable Pod pod) {
        row(name, notes, pod, true);
    }

    private void row(String name, ClaimNotes notes, @Nullable Pod pod, boolean ready) {
        AllocationState s = PodStates.state(notes, Optional.ofNullable(pod), ready, NOW);
        assertThat(s.allocation()).isEqualTo(notes.allocation());
        assertThat(s.since()).isEqualTo(NOW);
        assertThat(s.revision()).isZero();
        table.append(name).append(": ").append(s.status()).append(", ").append(held(s.resources()));
        table.append(s.address() == null ? "" : " at " + s.address());
        table.append(s.problem() == null ? "" : ", " + s.problem().code());
        table.append(s.reason() == null ? "" : ", " + s.reason());
        table.append(
                s.problem() == null || s.problem().nextStep() == null
                        ? ""
                        : " -> " + s.problem().nextStep());
        table.append('\n');
    }

    private static String held(NodeResources r) {
        return r.cpuMillis() + "m " + (r.memoryBytes() >> 30) + " GiB, disk " + (r.diskBytes() >> 30) + " GiB";
    }

    private static Pod pod(String status) {
        return Samples.with(Samples.pod(), status);
    }

    /** A pod with an address, on its machine. */
    private static Pod container(String state, String lastState) {
        return pod(
                """
                {'phase': 'Running', 'podIP': '10.1.0.7', %s, 'containerStatuses': [{
                  'name': 'cassandra', 'image': 'registry.example/cassandra:5.0.9', 'imageID': '', 'ready': false,
                  'restartCount': 1, 'state': %s, 'lastState': %s}]}"""
                        .formatted(SCHEDULED, state, lastState));
    }

    private static Pod waiting(String reason, String message) {
        return pod(
                """
                {'phase': 'Pending', %s, 'containerStatuses': [{
                  'name': 'cassandra', 'image': 'registry.example/cassandra:5.0.9', 'imageID': '', 'ready': false,
                  'restartCount': 0, 'state': {'waiting': {'reason': '%s'%s}}, 'lastState': {}}]}"""
                        .formatted(SCHEDULED, reason, message.isEmpty() ? "" : ", 'message': '" + message + "'"));
    }

    private static Pod deleted(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withDeletionTimestamp("2026-03-01T11:59:00Z")
                .endMetadata()
                .build();
    }

    private static final String RUNS = "{'running': {'startedAt': '2026-03-01T11:00:00Z'}}";
    private static final String OOM = "{'terminated': {'exitCode': 137, 'reason': 'OOMKilled'}}";

    private void assertTable(String expected) {
        assertThat(table.toString()).isEqualTo(expected);
    }

    @Test
    void without_a_pod() {
        row("reserved", Samples.RESERVED, null);
        row("reserved, machine away", Samples.RESERVED, null, false);
        row("released", Samples.RUNNING.volumeOnly(), null);
        row("released, machine away", Samples.RUNNING.volumeOnly(), null, false);
        row("stopped", Samples.RUNNING.stopped(), null);
        row("its pod is gone", Samples.RUNNING, null);
        row("its pod is gone, machine away", Samples.RUNNING, null, false);
        assertTable(
                """
                reserved: RESERVED, 1500m 2 GiB, disk 20 GiB
                reserved, machine away: RESERVED, 1500m 2 GiB, disk 20 GiB
                released: RELEASED, 0m 0 GiB, disk 20 GiB, volume kept
                released, machine away: RELEASED, 0m 0 GiB, disk 20 GiB, volume kept
                stopped: RESERVED, 1500m 2 GiB, disk 20 GiB
                its pod is gone: EXITED, 1500m 2 GiB, disk 20 GiB, it has no pod
                its pod is gone, machine away: UNREACHABLE, 1500m 2 GiB, disk 20 GiB, MACHINE_LOST, \
                its machine n1 is not Ready in Kubernetes
                """);
    }

    @Test
    void before_its_container_runs() {
        row("created", Samples.RUNNING, Samples.pod());
        row(
                "no place",
                Samples.RUNNING,
                pod(
                        """
                {'phase': 'Pending', 'conditions': [{'type': 'PodScheduled', 'status': 'False',
                  'reason': 'Unschedulable', 'message': '0/3 nodes are available: 1 Insufficient memory.'}]}"""));
        row(
                "no words",
                Samples.RUNNING,
                pod(
                        """
                {'phase': 'Pending', 'conditions': [{'type': 'PodScheduled', 'status': 'False',
                  'reason': 'SchedulingGated'}]}"""));
        row("has a machine", Samples.RUNNING, pod("{'phase': 'Pending', " + SCHEDULED + "}"));
        row("has a machine that is away", Samples.RUNNING, pod("{'phase': 'Pending', " + SCHEDULED + "}"), false);
        row("mounts", Samples.RUNNING, waiting("ContainerCreating", ""));
        row("first pull", Samples.RUNNING, waiting("ErrImagePull", "not found"));
        row("next pull", Samples.RUNNING, waiting("ImagePullBackOff", "Back-off pulling image"));
        row("no pull", Samples.RUNNING, waiting("ErrImageNeverPull", "not present with pull policy of Never"));
        row("bad name", Samples.RUNNING, waiting("InvalidImageName", ""));
        row("no Secret", Samples.RUNNING, waiting("CreateContainerConfigError", "secret not found"));
        row("no file", Samples.RUNNING, waiting("RunContainerError", "no such file"));
        row("other", Samples.RUNNING, waiting("PodInitializing", ""));
        String image = "the image registry.example/cassandra:5.0.9 cannot be pulled: ";
        String next = " -> make the image available, or correct pool.kubernetes.image and restart the server";
        assertTable(
                """
                created: LAUNCHING, 1500m 2 GiB, disk 20 GiB, waits for the scheduler
                no place: PENDING, 1500m 2 GiB, disk 20 GiB, POOL_UNAVAILABLE, Kubernetes cannot schedule it: \
                0/3 nodes are available: 1 Insufficient memory.
                no words: PENDING, 1500m 2 GiB, disk 20 GiB, POOL_UNAVAILABLE, Kubernetes cannot schedule it: \
                SchedulingGated
                has a machine: LAUNCHING, 1500m 2 GiB, disk 20 GiB, waits for the kubelet of its machine
                has a machine that is away: UNREACHABLE, 1500m 2 GiB, disk 20 GiB, MACHINE_LOST, \
                its machine n1 is not Ready in Kubernetes
                mounts: LAUNCHING, 1500m 2 GiB, disk 20 GiB, mounts its volume and starts its container
                first pull: FAILED, 1500m 2 GiB, disk 20 GiB, BINARIES_UNAVAILABLE, %1$sErrImagePull: not found%2$s
                next pull: FAILED, 1500m 2 GiB, disk 20 GiB, BINARIES_UNAVAILABLE, %1$sImagePullBackOff: \
                Back-off pulling image%2$s
                no pull: FAILED, 1500m 2 GiB, disk 20 GiB, BINARIES_UNAVAILABLE, %1$sErrImageNeverPull: \
                not present with pull policy of Never%2$s
                bad name: FAILED, 1500m 2 GiB, disk 20 GiB, BINARIES_UNAVAILABLE, %1$sInvalidImageName%2$s
                no Secret: FAILED, 1500m 2 GiB, disk 20 GiB, POOL_UNAVAILABLE, \
                CreateContainerConfigError: secret not found
                no file: FAILED, 1500m 2 GiB, disk 20 GiB, POOL_UNAVAILABLE, RunContainerError: no such file
                other: LAUNCHING, 1500m 2 GiB, disk 20 GiB, PodInitializing
                """
                        .formatted(image, next));
    }

    @Test
    void once_its_container_has_run() {
        Pod running = container(RUNS, "{}");
        row("runs", Samples.RUNNING, running);
        row("runs after an end", Samples.RUNNING, container(RUNS, OOM));
        row("runs as before a change", Samples.RUNNING.reservedFor(Samples.ALLOCATION.withResources(LARGER)), running);
        row("runs, machine away", Samples.RUNNING, running, false);
        row("runs, being deleted", Samples.RUNNING, deleted(running));
        row("runs until a kill is done", Samples.RUNNING.stopped(), deleted(running));
        row("runs until a release is done", Samples.RUNNING.volumeOnly(), deleted(running));
        row(
                "no address yet",
                Samples.RUNNING,
                pod(
                        """
                {'phase': 'Running', %s, 'containerStatuses': [{'name': 'cassandra', 'image': 'x', 'imageID': '',
                  'ready': false, 'restartCount': 0, 'state': %s}]}"""
                                .formatted(SCHEDULED, RUNS)));
        row(
                "other container only",
                Samples.RUNNING,
                pod(
                        """
                {'phase': 'Running', 'podIP': '10.1.0.7', %s, 'containerStatuses': [{'name': 'debugger', 'image': 'x',
                  'imageID': '', 'ready': true, 'restartCount': 0, 'state': %s}]}"""
                                .formatted(SCHEDULED, RUNS)));
        row(
                "just ended",
                Samples.RUNNING,
                container(
                        "{'terminated': {'exitCode': 1, 'reason': 'Error', 'message':"
                                + " 'the executor cannot start: no token \\n'}}",
                        "{}"));
        row(
                "out of memory",
                Samples.RUNNING,
                container("{'waiting': {'reason': 'CrashLoopBackOff', 'message': 'back-off 10s restarting'}}", OOM));
        row(
                "first back-off",
                Samples.RUNNING,
                container("{'waiting': {'reason': 'CrashLoopBackOff', 'message': 'back-off 10s restarting'}}", "{}"));
        row(
                "evicted",
                Samples.RUNNING,
                pod(
                        """
                {'phase': 'Failed', 'reason': 'Evicted', 'message': 'The node was low on resource: memory.'}"""));
        row("succeeded", Samples.RUNNING, pod("{'phase': 'Succeeded', 'podIP': '10.1.0.7'}"));
        row("evicted, machine away", Samples.RUNNING, pod("{'phase': 'Failed', 'reason': 'Terminated'}"), false);
        assertTable(
                """
                runs: RUNNING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7
                runs after an end: RUNNING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7
                runs as before a change: RUNNING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7
                runs, machine away: UNREACHABLE, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, MACHINE_LOST, \
                its machine n1 is not Ready in Kubernetes
                runs, being deleted: RUNNING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, its pod is being deleted
                runs until a kill is done: RUNNING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, its pod is being deleted
                runs until a release is done: RUNNING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, its pod is being deleted
                no address yet: LAUNCHING, 1500m 2 GiB, disk 20 GiB, waits for the kubelet of its machine
                other container only: LAUNCHING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, \
                waits for the kubelet of its machine
                just ended: EXITED, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, exit code 1: \
                the executor cannot start: no token
                out of memory: EXITED, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, exit code 137, OOMKilled; \
                the kubelet starts it again
                first back-off: LAUNCHING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, CrashLoopBackOff: \
                back-off 10s restarting
                evicted: EXITED, 1500m 2 GiB, disk 20 GiB, its pod has the phase Failed (Evicted): \
                The node was low on resource: memory.
                succeeded: EXITED, 1500m 2 GiB, disk 20 GiB at 10.1.0.7, its pod has the phase Succeeded
                evicted, machine away: UNREACHABLE, 1500m 2 GiB, disk 20 GiB, MACHINE_LOST, \
                its machine n1 is not Ready in Kubernetes
                """);
    }

    @Test
    void a_pod_that_only_empties_the_volume_is_no_pod_of_the_node() {
        Pod wipe = Samples.with(Samples.wipe(), "{'phase': 'Running', 'podIP': '10.1.0.8'}");
        row("released", Samples.RUNNING.volumeOnly(), wipe);
        row("released, machine away", Samples.RUNNING.volumeOnly(), wipe, false);
        assertTable(
                """
                released: RELEASED, 0m 0 GiB, disk 20 GiB, empties its volume: waits for the scheduler
                released, machine away: RELEASED, 0m 0 GiB, disk 20 GiB, empties its volume: waits for the scheduler
                """);
    }

    @Test
    void resources_that_cannot_be_read_are_those_that_were_decided() {
        for (String damaged : new String[] {"", "{", "[]", "null", "{\"cpuMillis\":\"many\"}"}) {
            Pod pod = new PodBuilder(container(RUNS, "{}"))
                    .editMetadata()
                    .addToAnnotations(ObjectNames.RESOURCES, damaged)
                    .endMetadata()
                    .build();
            row("'" + damaged + "'", Samples.RUNNING, pod);
        }
        assertThat(table.toString().lines())
                .hasSize(5)
                .allMatch(line -> line.endsWith("RUNNING, 1500m 2 GiB, disk 20 GiB at 10.1.0.7"));
    }
}

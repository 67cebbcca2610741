package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The only container of a pod. Nothing of it is real but what the API server is sent about it. */
final class PlayedContainer {
    private static final int KILLED = 137;

    /** Namespace and name of its pod. */
    final String pod;

    /** As a kubelet gives them: another one for each start. */
    private int starts = 1;

    private String address;
    private boolean ready = true;
    private @Nullable Instant ended;
    private int exitCode;
    /** Whether the API server knows of the last change. */
    private boolean reported;

    PlayedContainer(String pod, String address) {
        this.pod = pod;
        this.address = address;
    }

    boolean runs() {
        return ended == null;
    }

    boolean endedBefore(Instant time) {
        return ended != null && ended.isBefore(time);
    }

    int starts() {
        return starts;
    }

    void crash() {
        exit(KILLED);
    }

    void exit(int code) {
        ended = Instant.now();
        exitCode = code;
        reported = false;
    }

    /** In the same pod. */
    void startAgain(String at) {
        starts++;
        address = at;
        ended = null;
        reported = false;
    }

    /** Its Cassandra does not start. */
    void refuse() {
        ready = false;
    }

    String address() {
        return address;
    }

    boolean isReported() {
        return reported;
    }

    void reported() {
        reported = true;
    }

    /** A container that never starts again ends its pod, too. */
    PodStatus status(Pod of, PodStatus before) {
        boolean over = ended != null && of.getSpec().getRestartPolicy().equals("Never");
        return new PodStatusBuilder(before)
                .withPhase(over ? exitCode == 0 ? "Succeeded" : "Failed" : "Running")
                .withPodIP(address)
                .withPodIPs()
                .addNewPodIP(address)
                .withContainerStatuses(container(of, over))
                .build();
    }

    private ContainerStatus container(Pod of, boolean over) {
        var status = new ContainerStatusBuilder()
                .withName(of.getSpec().getContainers().get(0).getName())
                .withImage(of.getSpec().getContainers().get(0).getImage())
                .withImageID("played")
                .withContainerID("played://" + of.getMetadata().getUid() + "/" + starts)
                .withRestartCount(starts - 1)
                .withReady(runs() && ready);
        if (runs()) {
            return status.withNewState()
                    .withNewRunning(Instant.now().toString())
                    .endState()
                    .build();
        }
        if (over) {
            return status.withState(terminated()).build();
        }
        return status.withNewState()
                .withNewWaiting("back-off restarting failed container", "CrashLoopBackOff")
                .endState()
                .withLastState(terminated())
                .build();
    }

    private ContainerState terminated() {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(exitCode)
                .withReason(exitCode == 0 ? "Completed" : "Error")
                .withFinishedAt(String.valueOf(ended))
                .endTerminated()
                .build();
    }
}

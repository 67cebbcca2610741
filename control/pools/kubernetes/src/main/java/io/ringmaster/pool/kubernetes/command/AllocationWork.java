package io.ringmaster.pool.kubernetes.command;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.objects.PodTemplate;
import io.ringmaster.pool.kubernetes.objects.TokenSecret;
import io.ringmaster.pool.kubernetes.observe.PodStates;
import io.ringmaster.pool.kubernetes.watch.Mirror;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.UnusableAuthorityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the commands for one allocation. Methods are called one at a time, and may take minutes; each ends with a
 * report of the state, whatever came of it.
 */
public final class AllocationWork {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationWork.class);
    private static final Duration END_OF_POD = Duration.ofSeconds(PodTemplate.GRACE_S + 30);
    private static final Duration END_OF_CLAIM = Duration.ofSeconds(60);

    private final AllocationId id;
    private final KubernetesPoolSettings settings;
    private final ApiCalls api;
    private final Mirror mirror;
    private final StateReports reports;
    private final ClaimCommands claims;

    public AllocationWork(
            AllocationId id, KubernetesPoolSettings settings, ApiCalls api, Mirror mirror, StateReports reports) {
        this.id = id;
        this.settings = settings;
        this.api = api;
        this.mirror = mirror;
        this.reports = reports;
        claims = new ClaimCommands(id, settings, api, mirror);
    }

    private interface Task {
        void run() throws CommandRefusedException, InterruptedException;
    }

    private void carryOut(Allocation wanted, Task task) throws InterruptedException {
        reports.postpone(id, null);
        try {
            task.run();
            reports.report(id);
        } catch (UnusableAuthorityException e) {
            reports.fail(
                    wanted,
                    CommandRefusedException.of(ThrowableText.of(e) + "; its executor would have no certificate")
                            .problem());
        } catch (CommandRefusedException e) {
            reports.fail(wanted, e.problem());
        } catch (KubernetesClientException e) {
            if (ApiCalls.isRefused(e)) {
                reports.fail(
                        wanted, CommandRefusedException.of(ApiCalls.reason(e)).problem());
            } else {
                LOG.warn("{}: {}", id, ApiCalls.reason(e));
                reports.unavailable(id, ApiCalls.reason(e)); // the controller repeats the command
            }
        }
    }

    public void reserve(Allocation wanted) throws InterruptedException {
        carryOut(wanted, () -> claims.reserve(wanted));
    }

    public void launch(Command.Launch command) throws InterruptedException {
        Allocation wanted = command.allocation();
        ClaimNotes.Run run = new ClaimNotes.Run(command.generation(), command.cassandraVersion());
        carryOut(wanted, () -> {
            Optional<Pod> pod = mirror.pod(id);
            if (pod.isPresent() && goesOn(pod.get(), run)) {
                var unused = claims.ensureSecret(claims.reserved(wanted));
                claims.note(
                        claims.reserved(wanted),
                        wanted,
                        notes -> notes.run() == null ? notes.running(wanted, run) : notes.reservedFor(wanted));
                return;
            }
            start(wanted, run);
        });
    }

    /**
     * Whether a launch leaves this pod alone: the kubelet starts an ended container again, in the same pod. Only a pod
     * that waits for another image, or has the address of another node, is made again.
     */
    private boolean goesOn(Pod pod, ClaimNotes.Run run) {
        if (PodStates.isOver(pod)
                || pod.getMetadata().getDeletionTimestamp() != null
                || AddressNotes.isCrossed(mirror, id, pod)) {
            return false;
        }
        String image = pod.getSpec().getContainers().get(0).getImage();
        return PodStates.runs(pod) || image.equals(settings.image(run.cassandraVersion()));
    }

    public void relaunch(Command.Relaunch command) throws InterruptedException {
        Allocation wanted = command.allocation();
        ClaimNotes.Run run = new ClaimNotes.Run(command.generation(), command.cassandraVersion());
        carryOut(wanted, () -> {
            PersistentVolumeClaim claim = claims.reserved(wanted);
            if (command.generation() <= claims.notes(claim).launched()) {
                return;
            }
            if (mirror.pod(id).filter(pod -> isOf(pod, run)).isPresent()) {
                // a server died after it had made the pod, and before it could note that
                claims.note(claim, wanted, n -> n.running(wanted, run).launchedWith(run.generation()));
            } else if (mirror.pod(id).isPresent() && reports.isMachineCordoned(id)) {
                reports.postpone(
                        id,
                        wanted.machine()
                                + " keeps new pods off, cordoned or tainted: its pod is made again once that ends");
            } else {
                start(wanted, run);
            }
        });
    }

    /** Ends the pod that is there, and creates another one. */
    private void start(Allocation wanted, ClaimNotes.Run run) throws CommandRefusedException, InterruptedException {
        PersistentVolumeClaim claim = claims.note(claims.reserved(wanted), wanted, notes -> notes.running(wanted, run));
        Optional<DoorFiles> door =
                settings.doors().forLaunch(id, claims.door(claim).isPresent());
        // while the pod before runs, which must not end for a door that cannot be laid down
        if (door.isPresent()) {
            claims.layDown(door.get(), claim);
        } else {
            var unused = claims.ensureSecret(claim);
        }
        if (mirror.pod(id).isPresent()) {
            reports.launching(wanted, "ends the pod before");
            if (!end()) {
                return;
            }
        }
        reports.launching(wanted, "creates its pod");
        Pod made = api.create(PodTemplate.pod(settings, claim, claims.notes(claim), run, door.isPresent()));
        if (!mirror.isOwn(made)) {
            throw CommandRefusedException.of("another pod of the namespace " + settings.namespace() + " is named " + id
                    + "; delete it, or choose another namespace");
        }
        if (!isOf(made, run)) {
            throw CommandRefusedException.of("the pod before still has the name " + id);
        }
        claims.seen(made, () -> mirror.pod(id));
        claims.note(mirror.claim(id).orElse(claim), notes -> notes.launchedWith(run.generation()));
    }

    /** Whether the pod was made for this launch, and stays. */
    private static boolean isOf(Pod pod, ClaimNotes.Run run) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations != null
                && Long.toString(run.generation()).equals(annotations.get(ObjectNames.GENERATION))
                && pod.getMetadata().getDeletionTimestamp() == null
                && !PodStates.isOver(pod);
    }

    /** Deletes the pod and waits for its end; false if its machine went away meanwhile. */
    private boolean end() throws CommandRefusedException, InterruptedException {
        Optional<Pod> pod = present();
        if (pod.isEmpty()) {
            return true;
        }
        claims.seen(pod.get(), () -> mirror.pod(id));
        api.delete(pod.get());
        mirror.await(() -> mirror.pod(id).isEmpty() || !reports.isMachineReady(id), END_OF_POD);
        if (present().isEmpty()) {
            return true;
        }
        if (reports.isMachineReady(id)) {
            throw CommandRefusedException.of("the pod " + id + " does not end; kubectl describe pod " + id + " -n "
                    + settings.namespace() + " says why");
        }
        return false;
    }

    /** The pod; that there is none is not believed of a watch, which may have broken, but asked of the API server. */
    private Optional<Pod> present() {
        return mirror.pod(id).or(() -> api.pod(id.value()).filter(mirror::isOwn));
    }

    /** The executor reads the files again. */
    public void renewDoor() throws InterruptedException {
        Optional<PersistentVolumeClaim> claim =
                mirror.claim(id).filter(c -> c.getMetadata().getDeletionTimestamp() == null);
        Optional<DoorFiles> renewed =
                claim.flatMap(claims::door).flatMap(present -> settings.doors().renewed(id, present));
        if (renewed.isEmpty()) {
            return;
        }
        try {
            claims.layDown(renewed.get(), claim.get());
        } catch (CommandRefusedException e) {
            LOG.warn(
                    "{}: the door of its executor is not renewed: {}",
                    id,
                    e.problem().line());
        } catch (KubernetesClientException e) {
            LOG.warn("{}: the door of its executor is not renewed: {}", id, ApiCalls.reason(e));
        }
    }

    public void kill() throws InterruptedException {
        Optional<Allocation> known = mirror.claim(id).flatMap(ClaimNotes::of).map(ClaimNotes::allocation);
        if (known.isEmpty()) {
            reports.report(id);
            return;
        }
        carryOut(known.get(), () -> {
            noteUnlessDeleted(ClaimNotes::stopped);
            end();
        });
    }

    /** A claim that somebody has deleted stays until its pod has ended. */
    private void noteUnlessDeleted(Function<ClaimNotes, ClaimNotes> change)
            throws CommandRefusedException, InterruptedException {
        PersistentVolumeClaim claim = mirror.claim(id).orElseThrow();
        if (claim.getMetadata().getDeletionTimestamp() == null) {
            claims.note(claim, change);
        }
    }

    /** @param destroyVolume otherwise the claim stays, so that its volume is never bound by another */
    public void release(boolean destroyVolume) throws InterruptedException {
        Optional<Allocation> known = mirror.claim(id).flatMap(ClaimNotes::of).map(ClaimNotes::allocation);
        if (known.isEmpty()) {
            reports.report(id);
            return;
        }
        carryOut(known.get(), () -> {
            noteUnlessDeleted(ClaimNotes::volumeOnly);
            if (end() && destroyVolume) {
                destroy();
            }
        });
    }

    private void destroy() throws CommandRefusedException, InterruptedException {
        // its volume may have been bound a moment ago
        Optional<PersistentVolumeClaim> present = api.claim(id.value());
        if (present.isEmpty()) {
            return;
        }
        PersistentVolumeClaim claim = present.get();
        VolumeReclaim volume = new VolumeReclaim(settings, api, mirror);
        Optional<PersistentVolume> kept = volume.keptByItsPolicy(claim);
        Optional<String> left =
                kept.isPresent() ? volume.empty(id, claim, claims.notes(claim), reports) : Optional.empty();
        if (left.isPresent()) {
            throw CommandRefusedException.of(left.get());
        }
        if (!end()) {
            return;
        }
        boolean offered = kept.isPresent() && volume.emptied(kept.get(), claim);
        api.delete(claim);
        mirror.secret(id).filter(s -> TokenSecret.belongsTo(s, claim)).ifPresent(api::delete);
        if (!mirror.await(() -> mirror.claim(id).isEmpty() && mirror.secret(id).isEmpty(), END_OF_CLAIM)) {
            throw CommandRefusedException.of("the claim " + id + " is still being deleted");
        }
        if (offered) {
            volume.makeAvailableWhenReleased(kept.get());
        }
    }
}

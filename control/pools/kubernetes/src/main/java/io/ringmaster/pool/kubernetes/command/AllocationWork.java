package io.ringmaster.pool.kubernetes.command;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ClaimTemplate;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.objects.PodTemplate;
import io.ringmaster.pool.kubernetes.objects.TokenSecret;
import io.ringmaster.pool.kubernetes.observe.PodStates;
import io.ringmaster.pool.kubernetes.watch.Mirror;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the commands for one allocation. Methods are called one at a time, and may take minutes; each ends with a
 * report of the state, whatever came of it.
 */
public final class AllocationWork {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationWork.class);
    /** How long a watch may take to show a change that was made. */
    private static final Duration ECHO = Duration.ofSeconds(5);

    private static final Duration END_OF_POD = Duration.ofSeconds(PodTemplate.GRACE_S + 30);
    private static final Duration END_OF_CLAIM = Duration.ofSeconds(60);

    private final AllocationId id;
    private final KubernetesPoolSettings settings;
    private final ApiCalls api;
    private final Mirror mirror;
    private final StateReports reports;

    public AllocationWork(
            AllocationId id, KubernetesPoolSettings settings, ApiCalls api, Mirror mirror, StateReports reports) {
        this.id = id;
        this.settings = settings;
        this.api = api;
        this.mirror = mirror;
        this.reports = reports;
    }

    /** A command that Kubernetes or the pool refuses. */
    private static final class RefusedException extends Exception {
        private final transient Problem problem;

        RefusedException(Problem problem) {
            super(problem.message());
            this.problem = problem;
        }
    }

    private interface Task {
        void run() throws RefusedException, InterruptedException;
    }

    private void carryOut(Allocation wanted, Task task) throws InterruptedException {
        try {
            task.run();
            reports.report(id);
        } catch (RefusedException e) {
            reports.fail(wanted, e.problem);
        } catch (KubernetesClientException e) {
            if (ApiCalls.isRefused(e)) {
                reports.fail(wanted, refusal(ApiCalls.reason(e)));
            } else {
                LOG.warn("{}: {}", id, ApiCalls.reason(e));
                reports.unavailable(id, ApiCalls.reason(e)); // the controller repeats the command
            }
        }
    }

    public void reserve(Allocation wanted) throws InterruptedException {
        carryOut(wanted, () -> reserved(wanted));
    }

    private void reserved(Allocation wanted) throws RefusedException, InterruptedException {
        Optional<PersistentVolumeClaim> there = mirror.claim(id);
        if (there.isEmpty()) {
            requireMachine(wanted);
            requireStorageClass();
            PersistentVolumeClaim made = api.create(ClaimTemplate.claim(settings, wanted));
            there = Optional.of(seen(made, () -> mirror.claim(id)));
        }
        PersistentVolumeClaim claim = noted(there.get(), wanted, notes -> notes.reservedFor(wanted));
        ensureSecret(claim);
    }

    /** Kubernetes collects the secret of a former claim of this name some time after that claim. */
    private void ensureSecret(PersistentVolumeClaim claim) throws RefusedException, InterruptedException {
        if (mirror.secret(id).filter(s -> TokenSecret.belongsTo(s, claim)).isPresent()) {
            return;
        }
        Secret made = api.create(TokenSecret.secret(claim));
        if (!TokenSecret.belongsTo(made, claim)) {
            api.delete(made);
            throw new RefusedException(refusal("the secret " + id + " belonged to a former claim, and is replaced"));
        }
        seen(made, () -> mirror.secret(id));
    }

    private void requireMachine(Allocation wanted) throws RefusedException {
        if (mirror.node(wanted.machine().value()).isEmpty()) {
            throw new RefusedException(refusal("there is no Node '" + wanted.machine() + "' in this Kubernetes"));
        }
    }

    private void requireStorageClass() throws RefusedException {
        String name = settings.storageClass();
        Optional<StorageClass> found = api.storageClass(name);
        if (found.isEmpty()) {
            String known = String.join(", ", api.storageClasses());
            throw new RefusedException(Problem.of(
                    ErrorCode.POOL_UNAVAILABLE,
                    "there is no StorageClass '" + name + "' in this Kubernetes"
                            + (known.isEmpty() ? "" : ", but " + known),
                    Advice.of("create it, or correct pool.kubernetes.storage_class and restart the server")));
        }
        if (!"WaitForFirstConsumer".equals(found.get().getVolumeBindingMode())) {
            throw new RefusedException(Problem.of(
                    ErrorCode.POOL_UNAVAILABLE,
                    "the StorageClass '" + name + "' makes volumes where no node may be placed: its"
                            + " volumeBindingMode is not WaitForFirstConsumer",
                    Advice.of("choose another in pool.kubernetes.storage_class and restart the server")));
        }
    }

    /** Changes the notes of the claim, if they are to change. */
    private PersistentVolumeClaim noted(
            PersistentVolumeClaim claim, Allocation wanted, Function<ClaimNotes, ClaimNotes> change)
            throws RefusedException, InterruptedException {
        ClaimNotes before = notes(claim);
        if (!before.allocation().node().equals(wanted.node())
                || !before.allocation().machine().equals(wanted.machine())) {
            throw new RefusedException(refusal("the allocation " + id + " belongs to "
                    + before.allocation().node() + " on " + before.allocation().machine()));
        }
        return noted(claim, change);
    }

    private PersistentVolumeClaim noted(PersistentVolumeClaim claim, Function<ClaimNotes, ClaimNotes> change)
            throws RefusedException, InterruptedException {
        if (claim.getMetadata().getDeletionTimestamp() != null) {
            throw new RefusedException(refusal("the claim " + id + " is being deleted"));
        }
        ClaimNotes before = notes(claim);
        ClaimNotes after = change.apply(before);
        if (after.equals(before)) {
            return claim;
        }
        PersistentVolumeClaim patched = api.patch(claim, after)
                .orElseThrow(() -> new RefusedException(refusal("the claim " + id + " was changed meanwhile")));
        return seen(patched, () -> mirror.claim(id));
    }

    private ClaimNotes notes(PersistentVolumeClaim claim) throws RefusedException {
        return ClaimNotes.of(claim)
                .orElseThrow(() -> new RefusedException(refusal("the annotation " + ObjectNames.NOTES + " of the claim "
                        + id + " in the namespace " + settings.namespace() + " cannot be read")));
    }

    /** Waits until the mirror shows this object or a later one. */
    private <T extends HasMetadata> T seen(T object, Supplier<Optional<T>> look) throws InterruptedException {
        long version = Long.parseLong(object.getMetadata().getResourceVersion());
        String uid = object.getMetadata().getUid();
        mirror.await(
                () -> look.get()
                        .filter(o -> !o.getMetadata().getUid().equals(uid)
                                || Long.parseLong(o.getMetadata().getResourceVersion()) >= version)
                        .isPresent(),
                ECHO);
        return object;
    }

    public void launch(Command.Launch command) throws InterruptedException {
        Allocation wanted = command.allocation();
        ClaimNotes.Run run = new ClaimNotes.Run(command.generation(), command.cassandraVersion());
        carryOut(wanted, () -> {
            Optional<Pod> pod = mirror.pod(id);
            if (pod.isPresent() && goesOn(pod.get(), run)) {
                ensureSecret(reservedClaim(wanted));
                noted(
                        reservedClaim(wanted),
                        wanted,
                        notes -> notes.run() == null ? notes.running(wanted, run) : notes.reservedFor(wanted));
                return;
            }
            start(wanted, run);
        });
    }

    /** Whether a launch leaves this pod alone. One that cannot start is made again if it would differ. */
    private boolean goesOn(Pod pod, ClaimNotes.Run run) {
        if (PodStates.isOver(pod) || pod.getMetadata().getDeletionTimestamp() != null) {
            return false;
        }
        Map<String, String> annotations =
                Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        boolean same = pod.getSpec().getContainers().get(0).getImage().equals(settings.image(run.cassandraVersion()))
                && Long.toString(run.generation()).equals(annotations.get(ObjectNames.GENERATION));
        return same || PodStates.runs(pod);
    }

    public void relaunch(Command.Relaunch command) throws InterruptedException {
        Allocation wanted = command.allocation();
        ClaimNotes.Run run = new ClaimNotes.Run(command.generation(), command.cassandraVersion());
        carryOut(wanted, () -> {
            if (command.generation() > notes(reservedClaim(wanted)).launched()) {
                start(wanted, run);
            }
        });
    }

    private PersistentVolumeClaim reservedClaim(Allocation wanted) throws RefusedException {
        Optional<PersistentVolumeClaim> claim = mirror.claim(id);
        if (claim.isEmpty() || notes(claim.get()).released()) {
            throw new RefusedException(
                    refusal("the allocation " + id + " is not reserved on " + wanted.machine() + "; reserve it first"));
        }
        return claim.get();
    }

    /** Ends the pod that is there, and creates another one. */
    private void start(Allocation wanted, ClaimNotes.Run run) throws RefusedException, InterruptedException {
        PersistentVolumeClaim claim = noted(reservedClaim(wanted), wanted, notes -> notes.running(wanted, run));
        if (mirror.pod(id).isPresent()) {
            reports.launching(wanted, "ends the pod before");
            if (!end()) {
                return;
            }
        }
        reports.launching(wanted, "creates its pod");
        ensureSecret(claim);
        Pod made = api.create(PodTemplate.pod(settings, claim, notes(claim), run));
        if (!mirror.isOwn(made)) {
            throw new RefusedException(
                    refusal("another pod of the namespace " + settings.namespace() + " is named " + id));
        }
        if (!Long.toString(run.generation())
                        .equals(made.getMetadata().getAnnotations().get(ObjectNames.GENERATION))
                || made.getMetadata().getDeletionTimestamp() != null) {
            throw new RefusedException(refusal("the pod before still has the name " + id));
        }
        seen(made, () -> mirror.pod(id));
        noted(mirror.claim(id).orElse(claim), notes -> notes.launchedWith(run.generation()));
    }

    /** Deletes the pod and waits for its end; false if its machine went away meanwhile. */
    private boolean end() throws RefusedException, InterruptedException {
        Optional<Pod> pod = mirror.pod(id);
        if (pod.isEmpty()) {
            return true;
        }
        api.delete(pod.get());
        mirror.await(() -> mirror.pod(id).isEmpty() || !reports.isMachineReady(id), END_OF_POD);
        if (mirror.pod(id).isEmpty()) {
            return true;
        }
        if (reports.isMachineReady(id)) {
            throw new RefusedException(refusal("the pod " + id + " does not end"));
        }
        return false;
    }

    public void kill() throws InterruptedException {
        Optional<Allocation> known = mirror.claim(id).flatMap(ClaimNotes::of).map(ClaimNotes::allocation);
        if (known.isEmpty()) {
            reports.report(id);
            return;
        }
        carryOut(known.get(), () -> {
            noted(mirror.claim(id).orElseThrow(), ClaimNotes::stopped);
            end();
        });
    }

    /** @param destroyVolume otherwise the claim stays, so that its volume is never bound by another */
    public void release(boolean destroyVolume) throws InterruptedException {
        Optional<Allocation> known = mirror.claim(id).flatMap(ClaimNotes::of).map(ClaimNotes::allocation);
        if (known.isEmpty()) {
            reports.report(id);
            return;
        }
        carryOut(known.get(), () -> {
            PersistentVolumeClaim claim = mirror.claim(id).orElseThrow();
            if (claim.getMetadata().getDeletionTimestamp() == null) {
                noted(claim, ClaimNotes::volumeOnly);
            }
            if (end() && destroyVolume) {
                destroy();
            }
        });
    }

    private void destroy() throws RefusedException, InterruptedException {
        // its volume may have been bound a moment ago
        Optional<PersistentVolumeClaim> present = api.claim(id.value());
        if (present.isEmpty()) {
            return;
        }
        PersistentVolumeClaim claim = present.get();
        VolumeEnd volume = new VolumeEnd(settings, api, mirror);
        Optional<PersistentVolume> kept = volume.keptByItsPolicy(claim);
        Optional<String> left = kept.isPresent() ? volume.empty(id, claim, notes(claim), reports) : Optional.empty();
        if (left.isPresent()) {
            throw new RefusedException(refusal(left.get()));
        }
        if (!end()) {
            return;
        }
        if (kept.isPresent()) {
            volume.emptied(kept.get(), claim);
        }
        api.delete(claim);
        mirror.secret(id).filter(s -> TokenSecret.belongsTo(s, claim)).ifPresent(api::delete);
        if (!mirror.await(() -> mirror.claim(id).isEmpty() && mirror.secret(id).isEmpty(), END_OF_CLAIM)) {
            throw new RefusedException(refusal("the claim " + id + " is still being deleted"));
        }
        if (kept.isPresent()) {
            volume.offerWhenReleased(kept.get());
        }
    }

    private static Problem refusal(String message) {
        return Problem.of(ErrorCode.POOL_UNAVAILABLE, message);
    }
}

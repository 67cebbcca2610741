package io.ringmaster.pool.kubernetes.command;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ClaimTemplate;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.objects.TokenSecret;
import io.ringmaster.pool.kubernetes.watch.Mirror;
import io.ringmaster.ports.DoorFiles;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Changes the claim of one allocation, and the secret beside it. */
final class ClaimCommands {
    private final AllocationId id;
    private final KubernetesPoolSettings settings;
    private final ApiCalls api;
    private final Mirror mirror;

    ClaimCommands(AllocationId id, KubernetesPoolSettings settings, ApiCalls api, Mirror mirror) {
        this.id = id;
        this.settings = settings;
        this.api = api;
        this.mirror = mirror;
    }

    /** Makes the claim and its secret, or changes the notes of the one that is there. */
    void reserve(Allocation wanted) throws CommandRefusedException, InterruptedException {
        Optional<PersistentVolumeClaim> there = mirror.claim(id);
        if (there.isEmpty()) {
            requireMachine(wanted);
            requireStorageClass();
            PersistentVolumeClaim made = api.create(ClaimTemplate.claim(settings, wanted));
            there = Optional.of(seen(made, () -> mirror.claim(id)));
        }
        PersistentVolumeClaim claim = note(there.get(), wanted, notes -> notes.reservedFor(wanted));
        var unused = ensureSecret(claim);
    }

    /**
     * Makes the secret of this claim. Kubernetes collects that of a former claim of this name some time after it.
     */
    Secret ensureSecret(PersistentVolumeClaim claim) throws CommandRefusedException, InterruptedException {
        Optional<Secret> there = mirror.secret(id).filter(s -> TokenSecret.belongsTo(s, claim));
        if (there.isPresent()) {
            return there.get();
        }
        Secret made = api.create(TokenSecret.secret(claim));
        if (!TokenSecret.belongsTo(made, claim)) {
            api.delete(made);
            throw CommandRefusedException.of("the secret " + id + " belonged to a former claim, and is replaced");
        }
        return seen(made, () -> mirror.secret(id));
    }

    /** Lays a door down in the secret, which a kubelet passes on to a pod that runs within two minutes. */
    void layDown(DoorFiles door, PersistentVolumeClaim claim) throws CommandRefusedException, InterruptedException {
        Secret secret = ensureSecret(claim);
        if (Boolean.TRUE.equals(secret.getImmutable())) {
            api.delete(secret);
            secret = api.create(TokenSecret.changeable(secret, claim));
        }
        Secret laid = api.patch(secret, TokenSecret.withDoor(door));
        var unused = seen(laid, () -> mirror.secret(id));
    }

    /** The door of the executor; empty if it has none. */
    Optional<DoorFiles> door(PersistentVolumeClaim claim) {
        return mirror.secret(id).filter(s -> TokenSecret.belongsTo(s, claim)).flatMap(TokenSecret::door);
    }

    private void requireMachine(Allocation wanted) throws CommandRefusedException {
        if (mirror.node(wanted.machine().value()).isEmpty()) {
            throw CommandRefusedException.of("there is no Node '" + wanted.machine() + "' in this Kubernetes cluster");
        }
    }

    private void requireStorageClass() throws CommandRefusedException {
        String name = settings.storageClass();
        Optional<StorageClass> found = api.storageClass(name);
        if (found.isEmpty()) {
            String known = String.join(", ", api.storageClasses());
            throw new CommandRefusedException(Problem.of(
                    ErrorCode.POOL_UNAVAILABLE,
                    "there is no StorageClass '" + name + "'"
                            + (known.isEmpty() ? " and no other" : "; there are: " + known),
                    Advice.of("create it, or correct pool.kubernetes.storage_class and restart the server")));
        }
        if (!"WaitForFirstConsumer".equals(found.get().getVolumeBindingMode())) {
            throw new CommandRefusedException(Problem.of(
                    ErrorCode.POOL_UNAVAILABLE,
                    "the StorageClass '" + name + "' makes volumes where no node may be placed: its"
                            + " volumeBindingMode is not WaitForFirstConsumer",
                    Advice.of("choose another in pool.kubernetes.storage_class and restart the server")));
        }
    }

    /** Changes the notes of the claim, if they are to change. */
    PersistentVolumeClaim note(PersistentVolumeClaim claim, Allocation wanted, Function<ClaimNotes, ClaimNotes> change)
            throws CommandRefusedException, InterruptedException {
        ClaimNotes before = notes(claim);
        if (!before.allocation().node().equals(wanted.node())
                || !before.allocation().machine().equals(wanted.machine())) {
            throw CommandRefusedException.of("the allocation " + id + " belongs to "
                    + before.allocation().node() + " on " + before.allocation().machine());
        }
        return note(claim, change);
    }

    PersistentVolumeClaim note(PersistentVolumeClaim claim, Function<ClaimNotes, ClaimNotes> change)
            throws CommandRefusedException, InterruptedException {
        if (claim.getMetadata().getDeletionTimestamp() != null) {
            throw CommandRefusedException.of("the claim " + id + " is being deleted");
        }
        ClaimNotes before = notes(claim);
        ClaimNotes after = change.apply(before);
        if (after.equals(before)) {
            return claim;
        }
        PersistentVolumeClaim patched = api.patch(claim, after)
                .orElseThrow(() -> CommandRefusedException.of("the claim " + id + " was changed meanwhile"));
        return seen(patched, () -> mirror.claim(id));
    }

    ClaimNotes notes(PersistentVolumeClaim claim) throws CommandRefusedException {
        return ClaimNotes.of(claim)
                .orElseThrow(
                        () -> CommandRefusedException.of("the annotation " + ObjectNames.NOTES + " of the claim " + id
                                + " in the namespace " + settings.namespace()
                                + " cannot be read; restore it, or delete the claim, which gives up its"
                                + " volume"));
    }

    /** Waits until the mirror shows this object or a later one. */
    <T extends HasMetadata> T seen(T object, Supplier<Optional<T>> look) throws InterruptedException {
        long version = Long.parseLong(object.getMetadata().getResourceVersion());
        String uid = object.getMetadata().getUid();
        mirror.await(
                () -> look.get()
                        .filter(o -> !o.getMetadata().getUid().equals(uid)
                                || Long.parseLong(o.getMetadata().getResourceVersion()) >= version)
                        .isPresent(),
                Mirror.LAG);
        return object;
    }

    /** The claim, which must not be released. */
    PersistentVolumeClaim reserved(Allocation wanted) throws CommandRefusedException {
        Optional<PersistentVolumeClaim> claim = mirror.claim(id);
        if (claim.isEmpty() || notes(claim.get()).released()) {
            throw new CommandRefusedException(Problem.of(
                    claim.isEmpty() ? ErrorCode.MACHINE_LOST : ErrorCode.POOL_UNAVAILABLE,
                    "the allocation " + id + " is not reserved on " + wanted.machine() + "; reserve it first"));
        }
        return claim.get();
    }
}

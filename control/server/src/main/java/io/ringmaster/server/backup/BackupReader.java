package io.ringmaster.server.backup;

import io.ringmaster.backup.location.Location;
import io.ringmaster.backup.location.LocationException;
import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.backup.store.StoreOpener;
import io.ringmaster.core.spec.ClusterSpecs;
import io.ringmaster.core.spec.ParsedSpec;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.LocationInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads backups at their locations, by the manifests alone. A manifest never changes, so it is read once: only lists
 * are asked for again.
 */
public final class BackupReader {
    /** The parameter of operations that names a location. */
    static final String TO = "to";

    private static final int KEPT = 10_000;
    private static final String NAME = "name";
    private static final String IN_ROCKSDB = "memtable = 'rocksdb'";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,6}");

    private final BackupLocations locations;
    private final Map<Key, BackupInfo> known = new LinkedHashMap<>();

    public BackupReader(BackupLocations locations) {
        this.locations = locations;
    }

    private record Key(String location, RepositoryKeys repository, BackupId backup) {}

    /** What is done at an open location. */
    @FunctionalInterface
    interface Work<T> {
        T at(BackupStore store) throws IOException, InterruptedException;
    }

    /**
     * Asks the location for its repositories.
     *
     * @throws ProblemException with what the location says
     */
    public LocationInfo.Checked check(String name) {
        int clusters = at(NAME, name, Catalogue::repositories).size();
        return new LocationInfo.Checked(
                name, "this server lists it: " + (clusters == 0 ? "empty" : "repositories of clusters: " + clusters));
    }

    /**
     * The complete backups, newest first. One that is damaged is listed with its problem, and hides no other.
     *
     * @param cluster only of this one, whatever its incarnation; null for all
     */
    public List<BackupInfo> list(String name, @Nullable ClusterName cluster) {
        return at(NAME, name, store -> {
            List<BackupInfo> backups = new ArrayList<>();
            for (RepositoryKeys repository : Catalogue.repositories(store)) {
                if (cluster == null || cluster.equals(repository.cluster())) {
                    Catalogue catalogue = new Catalogue(store, repository);
                    for (Map.Entry<BackupId, Catalogue.State> found :
                            catalogue.backups().entrySet()) {
                        Key key = new Key(name, repository, found.getKey());
                        if (found.getValue() == Catalogue.State.MANIFEST_MISSING) {
                            forget(key);
                        }
                        if (isMarked(found.getValue())) {
                            info(key, catalogue).ifPresent(backups::add);
                        }
                    }
                }
            }
            backups.sort(Comparator.comparing(BackupInfo::id).reversed());
            return backups;
        });
    }

    public BackupInfo.Details read(String name, ClusterName cluster, String incarnation, String id) {
        RestoreSource which = new RestoreSource(name, cluster, incarnation, id);
        return at(NAME, name, store -> details(manifest(store, null, which)));
    }

    /**
     * What a new cluster needs to know of the backup that its spec names. The schema says which engines it needs.
     *
     * @throws ProblemException there is no such backup, or it is damaged
     */
    public RestoreOrigin origin(RestoreSource source) {
        return at("restore.from", source.from(), store -> {
            ClusterManifest manifest = manifest(store, "restore.backup", source);
            RepositoryKeys keys = new RepositoryKeys(source.cluster(), source.incarnation());
            byte[] schema =
                    new ObjectReader(store).bytes(keys.blob(manifest.schema().blob()));
            if (!Sha256.of(schema).equals(manifest.schema().blob().hash())) {
                throw new DamagedException("the schema of " + source.backup() + " is damaged");
            }
            return new RestoreOrigin(
                    manifest.nodes().stream()
                            .map(ClusterManifest.Member::cassandra)
                            .max(Comparator.comparing(BackupReader::sortable))
                            .orElseThrow(() -> new DamagedException(source.backup() + " has no nodes")),
                    manifest.cut().to(),
                    new String(schema, StandardCharsets.UTF_8).contains(IN_ROCKSDB),
                    manifest.datacenters(),
                    manifest.nodes().stream()
                            .map(n -> new RestoreOrigin.Node(
                                    new NodeId(
                                            source.cluster(),
                                            n.node().datacenter(),
                                            n.node().index()),
                                    n.rack(),
                                    n.tokens(),
                                    n.bytes(),
                                    n.manifest(),
                                    n.needsCleanup()))
                            .toList());
        });
    }

    /**
     * Whether the cluster let its clients in by roles only, by the spec in the backup: the cluster itself may be gone,
     * or another one may have its name. True for a spec that this server cannot read.
     *
     * @throws ProblemException there is no such backup, or it is damaged
     */
    public boolean mayRequireLogin(RestoreSource source) {
        return at(
                "restore.from",
                source.from(),
                store -> !(ClusterSpecs.parseStored(manifest(store, "restore.backup", source)
                                        .spec())
                                instanceof ParsedSpec.Valid valid)
                        || valid.spec().requiresLogin());
    }

    /** A release such as {@code 5.0.10}, in which each number has six digits. */
    private static String sortable(String release) {
        return NUMBER.matcher(release).replaceAll(n -> String.format("%06d", Integer.parseInt(n.group())));
    }

    /** @param field of the spec that names the backup; null for a backup in the URL */
    private static ClusterManifest manifest(BackupStore store, @Nullable String field, RestoreSource which)
            throws IOException, InterruptedException {
        RepositoryKeys repository;
        BackupId backup;
        try {
            repository = new RepositoryKeys(which.cluster(), which.incarnation());
            backup = new BackupId(which.backup());
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(Problem.of(ErrorCode.REQUEST_INVALID, ThrowableText.of(e)));
        }
        Catalogue catalogue = new Catalogue(store, repository);
        Catalogue.State state = catalogue.backups().get(backup);
        if (state == null || !isMarked(state)) {
            throw ProblemException.of(new Problem(
                    ErrorCode.BACKUP_UNKNOWN,
                    field,
                    state == Catalogue.State.TRASHED
                            ? which.backup() + " is being deleted"
                            : which.from() + " has no backup " + which.backup() + " of " + which.cluster() + " "
                                    + which.incarnation(),
                    Advice.command("backup list " + which.cluster())));
        }
        return catalogue.read(backup);
    }

    /** Whether it is, or was, complete; it may be damaged. */
    private static boolean isMarked(Catalogue.State state) {
        return state == Catalogue.State.COMMITTED || state == Catalogue.State.MANIFEST_MISSING;
    }

    private void forget(Key key) {
        synchronized (known) {
            known.remove(key);
        }
    }

    /** Empty if it was deleted meanwhile. */
    private Optional<BackupInfo> info(Key key, Catalogue catalogue) throws IOException, InterruptedException {
        synchronized (known) {
            BackupInfo before = known.get(key);
            if (before != null) {
                return Optional.of(before);
            }
        }
        BackupInfo read;
        try {
            read = info(catalogue.read(key.backup));
        } catch (DamagedException e) {
            return Optional.of(damaged(key, e));
        } catch (StoreException e) {
            return switch (e.reason()) {
                case MISSING -> Optional.empty();
                case DENIED, DAMAGED, REFUSED -> Optional.of(damaged(key, e));
                default -> throw e; // the location is at fault, and its other backups cannot be read either
            };
        }
        synchronized (known) {
            if (known.size() >= KEPT) {
                known.clear();
            }
            known.put(key, read);
        }
        return Optional.of(read);
    }

    private static BackupInfo damaged(Key key, IOException why) {
        RepositoryKeys repository = key.repository;
        return BackupInfo.damaged(
                repository.cluster(),
                repository.incarnation(),
                key.backup.value(),
                key.backup.time(),
                ThrowableText.of(why));
    }

    private static BackupInfo info(ClusterManifest manifest) {
        return new BackupInfo(
                manifest.cluster(),
                manifest.incarnation(),
                manifest.id().value(),
                manifest.cut().from(),
                manifest.cut().to(),
                manifest.nodes().size(),
                manifest.bytes(),
                manifest.newBytes());
    }

    private static BackupInfo.Details details(ClusterManifest manifest) {
        return new BackupInfo.Details(
                info(manifest),
                manifest.spec(),
                manifest.nodes().stream()
                        .map(n -> new BackupInfo.Node(
                                n.node().datacenter() + "/node-" + n.node().index(),
                                n.rack().value(),
                                n.bytes(),
                                n.files(),
                                n.newBytes()))
                        .toList());
    }

    /** @param field of the request that names the location */
    <T> T at(String field, String name, Work<T> work) {
        Location location = locations.require(field, name);
        try (BackupStore store = StoreOpener.open(location)) {
            return work.at(store);
        } catch (LocationException e) {
            throw ProblemException.of(Problem.of(ErrorCode.LOCATION_UNKNOWN, ThrowableText.of(e)));
        } catch (DamagedException e) {
            throw ProblemException.of(Problem.of(ErrorCode.BACKUP_DAMAGED, name + ": " + ThrowableText.of(e)));
        } catch (StoreException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.BACKUP_STORE_FAILED,
                    ThrowableText.of(e),
                    Advice.command("backup location list").suffix(" shows where " + name + " is")));
        } catch (IOException e) {
            throw ProblemException.of(Problem.of(ErrorCode.BACKUP_STORE_FAILED, name + ": " + e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}

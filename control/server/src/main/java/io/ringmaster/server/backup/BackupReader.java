package io.ringmaster.server.backup;

import io.ringmaster.backup.location.Location;
import io.ringmaster.backup.location.LocationException;
import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.backup.store.StoreOpener;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.LocationInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads backups at their locations, by the manifests alone. A manifest never changes, so it is read once: only lists
 * are asked for again.
 */
public final class BackupReader {
    private static final int KEPT = 10_000;

    private final BackupLocations locations;
    private final Map<Key, BackupInfo> known = new LinkedHashMap<>();

    public BackupReader(BackupLocations locations) {
        this.locations = locations;
    }

    private record Key(String location, RepositoryKeys repository, BackupId backup) {}

    /** What is done at an open location. */
    @FunctionalInterface
    private interface Work<T> {
        T at(BackupStore store) throws IOException, InterruptedException;
    }

    /**
     * Asks the location for its repositories.
     *
     * @throws ProblemException with what the location says
     */
    public LocationInfo.Checked check(String name) {
        int clusters = at(name, Catalogue::repositories).size();
        return new LocationInfo.Checked(
                name, "this server lists it: " + (clusters == 0 ? "empty" : "repositories of clusters: " + clusters));
    }

    /**
     * The complete backups, newest first.
     *
     * @param cluster only of this one, whatever its incarnation; null for all
     */
    public List<BackupInfo> list(String name, @Nullable ClusterName cluster) {
        return at(name, store -> {
            List<BackupInfo> backups = new ArrayList<>();
            for (RepositoryKeys repository : Catalogue.repositories(store)) {
                if (cluster == null || cluster.equals(repository.cluster())) {
                    Catalogue catalogue = new Catalogue(store, repository);
                    for (BackupId id : catalogue.committed()) {
                        backups.add(info(new Key(name, repository, id), catalogue));
                    }
                }
            }
            backups.sort(Comparator.comparing(BackupInfo::id).reversed());
            return backups;
        });
    }

    public BackupInfo.Details read(String name, ClusterName cluster, String incarnation, String id) {
        return at(name, store -> {
            RepositoryKeys repository;
            BackupId backup;
            try {
                repository = new RepositoryKeys(cluster, incarnation);
                backup = new BackupId(id);
            } catch (IllegalArgumentException e) {
                throw ProblemException.of(Problem.of(ErrorCode.REQUEST_INVALID, String.valueOf(e.getMessage())));
            }
            Catalogue catalogue = new Catalogue(store, repository);
            if (!catalogue.committed().contains(backup)) {
                throw ProblemException.of(Problem.of(
                        ErrorCode.BACKUP_UNKNOWN,
                        name + " has no backup " + id + " of " + cluster + " " + incarnation,
                        Advice.command("backup list " + cluster)));
            }
            return details(catalogue.read(backup));
        });
    }

    private BackupInfo info(Key key, Catalogue catalogue) throws IOException, InterruptedException {
        synchronized (known) {
            BackupInfo before = known.get(key);
            if (before != null) {
                return before;
            }
        }
        BackupInfo read = info(catalogue.read(key.backup));
        synchronized (known) {
            if (known.size() >= KEPT) {
                known.clear();
            }
            known.put(key, read);
        }
        return read;
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

    private <T> T at(String name, Work<T> work) {
        Location location = locations.require("name", name);
        try (BackupStore store = StoreOpener.open(location)) {
            return work.at(store);
        } catch (LocationException e) {
            throw ProblemException.of(Problem.of(ErrorCode.LOCATION_UNKNOWN, String.valueOf(e.getMessage())));
        } catch (DamagedException e) {
            throw ProblemException.of(Problem.of(ErrorCode.BACKUP_DAMAGED, name + ": " + e.getMessage()));
        } catch (StoreException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.BACKUP_STORE_FAILED,
                    String.valueOf(e.getMessage()),
                    Advice.command("backup location list").suffix(" shows where " + name + " is")));
        } catch (IOException e) {
            throw ProblemException.of(Problem.of(ErrorCode.BACKUP_STORE_FAILED, name + ": " + e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}

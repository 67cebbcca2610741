package io.ringmaster.backup.repository;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.backup.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The backups of a location. */
public final class Catalogue {
    /** How far a backup is. */
    public enum State {
        /** Complete. */
        COMMITTED,
        /** Its manifest lacks the commit mark: it is being committed, or void. */
        UNCOMMITTED,
        /** Its commit mark is there, but not its manifest: it is damaged. */
        MANIFEST_MISSING,
        /** It is being deleted. */
        TRASHED
    }

    private final BackupStore store;
    private final RepositoryKeys keys;
    private final ObjectReader reader;

    public Catalogue(BackupStore store, RepositoryKeys keys) {
        this.store = store;
        this.keys = keys;
        this.reader = new ObjectReader(store);
    }

    /** The repositories of a location, by two requests for each. */
    public static List<RepositoryKeys> repositories(BackupStore store) throws IOException, InterruptedException {
        List<RepositoryKeys> found = new ArrayList<>();
        List<ObjectInfo> next = store.list("", null, 1);
        while (!next.isEmpty()) {
            String key = next.get(0).key();
            RepositoryKeys repository = RepositoryKeys.of(key).orElse(null);
            if (repository != null) {
                found.add(repository);
            }
            next = store.list("", repository == null ? key : repository.end(), 1);
        }
        return found;
    }

    /** All backups whose manifest or commit mark exists, oldest first. */
    public Map<BackupId, State> backups() throws IOException, InterruptedException {
        Set<BackupId> manifests = new TreeSet<>();
        Set<BackupId> committed = new TreeSet<>();
        Set<BackupId> trashed = new TreeSet<>();
        // the marks of deletion come last: a backup that is gone meanwhile is then in none or in these
        reader.list(keys.backups(), object -> {
            keys.manifestOf(object.key()).ifPresent(manifests::add);
            keys.okOf(object.key()).ifPresent(committed::add);
        });
        reader.list(keys.trashes(), object -> keys.trashOf(object.key()).ifPresent(trashed::add));
        Map<BackupId, State> backups = new TreeMap<>();
        manifests.forEach(id -> backups.put(id, committed.contains(id) ? State.COMMITTED : State.UNCOMMITTED));
        committed.forEach(id -> backups.putIfAbsent(id, State.MANIFEST_MISSING));
        backups.replaceAll((id, state) -> trashed.contains(id) ? State.TRASHED : state);
        return backups;
    }

    /** Complete backups that are not being deleted, newest first. */
    public List<BackupId> committed() throws IOException, InterruptedException {
        List<BackupId> ids = new ArrayList<>();
        backups().forEach((id, state) -> {
            if (state == State.COMMITTED) {
                ids.add(0, id);
            }
        });
        return ids;
    }

    /**
     * @throws DamagedException if the mark has another hash or no manifest, or the manifest belongs to another backup
     */
    public ClusterManifest read(BackupId id) throws IOException, InterruptedException {
        String mark = new String(reader.bytes(keys.ok(id)), StandardCharsets.US_ASCII).strip();
        String key = keys.manifest(id);
        byte[] json = marked(id, key);
        if (!Sha256.of(json).equals(mark)) {
            throw new DamagedException(key + " is damaged: its .ok has another hash");
        }
        return ours(id, key, json);
    }

    /** A collection deletes the mark first, so a mark without manifest is none of its doing. */
    private byte[] marked(BackupId id, String key) throws IOException, InterruptedException {
        try {
            return reader.bytes(key);
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.MISSING
                    && store.stat(keys.ok(id)).isPresent()) {
                throw new DamagedException(key + " is missing, but its .ok is there", e);
            }
            throw e;
        }
    }

    /** A manifest that has no commit mark yet. */
    public ClusterManifest readUncommitted(BackupId id) throws IOException, InterruptedException {
        String key = keys.manifest(id);
        return ours(id, key, reader.bytes(key));
    }

    private ClusterManifest ours(BackupId id, String key, byte[] json) throws DamagedException {
        ClusterManifest manifest = ObjectReader.parse(key, json, ClusterManifest.class);
        if (!manifest.cluster().equals(keys.cluster()) || !manifest.id().equals(id)) {
            throw new DamagedException(
                    key + " belongs to " + manifest.cluster() + " " + manifest.id() + ", not to this backup");
        }
        return manifest;
    }

    /** @throws DamagedException if it is not the manifest that the backup names */
    public NodeManifest read(BackupId id, NodeName node, String hash) throws IOException, InterruptedException {
        String key = keys.nodeManifest(id, node);
        byte[] json = reader.bytes(key);
        if (!Sha256.of(json).equals(hash)) {
            throw new DamagedException(key + " is damaged: the backup names it with another hash");
        }
        return ObjectReader.parse(key, json, NodeManifest.class);
    }

    /** Whether the backup is being deleted. */
    public boolean isTrashed(BackupId id) throws IOException, InterruptedException {
        return store.stat(keys.trash(id)).isPresent();
    }
}

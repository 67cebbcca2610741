package io.ringmaster.backup.repository;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.ClusterName;
import java.io.IOException;

/**
 * The first object of a repository, {@code repo.json}: the format of all others. Every node would write the same, so
 * two may write at once.
 *
 * @param sliceBytes the size of a slice; the last of a file has fewer bytes
 * @param bundleBelowBytes smaller files of one sstable share blobs
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RepositoryFile(
        int format, ClusterName cluster, String incarnation, int sliceBytes, int bundleBelowBytes, String hash) {
    public static final int FORMAT = 1;
    /** The size of a slice, but the last of a file; also the most that a bundle has. */
    public static final int SLICE_BYTES = 16 << 20;
    /** Smaller files of one sstable share blobs. */
    public static final int BUNDLE_BELOW_BYTES = 1 << 20;

    public static RepositoryFile of(RepositoryKeys keys) {
        return new RepositoryFile(
                FORMAT, keys.cluster(), keys.incarnation(), SLICE_BYTES, BUNDLE_BELOW_BYTES, "sha256");
    }

    /**
     * Writes the object if it is missing.
     *
     * @throws DamagedException the repository has another format, or belongs to another cluster
     */
    public static void require(BackupStore store, RepositoryKeys keys) throws IOException, InterruptedException {
        String key = keys.repositoryFile();
        if (store.stat(key).isEmpty()) {
            byte[] json = Json.bytes(of(keys));
            store.put(key, Content.of(json, json.length, Sha256.of(json)));
        } else {
            requireOurs(store, keys);
        }
    }

    /** @throws DamagedException the repository has another format, or belongs to another cluster */
    public static void requireOurs(BackupStore store, RepositoryKeys keys) throws IOException, InterruptedException {
        String key = keys.repositoryFile();
        RepositoryFile found = new ObjectReader(store).parse(key, RepositoryFile.class);
        if (!found.cluster.equals(keys.cluster()) || !found.incarnation.equals(keys.incarnation())) {
            throw new DamagedException(key + " belongs to " + found.cluster + "/" + found.incarnation + ", not to "
                    + keys.cluster() + "/" + keys.incarnation());
        }
        if (!found.equals(of(keys))) {
            throw new DamagedException(key + " has another format than this version of Ringmaster writes: " + found);
        }
    }
}

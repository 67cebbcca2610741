package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.BlobReference;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.ClusterManifest.Member;
import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.FileList;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Reads from manifests and lists which blobs backups need. */
final class NamedBlobs {
    private final RepositoryKeys keys;
    private final Catalogue catalogue;
    private final ObjectReader objects;
    private final Path list;
    private final BlobNames names;
    /** Nodes that did not change have one list in several backups. */
    private final Set<BlobName> listsRead = new HashSet<>();

    NamedBlobs(BackupStore store, RepositoryKeys keys, Path directory, BlobNames names) {
        this.keys = keys;
        this.catalogue = new Catalogue(store, keys);
        this.objects = new ObjectReader(store);
        this.list = directory.resolve("list");
        this.names = names;
    }

    /** @throws CollectException if the blobs that the backup needs cannot be known */
    void add(BackupId backup) throws IOException, InterruptedException {
        try {
            read(catalogue.read(backup));
        } catch (DamagedException e) {
            throw unreadable(backup, e);
        } catch (StoreException e) {
            throw e.reason() == StoreException.Reason.MISSING ? unreadable(backup, e) : e;
        }
    }

    /**
     * Adds the blobs of a backup that may be about to be committed. One that lacks an object is void: a collection
     * deleted that object, and the intents before it.
     */
    void addUncommitted(BackupId backup) throws IOException, InterruptedException {
        try {
            read(catalogue.readUncommitted(backup));
        } catch (DamagedException e) {
            throw unreadable(backup, e);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.MISSING) {
                throw e;
            }
        }
    }

    static CollectException unreadable(BackupId backup, IOException e) {
        return new CollectException(
                "no blob is deleted, because those of " + backup + " are not known: " + ThrowableText.of(e)
                        + " -> put the object back, or make a newer backup, then delete " + backup,
                e);
    }

    private void read(ClusterManifest manifest) throws IOException, InterruptedException {
        names.add(manifest.schema().blob());
        for (Member member : manifest.nodes()) {
            NodeManifest node = catalogue.read(manifest.id(), member.node(), member.manifest());
            names.add(node.schema().blob());
            names.add(node.list().blob());
            if (listsRead.add(node.list().blob())) {
                readList(node.node() + " of " + manifest.id(), node.list());
            }
        }
    }

    private void readList(String of, BlobReference reference) throws IOException, InterruptedException {
        String key = keys.blob(reference.blob());
        String hash;
        try (OutputStream out = Files.newOutputStream(list)) {
            hash = objects.copy(key, out);
        }
        if (!hash.equals(reference.blob().hash())) {
            throw new DamagedException("the file list of " + of + " is damaged: " + key + " has another hash");
        }
        try (InputStream in = Files.newInputStream(list)) {
            FileList.read(in, file -> {
                for (BlobName blob : file.blobs()) {
                    names.add(blob);
                }
            });
        }
    }
}

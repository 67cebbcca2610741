package io.ringmaster.transfer;

import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.FileList;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Brings file lists to disk, because they are too large for a small heap, and reads them from there. */
final class ListReader {
    private final RepositoryKeys keys;
    private final ObjectReader objects;

    ListReader(BackupStore store, RepositoryKeys keys) {
        this.keys = keys;
        this.objects = new ObjectReader(store);
    }

    /** @throws DamagedException if the list is not the one that the manifest names */
    void copy(NodeManifest node, Path file) throws IOException, InterruptedException {
        try (OutputStream out = Files.newOutputStream(file)) {
            copy(node, out);
        }
    }

    /** @throws DamagedException if the list is not the one that the manifest names */
    void copy(NodeManifest node, OutputStream out) throws IOException, InterruptedException {
        String key = keys.blob(node.list().blob());
        if (!objects.copy(key, out).equals(node.list().blob().hash())) {
            throw new DamagedException("the file list of " + node.node() + " is damaged: " + key + " has another hash");
        }
    }

    void read(Path file, FileList.Visitor visitor) throws IOException, InterruptedException {
        try (InputStream in = Files.newInputStream(file)) {
            FileList.read(in, visitor);
        }
    }
}

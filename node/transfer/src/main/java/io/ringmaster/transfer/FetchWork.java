package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.repository.FileEntry.Part;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.HeldLock;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.spec.Size;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Brings the files of one node of a backup into {@code restore/<id>} of this node's volume, as {@code
 * <keyspace>/<table>-<id>/<file>}. A file gets its name once its bytes are compared and on disk, so a killed fetch goes
 * on with what has no name yet.
 */
final class FetchWork implements Work {
    /** Cassandra needs room too. */
    private static final long SPARE_BYTES = 512L << 20;

    private static final double SPARE_SHARE = 0.05;

    private final TransferRequest request;
    private final BackupStore store;
    private final TransferProgress progress;
    private final RepositoryKeys keys;
    private final BackupId backup;
    private final FetchFiles files;
    private final ReaderMark mark;
    private final ListReader lists;
    private final TransferStreams streams;

    FetchWork(TransferRequest request, BackupStore store, TransferProgress progress, TransferMachine machine) {
        this.request = request;
        this.store = store;
        this.progress = progress;
        this.streams = machine.streams();
        this.keys = request.keys();
        this.backup = request.backup();
        this.files = new FetchFiles(request.files(), backup);
        this.mark = new ReaderMark(store, keys.reader(backup, request.node()), machine.nanos());
        this.lists = new ListReader(store, keys);
    }

    @Override
    public String run() throws IOException, InterruptedException {
        DurableFiles.makeDirectories(files.directory());
        HeldLock held = HeldLock.take(files.lock());
        try (held) {
            NodeName source = NodeName.parse(request.argument("source"));
            requireSameSource(source);
            if (Files.exists(files.fetched())) {
                return Files.readString(files.fetched());
            }
            String hash = request.argument("manifest");
            mark.put();
            try {
                return fetch(source, hash);
            } catch (DamagedException e) {
                deleteMark(e);
                throw new DamagedException(ThrowableText.of(e) + " -> restore another backup", e);
            } catch (StoreException e) {
                if (e.reason() == StoreException.Reason.MISSING) {
                    deleteMark(e);
                }
                throw e;
            }
        }
    }

    /**
     * After a failure that no retry can mend, because the mark keeps collections away. After any other it stays until
     * it expires: a retry still needs what it did not fetch.
     */
    private void deleteMark(IOException failure) throws InterruptedException {
        try {
            mark.delete();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** The files of two nodes must not mix. */
    private void requireSameSource(NodeName source) throws IOException {
        if (!Files.exists(files.node())) {
            return;
        }
        NodeName there =
                Json.parse(Files.readAllBytes(files.node()), NodeManifest.class).node();
        if (!there.equals(source)) {
            throw new TransferFailure(request.node() + " has the files of " + there + " of " + backup + ", not of "
                    + source + " -> delete the cluster and restore again");
        }
    }

    private String fetch(NodeName source, String hash) throws IOException, InterruptedException {
        if (new Catalogue(store, keys).isTrashed(backup)) {
            var failure = new TransferFailure("the backup " + backup + " is being deleted -> restore another one");
            deleteMark(failure);
            throw failure;
        }
        NodeManifest node = prepare(source, hash);
        requireRoom();
        progress.stage("fetches the files of " + source + " from " + request.location());
        fetchFiles();
        String message = Size.text(node.bytes()) + " in " + node.files() + " files of " + source;
        DurableFiles.write(files.fetched(), message);
        mark.delete();
        return message;
    }

    private NodeManifest prepare(NodeName source, String hash) throws IOException, InterruptedException {
        RepositoryFile.requireOurs(store, keys);
        NodeManifest node = new Catalogue(store, keys).read(backup, source, hash);
        if (!node.node().equals(source) || !node.backup().equals(backup)) {
            throw new DamagedException(
                    keys.nodeManifest(backup, source) + " belongs to " + node.node() + " of " + node.backup());
        }
        lists.copy(node, files.list());
        byte[] schema = new ObjectReader(store).bytes(keys.blob(node.schema().blob()));
        if (!Sha256.of(schema).equals(node.schema().blob().hash())) {
            throw new DamagedException("the schema of " + source + " is damaged: its blob "
                    + node.schema().blob().brief() + " has another hash");
        }
        DurableFiles.write(files.schema(), schema);
        DurableFiles.write(files.node(), Json.bytes(node));
        return node;
    }

    private void requireRoom() throws IOException, InterruptedException {
        long[] bytes = {0, 0};
        lists.read(files.list(), file -> {
            bytes[0] += file.size();
            bytes[1] += files.bytesThere(file);
        });
        progress.total(bytes[0]);
        FileStore volume = Files.getFileStore(files.directory());
        long needed = bytes[0] - bytes[1] + (long) (volume.getTotalSpace() * SPARE_SHARE) + SPARE_BYTES;
        if (volume.getUsableSpace() < needed) {
            throw new TransferFailure(request.node() + " needs " + Size.text(needed) + " of its volume, which has "
                    + Size.text(volume.getUsableSpace()) + " free: the files have " + Size.text(bytes[0]));
        }
    }

    private void fetchFiles() throws IOException, InterruptedException {
        var fetcher = new FileFetcher(request, store, files, mark, progress);
        streams.run(pool -> {
            List<FileEntry> bundled = new ArrayList<>();
            lists.read(files.list(), file -> {
                if (!bundled.isEmpty() && !bundle(bundled.get(0)).equals(bundle(file))) {
                    List<FileEntry> together = List.copyOf(bundled);
                    bundled.clear();
                    pool.add(buffer -> fetcher.fetchBundled(together, buffer));
                }
                if (file.bundle() == null) {
                    pool.add(buffer -> fetcher.fetchSlices(file, buffer));
                } else {
                    bundled.add(file);
                }
            });
            if (!bundled.isEmpty()) {
                pool.add(buffer -> fetcher.fetchBundled(bundled, buffer));
            }
        });
    }

    private static Optional<BlobName> bundle(FileEntry file) {
        return Optional.ofNullable(file.bundle()).map(Part::blob);
    }
}

package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.BlobReference;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.ClusterManifest.Member;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.slice.BlobTable;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.FileTree;
import io.ringmaster.model.spec.Size;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a backup: mark, manifests and lists by their hashes, and all blobs that they name by name and size; at the
 * level {@code bytes}, each blob is also read and hashed.
 */
final class VerifyWork implements Work {
    /** In memory at a time, in 16 MiB; a larger backup is checked in passes by the first hex digits of the hashes. */
    private static final int BLOBS_MOST = 200_000;

    /** The numbers of blobs in the table are the sizes that they must have, and then one of these. */
    private static final long FOUND = Long.MAX_VALUE - 1;

    private static final long READ = Long.MAX_VALUE;

    private final TransferRequest request;
    private final BackupStore store;
    private final TransferProgress progress;
    private final RepositoryKeys keys;
    private final BackupId backup;
    private final Path directory;
    private final int blobsMost;
    private final VerifyFaults faults;
    private final BlobReader reader; // one for all blobs: each has a limit of its own

    VerifyWork(TransferRequest request, BackupStore store, TransferProgress progress) {
        this(request, store, progress, BLOBS_MOST);
    }

    VerifyWork(TransferRequest request, BackupStore store, TransferProgress progress, int blobsMost) {
        this.request = request;
        this.store = store;
        this.progress = progress;
        this.blobsMost = blobsMost;
        this.keys = request.keys();
        this.backup = request.backup();
        this.directory = request.files().resolve("verify").resolve(backup.value());
        this.faults = new VerifyFaults(request);
        this.reader = new BlobReader(request, store);
    }

    @Override
    public String run() throws IOException, InterruptedException {
        boolean bytes = isForBytes();
        DurableFiles.makeDirectories(directory);
        try {
            var catalogue = new Catalogue(store, keys);
            progress.stage("reads the manifests of " + backup);
            ClusterManifest manifest = catalogue.read(backup);
            progress.total(manifest.bytes());
            List<VerifiedList> lists = new ArrayList<>();
            for (Member member : manifest.nodes()) {
                NodeManifest node = catalogue.read(backup, member.node(), member.manifest());
                Path file = directory.resolve(member.node() + ".json.gz");
                new ListReader(store, keys).copy(node, file);
                lists.add(new VerifiedList(node, file));
            }
            for (String digits : passes(lists)) {
                verify(digits, lists, manifest.schema(), bytes);
            }
            faults.rethrow(lists);
            return manifest.nodes().size() + " nodes, " + Size.text(manifest.bytes()) + ": all blobs are there"
                    + (bytes ? ", and have their hashes" : ", in their sizes");
        } finally {
            FileTree.delete(directory);
        }
    }

    private boolean isForBytes() {
        String level = request.task().args().getOrDefault("level", "objects");
        if (!level.equals("objects") && !level.equals("bytes")) {
            throw new IllegalArgumentException("level '" + level + "' must be objects or bytes");
        }
        return level.equals("bytes");
    }

    private List<String> passes(List<VerifiedList> lists) throws IOException, InterruptedException {
        long[] count = {0};
        for (VerifiedList list : lists) {
            list.blobs((blob, size, of) -> count[0]++);
        }
        List<String> passes = List.of("");
        for (int digits = 0; digits < 2 && count[0] / passes.size() > blobsMost; digits++) {
            List<String> longer = new ArrayList<>();
            for (String start : passes) {
                for (int digit = 0; digit < 16; digit++) {
                    longer.add(start + Integer.toHexString(digit));
                }
            }
            passes = longer;
        }
        return passes;
    }

    private void verify(String digits, List<VerifiedList> lists, BlobReference schema, boolean bytes)
            throws IOException, InterruptedException {
        progress.stage("compares the blobs with those in " + request.location());
        var expected = new BlobTable();
        for (VerifiedList list : lists) {
            list.blobs((blob, size, of) -> add(expected, digits, blob, size));
        }
        add(expected, digits, schema.blob(), schema.size());
        new ObjectReader(store).list(keys.blobs(digits), object -> compare(object, expected));
        expected.forEach((blob, number) -> {
            if (number != FOUND) {
                faults.add(blob, "missing");
            }
        });
        if (bytes) {
            progress.stage("reads the blobs in " + request.location());
            TransferThreads.run(TransferThreads.count(), pool -> {
                for (VerifiedList list : lists) {
                    list.blobs((blob, size, of) -> readOnce(blob, of, expected, pool));
                }
            });
        }
    }

    private static void add(BlobTable expected, String digits, BlobName blob, long size) {
        if (blob.hash().startsWith(digits)) {
            expected.add(blob, size);
        }
    }

    private void compare(ObjectInfo object, BlobTable expected) {
        BlobName blob = keys.blobOf(object.key()).orElse(null);
        long size = blob == null ? -1 : expected.number(blob);
        if (blob == null || size < 0) {
            return; // of another backup
        }
        if (object.size() < size) { // a bundle may have more than this backup takes from it
            faults.add(blob, "has " + object.size() + " of " + size + " bytes");
        }
        expected.set(blob, FOUND);
    }

    private void readOnce(BlobName blob, String of, BlobTable expected, TransferStreams.Queue queue)
            throws IOException, InterruptedException {
        if (expected.number(blob) != FOUND) {
            return; // missing, read before, or of another pass
        }
        expected.set(blob, READ);
        queue.add(buffer -> {
            int length = faults.collect(blob, () -> reader.read(blob, of, buffer));
            progress.add(length);
        });
    }
}

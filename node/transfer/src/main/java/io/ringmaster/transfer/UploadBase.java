package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.ClusterManifest.Member;
import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.slice.BlobTable;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The newest complete backup of the cluster: its blobs need not be sent again. Only those count that the store lists
 * with their sizes, so that a blob that was lost or truncated is not handed on from backup to backup. A base that is
 * damaged, or gone, only makes the upload send more.
 */
final class UploadBase {
    /** A replaced node has the data of others; their lists take memory. */
    private static final int NODES_MOST = 16;

    private final TransferRequest request;
    private final ObjectReader objects;
    private final Catalogue catalogue;
    private final ListReader lists;

    UploadBase(TransferRequest request, BackupStore store) {
        this.request = request;
        this.objects = new ObjectReader(store);
        this.catalogue = new Catalogue(store, request.keys());
        this.lists = new ListReader(store, request.keys());
    }

    /**
     * Not one that is being deleted, and one whose id is of the future only if all are. Correct only after the intent
     * is put: see {@link UploadWork}.
     */
    Optional<BackupId> newest() throws IOException, InterruptedException {
        BackupId own = request.backup();
        List<BackupId> others =
                catalogue.committed().stream().filter(id -> !id.equals(own)).toList();
        return BackupId.newest(others, own.time());
    }

    /**
     * Adds the blobs of this node, by its host id, or of its datacenter if the base does not know it.
     *
     * @param file takes one list at a time
     * @param there takes the blobs that the store has
     */
    void read(BackupId base, String hostId, Path file, BlobTable there) throws IOException, InterruptedException {
        var named = new BlobTable();
        readLists(base, hostId, file, named);
        if (named.size() == 0) {
            return;
        }
        int[] whole = {0};
        // pages of a thousand: a repository may have more blobs than fit into the memory
        objects.list(request.keys().blobs(""), object -> whole[0] += isWhole(object, named, there) ? 1 : 0);
        int lost = named.size() - whole[0];
        if (lost > 0) {
            System.err.println(request.location() + " has lost or truncated " + lost + " of the " + named.size()
                    + " blobs that " + base + " names: sends them again");
        }
    }

    /** Adds an object, if it is a blob of the base and has its size. */
    private boolean isWhole(ObjectInfo object, BlobTable named, BlobTable there) {
        BlobName blob = request.keys().blobOf(object.key()).orElse(null);
        long size = blob == null ? -1 : named.number(blob);
        if (blob == null || size < 0 || object.size() < size) { // a bundle may have more than the base takes from it
            return false;
        }
        there.add(blob, object.size());
        return true;
    }

    private void readLists(BackupId base, String hostId, Path file, BlobTable named)
            throws IOException, InterruptedException {
        try {
            ClusterManifest manifest = catalogue.read(base);
            for (Member member : members(manifest, hostId)) {
                NodeManifest node = catalogue.read(base, member.node(), member.manifest());
                lists.copy(node, file);
                new VerifiedList(node, file).blobs((blob, size, of) -> named.add(blob, size));
            }
        } catch (DamagedException e) {
            System.err.println("sends more than it would need to: " + ThrowableText.of(e));
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.MISSING) {
                throw e;
            }
            System.err.println("sends more than it would need to: " + ThrowableText.of(e));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private List<Member> members(ClusterManifest manifest, String hostId) {
        List<Member> same = manifest.nodes().stream()
                .filter(member -> member.hostId().equals(hostId))
                .toList();
        if (!same.isEmpty()) {
            return same;
        }
        return manifest.nodes().stream()
                .filter(member ->
                        member.node().datacenter().equals(request.node().datacenter()))
                .limit(NODES_MOST)
                .toList();
    }
}

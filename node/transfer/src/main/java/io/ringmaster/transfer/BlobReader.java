package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.slice.SliceBuffer;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.StoreException;
import java.io.IOException;

/** Reads blobs and compares them with their names. */
final class BlobReader {
    private static final int ATTEMPTS = 2;

    private final String location;
    private final BackupStore store;
    private final RepositoryKeys keys;
    private final RateLimit limit;

    BlobReader(TransferRequest request, BackupStore store) {
        this.location = request.location();
        this.store = store;
        this.keys = request.keys();
        this.limit = request.limit();
    }

    /**
     * Reads a blob into the buffer. One with another hash is read a second time, because the fault may be on the way.
     *
     * @param of the object that needs it, for the message
     * @return its bytes
     * @throws DamagedException it is missing, or has another hash
     */
    int read(BlobName blob, String of, SliceBuffer buffer) throws IOException, InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int length = get(blob, of, buffer);
            limit.take(length);
            if (buffer.sha256(length).equals(blob.hash())) {
                return length;
            }
        }
        throw new DamagedException("blob " + blob.brief() + " of " + of + ": hash differs in " + location);
    }

    private int get(BlobName blob, String of, SliceBuffer buffer) throws IOException, InterruptedException {
        try {
            return store.get(keys.blob(blob), 0, buffer.bytes());
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.MISSING) {
                throw new DamagedException("blob " + blob.brief() + " of " + of + ": missing in " + location, e);
            }
            throw e;
        }
    }
}

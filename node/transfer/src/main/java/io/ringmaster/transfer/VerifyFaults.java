package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.DamagedException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The faults of a backup; the first few of them by name. */
final class VerifyFaults {
    private static final int NAMED_MOST = 5;

    /** Reads a blob. */
    @FunctionalInterface
    interface Read {
        /** @return its bytes */
        int run() throws IOException, InterruptedException;
    }

    private final String location;
    private final Map<BlobName, String> named = new LinkedHashMap<>();
    private long count;

    VerifyFaults(String location) {
        this.location = location;
    }

    synchronized void add(BlobName blob, String what) {
        count++;
        if (named.size() < NAMED_MOST) {
            named.put(blob, what);
        }
    }

    /** @return the bytes that were read; 0 if the blob is damaged, which is a fault */
    int collect(BlobName blob, Read read) throws IOException, InterruptedException {
        try {
            return read.run();
        } catch (DamagedException e) {
            add(blob, "hash differs");
            return 0;
        }
    }

    /** @throws DamagedException there are faults; the message names objects that need the blobs */
    synchronized void rethrow(Iterable<VerifiedList> lists) throws IOException, InterruptedException {
        if (count == 0) {
            return;
        }
        Map<BlobName, String> needed = new LinkedHashMap<>();
        for (VerifiedList list : lists) {
            list.blobs((blob, size, of) -> {
                if (named.containsKey(blob)) {
                    needed.putIfAbsent(blob, of);
                }
            });
        }
        var text = new StringBuilder(count + " blobs in " + location + " are damaged: ");
        String separator = "";
        for (Map.Entry<BlobName, String> fault : named.entrySet()) {
            text.append(separator)
                    .append(fault.getKey().brief())
                    .append(" of ")
                    .append(needed.getOrDefault(fault.getKey(), "the schema"))
                    .append(": ")
                    .append(fault.getValue());
            separator = "; ";
        }
        // a blob that an earlier backup sent is not sent again
        text.append(" -> restore another backup, and back up to another location");
        throw new DamagedException(text.toString());
    }
}

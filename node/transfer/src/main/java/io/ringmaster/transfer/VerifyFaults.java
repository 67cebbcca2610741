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

    private final TransferRequest request;
    private final Map<BlobName, String> named = new LinkedHashMap<>();
    private long count;

    VerifyFaults(TransferRequest request) {
        this.request = request;
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
        var text = new StringBuilder(count + " blobs in " + request.location() + " are damaged: ");
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
        text.append(" -> ringmaster backup create ")
                .append(request.keys().cluster())
                .append(" --to ")
                .append(request.location())
                .append(" --full sends all data again, so that no later backup names them");
        throw new DamagedException(text.toString());
    }
}

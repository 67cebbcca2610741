package io.ringmaster.transfer;

import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.backup.store.ObjectInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Puts, reads, lists and deletes a small object: what a backup needs of its location. */
final class CheckWork implements Work {
    private final TransferRequest request;
    private final BackupStore store;
    private final TransferProgress progress;

    CheckWork(TransferRequest request, BackupStore store, TransferProgress progress) {
        this.request = request;
        this.store = store;
        this.progress = progress;
    }

    @Override
    public String run() throws IOException, InterruptedException {
        String key = request.keys().check(request.name());
        byte[] sent = (request.node() + " " + request.task().id()).getBytes(StandardCharsets.UTF_8);
        progress.stage("checks " + request.location());
        store.put(key, Content.of(sent, sent.length, Sha256.of(sent)));
        byte[] read = new byte[sent.length];
        if (store.get(key, 0, read) != sent.length || !Arrays.equals(sent, read)) {
            throw new TransferFailure(request.location() + " returns other bytes than it was sent for " + key);
        }
        List<ObjectInfo> listed = store.list(key, null, 1);
        if (listed.isEmpty() || !listed.get(0).key().equals(key)) {
            throw new TransferFailure(request.location() + " does not list " + key + ", which was put before");
        }
        store.delete(List.of(key));
        if (store.stat(key).isPresent()) {
            throw new TransferFailure(request.location() + " does not delete " + key);
        }
        return "put, read, listed and deleted an object in " + request.location();
    }
}

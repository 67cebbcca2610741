package io.ringmaster.transfer;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.backup.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A store in memory that notes its requests, and at one of them may throw what a killed process never sees. */
final class MemoryStore implements BackupStore {
    /** The process is killed. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    final NavigableMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    final List<String> requests = new ArrayList<>();
    /** Runs once, before the first blob is put. */
    @Nullable
    Runnable beforeBlob;

    private int killAt = Integer.MAX_VALUE;
    private boolean killAfter;

    /** @param after the request has its effect first */
    void killAt(int request, boolean after) {
        requests.clear();
        killAt = request;
        killAfter = after;
    }

    private synchronized boolean isLast(String request) {
        requests.add(request);
        if (requests.size() == killAt && !killAfter) {
            throw new Killed();
        }
        return requests.size() == killAt;
    }

    private static void end(boolean last) {
        if (last) {
            throw new Killed();
        }
    }

    @Override
    public void put(String key, Content content) throws IOException {
        boolean last = isLast("put " + key);
        Runnable first = beforeBlob;
        if (first != null && key.contains("/blobs/")) {
            beforeBlob = null;
            first.run();
        }
        try (InputStream in = content.open()) {
            byte[] bytes = in.readAllBytes();
            if (bytes.length != content.length()) {
                throw new IllegalStateException(key + " has another length than it says");
            }
            objects.put(key, bytes);
        }
        end(last);
    }

    @Override
    public int get(String key, long offset, byte[] into) throws IOException {
        boolean last = isLast("get " + key);
        byte[] bytes = objects.get(key);
        if (bytes == null) {
            throw new StoreException(StoreException.Reason.MISSING, key + " is missing", null);
        }
        int length = (int) Math.min(into.length, bytes.length - offset);
        System.arraycopy(bytes, (int) offset, into, 0, length);
        end(last);
        return length;
    }

    @Override
    public Optional<ObjectInfo> stat(String key) {
        end(isLast("stat " + key));
        return Optional.ofNullable(objects.get(key)).map(bytes -> new ObjectInfo(key, bytes.length, Instant.EPOCH));
    }

    @Override
    public List<ObjectInfo> list(String prefix, String after, int limit) {
        end(isLast("list " + prefix));
        return objects.tailMap(after == null ? "" : after, after == null).entrySet().stream()
                .filter(e -> e.getKey().startsWith(prefix))
                .limit(limit)
                .map(e -> new ObjectInfo(e.getKey(), e.getValue().length, Instant.EPOCH))
                .toList();
    }

    @Override
    public void delete(Collection<String> keys) {
        boolean last = isLast("delete " + keys);
        keys.forEach(objects::remove);
        end(last);
    }

    @Override
    public void close() {}
}

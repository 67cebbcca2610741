package io.ringmaster.transfer;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.backup.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A store in memory that notes its requests, and at one of them may throw what a killed process never sees. */
final class MemoryStore implements BackupStore {
    /** The process is killed. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** What a test does in between. */
    @FunctionalInterface
    interface Between {
        void run() throws IOException, InterruptedException;
    }

    private final Map<String, Between> betweens = new HashMap<>();
    final NavigableMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    final List<String> requests = new ArrayList<>();
    /** A store that notes whole seconds leaves one of doubt. */
    static final Instant START = Instant.parse("2026-11-24T06:00:00.250Z");
    /** The clock of the store. */
    Instant now = START;

    private final Map<String, Instant> modified = new ConcurrentHashMap<>();

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

    /** After the request had its effect. */
    void killAtRequest(String text) {
        requests.clear();
        killAt = Integer.MAX_VALUE;
        before(text, () -> {
            killAt = requests.size();
            killAfter = true;
        });
    }

    /** What happens before the next request of this text. */
    void before(String request, Between action) {
        betweens.put(request, action);
    }

    private synchronized boolean isLast(String request) {
        requests.add(request);
        Between between = betweens.remove(request);
        if (between != null) {
            run(between);
        }
        if (requests.size() == killAt && !killAfter) {
            throw new Killed();
        }
        return requests.size() == killAt;
    }

    private static void run(Between between) {
        try {
            between.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void end(boolean last) {
        if (last) {
            throw new Killed();
        }
    }

    private ObjectInfo info(String key, byte[] bytes) {
        return new ObjectInfo(key, bytes.length, modified.getOrDefault(key, START));
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
            modified.put(key, now);
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
        return Optional.ofNullable(objects.get(key)).map(bytes -> info(key, bytes));
    }

    @Override
    public List<ObjectInfo> list(String prefix, String after, int limit) {
        end(isLast("list " + prefix));
        return objects.tailMap(after == null ? "" : after, after == null).entrySet().stream()
                .filter(e -> e.getKey().startsWith(prefix))
                .limit(limit)
                .map(e -> info(e.getKey(), e.getValue()))
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

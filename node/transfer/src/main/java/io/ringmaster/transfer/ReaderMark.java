package io.ringmaster.transfer;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The object that keeps collections away while a node reads. They ignore one that was not renewed for a week. */
final class ReaderMark {
    private static final long RENEW_NANOS = TimeUnit.DAYS.toNanos(1);

    private final BackupStore store;
    private final String key;
    private final LongSupplier nanos;
    private long putAt;

    ReaderMark(BackupStore store, String key, LongSupplier nanos) {
        this.store = store;
        this.key = key;
        this.nanos = nanos;
    }

    synchronized void put() throws IOException, InterruptedException {
        store.put(key, Content.empty());
        putAt = nanos.getAsLong();
    }

    synchronized void renew() throws IOException, InterruptedException {
        if (nanos.getAsLong() - putAt > RENEW_NANOS) {
            put();
        }
    }

    void delete() throws IOException, InterruptedException {
        store.delete(List.of(key));
    }
}

package io.ringmaster.transfer;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.backup.store.ObjectInfo;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The transfer program, but for its store, which hangs at one request: there the test kills the process. */
final class KilledMain {
    private KilledMain() {}

    public static void main(String[] arguments) throws IOException {
        int hangsAt = Integer.getInteger("hangs.at");
        TransferMain.run((locations, name) -> new HangingStore(OpenedStores.open(locations, name), hangsAt));
    }

    private record HangingStore(BackupStore store, int hangsAt, AtomicInteger requests) implements BackupStore {
        HangingStore(BackupStore store, int hangsAt) {
            this(store, hangsAt, new AtomicInteger());
        }

        private void next() throws InterruptedException {
            if (requests.incrementAndGet() == hangsAt) {
                System.err.println("HANGS");
                Thread.sleep(60_000);
            }
        }

        @Override
        public void put(String key, Content content) throws IOException, InterruptedException {
            next();
            store.put(key, content);
        }

        @Override
        public int get(String key, long offset, byte[] into) throws IOException, InterruptedException {
            next();
            return store.get(key, offset, into);
        }

        @Override
        public Optional<ObjectInfo> stat(String key) throws IOException, InterruptedException {
            next();
            return store.stat(key);
        }

        @Override
        public List<ObjectInfo> list(String prefix, String after, int limit) throws IOException, InterruptedException {
            next();
            return store.list(prefix, after, limit);
        }

        @Override
        public void delete(Collection<String> keys) throws IOException, InterruptedException {
            next();
            store.delete(keys);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}

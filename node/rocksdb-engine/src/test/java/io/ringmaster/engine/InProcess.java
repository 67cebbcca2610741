package io.ringmaster.engine;

import io.ringmaster.engine.store.Engine;
import io.ringmaster.engine.store.EngineSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.ShardBoundaries;
import org.apache.cassandra.db.memtable.TrieMemtable;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.Future;
import org.apache.cassandra.utils.concurrent.OpOrder;

/** The parts of Cassandra that memtables need, in the process of the tests. */
public final class InProcess {
    private static boolean isStarted;

    private InProcess() {}

    /** Starts at the first call. Deletes its files when the process ends. */
    public static synchronized void start() {
        if (isStarted) {
            return;
        }
        try {
            Path directory = Files.createTempDirectory("engine-test");
            Path yaml = directory.resolve("cassandra.yaml");
            Files.writeString(
                    yaml,
                    """
                    cluster_name: test
                    partitioner: org.apache.cassandra.dht.Murmur3Partitioner
                    commitlog_sync: periodic
                    commitlog_sync_period: 10s
                    commitlog_directory: %1$s/commitlog
                    data_file_directories: [%1$s/data]
                    saved_caches_directory: %1$s/caches
                    hints_directory: %1$s/hints
                    cdc_raw_directory: %1$s/cdc
                    listen_address: 127.7.1.2
                    rpc_address: 127.7.1.2
                    endpoint_snitch: SimpleSnitch
                    memtable:
                      configurations:
                        rocksdb:
                          class_name: io.ringmaster.engine.RocksDB
                          parameters: {block_cache: 8MiB, purge_delay: 0s}
                    seed_provider:
                      - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                        parameters: [{seeds: 127.7.1.2}]
                    """
                            .formatted(directory));
            System.setProperty("cassandra.config", yaml.toUri().toString());
            System.setProperty("cassandra.storagedir", directory.toString());
            DatabaseDescriptor.daemonInitialization();
            DatabaseDescriptor.createAllDirectories();
            CommitLog.instance.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            isStarted = true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        new File(directory).deleteRecursive();
    }

    private static Map<String, String> parameters() {
        return new HashMap<>(Map.of("block_cache", "8MiB", "purge_delay", "0s"));
    }

    public static Memtable rocksDB(TableMetadata metadata) {
        return rocksDB(metadata, Map.of());
    }

    /** @param parameters beside those of {@link #rocksDB(TableMetadata)} */
    public static Memtable rocksDB(TableMetadata metadata, Map<String, String> parameters) {
        Map<String, String> all = parameters();
        all.putAll(parameters);
        return create(RocksDB.factory(all), metadata);
    }

    /** The engine of the memtables that {@link #rocksDB} creates. */
    public static Engine engine() {
        return Engine.open(EngineSettings.take(parameters()));
    }

    public static Memtable trie(TableMetadata metadata) {
        return create(TrieMemtable.factory(new HashMap<>()), metadata);
    }

    private static Memtable create(Memtable.Factory factory, TableMetadata metadata) {
        return factory.create(
                new AtomicReference<>(CommitLogPosition.NONE),
                TableMetadataRef.forOfflineTools(metadata),
                new UnusedOwner());
    }

    /** Waits until writes so far count as merged: a mark covers those from before its second. */
    public static void awaitNextSecond() throws InterruptedException {
        long second = FBUtilities.nowInSeconds();
        while (FBUtilities.nowInSeconds() == second) {
            Thread.sleep(10);
        }
    }

    /** Discards a memtable as Cassandra does after a flush. */
    public static void discard(Memtable memtable) {
        memtable.switchOut(new OpOrder().newBarrier(), new AtomicReference<>(CommitLogPosition.NONE));
        memtable.discard();
    }

    /** An owner whose methods no test may need. */
    private static final class UnusedOwner implements Memtable.Owner {
        @Override
        public Future<CommitLogPosition> signalFlushRequired(Memtable memtable, ColumnFamilyStore.FlushReason reason) {
            throw new IllegalStateException("unexpected request for a flush");
        }

        @Override
        public Memtable getCurrentMemtable() {
            throw new IllegalStateException("unexpected request for the memtable");
        }

        @Override
        public Iterable<Memtable> getIndexMemtables() {
            return List.of();
        }

        @Override
        public ShardBoundaries localRangeSplits(int shards) {
            return ShardBoundaries.NONE;
        }
    }
}

package io.ringmaster.companion;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.OfflineSchemaUpdateHandler;
import org.apache.cassandra.schema.SchemaTransformation.SchemaTransformationResult;
import org.apache.cassandra.schema.SchemaUpdateHandler;
import org.apache.cassandra.schema.SchemaUpdateHandlerFactory;

/** The parts of Cassandra that know the ring, in the process of the tests. Nothing listens, and no node is a member. */
public final class CassandraParts {
    private static boolean isStarted;
    private static boolean hasTables;

    private CassandraParts() {}

    /** Starts at the first call. Deletes its files when the process ends. */
    public static synchronized void start() {
        if (isStarted) {
            return;
        }
        try {
            Path directory = Files.createTempDirectory("companion-test");
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
                    listen_address: 127.7.1.3
                    rpc_address: 127.7.1.3
                    endpoint_snitch: SimpleSnitch
                    seed_provider:
                      - class_name: org.apache.cassandra.locator.SimpleSeedProvider
                        parameters: [{seeds: 127.7.1.3}]
                    """
                            .formatted(directory));
            System.setProperty("cassandra.schema.update_handler_factory.class", SchemaInMemory.class.getName());
            System.setProperty("cassandra.config", yaml.toUri().toString());
            System.setProperty("cassandra.storagedir", directory.toString());
            DatabaseDescriptor.daemonInitialization();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> new File(directory).deleteRecursive()));
            isStarted = true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts what tables need, too: Cassandra's own ones, the schema, which is kept in memory, and the commit log. */
    public static synchronized void startTables() {
        start();
        if (!hasTables) {
            DatabaseDescriptor.createAllDirectories();
            CommitLog.instance.start();
            Keyspace.setInitialized();
            SystemKeyspace.persistLocalMetadata();
            hasTables = true;
        }
    }

    /** The factory that Cassandra is to use. */
    public static final class SchemaInMemory implements SchemaUpdateHandlerFactory {
        @Override
        public SchemaUpdateHandler getSchemaUpdateHandler(
                boolean online, BiConsumer<SchemaTransformationResult, Boolean> changed) {
            return new OfflineSchemaUpdateHandler(changed);
        }
    }
}

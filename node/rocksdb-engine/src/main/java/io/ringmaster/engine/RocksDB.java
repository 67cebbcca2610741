package io.ringmaster.engine;

import io.ringmaster.engine.memtable.RocksDBMemtableFactory;
import io.ringmaster.engine.store.EngineId;
import io.ringmaster.engine.store.EngineSettings;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.JVMStabilityInspector;

/** The {@code class_name} of a memtable configuration. Cassandra calls {@link #factory} by reflection. */
public final class RocksDB {
    private RocksDB() {}

    /**
     * @param parameters from cassandra.yaml; removes the known ones
     * @throws ConfigurationException a parameter is invalid or unknown, or RocksDB cannot be loaded
     */
    public static Memtable.Factory factory(Map<String, String> parameters) {
        try {
            return create(parameters);
        } catch (RuntimeException | Error e) {
            boolean isStart = DatabaseDescriptor.isDaemonInitialized() && !StorageService.instance.isInitialized();
            if (isStart && EngineId.isInDataDirectory()) {
                // Cassandra would use its default memtable, and answer reads as if the tables were empty
                JVMStabilityInspector.killCurrentJVM(
                        new IllegalStateException(
                                "the node does not start, because its tables in RocksDB would be empty: "
                                        + (e instanceof ConfigurationException ? e.getMessage() : e),
                                e),
                        false);
            }
            throw e;
        }
    }

    private static Memtable.Factory create(Map<String, String> parameters) {
        try {
            org.rocksdb.RocksDB.loadLibrary();
        } catch (NoClassDefFoundError e) {
            throw new ConfigurationException(
                    "the jar rocksdbjni is missing: " + e.getMessage() + " -> install it beside the engine's jar", e);
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            throw new ConfigurationException(
                    "RocksDB's native library cannot be loaded from " + System.getProperty("java.io.tmpdir") + ": "
                            + e.getMessage()
                            + " -> set -Djava.io.tmpdir to a directory whose file system is not mounted noexec",
                    e);
        }
        EngineSettings settings = EngineSettings.take(parameters);
        if (!parameters.isEmpty()) {
            throw new ConfigurationException("unknown memtable parameters of the RocksDB engine: " + parameters.keySet()
                    + " -> remove or correct them");
        }
        return new RocksDBMemtableFactory(settings);
    }
}

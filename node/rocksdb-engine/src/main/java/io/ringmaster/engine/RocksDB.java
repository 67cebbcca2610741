package io.ringmaster.engine;

import io.ringmaster.engine.memtable.RocksDBMemtableFactory;
import io.ringmaster.engine.store.EngineSettings;
import java.util.Map;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;

/** The {@code class_name} of a memtable configuration. Cassandra calls {@link #factory} by reflection. */
public final class RocksDB {
    private RocksDB() {}

    /**
     * @param parameters from cassandra.yaml; removes the known ones, because Cassandra rejects a map that is not empty
     */
    public static Memtable.Factory factory(Map<String, String> parameters) {
        try {
            org.rocksdb.RocksDB.loadLibrary();
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            throw new ConfigurationException(
                    "RocksDB's native library cannot be loaded from " + System.getProperty("java.io.tmpdir") + ": "
                            + e.getMessage()
                            + " -> set -Djava.io.tmpdir to a directory whose file system is not mounted noexec",
                    e);
        }
        return new RocksDBMemtableFactory(EngineSettings.take(parameters));
    }
}

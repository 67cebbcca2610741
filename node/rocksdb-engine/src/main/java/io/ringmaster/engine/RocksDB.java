package io.ringmaster.engine;

import io.ringmaster.engine.memtable.RocksDBMemtableFactory;
import io.ringmaster.engine.store.EngineSettings;
import java.util.Map;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;

/** What {@code class_name} of a memtable configuration names; Cassandra looks for {@link #factory}. */
public final class RocksDB {
    private RocksDB() {}

    /** @param parameters those in cassandra.yaml; the known ones are taken out, and Cassandra refuses the others */
    public static Memtable.Factory factory(Map<String, String> parameters) {
        try {
            org.rocksdb.RocksDB.loadLibrary();
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            throw new ConfigurationException(
                    "RocksDB's native library cannot be loaded from " + System.getProperty("java.io.tmpdir")
                            + " (it must allow programs to run from it): " + e.getMessage(),
                    e);
        }
        return new RocksDBMemtableFactory(EngineSettings.take(parameters));
    }
}

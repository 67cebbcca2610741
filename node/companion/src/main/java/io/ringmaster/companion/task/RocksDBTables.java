package io.ringmaster.companion.task;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;

/** Maintains and restores tables in the RocksDB engine by its MBean: Cassandra's own commands do not reach them. */
final class RocksDBTables {
    private static final String OPERATIONS = "io.ringmaster.engine:type=Operations";

    private RocksDBTables() {}

    /** Merges, purges and rewrites the table; does nothing if the table is not in the engine. */
    static void compact(String keyspace, String table) throws JMException {
        invoke("compact", keyspace, table);
    }

    /**
     * Deletes the rows of ranges that the node does not own; does nothing if the table is not in the engine.
     *
     * @throws IllegalStateException the node is joining, leaving or moving
     */
    static void cleanup(String keyspace, String table) throws JMException {
        invoke("cleanup", keyspace, table);
    }

    /** {@code keyspace.table} of each table in the engine; empty if the engine is not installed. */
    static Set<?> names() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName engine = new ObjectName(OPERATIONS);
        return server.isRegistered(engine) ? ((Map<?, ?>) server.getAttribute(engine, "Tables")).keySet() : Set.of();
    }

    /**
     * Adds the rows of a snapshot to the table.
     *
     * @param directory the part of the snapshot that the engine wrote
     * @throws IllegalStateException the table is not in the engine, or has indexes or views
     */
    static void restore(String keyspace, String table, Path directory) throws JMException {
        if (!names().contains(keyspace + "." + table)) {
            throw new IllegalStateException(keyspace + "." + table
                    + " is in RocksDB in the backup, and this node runs without that engine -> engine.rocksdb");
        }
        call("restore", keyspace, table, directory.toAbsolutePath().toString());
    }

    private static void invoke(String operation, String keyspace, String table) throws JMException {
        if (names().contains(keyspace + "." + table)) {
            call(operation, keyspace, table);
        }
    }

    private static void call(String operation, String... arguments) throws JMException {
        String[] signature = new String[arguments.length];
        Arrays.fill(signature, String.class.getName());
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(new ObjectName(OPERATIONS), operation, arguments, signature);
        } catch (RuntimeMBeanException e) {
            throw e.getTargetException();
        }
    }
}

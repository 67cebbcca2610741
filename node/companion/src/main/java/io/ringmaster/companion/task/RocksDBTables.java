package io.ringmaster.companion.task;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;

/** Compacts and cleans up tables in the RocksDB engine by its MBean: Cassandra's own commands do not reach them. */
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

    private static void invoke(String operation, String keyspace, String table) throws JMException {
        if (!names().contains(keyspace + "." + table)) {
            return;
        }
        String[] signature = {String.class.getName(), String.class.getName()};
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(new ObjectName(OPERATIONS), operation, new Object[] {keyspace, table}, signature);
        } catch (RuntimeMBeanException e) {
            throw e.getTargetException();
        }
    }
}

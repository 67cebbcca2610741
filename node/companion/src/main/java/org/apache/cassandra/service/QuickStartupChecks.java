package org.apache.cassandra.service;

import java.lang.reflect.Field;
import java.util.List;
import org.apache.cassandra.config.StartupChecksOptions;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.SchemaKeyspace;

/**
 * Cassandra's check for outdated volumes reads the whole schema once for each keyspace, which takes most of a start
 * with many tables. Here it reads the schema once; what it compares, refuses and writes is unchanged.
 *
 * <p>The class is in Cassandra's package because what it overrides is package-private.
 */
public final class QuickStartupChecks {
    private QuickStartupChecks() {}

    /** @throws ReflectiveOperationException this Cassandra keeps its checks elsewhere; they are unchanged */
    @SuppressWarnings("unchecked")
    public static void replaceIn(StartupChecks checks) throws ReflectiveOperationException {
        Field list = StartupChecks.class.getDeclaredField("preFlightChecks");
        list.setAccessible(true);
        ((List<StartupCheck>) list.get(checks))
                .replaceAll(check -> check.getClass() == DataResurrectionCheck.class ? new OneRead() : check);
    }

    /** Overrides both readers of the schema. */
    static class OneRead extends DataResurrectionCheck {
        private Keyspaces keyspaces = Keyspaces.none();

        @Override
        List<String> getKeyspaces() {
            keyspaces = read();
            return keyspaces.stream().map(keyspace -> keyspace.name).toList();
        }

        @Override
        List<TableGCPeriod> getTablesGcPeriods(String keyspace) {
            return keyspaces.getNullable(keyspace).tables.stream()
                    .filter(table -> table.params.gcGraceSeconds > 0)
                    .map(table -> new TableGCPeriod(table.name, table.params.gcGraceSeconds))
                    .toList();
        }

        @Override
        public void postAction(StartupChecksOptions options) {
            keyspaces = Keyspaces.none();
            super.postAction(options);
        }

        Keyspaces read() {
            return SchemaKeyspace.fetchNonSystemKeyspaces();
        }
    }
}

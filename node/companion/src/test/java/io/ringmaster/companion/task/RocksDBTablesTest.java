package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RocksDBTablesTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final List<String> calls = new ArrayList<>();
    private ObjectName name;

    /** The interface of the engine's MBean. */
    public interface EngineMBean {
        Map<String, Map<String, Long>> getTables();

        void compact(String keyspace, String table);

        void cleanup(String keyspace, String table);

        long restore(String keyspace, String table, String directory);
    }

    private final class Engine implements EngineMBean {
        @Override
        public Map<String, Map<String, Long>> getTables() {
            return Map.of("ks.inside", Map.of("files_bytes", 1L));
        }

        @Override
        public void compact(String keyspace, String table) {
            calls.add("compact " + keyspace + "." + table);
        }

        @Override
        public void cleanup(String keyspace, String table) {
            throw new IllegalStateException("the node is moving");
        }

        @Override
        public long restore(String keyspace, String table, String directory) {
            calls.add("restore " + keyspace + "." + table + " from " + directory);
            return 1;
        }
    }

    @BeforeEach
    void register() throws Exception {
        name = new ObjectName("io.ringmaster.engine:type=Operations");
        server.registerMBean(new Engine(), name);
    }

    @AfterEach
    void unregister() throws Exception {
        if (server.isRegistered(name)) {
            server.unregisterMBean(name);
        }
    }

    @Test
    void only_tables_in_the_engine_are_passed_to_it() throws Exception {
        RocksDBTables.compact("ks", "inside");
        RocksDBTables.compact("ks", "outside");
        RocksDBTables.cleanup("ks", "outside");
        assertThat(calls).containsExactly("compact ks.inside");
    }

    @Test
    void a_table_is_restored_into_the_engine_or_not_at_all() throws Exception {
        RocksDBTables.restore("ks", "inside", Path.of("/restore/inside"));
        assertThat(calls).containsExactly("restore ks.inside from /restore/inside");
        assertThatThrownBy(() -> RocksDBTables.restore("ks", "outside", Path.of("/restore/outside")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ks.outside is in RocksDB in the backup")
                .hasMessageContaining("engine.rocksdb");
    }

    @Test
    void a_refusal_of_the_engine_keeps_its_message() {
        assertThatThrownBy(() -> RocksDBTables.cleanup("ks", "inside"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the node is moving");
    }

    @Test
    void a_node_without_the_engine_does_nothing() throws Exception {
        unregister();
        RocksDBTables.compact("ks", "inside");
        assertThat(calls).isEmpty();
    }
}

package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
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
    private final List<String> asked = new ArrayList<>();
    private ObjectName name;

    /** As the engine's MBean, with one table. */
    public interface EngineMBean {
        Map<String, Map<String, Long>> getTables();

        void compact(String keyspace, String table);

        void cleanup(String keyspace, String table);
    }

    private final class Engine implements EngineMBean {
        @Override
        public Map<String, Map<String, Long>> getTables() {
            return Map.of("ks.inside", Map.of("files_bytes", 1L));
        }

        @Override
        public void compact(String keyspace, String table) {
            asked.add("compact " + keyspace + "." + table);
        }

        @Override
        public void cleanup(String keyspace, String table) {
            throw new IllegalStateException("the node is moving");
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
    void only_tables_that_lie_in_the_engine_are_handed_to_it() throws Exception {
        RocksDBTables.compact("ks", "inside");
        RocksDBTables.compact("ks", "outside");
        RocksDBTables.cleanup("ks", "outside");
        assertThat(asked).containsExactly("compact ks.inside");
    }

    @Test
    void a_refusal_of_the_engine_is_told_in_its_words() {
        assertThatThrownBy(() -> RocksDBTables.cleanup("ks", "inside"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the node is moving");
    }

    @Test
    void a_node_without_the_engine_has_nothing_more_to_do() throws Exception {
        unregister();
        RocksDBTables.compact("ks", "inside");
        assertThat(asked).isEmpty();
    }
}

package io.ringmaster.companion.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of parameters that the server validates a spec with; {@code -Daccept=true} rewrites it. */
class CassandraTableTest {
    private static final Path TABLE =
            Path.of("../../control/model/src/main/resources/io/ringmaster/model/spec/cassandra-5.0.tsv");

    @Test
    void the_servers_table_of_parameters_is_that_of_cassandras_classes() throws IOException {
        if (Boolean.getBoolean("accept")) {
            Files.createDirectories(TABLE.getParent());
            Files.writeString(TABLE, CassandraTypes.table());
        }
        assertThat(Files.readString(TABLE)).isEqualTo(CassandraTypes.table());
    }
}

package io.ringmaster.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class CassandraJarsTest {

    @Test
    void the_version_is_that_of_the_project() throws IOException {
        assertThat(CassandraJars.version("<a/><cassandra.version>5.0.9</cassandra.version>"))
                .isEqualTo("5.0.9");
        assertThatThrownBy(() -> CassandraJars.version("<a/>")).hasMessageContaining("cassandra.version");
    }
}

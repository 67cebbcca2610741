package io.ringmaster.companion.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.companion.CassandraParts;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DataRateSpec.LongBytesPerSecondBound;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any rate that Cassandra takes at its start can be set while it runs. */
class CompactionThroughputTest {
    private static final Consumer<Config> SETTER =
            Objects.requireNonNull(ParameterSetters.ALL.get("compaction_throughput"));

    @BeforeAll
    static void start() {
        CassandraParts.start();
        Config config = DatabaseDescriptor.getRawConfig();
        config.concurrent_compactors = 1; // what the manager of compactions asks for when it is made
        config.concurrent_validations = 1;
    }

    private static void set(String rate) {
        Config wanted = new Config();
        wanted.compaction_throughput = new LongBytesPerSecondBound(rate);
        SETTER.accept(wanted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0MiB/s", "64MiB/s", "2047MiB/s", "2048MiB/s", "4096MiB/s", "1000000MiB/s"})
    void a_rate_is_in_force_as_it_was_given(String rate) {
        set(rate);
        assertThat(DatabaseDescriptor.getCompactionThroughputBytesPerSec())
                .isEqualTo(new LongBytesPerSecondBound(rate).toBytesPerSecond());
    }

    @Test
    void a_rate_that_cassandra_refuses_at_its_start_is_refused_with_that_reason() {
        assertThatThrownBy(() -> set("300000000MiB/s")).hasMessageContaining("is too high");
    }
}

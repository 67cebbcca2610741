package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.engine.store.EngineSettings.Durability;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineSettingsTest {
    @Test
    void knownParametersAreRemovedAndUnknownOnesStayForCassandraToReject() {
        Map<String, String> parameters =
                new HashMap<>(Map.of("block_cache", "1GiB", "durability", "wal", "blok_size", "4KiB"));
        EngineSettings settings = EngineSettings.take(parameters);
        assertThat(settings.blockCacheBytes()).isEqualTo(1L << 30);
        assertThat(settings.durability()).isEqualTo(Durability.WAL);
        assertThat(parameters).containsOnlyKeys("blok_size");
    }

    @Test
    void theCommitLogIsTheDefault() {
        assertThat(EngineSettings.take(new HashMap<>()).durability()).isEqualTo(Durability.COMMIT_LOG);
    }

    @ParameterizedTest
    @CsvSource({
        "block_cache, 12 apples",
        "block_size, 0KiB",
        "compaction_throughput, fast",
        "background_jobs, 0",
        "durability, none",
        "compression, gzip",
        "direct_io, maybe"
    })
    void anInvalidValueIsRejectedWithTheNameOfItsParameter(String name, String value) {
        assertThatThrownBy(() -> EngineSettings.take(new HashMap<>(Map.of(name, value))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining(value);
    }
}

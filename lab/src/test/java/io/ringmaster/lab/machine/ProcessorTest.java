package io.ringmaster.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorTest {
    private static final long SELF = ProcessHandle.current().pid();

    @Test
    void fields_are_counted_behind_a_name_with_spaces_and_parentheses() {
        List<String> fields = Processor.stat("42 (a) b) S 1 42 42 0 -1 4194560 1 0 0 0 250 50 0 0 20 0 1 0 900 1 2\n");
        assertThat(fields.get(0)).isEqualTo("S");
        assertThat(fields.get(11)).isEqualTo("250");
        assertThat(fields.get(19)).isEqualTo("900");
    }

    @Test
    void this_process_has_time_memory_and_a_start() throws IOException {
        assertThat(Processor.seconds(SELF)).isPositive();
        assertThat(Processor.sum(List.of(SELF, SELF))).isGreaterThanOrEqualTo(2 * 0.01);
        assertThat(Processor.residentBytes(SELF)).isGreaterThan(10 << 20);
        assertThat(Processor.proportionalBytes(SELF)).isGreaterThan(10 << 20);
        assertThat(Processor.startedAt(SELF)).isBetween(0.01, Processor.uptimeSeconds());
        assertThat(Processor.isStopped(SELF)).isFalse();
    }

    @Test
    void no_process_has_a_class_that_does_not_exist() {
        assertThat(Processor.running("io.ringmaster.None", Path.of("/none"))).isEmpty();
    }
}

package io.ringmaster.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs of real JVMs, shortened: nodes of Cassandra 5.0.9, and a program that fills a small heap. */
class GcLogTest {
    private static GcLog log(String name) throws IOException, URISyntaxException {
        return GcLog.read(Path.of(Objects.requireNonNull(GcLogTest.class.getResource(name + ".log"))
                .toURI()));
    }

    @ParameterizedTest
    @CsvSource({
        "jdk11-cms, 11, 0.0252523, 9, 8, 0",
        "jdk17-g1, 9, 0.068438525, 7, 3, 0",
        "jdk17-serial, 11, 0.172602121, 6, 4, 2",
        "jdk17-zgc, 10, 0.0038276, 9, 0, 0",
        "jdk21-g1, 6, 0.043015789, 5, 2, 0",
        "jdk21-generational-zgc, 10, 0.003107921, 9, 0, 0",
    })
    void each_jdk_and_collector_is_read(String name, int stops, double stopped, int pauses, int young, int full)
            throws Exception {
        GcLog log = log(name);
        assertThat(log.stops()).hasSize(stops);
        assertThat(log.stoppedSeconds()).isCloseTo(stopped, within(1e-9));
        assertThat(log.pauses()).hasSize(pauses);
        assertThat(log.youngPauses()).hasSize(young);
        assertThat(log.fullPauses()).hasSize(full);
        assertThat(log.degenerated()).isEmpty();
    }

    @Test
    void a_pause_has_its_end_name_and_length() throws Exception {
        assertThat(log("jdk17-g1").pauses().get(0))
                .isEqualTo(new GcLog.Event(
                        1.063, "Pause Young (Concurrent Start) (Metadata GC Threshold) 53M->8M(512M)", 0.005538));
        assertThat(log("jdk17-g1").stops().get(0)).isEqualTo(new GcLog.Event(0.655, "ICBufferFull", 115741 / 1e9));
        assertThat(log("jdk11-cms").stops().get(0)).isEqualTo(new GcLog.Event(0.068, "", 0.0000702));
    }

    @Test
    void threads_that_waited_for_memory_are_counted_for_zgc() throws Exception {
        assertThat(log("jdk17-zgc").stalls())
                .hasSize(11)
                .contains(new GcLog.Event(0.488, "Allocation Stall", 12.463 / 1e3));
        assertThat(log("jdk21-generational-zgc").stalls()).hasSize(10);
        assertThat(log("jdk17-g1").stalls()).isEmpty();
    }

    @Test
    void degenerated_cycles_are_counted_for_shenandoah_without_the_lines_of_its_statistics() throws Exception {
        assertThat(log("jdk17-shenandoah").degenerated())
                .containsExactly(
                        new GcLog.Event(0.369, "Pause Degenerated GC (Outside of Cycle) 37M->6M(40M)", 0.002120));
    }

    @Test
    void cycles_are_counted_for_all_collectors_that_work_beside_the_program() throws Exception {
        assertThat(log("jdk11-cms").cycles()).hasSize(1);
        assertThat(log("jdk17-g1").cycles()).hasSize(2);
        assertThat(log("jdk17-shenandoah").cycles()).hasSize(1);
        assertThat(log("jdk17-zgc").cycles()).hasSize(3);
        assertThat(log("jdk21-generational-zgc").cycles()).hasSize(3);
        assertThat(log("jdk17-serial").cycles()).isEmpty();
    }

    @Test
    void a_part_of_the_run_has_what_ended_in_it() throws Exception {
        GcLog part = log("jdk17-serial").between(1, 2.7);
        assertThat(part.pauses()).extracting(GcLog.Event::end).containsExactly(1.593, 2.614);
        assertThat(part.longestStopSeconds()).isCloseTo(0.05928455, within(1e-9));
        assertThat(log("jdk17-serial").between(100, 200)).isEqualTo(new GcLog(List.of(), List.of(), List.of()));
        assertThat(log("jdk17-serial").between(100, 200).longestStopSeconds()).isZero();
    }
}

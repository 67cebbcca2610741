package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.RepairSchedule;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepairFieldTest {
    private static final String SWITCHED_ON = "-Dcassandra.autorepair.enable=true";

    private static ParsedSpec parse(String repair) {
        return ClusterSpecs.parse(ClusterSpecsTest.RIDES + "\nrepair: " + repair + "\n");
    }

    @Test
    void a_schedule_is_read_and_written_back() {
        ParsedSpec parsed = parse("{every: 7d, intensity: 0.5}");
        assertThat(parsed.problems()).isEmpty();
        var spec = ((ParsedSpec.Valid) parsed).spec();
        assertThat(spec.repair()).isEqualTo(new RepairSchedule(7 * 24 * 60, 0.5));
        assertThat(SpecText.write(spec)).contains("every: 7d");
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(SpecText.write(spec))).spec())
                .isEqualTo(spec);
    }

    @Test
    void without_a_schedule_repairs_run_only_on_request() {
        ParsedSpec parsed = ClusterSpecs.parse(ClusterSpecsTest.RIDES);
        assertThat(((ParsedSpec.Valid) parsed).spec().repair()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{every: 10m} | repair.every",
                "{every: 500d} | repair.every",
                "{every: weekly} | repair.every",
                "{intensity: 0.5} | repair.every",
                "{every: 7d, intensity: 0.01} | repair.intensity",
                "{every: 7d, intensity: 2} | repair.intensity",
                "{every: 7d, tables: all} | repair.tables"
            })
    void problems_are_reported_by_field(String repair, String field) {
        assertThat(parse(repair).problems()).singleElement().satisfies(p -> assertThat(p.field())
                .isEqualTo(field));
    }

    @Test
    void two_schedulers_are_refused() {
        ParsedSpec parsed = ClusterSpecs.parse(handedOver(SWITCHED_ON) + "\nrepair: {every: 7d}\n");
        assertThat(parsed.problems())
                .singleElement()
                .extracting(Problem::message)
                .asString()
                .contains("auto_repair", "makes Cassandra schedule repairs itself");
    }

    @Test
    void cassandras_own_scheduler_must_be_switched_on_in_the_virtual_machine_too() {
        assertThat(ClusterSpecs.parse(handedOver(SWITCHED_ON)).problems()).isEmpty();
        assertThat(ClusterSpecs.parse(handedOver("")).problems())
                .singleElement()
                .extracting(Problem::line)
                .asString()
                .contains("cassandra_yaml.auto_repair: ")
                .contains("repairs nothing unless jvm.options has -Dcassandra.autorepair.enable=true");
    }

    private static String handedOver(String options) {
        return ClusterSpecsTest.RIDES
                .replace("cassandra_yaml: {}", "cassandra_yaml: {auto_repair: {enabled: true}}")
                .replace("options: []", "options: [" + options + "]");
    }

    @ParameterizedTest
    @CsvSource({"90m,90m", "120m,2h", "48h,2d", "7d,7d"})
    void a_duration_is_written_in_its_largest_unit(String text, String written) {
        Duration age = Age.parse(text).orElseThrow();
        assertThat(Age.write(age)).isEqualTo(written);
        assertThat(Age.parse(written)).contains(age);
    }
}

package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.spec.AutomaticReplacement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplaceFieldTest {
    private static ParsedSpec parse(String replace) {
        return ClusterSpecs.parse(ClusterSpecsTest.RIDES + "\nreplace: " + replace + "\n");
    }

    @Test
    void it_is_read_and_written_back() {
        ParsedSpec parsed = parse("{after: 30m}");
        assertThat(parsed.problems()).isEmpty();
        var spec = ((ParsedSpec.Valid) parsed).spec();
        assertThat(spec.replace()).isEqualTo(new AutomaticReplacement(30));
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(SpecText.write(spec))).spec())
                .isEqualTo(spec);
    }

    @Test
    void without_it_nodes_are_replaced_only_on_request() {
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(ClusterSpecsTest.RIDES))
                        .spec()
                        .replace())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{after: 10s} | replace.after",
                "{after: 31d} | replace.after",
                "{after: soon} | replace.after",
                "{} | replace.after",
                "{after: 30m, at_once: 3} | replace.at_once"
            })
    void problems_are_reported_by_field(String replace, String field) {
        assertThat(parse(replace).problems()).singleElement().satisfies(p -> assertThat(p.field())
                .isEqualTo(field));
    }
}

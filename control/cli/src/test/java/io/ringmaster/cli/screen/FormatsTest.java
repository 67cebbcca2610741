package io.ringmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Inputs and outputs that the page has too: its tests read the same file. */
class FormatsTest {
    private static final Path SAMPLES = Path.of("../../api/samples/formats.json");
    private static final Map<String, Function<JsonNode, String>> FORMATS = Map.of(
            "bytes", row -> Formats.bytes(row.get(0).asLong()),
            "elapsed", row -> Formats.elapsed(Duration.ofMillis(row.get(0).asLong())),
            "seconds", row -> Formats.seconds(Duration.ofMillis(row.get(0).asLong())),
            "clock", row -> Formats.clock(Duration.ofMillis(row.get(0).asLong())),
            "cores", row -> Formats.cores(row.get(0).asLong()),
            "percent", row -> Formats.percent(row.get(0).asDouble()),
            "count", row -> Formats.count(row.get(0).asLong(), row.get(1).asText()));

    static List<Arguments> samples() throws IOException {
        JsonNode all = Json.parse(Files.readString(SAMPLES), JsonNode.class);
        assertThat(all.size()).isEqualTo(FORMATS.size());
        List<Arguments> samples = new ArrayList<>();
        all.properties().forEach(format -> format.getValue()
                .forEach(row -> samples.add(Arguments.of(
                        format.getKey(), row, row.get(row.size() - 1).asText()))));
        return samples;
    }

    @ParameterizedTest
    @MethodSource("samples")
    void words_a_figure(String format, JsonNode row, String expected) {
        assertThat(FORMATS.getOrDefault(format, r -> "no such format").apply(row))
                .isEqualTo(expected);
    }
}

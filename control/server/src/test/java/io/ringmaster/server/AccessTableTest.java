package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.server.OpenApiFile.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of {@code docs/api.md} is that of {@code x-ringmaster-access}; {@code -Daccept=true} writes it. */
class AccessTableTest {
    private static final Path GUIDE = Path.of("../../docs/api.md");
    private static final String START = "<!-- access, from x-ringmaster-access of api/openapi.yaml -->\n";
    private static final String END = "<!-- end of access -->";
    private static final List<String> ORDER = List.of("anyone", "viewer", "operator", "admin", "peer");

    @Test
    void the_guide_has_the_access_of_every_operation() throws IOException {
        String guide = Files.readString(GUIDE);
        int from = guide.indexOf(START) + START.length();
        int to = guide.indexOf(END);
        assertThat(from).isPositive();
        assertThat(to).isGreaterThan(from - 1);
        if (Boolean.getBoolean("accept")) {
            Files.writeString(GUIDE, guide.substring(0, from) + table() + guide.substring(to));
        } else {
            assertThat(guide.substring(from, to)).isEqualTo(table());
        }
    }

    private static String table() {
        Comparator<String> order = Comparator.<String>comparingInt(
                        a -> ORDER.indexOf(a.substring(0, (a + " ").indexOf(' '))))
                .thenComparing(a -> a);
        var byAccess = OpenApiFile.read().operations().stream()
                .collect(Collectors.groupingBy(Operation::access, () -> new TreeMap<>(order), Collectors.toList()));
        String rows = byAccess.entrySet().stream()
                .map(e -> "| " + e.getKey() + " | "
                        + e.getValue().stream()
                                .map(o -> "`" + o.method() + " " + o.path().substring(1) + "`")
                                .collect(Collectors.joining(", "))
                        + " |\n")
                .collect(Collectors.joining());
        return "\n| who | routes |\n|---|---|\n" + rows + "\n";
    }
}

package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/spec.md holds what the code says; {@code -Daccept=true} rewrites its tables. */
class SpecDocTest {
    private static final Path PAGE = Path.of("../../docs/spec.md");

    private static String tables(String page) {
        String fields = section(page, "fields", SpecField.table());
        String owned = Refusals.PARAMETERS.entrySet().stream()
                .map(e -> "| `" + e.getKey() + "` | " + e.getValue() + " |\n")
                .collect(Collectors.joining("", "| parameter | why it cannot be set |\n|---|---|\n", ""));
        String live = LiveParameters.names().stream()
                .map(n -> "`" + n + "`" + (LiveParameters.hasKnownDefault(n) ? "" : " *"))
                .collect(Collectors.joining(",\n", "", "\n"));
        return section(section(fields, "owned", owned), "live", live);
    }

    private static String section(String page, String name, String table) {
        Pattern section = Pattern.compile("(<!-- " + name + " -->\n).*?(<!-- end -->)", Pattern.DOTALL);
        Matcher m = section.matcher(page);
        assertThat(m.find()).as("docs/spec.md has a section " + name).isTrue();
        return m.replaceFirst(r -> Matcher.quoteReplacement(r.group(1) + table + r.group(2)));
    }

    @Test
    void the_page_shows_the_table_of_fields_that_the_parser_follows() throws IOException {
        String page = Files.readString(PAGE);
        if (Boolean.getBoolean("accept")) {
            Files.writeString(PAGE, tables(page));
        }
        assertThat(Files.readString(PAGE)).isEqualTo(tables(page));
    }

    @Test
    void the_example_on_the_page_is_the_example_in_the_tree() throws IOException {
        String example = Files.readString(Path.of("../../examples/rides.yaml"));
        assertThat(Files.readString(PAGE)).contains(example.substring(example.indexOf("cluster:")));
    }
}

package io.ringmaster.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.ringmaster.integration.RealNodes;
import io.ringmaster.model.spec.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.jupiter.api.Test;

/** The tests on real Cassandra: each says what it runs, and docs/contributing.md lists them. */
class RealNodesTest {
    private static final String TAG = "cassandra";
    private static final String START = "<!-- real tests -->\n";
    private static final String END = "<!-- end of real tests -->";
    private static final Path PAGE = LanguageTest.ROOT.resolve("docs/contributing.md");
    private static final List<JavaClass> TESTS = new ClassFileImporter()
            .importPackages("io.ringmaster.integration").stream()
                    .filter(c -> tags(c).contains(TAG))
                    .sorted(Comparator.comparing(JavaClass::getSimpleName))
                    .toList();

    private static List<String> tags(JavaClass type) {
        if (type.isAnnotatedWith(Tags.class)) {
            return List.of(type.getAnnotationOfType(Tags.class).value()).stream()
                    .map(Tag::value)
                    .toList();
        }
        return type.isAnnotatedWith(Tag.class)
                ? List.of(type.getAnnotationOfType(Tag.class).value())
                : List.of();
    }

    @Test
    void each_says_what_it_runs_and_why_where_that_is_not_the_default() {
        assertThat(TESTS).hasSizeGreaterThan(40);
        assertThat(TESTS).allSatisfy(type -> {
            assertThat(type.isAnnotatedWith(RealNodes.class))
                    .as("%s has @RealNodes", type.getSimpleName())
                    .isTrue();
            RealNodes nodes = type.getAnnotationOfType(RealNodes.class);
            boolean isDefault = nodes.preset() == Preset.PRODUCTION && nodes.tls() && nodes.roles();
            assertThat(nodes.why().isEmpty())
                    .as("%s has the defaults, or a reason", type.getSimpleName())
                    .isEqualTo(isDefault);
        });
    }

    /** {@code ./dev unit integration -Dtest=RealNodesTest -Daccept=true} writes the table. */
    @Test
    void the_table_in_the_docs_is_that_of_the_classes() throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END);
        assertThat(page).contains(START, END);
        if (Boolean.getBoolean("accept")) {
            Files.writeString(PAGE, page.substring(0, start) + table() + page.substring(end));
            return;
        }
        assertThat(page.substring(start, end)).isEqualTo(table());
    }

    /** Whether {@code ./dev test} runs the class. */
    private static String inShort(JavaClass type) {
        if (tags(type).contains("long")) {
            return "";
        }
        boolean all = type.getMethods().stream()
                .noneMatch(m -> m.isAnnotatedWith(Tag.class)
                        && m.getAnnotationOfType(Tag.class).value().equals("long"));
        return all ? "yes" : "in part";
    }

    private static String table() {
        return TESTS.stream()
                .map(RealNodesTest::row)
                .collect(Collectors.joining(
                        "\n",
                        "| test | `./dev test` | preset | TLS | roles | why |\n|---|---|---|---|---|---|\n",
                        "\n"));
    }

    private static String row(JavaClass type) {
        RealNodes nodes = type.getAnnotationOfType(RealNodes.class);
        return "| `%s` | %s | %s | %s | %s | %s |"
                .formatted(
                        type.getSimpleName(),
                        inShort(type),
                        nodes.preset().name().toLowerCase(Locale.ROOT),
                        nodes.tls() ? "yes" : "",
                        nodes.roles() ? "yes" : "",
                        nodes.why());
    }
}

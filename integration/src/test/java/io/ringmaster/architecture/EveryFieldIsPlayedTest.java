package io.ringmaster.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every field of a spec, and each value of those that have a few, is in a spec of a test on real nodes. */
class EveryFieldIsPlayedTest {
    private static final String RESTORE = "restore start writes it, and BackupTest plays that command";

    /** Each with the reason why no test on real nodes declares it. A new one gets a test, or a line here. */
    private static final Map<String, String> NEVER = Map.of(
            "restore", RESTORE,
            "restore.from", RESTORE,
            "restore.cluster", RESTORE,
            "restore.incarnation", RESTORE,
            "restore.backup", RESTORE);

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.<>]+)` \\| ([^|]+) \\| ([^|]+) \\|");
    private static final Pattern WORDS = Pattern.compile("\\w+(, \\w+)* or \\w+");
    /** The default that no other test has, because it would take half of a small computer. */
    private static final String COLLECTOR = "jvm.collector";

    @Test
    void every_field_and_value_is_declared_by_a_test_on_real_nodes() throws IOException {
        List<String> specs = new ArrayList<>();
        specs.add(Files.readString(LanguageTest.ROOT.resolve("examples/rides.yaml"))); // what a playground declares
        RealTestSources.statements().stream()
                .map(RealTestSources.Statement::text)
                .filter(text -> text.contains(":"))
                .forEach(specs::add);
        Set<String> missing = new TreeSet<>();
        for (String field : fields()) {
            Pattern declaring = declaring(field);
            String key = key(field) + ":";
            if (specs.stream()
                    .noneMatch(spec ->
                            spec.contains(key) && declaring.matcher(spec).find())) {
                missing.add(field);
            }
        }
        assertThat(missing).isEqualTo(NEVER.keySet());
    }

    /**
     * The paths of docs/spec.md, which follows the parser, and {@code path: value} for each value of a few. A default
     * is not declared.
     */
    private static List<String> fields() throws IOException {
        List<String> fields = new ArrayList<>();
        String page = Files.readString(LanguageTest.ROOT.resolve("docs/spec.md"));
        Matcher row = ROW.matcher(page.substring(page.indexOf("<!-- fields -->"), page.indexOf("<!-- end -->")));
        while (row.find()) {
            String field = row.group(1);
            String standard = row.group(3);
            fields.add(field);
            if (WORDS.matcher(row.group(2)).matches()) {
                Stream.of(row.group(2).split(", | or ", -1))
                        .filter(value -> !value.equals(standard) || field.equals(COLLECTOR))
                        .forEach(value -> fields.add(field + ": " + value));
            }
        }
        assertThat(fields).hasSizeGreaterThan(60).contains("jvm.collector: zgc", "roles.<role>.grants");
        return fields;
    }

    private static String key(String field) {
        String path = field.replaceAll(":.*", "");
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** A text with the field inside its parents, in braces on one line or indented below them. */
    private static Pattern declaring(String field) {
        String[] path = field.replaceAll(":.*", "").split("\\.", -1);
        String inside = "(?:[^\\n{}]*|\\s*\\{[^{}]*(?:\\{[^{}]*\\}[^{}]*)*|[^\\n]*\\n(?: +[^\\n]*\\n)*? +[^\\n]*?)";
        StringBuilder text = new StringBuilder("(?m)(?:^|[{, ])");
        for (int i = 0; i < path.length - 1; i++) {
            text.append(path[i].startsWith("<") ? "[\\w-]+" : path[i])
                    .append(":")
                    .append(inside)
                    .append("\\b");
        }
        text.append(path[path.length - 1]).append(":");
        return Pattern.compile(text + (field.contains(": ") ? " *\"?" + field.replaceAll(".*: ", "") + "\\b" : ""));
    }
}

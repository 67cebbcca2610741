package io.ringmaster.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Java statements of the tests that run on real nodes, and of what these tests use. A command line of a test is one
 * statement, and so is a spec.
 */
final class RealTestSources {
    private static final Path FOLDER = LanguageTest.ROOT.resolve("integration/src/test/java/io/ringmaster/integration");
    private static final Pattern ON_REAL_NODES = Pattern.compile("@Tag\\(\"(cassandra|kubernetes|mesos)\"\\)");

    /** Comments, text blocks, literals, and what is between them. Possessive, or a long one overflows. */
    private static final Pattern PART = Pattern.compile(
            "(?<comment>/\\*(?:[^*]|\\*(?!/))*+\\*/|//[^\\n]*+)"
                    + "|\"\"\"(?<block>(?:[^\"\\\\]|\\\\.|\"(?!\"\"))*+)\"\"\""
                    + "|\"(?<text>(?:[^\"\\\\\\n]|\\\\.)*+)\""
                    + "|(?<character>'(?:[^'\\\\]|\\\\.)++')|(?<end>;)|(?<code>[^\"'/;]++|/)",
            Pattern.DOTALL);

    /** How tests start a playground: its options are those of a method, of a list, or of the command itself. */
    private static final Pattern PLAYGROUND = Pattern.compile(
            "\\b(up|starting|byDefault|options|options\\.add)\\(|\\bOPTIONS\\b|\\(\\s*\"playground\"\\s*,\\s*\"--");

    /**
     * @param code without comments, each literal as it stands in the source
     * @param literals the values of its literals, in order
     */
    record Statement(String code, List<String> literals) {
        /** Its literals in one text, because a spec is often put together from several. */
        String text() {
            return String.join(" ", literals);
        }

        /** Whether it runs a command: its words are literals, and the first arguments of a call. */
        boolean runs(List<String> words) {
            if (!words.equals(List.of("playground")) && !literals.containsAll(words)) {
                return false; // for speed
            }
            Pattern call = words.equals(List.of("playground"))
                    ? PLAYGROUND
                    : Pattern.compile("\\(\\s*\"" + String.join("\"\\s*,\\s*\"", words) + "\"");
            return call.matcher(code).find();
        }

        /** Whether one of its literals is the option, alone or with its value. */
        boolean has(Set<String> names) {
            return literals.stream().anyMatch(l -> names.stream().anyMatch(n -> l.equals(n) || l.startsWith(n + "=")));
        }
    }

    private RealTestSources() {}

    static List<Statement> statements() {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(f -> f.toString().endsWith(".java"))
                    .map(RealTestSources::read)
                    .filter(source -> !source.contains("\n    @Test\n")
                            || ON_REAL_NODES.matcher(source).find())
                    .flatMap(source -> statements(source).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Statement> statements(String source) {
        List<Statement> statements = new ArrayList<>();
        StringBuilder code = new StringBuilder();
        List<String> literals = new ArrayList<>();
        Matcher part = PART.matcher(source);
        while (part.find()) {
            String literal = part.group("block") != null ? part.group("block").stripIndent() : part.group("text");
            if (literal != null) {
                literals.add(literal.translateEscapes());
            }
            if (part.group("end") != null) {
                statements.add(new Statement(code.toString(), List.copyOf(literals)));
                code.setLength(0);
                literals.clear();
            } else if (part.group("comment") == null) {
                code.append(part.group());
            }
        }
        return statements;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}

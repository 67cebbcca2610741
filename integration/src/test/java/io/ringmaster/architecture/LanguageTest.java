package io.ringmaster.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the project writes: plain words, lines that fit a screen, one meaning for one name. */
class LanguageTest {
    /** Each with what to write instead. */
    private static final Map<String, String> BANNED = Map.of(
            "anew", "again",
            "whom", "name the subject",
            "so many", "a number",
            "by itself", "automatically",
            "of which", "a sentence of its own",
            "told|tells", "reported, reports, says",
            "ever so", "a number",
            "whoever", "name the subject",
            "begins", "starts");

    private static final int COLUMNS = 120;

    /** The wire form of a type may have the name of the type. */
    private static final Set<String> WIRE_TWINS = Set.of("Event", "SeedAnswer");

    private static final Set<String> SKIPPED = Set.of(".git", ".build", "target", "node_modules", ".jqwik-database");

    private static final Pattern WORDS = Pattern.compile(
            "\\b(" + String.join("|", new TreeSet<>(BANNED.keySet())) + ")\\b", Pattern.CASE_INSENSITIVE);

    /**
     * Comments and literals of Java, Rust and TypeScript: the parts that people read as prose. Possessive, or a long
     * one overflows.
     */
    private static final Pattern PROSE_IN_CODE = Pattern.compile(
            "/\\*(?:[^*]|\\*(?!/))*+\\*/|//[^\\n]*+|\"\"\"(?:[^\"\\\\]|\\\\.|\"(?!\"\"))*+\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*+\"",
            Pattern.DOTALL);

    static final Path ROOT = root();

    private static final List<Path> FILES = files();

    @Test
    void comments_messages_and_docs_use_plain_words() {
        List<String> found = new ArrayList<>();
        for (Path file : FILES) {
            String text = read(file);
            if (file.endsWith("LanguageTest.java")) {
                continue; // it names the words
            }
            if (isCode(file)) {
                // the former names of stored fields stay as they were
                text = text.replaceAll("@JsonAlias\\(\"\\w+\"\\)", "");
                Matcher prose = PROSE_IN_CODE.matcher(text);
                while (prose.find()) {
                    words(file, line(text, prose.start()), prose.group(), found);
                }
            } else if (file.toString().endsWith(".svelte")) {
                words(file, 1, text, found); // most of it is what people read on the page
            } else if (file.toString().endsWith(".md")) {
                proseLines(text).forEach((number, line) -> words(file, number, line.replaceAll("`[^`]*`", ""), found));
            }
        }
        assertThat(found).as("words that WRITING replaces: %s", BANNED).isEmpty();
    }

    @Test
    void comments_and_prose_have_at_most_120_columns() {
        List<String> wide = new ArrayList<>();
        for (Path file : FILES) {
            prose(file).forEach((number, line) -> {
                if (line.codePointCount(0, line.length()) > COLUMNS && !isUnbreakable(line)) {
                    wide.add(place(file, number) + " has " + line.length() + " columns");
                }
            });
        }
        assertThat(wide).isEmpty();
    }

    @Test
    void no_two_types_of_main_code_have_one_name() {
        Map<String, Set<String>> places = new TreeMap<>();
        FILES.stream()
                .filter(f -> f.toString().contains("/src/main/java/"))
                .filter(f -> !f.endsWith("package-info.java"))
                .forEach(f -> places.computeIfAbsent(
                                f.getFileName().toString().replace(".java", ""), n -> new TreeSet<>())
                        .add(ROOT.relativize(f).toString()));
        places.keySet().removeAll(WIRE_TWINS);
        places.values().removeIf(where -> where.size() == 1);
        assertThat(places).isEmpty();
    }

    private static void words(Path file, int line, String prose, List<String> found) {
        Matcher banned = WORDS.matcher(prose);
        while (banned.find()) {
            found.add(place(file, line + line(prose, banned.start()) - 1) + " says '" + banned.group() + "'");
        }
    }

    /** The lines that hold comments or prose; a formatter or a compiler sees to the others. */
    private static Map<Integer, String> prose(Path file) {
        String text = read(file);
        Map<Integer, String> lines = numbered(text);
        if (file.toString().endsWith(".md")) {
            return proseLines(text);
        }
        if (!isCode(file)) {
            lines.values().removeIf(line -> !line.stripLeading().startsWith("#"));
            return lines;
        }
        Set<Integer> comments = new TreeSet<>();
        Matcher prose = PROSE_IN_CODE.matcher(text);
        while (prose.find()) {
            if (prose.group().startsWith("/")) {
                int first = line(text, prose.start());
                for (int number = first;
                        number < first + line(prose.group(), prose.group().length());
                        number++) {
                    comments.add(number);
                }
            }
        }
        lines.keySet().retainAll(comments);
        return lines;
    }

    /** The lines of a page outside code blocks and tables, which hold real output and cannot be wrapped. */
    private static Map<Integer, String> proseLines(String page) {
        Map<Integer, String> prose = new TreeMap<>();
        boolean inCode = false;
        for (Map.Entry<Integer, String> entry : numbered(page).entrySet()) {
            String line = entry.getValue();
            if (line.stripLeading().startsWith("```")) {
                inCode = !inCode;
            } else if (!inCode && !line.startsWith("    ") && !line.startsWith("|")) {
                prose.put(entry.getKey(), line);
            }
        }
        return prose;
    }

    private static Map<Integer, String> numbered(String text) {
        Map<Integer, String> lines = new TreeMap<>();
        text.lines().forEach(line -> lines.put(lines.size() + 1, line));
        return lines;
    }

    /** A URL, a path or a link cannot be wrapped. */
    private static boolean isUnbreakable(String line) {
        return Stream.of(line.strip().split("\\s+")).anyMatch(word -> word.length() > 80);
    }

    private static int line(String text, int at) {
        return (int) text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    }

    private static String place(Path file, int line) {
        return ROOT.relativize(file) + ":" + line;
    }

    private static boolean isCode(Path file) {
        return Stream.of(".java", ".rs", ".ts").anyMatch(file.toString()::endsWith);
    }

    private static boolean isRead(Path file) {
        String name = file.getFileName().toString();
        return (Stream.of(".java", ".rs", ".ts", ".svelte", ".md", ".sh").anyMatch(name::endsWith)
                        && !name.endsWith(".d.ts")) // generated
                || (Set.of("dev", "ringmaster", "run").contains(name) && Files.isRegularFile(file));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static List<Path> files() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return SKIPPED.contains(String.valueOf(folder.getFileName()))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (isRead(file)) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }
}

package io.ringmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Compares with a file that a person has looked at. {@code -Dgolden.write=true} writes the files anew, to be looked at again. */
public final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    private Golden() {}

    public static void assertSame(String name, List<Line> lines) {
        String now = lines.stream().map(Line::plain).collect(Collectors.joining("\n", "", "\n"));
        Path file = FOLDER.resolve(name + ".txt");
        try {
            if (Boolean.getBoolean("golden.write")) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, now);
            }
            assertThat(now).isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

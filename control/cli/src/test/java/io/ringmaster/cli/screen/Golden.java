package io.ringmaster.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Compares with a reviewed file. {@code -Dgolden.write=true} writes the files again, for another review. */
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

package io.ringmaster.lab.bench;

import io.ringmaster.host.FileTree;
import io.ringmaster.json.Json;
import io.ringmaster.lab.figure.Measured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of results: {@code NAME.json}, {@code NAME.md}, and plots and logs in the folder {@code NAME}.
 *
 * @param folder {@code docs/lab}, or what {@code --out} names
 */
public record ResultFiles(Path folder) {
    /** Folder of an experiment's plots and logs. */
    public Path beside(String experiment) {
        return folder.resolve(experiment);
    }

    public Path page(String experiment) {
        return folder.resolve(experiment + ".md");
    }

    public Path json(String experiment) {
        return folder.resolve(experiment + ".json");
    }

    /**
     * @return the last result, or empty where there is none
     * @throws IOException the file is not a result; the message names it
     */
    public Optional<Measured> read(String experiment) throws IOException {
        Path file = json(experiment);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.parse(Files.readString(file), Measured.class));
        } catch (UncheckedIOException e) {
            throw new IOException(file + " is not a result of the lab: " + Objects.toString(e.getCause()), e);
        }
    }

    /**
     * Replaces the last result, and its logs and plots with them.
     *
     * @param logs folder of the logs of the new one
     */
    public void write(Measured measured, Path logs) throws IOException {
        Path beside = beside(measured.about().experiment());
        FileTree.delete(beside);
        Files.createDirectories(beside);
        try (Stream<Path> found = Files.list(logs)) {
            for (Path log : found.toList()) {
                Files.copy(log, beside.resolve(log.getFileName()));
            }
        }
        byte[] json = Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(measured);
        replace(json(measured.about().experiment()), json);
    }

    public void writePage(String experiment, String markdown) throws IOException {
        replace(page(experiment), markdown.getBytes(StandardCharsets.UTF_8));
    }

    /** A reader sees the former file or the new one, never a part. */
    private static void replace(Path file, byte[] content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.write(part, content);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of its own, with little room left, in the place of a folder. */
final class SmallDisk implements AutoCloseable {
    private static final int ROOM_MIB = 512;

    private final Path folder;
    private final Path place;
    private final SmallMount mount;

    private SmallDisk(Path folder, Path place, SmallMount mount) {
        this.folder = folder;
        this.place = place;
        this.mount = mount;
    }

    /** Moves the folder there; a link leads to it. Nothing may have a file of it open. */
    static SmallDisk under(Path folder) {
        Path place = Playground.HOME.resolve("small-disk");
        try {
            SmallMount mount = SmallMount.at(place, ((sizeOf(folder) >> 20) + ROOM_MIB) << 10);
            SmallMount.run("mv", folder.toString(), place.resolve("data").toString());
            Files.createSymbolicLink(folder, place.resolve("data"));
            return new SmallDisk(folder, place, mount);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves no room at all. */
    void fill() {
        SmallMount.attempt("dd", "if=/dev/zero", "of=" + place.resolve("fill"), "bs=64k");
    }

    void empty() {
        SmallMount.run("rm", place.resolve("fill").toString());
    }

    /** Puts the folder back where it was; nothing may have a file of it open. */
    @Override
    public void close() {
        try (mount) {
            if (Files.isSymbolicLink(folder)) {
                Files.delete(folder);
                SmallMount.run("mv", place.resolve("data").toString(), folder.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long sizeOf(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(f -> f.toFile().length())
                    .sum();
        }
    }
}

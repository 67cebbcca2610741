package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system of its own, with little room left, in the place of a folder. */
final class SmallDisk implements AutoCloseable {
    private static final int ROOM_MIB = 512;

    private final Path folder;
    private final Path mount;

    private SmallDisk(Path folder, Path mount) {
        this.folder = folder;
        this.mount = mount;
    }

    /** Whether this user may mount one. */
    static boolean isPermitted() {
        Path mount = Playground.HOME.resolve("small-disk");
        try {
            Files.createDirectories(mount);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return attempt("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mount.toString()) == 0
                && attempt("umount", mount.toString()) == 0;
    }

    /** Moves the folder there; a link leads to it. Nothing may have a file of it open. */
    static SmallDisk under(Path folder) {
        Path mount = Playground.HOME.resolve("small-disk");
        try {
            long bytes = sizeOf(folder);
            Files.createDirectories(mount);
            run("mount", "-t", "tmpfs", "-o", "size=" + ((bytes >> 20) + ROOM_MIB) + "m", "tmpfs", mount.toString());
            run("mv", folder.toString(), mount.resolve("data").toString());
            Files.createSymbolicLink(folder, mount.resolve("data"));
            return new SmallDisk(folder, mount);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves no room at all. */
    void fill() {
        attempt("dd", "if=/dev/zero", "of=" + mount.resolve("fill"), "bs=64k");
    }

    void empty() {
        run("rm", mount.resolve("fill").toString());
    }

    /** Puts the folder back where it was; nothing may have a file of it open. */
    @Override
    public void close() {
        try {
            if (Files.isSymbolicLink(folder)) {
                Files.delete(folder);
                run("mv", mount.resolve("data").toString(), folder.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            attempt("umount", "-l", mount.toString());
        }
    }

    private static long sizeOf(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(f -> f.toFile().length())
                    .sum();
        }
    }

    private static void run(String... command) {
        int exit = attempt(command);
        if (exit != 0) {
            throw new AssertionError(List.of(command) + " ended with " + exit);
        }
    }

    private static int attempt(String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}

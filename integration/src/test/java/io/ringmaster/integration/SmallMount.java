package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A small file system of its own at a folder; what the folder had is hidden meanwhile. */
final class SmallMount implements AutoCloseable {
    private final Path folder;

    private SmallMount(Path folder) {
        this.folder = folder;
    }

    /** Whether this user may mount one. */
    static boolean isPermitted() {
        Path folder = Playground.HOME.resolve("small-disk");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return attempt(mount(folder, 1024)) == 0 && attempt("umount", folder.toString()) == 0;
    }

    /** Makes the folder if it is missing. */
    static SmallMount at(Path folder, long kib) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(mount(folder, kib));
        return new SmallMount(folder);
    }

    private static String[] mount(Path folder, long kib) {
        return new String[] {"mount", "-t", "tmpfs", "-o", "size=" + kib + "k", "tmpfs", folder.toString()};
    }

    @Override
    public void close() {
        attempt("umount", "-l", folder.toString());
    }

    static void run(String... command) {
        int exit = attempt(command);
        if (exit != 0) {
            throw new AssertionError(List.of(command) + " ended with " + exit);
        }
    }

    static int attempt(String... command) {
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

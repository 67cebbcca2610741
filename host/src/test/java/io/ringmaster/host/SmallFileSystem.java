package io.ringmaster.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A file system in memory, which a test can fill or make read-only. */
public final class SmallFileSystem implements AutoCloseable {
    private final Path folder;

    private SmallFileSystem(Path folder) {
        this.folder = folder;
    }

    /** Mounts it at an existing folder; the test is skipped if this user may not. */
    public static SmallFileSystem at(Path folder, int mebibytes) throws IOException {
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString()),
                "skipped: this user may not mount a small file system");
        return new SmallFileSystem(folder);
    }

    public Path folder() {
        return folder;
    }

    /** Writes a file in it until nothing more fits. */
    public void fill(String name) {
        try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            // full
        }
    }

    public void makeReadOnly() throws IOException {
        if (!run("mount", "-o", "remount,ro", folder.toString())) {
            throw new IOException("cannot make " + folder + " read-only");
        }
    }

    public void makeWritable() throws IOException {
        if (!run("mount", "-o", "remount,rw", folder.toString())) {
            throw new IOException("cannot make " + folder + " writable");
        }
    }

    /** As {@link #close}, but it fails while something holds a file open there. */
    public void unmount() throws IOException {
        if (!run("umount", folder.toString())) {
            throw new IOException("cannot unmount " + folder + ": something is in use there");
        }
    }

    @Override
    public void close() throws IOException {
        if (!run("umount", "-l", folder.toString())) {
            throw new IOException("cannot unmount " + folder);
        }
    }

    private static boolean run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}

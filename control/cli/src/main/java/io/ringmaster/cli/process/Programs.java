package io.ringmaster.cli.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How Ringmaster's other programs are started from the built distribution. */
public final class Programs {
    /** A server waits most of its life; these keep it below 150 MB resident. Errors of the JVM are told, a class archive that does not fit is not. */
    private static final List<String> SMALL = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xms16m",
            "-Xmx128m",
            "-Xss512k",
            "-Xlog:disable",
            "-Xlog:all=error:stderr");

    private final Path dist;
    private final Path archives;
    private final Path java;

    /** Those of the launcher's build, because it is not told of a newer one; in a program started without it, those below {@code root}. */
    public Programs(Path root) {
        this.dist = Path.of(System.getProperty(
                "ringmaster.dist", root.resolve(".build/dist").toString()));
        this.archives = Path.of(System.getProperty("ringmaster.archives", "no-archives"));
        this.java = Path.of(System.getProperty("java.home"), "bin", "java");
    }

    public Path dist() {
        return dist;
    }

    /** @param mainClass of the server's distribution */
    public ProcessBuilder server(String mainClass, String... arguments) {
        return program("server", List.of(), mainClass, arguments);
    }

    /**
     * A program of the command line's distribution.
     *
     * @param flags of the JVM, beside the common ones
     */
    public ProcessBuilder cli(List<String> flags, String mainClass, String... arguments) {
        return program("cli", flags, mainClass, arguments);
    }

    private ProcessBuilder program(String part, List<String> flags, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(SMALL);
        command.addAll(flags);
        Path archive = archives.resolve(part + ".jsa");
        if (Files.exists(archive)) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        command.addAll(List.of("-cp", dist.resolve(part) + "/*", mainClass));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        // glibc gives each thread an arena of its own otherwise, which never shrinks.
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        return builder;
    }
}

package io.ringmaster.cli.process;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of Ringmaster's other programs, from the built distribution. */
public final class Programs {
    /**
     * Flags of small JVMs. A server is idle most of the time; these keep it below 150 MB resident. Errors of the JVM
     * are printed, the warning about a class data archive that does not fit is not.
     */
    public static final List<String> JVM_OPTIONS = List.of(
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

    /**
     * Uses the build of the launcher script, so that a newer build does not change a running command; without the
     * script, the build below {@code root}.
     */
    public Programs(Path root) {
        this.dist = Path.of(System.getProperty(
                "ringmaster.dist", root.resolve(".build/dist").toString()));
        this.archives = Path.of(System.getProperty("ringmaster.archives", "no-archives"));
        this.java = Path.of(System.getProperty("java.home"), "bin", "java");
    }

    public Path dist() {
        return dist;
    }

    /** @param mainClass main class of the server's distribution */
    public ProcessBuilder server(String mainClass, String... arguments) {
        return program("server", List.of(), List.of(), mainClass, arguments);
    }

    /**
     * A server with one more jar, that of a class of this program, which holds a pool of its own. The jar comes last,
     * because a class data archive fits every class path that starts with the one it was made from.
     */
    public ProcessBuilder server(Path config, Class<?> pool) {
        return program(
                "server",
                List.of(),
                List.of(jarOf(pool)),
                "io.ringmaster.server.ServerMain",
                "--config",
                config.toString());
    }

    private static Path jarOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the jar of " + type + " has no path", e);
        }
    }

    /**
     * A program of the command line's distribution.
     *
     * @param flags JVM flags beside the common ones
     */
    public ProcessBuilder cli(List<String> flags, String mainClass, String... arguments) {
        return program("cli", flags, List.of(), mainClass, arguments);
    }

    private ProcessBuilder program(
            String part, List<String> flags, List<Path> moreJars, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(flags);
        Path archive = archives.resolve(part + ".jsa");
        if (Files.exists(archive)) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        StringBuilder classPath = new StringBuilder(dist.resolve(part) + "/*");
        moreJars.forEach(jar -> classPath.append(File.pathSeparatorChar).append(jar));
        command.addAll(List.of("-cp", classPath.toString(), mainClass));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        // Otherwise glibc gives each thread its own arena, which never shrinks.
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        return builder;
    }
}

package io.ringmaster.cli.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How Ringmaster's other programs are started from the built distribution. */
public final class Programs {
    private final Path dist;
    private final Path java;

    /** @param root the folder of {@code ./ringmaster} */
    public Programs(Path root) {
        this.dist = root.resolve(".build/dist");
        this.java = Path.of(System.getProperty("java.home"), "bin", "java");
    }

    public Path dist() {
        return dist;
    }

    /** @param mainClass of the server's distribution */
    public List<String> server(String mainClass, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                java.toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Xss512k",
                "-cp",
                dist.resolve("server") + "/*",
                mainClass));
        command.addAll(List.of(arguments));
        return command;
    }
}

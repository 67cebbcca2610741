package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The round trip between two network namespaces, as long as it takes to open a TCP connection. Needs root. */
public final class RoundTrip {
    private static final int TIMES = 9;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** bash reads the clock in microseconds and opens connections; nothing else is installed everywhere. */
    private static final String SCRIPT =
            """
            for i in $(seq "$1"); do
                before=$EPOCHREALTIME
                exec 3<>"/dev/tcp/$2/$3" || exit 1
                after=$EPOCHREALTIME
                exec 3>&-
                echo $((${after/./} - ${before/./}))
            done | sort -n | head -n 1
            """;

    private RoundTrip() {}

    /**
     * @param pid a process in the namespace to measure from
     * @return milliseconds, the shortest of some attempts
     */
    public static double ms(long pid, String host, int port, Path log) throws IOException, InterruptedException {
        var bash = new ProcessBuilder(
                "nsenter",
                "--target",
                String.valueOf(pid),
                "--net",
                "bash",
                "-c",
                SCRIPT,
                "bash",
                String.valueOf(TIMES),
                host,
                String.valueOf(port));
        String us = ProgramRun.run(bash, log, LIMIT).strip();
        if (us.isEmpty()) {
            throw new IOException("no connection to " + host + ":" + port + " from the namespace of process " + pid);
        }
        return Long.parseLong(us) / 1000.0;
    }
}

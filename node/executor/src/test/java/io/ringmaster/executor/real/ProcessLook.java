package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM of a test as Linux and the JDK's tools see it. */
record ProcessLook(long pid) {
    private static final Pattern THREAD = Pattern.compile("(?m)^\"([^\"]+)\"");

    /** The lines of /proc/locks that name this process, without their numbers, which change. */
    List<String> locks() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/locks"))) {
            return lines.filter(line -> List.of(line.split(" +", -1)).contains(Long.toString(pid)))
                    .map(line -> line.substring(line.indexOf(' ')))
                    .toList();
        }
    }

    void collectGarbage() throws IOException, InterruptedException {
        jcmd("GC.run");
    }

    /** How many of its threads have each name. */
    Map<String, Long> threads() throws IOException, InterruptedException {
        return THREAD.matcher(jcmd("Thread.print"))
                .results()
                .collect(Collectors.groupingBy(match -> match.group(1), Collectors.counting()));
    }

    int descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return (int) open.count();
        }
    }

    /** @return the soft limit of open files before */
    long limitDescriptors(long soft) throws IOException, InterruptedException {
        String limits = Files.readString(Path.of("/proc", Long.toString(pid), "limits"));
        String before = limits.lines()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.substring("Max open files".length()).strip().split(" +", -1)[0])
                .findFirst()
                .orElseThrow();
        run(List.of("prlimit", "--pid", Long.toString(pid), "--nofile=" + soft + ":"));
        return Long.parseLong(before);
    }

    private String jcmd(String command) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return run(List.of(jcmd, Long.toString(pid), command));
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}

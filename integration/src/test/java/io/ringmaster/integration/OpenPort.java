package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A TCP port at which a process listens, as ss(8) shows it.
 *
 * @param commandLine of the process
 */
record OpenPort(InetSocketAddress endpoint, String commandLine) {
    private static final Pattern LINE = Pattern.compile("(\\S+):(\\d+)\\s+\\S+:\\*\\s+.*pid=(\\d+)");

    /** Of all processes whose command line has these words. */
    static List<OpenPort> mentioning(String... words) {
        return all().stream()
                .filter(p -> List.of(words).stream().allMatch(p.commandLine::contains))
                .toList();
    }

    private static List<OpenPort> all() {
        try {
            Process ss =
                    new ProcessBuilder("ss", "-Hltnp").redirectErrorStream(true).start();
            String lines = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return LINE.matcher(lines)
                    .results()
                    .map(r -> of(r.group(1), r.group(2), r.group(3)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start ss", e);
        }
    }

    private static OpenPort of(String address, String port, String pid) {
        String plain = address.replaceAll("[\\[\\]]|%.*|::ffff:", "");
        try {
            InetAddress host = InetAddress.getByName(plain.equals("*") ? "127.0.0.1" : plain);
            return new OpenPort(
                    new InetSocketAddress(host, Integer.parseInt(port)),
                    String.join(" ", Processes.commandLine(Long.parseLong(pid))));
        } catch (IOException e) {
            throw new UncheckedIOException(address, e);
        }
    }
}

package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A TCP port at which a process listens, as ss(8) shows it.
 *
 * @param address at which it listens, perhaps every one
 * @param commandLine of the process
 */
record OpenPort(InetAddress address, int port, long pid, String commandLine) {
    private static final Pattern LINE = Pattern.compile("LISTEN\\s+\\d+\\s+\\d+\\s+(\\S+):(\\d+)\\s+\\S+:\\*\\s*(.*)");
    private static final Pattern PID = Pattern.compile("pid=(\\d+)");

    /** Of all processes of a playground. */
    static List<OpenPort> below(Path home) {
        List<Long> pids = Processes.below(home).stream().map(ProcessHandle::pid).toList();
        return all().stream().filter(port -> pids.contains(port.pid)).toList();
    }

    private static List<OpenPort> all() {
        try {
            Process ss =
                    new ProcessBuilder("ss", "-Hltnp").redirectErrorStream(true).start();
            String lines = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return lines.lines().map(OpenPort::of).flatMap(Collection::stream).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start ss", e);
        }
    }

    /** One of each process that has the socket; none of a socket of another user. */
    private static List<OpenPort> of(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new AssertionError("ss says " + line);
        }
        InetAddress address = address(parts.group(1));
        int port = Integer.parseInt(parts.group(2));
        Stream<MatchResult> pids = PID.matcher(parts.group(3)).results();
        return pids.map(r -> Long.parseLong(r.group(1)))
                .distinct()
                .map(pid -> new OpenPort(address, port, pid, String.join(" ", Processes.commandLine(pid))))
                .toList();
    }

    private static InetAddress address(String shown) {
        String plain = shown.replaceAll("[\\[\\]]|%.*|::ffff:", "");
        try {
            return InetAddress.getByName(plain.equals("*") ? "0.0.0.0" : plain);
        } catch (IOException e) {
            throw new UncheckedIOException(shown, e);
        }
    }

    /** At which a client on this computer reaches it. */
    InetSocketAddress endpoint() {
        return new InetSocketAddress(address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address, port);
    }

    @Override
    public String toString() {
        return address.getHostAddress() + ":" + port + " of " + pid + " (" + commandLine + ")";
    }
}

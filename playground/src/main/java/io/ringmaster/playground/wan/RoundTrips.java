package io.ringmaster.playground.wan;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Measured round trips of links: the time until the other side's kernel refuses a connection to a closed port. Only for
 * the current setting of a link.
 */
final class RoundTrips {
    private static final int CLOSED_PORT = 1;
    /** More than the longest round trip that can be set. */
    private static final int LIMIT_MS = 6_000;

    private static final long FIRST_MAX_NANOS = 1_000_000_000;
    private static final int KEPT = 9;

    private final Map<LinkSetting, List<Long>> lastMicros = new ConcurrentHashMap<>();

    /** Adds a measurement, the first time several within a second. No answer discards the former ones. */
    void measure(LinkSetting link, NetworkNamespace from, Subnet to) {
        List<Long> known = new ArrayList<>(lastMicros.getOrDefault(link, List.of()));
        long start = System.nanoTime();
        try {
            InetAddress target = InetAddress.getByName(to.server());
            do {
                known.add(from.inside(() -> refusedAfterMicros(target)));
            } while (known.size() < KEPT && System.nanoTime() - start < FIRST_MAX_NANOS);
            lastMicros.put(link, List.copyOf(known.subList(Math.max(0, known.size() - KEPT), known.size())));
        } catch (IOException e) {
            lastMicros.remove(link);
        }
    }

    private static long refusedAfterMicros(InetAddress target) throws IOException {
        try (Socket socket = new Socket()) {
            long start = System.nanoTime();
            try {
                socket.connect(new InetSocketAddress(target, CLOSED_PORT), LIMIT_MS);
            } catch (ConnectException e) {
                return (System.nanoTime() - start) / 1_000;
            }
            throw new IOException("a program listens on port " + CLOSED_PORT);
        }
    }

    /** The median of the last measurements, or null without one. */
    @Nullable
    Long median(LinkSetting link) {
        List<Long> known = lastMicros.getOrDefault(link, List.of());
        return known.isEmpty()
                ? null
                : known.stream().sorted().skip(known.size() / 2).findFirst().orElseThrow();
    }
}

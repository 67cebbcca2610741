package io.ringmaster.playground;

import io.ringmaster.playground.loopback.HeldSockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** Networks {@code 10.N.0.0/16} that no route of this computer uses, from {@code /proc/net/route}. */
final class FreeNetworks {
    private static final Path ROUTES = Path.of("/proc/net/route");
    private static final int FIRST = 77;
    private static final int LAST = 126;
    /** Routes this wide, such as a VPN's for all of 10/8, lose against narrower ones. */
    private static final int WIDE_PREFIX = 8;

    private static final int DESTINATION = 1;
    private static final int MASK = 7;

    private FreeNetworks() {}

    /** Holds the network if it is free. @return false when it is not */
    static boolean hold(int network, HeldSockets held) throws IOException {
        // Held first: another start may find the network free, too, until its routes are there.
        return held.network(network) && isFree(network, Files.readAllLines(ROUTES));
    }

    /** Holds the first free network. */
    static OptionalInt first(HeldSockets held) throws IOException {
        for (int network = FIRST; network <= LAST; network++) {
            if (hold(network, held)) {
                return OptionalInt.of(network);
            }
        }
        return OptionalInt.empty();
    }

    static boolean isFree(int network, List<String> routes) {
        return routes.stream().skip(1).noneMatch(line -> concerns(line.split("\t", -1), network));
    }

    private static boolean concerns(String[] route, int network) {
        int mask = number(route[MASK]);
        if (Integer.bitCount(mask) <= WIDE_PREFIX) {
            return false;
        }
        int common = mask & 0xffff_0000;
        int wanted = 10 << 24 | network << 16;
        return (number(route[DESTINATION]) & common) == (wanted & common);
    }

    /** The table has the byte order of the computer, little-endian on every supported platform. */
    private static int number(String hex) {
        return Integer.reverseBytes(Integer.parseUnsignedInt(hex, 16));
    }
}

package io.ringmaster.playground.loopback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * IPv4 addresses at which anything listens in the network namespace of this process, whatever user it runs as: {@code
 * /proc/self/net/tcp}, and {@code tcp6}, because Java listens at IPv4 addresses with IPv6 sockets.
 */
public final class ListeningSockets {
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final String LISTEN = "0A";
    private static final int HEX_OF_IPV4 = 8;
    /** ::ffff:0:0/96 as /proc prints it. */
    private static final String MAPPED_IPV4 = "0000000000000000FFFF0000";

    private ListeningSockets() {}

    /** Empty where /proc has no such files. */
    public static Set<String> addresses() {
        Set<String> all = new HashSet<>();
        for (String file : List.of("tcp", "tcp6")) {
            try {
                all.addAll(addresses(Files.readAllLines(Path.of("/proc/self/net", file))));
            } catch (IOException e) {
                // no IPv6, or a sandbox without these files: held sockets still keep playgrounds apart
            }
        }
        return all;
    }

    /** @param lines of a file, with its header */
    static Set<String> addresses(List<String> lines) {
        return lines.stream()
                .skip(1)
                .map(line -> line.strip().split("\\s+", -1))
                .filter(fields -> fields.length > STATE && fields[STATE].equals(LISTEN))
                .map(fields -> fields[LOCAL_ADDRESS])
                .flatMap(local -> ipv4(local.substring(0, local.indexOf(':'))).stream())
                .collect(Collectors.toSet());
    }

    private static Optional<String> ipv4(String hex) {
        if (hex.length() == HEX_OF_IPV4) {
            return Optional.of(text(hex));
        }
        return hex.startsWith(MAPPED_IPV4) ? Optional.of(text(hex.substring(MAPPED_IPV4.length()))) : Optional.empty();
    }

    /** The files have the byte order of the computer, little-endian on every supported platform. */
    private static String text(String hex) {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(Integer.parseUnsignedInt(hex, 16))
                .array();
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}

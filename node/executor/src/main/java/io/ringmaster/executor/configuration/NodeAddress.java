package io.ringmaster.executor.configuration;

import io.ringmaster.host.Ipv4;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a node is reached. It comes from the pool that started the executor, and may be another at every start.
 *
 * @param listen the IP address that executor and daemon bind to
 * @param advertise the IP address at which other computers reach them
 */
public record NodeAddress(String listen, String advertise) {
    /** Java looks up no text that has a colon and starts like this, whether it is an address or not. */
    private static final Pattern LIKE_IPV6 = Pattern.compile("[0-9a-fA-F:][0-9a-fA-F:.]*");

    public NodeAddress {
        check("--listen", listen);
        check("--advertise", advertise);
    }

    /** @param advertise null if others reach the node at the address that it binds to */
    public static NodeAddress of(String listen, @Nullable String advertise) {
        return new NodeAddress(listen, advertise == null ? listen : advertise);
    }

    /** Whether others reach the node at another address than it binds to. */
    public boolean isTranslated() {
        return !advertise.equals(listen);
    }

    private static void check(String argument, String address) {
        if (literal(address).filter(NodeAddress::isOfOneComputer).isEmpty()) {
            throw new IllegalArgumentException(argument + " '" + address
                    + "' must be the IP address of one computer, such as 10.0.0.7: other nodes connect to it");
        }
    }

    private static Optional<InetAddress> literal(String text) {
        if (!text.contains(":")) {
            return Ipv4.parse(text);
        }
        try {
            return LIKE_IPV6.matcher(text).matches() ? Optional.of(InetAddress.getByName(text)) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static boolean isOfOneComputer(InetAddress address) {
        return !address.isAnyLocalAddress() && !address.isMulticastAddress();
    }
}

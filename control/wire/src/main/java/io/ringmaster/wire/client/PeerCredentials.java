package io.ringmaster.wire.client;

import io.ringmaster.model.access.Secret;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a server calls other servers.
 *
 * @param token the API token, the same in every datacenter
 * @param tls which servers are trusted, and the token goes only to these; null for plain HTTP and the roots of the JVM
 */
public record PeerCredentials(Secret token, @Nullable SSLContext tls) {
    /** Whether the token may go to this server: with TLS, only to https URLs. */
    public boolean permits(URI server) {
        return tls == null || "https".equals(server.getScheme());
    }

    /**
     * A client with the token.
     *
     * @param timeout the limit for each call, the body included
     * @throws UnreachableException {@link #permits} says no
     */
    public RingmasterClient client(URI server, Duration timeout) {
        if (!permits(server)) {
            throw new UnreachableException(
                    server + " is not an https URL, and tls is on here", new IOException("not an https URL"));
        }
        return new RingmasterClient(server, token.reveal(), timeout, tls);
    }
}

package io.ringmaster.ports;

import io.ringmaster.model.name.AllocationId;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * How to call the executor of one allocation.
 *
 * @param baseUrl scheme, host and port, perhaps a path; {@code /v1/...} is appended
 * @param token the bearer token that the executor demands
 * @param door the allocation whose name the executor must prove by TLS before it gets a request; null for http
 */
public record ExecutorAccess(URI baseUrl, String token, @Nullable AllocationId door) {
    public ExecutorAccess {
        if ((door != null) != "https".equals(baseUrl.getScheme())) {
            throw new IllegalArgumentException(baseUrl + ": an executor with a door, and no other, speaks https");
        }
    }

    /** An executor on an IP address, by plain http. */
    public static ExecutorAccess http(String address, int port, String token) {
        return new ExecutorAccess(url("http", address, port), token, null);
    }

    /** An executor on an IP address that has a door. */
    public static ExecutorAccess https(String address, int port, String token, AllocationId door) {
        return new ExecutorAccess(url("https", address, port), token, door);
    }

    private static URI url(String scheme, String address, int port) {
        String host = address.indexOf(':') < 0 ? address : "[" + address + "]";
        return URI.create(scheme + "://" + host + ":" + port);
    }

    /** Without the token, which must not reach a log. */
    @Override
    public String toString() {
        return "executor at " + baseUrl;
    }
}

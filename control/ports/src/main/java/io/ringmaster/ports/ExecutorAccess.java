package io.ringmaster.ports;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * How to call the executor of one allocation.
 *
 * @param baseUrl scheme, host and port, perhaps a path; {@code /v1/...} is appended
 * @param token the bearer token that the executor demands
 * @param caPem the certificates (PEM) that an https URL is trusted by; null for http, or for the JVM's own
 */
public record ExecutorAccess(URI baseUrl, String token, @Nullable String caPem) {
    /** An executor on an IP address, by plain http. */
    public static ExecutorAccess http(String address, int port, String token) {
        String host = address.indexOf(':') < 0 ? address : "[" + address + "]";
        return new ExecutorAccess(URI.create("http://" + host + ":" + port), token, null);
    }

    /** Without the token, which must not reach a log. */
    @Override
    public String toString() {
        return "executor at " + baseUrl;
    }
}

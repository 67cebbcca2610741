package io.ringmaster.identity;

import java.net.URI;

/**
 * The identity of a process, as the URI in its certificate: {@code spiffe://ringmaster/server/dc1}. The trust domain
 * is the same in every fleet, because fleets differ by their CAs.
 */
public record SpiffeName(URI uri) {
    private static final String SCHEME = "spiffe";
    private static final String DOMAIN = "spiffe://ringmaster/";

    public SpiffeName {
        if (!SCHEME.equals(uri.getScheme())) {
            throw new IllegalArgumentException("not a SPIFFE name: " + uri);
        }
    }

    /** A server of a datacenter. */
    public static SpiffeName server(String datacenter) {
        return of("server/" + datacenter);
    }

    /** The executor of an allocation. */
    public static SpiffeName executor(String datacenter, String allocation) {
        return of("executor/" + datacenter + "/" + allocation);
    }

    /** Any node of a cluster. */
    public static SpiffeName cluster(String cluster) {
        return of("cluster/" + cluster);
    }

    private static SpiffeName of(String path) {
        return new SpiffeName(URI.create(DOMAIN + path));
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}

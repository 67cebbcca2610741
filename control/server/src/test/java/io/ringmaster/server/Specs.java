package io.ringmaster.server;

/** Specs for tests. */
public final class Specs {
    private Specs() {}

    /** @param datacenters lines such as {@code dc1: {nodes: 3, seeds: 2}} */
    public static String of(String cluster, String... datacenters) {
        return """
                cluster: %s
                cassandra: 5.0.9
                preset: development
                datacenters:
                  %s
                node: {cpus: 1, memory: 1GiB, heap: 256MiB, disk: 4GiB}
                """
                .formatted(cluster, String.join("\n  ", datacenters));
    }
}

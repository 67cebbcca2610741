package io.ringmaster.wire.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question: how many machines would these clusters need?
 *
 * @param machines shapes such as {@code cpus=32,memory=128GiB,disk=2TiB}; empty means the shapes in the pools
 * @param racks the number of racks in each datacenter; null means the racks of the pools
 */
public record SharingAsk(List<Entry> clusters, List<String> machines, @Nullable Integer racks) {
    public SharingAsk {
        clusters = clusters == null ? List.of() : List.copyOf(clusters);
        machines = machines == null ? List.of() : List.copyOf(machines);
    }

    /**
     * A number of clusters with the same spec.
     *
     * @param from the origin of the spec, such as a file name, for refusals
     * @param spec the spec in YAML
     * @param count the number of clusters; null means 1
     * @param nodes the number of nodes in each datacenter, or null for the number in the spec
     */
    public record Entry(String from, String spec, @Nullable Integer count, @Nullable Integer nodes) {}
}

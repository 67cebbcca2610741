package io.ringmaster.wire.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many machines would these clusters need?
 *
 * @param machines shapes such as {@code cpus=32,memory=128GiB,disk=2TiB}; none: those of the pools
 * @param racks how many racks each datacenter has; null: those of the pools
 */
public record SharingAsk(List<Entry> clusters, List<String> machines, @Nullable Integer racks) {
    public SharingAsk {
        clusters = clusters == null ? List.of() : List.copyOf(clusters);
        machines = machines == null ? List.of() : List.copyOf(machines);
    }

    /**
     * Clusters alike.
     *
     * @param from where the spec stands, to name it in a refusal
     * @param spec YAML
     * @param count how many clusters; null: 1
     * @param nodes of each datacenter, in place of what the spec says, if not null
     */
    public record Entry(String from, String spec, @Nullable Integer count, @Nullable Integer nodes) {}
}

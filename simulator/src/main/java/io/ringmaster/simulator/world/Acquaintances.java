package io.ringmaster.simulator.world;

import io.ringmaster.core.seeds.SeedAnswer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where a node looks for others: at the endpoints on its volume, by host id, and at the seeds of its last start. */
final class Acquaintances {
    /** For how long gossip shows a node that has moved at its former endpoint, too. */
    private static final int FORMER_MILLIS = 12_000;

    private final Map<String, Sight> byHost = new TreeMap<>();
    private List<String> seeds = List.of();

    /**
     * @param former the endpoint before this one; null if there was none
     * @param sinceMillis when the endpoint was learned
     */
    record Sight(String endpoint, @Nullable String former, long sinceMillis) {
        Optional<String> formerAt(long nowMillis) {
            return nowMillis - sinceMillis < FORMER_MILLIS ? Optional.ofNullable(former) : Optional.empty();
        }
    }

    /** The daemon starts with these seeds. */
    void startWith(SeedAnswer answer) {
        seeds = answer.seeds();
    }

    Optional<Sight> of(SimNode other) {
        return Optional.ofNullable(byHost.get(other.hostId()));
    }

    /** Whether it finds the other node where that one listens now. */
    boolean find(SimNode other) {
        String endpoint = other.endpoint();
        return endpoint != null
                && Stream.concat(seeds.stream(), byHost.values().stream().map(Sight::endpoint))
                        .anyMatch(endpoint::equals);
    }

    /** The other node listens there now. */
    void meet(String host, String endpoint, long nowMillis) {
        Sight known = byHost.get(host);
        if (known == null || !known.endpoint().equals(endpoint)) {
            byHost.put(host, new Sight(endpoint, known == null ? null : known.endpoint(), nowMillis));
        }
    }

    /** Learns from another node what is new, except about itself. */
    void learn(Acquaintances other, String self) {
        other.byHost.forEach((host, sight) -> {
            Sight known = byHost.get(host);
            if (!host.equals(self) && (known == null || known.sinceMillis() < sight.sinceMillis())) {
                byHost.put(host, sight);
            }
        });
    }
}

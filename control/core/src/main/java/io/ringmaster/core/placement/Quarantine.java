package io.ringmaster.core.placement;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints at which the nodes of a cluster ignore a new node for now. A Cassandra node that removes an endpoint
 * from its ring ignores all gossip about it for twice its ring delay ({@code Gossiper.QUARANTINE_DELAY}), and about one
 * that was replaced for twice as long: first while it still keeps the state, then again when it removes that
 * ({@code doStatusCheck}, {@code replacementQuarantine}). A node that joined there meanwhile would be pending for some
 * coordinators only, and would miss the writes of the others. Later the state LEFT, which gossip keeps for three days,
 * gives way to the higher generation of the new node, except that a daemon that starts learns it from the others and
 * ignores the endpoint once more.
 */
public final class Quarantine {
    /** Cassandra's default, which nodes have in each preset from the creation of their cluster to their next start. */
    private static final Duration RING_DELAY = Duration.ofSeconds(30);

    /** Gossip needs seconds until the last node has removed the endpoint. */
    private static final Duration SLACK = Duration.ofSeconds(30);

    /**
     * Four times at most for a member. A node that was given up while it joined or replaced another stays in gossip as
     * BOOT or BOOT_REPLACE for ten ring delays ({@code Gossiper.FAILED_BOOTSTRAP_TIMEOUT}), then for two in quarantine.
     */
    private static final Map<KeptVolume.Reason, Integer> RING_DELAYS =
            Map.of(KeptVolume.Reason.ABORTED, 12, KeptVolume.Reason.UNKNOWN, 12);

    /** Nodes that start again and again prolong the wait to this many times the quarantine at most. */
    private static final int MOST = 3;

    private static final String RING_DELAY_OPTION = "-Dcassandra.ring_delay_ms=";

    private final View view;
    private final ClusterName cluster;
    private final Duration ringDelay;
    private final Instant lastStart;

    private Quarantine(View view, ClusterName cluster) {
        this.view = view;
        this.cluster = cluster;
        this.ringDelay = ringDelay(view, cluster);
        this.lastStart = view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).map(NodeStatus::stages).stream())
                .flatMap(stages -> Stream.ofNullable(stages.get(Stage.DAEMON)))
                .map(start -> start.isAfter(view.now()) ? view.now() : start) // the clock of the machine may be ahead
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    /** A former place of a node, and until when a node must not join there; null if that is not known yet. */
    public record Endpoint(Allocation allocation, @Nullable Instant until) {}

    /** Empty before the cluster is created: until then no node joins with the rows of others. */
    public static List<Endpoint> of(View view, ClusterName cluster) {
        return Seeds.created(view, cluster) ? new Quarantine(view, cluster).endpoints() : List.of();
    }

    /** Whether nodes may join at the place of the volume as far as the quarantine is concerned. */
    public static boolean isOver(View view, ClusterName cluster, KeptVolume volume) {
        Instant until = Seeds.created(view, cluster) ? new Quarantine(view, cluster).until(volume) : Instant.MIN;
        return until != null && !until.isAfter(view.now());
    }

    /** Also of volumes that are destroyed meanwhile: the other nodes do not know that. */
    private List<Endpoint> endpoints() {
        ClusterRecord record = view.clusters().get(cluster);
        List<KeptVolume> volumes = record == null ? List.of() : record.volumes();
        Stream<Endpoint> recorded =
                volumes.stream().flatMap(v -> Stream.ofNullable(v.allocation()).map(a -> new Endpoint(a, until(v))));
        Stream<Endpoint> unrecorded = view.allocationsOf(cluster).stream()
                .filter(s -> s.status() == AllocationState.Status.RELEASED)
                .filter(s -> volumes.stream().noneMatch(v -> v.id().equals(s.id())))
                .map(s -> new Endpoint(s.allocation(), null));
        return Stream.concat(recorded, unrecorded)
                .filter(e -> e.until() == null || e.until().isAfter(view.now()))
                .toList();
    }

    private @Nullable Instant until(KeptVolume volume) {
        Instant since = volume.since();
        if (since == null) {
            return null;
        }
        Duration time = time(volume);
        Instant end = latest(since, lastStart).plus(time);
        Instant cap = since.plus(time.multipliedBy(MOST));
        return end.isAfter(cap) ? cap : end;
    }

    private Duration time(KeptVolume volume) {
        return ringDelay
                .multipliedBy(RING_DELAYS.getOrDefault(volume.reason(), 4))
                .plus(SLACK);
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** The longest one of the specs that nodes run. */
    private static Duration ringDelay(View view, ClusterName cluster) {
        Stream<SpecRecord> running = view.nodesOf(cluster).stream()
                .mapToLong(NodeRecord::specVersion)
                .distinct()
                .boxed()
                .flatMap(version -> view.spec(cluster, version).stream());
        return Stream.concat(view.targetSpec(cluster).stream(), running)
                .map(s -> ringDelay(s.spec()))
                .max(Duration::compareTo)
                .orElse(RING_DELAY);
    }

    /** Of two options the Java virtual machine takes the later one. */
    private static Duration ringDelay(ClusterSpec spec) {
        return spec.jvm().options().stream()
                .filter(o -> o.startsWith(RING_DELAY_OPTION))
                .map(o -> o.substring(RING_DELAY_OPTION.length()))
                .filter(digits -> digits.matches("\\d{1,9}"))
                .map(digits -> Duration.ofMillis(Long.parseLong(digits)))
                .reduce(RING_DELAY, (former, later) -> later);
    }
}

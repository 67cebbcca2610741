package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import io.ringmaster.companion.task.RepairHistory.Replicated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs this node's primary ranges, one {@link RepairSegments segment} after another. Ranges that were repaired for
 * the same request are skipped, so that an interrupted repair continues where it stopped. The argument
 * {@code unless_after} names the request: it is a time of the server's clock, compared with nothing, because that clock
 * may be hours wrong. With {@code max_age}, ranges are skipped, too, that were repaired so long ago at the most.
 *
 * <p>{@code requested_at} is when the server requested this task, by its clock. What the task repairs counts as
 * repaired since the earlier of that time and the present of this node: clocks that differ make a repair older, never
 * younger.
 *
 * <p>Other arguments:
 *
 * <ul>
 *   <li>{@code segments}: the least number per keyspace; by default it follows from the size
 *   <li>{@code intensity}: the fraction of the time at work, above 0 and up to 1; the task pauses after each segment
 *   <li>{@code parallelism}: Cassandra's option
 *   <li>{@code within_dc}: {@code true} repairs only between replicas of this datacenter
 *   <li>{@code replica_ranges}: {@code true} repairs all ranges that this node replicates
 *   <li>{@code system_auth}: {@code true} repairs roles and permissions, too
 * </ul>
 */
final class RepairTask implements TaskBody {
    private static final Logger LOG = LoggerFactory.getLogger(RepairTask.class);

    /** Small, so that an abort loses little work and one difference streams little other data. */
    private static final long BYTES_PER_SEGMENT = 64L << 20;

    private static final int MAX_SEGMENTS = 4096;
    private static final int ATTEMPTS = 3;
    private static final Duration REPLICA_POLL = Duration.ofMillis(500);
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(5);

    private final Map<String, String> args;
    private final String request;
    private final Duration maxAge;
    private final Instant requestedAt;
    private final double intensity;
    private final boolean withinDatacenter;
    private final CassandraRepair repair = new CassandraRepair();

    RepairTask(Map<String, String> args) {
        this.args = args;
        this.request = args.getOrDefault("unless_after", "");
        this.maxAge = Duration.parse(args.getOrDefault("max_age", "PT0S"));
        this.requestedAt = args.containsKey("requested_at") ? Instant.parse(args.get("requested_at")) : Instant.MAX;
        this.intensity = Double.parseDouble(args.getOrDefault("intensity", "1"));
        this.withinDatacenter = Boolean.parseBoolean(args.get("within_dc"));
    }

    /** Since when a repair that starts now counts: by the slower of the two clocks. */
    static Instant countsSince(Instant now, Instant requestedAt) {
        return now.isBefore(requestedAt) ? now : requestedAt;
    }

    /** @param repaired for this request that is {@link Instant#MAX}, which no clock can be before */
    static boolean isYoung(Instant repaired, Instant now, Duration maxAge) {
        return repaired.isAfter(now.minus(maxAge));
    }

    @Override
    public String run(Progress progress) throws Exception {
        List<RepairSegment> segments = segments();
        AtomicInteger done = new AtomicInteger();
        int ranges = segments.stream().mapToInt(s -> s.ranges().size()).sum();
        progress.expect(ranges, "ranges");
        int before = 0;
        for (RepairSegment planned : segments) {
            if (progress.isStopped()) {
                break;
            }
            RepairSegment segment = planned.left();
            List<TokenRange> due =
                    segment.ranges().stream().filter(s -> !isDone(segment, s)).toList();
            before += segment.ranges().size() - due.size();
            if (!due.isEmpty()) {
                repair(segment.of(due), progress, done);
            }
            done.addAndGet(segment.ranges().size());
        }
        Repairs.refreshChanged();
        return done.get() + (progress.isStopped() ? " of " + ranges : "") + " ranges repaired"
                + (before == 0 ? "" : ", " + before + " of them before") + dropped(segments) + Tables.missing(args);
    }

    private static String dropped(List<RepairSegment> segments) {
        String dropped =
                segments.stream().flatMap(s -> s.dropped().stream()).distinct().collect(Collectors.joining(", "));
        return dropped.isEmpty() ? "" : "; dropped meanwhile: " + dropped;
    }

    private boolean isDone(RepairSegment segment, TokenRange range) {
        return Repairs.completeSince(
                        segment.tables().values(),
                        Repairs.replicated(segment.keyspace(), range, withinDatacenter),
                        withinDatacenter,
                        request)
                .filter(at -> isYoung(at, Instant.now(), maxAge))
                .isPresent();
    }

    private List<RepairSegment> segments() {
        List<RepairSegment> segments = new ArrayList<>();
        List<String> keyspaces = new ArrayList<>(Tables.keyspaces(args));
        if (Boolean.parseBoolean(args.get("system_auth"))) {
            keyspaces.add(SchemaConstants.AUTH_KEYSPACE_NAME);
        }
        for (String keyspace : keyspaces) {
            List<ColumnFamilyStore> tables = Tables.chosen(keyspace, args);
            List<TokenRange> ranges = Boolean.parseBoolean(args.get("replica_ranges"))
                    ? LocalRanges.replicas(keyspace)
                    : LocalRanges.primary(keyspace, withinDatacenter);
            if (tables.isEmpty() || ranges.isEmpty()) {
                continue;
            }
            SortedMap<String, TableId> byName = RepairSegment.byName(tables);
            RepairSegments.of(ranges, count(tables), range -> replicas(keyspace, range))
                    .forEach(segment -> segments.add(new RepairSegment(keyspace, byName, segment)));
        }
        return segments;
    }

    private int count(Collection<ColumnFamilyStore> tables) {
        long bytes = tables.stream()
                .mapToLong(t -> t.metric.liveDiskSpaceUsed.getCount())
                .sum();
        long bySize = Math.min(MAX_SEGMENTS, 1 + bytes / BYTES_PER_SEGMENT);
        return (int) Math.max(bySize, Long.parseLong(args.getOrDefault("segments", "1")));
    }

    /** Repairs the tables that are there. A failure is repeated; one after a drop does not count. */
    private void repair(RepairSegment planned, Progress progress, AtomicInteger done) throws Exception {
        for (int attempt = 1; ; attempt++) {
            RepairSegment segment = planned.left();
            if (segment.tables().isEmpty()) {
                return;
            }
            awaitReplicas(segment, progress, done);
            if (progress.isStopped()) {
                return;
            }
            long startedAt = System.nanoTime();
            Instant since = countsSince(Instant.now(), requestedAt);
            List<Replicated> replicated = segment.ranges().stream()
                    .map(r -> Repairs.replicated(segment.keyspace(), r, withinDatacenter))
                    .toList();
            try {
                Optional<Boolean> ended =
                        OpenKeyspaces.unlessDropped(segment.tables().values(), 1, () -> {
                            repair.run(segment.keyspace(), segment.names(), segment.ranges(), args);
                            return true;
                        });
                if (ended.isEmpty()) {
                    attempt--;
                    continue;
                }
                Repairs.repaired(
                        segment.keyspace(),
                        segment.left().tables().values(),
                        replicated,
                        withinDatacenter,
                        since,
                        request);
                Pause.of(pauseAfter(Duration.ofNanos(System.nanoTime() - startedAt), intensity), progress);
                return;
            } catch (CassandraRepair.FailedException e) {
                boolean oneIsDown = down(segment).isPresent(); // then the failure is not counted
                if (progress.isStopped() || (attempt >= ATTEMPTS && !oneIsDown)) {
                    throw e;
                }
                LOG.warn("Repair of {} failed at attempt {}", segment, attempt, e);
                Pause.of(RETRY_PAUSE, progress);
            }
        }
    }

    /** Waits until every replica of the segment is up: a range with a replica that is down cannot be repaired. */
    private void awaitReplicas(RepairSegment segment, Progress progress, AtomicInteger done)
            throws InterruptedException {
        Optional<InetAddressAndPort> down = down(segment);
        while (down.isPresent() && !progress.isStopped()) {
            progress.at("waits for " + down.get() + ", which is down", done::get);
            Pause.of(REPLICA_POLL, progress);
            down = down(segment);
        }
        progress.at(segment.toString(), done::get);
    }

    private Optional<InetAddressAndPort> down(RepairSegment segment) {
        return replicas(segment.keyspace(), segment.ranges().get(0)).stream()
                .filter(e -> !FailureDetector.instance.isAlive(e))
                .findFirst();
    }

    /** The replicas that take part in the repair of the range. */
    private Set<InetAddressAndPort> replicas(String keyspace, TokenRange range) {
        return LocalRanges.endpoints(keyspace, range, withinDatacenter);
    }

    static Duration pauseAfter(Duration worked, double intensity) {
        return Duration.ofMillis((long) (worked.toMillis() * (1 / intensity - 1)));
    }

    @Override
    public void stop() {
        repair.stop();
    }
}

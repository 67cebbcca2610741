package io.ringmaster.companion.task;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Repairs the ranges that this node is the first replica of, one small piece after another, see {@link Pieces}. What was repaired since the moment in the
 * argument {@code unless_after} is left out, so that a repair that was interrupted in any way goes on where it was.
 *
 * <p>Other arguments: {@code segments} (pieces for each keyspace at least; default by size), {@code intensity} (how much of the time it
 * works, more than 0 to 1; it rests after each piece), {@code parallelism} (Cassandra's word), {@code within_dc} ({@code true}: only
 * between replicas of this datacenter), {@code replica_ranges} ({@code true}: all ranges that this node keeps).
 */
final class RepairWork implements Work {
    /** Small enough that stopping loses little and that one difference does not stream much else. */
    private static final long BYTES_PER_PIECE = 64L << 20;

    private static final int MOST_PIECES = 4096;
    private static final int ATTEMPTS = 3;
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration BEFORE_NEXT_ATTEMPT = Duration.ofSeconds(5);

    private final Map<String, String> args;
    private final Instant unlessAfter;
    private final double intensity;
    private final boolean withinDatacenter;
    private final RepairCommand command = new RepairCommand();

    private record Piece(String keyspace, List<String> tables, List<Span> spans) {
        @Override
        public String toString() {
            return String.join(", ", tables) + " " + spans.get(0)
                    + (spans.size() == 1 ? "" : " and " + (spans.size() - 1) + " more");
        }
    }

    RepairWork(Map<String, String> args) {
        this.args = args;
        this.unlessAfter = args.containsKey("unless_after") ? Instant.parse(args.get("unless_after")) : Instant.MAX;
        this.intensity = Double.parseDouble(args.getOrDefault("intensity", "1"));
        this.withinDatacenter = Boolean.parseBoolean(args.get("within_dc"));
    }

    @Override
    public String run(Progress progress) throws Exception {
        List<Piece> pieces = pieces();
        AtomicInteger done = new AtomicInteger();
        int ranges = pieces.stream().mapToInt(p -> p.spans().size()).sum();
        progress.expect(ranges, "ranges");
        int before = 0;
        for (Piece piece : pieces) {
            if (progress.isStopped()) {
                break;
            }
            List<Span> due = piece.spans().stream()
                    .filter(s -> !isDone(piece.tables(), s))
                    .toList();
            before += piece.spans().size() - due.size();
            if (!due.isEmpty()) {
                repair(new Piece(piece.keyspace(), piece.tables(), due), progress, done);
            }
            done.addAndGet(piece.spans().size());
        }
        return done.get() + (progress.isStopped() ? " of " + ranges : "") + " ranges repaired"
                + (before == 0 ? "" : ", " + before + " of them before");
    }

    private boolean isDone(List<String> tables, Span span) {
        return Repairs.wholly(tables, span, withinDatacenter)
                .filter(at -> !at.isBefore(unlessAfter))
                .isPresent();
    }

    private List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>();
        for (String keyspace : Tables.keyspaces(args)) {
            List<ColumnFamilyStore> tables = Tables.chosen(args).stream()
                    .filter(t -> t.getKeyspaceName().equals(keyspace))
                    .toList();
            List<Span> spans = Boolean.parseBoolean(args.get("replica_ranges"))
                    ? Repairs.replicaSpans(keyspace)
                    : Repairs.primarySpans(keyspace, withinDatacenter);
            if (tables.isEmpty() || spans.isEmpty()) {
                continue;
            }
            List<String> names = tables.stream()
                    .map(t -> t.getKeyspaceName() + "." + t.getTableName())
                    .sorted()
                    .toList();
            Pieces.of(spans, count(tables), span -> replicas(keyspace, span))
                    .forEach(piece -> pieces.add(new Piece(keyspace, names, piece)));
        }
        return pieces;
    }

    private int count(Collection<ColumnFamilyStore> tables) {
        long bytes = tables.stream()
                .mapToLong(t -> t.metric.liveDiskSpaceUsed.getCount())
                .sum();
        long bySize = Math.min(MOST_PIECES, 1 + bytes / BYTES_PER_PIECE);
        return (int) Math.max(bySize, Long.parseLong(args.getOrDefault("segments", "1")));
    }

    private void repair(Piece piece, Progress progress, AtomicInteger done) throws Exception {
        for (int attempt = 1; ; attempt++) {
            awaitReplicas(piece, progress, done);
            if (progress.isStopped()) {
                return;
            }
            Instant began = Instant.now();
            try {
                command.run(piece.keyspace(), piece.tables(), piece.spans(), args);
                Repairs.repaired(piece.keyspace(), piece.tables(), piece.spans(), withinDatacenter, began);
                rest(Duration.between(began, Instant.now()), progress);
                return;
            } catch (RepairCommand.FailedException e) {
                boolean oneIsDown = down(piece).isPresent(); // its fault: that does not count
                if (progress.isStopped() || (attempt >= ATTEMPTS && !oneIsDown)) {
                    throw e;
                }
                sleep(BEFORE_NEXT_ATTEMPT, progress);
            }
        }
    }

    /** A range with a replica that is down cannot be repaired now; it can when that is back. */
    private void awaitReplicas(Piece piece, Progress progress, AtomicInteger done) throws InterruptedException {
        Optional<InetAddressAndPort> down = down(piece);
        while (down.isPresent() && !progress.isStopped()) {
            progress.at("waits for " + down.get() + ", which is down", done::get);
            sleep(LOOK, progress);
            down = down(piece);
        }
        progress.at(piece.toString(), done::get);
    }

    private Optional<InetAddressAndPort> down(Piece piece) {
        return replicas(piece.keyspace(), piece.spans().get(0)).stream()
                .filter(e -> !FailureDetector.instance.isAlive(e))
                .findFirst();
    }

    /** Those that have a part in the repair. */
    private Set<InetAddressAndPort> replicas(String keyspace, Span span) {
        return Keyspace.open(keyspace)
                .getReplicationStrategy()
                .getNaturalReplicasForToken(new LongToken(span.right()))
                .endpoints()
                .stream()
                .filter(e -> !withinDatacenter || isHere(e))
                .collect(Collectors.toSet());
    }

    private static boolean isHere(InetAddressAndPort endpoint) {
        return DatabaseDescriptor.getEndpointSnitch()
                .getDatacenter(endpoint)
                .equals(DatabaseDescriptor.getLocalDataCenter());
    }

    private void rest(Duration worked, Progress progress) throws InterruptedException {
        sleep(Duration.ofMillis((long) (worked.toMillis() * (1 / intensity - 1))), progress);
    }

    private static void sleep(Duration time, Progress progress) throws InterruptedException {
        Instant until = Instant.now().plus(time);
        while (!progress.isStopped() && Instant.now().isBefore(until)) {
            Thread.sleep(Math.min(
                    100, Math.max(1, Duration.between(Instant.now(), until).toMillis())));
        }
    }

    @Override
    public void stop() {
        command.stop();
    }
}

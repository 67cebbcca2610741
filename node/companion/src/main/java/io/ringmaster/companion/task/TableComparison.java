package io.ringmaster.companion.task;

import io.ringmaster.companion.task.PartitionComparison.Read;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Compares a table in all ranges of this node with the replicas in other datacenters. It changes nothing: each node is
 * asked alone, so no read repairs another one.
 *
 * <p>The whole of a small table is compared, and of a large one the start of each range.
 */
final class TableComparison {
    static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int TIMEOUT_S = 30;

    private final TableMetadata table;
    private final Collection<String> datacenters;
    private final BiFunction<Read, Map<String, Read>, PartitionComparison> direction;
    private final Progress progress;

    /** Neighbouring ranges with the same replicas. */
    record Stretch<R>(List<TokenRange> ranges, R replicas) {
        TokenRange whole() {
            return new TokenRange(
                    ranges.get(0).left(), ranges.get(ranges.size() - 1).right());
        }
    }

    /**
     * @param partitions the number of partitions looked at
     * @param share of the tokens that were compared, 0 to 1
     */
    record Compared(long partitions, double share) {}

    /**
     * @param datacenters with the replicas to compare with
     * @param direction which way to compare this node with those replicas
     */
    TableComparison(
            TableMetadata table,
            Collection<String> datacenters,
            BiFunction<Read, Map<String, Read>, PartitionComparison> direction,
            Progress progress) {
        this.table = table;
        this.datacenters = datacenters;
        this.direction = direction;
        this.progress = progress;
    }

    /** @param most the number of partitions after which it goes on to the next range, over all ranges */
    Compared compare(long most) throws InterruptedException {
        return compare(
                stretches(LocalRanges.replicas(table.keyspace), this::replicas), this::comparison, most, progress);
    }

    static <R> Compared compare(
            List<Stretch<R>> stretches, Function<R, PartitionComparison> comparison, long most, Progress progress)
            throws InterruptedException {
        long perRange = most
                / Math.max(
                        1, stretches.stream().mapToInt(s -> s.ranges().size()).sum());
        long partitions = 0;
        double all = 0;
        double compared = 0;
        for (Stretch<R> stretch : stretches) {
            PartitionComparison nodes = comparison.apply(stretch.replicas());
            TokenRange whole = stretch.whole();
            // most tables of a large schema are small: one read instead of one for each range
            PartitionComparison.Outcome first = nodes.compare(whole, PartitionComparison.PARTITIONS_PER_READ, progress);
            partitions += first.partitions();
            all += whole.length();
            compared += length(whole.left(), first.end());
            for (TokenRange range : stretch.ranges()) {
                long from = Math.max(range.left(), first.end());
                if (from < range.right()) {
                    PartitionComparison.Outcome rest =
                            nodes.compare(new TokenRange(from, range.right()), Math.max(1, perRange), progress);
                    partitions += rest.partitions();
                    compared += length(from, rest.end());
                }
            }
        }
        return new Compared(partitions, all == 0 ? 1 : compared / all);
    }

    private static double length(long left, long right) {
        return left < right ? new TokenRange(left, right).length() : 0;
    }

    /** @param ranges in the order of the ring */
    static <R> List<Stretch<R>> stretches(List<TokenRange> ranges, Function<TokenRange, R> replicas) {
        List<Stretch<R>> stretches = new ArrayList<>();
        for (TokenRange range : ranges) {
            R ofRange = replicas.apply(range);
            Stretch<R> last = stretches.isEmpty() ? null : stretches.get(stretches.size() - 1);
            if (last != null && last.replicas().equals(ofRange) && last.whole().right() == range.left()) {
                List<TokenRange> longer = new ArrayList<>(last.ranges());
                longer.add(range);
                stretches.set(stretches.size() - 1, new Stretch<>(longer, ofRange));
            } else {
                stretches.add(new Stretch<>(List.of(range), ofRange));
            }
        }
        return stretches;
    }

    private Collection<InetAddressAndPort> replicas(TokenRange range) {
        return LocalRanges.endpoints(table.keyspace, range, false).stream()
                .filter(r -> datacenters.contains(
                        DatabaseDescriptor.getEndpointSnitch().getDatacenter(r)))
                .collect(Collectors.toSet());
    }

    private PartitionComparison comparison(Collection<InetAddressAndPort> replicas) {
        // the places are variables: Cassandra keeps each statement that it prepared
        String query = PartitionTokens.query(table, "?", "?", PartitionComparison.PARTITIONS_PER_READ);
        Map<String, Read> there = new TreeMap<>();
        replicas.forEach(r -> there.put(r.getHostAddressAndPort(), part -> ask(r, query, part)));
        return direction.apply(
                part -> PartitionTokens.of(QueryProcessor.executeInternal(query, part.left(), part.right())), there);
    }

    private SortedSet<Long> ask(InetAddressAndPort replica, String query, TokenRange part)
            throws InterruptedException, ExecutionException, TimeoutException {
        while (!FailureDetector.instance.isAlive(replica) && !progress.isStopped()) {
            progress.at("waits for " + replica.getHostAddressAndPort() + ", which is down", () -> 0);
            Pause.of(PAUSE, progress);
        }
        return PartitionTokens.of(QueryProcessor.executeAsync(replica, query, part.left(), part.right())
                .get(TIMEOUT_S, TimeUnit.SECONDS));
    }
}

package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;

/** The token ranges of this node, by keyspace; none of one that was dropped. */
final class LocalRanges {
    private LocalRanges() {}

    /**
     * The ranges that this node is the first replica of.
     *
     * @param withinDatacenter whether only replicas of this datacenter count
     */
    static List<TokenRange> primary(String keyspace, boolean withinDatacenter) {
        if (OpenKeyspaces.open(keyspace).isEmpty()) {
            return List.of();
        }
        return ranges(
                withinDatacenter
                        ? StorageService.instance.getPrimaryRangesWithinDC(keyspace)
                        : StorageService.instance.getPrimaryRanges(keyspace));
    }

    /** All ranges that this node replicates. */
    static List<TokenRange> replicas(String keyspace) {
        return OpenKeyspaces.open(keyspace).isEmpty()
                ? List.of()
                : ranges(StorageService.instance.getLocalReplicas(keyspace).ranges());
    }

    /** The replicas of the range, which has the same ones in all its parts. */
    static Set<InetAddressAndPort> endpoints(String keyspace, TokenRange range, boolean withinDatacenter) {
        return OpenKeyspaces.open(keyspace).stream()
                .flatMap(
                        k -> k
                                .getReplicationStrategy()
                                .getNaturalReplicasForToken(new LongToken(range.right()))
                                .endpoints()
                                .stream())
                .filter(e -> !withinDatacenter || isLocal(e))
                .collect(Collectors.toSet());
    }

    private static boolean isLocal(InetAddressAndPort endpoint) {
        return DatabaseDescriptor.getEndpointSnitch()
                .getDatacenter(endpoint)
                .equals(DatabaseDescriptor.getLocalDataCenter());
    }

    private static List<TokenRange> ranges(Collection<Range<Token>> ranges) {
        return ranges.stream()
                .sorted()
                .flatMap(r -> TokenRange.unwrapped(number(r.left), number(r.right)).stream())
                .toList();
    }

    private static long number(Token token) {
        if (token instanceof LongToken murmur) {
            return murmur.getLongValue();
        }
        throw new IllegalStateException("only clusters with Murmur3Partitioner are repaired range by range");
    }
}

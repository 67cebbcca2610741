package io.ringmaster.core.tokens;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Computes one token per node before the node exists, in the range of {@code Murmur3Partitioner} (-2^63 to 2^63-1), so
 * that the {@linkplain EffectiveOwnership effective ownership} of the nodes is even. Tokens of existing nodes never
 * move.
 *
 * <p>A token must be unique over all datacenters of a cluster. Every token is a multiple of {@value TokenSpace#STRIDE}
 * plus the position of its datacenter in the spec, from 1: two datacenters never choose the same token, even without
 * knowing of each other.
 */
public final class Tokens {
    private Tokens() {}

    /**
     * The tokens of a datacenter's first nodes by index.
     *
     * @param racks the rack of each node
     * @param replicationFactors those of the keyspaces in the datacenter; empty if unknown
     */
    public static List<String> forFirstCreation(
            ClusterSpec spec, DatacenterName datacenter, List<RackName> racks, Set<Integer> replicationFactors) {
        TokenSpace space = space(spec, datacenter);
        Set<Long> taken = new HashSet<>();
        return new FirstTokens(numbers(racks))
                .tokens(replicationFactors).stream()
                        .map(token -> Long.toString(space.take(token, taken)))
                        .toList();
    }

    /**
     * Tokens for nodes that join a live ring one after another, planned together.
     *
     * @param existing the datacenter's nodes; if there are none, this is a first creation
     * @param racks the rack of each newcomer
     * @param replicationFactors those of the keyspaces in the datacenter; empty if unknown
     */
    public static List<String> forJoining(
            ClusterSpec spec,
            DatacenterName datacenter,
            List<RackToken> existing,
            List<RackName> racks,
            Set<Integer> replicationFactors) {
        if (racks.isEmpty()) {
            return List.of();
        }
        if (existing.isEmpty()) {
            return forFirstCreation(spec, datacenter, racks, replicationFactors);
        }
        List<RackName> all = Stream.concat(existing.stream().map(RackToken::rack), racks.stream())
                .toList();
        List<Long> tokens = existing.stream().map(RackToken::token).toList();
        return new JoiningTokens(numbers(all), tokens, replicationFactors, space(spec, datacenter))
                .tokens().stream().map(t -> Long.toString(t)).toList();
    }

    private static TokenSpace space(ClusterSpec spec, DatacenterName datacenter) {
        return new TokenSpace(spec.datacenterNames().indexOf(datacenter) + 1);
    }

    private static int[] numbers(List<RackName> racks) {
        List<RackName> distinct = racks.stream().distinct().toList();
        return racks.stream().mapToInt(distinct::indexOf).toArray();
    }
}

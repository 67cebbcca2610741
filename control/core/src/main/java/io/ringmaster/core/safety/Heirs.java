package io.ringmaster.core.safety;

import io.ringmaster.core.tokens.EffectiveOwnership;
import io.ringmaster.core.tokens.RackToken;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView.KeyspaceSeen;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The nodes that take over ranges of a node that leaves the ring. */
public final class Heirs {
    /** Shares are sums of rounded fractions of the ring. */
    private static final double ROUNDING = 1e-12;

    private Heirs() {}

    /**
     * The members of the datacenter that hold more of some keyspace without the leaving node, that of roles and
     * permissions included. All of them if no keyspace says which: none is known, none has replicas here, or one is
     * replicated without regard to datacenters and racks.
     */
    public static List<NodeRecord> of(View view, NodeRecord leaving) {
        List<NodeRecord> staying = view.nodesOf(leaving.id().cluster()).stream()
                .filter(n -> n.ownsRanges() && !n.leaving() && !n.id().equals(leaving.id()))
                .toList();
        Optional<Set<Integer>> factors = replicationFactors(view, leaving).filter(f -> !f.isEmpty());
        boolean known = factors.isPresent()
                && Stream.concat(staying.stream(), Stream.of(leaving))
                        .allMatch(n -> n.tokens().size() == 1);
        return known
                ? IntStream.range(0, staying.size())
                        .filter(i -> factors.get().stream().anyMatch(f -> gains(staying, i, leaving, f)))
                        .mapToObj(staying::get)
                        .toList()
                : staying;
    }

    private static boolean gains(List<NodeRecord> staying, int heir, NodeRecord leaving, int replicas) {
        List<RackToken> after = staying.stream().map(Heirs::token).toList();
        List<RackToken> before =
                Stream.concat(after.stream(), Stream.of(token(leaving))).toList();
        double more = EffectiveOwnership.shares(after, replicas).get(heir)
                - EffectiveOwnership.shares(before, replicas).get(heir);
        return more > ROUNDING;
    }

    private static RackToken token(NodeRecord node) {
        return new RackToken(Long.parseLong(node.tokens().get(0)), node.rack());
    }

    /** The numbers of replicas of the keyspaces here; empty if they do not say which nodes have the replicas. */
    private static Optional<Set<Integer>> replicationFactors(View view, NodeRecord leaving) {
        Optional<List<KeyspaceSeen>> keyspaces = view.nodesOf(leaving.id().cluster()).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> Stream.ofNullable(s.ring()))
                .map(r -> Stream.concat(r.keyspaces().stream(), r.systemKeyspaces().stream())
                        .toList())
                .findFirst();
        return keyspaces
                .filter(all -> all.stream().noneMatch(k -> k.replicas().containsKey("*")))
                .map(all -> all.stream()
                        .map(k -> k.replicas().get(view.datacenter().value()))
                        .filter(Objects::nonNull)
                        .collect(Collectors.toSet()));
    }
}

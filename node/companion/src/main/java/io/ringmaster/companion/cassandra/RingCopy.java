package io.ringmaster.companion.cassandra;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;

/**
 * The owner of each token, as this node sees it, at one moment. An endpoint without tokens is no owner: Cassandra's
 * topology still lists one whose tokens another node took over.
 */
public final class RingCopy {
    private final Map<Token, InetAddressAndPort> owners;
    private final Function<InetAddressAndPort, String> datacenters;

    private RingCopy(Map<Token, InetAddressAndPort> owners, Function<InetAddressAndPort, String> datacenters) {
        this.owners = Collections.unmodifiableMap(owners);
        this.datacenters = datacenters;
    }

    /** The ring now, with nodes that are about to leave. */
    public static RingCopy now() {
        return now(StorageService.instance.getTokenMetadata(), RingCopy::datacenter);
    }

    /** The ring without the nodes that are about to leave. */
    public static RingCopy afterAllLeft() {
        return afterAllLeft(StorageService.instance.getTokenMetadata(), RingCopy::datacenter);
    }

    static RingCopy now(TokenMetadata live, Function<InetAddressAndPort, String> datacenters) {
        return of(live, datacenters);
    }

    static RingCopy afterAllLeft(TokenMetadata live, Function<InetAddressAndPort, String> datacenters) {
        return of(live.cloneAfterAllLeft(), datacenters);
    }

    private static RingCopy of(TokenMetadata metadata, Function<InetAddressAndPort, String> datacenters) {
        Map<Token, InetAddressAndPort> owners = new HashMap<>();
        metadata.getEndpointToTokenMapForReading().forEach((endpoint, token) -> owners.put(token, endpoint));
        return new RingCopy(owners, datacenters);
    }

    private static String datacenter(InetAddressAndPort endpoint) {
        return DatabaseDescriptor.getEndpointSnitch().getDatacenter(endpoint);
    }

    /** The tokens of one datacenter. */
    public Map<Token, InetAddressAndPort> ownersIn(String datacenter) {
        return owners.entrySet().stream()
                .filter(e -> datacenters.apply(e.getValue()).equals(datacenter))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The fraction of its datacenter's ring that the node is the primary replica of; 0 without tokens. */
    public double ownership(InetAddressAndPort node) {
        Map<Token, InetAddressAndPort> here = ownersIn(datacenters.apply(node));
        if (!here.containsValue(node)) {
            return 0;
        }
        List<Token> sorted = here.keySet().stream().sorted().toList();
        return DatabaseDescriptor.getPartitioner().describeOwnership(sorted).entrySet().stream()
                .filter(share -> node.equals(here.get(share.getKey())))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** The number of members by datacenter. */
    public Map<String, Integer> nodes() {
        Map<String, Integer> nodes = new TreeMap<>();
        owners.values().stream().distinct().forEach(e -> nodes.merge(datacenters.apply(e), 1, Integer::sum));
        return nodes;
    }

    /** The number of members of the datacenter besides this one. */
    public int othersIn(String datacenter, InetAddressAndPort self) {
        return (int) ownersIn(datacenter).values().stream()
                .distinct()
                .filter(e -> !e.equals(self))
                .count();
    }
}

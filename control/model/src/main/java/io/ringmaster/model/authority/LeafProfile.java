package io.ringmaster.model.authority;

import io.ringmaster.model.name.AllocationId;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a certificate. All names come from the server's own records, never from the process that asks.
 *
 * @param authority signs it; its cluster and datacenter are part of the certificate's names
 * @param allocation of the executor, for {@link LeafKind#DOOR} only
 * @param hosts addresses and DNS names at which the process listens, sorted
 */
public record LeafProfile(
        LeafKind kind, AuthorityName authority, @Nullable AllocationId allocation, List<String> hosts) {
    public LeafProfile {
        if (authority.use() != kind.use()) {
            throw new IllegalArgumentException(authority + " issues no certificates of kind " + kind);
        }
        if ((kind == LeafKind.DOOR) != (allocation != null)) {
            throw new IllegalArgumentException("an allocation belongs to a door: " + kind + ", " + allocation);
        }
        if (kind != LeafKind.DOOR && hosts.isEmpty()) {
            throw new IllegalArgumentException(
                    "a certificate of kind " + kind + " without the addresses of its process");
        }
        hosts = List.copyOf(new TreeSet<>(hosts));
    }

    /** A server, at every host under which it is reached. */
    public static LeafProfile server(AuthorityName authority, Collection<String> hosts) {
        return new LeafProfile(LeafKind.SERVER, authority, null, List.copyOf(hosts));
    }

    /** The executor of an allocation, which is known by its name and not by its address. */
    public static LeafProfile door(AuthorityName authority, AllocationId allocation) {
        return new LeafProfile(LeafKind.DOOR, authority, allocation, List.of());
    }

    /** A node to its peers, at the addresses of its launch. */
    public static LeafProfile internode(AuthorityName authority, Collection<String> addresses) {
        return new LeafProfile(LeafKind.INTERNODE, authority, null, List.copyOf(addresses));
    }

    /** A node to CQL clients, at the addresses that it listens on and advertises. */
    public static LeafProfile cql(AuthorityName authority, Collection<String> addresses) {
        return new LeafProfile(LeafKind.CQL, authority, null, List.copyOf(addresses));
    }
}

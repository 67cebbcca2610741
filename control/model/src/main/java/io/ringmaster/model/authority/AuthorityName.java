package io.ringmaster.model.authority;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of a certificate authority. Each datacenter has its own, so that none needs another to issue certificates.
 *
 * @param cluster null for {@link AuthorityUse#CONTROL}
 * @param number counts the generations from 1
 */
public record AuthorityName(AuthorityUse use, @Nullable ClusterName cluster, DatacenterName datacenter, int number) {
    public AuthorityName {
        if ((use == AuthorityUse.CONTROL) != (cluster == null)) {
            throw new IllegalArgumentException(
                    "an authority is of Ringmaster or of one cluster: " + use + ", " + cluster);
        }
        if (number < 1) {
            throw new IllegalArgumentException("authorities are counted from 1, not " + number);
        }
    }

    /** The authority of the servers and executors of a datacenter. */
    public static AuthorityName control(DatacenterName datacenter, int number) {
        return new AuthorityName(AuthorityUse.CONTROL, null, datacenter, number);
    }

    /** The authority that nodes of a cluster trust each other by. */
    public static AuthorityName internode(ClusterName cluster, DatacenterName datacenter, int number) {
        return new AuthorityName(AuthorityUse.INTERNODE, cluster, datacenter, number);
    }

    /** The authority that CQL clients trust the nodes of a cluster by. */
    public static AuthorityName clients(ClusterName cluster, DatacenterName datacenter, int number) {
        return new AuthorityName(AuthorityUse.CLIENTS, cluster, datacenter, number);
    }

    /** The name of the generation after this one. */
    public AuthorityName next() {
        return new AuthorityName(use, cluster, datacenter, number + 1);
    }

    /** Whether this is the other one, or a later generation of it. */
    public boolean isFrom(AuthorityName other) {
        return number >= other.number && new AuthorityName(use, cluster, datacenter, other.number).equals(other);
    }

    /** {@code internode rides dc1 1}; {@code control dc1 1}. */
    @Override
    public String toString() {
        return text(" ");
    }

    /** {@code internode.rides.dc1.1}: unique, because no name holds a dot. */
    public String fileName() {
        return text(".");
    }

    private String text(String separator) {
        String middle = Optional.ofNullable(cluster)
                .map(name -> name + separator + datacenter)
                .orElse(datacenter.toString());
        return use.label() + separator + middle + separator + number;
    }
}

package io.ringmaster.model.record;

import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report of one datacenter's server to the others.
 *
 * @param servers the base URLs of this datacenter's servers
 * @param apiTokens the API tokens that were created or revoked there
 */
public record DatacenterReport(
        DatacenterName datacenter,
        List<String> servers,
        int machines,
        Instant at,
        List<ClusterPart> clusters,
        List<TokenRecord> apiTokens) {

    public DatacenterReport {
        servers = List.copyOf(servers);
        clusters = List.copyOf(clusters);
        // servers of older versions do not send the field
        apiTokens = apiTokens == null ? List.of() : List.copyOf(apiTokens);
    }

    /** A report without tokens. */
    public DatacenterReport(
            DatacenterName datacenter, List<String> servers, int machines, Instant at, List<ClusterPart> clusters) {
        this(datacenter, servers, machines, at, clusters, List.of());
    }

    public DatacenterReport withTime(Instant time) {
        return new DatacenterReport(datacenter, servers, machines, time, clusters, apiTokens);
    }

    public DatacenterReport withClusters(List<ClusterPart> parts) {
        return new DatacenterReport(datacenter, servers, machines, at, parts, apiTokens);
    }

    /**
     * One cluster's part here.
     *
     * @param spec the newest spec known here, so that a change made at one server reaches all
     * @param deleting whether a delete of the whole cluster was requested
     * @param destroyData see {@code ClusterRecord.destroyData}
     * @param created see {@code ClusterRecord.created}
     * @param restored see {@code ClusterRecord.restored}
     * @param settledSpecVersion the newest version whose plan is complete here; the next datacenter may then deploy it
     * @param requests the requests that have not finished everywhere, and the newest finished ones
     * @param repaired the oldest repair of a range whose first replica is here, EPOCH if one was never repaired; null
     *     if no node here reports ranges
     * @param authorities the certificate authorities by which its nodes there are trusted by other nodes. Servers of
     *     older versions take every authority in this list for one of those, and send those for clients in it
     * @param unplanned why the newest spec cannot be planned there now, or null
     * @param clientAuthorities those by which CQL clients trust its nodes there
     * @param trust the authorities of all datacenters that are known there; empty from servers of older versions
     */
    @RecordBuilder
    public record ClusterPart(
            ClusterName cluster,
            SpecRecord spec,
            boolean created,
            boolean restored,
            boolean deleting,
            boolean destroyData,
            long settledSpecVersion,
            @Nullable String unplanned,
            List<NodePart> nodes,
            List<RequestRecord> requests,
            @Nullable Instant repaired,
            List<AuthorityRecord> authorities,
            List<AuthorityRecord> clientAuthorities,
            List<TrustPart> trust) {
        public ClusterPart {
            nodes = List.copyOf(nodes);
            // servers of older versions do not send the fields
            requests = requests == null ? List.of() : List.copyOf(requests);
            authorities = authorities == null ? List.of() : List.copyOf(authorities);
            clientAuthorities = clientAuthorities == null ? List.of() : List.copyOf(clientAuthorities);
            trust = trust == null ? List.of() : List.copyOf(trust);
        }

        /** A part without repair times and authorities, of a cluster that starts empty. */
        public ClusterPart(
                ClusterName cluster,
                SpecRecord spec,
                boolean created,
                boolean deleting,
                boolean destroyData,
                long settledSpecVersion,
                @Nullable String unplanned,
                List<NodePart> nodes,
                List<RequestRecord> requests) {
            this(
                    cluster,
                    spec,
                    created,
                    false,
                    deleting,
                    destroyData,
                    settledSpecVersion,
                    unplanned,
                    nodes,
                    requests,
                    null,
                    List.of(),
                    List.of(),
                    List.of());
        }

        /** Its authorities there for one use, wherever a server of that version reports them. */
        public Stream<AuthorityRecord> authorities(AuthorityUse use) {
            return Stream.concat(authorities.stream(), clientAuthorities.stream())
                    .filter(a -> a.name().use() == use);
        }

        /** The record of a request; empty if it is not known there, or was removed after it finished. */
        public Optional<RequestRecord> request(RequestId id) {
            return requests.stream().filter(r -> r.request().id().equals(id)).findFirst();
        }
    }

    /**
     * An authority of the cluster that is known there: the server there gives it to nodes and clients.
     *
     * @param authority by the digest of its certificate
     * @param missing the first node there whose daemon does not accept the nodes of this authority yet, and why; null
     *     if there is none
     */
    public record TrustPart(String authority, @Nullable String missing) {}

    /**
     * One node there.
     *
     * @param hostId by which the ring knows it; null before it was NORMAL, and from servers of older versions
     * @param storageEndpoint {@code address:storage_port}, at which others reach it now; null while that is not known
     * @param seed whether it is a designated seed
     * @param joined whether it was NORMAL at least once
     * @param loadBytes the data on its disk in bytes; null while it does not report
     */
    public record NodePart(
            NodeId node,
            @Nullable String hostId,
            @Nullable String storageEndpoint,
            boolean seed,
            boolean joined,
            OperatingMode mode,
            String activity,
            @Nullable Long loadBytes) {
        /** The activity of a node that is NORMAL and about to apply its newest target; its mode is then UNKNOWN. */
        public static final String APPLYING = "is applying its newest target";

        /** A node whose host id and load are not reported. */
        public NodePart(
                NodeId node,
                @Nullable String storageEndpoint,
                boolean seed,
                boolean joined,
                OperatingMode mode,
                String activity) {
            this(node, null, storageEndpoint, seed, joined, mode, activity, null);
        }
    }
}

package io.ringmaster.core.ring;

import io.ringmaster.core.view.View;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node as other nodes see it in the ring: recognised by its host id, or by its endpoint before the host id is known.
 *
 * @param name of the node, for people
 */
public record RingMember(String name, @Nullable String hostId, @Nullable String endpoint) {
    /** A node of this datacenter. */
    public static RingMember of(View view, NodeRecord node) {
        String reported = view.status(node.id())
                .filter(s -> node.replaces() == null || s.generation() >= node.generation())
                .map(NodeStatus::ring)
                .map(RingView::hostId)
                .filter(h -> !h.isEmpty())
                .orElse(null);
        String host = reported == null ? node.hostId() : reported;
        return new RingMember(
                node.id().shortName(), host, Endpoints.of(view, node).orElse(null));
    }

    /** A node of another datacenter, as its server reports it. */
    public static RingMember of(NodePart part) {
        return new RingMember(
                part.node().datacenter() + " " + part.node().shortName(), part.hostId(), part.storageEndpoint());
    }

    /** The dead node whose ranges this one takes over. */
    public static Optional<RingMember> replacedBy(NodeRecord node) {
        return Optional.ofNullable(node.replaces())
                .map(endpoint -> new RingMember(node.id().shortName(), node.replacesHost(), endpoint));
    }

    /** Whether a host id or an endpoint is known. */
    public boolean isKnown() {
        return hostId != null || endpoint != null;
    }

    /** This member as a node sees it; empty if it has not joined or has left. */
    public Optional<PeerSeen> in(RingView ring) {
        return ring.members().stream().filter(this::is).findFirst();
    }

    /** Its entries in gossip, including those that say that it has left. */
    public List<PeerSeen> tracesIn(RingView ring) {
        return ring.peers().stream().filter(this::is).toList();
    }

    public boolean isNormalIn(RingView ring) {
        return in(ring).filter(PeerSeen::isNormal).isPresent();
    }

    public boolean is(PeerSeen peer) {
        String seen = peer.hostId();
        if (hostId == null || seen == null || seen.isEmpty()) {
            return peer.endpoint().equals(endpoint);
        }
        return seen.equals(hostId);
    }

    /** For people: by its endpoint where that is known. */
    @Override
    public String toString() {
        return endpoint == null ? name : endpoint;
    }
}

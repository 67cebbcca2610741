package io.ringmaster.model.node;

import java.util.List;

/**
 * The ring as one node sees it through gossip, itself included.
 *
 * @param loadBytes live data on its disk
 * @param ownership the fraction of the token ring that is primarily its own in its datacenter, 0 to 1
 * @param pendingHintsBytes hints kept for others
 */
public record RingView(
        String hostId,
        String releaseVersion,
        String schemaVersion,
        long loadBytes,
        double ownership,
        long pendingHintsBytes,
        List<PeerSeen> peers) {

    public RingView {
        peers = List.copyOf(peers);
    }

    /**
     * One endpoint in gossip.
     *
     * @param endpoint {@code address:storage_port}
     * @param status gossip's word: NORMAL, BOOT, LEAVING, shutdown, ...
     * @param alive the failure detector's view
     */
    public record PeerSeen(
            String endpoint,
            String hostId,
            String datacenter,
            String rack,
            String status,
            boolean alive,
            String schemaVersion) {
        public boolean isNormal() {
            return alive && status.equals("NORMAL");
        }
    }
}

package io.ringmaster.wire.client;

/**
 * Options of a change.
 *
 * @param dryRun check only, and answer the plans
 * @param local do not check with the other datacenters; a server sets it when it asks another server
 * @param force remove a datacenter although clients are connected to it
 * @param allowSilentPeers proceed although an affected datacenter cannot check its part now; it follows when it is back
 */
public record ChangeOptions(boolean dryRun, boolean local, boolean allowSilentPeers, boolean force) {
    public static final ChangeOptions APPLY = new ChangeOptions(false, false, false, false);
    public static final ChangeOptions DRY_RUN = new ChangeOptions(true, false, false, false);

    String[] parameters() {
        return new String[] {
            "dryRun=" + dryRun, "local=" + local, "allowSilentPeers=" + allowSilentPeers, "force=" + force
        };
    }
}

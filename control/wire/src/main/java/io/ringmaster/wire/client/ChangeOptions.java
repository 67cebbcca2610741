package io.ringmaster.wire.client;

/**
 * How a change is made.
 *
 * @param dryRun only check, and answer the plans
 * @param local do not check with the other datacenters; servers ask each other so
 * @param force let a datacenter leave although clients are connected there
 * @param allowSilentPeers go on although a datacenter concerned cannot check its part now; it follows when it is back
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

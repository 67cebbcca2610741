package io.ringmaster.wire.client;

import io.ringmaster.model.plan.PlanDigest;
import org.jspecify.annotations.Nullable;

/**
 * Options of a change.
 *
 * @param dryRun check only, and answer the plans
 * @param local do not check with the other datacenters; a server sets it when it asks another server
 * @param force remove a datacenter although clients are connected to it
 * @param allowSilentPeers proceed although an affected datacenter cannot check its part now; it follows when it is back
 * @param ifPlan the digest of a dry run: refuse unless the plans are still those; null accepts every plan
 */
public record ChangeOptions(
        boolean dryRun, boolean local, boolean allowSilentPeers, boolean force, @Nullable PlanDigest ifPlan) {
    public static final ChangeOptions APPLY = new ChangeOptions(false, false, false, false);
    public static final ChangeOptions DRY_RUN = new ChangeOptions(true, false, false, false);

    /** Options that accept every plan. */
    public ChangeOptions(boolean dryRun, boolean local, boolean allowSilentPeers, boolean force) {
        this(dryRun, local, allowSilentPeers, force, null);
    }

    /** The same options, only for the plans of a dry run. */
    public ChangeOptions ifPlan(PlanDigest digest) {
        return new ChangeOptions(dryRun, local, allowSilentPeers, force, digest);
    }

    String[] parameters() {
        return new String[] {
            "dryRun=" + dryRun, "local=" + local, "allowSilentPeers=" + allowSilentPeers, "force=" + force
        };
    }
}

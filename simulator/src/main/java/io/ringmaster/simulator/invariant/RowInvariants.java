package io.ringmaster.simulator.invariant;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.simulator.ledger.Audit;
import io.ringmaster.simulator.world.World;
import java.util.List;

/** Whether clients read what they were promised. {@link Audit} defines that, and what is excused. */
public final class RowInvariants {
    private final World world;
    private final List<ClusterName> clusters;
    private int checked;
    private int excused;

    public RowInvariants(World world, List<ClusterName> clusters) {
        this.world = world;
        this.clusters = clusters;
    }

    /**
     * Each acknowledged row is on some volume at all times. Where rows move piece by piece, it is also read at the
     * level that acknowledged it.
     */
    public void checkMeanwhile() {
        for (ClusterName cluster : clusters) {
            world.ledgers().vanished(cluster).ifPresent(what -> {
                throw new Violation(Audit.READABLE, what);
            });
            if (world.movesRowsInPieces()) {
                world.ledgers().misread(cluster).ifPresent(what -> {
                    throw new Violation(Audit.READ, what);
                });
            }
        }
    }

    /** Checks all rows of the clusters that are as declared. */
    public void check() {
        for (ClusterName cluster : clusters) {
            world.ledgers().check(cluster).ifPresent(this::require);
        }
    }

    private void require(Audit.Result result) {
        checked += result.checked();
        excused += result.excused();
        if (result.invariant() != null) {
            throw new Violation(result.invariant(), String.valueOf(result.what()));
        }
    }

    /** How many rows had to be readable, or deleted, in the end. */
    public int checked() {
        return checked;
    }

    /** How many rows {@link Audit} excuses. */
    public int excused() {
        return excused;
    }
}

package io.ringmaster.model.spec;

import io.ringmaster.model.name.ClusterName;

/**
 * The backup that a new cluster starts from.
 *
 * @param from the location of the backup, by its name
 * @param cluster whose backup it is; it may be deleted
 * @param incarnation which one of the clusters that had this name
 * @param backup its id
 */
public record RestoreSource(String from, ClusterName cluster, String incarnation, String backup) {
    /** The command line that restores it, without the name of the program. */
    public String command(ClusterName as) {
        return "restore start " + cluster + " --as " + as + " --backup " + backup + " --from " + from;
    }

    /** {@code rides 20261124T040000Z-3f9c in main}. */
    @Override
    public String toString() {
        return cluster + " " + backup + " in " + from;
    }
}

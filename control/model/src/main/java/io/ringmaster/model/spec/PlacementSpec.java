package io.ringmaster.model.spec;

/**
 * @param nodesPerMachine the maximum number of nodes of this cluster on one machine; 1 unless the user allows more
 * @param racks what happens when a rack has no room for its next node
 */
public record PlacementSpec(int nodesPerMachine, Racks racks) {
    /** What happens when the rack whose turn it is has no room for a node. */
    public enum Racks {
        /** The node is refused if another rack would get more nodes than its share. */
        EVEN,
        /** The node goes to another rack. */
        BEST_EFFORT
    }

    public PlacementSpec {
        // specs that older versions stored do not have it
        racks = racks == null ? Racks.EVEN : racks;
    }

    /** With even racks. */
    public PlacementSpec(int nodesPerMachine) {
        this(nodesPerMachine, Racks.EVEN);
    }
}

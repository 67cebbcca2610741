package io.ringmaster.model.spec;

/** @param nodesPerMachine the maximum number of nodes of this cluster on one machine; 1 unless the user allows more */
public record PlacementSpec(int nodesPerMachine) {}

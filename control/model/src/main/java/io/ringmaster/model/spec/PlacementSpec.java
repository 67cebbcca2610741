package io.ringmaster.model.spec;

/** @param nodesPerMachine how many nodes of this cluster one machine may hold; 1 unless the user allows more */
public record PlacementSpec(int nodesPerMachine) {}

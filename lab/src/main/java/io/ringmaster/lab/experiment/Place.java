package io.ringmaster.lab.experiment;

/**
 * An experiment that is not built yet: it keeps its place in the list.
 *
 * @param seeds sources whose figures it reproduces
 */
public record Place(String name, String question, String seeds) {}

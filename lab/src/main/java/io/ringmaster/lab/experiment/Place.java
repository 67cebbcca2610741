package io.ringmaster.lab.experiment;

/** An experiment that is not built yet: it keeps its place in the list. */
public record Place(String name, String question) {}

package io.ringmaster.playground.doctor;

/** Checks one prerequisite of a playground. Changes nothing. */
@FunctionalInterface
public interface Check {
    Result look(Host host, Demand demand);
}

package io.ringmaster.playground.doctor;

/** Looks at one thing that a playground stands on. Changes nothing. */
@FunctionalInterface
public interface Check {
    Result look(Host host, Demand demand);
}

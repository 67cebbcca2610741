package io.ringmaster.model.plan;

import java.util.List;

/** A group of steps with one strategy. The phases of a plan run one after another. */
public record Phase(String name, Strategy strategy, List<StepState> steps) {
    public Phase {
        steps = List.copyOf(steps);
    }

    public enum Strategy {
        /** A step starts when the one before it is done. */
        SERIAL,
        PARALLEL
    }
}

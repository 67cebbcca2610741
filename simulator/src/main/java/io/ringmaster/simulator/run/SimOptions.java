package io.ringmaster.simulator.run;

import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.mutation.Mutation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the runs have in common.
 *
 * @param scenario {@code mixed} draws kinds of faults from the seed, {@code calm} has none; otherwise labels of
 *     {@link Fault}s, separated by commas
 * @param planted the bug in the controller
 * @param verbose receives each line of the trace when it is added
 */
public record SimOptions(String scenario, Mutation planted, Consumer<String> verbose) {
    private static final String MIXED = "mixed";
    private static final double KIND_PROBABILITY = 0.5;

    public static SimOptions mixed() {
        return new SimOptions(MIXED, Mutation.NONE, line -> {});
    }

    /** Whether faults of any kind may happen. */
    boolean isMixed() {
        return scenario.equals(MIXED);
    }

    public SimOptions with(Mutation mutation) {
        return new SimOptions(scenario, mutation, verbose);
    }

    public SimOptions with(String named) {
        return new SimOptions(named, planted, verbose);
    }

    /** @throws IllegalArgumentException naming the allowed scenarios */
    Set<Fault> faults(SeededRandom random) {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        switch (scenario) {
            case "calm" -> {}
            case MIXED -> {
                for (Fault fault : Fault.values()) {
                    if (random.chance(KIND_PROBABILITY)) {
                        faults.add(fault);
                    }
                }
            }
            default -> {
                for (String label : scenario.split(",", -1)) {
                    faults.add(fault(label));
                }
            }
        }
        return faults;
    }

    private static Fault fault(String label) {
        return Arrays.stream(Fault.values())
                .filter(f -> f.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scenario '" + label
                        + "' is unknown, allowed: mixed, calm, "
                        + Arrays.stream(Fault.values()).map(Fault::label).toList()));
    }
}

package io.ringmaster.simulator;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How to play runs.
 *
 * @param scenario {@code mixed} draws kinds of faults from the seed, {@code calm} has none, names of {@link Fault}s, separated by commas, have those kinds alone
 * @param verbose takes each line of the trace as it happens
 */
public record SimOptions(String scenario, Mutation plant, Consumer<String> verbose) {
    public static SimOptions mixed() {
        return new SimOptions("mixed", Mutation.NONE, line -> {});
    }

    public SimOptions with(Mutation planted) {
        return new SimOptions(scenario, planted, verbose);
    }

    public SimOptions with(String named) {
        return new SimOptions(named, plant, verbose);
    }

    /** @throws IllegalArgumentException naming the scenarios that there are */
    Set<Fault> faults(SeededRandom chance) {
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        switch (scenario) {
            case "calm" -> {}
            case "mixed" -> {
                for (Fault fault : Fault.values()) {
                    if (chance.one(0.5)) {
                        faults.add(fault);
                    }
                }
            }
            default -> {
                for (String name : scenario.split(",", -1)) {
                    faults.add(fault(name));
                }
            }
        }
        return faults;
    }

    private static Fault fault(String name) {
        for (Fault fault : Fault.values()) {
            if (label(fault).equals(name)) {
                return fault;
            }
        }
        throw new IllegalArgumentException("scenario '" + name + "' is unknown, allowed: mixed, calm, "
                + EnumSet.allOf(Fault.class).stream().map(SimOptions::label).toList());
    }

    private static String label(Fault fault) {
        return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

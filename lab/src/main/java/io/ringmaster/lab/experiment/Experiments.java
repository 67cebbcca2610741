package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Experiment;
import java.util.List;
import java.util.Optional;

/** All experiments: one line each. */
public final class Experiments {
    public static final List<Experiment> BUILT = List.of(
            new Startup(),
            new Collectors(),
            new ReplicationDelay(),
            new Million(),
            new ThirdLost(),
            new Response(),
            new StorageEngines());

    public static final List<Place> PLACES = List.of(
            new Place("workload", "How much of the locations workload do two cores hold?"),
            new Place("container", "What do limits and containers cost?"),
            new Place("packing", "How many machines does sharing save, and what does it cost in p99?"),
            new Place("scale", "What does a server do with 1,000 clusters on 10,000 machines?"),
            new Place("from-nothing", "How long from a clone to a loaded cluster?"),
            new Place("sustainable", "Which rate keeps a service level, by configuration?"));

    private Experiments() {}

    public static Optional<Experiment> named(String name) {
        return BUILT.stream().filter(e -> e.name().equals(name)).findFirst();
    }
}

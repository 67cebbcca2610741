package io.ringmaster.simulator;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run: users and faults for a while, then only mending, until all is as declared. */
public final class Simulation {
    private static final int FAULTS_LEAST_MILLIS = 60_000;
    private static final int FAULTS_MOST_MILLIS = 180_000;
    private static final int CONVERGE_MILLIS = 900_000;
    private static final int MEND_MILLIS = 8000;
    /** Of so many runs two have clusters that change their datacenters. */
    private static final int KINDS = 10;

    private final World world;
    private final Trace trace;
    private final Workload workload;
    private final Operator operator;
    private final Convergence convergence;
    private final Set<Fault> faults;
    private final long seed;

    /**
     * How a run ended.
     *
     * @param violation what went wrong, or null
     * @param invariant the name of what was violated, or null
     * @param lines the end of the trace
     * @param digest equal for equal traces
     * @param virtualMillis how much time passed in the run
     */
    public record Outcome(
            long seed,
            String faults,
            @Nullable String invariant,
            @Nullable String violation,
            List<String> lines,
            long digest,
            long virtualMillis) {
        public boolean passed() {
            return violation == null;
        }
    }

    private Simulation(long seed, SimOptions options) {
        this.seed = seed;
        VirtualClock timeline = new VirtualClock();
        SeededRandom chance = new SeededRandom(seed);
        this.trace = new Trace(timeline, options.verbose());
        this.faults = options.faults(chance);
        this.world = new World(timeline, chance, trace, faults, options.plant());
        World.DATACENTERS.forEach(d -> world.datacenters.put(d, new Datacenter(world, d)));
        SimServers servers = new SimServers(world);
        this.workload = new Workload(world, servers, moves(seed));
        this.operator = new Operator(world, servers);
        this.convergence = new Convergence(world);
    }

    private static Workload.Moves moves(long seed) {
        return switch ((int) (seed % KINDS)) {
            case 3 -> Workload.Moves.FROM_ALL;
            case 7 -> Workload.Moves.FROM_ONE;
            default -> Workload.Moves.NO;
        };
    }

    /** Plays the run of a seed; the same seed gives the same trace. */
    public static Outcome run(long seed, SimOptions options) {
        return new Simulation(seed, options).play();
    }

    private Outcome play() {
        String invariant = null;
        String violation = null;
        try {
            trouble();
            mending();
        } catch (Violation e) {
            invariant = e.invariant();
            violation = e.getMessage();
        } catch (RuntimeException e) {
            invariant = "no-exception";
            StackTraceElement[] at = e.getStackTrace();
            violation = "no-exception: " + e + (at.length == 0 ? "" : " at " + at[0]);
        }
        return new Outcome(
                seed,
                faults.toString(),
                invariant,
                violation,
                trace.lines(),
                trace.digest(),
                world.timeline.nowMillis());
    }

    private void trouble() {
        world.datacenters.values().forEach(Datacenter::elect);
        world.timeline.every(1000, new RecordInvariants(world)::check);
        new FaultInjector(world).start();
        workload.start();
        playUntil(world.chance.between(FAULTS_LEAST_MILLIS, FAULTS_MOST_MILLIS));
    }

    private void mending() {
        trace.add("run", "faults stop");
        workload.stop();
        world.stopFaults();
        long end = world.timeline.nowMillis() + CONVERGE_MILLIS;
        playUntil(world.timeline.nowMillis() + MEND_MILLIS);
        operator.replaceBadSpecs();
        playUntil(world.timeline.nowMillis() + MEND_MILLIS);
        Optional<String> missing = convergence.missing();
        while (missing.isPresent()) {
            if (world.timeline.nowMillis() > end) {
                throw new Violation("converges", missing.get());
            }
            operator.replaceBadSpecs();
            operator.mend();
            playUntil(world.timeline.nowMillis() + MEND_MILLIS);
            missing = convergence.missing();
        }
        trace.add("run", "all is as declared");
    }

    private void playUntil(long millis) {
        while (world.timeline.nowMillis() < millis) {
            world.timeline.step();
        }
    }
}

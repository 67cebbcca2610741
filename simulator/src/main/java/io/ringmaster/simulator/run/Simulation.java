package io.ringmaster.simulator.run;

import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.datacenter.LostRequests;
import io.ringmaster.simulator.fault.ActiveFaults;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.fault.FaultInjector;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.Trace;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.invariant.ClientInvariants;
import io.ringmaster.simulator.invariant.Convergence;
import io.ringmaster.simulator.invariant.PoolInvariants;
import io.ringmaster.simulator.invariant.RecordInvariants;
import io.ringmaster.simulator.invariant.RingInvariants;
import io.ringmaster.simulator.invariant.RowInvariants;
import io.ringmaster.simulator.invariant.Violation;
import io.ringmaster.simulator.invariant.VolumeInvariants;
import io.ringmaster.simulator.invariant.WorkInvariants;
import io.ringmaster.simulator.invariant.WorldInvariants;
import io.ringmaster.simulator.user.BusyUser;
import io.ringmaster.simulator.user.CarelessUser;
import io.ringmaster.simulator.user.FirstRingCut;
import io.ringmaster.simulator.user.ImpatientUser;
import io.ringmaster.simulator.user.LateMend;
import io.ringmaster.simulator.user.Operator;
import io.ringmaster.simulator.user.SecondRounds;
import io.ringmaster.simulator.user.SecurityUser;
import io.ringmaster.simulator.user.UserRequests;
import io.ringmaster.simulator.user.Workload;
import io.ringmaster.simulator.world.BrokenStreams;
import io.ringmaster.simulator.world.BrokenWork;
import io.ringmaster.simulator.world.FailingExecutors;
import io.ringmaster.simulator.world.LostMachines;
import io.ringmaster.simulator.world.PoolKind;
import io.ringmaster.simulator.world.SuspendedDaemons;
import io.ringmaster.simulator.world.UnevenFaults;
import io.ringmaster.simulator.world.World;
import io.ringmaster.simulator.world.WrongClocks;
import io.ringmaster.simulator.world.WrongServerClocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One run: users and faults for a while, then repair without faults until every cluster is as its spec declares. */
public final class Simulation {
    /** Far from the seeds that users count up. */
    private static final long BROKEN_WORK = 0x5EED_0F00_1234_5677L;

    private static final long BROKEN_STREAMS = BROKEN_WORK << 1;
    private static final long SUSPENDED_DAEMONS = BROKEN_WORK << 2;
    private static final long WRONG_CLOCKS = BROKEN_WORK << 3;
    private static final long WRONG_SERVER_CLOCKS = BROKEN_WORK << 4;
    private static final long FAILING_EXECUTORS = BROKEN_WORK << 5;
    private static final long SECURITY_USER = BROKEN_WORK << 6;
    private static final long LOST_MACHINES = BROKEN_WORK << 7;

    private static final int MIN_FAULTS_MILLIS = 60_000;
    private static final int MAX_FAULTS_MILLIS = 180_000;
    private static final int CONVERGENCE_LIMIT_MILLIS = 900_000;

    /** Second rounds take longer: a node may have to wait until the others take one at its endpoint again. */
    private static final int ROUNDS_FACTOR = 8;

    private static final int REPAIR_INTERVAL_MILLIS = 8000;
    private static final int CHECK_INTERVAL_MILLIS = 1000;
    private static final int ROW_CHECK_INTERVAL_MILLIS = 5000;

    private final VirtualClock clock = new VirtualClock();
    private final SeededRandom random;
    private final Trace trace;
    private final World world;
    private final Datacenters datacenters;
    private final Workload workload;
    private final Optional<ImpatientUser> impatient;
    private final Optional<SecondRounds> rounds;
    private final List<Participant> others;
    private final Operator operator;
    private final Convergence convergence;
    private final RowInvariants rows;
    private final VolumeInvariants volumes;
    private final RingInvariants rings;
    private final WorkInvariants work;
    private final ClientInvariants clients;
    private final FaultInjector injector;
    private final Set<Fault> faults;
    private final long seed;

    /**
     * How a run ended.
     *
     * @param faults the kinds of faults that the run had
     * @param invariant the name of the broken invariant, or null
     * @param violation what happened, or null
     * @param lines the end of the trace
     * @param digest equal for equal traces
     * @param virtualMillis the virtual time that passed
     * @param rowsChecked the rows that had to be readable, or deleted, in the end
     * @param rowsExcused the rows that {@link io.ringmaster.simulator.ledger.Audit} excuses
     */
    public record Outcome(
            long seed,
            String faults,
            @Nullable String invariant,
            @Nullable String violation,
            List<String> lines,
            long digest,
            long virtualMillis,
            int rowsChecked,
            int rowsExcused) {
        public boolean passed() {
            return violation == null;
        }

        Outcome withoutLines() {
            return new Outcome(
                    seed, faults, invariant, violation, List.of(), digest, virtualMillis, rowsChecked, rowsExcused);
        }
    }

    private Simulation(long seed, SimOptions options) {
        this.seed = seed;
        this.random = new SeededRandom(seed);
        this.trace = new Trace(clock, options.verbose());
        this.faults = options.faults(random);
        ActiveFaults active = new ActiveFaults(faults);
        List<PoolKind> kinds = PoolKind.of(seed);
        this.world = new World(clock, random, trace, active, options.planted(), kinds);
        this.world.ledgers().admitClients(new SeededRandom(~seed));
        if (SeedKind.movesRowsInPieces(seed)) {
            this.world.moveRowsInPieces();
        }
        if (SeedKind.breaksWork(seed)) {
            this.world.breakWork(BrokenWork.ofEveryKind(new SeededRandom(seed + BROKEN_WORK)));
        } else if (SeedKind.failsRepairs(seed)) {
            this.world.breakWork(BrokenWork.repairs(new SeededRandom(seed + BROKEN_WORK)));
        }
        if (SeedKind.hasSilentDaemons(seed)) {
            this.world.keepFailedJoins();
            this.world.recordRepairs();
            this.world.needReplicasToCompare();
        }
        if (SeedKind.hasSecuredClusters(seed)) {
            this.world.knowTls();
        }
        this.trace.add("run", "pools: " + kinds);
        this.datacenters = new Datacenters(world);
        world.listen(new WorldInvariants(world), new PoolInvariants(world));
        UserRequests requests = new UserRequests(world, datacenters);
        this.workload = new Workload(world, datacenters, requests, SeedKind.moves(seed), SeedKind.specs(seed));
        this.impatient = SeedKind.hasImpatientUser(seed)
                ? Optional.of(
                        new ImpatientUser(clock, datacenters, requests, new SeededRandom(SeedKind.ofOthers(seed))))
                : Optional.empty();
        this.rounds = SeedKind.hasSecondRounds(seed)
                ? Optional.of(new SecondRounds(
                        world, datacenters, workload, requests, new SeededRandom(SeedKind.ofOthers(seed))))
                : Optional.empty();
        this.others = others(seed, requests, options.isMixed());
        this.operator = new Operator(world, datacenters, requests);
        this.convergence = new Convergence(world, datacenters);
        this.rows = new RowInvariants(world, Workload.CLUSTERS);
        this.volumes = new VolumeInvariants(world);
        this.rings = new RingInvariants(world);
        this.work = new WorkInvariants(world);
        this.clients = new ClientInvariants(world);
        this.injector = new FaultInjector(active, datacenters, clock, random, trace);
    }

    private List<Participant> others(long seed, UserRequests requests, boolean mixed) {
        if (rounds.isPresent()) {
            return List.of(rounds.get());
        }
        List<Participant> all = new ArrayList<>();
        impatient.ifPresent(all::add);
        if (SeedKind.hasCarelessUser(seed)) {
            all.add(new CarelessUser(world, workload, requests, new SeededRandom(SeedKind.ofOthers(seed))));
        }
        if (SeedKind.losesRequests(seed)) {
            all.add(new BusyUser(clock, requests, new SeededRandom(SeedKind.ofOthers(seed) + 1)));
            all.add(new LostRequests(world, datacenters, new SeededRandom(SeedKind.ofOthers(seed))));
        }
        if (SeedKind.hasUnevenFaults(seed)) {
            all.add(new UnevenFaults(world, new SeededRandom(SeedKind.ofOthers(seed) + 3)));
        }
        if (SeedKind.hasSilentDaemons(seed)) {
            all.add(new BrokenStreams(world, new SeededRandom(seed + BROKEN_STREAMS)));
            all.add(new SuspendedDaemons(world, new SeededRandom(seed + SUSPENDED_DAEMONS)));
            all.add(new WrongClocks(world, new SeededRandom(seed + WRONG_CLOCKS)));
            all.add(new WrongServerClocks(world, new SeededRandom(seed + WRONG_SERVER_CLOCKS)));
            all.add(new FailingExecutors(world, new SeededRandom(seed + FAILING_EXECUTORS)));
        }
        if (SeedKind.hasSecuredClusters(seed)) {
            all.add(new LostMachines(world, new SeededRandom(seed + LOST_MACHINES)));
            all.add(new SecurityUser(clock, requests, new SeededRandom(seed + SECURITY_USER)));
        }
        if (mixed && SeedKind.mendsLate(seed)) {
            all.add(new LateMend(world, datacenters, requests, new SeededRandom(SeedKind.ofOthers(seed) + 2)));
        }
        if (mixed && SeedKind.cutsFirstRings(seed)) {
            all.add(new FirstRingCut(world, datacenters, new SeededRandom(SeedKind.ofOthers(seed) + 2)));
        }
        return all;
    }

    /** Plays the run of a seed; the same seed gives the same trace. */
    public static Outcome run(long seed, SimOptions options) {
        return new Simulation(seed, options).play();
    }

    private Outcome play() {
        String invariant = null;
        String violation = null;
        try {
            playFaults();
            playRepair();
            rounds.ifPresent(this::playEnd);
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
                clock.nowMillis(),
                rows.checked(),
                rows.excused());
    }

    private void playFaults() {
        datacenters.all().forEach(Datacenter::elect);
        clock.every(CHECK_INTERVAL_MILLIS, new RecordInvariants(world, datacenters)::check);
        clock.every(CHECK_INTERVAL_MILLIS, this::checkRings);
        injector.start();
        if (rounds.isEmpty()) {
            workload.start();
        }
        others.forEach(Participant::start);
        clock.runUntil(faultsFactor() * random.between(MIN_FAULTS_MILLIS, MAX_FAULTS_MILLIS));
    }

    /** One action: an event of its own could end a phase of the run at another time, and change the history. */
    private void checkRings() {
        rings.check();
        work.check();
        Workload.CLUSTERS.forEach(clients::check);
        world.ledgers().advance(Workload.CLUSTERS);
        if (clock.nowMillis() % ROW_CHECK_INTERVAL_MILLIS == 0) {
            rows.checkMeanwhile();
        }
    }

    private void playRepair() {
        trace.add("run", "faults stop");
        workload.stop();
        others.forEach(Participant::stop);
        world.stopFaults();
        long end = limit();
        clock.runUntil(clock.nowMillis() + REPAIR_INTERVAL_MILLIS);
        operator.replaceBadSpecs();
        clock.runUntil(clock.nowMillis() + REPAIR_INTERVAL_MILLIS);
        reach(end, this::missing, () -> {});
        trace.add("run", "every cluster is as declared");
        rows.check();
    }

    /** Everything is deleted; then nothing may be left. */
    private void playEnd(SecondRounds user) {
        trace.add("run", "every cluster is deleted with its data");
        reach(limit(), () -> volumes.declared(Workload.CLUSTERS).or(this::missing), user::deleteAll);
        volumes.checkDeleted(user.deleted());
        trace.add("run", "every kept volume is discarded");
        reach(limit(), volumes::left, user::discardAll);
    }

    private long limit() {
        return clock.nowMillis() + factor() * CONVERGENCE_LIMIT_MILLIS;
    }

    /** A daemon that stands still for minutes leaves less time for everything else. */
    private long faultsFactor() {
        return SeedKind.hasSilentDaemons(seed) ? 2 : factor();
    }

    private long factor() {
        return rounds.isPresent() ? ROUNDS_FACTOR : 1;
    }

    /** @param more what a user does at each repair */
    private void reach(long end, Supplier<Optional<String>> difference, Runnable more) {
        Optional<String> missing = difference.get();
        while (missing.isPresent()) {
            if (clock.nowMillis() > end) {
                Optional<String> closed = clients.closed(Workload.CLUSTERS);
                throw new Violation(closed.isPresent() ? "open-in-the-end" : "converges", closed.orElse(missing.get()));
            }
            more.run();
            operator.replaceBadSpecs();
            operator.repair();
            impatient.ifPresent(ImpatientUser::deployForced);
            clock.runUntil(clock.nowMillis() + REPAIR_INTERVAL_MILLIS);
            missing = difference.get();
        }
    }

    private Optional<String> missing() {
        return convergence.missing(Workload.CLUSTERS).or(() -> clients.closed(Workload.CLUSTERS));
    }
}

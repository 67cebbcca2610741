package io.ringmaster.simulator.run;

import io.ringmaster.simulator.user.Workload;
import java.util.Set;

/** What the size and the last digits of a seed add to its run: who takes part, which clusters change, what fails. */
final class SeedKind {
    private static final int DIGITS = 10;
    /** Far from the seeds that users count up. */
    private static final long OTHERS = 0x0DD5_0F00_1234_5677L;

    private static final long FIRST_WITH_FAILED_REPAIRS = 1_000_000;
    private static final long FIRST_WITH_RARE_FAULTS = 10_000;
    private static final long FIRST_WITH_SECOND_ROUNDS = 2_000_000_000;
    private static final long FIRST_WITH_BROKEN_WORK = 3_000_000_000L;
    private static final long FIRST_WITH_ROWS_IN_PIECES = 4_000_000_000L;
    private static final long FIRST_WITH_UNEVEN_FAULTS = 5_000_000_000L;
    private static final long FIRST_WITH_SPECS_OF_PRODUCTION = 6_000_000_000L;
    private static final long FIRST_WITH_SILENT_DAEMONS = 7_000_000_000L;
    private static final long FIRST_WITH_SECURED_CLUSTERS = 8_000_000_000L;

    private SeedKind() {}

    /** The only user goes every way out again, and nobody else takes part. */
    static boolean hasSecondRounds(long seed) {
        return seed >= FIRST_WITH_SECOND_ROUNDS && seed < FIRST_WITH_BROKEN_WORK;
    }

    /** Tasks of every kind and joins fail until the faults stop, half of them in the middle. */
    static boolean breaksWork(long seed) {
        return seed >= FIRST_WITH_BROKEN_WORK;
    }

    /** Rows move piece by piece, and are read meanwhile. */
    static boolean movesRowsInPieces(long seed) {
        return seed >= FIRST_WITH_ROWS_IN_PIECES;
    }

    /** One datacenter is not heard by the other, clocks step, and disks are full for a while. */
    static boolean hasUnevenFaults(long seed) {
        return seed >= FIRST_WITH_UNEVEN_FAULTS && !(hasSilentDaemons(seed) && digit(seed / DIGITS) % 2 == 1);
    }

    /** Clusters have the preset and the backups of production, or not; transfers fail as other work does. */
    static Workload.Specs specs(long seed) {
        return hasSecuredClusters(seed)
                ? Workload.Specs.FULL
                : seed >= FIRST_WITH_SPECS_OF_PRODUCTION ? Workload.Specs.OF_PRODUCTION : Workload.Specs.PLAIN;
    }

    /**
     * Daemons stay up after a failed bootstrap or stand still, executors start none for minutes, streams break, what is
     * compared does not answer, and clocks are hours wrong.
     */
    static boolean hasSilentDaemons(long seed) {
        return seed >= FIRST_WITH_SILENT_DAEMONS;
    }

    /** Clusters start from backups, and have roles and TLS, or not; a machine is lost for good. */
    static boolean hasSecuredClusters(long seed) {
        return seed >= FIRST_WITH_SECURED_CLUSTERS;
    }

    /** The seed of the numbers of those who take part. Below the silent daemons, neighbouring seeds share most. */
    static long ofOthers(long seed) {
        return hasSilentDaemons(seed) ? seed + OTHERS : Long.reverse(seed);
    }

    static Workload.Moves moves(long seed) {
        return switch (digit(seed)) {
            case 3 -> Workload.Moves.FROM_ALL_DATACENTERS;
            case 7 -> Workload.Moves.FROM_ONE_DATACENTER;
            case 0 -> seed % (2 * DIGITS) == 0 ? Workload.Moves.FROM_ALL_DATACENTERS : Workload.Moves.NONE;
            default -> Workload.Moves.NONE;
        };
    }

    /** A user declares steps done and aborts plans often. */
    static boolean hasImpatientUser(long seed) {
        return !hasSecondRounds(seed) && digit(seed) == 0;
    }

    /** A user adds nodes and cleans up at any time. */
    static boolean hasCarelessUser(long seed) {
        return hasSilentDaemons(seed) || Set.of(2, 4, 8, 9).contains(digit(seed));
    }

    /** A user compacts often, and stores lose finished requests. */
    static boolean losesRequests(long seed) {
        return digit(seed) == 1 || digit(seed) == 6;
    }

    /** Repairs fail until the faults stop. Smaller seeds keep the histories for which they were recorded. */
    static boolean failsRepairs(long seed) {
        return seed >= FIRST_WITH_FAILED_REPAIRS && Set.of(3, 5, 8).contains(digit(seed));
    }

    /** Nodes exit beside others that are down, and a user mends them in a congested network. */
    static boolean mendsLate(long seed) {
        return seed >= FIRST_WITH_RARE_FAULTS && Set.of(0, 1).contains(digit(seed / DIGITS));
    }

    /** The datacenters are separated when the first nodes of a cluster start. */
    static boolean cutsFirstRings(long seed) {
        return seed >= FIRST_WITH_RARE_FAULTS && Set.of(2, 3).contains(digit(seed / DIGITS));
    }

    private static int digit(long seed) {
        return (int) (seed % DIGITS);
    }
}

package io.ringmaster.lab.experiment;

/**
 * Processor time of nodes, in seconds for a million acknowledged writes.
 *
 * @param idle what the nodes use without load
 * @param perWrite all else
 */
record WriteCost(double idle, double perWrite) {
    private static final double MILLION = 1e6;
    private static final double SOURCE_SECONDS = 4_200;
    /** Of 300 data nodes; the 8 of each is in the author's instructions. */
    private static final double SOURCE_CPUS = 300 * 8;

    /** $330 for 70 minutes, disks and loaders included: dollars for a second of one processor. */
    static final double PRICE = 330 / (SOURCE_SECONDS * SOURCE_CPUS);
    /** The same from the $0.07 for a million writes of the source's text. */
    static final double TEXT_PRICE = 0.07 / SOURCE_CPUS;

    /**
     * @param cpuS processor time of the nodes in the window
     * @param idleCores what the same nodes use without load
     * @param seconds length of the window
     */
    static WriteCost of(double cpuS, double idleCores, double seconds, long acknowledged) {
        double idle = perMillion(idleCores * seconds, acknowledged);
        return new WriteCost(idle, perMillion(cpuS, acknowledged) - idle);
    }

    static double perMillion(double cpuS, long acknowledged) {
        return cpuS / acknowledged * MILLION;
    }

    double total() {
        return idle + perWrite;
    }

    /** Idle part, 0 to 1. */
    double idleShare() {
        return idle / total();
    }

    /**
     * Dollars for a million writes.
     *
     * @param used share of the nodes' quota that is used at the held rate: the rest is paid for too
     * @param generator its processor time, in seconds for a million writes
     * @param price dollars for a second of one processor
     */
    static double dollars(double nodes, double used, double generator, double price) {
        return (nodes / used + generator) * price;
    }
}

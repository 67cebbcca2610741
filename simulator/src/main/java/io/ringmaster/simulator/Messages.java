package io.ringmaster.simulator;

/** The network: messages may come late, twice, out of order. */
final class Messages {
    private static final double LATE = 0.05;
    private static final double TWICE = 0.05;
    private static final double LOST = 0.05;
    private static final int LATE_MILLIS = 5000;

    private Messages() {}

    /** Facts of the pool and the executors are told again until they arrive, so none is lost for ever. */
    static void send(World world, int least, int most, Runnable arrives) {
        world.timeline.in(delay(world, least, most), arrives);
        if (world.faultsOn(Fault.MESSAGES) && world.chance.one(TWICE)) {
            world.timeline.in(delay(world, least, most), arrives);
        }
    }

    /** Requests over the network may be lost. */
    static void sendOrLose(World world, int least, int most, Runnable arrives) {
        if (!world.faultsOn(Fault.MESSAGES) || !world.chance.one(LOST)) {
            send(world, least, most, arrives);
        }
    }

    private static int delay(World world, int least, int most) {
        boolean late = world.faultsOn(Fault.MESSAGES) && world.chance.one(LATE);
        return late ? world.chance.between(most, LATE_MILLIS) : world.chance.between(least, most);
    }
}

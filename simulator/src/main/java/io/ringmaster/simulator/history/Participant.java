package io.ringmaster.simulator.history;

/** Someone or something that acts at random intervals until the faults of a run stop. */
public abstract class Participant {
    /** Not that of the run, so that the rest of the history is the same without this participant. */
    protected final SeededRandom random;

    private final VirtualClock clock;
    private final int minMillis;
    private final int maxMillis;
    private boolean stopped;

    /**
     * @param minMillis the shortest interval
     * @param maxMillis the longest interval
     */
    protected Participant(VirtualClock clock, SeededRandom random, int minMillis, int maxMillis) {
        this.clock = clock;
        this.random = random;
        this.minMillis = minMillis;
        this.maxMillis = maxMillis;
    }

    public final void start() {
        later(minMillis, maxMillis, () -> {
            act();
            start();
        });
    }

    public final void stop() {
        stopped = true;
    }

    protected abstract void act();

    /** Does something once after a random time, unless it is stopped until then. */
    protected final void later(int fromMillis, int toMillis, Runnable action) {
        clock.after(random.between(fromMillis, toMillis), () -> {
            if (!stopped) {
                action.run();
            }
        });
    }
}

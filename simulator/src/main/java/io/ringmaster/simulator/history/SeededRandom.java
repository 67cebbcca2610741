package io.ringmaster.simulator.history;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The only source of randomness in a run. */
public final class SeededRandom {
    private final Random random;

    public SeededRandom(long seed) {
        // Random's first numbers of neighbouring seeds are alike, and users count seeds up.
        random = new Random(seed * 0x9E3779B97F4A7C15L ^ 0x6A09E667F3BCC909L);
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Both ends included. */
    public int between(int from, int to) {
        return from + random.nextInt(to - from + 1);
    }

    public long nextSeed() {
        return random.nextLong();
    }

    /** One of a list that is not empty. */
    public <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** One of the list; empty if the list is empty, without a draw. */
    public <T> Optional<T> any(List<T> from) {
        return from.isEmpty() ? Optional.empty() : Optional.of(pick(from));
    }
}

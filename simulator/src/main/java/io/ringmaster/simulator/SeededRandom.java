package io.ringmaster.simulator;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The only source of chance in a run. */
final class SeededRandom {
    private final Random random;

    SeededRandom(long seed) {
        // Random's first numbers of neighbouring seeds are alike; users count seeds up.
        random = new Random(seed * 0x9E3779B97F4A7C15L ^ 0x6A09E667F3BCC909L);
    }

    boolean one(double probability) {
        return random.nextDouble() < probability;
    }

    /** Both ends included. */
    int between(int from, int to) {
        return from + random.nextInt(to - from + 1);
    }

    long seed() {
        return random.nextLong();
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    <T> Optional<T> any(List<T> from) {
        return from.isEmpty() ? Optional.empty() : Optional.of(pick(from));
    }
}

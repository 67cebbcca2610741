package io.ringmaster.engine;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.ThrowingConsumer;

/** Repeats a test of random choices. {@code -Dengine.seeds=5000} is for more, {@code -Dengine.seed=N} for one. */
public final class RandomSeeds {
    /** The same in each run, so that a new failure has a new cause. */
    private static final long FIRST = 1;

    private RandomSeeds() {}

    /** @param usual number of seeds unless a property says otherwise */
    public static Stream<DynamicTest> each(long usual, ThrowingConsumer<Long> test) {
        Long only = Long.getLong("engine.seed");
        long first = only != null ? only : FIRST;
        long count = only != null ? 1 : Long.getLong("engine.seeds", usual);
        return LongStream.range(first, first + count)
                .mapToObj(seed -> DynamicTest.dynamicTest("engine.seed=" + seed, () -> test.accept(seed)));
    }
}

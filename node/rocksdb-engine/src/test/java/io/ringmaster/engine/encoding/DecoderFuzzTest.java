package io.ringmaster.engine.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.RandomSeeds;
import io.ringmaster.engine.RandomUpdate;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Random and mutated values are decoded or rejected, within bounded time and memory. {@code native/src/fuzz.rs} does
 * the same to the native library.
 *
 * <p>{@code -Dengine.seeds=5000} runs more seeds, {@code -Dengine.seed=N} repeats one.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DecoderFuzzTest {
    private static final int MUTATIONS = 40;

    /** What a rejection and Cassandra's objects may take. */
    private static final long ALLOCATION = 1 << 20;

    private static final int ALLOCATION_PER_BYTE = 500;

    @TestFactory
    Stream<DynamicTest> malformedValuesAreRejected() {
        InProcess.start();
        return RandomSeeds.each(60, DecoderFuzzTest::decodeMutations);
    }

    private static void decodeMutations(long seed) {
        Random random = new Random(seed);
        RandomOperands written = new RandomOperands(random, 10, RandomUpdate.LATER);
        written.byKey().forEach((key, operands) -> {
            byte[] value = RandomOperands.concatenated(operands);
            for (int i = 0; i < MUTATIONS; i++) {
                decode(key, random.nextInt(10) == 0 ? bytes(random, 100) : mutated(value, random), written);
            }
        });
    }

    private static void decode(ByteBuffer key, byte[] value, RandomOperands written) {
        long before = allocatedBytes();
        try {
            PartitionRecord stored = written.decoded(key, value);
            assertThat(stored.maxTimestamp()).isBetween(Long.MIN_VALUE, Long.MAX_VALUE);
        } catch (MalformedValueException e) {
            assertThat(e).hasMessageContaining(written.metadata().toString());
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    written.metadata().toCqlString(false, false, false) + " of "
                            + HexFormat.of().formatHex(value),
                    e);
        }
        assertThat(allocatedBytes() - before)
                .as(() -> "bytes allocated for " + HexFormat.of().formatHex(value))
                .isLessThan(ALLOCATION + (long) ALLOCATION_PER_BYTE * value.length);
    }

    private static long allocatedBytes() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static byte[] bytes(Random random, int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] mutated(byte[] value, Random random) {
        byte[] mutated = value.clone();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(mutated.length + 1);
            mutated = switch (random.nextInt(5)) {
                case 0 -> Arrays.copyOf(mutated, at);
                case 1 -> spliced(mutated, at, 0, bytes(random, 8));
                case 2 -> spliced(mutated, at, random.nextInt(8), new byte[0]);
                case 3 -> spliced(mutated, at, 4, number(random));
                default -> spliced(mutated, at, 1, bytes(random, 1));
            };
        }
        return mutated;
    }

    /** A length or count that is far too large, or zero. */
    private static byte[] number(Random random) {
        List<Integer> numbers = List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 28, 0x0fffffff, 0);
        return ByteBuffer.allocate(4)
                .putInt(numbers.get(random.nextInt(numbers.size())))
                .array();
    }

    private static byte[] spliced(byte[] bytes, int at, int removed, byte[] inserted) {
        int rest = Math.min(bytes.length, at + removed);
        ByteBuffer spliced = ByteBuffer.allocate(at + inserted.length + bytes.length - rest);
        return spliced.put(bytes, 0, at)
                .put(inserted)
                .put(bytes, rest, bytes.length - rest)
                .array();
    }

    @Test
    void theErrorNamesTheTableAndThePlace() {
        InProcess.start();
        RandomOperands written = new RandomOperands(new Random(1), 5, RandomUpdate.LATER);
        ByteBuffer key = written.byKey().keySet().iterator().next();
        assertThatThrownBy(() -> written.decoded(key, new byte[] {0, 0, 0, 9, 0}))
                .isInstanceOf(MalformedValueException.class)
                .hasMessageContaining("at byte 4 of 5");
    }
}

package io.ringmaster.engine.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.RandomSeeds;
import io.ringmaster.engine.RandomUpdate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The native library and the decoder in Java merge the operands of a key to the same record, for any grouping of the
 * operands into native merges.
 *
 * <p>{@code -Dengine.seeds=5000} runs more seeds, {@code -Dengine.seed=N} repeats one.
 */
class NativeMergeProperties {
    @TestFactory
    Stream<DynamicTest> nativeMergesEqualThoseInJava() {
        NativeFold fold = NativeFold.load();
        assumeThat(fold).as("the native library, which needs Rust").isNotNull();
        InProcess.start();
        return RandomSeeds.each(200, seed -> compare(seed, fold));
    }

    private static void compare(long seed, NativeFold fold) {
        Random random = new Random(seed);
        RandomOperands written = new RandomOperands(random, 60, RandomUpdate.LATER);
        written.byKey().forEach((key, operands) -> {
            List<String> inJava = shown(written, key, RandomOperands.concatenated(operands));
            for (int i = 0; i < 3; i++) {
                List<byte[]> grouped = grouped(operands, random, fold);
                assertThat(shown(written, key, RandomOperands.concatenated(grouped)))
                        .as("some merged natively, then all in Java")
                        .isEqualTo(inJava);
                byte[] all = fold.full(grouped.get(0), grouped.subList(1, grouped.size()));
                assertThat(shown(written, key, all)).as("merged natively").isEqualTo(inJava);
                assertThat(shown(written, key, fold.partial(List.of(all, all))))
                        .as("merged with itself")
                        .isEqualTo(inJava);
            }
        });
    }

    /** The operands, some runs of them merged. */
    private static List<byte[]> grouped(List<byte[]> operands, Random random, NativeFold fold) {
        List<byte[]> grouped = new ArrayList<>();
        for (int from = 0; from < operands.size(); ) {
            int to = Math.min(operands.size(), from + 1 + random.nextInt(4));
            grouped.add(fold.partial(operands.subList(from, to)));
            from = to;
        }
        return grouped;
    }

    private static List<String> shown(RandomOperands written, ByteBuffer key, byte[] value) {
        return written.shown(written.decoded(key, value));
    }
}

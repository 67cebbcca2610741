package io.ringmaster.engine.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.RandomSeeds;
import io.ringmaster.engine.RandomUpdate;
import io.ringmaster.engine.encoding.CollectionElements;
import io.ringmaster.engine.encoding.NativeFold;
import io.ringmaster.engine.encoding.PartitionRecord;
import io.ringmaster.engine.encoding.RandomOperands;
import io.ringmaster.engine.store.PurgeRules;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The compaction filter of the native library and the purge in Java leave the same of a record, merged before or not.
 *
 * <p>{@code -Dengine.seeds=5000} runs more seeds, {@code -Dengine.seed=N} repeats one.
 */
class NativePurgeProperties {
    @TestFactory
    Stream<DynamicTest> nativePurgesEqualThoseInJava() {
        NativeFold fold = NativeFold.load();
        assumeThat(fold).as("the native library, which needs Rust").isNotNull();
        InProcess.start();
        return RandomSeeds.each(200, seed -> compare(seed, fold));
    }

    private static void compare(long seed, NativeFold fold) {
        Random random = new Random(seed);
        long now = FBUtilities.nowInSeconds();
        long localTime = random.nextInt(4) == 0 ? RandomUpdate.LATER : now - 1000;
        RandomOperands written = new RandomOperands(random, 30, localTime);
        boolean isAmbiguous = CollectionElements.areAmbiguous(written.metadata());
        boolean keepsAll = random.nextInt(8) == 0;
        PurgeRules rules = new PurgeRules(
                now,
                keepsAll ? -1 : Math.min(now, localTime - 14 + random.nextInt(24)),
                random.nextInt(3) == 0 ? random.nextInt(6) : Long.MAX_VALUE,
                localTime - 2 + random.nextInt(10));
        written.byKey().forEach((key, operands) -> {
            byte[] value = RandomOperands.concatenated(operands);
            // the purge in Java keeps what the deletion of a collection shadows in a single operand
            byte[] merged = fold.partial(List.of(value, value));
            List<String> inJava =
                    written.shown(StorePurge.purged(written.decoded(key, merged), written.metadata(), rules));
            for (byte[] stored : List.of(value, merged)) {
                byte[] left = fold.filter(rules, keepsAll, isAmbiguous, stored);
                if (isAmbiguous && left != null) {
                    // a purge in Java drops the rest
                    left = purgedInJava(written, key, left, rules);
                }
                assertThat(shown(written, key, left))
                        .as("%s, of %s", rules, written.shown(written.decoded(key, value)))
                        .isEqualTo(inJava);
            }
        });
    }

    private static byte[] purgedInJava(RandomOperands written, ByteBuffer key, byte[] value, PurgeRules rules) {
        return written.encoded(StorePurge.purged(written.decoded(key, value), written.metadata(), rules));
    }

    private static List<String> shown(RandomOperands written, ByteBuffer key, byte[] left) {
        return written.shown(left == null ? PartitionRecord.of(null) : written.decoded(key, left));
    }
}

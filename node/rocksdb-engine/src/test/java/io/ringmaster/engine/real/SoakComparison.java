package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;

/**
 * A query at both nodes of a pair.
 *
 * @param mayLackHints whether a hint may be on its way to the engine's node
 */
record SoakComparison(SoakPair nodes, String cql, int pageSize, boolean mayLackHints) {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /**
     * The stock node is read before and after the engine's: rows that expire meanwhile make its own answers differ, and
     * then all is read again.
     */
    void assertSame(Supplier<String> history) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            List<String> before = Ring.answer(nodes.stock(), cql, pageSize);
            List<String> found = Ring.answer(nodes.engine(), cql, pageSize);
            if (isAnswer(before) && found.equals(before)) {
                return;
            }
            boolean isSettled = isAnswer(before)
                    && isAnswer(found)
                    && before.equals(Ring.answer(nodes.stock(), cql, pageSize))
                    && !mayLackHints;
            if (isSettled || System.nanoTime() > deadline) {
                assertThat(found)
                        .as("%s, page size %s, after%n%s", cql, pageSize, history.get())
                        .isEqualTo(before);
                throw new AssertionError("both nodes fail to answer " + cql + ": " + before);
            }
            Thread.sleep(300);
        }
    }

    /** Rows, or the error of a statement that is invalid for its schema; no timeout. */
    private static boolean isAnswer(List<String> answer) {
        return answer.stream().allMatch(line -> line.startsWith("[") || line.startsWith("InvalidQueryException"));
    }
}

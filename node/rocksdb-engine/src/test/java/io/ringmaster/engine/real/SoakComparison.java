package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A query at a node of the engine's cluster and at the stock node. */
record SoakComparison(Node tested, Node stock, String cql, int pageSize) {
    /** Longer than any TTL, and long enough for a busy machine. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /**
     * Nothing is written meanwhile. A row may expire on one node before the other, and a query may time out: a
     * difference counts if it stays.
     */
    void assertSame(Supplier<String> history) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            Optional<List<String>> expected = SoakNodes.answer(stock, cql, pageSize);
            Optional<List<String>> found = SoakNodes.answer(tested, cql, pageSize);
            if (expected.isPresent() && found.equals(expected)) {
                return;
            }
            if (System.nanoTime() > deadline) {
                assertThat(found)
                        .as("%s, page size %s, after%n%s", cql, pageSize, history.get())
                        .isEqualTo(expected);
                throw new AssertionError("neither node answers " + cql);
            }
            Thread.sleep(300);
        }
    }
}

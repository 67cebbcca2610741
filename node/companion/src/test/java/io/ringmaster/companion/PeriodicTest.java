package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PeriodicTest {
    /** What the work throws next; it hangs while there is none. */
    private final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

    private final AtomicInteger starts = new AtomicInteger();

    private final Periodic work = new Periodic("test-work", Duration.ofMillis(1), () -> {
        starts.incrementAndGet();
        try {
            if (failures.take() instanceof Error error) {
                throw error;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    });

    @Test
    void a_start_waits_for_no_work_and_there_is_one_thread() throws Exception {
        for (int i = 0; i < 1000; i++) {
            work.start();
        }
        awaitStarts(1);
        assertThat(starts).hasValue(1);
    }

    @Test
    void whatever_the_work_throws_it_is_done_again() throws Exception {
        failures.add(new AssertionError("of Cassandra"));
        failures.add(new OutOfMemoryError("unable to create native thread"));
        failures.add(new NoClassDefFoundError("org/apache/cassandra/Missing"));
        work.start();
        awaitStarts(4);
    }

    private void awaitStarts(int count) throws InterruptedException {
        while (starts.get() < count) {
            Thread.sleep(1);
        }
    }
}

package io.ringmaster.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopEndTest {
    /** As when there is no memory left for a line in the log. */
    private static final class Unprintable extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("Java heap space");
        }
    }

    private static int halts(Error death) throws InterruptedException {
        AtomicInteger halts = new AtomicInteger();
        Thread loop = new Thread(() -> {
            throw death;
        });
        loop.setUncaughtExceptionHandler(new LoopEnd(halts::incrementAndGet));
        loop.start();
        loop.join();
        return halts.get();
    }

    @Test
    void a_loop_that_dies_ends_the_process_whatever_killed_it() throws InterruptedException {
        assertThat(halts(new StackOverflowError())).isEqualTo(1);
        assertThat(halts(new Unprintable())).isEqualTo(1);
    }
}

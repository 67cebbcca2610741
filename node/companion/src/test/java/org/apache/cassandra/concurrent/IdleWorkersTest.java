package org.apache.cassandra.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IdleWorkersTest {
    private static final int TASKS = 20_000;
    private final SharedExecutorPool pool = new SharedExecutorPool(new ThreadGroup("idle-workers"));
    private final List<LocalAwareExecutorPlus> stages =
            List.of(pool.newExecutor(2, "test", "reads"), pool.newExecutor(8, "test", "writes"));

    @BeforeEach
    void park() throws ReflectiveOperationException {
        IdleWorkers.park(pool);
    }

    @AfterEach
    void stop() throws Exception {
        pool.shutdownAndWait(10, TimeUnit.SECONDS);
    }

    @Test
    void every_task_is_executed() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(2 * TASKS);
        for (LocalAwareExecutorPlus stage : stages) {
            Thread client = new Thread(() -> {
                for (int i = 0; i < TASKS; i++) {
                    stage.execute(done::countDown);
                    if (i % 16 == 0) {
                        LockSupport.parkNanos(1); // so that workers run idle repeatedly
                    }
                }
            });
            client.setDaemon(true);
            client.start();
        }
        assertThat(done.await(50, TimeUnit.SECONDS))
                .as("%d tasks were not executed", done.getCount())
                .isTrue();
    }

    @Test
    void a_task_may_submit_one_to_another_stage_and_wait_for_it() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        stages.get(0).execute(() -> stages.get(1).execute(done::countDown));
        assertThat(done.await(50, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void idle_workers_park_without_polling() throws Exception {
        every_task_is_executed();
        Instant deadline = Instant.now().plus(Duration.ofSeconds(50));
        while (!states().equals(Set.of(Thread.State.WAITING)) && Instant.now().isBefore(deadline)) {
            Thread.sleep(10);
        }
        assertThat(states()).containsExactly(Thread.State.WAITING);
        assertThat(pool.spinningCount).hasValue(0);
    }

    private Set<Thread.State> states() {
        Thread[] workers = new Thread[64];
        int count = pool.threadGroup.enumerate(workers);
        return Arrays.stream(workers, 0, count).map(Thread::getState).collect(Collectors.toSet());
    }
}

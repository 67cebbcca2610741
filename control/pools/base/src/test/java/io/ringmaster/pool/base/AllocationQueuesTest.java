package io.ringmaster.pool.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.AllocationId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AllocationQueuesTest {
    private static final AllocationId ID = new AllocationId("a");

    private final AllocationQueues queues = new AllocationQueues(Thread::new);
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch busy = new CountDownLatch(1);

    @AfterEach
    void close() throws InterruptedException {
        queues.close(5);
    }

    private void block() {
        queues.add(ID, () -> {
            try {
                busy.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void an_id_is_dropped_with_its_last_task() throws InterruptedException {
        block();
        queues.add(ID, () -> {
            throw new IllegalStateException("on purpose");
        });
        assertThat(queues.isEmpty()).isFalse();
        finished();
        while (!queues.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private List<String> finished() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        queues.add(ID, end::countDown);
        busy.countDown();
        end.await();
        return done;
    }

    @Test
    void the_newest_waiting_launch_takes_the_place_of_earlier_ones() throws InterruptedException {
        block();
        queues.addLaunch(ID, () -> done.add("launch 1"));
        queues.add(ID, () -> done.add("kill"));
        queues.addLaunch(ID, () -> done.add("launch 2"));
        queues.addRelaunch(ID, () -> done.add("relaunch 3"));
        queues.addRelaunch(ID, () -> done.add("relaunch 4"));
        queues.addLaunch(ID, () -> done.add("launch 4"));
        assertThat(finished()).containsExactly("kill", "relaunch 4", "launch 4");
    }

    @Test
    void a_task_that_throws_does_not_end_the_queue() throws InterruptedException {
        queues.add(ID, () -> {
            throw new AssertionError("thrown on purpose");
        });
        queues.add(ID, () -> done.add("next"));
        assertThat(finished()).containsExactly("next");
    }
}

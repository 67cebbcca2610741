package io.ringmaster.pool.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.AllocationId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class CommandQueuesTest {
    private static final AllocationId ID = new AllocationId("rides-dc1-node-0");
    private static final AllocationId OTHER = new AllocationId("rides-dc1-node-1");

    private final CommandQueues queues = new CommandQueues(Thread::new);
    private final List<String> tries = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws InterruptedException {
        queues.close(5);
    }

    private CommandQueues.Try command(String name, boolean waits) {
        return () -> {
            tries.add(name);
            return waits;
        };
    }

    private CommandQueues.Try held(String name, CountDownLatch until) {
        return () -> {
            tries.add(name);
            try {
                return until.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        };
    }

    private void settle(AllocationId id) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        queues.observe(id, done::countDown);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_command_that_waits_is_tried_again_until_it_is_done_with() throws InterruptedException {
        queues.add(ID, () -> {
            tries.add("kill");
            return tries.size() < 3;
        });
        for (int i = 0; i < 5; i++) {
            settle(ID);
            queues.retry();
        }
        settle(ID);
        assertThat(tries).containsExactly("kill", "kill", "kill");
    }

    @Test
    void a_command_that_comes_to_wait_after_a_later_one_arrived_is_not_tried_again() throws InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        queues.add(ID, held("reserve", hold));
        queues.add(ID, command("release", false));
        hold.countDown();
        settle(ID);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("reserve", "release");
    }

    @Test
    void a_command_that_waits_is_dropped_when_a_later_one_arrives() throws InterruptedException {
        queues.add(ID, command("kill", true));
        settle(ID);
        queues.addLaunch(ID, command("launch", false));
        settle(ID);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("kill", "launch");
    }

    @Test
    void a_second_try_that_was_already_queued_is_dropped_too() throws InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        queues.add(ID, command("kill", true));
        settle(ID);
        queues.observe(ID, () -> {
            try {
                hold.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        queues.retry();
        queues.addLaunch(ID, command("launch", false));
        hold.countDown();
        settle(ID);
        assertThat(tries).containsExactly("kill", "launch");
    }

    @Test
    void a_reservation_is_made_before_the_launch_that_arrived_right_after_it() throws InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        queues.add(ID, held("kill", hold));
        queues.add(ID, command("reserve", false));
        queues.addLaunch(ID, command("launch", true));
        hold.countDown();
        settle(ID);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("kill", "reserve", "launch", "launch");
    }

    @Test
    void a_command_for_another_allocation_changes_nothing() throws InterruptedException {
        queues.add(ID, command("reserve", true));
        settle(ID);
        queues.add(OTHER, command("other", false));
        settle(OTHER);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("reserve", "other", "reserve");
    }
}

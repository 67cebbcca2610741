package io.ringmaster.pool.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.AllocationId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class CommandQueuesTest {
    private static final AllocationId ID = new AllocationId("rides-dc1-node-0");
    private static final AllocationId OTHER = new AllocationId("rides-dc1-node-1");

    private final AtomicBoolean reserved = new AtomicBoolean();
    private final CommandQueues queues = new CommandQueues(Thread::new, id -> reserved.get());
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
        queues.addEnd(ID, () -> {
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
        queues.addReservation(ID, held("reserve", hold));
        queues.addEnd(ID, command("release", false));
        hold.countDown();
        settle(ID);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("reserve", "release");
    }

    @Test
    void a_command_that_waits_is_dropped_when_a_later_one_arrives() throws InterruptedException {
        queues.addEnd(ID, command("kill", true));
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
        queues.addEnd(ID, command("kill", true));
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
        queues.addEnd(ID, held("kill", hold));
        queues.addReservation(ID, command("reserve", false));
        queues.addLaunch(ID, command("launch", true));
        hold.countDown();
        settle(ID);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("kill", "reserve", "launch", "launch");
    }

    @Test
    void a_command_for_another_allocation_changes_nothing() throws InterruptedException {
        queues.addReservation(ID, command("reserve", true));
        settle(ID);
        queues.addEnd(OTHER, command("other", false));
        settle(OTHER);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("reserve", "other", "reserve");
    }

    @Test
    void a_reserve_waits_and_a_launch_that_follows_neither_runs_nor_replaces_it() throws InterruptedException {
        queues.addReservation(ID, command("reserve", true));
        queues.addLaunch(ID, command("launch", false));
        settle(ID);
        queues.addRelaunch(ID, command("relaunch", false));
        settle(ID);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("reserve", "reserve");
        queues.addEnd(ID, command("release", false));
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("reserve", "reserve", "release");
    }

    @Test
    void a_change_of_what_is_reserved_waits_and_a_launch_that_follows_replaces_it() throws InterruptedException {
        reserved.set(true);
        queues.addReservation(ID, command("reserve", true));
        queues.addLaunch(ID, command("launch", true));
        settle(ID);
        queues.retry();
        settle(ID);
        assertThat(tries).containsExactly("reserve", "launch", "launch");
    }
}

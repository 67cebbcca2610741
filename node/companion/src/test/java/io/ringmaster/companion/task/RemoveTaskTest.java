package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RemoveTaskTest {
    private static final String HOST = "8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10";

    private final AtomicInteger removals = new AtomicInteger();
    private final CountDownLatch confirmed = new CountDownLatch(1);
    private volatile boolean isMember = true;
    private volatile boolean isForgotten = true;
    private volatile List<String> silent = List.of();

    private final RemoveTask.Ring ring = new RemoveTask.Ring() {
        @Override
        public boolean hasMember(String host) {
            return isMember;
        }

        @Override
        public void remove(String host) {
            removals.incrementAndGet();
            try {
                confirmed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            isMember = !isForgotten;
        }

        @Override
        public List<String> silentReplicas() {
            return silent;
        }
    };

    private FutureTask<String> start(Progress progress) {
        FutureTask<String> task = new FutureTask<>(() -> new RemoveTask(Map.of("host", HOST), ring).run(progress));
        new Thread(task).start();
        return task;
    }

    @Test
    void a_node_is_removed_when_cassandra_has_forgotten_it() throws Exception {
        confirmed.countDown();
        assertThat(start(new Progress()).get()).isEqualTo(HOST + " was removed from the ring");
        assertThat(start(new Progress()).get()).isEqualTo(HOST + " is no longer in the ring");
        assertThat(removals).hasValue(1);
    }

    @Test
    void a_call_that_returned_is_no_removal() {
        confirmed.countDown();
        isForgotten = false;
        assertThatThrownBy(() -> start(new Progress()).get()).hasMessageContaining("which is still in the ring");
    }

    @Test
    void a_new_replica_that_is_down_is_named_and_a_stop_ends_the_task_but_not_the_removal() throws Exception {
        silent = List.of("127.1.1.4:7000");
        Progress progress = new Progress();
        FutureTask<String> task = start(progress);
        await(progress, "waits for 127.1.1.4:7000, which is down");
        progress.stop();
        assertThat(task.get()).isEqualTo("stopped; Cassandra goes on to remove " + HOST + " from the ring");
        assertThat(isMember).isTrue();

        silent = List.of();
        Progress again = new Progress();
        FutureTask<String> second = start(again);
        await(again, "the replicas stream the ranges of " + HOST);
        confirmed.countDown();
        assertThat(second.get()).isEqualTo(HOST + " was removed from the ring");
        assertThat(removals)
                .as("the second task takes up the removal of the first")
                .hasValue(1);
    }

    private static void await(Progress progress, String message) throws InterruptedException {
        while (!message.equals(progress.message())) {
            Thread.sleep(5);
        }
    }

    @Test
    void the_host_id_is_required() {
        assertThatThrownBy(() -> new RemoveTask(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("host is missing");
    }
}

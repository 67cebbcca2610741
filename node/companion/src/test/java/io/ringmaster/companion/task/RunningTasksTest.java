package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class RunningTasksTest {
    private final List<String> started = new ArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final RunningTasks tasks = new RunningTasks((kind, args) -> {
        if (!kind.equals("POLISH")) {
            throw new IllegalArgumentException("kind '" + kind + "' must be one of [POLISH]");
        }
        started.add(args.getOrDefault("what", ""));
        return new Polish();
    });

    /** Ends at a stop, or after {@link #end}. */
    private final class Polish implements TaskBody {
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final AtomicInteger stops = new AtomicInteger();

        @Override
        public String run(Progress progress) throws Exception {
            progress.expect(10, "bytes");
            progress.at("polishes", () -> 4);
            while (!end.await(5, TimeUnit.MILLISECONDS) && stopped.getCount() > 0) {
                // keep working
            }
            if (started.contains("wood")) {
                throw new AssertionError();
            }
            if (started.contains("stone")) {
                throw new IllegalStateException(new NoClassDefFoundError("org/apache/cassandra/Stone"));
            }
            if (started.contains("glass")) {
                throw new IllegalStateException("glass", new IllegalStateException("it broke"));
            }
            return "all shines";
        }

        @Override
        public void stop() {
            if (started.contains("stubborn") && stops.getAndIncrement() == 0) {
                throw new IllegalArgumentException("keyspace 'brass' is not there");
            }
            if (started.contains("strange") && stops.getAndIncrement() == 0) {
                throw new NoClassDefFoundError("org/apache/cassandra/Strange");
            }
            stopped.countDown();
        }
    }

    @Test
    void a_task_reports_its_progress_and_outcome() throws Exception {
        assertThat(tasks.status()).isNull();
        start("t1", "brass");
        await("polishes");
        assertThat(tasks.status())
                .containsEntry("state", "RUNNING")
                .containsEntry("done", 4L)
                .containsEntry("total", 10L)
                .doesNotContainKey("endedAt");
        end.countDown();
        await("all shines");
        assertThat(tasks.status()).containsEntry("state", "DONE").containsKey("endedAt");
    }

    @Test
    void a_second_request_with_the_same_id_starts_nothing() throws Exception {
        start("t1", "brass");
        start("t1", "brass");
        end.countDown();
        await("all shines");
        start("t1", "brass");
        assertThat(started).containsExactly("brass");
    }

    @Test
    void another_task_is_refused_while_one_runs() throws Exception {
        start("t1", "brass");
        assertThatThrownBy(() -> start("t2", "silver"))
                .isInstanceOf(RunningTasks.Busy.class)
                .hasMessageContaining("t1 runs: abort it first");
        tasks.abort("t2");
        assertThat(tasks.status()).containsEntry("state", "RUNNING");
    }

    @Test
    void an_abort_ends_the_task() throws Exception {
        start("t1", "brass");
        tasks.abort("t1");
        while (!"ABORTED".equals(tasks.status().get("state"))) {
            Thread.sleep(5);
        }
        start("t2", "silver");
        assertThat(started).containsExactly("brass", "silver");
        end.countDown();
    }

    @Test
    void a_failure_is_reported_by_its_root_cause() throws Exception {
        start("t1", "glass");
        end.countDown();
        await("it broke");
        assertThat(tasks.status()).containsEntry("state", "FAILED");
    }

    @Test
    void an_error_without_words_names_its_place() throws Exception {
        start("t1", "wood");
        end.countDown();
        while (!"FAILED".equals(tasks.status().get("state"))) {
            Thread.sleep(5);
        }
        assertThat((String) tasks.status().get("message"))
                .startsWith("java.lang.AssertionError at RunningTasksTest$Polish.run(RunningTasksTest.java:");
    }

    @Test
    void an_error_is_named_by_its_class() throws Exception {
        start("t1", "stone");
        end.countDown();
        await("java.lang.NoClassDefFoundError: org/apache/cassandra/Stone");
        assertThat(tasks.status()).containsEntry("state", "FAILED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stubborn", "strange"})
    void a_stop_that_fails_is_repeated(String what) throws Exception {
        start("t1", what);
        tasks.abort("t1");
        while (!"ABORTED".equals(tasks.status().get("state"))) {
            Thread.sleep(5);
        }
    }

    @Test
    void an_unknown_kind_is_refused() {
        assertThatThrownBy(() -> tasks.start(new ObjectMapper().readTree("{\"id\":\"t\",\"kind\":\"FLY\"}")))
                .hasMessageContaining("must be one of [POLISH]");
        assertThat(tasks.status()).isNull();
    }

    private void start(String id, String what) throws Exception {
        tasks.start(new ObjectMapper().valueToTree(Map.of("id", id, "kind", "POLISH", "args", Map.of("what", what))));
    }

    private void await(String message) throws InterruptedException {
        while (!message.equals(tasks.status().get("message"))) {
            Thread.sleep(5);
        }
    }
}

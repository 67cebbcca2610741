package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.service.StorageProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AgreedSchemaTest {
    private static final Map<String, List<String>> DIFFER =
            Map.of("v1", List.of("127.1.1.1"), "v2", List.of("127.1.1.2"));
    private static final Map<String, List<String>> SAME =
            Map.of("v2", List.of("127.1.1.1", "127.1.1.2"), StorageProxy.UNREACHABLE, List.of("127.1.1.3"));

    @Test
    void it_waits_until_all_nodes_that_answer_have_one_schema() throws InterruptedException {
        Deque<Map<String, List<String>>> answers = new ArrayDeque<>(List.of(DIFFER, DIFFER, SAME));
        assertThat(AgreedSchema.await(Duration.ofDays(1), new Progress(), answers::removeFirst))
                .isTrue();
        assertThat(answers).isEmpty();
    }

    @Test
    void it_ends_with_its_time_or_its_task() throws InterruptedException {
        assertThat(AgreedSchema.await(Duration.ZERO, new Progress(), () -> DIFFER))
                .isFalse();
        Progress stopped = new Progress();
        stopped.stop();
        assertThat(AgreedSchema.await(Duration.ofDays(1), stopped, () -> DIFFER))
                .isFalse();
    }
}

package io.ringmaster.pool.mesos.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.FakePoolRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorTokensTest {
    private static final AllocationId FIRST = new AllocationId("rides-dc1-node-0");
    private static final AllocationId SECOND = new AllocationId("rides-dc1-node-1");

    private final FakePoolRecords records = new FakePoolRecords();

    @TempDir
    Path root;

    @Test
    void each_executor_has_a_token_of_its_own_that_outlives_the_server() throws IOException {
        ExecutorTokens tokens = new ExecutorTokens(records, null);
        assertThat(tokens.token(FIRST)).hasSize(64).isNotEqualTo(tokens.token(SECOND));
        assertThat(tokens.ofTask(FIRST)).contains(tokens.token(FIRST));
        assertThat(new ExecutorTokens(records, null).token(FIRST)).isEqualTo(tokens.token(FIRST));
    }

    @Test
    void a_token_in_a_file_is_in_no_task() throws IOException {
        Path file = Files.writeString(root.resolve("token"), "shared-word\n");
        ExecutorTokens tokens = new ExecutorTokens(records, file.toString());
        assertThat(tokens.token(FIRST)).isEqualTo("shared-word").isEqualTo(tokens.token(SECOND));
        assertThat(tokens.ofTask(FIRST)).isEmpty();
    }

    @Test
    void a_file_without_a_token_is_named() throws IOException {
        String file = Files.writeString(root.resolve("token"), "two words").toString();
        assertThatThrownBy(() -> new ExecutorTokens(records, file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("pool.mesos.executor_token_file: " + file + " must hold one word");
    }
}

package io.ringmaster.companion.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailureTextTest {
    @Test
    void a_message_is_the_text() {
        assertThat(FailureText.of(new IllegalStateException("the disk is full")))
                .isEqualTo("the disk is full");
        assertThat(FailureText.ofRoot(new ExecutionException("outer", new IllegalStateException("inner"))))
                .isEqualTo("inner");
    }

    @Test
    void without_a_message_the_text_is_the_class_and_the_first_own_frame() {
        AssertionError error = new AssertionError();
        error.setStackTrace(new StackTraceElement[] {
            new StackTraceElement(
                    "org.apache.cassandra.locator.TokenMetadata", "getTopology", "TokenMetadata.java", 1392),
            new StackTraceElement("io.ringmaster.companion.task.StreamTask", "requireReplicas", "StreamTask.java", 148),
        });
        assertThat(FailureText.of(error))
                .isEqualTo("java.lang.AssertionError at StreamTask.requireReplicas(StreamTask.java:148)");
        assertThat(FailureText.of(new IllegalStateException(" ")))
                .startsWith("java.lang.IllegalStateException at FailureTextTest.");
        assertThat(FailureText.of(new IllegalStateException(String.valueOf((Object) null))))
                .startsWith("java.lang.IllegalStateException at ");
        error.setStackTrace(new StackTraceElement[0]);
        assertThat(FailureText.of(error)).isEqualTo("java.lang.AssertionError");
    }

    @Test
    void the_text_of_an_error_has_its_class() {
        assertThat(FailureText.withClass(new NoClassDefFoundError("org/apache/cassandra/Missing")))
                .isEqualTo("java.lang.NoClassDefFoundError: org/apache/cassandra/Missing");
        assertThat(FailureText.withClass(new AssertionError()))
                .startsWith("java.lang.AssertionError at FailureTextTest.")
                .as("once")
                .doesNotContain("AssertionError: ");
    }

    @Test
    void without_a_message_a_cause_speaks() {
        assertThat(FailureText.of(new IllegalStateException(null, new IllegalStateException("the disk is full"))))
                .isEqualTo("the disk is full");
    }
}

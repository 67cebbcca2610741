package io.ringmaster.model.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThrowableTextTest {
    @Test
    void a_message_is_the_text() {
        assertThat(ThrowableText.of(new IllegalStateException("the disk is full")))
                .isEqualTo("the disk is full");
    }

    @Test
    void without_a_message_the_text_is_the_class_and_the_first_own_frame() {
        AssertionError error = new AssertionError();
        error.setStackTrace(new StackTraceElement[] {
            new StackTraceElement(
                    "org.apache.cassandra.locator.TokenMetadata", "getTopology", "TokenMetadata.java", 1392),
            new StackTraceElement("io.ringmaster.companion.task.StreamTask", "requireReplicas", "StreamTask.java", 148),
        });
        assertThat(ThrowableText.of(error))
                .isEqualTo("java.lang.AssertionError at StreamTask.requireReplicas(StreamTask.java:148)");
        assertThat(ThrowableText.of(new IllegalStateException(" ")))
                .startsWith("java.lang.IllegalStateException at ThrowableTextTest.");
        assertThat(ThrowableText.of(new IllegalStateException(String.valueOf((Object) null))))
                .startsWith("java.lang.IllegalStateException at ");
        error.setStackTrace(new StackTraceElement[0]);
        assertThat(ThrowableText.of(error)).isEqualTo("java.lang.AssertionError");
    }

    @Test
    void without_a_message_a_cause_speaks() {
        assertThat(ThrowableText.of(new IllegalStateException(null, new IllegalStateException("the disk is full"))))
                .isEqualTo("the disk is full");
    }
}

package io.ringmaster.companion.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.companion.CassandraParts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RingDelayTest {
    @BeforeAll
    static void start() {
        CassandraParts.start();
    }

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, "X.java", 1);
    }

    private static final StackTraceElement SLEEP = frame("java.lang.Thread", "sleep");
    private static final StackTraceElement GUAVA =
            frame("com.google.common.util.concurrent.Uninterruptibles", "sleepUninterruptibly");

    private static StackTraceElement service(String method) {
        return frame("org.apache.cassandra.service.StorageService", method);
    }

    @Test
    void a_sleep_of_cassandra_is_named_with_its_length() {
        assertThat(RingDelay.of(new StackTraceElement[] {SLEEP, service("decommission")}))
                .contains("waits for the ring delay, 30 s, before it streams its ranges");
        assertThat(RingDelay.of(new StackTraceElement[] {
                    frame("java.lang.Thread", "sleep0"), SLEEP, GUAVA, service("bootstrap"), service("joinRing")
                }))
                .contains("waits for the ring delay, 30 s, before it streams");
        assertThat(RingDelay.of(new StackTraceElement[] {SLEEP, service("prepareForBootstrap")}))
                .contains("waits for the ring delay, 60 s, until the replaced node counts as silent");
        assertThat(RingDelay.of(new StackTraceElement[] {SLEEP, GUAVA, service("leaveRing"), service("unbootstrap")}))
                .contains("waits for the ring delay, 30 s, while the others learn that it left");
    }

    @Test
    void work_and_other_waits_are_none() {
        assertThat(RingDelay.of(new StackTraceElement[] {
                    frame("java.lang.Object", "wait"), service("unbootstrap"), service("decommission")
                }))
                .isEmpty();
        assertThat(RingDelay.of(new StackTraceElement[] {SLEEP, GUAVA, service("waitForSchema"), service("bootstrap")}))
                .as("that wait has a name of its own")
                .isEmpty();
        assertThat(RingDelay.of(new StackTraceElement[0])).isEmpty();
    }
}

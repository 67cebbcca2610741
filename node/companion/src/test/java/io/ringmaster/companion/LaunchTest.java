package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class LaunchTest {
    @Test
    void cassandra_starts_although_its_inside_is_another() {
        for (Launch.Change change : new Launch.Change[] {
            () -> {
                throw new NoSuchFieldException("preFlightChecks");
            },
            () -> {
                throw new NoClassDefFoundError("org/apache/cassandra/service/DataResurrectionCheck");
            },
            () -> {
                throw new IllegalAccessError("tried to access method getKeyspaces()");
            }
        }) {
            assertThatCode(() -> Launch.orWarn("Cannot replace a startup check", change))
                    .doesNotThrowAnyException();
        }
    }
}

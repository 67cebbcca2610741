package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;

class PausesOnlyTest {
    private final LoggerContext context = new LoggerContext();
    private final PausesOnly filter = new PausesOnly();

    private FilterReply decide(String thread, String logger, String message) {
        LoggingEvent event = new LoggingEvent(
                "", context.getLogger("org.apache.cassandra." + logger), Level.WARN, message, null, null);
        event.setThreadName(thread);
        return filter.decide(event);
    }

    @Test
    void aCycleAndTheThreadPoolsAfterItAreLeftOutAndAPauseIsNot() {
        String inspector = "service.GCInspector";
        String pools = "utils.StatusLogger";
        assertThat(decide("Notification Thread", inspector, "Shenandoah Cycles GC in 17962ms.  Shenandoah: 1 -> 2"))
                .isEqualTo(FilterReply.DENY);
        assertThat(decide("Notification Thread", pools, "Pool Name  Active")).isEqualTo(FilterReply.DENY);
        assertThat(decide("ScheduledTasks:1", pools, "Pool Name  Active"))
                .as("of dropped messages")
                .isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide("Notification Thread", inspector, "Shenandoah Pauses GC in 1200ms.  "))
                .isEqualTo(FilterReply.NEUTRAL);
        assertThat(decide("Notification Thread", pools, "Pool Name  Active")).isEqualTo(FilterReply.NEUTRAL);
    }
}

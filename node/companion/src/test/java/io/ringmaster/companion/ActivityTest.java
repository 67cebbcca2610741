package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActivityTest {
    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement("org.apache.cassandra." + type, method, "X.java", 1);
    }

    @Test
    void theInnermostKnownFrameNamesTheActivity() {
        StackTraceElement[] stack = {
            new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", 1),
            frame("gms.Gossiper", "doShadowRound"),
            frame("service.StorageService", "prepareToJoin"),
            frame("service.StorageService", "initServer"),
            frame("service.CassandraDaemon", "setup"),
        };
        assertThat(Activity.of(stack)).isEqualTo("asking the seeds who is in the ring");
    }

    @Test
    void commitLogReplayIsDistinguishedFromTheTablesItFills() {
        StackTraceElement[] stack = {
            frame("db.commitlog.CommitLogReplayer", "replayFiles"),
            frame("db.commitlog.CommitLog", "recoverSegmentsOnDisk")
        };
        assertThat(Activity.of(stack)).isEqualTo("replaying the commit log");
    }

    @Test
    void aWaitOfCassandraIsNamedAndNotItsCaller() {
        CassandraParts.start();
        StackTraceElement[] stack = {
            new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", 1),
            frame("service.StorageService", "prepareForBootstrap"),
            frame("service.StorageService", "joinRing"),
        };
        assertThat(Activity.of(stack)).startsWith("waits for the ring delay, ");
    }

    @Test
    void anUnknownStackIsReportedAsStarting() {
        assertThat(Activity.of(new StackTraceElement[0])).isEqualTo("starting");
    }
}

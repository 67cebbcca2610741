package io.ringmaster.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.Keep;
import io.ringmaster.server.Specs;
import io.ringmaster.server.TestDatacenter;
import io.ringmaster.wire.api.BackupState;
import io.ringmaster.wire.api.LocationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Specs with a backup schedule, at a real server. */
class BackupScheduleTest {
    @TempDir
    private static Path folder;

    private static TestDatacenter dc1;

    @BeforeAll
    static void start() throws IOException {
        dc1 = TestDatacenter.alone(folder);
        Files.createDirectories(folder.resolve("store"));
        dc1.client().addLocation("local", new LocationAsk("file://" + folder.resolve("store"), null, null, null));
    }

    @AfterAll
    static void stop() {
        dc1.close();
    }

    private static String spec(String cluster, String location) {
        return Specs.of(cluster, "dc1: {nodes: 1, seeds: 1}") + "backup: {to: " + location
                + ", every: 6h, keep: {last: 4, daily: 7}}\n";
    }

    private static Problem refused(ChangeOptions options) {
        return catchThrowableOfType(RefusedException.class, () -> dc1.client()
                        .apply(new ClusterName("wrong"), spec("wrong", "main"), 0L, options))
                .problem();
    }

    @Test
    void a_location_that_the_server_does_not_know_is_refused_and_nothing_is_stored() {
        for (ChangeOptions options : new ChangeOptions[] {ChangeOptions.DRY_RUN, ChangeOptions.APPLY}) {
            assertThat(refused(options).code()).isEqualTo(ErrorCode.LOCATION_UNKNOWN);
            assertThat(refused(options).line())
                    .isEqualTo("backup.to: no location 'main' on this server; known: local"
                            + " -> ringmaster backup location add; --server names the server of another datacenter");
        }
        assertThat(dc1.client().clusters(Scope.LOCAL).items())
                .noneMatch(c -> c.cluster().value().equals("wrong"));
    }

    @Test
    void the_status_shows_the_schedule_and_when_the_next_backup_is_due() {
        ClusterName name = new ClusterName("right");
        dc1.client().apply(name, spec("right", "local"), 0L, ChangeOptions.APPLY);
        assertThat(dc1.client().spec(name).spec().backup())
                .isEqualTo(new BackupSchedule("local", 360, new Keep(4, 7), 0));
        BackupState state =
                Objects.requireNonNull(dc1.client().status(name, Scope.LOCAL).backup());
        assertThat(state.last()).isNull();
        assertThat(Objects.requireNonNull(state.schedule()).to()).isEqualTo("local");
        assertThat(state.schedule().every()).isEqualTo("6h");
    }
}

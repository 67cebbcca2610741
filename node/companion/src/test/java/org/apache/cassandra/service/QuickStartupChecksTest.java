package org.apache.cassandra.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.companion.CassandraParts;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.config.StartupChecksOptions;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.exceptions.StartupException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Keyspaces;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.StartupChecks.StartupCheckType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickStartupChecksTest {
    private static final int GC_GRACE_SECONDS = 60;

    @TempDir
    Path directory;

    private int reads;

    @BeforeAll
    static void cassandra() {
        CassandraParts.start();
    }

    /** Twenty keyspaces of one table each; the last one has the shorter grace. */
    private Keyspaces schema() {
        reads++;
        Keyspaces keyspaces = Keyspaces.none();
        for (int i = 0; i < 20; i++) {
            String name = "k" + i;
            TableMetadata table = TableMetadata.builder(name, "t", TableId.fromUUID(new UUID(0, i)))
                    .addPartitionKeyColumn("id", Int32Type.instance)
                    .gcGraceSeconds(i == 19 ? GC_GRACE_SECONDS : GC_GRACE_SECONDS * 100)
                    .build();
            keyspaces = keyspaces.withAddedOrUpdated(
                    KeyspaceMetadata.create(name, KeyspaceParams.simple(1), Tables.of(table)));
        }
        return keyspaces;
    }

    private void start(Duration away) throws IOException, StartupException {
        Path heartbeat = directory.resolve("heartbeat");
        Files.writeString(heartbeat, "{\"last_heartbeat\": \"" + Instant.now().minus(away) + "\"}");
        Map<StartupCheckType, Map<String, Object>> options = new EnumMap<>(StartupCheckType.class);
        options.put(
                StartupCheckType.check_data_resurrection,
                new HashMap<>(Map.of("enabled", true, "heartbeat_file", heartbeat.toString())));
        new QuickStartupChecks.OneRead() {
            @Override
            Keyspaces read() {
                return schema();
            }
        }.execute(new StartupChecksOptions(options));
    }

    @Test
    void theSchemaIsReadOnceHoweverManyKeyspacesItHas() {
        assertThatCode(() -> start(Duration.ofSeconds(GC_GRACE_SECONDS - 30))).doesNotThrowAnyException();
        assertThat(reads).isOne();
    }

    @Test
    void aVolumeThatWasAwayForLongerThanOneTablesGraceIsRefused() {
        assertThatThrownBy(() -> start(Duration.ofSeconds(GC_GRACE_SECONDS + 30)))
                .isInstanceOf(StartupException.class)
                .hasMessageEndingWith("Invalid tables: k19.t");
    }

    @Test
    void theChecksOfADaemonHaveItInPlaceOfCassandras() throws ReflectiveOperationException {
        StartupChecks checks = new StartupChecks().withDefaultTests();
        QuickStartupChecks.replaceIn(checks);
        Field list = StartupChecks.class.getDeclaredField("preFlightChecks");
        list.setAccessible(true);
        assertThat((List<?>) list.get(checks))
                .filteredOn(DataResurrectionCheck.class::isInstance)
                .singleElement()
                .isInstanceOf(QuickStartupChecks.OneRead.class);
    }
}

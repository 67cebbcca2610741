package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.db.ConsistencyLevel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProbeRowsTest {
    private static final long FIRST = 7_000;

    /** Keeps rows, but for those that it is to lose. */
    private static final class Kept implements ProbeRows.Table {
        final Map<UUID, Long> rows = new LinkedHashMap<>();
        final List<ConsistencyLevel> readAt = new ArrayList<>();

        @Nullable
        Long lost;

        long added;

        @Override
        public void write(UUID id, long value, ConsistencyLevel level) {
            rows.put(id, value + added);
        }

        @Override
        public @Nullable Long read(UUID id, ConsistencyLevel level) {
            readAt.add(level);
            Long row = rows.get(id);
            return row == null || row.equals(lost) ? null : row;
        }
    }

    private final Kept table = new Kept();

    @Test
    void each_of_the_rows_is_written_and_read_at_the_level() {
        ProbeRows.writeAndReadBack(table, ConsistencyLevel.LOCAL_QUORUM, FIRST);
        assertThat(table.rows).hasSize(ProbeRows.ROWS);
        assertThat(table.readAt).hasSize(ProbeRows.ROWS).containsOnly(ConsistencyLevel.LOCAL_QUORUM);
    }

    @Test
    void a_probe_has_rows() {
        assertThat(ProbeRows.ROWS).isGreaterThanOrEqualTo(16);
    }

    @Test
    void what_is_written_in_each_datacenter_is_read_at_a_quorum_of_all() {
        ProbeRows.writeAndReadBack(table, ConsistencyLevel.EACH_QUORUM, FIRST);
        assertThat(table.readAt).hasSize(ProbeRows.ROWS).containsOnly(ConsistencyLevel.QUORUM);
    }

    @Test
    void an_acknowledged_row_that_is_not_there_fails_the_probe() {
        table.lost = FIRST + ProbeRows.ROWS - 1;
        assertThatThrownBy(() -> ProbeRows.writeAndReadBack(table, ConsistencyLevel.ONE, FIRST))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a row written at ONE was not read back");
    }

    @Test
    void a_row_with_another_value_fails_the_probe() {
        table.added = 1;
        assertThatThrownBy(() -> ProbeRows.writeAndReadBack(table, ConsistencyLevel.ONE, FIRST))
                .hasMessageContaining("was not read back");
    }
}

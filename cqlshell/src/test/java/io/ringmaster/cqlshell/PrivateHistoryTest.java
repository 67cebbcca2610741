package io.ringmaster.cqlshell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jline.reader.History;
import org.junit.jupiter.api.Test;

class PrivateHistoryTest {
    @Test
    void statements_with_passwords_are_not_kept() {
        var history = new PrivateHistory();
        history.add(Instant.EPOCH, "SELECT cluster_name FROM system.local;");
        history.add(Instant.EPOCH, "ALTER ROLE app WITH LOGIN = true AND\n Password = 'x';");
        history.add(Instant.EPOCH, "EXIT");
        assertThat(history)
                .extracting(History.Entry::line)
                .containsExactly("SELECT cluster_name FROM system.local;", "EXIT");
    }
}

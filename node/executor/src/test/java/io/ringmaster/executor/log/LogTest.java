package io.ringmaster.executor.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTest {
    @TempDir
    Path directory;

    private static IOException failure(int time) {
        return new IOException("daemon.json." + time + ".new: Read-only file system");
    }

    @Test
    void the_stack_trace_of_a_cause_that_lasts_is_written_once() throws Exception {
        Path log = directory.resolve("executor.log");
        Log.alsoTo(log);
        for (int i = 0; i < 3; i++) {
            Log.error("cannot advance", failure(i));
        }
        Log.error("cannot advance", new IllegalStateException("another"));
        List<String> lines = Files.readAllLines(log);
        assertThat(lines.stream().filter(line -> line.contains("Read-only")))
                .as("a line for each, and the first line of one trace")
                .hasSize(4);
        assertThat(lines.stream().filter(line -> line.contains("LogTest.failure")))
                .hasSize(1);
        assertThat(lines.stream().filter(line -> line.equals("java.lang.IllegalStateException: another")))
                .hasSize(1);
    }
}
